//! `burnside compare MODEL`: every engine and reduction on one model, one table.
//!
//! Each check is a process of its own, started from this program: one that runs out of memory or fails takes nothing
//! else with it, and its memory is its own.

mod agreement;
pub mod process;
mod read;
mod variants;

use std::io::IsTerminal;
use std::path::{Path, PathBuf};
use std::time::Duration;

use burnside::report::comparison::{Comparison, Lines, Outcome, Row, conclusion, json, svg};
use burnside::report::text::bytes;
use burnside::table::refusal_for;
use burnside::{Cancel, Language, Options, Source, Verdict, exit};
use clap::Args;
use variants::Variant;

use super::args::LanguageArg;
use super::inputs::{Asked, fail, queries_beside, read as read_file};
use super::outputs::{Outputs, write as write_file};
use super::sweep::{self, SweepArgs, Way};
use super::terminal::{end_on_signals, print, status};
use super::units;

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
    /// The model; `-` is standard input
    model: PathBuf,
    /// The language of the model [default: by the name of its file, or by its content]
    #[arg(long, value_enum)]
    language: Option<LanguageArg>,
    /// For a PRISM model: the file with its properties
    properties: Option<PathBuf>,
    /// The file with what is asked, as for `check`
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,
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
    /// Write the conclusion only
    #[arg(long, short, conflicts_with = "sweep")]
    quiet: bool,
    #[command(flatten)]
    sweep: SweepArgs,
    /// Options of `check`, given to all of them
    #[arg(last = true, value_name = "CHECK-OPTIONS")]
    options: Vec<String>,
}

/// What is compared.
struct Subject<'s> {
    args: &'s CompareArgs,
    /// The text of the model.
    bytes: Vec<u8>,
    language: Language,
    /// The file with its queries.
    queries: Option<PathBuf>,
    cancel: Cancel,
}

/// Runs the command; the exit code.
pub fn run(args: &CompareArgs) -> Result<u8, String> {
    let mut outputs = Outputs::default();
    outputs.writes("--json", args.json.as_deref());
    outputs.writes("--svg", args.svg.as_deref());
    outputs.reads("the model", Some(&args.model));
    outputs.reads("the file of `--queries`", args.queries.as_deref());
    outputs.reads("the file of properties", args.properties.as_deref());
    let (name, bytes) = read_file(&args.model)?;
    // The model's own errors are shown once, not for every check.
    let source = Source::from_bytes(name, &bytes).map_err(|diagnostic| diagnostic.message)?;
    let language = args.language.map_or_else(|| Language::of(&source), Language::from);
    let beside = queries_beside(&args.model, language);
    outputs.reads("the file beside the model", beside.as_deref());
    outputs.check()?;
    if let Some(why) = args.queries.as_ref().and_then(|_| refusal_for("--queries", language)) {
        return Err(why);
    }
    let variants = variants::chosen(&args.engine, &args.reduce, language.kind())?;
    if let Some(grid) = &args.sweep.sweep {
        return swept(args, grid, &variants, language);
    }
    let (asked, properties) = (args.queries.as_deref(), args.properties.as_deref());
    let Some(asked) = Asked::read(&args.model, language, asked, properties)? else {
        return Ok(exit::WRONG_INPUT);
    };
    let options = Options {
        constants: args.constants.clone(),
        language: Some(language),
        queries: asked.queries,
        properties: asked.properties,
        ..Options::default()
    };
    let symmetry = match burnside::symmetry(&source, &options) {
        Ok(analysis) => analysis.symmetry,
        Err(failure) => {
            fail(&failure, &source);
            return Ok(exit::code(&Err(failure)));
        }
    };
    let queries = args.queries.clone().or_else(|| queries_beside(&args.model, language));
    let subject = Subject { args, bytes, language, queries, cancel: Cancel::new() };
    end_on_signals(subject.cancel)?;
    let mut comparison = Comparison {
        model: source.name().to_owned(),
        structure: symmetry.structure,
        order: symmetry.order,
        verdict: Verdict::Unknown,
        rows: Vec::new(),
        disagreements: Vec::new(),
    };
    let lines = Lines::new(variants.iter().map(|variant| (variant.engine, variant.reduction)));
    let on_stdout = args.json.as_deref() == Some(Path::new("-"));
    let told = !on_stdout && !args.quiet;
    let mut head = Some(lines.head(&comparison.structure, &comparison.order)).filter(|_| told);
    for variant in &variants {
        if subject.cancel.reason().is_some() {
            break;
        }
        comparison.rows.push(subject.row(variant)?);
        let last = &comparison.rows[comparison.rows.len() - 1];
        if let Some(line) = lines.row(&comparison, last).filter(|_| told) {
            print(&(head.take().unwrap_or_default() + &line));
        }
    }
    if let Some(reason) = refused_by_all(&comparison.rows) {
        return Err(format!("nothing can be compared: {reason}"));
    }
    comparison.disagreements = agreement::disagreements(&comparison.rows);
    comparison.verdict = agreement::verdict(&comparison.rows, &comparison.disagreements);
    if told {
        print(&(head.take().unwrap_or_default() + &lines.tail(&comparison)));
    } else if !on_stdout {
        print(&conclusion(&comparison));
    }
    write(args, &comparison)?;
    Ok(exit::comparison(&comparison))
}

