//! What happens during a check, for whoever watches it.

/// How far a search has come.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Progress {
    /// What is done, where it is no search of states: `solving`, `size 3`.
    pub phase: Option<&'static str>,
    /// What is stored, where it is no states: `zones`, `populations`.
    pub unit: Option<&'static str>,
    /// States stored, or whatever else is.
    pub states: u64,
    /// Rule instances fired.
    pub rules_fired: u64,
    /// The level being explored.
    pub depth: u64,
    /// States stored but not yet expanded.
    pub queue: u64,
    /// States stored per second since the last report.
    pub states_per_second: f64,
    /// Bytes in use.
    pub memory: u64,
    /// With decision diagrams: the most nodes so far.
    pub nodes: Option<u64>,
    /// With SAT, where the depth is that of frames or of runs: clauses, and questions to the solver.
    pub questions: Option<(u64, u64)>,
}

/// Receives what happens during a search.
pub trait Events {
    /// About twice a second.
    fn progress(&mut self, _progress: &Progress) {}

    /// A level of a breadth-first search is complete: its number, from 0 on, and how many states it has.
    fn level(&mut self, _level: u64, _states: u64) {}

    /// What the model's `put` statements wrote; with several threads, in any order.
    fn output(&mut self, _text: &str) {}

    /// Something went wrong that does not change the result.
    fn warning(&mut self, _text: &str) {}
}

/// Ignores all events.
impl Events for () {}
