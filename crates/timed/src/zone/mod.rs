//! Zones: sets of clock values given by bounds on clocks and on their differences.
//!
//! Source: J. Bengtsson, W. Yi, *Timed Automata: Semantics, Algorithms and Tools* (2004). Clocks are numbered from 1;
//! 0 is the reference, which is always 0, so that a bound on a clock is a bound on a difference too.
//!
//! - [`Bound`]: `< c`, `≤ c` or none; [`Constraint`]: a bound on a difference of two clocks.
//! - [`Zone`]: a canonical matrix of bounds, and what time, guards and resets do to it.
//! - [`Limits`] and [`Extrapolation`]: making finitely many zones of infinitely many; [`Zone::simulates`]: inclusion up
//!   to what guards can tell apart.
//! - [`PackedZone`]: a zone in few bytes, to store. [`Federation`]: a union of zones. [`Point`]: exact clock values.

mod bound;
mod dbm;
mod extrapolate;
mod federation;
mod inclusion;
mod minimal;
mod operations;
mod packed;
mod point;
mod probe;

pub use bound::Bound;
pub use dbm::{Constraint, Zone};
pub use extrapolate::{Extrapolation, Limits};
pub use federation::Federation;
pub use inclusion::Relation;
pub use packed::{Matrix, PackedZone, pack};
pub use point::Point;
pub use probe::Probe;
