//! `burnside compare MODEL`: every engine and reduction on one model, each in a process and limits of its own, and
//! whether they agree.

use std::path::PathBuf;
use std::process::{Command, Stdio};

use burnside::exit;
use burnside::report::text::bytes;
use clap::Args;
use serde_json::Value;

use super::terminal::{error, print};
use super::units;

pub const EXAMPLES: &str = "\
Examples:
  burnside compare model.m                  all engines and reductions, one table
  burnside compare model.m -D N=4 --time 1m with constant N = 4, a minute each";

#[derive(Args)]
pub struct CompareArgs {
    /// The model, a Murphi file
    model: PathBuf,
    /// Give a constant of the model another value
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = units::constant)]
    constants: Vec<(String, String)>,
    /// Stop each after this time: 2s, 10m, 1h30m
    #[arg(long, value_name = "DURATION", default_value = "1m")]
    time: String,
    /// Stop each before using more memory: 256M, 8G
    #[arg(long, value_name = "SIZE", default_value = "2G")]
    memory: String,
}

/// What is compared. The first is what the others are measured by.
const WAYS: [(&str, &str); 8] = [
    ("explicit", "none"),
    ("explicit", "auto"),
    ("bdd", "none"),
    ("bdd", "orbit-relation"),
    ("bdd", "multiple-representatives"),
    ("bdd", "dynamic"),
    ("bdd", "component"),
    ("bdd", "component+state"),
];

/// What became of one way.
enum Outcome {
    /// It is not possible, and why.
    Refused(String),
    /// The report.
    Report(Value),
}

/// Runs the command; the exit code.
pub fn run(args: &CompareArgs) -> Result<u8, String> {
    let mut outcomes = Vec::new();
    for (engine, reduce) in WAYS {
        outcomes.push(check(args, engine, reduce)?);
    }
    let rows = WAYS.iter().zip(&outcomes).map(|((engine, reduce), outcome)| {
        let time = |outcome: &Outcome| match outcome {
            Outcome::Report(report) if report["limit"].is_null() => report["time_s"].as_f64(),
            _ => None,
        };
        let ratio = time(&outcomes[0]).zip(time(outcome)).map(|(full, this)| this / full);
        row(engine, reduce, outcome, ratio)
    });
    let mut table = vec![
        ["engine", "reduction", "verdict", "states", "nodes", "memory", "time", "ratio"].map(str::to_owned),
    ];
    table.extend(rows);
    print(&aligned(&table));
    for ((engine, reduce), outcome) in WAYS.iter().zip(&outcomes) {
        if let Outcome::Refused(why) = outcome {
            error(&format!("{engine}, {reduce}: {why}\n"));
        }
    }
    let reports: Vec<_> = outcomes
        .iter()
        .filter_map(|outcome| if let Outcome::Report(report) = outcome { Some(report) } else { None })
        .collect();
    if let Some(disagreement) = disagreement(&reports) {
        error(&format!("internal error, please report it with the model: {disagreement}\n"));
        return Ok(exit::INTERNAL);
    }
    let some = |verdict: &str| reports.iter().any(|report| report["verdict"] == verdict);
    Ok(match () {
        () if some("violated") => exit::VIOLATED,
        () if some("holds") => exit::HOLDS,
        () if reports.is_empty() => exit::WRONG_INPUT,
        () => exit::UNKNOWN,
    })
}

/// Checks the model in one way, in a process of its own.
fn check(args: &CompareArgs, engine: &str, reduce: &str) -> Result<Outcome, String> {
    let program = std::env::current_exe().map_err(|e| format!("cannot find this program: {e}"))?;
    let mut command = Command::new(program);
    command.arg("check").arg(&args.model).args(["--engine", engine, "--reduce", reduce]);
    command.args(["--time", &args.time, "--memory", &args.memory, "--json", "-"]);
    for (name, value) in &args.constants {
        command.args(["-D", &format!("{name}={value}")]);
    }
    let output = command.stdin(Stdio::null()).output().map_err(|e| format!("cannot run: {e}"))?;
    match serde_json::from_slice(&output.stdout) {
        Ok(report) => Ok(Outcome::Report(report)),
        Err(_) if output.status.code() == Some(exit::WRONG_INPUT.into()) && engine == "bdd" => {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().last().unwrap_or("");
            Ok(Outcome::Refused(last.trim_start_matches("error: ").to_owned()))
        }
        Err(_) => Err(String::from_utf8_lossy(&output.stderr).trim_end().to_owned()),
    }
}

/// A row of the table.
fn row(engine: &str, reduce: &str, outcome: &Outcome, ratio: Option<f64>) -> [String; 8] {
    let Outcome::Report(report) = outcome else {
        return [engine, reduce, "refused", "", "", "", "", ""].map(str::to_owned);
    };
    let number = |value: &Value| value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    let verdict = match report["limit"].as_str() {
        Some(limit @ ("time" | "memory")) => format!("stopped ({limit})"),
        _ => report["verdict"].as_str().unwrap_or_default().to_owned(),
    };
    let several = if report["exact"] == Value::Bool(false) { "+" } else { "" };
    [
        engine.to_owned(),
        reduce.to_owned(),
        verdict,
        format!("{}{several}", number(&report["states"])),
        report["nodes"]["peak"].as_u64().map_or(String::new(), |nodes| nodes.to_string()),
        report["peak_memory_bytes"].as_u64().map_or(String::new(), bytes),
        format!("{:.2} s", report["time_s"].as_f64().unwrap_or_default()),
        ratio.map_or(String::new(), |ratio| format!("{ratio:.2}")),
    ]
}

/// What complete checks disagree on, if anything.
fn disagreement(reports: &[&Value]) -> Option<String> {
    let known: Vec<_> = reports.iter().filter(|report| report["verdict"] != "unknown").collect();
    if known.iter().any(|report| report["verdict"] != known[0]["verdict"]) {
        return Some("verdicts differ".to_owned());
    }
    // Only where everything was explored; and adaptively, states are not orbits.
    let counted = |reduced: bool| {
        let counts = reports.iter().filter(move |report| {
            report["limit"].is_null()
                && report["exact"] == Value::Bool(true)
                && report["reduction"] != "adaptive"
                && (report["reduction"] != "none") == reduced
        });
        counts.map(|report| &report["states"]).collect::<Vec<_>>()
    };
    for reduced in [false, true] {
        let counts = counted(reduced);
        if counts.iter().any(|count| *count != counts[0]) {
            let what = if reduced { "orbits" } else { "states" };
            return Some(format!("the numbers of {what} differ"));
        }
    }
    None
}

/// The table with its columns aligned: words to the left, figures to the right.
fn aligned(table: &[[String; 8]]) -> String {
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<_> = (0..8).map(width).collect();
    let mut text = String::new();
    for row in table {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| match column {
            0..3 => format!("{cell:<width$}"),
            _ => format!("{cell:>width$}"),
        });
        text += cells.collect::<Vec<_>>().join("  ").trim_end();
        text.push('\n');
    }
    text
}
