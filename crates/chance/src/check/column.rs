//! The values of all states: truth values, numbers with bounds, or exact numbers.

use burnside_model::chance::Real;
use dashu_ratio::RBig;

/// A number: exact, or between two bounds.
#[derive(Clone, Debug, PartialEq)]
pub enum Number {
    /// Known exactly; an infinite one is a float.
    Exact(Real),
    Bounds(f64, f64),
}

impl Number {
    /// The lower bound.
    pub fn low(&self) -> f64 {
        match self {
            Number::Exact(value) => value.to_f64(),
            Number::Bounds(low, _) => *low,
        }
    }

    /// The upper bound.
    pub fn high(&self) -> f64 {
        match self {
            Number::Exact(value) => value.to_f64(),
            Number::Bounds(_, high) => *high,
        }
    }
}

/// A value of one state.
#[derive(Clone, Debug, PartialEq)]
pub enum Val {
    Bool(bool),
    Number(Number),
}

/// Values by state.
#[derive(Clone, Debug)]
pub enum Column {
    Bool(Vec<bool>),
    /// Lower and upper bounds.
    Bounds(Vec<f64>, Vec<f64>),
    /// Exact values; none is infinite.
    Exact(Vec<Option<RBig>>),
}

impl Column {
    /// Numbers that are known up to rounding.
    pub fn points(values: Vec<f64>) -> Column {
        Column::Bounds(values.clone(), values)
    }

    /// The value of a state.
    pub fn at(&self, state: usize) -> Val {
        match self {
            Column::Bool(values) => Val::Bool(values[state]),
            Column::Bounds(low, high) => Val::Number(Number::Bounds(low[state], high[state])),
            Column::Exact(values) => Val::Number(Number::Exact(match &values[state] {
                Some(value) => Real::Exact(value.clone()),
                None => Real::Float(f64::INFINITY),
            })),
        }
    }

    /// One minus the values.
    #[must_use]
    pub fn complement(self) -> Column {
        match self {
            Column::Bool(values) => Column::Bool(values.into_iter().map(|value| !value).collect()),
            Column::Bounds(low, high) => Column::Bounds(
                high.into_iter().map(|value| (1.0 - value).max(0.0)).collect(),
                low.into_iter().map(|value| 1.0 - value).collect(),
            ),
            Column::Exact(values) => {
                Column::Exact(values.into_iter().map(|value| value.map(|value| RBig::ONE - value)).collect())
            }
        }
    }
}
