//! The quotient of a system: its states are the canonical forms of the orbits.
//!
//! Algorithm 1 of the survey (§4.1), as a wrapper: the inner system makes successors of the representative, and each is
//! replaced by its own representative, so the search knows nothing of symmetry. Rule and arguments are those that were
//! executed at the representative; a step stutters if it led back to the very state, not merely to its orbit.

use std::collections::HashSet;
use std::ops::ControlFlow;

use burnside_model::code::{Cell, Fault};
use burnside_model::system::{Outcome, SideEffects, Sink, Step, TimeUp};
use burnside_model::{Deadline, Model, System};

use crate::action::Action;
use crate::canonical::Canonicaliser;
use crate::permutation::Permutation;

/// A choice of one state from every orbit.
pub trait Canonical {
    /// The action whose orbits it tells apart.
    fn action(&self) -> &Action;

    /// The state chosen from the orbit of this one.
    fn form(&mut self, state: &[Cell]) -> Vec<Cell>;

    /// The form r of a state t, and π with r = π·t.
    fn canonical(&mut self, state: &[Cell]) -> (Vec<Cell>, Permutation);

    /// How many states are in the orbit; `None` if that does not fit.
    fn orbit_of(&mut self, state: &[Cell]) -> Option<u128>;
}

impl Canonical for Canonicaliser {
    fn action(&self) -> &Action {
        self.action()
    }

    fn form(&mut self, state: &[Cell]) -> Vec<Cell> {
        self.canonicalise(state).to_vec()
    }

    fn canonical(&mut self, state: &[Cell]) -> (Vec<Cell>, Permutation) {
        let form = self.canonicalise(state).to_vec();
        (form, self.permutation())
    }

    fn orbit_of(&mut self, state: &[Cell]) -> Option<u128> {
        self.canonicalise(state);
        self.orbit()
    }
}

/// A system under a canonical form.
#[derive(Clone)]
pub struct Quotient<S, C = Canonicaliser> {
    inner: S,
    canonicaliser: C,
    /// Without active domains there is nothing to do.
    trivial: bool,
}

impl<S: System, C: Canonical> Quotient<S, C> {
    /// The quotient of `inner`; the symmetry must have been verified.
    pub fn new(inner: S, canonicaliser: C) -> Self {
        let trivial = canonicaliser.action().sizes().iter().all(|size| *size < 2);
        Quotient { inner, canonicaliser, trivial }
    }

    /// The canonical form r of a state t, and π with r = π·t.
    pub fn canonical(&mut self, state: &[Cell]) -> (Vec<Cell>, Permutation) {
        if self.trivial {
            return (state.to_vec(), self.canonicaliser.action().identity());
        }
        self.canonicaliser.canonical(state)
    }

    /// The action that is divided out.
    pub fn action(&self) -> &Action {
        self.canonicaliser.action()
    }

    pub fn inner(&mut self) -> &mut S {
        &mut self.inner
    }
}

impl<S: System, C: Canonical> System for Quotient<S, C> {
    fn model(&self) -> &Model {
        self.inner.model()
    }

    fn initial(&mut self, sink: &mut Sink<'_>) -> Result<(), TimeUp> {
        if self.trivial {
            return self.inner.initial(sink);
        }
        let canonicaliser = &mut self.canonicaliser;
        self.inner.initial(&mut |step| represent(canonicaliser, step, sink))
    }

    fn successors(&mut self, state: &[Cell], sink: &mut Sink<'_>) -> Result<(), TimeUp> {
        if self.trivial {
            return self.inner.successors(state, sink);
        }
        let canonicaliser = &mut self.canonicaliser;
        self.inner.successors(state, &mut |step| represent(canonicaliser, step, sink))
    }

    fn holds(&mut self, property: usize, state: &[Cell]) -> Result<Result<u64, Fault>, TimeUp> {
        self.inner.holds(property, state)
    }

    fn weight(&mut self, state: &[Cell]) -> Option<u128> {
        let inner = self.inner.weight(state)?;
        if self.trivial {
            return Some(inner);
        }
        self.canonicaliser.orbit_of(state)?.checked_mul(inner)
    }

    fn set_deadline(&mut self, deadline: Deadline) {
        self.inner.set_deadline(deadline);
    }

    fn side_effects(&mut self) -> SideEffects {
        self.inner.side_effects()
    }
}

/// Passes the step on with its state replaced by the representative.
fn represent<C: Canonical>(canonicaliser: &mut C, step: Step<'_>, sink: &mut Sink<'_>) -> ControlFlow<()> {
    match step.outcome {
        Outcome::State(state) => {
            let form = canonicaliser.form(state);
            sink(Step { outcome: Outcome::State(&form), ..step })
        }
        _ => sink(step),
    }
}

/// Whether a set of states is a union of whole orbits. If the start states are, the sum of the orbits' sizes is the
/// number of states of the unreduced system.
pub fn closed(action: &Action, states: &[Vec<Cell>]) -> bool {
    let set: HashSet<&[Cell]> = states.iter().map(Vec::as_slice).collect();
    let mut moved = Vec::new();
    action.generators().iter().all(|generator| {
        set.iter().all(|state| {
            action.apply(generator, state, &mut moved);
            set.contains(moved.as_slice())
        })
    })
}
