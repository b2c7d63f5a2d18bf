//! Every reduction against brute force, on random systems of components.
//!
//! A system has one or two domains, local states, pointers (at most two: they made the published order of states go
//! round in circles), and sometimes cells that relate indices. Its orbits are found state by state; a reduction must
//! reach exactly these, with one representative each where it says so.
//!
//! Mistakes that were planted in chaining, and caught: one pass only, successors left unsorted, one part left out. In the
//! orbit relation: a picture that is not counted, counts that are not balanced, cells that may hold anything, an index that no
//! cell holds, representatives that are not in order.

mod explicit;
mod systems;

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use burnside_model::stack::{diagram_thread, in_thread};
use burnside_symbolic::bdd::{Bdd, Manager};
use burnside_symbolic::reduce::alpha::{Alpha, Sorting};
use burnside_symbolic::reduce::component;
use burnside_symbolic::reduce::dynamic;
use burnside_symbolic::reduce::multiple_representatives::MultipleRepresentatives;
use burnside_symbolic::reduce::multisets;
use burnside_symbolic::reduce::orbit_relation::{OrbitRelation, by_exchanges, quotient_by_alpha};
use burnside_symbolic::reduce::order::LocalOrder;
use burnside_symbolic::reduce::space::{Space, Which};

use explicit::{Explicit, Random, State};
use systems::System;

#[test]
fn token_mutex_has_3n_orbits() {
    for n in [2, 3, 10, 50] {
        let (space, variables) = systems::mutex_space(n, true);
        count(variables, move |manager| systems::mutex(manager, space).unwrap(), 3 * n as u64);
    }
}

#[test]
fn readers_and_writers() {
    for (n, orbits) in [(1, 8), (10, 836)] {
        let (space, variables) = systems::readers_writers_space(n);
        count(variables, move |manager| systems::readers_writers(manager, space).unwrap(), orbits);
    }
}

/// Counts the orbits of a system component by component, with and without state symmetries.
fn count(variables: usize, build: impl FnOnce(&Manager) -> System<'_> + Send, orbits: u64) {
    in_thread(diagram_thread(), move || {
        let manager = Manager::new(variables, 1 << 28);
        let mut system = build(&manager);
        let space = system.space.clone();
        let initial = system.initial.clone();
        for (sorting, symmetries) in [(Sorting::Insertion, true), (Sorting::Bubble, false)] {
            let alpha =
                Alpha::new(&manager, &space, &LocalOrder::default(), Which::Current, sorting).unwrap();
            assert!(alpha.is_unique());
            let found = |_: &Bdd| Ok(ControlFlow::Continue(()));
            let reached =
                component::reachable(&manager, &mut system, &alpha, symmetries, &initial, found).unwrap();
            assert_eq!(systems::states(&space, &reached), orbits, "{sorting:?}");
        }
    })
    .unwrap();
}

#[test]
fn reductions_reach_the_orbits_that_brute_force_finds() {
    let systems = std::env::var("SYSTEMS").ok().and_then(|count| count.parse().ok()).unwrap_or(120);
    in_thread(diagram_thread(), move || {
        let (mut unique, mut several) = (0, 0);
        for seed in 0..systems {
            match check(seed) {
                true => unique += 1,
                false => several += 1,
            }
        }
        assert!(
            systems < 50 || unique > systems / 4 && several > systems / 20,
            "{unique} unique, {several} not"
        );
    })
    .unwrap();
}

