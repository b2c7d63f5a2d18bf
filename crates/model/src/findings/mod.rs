//! What engines find out about properties: the same for all of them.

mod checks;

use crate::Verdict;
use crate::code::{Cell, Fault, LocalId};
use crate::system::{Agent, PropertyKind};

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
    /// A temporal formula does not hold in the first state. The path is one of states, not of representatives.
    Temporal(Lasso),
}

/// Why a temporal formula does not hold in the first state of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Lasso {
    /// After its last state, the run goes on with the one at this position, for ever.
    pub back: Option<usize>,
    /// Per state, the agent whose step led there, where that matters for fairness; perhaps one more, for the step that goes on.
    pub agents: Vec<Option<Agent>>,
    /// The values of parameters and quantified variables for which it shows it.
    pub bindings: Vec<(LocalId, Cell)>,
    /// Whether the run shows everything; if not, there is more to it than one run.
    pub complete: bool,
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
    /// How temporal formulas were decided.
    pub temporal: Temporal,
}

/// How temporal formulas were decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Temporal {
    /// Whether some start state has no fair run, so that whatever is said of all its fair runs holds.
    pub unfair: bool,
    /// The groups that were used, where they are not that of the search.
    pub groups: Vec<TemporalGroup>,
}

/// A group under which formulas were decided: the permutations that keep what they name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemporalGroup {
    /// The properties, by their positions in the model.
    pub properties: Vec<usize>,
    /// How many elements of each symmetry domain are still interchangeable.
    pub moving: Vec<u32>,
    /// The number of states or representatives, in decimal.
    pub states: String,
}
