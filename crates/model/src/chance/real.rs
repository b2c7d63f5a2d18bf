//! Real numbers that stay exact as long as they can: rationals, and floating point for what has no rational value
//! (logarithms, roots, infinities).

use dashu_base::{Abs, Signed};
use dashu_int::{IBig, UBig};
use dashu_ratio::RBig;

/// A real number.
#[derive(Clone, Debug, PartialEq)]
pub enum Real {
    /// Known exactly.
    Exact(RBig),
    /// Known as a floating point number: a root, a logarithm, an infinity or not a number.
    Float(f64),
}

impl From<i64> for Real {
    fn from(value: i64) -> Real {
        Real::Exact(RBig::from(value))
    }
}

impl Real {
    /// A decimal such as `1.5e-3`, exactly; none if it is malformed or its exponent is absurd.
    pub fn decimal(text: &str) -> Option<Real> {
        let (mantissa, exponent) = match text.find(['e', 'E']) {
            Some(at) => (&text[..at], text[at + 1..].trim_start_matches('+').parse::<i32>().ok()?),
            None => (text, 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let digits: String = [whole, fraction].concat();
        let number: UBig = if digits.is_empty() { return None } else { digits.parse().ok()? };
        let shift = exponent.checked_sub(i32::try_from(fraction.len()).ok()?)?;
        if shift.unsigned_abs() > 5000 {
            return text.parse().ok().map(Real::Float);
        }
        let power = UBig::from(10u8).pow(shift.unsigned_abs() as usize);
        Some(Real::Exact(if shift >= 0 {
            RBig::from(IBig::from(number * power))
        } else {
            RBig::from_parts(IBig::from(number), power)
        }))
    }

    /// The nearest floating point number.
    pub fn to_f64(&self) -> f64 {
        match self {
            Real::Exact(value) => value.to_f64().value(),
            Real::Float(value) => *value,
        }
    }

    /// The exact value, if it is known.
    pub fn exact(&self) -> Option<&RBig> {
        match self {
            Real::Exact(value) => Some(value),
            Real::Float(_) => None,
        }
    }

    fn both(
        &self,
        other: &Real,
        exact: impl Fn(&RBig, &RBig) -> RBig,
        float: impl Fn(f64, f64) -> f64,
    ) -> Real {
        match (self, other) {
            (Real::Exact(a), Real::Exact(b)) => Real::Exact(exact(a, b)),
            _ => Real::Float(float(self.to_f64(), other.to_f64())),
        }
    }

    pub fn add(&self, other: &Real) -> Real {
        self.both(other, |a, b| a + b, |a, b| a + b)
    }

    pub fn sub(&self, other: &Real) -> Real {
        self.both(other, |a, b| a - b, |a, b| a - b)
    }

    pub fn mul(&self, other: &Real) -> Real {
        self.both(other, |a, b| a * b, |a, b| a * b)
    }

    /// The quotient; by zero it is infinite, or not a number.
    pub fn div(&self, other: &Real) -> Real {
        match other {
            Real::Exact(b) if b.is_zero() => Real::Float(self.to_f64() / 0.0),
            _ => self.both(other, |a, b| a / b, |a, b| a / b),
        }
    }

    /// The power: exact for whole exponents of moderate size.
    pub fn pow(&self, exponent: &Real) -> Real {
        if let (Real::Exact(base), Real::Exact(power)) = (self, exponent)
            && power.is_int()
            && let Ok(n) = i64::try_from(power.numerator().clone())
            && n.unsigned_abs() <= 4096
            && (n >= 0 || !base.is_zero())
        {
            let raised = base.pow(n.unsigned_abs() as isize);
            return Real::Exact(if n >= 0 { raised } else { RBig::ONE / raised });
        }
        let (base, power) = (self.to_f64(), exponent.to_f64());
        Real::Float(base.powf(power))
    }

    /// The order; none if one is not a number.
    pub fn compare(&self, other: &Real) -> Option<std::cmp::Ordering> {
        match (self, other) {
            (Real::Exact(a), Real::Exact(b)) => Some(a.cmp(b)),
            _ => self.to_f64().partial_cmp(&other.to_f64()),
        }
    }

    /// The greatest whole number that is not greater; none if that does not fit.
    pub fn floor(&self) -> Option<i64> {
        match self {
            Real::Exact(value) => i64::try_from(value.floor()).ok(),
            Real::Float(value) => whole(value.floor()),
        }
    }

    /// The least whole number that is not less; none if that does not fit.
    pub fn ceil(&self) -> Option<i64> {
        match self {
            Real::Exact(value) => i64::try_from(value.ceil()).ok(),
            Real::Float(value) => whole(value.ceil()),
        }
    }

    /// The nearest whole number, halves upwards; none if that does not fit.
    pub fn round(&self) -> Option<i64> {
        self.add(&Real::Exact(RBig::from_parts(IBig::ONE, UBig::from(2u8)))).floor()
    }

    /// Whether it is less than zero.
    pub fn is_negative(&self) -> bool {
        match self {
            Real::Exact(value) => value.is_negative() && !value.is_zero(),
            Real::Float(value) => *value < 0.0,
        }
    }

    /// The number without its sign.
    pub fn abs(&self) -> Real {
        match self {
            Real::Exact(value) => Real::Exact(value.clone().abs()),
            Real::Float(value) => Real::Float(value.abs()),
        }
    }
}

fn whole(value: f64) -> Option<i64> {
    (value.abs() < 9e15).then_some(value as i64)
}
