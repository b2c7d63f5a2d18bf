//! Every way to check a model, with the limits that a user has who sets none, against the truth of each property.
//!
//! The truth comes from the reference interpreter without reduction, one property at a time, so that no violation hides
//! another. A search that stops at its first violation may leave properties open. It must never say that a property holds
//! that does not, never report a violation that is not there, and never end with an internal error.
//!
//! Mistakes that were planted, each found by these tests with the usual number of models:
//! - violations beyond `--max-errors` in the last level forgotten (tiny models);
//! - a condition that is false in some states and has no value in others taken for one of the two (tiny models);
//! - claims that are wrong taken as evidence for generators beside them (claims);
//! - fairness bound to parameters of another type with the same values (fairness);
//! - one agent remembered for a step of several (fairness);
//! - the limit of violations applied to the questions of the program that counts, and all findings dropped with the first
//!   question that has no answer (calm models).
//!
//! Certificates that prove nothing and were accepted are planted in `certificates.rs`.
//!
//! `BURNSIDE_MODELS` asks for more models than the usual ones, `BURNSIDE_SEED` for others.

#[path = "all_ways/calm.rs"]
mod calm;
#[path = "all_ways/claims.rs"]
mod claims;
#[allow(dead_code, reason = "not everything about countable models is needed here")]
#[path = "../../counting/tests/countable/mod.rs"]
mod countable;
#[path = "all_ways/fair.rs"]
mod fair;
#[allow(dead_code, reason = "not everything about random models is needed here")]
mod random;
#[path = "all_ways/tiny.rs"]
mod tiny;

use std::collections::BTreeMap;
use std::num::NonZero;

use burnside::{
    Counters, Engine, Failure, Kind, Limit, Options, Patience, Reduce, Report, Source, Verdict, check,
};
use burnside_lang::murphi::{load, printer};
use burnside_logic::concrete::Concrete;
use burnside_model::Model;
use burnside_model::code::{Semantics, Types};
use burnside_model::system::PropertyKind;

use random::build::constant;
use random::compare::no_limits;
use random::{explore, generate, shape};

/// The most states of a model.
const MOST: usize = 600;

fn number(variable: &str, otherwise: u64) -> u64 {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
}

/// A name, and what it changes about the options.
type Way = (&'static str, fn(&mut Options));

fn by_diagrams(options: &mut Options, kind: Kind) {
    (options.engine, options.reduce) = (Engine::Bdd, Reduce::Diagrams(kind));
}

fn by_counting(options: &mut Options, counters: Counters) {
    (options.engine, options.counters) = (Engine::Count, counters);
}

const WAYS: [Way; 21] = [
    ("auto", |_| {}),
    ("auto, at once", |o| o.patience = Patience::NONE),
    ("auto, in turns", |o| (o.patience, o.threads) = (Patience::NONE, NonZero::<usize>::MIN)),
    ("explicit", |o| o.engine = Engine::Explicit),
    ("explicit, none", |o| (o.engine, o.reduce) = (Engine::Explicit, Reduce::None)),
    ("explicit, two threads", |o| o.threads = NonZero::new(2).expect("two")),
    ("compact", |o| (o.engine, o.compact) = (Engine::Explicit, true)),
    ("interpreter", |o| o.engine = Engine::Interpreter),
    ("adaptive", |o| o.reduce = Reduce::Adaptive),
    ("bdd", |o| (o.engine, o.reduce) = (Engine::Bdd, Reduce::None)),
    ("on the fly", |o| (o.engine, o.reduce) = (Engine::Bdd, Reduce::OnTheFly)),
    ("dynamic", |o| by_diagrams(o, Kind::Dynamic)),
    ("orbit relation", |o| by_diagrams(o, Kind::OrbitRelation)),
    ("component", |o| by_diagrams(o, Kind::Component)),
    ("component+state", |o| by_diagrams(o, Kind::ComponentState)),
    ("multiple representatives", |o| by_diagrams(o, Kind::MultipleRepresentatives)),
    ("count, diagrams", |o| by_counting(o, Counters::Diagram)),
    ("count, explicit", |o| by_counting(o, Counters::Explicit)),
    ("count, bdd", |o| by_counting(o, Counters::Bdd)),
    ("sat", |o| o.engine = Engine::Sat),
    ("sat, none", |o| (o.engine, o.reduce) = (Engine::Sat, Reduce::None)),
];

/// What is true of a property.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Truth {
    Holds,
    Violated,
    /// It has no value in some state, or cannot be decided beyond an error.
    Open,
}

