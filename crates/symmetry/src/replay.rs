//! Counterexamples by replay: from a path of representatives to a run of the model.
//!
//! From a concrete start state, the reference interpreter makes the successors of the state at hand, and one whose
//! canonical form is the next representative is taken. Any will do: states of one orbit have successors in the same
//! orbits. So no permutations need to be stored, and the run is its own re-execution. If no successor fits, something is
//! wrong with the symmetry or the search: an error to be reported as such, never a result.

use std::fmt;
use std::ops::ControlFlow;

use burnside_model::code::{Cell, Fault};
use burnside_model::system::{Machine, Outcome, Sink, System, TimeUp};
use burnside_model::{Trace, TraceStep};

/// How a run to be rebuilt ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// With its last state.
    State,
    /// With a rule (or, without states, a start state) whose body goes wrong.
    Fault,
    /// With a rule (or, without states, a start state) whose guard goes wrong.
    GuardFault,
}

/// Why a run could not be rebuilt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplayError {
    /// The path is not one of the model: a mistake of the search or of the reduction.
    Internal(String),
    TimeUp,
}

impl fmt::Display for ReplayError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ReplayError::Internal(message) => write!(f, "internal: {message}"),
            ReplayError::TimeUp => write!(f, "the time is up"),
        }
    }
}

impl std::error::Error for ReplayError {}

impl From<TimeUp> for ReplayError {
    fn from(_: TimeUp) -> Self {
        ReplayError::TimeUp
    }
}

/// Rebuilds a concrete run through the orbits of the representatives. With an ending other than a state, the trace names
/// the failing rule instance, and its fault is returned too. What the model prints meanwhile stays in the machine.
pub fn replay(
    machine: &mut Machine<'_>,
    canonical: &mut dyn FnMut(&[Cell]) -> Vec<Cell>,
    representatives: &[Vec<Cell>],
    ending: Ending,
) -> Result<(Trace, Option<Fault>), ReplayError> {
    let mut trace = Trace::default();
    for (i, representative) in representatives.iter().enumerate() {
        let mut found = None;
        steps(machine, &trace, &mut |step| {
            if let Outcome::State(state) = step.outcome
                && canonical(state) == *representative
            {
                found = Some(TraceStep { rule: step.rule, args: step.args.to_vec(), state: state.to_vec() });
                return ControlFlow::Break(());
            }
            ControlFlow::Continue(())
        })?;
        let Some(step) = found else {
            let what = if i == 0 { "start state" } else { "successor" };
            return Err(ReplayError::Internal(format!("no {what} is in the orbit of state {i} of the path")));
        };
        trace.steps.push(step);
    }
    let fault = match ending {
        Ending::State => None,
        _ => Some(failing(machine, &mut trace, ending)?),
    };
    Ok((trace, fault))
}

/// Finds the rule instance that goes wrong after the last step.
fn failing(machine: &mut Machine<'_>, trace: &mut Trace, ending: Ending) -> Result<Fault, ReplayError> {
    let mut found = None;
    steps(machine, trace, &mut |step| {
        let fault = match (step.outcome, ending) {
            (Outcome::Fault(fault), Ending::Fault) | (Outcome::GuardFault(fault), Ending::GuardFault) => {
                fault
            }
            _ => return ControlFlow::Continue(()),
        };
        found = Some(((step.rule, step.args.to_vec()), fault));
        ControlFlow::Break(())
    })?;
    let Some((instance, fault)) = found else {
        return Err(ReplayError::Internal("nothing goes wrong after the last state of the path".to_owned()));
    };
    trace.failing = Some(instance);
    Ok(fault)
}

/// The steps after the last of a trace.
fn steps(machine: &mut Machine<'_>, trace: &Trace, sink: &mut Sink<'_>) -> Result<(), TimeUp> {
    match trace.steps.last() {
        None => machine.initial(sink),
        Some(last) => machine.successors(&last.state, sink),
    }
}
