//! The kernel as the tests use it, and the mistakes that can be planted into it.

use burnside_timed::zone::{Bound, Constraint, Extrapolation, Federation, Limits, Point, Zone};

use crate::oracle::Guards;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mistake {
    None,
    /// `<` is taken for `≤`.
    StrictIsWeak,
    /// A contradiction leaves the zone as it is.
    ContradictionMissed,
    /// Of several constraints one is not applied.
    ConstraintSkipped,
    /// When time passes, clocks forget their differences.
    DelayForgetsDifferences,
    /// When time passes backwards, nothing changes.
    PastIsNow,
    /// When time passes backwards, all clocks may be 0.
    PastForgetsDifferences,
    /// Every reset is to 0.
    ResetToZero,
    /// A copy goes the other way.
    CopyReversed,
    /// A freed clock is 0.
    FreedIsZero,
    /// Of an intersection, bounds on differences are left out.
    IntersectionOfBoxes,
    /// Renaming goes the other way.
    RenamingReversed,
    /// A clock that is added is 0.
    AddedIsZero,
    /// Inclusion goes the other way.
    InclusionReversed,
    /// Extrapolation takes lower limits for upper ones.
    LimitsExchanged,
    /// Extrapolation takes limits that are one too small.
    LimitsTooSmall,
    /// Extrapolation does nothing.
    NotExtrapolated,
    /// Simulation takes lower limits for upper ones.
    SimulationExchanged,
    /// Simulation takes limits that are one too small.
    SimulationTooSmall,
    /// Simulation is inclusion in the extrapolated zone.
    SimulationIsExtrapolation,
    /// The last constraint is not stored.
    StoredTooFew,
    /// All constraints are stored.
    StoredTooMany,
    /// What is subtracted leaves its border.
    BorderLeft,
    /// Only a first part of what remains is kept.
    RemainderLost,
    /// Points are at whole numbers.
    WholePoints,
}

pub const MISTAKES: &[Mistake] = &[
    Mistake::StrictIsWeak,
    Mistake::ContradictionMissed,
    Mistake::ConstraintSkipped,
    Mistake::DelayForgetsDifferences,
    Mistake::PastIsNow,
    Mistake::PastForgetsDifferences,
    Mistake::ResetToZero,
    Mistake::CopyReversed,
    Mistake::FreedIsZero,
    Mistake::IntersectionOfBoxes,
    Mistake::RenamingReversed,
    Mistake::AddedIsZero,
    Mistake::InclusionReversed,
    Mistake::LimitsExchanged,
    Mistake::LimitsTooSmall,
    Mistake::NotExtrapolated,
    Mistake::SimulationExchanged,
    Mistake::SimulationTooSmall,
    Mistake::SimulationIsExtrapolation,
    Mistake::StoredTooFew,
    Mistake::StoredTooMany,
    Mistake::BorderLeft,
    Mistake::RemainderLost,
    Mistake::WholePoints,
];

/// The kernel, with at most one mistake.
#[derive(Clone, Copy)]
pub struct Subject(pub Mistake);

impl Subject {
    fn has(self, mistake: Mistake) -> bool {
        self.0 == mistake
    }

    pub fn zone(self, clocks: usize, constraints: &[Constraint]) -> Zone {
        let mut zone = Zone::universal(clocks);
        for constraint in constraints {
            self.constrain(&mut zone, *constraint);
        }
        zone
    }

    pub fn constrain(self, zone: &mut Zone, mut constraint: Constraint) -> bool {
        if self.has(Mistake::StrictIsWeak) && constraint.bound.is_strict() {
            constraint.bound = constraint.bound.value().map_or(constraint.bound, Bound::le);
        }
        if self.has(Mistake::ContradictionMissed) && !zone.admits(constraint) {
            return true;
        }
        zone.constrain(constraint)
    }

    pub fn constrain_all(self, zone: &mut Zone, constraints: &[Constraint]) -> bool {
        let skipped = usize::from(self.has(Mistake::ConstraintSkipped)).min(constraints.len());
        zone.constrain_all(&constraints[skipped..])
    }

    pub fn up(self, zone: &mut Zone) {
        match self.0 {
            Mistake::DelayForgetsDifferences => (1..zone.dimension()).for_each(|clock| zone.free(clock)),
            _ => zone.up(),
        }
    }

    pub fn down(self, zone: &mut Zone) {
        match self.0 {
            Mistake::PastIsNow => {}
            Mistake::PastForgetsDifferences => {
                let upper: Vec<_> =
                    (1..zone.dimension()).map(|clock| Constraint::new(clock, 0, zone.at(clock, 0))).collect();
                *zone = Zone::universal(zone.clocks());
                zone.constrain_all(&upper);
            }
            _ => zone.down(),
        }
    }

