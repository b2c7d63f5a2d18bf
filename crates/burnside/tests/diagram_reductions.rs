//! The symmetry reductions of decision diagrams against the explicit engine: the same verdicts, orbits, and states in
//! these. Which reduction applies to which model is pinned in a table.
//!
//! `BURNSIDE_MODELS` asks for more random models than the usual ones, `BURNSIDE_SEED` for others.

#[allow(dead_code, reason = "not everything about random models is needed here")]
mod random;

use std::path::Path;

use burnside::{
    Engine, Failure, Kind, Limit, Limits, Options, Reduce, Report, Search, Sizes, Sorting, Source, Verdict,
    check,
};
use burnside_lang::murphi::printer;

use random::compare::no_limits;
use random::shape;

const KINDS: [Kind; 5] = [
    Kind::OrbitRelation,
    Kind::MultipleRepresentatives,
    Kind::Dynamic,
    Kind::Component,
    Kind::ComponentState,
];

/// Sorting by sweeps is done as published: level by level.
fn options(kind: Kind, sorting: Sorting, limits: Limits) -> Options {
    let mut options =
        Options { engine: Engine::Bdd, reduce: Reduce::Diagrams(kind), limits, ..Options::default() };
    options.diagrams.sorting = sorting;
    if sorting == Sorting::Bubble {
        options.diagrams.search = Search::Bfs;
    }
    options.limits.memory = Some(128 << 20);
    options
}

/// What became of a model: `exact`, `several` (representatives per orbit), `refused`, or too `large`. An error if it is
/// wrong.
fn outcome(source: &Source, explicit: &Report, options: &Options) -> Result<&'static str, String> {
    let report = match check(source, options) {
        Ok(report) => report,
        Err(Failure::Refused(_)) => return Ok("refused"),
        Err(failure) => return Err(format!("{failure:?}")),
    };
    if report.limit == Some(Limit::Memory) {
        return Ok("large");
    }
    for (ours, theirs) in report.properties.iter().zip(&explicit.properties) {
        if ours.verdict != theirs.verdict {
            let (ours, theirs) = ((&ours.name, ours.verdict.name()), theirs.verdict.name());
            return Err(format!("{ours:?}, but {theirs} state by state"));
        }
    }
    let orbits = if report.exact { Some(report.states) } else { report.orbits };
    let right = orbits == Some(explicit.states)
        && report.states >= explicit.states
        && report.full_states == explicit.full_states;
    // A search that adapts, or that something ended, does not count orbits.
    if explicit.verdict == Verdict::Holds && explicit.reduction == "canonical" && !right {
        let ours = (report.states, orbits, report.full_states);
        return Err(format!("{ours:?}, but {} orbits, {:?}", explicit.states, explicit.full_states));
    }
    Ok(if report.exact { "exact" } else { "several" })
}

#[test]
fn models() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi");
    let mut wrong = Vec::new();
    for line in include_str!("diagram_reductions.tsv").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('\t').collect();
        let [model, expected @ ..] = &fields[..] else { continue };
        let (file, constants) = model.split_once(' ').unwrap_or((model, ""));
        let constants = constants.split_whitespace().filter_map(|pair| pair.split_once('='));
        let constants: Vec<_> = constants.map(|(name, value)| (name.to_owned(), value.to_owned())).collect();
        let source = Source::new(file, std::fs::read_to_string(folder.join(file)).expect("a model"));
        let explicit = Options { constants: constants.clone(), ..Options::default() };
        let explicit = check(&source, &explicit).expect("a correct model");
        for (kind, expected) in KINDS.into_iter().zip(expected) {
            let options = Options {
                constants: constants.clone(),
                ..options(kind, Sorting::Insertion, Limits::default())
            };
            match outcome(&source, &explicit, &options) {
                Ok(outcome) if outcome == *expected => {}
                other => wrong.push(format!("{model} by {}: {other:?}, not {expected}", kind.name())),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Whatever the order of local states, and of variables, there are as many orbits; what is no order is refused.
#[test]
fn orders_of_local_states() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi");
    let source = Source::new("token_mutex.m", std::fs::read_to_string(folder.join("token_mutex.m")).unwrap());
    let ordered = |kind, name: &str, values: &[&str]| {
        let mut options = options(kind, Sorting::Insertion, no_limits());
        options.constants = vec![("N".to_owned(), "6".to_owned())];
        options.diagrams.reorder = true;
        let values = values.iter().map(|value| (*value).to_owned()).collect();
        options.diagrams.local_order = vec![(name.to_owned(), values)];
        check(&source, &options)
    };
    for kind in [Kind::Dynamic, Kind::Component, Kind::ComponentState] {
        for values in [&["Critical", "NonCritical", "Trying"][..], &["Trying"]] {
            let report = ordered(kind, "loc", values);
            let report = report.unwrap_or_else(|failure| panic!("{kind:?} {values:?}: {failure:?}"));
            assert_eq!((report.states, report.verdict), (18, Verdict::Holds), "{kind:?} {values:?}");
        }
    }
    for (name, values) in [("tok", &["Pid_1"][..]), ("loc", &["Sleeping"]), ("loc", &["Trying", "Trying"])] {
        let refused = ordered(Kind::Component, name, values);
        assert!(matches!(refused, Err(Failure::Refused(_))), "{name} {values:?}");
    }
}

#[test]
fn random_models() {
    let number = |variable: &str, otherwise: u64| {
        std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(otherwise)
    };
    let (first, models) = (number("BURNSIDE_SEED", 1), number("BURNSIDE_MODELS", 50));
    let (mut exact, mut several, mut refused, mut large) = (0, 0, 0, 0);
    for seed in first..first + models {
        let model = random::model(seed, shape::Options { extensions: true });
        let text = printer::print(&model);
        let source = Source::new("random.m", &text);
        let explicit = check(&source, &Options { limits: no_limits(), ..Options::default() });
        let explicit = explicit.expect("a correct model");
        if explicit.reduction != "canonical" {
            continue;
        }
        let sizes = if seed % 2 == 0 { Sizes::SMALLEST } else { Sizes::default() };
        let ways = KINDS.map(|kind| (kind, Sorting::Insertion)).into_iter();
        let ways = ways.chain([(Kind::Dynamic, Sorting::Bubble)]);
        for ((kind, sorting), sizes) in ways.flat_map(|way| [(way, sizes), (way, Sizes::EXECUTED)]) {
            let mut options = options(kind, sorting, no_limits());
            options.diagrams.sizes = sizes;
            options.diagrams.quotient = seed % 3 == 0 && !kind.sorts() && sizes != Sizes::EXECUTED;
            match outcome(&source, &explicit, &options) {
                Ok("exact") => exact += 1,
                Ok("several") => several += 1,
                Ok("large") => large += 1,
                Ok(_) => refused += 1,
                Err(error) => {
                    panic!("seed {seed}, {} {sorting:?} {sizes:?}: {error}\n{text}", kind.name())
                }
            }
        }
    }
    println!("{exact} exact, {several} with several representatives, {refused} refused, {large} too large");
    assert!(
        models < 50 || exact > models && several > models / 2 && refused + large < 2 * exact,
        "too plain"
    );
}
