//! Canonical forms of packed states against brute force, and the quotient of packed states against the unpacked one.

mod common;

use std::collections::{HashMap, HashSet};

use burnside_model::code::{Cell, DomainId, TypeKind, Types};
use burnside_model::{Model, Packing};
use burnside_symmetry::{Action, Canonical, Exhaustive, Method, PackedCanonicaliser};
use common::{Build, Random, random_layout, random_state, zoo};

fn packed(packing: &Packing, state: &[Cell]) -> Vec<u64> {
    let mut words = vec![0; packing.words()];
    packing.pack(state, &mut words);
    words
}

/// Random states of a model: equal forms exactly in one orbit, and the orbit's size.
fn examine(name: &str, model: &Model, domains: &[DomainId], random: &mut Random, states: usize) -> Method {
    let action = Action::new(model, domains);
    let packing = Packing::new(model).expect("small types");
    let oracle = Exhaustive::new(action.clone());
    let mut fast = PackedCanonicaliser::new(&packing, action.clone());
    let (mut forms, mut least_of, mut moved) = (HashMap::new(), HashMap::new(), Vec::new());
    let form_of = |fast: &mut PackedCanonicaliser, state: &[Cell]| {
        let mut words = packed(&packing, state);
        let free = fast.canonicalise(&mut words);
        (words, free)
    };
    for i in 0..states {
        let state = random_state(model, random, [0, 1, 4, 7][i % 4]);
        let (least, _, stabiliser) = oracle.canonicalise(&state);
        let (form, free) = form_of(&mut fast, &state);
        assert!(!free || stabiliser == 1, "{name}: {state:?}");
        let orbit = oracle.permutations().len() as u128 / stabiliser;
        assert_eq!(fast.orbit(&packed(&packing, &state)), Some(orbit), "{name}: {state:?}");
        assert_eq!(fast.orbit(&form), Some(orbit), "{name}: {state:?}");
        assert_eq!(forms.entry(least.clone()).or_insert(form.clone()), &form, "{name}: {state:?}");
        assert_eq!(least_of.entry(form.clone()).or_insert(least.clone()), &least, "{name}: {state:?}");
        for p in oracle.permutations().iter().step_by(1 + i % 7) {
            action.apply(p, &state, &mut moved);
            assert_eq!(form_of(&mut fast, &moved).0, form, "{name}: {p:?} of {state:?}");
        }
        let (unpacked, permutation) = fast.canonical(&state);
        assert_eq!(packed(&packing, &unpacked), form, "{name}");
        action.apply(&permutation, &state, &mut moved);
        assert_eq!(moved, unpacked, "{name}: the permutation leads to the form");
        assert_eq!(oracle.canonicalise(&moved).0, least, "{name}: the form is in the orbit");
    }
    fast.method()
}

#[test]
fn equal_forms_exactly_in_one_orbit() {
    let mut random = Random(0x1234_5678_9abc_def1);
    for (name, model, domains) in zoo() {
        println!("{name}: {:?}", examine(name, &model, &domains, &mut random, 300));
    }
}

#[test]
fn equal_forms_exactly_in_one_orbit_of_random_models() {
    let mut random = Random(4711);
    let mut methods = HashSet::new();
    for i in 0..400 {
        let (model, domains) = random_layout(&mut random, i % 4);
        let used = if i % 5 == 4 { &domains[..1] } else { &domains[..] };
        methods.insert(match examine(&format!("random {i}"), &model, used, &mut random, 40) {
            Method::Tried(_) => Method::Tried(0),
            other => other,
        });
    }
    assert_eq!(methods.len(), 4, "{methods:?}");
}

/// A model of `n` elements with blocks of `cells` cells and variables that name elements.
fn blocks(n: u32, values: i64, cells: usize, slots: usize) -> (Model, Vec<DomainId>) {
    let mut b = Build::default();
    let p = b.scalarset("P", n);
    let range = b.add(TypeKind::Range(0, values - 1));
    let block = b.record(&vec![range; cells]);
    let a = b.array(p, block);
    b.global(a);
    (0..slots).for_each(|_| b.global(p));
    b.done()
}

