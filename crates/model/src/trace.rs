//! Runs of a model.

use crate::code::Cell;

/// One step of a run: what fired, and the state it led to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TraceStep {
    /// The rule, or for the first step the start state.
    pub rule: u32,
    /// The values of its parameters.
    pub args: Vec<Cell>,
    /// The state after it.
    pub state: Vec<Cell>,
}

/// A concrete run of the original model: every step was executed by the reference interpreter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Trace {
    /// The steps; the first is a start state.
    pub steps: Vec<TraceStep>,
    /// The rule instance (or, with no steps, start state) that went wrong at the end, and so led to no state.
    pub failing: Option<(u32, Vec<Cell>)>,
    /// If the run goes on for ever: the position of a step with the same state as the last one, after which it repeats.
    /// The last step itself, if it stays there.
    pub back: Option<usize>,
}
