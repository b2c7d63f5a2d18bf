//! Text, JSON, HTML and other formats from a finished check.
//!
//! [`Report`] holds everything a check found, in words and numbers: values have their original names, places their file
//! and line. It knows no engine and re-derives nothing; [`text`] and [`json`] only write it down.

pub mod comparison;
mod entries;
pub mod explorer;
pub mod formats;
pub mod generators;
pub mod html;
pub mod json;
mod measured;
pub mod moment;
pub mod sweep;
pub mod symmetry;
pub mod text;
pub mod threads;
pub mod trace;
mod value;

use std::time::Duration;

use burnside_model::findings::{Measured, Quantity};
use burnside_model::system::PropertyKind;
use burnside_model::{Limit, Verdict};

pub use entries::EntryChange;
pub use moment::{ClockReport, EdgeReport, Fraction, Moment};
pub use trace::{Change, Failing, Firing, TraceMode, TraceReport, TraceStepReport};
pub use value::{Named, Value};

/// Everything a check found.
#[derive(Clone, Debug)]
pub struct Report {
    /// The model's file name.
    pub model: String,
    /// The language it is written in.
    pub language: String,
    /// Its constants, overrides applied.
    pub constants: Vec<Named>,
    pub verdict: Verdict,
    /// The properties, in the order of the model.
    pub properties: Vec<PropertyReport>,
    /// The engine that was used.
    pub engine: String,
    /// The reduction that was used.
    pub reduction: String,
    /// Whether every orbit has one representative.
    pub exact: bool,
    /// The symmetry that was used.
    pub symmetry: SymmetryReport,
    /// What the stored states are.
    pub stored: Stored,
    /// Stored states, or orbits where reduced.
    pub states: u64,
    /// The same in decimal, where it may not fit.
    pub states_text: Option<String>,
    /// The number of orbits, where representatives may be several of an orbit and they were counted.
    pub orbits: Option<u64>,
    /// The number of states without reduction, where known.
    pub full_states: Option<u128>,
    /// Enabled rule instances at stored states.
    pub rules_fired: Option<u64>,
    /// How far the farthest stored state is from a start state.
    pub depth: Option<u64>,
    /// How long the check took.
    pub time: Duration,
    /// The most memory the process had.
    pub peak_memory: u64,
    /// With decision diagrams: how many nodes they had.
    pub nodes: Option<Nodes>,
    /// With SAT: what the questions to the solver were about.
    pub sat: Option<Sat>,
    /// The graph that temporal formulas were decided on.
    pub edges: Option<Edges>,
    /// The limit that ended the check early.
    pub limit: Option<Limit>,
    /// What the verdict rests on without having been checked.
    pub assumptions: Vec<String>,
    /// The explorations, where properties needed different ones.
    pub runs: Vec<Run>,
    /// What the author of the model should know.
    pub warnings: Vec<Warning>,
    /// How often each rule fired.
    pub rules: Vec<RuleCount>,
    /// How the search went.
    pub course: Course,
}

/// How a search went, as far as the engine told.
#[derive(Clone, Debug, Default, PartialEq, serde::Serialize)]
pub struct Course {
    /// The number of stored states at each distance from the start.
    pub levels: Vec<u64>,
    /// Seconds since the start, and the number of stored states then.
    pub samples: Vec<(f64, u64)>,
}

/// What the stored states are.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Stored {
    #[default]
    States,
    /// One state of each orbit, or several.
    Representatives,
    /// States with the remaining symmetry of each.
    AbstractStates,
    WholeOrbits,
    /// Numbers of elements per local state, one for each orbit.
    Counts,
    /// Nothing: with SAT there are clauses only.
    Nothing,
}

/// What a search with SAT took.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Sat {
    /// IC3: its frames.
    pub frames: u64,
    /// IC3: the clauses of the inductive invariant.
    pub clauses: u64,
    /// IC3: how many orbits of clauses that are.
    pub orbits: u64,
    /// Bounded search and k-induction: the most steps of a run that was asked about.
    pub steps: Option<u64>,
    /// Questions to the solver.
    pub queries: u64,
}

/// The steps between stored states, as edges of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Edges {
    pub count: u64,
    /// How many different permutations they have.
    pub permutations: u64,
    /// Bytes for all of them.
    pub bytes: u64,
}

/// A property and what was found.
#[derive(Clone, Debug)]
pub struct PropertyReport {
    pub name: String,
    /// Whether the name is the author's.
    pub named: bool,
    pub kind: PropertyKind,
    pub verdict: Verdict,
    /// Where it is stated, if it is.
    pub place: Option<Place>,
    /// For a cover: how often it held.
    pub covered: Option<u64>,
    /// Why nothing is known, where it is not a limit of the whole check.
    pub reason: Option<String>,
    /// Runs that violate it; there is none for a cover that is never reached.
    pub violations: Vec<Violation>,
    /// A run that shows why a formula holds.
    pub witness: Option<Violation>,
    /// If it could not be looked at, as it is not supported or wrong: the mistake with its source lines.
    pub error: Option<String>,
    /// Of a probabilistic model: what was computed.
    pub measured: Option<Box<Measured>>,
}

impl PropertyReport {
    /// A property of which nothing is told but its name and verdict.
    pub fn new(name: &str, kind: PropertyKind, verdict: Verdict) -> PropertyReport {
        PropertyReport {
            name: name.to_owned(),
            named: true,
            kind,
            verdict,
            place: None,
            covered: None,
            reason: None,
            violations: Vec::new(),
            witness: None,
            error: None,
            measured: None,
        }
    }

