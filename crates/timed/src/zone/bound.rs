//! Bounds on differences: `< c`, `≤ c`, or none.
//!
//! A bound is one number, twice the constant and one more if the constant itself is allowed: a tighter bound is then a
//! smaller number, and no bound is the greatest. Constants are limited to half of what would fit, so that the sum of two
//! bounds cannot overflow; a sum beyond the limit becomes the next weaker bound that there is. A zone is then larger
//! than it should be, never smaller.

use std::fmt;
use std::ops::{Add, Not};

/// An upper bound on a difference of clocks. The order is that of strength: the tighter bound is less.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Bound(i32);

impl Bound {
    /// No bound.
    pub const INFINITY: Bound = Bound(1 << 30);
    /// `≤ 0`: the bound of a clock against itself.
    pub const LE_ZERO: Bound = Bound(1);
    /// `< 0`: what no clock is against itself; sums around a cycle up to this one contradict themselves.
    pub const LT_ZERO: Bound = Bound(0);
    /// The tightest bound that there is; tighter ones become this one.
    pub(super) const LOWEST: Bound = Bound(-(1 << 30));
    /// The greatest constant of a bound; the least is its negative. A model with greater constants must be refused:
    /// here they become the next weaker bound.
    pub const MAX_VALUE: i32 = (1 << 29) - 1;

    /// `≤ value`.
    pub const fn le(value: i32) -> Bound {
        Bound::new(value, 1)
    }

    /// `< value`.
    pub const fn lt(value: i32) -> Bound {
        Bound::new(value, 0)
    }

    const fn new(value: i32, allowed: i32) -> Bound {
        if value > Bound::MAX_VALUE {
            Bound::INFINITY
        } else if value < -Bound::MAX_VALUE {
            Bound::LOWEST
        } else {
            Bound(2 * value + allowed)
        }
    }

    /// The constant, if there is a bound.
    pub const fn value(self) -> Option<i32> {
        if self.is_infinite() { None } else { Some(self.0 >> 1) }
    }

    /// Whether the constant itself is excluded; so it is where there is no bound.
    pub const fn is_strict(self) -> bool {
        self.0 & 1 == 0
    }

    /// Whether there is no bound.
    pub const fn is_infinite(self) -> bool {
        self.0 == Bound::INFINITY.0
    }

    /// Whether `numerator / denominator` is within the bound; the denominator is positive.
    pub fn allows(self, numerator: i64, denominator: i64) -> bool {
        let Some(value) = self.value() else { return true };
        let limit = i128::from(value) * i128::from(denominator);
        i128::from(numerator) < limit || (!self.is_strict() && i128::from(numerator) == limit)
    }

    /// The number that the bound is.
    pub(super) const fn raw(self) -> i32 {
        self.0
    }

    /// The bound that a number is.
    pub(super) const fn from_raw(raw: i32) -> Bound {
        Bound(raw)
    }
}

/// The bound on `x - z` that follows from one on `x - y` and one on `y - z`.
impl Add for Bound {
    type Output = Bound;

    fn add(self, other: Bound) -> Bound {
        if self.is_infinite() || other.is_infinite() {
            return Bound::INFINITY;
        }
        let sum = (self.0 & !1) + (other.0 & !1) + (self.0 & other.0 & 1);
        Bound(sum.clamp(Bound::LOWEST.0, Bound::INFINITY.0))
    }
}

/// The bound on `y - x` that holds where this one on `x - y` does not. There must be a bound.
impl Not for Bound {
    type Output = Bound;

    fn not(self) -> Bound {
        debug_assert!(!self.is_infinite(), "what is not bounded is never violated");
        Bound((1 - self.0).min(Bound::INFINITY.0))
    }
}

/// Tightens each bound of `row` to `through` plus that of `via`: many sums at once, the same as [`Add`], without
/// branches. Whether any was.
pub(super) fn tighten(row: &mut [Bound], through: Bound, via: &[Bound]) -> bool {
    if through.is_infinite() {
        return false;
    }
    let base = through.0 & !1;
    // The sum allows its constant if both do.
    let mask = through.0 | !1;
    let mut tighter = false;
    for (cell, step) in row.iter_mut().zip(via) {
        // A sum above infinity does no harm: the cell is at most infinity.
        let sum = (base + (step.0 & mask)).max(Bound::LOWEST.0);
        let sum = if step.is_infinite() { Bound::INFINITY.0 } else { sum };
        tighter |= sum < cell.0;
        cell.0 = cell.0.min(sum);
    }
    tighter
}

impl fmt::Debug for Bound {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.value() {
            None => f.write_str("∞"),
            Some(value) => write!(f, "{}{value}", if self.is_strict() { "<" } else { "≤" }),
        }
    }
}
