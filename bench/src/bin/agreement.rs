//! Whether all engines and reductions agree on models that others wrote.
//!
//! `agreement [OPTIONS] PATH...`: `burnside compare` on every model below these paths that has at most so many states
//! without reduction. Per engine and reduction it counts the models on which it agrees with the others, those that it
//! refuses, and those that took too long. Exit code 1 if there is any disagreement.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use serde_json::Value;

const USAGE: &str = "usage: agreement [--burnside PROGRAM] [--time SECONDS] [--memory SIZE] [--states MOST] PATH...\n\n\
    --time, --memory: of each check\n--states: models with more states without reduction are left out";

/// What is compared.
const REDUCTIONS: &str = "none,auto,orbit-relation,multiple-representatives,dynamic,component,component+state,counting,counters,counters-bdd";

struct Arguments {
    program: PathBuf,
    seconds: String,
    memory: String,
    states: u64,
    paths: Vec<PathBuf>,
}

/// What became of an engine and a reduction: on how many models.
#[derive(Default)]
struct Tally {
    equal: u32,
    different: u32,
    refused: u32,
    stopped: u32,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| all(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("agreement: {message}");
            ExitCode::from(2)
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("burnside");
    let (seconds, memory) = ("10".to_owned(), "1G".to_owned());
    let mut arguments = Arguments { program, seconds, memory, states: 1_000_000, paths: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(USAGE.to_owned());
        match word.as_str() {
            "--burnside" => arguments.program = PathBuf::from(value()?),
            "--time" => arguments.seconds = value()?,
            "--memory" => arguments.memory = value()?,
            "--states" => arguments.states = value()?.parse().map_err(|_| USAGE.to_owned())?,
            option if option.starts_with('-') => return Err(USAGE.to_owned()),
            path => arguments.paths.push(PathBuf::from(path)),
        }
    }
    if arguments.paths.is_empty() { Err(USAGE.to_owned()) } else { Ok(arguments) }
}

/// Compares on every model; whether nothing differs.
fn all(arguments: &Arguments) -> Result<bool, String> {
    let mut models = Vec::new();
    arguments.paths.iter().for_each(|path| models_below(path, &mut models));
    let mut tallies: BTreeMap<String, Tally> = BTreeMap::new();
    let (mut compared, mut large, mut refused) = (0, 0, 0);
    for model in &models {
        match is_small(model, arguments) {
            Some(true) => {
                compared += 1;
                compare(model, arguments, &mut tallies)?;
            }
            Some(false) => large += 1,
            None => refused += 1,
        }
    }
    println!("{compared} models compared, {large} too large, {refused} refused");
    println!("engine and reduction\tequal\tdifferent\trefused\tout of time or memory");
    for (name, Tally { equal, different, refused, stopped }) in &tallies {
        println!("{name}\t{equal}\t{different}\t{refused}\t{stopped}");
    }
    Ok(tallies.values().all(|tally| tally.different == 0))
}

fn models_below(path: &Path, found: &mut Vec<PathBuf>) {
    if path.extension().is_some_and(|extension| extension == "m") {
        found.push(path.to_owned());
    }
    let Ok(entries) = std::fs::read_dir(path) else { return };
    let mut entries: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    entries.sort();
    entries.iter().for_each(|entry| models_below(entry, found));
}

/// Whether the model has few enough states without reduction; `None` if it is refused.
fn is_small(model: &Path, arguments: &Arguments) -> Option<bool> {
    let output = Command::new(&arguments.program)
        .arg("check")
        .arg(model)
        .args(["--reduce", "none", "--trace", "off", "--json", "-"])
        .args(["--time", &format!("{}s", arguments.seconds), "--memory", &arguments.memory])
        .output()
        .ok()?;
    let json: Value = serde_json::from_slice(&output.stdout).ok()?;
    let stopped = json["limit"].as_str().is_some_and(|limit| limit != "max-errors");
    Some(!stopped && json["states"].as_u64().is_some_and(|states| states <= arguments.states))
}

/// Adds what each engine and reduction makes of the model.
fn compare(model: &Path, arguments: &Arguments, tallies: &mut BTreeMap<String, Tally>) -> Result<(), String> {
    let output = Command::new(&arguments.program)
        .arg("compare")
        .arg(model)
        .args(["--reduce", REDUCTIONS, "--json", "-"])
        .args(["--time", &format!("{}s", arguments.seconds), "--memory", &arguments.memory])
        .output()
        .map_err(|error| error.to_string())?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let json: Value =
        serde_json::from_slice(&output.stdout).map_err(|_| format!("{}: {errors}", model.display()))?;
    let disagreements = json["disagreements"].as_array().map_or(&[][..], Vec::as_slice);
    disagreements.iter().for_each(|what| println!("different: {}: {what}", model.display()));
    for row in json["rows"].as_array().into_iter().flatten() {
        let text = |key: &str| row[key].as_str().unwrap_or_default();
        let name = format!("{} {}", text("engine"), text("reduction"));
        let limit = row["result"]["limit"].as_str().filter(|limit| *limit != "max-errors");
        let tally = tallies.entry(name.clone()).or_default();
        match (text("outcome"), limit) {
            ("done", Some(limit)) => {
                println!("stopped by {limit}: {}: {name}", model.display());
                tally.stopped += 1;
            }
            ("done", None) if disagreements.is_empty() => tally.equal += 1,
            ("done", None) | ("failed", _) => {
                println!("{}: {}: {name}: {}", text("outcome"), model.display(), text("reason"));
                tally.different += 1;
            }
            _ => tally.refused += 1,
        }
    }
    Ok(())
}
