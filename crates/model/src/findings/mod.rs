//! What engines find out about properties: the same for all of them.

mod checks;
mod measured;

use crate::code::{Cell, Fault, LocalId};
use crate::network::TimedRun;
use crate::system::{Agent, PropertyKind};
use crate::threads::ThreadRun;
use crate::{Count, Limit, Span, Verdict};

pub use checks::{Check, Checks};
pub use measured::{Figure, Measured, MeasuredSymmetry, Quantity};

/// How a run that violates a property ends.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending {
    /// The invariant does not hold in the last state.
    Invariant,
    /// A rule or start state goes wrong; its arguments are those at the representative.
    Fault {
        fault: Fault,
        /// The rule, or with an empty path the start state.
        rule: u32,
        /// The values of its parameters.
        args: Vec<Cell>,
        /// Whether it was the guard.
        in_guard: bool,
    },
    /// A property's condition cannot be evaluated in the last state.
    PropertyFault {
        fault: Fault,
        /// Which property, by its position in the model.
        property: usize,
    },
    /// The last state is a deadlock.
    Deadlock,
    /// From the last state, no state is reachable where the property holds for these arguments.
    NeverAgain {
        /// The values of the property's parameters at the representative.
        args: Vec<Cell>,
    },
    /// A temporal formula does not hold in the first state. The path is one of states, not of representatives.
    Temporal(Lasso),
    /// A run of a timed model, which was executed where it was found. It has no path of states.
    Timed {
        /// The run; none if the start itself goes wrong.
        run: Option<Box<TimedRun>>,
        /// What goes wrong at its end, if it is a run-time error.
        fault: Option<Fault>,
    },
    /// A run of threads, which was executed where it was found. It has no path of states.
    Threads {
        /// The run.
        run: Box<ThreadRun>,
        /// What it shows, in words.
        message: String,
    },
}

/// Why a temporal formula does not hold in the first state of a run.
#[derive(Clone, Debug, PartialEq)]
pub struct Lasso {
    /// After its last state, the run goes on with the one at this position, for ever.
    pub back: Option<usize>,
    /// Per state, agents whose step led there, all of them at once, where that matters for fairness; perhaps one more list,
    /// for the step that goes on.
    pub agents: Vec<Vec<Agent>>,
    /// The values of parameters and quantified variables for which it shows it.
    pub bindings: Vec<(LocalId, Cell)>,
    /// Whether the run shows everything; if not, there is more to it than one run.
    pub complete: bool,
}

/// A run that violates a property.
#[derive(Clone, Debug, PartialEq)]
pub struct Witness {
    /// The stored states from a start state on; empty if a start state itself goes wrong.
    pub path: Vec<Vec<Cell>>,
    pub ending: Ending,
}

/// What is known of a property.
#[derive(Clone, Debug, PartialEq)]
pub enum Known {
    Holds,
    /// It does not; a cover that is never reached has no witness.
    Violated(Vec<Witness>),
    /// The search ended too early to tell.
    Unknown,
}

/// A property and what is known of it.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyResult {
    /// Its position in the model; none if the model does not state it.
    pub index: Option<usize>,
    pub name: String,
    pub kind: PropertyKind,
    pub known: Known,
    /// For a cover: how often it held.
    pub covered: Option<u64>,
    /// A run that shows why it holds.
    pub shown: Option<Witness>,
    /// Why it is not decided, where that is no limit; or how its run compares with others, where that was asked.
    pub reason: Option<String>,
    /// What is wrong with the property, or with the model in a state that it needs.
    pub flaw: Option<Flaw>,
    /// Of a probabilistic model: what was computed.
    pub measured: Option<Box<Measured>>,
}

/// A mistake that shows only when a property is looked at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Flaw {
    /// The code of the message.
    pub code: &'static str,
    /// Where it is in the text.
    pub span: Span,
    /// What is wrong.
    pub message: String,
    /// What may be done about it, or in which state it shows.
    pub help: Option<String>,
}

impl PropertyResult {
    /// A property of which nothing but this is known.
    pub fn new(index: Option<usize>, name: &str, kind: PropertyKind, known: Known) -> Self {
        let name = name.to_owned();
        PropertyResult {
            index,
            name,
            kind,
            known,
            covered: None,
            shown: None,
            reason: None,
            flaw: None,
            measured: None,
        }
    }

