//! Compares verdicts, reasons and counts with those of other Murphi checkers.
//!
//! `conformance CORPUS [--row-time SECONDS]`: one line per disagreement, then a summary. Expectations stand beside the
//! models and in `CORPUS/../golden`. A row that does not finish in its time is skipped and said so.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use burnside::{Canon, Options, Reduce};
use burnside_bench::expectations::{DIFFERENT, NO_CONTENT, rows};
use burnside_bench::outcome::{self, Class, Outcome};
use burnside_bench::transcript::transcript;

/// What is counted.
#[derive(Default)]
struct Tally {
    agree: u32,
    disagree: u32,
    known: u32,
    skipped: u32,
}

impl Tally {
    fn agree(&mut self) {
        self.agree += 1;
    }

    fn disagree(&mut self, what: &str) {
        self.disagree += 1;
        println!("DISAGREE {what}");
    }

    fn skip(&mut self, what: &str) {
        self.skipped += 1;
        println!("SKIPPED  {what}");
    }

    fn summary(&self, of: &str) -> bool {
        let Tally { agree, disagree, known, skipped } = self;
        println!("{of}: {agree} agree, {disagree} disagree, {known} known differences, {skipped} skipped");
        *disagree == 0
    }
}

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let (mut corpus, mut row_time) = (None, 60);
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--row-time" => match args.next().and_then(|seconds| seconds.parse().ok()) {
                Some(seconds) => row_time = seconds,
                None => return usage(),
            },
            _ => corpus = Some(PathBuf::from(arg)),
        }
    }
    let Some(corpus) = corpus else { return usage() };
    let time = Duration::from_secs(row_time);
    let golden = corpus.join("../golden");
    let parts = [
        rumur_tests(&corpus.join("rumur-tests"), time),
        cmurphi_verdicts(&corpus.join("cmurphi"), &golden.join("cmurphi-verdicts.tsv"), time),
        counts(&corpus, &golden.join("murphi.tsv"), time),
        seeds(&golden.join("seed-models.tsv"), time),
    ];
    let mut fine = true;
    for part in parts {
        match part {
            Ok(agrees) => fine &= agrees,
            Err(message) => {
                eprintln!("conformance: {message}");
                return ExitCode::from(2);
            }
        }
    }
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn usage() -> ExitCode {
    eprintln!("usage: conformance CORPUS [--row-time SECONDS]");
    ExitCode::from(2)
}

/// The test suite of rumur: verdicts, and the content of its expected output.
fn rumur_tests(folder: &Path, time: Duration) -> Result<bool, String> {
    let mut tally = Tally::default();
    for row in rows(&folder.join("expected.tsv"))? {
        let [file, expected, rest @ ..] = row.as_slice() else { continue };
        let flags = rest.first().map_or("", String::as_str);
        let wanted = rest.get(1).map_or("", String::as_str);
        let outcome = match outcome::rumur_options(flags, time) {
            Some(options) => outcome::run(&folder.join(file), &options),
            None => Outcome::Rejected("a flag is malformed".to_owned()),
        };
        let class = outcome.class().name();
        if DIFFERENT.iter().any(|(name, _)| name == file) {
            tally.known += 1;
        } else if class != expected {
            tally.disagree(&format!("{file}: expected {expected}, got {class} ({})", outcome.reason()));
        } else if !content_agrees(file, wanted, &outcome) {
            tally.disagree(&format!("{file}: the output does not match {wanted}"));
        } else {
            tally.agree();
        }
    }
    Ok(tally.summary("rumur's test suite"))
}

fn content_agrees(file: &str, wanted: &str, outcome: &Outcome) -> bool {
    let Outcome::Checked(report, printed) = outcome else { return true };
    if wanted.is_empty() || NO_CONTENT.iter().any(|(name, _)| *name == file) {
        return true;
    }
    match fancy_regex::Regex::new(&format!("(?m){wanted}")) {
        Ok(regex) => regex.is_match(&transcript(report, printed)).unwrap_or(false),
        Err(_) => false,
    }
}

/// The example models of CMurphi: verdict, reason, and that no symmetry is refused.
fn cmurphi_verdicts(folder: &Path, golden: &Path, time: Duration) -> Result<bool, String> {
    let mut tally = Tally::default();
    for row in rows(golden)? {
        let [model, expected, rest @ ..] = row.as_slice() else { continue };
        let number = |i: usize| rest.get(i).and_then(|n| n.parse::<u64>().ok());
        let reason = rest.get(2).map_or("", String::as_str);
        let outcome = outcome::run(&folder.join(model), &outcome::options(Reduce::Auto, time));
        let class = outcome.class();
        if class == Class::Unfinished {
            tally.skip(&format!("{model}: not finished in {time:?}"));
        } else if class.name() != expected {
            tally.disagree(&format!(
                "{model}: expected {expected}, got {} ({})",
                class.name(),
                outcome.reason()
            ));
        } else if !same_reason(reason, &outcome) {
            tally.disagree(&format!("{model}: expected `{reason}`, got {}", outcome.reason()));
        } else if let Some(message) = count_problem(&outcome, number(0), None, true) {
            tally.disagree(&format!("{model}: {message}"));
        } else if let Some(message) = refused(&outcome) {
            tally.disagree(&format!("{model}: {message}"));
        } else {
            tally.agree();
        }
    }
    Ok(tally.summary("CMurphi's examples, verdicts"))
}

