//! `burnside compare MODEL`: every engine and reduction on one model, one table.
//!
//! Each check is a process of its own, started from this program: one that runs out of memory or fails takes nothing
//! else with it, and its memory is its own.

mod agreement;
mod process;
mod read;
mod variants;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use burnside::report::comparison::{Comparison, Outcome, Row, json, svg, text};
use burnside::{Options, Source, exit};
use clap::Args;
use variants::Variant;

use super::terminal::{error, print};
use super::{fail, read as read_file, units};

pub const EXAMPLES: &str = "\
Examples:
  burnside compare model.m                       every engine and reduction that applies
  burnside compare model.m -D N=4 --time 10s     with constant N = 4, each check for at most 10 seconds
  burnside compare model.m --engine explicit     all that the explicit engine has
  burnside compare model.m --reduce none,auto,sorted  these reductions, with every engine that has them
  burnside compare model.m --svg times.svg       a picture as well
  burnside compare model.m -- --deadlock off     what follows `--` goes to every check

Exit codes:
  0   they agree that everything holds
  1   they agree that something is violated
  2   the model or the options are wrong
  3   all were stopped at a limit, nothing violated
  70  they disagree, or one failed: please report it with the model";

/// How much longer than its limit a check may take to end by itself.
const GRACE: Duration = Duration::from_secs(10);

#[derive(Args)]
pub struct CompareArgs {
    /// The model, a Murphi file; `-` is standard input
    model: PathBuf,
    /// Give a constant of the model another value
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = units::constant)]
    constants: Vec<(String, String)>,
    /// Only these engines, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    engine: Vec<String>,
    /// Only these reductions, separated by commas
    #[arg(long, value_name = "LIST", value_delimiter = ',')]
    reduce: Vec<String>,
    /// How long each check may take: 2s, 10m, 1h30m
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = units::duration)]
    time: Duration,
    /// How much memory each check may use: 256M, 8G
    #[arg(long, value_name = "SIZE", default_value = "2G", value_parser = units::size)]
    memory: u64,
    /// Write the result as JSON to a file; `-` is standard output, in place of the table
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Draw times and memory
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    /// Options of `check`, given to all of them
    #[arg(last = true, value_name = "CHECK-OPTIONS")]
    options: Vec<String>,
}

/// Runs the command; the exit code.
pub fn run(args: &CompareArgs) -> Result<u8, String> {
    let variants = variants::chosen(&args.engine, &args.reduce)?;
    let (name, bytes) = read_file(&args.model)?;
    // The model's own errors are shown once, not for every check.
    let source = Source::from_bytes(name, &bytes).map_err(|diagnostic| diagnostic.message)?;
    let options = Options { constants: args.constants.clone(), ..Options::default() };
    let symmetry = match burnside::symmetry(&source, &options) {
        Ok(analysis) => analysis.symmetry,
        Err(failure) => {
            fail(&failure, &source);
            return Ok(exit::code(&Err(failure)));
        }
    };
    let rows = variants.iter().map(|variant| row(args, &bytes, variant)).collect::<Result<Vec<_>, _>>()?;
    if let Some(reason) = refused_by_all(&rows) {
        return Err(format!("nothing can be compared: {reason}"));
    }
    let disagreements = agreement::disagreements(&rows);
    let comparison = Comparison {
        model: source.name().to_owned(),
        structure: symmetry.structure,
        order: symmetry.order,
        verdict: agreement::verdict(&rows, &disagreements),
        rows,
        disagreements,
    };
    write(args, &comparison)?;
    Ok(exit::comparison(&comparison))
}

/// Checks the model in one way.
fn row(args: &CompareArgs, model: &[u8], variant: &Variant) -> Result<Row, String> {
    let mut arguments = ["check", "-", "--json", "-", "--engine", variant.engine].map(str::to_owned).to_vec();
    arguments.extend(variant.options.iter().map(|option| (*option).to_owned()));
    arguments.extend(["--time".to_owned(), format!("{}ms", args.time.as_millis())]);
    arguments.extend(["--memory".to_owned(), args.memory.to_string()]);
    let constants = args.constants.iter().map(|(name, value)| format!("{name}={value}"));
    arguments.extend(constants.flat_map(|constant| ["-D".to_owned(), constant]));
    arguments.extend(args.options.iter().cloned());
    let on_terminal = std::io::stderr().is_terminal();
    if on_terminal {
        error(&format!("\r\x1b[2K{} {} ...", variant.engine, variant.reduction));
    }
    let ended = process::run(&arguments, model, args.time + GRACE)?;
    if on_terminal {
        error("\r\x1b[2K");
    }
    Ok(Row {
        engine: variant.engine.to_owned(),
        reduction: variant.reduction.to_owned(),
        outcome: read::outcome(variant, &ended),
    })
}

/// The first reason, if not one check could be made.
fn refused_by_all(rows: &[Row]) -> Option<&str> {
    let reasons: Option<Vec<&str>> = rows.iter().map(reason).collect();
    reasons?.first().copied()
}

fn reason(row: &Row) -> Option<&str> {
    match &row.outcome {
        Outcome::NotApplicable(reason) => Some(reason),
        _ => None,
    }
}

fn write(args: &CompareArgs, comparison: &Comparison) -> Result<(), String> {
    let to_file = |path: &Path, text: &str| {
        std::fs::write(path, text).map_err(|e| format!("cannot write {}: {e}", path.display()))
    };
    if let Some(path) = &args.svg {
        to_file(path, &svg(comparison))?;
    }
    if let Some(path) = &args.json {
        let json = json(comparison).map_err(|e| format!("cannot write JSON: {e}"))?;
        if path == Path::new("-") {
            print(&json);
            return Ok(());
        }
        to_file(path, &json)?;
    }
    print(&text(comparison));
    Ok(())
}
