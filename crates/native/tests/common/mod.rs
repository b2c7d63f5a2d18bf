//! Compares compiled code with the interpreter.

use std::collections::HashSet;

use burnside_model::code::Semantics;
use burnside_model::system::{Batch, Batcher, Machine, Packed};
use burnside_model::{Model, Packing};
use burnside_native::Native;

/// States compared per model.
pub const MAX_STATES: usize = 20_000;

/// Compares all steps and properties of the states reached, breadth first, up to so many of them.
pub fn compare(name: &str, model: &Model, semantics: Semantics, most: usize) {
    let packing = Packing::new(model).unwrap();
    let native = Native::new(model, &packing, semantics).unwrap();
    assert_eq!(native.fallbacks(), [], "{name}");
    let mut fast = native.runner();
    let mut slow = Packed::new(Machine::new(model, semantics), &packing);
    let (mut found, mut expected) = (Batch::default(), Batch::default());
    fast.initial(&mut found).unwrap();
    let words = packing.words();
    let mut seen: HashSet<Vec<u64>> = HashSet::new();
    let mut queue: Vec<Vec<u64>> = Vec::new();
    let add = |batch: &Batch, seen: &mut HashSet<Vec<u64>>, queue: &mut Vec<Vec<u64>>| {
        for state in batch.states.chunks(words) {
            if seen.len() < most && seen.insert(state.to_vec()) {
                queue.push(state.to_vec());
            }
        }
    };
    add(&found, &mut seen, &mut queue);
    let mut next = 0;
    while next < queue.len() {
        let state = queue[next].clone();
        next += 1;
        found.clear();
        expected.clear();
        fast.successors(&state, &mut found).unwrap();
        slow.successors(&state, &mut expected).unwrap();
        assert_eq!(found.rules, expected.rules, "{name}: state {next}");
        assert_eq!(found.states, expected.states, "{name}: state {next}");
        assert_eq!(found.stutters, expected.stutters, "{name}: state {next}");
        assert_eq!(found.dropped, expected.dropped, "{name}: state {next}");
        assert_eq!(found.faults, expected.faults, "{name}: state {next}");
        for property in 0..model.properties.len() {
            let (a, b) = (fast.holds(property, &state), slow.holds(property, &state));
            assert_eq!(a, b, "{name}: property {property} in state {next}");
        }
        add(&found, &mut seen, &mut queue);
    }
    let (found, expected) = (fast.side_effects(), slow.side_effects());
    assert_eq!(found.covered, expected.covered, "{name}");
    assert_eq!(found.undefined_copies, expected.undefined_copies, "{name}");
    assert_eq!(found.output, expected.output, "{name}");
}
