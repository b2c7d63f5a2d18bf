//! The quotient of a system: its states are the canonical forms of the orbits.
//!
//! Algorithm 1 of the survey (§4.1), as a wrapper: the inner system makes successors of the representative, and each is
//! replaced by its own representative, so the search knows nothing of symmetry. Rule and arguments are those that were
//! executed at the representative; a step stutters if it led back to the very state, not merely to its orbit.

use std::collections::HashSet;
use std::time::Instant;

use burnside_model::code::{Cell, Fault};
use burnside_model::system::{Outcome, SideEffects, Sink, Step, TimeUp};
use burnside_model::{Model, System};

use crate::action::Action;
use crate::canonical::Canonicaliser;
use crate::permutation::Permutation;

/// A system under a canonical form.
pub struct Quotient<S> {
    inner: S,
    canonicaliser: Canonicaliser,
    /// Without active domains there is nothing to do.
    trivial: bool,
}

impl<S: System> Quotient<S> {
    /// The quotient of `inner`; the symmetry must have been verified.
    pub fn new(inner: S, canonicaliser: Canonicaliser) -> Self {
        let trivial = canonicaliser.action().sizes().iter().all(|size| *size < 2);
        Quotient { inner, canonicaliser, trivial }
    }

    /// The canonical form r of a state t, and π with r = π·t.
    pub fn canonical(&mut self, state: &[Cell]) -> (Vec<Cell>, Permutation) {
        if self.trivial {
            return (state.to_vec(), self.canonicaliser.action().identity());
        }
        let form = self.canonicaliser.canonicalise(state).to_vec();
        (form, self.canonicaliser.permutation())
    }

    /// The action that is divided out.
    pub fn action(&self) -> &Action {
        self.canonicaliser.action()
    }

    /// The system inside.
    pub fn inner(&mut self) -> &mut S {
        &mut self.inner
    }
}

impl<S: System> System for Quotient<S> {
    fn model(&self) -> &Model {
        self.inner.model()
    }

    fn initial(&mut self, sink: &mut Sink<'_>) -> Result<(), TimeUp> {
        if self.trivial {
            return self.inner.initial(sink);
        }
        let canonicaliser = &mut self.canonicaliser;
        self.inner.initial(&mut |step| sink(representative(canonicaliser, step)))
    }

    fn successors(&mut self, state: &[Cell], sink: &mut Sink<'_>) -> Result<(), TimeUp> {
        if self.trivial {
            return self.inner.successors(state, sink);
        }
        let canonicaliser = &mut self.canonicaliser;
        self.inner.successors(state, &mut |step| sink(representative(canonicaliser, step)))
    }

    fn holds(&mut self, property: usize, state: &[Cell]) -> Result<Result<u64, Fault>, TimeUp> {
        self.inner.holds(property, state)
    }

    fn weight(&mut self, state: &[Cell]) -> Option<u128> {
        let inner = self.inner.weight(state)?;
        if self.trivial {
            return Some(inner);
        }
        self.canonicaliser.canonicalise(state);
        self.canonicaliser.orbit()?.checked_mul(inner)
    }

    fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.inner.set_deadline(deadline);
    }

    fn side_effects(&mut self) -> SideEffects {
        self.inner.side_effects()
    }
}

/// The step with its state replaced by the representative.
fn representative<'a>(canonicaliser: &'a mut Canonicaliser, step: Step<'a>) -> Step<'a> {
    let outcome = match step.outcome {
        Outcome::State(state) => Outcome::State(canonicaliser.canonicalise(state)),
        other => other,
    };
    Step { outcome, ..step }
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
