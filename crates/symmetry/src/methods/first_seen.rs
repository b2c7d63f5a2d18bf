//! SMC: the first state of an orbit that is met represents it.
//!
//! Equivalent states have the same hash; whether one with the same hash is equivalent is decided by their canonical
//! forms, where SMC has a randomised test that may miss an equivalence.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use burnside_model::code::Cell;

use super::Choose;
use super::invariant::Invariant;
use crate::action::Action;
use crate::canonical::Canonicaliser;

/// States that were met first, each with its canonical form.
type Seen = HashMap<u64, Vec<(Box<[Cell]>, Box<[Cell]>)>>;

/// Remembers the first state of every orbit.
#[derive(Clone, Debug)]
pub(crate) struct FirstSeen {
    canonicaliser: Canonicaliser,
    invariant: Invariant,
    seen: Arc<Mutex<Seen>>,
}

impl FirstSeen {
    pub fn new(action: Action) -> Self {
        let (invariant, seen) = (Invariant::default(), Arc::default());
        FirstSeen { canonicaliser: Canonicaliser::new(action), invariant, seen }
    }
}

impl Choose for FirstSeen {
    fn choose(&mut self, state: &[Cell], chosen: &mut Vec<Cell>) {
        let hash = self.invariant.hash(self.canonicaliser.action(), state);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let bucket = seen.entry(hash).or_default();
        let form = self.canonicaliser.canonicalise(state);
        chosen.clear();
        match bucket.iter().find(|(_, known)| **known == *form) {
            Some((first, _)) => chosen.extend_from_slice(first),
            None => {
                bucket.push((state.into(), form.into()));
                chosen.extend_from_slice(state);
            }
        }
    }
}
