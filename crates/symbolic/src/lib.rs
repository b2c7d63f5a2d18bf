//! The symbolic engine: sets of states as decision diagrams.

pub mod bdd;
pub mod count;
pub mod reduce;
pub mod relation;
pub mod search;
pub mod variables;
