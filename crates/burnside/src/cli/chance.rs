//! `burnside check` of a PRISM model.

use std::path::PathBuf;
use std::time::Instant;

use burnside::{ChanceTask, Source, chance_symmetry, check_chance, exit};
use clap::Args;

use super::args::{CheckArgs, DetectArg, ReduceArg};
use super::inputs::source;
use super::terminal::{colored, error, print};

/// What only probabilistic models have.
#[derive(Args)]
pub struct ChanceArgs {
    /// For a PRISM model: the file with its properties
    pub properties: Option<PathBuf>,
    /// For a PRISM model: a property, such as `Pmax=? [ F "done" ]`
    #[arg(long, value_name = "PROPERTY")]
    pub property: Vec<String>,
    /// For a PRISM model: constants as PRISM takes them, `N=2,K=3`; `N=2:5` checks all of these values
    #[arg(long = "const", value_name = "CONSTANTS")]
    pub consts: Vec<String>,
    /// For a PRISM model: exact fractions rather than bounds
    #[arg(long)]
    pub exact: bool,
    /// For a PRISM model: how near the bounds of a number must be, relative to it [default: 1e-6]
    #[arg(long, value_name = "DISTANCE")]
    pub precision: Option<f64>,
}

impl ChanceArgs {
    /// An option that is only for PRISM models.
    pub fn given(&self) -> Option<&'static str> {
        let asked = [
            (self.properties.is_some(), "a file of properties"),
            (!self.property.is_empty(), "`--property`"),
            (!self.consts.is_empty(), "`--const`"),
            (self.exact, "`--exact`"),
            (self.precision.is_some(), "`--precision`"),
        ];
        asked.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
    }
}

/// The options that probabilistic models have: these, those of [`ChanceArgs`], and no others.
const USED: &[&str] = &[
    "-D",
    "--property",
    "--const",
    "--exact",
    "--precision",
    "--reduce",
    "--detect",
    "--threads",
    "--memory",
    "--time",
    "--json",
];

/// An option that was given and means nothing here.
fn refused<'g>(args: &CheckArgs, given: &'g [String]) -> Option<&'g str> {
    let reduces = !matches!(args.reduce, ReduceArg::Auto | ReduceArg::None);
    let used = |option: &str| USED.contains(&option) && !(reduces && option == "--reduce");
    given.iter().map(String::as_str).find(|option| !used(option))
}

/// Bytes that one state takes, with its transitions: a guess.
const STATE_BYTES: u64 = 200;

/// Checks a PRISM model; the exit code.
pub fn check(args: &CheckArgs, given: &[String], model: &Source) -> Result<u8, String> {
    let begun = Instant::now();
    if let Some(option) = refused(args, given) {
        return Err(format!("`{option}` is not for PRISM models"));
    }
    let outputs = args.outputs();
    outputs.check()?;
    let chance = &args.chance;
    let mut sources = Vec::new();
    if let Some(path) = &chance.properties {
        let Some(found) = source(path)? else { return Ok(exit::WRONG_INPUT) };
        sources.push(found);
    }
    for (index, text) in chance.property.iter().enumerate() {
        sources.push(Source::new(format!("<property {}>", index + 1), text.clone()));
    }
    let mut constants = args.constants.clone();
    for list in &chance.consts {
        for pair in list.split(',') {
            let Some((name, value)) = pair.split_once('=') else {
                return Err(format!("`{pair}` is no constant: write NAME=VALUE"));
            };
            constants.push((name.trim().to_owned(), value.trim().to_owned()));
        }
    }
    let precision = chance.precision.unwrap_or(1e-6);
    if !(1e-12..1.0).contains(&precision) {
        return Err("`--precision` is between 1e-12 and 1".to_owned());
    }
    let reduce = matches!(args.reduce, ReduceArg::Auto) && matches!(args.detect, DetectArg::Auto);
    let memory = args.memory.or_else(burnside::default_memory_limit);
    let options = burnside::ChanceOptions {
        exact: chance.exact,
        precision,
        reduce,
        threads: args
            .threads
            .map_or_else(|| std::thread::available_parallelism().map_or(1, usize::from), usize::from),
        max_states: memory.map_or(1 << 31, |bytes| (bytes / STATE_BYTES).min(1 << 31) as usize),
        deadline: args.time.map(|time| begun + time),
    };
    let references: Vec<&Source> = sources.iter().collect();
    let task = ChanceTask {
        model,
        properties: &references,
        constants: &constants,
        options,
        color: colored(&std::io::stderr()),
    };
    let report = match check_chance(&task) {
        Ok(report) => report,
        Err(message) => {
            error(&message);
            return Ok(exit::WRONG_INPUT);
        }
    };
    if report.properties.is_empty() {
        return Err(
            "there is no property: give a file of them, or `--property 'P=? [ F \"done\" ]'`".to_owned()
        );
    }
    let on_stdout = outputs.is_stdout(args.json.as_deref());
    print(&if on_stdout { report.json() } else { report.text() });
    if let Some(path) = args.json.as_ref().filter(|_| !on_stdout) {
        super::outputs::write(path, &report.json())?;
    }
    Ok(report.exit_code())
}

/// Shows the symmetry of a PRISM model; the exit code.
pub fn symmetry(model: &Source, constants: &[(String, String)]) -> Result<u8, String> {
    match chance_symmetry(model, constants, colored(&std::io::stderr())) {
        Ok(text) => {
            print(&text);
            Ok(exit::HOLDS)
        }
        Err(message) => {
            error(&message);
            Ok(exit::WRONG_INPUT)
        }
    }
}
