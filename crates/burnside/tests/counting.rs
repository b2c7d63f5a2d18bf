//! Counting against search state by state: the same verdicts, and as many counted states as there are orbits.
//!
//! `BURNSIDE_MODELS` asks for more random models than the usual ones, `BURNSIDE_SEED` for others.

#[allow(dead_code, reason = "not everything about random models is needed here")]
mod random;

#[path = "../../counting/tests/countable/mod.rs"]
mod countable;

use std::path::Path;

use burnside::{
    Counters, DeadlockMode, Detect, Engine, Failure, Form, Limit, Limits, Options, Reduce, Report, Source,
    Verdict, check, counter_program,
};
use burnside_lang::murphi::printer;
use burnside_logic::concrete::Concrete;
use burnside_model::code::{Semantics, Undefined};
use burnside_model::system::PropertyKind;
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

/// How counted states are kept.
const WAYS: [Counters; 3] = [Counters::Diagram, Counters::Explicit, Counters::Bdd];

/// The memory for one way: few models have programs that are too much for decision diagrams, and those end soon. (A limit
/// of time would leave a thread behind that goes on with its last operation.)
fn memory_for(counters: Counters) -> Option<u64> {
    (counters == Counters::Bdd).then_some(8 << 20)
}

/// Checks a model in both ways, and in the wanted ways to count. Nothing if its elements are not counted; otherwise how many ways
/// there were.
fn compare(
    source: &Source,
    constants: &[(String, String)],
    deadlock: DeadlockMode,
    wanted: &[Counters],
) -> Option<(Report, usize)> {
    let constants = constants.to_vec();
    let (mut first, mut ways) = (None, 0);
    for counters in wanted.iter().copied() {
        let mut asked =
            Options { constants: constants.clone(), counters, ..options(Engine::Count, deadlock) };
        asked.limits.memory = memory_for(counters);
        let ours = match check(source, &asked) {
            Ok(ours) if ours.limit == Some(Limit::Memory) => continue,
            Ok(ours) => ours,
            Err(Failure::Refused(_)) => continue,
            Err(failure) => panic!("{counters:?}: {failure:?}\n{}", source.text()),
        };
        compare_with_search(source, &constants, deadlock, &ours);
        ways += 1;
        first = first.or(Some(ours));
    }
    Some((first?, ways))
}

/// Compares with the explicit engine, unreduced, whatever may be done with undefined values.
fn compare_modes(source: &Source, deadlock: DeadlockMode) {
    for undefined in Undefined::ALL {
        let semantics = Semantics { undefined, ..Semantics::default() };
        let ours = Options { semantics, ..options(Engine::Count, deadlock) };
        let Ok(ours) = check(source, &ours) else { continue };
        let theirs = Options { semantics, reduce: Reduce::None, ..options(Engine::Interpreter, deadlock) };
        let theirs = check(source, &theirs).expect("it was read before");
        for (ours, theirs) in ours.properties.iter().zip(&theirs.properties) {
            assert_eq!(ours.verdict, theirs.verdict, "{undefined:?}, {}: {}", ours.name, source.text());
        }
    }
}

/// Compares with the explicit engine, reduced and not.
fn compare_with_search(
    source: &Source,
    constants: &[(String, String)],
    deadlock: DeadlockMode,
    ours: &Report,
) {
    let theirs = Options { constants: constants.to_vec(), ..options(Engine::Interpreter, deadlock) };
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
        if let Some(fired) = ours.rules_fired {
            assert_eq!(Some(fired), reduced.rules_fired, "{}", source.text());
            assert_eq!((ours.depth, ours.full_states), (reduced.depth, reduced.full_states));
        }
    }
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
        // The program that counts German's data has thousands of rules: too many for decision diagrams.
        let ways = if *name == "german" { &WAYS[..2] } else { &WAYS };
        let counted = compare(&source, &constants, DeadlockMode::Stuttering, ways);
        assert_eq!(counted.map_or(0, |(_, ways)| ways), ways.len(), "{name} is not counted in all ways");
    }
    let (source, constants) = model("peterson", &[("N", "3")]);
    let ways = compare(&source, &constants, DeadlockMode::Stuttering, &WAYS).map_or(0, |(_, ways)| ways);
    assert_eq!(ways, 1, "peterson adds up, which can be counted one by one");
}

