//! `--sweep`: a check, or a comparison, at several values of constants.
//!
//! Each check is a process of its own with the limits of the command line. A column of the result is a way to check with
//! the values of all constants but the first: it ends with its first check that meets a limit, as the larger ones would
//! take longer. A signal ends the sweep, and what was measured is written.

mod cells;
mod grid;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use burnside::report::sweep::{self, Cell, Sweep};
use burnside::{Cancel, exit};
use clap::{Args, ValueEnum};

use super::compare::process;
use super::inputs::read;
use super::outputs::{Outputs, write};
use super::terminal::{end_on_signals, error, print, status};
pub use grid::Grid;

/// The options of a sweep.
#[derive(Args)]
pub struct SweepArgs {
    /// Check at several values of constants: N=2..8; N=2..16:2 in steps; N=2,4,8; N=2..4,M=1..2 all combinations. Growing N
    /// ends with the first check that meets a limit
    #[arg(long, value_name = "GRID", value_parser = grid::parse)]
    pub sweep: Option<Grid>,
    /// With `--sweep`: how often each check is made; the median of the times and their spread are shown
    #[arg(long, value_name = "N", default_value_t = 1, requires = "sweep", value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub repeat: u32,
    /// With `--sweep`: write the result as text, csv, tsv, markdown, latex, json, svg or html to a file; several times for
    /// several
    #[arg(long, value_name = "KIND=FILE", requires = "sweep", value_parser = output)]
    pub write: Vec<(Kind, PathBuf)>,
}

/// What a result is written as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    Text,
    Csv,
    Tsv,
    Markdown,
    Latex,
    Json,
    Svg,
    Html,
}

/// Reads `latex=table.tex`.
fn output(text: &str) -> Result<(Kind, PathBuf), String> {
    let names = || {
        let all = Kind::value_variants().iter().filter_map(ValueEnum::to_possible_value);
        all.map(|value| value.get_name().to_owned()).collect::<Vec<_>>().join(", ")
    };
    let wrong = || format!("`{text}` is not of the form KIND=FILE, where KIND is one of {}", names());
    let (kind, file) = text.split_once('=').ok_or_else(wrong)?;
    if file.is_empty() {
        return Err(wrong());
    }
    Ok((Kind::from_str(kind, false).map_err(|_| wrong())?, PathBuf::from(file)))
}

/// How much longer than its limit a check may take to end by itself.
const GRACE: Duration = Duration::from_secs(10);

/// Options of `check` that are about one check.
const ONE_CHECK: &[&str] = &[
    "--json",
    "--html",
    "--format",
    "--expect",
    "--checkpoint",
    "--checkpoint-every",
    "--resume",
    "--certificate",
    "--certificate-states",
];

/// `check --sweep`; the exit code.
pub fn check(
    args: &SweepArgs,
    grid: &Grid,
    model: &Path,
    time: Option<Duration>,
    given: &[String],
) -> Result<u8, String> {
    if let Some(option) = given.iter().find(|option| ONE_CHECK.contains(&option.as_str())) {
        return Err(format!("`{option}` is for one check; a sweep is written with `--write KIND=FILE`"));
    }
    let arguments = passed_on(std::env::args().skip(1));
    let limits = time.map_or_else(String::new, |time| format!("{} s", time.as_secs_f64()));
    let way = Way { name: "check".to_owned(), arguments };
    run(args, grid, model, &[way], time, limits)
}

/// The arguments without those of a sweep, and with the result as JSON.
fn passed_on(given: impl Iterator<Item = String>) -> Vec<String> {
    let mut kept = Vec::new();
    let mut given = given;
    while let Some(argument) = given.next() {
        let name = argument.split_once('=').map_or(argument.as_str(), |(name, _)| name);
        if matches!(name, "--sweep" | "--repeat" | "--write" | "--progress") {
            if name == argument {
                given.next();
            }
            continue;
        }
        kept.push(argument);
    }
    kept.extend(["--json", "-"].map(str::to_owned));
    kept
}

/// A way to check, as a process of this program.
pub struct Way {
    /// What it is called.
    pub name: String,
    /// Its arguments but for the constants.
    pub arguments: Vec<String>,
}

