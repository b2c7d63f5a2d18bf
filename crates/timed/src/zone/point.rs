//! Points: exact values of clocks, as fractions with one denominator.
//!
//! Constraints on differences have a solution if no cycle of them contradicts itself, and the least one is given by
//! longest paths from the reference. Strict bounds are made non-strict by a small step less; with a denominator of
//! the number of strict bounds that a path can have, the
//! steps never add up to more than a whole.

use super::bound::Bound;
use super::dbm::{Constraint, Zone};

/// A value for each clock.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Point {
    /// The denominator of all values, positive.
    pub denominator: i64,
    /// The numerators; that of the reference, the first, is 0.
    pub numerators: Vec<i64>,
}

impl Point {
    /// The point without negative values that satisfies the constraints, if there is one. It is the least of those
    /// that stay away from strict bounds by one over the denominator. The variables, numbered like clocks, may be
    /// anything with bounds on differences: clocks, or the times of the steps of a run.
    pub fn least(variables: usize, constraints: &[Constraint]) -> Option<Point> {
        let strict = constraints.iter().filter(|c| c.bound.is_strict() && !c.bound.is_infinite()).count();
        let denominator = strict.clamp(1, variables + 1) as i64;
        // What no path without a contradiction exceeds.
        let greatest = (variables as i64 + 1).saturating_mul(denominator << 30).min(i64::MAX / 2);
        let mut numerators = vec![0; variables + 1];
        // Bellman and Ford: each round raises what a constraint asks to be greater; a path has no more steps than this.
        for _ in 0..=variables + 1 {
            let mut raised = false;
            for constraint in constraints {
                let Some(limit) = scaled(constraint.bound, denominator) else { continue };
                let needed = numerators[constraint.left] - limit;
                if numerators[constraint.right] < needed {
                    if constraint.right == 0 || needed > greatest {
                        return None;
                    }
                    numerators[constraint.right] = needed;
                    raised = true;
                }
            }
            if !raised {
                return Some(Point { denominator, numerators });
            }
        }
        None
    }
}

/// The greatest numerator within a bound.
fn scaled(bound: Bound, denominator: i64) -> Option<i64> {
    let value = bound.value()?;
    Some(i64::from(value) * denominator - i64::from(bound.is_strict()))
}

impl Zone {
    /// The least point of the zone, as [`Point::least`].
    pub fn a_point(&self) -> Option<Point> {
        Point::least(self.clocks(), &self.minimal_constraints())
    }

    /// Whether the point is in the zone.
    pub fn contains(&self, point: &Point) -> bool {
        let values = &point.numerators;
        assert_eq!(values.len(), self.dimension(), "a value for each clock");
        (0..self.dimension()).all(|left| {
            let cells = self.row(left).iter().enumerate();
            cells
                .into_iter()
                .all(|(right, bound)| bound.allows(values[left] - values[right], point.denominator))
        })
    }
}
