//! What engines find out about properties: the same for all of them.

mod checks;

use crate::Verdict;
use crate::code::{Cell, Fault};
use crate::system::PropertyKind;

pub use checks::{Check, Checks};

/// How a run that violates a property ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The invariant does not hold in the last state.
    Invariant,
    /// A rule or start state goes wrong; its arguments are those at the representative.
    Fault {
        /// What went wrong.
        fault: Fault,
        /// The rule, or with an empty path the start state.
        rule: u32,
        /// The values of its parameters.
        args: Vec<Cell>,
        /// Whether it was the guard.
        in_guard: bool,
    },
    /// A property's condition cannot be evaluated in the last state.
    PropertyFault {
        /// What went wrong.
        fault: Fault,
        /// Which property, by its position in the model.
        property: usize,
    },
    /// The last state is a deadlock.
    Deadlock,
    /// From the last state, no state is reachable where the property holds for these arguments.
    NeverAgain {
        /// The values of the property's parameters at the representative.
        args: Vec<Cell>,
    },
}

/// A run that violates a property.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// The stored states from a start state on; empty if a start state itself goes wrong.
    pub path: Vec<Vec<Cell>>,
    /// How it ends.
    pub ending: Ending,
}

/// What is known of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    /// It holds.
    Holds,
    /// It does not; a cover that is never reached has no witness.
    Violated(Vec<Witness>),
    /// The search ended too early to tell.
    Unknown,
}

/// A property and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyResult {
    /// Its position in the model; none if the model does not state it.
    pub index: Option<usize>,
    /// Its name.
    pub name: String,
    /// Its kind.
    pub kind: PropertyKind,
    /// What is known.
    pub known: Known,
    /// For a cover: how often it held.
    pub covered: Option<u64>,
}

impl PropertyResult {
    /// The verdict alone.
    pub fn verdict(&self) -> Verdict {
        match self.known {
            Known::Holds => Verdict::Holds,
            Known::Violated(_) => Verdict::Violated,
            Known::Unknown => Verdict::Unknown,
        }
    }
}

/// What a symbolic search has in place of, or beside, the figures of an explicit one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagrams {
    /// The number of states, in decimal: it may be very large.
    pub states: String,
    /// The most nodes there were, garbage included.
    pub peak_nodes: u64,
    /// The most nodes that were in use.
    pub live_nodes: u64,
    /// Whether the number of rules fired is known.
    pub counts_rules: bool,
    /// Whether the search went level by level, so that its depth is a distance.
    pub has_levels: bool,
    /// Whether the states are all there are, or one of each orbit.
    pub exact: bool,
}