    /// The verdict in one word; `error` for a property that could not be looked at, `value` for one that asks for a number.
    pub fn verdict_name(&self) -> &'static str {
        let value = self.measured.as_ref().and_then(|measured| measured.value.as_ref());
        match value {
            _ if self.error.is_some() => "error",
            Some(Quantity::Number(_) | Quantity::Range(..)) => "value",
            _ => self.verdict.name(),
        }
    }
}

/// A run that violates a property.
#[derive(Clone, Debug, Default)]
pub struct Violation {
    /// What goes wrong, in one line.
    pub message: String,
    /// Where in the source.
    pub place: Option<Place>,
    /// The message with the source lines around the place, for a terminal.
    pub snippet: String,
    pub trace: TraceReport,
}

/// A place in a source file.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Place {
    pub file: String,
    /// The line, from one.
    pub line: u32,
    /// The column in characters, from one.
    pub column: u32,
}

/// The symmetry that was used.
#[derive(Clone, Debug, Default)]
pub struct SymmetryReport {
    /// Generators of the group, as permutations of named elements.
    pub generators: Vec<String>,
    /// The structure of the group, for example `S3 x S2`; `trivial` if there is none.
    pub structure: String,
    /// The order of the group, in decimal.
    pub order: String,
    /// Whether the group was verified to be one of symmetries.
    pub verified: bool,
    /// Where it is from: `declared`, `detected`, `claimed` or `none`.
    pub derived: String,
    /// What breaks it: with the reduction `adaptive`, those rules and properties that tell elements apart.
    pub asymmetric: Vec<Asymmetric>,
    /// What became of each permutation, where representatives are chosen on the fly.
    pub judged: Vec<generators::GeneratorReport>,
}

/// A rule or property that tells elements apart that others do not.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Asymmetric {
    /// `rule`, or the property's kind.
    pub kind: String,
    pub name: String,
    /// What it still does not tell apart: `{1 2} {3}`.
    pub blocks: String,
    pub reason: String,
    pub place: Option<Place>,
}

/// How large decision diagrams were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Nodes {
    /// The most nodes there were, garbage included.
    pub peak: u64,
    /// The most that were in use.
    pub live: u64,
    /// With one relation of all steps: what that has.
    pub relation: Option<u64>,
}

/// One of several explorations.
#[derive(Clone, Debug, Default)]
pub struct Run {
    /// The properties that it decided.
    pub properties: Vec<String>,
    pub engine: String,
    pub reduction: String,
    /// The structure of its group.
    pub symmetry: String,
    /// Stored states, in decimal: they may be very many.
    pub states: String,
    /// Whether there may be several of each orbit among them.
    pub several: bool,
    /// Of an engine that was tried beside the one that has the answer: how it ended (`stopped`, `refused`, `failed`, `undecided`, or
    /// the name of a limit), and how long it was tried.
    pub tried: Option<(String, Duration)>,
}

impl Run {
    /// The only exploration of a report.
    #[must_use]
    pub fn of(report: &Report) -> Run {
        let states = report.states_text.clone().unwrap_or_else(|| report.states.to_string());
        Run {
            properties: report.properties.iter().map(|property| property.name.clone()).collect(),
            engine: report.engine.clone(),
            reduction: report.reduction.clone(),
            symmetry: report.symmetry.structure.clone(),
            states,
            several: !report.exact,
            tried: None,
        }
    }
}

/// Something the author of the model should know.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// Its kind, for example `W0201`.
    pub code: String,
    /// One line.
    pub message: String,
    /// Where in the source.
    pub place: Option<Place>,
    /// With the source lines around the place, for a terminal.
    pub snippet: String,
}

/// How often a rule fired.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct RuleCount {
    pub rule: String,
    pub place: Option<Place>,
    /// How many of its instances were enabled, summed over the stored states.
    pub fired: u64,
}

impl Default for Report {
    fn default() -> Self {
        Report {
            model: String::new(),
            language: String::new(),
            constants: Vec::new(),
            verdict: Verdict::Unknown,
            properties: Vec::new(),
            engine: String::new(),
            reduction: String::new(),
            exact: false,
            symmetry: SymmetryReport::default(),
            stored: Stored::States,
            states: 0,
            states_text: None,
            orbits: None,
            full_states: None,
            rules_fired: None,
            depth: None,
            time: Duration::ZERO,
            peak_memory: 0,
            nodes: None,
            sat: None,
            edges: None,
            limit: None,
            assumptions: Vec::new(),
            runs: Vec::new(),
            warnings: Vec::new(),
            rules: Vec::new(),
            course: Course::default(),
        }
    }
}

impl Report {
    /// The mistakes, if no property at all could be looked at.
    pub fn all_wrong(&self) -> Option<String> {
        let mistakes: Option<Vec<&str>> =
            self.properties.iter().map(|property| property.error.as_deref()).collect();
        mistakes.filter(|mistakes| !mistakes.is_empty()).map(|mistakes| mistakes.join("\n"))
    }

    /// The rules that never fired.
    pub fn never_fired(&self) -> impl Iterator<Item = &RuleCount> {
        self.rules.iter().filter(|rule| rule.fired == 0)
    }

    /// How many times more states there are than were stored, if reduction was used.
    pub fn reduction_factor(&self) -> Option<f64> {
        match self.full_states {
            Some(full) if self.stored != Stored::States && self.states > 0 => {
                Some(full as f64 / self.states as f64)
            }
            _ => None,
        }
    }
}
