//! The canonical form against brute force.

mod common;

use std::collections::HashMap;
use std::time::{Duration, Instant};

use burnside_model::code::{Cell, Types, UNDEFINED, normalise};
use burnside_model::{Model, code::DomainId};
use burnside_symmetry::{Action, Canonicaliser, Exhaustive, Permutation};
use common::{Build, Random, random_state, zoo};

fn permuted(action: &Action, random: &mut Random, state: &[Cell]) -> Vec<Cell> {
    let images = action.sizes().iter().map(|n| random.order(*n)).collect();
    let mut moved = Vec::new();
    action.apply(&Permutation::from_images(images).unwrap(), state, &mut moved);
    moved
}

#[test]
fn equal_forms_exactly_in_one_orbit() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for (name, model, domains) in zoo() {
        let action = Action::new(&model, &domains);
        let oracle = Exhaustive::new(action.clone());
        let mut fast = Canonicaliser::new(action.clone());
        // Both ways: from least states to forms and back.
        let (mut forms, mut least_of) = (HashMap::new(), HashMap::new());
        for i in 0..400 {
            let state = random_state(&model, &mut random, [0, 1, 4, 7][i % 4]);
            let (least, _, stabiliser) = oracle.canonicalise(&state);
            let form = fast.canonicalise(&state).to_vec();
            assert_eq!(fast.stabiliser(), Some(stabiliser), "{name}: {state:?}");
            assert_eq!(fast.orbit(), Some(oracle.permutations().len() as u128 / stabiliser), "{name}");
            let mut moved = Vec::new();
            action.apply(&fast.permutation(), &state, &mut moved);
            assert_eq!(moved, form, "{name}: the permutation leads to the form");
            assert_eq!(forms.entry(least.clone()).or_insert(form.clone()), &form, "{name}: {state:?}");
            assert_eq!(least_of.entry(form.clone()).or_insert(least.clone()), &least, "{name}: {state:?}");
            for p in oracle.permutations().iter().step_by(1 + i % 3) {
                action.apply(p, &state, &mut moved);
                assert_eq!(fast.canonicalise(&moved), form, "{name}: {p:?} of {state:?}");
                assert_eq!(fast.stabiliser(), Some(stabiliser), "{name}: {p:?} of {state:?}");
            }
        }
    }
}

#[test]
fn the_action_is_a_left_action_that_keeps_multisets_sorted() {
    let mut random = Random(77);
    for (name, model, domains) in zoo() {
        let action = Action::new(&model, &domains);
        let all = Exhaustive::new(action.clone());
        let pick = |random: &mut Random| {
            all.permutations()[random.below(all.permutations().len() as u64) as usize].clone()
        };
        for _ in 0..200 {
            let state = random_state(&model, &mut random, 1);
            let (p, q) = (pick(&mut random), pick(&mut random));
            let (mut one, mut two, mut both, mut back) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
            action.apply(&q, &state, &mut one);
            action.apply(&p, &one, &mut two);
            action.apply(&p.compose(&q), &state, &mut both);
            assert_eq!(two, both, "{name}");
            action.apply(&p.compose(&q).inverse(), &both, &mut back);
            assert_eq!(back, state, "{name}");
            let mut sorted = both.clone();
            for global in &model.globals {
                normalise(&model.types, global.ty, &mut sorted[global.offset as usize..]);
            }
            assert_eq!(sorted, both, "{name}");
        }
    }
}

#[test]
fn the_action_moves_blocks_and_maps_values() {
    let mut b = Build::default();
    let p = b.scalarset("P", 3);
    let e = b.enumeration(2);
    let u = b.add(burnside_model::code::TypeKind::Union(vec![e, p]));
    let r = b.record(&[Types::BOOL, u]);
    let a = b.array(p, r);
    b.global(p);
    b.global(a);
    let (model, domains) = b.done();
    let action = Action::new(&model, &domains);
    let p = Permutation::from_images(vec![vec![1, 2, 0]]).unwrap();
    let mut moved = Vec::new();
    // Element 0 goes to 1, 1 to 2, 2 to 0; in the union, elements start at 2.
    action.apply(&p, &[0, 1, 3, 0, 1, UNDEFINED, 4], &mut moved);
    assert_eq!(moved, [1, UNDEFINED, 2, 1, 4, 0, 1]);
    assert_eq!(action.map_value(&p, u, 4), 2);
    assert_eq!(action.map_value(&p, u, 1), 1);
    assert_eq!(action.map_value(&p, u, UNDEFINED), UNDEFINED);
}

