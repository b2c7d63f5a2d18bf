//! Timed automata: sets of clock values as zones.

pub mod zone;
