//! The states of a small model, by the reference interpreter and nothing else.

use std::collections::HashSet;
use std::ops::ControlFlow;

use burnside_model::Model;
use burnside_model::code::{Cell, Semantics, UNDEFINED};
use burnside_model::system::{Machine, Outcome, Step, System};

/// All reachable states, if there are at most `limit`.
pub fn states(model: &Model, semantics: Semantics, limit: usize) -> Option<HashSet<Vec<Cell>>> {
    let mut machine = Machine::new(model, semantics);
    let (mut seen, mut queue) = (HashSet::new(), Vec::new());
    let mut sink = |step: Step<'_>| {
        if let Outcome::State(state) = step.outcome
            && !seen.contains(state)
        {
            seen.insert(state.to_vec());
            queue.push(state.to_vec());
        }
        ControlFlow::Continue(())
    };
    machine.initial(&mut sink).expect("no deadline");
    while let Some(state) = queue.pop() {
        let mut sink = |step: Step<'_>| {
            if let Outcome::State(state) = step.outcome
                && !seen.contains(state)
            {
                seen.insert(state.to_vec());
                queue.push(state.to_vec());
            }
            ControlFlow::Continue(())
        };
        machine.successors(&state, &mut sink).expect("no deadline");
        if seen.len() > limit {
            return None;
        }
    }
    Some(seen)
}

/// Whether a state holds an undefined value (outside the unused slots of a multiset).
pub fn has_undefined(model: &Model, state: &[Cell]) -> bool {
    let cells = model.state_cells();
    (0..cells.len())
        .any(|i| state[i] == UNDEFINED && cells[i].slot.is_none_or(|slot| state[slot as usize] == 1))
}
