//! Inclusion of zones: exact, and up to what the guards can tell apart.
//!
//! Source of the second: F. Herbreteau, B. Srivathsan, I. Walukiewicz, *Better abstractions for timed automata* (LICS
//! 2012). A point is simulated by another if each clock is the same in both, or the difference is beyond what guards
//! see: smaller there, but above the lower limit; or greater there, and above the upper limit here. aLU(Z) is the set of
//! points simulated by some point of Z, the largest sound abstraction for given [`Limits`]. It is not a zone, but whether
//! another zone is in it is decided on the two matrices, two clocks at a time.
//!
//! As with extrapolation, guards on differences make it unsound; and it keeps neither deadlocks nor infinite runs.

use super::bound::Bound;
use super::dbm::Zone;
use super::extrapolate::Limits;

/// How two sets compare.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Relation {
    Equal,
    /// The first includes the second, and more.
    Includes,
    /// The first is included in the second, which has more.
    Included,
    /// Neither includes the other.
    Incomparable,
}

impl Zone {
    /// Whether every point of `other` is in this zone. Quadratic.
    pub fn includes(&self, other: &Zone) -> bool {
        assert_eq!(self.dimension(), other.dimension(), "zones over the same clocks");
        if other.is_empty() || self.is_empty() {
            return other.is_empty();
        }
        (0..self.dimension()).all(|clock| weaker(self.row(clock), other.row(clock)))
    }

    /// How this zone compares with `other`. Quadratic.
    pub fn relation(&self, other: &Zone) -> Relation {
        match (self.includes(other), other.includes(self)) {
            (true, true) => Relation::Equal,
            (true, false) => Relation::Includes,
            (false, true) => Relation::Included,
            (false, false) => Relation::Incomparable,
        }
    }

    /// Whether every point of `other` is simulated by a point of this zone: `other` ⊆ aLU(`self`). Quadratic.
    pub fn simulates(&self, other: &Zone, limits: &Limits) -> bool {
        assert_eq!(self.dimension(), other.dimension(), "zones over the same clocks");
        if other.is_empty() || self.is_empty() {
            return other.is_empty();
        }
        (0..self.dimension()).all(|left| {
            let minus_lower = limits.minus_lower[left];
            // A clock without lower limit may be as small as needed.
            minus_lower.is_infinite() || {
                let cells = self.row(left).iter().zip(other.row(left));
                let rows = cells.zip(other.row(0).iter().zip(&limits.minus_upper));
                !rows.fold(false, |found, ((mine, theirs), (lowest, minus_upper))| {
                    found | separates(*mine, *theirs, minus_lower, *lowest, *minus_upper)
                })
            }
        })
    }
}

/// Whether each bound of a row is at least that of the other.
fn weaker(row: &[Bound], other: &[Bound]) -> bool {
    row.iter().zip(other).fold(true, |all, (mine, theirs)| all & (mine >= theirs))
}

/// Whether the bounds on `left - right` show a point of the other zone that no point of this one simulates.
///
/// Some of its points have `right` within its upper limit, where it must not become greater; some of them have
/// differences that this zone does not allow, so `left` must become smaller; and that leads to its lower limit.
#[inline]
pub(super) fn separates(
    mine: Bound,
    theirs: Bound,
    minus_lower: Bound,
    lowest: Bound,
    minus_upper: Bound,
) -> bool {
    // An infinite bound separates nothing: the second test fails. So the sum is within the limits of a bound.
    let sum = (mine.raw() & !1).wrapping_add(minus_lower.raw());
    (lowest >= minus_upper) & (mine < theirs) & (sum < lowest.raw())
}
