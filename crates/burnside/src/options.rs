//! What a check is asked to do, resolved: no text left to interpret.

use std::fmt;
use std::num::NonZero;
use std::path::PathBuf;
use std::time::Duration;

use burnside_lang::Language;
use burnside_lang::source::Source;
use burnside_model::code::Semantics;
use burnside_model::{DeadlockMode, Limits};
use burnside_sat::search::Method;
use burnside_symbolic::Sizes;
use burnside_symbolic::on_the_fly::under::Under;
use burnside_symbolic::reduce::alpha::Sorting;
use burnside_symbolic::reduce::quotient::Kind;
use burnside_symbolic::search::Search;
use burnside_symbolic::variables::Order;
use burnside_symmetry::Canon;
use burnside_timed::check::Wanted;

use crate::engines;

/// Which engine explores the model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Engine {
    /// The best one for the model.
    #[default]
    Auto,
    /// State by state, over compiled code where possible.
    Explicit,
    /// State by state, over the reference interpreter.
    Interpreter,
    /// Sets of states, as decision diagrams.
    Bdd,
    /// Numbers of elements per local state, as diagrams of multisets.
    Count,
    /// Questions to a SAT solver.
    Sat,
    /// Zones of clock values, for timed models.
    Zones,
    /// Probabilities and expected values, for probabilistic models.
    Chains,
    /// Minimal configurations, for any number of threads.
    Coverability,
    /// One that the caller of the library brings.
    Custom(Custom),
}

impl Engine {
    /// Its name; none if it is not chosen yet, or not one of ours.
    #[must_use]
    pub fn name(self) -> Option<&'static str> {
        match self {
            Engine::Auto | Engine::Custom(_) => None,
            Engine::Explicit => Some("explicit"),
            Engine::Interpreter => Some("interpreter"),
            Engine::Bdd => Some("bdd"),
            Engine::Count => Some("count"),
            Engine::Sat => Some("sat"),
            Engine::Zones => Some("zones"),
            Engine::Chains => Some("chains"),
            Engine::Coverability => Some("coverability"),
        }
    }
}

/// An engine of a caller of the library.
#[derive(Clone, Copy)]
pub struct Custom(pub &'static dyn engines::Engine);

impl fmt::Debug for Custom {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0.name())
    }
}

impl PartialEq for Custom {
    fn eq(&self, other: &Self) -> bool {
        self.0.name() == other.0.name()
    }
}

impl Eq for Custom {}

/// Which reduction is used.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Reduce {
    /// Every symmetry that could be verified, and what is left of it where only some rules break it.
    #[default]
    Auto,
    /// States with what is left of the symmetry on the way to them, even where few rules keep any.
    Adaptive,
    /// None.
    None,
    /// With decision diagrams: all verified symmetry, in this way.
    Diagrams(Kind),
    /// With decision diagrams: representatives as they are found, by all permutations that may be symmetries.
    OnTheFly,
    /// With SAT: runs that end in a representative of their last orbit.
    Representatives,
}

/// Whether symmetry that the model does not declare is looked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detect {
    /// In models that declare none.
    #[default]
    Auto,
    /// Never.
    Off,
}

/// How the engine with decision diagrams works.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Diagrams {
    /// The order of variables.
    pub order: Order,
    /// Whether a better one is looked for between steps.
    pub reorder: bool,
    /// Whether there is one relation of all steps.
    pub monolithic: bool,
    /// Whether the relation between representatives is built, with a reduction that has one.
    pub quotient: bool,
    /// By local variable, the order of its values in representatives, the least first.
    pub local_order: Vec<(String, Vec<String>)>,
    /// How reachable states are found; with a bound on the depth, breadth-first.
    pub search: Search,
    /// How large diagrams may be before they are made piece by piece.
    pub sizes: Sizes,
    /// How representatives are sorted, where they are.
    pub sorting: Sorting,
    /// With representatives on the fly: how often permutations are applied to find orbits; as often as it takes, if absent.
    pub sigma_steps: Option<u64>,
    /// With representatives on the fly: how much of a frontier is stepped from at a time; everything, if absent.
    pub under: Option<Under>,
}

/// How the engine that counts keeps populations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Counters {
    /// Sets of them as diagrams where that is possible, one by one otherwise.
    #[default]
    Auto,
    /// Sets of them, as diagrams of multisets.
    Diagram,
    /// One by one: the local states that occur, each with its number.
    Explicit,
    /// As states of the program that counts, in decision diagrams.
    Bdd,
}

/// How long `auto` goes one way before it tries another one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// Of several searches under different groups: the states that each may store in its first turn.
    pub turn_states: u64,
    /// The states of a short search before a reduction that may not pay.
    pub glance_states: u64,
    /// The forms that a search that adapts may make in a short trial before that.
    pub glance_forms: u64,
    /// How long the engine that begins is alone, at least.
    pub alone: Duration,
    /// A search with fewer states is alone for longer ...
    pub few_states: u64,
    /// ... but not longer than that.
    pub long: Duration,
    /// How long after the second engine a third one begins.
    pub later: Duration,
    /// With one thread: how long each of several engines goes on before it is the turn of the next.
    pub turn: Duration,
}

