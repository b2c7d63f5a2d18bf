//! Populations are the orbits: exactly those of the reachable states are reached, with the same properties.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;
use std::path::Path;

use burnside_counting::{Counters, Counting, Goal, Reach, countable};
use burnside_model::code::{Cell, DomainId, Semantics};
use burnside_model::system::{Batch, Batcher, Machine, Outcome};
use burnside_model::{Model, System};
use burnside_symmetry::verify;

fn read(text: &str, constants: &[(&str, u32)]) -> Model {
    let source = burnside_lang::source::Source::new("test.m", text);
    let constants: Vec<_> = constants.iter().map(|(n, v)| ((*n).to_owned(), v.to_string())).collect();
    let (model, diagnostics) = burnside_lang::murphi::load(&source, &constants);
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

fn file(name: &str, constants: &[(&str, u32)]) -> Model {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi").join(name);
    read(&std::fs::read_to_string(path).expect("a model"), constants)
}

/// The domains that are symmetries.
fn verified(model: &Model) -> Vec<DomainId> {
    let refused = verify::verify(model);
    let all = (0..model.types.domains.len() as u32).map(DomainId);
    all.filter(|domain| refused.iter().all(|refusal| refusal.domain != *domain)).collect()
}

/// All reachable states, one by one.
fn states(model: &Model) -> HashSet<Vec<Cell>> {
    let mut machine = Machine::new(model, Semantics::default());
    let (mut seen, mut queue) = (HashSet::new(), VecDeque::new());
    let mut found = Vec::new();
    let keep = |found: &mut Vec<Vec<Cell>>, outcome: Outcome<'_>| {
        if let Outcome::State(state) = outcome {
            found.push(state.to_vec());
        }
        ControlFlow::Continue(())
    };
    machine.initial(&mut |step| keep(&mut found, step.outcome)).expect("no deadline");
    loop {
        for state in found.drain(..) {
            if seen.insert(state.clone()) {
                queue.push_back(state);
            }
        }
        let Some(state) = queue.pop_front() else { return seen };
        machine.successors(&state, &mut |step| keep(&mut found, step.outcome)).expect("no deadline");
    }
}

/// All reachable populations, with how many states each stands for.
fn populations(counting: &Counting<'_>) -> HashMap<Vec<u64>, u128> {
    let mut counters = Counters::new(counting);
    let (mut seen, mut queue) = (HashMap::new(), VecDeque::new());
    let mut batch = Batch::default();
    counters.initial(&mut batch).expect("room");
    loop {
        for words in batch.states.chunks(counting.words()) {
            if !seen.contains_key(words) {
                seen.insert(words.to_vec(), counters.weight(words).expect("few"));
                queue.push_back(words.to_vec());
            }
        }
        batch.clear();
        let Some(words) = queue.pop_front() else { return seen };
        counters.successors(&words, &mut batch).expect("room");
    }
}

fn agree(model: &Model) {
    let (domains, refusals) = countable(model, &verified(model));
    assert!(!domains.is_empty(), "{refusals:?}");
    let counting = Counting::new(model, Semantics::default(), &domains, 16);
    let reached = populations(&counting);
    assert!(!counting.crowded() && !counting.uneven());
    let states = states(model);
    let mut orbits: BTreeMap<Vec<u64>, u128> = BTreeMap::new();
    let mut machine = Machine::new(model, Semantics::default());
    let mut counters = Counters::new(&counting);
    for state in &states {
        let words = counting.pack(state).expect("room");
        assert_eq!(counting.pack(&counting.unpack(&words)), Some(words.clone()));
        for property in 0..model.properties.len() {
            let held = machine.holds(property, state).expect("no deadline").map(|held| held > 0);
            let counted = counters.holds(property, &words).expect("no deadline").map(|held| held > 0);
            assert_eq!(held.is_ok(), counted.is_ok());
            assert_eq!(held.ok(), counted.ok(), "{}", model.properties[property].name);
        }
        *orbits.entry(words).or_default() += 1;
    }
    assert_eq!(reached.len(), orbits.len());
    // The same on sets.
    let mut machine = Machine::new(model, Semantics::default());
    if let Some(mut reach) = Reach::new(&counting, 1 << 24, burnside_model::Deadline::NEVER) {
        let found = reach.run().expect("room");
        assert_eq!(found.orbits, orbits.len() as u64);
        for (i, (property, judged)) in model.properties.iter().zip(&found.judged).enumerate() {
            let fails = |state: &Vec<Cell>| machine.holds(i, state).expect("no deadline") == Ok(0);
            assert_eq!(judged.met.is_some(), states.iter().any(fails), "{}", property.name);
        }
        let mut stuck = |state: &Vec<Cell>| {
            let mut steps = 0;
            let count = &mut |step: burnside_model::system::Step<'_>| {
                steps += usize::from(!step.stutters);
                ControlFlow::Continue(())
            };
            machine.successors(state, count).expect("no deadline");
            steps == 0
        };
        assert_eq!(found.stuck.is_some(), states.iter().any(&mut stuck));
        assert!(found.wrong.is_empty());
    }
    for (orbit, size) in orbits {
        assert_eq!(reached.get(&orbit), Some(&size), "{:?}", counting.unpack(&orbit));
    }
}

#[test]
fn models_with_one_pointer_or_none() {
    for n in 2..=5 {
        agree(&file("token_mutex.m", &[("N", n)]));
        agree(&file("mcs_lock_abstract.m", &[("N", n.min(4))]));
        agree(&file("readers_writers.m", &[("N", n.min(4))]));
        agree(&file("semaphore_mutex.m", &[("N", n), ("L", 5)]));
    }
}

