//! Decision diagrams against the reference interpreter: the same verdicts, states and rules fired, whatever the order of
//! variables and the search, and whether rules are diagrams, made at once or in parts, or are executed.
//!
//! Mistakes that were planted and found, here, with reductions or with formulas: a part of a relation that forgets bits which
//! later parts mention, or that keeps bits which none mentions; late invariants and deadlocks left out; a rule with an error
//! that counts as none for deadlocks where rules are executed; predecessors of representatives instead of their orbits;
//! elements inside cells that stay where permuted states are listed. Covers of late invariants need their own test.
//!
//! `BURNSIDE_MODELS` asks for more random models than the usual ones, `BURNSIDE_SEED` for others.

#[allow(dead_code, reason = "not everything about random models is needed here")]
mod random;

use std::path::Path;
use std::time::Duration;

use burnside::{
    DeadlockMode, Engine, Failure, Limit, Limits, Options, Order, Reduce, Report, Search, Sizes, Source,
    Undefined, Verdict, check,
};
use burnside_lang::murphi::printer;

use random::compare::no_limits;
use random::shape;

const SEARCHES: [Search; 3] = [Search::Bfs, Search::Chaining, Search::Saturation];
const ORDERS: [Order; 3] = [Order::Concatenated, Order::Interleaved, Order::Auto];
const DEADLOCKS: [DeadlockMode; 3] = [DeadlockMode::Off, DeadlockMode::Stuck, DeadlockMode::Stuttering];

/// State by state, without reduction.
fn explicit() -> Options {
    Options { engine: Engine::Interpreter, reduce: Reduce::None, ..Options::default() }
}

/// By diagrams, without reduction.
fn diagrams(search: Search, order: Order) -> Options {
    let mut options = Options { engine: Engine::Bdd, reduce: Reduce::None, ..Options::default() };
    (options.diagrams.search, options.diagrams.order) = (search, order);
    options.limits.memory = Some(64 << 20);
    options
}

/// What differs between a report and that of the interpreter, if anything.
fn difference(ours: &Report, theirs: &Report) -> Option<String> {
    for (ours, theirs) in ours.properties.iter().zip(&theirs.properties) {
        if (&ours.name, ours.verdict) != (&theirs.name, theirs.verdict) {
            let (ours, theirs) = ((&ours.name, ours.verdict.name()), (&theirs.name, theirs.verdict.name()));
            return Some(format!("{ours:?}, but {theirs:?} state by state"));
        }
        if ours.covered != theirs.covered {
            return Some(format!("{} covered {:?} times, not {:?}", ours.name, ours.covered, theirs.covered));
        }
    }
    if ours.properties.len() != theirs.properties.len() || ours.verdict != theirs.verdict {
        return Some(format!("{:?}, not {:?}", ours.verdict, theirs.verdict));
    }
    let figures = |report: &Report| {
        let fired: Vec<_> = report.rules.iter().map(|rule| rule.fired).collect();
        (report.states, report.rules_fired, fired)
    };
    (figures(ours) != figures(theirs)).then(|| format!("{:?}, not {:?}", figures(ours), figures(theirs)))
}

/// Checks a model in both ways, to the end, and says what differs.
fn compare(
    source: &Source,
    limits: &Limits,
    deadlock: DeadlockMode,
    options: Options,
) -> Result<Report, String> {
    let theirs =
        Options { limits: limits.clone(), deadlock, constants: options.constants.clone(), ..explicit() };
    let theirs = Options { semantics: options.semantics, ..theirs };
    let limits = Limits { memory: options.limits.memory, ..limits.clone() };
    let ours = Options { limits, deadlock, ..options };
    let failed = |failure: Failure| format!("{failure:?}");
    let theirs = check(source, &theirs).map_err(failed)?;
    let ours = check(source, &ours).map_err(failed)?;
    match difference(&ours, &theirs) {
        Some(difference) => Err(difference),
        None => Ok(ours),
    }
}