impl Subject<'_> {
    /// Checks the model in one way.
    fn row(&self, variant: &Variant) -> Result<Row, String> {
        let args = self.args;
        let arguments = arguments(args, variant, self.language, self.queries.as_deref(), "-");
        let on_terminal = std::io::stderr().is_terminal();
        if on_terminal {
            status(&format!("{} {} ...", variant.engine, variant.reduction));
        }
        let ended = process::run(&arguments, &self.bytes, args.time + GRACE, self.cancel)?;
        if on_terminal {
            status("");
        }
        Ok(Row {
            engine: variant.engine.to_owned(),
            reduction: variant.reduction.to_owned(),
            outcome: read::outcome(variant, &ended),
        })
    }
}

/// The arguments of the check of a model in one way.
fn arguments(
    args: &CompareArgs,
    variant: &Variant,
    language: Language,
    queries: Option<&Path>,
    model: &str,
) -> Vec<String> {
    let mut arguments: Vec<String> =
        ["check", model, "--json", "-", "--engine", variant.engine, "--language", language.name()]
            .map(str::to_owned)
            .to_vec();
    arguments.extend(args.properties.iter().map(|path| path.to_string_lossy().into_owned()));
    arguments.extend(variant.options.iter().map(|option| (*option).to_owned()));
    arguments.extend(["--time".to_owned(), format!("{}ms", args.time.as_millis())]);
    arguments.extend(["--memory".to_owned(), args.memory.to_string()]);
    let constants = args.constants.iter().map(|(name, value)| format!("{name}={value}"));
    arguments.extend(constants.flat_map(|constant| ["-D".to_owned(), constant]));
    if let Some(queries) = queries {
        arguments.extend(["--queries".to_owned(), queries.to_string_lossy().into_owned()]);
    }
    arguments.extend(args.options.iter().cloned());
    arguments
}

/// The comparison at several sizes; the exit code.
fn swept(
    args: &CompareArgs,
    grid: &sweep::Grid,
    variants: &[Variant],
    language: Language,
) -> Result<u8, String> {
    if args.json.is_some() || args.svg.is_some() {
        return Err("a sweep is written with `--write json=FILE` and `--write svg=FILE`".to_owned());
    }
    let model = args.model.to_string_lossy();
    let queries = args
        .queries
        .clone()
        .or_else(|| queries_beside(&args.model, language).filter(|_| language == Language::Uppaal));
    let ways: Vec<Way> = variants
        .iter()
        .map(|variant| Way {
            name: format!("{} {}", variant.engine, variant.reduction),
            arguments: arguments(args, variant, language, queries.as_deref(), &model),
        })
        .collect();
    let limits = format!("{} s, {}", args.time.as_secs_f64(), bytes(args.memory));
    sweep::run(&args.sweep, grid, &args.model, &ways, Some(args.time), limits)
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
    if let Some(path) = &args.svg {
        write_file(path, &svg(comparison))?;
    }
    let Some(path) = &args.json else { return Ok(()) };
    let json = json(comparison).map_err(|e| format!("cannot write JSON: {e}"))?;
    if path == Path::new("-") {
        print(&json);
        return Ok(());
    }
    write_file(path, &json)
}