/// The truth of each property, by kind and name.
type Truths = BTreeMap<(String, String), Truth>;

fn key(kind: PropertyKind, name: &str) -> (String, String) {
    (kind.name().to_owned(), name.to_owned())
}

/// The model in which only this property says something.
fn alone(model: &Model, wanted: Option<usize>) -> Model {
    let mut model = model.clone();
    let speaks =
        |kind| matches!(kind, PropertyKind::Invariant | PropertyKind::Liveness | PropertyKind::Cover);
    for (i, property) in model.properties.iter_mut().enumerate() {
        if Some(i) != wanted && property.condition.is_some() && speaks(property.kind) {
            property.condition = Some(constant(Types::BOOL, 1));
        }
    }
    model.properties.retain(|property| property.formula.is_none());
    model
}

/// The truth about a model of few states; nothing if it has too many, or statements that properties stand for.
fn truths(model: &Model) -> Option<Truths> {
    explore::states(model, Semantics::default(), MOST)?;
    if model.properties.iter().any(|p| p.condition.is_none() && p.formula.is_none()) {
        return None;
    }
    let mut truths = Truths::new();
    let (mut faults, mut all_clear) = (false, true);
    let stated: Vec<_> =
        (0..model.properties.len()).filter(|i| model.properties[*i].formula.is_none()).collect();
    for wanted in std::iter::once(None).chain(stated.into_iter().map(Some)) {
        let text = printer::print(&alone(model, wanted));
        let options = Options {
            engine: Engine::Interpreter,
            reduce: Reduce::None,
            limits: no_limits(),
            ..Options::default()
        };
        let report = check(&Source::new("alone.m", text), &options).ok()?;
        let mut note = |name: &str, kind: PropertyKind, verdict: Verdict| {
            let truth = match verdict {
                Verdict::Holds => Truth::Holds,
                Verdict::Violated => Truth::Violated,
                Verdict::Unknown => Truth::Open,
            };
            truths.insert(key(kind, name), truth);
        };
        for property in &report.properties {
            let own = wanted.map(|i| &model.properties[i]);
            match property.kind {
                PropertyKind::NoFault => {
                    faults |= property.verdict == Verdict::Violated;
                    all_clear &= property.verdict == Verdict::Holds;
                }
                PropertyKind::NoDeadlock if wanted.is_none() => {
                    note(&property.name, property.kind, property.verdict)
                }
                kind if own.is_some_and(|own| own.kind == kind && own.name == property.name) => {
                    note(&property.name, kind, property.verdict);
                }
                _ => {}
            }
        }
    }
    // Whether it is clear that no formula has a condition without a value.
    let mut known = true;
    let concrete = Concrete::explore(model, Semantics::default(), MOST)?;
    for property in model.properties.iter().filter(|property| property.formula.is_some()) {
        let loops = property.formula.as_ref().map_or(0, |formula| formula.loops().len());
        if property.binders.len() + loops > 1 {
            // Written out, it would have an automaton that takes too long.
            known = false;
            continue;
        }
        let truth = match concrete.verdict(property) {
            Ok(Verdict::Holds) => Truth::Holds,
            Ok(_) => Truth::Violated,
            Err(_) => {
                known = false;
                Truth::Open
            }
        };
        truths.insert(key(property.kind, &property.name), truth);
    }
    let truth = match (faults, all_clear) {
        (true, _) => Truth::Violated,
        (_, true) => Truth::Holds,
        _ => Truth::Open,
    };
    if known || faults {
        truths.insert(key(PropertyKind::NoFault, "no error at run time"), truth);
    }
    Some(truths)
}

