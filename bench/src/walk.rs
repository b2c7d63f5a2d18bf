//! States of a model for kernels to work on: those that a breadth-first search meets, in its order.

use std::collections::{HashSet, VecDeque};

use burnside_model::system::{Batch, Batcher};

/// What a search met, up to a limit.
#[derive(Default)]
pub struct Walk {
    /// Distinct states, one behind the other.
    pub states: Vec<u64>,
    /// The states that the steps lead to, as they came.
    pub targets: Vec<u64>,
}

/// Explores until this many distinct states were met.
pub fn walk(system: &mut dyn Batcher, limit: usize) -> Walk {
    let words = system.words().max(1);
    let (mut seen, mut queue) = (HashSet::new(), VecDeque::<Vec<u64>>::new());
    let mut batch = Batch::default();
    let mut walk = Walk::default();
    let mut started = false;
    while seen.len() < limit {
        batch.clear();
        let ran = match queue.pop_front() {
            None if started => break,
            None => system.initial(&mut batch),
            Some(state) => {
                walk.states.extend_from_slice(&state);
                system.successors(&state, &mut batch)
            }
        };
        started = true;
        if ran.is_err() {
            break;
        }
        for state in batch.states.chunks_exact(words) {
            walk.targets.extend_from_slice(state);
            if seen.insert(state.to_vec()) {
                queue.push_back(state.to_vec());
            }
        }
    }
    walk
}
