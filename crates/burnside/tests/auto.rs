//! How `auto` chooses: several groups in turns, short searches before a reduction that may not pay, engines that race.
//!
//! Random models with properties of which some name elements, and several fail, are compared with the unreduced search:
//! with the usual patience, and with none, where all that would happen to large models only happens to these.
//!
//! `BURNSIDE_MODELS` asks for more models than the usual ones, `BURNSIDE_SEED` for others.

#[allow(dead_code, reason = "the generator of numbers is all that is needed here")]
#[path = "random/rng.rs"]
mod rng;

use std::fmt::Write;
use std::num::NonZero;

use burnside::{Engine, Limit, Limits, Options, Patience, Reduce, Report, Source, Verdict, check};
use rng::Rng;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

fn run(text: &str, options: &Options) -> Report {
    check(&Source::new("test.m", text), options).expect("a report")
}

fn verdict(report: &Report, name: &str) -> Verdict {
    report.properties.iter().find(|property| property.name == name).expect("the property").verdict
}

/// Processes that count, of which nothing tells the order.
fn counters(n: u32, properties: &str) -> String {
    format!(
        "type P: 1..{n}; V: 0..5; var s: array [P] of V;
        startstate for p: P do s[p] := 0; end; end;
        ruleset p: P do
          rule \"up\" s[p] < 5 ==> s[p] := s[p] + 1; end;
          rule \"down\" s[p] = 5 ==> s[p] := 0; end;
        end;
        {properties}"
    )
}

/// A property that breaks the symmetry is violated in the start state, and there are more orbits than anybody could
/// explore: it is found at once.
#[test]
fn a_violation_that_breaks_the_symmetry_is_found_at_once() {
    let text = counters(
        24,
        "invariant \"all\" forall p: P do s[p] <= 5 end; invariant \"two\" s[1] + s[2] <= 10;
        invariant \"one\" s[3] > 0;",
    );
    let report = run(&text, &Options::default());
    assert_eq!((report.verdict, report.limit), (Verdict::Violated, Some(Limit::MaxErrors)));
    assert_eq!(verdict(&report, "one"), Verdict::Violated);
    let explored: u64 = report.runs.iter().filter_map(|run| run.states.parse::<u64>().ok()).sum();
    assert!(explored < 300_000, "{:?}", report.runs);
}

/// A symmetric property is violated where the larger search of a property that breaks the symmetry never comes.
#[test]
fn a_deep_symmetric_violation_is_found_beside_a_search_that_does_not_end() {
    let text = counters(
        16,
        "invariant \"not all\" exists p: P do s[p] < 5 end; invariant \"one\" s[1] + s[3] + s[5] + s[7] <= 20;",
    );
    let report = run(&text, &Options { engine: Engine::Explicit, ..Options::default() });
    assert_eq!(verdict(&report, "not all"), Verdict::Violated);
    assert_eq!(verdict(&report, "one"), Verdict::Unknown);
}

/// What the smaller group decides is not explored under the larger one, and the figures are those of one search.
#[test]
fn the_smaller_group_decides_for_the_larger_one() {
    let text = counters(5, "invariant \"all\" forall p: P do s[p] <= 5 end; invariant \"one\" s[2] <= 5;");
    let (report, full) = (run(&text, &Options::default()), run(&text, &none()));
    assert_eq!(report.verdict, Verdict::Holds);
    assert!(report.runs.is_empty(), "{:?}", report.runs);
    assert_eq!(
        (report.symmetry.structure.as_str(), report.symmetry.order.as_str()),
        ("S4(P{1,3,4,5})", "24")
    );
    assert_eq!(report.full_states, Some(full.states.into()));
    // 126 ways to have four of six values, and six values of the one.
    assert_eq!((report.states, full.states), (126 * 6, 6u64.pow(5)));
}

fn none() -> Options {
    Options { reduce: Reduce::None, engine: Engine::Explicit, ..Options::default() }
}

/// Where the rules leave little of the symmetry, a short search without reduction is enough.
#[test]
fn little_symmetry_is_not_tried_for_long() {
    for n in [8, 12] {
        let text = format!(
            "type P: 1..{n}; var s: array [P] of enum {{ I, T, C }};
            startstate for p: P do s[p] := I; end; end;
            ruleset p: P do
              rule \"try\" s[p] = I ==> s[p] := T; end;
              rule \"enter\" s[p] = T & (forall q: P do s[q] != C & (q < p -> s[q] != T) end) ==> s[p] := C; end;
              rule \"leave\" s[p] = C ==> s[p] := I; end;
            end;"
        );
        let (report, full) = (run(&text, &Options::default()), run(&text, &none()));
        assert_eq!((report.verdict, report.full_states), (Verdict::Holds, full.full_states), "{n}");
        assert!(n < 12 || report.reduction == "none" && report.states == full.states, "{n}");
    }
}

/// Two processes that are mostly alike: exchanging them saves a quarter of the states, and costs more.
#[test]
fn a_small_group_that_saves_little_is_not_used() {
    let text = |last: u32| {
        format!(
            "type P: 1..2; var a: array [P] of boolean; c: 0..{last};
            startstate c := 0; for p: P do a[p] := false; end; end;
            rule \"count\" true ==> if c = {last} then c := 0; else c := c + 1; end; end;
            ruleset p: P do rule \"turn\" c = 0 ==> a[p] := !a[p]; end; end;"
        )
    };
    for (last, reduction) in [(99, "canonical"), (19_999, "none")] {
        let report = run(&text(last), &Options::default());
        assert_eq!((report.verdict, report.reduction.as_str()), (Verdict::Holds, reduction));
        assert_eq!(report.full_states, Some(4 * (u128::from(last) + 1)));
    }
}

