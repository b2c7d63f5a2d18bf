//! Random countable models: populations, by search and on sets, against orbits by permutations.
//!
//! `BURNSIDE_MODELS` asks for more of them than the usual ones, `BURNSIDE_SEED` for others.

mod countable;

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;

use burnside_counting::{Counters, Counting, Reach, countable, program};
use burnside_lang::murphi::printer;
use burnside_model::code::{Cell, DomainId, Semantics};
use burnside_model::system::{Batch, Batcher, Machine, Outcome, PropertyKind};
use burnside_model::{Model, System};
use burnside_symmetry::{Action, Canonicaliser, Quotient, verify};

/// The most states of a model.
const MOST: usize = 4000;

fn read(text: &str) -> Model {
    let source = burnside_lang::source::Source::new("random.m", text);
    let (model, diagnostics) = burnside_lang::murphi::load(&source, &[]);
    model.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"))
}

/// What is known of one orbit by looking at its states.
#[derive(Clone, Debug, Default, PartialEq)]
struct Orbit {
    size: u128,
    /// Per property: whether it holds; nothing if that cannot be said.
    holds: Vec<Option<bool>>,
    /// Whether some rule goes wrong, some leads elsewhere, some is enabled.
    steps: (bool, bool, bool),
}

/// All orbits, by their canonical form.
fn orbits(model: &Model, domains: &[DomainId]) -> Option<BTreeMap<Vec<Cell>, Orbit>> {
    let mut machine = Machine::new(model, Semantics::default());
    let mut quotient = {
        let machine = Machine::new(model, Semantics::default());
        Quotient::new(machine, Canonicaliser::new(Action::new(model, domains)))
    };
    let (mut seen, mut queue, mut found) = (HashSet::new(), VecDeque::new(), Vec::new());
    let mut all: BTreeMap<Vec<Cell>, Orbit> = BTreeMap::new();
    let keep = |found: &mut Vec<Vec<Cell>>, outcome: &Outcome<'_>| {
        if let Outcome::State(state) = outcome {
            found.push(state.to_vec());
        }
        ControlFlow::Continue(())
    };
    machine.initial(&mut |step| keep(&mut found, &step.outcome)).expect("no deadline");
    loop {
        for state in found.drain(..) {
            if seen.insert(state.clone()) {
                queue.push_back(state);
            }
        }
        let Some(state) = queue.pop_front() else { return Some(all) };
        if seen.len() > MOST {
            return None;
        }
        let mut steps = (false, false, false);
        machine
            .successors(&state, &mut |step| {
                let wrong = matches!(step.outcome, Outcome::Fault(_) | Outcome::GuardFault(_));
                steps = (steps.0 | wrong, steps.1 | !step.stutters, true);
                keep(&mut found, &step.outcome)
            })
            .expect("no deadline");
        let holds = (0..model.properties.len())
            .map(|property| machine.holds(property, &state).expect("no deadline").ok().map(|held| held > 0));
        let (holds, form) = (holds.collect(), quotient.canonical(&state).0);
        let orbit = all.entry(form).or_default();
        *orbit = Orbit { size: orbit.size + 1, holds, steps };
    }
}

/// What is known of the program that counts, printed and read again: its states, in which of them each property fails, and
/// in which something goes wrong or nothing is enabled.
fn explored(program: &Model) -> (usize, Vec<bool>, (bool, bool), bool) {
    let model = read(&printer::print(program));
    let mut machine = Machine::new(&model, Semantics::default());
    let (mut seen, mut queue, mut found) = (HashSet::new(), VecDeque::new(), Vec::new());
    let (mut wrong, mut stuck, mut unclear) = (false, false, false);
    let mut met = vec![false; model.properties.len()];
    let mut keep = |found: &mut Vec<Vec<Cell>>, outcome: &Outcome<'_>| {
        match outcome {
            Outcome::State(state) => found.push(state.to_vec()),
            Outcome::Dropped => {}
            Outcome::Fault(_) | Outcome::GuardFault(_) => wrong = true,
        }
        ControlFlow::Continue(())
    };
    machine.initial(&mut |step| keep(&mut found, &step.outcome)).expect("no deadline");
    loop {
        for state in found.drain(..) {
            if seen.insert(state.clone()) {
                queue.push_back(state);
            }
        }
        let Some(state) = queue.pop_front() else { break };
        let mut steps = 0;
        machine
            .successors(&state, &mut |step| {
                steps += 1;
                keep(&mut found, &step.outcome)
            })
            .expect("no deadline");
        stuck |= steps == 0;
        for (property, met) in met.iter_mut().enumerate() {
            let held = machine.holds(property, &state).expect("no deadline").ok().map(|held| held > 0);
            *met |= held == Some(model.properties[property].kind == PropertyKind::Cover);
            unclear |= held.is_none();
        }
    }
    (seen.len(), met, (wrong, unclear), stuck)
}