/// The printed program, checked like any model, has as many states as there are orbits, and the same verdicts.
#[test]
fn printed_programs() {
    let names =
        ["token_mutex", "semaphore_mutex", "readers_writers", "mcs_lock_28", "german_nodata", "german"];
    for name in names {
        let (source, _) = model(name, &[]);
        compare_program(&source, DeadlockMode::Stuttering);
    }
    // That of the paper is right where at most one variable holds an id, and always does.
    for name in ["token_mutex", "semaphore_mutex", "readers_writers"] {
        let (source, _) = model(name, &[]);
        assert!(compare_form(&source, DeadlockMode::Stuttering, Form::Paper), "{name}");
    }
}

/// Formulas about all elements alike are in the printed program.
#[test]
fn printed_formulas() {
    let (source, _) = model("token_mutex_ctl", &[]);
    let refused = counter_program(&source, &options(Engine::Count, DeadlockMode::Off), Form::Extended);
    let Err(Failure::Refused(why)) = refused else { panic!("{refused:?}") };
    assert!(why.contains("does not tell elements apart (line 82)"), "{why}");
    let alike = source.text().split("ctl \"nobody starves\"").next().expect("the first part");
    let more = "ctl \"back\" AG EF (forall p : Pid do loc[p] = NonCritical end);
        ctl \"never\" EF (exists p : Pid do exists q : Pid do p != q & loc[p] = Critical & loc[q] = Critical end end);
        liveness \"rest\" forall p : Pid do loc[p] = NonCritical end;";
    for form in [Form::Extended, Form::Paper] {
        assert!(compare_form(&Source::new("alike.m", format!("{alike}{more}")), DeadlockMode::Off, form));
    }
}

fn compare_program(source: &Source, deadlock: DeadlockMode) {
    assert!(compare_form(source, deadlock, Form::Extended), "{}", source.text());
}

/// The same for a program in some form; whether there is one.
fn compare_form(source: &Source, deadlock: DeadlockMode, form: Form) -> bool {
    let asked = Options { counters: Counters::Diagram, ..options(Engine::Count, deadlock) };
    let counted = check(source, &asked).expect("it is counted");
    let text = match counter_program(source, &asked, form) {
        Ok(text) => text,
        Err(Failure::Refused(why)) if why.contains("the paper's form") => return false,
        Err(failure) => panic!("{failure:?}\n{}", source.text()),
    };
    let program = Source::new("program.m", &text);
    // A step to the same counts may be one to another state: what changes nothing is not in the program.
    let deadlock = if deadlock == DeadlockMode::Off { DeadlockMode::Off } else { DeadlockMode::Stuck };
    let plain = Options { reduce: Reduce::None, ..options(Engine::Auto, deadlock) };
    let report = check(&program, &plain).unwrap_or_else(|failure| panic!("{failure:?}\n{text}"));
    assert_eq!(report.states, counted.states, "{}\n{text}", source.text());
    for (ours, theirs) in report.properties.iter().zip(&counted.properties) {
        assert_eq!((&ours.name, ours.verdict), (&theirs.name, theirs.verdict), "{}\n{text}", source.text());
    }
    assert_eq!(report.properties.len(), counted.properties.len());
    true
}

