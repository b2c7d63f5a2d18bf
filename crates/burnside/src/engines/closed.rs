//! Whether the start states are whole orbits, so that the reachable states are, too.

use std::ops::ControlFlow;

use burnside_explicit::store::{Reserve, Shape, Store};
use burnside_model::system::{Machine, Outcome};
use burnside_model::{Packing, System};
use burnside_symmetry::{PackedCanonicaliser, Quotient};

use super::Task;

/// Whether there are as many start states as their orbits have. Unknown, and so `false`, if a limit is hit.
pub(super) fn closed_start(task: &Task<'_>, packing: &Packing, canonicaliser: PackedCanonicaliser) -> bool {
    let shape = Shape::new(packing.words(), task.limits.memory.map(|memory| memory / 4));
    let (mut states, mut orbits) = (Store::new(shape.clone()), Store::new(shape));
    let (mut reserves, mut words) = ((Reserve::default(), Reserve::default()), vec![0; packing.words()]);
    let mut quotient = Quotient::new(Machine::new(task.model, task.options.semantics), canonicaliser);
    let mut machine = Machine::new(task.model, task.options.semantics);
    machine.set_deadline(task.limits.deadline());
    let (mut total, mut known) = (0u128, true);
    let ran = machine.initial(&mut |step| {
        if let Outcome::State(state) = step.outcome {
            let (form, _) = quotient.canonical(state);
            packing.pack(state, &mut words);
            let state = states.add(&words, &mut reserves.0);
            packing.pack(&form, &mut words);
            known = match (state, orbits.add(&words, &mut reserves.1)) {
                (Ok(_), Ok(None)) => true,
                (Ok(_), Ok(Some(_))) => {
                    let sum = quotient.weight(&form).and_then(|weight| total.checked_add(weight));
                    total = sum.unwrap_or(total);
                    sum.is_some()
                }
                _ => false,
            };
        }
        if known { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    ran.is_ok() && known && total == u128::from(states.len())
}
