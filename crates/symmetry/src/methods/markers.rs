//! ProB's symmetry markers: states with the same marker are taken for symmetric.
//!
//! A marker is a hash that is the same for all states of an orbit, but another orbit may have it, too; then states are
//! missed. So nothing that is found to hold this way holds for certain. What is violated is: a state is kept as it was
//! met first, after a step from one that was kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use burnside_model::code::Cell;

use super::Choose;
use super::invariant::Invariant;
use crate::action::Action;

/// Remembers the first state with every marker.
#[derive(Clone, Debug)]
pub(crate) struct Markers {
    action: Action,
    invariant: Invariant,
    seen: Arc<Mutex<HashMap<u64, Box<[Cell]>>>>,
}

impl Markers {
    pub fn new(action: Action) -> Self {
        Markers { action, invariant: Invariant::default(), seen: Arc::default() }
    }
}

impl Choose for Markers {
    fn choose(&mut self, state: &[Cell], chosen: &mut Vec<Cell>) {
        let marker = self.invariant.hash(&self.action, state);
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let first = seen.entry(marker).or_insert_with(|| state.into());
        chosen.clear();
        chosen.extend_from_slice(first);
    }
}
