//! Counting: states of which only the number of elements in each local state is kept.
//!
//! This is the idea of generic representatives, with the extended local states (the cells of an element, and which
//! pointers hold it) that make it right for any number of pointers. [`countable`] says which domains can be counted;
//! [`Counters`] is the system of counted states, for any search.

mod atoms;
mod cases;
mod check;
mod counters;
mod diagram;
mod effects;
mod parts;
mod path;
mod population;
mod printed;
mod program;
#[cfg(test)]
#[path = "../tests/countable/mod.rs"]
mod random;
mod rank;
mod reach;
mod relevance;
mod rows;
pub mod temporal;
mod terms;
mod view;

pub use check::{Obstacle, Task, check, obstacle, with_program};
pub use counters::{Counters, Counting};
pub use parts::{Parts, Refusal, countable};
pub use path::Goal;
pub use population::{Population, Register};
pub use printed::printed;
pub use program::{Form, Program, program};
pub use reach::{Met, Reach, Reached, Stopped, Wrong};
