//! Explicit-state search: the reachable states one by one.
//!
//! [`check`] is the engine: it explores a system breadth-first ([`search`]), keeping every state it meets in a packed
//! [`store`], then decides liveness on what it stored ([`liveness`]). It knows nothing of symmetry: a reduced system is
//! a system. What it adds to the waist is the trait [`Indexed`], which liveness needs to follow one process through
//! steps that rename processes.

mod indexed;
pub mod liveness;
pub mod search;
pub mod store;

use burnside_model::{DeadlockMode, Limits};

pub use indexed::Indexed;
pub use search::result::{Ending, Exploration, Known, PropertyResult, Witness};

/// What to look for, and when to stop.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// When to stop early.
    pub limits: Limits,
    /// What counts as a deadlock.
    pub deadlock: DeadlockMode,
}

/// How far a search has come.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Progress {
    /// States stored.
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
}

/// Receives what happens during a search.
pub trait Events {
    /// About twice a second.
    fn progress(&mut self, _progress: &Progress) {}

    /// What the model's `put` statements wrote.
    fn output(&mut self, _text: &str) {}
}

/// Ignores all events.
impl Events for () {}

/// Explores the system and decides its properties.
pub fn check<S: Indexed>(system: &mut S, config: &Config, events: &mut dyn Events) -> Exploration {
    let mut search = search::Search::new(system, config, events);
    search.run();
    search.liveness();
    search.finish()
}
