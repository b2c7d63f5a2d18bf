//! Rewrites scalarsets to plain ranges, and compares the symmetry that is detected with the one that was declared.
//!
//! `plain-ranges MODEL` writes the rewritten model; `plain-ranges --compare PATH…` compares all models in files and
//! folders, one line each; a model that does not finish in its time is said so.

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use burnside::{Limits, Options, Report, Source};
use burnside_bench::plain::{NoPlain, agree, plain_ranges};

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
            Ok(text) => match (checked(&source), checked(&Source::new("plain.m", text))) {
                (Some(declared), Some(detected)) if agree(&declared, &detected) => {
                    same += 1;
                    println!(
                        "same       {shown}: {}, {} orbits",
                        detected.symmetry.structure, detected.states
                    );
                }
                (Some(declared), Some(detected)) => {
                    different += 1;
                    println!("DIFFERENT  {shown}: {:?} and {:?}", figures(&declared), figures(&detected));
                }
                _ => {
                    unfinished += 1;
                    println!("UNFINISHED {shown}");
                }
            },
        }
    }
    println!("{same} same, {different} different, {unfinished} unfinished, {impossible} cannot be rewritten");
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

/// The result, unless a limit of time or memory was met.
fn checked(source: &Source) -> Option<Report> {
    let limits = Limits { time: Some(Duration::from_secs(20)), memory: Some(2 << 30), ..Limits::default() };
    let report = burnside::check(source, &Options { limits, ..Options::default() }).ok()?;
    let finished = !matches!(report.limit, Some(burnside::Limit::Time | burnside::Limit::Memory));
    finished.then_some(report)
}

/// What differs, if something does.
fn figures(report: &Report) -> (String, String, u64, Option<u128>) {
    let order = report.symmetry.structure.clone();
    (report.verdict.name().to_owned(), order, report.states, report.full_states)
}