fn number(name: &str, otherwise: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// Models that are countable by construction, in all ways.
#[test]
fn random_countable_models() {
    let (first, models) = (number("BURNSIDE_SEED", 0), number("BURNSIDE_MODELS", 12));
    let (mut seed, mut compared, mut all_ways, mut violated, mut paper) = (first, 0, 0, 0, 0);
    while compared < models {
        let source = Source::new("random.m", countable::model(seed));
        let deadlock = DEADLOCKS[seed as usize % 3];
        seed += 1;
        // Few states are of no interest, many take long.
        let small = Options {
            limits: Limits { bound: Some(40), ..no_limits() },
            ..options(Engine::Explicit, deadlock)
        };
        let states = check(&source, &small).expect("a model").states;
        if !(4..2000).contains(&states) {
            continue;
        }
        let (report, ways) = compare(&source, &[], deadlock, &WAYS).expect("it is countable");
        compare_modes(&source, deadlock);
        compared += 1;
        all_ways += u64::from(ways == WAYS.len());
        violated += u64::from(report.verdict == Verdict::Violated);
        if ways == WAYS.len() {
            compare_program(&source, deadlock);
            paper += u64::from(compare_form(&source, deadlock, Form::Paper));
        }
    }
    let tried = seed - first;
    println!(
        "{compared} of {tried} models compared, {all_ways} in all ways, {violated} violated, {paper} as in the paper"
    );
    assert!(paper >= compared / 20, "{paper}");
    assert!(all_ways >= compared * 3 / 4 && violated >= compared / 6, "{all_ways} {violated}");
}

/// What there was to compare, where formulas are decided.
#[derive(Debug, Default)]
struct Formulas {
    models: u64,
    taken: [u64; WAYS.len()],
    holds: u64,
    violated: u64,
    faulty: u64,
    live: [u64; 2],
    lassos: u64,
    shown: u64,
}

/// Formulas and liveness, of all elements and of single ones, against the concrete graph and the search state by state.
/// Every run that is shown was executed by the check itself.
#[test]
fn temporal_properties_of_random_countable_models() {
    let (first, models) = (number("BURNSIDE_SEED", 0), number("BURNSIDE_MODELS", 40));
    let (mut seed, mut counts) = (first, Formulas::default());
    while counts.models < models {
        compare_formulas(&countable::temporal(seed), &mut counts);
        seed += 1;
    }
    println!("{counts:?}");
    assert!(counts.taken.iter().all(|taken| *taken >= models * 6 / 10), "{counts:?}");
    assert!(counts.holds > models / 2 && counts.violated > models / 2, "{counts:?}");
    assert!(counts.lassos > models / 10 && counts.shown > models / 20, "{counts:?}");
    assert!(counts.live.iter().all(|live| *live > models / 20), "{counts:?}");
    if models >= 500 {
        assert!(counts.faulty > 10, "{counts:?}");
    }
}

fn compare_formulas(text: &str, counts: &mut Formulas) {
    let source = Source::new("random.m", text);
    let model = burnside_lang::murphi::load(&source, &[]).0.unwrap_or_else(|| panic!("{text}"));
    let Some(concrete) = Concrete::explore(&model, Semantics::default(), 1200) else { return };
    if concrete.states.len() < 4 {
        return;
    }
    let plain = Options { reduce: Reduce::None, ..options(Engine::Interpreter, DeadlockMode::Off) };
    let searched = check(&source, &plain).expect("a model");
    counts.models += 1;
    let mut faulty = false;
    let expected: Vec<_> = model
        .properties
        .iter()
        .filter(|property| property.kind == PropertyKind::Ctl)
        .map(|property| (&property.name, concrete.verdict(property).ok()))
        .collect();
    for (_, verdict) in &expected {
        counts.holds += u64::from(*verdict == Some(Verdict::Holds));
        counts.violated += u64::from(*verdict == Some(Verdict::Violated));
        counts.faulty += u64::from(verdict.is_none());
        faulty |= verdict.is_none();
    }
    for (number, counters) in WAYS.into_iter().enumerate() {
        let mut asked = Options { counters, ..options(Engine::Count, DeadlockMode::Off) };
        asked.limits.memory = memory_for(counters);
        let report = match check(&source, &asked) {
            Ok(report) if report.limit == Some(Limit::Memory) => continue,
            Ok(report) => report,
            Err(Failure::Refused(why)) => {
                assert!(counters != Counters::Explicit, "{why}\n{text}");
                continue;
            }
            Err(failure) => panic!("{counters:?}: {failure:?}\n{text}"),
        };
        assert_eq!(report.limit, None, "{text}");
        counts.taken[number] += 1;
        for found in &report.properties {
            let stated =
                expected.iter().find(|(name, _)| found.kind == PropertyKind::Ctl && **name == found.name);
            let theirs = searched.properties.iter().find(|p| p.name == found.name && p.kind == found.kind);
            let wanted = match (stated, theirs) {
                (Some((_, verdict)), _) => verdict.unwrap_or(Verdict::Unknown),
                (None, Some(_)) if faulty && found.kind == PropertyKind::NoFault => Verdict::Violated,
                (None, Some(theirs)) => theirs.verdict,
                (None, None) => panic!("{} is not known\n{text}", found.name),
            };
            assert_eq!(found.verdict, wanted, "{counters:?}: {}\n{text}", found.name);
            if wanted == Verdict::Violated && found.kind != PropertyKind::Cover {
                assert!(!found.violations.is_empty(), "{counters:?}: {} has no run\n{text}", found.name);
            }
            counts.lassos += found.violations.iter().filter(|v| v.trace.back.is_some()).count() as u64;
            counts.shown += u64::from(found.witness.is_some());
            if found.kind == PropertyKind::Liveness && counters == Counters::Explicit {
                counts.live[usize::from(found.verdict == Verdict::Violated)] += 1;
            }
        }
    }
}

#[test]
fn random_models() {
    let (first, models) = (number("BURNSIDE_SEED", 0), number("BURNSIDE_MODELS", 300));
    let (mut counted, mut violated) = (0, 0);
    for seed in first..first + models {
        let text = printer::print(&random::model(seed, shape::Options { extensions: true }));
        let source = Source::new("random.m", &text);
        if let Some((report, _)) = compare(&source, &[], DEADLOCKS[seed as usize % 3], &WAYS[..2]) {
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
    // More than 2^128 orbits are not none.
    assert_eq!(states("semaphore_mutex", &[("N", "80"), ("L", "80")]), u64::MAX);
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

/// A scalarset that cannot be counted is like any other type; the others are counted all the same.
#[test]
fn the_others_are_counted() {
    let text = |p: &str| {
        format!(
            r#"type P : {p}; Q : scalarset(3);
            var next : array [P] of P; on : array [Q] of boolean; last : Q;
            startstate for p : P do next[p] := p; end; for q : Q do on[q] := false; end; end;
            ruleset p : P; r : P do rule "link" next[p] = p ==> next[p] := r; end; end;
            ruleset q : Q do rule "on" !on[q] ==> on[q] := true; last := q; end; end;"#
        )
    };
    let counted =
        check(&Source::new("test.m", text("scalarset(3)")), &options(Engine::Count, DeadlockMode::Off));
    let counted = counted.expect("one of them is counted");
    let plain = Options { detect: Detect::Off, ..options(Engine::Explicit, DeadlockMode::Off) };
    let plain = check(&Source::new("test.m", text("0 .. 2")), &plain).expect("a model");
    assert_eq!((counted.states, counted.warnings.len()), (plain.states, 1));
    assert!(counted.warnings[0].message.contains("`P` are not counted"));
}

/// With many elements that can be counted, they are; otherwise the explicit engine works.
#[test]
fn many_elements_are_counted_by_default() {
    let engine = |name: &str, n: &str| {
        let (source, constants) = model(name, &[("N", n)]);
        let asked = Options { constants, ..options(Engine::Auto, DeadlockMode::Stuttering) };
        let report = check(&source, &asked).expect("a model");
        (report.engine, report.states)
    };
    assert_eq!(engine("token_mutex", "60"), ("count".to_owned(), 180));
    assert_eq!(engine("token_mutex", "6"), ("explicit".to_owned(), 18));
    assert_eq!(engine("mcs_lock", "2").0, "explicit");
    // What a model prints is printed.
    let text = |put: &str| {
        format!(
            "type P : scalarset(9); var on : array [P] of boolean; startstate clear on; end;
            ruleset p : P do rule !on[p] ==> on[p] := true; {put} end; end;"
        )
    };
    for (put, engine) in [("", "count"), ("put \"on\";", "explicit")] {
        let report = check(&Source::new("test.m", text(put)), &options(Engine::Auto, DeadlockMode::Off));
        assert_eq!(report.expect("a model").engine, engine);
    }
}

/// Where counting takes too much, the explicit engine goes on, and the report says so.
#[test]
fn counting_that_explodes_is_given_up() {
    let (source, constants) = model("german_nodata", &[("N", "14")]);
    let mut asked = Options { constants, ..options(Engine::Auto, DeadlockMode::Off) };
    asked.limits.memory = Some(2 << 20);
    let report = check(&source, &asked).expect("a partial report");
    assert_eq!((report.engine.as_str(), report.limit), ("explicit", Some(Limit::Memory)));
    let said = report.warnings.iter().find(|warning| warning.message.contains("not counted"));
    assert!(said.is_some(), "{:?}", report.warnings);
    // What is asked for is done.
    let report = check(&source, &Options { engine: Engine::Count, ..asked }).expect("a partial report");
    assert_eq!((report.engine.as_str(), report.limit), ("count", Some(Limit::Memory)));
}

/// `cover` statements are met one by one, and liveness may be that of each element.
#[test]
fn covers_and_liveness() {
    let text = r#"type P : scalarset(3); var on, done : array [P] of boolean; last : P;
        ruleset o : P do startstate clear on; clear done; last := o; end; end;
        ruleset p : P do
          rule "on" !on[p] & !done[p] ==> on[p] := true; cover forall q : P do on[q] end; end;
          rule "off" on[p] ==> on[p] := false; done[p] := last = p; last := p; cover done[p] & on[p]; end;
          liveness "done" done[p];
          liveness "last" last = p;
          liveness "on or done" on[p] | done[p];
        end;
        cover "all done" forall p : P do done[p] end;"#;
    let source = Source::new("test.m", text);
    compare(&source, &[], DeadlockMode::Off, &[Counters::Auto, Counters::Explicit]).expect("it is counted");
    let sets =
        source.text().replace("cover forall q : P do on[q] end;", "").replace("cover done[p] & on[p];", "");
    let ways = compare(&Source::new("test.m", &sets), &[], DeadlockMode::Off, &WAYS).map(|(_, ways)| ways);
    assert_eq!(ways, Some(WAYS.len()));
}

/// A formula about one element of many: one is told apart, the others are counted.
#[test]
fn one_of_many_is_told_apart() {
    // So many that the sizes of orbits do not fit.
    let (source, constants) = model("token_mutex_ctl", &[("N", "150")]);
    let sets = Options { constants, ..options(Engine::Count, DeadlockMode::Off) };
    let report = check(&source, &sets).expect("it is counted");
    assert_eq!((report.states, report.verdict), (450, Verdict::Violated));
    let (source, constants) = model("token_mutex_ctl", &[("N", "30")]);
    for counters in [Counters::Diagram, Counters::Explicit] {
        let asked = Options {
            constants: constants.clone(),
            counters,
            ..options(Engine::Count, DeadlockMode::Stuttering)
        };
        let report = check(&source, &asked).expect("it is counted");
        let verdict = |name: &str| report.properties.iter().find(|p| p.name == name).map(|p| p.verdict);
        assert_eq!(verdict("nobody starves"), Some(Verdict::Violated));
        assert_eq!(verdict("everybody may get in"), Some(Verdict::Holds));
        assert_eq!(verdict("the token is kept until it is used"), Some(Verdict::Holds));
    }
}
