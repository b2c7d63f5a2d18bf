//! The flags of `check`, and what they mean as [`burnside::Options`].

use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use burnside::report::formats::Format;
use burnside::report::{TraceMode, text};
use burnside::{
    Cancel, Canon, Counters, DeadlockMode, Detect, Engine, Kind, Language, Limits, Method, Options, Patience,
    Reduce, Semantics, Undefined, Wanted,
};
use clap::{Args, ValueEnum};

use super::inputs::Asked;
use super::outputs::Outputs;
use super::terminal::{Shown, colored};
use super::{certificate, diagrams, sweep, units};

/// The arguments of `check`.
#[derive(Args)]
pub struct CheckArgs {
    /// The model, a Murphi, UPPAAL, Promela or PRISM file, or a thread transition system; `-` is standard input
    pub model: PathBuf,
    /// For a PRISM model: the file with its properties
    pub properties: Option<PathBuf>,
    /// For a PRISM model: a property, such as `Pmax=? [ F "done" ]`
    #[arg(long, value_name = "PROPERTY")]
    pub property: Vec<String>,
    /// For a PRISM model: constants as PRISM takes them, `N=2,K=3`; `N=2:5` checks all of these values
    #[arg(long = "const", value_name = "CONSTANTS", value_parser = units::constant, value_delimiter = ',')]
    pub consts: Vec<(String, String)>,
    /// For a PRISM model: exact fractions rather than bounds
    #[arg(long)]
    pub exact: bool,
    /// For a PRISM model: how near the bounds of a number must be, relative to it [default: 1e-6]
    #[arg(long, value_name = "DISTANCE", value_parser = units::precision)]
    pub precision: Option<f64>,
    /// Give a constant of the model another value
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = units::constant)]
    pub constants: Vec<(String, String)>,
    /// For a Promela model: the most processes that run at a time, where no bound is found
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=255))]
    pub processes_max: Option<u32>,
    /// For a thread transition system: where it begins: `0|1/2` is shared state 0, a thread in 1, any number in 2
    #[arg(long, value_name = "START")]
    pub init: Option<String>,
    /// For a thread transition system: what must not be reached, `2|3,3`; by default what the file beside it says that ends
    /// in `.prop`. For a Boolean program: a label that must not be reached [default: SLIC_ERROR]
    #[arg(long, value_name = "TARGET")]
    pub target: Option<String>,
    /// The file with what is asked; by default, the file beside a UPPAAL model that ends in `.q`, or the file beside a thread
    /// transition system that ends in `.prop`, if there is one
    #[arg(long, value_name = "FILE")]
    pub queries: Option<PathBuf>,
    /// For a UPPAAL model: answer only the query at this position, from 1 on, or those whose text has this part
    #[arg(long, value_name = "INDEX|TEXT")]
    pub only: Vec<String>,
    /// For a UPPAAL model: which run shows that an `E<>` holds or an `A[]` does not: the one that is found first, one with
    /// the fewest steps, or one that takes the least time
    #[arg(long, value_enum, default_value = "first")]
    pub run: RunArg,
    /// How the model is explored: the best way; state by state with compiled code, or with the reference interpreter;
    /// sets of states as decision diagrams; numbers of elements in the same local state, as diagrams
    #[arg(long, value_enum, default_value = "auto")]
    pub engine: EngineArg,
    /// Use all verified symmetry; what is left of it state by state, where only some rules break it; or none. With
    /// `--engine bdd`: none [default]; the orbit relation; several representatives per orbit; sorting; sorting one
    /// component's steps at a time; likewise, but of components in the same state only one takes steps; whatever is found
    /// first of an orbit
    #[arg(long, value_enum, default_value = "auto")]
    pub reduce: ReduceArg,
    /// Whether symmetry that the model does not declare is looked for
    #[arg(long, value_enum, default_value = "auto")]
    pub detect: DetectArg,
    /// Use declared and claimed symmetry even if it cannot be verified; what is not violated is unknown then
    #[arg(long, conflicts_with = "compact")]
    pub trust_symmetry: bool,
    /// A file with more claims about the model: `symmetry`, `generator` and `hint` declarations
    #[arg(long, value_name = "FILE", conflicts_with = "certificate")]
    pub symmetry_file: Option<PathBuf>,
    /// How the representative of an orbit is chosen: the exact default, or as other systems do, for comparison
    #[arg(long, value_enum)]
    pub canon: Option<CanonArg>,
    #[command(flatten)]
    pub diagrams: diagrams::DiagramArgs,
    /// With `--engine sat`: how it decides [default: ic3, or bounded with `--bound`]
    #[arg(long, value_enum)]
    pub method: Option<MethodArg>,
    /// How many threads search [default: one per core]
    #[arg(long, short = 't', value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// Keep only 64-bit hashes of states: less memory, but a state may be missed, so nothing plainly holds
    #[arg(long, conflicts_with_all = ["checkpoint", "resume"])]
    pub compact: bool,
    /// Write the search to a file now and then, and when a limit of time or memory ends it
    #[arg(long, value_name = "FILE")]
    pub checkpoint: Option<PathBuf>,
    /// How often a checkpoint is written, at most
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = units::duration, requires = "checkpoint")]
    pub checkpoint_every: Duration,
    /// Go on from a checkpoint of the same model and options
    #[arg(long, value_name = "FILE")]
    pub resume: Option<PathBuf>,
    /// Stop before using more memory: 256M, 8G [default: 80% of this computer's]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    pub memory: Option<u64>,
    /// Stop after this time: 2s, 10m, 1h30m
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    pub time: Option<Duration>,
    /// Explore only states at most this many steps from a start state
    #[arg(long, value_name = "STEPS")]
    pub bound: Option<u64>,
    /// What counts as a deadlock: nothing; no rule is enabled; no rule leads to another state
    #[arg(long, value_enum, default_value = "stuttering")]
    pub deadlock: DeadlockArg,
    /// What may be done with an undefined value: copied and compared, copied, or nothing
    #[arg(long, value_enum, default_value = "cmurphi")]
    pub undefined: UndefinedArg,
    /// The most iterations of one while loop
    #[arg(long, value_name = "N", default_value_t = Semantics::default().loop_limit)]
    pub loop_limit: u64,
    /// What a trace shows of each state: what changed, everything, or no trace at all
    #[arg(long, value_enum, default_value = "diff")]
    pub trace: TraceArg,
    /// Write the result as JSON to a file; `-` is standard output, in place of the text
    #[arg(long, value_name = "FILE")]
    pub json: Option<PathBuf>,
    /// Write the result as one HTML page, with runs to step through
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Write the result for another tool as well: junit=FILE, github=FILE, sarif=FILE, or itf=FILE for the first run that
    /// violates something; several times for several; `-` is standard output, behind the text
    #[arg(long, value_name = "KIND=FILE", value_parser = units::format)]
    pub format: Vec<(Format, PathBuf)>,
    /// Whether the verdict is the expected one is the result: then the exit code is 0, otherwise 1
    #[arg(long, value_name = "VERDICT", value_enum)]
    pub expect: Option<ExpectArg>,
    /// Go on until this many violations were found
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub max_errors: u64,
    /// Write a certificate of what holds, for `verify-certificate`
    #[arg(long, value_name = "FILE", conflicts_with = "compact")]
    pub certificate: Option<PathBuf>,
    /// For how many of the states the certificate lists their successors; fewer than all is a sample, and no proof
    #[arg(long, value_name = "all|N", default_value = "all", value_parser = certificate::states, requires = "certificate")]
    pub certificate_states: certificate::Sample,
    /// List how often each rule fired
    #[arg(long)]
    pub rule_stats: bool,
    /// Write the verdict only
    #[arg(long, short, conflicts_with = "rule_stats")]
    pub quiet: bool,
    /// The language of the model [default: by the name of its file, or by its content]
    #[arg(long, value_enum)]
    pub language: Option<LanguageArg>,
    /// How progress is told: a line on the terminal, if there is one; a line every 30 seconds; or not at all
    #[arg(long, value_enum, default_value = "auto", conflicts_with = "quiet")]
    pub progress: ProgressArg,
    #[command(flatten)]
    pub sweep: sweep::SweepArgs,
    /// Accept a model in which there is nothing to check
    #[arg(long)]
    pub allow_empty: bool,
}

