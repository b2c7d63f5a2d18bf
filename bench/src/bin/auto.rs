//! Whether `auto` is ever much slower than the best single choice.
//!
//! `auto [OPTIONS] PATH...`: every model below these paths as it is, and with each of its properties negated, by `auto` and
//! by each of `explicit`, `none` (`--reduce none`), `bdd` and `count`. `auto` may take twice as long as the best of those
//! that have an answer, and a second. Exit code 1 if it takes longer, if it has no answer where another one has, or if
//! answers differ.
//!
//! With `--cpu`, seconds of processor time with one thread are compared: for machines that do other things as well.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use burnside::Source;
use burnside_bench::measure;
use burnside_lang::murphi::load;
use burnside_lang::murphi::printer::print;
use burnside_model::Model;
use burnside_model::code::{Expr, ExprKind};
use burnside_model::system::{Formula, FormulaKind, PropertyKind};
use serde_json::Value;

const USAGE: &str = "usage: auto [--burnside PROGRAM] [--time SECONDS] [--memory SIZE] [--cpu] [--as-they-are] [--every K] PATH...\n\n\
    --time, --memory: of each check\n--cpu: compare processor time, with one thread\n--as-they-are: negate nothing\n\
    --every: only each K-th model";

/// The choices, and how they are asked for.
const CHOICES: [(&str, &[&str]); 5] = [
    ("auto", &[]),
    ("explicit", &["--engine", "explicit"]),
    ("none", &["--engine", "explicit", "--reduce", "none"]),
    ("bdd", &["--engine", "bdd"]),
    ("count", &["--engine", "count"]),
];

/// `auto` may take so many times as long as the best, ...
const TIMES: f64 = 2.0;
/// ... and so many seconds.
const MORE: f64 = 1.0;

struct Arguments {
    program: PathBuf,
    seconds: u64,
    memory: String,
    cpu: bool,
    negates: bool,
    every: usize,
    paths: Vec<PathBuf>,
}

/// What a choice came to.
struct Answer {
    seconds: f64,
    /// `holds` or `violated`, if it has an answer.
    verdict: Option<String>,
    /// The engine that has it.
    engine: String,
}

fn main() -> ExitCode {
    match arguments().and_then(|arguments| all(&arguments)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("auto: {message}");
            ExitCode::from(2)
        }
    }
}

fn arguments() -> Result<Arguments, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("burnside");
    let memory = "2G".to_owned();
    let mut found =
        Arguments { program, seconds: 10, memory, cpu: false, negates: true, every: 1, paths: Vec::new() };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(USAGE.to_owned());
        match word.as_str() {
            "--burnside" => found.program = PathBuf::from(value()?),
            "--time" => found.seconds = value()?.parse().map_err(|_| USAGE.to_owned())?,
            "--memory" => found.memory = value()?,
            "--every" => found.every = value()?.parse().ok().filter(|k| *k > 0).ok_or(USAGE)?,
            "--cpu" => found.cpu = true,
            "--as-they-are" => found.negates = false,
            option if option.starts_with('-') => return Err(USAGE.to_owned()),
            path => found.paths.push(PathBuf::from(path)),
        }
    }
    if found.paths.is_empty() { Err(USAGE.to_owned()) } else { Ok(found) }
}