/// Compares the program that counts with the orbits.
fn compare_program(model: &Model, counting: &Counting<'_>, orbits: &BTreeMap<Vec<Cell>, Orbit>, told: &str) {
    let unclear = orbits.values().any(|orbit| orbit.holds.iter().any(Option::is_none));
    for stutters in [false, true] {
        let mut reach =
            Reach::new(counting, 1 << 22, burnside_model::Deadline::NEVER).expect("it was possible before");
        let program = program(counting, &mut reach, stutters).unwrap_or_else(|e| panic!("{e:?}\n{told}"));
        let (states, met, wrong, stuck) = explored(&program.model);
        let told = format!("{told}\n{}", printer::print(&program.model));
        assert_eq!(states, orbits.len(), "{told}");
        for (i, property) in model.properties.iter().enumerate() {
            let wanted = Some(property.kind == PropertyKind::Cover);
            assert_eq!(
                met[i],
                orbits.values().any(|orbit| orbit.holds[i] == wanted),
                "{}\n{told}",
                property.name
            );
        }
        let some_wrong = orbits.values().any(|orbit| orbit.steps.0);
        assert_eq!(wrong, (some_wrong, unclear), "{told}");
        let steps = |orbit: &Orbit| if stutters { orbit.steps.2 } else { orbit.steps.1 };
        assert_eq!(stuck, orbits.values().any(|orbit| !steps(orbit)), "{told}");
    }
}

/// The populations that are reached by search, each with what was found there.
fn populations(counting: &Counting<'_>) -> Option<HashMap<Vec<u64>, Orbit>> {
    let properties = counting.model().properties.len();
    let mut counters = Counters::new(counting);
    let (mut seen, mut queue) = (HashMap::<Vec<u64>, Orbit>::new(), VecDeque::new());
    let mut batch = Batch::default();
    counters.initial(&mut batch).ok()?;
    loop {
        for words in batch.states.chunks(counting.words()) {
            if !seen.contains_key(words) {
                let holds = (0..properties)
                    .map(|i| counters.holds(i, words).expect("no deadline").ok().map(|held| held > 0));
                let (holds, size) = (holds.collect(), counters.weight(words).expect("few"));
                seen.insert(words.to_vec(), Orbit { size, holds, steps: (false, false, false) });
                queue.push_back(words.to_vec());
            }
        }
        batch.clear();
        let Some(words) = queue.pop_front() else { return Some(seen) };
        counters.successors(&words, &mut batch).ok()?;
        let (wrong, steps) = (!batch.faults.is_empty(), batch.stutters.len() + batch.dropped.len());
        let elsewhere = wrong || !batch.dropped.is_empty() || batch.stutters.iter().any(|stutters| !stutters);
        seen.get_mut(&words).expect("it was queued").steps = (wrong, elsewhere, wrong || steps > 0);
    }
}

#[test]
fn random_countable_models() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (first, wanted) = (number("BURNSIDE_SEED", 0), number("BURNSIDE_MODELS", 300));
    let (mut compared, mut by_sets, mut wrong, mut total) = (0, 0, 0, 0);
    for seed in first.. {
        if compared == wanted {
            break;
        }
        total += 1;
        let text = countable::model(seed);
        let model = read(&text);
        let refused = verify::verify(&model);
        assert!(refused.is_empty(), "{refused:?}\n{text}");
        let all: Vec<_> = (0..model.types.domains.len() as u32).map(DomainId).collect();
        let (domains, refusals) = countable(&model, &all);
        assert!(refusals.is_empty(), "{refusals:?}\n{text}");
        let Some(orbits) = orbits(&model, &domains) else { continue };
        if orbits.len() < 4 {
            continue;
        }
        compared += 1;
        let told = format!("seed {seed}\n{text}");
        let counting = Counting::new(&model, Semantics::default(), &domains, 16);
        let found = populations(&counting).unwrap_or_else(|| panic!("not counted\n{told}"));
        assert_eq!(found.len(), orbits.len(), "{told}");
        let mut quotient = Quotient::new(
            Machine::new(&model, Semantics::default()),
            Canonicaliser::new(Action::new(&model, &domains)),
        );
        for (words, orbit) in &found {
            let form = quotient.canonical(&counting.unpack(words)).0;
            assert_eq!(Some(orbit), orbits.get(&form), "{:?}\n{told}", counting.unpack(words));
        }
        wrong += usize::from(orbits.values().any(|orbit| orbit.steps.0));
        let Some(mut reach) = Reach::new(&counting, 1 << 22, burnside_model::Deadline::NEVER) else {
            continue;
        };
        by_sets += 1;
        let reached = reach.run().unwrap_or_else(|stopped| panic!("{stopped:?}\n{told}"));
        assert_eq!(reached.orbits, orbits.len() as u64, "{told}");
        for (i, (property, judged)) in model.properties.iter().zip(&reached.judged).enumerate() {
            let wanted = Some(property.kind == PropertyKind::Cover);
            let met = orbits.values().any(|orbit| orbit.holds[i] == wanted);
            assert_eq!(judged.met.is_some(), met, "{}\n{told}", property.name);
            let faulty = orbits.values().any(|orbit| orbit.holds[i].is_none());
            assert_eq!(judged.faulty.is_some(), faulty, "{}\n{told}", property.name);
        }
        assert_eq!(reached.wrong.is_empty(), orbits.values().all(|orbit| !orbit.steps.0), "{told}");
        assert_eq!(reached.stuck.is_some(), orbits.values().any(|orbit| !orbit.steps.1), "{told}");
        assert_eq!(reached.disabled.is_some(), orbits.values().any(|orbit| !orbit.steps.2), "{told}");
        compare_program(&model, &counting, &orbits, &told);
    }
    println!("{compared} of {total} models compared, {by_sets} of them on sets, {wrong} go wrong");
    assert!(by_sets >= compared * 3 / 4, "{by_sets} of {compared}");
}