#[test]
fn random_models() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (first, models) = (number("BURNSIDE_SEED", 0), number("BURNSIDE_MODELS", 1000));
    let (mut violated, mut unknown) = (0, 0);
    for seed in first..first + models {
        let text = printer::print(&random::model(seed, shape::Options { extensions: true }));
        let source = Source::new("random.m", &text);
        let at = seed as usize;
        let deadlock = DEADLOCKS[at / 6 % 3];
        let mut options = diagrams(SEARCHES[at % 3], ORDERS[at / 3 % 3]);
        options.semantics.undefined = Undefined::ALL[at / 2 % 3];
        options.diagrams.reorder = at % 2 == 1;
        // Within a bound now and then.
        let bound = (at % 4 == 3).then_some(seed % 5);
        let executed = {
            let mut options = options.clone();
            options.diagrams.sizes = Sizes::EXECUTED;
            compare(&source, &Limits { bound, ..no_limits() }, deadlock, options)
        };
        executed.unwrap_or_else(|wrong| panic!("seed {seed}, executed: {wrong}\n{text}"));
        options.diagrams.monolithic = at % 5 == 1;
        options.diagrams.sizes = match at % 4 {
            0 => Sizes::SMALLEST,
            1 => Sizes { condition: 0, relation: 0, ..Sizes::default() },
            _ => Sizes::default(),
        };
        match compare(&source, &no_limits(), deadlock, options) {
            Ok(report) => {
                violated += u64::from(report.verdict == Verdict::Violated);
                unknown += u64::from(report.verdict == Verdict::Unknown);
            }
            Err(wrong) => panic!("seed {seed}: {wrong}\n{text}"),
        }
    }
    assert!(violated >= models / 10 && models - violated - unknown >= models / 10, "{violated} {unknown}");
}

/// A cover in a function that an invariant calls counts once in each state, also where the invariant is evaluated in
/// the states that are found.
#[test]
fn covers_of_late_invariants() {
    let text = "var x: 0..5; y: boolean;
function even(n: 0..5): boolean; begin cover n = 4; return n % 2 = 0; end;
startstate x := 0; y := false; end;
rule x < 5 ==> x := x + 1; end;
rule y := !y; end;
invariant even(x) | x % 2 = 1;";
    let mut options = diagrams(Search::Bfs, Order::Auto);
    options.diagrams.sizes = Sizes::SMALLEST;
    let report = compare(&Source::new("cover.m", text), &no_limits(), DeadlockMode::Off, options).unwrap();
    assert!(report.properties.iter().any(|property| property.covered == Some(2)), "{:?}", report.properties);
}

/// The models, with constants for which they are small, and what is known to differ in size only.
const MODELS: &[(&str, &[(&str, &str)])] = &[
    ("bus_arbiter", &[]),
    ("dining", &[]),
    ("dining_ring", &[]),
    ("distributed_lock", &[]),
    ("german", &[]),
    ("mcs_lock", &[]),
    ("mcs_lock_abstract", &[("N", "2")]),
    ("msi", &[("N", "1")]),
    ("needham_schroeder", &[]),
    ("peterson", &[]),
    ("readers_writer_priority", &[]),
    ("readers_writers", &[]),
    ("ring_election", &[("N", "2")]),
    ("semaphore_mutex", &[]),
    ("token_mutex", &[]),
    ("token_ring", &[]),
];

fn model(name: &str) -> Source {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi").join(format!("{name}.m"));
    Source::new(name, std::fs::read_to_string(file).expect("a model"))
}

#[test]
fn models() {
    for (name, constants) in MODELS {
        let constants: Vec<_> =
            constants.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        for (search, order) in SEARCHES.into_iter().zip(ORDERS) {
            let mut options = Options { constants: constants.clone(), ..diagrams(search, order) };
            options.diagrams.reorder = search == Search::Saturation;
            compare(&model(name), &no_limits(), DeadlockMode::Stuttering, options)
                .unwrap_or_else(|wrong| panic!("{name}, {search:?}, {order:?}: {wrong}"));
        }
    }
}

