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

/// States that random runs of the system meet, one behind the other: as many as asked for, if there are any.
pub fn stroll(system: &mut dyn Batcher, count: usize) -> Vec<u64> {
    /// How many steps a run has.
    const STEPS: usize = 500;
    let words = system.words().max(1);
    let (mut batch, mut states) = (Batch::default(), Vec::new());
    let mut random = 0x9e37_79b9_7f4a_7c15u64;
    let mut pick = |batch: &Batch| {
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let choices = batch.states.len() / words;
        let at = (random >> 33) as usize % choices.max(1) * words;
        batch.states.get(at..at + words).map(<[u64]>::to_vec)
    };
    while states.len() < count * words {
        batch.clear();
        let mut next = system.initial(&mut batch).ok().and_then(|()| pick(&batch));
        if next.is_none() {
            break;
        }
        for _ in 0..STEPS {
            let Some(state) = next else { break };
            states.extend_from_slice(&state);
            batch.clear();
            next = system.successors(&state, &mut batch).ok().and_then(|()| pick(&batch));
        }
    }
    states.truncate(count * words);
    states
}
