//! Counting against search state by state: the same verdicts, and as many counted states as there are orbits.
//!
//! `BURNSIDE_MODELS` asks for more random models than the usual ones, `BURNSIDE_SEED` for others.

#[allow(dead_code, reason = "not everything about random models is needed here")]
mod random;

use std::path::Path;

use burnside::{DeadlockMode, Engine, Failure, Limit, Options, Reduce, Report, Source, Verdict, check};
use burnside_lang::murphi::printer;
use random::compare::no_limits;
use random::shape;

const DEADLOCKS: [DeadlockMode; 3] = [DeadlockMode::Off, DeadlockMode::Stuck, DeadlockMode::Stuttering];

fn options(engine: Engine, deadlock: DeadlockMode) -> Options {
    Options { engine, deadlock, limits: no_limits(), ..Options::default() }
}

fn model(name: &str, constants: &[(&str, &str)]) -> (Source, Vec<(String, String)>) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi").join(format!("{name}.m"));
    let owned = |(name, value): &(&str, &str)| ((*name).to_owned(), (*value).to_owned());
    let source = Source::new(name, std::fs::read_to_string(file).expect("a model"));
    (source, constants.iter().map(owned).collect())
}

/// Checks a model in both ways. Nothing if its elements are not counted.
fn compare(source: &Source, constants: &[(String, String)], deadlock: DeadlockMode) -> Option<Report> {
    let constants = constants.to_vec();
    let ours =
        match check(source, &Options { constants: constants.clone(), ..options(Engine::Count, deadlock) }) {
            Ok(ours) => ours,
            Err(Failure::Refused(_)) => return None,
            Err(failure) => panic!("{failure:?}\n{}", source.text()),
        };
    let theirs = Options { constants: constants.clone(), ..options(Engine::Interpreter, deadlock) };
    let unreduced =
        check(source, &Options { reduce: Reduce::None, ..theirs.clone() }).expect("it was read before");
    for (ours, theirs) in ours.properties.iter().zip(&unreduced.properties) {
        assert_eq!((&ours.name, ours.verdict), (&theirs.name, theirs.verdict), "{}", source.text());
    }
    assert_eq!((ours.properties.len(), ours.verdict), (unreduced.properties.len(), unreduced.verdict));
    let reduced = check(source, &theirs).expect("it was read before");
    if reduced.symmetry.order == ours.symmetry.order
        && reduced.limit.is_none()
        && reduced.reduction == "canonical"
    {
        assert_eq!(ours.states, reduced.states, "{}", source.text());
    }
    Some(ours)
}

#[test]
fn models() {
    let counted: &[(&str, &[(&str, &str)])] = &[
        ("token_mutex", &[("N", "4")]),
        ("semaphore_mutex", &[]),
        ("readers_writers", &[]),
        ("mcs_lock_abstract", &[("N", "3")]),
        ("german_nodata", &[]),
        ("german", &[]),
    ];
    for (name, constants) in counted {
        let (source, constants) = model(name, constants);
        assert!(compare(&source, &constants, DeadlockMode::Stuttering).is_some(), "{name} is not counted");
    }
}

#[test]
fn random_models() {
    let number = |name: &str, otherwise: u64| {
        std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (first, models) = (number("BURNSIDE_SEED", 0), number("BURNSIDE_MODELS", 1000));
    let (mut counted, mut violated) = (0, 0);
    for seed in first..first + models {
        let text = printer::print(&random::model(seed, shape::Options { extensions: true }));
        let source = Source::new("random.m", &text);
        if let Some(report) = compare(&source, &[], DEADLOCKS[seed as usize % 3]) {
            counted += 1;
            violated += u64::from(report.verdict == Verdict::Violated);
        }
    }
    println!("{counted} of {models} are counted, {violated} violated");
    assert!(counted >= models / 20 && violated >= models / 100, "{counted} {violated}");
}

#[test]
fn large_numbers_are_quick() {
    let states = |name: &str, constants: &[(&str, &str)]| {
        let (source, constants) = model(name, constants);
        let report = check(&source, &Options { constants, ..options(Engine::Count, DeadlockMode::Off) });
        let report = report.expect("a model that is counted");
        assert_eq!(report.verdict, Verdict::Holds);
        report.states
    };
    assert_eq!(states("token_mutex", &[("N", "100")]), 300);
    assert_eq!(states("readers_writers", &[("N", "100")]), 530_351);
}

#[test]
fn limits_end_it() {
    let (source, constants) = model("german_nodata", &[("N", "12")]);
    let mut options = Options { constants, ..options(Engine::Count, DeadlockMode::Off) };
    options.limits.memory = Some(100_000);
    let report = check(&source, &options).expect("a partial report");
    assert_eq!((report.verdict, report.limit), (Verdict::Unknown, Some(Limit::Memory)));
}

/// Claimed generators are fewer than all permutations: to count would be wrong.
#[test]
fn a_smaller_group_is_refused() {
    let text = r#"type P : enum { a, b, c }; var on : array [P] of boolean;
        generator "turn" of P = (a b c);
        startstate for p : P do on[p] := false; end; end;
        rule "a" !on[b] ==> on[a] := !on[a]; end;
        rule "b" !on[c] ==> on[b] := !on[b]; end;
        rule "c" !on[a] ==> on[c] := !on[c]; end;"#;
    let failure = check(&Source::new("test.m", text), &options(Engine::Count, DeadlockMode::Off));
    let Err(Failure::Refused(message)) = failure else { panic!("{failure:?}") };
    assert!(message.contains("not all permutations are symmetries"), "{message}");
}

/// What cannot be counted is refused with the reason and the line.
#[test]
fn refusals_say_why() {
    let cases = [
        (
            "var next : array [P] of P;",
            "undefine next;",
            "",
            "`next[P_0]`, local to a `P`, holds a `P` (line 2)",
        ),
        (
            "var on : array [P] of boolean;",
            "for p : P do on[p] := false; end;",
            "function many() : boolean; var n : 0..3; begin n := 0; for p : P do if on[p] then n := n + 1; end; end; return n > 1; end;",
            "adds something up over all elements (line 3)",
        ),
        (
            "var on : array [P] of boolean;",
            "for p : P do on[p] := false; end;",
            "assume exists p : P do !on[p] end;",
            "assumptions about all elements are not counted (line 3)",
        ),
    ];
    for (variables, start, more, reason) in cases {
        let invariant = if more.contains("many") { "invariant \"few\" !many() | true;" } else { "" };
        let text = format!(
            "type P : scalarset(3);\n{variables}\n{more}\nstartstate {start} end;\nrule \"r\" true ==> end;\n{invariant}"
        );
        let failure = check(&Source::new("test.m", &text), &options(Engine::Count, DeadlockMode::Off));
        let Err(Failure::Refused(message)) = failure else { panic!("{failure:?}\n{text}") };
        assert!(message.contains(reason), "{message}");
    }
}
