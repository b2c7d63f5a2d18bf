//! What is computed of a property of a probabilistic model, and on what.

use std::time::Duration;

/// A value, and the quotient that it was computed on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Measured {
    /// The text of the property.
    pub text: String,
    /// The constants of which several values were asked for, with the value here.
    pub constants: Vec<(String, String)>,
    /// The value; none if there is no answer.
    pub value: Option<Quantity>,
    /// Whether exact numbers were needed to decide a bound, though they were not asked for.
    pub became_exact: bool,
    /// The symmetry that was used.
    pub symmetry: Option<MeasuredSymmetry>,
    /// Why less symmetry was used than the model has.
    pub not_used: Vec<String>,
    /// States, or orbits if there is symmetry.
    pub states: u64,
    /// The states of all orbits, where they were added up.
    pub full_states: Option<u128>,
    /// Choices between distributions.
    pub choices: u64,
    /// Transitions.
    pub transitions: u64,
    /// States without a step, which have one to themselves.
    pub deadlocks: u64,
    /// Sweeps of iterations.
    pub sweeps: u64,
    /// Time to find symmetry and to build the quotient; nothing if it was there already.
    pub built: Duration,
    /// Time to check the property.
    pub checked: Duration,
}

/// The value of a property in the initial states.
#[derive(Clone, Debug, PartialEq)]
pub enum Quantity {
    /// Whether it holds in all of them.
    Truth(bool),
    /// A number.
    Number(Figure),
    /// With several initial states: the least and the greatest number.
    Range(Figure, Figure),
}

/// A number, as it is written and how far it is certain.
#[derive(Clone, Debug, PartialEq)]
pub struct Figure {
    /// The digits that are certain, or an exact fraction.
    pub text: String,
    /// Whether it is exact.
    pub exact: bool,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// The symmetry that a quotient was built with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MeasuredSymmetry {
    /// The structure of the group.
    pub structure: String,
    /// Its order, in decimal.
    pub order: String,
    /// What generates it, in words.
    pub generators: Vec<String>,
}