    /// The verdict alone.
    pub fn verdict(&self) -> Verdict {
        match self.known {
            Known::Holds => Verdict::Holds,
            Known::Violated(_) => Verdict::Violated,
            Known::Unknown => Verdict::Unknown,
        }
    }
}

/// What an engine found: the one result type of all of them. A figure that an engine does not have is absent.
#[derive(Clone, Debug, PartialEq)]
pub struct Findings {
    /// The properties in the order of the model, then those that it does not state.
    pub properties: Vec<PropertyResult>,
    pub states: Count,
    /// How many states of the unreduced system the stored ones stand for, where known.
    pub full_states: Option<Count>,
    /// With several representatives per orbit: how many orbits there are, where they were counted.
    pub orbits: Option<u64>,
    /// Whether the stored states are all there are, or exactly one of each orbit.
    pub exact: bool,
    /// Enabled rule instances at the states that were expanded, where they were counted.
    pub rules_fired: Option<u64>,
    /// The same, per rule.
    pub per_rule: Vec<u64>,
    /// How far the farthest stored state is from a start state, where the search went level by level.
    pub depth: Option<u64>,
    /// What ended the search early.
    pub limit: Option<Limit>,
    /// Whether every reachable state was stored and expanded.
    pub complete: bool,
    /// Where an undefined value was copied.
    pub undefined_copies: Vec<Span>,
    /// Bytes that the stored states took.
    pub memory: u64,
    /// If only hashes were kept: how probable it is at most that a state was missed, as two had the same.
    pub missed: Option<f64>,
    /// If only hashes were kept: a violation so many steps from a start state whose run could not be told, as the limits
    /// did not allow it.
    pub unconfirmed: Option<u64>,
    /// With decision diagrams: how large they were.
    pub nodes: Option<Nodes>,
    /// The graph that temporal formulas were decided on, if they were decided on one.
    pub edges: Option<Edges>,
    /// How temporal formulas were decided.
    pub temporal: Temporal,
    /// With representatives that were chosen on the fly: by which permutations.
    pub on_the_fly: Option<OnTheFly>,
    /// What a search with SAT took.
    pub sat: Option<SatFigures>,
    /// The stored states, if they were wanted.
    pub stored: Option<Vec<Vec<Cell>>>,
    /// Symmetry that the engine found by itself.
    pub own: Option<OwnSymmetry>,
}

/// Symmetry that an engine finds and verifies by itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OwnSymmetry {
    /// The name of the reduction.
    pub reduction: &'static str,
    /// Where the symmetry is from: `declared` or `detected`.
    pub derived: &'static str,
    /// The structure of the group.
    pub structure: String,
    /// Its order, in decimal.
    pub order: String,
    /// What generates it, in words.
    pub generators: Vec<String>,
    /// Whether what is stored are numbers of elements, and not states.
    pub counts: bool,
}

impl Default for Findings {
    fn default() -> Self {
        Findings {
            properties: Vec::new(),
            states: Count::default(),
            full_states: None,
            orbits: None,
            exact: true,
            rules_fired: None,
            per_rule: Vec::new(),
            depth: None,
            limit: None,
            complete: false,
            undefined_copies: Vec::new(),
            memory: 0,
            missed: None,
            unconfirmed: None,
            nodes: None,
            edges: None,
            temporal: Temporal::default(),
            on_the_fly: None,
            sat: None,
            stored: None,
            own: None,
        }
    }
}

impl Findings {
    /// Leaves open what was found to hold, where the condition has no value in some state: it does not hold there.
    pub fn leave_faulty_open(&mut self) {
        let witnesses = self.properties.iter().filter_map(|result| match &result.known {
            Known::Violated(witnesses) => Some(witnesses),
            _ => None,
        });
        let endings = witnesses.flatten().map(|witness| &witness.ending);
        let faulty: Vec<usize> = endings
            .filter_map(|ending| match ending {
                Ending::PropertyFault { property, .. } => Some(*property),
                _ => None,
            })
            .collect();
        let is_faulty = |index: Option<usize>| index.is_some_and(|index| faulty.contains(&index));
        for result in self.properties.iter_mut().filter(|result| is_faulty(result.index)) {
            if result.kind == PropertyKind::Invariant && result.known == Known::Holds {
                result.known = Known::Unknown;
            }
            if result.known == Known::Unknown {
                result.reason.get_or_insert_with(|| "its condition goes wrong in some state".to_owned());
            }
        }
    }
}

