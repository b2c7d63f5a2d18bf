//! Rewrites scalarsets to plain ranges, and compares the symmetry that is detected with the one that was declared.
//!
//! `plain-ranges MODEL` writes the rewritten model; `plain-ranges --compare PATH…` compares all models in files and
//! folders, one line each. A model that does not finish in its time is compared as far as both came: the orbits within so
//! many steps of a start state are the same, or not.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use burnside::{Limit, Limits, Options, Report, Source};
use burnside_bench::plain::{NoPlain, agree, plain_ranges};

/// How long a model may take.
const TIME: Duration = Duration::from_secs(20);

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.as_slice() {
        [flag, paths @ ..] if flag == "--compare" && !paths.is_empty() => compare(paths),
        [path] if !path.starts_with('-') => {
            match read(Path::new(path)).map(|source| plain_ranges(&source, &[])) {
                Some(Ok(text)) => {
                    print!("{text}");
                    ExitCode::SUCCESS
                }
                found => {
                    eprintln!("plain-ranges: {path}: {found:?}");
                    ExitCode::FAILURE
                }
            }
        }
        _ => {
            eprintln!("usage: plain-ranges MODEL | plain-ranges --compare PATH…");
            ExitCode::from(2)
        }
    }
}

fn read(path: &Path) -> Option<Source> {
    Source::from_bytes(path.to_string_lossy(), &std::fs::read(path).ok()?).ok()
}

fn compare(paths: &[String]) -> ExitCode {
    let mut files = Vec::new();
    paths.iter().for_each(|path| collect(Path::new(path), &mut files));
    files.sort();
    let (mut same, mut different, mut unfinished, mut impossible) = (0, 0, 0, 0);
    for file in files {
        let Some(source) = read(&file) else { continue };
        let shown = file.display();
        match plain_ranges(&source, &[]) {
            Err(NoPlain::Wrong | NoPlain::NoScalarset) => {}
            Err(NoPlain::Refused(why)) => {
                impossible += 1;
                println!("IMPOSSIBLE {shown}: {why}");
            }
            Ok(text) => {
                let plain = Source::new("plain.m", text);
                let (Some(mut declared), Some(mut detected)) = (check(&source, None), check(&plain, None))
                else {
                    different += 1;
                    println!("DIFFERENT  {shown}: only one of both is checked");
                    continue;
                };
                let bound = bound(&declared, &detected);
                let mut within = String::new();
                if bound.is_some() {
                    unfinished += 1;
                    let (Some(first), Some(second)) = (check(&source, bound), check(&plain, bound)) else {
                        continue;
                    };
                    (declared, detected) = (first, second);
                    within = format!(" within {} steps", bound.unwrap_or(0));
                }
                if agree(&declared, &detected) {
                    same += 1;
                    let (structure, orbits) = (&detected.symmetry.structure, detected.states);
                    println!("same       {shown}: {structure}, {orbits} orbits{within}");
                } else {
                    different += 1;
                    println!(
                        "DIFFERENT  {shown}: {:?} and {:?}{within}",
                        figures(&declared),
                        figures(&detected)
                    );
                }
            }
        }
    }
    println!(
        "{same} same, {different} different, {impossible} cannot be rewritten; {unfinished} compared within a bound"
    );
    if different == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) {
    if path.is_dir() {
        for entry in std::fs::read_dir(path).into_iter().flatten().flatten() {
            collect(&entry.path(), files);
        }
    } else if path.extension().is_some_and(|extension| extension == "m") {
        files.push(path.to_owned());
    }
}

/// The result: all of it or what is found in its time, or everything within a bound.
fn check(source: &Source, bound: Option<u64>) -> Option<Report> {
    let time = bound.is_none().then_some(TIME);
    let limits = Limits { time, bound, memory: Some(2 << 30), ..Limits::default() };
    burnside::check(source, &Options { limits, ..Options::default() }).ok()
}

/// How many steps to go if not both were finished: not as many as the shorter search went, whose last were left undone.
fn bound(declared: &Report, detected: &Report) -> Option<u64> {
    let finished = |report: &Report| !matches!(report.limit, Some(Limit::Time | Limit::Memory));
    if finished(declared) && finished(detected) {
        return None;
    }
    let depth = |report: &Report| report.depth.unwrap_or(0);
    Some(depth(declared).min(depth(detected)).saturating_sub(2))
}

/// What differs, if something does.
fn figures(report: &Report) -> (String, String, u64, Option<u128>) {
    let order = report.symmetry.structure.clone();
    (report.verdict.name().to_owned(), order, report.states, report.full_states)
}
