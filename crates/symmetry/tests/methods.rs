//! The other ways to choose representatives: what stands for a state is in its orbit, and exact ways choose one for all.

mod common;

use std::collections::HashMap;

use burnside_model::code::{Cell, DomainId};
use burnside_model::{Model, Packing};
use burnside_symmetry::{Action, Canon, Canonical, Exhaustive, PackedCanonicaliser};
use common::{Random, random_layout, random_state, zoo};

/// Random states of a model, and some states of their orbits.
fn examine(name: &str, model: &Model, domains: &[DomainId], random: &mut Random, states: usize) -> usize {
    let action = Action::new(model, domains);
    let packing = Packing::new(model).expect("small types");
    let oracle = Exhaustive::new(action.clone());
    let mut exact = PackedCanonicaliser::new(&packing, action.clone());
    let mut several = 0;
    // Sorting is for groups of all permutations.
    for canon in Canon::ALL.into_iter().filter(|canon| !canon.sorts() || action.permutes_blocks()) {
        let mut way = PackedCanonicaliser::with(&packing, action.clone(), canon);
        let mut chosen: HashMap<Vec<Cell>, Vec<Cell>> = HashMap::new();
        for i in 0..states {
            let state = random_state(model, random, [0, 1, 4, 7][i % 4]);
            let (_, _, stabiliser) = oracle.canonicalise(&state);
            let orbit = exact.form(&state);
            let mut moved = Vec::new();
            for p in oracle.permutations().iter().step_by(3 + i % 5) {
                action.apply(p, &state, &mut moved);
                let form = way.form(&moved);
                if canon != Canon::Markers {
                    assert_eq!(exact.form(&form), orbit, "{name}, {}: {moved:?}", canon.name());
                }
                let first = chosen.entry(orbit.clone()).or_insert_with(|| form.clone());
                several += usize::from(*first != form);
                assert!(!canon.is_exact() || *first == form, "{name}, {}: {moved:?}", canon.name());
                let (again, permutation) = way.canonical(&moved);
                let mut there = Vec::new();
                action.apply(&permutation, &moved, &mut there);
                if canon != Canon::Markers {
                    assert_eq!(there, again, "{name}, {}", canon.name());
                }
            }
            let size = oracle.permutations().len() as u128 / stabiliser;
            assert_eq!(way.orbit_of(&state), canon.is_exact().then_some(size), "{name}, {}", canon.name());
        }
    }
    several
}

#[test]
fn every_way_stays_in_the_orbit() {
    let mut random = Random(0xbeef_cafe_1234_5671);
    let several: usize =
        zoo().iter().map(|(name, model, domains)| examine(name, model, domains, &mut random, 12)).sum();
    assert!(several > 0, "sorting alone is not canonical");
}

#[test]
fn every_way_stays_in_the_orbit_of_random_models() {
    let mut random = Random(90125);
    for i in 0..80 {
        let (model, domains) = random_layout(&mut random, i % 4);
        examine(&format!("random {i}"), &model, &domains, &mut random, 6);
    }
}
