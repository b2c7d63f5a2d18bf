//! What a search found.

use burnside_model::code::Cell;
use burnside_model::findings::{Diagrams, PropertyResult, Witness};
use burnside_model::{Limit, Span};

use crate::temporal::Figures;

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
    /// If states were not explored one by one: the figures of that.
    pub diagrams: Option<Diagrams>,
    /// How temporal formulas were decided, if there are any.
    pub temporal: Option<Temporal>,
    /// The stored states, if they were wanted.
    pub stored: Option<Vec<Vec<Cell>>>,
}

/// How temporal formulas were decided.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Temporal {
    /// Figures of the graph they were decided on.
    pub figures: Figures,
    /// Runs that show why some hold, by check.
    pub shown: Vec<(usize, Witness)>,
    /// Those that were not decided, by their positions in the model, and why.
    pub refused: Vec<(usize, String)>,
}
