//! Runs of a model.

use crate::Span;
use crate::code::{Cell, LocalId};

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
    /// If it violates a temporal formula: why.
    pub reasons: Vec<Reason>,
}

/// Why a step of a run matters to a temporal formula that is violated.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reason {
    /// The step, by its position in the run.
    pub at: usize,
    /// The part of the formula that is about it.
    pub part: Span,
    /// The values of the variables in it.
    pub bindings: Vec<(LocalId, Cell)>,
    /// What is said of that part.
    pub kind: ReasonKind,
}

/// What is said of a part of a formula at a step of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum ReasonKind {
    /// It holds in the state that the step leads to.
    Holds,
    Fails,
    /// It holds from there on, for ever.
    Always,
    /// It should hold some time, since so many steps before, and never will.
    Awaited(usize),
}
