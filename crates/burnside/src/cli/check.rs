//! `burnside check MODEL`: raw flags, resolved into [`burnside::Options`], run under the limits, written.

use std::num::NonZero;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use burnside::report::formats::Format;
use burnside::report::{TraceMode, html, json, text};
use burnside::table::{Way, refusal};
use burnside::{
    Cancel, Canon, Counters, DeadlockMode, Detect, Engine, Kind, Language, Limit, Limits, Options, Reduce,
    Report, Running, Semantics, Source, Verdict, Wanted, exit,
};
use clap::parser::ValueSource;
use clap::{ArgMatches, Args, ValueEnum};

use super::inputs::{claimed_source, fail, queries};
use super::outputs::Outputs;
use super::terminal::{Terminal, colored, error, print};
use super::{certificate, diagrams, units};

/// The arguments of `check`.
#[derive(Args)]
pub struct CheckArgs {
    /// The model, a Murphi or UPPAAL file; `-` is standard input
    model: PathBuf,
    /// Give a constant of the model another value
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = units::constant)]
    constants: Vec<(String, String)>,
    /// For a UPPAAL model: the file with its queries; by default the file beside it that ends in `.q`, if there is one,
    /// or else those in the model
    #[arg(long, value_name = "FILE")]
    queries: Option<PathBuf>,
    /// For a UPPAAL model: which run shows that an `E<>` holds or an `A[]` does not: the one that is found first, one with
    /// the fewest steps, or one that takes the least time
    #[arg(long, value_enum, default_value = "first")]
    run: RunArg,
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
    detect: DetectArg,
    /// Use declared and claimed symmetry even if it cannot be verified; what is not violated is unknown then
    #[arg(long, conflicts_with = "compact")]
    trust_symmetry: bool,
    /// A file with more claims about the model: `symmetry`, `generator` and `hint` declarations
    #[arg(long, value_name = "FILE", conflicts_with = "certificate")]
    symmetry_file: Option<PathBuf>,
    /// How the representative of an orbit is chosen: the exact default, or as other systems do, for comparison
    #[arg(long, value_enum)]
    canon: Option<CanonArg>,
    #[command(flatten)]
    diagrams: diagrams::DiagramArgs,
    /// How many threads search [default: one per core]
    #[arg(long, short = 't', value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// Keep only 64-bit hashes of states: less memory, but a state may be missed, so nothing plainly holds
    #[arg(long, conflicts_with_all = ["checkpoint", "resume"])]
    compact: bool,
    /// Write the search to a file now and then, and when a limit of time or memory ends it
    #[arg(long, value_name = "FILE")]
    checkpoint: Option<PathBuf>,
    /// How often a checkpoint is written, at most
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = units::duration, requires = "checkpoint")]
    checkpoint_every: Duration,
    /// Go on from a checkpoint of the same model and options
    #[arg(long, value_name = "FILE")]
    resume: Option<PathBuf>,
    /// Stop before using more memory: 256M, 8G [default: 80% of this computer's]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    memory: Option<u64>,
    /// Stop after this time: 2s, 10m, 1h30m
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    time: Option<Duration>,
    /// Explore only states at most this many steps from a start state
    #[arg(long, value_name = "STEPS")]
    pub bound: Option<u64>,
    /// What counts as a deadlock: nothing; no rule is enabled; no rule leads to another state
    #[arg(long, value_enum, default_value = "stuttering")]
    deadlock: DeadlockArg,
    /// Whether an undefined value may be copied (with a warning)
    #[arg(long, value_enum, default_value = "copy")]
    undefined: UndefinedArg,
    /// The most iterations of one while loop
    #[arg(long, value_name = "N", default_value_t = Semantics::default().loop_limit)]
    loop_limit: u64,
    /// What a trace shows of each state: what changed, everything, or no trace at all
    #[arg(long, value_enum, default_value = "diff")]
    trace: TraceArg,
    /// Write the result as JSON to a file; `-` is standard output, in place of the text
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write the result as one HTML page, with runs to step through
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// Write the result for another tool as well: junit=FILE, github=FILE, sarif=FILE, or itf=FILE for the first run that
    /// violates something; several times for several; `-` is standard output, behind the text
    #[arg(long, value_name = "KIND=FILE", value_parser = units::format)]
    format: Vec<(Format, PathBuf)>,
    /// Whether the verdict is the expected one is the result: then the exit code is 0, otherwise 1
    #[arg(long, value_name = "VERDICT", value_enum)]
    expect: Option<ExpectArg>,
    /// Go on until this many violations were found
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    max_errors: u64,
    /// Write a certificate of what holds, for `verify-certificate`
    #[arg(long, value_name = "FILE", conflicts_with = "compact")]
    certificate: Option<PathBuf>,
    /// For how many of the states the certificate lists their successors; fewer than all is a sample, and no proof
    #[arg(long, value_name = "all|N", default_value = "all", value_parser = certificate::states, requires = "certificate")]
    certificate_states: certificate::Sample,
    /// List how often each rule fired
    #[arg(long)]
    rule_stats: bool,
    /// Write the verdict only
    #[arg(long, short, conflicts_with = "rule_stats")]
    quiet: bool,
    /// The language of the model [default: by the name of its file, or by its content]
    #[arg(long, value_enum)]
    language: Option<LanguageArg>,
    /// How progress is told: a line on the terminal, if there is one; a line every 30 seconds; or not at all
    #[arg(long, value_enum, default_value = "auto", conflicts_with = "quiet")]
    progress: ProgressArg,
    /// Accept a model in which there is nothing to check
    #[arg(long)]
    allow_empty: bool,
}

