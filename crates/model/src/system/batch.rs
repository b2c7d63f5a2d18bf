//! Many steps at once, on packed states: what a fast search needs of a system.

use std::ops::ControlFlow;

use super::{Outcome, SideEffects, Step, TimeUp};
use crate::code::{Cell, Fault};
use crate::{Deadline, Packing};

/// A rule instance that went wrong.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BatchFault {
    /// The rule, or the start state.
    pub rule: u32,
    /// The values of its parameters.
    pub args: Vec<Cell>,
    pub fault: Fault,
    /// Whether its guard could not be evaluated: then it did not fire.
    pub in_guard: bool,
}

/// The steps from some states, or into the start states.
#[derive(Clone, Debug, Default)]
pub struct Batch {
    /// The states they lead to, one behind the other.
    pub states: Vec<u64>,
    /// For each of those states, the rule that leads to it.
    pub rules: Vec<u32>,
    /// For each of those states, whether it is the very state the step came from.
    pub stutters: Vec<bool>,
    /// For each of those states, whether it is known that no symmetry but the identity keeps it; what is missing is not
    /// known.
    pub free: Vec<bool>,
    /// Rules of steps that fired but lead to a state that an assumption excludes.
    pub dropped: Vec<u32>,
    /// Rules of steps that fired, and that a symmetry of the state they came from maps to one that is here.
    pub alike: Vec<u32>,
    pub faults: Vec<BatchFault>,
}

impl Batch {
    /// Forgets everything.
    pub fn clear(&mut self) {
        self.states.clear();
        self.rules.clear();
        self.stutters.clear();
        self.free.clear();
        self.dropped.clear();
        self.alike.clear();
        self.faults.clear();
    }

    pub fn add(&mut self, packing: &Packing, step: Step<'_>) -> ControlFlow<()> {
        let mut fault = |fault, in_guard| {
            self.faults.push(BatchFault { rule: step.rule, args: step.args.to_vec(), fault, in_guard });
        };
        match step.outcome {
            Outcome::State(state) => {
                let at = self.states.len();
                self.states.resize(at + packing.words(), 0);
                packing.pack(state, &mut self.states[at..]);
                self.rules.push(step.rule);
                self.stutters.push(step.stutters);
            }
            Outcome::Dropped => self.dropped.push(step.rule),
            Outcome::GuardFault(found) => fault(found, true),
            Outcome::Fault(found) => fault(found, false),
        }
        ControlFlow::Continue(())
    }

    /// Keeps only this many of the states.
    pub fn truncate(&mut self, states: usize, words: usize) {
        self.states.truncate(states * words);
        self.rules.truncate(states);
        self.stutters.truncate(states);
        self.free.truncate(states);
    }
}

/// A system on packed states. One per thread.
pub trait Batcher: Send {
    /// Words per state.
    fn words(&self) -> usize;

    /// Adds the start states to a batch.
    fn initial(&mut self, batch: &mut Batch) -> Result<(), TimeUp>;

    /// Adds the steps of all enabled rule instances at a state to a batch, behind those that are there.
    fn successors(&mut self, state: &[u64], batch: &mut Batch) -> Result<(), TimeUp>;

    /// As [`super::System::holds`].
    fn holds(&mut self, property: usize, state: &[u64]) -> Result<Result<u64, Fault>, TimeUp>;

    /// The same, where it is known without more ado.
    fn quick(&mut self, _property: usize, _state: &[u64]) -> Option<u64> {
        None
    }

    /// Whether it is known without more ado that the conditions of all these properties hold.
    fn all_hold(&mut self, properties: &[usize], state: &[u64]) -> bool {
        properties.iter().all(|property| self.quick(*property, state).is_some_and(|held| held > 0))
    }

    /// As [`super::System::weight`].
    fn weight(&mut self, _state: &[u64]) -> Option<u128> {
        Some(1)
    }

    /// The same of a state of a batch that it made.
    fn weight_in(&mut self, batch: &Batch, at: usize) -> Option<u128> {
        let words = self.words();
        self.weight(&batch.states[at * words..(at + 1) * words])
    }

    /// Stops with [`TimeUp`] from then on.
    fn set_deadline(&mut self, deadline: Deadline);

    /// What the model printed and noticed so far, taken.
    fn side_effects(&mut self) -> SideEffects;
}

impl<B: Batcher + ?Sized> Batcher for Box<B> {
    fn words(&self) -> usize {
        (**self).words()
    }

    fn initial(&mut self, batch: &mut Batch) -> Result<(), TimeUp> {
        (**self).initial(batch)
    }

    fn successors(&mut self, state: &[u64], batch: &mut Batch) -> Result<(), TimeUp> {
        (**self).successors(state, batch)
    }

    fn holds(&mut self, property: usize, state: &[u64]) -> Result<Result<u64, Fault>, TimeUp> {
        (**self).holds(property, state)
    }

    fn quick(&mut self, property: usize, state: &[u64]) -> Option<u64> {
        (**self).quick(property, state)
    }

    fn all_hold(&mut self, properties: &[usize], state: &[u64]) -> bool {
        (**self).all_hold(properties, state)
    }

    fn weight(&mut self, state: &[u64]) -> Option<u128> {
        (**self).weight(state)
    }

    fn weight_in(&mut self, batch: &Batch, at: usize) -> Option<u128> {
        (**self).weight_in(batch, at)
    }

    fn set_deadline(&mut self, deadline: Deadline) {
        (**self).set_deadline(deadline);
    }

    fn side_effects(&mut self) -> SideEffects {
        (**self).side_effects()
    }
}
