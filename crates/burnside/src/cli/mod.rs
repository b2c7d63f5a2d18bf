//! The command line: raw flags, resolved into [`burnside::Options`], run, written.

mod certificate;
mod compare;
mod diagrams;
mod symmetry;
pub mod terminal;
mod translate;
mod units;

use std::io::Read;
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::time::Duration;

use burnside::report::{TraceMode, json, text};
use burnside::{
    Canon, Counters, DeadlockMode, Detect, Engine, Failure, Kind, Limits, Options, Reduce, Report, Semantics,
    Source, Wanted, exit,
};
use clap::{Args, Parser, Subcommand, ValueEnum};
use terminal::{Terminal, colored, error, print};

const EXAMPLES: &str = "\
Examples:
  burnside check model.m                    all properties, all verified symmetry
  burnside check model.m -D N=4             with constant N = 4
  burnside check model.m --reduce none      every state, no symmetry
  burnside check model.xta --run fastest    the fastest run to a goal of a UPPAAL model
  burnside symmetry model.m                 what is symmetric, what breaks it and where
  burnside compare model.m                  every engine and reduction in one table
  burnside translate --counters model.m     a plain model whose states are the orbits
  burnside check model.m --json result.json the result for scripts as well
  cat model.m | burnside check -            from standard input

Exit codes:
  0   everything holds
  1   something is violated
  2   the model or the options are wrong
  3   stopped at a limit, nothing violated
  70  internal error: please report it";

/// Burnside, the symmetry-reducing model checker: check orbits, not states.
#[derive(Parser)]
#[command(name = "burnside", version, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check the properties of a model
    #[command(after_help = EXAMPLES)]
    Check(Box<CheckArgs>),
    /// Check a certificate that `check --certificate` wrote, independently of the search
    VerifyCertificate(certificate::VerifyArgs),
    /// Show what is symmetric in a model, what breaks it and where
    #[command(after_help = symmetry::EXAMPLES)]
    Symmetry(symmetry::SymmetryArgs),
    /// Print another model that says the same
    #[command(after_help = translate::EXAMPLES)]
    Translate(translate::TranslateArgs),
    /// Check a model with every engine and reduction, and compare results, time and memory
    #[command(after_help = compare::EXAMPLES)]
    Compare(compare::CompareArgs),
}

#[derive(Args)]
struct CheckArgs {
    /// The model, a Murphi or UPPAAL file; `-` is standard input
    model: PathBuf,
    /// Give a constant of the model another value
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = units::constant)]
    constants: Vec<(String, String)>,
    /// For a Promela model: the most processes that run at a time, where no bound is found
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=255))]
    processes_max: Option<u32>,
    /// For a thread transition system: where it begins: `0|1/2` is shared state 0, a thread in 1, any number in 2
    #[arg(long, value_name = "START")]
    init: Option<String>,
    /// For a thread transition system: what must not be reached, `2|3,3`; by default what the file beside it says that ends
    /// in `.prop`. For a Boolean program: a label that must not be reached [default: SLIC_ERROR]
    #[arg(long, value_name = "TARGET")]
    target: Option<String>,
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
    engine: EngineArg,
    /// Use all verified symmetry; what is left of it state by state, where only some rules break it; or none. With
    /// `--engine bdd`: none [default]; the orbit relation; several representatives per orbit; sorting; sorting one
    /// component's steps at a time; likewise, but of components in the same state only one takes steps; whatever is found
    /// first of an orbit
    #[arg(long, value_enum, default_value = "auto")]
    reduce: ReduceArg,
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
    threads: Option<NonZero<usize>>,
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
    bound: Option<u64>,
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
}

#[derive(Clone, Copy, ValueEnum)]
enum RunArg {
    First,
    Shortest,
    Fastest,
}

#[derive(Clone, Copy, ValueEnum)]
enum EngineArg {
    Auto,
    Explicit,
    Interpreter,
    Bdd,
    Count,
}

