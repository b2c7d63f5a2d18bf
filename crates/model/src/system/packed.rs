//! Any system on packed states: the bridge from [`System`] to [`Batcher`], used where nothing faster applies.

use std::ops::ControlFlow;
use std::time::Instant;

use super::{Batch, BatchFault, Batcher, Outcome, SideEffects, Step, System, TimeUp};
use crate::Packing;
use crate::code::{Cell, Fault};

/// A system, and how its states are packed.
pub struct Packed<'p, S> {
    system: S,
    packing: &'p Packing,
    state: Vec<Cell>,
}

impl<'p, S: System> Packed<'p, S> {
    /// The system on packed states.
    pub fn new(system: S, packing: &'p Packing) -> Self {
        Packed { system, packing, state: Vec::new() }
    }
}

fn add(packing: &Packing, batch: &mut Batch, step: Step<'_>) -> ControlFlow<()> {
    let mut fault = |fault, in_guard| {
        batch.faults.push(BatchFault { rule: step.rule, args: step.args.to_vec(), fault, in_guard });
    };
    match step.outcome {
        Outcome::State(state) => {
            let at = batch.states.len();
            batch.states.resize(at + packing.words(), 0);
            packing.pack(state, &mut batch.states[at..]);
            batch.rules.push(step.rule);
            batch.stutters.push(step.stutters);
        }
        Outcome::Dropped => batch.dropped.push(step.rule),
        Outcome::GuardFault(found) => fault(found, true),
        Outcome::Fault(found) => fault(found, false),
    }
    ControlFlow::Continue(())
}

impl<S: System + Send> Batcher for Packed<'_, S> {
    fn words(&self) -> usize {
        self.packing.words()
    }

    fn initial(&mut self, batch: &mut Batch) -> Result<(), TimeUp> {
        self.system.initial(&mut |step| add(self.packing, batch, step))
    }

    fn successors(&mut self, state: &[u64], batch: &mut Batch) -> Result<(), TimeUp> {
        self.packing.unpack(state, &mut self.state);
        self.system.successors(&self.state, &mut |step| add(self.packing, batch, step))
    }

    fn holds(&mut self, property: usize, state: &[u64]) -> Result<Result<u64, Fault>, TimeUp> {
        self.packing.unpack(state, &mut self.state);
        self.system.holds(property, &self.state)
    }

    fn weight(&mut self, state: &[u64]) -> Option<u128> {
        self.packing.unpack(state, &mut self.state);
        self.system.weight(&self.state)
    }

    fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.system.set_deadline(deadline);
    }

    fn side_effects(&mut self) -> SideEffects {
        self.system.side_effects()
    }
}
