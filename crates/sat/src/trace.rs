//! From what IC3 or a bounded search found back to a run of the model, by the reference interpreter.
//!
//! A counterexample of IC3 is a start state and cubes, each of which all states of the one before step into. Executing
//! the model along them gives concrete states. If the start state is an image of a real one under a permutation, the
//! inverse leads the whole run back.

use std::ops::ControlFlow;

use burnside_model::code::{Cell, Semantics};
use burnside_model::findings::{Checks, Ending, Witness};
use burnside_model::system::{Machine, Outcome, PropertyKind, System as _};
use burnside_model::{DeadlockMode, Model};
use burnside_symmetry::{Action, Permutation};

use crate::cube::{self, Cube};
use crate::system::System;

/// A state that violates a check, and how a run that ends there ends.
pub type Violation = (usize, Witness);

/// The states of a run from a start state along cubes; none if there is no such run, which would be a mistake.
pub fn along(
    system: &System<'_>,
    start: Vec<Cell>,
    cubes: &[Cube],
    semantics: Semantics,
) -> Option<Vec<Vec<Cell>>> {
    let mut machine = Machine::new(system.encoding.model, semantics);
    let mut path = vec![start];
    for cube in cubes {
        let mut next = None;
        // The machine has no deadline.
        let _ = machine.successors(path.last()?, &mut |step| match step.outcome {
            Outcome::State(state) if cube::contains(cube, &system.state(state)) => {
                next = Some(state.to_vec());
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        path.push(next?);
    }
    Some(path)
}

/// Whether states are a run: from a start state on, each is a successor of the one before.
pub fn is_run(system: &System<'_>, path: &[Vec<Cell>], semantics: Semantics) -> bool {
    let mut machine = Machine::new(system.encoding.model, semantics);
    let mut leads = |from: &[Cell], to: &[Cell]| {
        let mut found = false;
        // The machine has no deadline.
        let _ = machine.successors(from, &mut |step| match step.outcome {
            Outcome::State(state) if state == to => {
                found = true;
                ControlFlow::Break(())
            }
            _ => ControlFlow::Continue(()),
        });
        found
    };
    let starts = path.first().is_some_and(|first| system.starts.contains(first));
    starts && path.windows(2).all(|pair| leads(&pair[0], &pair[1]))
}

/// Leads a run back by the inverse of a permutation.
pub fn led_back(path: Vec<Vec<Cell>>, action: &Action, permutation: &Permutation) -> Vec<Vec<Cell>> {
    let inverse = permutation.inverse();
    let back = |state: Vec<Cell>| {
        let mut image = Vec::new();
        action.apply(&inverse, &state, &mut image);
        image
    };
    path.into_iter().map(back).collect()
}

/// What is wrong in the last state of a run.
pub fn violation(
    model: &Model,
    path: Vec<Vec<Cell>>,
    semantics: Semantics,
    deadlock: DeadlockMode,
) -> Option<Violation> {
    let checks = Checks::new(model, deadlock);
    let mut machine = Machine::new(model, semantics);
    let last = path.last()?.clone();
    for (check, property, kind) in &checks.evaluated {
        if *kind != PropertyKind::Invariant {
            continue;
        }
        match machine.holds(*property, &last) {
            Ok(Ok(0)) => return Some((*check, Witness { path, ending: Ending::Invariant })),
            Ok(Err(fault)) => {
                let ending = Ending::PropertyFault { fault, property: *property };
                return Some((checks.faults, Witness { path, ending }));
            }
            _ => {}
        }
    }
    let (mut found, mut goes_on) = (None, false);
    // The machine has no deadline.
    let _ = machine.successors(&last, &mut |step| {
        let (fault, in_guard) = match step.outcome {
            Outcome::Fault(fault) => (fault, false),
            Outcome::GuardFault(fault) => (fault, true),
            Outcome::State(_) => {
                goes_on |= deadlock == DeadlockMode::Stuck || !step.stutters;
                return ControlFlow::Continue(());
            }
            Outcome::Dropped => {
                goes_on = true;
                return ControlFlow::Continue(());
            }
        };
        found = Some(Ending::Fault { fault, rule: step.rule, args: step.args.to_vec(), in_guard });
        ControlFlow::Break(())
    });
    match (found, checks.deadlocks) {
        (Some(ending), _) => Some((checks.faults, Witness { path, ending })),
        (None, Some(check)) if !goes_on => Some((check, Witness { path, ending: Ending::Deadlock })),
        _ => None,
    }
}

/// A start state that itself goes wrong.
pub fn failed_start(model: &Model, semantics: Semantics, deadlock: DeadlockMode) -> Option<Violation> {
    let mut found = None;
    // The machine has no deadline.
    let _ = Machine::new(model, semantics).initial(&mut |step| {
        let (fault, in_guard) = match step.outcome {
            Outcome::Fault(fault) => (fault, false),
            Outcome::GuardFault(fault) => (fault, true),
            _ => return ControlFlow::Continue(()),
        };
        let ending = Ending::Fault { fault, rule: step.rule, args: step.args.to_vec(), in_guard };
        found = Some((Checks::new(model, deadlock).faults, Witness { path: Vec::new(), ending }));
        ControlFlow::Break(())
    });
    found
}
