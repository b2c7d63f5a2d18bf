//! Bounds on differences of two clocks, as in `x - y < 3`, which extrapolation and simulation would not keep.
//!
//! Source: J. Bengtsson, W. Yi, *On clock difference constraints and termination in reachability analysis of timed
//! automata* (ICFEM 2003). A zone is split along these bounds, so that each part is within a bound or outside; time does
//! not change on which side it is. Two points on the same side of all of them that are equal up to the limits of the
//! clocks can do the same: if one of the two clocks is set to v, the bound becomes one on the other, by a constant that is
//! greater by v at most. So the limits of both clocks are raised by that much, everywhere, and zones are compared only with zones
//! on the same side, to which extrapolated ones are cut back.

use crate::zone::{Bound, Constraint, Zone};

/// More bounds than this are not split along.
const MOST: usize = 128;

/// The bounds on differences that conditions ask for.
#[derive(Clone, Debug, Default)]
pub struct Differences {
    bounds: Vec<Constraint>,
    /// Whether there are too many.
    unbounded: bool,
}

impl Differences {
    /// Adds a comparison of `left - right` with each constant of a range: both whether it is below and at most that.
    pub fn add(&mut self, left: usize, right: usize, (least, greatest): (i64, i64)) {
        let count = greatest.saturating_sub(least);
        if count >= MOST as i64
            || least < -i64::from(Bound::MAX_VALUE)
            || greatest > i64::from(Bound::MAX_VALUE)
        {
            self.unbounded = true;
        }
        if left == right || self.unbounded {
            return;
        }
        for value in least..=greatest {
            // One of the two directions: the other is its contrary.
            let (left, right, value) =
                if left < right { (left, right, value as i32) } else { (right, left, -value as i32) };
            for bound in [Bound::lt(value), Bound::le(value)] {
                let constraint = Constraint::new(left, right, bound);
                if !self.bounds.contains(&constraint) {
                    self.bounds.push(constraint);
                }
            }
        }
        self.unbounded |= self.bounds.len() > MOST;
    }

    /// Whether differences are compared at all.
    pub fn any(&self) -> bool {
        self.unbounded || !self.bounds.is_empty()
    }

    /// Whether there are too many bounds: then zones must be kept as they are.
    pub fn too_many(&self) -> bool {
        self.unbounded
    }

    /// Zones are not to be split along the bounds: where clocks may stand still, time changes on which side a point is.
    pub fn give_up(&mut self) {
        self.unbounded |= self.any();
    }

    /// The clocks that are compared, with the constants.
    pub fn constants(&self) -> impl Iterator<Item = (usize, i32)> {
        self.bounds.iter().flat_map(|c| {
            let constant = c.bound.value().unwrap_or(0).abs();
            [(c.left, constant), (c.right, constant)]
        })
    }

    /// The parts of a zone, each on one side of every bound.
    pub fn split(&self, zone: Zone) -> Vec<Zone> {
        let mut parts = vec![zone];
        if self.unbounded {
            return parts;
        }
        for bound in &self.bounds {
            for at in 0..parts.len() {
                if parts[at].implies(*bound) || parts[at].implies(bound.negated()) {
                    continue;
                }
                let mut outside = parts[at].clone();
                parts[at].constrain(*bound);
                outside.constrain(bound.negated());
                parts.push(outside);
            }
        }
        parts
    }

    /// On which side of each bound a part is.
    pub fn sides(&self, part: &Zone) -> Vec<Constraint> {
        if self.unbounded {
            return Vec::new();
        }
        let side = |bound: &Constraint| if part.implies(*bound) { *bound } else { bound.negated() };
        self.bounds.iter().map(side).collect()
    }

    /// The same in few bytes.
    pub fn sector(&self, part: &Zone) -> Vec<u8> {
        let bits = |bounds: &[Constraint]| {
            bounds.iter().enumerate().fold(0, |bits, (at, bound)| bits | u8::from(part.implies(*bound)) << at)
        };
        if self.unbounded { Vec::new() } else { self.bounds.chunks(8).map(bits).collect() }
    }
}
