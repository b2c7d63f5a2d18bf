//! Extrapolation: what no guard can tell apart is made the same, so that finitely many zones remain.
//!
//! Source: G. Behrmann, P. Bouyer, K. G. Larsen, R. Pelánek, *Lower and upper bounds in zone-based abstractions of timed
//! automata* (STTT 2006). Each gives a zone that is larger, but reaches no location that was not reached before, if all
//! guards and invariants compare single clocks with constants within the [`Limits`]. **With guards on differences of
//! clocks that is not so**, and those with lower and upper limits keep neither deadlocks nor infinite runs.
//!
//! A clock without limits is freed; that no clock is negative is kept, which the paper leaves out.

use super::bound::Bound;
use super::dbm::Zone;

/// The greatest constants that clocks are compared with, for clocks from 1 on.
///
/// `lower` is that of guards that bound a clock from below (`x > c`, `x ≥ c`), the paper's L; `upper` that of guards and
/// invariants that bound it from above, the paper's U. None stands for minus infinity: there is no such guard.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Limits {
    /// `< -L` for each clock, infinite without a limit.
    pub(super) minus_lower: Box<[Bound]>,
    /// `≤ -U` for each clock, infinite without a limit.
    pub(super) minus_upper: Box<[Bound]>,
}

impl Limits {
    /// No limits: no clock is compared with anything.
    pub fn none(clocks: usize) -> Limits {
        let none: Box<[Bound]> = vec![Bound::INFINITY; clocks + 1].into();
        let mut limits = Limits { minus_lower: none.clone(), minus_upper: none };
        limits.clear();
        limits
    }

    /// Forgets all limits.
    pub fn clear(&mut self) {
        self.minus_lower.fill(Bound::INFINITY);
        self.minus_upper.fill(Bound::INFINITY);
        self.minus_lower[0] = Bound::LT_ZERO;
        self.minus_upper[0] = Bound::LE_ZERO;
    }

    /// Some guard bounds the clock from below by a constant from 0 on.
    pub fn raise_lower(&mut self, clock: usize, constant: i32) {
        let cell = &mut self.minus_lower[clock];
        *cell = (*cell).min(Bound::lt(-constant));
    }

    /// Some guard or invariant bounds the clock from above by a constant from 0 on.
    pub fn raise_upper(&mut self, clock: usize, constant: i32) {
        let cell = &mut self.minus_upper[clock];
        *cell = (*cell).min(Bound::le(-constant));
    }

    /// L: the greatest constant that bounds the clock from below.
    pub fn lower(&self, clock: usize) -> Option<i32> {
        self.minus_lower[clock].value().map(|value| -value)
    }

    /// U: the greatest constant that bounds the clock from above.
    pub fn upper(&self, clock: usize) -> Option<i32> {
        self.minus_upper[clock].value().map(|value| -value)
    }

    /// M: the greatest constant that bounds the clock at all.
    pub fn both(&self, clock: usize) -> Option<i32> {
        self.lower(clock).max(self.upper(clock))
    }

    /// The same limits for guards of both kinds: M.
    fn merged(&self) -> Limits {
        let mut merged = self.clone();
        for clock in 1..self.minus_lower.len() {
            if let Some(constant) = self.both(clock) {
                merged.raise_lower(clock, constant);
                merged.raise_upper(clock, constant);
            }
        }
        merged
    }
}

/// The extrapolations, by the names of the paper.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Extrapolation {
    /// Extra_M: constants beyond the limit are forgotten.
    M,
    /// Extra⁺_M: a clock that is beyond its limit altogether is forgotten, with its differences.
    MPlus,
    /// Extra_LU: as Extra_M, with lower and upper limits.
    LU,
    /// Extra⁺_LU: as Extra⁺_M, with lower and upper limits. The coarsest.
    LUPlus,
}

impl Extrapolation {
    /// All of them.
    pub const ALL: [Extrapolation; 4] =
        [Extrapolation::M, Extrapolation::MPlus, Extrapolation::LU, Extrapolation::LUPlus];

    /// Whether one limit is used for both kinds of guards.
    fn merges(self) -> bool {
        matches!(self, Extrapolation::M | Extrapolation::MPlus)
    }

    /// Whether clocks beyond their limits are forgotten with their differences.
    fn plus(self) -> bool {
        matches!(self, Extrapolation::MPlus | Extrapolation::LUPlus)
    }
}