/// A language, as the command line calls it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LanguageArg {
    Murphi,
    Uppaal,
    Prism,
    Promela,
    Boolean,
    Tts,
}

impl From<LanguageArg> for Language {
    fn from(language: LanguageArg) -> Language {
        match language {
            LanguageArg::Murphi => Language::Murphi,
            LanguageArg::Uppaal => Language::Uppaal,
            LanguageArg::Prism => Language::Prism,
            LanguageArg::Promela => Language::Promela,
            LanguageArg::Boolean => Language::Boolean,
            LanguageArg::Tts => Language::Tts,
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ProgressArg {
    Auto,
    Plain,
    Off,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum RunArg {
    First,
    Shortest,
    Fastest,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum EngineArg {
    Auto,
    Explicit,
    Interpreter,
    Bdd,
    Count,
    Sat,
    Zones,
    Chains,
    Coverability,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum MethodArg {
    /// IC3 with orbit clauses: an inductive invariant, or a run
    Ic3,
    /// Runs of 0, 1, 2, ... steps, up to `--bound`
    Bounded,
    /// k-induction for k = 0, 1, 2, ...
    Induction,
}

impl From<MethodArg> for Method {
    fn from(arg: MethodArg) -> Method {
        match arg {
            MethodArg::Ic3 => Method::Ic3,
            MethodArg::Bounded => Method::Bounded,
            MethodArg::Induction => Method::Induction,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ReduceArg {
    Auto,
    Adaptive,
    None,
    OrbitRelation,
    MultipleRepresentatives,
    Dynamic,
    Component,
    #[value(name = "component+state")]
    ComponentState,
    OnTheFly,
    Representatives,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum DetectArg {
    Auto,
    Off,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum CanonArg {
    /// One form per orbit, by sorting, colour refinement and search
    Refine,
    /// The least state of the orbit, by trying every permutation (Murphi)
    Exhaustive,
    /// Sorted by what is not an id: several states per orbit (SymmSpin)
    Sorted,
    /// The least of all that are sorted so (SymmSpin)
    Segmented,
    /// The first state of the orbit that is met (SMC)
    FirstSeen,
    /// The same, adding the whole orbit to the reached states (ProB)
    Flood,
    /// By a marker that other orbits may share: nothing plainly holds (ProB)
    Markers,
    /// Exchanges of neighbours as long as the state becomes less: several states per orbit (TopSPIN)
    LocalSearch,
}

impl From<CanonArg> for Canon {
    fn from(canon: CanonArg) -> Canon {
        match canon {
            CanonArg::Refine => Canon::Refine,
            CanonArg::Exhaustive => Canon::Exhaustive,
            CanonArg::Sorted => Canon::Sorted,
            CanonArg::Segmented => Canon::Segmented,
            CanonArg::FirstSeen => Canon::FirstSeen,
            CanonArg::Flood => Canon::Flood,
            CanonArg::Markers => Canon::Markers,
            CanonArg::LocalSearch => Canon::LocalSearch,
        }
    }
}

#[derive(Clone, Copy, ValueEnum)]
pub enum DeadlockArg {
    Off,
    Stuck,
    Stuttering,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum UndefinedArg {
    Cmurphi,
    Copy,
    Error,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum ExpectArg {
    Holds,
    Violated,
    Unknown,
}

#[derive(Clone, Copy, ValueEnum)]
pub enum TraceArg {
    Diff,
    Full,
    Off,
}

impl From<DeadlockArg> for DeadlockMode {
    fn from(arg: DeadlockArg) -> DeadlockMode {
        match arg {
            DeadlockArg::Off => DeadlockMode::Off,
            DeadlockArg::Stuck => DeadlockMode::Stuck,
            DeadlockArg::Stuttering => DeadlockMode::Stuttering,
        }
    }
}

impl From<UndefinedArg> for Undefined {
    fn from(arg: UndefinedArg) -> Undefined {
        match arg {
            UndefinedArg::Cmurphi => Undefined::Cmurphi,
            UndefinedArg::Copy => Undefined::Copy,
            UndefinedArg::Error => Undefined::Error,
        }
    }
}

impl From<DetectArg> for Detect {
    fn from(arg: DetectArg) -> Detect {
        match arg {
            DetectArg::Auto => Detect::Auto,
            DetectArg::Off => Detect::Off,
        }
    }
}

impl ReduceArg {
    /// The option and what it asks of decision diagrams, if it is only for them.
    pub fn of_diagrams(self) -> Option<(&'static str, Kind)> {
        match self {
            ReduceArg::Auto
            | ReduceArg::Adaptive
            | ReduceArg::None
            | ReduceArg::OnTheFly
            | ReduceArg::Representatives => None,
            ReduceArg::OrbitRelation => Some(("--reduce orbit-relation", Kind::OrbitRelation)),
            ReduceArg::MultipleRepresentatives => {
                Some(("--reduce multiple-representatives", Kind::MultipleRepresentatives))
            }
            ReduceArg::Dynamic => Some(("--reduce dynamic", Kind::Dynamic)),
            ReduceArg::Component => Some(("--reduce component", Kind::Component)),
            ReduceArg::ComponentState => Some(("--reduce component+state", Kind::ComponentState)),
        }
    }
}

impl From<TraceArg> for TraceMode {
    fn from(arg: TraceArg) -> TraceMode {
        match arg {
            TraceArg::Diff => TraceMode::Diff,
            TraceArg::Full => TraceMode::Full,
            TraceArg::Off => TraceMode::Off,
        }
    }
}

impl CheckArgs {
    /// What the flags ask for.
    pub fn options(&self, asked: Asked, cancel: Cancel) -> Options {
        Options {
            constants: self.constants.iter().chain(&self.consts).cloned().collect(),
            properties: asked.properties,
            exact: self.exact,
            precision: self.precision,
            language: self.language.map(Language::from),
            processes_max: self.processes_max,
            init: self.init.clone(),
            target: self.target.clone(),
            queries: asked.queries,
            queries_given: self.queries.is_some(),
            allow_empty: self.allow_empty,
            only: self.only.clone(),
            depth_first: self.diagrams.depth_first(),
            run: match self.run {
                RunArg::First => Wanted::First,
                RunArg::Shortest => Wanted::Shortest,
                RunArg::Fastest => Wanted::Fastest,
            },
            engine: match self.engine {
                // Counts do not know how often a rule fires.
                EngineArg::Auto if self.rule_stats => Engine::Explicit,
                EngineArg::Auto => Engine::Auto,
                EngineArg::Explicit => Engine::Explicit,
                EngineArg::Interpreter => Engine::Interpreter,
                EngineArg::Bdd => Engine::Bdd,
                EngineArg::Count => Engine::Count,
                EngineArg::Sat => Engine::Sat,
                EngineArg::Zones => Engine::Zones,
                EngineArg::Chains => Engine::Chains,
                EngineArg::Coverability => Engine::Coverability,
            },
            reduce: match (self.reduce, self.reduce.of_diagrams()) {
                (_, Some((_, kind))) => Reduce::Diagrams(kind),
                (ReduceArg::Adaptive, _) => Reduce::Adaptive,
                (ReduceArg::None, _) => Reduce::None,
                (ReduceArg::OnTheFly, _) => Reduce::OnTheFly,
                (ReduceArg::Representatives, _) => Reduce::Representatives,
                _ => Reduce::Auto,
            },
            detect: self.detect.into(),
            trust_symmetry: self.trust_symmetry,
            canon: self.canon.map(Canon::from).unwrap_or_default(),
            diagrams: self.diagrams.options(self.bound.is_some()),
            counters: match self.diagrams.counters {
                None => Counters::Auto,
                Some(diagrams::CountersArg::Diagram) => Counters::Diagram,
                Some(diagrams::CountersArg::Explicit) => Counters::Explicit,
                Some(diagrams::CountersArg::Bdd) => Counters::Bdd,
            },
            method: self.method.map(Method::from).unwrap_or_default(),
            limits: Limits {
                bound: self.bound,
                max_errors: self.max_errors,
                memory: self.memory.or_else(burnside::default_memory_limit),
                time: self.time,
                cancel: Some(cancel),
                states: None,
            },
            deadlock: self.deadlock.into(),
            semantics: Semantics {
                undefined: self.undefined.into(),
                loop_limit: self.loop_limit,
                ..Semantics::default()
            },
            threads: self.threads.unwrap_or(Options::default().threads),
            compact: self.compact,
            checkpoint: self.checkpoint.clone(),
            checkpoint_every: self.checkpoint_every,
            resume: self.resume.clone(),
            patience: Patience::default(),
            certificate: self.certificate.clone(),
            certificate_states: self.certificate_states.0,
            color: colored(&std::io::stdout()),
        }
    }

    /// How the result is shown.
    pub fn text_options(&self) -> text::TextOptions {
        text::TextOptions {
            trace: self.trace.into(),
            rule_stats: self.rule_stats,
            quiet: self.quiet,
            color: colored(&std::io::stdout()),
        }
    }
}

impl CheckArgs {
    /// What is written, and what is read.
    pub fn outputs(&self) -> Outputs<'_> {
        let mut outputs = Outputs::default();
        outputs.writes("--json", self.json.as_deref());
        outputs.writes("--html", self.html.as_deref());
        self.format.iter().for_each(|(_, path)| outputs.writes("--format", Some(path)));
        outputs.writes("--certificate", self.certificate.as_deref());
        outputs.writes("--checkpoint", self.checkpoint.as_deref());
        outputs.reads("the model", Some(&self.model));
        outputs.reads("the file of `--queries`", self.queries.as_deref());
        outputs.reads("the file of properties", self.properties.as_deref());
        outputs.reads("the file of `--symmetry-file`", self.symmetry_file.as_deref());
        // A checkpoint may replace the one that the search goes on from.
        let resumed = self.resume.as_deref().filter(|file| Some(*file) != self.checkpoint.as_deref());
        outputs.reads("the file of `--resume`", resumed);
        outputs
    }

    /// How progress is told.
    pub fn progress_shown(&self) -> Shown {
        self.progress.shown(self.quiet)
    }
}

impl ProgressArg {
    /// How progress is told, if not everything is to be quiet.
    pub fn shown(self, quiet: bool) -> Shown {
        match self {
            _ if quiet => Shown::Nothing,
            ProgressArg::Off => Shown::Nothing,
            ProgressArg::Plain => Shown::Lines,
            ProgressArg::Auto => Shown::OnTerminal,
        }
    }
}