/// What is wrong with a report, if something is.
fn mistake(truths: &Truths, report: &Report) -> Option<String> {
    let violated = report.properties.iter().any(|property| property.verdict == Verdict::Violated);
    let out_of_memory = report.limit == Some(Limit::Memory);
    for property in &report.properties {
        let Some(truth) = truths.get(&key(property.kind, &property.name)) else { continue };
        let said = format!(
            "{} `{}` {}, in truth {truth:?}",
            property.kind.name(),
            property.name,
            property.verdict.name()
        );
        let wrong = match (property.verdict, truth) {
            (Verdict::Holds, Truth::Holds) | (Verdict::Violated, Truth::Violated | Truth::Open) => false,
            (Verdict::Unknown, Truth::Open) => false,
            // Left open beside something that is violated, by name, as something may have been missed, or for want of memory.
            (Verdict::Unknown, _) => {
                !violated && property.reason.is_none() && report.assumptions.is_empty() && !out_of_memory
            }
            // A formula may hold by what it looks at; that a condition has no value elsewhere is an error of its own.
            (Verdict::Holds, Truth::Open) => property.kind.logic().is_none(),
            _ => true,
        };
        if wrong {
            return Some(said);
        }
    }
    let false_ones: Vec<_> = truths.iter().filter(|(_, truth)| **truth == Truth::Violated).collect();
    // On hashes of states, neither liveness nor that something is never covered can be decided.
    let later = [PropertyKind::Liveness.name(), PropertyKind::Cover.name()];
    let unsure = |kind: &str| !report.assumptions.is_empty() && later.contains(&kind);
    let left_out = |name: &str| report.properties.iter().any(|p| p.name == name && p.reason.is_some());
    if !violated
        && !out_of_memory
        && false_ones.iter().any(|((kind, name), _)| !left_out(name) && !unsure(kind))
    {
        return Some(format!("nothing is violated, but {false_ones:?}"));
    }
    None
}

/// Runs these ways, and counts those that did not refuse.
fn run(text: &str, ways: &[usize], counts: &mut BTreeMap<&'static str, u64>) -> Result<(), String> {
    let source = Source::new("random.m", text);
    let Some(model) = load(&source, &[]).0 else { return Err("it cannot be read".to_owned()) };
    let Some(truths) = truths(&model) else { return Ok(()) };
    *counts.entry("models").or_default() += 1;
    let false_ones = truths.values().filter(|truth| **truth == Truth::Violated).count();
    *counts.entry("several violated").or_default() += u64::from(false_ones > 1);
    for (name, change) in ways.iter().map(|way| WAYS[*way]) {
        let mut options = Options { threads: NonZero::<usize>::MIN, ..Options::default() };
        change(&mut options);
        options.limits.memory = Some(if options.engine == Engine::Bdd { 32 } else { 256 } << 20);
        if options.engine == Engine::Count && options.counters == Counters::Bdd {
            options.limits.memory = Some(8 << 20);
        }
        match check(&source, &options) {
            Ok(report) => {
                *counts.entry(name).or_default() += u64::from(report.limit != Some(Limit::Memory));
                if let Some(mistake) = mistake(&truths, &report) {
                    return Err(format!("{name}: {mistake}"));
                }
            }
            Err(Failure::Refused(_)) => {}
            Err(failure) => return Err(format!("{name}: {failure:?}")),
        }
    }
    Ok(())
}

/// The ways that a family needs always; four of the others by turns.
fn some_ways(seed: u64, always: &[usize]) -> Vec<usize> {
    let others: Vec<_> = (0..WAYS.len()).filter(|way| !always.contains(way)).collect();
    let by_turns = (0..4).map(|i| others[(seed as usize * 4 + i) % others.len()]);
    always.iter().copied().chain(by_turns).collect()
}