#[test]
fn elements_with_gaps_move_past_the_values_between() {
    let mut b = Build::default();
    let p = b.add(burnside_model::code::TypeKind::Range(3, 6));
    // 3, 4 and 6 are permuted; 5 stays.
    b.attach("P", &[0, 1, 3], &[(p, 3)]);
    let a = b.array(p, p);
    b.global(p);
    b.global(a);
    let (model, domains) = b.done();
    let action = Action::new(&model, &domains);
    let p_to_6 = Permutation::from_images(vec![vec![2, 0, 1]]).unwrap();
    let mut moved = Vec::new();
    action.apply(&p_to_6, &[3, 4, 5, 6, UNDEFINED], &mut moved);
    assert_eq!(moved, [6, 5, UNDEFINED, 4, 3]);
    assert_eq!(action.map_value(&p_to_6, p, 6), 4);
    assert_eq!(action.map_value(&p_to_6, p, 5), 5);
    assert_eq!(model.types.element_name(domains[0], 2), "6");
}

/// `array [P] of P` and `array [P] of array [P] of boolean`.
fn graphs(n: u32) -> (Model, Vec<DomainId>) {
    let mut b = Build::default();
    let p = b.scalarset("P", n);
    let (next, row) = (b.array(p, p), b.array(p, Types::BOOL));
    let matrix = b.array(p, row);
    b.global(next);
    b.global(matrix);
    b.done()
}

/// A state of [`graphs`]: next pointers (or none), and symmetric edges.
fn graph(n: usize, next: &[usize], edges: &[(usize, usize)]) -> Vec<Cell> {
    let mut state = vec![UNDEFINED; n];
    for (i, to) in next.iter().enumerate() {
        state[i] = *to as i64;
    }
    state.resize(n + n * n, 0);
    for (a, b) in edges {
        state[n + a * n + b] = 1;
        state[n + b * n + a] = 1;
    }
    state
}

fn cycle(elements: &[usize]) -> Vec<(usize, usize)> {
    (0..elements.len()).map(|i| (elements[i], elements[(i + 1) % elements.len()])).collect()
}

#[test]
fn regular_graphs_are_told_apart() {
    let mut random = Random(5);
    let (model, domains) = graphs(4);
    let mut canon = Canonicaliser::new(Action::new(&model, &domains));
    let (square, pairs) = (graph(4, &[1, 2, 3, 0], &[]), graph(4, &[1, 0, 3, 2], &[]));
    let one = canon.canonicalise(&square).to_vec();
    assert_eq!(canon.stabiliser(), Some(4));
    let two = canon.canonicalise(&pairs).to_vec();
    assert_eq!(canon.stabiliser(), Some(8));
    assert_ne!(one, two);

    let known: [(usize, Vec<Vec<usize>>, u128); 6] = [
        (6, vec![vec![0, 1, 2, 3, 4, 5]], 12),
        (6, vec![vec![0, 1, 2], vec![3, 4, 5]], 72),
        (7, vec![vec![0, 1, 2, 3, 4, 5, 6]], 14),
        (7, vec![vec![0, 1, 2], vec![3, 4, 5, 6]], 48),
        (9, vec![vec![0, 1, 2], vec![3, 4, 5], vec![6, 7, 8]], 1296),
        (10, vec![vec![0, 1, 2, 3, 4], vec![5, 6, 7, 8, 9]], 200),
    ];
    let mut forms = Vec::new();
    for (n, cycles, automorphisms) in known {
        let (model, domains) = graphs(n as u32);
        let action = Action::new(&model, &domains);
        let mut canon = Canonicaliser::new(action.clone());
        let edges: Vec<_> = cycles.iter().flat_map(|c| cycle(c)).collect();
        let state = graph(n, &[], &edges);
        let form = canon.canonicalise(&state).to_vec();
        assert_eq!(canon.stabiliser(), Some(automorphisms), "{cycles:?}");
        for _ in 0..30 {
            assert_eq!(canon.canonicalise(&permuted(&action, &mut random, &state)), form, "{cycles:?}");
            assert_eq!(canon.stabiliser(), Some(automorphisms), "{cycles:?}");
        }
        forms.push(form);
    }
    forms.dedup();
    assert_eq!(forms.len(), 6);
}