/// Compares on every model; whether `auto` is always among the best.
fn all(arguments: &Arguments) -> Result<bool, String> {
    let mut models = Vec::new();
    arguments.paths.iter().for_each(|path| models_below(path, &mut models));
    let folder = std::env::temp_dir().join(format!("burnside-auto-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let (mut compared, mut open, mut failed) = (0, 0, 0);
    println!("model | auto | explicit | none | bdd | count | by");
    for path in models.iter().step_by(arguments.every) {
        let Ok(text) = std::fs::read_to_string(path) else { continue };
        let name = path.display().to_string();
        let (Some(model), _) = load(&Source::new(&name, &text), &[]) else { continue };
        let mut variants = vec![(name.clone(), path.clone())];
        let negated = if arguments.negates { negations(&model) } else { Vec::new() };
        for (property, model) in negated {
            let file = folder.join(format!("negated-{property}.m"));
            std::fs::write(&file, print(&model)).map_err(|error| error.to_string())?;
            variants.push((format!("{name}, without \"{property}\""), file));
        }
        for (name, file) in variants {
            match compare(&name, &file, arguments)? {
                None => open += 1,
                Some(good) => {
                    compared += 1;
                    failed += usize::from(!good);
                }
            }
        }
    }
    let _ = std::fs::remove_dir_all(&folder);
    println!("{compared} compared, {open} without any answer, {failed} failed");
    Ok(failed == 0)
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

/// The model with one property negated, for each of them, by its number.
fn negations(model: &Model) -> Vec<(usize, Model)> {
    let mut all = Vec::new();
    for (number, property) in model.properties.iter().enumerate() {
        let mut negated = model.clone();
        let mine = &mut negated.properties[number];
        match (property.kind, &property.condition, &property.formula) {
            (PropertyKind::Invariant, Some(condition), _) => {
                let condition = Box::new(condition.clone());
                let (ty, span) = (condition.ty, condition.span);
                mine.condition = Some(Expr { kind: ExprKind::Not(condition), ty, span });
            }
            (kind, _, Some(formula)) if kind.logic().is_some() => {
                let (span, formula) = (formula.span, Box::new(formula.clone()));
                mine.formula = Some(Formula { kind: FormulaKind::Not(formula), span });
            }
            _ => continue,
        }
        all.push((number, negated));
    }
    all
}

/// Compares on one model; nothing if no choice has an answer.
fn compare(name: &str, file: &Path, arguments: &Arguments) -> Result<Option<bool>, String> {
    let mut answers = Vec::new();
    for (_, choice) in CHOICES {
        answers.push(ask(file, choice, arguments)?);
    }
    let (auto, others) = answers.split_first().ok_or("there are no choices")?;
    let known: Vec<&Answer> = others.iter().filter(|answer| answer.verdict.is_some()).collect();
    let best = known.iter().map(|answer| answer.seconds).fold(f64::INFINITY, f64::min);
    if known.is_empty() && auto.verdict.is_none() {
        return Ok(None);
    }
    let same = known.iter().all(|answer| answer.verdict == auto.verdict);
    let good = same && auto.seconds <= TIMES * best + MORE;
    let cells: Vec<String> = answers.iter().map(Answer::text).collect();
    let mark = match (good, same) {
        (true, _) => "",
        (false, true) => " | SLOW",
        (false, false) => " | DIFFERENT",
    };
    println!("{name} | {} | {}{mark}", cells.join(" | "), auto.engine);
    Ok(Some(good))
}

impl Answer {
    fn text(&self) -> String {
        match self.verdict {
            Some(_) => format!("{:.2}", self.seconds),
            None => "-".to_owned(),
        }
    }
}

/// What a choice makes of a model.
fn ask(file: &Path, choice: &[&str], arguments: &Arguments) -> Result<Answer, String> {
    let mut command: Vec<String> = vec![arguments.program.display().to_string(), "check".to_owned()];
    command.push(file.display().to_string());
    command.extend(choice.iter().map(|&word| word.to_owned()));
    let common = ["--trace", "off", "--json", "-", "--memory", &arguments.memory];
    command.extend(common.map(str::to_owned));
    let run = if arguments.cpu {
        command.extend(["--threads".to_owned(), "1".to_owned()].into_iter().filter(|_| !is_alone(choice)));
        measure::run_cpu(&command, arguments.seconds)
    } else {
        command.extend(["--time".to_owned(), format!("{}s", arguments.seconds)]);
        measure::run(&command, 4 * arguments.seconds + 10)
    };
    // What was ended has no answer.
    let run = run.unwrap_or_default();
    let json: Value = serde_json::from_str(&run.output).unwrap_or(Value::Null);
    let verdict = json["verdict"].as_str().filter(|verdict| *verdict != "unknown").map(str::to_owned);
    let seconds = if arguments.cpu { run.cpu } else { run.wall };
    let engine = json["engine"].as_str().unwrap_or("none").to_owned();
    Ok(Answer { seconds, verdict, engine })
}

/// Whether a choice has one thread anyway, so that it refuses to be asked for it.
fn is_alone(choice: &[&str]) -> bool {
    choice.contains(&"bdd") || choice.contains(&"count")
}