#[test]
fn keys_of_every_width() {
    let mut random = Random(99);
    for n in 2..=6 {
        for (values, cells, slots) in [
            (2, 1, 0),
            (3, 20, 2),
            (1 << 20, 3, 0),
            (1 << 20, 3, 3),
            (2, 100, 1),
            (1 << 40, 5, 2),
            (2, 0, 2),
            (2, 1, 70),
        ] {
            let (model, domains) = blocks(n, values, cells, slots);
            let name = format!("{n} blocks of {cells} cells of {values} values and {slots} ids");
            assert_eq!(examine(&name, &model, &domains, &mut random, 20), Method::Sorted);
        }
    }
}

/// Multisets whose entries name elements, alone and in the blocks of elements, narrow and wide.
#[test]
fn entries_that_name_elements() {
    let mut random = Random(2718);
    for n in 2..=4 {
        for (capacity, values, own) in [(1, 2, false), (3, 2, false), (4, 3, true), (3, 1 << 50, false)] {
            let mut b = Build::default();
            let (p, q) = (b.scalarset("P", n), b.scalarset("Q", 2));
            let range = b.add(TypeKind::Range(0, values - 1));
            let either = b.add(TypeKind::Union(vec![p, Types::BOOL, q]));
            let message = b.record(&[range, p, either, p]);
            let (net, bag) = (b.multiset(capacity, message), b.multiset(2, p));
            let (boxes, marks) = (b.array(p, bag), b.array(p, Types::BOOL));
            b.global(net);
            b.global(if own { boxes } else { bag });
            b.global(marks);
            b.global(either);
            let (model, domains) = b.done();
            let name = format!("{n} elements, {capacity} entries of {values} values, own: {own}");
            assert_eq!(examine(&name, &model, &domains, &mut random, 120), Method::Refined);
        }
    }
}

/// Too many permutations for the oracle: permuted states have equal forms, and multinomials are the orbits.
#[test]
fn large_domains() {
    let mut random = Random(5);
    for n in [7, 8, 9, 12, 20, 33] {
        for (values, cells, slots) in [(2, 1, 1), (3, 30, 1), (1 << 40, 4, 2)] {
            let (model, domains) = blocks(n, values, cells, slots);
            let action = Action::new(&model, &domains);
            let packing = Packing::new(&model).expect("small types");
            let mut fast = PackedCanonicaliser::new(&packing, action.clone());
            let mut slow = burnside_symmetry::Canonicaliser::new(action.clone());
            for i in 0..50 {
                let state = random_state(&model, &mut random, i % 8);
                let mut form = packed(&packing, &state);
                fast.canonicalise(&mut form);
                slow.canonicalise(&state);
                assert_eq!(fast.orbit(&form), slow.orbit());
                let images = vec![random.order(n)];
                let mut moved = Vec::new();
                action.apply(
                    &burnside_symmetry::Permutation::from_images(images).unwrap(),
                    &state,
                    &mut moved,
                );
                let mut other = packed(&packing, &moved);
                fast.canonicalise(&mut other);
                assert_eq!(other, form);
            }
        }
    }
}

/// Every element names another: nothing but the search tells them apart. Cycles it can finish; of pairs there are too many
/// orders, and the general method takes over.
#[test]
fn regular_states_of_many_elements() {
    // Lengths of cycles: the elements of different ones look alike until one of them is chosen.
    cycles(&[12], 12);
    cycles(&[6, 6], 72);
    cycles(&[4, 4, 4], 64 * 6);
    cycles(&[3, 3, 3, 3], 81 * 24);
    cycles(&[2, 2, 2, 2, 2, 2], 64 * 720);
    cycles(&[6, 3, 3], 6 * 18);
    cycles(&[7, 5], 35);
    cycles(&[2, 4, 6], 48);
    cycles(&[2, 2, 4, 4], 8 * 32);
    cycles(&[2, 3], 6);
    cycles(&[2, 4], 8);
    cycles(&[2, 5], 10);
    cycles(&[3, 4], 12);
    cycles(&[2, 2, 3], 24);
}

