//! Timed automata: sets of clock values as zones, and the search of networks.

pub mod conditions;
pub mod explore;
pub mod limits;
pub mod steps;
pub mod symmetry;
pub mod zone;