#[test]
fn a_loop_that_adds_up() {
    for n in 2..=4 {
        agree(&file("peterson.m", &[("N", n)]));
    }
}

#[test]
fn a_broadcast() {
    agree(&file("german_nodata.m", &[("N", 3)]));
    agree(&file("german.m", &[("N", 2)]));
}

#[test]
fn two_pointers_are_told_apart() {
    let text = r#"
        type P : scalarset(4);
        var on : array [P] of boolean; a, b : P;
        startstate for p : P do on[p] := false; end; end;
        ruleset p : P do
            rule "a" isundefined(a) ==> a := p; end;
            rule "b" isundefined(b) ==> b := p; end;
            rule "on" !on[p] & (isundefined(a) | a != p) ==> on[p] := true; end;
            rule "swap" !isundefined(a) & !isundefined(b) & a = p ==>
                var t : P; begin t := a; a := b; b := t; end;
        end;
        invariant "differ" isundefined(a) | isundefined(b) | a != b | on[a] = on[b];
        invariant "somebody" exists p : P do exists q : P do p != q & on[p] = on[q] end end;
    "#;
    agree(&read(text, &[]));
}

/// The run that is found to where a property fails has the length of a shortest one, and every step is one of the model.
#[test]
fn runs_are_runs() {
    let text = std::fs::read_to_string(
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi/german_nodata.m"),
    )
    .expect("a model");
    let wrong = text.replace("forall i: Client do !sharers[i] end", "true");
    assert_ne!(text, wrong);
    let model = read(&wrong, &[("N", 3)]);
    let domains = verified(&model);
    let counting = Counting::new(&model, Semantics::default(), &domains, 16);
    let mut reach = Reach::new(&counting, 1 << 24, burnside_model::Deadline::NEVER).expect("nothing adds up");
    let found = reach.run().expect("room");
    assert!(found.judged[0].met.is_some());
    let run = reach.path(Goal::Property(0)).expect("room").expect("a run");
    let mut machine = Machine::new(&model, Semantics::default());
    let pack = |state: &[Cell]| counting.pack(state).expect("room");
    for pair in run.windows(2) {
        let after = pack(&counting.state(&pair[1]));
        let mut steps = false;
        machine
            .successors(&counting.state(&pair[0]), &mut |step| {
                if let Outcome::State(state) = step.outcome {
                    steps |= pack(state) == after;
                }
                ControlFlow::Continue(())
            })
            .expect("no deadline");
        assert!(steps);
    }
    let last = counting.state(run.last().expect("an end"));
    assert_eq!(machine.holds(0, &last), Ok(Ok(0)));
    // Breadth-first on populations, for the length.
    let mut counters = Counters::new(&counting);
    let (mut batch, mut depth) = (Batch::default(), 1);
    counters.initial(&mut batch).expect("room");
    let mut seen: HashSet<Vec<u64>> = HashSet::new();
    loop {
        let level: Vec<Vec<u64>> = batch
            .states
            .chunks(counting.words())
            .map(<[u64]>::to_vec)
            .filter(|words| seen.insert(words.clone()))
            .collect();
        if level.iter().any(|words| counters.holds(0, words) == Ok(Ok(0))) {
            break;
        }
        batch.clear();
        level.iter().for_each(|words| counters.successors(words, &mut batch).expect("room"));
        depth += 1;
    }
    assert_eq!(run.len(), depth);
}

#[test]
fn pointers_are_compared_with_each_other() {
    let text = r#"
        type P : scalarset(4);
        var on : array [P] of boolean; a, b : P; same : boolean;
        startstate for p : P do on[p] := false; end; same := false; end;
        ruleset p : P do
            rule "a" isundefined(a) ==> a := p; end;
            rule "b" isundefined(b) ==> b := p; end;
            rule "on" on[p] := !on[p]; end;
        end;
        rule "same" !isundefined(a) & !isundefined(b) & a = b ==> same := true; end;
        rule "other" !isundefined(a) & !isundefined(b) & a != b ==> same := false; end;
        invariant "never" !same | isundefined(a) | on[a];
    "#;
    agree(&read(text, &[]));
}

#[test]
fn large_numbers() {
    let model = file("token_mutex.m", &[("N", 60)]);
    let counting = Counting::new(&model, Semantics::default(), &verified(&model), 8);
    assert_eq!(populations(&counting).len(), 180);
    let model = file("readers_writers.m", &[("N", 40)]);
    let counting = Counting::new(&model, Semantics::default(), &verified(&model), 8);
    assert_eq!(populations(&counting).len(), 36_941);
}

#[test]
fn what_cannot_be_counted_is_said() {
    let text = r#"
        type P : scalarset(3); Q : scalarset(3); R : ring(4);
        var next : array [P] of P; m : multiset [2] of Q; x : array [R] of boolean;
        startstate undefine next; clear x; end;
        rule "r" true ==> end;
    "#;
    let model = read(text, &[]);
    let (counted, refusals) = countable(&model, &[DomainId(0), DomainId(1), DomainId(2)]);
    assert!(counted.is_empty());
    let reasons: Vec<_> = refusals.iter().map(|refusal| refusal.reason.as_str()).collect();
    assert_eq!(
        reasons,
        [
            "the elements of the ring `R` have neighbours",
            "`next[P_0]`, local to a `P`, holds a `P`",
            "a multiset in `m` holds, or is indexed by, `Q`",
        ]
    );
}