impl Patience {
    /// Everything is tried at once: what would only happen to large models happens to all.
    pub const NONE: Patience = Patience {
        turn_states: 1,
        glance_states: 1,
        glance_forms: 1,
        alone: Duration::ZERO,
        few_states: 0,
        long: Duration::ZERO,
        later: Duration::ZERO,
        turn: Duration::from_millis(1),
    };
}

impl Default for Patience {
    fn default() -> Self {
        Patience {
            turn_states: 1 << 15,
            glance_states: 1 << 15,
            glance_forms: 2_000,
            alone: Duration::from_secs(1),
            few_states: 50_000,
            long: Duration::from_secs(5),
            later: Duration::from_secs(3),
            turn: Duration::from_millis(100),
        }
    }
}

/// What a check is asked to do.
#[derive(Clone, Debug)]
pub struct Options {
    /// Constants of the model that are given another value, as name and text.
    pub constants: Vec<(String, String)>,
    /// The language of the model, if it is not to be recognised.
    pub language: Option<Language>,
    /// For a Promela model: the most processes at a time, where no bound is found.
    pub processes_max: Option<u32>,
    /// For a thread transition system: where it begins, if not as the model says.
    pub init: Option<String>,
    /// For a thread transition system: what must not be reached, if not as the model says.
    pub target: Option<String>,
    /// For a probabilistic model: its properties, from files and from the command line.
    pub properties: Vec<Source>,
    /// For a probabilistic model: whether numbers are exact fractions.
    pub exact: bool,
    /// For a probabilistic model: how near the bounds of a number must be, relative to it; 1e-6, if absent.
    pub precision: Option<f64>,
    /// The file beside the model that has what is asked of it: queries of a timed model, the target of a thread system.
    pub queries: Option<Source>,
    /// Whether the queries were asked for, and not just found beside the model: then they must be of use.
    pub queries_given: bool,
    /// Whether a model in which there is nothing to check is fine.
    pub allow_empty: bool,
    /// For a timed model: the queries to answer, by position from 1 on or by a part of their text; all, if there are none.
    pub only: Vec<String>,
    /// For a timed model: whether what was found last is looked at first.
    pub depth_first: bool,
    /// For a timed model: which run shows that something is reached.
    pub run: Wanted,
    /// The engine.
    pub engine: Engine,
    /// The reduction.
    pub reduce: Reduce,
    /// Whether undeclared symmetry is looked for.
    pub detect: Detect,
    /// Whether symmetry that is declared or claimed is used even if it could not be verified; nothing holds then.
    pub trust_symmetry: bool,
    /// How representatives of orbits are chosen.
    pub canon: Canon,
    /// How the engine with decision diagrams works.
    pub diagrams: Diagrams,
    /// How the engine that counts keeps populations.
    pub counters: Counters,
    /// How the engine with SAT decides.
    pub method: Method,
    /// When to stop early.
    pub limits: Limits,
    /// What counts as a deadlock.
    pub deadlock: DeadlockMode,
    /// The choices the language leaves open.
    pub semantics: Semantics,
    /// How many threads search.
    pub threads: NonZero<usize>,
    /// Whether only hashes of states are kept: less memory, but a state may be missed.
    pub compact: bool,
    /// Where to write checkpoints.
    pub checkpoint: Option<PathBuf>,
    /// How often to write one, at most; one is also written when a limit of time or memory ends the search.
    pub checkpoint_every: Duration,
    /// The checkpoint to go on from.
    pub resume: Option<PathBuf>,
    /// How long `auto` goes one way before it tries another one.
    pub patience: Patience,
    /// Where to write a certificate of what holds.
    pub certificate: Option<PathBuf>,
    /// For how many of the states a certificate lists their successors; all, if absent.
    pub certificate_states: Option<usize>,
    /// Whether source snippets in the report are coloured for a terminal.
    pub color: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            constants: Vec::new(),
            language: None,
            processes_max: None,
            init: None,
            target: None,
            properties: Vec::new(),
            exact: false,
            precision: None,
            queries: None,
            queries_given: false,
            allow_empty: true,
            only: Vec::new(),
            depth_first: false,
            run: Wanted::default(),
            engine: Engine::default(),
            reduce: Reduce::default(),
            detect: Detect::default(),
            trust_symmetry: false,
            canon: Canon::default(),
            diagrams: Diagrams::default(),
            counters: Counters::default(),
            method: Method::default(),
            limits: Limits::default(),
            deadlock: DeadlockMode::default(),
            semantics: Semantics::default(),
            threads: std::thread::available_parallelism().unwrap_or(NonZero::<usize>::MIN),
            compact: false,
            checkpoint: None,
            checkpoint_every: Duration::from_secs(30),
            resume: None,
            patience: Patience::default(),
            certificate: None,
            certificate_states: None,
            color: false,
        }
    }
}

impl Options {
    /// The language of a model: the one asked for, or the one that it looks like.
    #[must_use]
    pub fn language_of(&self, source: &Source) -> Language {
        self.language.unwrap_or_else(|| Language::of(source))
    }

    /// Whether no symmetry is to be used.
    pub(crate) fn unreduced(&self) -> bool {
        let by_diagrams = matches!(self.reduce, Reduce::Diagrams(_) | Reduce::OnTheFly);
        self.reduce == Reduce::None || self.engine == Engine::Bdd && !by_diagrams
    }
}