    pub fn reset(self, zone: &mut Zone, clock: usize, value: i32) {
        zone.reset(clock, if self.has(Mistake::ResetToZero) { 0 } else { value });
    }

    pub fn copy(self, zone: &mut Zone, clock: usize, source: usize) {
        match self.0 {
            Mistake::CopyReversed => zone.copy(source, clock),
            _ => zone.copy(clock, source),
        }
    }

    pub fn free(self, zone: &mut Zone, clock: usize) {
        match self.0 {
            Mistake::FreedIsZero => zone.reset(clock, 0),
            _ => zone.free(clock),
        }
    }

    pub fn intersect(self, zone: &mut Zone, other: &Zone) -> bool {
        if self.has(Mistake::IntersectionOfBoxes) {
            let all = other.minimal_constraints();
            let single: Vec<_> = all.into_iter().filter(|c| c.left == 0 || c.right == 0).collect();
            return zone.constrain_all(&single);
        }
        zone.intersect(other)
    }

    pub fn permuted(self, zone: &Zone, to: &[usize]) -> Zone {
        if self.has(Mistake::RenamingReversed) {
            return zone.selected(&to[1..]);
        }
        zone.permuted(to)
    }

    pub fn spread(self, zone: &Zone, to: &[usize], clocks: usize) -> Zone {
        let mut spread = zone.spread(to, clocks);
        if self.has(Mistake::AddedIsZero) {
            (1..=clocks).filter(|clock| !to.contains(clock)).for_each(|clock| spread.reset(clock, 0));
        }
        spread
    }

    pub fn includes(self, zone: &Zone, other: &Zone) -> bool {
        if self.has(Mistake::InclusionReversed) { other.includes(zone) } else { zone.includes(other) }
    }

    fn limits(self, guards: &Guards, exchanged: Mistake, small: Mistake) -> Limits {
        let mut guards = guards.clone();
        if self.has(exchanged) {
            std::mem::swap(&mut guards.lower, &mut guards.upper);
        }
        if self.has(small) {
            for limit in guards.lower.iter_mut().chain(&mut guards.upper) {
                *limit = limit.filter(|limit| *limit > 0).map(|limit| limit - 1);
            }
        }
        guards.limits()
    }

    pub fn extrapolate(self, zone: &mut Zone, how: Extrapolation, guards: &Guards) {
        if !self.has(Mistake::NotExtrapolated) {
            zone.extrapolate(how, &self.limits(guards, Mistake::LimitsExchanged, Mistake::LimitsTooSmall));
        }
    }

    pub fn simulates(self, zone: &Zone, other: &Zone, guards: &Guards) -> bool {
        let limits = self.limits(guards, Mistake::SimulationExchanged, Mistake::SimulationTooSmall);
        if self.has(Mistake::SimulationIsExtrapolation) {
            let mut larger = zone.clone();
            larger.extrapolate(Extrapolation::LUPlus, &limits);
            return larger.includes(other);
        }
        zone.simulates(other, &limits)
    }

    pub fn constraints(self, zone: &Zone) -> Vec<Constraint> {
        let mut constraints = zone.minimal_constraints();
        if self.has(Mistake::StoredTooFew) {
            constraints.pop();
        }
        if self.has(Mistake::StoredTooMany) {
            let pairs =
                (0..zone.dimension()).flat_map(|left| (0..zone.dimension()).map(move |right| (left, right)));
            let all = pairs.map(|(left, right)| Constraint::new(left, right, zone.at(left, right)));
            constraints = all.filter(|c| !c.bound.is_infinite() && c.left != c.right).collect();
        }
        constraints
    }

    pub fn subtract(self, from: &mut Federation, zone: &Zone) {
        if self.has(Mistake::BorderLeft) {
            let strict =
                |c: &Constraint| c.bound.value().map(|value| Constraint { bound: Bound::lt(value), ..*c });
            let constraints: Vec<_> = zone.minimal_constraints().iter().filter_map(strict).collect();
            let mut inner = Zone::universal(zone.clocks());
            inner.constrain_all(&constraints);
            return from.subtract(&inner);
        }
        from.subtract(zone);
        if self.has(Mistake::RemainderLost) {
            *from = from.zones().first().cloned().map_or(Federation::none(), Federation::from);
        }
    }

    pub fn a_point(self, zone: &Zone) -> Option<Point> {
        let point = zone.a_point()?;
        if self.has(Mistake::WholePoints) {
            let whole = point.numerators.iter().map(|value| value / point.denominator).collect();
            return Some(Point { denominator: 1, numerators: whole });
        }
        Some(point)
    }
}