/// A model that ends before anything else begins is not raced for, and says so by saying nothing.
#[test]
fn a_small_model_is_not_raced_for() {
    let report = run(&counters(4, ""), &Options::default());
    assert_eq!((report.engine.as_str(), report.runs.len()), ("explicit", 0));
}

/// A random model with interchangeable values, and properties that name some of them or none.
fn random_model(rng: &mut Rng) -> String {
    let mut text = "type P: 1..4; V: 0..2; var s: array [P] of V; t: array [P] of boolean; g: V;
        startstate for p: P do s[p] := 0; t[p] := false; end; g := 0; end;
        ruleset p: P do\n"
        .to_owned();
    for number in 0..2 + rng.below(4) {
        let mut guard = format!("s[p] = {}", rng.below(3));
        for more in ["t[p]", "!t[p]", "g = 1", "g != 2", "exists q: P do q != p & s[q] = 1 end"] {
            if rng.chance(15) {
                let _ = write!(guard, " & ({more})");
            }
        }
        let mut body = format!("s[p] := {};", rng.below(3));
        for more in ["t[p] := !t[p];", "g := s[p];", "for q: P do t[q] := false; end;"] {
            if rng.chance(35) {
                body.push_str(more);
            }
        }
        let _ = writeln!(text, "rule \"r{number}\" {guard} ==> {body} end;");
    }
    text.push_str("end;\n");
    for number in 0..2 + rng.below(4) {
        let (k, l) = (1 + rng.below(4), 1 + rng.below(4));
        let (a, b) = (rng.below(3), rng.below(3));
        let condition = match rng.below(7) {
            0 => format!("forall p: P do s[p] != {a} end"),
            1 => format!("forall p: P do s[p] = {a} -> !t[p] end"),
            2 => format!("exists p: P do s[p] != {a} | t[p] end"),
            3 => format!("s[{k}] != {a}"),
            4 => format!("s[{k}] != {a} | s[{l}] != {b}"),
            5 => format!("!(t[{k}] & t[{l}])"),
            _ => format!("g != {a} | t[{k}] | s[{l}] = {b}"),
        };
        let kind = if rng.chance(80) { "invariant" } else { "cover" };
        let _ = writeln!(text, "{kind} \"p{number}\" {condition};");
    }
    text
}

#[test]
fn random_models_with_mixed_properties() {
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", 150));
    let (mut several, mut tried, mut partly, mut violated) = (0, 0, 0, 0);
    for seed in first..first + models {
        let text = random_model(&mut Rng::new(seed));
        let all = |limits: &mut Limits| limits.max_errors = u64::MAX;
        let mut options = none();
        all(&mut options.limits);
        let full = run(&text, &options);
        violated +=
            usize::from(full.properties.iter().filter(|p| p.verdict == Verdict::Violated).count() > 1);
        for (way, max_errors) in (0..4).flat_map(|way| [1, 2, u64::MAX].map(|errors| (way, errors))) {
            let mut options = Options { threads: NonZero::<usize>::MIN, ..Options::default() };
            options.limits.max_errors = max_errors;
            match way {
                0 => {}
                1 => (options.engine, options.patience) = (Engine::Explicit, Patience::NONE),
                2 => options.patience = Patience::NONE,
                _ => {
                    options.patience = Patience::NONE;
                    options.threads = NonZero::new(2).expect("two");
                }
            }
            let report = run(&text, &options);
            compare(
                &full,
                &report,
                max_errors,
                &format!("seed {seed}, way {way}, {max_errors} errors\n{text}"),
            );
            several += usize::from(report.runs.iter().filter(|run| run.tried.is_none()).count() > 1);
            tried += usize::from(report.runs.iter().any(|run| run.tried.is_some()));
            partly += usize::from(report.limit == Some(Limit::MaxErrors));
            // Without a race, nothing depends on the time.
            if way == 1 {
                let again = run(&text, &options);
                assert_eq!(summary(&report), summary(&again), "seed {seed}\n{text}");
            }
        }
    }
    println!(
        "{several} with several searches, {tried} raced, {partly} ended early, {violated} with several violations"
    );
    assert!(models < 150 || (several > 50 && tried > 50 && partly > 50 && violated > 30));
}

/// What must not depend on the time.
fn summary(report: &Report) -> (Vec<Verdict>, u64, Vec<(String, String)>) {
    let verdicts = report.properties.iter().map(|property| property.verdict).collect();
    (
        verdicts,
        report.states,
        report.runs.iter().map(|run| (run.symmetry.clone(), run.states.clone())).collect(),
    )
}

fn compare(full: &Report, report: &Report, max_errors: u64, of: &str) {
    assert_eq!(report.verdict, full.verdict, "{of}");
    for (a, b) in full.properties.iter().zip(&report.properties) {
        let known = b.verdict != Verdict::Unknown || max_errors == u64::MAX;
        assert!(
            a.name == b.name && (!known || a.verdict == b.verdict),
            "`{}` {:?} {:?}: {of}",
            a.name,
            a.verdict,
            b.verdict
        );
    }
    // The figures are those of one search, and add up.
    let fits = |states: u128| states >= u128::from(report.states) && states <= u128::from(full.states);
    assert!(report.full_states.is_none_or(fits), "{:?}: {of}", report.full_states);
    if report.limit.is_none() {
        assert!(report.full_states.is_none_or(|states| states == u128::from(full.states)), "{of}");
    }
    let runs = report.runs.iter().filter(|run| run.tried.is_none());
    let mut named: Vec<&String> = runs.flat_map(|run| &run.properties).collect();
    named.sort();
    let count = named.len();
    named.dedup();
    assert_eq!(named.len(), count, "a property is decided once: {of}");
}