/// One relation of all steps leads to the same states; and reordering while nodes are many, too.
#[test]
fn one_relation_and_other_orders() {
    for (name, n) in [("german_nodata", "3"), ("mcs_lock_abstract", "4")] {
        for (reorder, monolithic) in [(true, false), (false, true), (true, true)] {
            let mut options = diagrams(Search::Chaining, Order::Interleaved);
            options.constants = vec![("N".to_owned(), n.to_owned())];
            (options.diagrams.reorder, options.diagrams.monolithic) = (reorder, monolithic);
            compare(&model(name), &no_limits(), DeadlockMode::Stuttering, options)
                .unwrap_or_else(|wrong| panic!("{name}, {reorder} {monolithic}: {wrong}"));
        }
    }
}

/// Level by level, a counterexample is as short as the explicit one, and a bound cuts off the same states.
#[test]
fn levels_are_distances() {
    for name in ["dining", "needham_schroeder"] {
        let ours = check(&model(name), &diagrams(Search::Bfs, Order::Auto)).expect("a correct model");
        let theirs = check(&model(name), &explicit()).expect("a correct model");
        let length = |report: &Report| {
            let violations = report.properties.iter().flat_map(|property| &property.violations);
            violations.map(|violation| violation.trace.steps.len()).min()
        };
        assert!(length(&ours).is_some(), "{name} is violated");
        assert_eq!(length(&ours), length(&theirs), "{name}");
    }
    for bound in 0..5 {
        let limits = Limits { bound: Some(bound), ..no_limits() };
        let options = diagrams(Search::Bfs, Order::Auto);
        let report = compare(&model("german"), &limits, DeadlockMode::Stuttering, options)
            .unwrap_or_else(|wrong| panic!("bound {bound}: {wrong}"));
        assert_eq!((report.limit, report.depth), (Some(Limit::Bound), Some(bound)));
    }
}

/// An arbitrary permutation as state: diagrams explode, and the limits end that with what is known.
#[test]
fn limits_end_an_explosion() {
    let source = Source::new(
        "permutation.m",
        "const N: 14;
         var a: array [0 .. N - 1] of 0 .. N - 1;
         startstate for i: 0 .. N - 1 do a[i] := i; end; end;
         ruleset i: 0 .. N - 1; j: 0 .. N - 1 do
           rule i < j ==> var t: 0 .. N - 1; begin t := a[i]; a[i] := a[j]; a[j] := t; end;
         end;
         invariant \"small\" a[0] < N;",
    );
    let mut options = diagrams(Search::Chaining, Order::Auto);
    options.limits.memory = Some(2 << 20);
    let report = check(&source, &options).expect("a correct model");
    assert_eq!((report.verdict, report.limit), (Verdict::Unknown, Some(Limit::Memory)));
    assert!(report.nodes.is_some_and(|nodes| nodes.peak > 1000) && report.states > 1);

    options.limits.memory = Some(1 << 30);
    options.limits.time = Some(Duration::from_millis(50));
    let report = check(&source, &options).expect("a correct model");
    assert_eq!((report.verdict, report.limit), (Verdict::Unknown, Some(Limit::Time)));
    assert!(report.time < Duration::from_secs(30), "{:?}", report.time);
}

/// More states than any machine number holds are counted exactly: (2^100)^2.
#[test]
fn counts_are_exact() {
    let source = Source::new(
        "bits.m",
        "var a: array [1 .. 200] of boolean;
         startstate for i: 1 .. 200 do a[i] := false; end; end;
         ruleset i: 1 .. 200 do rule a[i] := !a[i]; end; end;",
    );
    let report = check(&source, &diagrams(Search::Chaining, Order::Auto)).expect("a correct model");
    assert_eq!(report.verdict, Verdict::Holds);
    let states = "1606938044258990275541962092341162602522202993782792835301376";
    assert_eq!(report.states_text.as_deref(), Some(states));
    let json = burnside::report::json::render(&report).expect("a report");
    assert!(json.contains(&format!("\"states\": \"{states}\"")), "{json}");
}