impl Zone {
    /// Extrapolates the zone. Cubic at worst; clocks without limits cost little.
    pub fn extrapolate(&mut self, how: Extrapolation, limits: &Limits) {
        assert_eq!(self.dimension(), limits.minus_lower.len(), "limits of the same clocks");
        if self.is_empty() {
            return;
        }
        let rows = match how.merges() {
            true => self.forget(how.plus(), &limits.merged()),
            false => self.forget(how.plus(), limits),
        };
        self.close_rows(&rows);
    }

    /// A zone with all points that are simulated by a point of this one: aLU(`self`), which is no zone, and more. Cubic
    /// at worst.
    pub fn simulated(&self, limits: &Limits) -> Zone {
        assert_eq!(self.dimension(), limits.minus_lower.len(), "limits of the same clocks");
        let mut larger = self.clone();
        if self.is_empty() {
            return larger;
        }
        // A clock may be greater in a simulated point if here it comes above its lower limit; smaller, if it comes above
        // its upper limit, but not below that.
        let smaller: Vec<bool> =
            (0..self.dimension()).map(|y| y != 0 && above(self.at(y, 0), limits.minus_upper[y])).collect();
        let mut changed = Vec::new();
        for left in 1..self.dimension() {
            if above(self.at(left, 0), limits.minus_lower[left]) {
                larger.row_mut(left).fill(Bound::INFINITY);
                larger.set(left, left, Bound::LE_ZERO);
                continue;
            }
            for right in (1..self.dimension()).filter(|right| *right != left && smaller[*right]) {
                larger.set(left, right, Bound::INFINITY);
            }
            changed.push(left);
        }
        for right in (1..self.dimension()).filter(|right| smaller[*right]) {
            let lowest = limits.minus_upper[right].value().map_or(Bound::LE_ZERO, Bound::lt);
            larger.set(0, right, self.at(0, right).max(lowest));
        }
        changed.push(0);
        larger.close_rows(&changed);
        larger
    }

    /// Weakens the cells as the definitions say; the rows with bounds that are not canonical then.
    fn forget(&mut self, plus: bool, limits: &Limits) -> Vec<usize> {
        let mut changed = Vec::new();
        // The definitions look at the lower bounds of the clocks as they were: the reference comes last.
        for left in (1..self.dimension()).rev() {
            let minus_lower = limits.minus_lower[left];
            if minus_lower.is_infinite() || (plus && beyond(self.at(0, left), minus_lower)) {
                self.row_mut(left).fill(Bound::INFINITY);
                self.set(left, left, Bound::LE_ZERO);
            } else if self.forget_in_row(left, plus, limits) {
                changed.push(left);
            }
        }
        if self.forget_in_row(0, plus, limits) {
            changed.push(0);
        }
        changed
    }

    /// Weakens a row; whether it changed.
    fn forget_in_row(&mut self, left: usize, plus: bool, limits: &Limits) -> bool {
        let mut changed = false;
        for right in (0..self.dimension()).filter(|right| *right != left) {
            let old = self.at(left, right);
            let new = self.weakened(left, right, plus, limits);
            if new != old {
                self.set(left, right, new);
                changed = true;
            }
        }
        changed
    }

    /// The new bound on `left - right`, where `left` is not beyond its lower limit.
    fn weakened(&self, left: usize, right: usize, plus: bool, limits: &Limits) -> Bound {
        let bound = self.at(left, right);
        // The reference has no bound above its limit, which is 0.
        if left != 0 && above(bound, limits.minus_lower[left]) {
            return Bound::INFINITY;
        }
        let minus_upper = limits.minus_upper[right];
        let looked_at = if plus { self.at(0, right) } else { bound };
        if right == 0 || !beyond(looked_at, minus_upper) {
            return bound;
        }
        match minus_upper.value() {
            // Clocks are not negative.
            None if left == 0 => Bound::LE_ZERO,
            Some(value) if left == 0 || !plus => Bound::lt(value),
            _ => Bound::INFINITY,
        }
    }
}

/// Whether the constant of a bound from above is greater than the limit, of which the negative is given.
fn above(bound: Bound, minus_limit: Bound) -> bool {
    minus_limit.value().is_none_or(|minus| bound > Bound::le(-minus))
}

/// Whether the constant of a bound from below is greater than the limit, of which the negative is given.
fn beyond(bound: Bound, minus_limit: Bound) -> bool {
    !bound.is_infinite() && minus_limit.value().is_none_or(|minus| bound < Bound::lt(minus))
}