/// Whether sorting has unique representatives in this system.
fn check(seed: u64) -> bool {
    let mut random = Random(seed);
    let system = Explicit::random(&mut random);
    let orbits = system.reachable_orbits();
    let manager = Manager::new(system.variables, 1 << 26);
    let space = &system.space;
    let mut diagrams = system.diagrams(&manager);
    let initial = diagrams.initial.clone();
    let order = random_order(&mut random, &system);
    let all_steps = diagrams.all_steps();

    let agree = |name: &str, reached: &Bdd, unique: bool| {
        let states: BTreeSet<State> = system.states_of(reached).into_iter().collect();
        let found: BTreeSet<State> = states.iter().map(|state| system.least(state)).collect();
        assert_eq!(found, orbits, "seed {seed}, {name}: orbits differ\n{}", system.describe());
        assert!(
            !unique || states.len() == orbits.len(),
            "seed {seed}, {name}: {} representatives of {} orbits\n{}",
            states.len(),
            orbits.len(),
            system.describe()
        );
    };

    if multisets::applies(space) {
        let counted = multisets::orbit_relation(&manager, space).unwrap();
        assert!(counted == by_exchanges(&manager, space).unwrap(), "seed {seed}\n{}", system.describe());
    }
    let orbit_relation = OrbitRelation::new(&manager, space).unwrap();
    let quotient = orbit_relation.quotient(&manager, space, &all_steps).unwrap();
    let start = orbit_relation.represent(&initial).unwrap();
    let reached = fixpoint(&start, |set| orbit_relation.image(set, &quotient).unwrap());
    agree("orbit relation", &reached, true);
    assert!(reached.implies(orbit_relation.representatives()).unwrap());

    let several = MultipleRepresentatives::new(&manager, space, &order).unwrap();
    let quotient = several.quotient(&all_steps).unwrap();
    let reached =
        fixpoint(&several.represent(&initial).unwrap(), |set| several.image(set, &quotient).unwrap());
    agree("multiple representatives", &reached, false);
    let relation = several.relation(&manager, space).unwrap();
    assert!(several.image(&initial, &relation).unwrap() == several.represent(&initial).unwrap());

    let found = |_: &Bdd| Ok(ControlFlow::Continue(()));
    let mut unique = false;
    for sorting in [Sorting::Insertion, Sorting::Bubble] {
        let [alpha, next] = [Which::Current, Which::Next]
            .map(|which| Alpha::new(&manager, space, &order, which, sorting).unwrap());
        unique = alpha.is_unique();
        agree("several, sorted", &alpha.apply(&reached, None).unwrap(), unique);
        let quotient = quotient_by_alpha(&all_steps, &alpha, &next).unwrap();
        let start = alpha.apply(&initial, None).unwrap();
        let reached = fixpoint(&start, |set| orbit_relation.image(set, &quotient).unwrap());
        agree("quotient by sorting", &reached, unique);

        let reached = dynamic::by_levels(&manager, &mut diagrams, &alpha, &initial, found).unwrap();
        agree("dynamic", &reached, unique);
        let chained = dynamic::by_chaining(&manager, &mut diagrams, &alpha, &initial, found).unwrap();
        agree("dynamic, by chaining", &chained, unique);
        assert!(!unique || chained == reached, "the same representatives");
        assert!(alpha.apply(&reached, None).unwrap() == reached, "representatives represent themselves");
        for symmetries in [false, true] {
            let by_component =
                component::reachable(&manager, &mut diagrams, &alpha, symmetries, &initial, found).unwrap();
            agree(if symmetries { "component+state" } else { "component" }, &by_component, unique);
            assert!(!unique || by_component == reached, "the same representatives");
        }
    }
    unique
}

/// A random order of the codes of each kind of local state.
fn random_order(random: &mut Random, system: &Explicit) -> LocalOrder {
    let mut order = LocalOrder::default();
    for (family, codes) in system.local_families() {
        if random.chance(2) {
            let mut codes: Vec<u64> = (0..codes).collect();
            for last in (1..codes.len()).rev() {
                codes.swap(last, random.below(last as u64 + 1) as usize);
            }
            order = order.with(family, &codes).unwrap();
        }
    }
    order
}

/// Everything that can be reached.
fn fixpoint(start: &Bdd, image: impl Fn(&Bdd) -> Bdd) -> Bdd {
    let mut reached = start.clone();
    loop {
        let more = reached.or(&image(&reached)).unwrap();
        if more == reached {
            return reached;
        }
        reached = more;
    }
}

/// One index of many that is out of place moves past the others as exchanges of neighbours would move it.
#[test]
fn jumps_lead_where_exchanges_do() {
    let n = 12;
    let (space, variables) = systems::mutex_space(n, true);
    in_thread(diagram_thread(), move || {
        let manager = Manager::new(variables, 1 << 26);
        let order = LocalOrder::default();
        let [jumping, exchanging] = [Sorting::Insertion, Sorting::Bubble]
            .map(|sorting| Alpha::new(&manager, &space, &order, Which::Current, sorting).unwrap());
        let mut random = Random(1);
        for _ in 0..60 {
            let mut states = manager.constant(false);
            for _ in 0..10 {
                let bits = space.variables(Which::Current).map(|var| (var, random.chance(2)));
                states = states.or(&manager.cube(bits).unwrap()).unwrap();
            }
            let sorted = exchanging.apply(&states, None).unwrap();
            let index = random.below(n as u64) as usize;
            let local = space.cells.iter().find(|cell| cell.indices == [(0, index)]).unwrap();
            let local = local.bits[Which::Current as usize].iter();
            let becomes = manager.cube(local.clone().map(|&var| (var, random.chance(2)))).unwrap();
            let forgotten = sorted.exists(&manager.variables(local.copied()).unwrap()).unwrap();
            let stepped = forgotten.and(&becomes).unwrap();
            let expected = exchanging.apply(&stepped, None).unwrap();
            assert!(jumping.apply(&stepped, Some((0, index))).unwrap() == expected);
        }
    })
    .unwrap();
}

/// Which spaces have a representative map that is known to be unique.
#[test]
fn a_shape_that_is_not_regular_is_refused() {
    let (space, _) = systems::mutex_space(3, true);
    let without_last = space.cells.iter().filter(|cell| cell.indices != [(0, 2)]).cloned().collect();
    assert!(Space::new(space.domains, without_last).is_err());
}
