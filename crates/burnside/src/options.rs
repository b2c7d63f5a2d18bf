//! What a check is asked to do, resolved: no text left to interpret.

use burnside_model::code::Semantics;
use burnside_model::{DeadlockMode, Limits};

/// Which engine explores the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Engine {
    /// The best one for the model.
    #[default]
    Auto,
    /// State by state.
    Explicit,
}

/// Which reduction is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reduce {
    /// Every symmetry that could be verified.
    #[default]
    Auto,
    /// None.
    None,
}

/// What a check is asked to do.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Constants of the model that are given another value, as name and text.
    pub constants: Vec<(String, String)>,
    /// The engine.
    pub engine: Engine,
    /// The reduction.
    pub reduce: Reduce,
    /// When to stop early.
    pub limits: Limits,
    /// What counts as a deadlock.
    pub deadlock: DeadlockMode,
    /// The choices the language leaves open.
    pub semantics: Semantics,
    /// Whether source snippets in the report are coloured for a terminal.
    pub color: bool,
}
