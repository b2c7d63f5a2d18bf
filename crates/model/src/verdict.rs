//! What a check concludes, and the limits under which it works.

use std::time::Duration;

use crate::{Cancel, Deadline};

/// What is known of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It holds: everything was explored and every assumption verified.
    Holds,
    /// It does not: there is a run that shows it.
    Violated,
    /// Neither: a limit was hit, or something rests on an assumption.
    Unknown,
}

impl Verdict {
    /// A stable name, for JSON and text.
    pub fn name(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Unknown => "unknown",
        }
    }
}

/// What counts as a deadlock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DeadlockMode {
    Off,
    /// No rule is enabled.
    Stuck,
    /// No enabled rule leads to a different state.
    #[default]
    Stuttering,
}

/// When to stop early.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Explore only states at most this many steps from a start state.
    pub bound: Option<u64>,
    /// Stop after this many violations.
    pub max_errors: u64,
    /// Bytes the search may use.
    pub memory: Option<u64>,
    /// How long it may take.
    pub time: Option<Duration>,
    /// A token that ends it from outside.
    pub cancel: Option<Cancel>,
    /// For searches state by state: stop before a level when so many states are stored, or after work that takes as long.
    pub states: Option<u64>,
}

impl Limits {
    /// The deadline of work that begins now.
    #[must_use]
    pub fn deadline(&self) -> Deadline {
        Deadline::new(self.time, self.cancel)
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits { bound: None, max_errors: 1, memory: None, time: None, cancel: None, states: None }
    }
}

/// The limit that ended a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// `--bound`: deeper states exist.
    Bound,
    /// `--max-errors`.
    MaxErrors,
    /// `--memory`.
    Memory,
    /// `--time`.
    Time,
    /// A signal, or a caller of the library, ended it.
    Cancelled,
    /// So many states as were to be stored at most in this search.
    States,
}

impl Limit {
    /// A stable name, for JSON and text.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Bound => "bound",
            Limit::MaxErrors => "max-errors",
            Limit::Memory => "memory",
            Limit::Time => "time",
            Limit::Cancelled => "cancelled",
            Limit::States => "states",
        }
    }
}
