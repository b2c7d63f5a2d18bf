//! All engines and reductions agree on all models: verdicts, states and orbits; one test per line of `engines.tsv`.
//!
//! `burnside compare` does the work. The file pins which reductions apply to which model: one that refuses a model on
//! its line fails the test, and so does one that applies without being there. Columns: the model; what it is given
//! (constants, then options of `check`); per engine its reductions; and with `skipped` in place of an engine, what would
//! take too long.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use libtest_mimic::{Arguments, Failed, Trial};
use serde_json::Value;

const LINES: &str = include_str!("engines.tsv");

/// What is compared.
const REDUCTIONS: &[&str] = &[
    "none",
    "auto",
    "adaptive",
    "orbit-relation",
    "orbit-relation-quotient",
    "multiple-representatives",
    "multiple-representatives-quotient",
    "dynamic",
    "component",
    "component+state",
    "component+state-bubble",
    "on-the-fly",
    "counting",
    "counters",
    "counters-bdd",
];

/// An engine and a reduction.
type Pair = (String, String);

fn main() {
    let lines = LINES.lines().filter(|line| !line.starts_with('#') && !line.is_empty());
    let mut trials: Vec<Trial> = lines.map(|line| trial(line.to_owned())).collect();
    trials.push(Trial::test("every_model_has_a_line", every_model_has_a_line));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

fn models() -> std::path::PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi")
}

fn trial(line: String) -> Trial {
    let name = line.split('\t').take(2).collect::<Vec<_>>().join(" ");
    Trial::test(name, move || test(&line))
}

fn every_model_has_a_line() -> Result<(), Failed> {
    for entry in std::fs::read_dir(models())? {
        let name = entry?.file_name().to_string_lossy().into_owned();
        if name.ends_with(".m") && !LINES.lines().any(|line| line.split('\t').next() == Some(&name)) {
            return Err(format!("{name} is not in engines.tsv").into());
        }
    }
    Ok(())
}

fn test(line: &str) -> Result<(), Failed> {
    let columns: Vec<&str> = line.split('\t').collect();
    let [model, given, engines @ ..] = columns.as_slice() else { return Err("too few columns".into()) };
    let (skipped, pinned): (BTreeSet<Pair>, BTreeSet<Pair>) =
        engines.iter().flat_map(|engine| pairs(engine)).partition(|(engine, _)| engine == "skipped");
    let is_skipped = |reduction: &str| skipped.iter().any(|(_, skipped)| skipped == reduction);
    let reductions: Vec<&str> = REDUCTIONS.iter().copied().filter(|name| !is_skipped(name)).collect();
    let comparison = compare(model, given, &reductions.join(","))?;
    let mut applicable = BTreeSet::new();
    for row in comparison["rows"].as_array().ok_or("no rows")? {
        let text = |key: &str| row[key].as_str().unwrap_or_default().to_owned();
        if text("outcome") == "done" {
            let limit = &row["result"]["limit"];
            if !limit.is_null() && limit != "max-errors" {
                return Err(format!("{} {}: stopped by {limit}", text("engine"), text("reduction")).into());
            }
            applicable.insert((text("engine"), text("reduction")));
        } else if pinned.contains(&(text("engine"), text("reduction"))) {
            return Err(format!("{} {}: {}", text("engine"), text("reduction"), text("reason")).into());
        }
    }
    if applicable != pinned {
        applicable.extend(skipped);
        return Err(format!("the line should be\n{model}\t{given}{}", columns_of(&applicable)).into());
    }
    Ok(())
}

/// The pairs of `engine: reduction reduction`.
fn pairs(column: &str) -> Vec<Pair> {
    let (engine, reductions) = column.split_once(": ").unwrap_or((column, ""));
    reductions.split(' ').map(|reduction| (engine.to_owned(), reduction.to_owned())).collect()
}

fn columns_of(pairs: &BTreeSet<Pair>) -> String {
    let engines: BTreeSet<&String> = pairs.iter().map(|(engine, _)| engine).collect();
    let column = |engine: &String| {
        let of = pairs.iter().filter(|pair| pair.0 == *engine).map(|pair| pair.1.as_str());
        format!("\t{engine}: {}", of.collect::<Vec<_>>().join(" "))
    };
    engines.into_iter().map(column).collect()
}

/// All that `compare` finds out; an error if there is any disagreement.
fn compare(model: &str, given: &str, reductions: &str) -> Result<Value, Failed> {
    let (constants, options): (Vec<&str>, Vec<&str>) =
        given.split(' ').filter(|word| !word.is_empty() && *word != "-").partition(|word| word.contains('='));
    let output = Command::new(env!("CARGO_BIN_EXE_burnside"))
        .arg("compare")
        .arg(models().join(model))
        .args(constants.iter().flat_map(|constant| ["-D", constant]))
        .args([
            "--engine",
            "explicit,interpreter,bdd,count",
            "--reduce",
            reductions,
            "--json",
            "-",
            "--time",
            "120s",
            "--",
        ])
        .args(options)
        .output()?;
    let errors = String::from_utf8_lossy(&output.stderr);
    let json: Value = serde_json::from_slice(&output.stdout).map_err(|_| errors.into_owned())?;
    if output.status.code() == Some(70) || json["agree"] != true {
        return Err(json["disagreements"].to_string().into());
    }
    Ok(json)
}
