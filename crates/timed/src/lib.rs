//! Timed automata: sets of clock values as zones, and the search of networks.

pub mod check;
pub mod conditions;
pub mod explore;
pub mod limits;
pub mod run;
pub mod steps;
pub mod symmetry;
pub mod verify;
pub mod zone;
