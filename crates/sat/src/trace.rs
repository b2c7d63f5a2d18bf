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
    let found = reached(model, &checks, path.last()?, semantics, deadlock);
    let (check, ending) =
        found.into_iter().find_map(|(check, ending)| ending.map(|ending| (check, ending)))?;
    Some((check, Witness { path, ending }))
}

/// The checks that fail in a state, each with how a run ends there, and without that the covers that are reached.
pub fn reached(
    model: &Model,
    checks: &Checks,
    state: &[Cell],
    semantics: Semantics,
    deadlock: DeadlockMode,
) -> Vec<(usize, Option<Ending>)> {
    let mut machine = Machine::new(model, semantics);
    let (mut found, mut fault) = (Vec::new(), None);
    for (check, property, kind) in &checks.evaluated {
        match (machine.holds(*property, state), kind) {
            (Ok(Ok(0)), PropertyKind::Invariant) => found.push((*check, Some(Ending::Invariant))),
            (Ok(Ok(1..)), PropertyKind::Cover) => found.push((*check, None)),
            (Ok(Err(wrong)), _) => {
                fault = fault.or(Some(Ending::PropertyFault { fault: wrong, property: *property }));
            }
            _ => {}
        }
    }
    let mut goes_on = false;
    // The machine has no deadline.
    let _ = machine.successors(state, &mut |step| {
        let (wrong, in_guard) = match step.outcome {
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
        goes_on = true;
        let args = step.args.to_vec();
        fault.get_or_insert(Ending::Fault { fault: wrong, rule: step.rule, args, in_guard });
        ControlFlow::Continue(())
    });
    found.extend(fault.map(|fault| (checks.faults, Some(fault))));
    let deadlocks = checks.deadlocks.filter(|_| !goes_on);
    found.extend(deadlocks.map(|check| (check, Some(Ending::Deadlock))));
    let covered = machine.side_effects().covered;
    let is_covered = |index: Option<usize>| index.is_some_and(|index| covered[index] > 0);
    let statements = checks.list.iter().enumerate();
    let statements = statements.filter(|(_, c)| c.kind == PropertyKind::Cover && is_covered(c.index));
    found.extend(statements.map(|(check, _)| (check, None)));
    found
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
