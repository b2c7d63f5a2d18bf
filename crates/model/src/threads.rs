//! Thread transition systems: any number of threads, each in one of finitely many local states, around a shared state.
//!
//! A step moves one thread and the shared state; it may start a thread, and it may move all other threads at once, each
//! to one of the targets that its local state has (a broadcast). Threads have no identity, so a configuration is the
//! shared state and how many threads are in each local state.

use std::collections::BTreeMap;

/// A local or shared state.
pub type ThreadState = u32;

/// How many threads are in which local state; those with none are left out.
pub type Population = BTreeMap<ThreadState, u32>;

/// One kind of step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadStep {
    /// The shared state before and after.
    pub shared: (ThreadState, ThreadState),
    /// The local state of the thread that moves, before and after; a thread that starts another stays where it is.
    pub local: (ThreadState, ThreadState),
    /// The local state of the thread that is started.
    pub spawned: Option<ThreadState>,
    /// Where all other threads in a local state go; those that are not named stay.
    pub passive: BTreeMap<ThreadState, Vec<ThreadState>>,
}

/// Where threads are at first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadStart {
    pub shared: ThreadState,
    /// Threads that there are for certain.
    pub fixed: Population,
    /// The local states in which there are any number of threads.
    pub unbounded: Vec<ThreadState>,
}

/// A configuration that must not be reached, with any other threads beside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadTarget {
    pub shared: ThreadState,
    /// At least so many threads in these local states.
    pub locals: Population,
}

/// A run: threads at the start, and what each step leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ThreadRun {
    /// Where threads are at first.
    pub start: Population,
    /// Steps by their numbers, each with the shared state and the threads behind it.
    pub steps: Vec<(usize, ThreadState, Population)>,
}

/// A thread transition system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ThreadSystem {
    /// How many shared states there are.
    pub shared: u32,
    /// How many local states there are.
    pub locals: u32,
    pub steps: Vec<ThreadStep>,
    pub start: ThreadStart,
    /// What must not be reached; nothing, if absent.
    pub target: Option<ThreadTarget>,
}

impl ThreadStep {
    /// Where a thread that does not move itself may go.
    pub fn goes(&self, local: ThreadState) -> Vec<ThreadState> {
        self.passive.get(&local).cloned().unwrap_or_else(|| vec![local])
    }
}

/// Whether one population has at least the threads of another.
pub fn covers(large: &Population, small: &Population) -> bool {
    small.iter().all(|(local, count)| large.get(local).copied().unwrap_or(0) >= *count)
}