/// A state whose elements name each other in cycles of these lengths, and some states of its orbit.
fn cycles(lengths: &[u32], stabiliser: u128) {
    let mut random = Random(77);
    let size = lengths.iter().sum();
    let mut b = Build::default();
    let p = b.scalarset("P", size);
    let next = b.array(p, p);
    b.global(next);
    let (model, domains) = b.done();
    let action = Action::new(&model, &domains);
    let packing = Packing::new(&model).expect("small types");
    let mut fast = PackedCanonicaliser::new(&packing, action.clone());
    assert_eq!(fast.method(), Method::Linked);
    let mut state: Vec<Cell> = Vec::new();
    for length in lengths {
        let from = state.len() as Cell;
        state.extend((0..*length).map(|i| from + Cell::from((i + 1) % length)));
    }
    let form = fast.form(&state);
    let orbit = (1..=u128::from(size)).product::<u128>() / stabiliser;
    assert_eq!(fast.orbit_of(&state), Some(orbit), "{lengths:?}");
    for _ in 0..20 {
        let images = vec![random.order(size)];
        let mut moved = Vec::new();
        let permutation = burnside_symmetry::Permutation::from_images(images).unwrap();
        action.apply(&permutation, &state, &mut moved);
        assert_eq!(fast.form(&moved), form, "{lengths:?}");
    }
}

/// Graphs of degree three whose nodes look alike when any one of them is chosen, and whose orders lead to different
/// states all the same: found by the first, the form would depend on the names of the nodes.
#[test]
fn graphs_with_leaves_that_differ() {
    const TEN: [[Cell; 3]; 10] = [
        [2, 5, 9],
        [6, 9, 7],
        [8, 7, 0],
        [4, 6, 8],
        [3, 5, 7],
        [4, 0, 9],
        [8, 1, 3],
        [4, 1, 2],
        [3, 6, 2],
        [5, 1, 0],
    ];
    const TWELVE: [[Cell; 3]; 12] = [
        [11, 1, 9],
        [0, 7, 10],
        [5, 8, 9],
        [10, 6, 11],
        [6, 8, 10],
        [7, 2, 11],
        [4, 3, 9],
        [1, 5, 8],
        [2, 4, 7],
        [2, 0, 6],
        [3, 4, 1],
        [5, 0, 3],
    ];
    let mut random = Random(5);
    for graph in [&TEN[..], &TWELVE[..]] {
        let size = graph.len() as u32;
        let mut b = Build::default();
        let p = b.scalarset("P", size);
        let row = b.array(p, Types::BOOL);
        let edges = b.array(p, row);
        b.global(edges);
        let (model, domains) = b.done();
        let action = Action::new(&model, &domains);
        let packing = Packing::new(&model).expect("small types");
        let mut fast = PackedCanonicaliser::new(&packing, action.clone());
        assert_eq!(fast.method(), Method::Linked);
        let edge = |row: &[Cell; 3], node: u32| Cell::from(row.contains(&Cell::from(node)));
        let state: Vec<Cell> =
            graph.iter().flat_map(|row| (0..size).map(move |node| edge(row, node))).collect();
        let form = fast.form(&state);
        let mut slow = burnside_symmetry::Canonicaliser::new(action.clone());
        slow.canonicalise(&state);
        assert_eq!(fast.orbit_of(&state), slow.orbit());
        for _ in 0..50 {
            let permutation = burnside_symmetry::Permutation::from_images(vec![random.order(size)]).unwrap();
            let mut moved = Vec::new();
            action.apply(&permutation, &state, &mut moved);
            assert_eq!(fast.form(&moved), form);
        }
    }
}

#[test]
fn the_method_fits_the_model() {
    let method = |model: &Model, domains: &[DomainId]| {
        let packing = Packing::new(model).expect("small types");
        PackedCanonicaliser::new(&packing, Action::new(model, domains)).method()
    };
    for (name, model, domains) in zoo() {
        let expected = match name {
            "plain" | "global ids" => Method::Sorted,
            "local ids" | "relation" | "two domains" | "unions" | "ranges" => Method::Linked,
            "three indices" => Method::Tried(6),
            "ring" | "ring with ids" => Method::Sorted,
            "ring and scalarset" => Method::Tried(4),
            "independent rings and a scalarset" => Method::Tried(6),
            "one of two domains" => Method::Sorted,
            _ => Method::Refined,
        };
        assert_eq!(method(&model, &domains), expected, "{name}");
        assert_eq!(method(&model, &[]), Method::Trivial);
    }
    // The data of German's protocol: its values are renamed, the clients are sorted.
    let mut b = Build::default();
    let (client, data) = (b.scalarset("Client", 5), b.scalarset("Data", 2));
    let cache = b.record(&[Types::BOOL, data]);
    let caches = b.array(client, cache);
    b.global(caches);
    b.global(client);
    b.global(data);
    let (model, domains) = b.done();
    assert_eq!(method(&model, &domains), Method::Tried(2));
}
