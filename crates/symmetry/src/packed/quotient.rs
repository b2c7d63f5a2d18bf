//! The quotient of a system on packed states.

use burnside_model::Deadline;

use burnside_model::code::{Cell, Fault};
use burnside_model::system::{Batch, Batcher, SideEffects, TimeUp};

use super::twins::Twins;
use super::{Method, PackedCanonicaliser};
use crate::action::Action;
use crate::permutation::Permutation;
use crate::quotient::Canonical;

/// A system whose states are the canonical ones of the system inside. The states given to it must be such, too.
#[derive(Clone, Debug)]
pub struct PackedQuotient<B> {
    inner: B,
    /// Words per state.
    words: usize,
    canonicaliser: PackedCanonicaliser,
    /// Finds steps that are alike, if that pays.
    twins: Option<Twins>,
}

impl<B: Batcher> PackedQuotient<B> {
    /// The quotient of `inner`; the symmetry must have been verified.
    pub fn new(inner: B, canonicaliser: PackedCanonicaliser) -> Self {
        let pays = canonicaliser.is_costly();
        PackedQuotient { words: inner.words(), inner, canonicaliser, twins: None }.with_state_symmetries(pays)
    }

    /// With or without the search for steps that a symmetry of the state maps to each other.
    pub fn with_state_symmetries(mut self, wanted: bool) -> Self {
        let (packing, action) = (&self.canonicaliser.packing, self.canonicaliser.action());
        let wanted = wanted && action.permutes_blocks();
        self.twins = wanted.then(|| Twins::new(&action.layout, packing));
        self
    }

    /// The canonical form r of an unpacked state t, and π with r = π·t.
    pub fn canonical(&mut self, state: &[Cell]) -> (Vec<Cell>, Permutation) {
        self.canonicaliser.canonical(state)
    }

    /// The action that is divided out.
    pub fn action(&self) -> &Action {
        self.canonicaliser.action()
    }

    pub fn inner(&mut self) -> &mut B {
        &mut self.inner
    }

    /// Replaces the states of a batch, from one on, by their forms; one reached by stuttering is one already.
    fn reduce(&mut self, batch: &mut Batch, from: usize) {
        let words = self.words;
        if self.canonicaliser.method() == Method::Trivial || words == 0 {
            return;
        }
        batch.free.resize(from, false);
        for (state, stutters) in
            batch.states[from * words..].chunks_exact_mut(words).zip(&batch.stutters[from..])
        {
            batch.free.push(!*stutters && self.canonicaliser.canonicalise(state));
        }
    }
}

/// Steps from one state.
impl<B: Batcher> PackedQuotient<B> {
    /// As [`PackedQuotient::reduce`], for the steps from a state: of those that are alike one is kept.
    fn reduce_from(&mut self, source: &[u64], batch: &mut Batch, from: usize) {
        let words = self.words;
        let PackedQuotient { canonicaliser, twins, .. } = self;
        let (packing, layout) =
            (&canonicaliser.packing, &canonicaliser.refined.canonicaliser.action().layout);
        let steps = batch.rules.len();
        let several = steps > from + 1 && words > 0;
        let Some(twins) = twins.as_mut().filter(|_| several) else { return self.reduce(batch, from) };
        if !twins.enter(layout, packing, source) {
            return self.reduce(batch, from);
        }
        let mut kept = from;
        batch.free.resize(from, false);
        for at in from..steps {
            let state = at * words..(at + 1) * words;
            let target = &mut batch.states[state.clone()];
            let mut free = false;
            if !batch.stutters[at] {
                if !twins.keeps(source, target) {
                    batch.alike.push(batch.rules[at]);
                    continue;
                }
                free = canonicaliser.canonicalise(target);
            }
            batch.free.push(free);
            batch.states.copy_within(state, kept * words);
            batch.rules[kept] = batch.rules[at];
            batch.stutters[kept] = batch.stutters[at];
            kept += 1;
        }
        batch.truncate(kept, words);
    }
}

impl<B: Batcher> Batcher for PackedQuotient<B> {
    fn words(&self) -> usize {
        self.words
    }

    fn initial(&mut self, batch: &mut Batch) -> Result<(), TimeUp> {
        let from = batch.rules.len();
        self.inner.initial(batch)?;
        self.reduce(batch, from);
        Ok(())
    }

    fn successors(&mut self, state: &[u64], batch: &mut Batch) -> Result<(), TimeUp> {
        let from = batch.rules.len();
        self.inner.successors(state, batch)?;
        self.reduce_from(state, batch, from);
        Ok(())
    }

    fn holds(&mut self, property: usize, state: &[u64]) -> Result<Result<u64, Fault>, TimeUp> {
        self.inner.holds(property, state)
    }

    fn quick(&mut self, property: usize, state: &[u64]) -> Option<u64> {
        self.inner.quick(property, state)
    }

    fn all_hold(&mut self, properties: &[usize], state: &[u64]) -> bool {
        self.inner.all_hold(properties, state)
    }

    fn weight(&mut self, state: &[u64]) -> Option<u128> {
        let inner = self.inner.weight(state)?;
        self.canonicaliser.orbit(state)?.checked_mul(inner)
    }

    fn weight_in(&mut self, batch: &Batch, at: usize) -> Option<u128> {
        let words = self.words;
        let state = &batch.states[at * words..(at + 1) * words];
        match self.canonicaliser.order {
            Some(order) if batch.free.get(at) == Some(&true) => self.inner.weight(state)?.checked_mul(order),
            _ => self.weight(state),
        }
    }

    fn set_deadline(&mut self, deadline: Deadline) {
        self.inner.set_deadline(deadline);
    }

    fn side_effects(&mut self) -> SideEffects {
        self.inner.side_effects()
    }
}