/// Whether the first violation is what CMurphi says it is.
fn same_reason(reason: &str, outcome: &Outcome) -> bool {
    let ours = outcome.reason();
    let quoted = reason.split('"').nth(1);
    if reason.is_empty() {
        true
    } else if reason.starts_with("Deadlock") {
        ours.starts_with("deadlock")
    } else if let Some(number) = quoted.and_then(|name| name.strip_prefix("Invariant ")) {
        // CMurphi counts unnamed invariants from 0.
        let number = number.parse::<u64>().map_or(0, |number| number + 1);
        ours.starts_with(&format!("invariant `invariant {number}`"))
    } else if let Some(name) = quoted {
        ours.starts_with(&format!("invariant `{name}`"))
    } else if let Some(message) = reason.strip_prefix("Assertion failed: ") {
        ours.contains(message)
    } else {
        false
    }
}

fn refused(outcome: &Outcome) -> Option<String> {
    let Outcome::Checked(report, _) = outcome else { return None };
    let warning = report.warnings.iter().find(|warning| warning.code == "W0204")?;
    Some(format!("a declared symmetry is refused: {}", warning.message))
}

/// States and rules fired, as measured with other checkers.
fn counts(corpus: &Path, golden: &Path, time: Duration) -> Result<bool, String> {
    let mut tally = Tally::default();
    for row in rows(golden)? {
        let [model, constants, mode, states, fired, ..] = row.as_slice() else { continue };
        let what = format!("{model} {constants} {mode}");
        let reduce = if mode == "unreduced" { Reduce::None } else { Reduce::Auto };
        let mut options = outcome::options(reduce, time);
        options.constants = assignments(constants);
        let outcome = outcome::run(&corpus.join(model), &options);
        let upper = mode.contains("upper bound");
        match outcome.class() {
            Class::Unfinished => tally.skip(&format!("{what}: not finished in {time:?}")),
            Class::Pass => match count_problem(&outcome, states.parse().ok(), fired.parse().ok(), upper) {
                Some(message) => tally.disagree(&format!("{what}: {message}")),
                None => tally.agree(),
            },
            _ => tally.disagree(&format!("{what}: {}", outcome.reason())),
        }
        if mode == "canonical" {
            options.canon = Canon::Sorted;
            sorted_counts(&outcome::run(&corpus.join(model), &options), &what, states, &mut tally);
        }
    }
    Ok(tally.summary("CMurphi's examples, counts"))
}

/// Sorting alone leaves at least as many states as there are orbits.
fn sorted_counts(outcome: &Outcome, what: &str, orbits: &str, tally: &mut Tally) {
    let orbits: Option<u64> = orbits.parse().ok();
    match outcome {
        _ if outcome.class() == Class::Unfinished => tally.skip(&format!("{what}, sorted: not finished")),
        Outcome::Checked(report, _) if orbits.is_none_or(|orbits| report.states >= orbits) => tally.agree(),
        Outcome::Checked(report, _) => {
            tally.disagree(&format!("{what}, sorted: {} states, fewer than orbits", report.states));
        }
        _ => tally.disagree(&format!("{what}, sorted: {}", outcome.reason())),
    }
}

/// `N=7` or `default`.
fn assignments(text: &str) -> Vec<(String, String)> {
    let pairs = text.split(',').filter_map(|pair| pair.split_once('='));
    pairs.map(|(name, value)| (name.trim().to_owned(), value.trim().to_owned())).collect()
}

fn count_problem(outcome: &Outcome, states: Option<u64>, fired: Option<u64>, upper: bool) -> Option<String> {
    let Outcome::Checked(report, _) = outcome else { return None };
    let wrong = |found: u64, expected: u64| if upper { found > expected } else { found != expected };
    let relation = if upper { "at most " } else { "" };
    if let Some(states) = states.filter(|states| wrong(report.states, *states)) {
        return Some(format!("{} states, expected {relation}{states}", report.states));
    }
    let found = report.rules_fired?;
    let fired = fired.filter(|fired| wrong(found, *fired))?;
    Some(format!("{found} rules fired, expected {relation}{fired}"))
}

/// Our own versions of the papers' models.
fn seeds(golden: &Path, time: Duration) -> Result<bool, String> {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../models/murphi");
    let mut tally = Tally::default();
    for row in rows(golden)? {
        let [name, n, l, unreduced, orbits, ..] = row.as_slice() else { continue };
        let n = n.split('+').next().unwrap_or(n).to_owned();
        let (file, constants) = match name.split(" (").next().unwrap_or(name) {
            "token mutex" => ("token_mutex.m", vec![("N".to_owned(), n)]),
            "semaphore mutex" => {
                ("semaphore_mutex.m", vec![("N".to_owned(), n), ("L".to_owned(), l.clone())])
            }
            "readers-writers" => ("readers_writers.m", vec![("N".to_owned(), n)]),
            // Partly symmetric: not yet.
            _ => {
                tally.skip(name);
                continue;
            }
        };
        for (reduce, expected) in [(Reduce::None, unreduced), (Reduce::Auto, orbits)] {
            let options = Options { constants: constants.clone(), ..outcome::options(reduce, time) };
            let outcome = outcome::run(&models.join(file), &options);
            match count_problem(&outcome, expected.parse().ok(), None, false) {
                None if outcome.class() == Class::Pass => tally.agree(),
                problem => {
                    let problem = problem.unwrap_or_else(|| outcome.reason());
                    tally.disagree(&format!("{file} {constants:?}: {problem}"));
                }
            }
        }
    }
    Ok(tally.summary("our models of the papers' examples"))
}