/// A language, as the command line calls it.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum LanguageArg {
    Murphi,
    Uppaal,
}

impl From<LanguageArg> for Language {
    fn from(language: LanguageArg) -> Language {
        match language {
            LanguageArg::Murphi => Language::Murphi,
            LanguageArg::Uppaal => Language::Uppaal,
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
    Zones,
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

impl From<DetectArg> for Detect {
    fn from(arg: DetectArg) -> Detect {
        match arg {
            DetectArg::Auto => Detect::Auto,
            DetectArg::Off => Detect::Off,
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

impl ReduceArg {
    /// The option and what it asks of decision diagrams, if it is only for them.
    pub fn of_diagrams(self) -> Option<(&'static str, Kind)> {
        match self {
            ReduceArg::Auto | ReduceArg::Adaptive | ReduceArg::None | ReduceArg::OnTheFly => None,
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

impl CheckArgs {
    fn options(&self, queries: Option<Source>, cancel: Cancel) -> Options {
        Options {
            constants: self.constants.clone(),
            language: self.language.map(Language::from),
            queries,
            queries_given: self.queries.is_some(),
            allow_empty: self.allow_empty,
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
                EngineArg::Zones => Engine::Zones,
            },
            reduce: match (self.reduce, self.reduce.of_diagrams()) {
                (_, Some((_, kind))) => Reduce::Diagrams(kind),
                (ReduceArg::Adaptive, _) => Reduce::Adaptive,
                (ReduceArg::None, _) => Reduce::None,
                (ReduceArg::OnTheFly, _) => Reduce::OnTheFly,
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
            limits: Limits {
                bound: self.bound,
                max_errors: self.max_errors,
                memory: self.memory.or_else(burnside::default_memory_limit),
                time: self.time,
                cancel: Some(cancel),
            },
            deadlock: match self.deadlock {
                DeadlockArg::Off => DeadlockMode::Off,
                DeadlockArg::Stuck => DeadlockMode::Stuck,
                DeadlockArg::Stuttering => DeadlockMode::Stuttering,
            },
            semantics: Semantics {
                undefined_is_error: matches!(self.undefined, UndefinedArg::Error),
                loop_limit: self.loop_limit,
                ..Semantics::default()
            },
            threads: self.threads.unwrap_or(Options::default().threads),
            compact: self.compact,
            checkpoint: self.checkpoint.clone(),
            checkpoint_every: self.checkpoint_every,
            resume: self.resume.clone(),
            certificate: self.certificate.clone(),
            certificate_states: self.certificate_states.0,
            color: colored(&std::io::stdout()),
        }
    }

    fn text_options(&self) -> text::TextOptions {
        text::TextOptions {
            trace: self.trace.into(),
            rule_stats: self.rule_stats,
            quiet: self.quiet,
            color: colored(&std::io::stdout()),
        }
    }
}

/// The options that were given, by their names on the command line.
pub fn given(matches: &ArgMatches) -> Vec<String> {
    let asked = |id: &&str| matches.value_source(id) == Some(ValueSource::CommandLine);
    let ids = matches.ids().map(clap::Id::as_str).filter(|id| *id != "model");
    let names = ids.filter(asked).map(|id| match id {
        "constants" => "-D".to_owned(),
        other => format!("--{}", other.replace('_', "-")),
    });
    names.collect()
}

/// Runs the command; the exit code.
pub fn run(args: &CheckArgs, given: &[String]) -> Result<u8, String> {
    let cancel = Cancel::new();
    let Some(source) = claimed_source(&args.model, args.symmetry_file.as_deref(), args.language)? else {
        return Ok(exit::WRONG_INPUT);
    };
    let language = args.language.map_or_else(|| Language::of(&source), Language::from);
    let timed = language == Language::Uppaal;
    let Some(queries) = queries(&args.model, args.queries.as_deref(), timed)? else {
        return Ok(exit::WRONG_INPUT);
    };
    let options = args.options(queries, cancel);
    refuse(args, given, &options, timed)?;
    let outputs = args.outputs();
    outputs.check()?;
    super::terminal::end_on_signals(cancel)?;
    let on_stdout = outputs.is_stdout(args.json.as_deref());
    let terminal = Terminal::new(args.progress_shown(), on_stdout, options.limits.memory);
    let result = watch(&source, &options, terminal);
    match &result {
        Ok(report) => write(args, report, &source, on_stdout)?,
        Err(failure) => fail(failure, &source),
    }
    Ok(expected(args.expect, &result).unwrap_or_else(|| exit::code(&result)))
}

/// The exit code where a verdict is expected.
fn expected(expect: Option<ExpectArg>, result: &Result<Report, burnside::Failure>) -> Option<u8> {
    let wanted = match expect? {
        ExpectArg::Holds => Verdict::Holds,
        ExpectArg::Violated => Verdict::Violated,
        ExpectArg::Unknown => Verdict::Unknown,
    };
    let found = result.as_ref().ok()?.verdict;
    if found != wanted {
        error(&format!("expected that it is {}, but it is {}\n", wanted.name(), found.name()));
    }
    Some(if found == wanted { exit::HOLDS } else { exit::VIOLATED })
}

/// Whether all options go together.
fn refuse(args: &CheckArgs, given: &[String], options: &Options, timed: bool) -> Result<(), String> {
    args.diagrams.search_fits(timed)?;
    let way = Way::of(options, timed);
    if let Some(why) = given.iter().filter_map(|option| refusal(option, way)).next() {
        return Err(why);
    }
    if let Some(canon) = args.canon.map(Canon::from)
        && canon.remembers()
        && args.threads.is_some_and(|threads| threads.get() > 1)
    {
        return Err(format!("`--canon {}` searches with one thread", canon.name()));
    }
    if let Some(why) = burnside::table::refusal_of(options, way) {
        return Err(why);
    }
    if timed { Ok(()) } else { args.diagrams.check(args) }
}

/// How often a check is looked at.
const GLANCE: Duration = Duration::from_millis(20);
/// How much longer than its limits allow a check may take to end by itself.
const GRACE: Duration = Duration::from_millis(700);
/// The same where it takes too much memory.
const MEMORY_GRACE: Duration = Duration::from_millis(200);

/// Runs a check, and holds it to its limits: one that does not end by itself is left behind.
fn watch(source: &Source, options: &Options, terminal: Terminal) -> Result<Report, burnside::Failure> {
    let begun = Instant::now();
    let mut companion = terminal.companion();
    let running = Running::start(source, options, Box::new(terminal))?;
    let limits = &options.limits;
    let mut over: Option<(Instant, Limit)> = None;
    // Writing takes as long as it takes.
    let patient = options.checkpoint.is_some() || options.certificate.is_some();
    let result = loop {
        if let Some(result) = running.wait(GLANCE) {
            break result;
        }
        let memory = burnside::resident_memory();
        companion.tick(memory, limits.memory);
        let most = limits.memory.map(|memory| memory + memory / 20 + (32 << 20));
        let too_large = || most.zip(memory).is_some_and(|(most, memory)| memory > most);
        let why = match limits.cancel.and_then(|cancel| cancel.reason()) {
            Some(why) => Some(why),
            None if limits.time.is_some_and(|time| begun.elapsed() > time) => Some(Limit::Time),
            None if too_large() => Some(Limit::Memory),
            None => None,
        };
        let Some(why) = why else { continue };
        if let (Limit::Memory, Some(cancel)) = (why, limits.cancel) {
            cancel.cancel(Limit::Memory);
        }
        let (since, why) = *over.get_or_insert_with(|| (Instant::now(), why));
        let grace = if why == Limit::Memory { MEMORY_GRACE } else { GRACE };
        if since.elapsed() > grace && !patient {
            break Ok(running.unfinished(why));
        }
    };
    companion.clear();
    result
}

fn write(args: &CheckArgs, report: &Report, source: &Source, on_stdout: bool) -> Result<(), String> {
    if !args.quiet {
        for warning in &report.warnings {
            error(&warning.snippet);
        }
    }
    let json = || json::render(report).map_err(|e| format!("cannot write JSON: {e}"));
    // The verdict first: writing a file may fail.
    print(&if on_stdout { json()? } else { text::render(report, &args.text_options()) });
    if let Some(path) = args.json.as_ref().filter(|_| !on_stdout) {
        super::outputs::write(path, &json()?)?;
    }
    if let Some(path) = &args.html {
        let page = html::render(report, Some(source.text()));
        super::outputs::write(path, &page.map_err(|e| format!("cannot write HTML: {e}"))?)?;
    }
    for (format, path) in &args.format {
        match format.render(std::slice::from_ref(report)) {
            Some(text) if path.as_os_str() == "-" => print(&text),
            Some(text) => super::outputs::write(path, &text)?,
            None => error(&format!(
                "note: nothing is violated by a run, so there is no {} to write\n",
                format.name()
            )),
        }
    }
    Ok(())
}

impl CheckArgs {
    /// What is written, and what is read.
    fn outputs(&self) -> Outputs<'_> {
        let mut outputs = Outputs::default();
        outputs.writes("--json", self.json.as_deref());
        outputs.writes("--html", self.html.as_deref());
        self.format.iter().for_each(|(_, path)| outputs.writes("--format", Some(path)));
        outputs.writes("--certificate", self.certificate.as_deref());
        outputs.writes("--checkpoint", self.checkpoint.as_deref());
        outputs.reads("the model", Some(&self.model));
        outputs.reads("the file of `--queries`", self.queries.as_deref());
        outputs.reads("the file of `--symmetry-file`", self.symmetry_file.as_deref());
        // A checkpoint may replace the one that the search goes on from.
        let resumed = self.resume.as_deref().filter(|file| Some(*file) != self.checkpoint.as_deref());
        outputs.reads("the file of `--resume`", resumed);
        outputs
    }

    fn progress_shown(&self) -> super::terminal::Shown {
        use super::terminal::Shown;
        match self.progress {
            _ if self.quiet => Shown::Nothing,
            ProgressArg::Off => Shown::Nothing,
            ProgressArg::Plain => Shown::Lines,
            ProgressArg::Auto => Shown::OnTerminal,
        }
    }
}
