//! What a search found.

use burnside_model::code::{Cell, Fault};
use burnside_model::system::PropertyKind;
use burnside_model::{Limit, Span, Verdict};

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

/// The result of a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Exploration {
    /// Stored states.
    pub states: u64,
    /// How many states of the unreduced system the stored ones stand for; none if too many to count.
    pub full_states: Option<u128>,
    /// Enabled rule instances at the states that were expanded.
    pub rules_fired: u64,
    /// The same, per rule.
    pub per_rule: Vec<u64>,
    /// The last level reached: how far the farthest stored state is from a start state.
    pub depth: u64,
    /// What ended the search early.
    pub limit: Option<Limit>,
    /// Whether every reachable state was stored and expanded.
    pub complete: bool,
    /// The properties in the order of the model, then those that it does not state.
    pub properties: Vec<PropertyResult>,
    /// Where an undefined value was copied.
    pub undefined_copies: Vec<Span>,
    /// Bytes that the stored states took.
    pub memory: u64,
    /// If only hashes were kept: how probable it is at most that a state was missed, as two had the same.
    pub missed: Option<f64>,
    /// If only hashes were kept: a violation so many steps from a start state whose run could not be told, as the limits
    /// did not allow it.
    pub unconfirmed: Option<u64>,
    /// The stored states, if they were wanted.
    pub stored: Option<Vec<Vec<Cell>>>,
}