/// What a search with SAT took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SatFigures {
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

impl SatFigures {
    /// Adds those of another search.
    pub fn add(&mut self, other: &SatFigures) {
        self.frames = self.frames.max(other.frames);
        self.clauses += other.clauses;
        self.orbits += other.orbits;
        self.steps = self.steps.max(other.steps);
        self.queries += other.queries;
    }
}

/// How large decision diagrams were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Nodes {
    /// The most nodes there were, garbage included.
    pub peak: u64,
    /// The most that were in use.
    pub live: u64,
    /// With one relation of all steps: what that has.
    pub relation: Option<u64>,
}

/// The steps between stored states, as edges of a graph.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Edges {
    pub count: u64,
    /// How many different permutations they have.
    pub permutations: u64,
    /// Bytes for all of them.
    pub bytes: u64,
}

impl Edges {
    /// Adds those of another graph.
    pub fn add(&mut self, other: &Edges) {
        self.count += other.count;
        self.bytes += other.bytes;
        self.permutations = self.permutations.max(other.permutations);
    }
}

/// The permutations by which representatives were chosen on the fly, and what they chose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct OnTheFly {
    /// Those that there were, used or not.
    pub generators: Vec<JudgedGenerator>,
    /// The explorations.
    pub runs: Vec<OnTheFlyRun>,
    /// With one relation of all steps: how many nodes it has between representatives, if it was restricted to them.
    pub relation: Option<u64>,
}

/// A permutation that was to be used as a symmetry.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JudgedGenerator {
    pub name: String,
    /// What is known of it.
    pub fate: GeneratorFate,
    pub used: bool,
    /// What it does not leave as it is.
    pub breaks: Vec<Broken>,
}

/// Whether a permutation is a symmetry of the steps.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum GeneratorFate {
    Verified,
    Refuted(Box<Refutation>),
    Open,
    /// It is no permutation of states, for this reason.
    Unusable(String),
}

/// A step whose image under a permutation is none. The states need not be reachable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The rule that takes it.
    pub rule: u32,
    /// The values of its parameters.
    pub args: Vec<Cell>,
    /// The state before it.
    pub state: Vec<Cell>,
    /// The image of that state.
    pub image: Vec<Cell>,
    /// The image of the state after it, to which no rule leads from there.
    pub missing: Vec<Cell>,
}

/// What a permutation changes of a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The property, by its position in the model; none if the model does not state it.
    pub property: Option<usize>,
    pub name: String,
    /// The atomic conditions in it that are not the same after the permutation, where they stand.
    pub atoms: Vec<Span>,
}

/// One exploration by representatives that are chosen on the fly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OnTheFlyRun {
    /// The checks that it decided.
    pub checks: Vec<usize>,
    /// The structure of its group.
    pub structure: String,
    /// The order of the group, in decimal.
    pub order: String,
    /// What generates it, each as the images of all elements, by domain.
    pub generators: Vec<Vec<Vec<u32>>>,
    /// The representatives, in decimal.
    pub states: String,
    /// The states of their orbits, in decimal, where known.
    pub full_states: Option<String>,
    /// Whether all of it was explored.
    pub exhaustive: bool,
    /// Whether the group is verified to be one of symmetries.
    pub verified: bool,
}

/// How temporal formulas were decided.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Temporal {
    /// Whether some start state has no fair run, so that whatever is said of all its fair runs holds.
    pub unfair: bool,
    /// The groups that were used, where they are not that of the search.
    pub groups: Vec<TemporalGroup>,
}

/// A group under which formulas were decided: the permutations that keep what they name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemporalGroup {
    /// The properties, by their positions in the model.
    pub properties: Vec<usize>,
    /// How many elements of each symmetry domain are still interchangeable.
    pub moving: Vec<u32>,
    /// The number of states or representatives, in decimal.
    pub states: String,
}
