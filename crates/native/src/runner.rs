//! Runs compiled code for one thread, and the interpreter where it declines.

use burnside_model::Deadline;

use burnside_model::code::{Cell, Fault};
use burnside_model::system::{Batch, Batcher, Machine, SideEffects, System, TimeUp};

use crate::Native;
use crate::context::{Context, Redo, Side};

/// Steps and properties of packed states, for one thread.
pub struct Runner<'n> {
    native: &'n Native,
    machine: Machine<'n>,
    side: Side,
    state: Vec<Cell>,
    /// For calls that add no states.
    scratch: Batch,
    /// States expanded, to look at the clock now and then.
    calls: u32,
}

impl<'n> Runner<'n> {
    pub(crate) fn new(native: &'n Native) -> Self {
        let model = &native.model;
        let machine = Machine::new(model, native.semantics);
        let binders = model.rules.iter().map(|rule| rule.binders.len()).max().unwrap_or(0);
        let side = Side {
            args: vec![0; binders],
            sites: vec![0; native.sites],
            covered: vec![0; model.properties.len()],
            ..Side::default()
        };
        Runner { native, machine, side, state: Vec::new(), scratch: Batch::default(), calls: 0 }
    }

    /// Runs the instances that compiled code left to the interpreter, and puts their outcomes where they belong.
    fn redo(&mut self, state: &[u64], batch: &mut Batch) -> Result<(), TimeUp> {
        let words = self.native.tables.packing.words();
        self.native.tables.packing.unpack(state, &mut self.state);
        let mut plain = std::mem::take(batch);
        batch.faults.append(&mut plain.faults);
        let (mut states, mut dropped) = (0, 0);
        for Redo { rule, args, states: until, dropped: dropped_until } in self.side.redo.drain(..) {
            append(&plain, states..until, words, batch);
            batch.dropped.extend_from_slice(&plain.dropped[dropped..dropped_until]);
            (states, dropped) = (until, dropped_until);
            let packing = &self.native.tables.packing;
            self.machine.fire_instances(rule, &args, &self.state, &mut |step| batch.add(packing, step))?;
        }
        append(&plain, states..plain.rules.len(), words, batch);
        batch.dropped.extend_from_slice(&plain.dropped[dropped..]);
        Ok(())
    }
}

/// Copies some of the states of a batch to the end of another.
fn append(from: &Batch, range: std::ops::Range<usize>, words: usize, to: &mut Batch) {
    to.states.extend_from_slice(&from.states[range.start * words..range.end * words]);
    to.rules.extend_from_slice(&from.rules[range.clone()]);
    to.stutters.extend_from_slice(&from.stutters[range]);
}

impl Batcher for Runner<'_> {
    fn words(&self) -> usize {
        self.native.tables.packing.words()
    }

    fn initial(&mut self, batch: &mut Batch) -> Result<(), TimeUp> {
        let packing = &self.native.tables.packing;
        self.machine.initial(&mut |step| batch.add(packing, step))
    }

    fn successors(&mut self, state: &[u64], batch: &mut Batch) -> Result<(), TimeUp> {
        assert_eq!(state.len(), self.words());
        self.calls = self.calls.wrapping_add(1);
        if self.calls.is_multiple_of(1024) && self.side.deadline.has_passed() {
            return Err(TimeUp);
        }
        let mut context = Context::new(&self.native.tables, &mut self.side, batch);
        context.reserve(self.native.most_steps);
        for rule in &self.native.rules {
            // SAFETY: the state has as many words as the code was compiled for; the context is whole.
            unsafe { rule(&mut context, state.as_ptr()) };
        }
        context.finish();
        if !self.side.covered_now.is_empty() {
            self.side.settle();
        }
        if self.side.late {
            return Err(TimeUp);
        }
        if self.side.redo.is_empty() { Ok(()) } else { self.redo(state, batch) }
    }

    fn holds(&mut self, property: usize, state: &[u64]) -> Result<Result<u64, Fault>, TimeUp> {
        if let Some(held) = self.quick(property, state) {
            return Ok(Ok(held));
        }
        self.native.tables.packing.unpack(state, &mut self.state);
        self.machine.holds(property, &self.state)
    }

    fn quick(&mut self, property: usize, state: &[u64]) -> Option<u64> {
        assert_eq!(state.len(), self.words());
        let code = self.native.properties[property]?;
        let mut context = Context::new(&self.native.tables, &mut self.side, &mut self.scratch);
        // SAFETY: as for rules.
        let held = unsafe { code(&mut context, state.as_ptr()) };
        u64::try_from(held).ok()
    }

    fn all_hold(&mut self, properties: &[usize], state: &[u64]) -> bool {
        assert_eq!(state.len(), self.words());
        let mut context = Context::new(&self.native.tables, &mut self.side, &mut self.scratch);
        properties.iter().all(|property| {
            // SAFETY: as for rules.
            self.native.properties[*property]
                .is_some_and(|code| unsafe { code(&mut context, state.as_ptr()) } > 0)
        })
    }

    fn set_deadline(&mut self, deadline: Deadline) {
        self.side.deadline = deadline;
        self.machine.set_deadline(deadline);
    }

    fn side_effects(&mut self) -> SideEffects {
        let mut effects = self.machine.side_effects();
        for (total, more) in effects.covered.iter_mut().zip(&mut self.side.covered) {
            *total += std::mem::take(more);
        }
        effects
    }
}
