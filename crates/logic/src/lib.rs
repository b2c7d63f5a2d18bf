//! Temporal logic, for any engine.
//!
//! [`ctl`] evaluates formulas of CTL by fixpoints over a small trait of sets of states, [`StateSets`], under fairness
//! constraints, and explains results by runs and lassos. [`graph`] has the sets of an explicit graph, and [`concrete`]
//! the graph of a model, made by the reference interpreter: slow and simple, to test engines against. [`ltl`] makes Büchi
//! automata of formulas of LTL. [`lasso`] executes the runs that show something, and says why each step matters.

pub mod concrete;
pub mod ctl;
mod fair;
pub mod graph;
pub mod lasso;
pub mod ltl;
mod path;
mod reasons;
mod sets;

pub use ctl::{Checker, Explanation};
pub use fair::Constraint;
pub use path::{Path, Step};
pub use sets::{Atom, StateSets, loop_values};
