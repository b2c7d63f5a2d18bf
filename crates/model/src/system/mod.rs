//! Rules, properties, and the waist: what every search needs of a system and what every reduction is again.

mod batch;
mod machine;
mod model;
mod packed;
mod resized;
mod temporal;

use std::ops::ControlFlow;

pub use batch::{Batch, BatchFault, Batcher};
pub use machine::Machine;
pub use model::*;
pub use packed::Packed;
pub use temporal::{Agent, BinaryOp, Formula, FormulaKind, Logic, Paths, ProcessFairness, Strength, UnaryOp};

use crate::code::{Cell, Fault};
use crate::{Deadline, Span};

/// What a rule instance did.
#[derive(Clone, Debug)]
pub enum Outcome<'a> {
    /// It led to this state.
    State(&'a [Cell]),
    /// An assumption does not hold in the state it led to, which therefore is none.
    Dropped,
    /// Its guard could not be evaluated.
    GuardFault(Fault),
    /// Its body went wrong.
    Fault(Fault),
}

/// One step from a state, or into a start state.
#[derive(Clone, Debug)]
pub struct Step<'a> {
    /// Which rule or start state.
    pub rule: u32,
    /// The values of its parameters, in order.
    pub args: &'a [Cell],
    pub outcome: Outcome<'a>,
    /// Whether it led back to the very same state.
    pub stutters: bool,
}

/// Receives steps; breaks to stop.
pub type Sink<'s> = dyn FnMut(Step<'_>) -> ControlFlow<()> + 's;

/// The deadline passed inside a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeUp;

/// A transition system with properties. A reduction wraps one system in another.
pub trait System {
    fn model(&self) -> &Model;

    fn initial(&mut self, sink: &mut Sink<'_>) -> Result<(), TimeUp>;

    /// Gives the steps of all enabled rule instances.
    fn successors(&mut self, state: &[Cell], sink: &mut Sink<'_>) -> Result<(), TimeUp>;

    /// Whether a property's condition holds in a state: for all instances, or for a cover how many; a fault in the
    /// condition is returned inside.
    fn holds(&mut self, property: usize, state: &[Cell]) -> Result<Result<u64, Fault>, TimeUp>;

    /// How many states of the unreduced system this one stands for; `None` if more than fit.
    fn weight(&mut self, _state: &[Cell]) -> Option<u128> {
        Some(1)
    }

    /// Stops with [`TimeUp`] from then on.
    fn set_deadline(&mut self, deadline: Deadline);

    /// What the model printed and noticed so far, taken.
    fn side_effects(&mut self) -> SideEffects;
}

/// What happened besides states.
#[derive(Clone, Debug, Default)]
pub struct SideEffects {
    /// What `put` wrote.
    pub output: String,
    /// How often each cover statement held, by property.
    pub covered: Vec<u64>,
    /// Where an undefined value was copied.
    pub undefined_copies: Vec<Span>,
}
