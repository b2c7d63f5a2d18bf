//! Zones: sets of clock values given by bounds on clocks and on their differences.
//!
//! Source: J. Bengtsson, W. Yi, *Timed Automata: Semantics, Algorithms and Tools* (2004). Clocks are numbered from 1;
//! 0 is the reference, which is always 0, so that a bound on a clock is a bound on a difference too.
//!
//! - [`Bound`]: `< c`, `≤ c` or none; [`Constraint`]: a bound on a difference of two clocks.
//! - [`Zone`]: a canonical matrix of bounds, and what time, guards and resets do to it.

mod bound;
mod dbm;
mod operations;

pub use bound::Bound;
pub use dbm::{Constraint, Zone};
