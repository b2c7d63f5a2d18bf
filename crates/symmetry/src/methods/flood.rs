//! ProB's permutation flooding: with a new state, all states of its orbit are added to the reached ones.
//!
//! So nothing is saved in memory, but no state has to be brought into any form, and only one of each orbit is expanded.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use burnside_model::code::Cell;

use super::Choose;
use crate::action::Action;
use crate::permutation::Permutation;

/// By reached state, the one of its orbit that was met.
type Reached = HashMap<Arc<[Cell]>, Arc<[Cell]>>;

/// Remembers all states of every orbit.
#[derive(Clone, Debug)]
pub(crate) struct Flood {
    action: Action,
    generators: Vec<Permutation>,
    reached: Arc<Mutex<Reached>>,
}

impl Flood {
    pub fn new(action: Action) -> Self {
        Flood { generators: action.generators(), action, reached: Arc::default() }
    }

    pub fn reached(&self) -> u64 {
        self.reached.lock().unwrap_or_else(PoisonError::into_inner).len() as u64
    }
}

impl Choose for Flood {
    fn choose(&mut self, state: &[Cell], chosen: &mut Vec<Cell>) {
        let mut reached = self.reached.lock().unwrap_or_else(PoisonError::into_inner);
        chosen.clear();
        if let Some(met) = reached.get(state) {
            chosen.extend_from_slice(met);
            return;
        }
        chosen.extend_from_slice(state);
        let met: Arc<[Cell]> = state.into();
        reached.insert(met.clone(), met.clone());
        let (mut open, mut moved) = (vec![met.clone()], Vec::new());
        while let Some(next) = open.pop() {
            for generator in &self.generators {
                self.action.apply(generator, &next, &mut moved);
                if !reached.contains_key(moved.as_slice()) {
                    let new: Arc<[Cell]> = moved.as_slice().into();
                    reached.insert(new.clone(), met.clone());
                    open.push(new);
                }
            }
        }
    }
}
