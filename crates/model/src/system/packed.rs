//! Any system on packed states: the bridge from [`System`] to [`Batcher`], used where nothing faster applies.

use super::{Batch, Batcher, SideEffects, System, TimeUp};
use crate::code::{Cell, Fault};
use crate::{Deadline, Packing};

/// A system, and how its states are packed.
pub struct Packed<'p, S> {
    system: S,
    packing: &'p Packing,
    state: Vec<Cell>,
}

impl<'p, S: System> Packed<'p, S> {
    pub fn new(system: S, packing: &'p Packing) -> Self {
        Packed { system, packing, state: Vec::new() }
    }
}

impl<S: System + Send> Batcher for Packed<'_, S> {
    fn words(&self) -> usize {
        self.packing.words()
    }

    fn initial(&mut self, batch: &mut Batch) -> Result<(), TimeUp> {
        self.system.initial(&mut |step| batch.add(self.packing, step))
    }

    fn successors(&mut self, state: &[u64], batch: &mut Batch) -> Result<(), TimeUp> {
        self.packing.unpack(state, &mut self.state);
        self.system.successors(&self.state, &mut |step| batch.add(self.packing, step))
    }

    fn holds(&mut self, property: usize, state: &[u64]) -> Result<Result<u64, Fault>, TimeUp> {
        self.packing.unpack(state, &mut self.state);
        self.system.holds(property, &self.state)
    }

    fn weight(&mut self, state: &[u64]) -> Option<u128> {
        self.packing.unpack(state, &mut self.state);
        self.system.weight(&self.state)
    }

    fn set_deadline(&mut self, deadline: Deadline) {
        self.system.set_deadline(deadline);
    }

    fn side_effects(&mut self) -> SideEffects {
        self.system.side_effects()
    }
}
