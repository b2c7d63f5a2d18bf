//! Groups given by generators: least images against brute force.

mod common;

use std::collections::HashMap;

use burnside_model::code::{Cell, DomainId, UNDEFINED};
use burnside_model::{Model, Packing};
use burnside_symmetry::{Action, Canonical, Canonicaliser, Exhaustive, PackedCanonicaliser, Permutation};
use common::{Build, Random, random_layout, random_state, zoo};

/// A few permutations of domains of these sizes; some move little, so that small groups occur.
fn generators(random: &mut Random, sizes: &[u32]) -> Vec<Permutation> {
    let one = |random: &mut Random| {
        let sparse = random.below(2) == 0;
        let images = sizes.iter().map(|size| match random.below(3) {
            0 => (0..*size).collect(),
            _ if sparse => {
                let mut images: Vec<u32> = (0..*size).collect();
                images.swap(random.below(u64::from(*size)) as usize, random.below(u64::from(*size)) as usize);
                images
            }
            _ => random.order(*size),
        });
        Permutation::from_images(images.collect()).unwrap()
    };
    (0..1 + random.below(3)).map(|_| one(random)).collect()
}

/// Random states of a model under a random group: equal forms exactly in one orbit, and the orbit's size.
fn examine(name: &str, model: &Model, domains: &[DomainId], random: &mut Random, states: usize) {
    let sizes = Action::new(model, domains).sizes().to_vec();
    let generators = generators(random, &sizes);
    let action = Action::generated(model, domains, &generators);
    let packing = Packing::new(model).expect("small types");
    let oracle = Exhaustive::new(action.clone());
    let order = oracle.permutations().len() as u128;
    assert_eq!(action.order(), Some(order), "{name}");
    let mut fast = Canonicaliser::new(action.clone());
    let mut packed = PackedCanonicaliser::new(&packing, action.clone());
    let (mut forms, mut least_of, mut moved) = (HashMap::new(), HashMap::new(), Vec::new());
    for i in 0..states {
        let state = random_state(model, random, [0, 1, 4, 7][i % 4]);
        let (least, _, stabiliser) = oracle.canonicalise(&state);
        let form = fast.canonicalise(&state).to_vec();
        let why = || format!("{name}: {generators:?} on {state:?}");
        assert_eq!(fast.stabiliser(), Some(stabiliser), "{}", why());
        assert_eq!(fast.orbit(), Some(order / stabiliser), "{}", why());
        action.apply(&fast.permutation(), &state, &mut moved);
        assert_eq!(moved, form, "{}", why());
        assert!(oracle.permutations().contains(&fast.permutation()), "{}", why());
        assert_eq!(forms.entry(least.clone()).or_insert(form.clone()), &form, "{}", why());
        assert_eq!(least_of.entry(form.clone()).or_insert(least.clone()), &least, "{}", why());
        assert_eq!(packed.form(&state), form, "{}", why());
        assert_eq!(packed.orbit_of(&state), Some(order / stabiliser), "{}", why());
        let step = 1 + oracle.permutations().len() / 12;
        for p in oracle.permutations().iter().step_by(step) {
            action.apply(p, &state, &mut moved);
            assert_eq!(fast.canonicalise(&moved), form, "{}", why());
        }
    }
}

#[test]
fn equal_forms_exactly_in_one_orbit() {
    let mut random = Random(0xfeed_5eed);
    for (name, model, domains) in zoo() {
        for _ in 0..12 {
            examine(name, &model, &domains, &mut random, 24);
        }
    }
}

#[test]
fn equal_forms_exactly_in_one_orbit_of_random_models() {
    let mut random = Random(815);
    for i in 0..1500 {
        let (model, domains) = random_layout(&mut random, i % 4);
        examine(&format!("random {i}"), &model, &domains, &mut random, 8);
    }
}

/// Two groups of processes that may be exchanged as wholes: many states are nearly symmetric, and none takes long.
#[test]
fn wreath_products() {
    let (groups, members) = (3u32, 5u32);
    let size = groups * members;
    let mut b = Build::default();
    let (p, e) = (b.scalarset("P", size), b.enumeration(2));
    let a = b.array(p, e);
    b.global(a);
    b.global(p);
    let (model, domains) = b.done();
    let still: Vec<u32> = (0..size).collect();
    let mut all = Vec::new();
    for i in 1..members {
        let mut swap = still.clone();
        swap.swap(i as usize - 1, i as usize);
        all.push(Permutation::from_images(vec![swap]).unwrap());
    }
    for group in 1..groups {
        let mut swap = still.clone();
        (0..members).for_each(|i| swap.swap(i as usize, (group * members + i) as usize));
        all.push(Permutation::from_images(vec![swap]).unwrap());
    }
    let action = Action::generated(&model, &domains, &all);
    assert_eq!(action.structure(), "S5 wr S3");
    assert_eq!(action.order(), Some(120 * 120 * 120 * 6));
    let mut canonicaliser = Canonicaliser::new(action.clone());
    let mut random = Random(5);
    let mut forms: HashMap<Vec<Cell>, u128> = HashMap::new();
    for _ in 0..200 {
        let mut state = random_state(&model, &mut random, 0);
        state[size as usize] = UNDEFINED;
        let form = canonicaliser.canonicalise(&state).to_vec();
        forms.insert(form.clone(), canonicaliser.orbit().unwrap());
        // By groups, how many are set; the groups in order.
        let counts = |state: &[Cell]| {
            let mut counts: Vec<i64> =
                state[..size as usize].chunks(members as usize).map(|g| g.iter().sum()).collect();
            counts.sort_unstable();
            counts
        };
        assert_eq!(counts(&form), counts(&state));
    }
    assert!(forms.len() <= 56, "{}", forms.len());
}
