//! Markov chains and decision processes: the quotient is built on the fly, and its numbers are right.
//!
//! The path of a model: [`step`] takes the commands of a [`Model`](burnside_model::chance::Model) in a state, [`build`]
//! explores all states (or one per orbit) into a sparse [`Chain`], [`graph`] finds what is certain and what is impossible,
//! [`solve`] finds the rest with bounds on both sides or as exact fractions, and [`check`] walks over properties.
//! [`symmetry`] finds permutations of variables and values, verifies each of them on the commands, rewards and properties,
//! and turns every state into the representative of its orbit.
//!
//! Where we deviate from PRISM: a real number in the text is the rational that it denotes, so that `3*0.1 <= 0.3` holds;
//! iteration stops only when both bounds are as near as asked for.

pub mod build;
pub mod chain;
pub mod check;
mod code;
pub mod exact;
pub mod graph;
mod measured;
pub mod run;
pub mod solve;
pub mod states;
pub mod step;
pub mod symmetry;
pub mod transient;

pub use chain::Chain;
