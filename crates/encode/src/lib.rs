//! Models as Boolean functions: the rules and properties of a model, bit-blasted over any Boolean algebra.
//!
//! An [`Encoding`] gives every cell of the state a few bits. A rule instance becomes a [`Step`]: where it is enabled,
//! which bits it writes and what, and where it goes wrong, all as functions of the bits of the current state; a property
//! becomes a [`Condition`]. Functions are made in an [`Algebra`]: BDDs, circuits for a SAT solver, plain truth values.
//!
//! The meaning is that of [`burnside_model::code::Interpreter`], corner by corner. Code is executed once for all states,
//! both sides of a condition after each other; see [`Algebra`] for how loops and recursion end.

mod algebra;
mod defined;
mod encoding;
mod instances;
mod number;
mod run;
mod step;
mod value;

pub use algebra::{Algebra, EncodeError, Refusal};
pub use encoding::{EncodedCell, Encoding, StateBit};
pub use instances::{Component, Instance};
pub use run::FaultCase;
pub use step::{Condition, PropertyInstance, Step};