#[derive(Clone, Copy, ValueEnum)]
enum ReduceArg {
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
enum DetectArg {
    Auto,
    Off,
}

#[derive(Clone, Copy, ValueEnum)]
enum CanonArg {
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
enum DeadlockArg {
    Off,
    Stuck,
    Stuttering,
}

#[derive(Clone, Copy, ValueEnum)]
enum UndefinedArg {
    Copy,
    Error,
}

#[derive(Clone, Copy, ValueEnum)]
enum TraceArg {
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

impl ReduceArg {
    /// The option and what it asks of decision diagrams, if it is only for them.
    fn of_diagrams(self) -> Option<(&'static str, Kind)> {
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
    fn options(&self, queries: Option<Source>) -> Options {
        Options {
            constants: self.constants.clone(),
            processes_max: self.processes_max,
            init: self.init.clone(),
            target: self.target.clone(),
            queries,
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
            trace: match self.trace {
                TraceArg::Diff => TraceMode::Diff,
                TraceArg::Full => TraceMode::Full,
                TraceArg::Off => TraceMode::Off,
            },
            rule_stats: self.rule_stats,
            quiet: self.quiet,
            color: colored(&std::io::stdout()),
        }
    }
}

/// Runs the command; the exit code.
pub fn run(cli: &Cli) -> u8 {
    let done = match &cli.command {
        Command::Check(args) => check(args),
        Command::VerifyCertificate(args) => certificate::verify(args),
        Command::Symmetry(args) => symmetry::run(args),
        Command::Translate(args) => translate::run(args),
        Command::Compare(args) => compare::run(args),
    };
    match done {
        Ok(code) => code,
        Err(message) => {
            error(&format!("error: {message}\n"));
            exit::WRONG_INPUT
        }
    }
}

fn check(args: &CheckArgs) -> Result<u8, String> {
    if let Some(canon) = args.canon.map(Canon::from) {
        if matches!(args.reduce, ReduceArg::None) {
            return Err(
                "`--canon` chooses representatives of orbits, and `--reduce none` has none".to_owned()
            );
        }
        if canon.remembers() && args.threads.is_some_and(|threads| threads.get() > 1) {
            return Err(format!("`--canon {}` searches with one thread", canon.name()));
        }
    }
    let Some(source) = claimed_source(&args.model, args.symmetry_file.as_deref())? else {
        return Ok(exit::WRONG_INPUT);
    };
    args.diagrams.check(args, burnside::is_uppaal(&source))?;
    let Some(queries) = queries(&args.model, args.queries.as_deref())? else { return Ok(exit::WRONG_INPUT) };
    let on_stdout = args.json.as_deref() == Some(Path::new("-"));
    // Before the work: a result that cannot be written is noticed at once.
    let mut file = match &args.json {
        Some(path) if !on_stdout => {
            let file = std::fs::File::create(path);
            Some(file.map_err(|e| format!("cannot write {}: {e}", path.display()))?)
        }
        _ => None,
    };
    for path in args.checkpoint.iter().chain(&args.certificate) {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        if !folder.is_dir() {
            return Err(format!("cannot write {}: there is no such folder", path.display()));
        }
    }
    let mut terminal = Terminal::new(args.quiet, on_stdout);
    let result = burnside::check_with(&source, &args.options(queries), &mut terminal);
    terminal.clear();
    match &result {
        Ok(report) => write(args, report, on_stdout, file.as_mut())?,
        Err(failure) => fail(failure, &source),
    }
    Ok(exit::code(&result))
}

/// The text of a model; none if it is no text, which is said.
fn source(path: &Path) -> Result<Option<Source>, String> {
    let (name, bytes) = read(path)?;
    match Source::from_bytes(name, &bytes) {
        Ok(source) => Ok(Some(source)),
        Err(diagnostic) => {
            error(&diagnostic.render(&Source::new(path.to_string_lossy(), ""), false));
            Ok(None)
        }
    }
}

/// A model with the claims of another file, if one is given; nothing if one of them is no text, which is said.
fn claimed_source(model: &Path, claims: Option<&Path>) -> Result<Option<Source>, String> {
    let Some(model) = source(model)? else { return Ok(None) };
    let Some(file) = claims else { return Ok(Some(model)) };
    if burnside::is_uppaal(&model) {
        return Err("`--symmetry-file` is for Murphi models only".to_owned());
    }
    Ok(source(file)?.map(|claims| model.with_claims(claims.name(), claims.text())))
}

/// The queries of a model, if they are in a file of their own; none at all if that is no text, which is said.
fn queries(model: &Path, given: Option<&Path>) -> Result<Option<Option<Source>>, String> {
    let beside = model.with_extension("q");
    match given {
        Some(path) => Ok(source(path)?.map(Some)),
        None if model != Path::new("-") && beside.is_file() => Ok(source(&beside)?.map(Some)),
        None => Ok(Some(None)),
    }
}

/// Says why there is no result.
fn fail(failure: &Failure, source: &Source) {
    match failure {
        Failure::Input(diagnostics) => {
            let color = colored(&std::io::stderr());
            for diagnostic in diagnostics {
                error(&diagnostic.render(source, color));
            }
        }
        Failure::Refused(message) => error(&format!("error: {message}\n")),
        Failure::Internal(message) => {
            error(&format!("internal error, please report it with the model: {message}\n"));
        }
    }
}

fn read(path: &Path) -> Result<(String, Vec<u8>), String> {
    if path == Path::new("-") {
        let mut bytes = Vec::new();
        let read = std::io::stdin().lock().read_to_end(&mut bytes);
        read.map_err(|e| format!("cannot read standard input: {e}"))?;
        return Ok(("<stdin>".to_owned(), bytes));
    }
    let bytes = std::fs::read(path).map_err(|e| format!("cannot read {}: {e}", path.display()))?;
    Ok((path.to_string_lossy().into_owned(), bytes))
}

fn write(
    args: &CheckArgs,
    report: &Report,
    on_stdout: bool,
    file: Option<&mut std::fs::File>,
) -> Result<(), String> {
    if !args.quiet {
        for warning in &report.warnings {
            error(&warning.snippet);
        }
    }
    if args.json.is_some() {
        let text = json::render(report).map_err(|e| format!("cannot write JSON: {e}"))?;
        match file {
            Some(file) => std::io::Write::write_all(file, text.as_bytes())
                .map_err(|e| format!("cannot write the JSON file: {e}"))?,
            None => print(&text),
        }
    }
    if !on_stdout {
        print(&text::render(report, &args.text_options()));
    }
    Ok(())
}
