//! What CTL needs of sets of states.

use burnside_model::Model;
use burnside_model::code::{Cell, Expr, Frame, Interpreter, LocalId, Loop, Semantics};
use burnside_model::system::Binder;

use crate::{Constraint, Path, fair};

/// A condition on one state, with the values of the variables that quantifiers around it bind.
#[derive(Clone, Copy, Debug)]
pub struct Atom<'a> {
    /// The variables of its property.
    pub frame: &'a Frame,
    pub condition: &'a Expr,
    /// The values of some of the variables.
    pub bindings: &'a [(LocalId, Cell)],
}

/// Sets of reachable states, of a total system: a state without successors is its own successor.
///
/// Agents, by number, are what a scheduler may be fair to: processes, or instances of rules. An agent is enabled in a
/// state if a step of its leads from there to a state.
///
/// Sets of orbits may stand for sets of states where each set that is asked for is symmetric: where atoms are, so that
/// quantifiers over formulas are a case for other means, and where agents are not told apart. The past needs start
/// states that are whole orbits besides: what is reached is symmetric only then.
pub trait StateSets {
    type Set: Clone;
    /// Why a set cannot be had: memory, time, an atom without a value in some state.
    type Error;

    fn universe(&mut self) -> Result<Self::Set, Self::Error>;

    fn empty(&mut self) -> Result<Self::Set, Self::Error>;

    fn initial(&mut self) -> Result<Self::Set, Self::Error>;

    /// States of both.
    fn and(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Self::Error>;

    /// States of either.
    fn or(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Self::Error>;

    /// The other reachable states.
    fn not(&mut self, a: &Self::Set) -> Result<Self::Set, Self::Error>;

    /// States with a successor in the set.
    fn pre(&mut self, a: &Self::Set) -> Result<Self::Set, Self::Error>;

    /// Reachable states with a predecessor in the set.
    fn post(&mut self, a: &Self::Set) -> Result<Self::Set, Self::Error>;

    /// The same, for sets that are symmetric: not of one state alone.
    fn image(&mut self, a: &Self::Set) -> Result<Self::Set, Self::Error> {
        self.post(a)
    }

    /// States from which a step of an agent leads into the set.
    fn pre_by(&mut self, agent: usize, a: &Self::Set) -> Result<Self::Set, Self::Error>;

    /// States where a condition holds; an error if it has no value in some reachable state.
    fn atom(&mut self, atom: &Atom<'_>) -> Result<Self::Set, Self::Error>;

    /// Whether there is no state in it.
    fn is_empty(&mut self, a: &Self::Set) -> Result<bool, Self::Error>;

    /// Whether two sets are the same.
    fn same(&mut self, a: &Self::Set, b: &Self::Set) -> Result<bool, Self::Error>;

    /// A set of one state of this one; nothing if it is empty.
    fn pick(&mut self, a: &Self::Set) -> Result<Option<Self::Set>, Self::Error>;

    /// States within a set from which a fair run stays in it, except some that only lead to such states.
    fn feasible(
        &mut self,
        constraints: &[Constraint<Self::Set>],
        set: &Self::Set,
    ) -> Result<Self::Set, Self::Error>
    where
        Self: Sized,
    {
        fair::feasible(self, constraints, set)
    }

    /// A fair run from `start`, one state, that ends in a loop and stays in `region`, which `core` is the feasible part of.
    /// Nothing if there is none.
    fn lasso(
        &mut self,
        constraints: &[Constraint<Self::Set>],
        start: &Self::Set,
        region: &Self::Set,
        core: &Self::Set,
    ) -> Result<Option<Path<Self::Set>>, Self::Error>
    where
        Self: Sized,
    {
        fair::lasso(self, constraints, start, region, core)
    }

    /// States of the first but not of the second.
    fn minus(&mut self, a: &Self::Set, b: &Self::Set) -> Result<Self::Set, Self::Error> {
        let others = self.not(b)?;
        self.and(a, &others)
    }

    /// Whether two sets have a state in common.
    fn meet(&mut self, a: &Self::Set, b: &Self::Set) -> Result<bool, Self::Error> {
        let both = self.and(a, b)?;
        Ok(!self.is_empty(&both)?)
    }
}

/// The values that a quantifier over formulas, or a parameter of a property, runs through: the same in all states. A
/// range without meaning has none.
pub fn loop_values(model: &Model, frame: &Frame, each: &Loop) -> Vec<Cell> {
    let mut interpreter = Interpreter::new(model, Semantics::default());
    interpreter.enter(frame);
    interpreter.bind(frame, &Binder::Each(each.clone())).map_or(Vec::new(), Iterator::collect)
}