/// States with much symmetry, which random cells rarely have: pointers that are a permutation, and a relation that it
/// preserves.
#[test]
fn states_with_many_automorphisms() {
    let mut random = Random(4711);
    for n in 3..=5usize {
        let (model, domains) = graphs(n as u32);
        let action = Action::new(&model, &domains);
        let oracle = Exhaustive::new(action.clone());
        let mut canon = Canonicaliser::new(action.clone());
        let (mut forms, mut least_of) = (HashMap::new(), HashMap::new());
        for i in 0..300 {
            let next: Vec<usize> = random.order(n as u32).iter().map(|e| *e as usize).collect();
            let mut state = graph(n, if i % 3 == 0 { &[] } else { &next }, &[]);
            for _ in 0..random.below(3) {
                let (mut a, mut b) = (random.below(n as u64) as usize, random.below(n as u64) as usize);
                for _ in 0..60 {
                    state[n + a * n + b] = 1;
                    (a, b) = (next[a], next[b]);
                }
            }
            let (least, _, stabiliser) = oracle.canonicalise(&state);
            let form = canon.canonicalise(&state).to_vec();
            assert_eq!(canon.stabiliser(), Some(stabiliser), "{state:?}");
            assert_eq!(forms.entry(least.clone()).or_insert(form.clone()), &form, "{state:?}");
            assert_eq!(least_of.entry(form).or_insert(least.clone()), &least, "{state:?}");
            let moved = permuted(&action, &mut random, &state);
            assert_eq!(canon.canonicalise(&moved), forms[&least], "{state:?}");
            assert_eq!(canon.stabiliser(), Some(stabiliser), "{state:?}");
        }
    }
}

#[test]
fn strongly_regular_and_vertex_transitive_graphs() {
    let mut random = Random(6);
    // The Petersen graph: pairs of five, adjacent if disjoint.
    let pairs: Vec<(usize, usize)> = (0..5).flat_map(|a| (a + 1..5).map(move |b| (a, b))).collect();
    let disjoint = |i: usize, j: usize| {
        let ((a, b), (c, d)) = (pairs[i], pairs[j]);
        a != c && a != d && b != c && b != d
    };
    let petersen: Vec<_> =
        (0..10).flat_map(|i| (0..i).map(move |j| (i, j))).filter(|(i, j)| disjoint(*i, *j)).collect();
    // Two graphs on 4×4 points that refinement cannot tell apart: the rook's and Shrikhande's.
    let points: Vec<(usize, usize)> = (0..16).flat_map(|i: usize| (0..i).map(move |j| (i, j))).collect();
    let rook: Vec<_> = points.iter().copied().filter(|(i, j)| i / 4 == j / 4 || i % 4 == j % 4).collect();
    let shrikhande: Vec<_> = points
        .iter()
        .copied()
        .filter(|(i, j)| {
            let (x, y) = ((i / 4 + 4 - j / 4) % 4, (i % 4 + 4 - j % 4) % 4);
            matches!((x, y), (0, 1) | (0, 3) | (1, 0) | (3, 0) | (1, 1) | (3, 3))
        })
        .collect();
    let mut forms = Vec::new();
    for (n, edges, automorphisms) in [(10, petersen, 120), (16, rook, 1152), (16, shrikhande, 192)] {
        let (model, domains) = graphs(n as u32);
        let action = Action::new(&model, &domains);
        let mut canon = Canonicaliser::new(action.clone());
        let state = graph(n, &[], &edges);
        let form = canon.canonicalise(&state).to_vec();
        assert_eq!(canon.stabiliser(), Some(automorphisms));
        for _ in 0..20 {
            assert_eq!(canon.canonicalise(&permuted(&action, &mut random, &state)), form);
            assert_eq!(canon.stabiliser(), Some(automorphisms));
        }
        forms.push(form);
    }
    assert_ne!(forms[1], forms[2]);
}