fn family(
    name: &str,
    models: u64,
    always: &[usize],
    subject: impl Fn(u64) -> String,
) -> BTreeMap<&'static str, u64> {
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", models));
    let mut counts = BTreeMap::new();
    for seed in first..first + models {
        let text = subject(seed);
        if let Err(error) = run(&text, &some_ways(seed, always), &mut counts) {
            panic!("{name}, seed {seed}: {error}\n{text}");
        }
    }
    println!("{name}: {counts:?}");
    let count = |what: &str| counts.get(what).copied().unwrap_or(0);
    assert!(count("models") * 3 > models && count("several violated") * 6 > count("models"), "{counts:?}");
    counts
}

/// Positions in [`WAYS`].
const UNREDUCED: usize = 2;
const ON_THE_FLY: usize = 8;
const BY_COUNTING: [usize; 3] = [14, 15, 16];

#[test]
fn models_with_several_false_and_faulty_properties() {
    let options = shape::Options { extensions: true };
    let subject = |seed| printer::print(&generate::with_several_properties(seed, options));
    family("general", 100, &[0, UNREDUCED], subject);
}

#[test]
fn countable_models_with_several_false_and_faulty_properties() {
    family("countable", 80, &BY_COUNTING, countable::with_several_properties);
}

#[test]
fn tiny_models_in_which_much_goes_wrong_in_the_last_level() {
    let counts = family("tiny", 400, &[0, UNREDUCED, BY_COUNTING[0], BY_COUNTING[2]], tiny::model);
    for (way, _) in WAYS {
        assert!(counts.contains_key(way), "{way} was never possible: {counts:?}");
    }
}

#[test]
fn calm_models_whose_properties_of_the_future_fail_together() {
    family("calm", 150, &[0, UNREDUCED, BY_COUNTING[0], BY_COUNTING[2]], calm::model);
}

#[test]
fn wrong_claims_beside_generators() {
    family("claims", 300, &[0, ON_THE_FLY], claims::model);
}

/// Fairness to processes of several types. The types may have the same values; they are other types all the same, so that
/// enums, which share no values, give the same verdicts.
#[test]
fn fairness_to_processes_of_several_types() {
    let scalarsets = |_: &str| "scalarset(2)".to_owned();
    let ranges = |_: &str| "0 .. 1".to_owned();
    let enums = |name: &str| format!("enum {{ {name}0, {name}1 }}");
    family("fairness", 150, &[0, UNREDUCED], |seed| fair::model(seed, scalarsets));
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", 150));
    for seed in first..first + models {
        let verdicts = |declared: fn(&str) -> String| {
            let options = Options { limits: no_limits(), ..Options::default() };
            let source = Source::new("fair.m", fair::model(seed, declared));
            let report =
                check(&source, &options).unwrap_or_else(|failure| panic!("seed {seed}: {failure:?}"));
            report.properties.iter().map(|p| (p.name.clone(), p.verdict)).collect::<Vec<_>>()
        };
        let same = verdicts(enums) == verdicts(ranges);
        assert!(same, "fairness, seed {seed}: enums and ranges differ\n{}", fair::model(seed, ranges));
    }
}

/// Models that were once judged wrongly, alone and with each other's properties in mind: in every way there is.
#[test]
fn models_once_judged_wrongly_in_every_way() {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/regressions");
    let every: Vec<_> = (0..WAYS.len()).collect();
    let mut counts = BTreeMap::new();
    for entry in std::fs::read_dir(folder).expect("the folder of models") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a model");
        if let Err(error) = run(&text, &every, &mut counts) {
            panic!("{}: {error}", path.display());
        }
    }
    assert!(counts.len() > WAYS.len(), "some way was never possible: {counts:?}");
}
