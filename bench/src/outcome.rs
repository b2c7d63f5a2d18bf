//! Running one model, and what came of it.

use std::path::Path;
use std::time::Duration;

use burnside::{
    DeadlockMode, Detect, Events, Failure, Limit, Limits, Options, Reduce, Report, Semantics, Source, Verdict,
};

/// What came of a model.
pub enum Outcome {
    /// It was refused, for this reason.
    Rejected(String),
    /// It was checked; with what it printed.
    Checked(Box<Report>, String),
    /// Burnside itself went wrong.
    Broken(String),
}

/// What a checker's test suite distinguishes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Class {
    /// The front end refuses the model.
    Reject,
    /// No violation was found, in the part that was to be explored.
    Pass,
    /// A violation was found.
    Fail,
    /// Stopped at a limit of time or memory.
    Unfinished,
    /// Burnside itself went wrong.
    Broken,
}

impl Class {
    /// Its name in expectation files.
    pub fn name(self) -> &'static str {
        match self {
            Class::Reject => "reject",
            Class::Pass => "pass",
            Class::Fail => "fail",
            Class::Unfinished => "unfinished",
            Class::Broken => "broken",
        }
    }
}

impl Outcome {
    /// Its class.
    pub fn class(&self) -> Class {
        match self {
            Outcome::Rejected(_) => Class::Reject,
            Outcome::Broken(_) => Class::Broken,
            Outcome::Checked(report, _) => match (report.verdict, report.limit) {
                (Verdict::Violated, _) => Class::Fail,
                (Verdict::Holds, _) | (Verdict::Unknown, Some(Limit::Bound)) => Class::Pass,
                _ => Class::Unfinished,
            },
        }
    }

    /// Why, in one line.
    pub fn reason(&self) -> String {
        match self {
            Outcome::Rejected(reason) | Outcome::Broken(reason) => reason.clone(),
            Outcome::Checked(report, _) => first_violation(report).unwrap_or_default(),
        }
    }
}

/// The message of the first violated property, if there is one.
pub fn first_violation(report: &Report) -> Option<String> {
    let property = report.properties.iter().find(|p| p.verdict == Verdict::Violated)?;
    let message = property.violations.first().map(|v| v.message.clone()).unwrap_or_default();
    Some(format!("{} `{}`: {message}", property.kind.name(), property.name))
}

/// Options for one run. Others use declared symmetry only, so counts are compared without what is detected.
pub fn options(reduce: Reduce, time: Duration) -> Options {
    Options {
        reduce,
        detect: Detect::Off,
        limits: Limits { time: Some(time), memory: burnside::default_memory_limit(), ..Limits::default() },
        ..Options::default()
    }
}

/// The options that stand for the flags a test gives to rumur; `None` if one of them is malformed. Flags about threads,
/// C types and the like have no meaning for us.
pub fn rumur_options(flags: &str, time: Duration) -> Option<Options> {
    let mut options = options(Reduce::Auto, time);
    options.semantics = Semantics { undefined_is_error: true, ..Semantics::default() };
    let words: Vec<&str> = flags.split_whitespace().collect();
    for pair in words.windows(2) {
        match pair[0] {
            "--bound" => options.limits.bound = Some(pair[1].parse().ok()?),
            "--max-errors" => options.limits.max_errors = pair[1].parse().ok()?,
            "--deadlock-detection" => {
                options.deadlock = match pair[1] {
                    "off" => DeadlockMode::Off,
                    "stuck" => DeadlockMode::Stuck,
                    "stuttering" => DeadlockMode::Stuttering,
                    _ => return None,
                }
            }
            _ => {}
        }
    }
    Some(options)
}

/// Keeps what the model prints.
#[derive(Default)]
struct Printed(String);

impl Events for Printed {
    fn output(&mut self, text: &str) {
        self.0.push_str(text);
    }
}

/// Reads and checks a file.
pub fn run(path: &Path, options: &Options) -> Outcome {
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => return Outcome::Broken(format!("{}: {error}", path.display())),
    };
    let source = match Source::from_bytes(path.display().to_string(), &bytes) {
        Ok(source) => source,
        Err(error) => return Outcome::Rejected(error.message),
    };
    let mut printed = Printed::default();
    match burnside::check_with(&source, options, &mut printed) {
        Ok(report) => Outcome::Checked(Box::new(report), printed.0),
        Err(Failure::Input(diagnostics)) => {
            let first = diagnostics.iter().find(|d| d.is_error()).map(|d| d.message.clone());
            Outcome::Rejected(first.unwrap_or_default())
        }
        Err(failure) => Outcome::Broken(failure.to_string()),
    }
}