#[test]
fn many_identical_elements_are_no_work() {
    for n in [10, 40] {
        let (model, domains) = graphs(n);
        let action = Action::new(&model, &domains);
        let mut canon = Canonicaliser::new(action.clone());
        let state = graph(n as usize, &[], &[]);
        let start = Instant::now();
        assert_eq!(canon.canonicalise(&state), state);
        assert!(start.elapsed() < Duration::from_millis(100));
        assert_eq!(canon.orbit(), Some(1));
        // Matched pairs: no twins, but one leaf per element suffices.
        let pairs: Vec<_> = (0..n as usize / 2).map(|i| (2 * i, 2 * i + 1)).collect();
        let form = canon.canonicalise(&graph(n as usize, &[], &pairs)).to_vec();
        assert!(start.elapsed() < Duration::from_millis(1000));
        let moved = permuted(&action, &mut Random(8), &form);
        assert_eq!(canon.canonicalise(&moved), form);
    }
}

#[test]
fn large_random_states() {
    let mut random = Random(31);
    let mut b = Build::default();
    let (p, q) = (b.scalarset("P", 12), b.scalarset("Q", 9));
    let message = b.record(&[p, q]);
    let (net, next) = (b.multiset(30, message), b.array(p, p));
    b.global(net);
    b.global(next);
    let (model, domains) = b.done();
    let action = Action::new(&model, &domains);
    let mut canon = Canonicaliser::new(action.clone());
    for i in 0..300 {
        let state = random_state(&model, &mut random, i % 9);
        let form = canon.canonicalise(&state).to_vec();
        let stabiliser = canon.stabiliser();
        assert_eq!(canon.canonicalise(&permuted(&action, &mut random, &state)), form);
        assert_eq!(canon.stabiliser(), stabiliser);
        assert_eq!(canon.canonicalise(&form), form);
    }
}

/// Nanoseconds per state: printed, not tested.
#[test]
fn timing() {
    let mut random = Random(99);
    let mut b = Build::default();
    let (p, e) = (b.scalarset("P", 7), b.enumeration(4));
    let r = b.record(&[e, e, Types::BOOL, e, Types::BOOL, Types::BOOL, e, Types::BOOL]);
    let a = b.array(p, r);
    b.global(a);
    b.global(e);
    time("plain, 7 elements, 57 cells", b.done(), &mut random);
    let mut b = Build::default();
    let (p, e) = (b.scalarset("P", 7), b.enumeration(4));
    let r = b.record(&[e, Types::BOOL, p, e, Types::BOOL, Types::BOOL, e, Types::BOOL]);
    let a = b.array(p, r);
    b.global(a);
    b.global(p);
    b.global(e);
    time("local ids, 7 elements, 58 cells", b.done(), &mut random);
    time("pointers and relation, 7 elements, 56 cells", graphs(7), &mut random);
    for n in [8, 16] {
        let next: Vec<usize> = (0..n).map(|i| (i + 1) % n).collect();
        let state = graph(n, &next, &[]);
        let (model, domains) = graphs(n as u32);
        time_states(&format!("{n}-cycle of pointers"), &model, &domains, &[state]);
    }
    let mut b = Build::default();
    let (p, q, e) = (b.scalarset("P", 5), b.scalarset("Q", 2), b.enumeration(4));
    let message = b.record(&[e, p, p, q]);
    let (net, own) = (b.multiset(6, message), b.array(p, e));
    let words = b.array(q, p);
    b.global(net);
    b.global(own);
    b.global(words);
    time("multiset of messages, 5 + 2 elements, 37 cells", b.done(), &mut random);
}

fn time(name: &str, (model, domains): (Model, Vec<DomainId>), random: &mut Random) {
    for (what, sparse) in [("all defined", 0), ("half undefined", 4), ("all undefined", 8)] {
        let states: Vec<_> = (0..200).map(|_| random_state(&model, random, sparse)).collect();
        time_states(&format!("{name}, {what}"), &model, &domains, &states);
    }
}

fn time_states(name: &str, model: &Model, domains: &[DomainId], states: &[Vec<Cell>]) {
    let mut canon = Canonicaliser::new(Action::new(model, domains));
    let mut sum = 0i64;
    let mut pass = || {
        let start = Instant::now();
        for state in states {
            sum = sum.wrapping_add(canon.canonicalise(state)[0]);
        }
        start.elapsed().as_nanos() / states.len() as u128
    };
    let each = (0..50).map(|_| pass()).min().unwrap();
    println!("{name}: {each} ns ({})", sum & 1);
}
