//! Every model in `models/murphi` says in its header what to expect of it; one test per model.
//!
//! ```text
//! -- burnside-constants: N = 3
//! -- burnside-expect: holds                      (or: violated "name", or: deadlock)
//! -- burnside-states: unreduced 36, orbits 9     (of the whole state space)
//! -- burnside-states: N=4 unreduced 96, orbits 12
//! -- burnside-for-all: N                         (proved for every N)
//! ```

use std::path::{Path, PathBuf};

use burnside::{DeadlockMode, Limits, Options, ProveOptions, Reduce, Report, Source, Verdict, check, prove};
use libtest_mimic::{Arguments, Failed, Trial};

fn main() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi");
    let mut models: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of models")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "m"))
        .collect();
    models.sort();
    let trials = models.into_iter().map(|path| {
        let name = path.file_name().expect("a file").to_string_lossy().into_owned();
        Trial::test(name, move || test(&path))
    });
    libtest_mimic::run(&Arguments::from_args(), trials.collect()).exit();
}

fn test(path: &Path) -> Result<(), Failed> {
    let text = std::fs::read_to_string(path)?;
    let source = Source::new(path.display().to_string(), text.clone());
    let headers = |key: &str| {
        let prefix = format!("-- burnside-{key}:");
        text.lines().filter_map(|line| line.strip_prefix(&prefix)).map(str::trim).collect::<Vec<_>>()
    };
    let expected = headers("expect");
    let [expected] = expected.as_slice() else { return Err("one burnside-expect line is needed".into()) };
    let report = run(&source, Options::default())?;
    verdict(expected, &report)?;
    ensure(report.warnings.is_empty(), || format!("warnings: {:?}", report.warnings))?;

    let declared: Vec<String> =
        report.constants.iter().map(|(name, value)| format!("{name} = {value}")).collect();
    for constants in headers("constants") {
        for constant in constants.split(',').map(str::trim) {
            ensure(declared.iter().any(|d| d == constant), || format!("{constant} is not in {declared:?}"))?;
        }
    }
    for parameters in headers("for-all") {
        let for_all = Some(parameters.split(',').map(|name| name.trim().to_owned()).collect());
        let proved = prove(&source, &ProveOptions { for_all, ..ProveOptions::default() });
        let proved = proved.map_err(|failure| format!("{failure:?}"))?;
        ensure(proved.verdict == Verdict::Holds, || {
            format!("no proof for every {parameters}: {}", proved.text)
        })?;
        ensure(proved.text.contains("for every"), || proved.text.clone())?;
    }
    let counts = headers("states");
    ensure(!counts.is_empty(), || "a burnside-states line is needed".to_owned())?;
    counts.into_iter().try_for_each(|line| states(&source, line))
}

fn ensure(condition: bool, message: impl FnOnce() -> String) -> Result<(), Failed> {
    if condition { Ok(()) } else { Err(message().into()) }
}

fn run(source: &Source, options: Options) -> Result<Report, Failed> {
    check(source, &options).map_err(|failure| format!("{failure:?}").into())
}

fn verdict(expected: &str, report: &Report) -> Result<(), Failed> {
    let violated = report.properties.iter().find(|property| property.verdict == Verdict::Violated);
    let found = match violated {
        None => report.verdict.name().to_owned(),
        Some(property) if property.kind.name() == "deadlock" => "deadlock".to_owned(),
        Some(property) => format!("violated \"{}\"", property.name),
    };
    ensure(found == expected, || format!("expected {expected}, found {found}"))
}

/// Checks one line of counts: of the whole state space, whatever is violated in it.
fn states(source: &Source, line: &str) -> Result<(), Failed> {
    let (constants, counts) = line.split_once("unreduced").ok_or("`unreduced` is missing")?;
    let (unreduced, orbits) = counts.split_once(", orbits").ok_or("`, orbits` is missing")?;
    let (unreduced, orbits): (u64, u64) = (unreduced.trim().parse()?, orbits.trim().parse()?);
    let constants: Vec<(String, String)> = constants
        .split(',')
        .filter_map(|pair| pair.split_once('='))
        .map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned()))
        .collect();
    let options = |reduce| Options {
        constants: constants.clone(),
        reduce,
        deadlock: DeadlockMode::Off,
        limits: Limits { max_errors: u64::MAX, ..Limits::default() },
        ..Options::default()
    };
    let full = run(source, options(Reduce::None))?;
    ensure(full.states == unreduced, || format!("{line}: {} states", full.states))?;
    let reduced = run(source, options(Reduce::Auto))?;
    ensure(reduced.states == orbits, || format!("{line}: {} orbits", reduced.states))?;
    let verdicts = |report: &Report| report.properties.iter().map(|p| p.verdict).collect::<Vec<_>>();
    ensure(verdicts(&full) == verdicts(&reduced), || format!("{line}: the verdicts differ"))?;
    let sum = reduced.full_states;
    ensure(sum.is_none_or(|sum| sum == u128::from(unreduced)), || {
        format!("{line}: the orbits add up to {sum:?}")
    })
}