/// Makes the checks and writes what they came to; the exit code.
pub fn run(
    args: &SweepArgs,
    grid: &Grid,
    model: &Path,
    ways: &[Way],
    time: Option<Duration>,
    limits: String,
) -> Result<u8, String> {
    let mut outputs = Outputs::default();
    args.write.iter().for_each(|(_, path)| outputs.writes("--write", Some(path)));
    outputs.reads("the model", Some(model));
    outputs.check()?;
    // The processes cannot all read it.
    let (name, input) =
        if model == Path::new("-") { read(model)? } else { (model.display().to_string(), Vec::new()) };
    let cancel = Cancel::new();
    end_on_signals(cancel)?;
    let mut driver = Driver { args, grid, ways, input, patience: time, cancel };
    let points = grid.points();
    let mut sweep = Sweep {
        model: name,
        parameters: grid.names.clone(),
        series: ways.iter().map(|way| way.name.clone()).collect(),
        cells: vec![vec![None; points.len()]; ways.len()],
        points,
        limits,
        interrupted: false,
    };
    if let Err(said) = driver.fill(&mut sweep) {
        error(&said);
        return Ok(exit::WRONG_INPUT);
    }
    sweep.interrupted = cancel.reason().is_some();
    conclude(args, &sweep)
}

/// Writes the result; the exit code.
fn conclude(args: &SweepArgs, sweep: &Sweep) -> Result<u8, String> {
    if !args.write.iter().any(|(_, path)| path == Path::new("-")) {
        print(&sweep::text(sweep));
    }
    for (kind, path) in &args.write {
        let text = match kind {
            Kind::Text => sweep::text(sweep),
            Kind::Csv => sweep::csv(sweep),
            Kind::Tsv => sweep::tsv(sweep),
            Kind::Markdown => sweep::markdown(sweep),
            Kind::Latex => sweep::latex(sweep),
            Kind::Json => sweep::json(sweep).map_err(|e| format!("cannot write JSON: {e}"))?,
            Kind::Svg => sweep::svg(sweep),
            Kind::Html => sweep::html(sweep),
        };
        if path == Path::new("-") { print(&text) } else { write(path, &text)? }
    }
    let cells = || sweep.cells.iter().flatten().flatten();
    Ok(match () {
        () if cells().any(|cell| cell.verdict == "violated") => exit::VIOLATED,
        () if sweep.interrupted || cells().any(Cell::is_stopped) => exit::UNKNOWN,
        () if cells().any(|cell| cell.verdict == "unknown") => exit::UNKNOWN,
        () => exit::HOLDS,
    })
}

/// Makes the checks.
struct Driver<'a> {
    args: &'a SweepArgs,
    grid: &'a Grid,
    ways: &'a [Way],
    /// The model, if it came from standard input.
    input: Vec<u8>,
    patience: Option<Duration>,
    cancel: Cancel,
}

impl Driver<'_> {
    /// Fills in the cells, until all are there or a signal comes. An error is what the very first check said against its
    /// input.
    fn fill(&mut self, sweep: &mut Sweep) -> Result<(), String> {
        let points = sweep.points.clone();
        // Columns that have ended: the way, and the values of all constants but the first.
        let mut ended: Vec<(usize, &[String])> = Vec::new();
        let mut some = false;
        for (at, point) in points.iter().enumerate() {
            for way in 0..self.ways.len() {
                if ended.contains(&(way, &point[1..])) {
                    continue;
                }
                let Some(cell) = self.cell(way, point)? else { return Ok(()) };
                if let Some(why) = cell.failure.as_ref().filter(|_| !some && self.ways.len() == 1) {
                    return Err(format!("{why}\n"));
                }
                some = true;
                if cell.is_stopped() {
                    ended.push((way, &point[1..]));
                }
                sweep.cells[way][at] = Some(cell);
            }
        }
        Ok(())
    }

    /// A check, as often as it is wanted; nothing if a signal came.
    fn cell(&mut self, way: usize, point: &[String]) -> Result<Option<Cell>, String> {
        let way = &self.ways[way];
        let given: Vec<String> =
            self.grid.names.iter().zip(point).map(|(name, value)| format!("{name}={value}")).collect();
        let on_terminal = std::io::stderr().is_terminal();
        if on_terminal {
            status(&format!("{} {} ...", way.name, given.join(" ")));
        }
        let constants = given.iter().flat_map(|constant| ["-D".to_owned(), constant.clone()]);
        // What follows `--` must stay behind it.
        let options = way.arguments.iter().position(|a| a == "--").unwrap_or(way.arguments.len());
        let mut arguments = way.arguments[..options].to_vec();
        arguments.extend(constants);
        arguments.extend_from_slice(&way.arguments[options..]);
        let patience = self.patience.map_or(Duration::MAX, |time| time + GRACE);
        let mut found: Option<Cell> = None;
        for _ in 0..self.args.repeat {
            let ended = process::run(&arguments, &self.input, patience, self.cancel)?;
            if self.cancel.reason().is_some() {
                break;
            }
            let cell = cells::cell(&ended);
            let stopped = cell.is_stopped();
            match &mut found {
                Some(found) => found.times.extend(cell.times),
                None => found = Some(cell),
            }
            if stopped {
                break;
            }
        }
        if on_terminal {
            status("");
        }
        // A check that was made less often than it should is measured all the same.
        Ok(found)
    }
}
