//! What the explorer needs of a model, whatever its language: states with numbers, steps, and what can be said of a state.
//!
//! States get numbers in the order in which they are first seen. The numbers are valid as long as the explorer runs; a
//! walk is therefore named by the choices that it makes, which are the same in every run of the program.

use std::collections::HashMap;
use std::hash::Hash;

use burnside_model::Deadline;
use burnside_report::{Firing, Named, Place, TraceReport, TraceStepReport, trace};
use serde_json::{Value as Json, json};

/// The number of a state that was seen.
pub(crate) type StateId = u32;

/// Why something cannot be done, in words.
pub(crate) type Told<T> = Result<T, String>;

/// What is said when the time is over or someone asked to stop.
pub(crate) const STOPPED: &str = "stopped before the end";

/// A step that can be taken, or a start.
#[derive(Clone, Debug)]
pub(crate) struct Move {
    /// What is taken: the name of a rule, or edges.
    pub rule: String,
    /// The values of its parameters.
    pub parameters: Vec<Named>,
    /// The process that takes it, if it belongs to one.
    pub process: Option<String>,
    /// Where it is in the source.
    pub place: Option<Place>,
    /// What else is to be said of it, such as the channel.
    pub note: Option<String>,
    /// For a probabilistic model: which choice it belongs to, and its probability or rate.
    pub chance: Option<(usize, f64)>,
    /// Where it leads, or what goes wrong.
    pub to: Result<StateId, String>,
}

/// What is seen of a state.
#[derive(Clone, Debug, Default)]
pub(crate) struct View {
    /// The variables.
    pub values: Vec<Named>,
    /// For a timed model: the clocks, each with the interval of its values.
    pub clocks: Vec<(String, String)>,
    /// What is known of their differences.
    pub differences: Vec<String>,
}

/// How a property stands in a state.
#[derive(Clone, Debug)]
pub(crate) struct Status {
    /// Its name.
    pub name: String,
    /// Its kind in one word.
    pub kind: &'static str,
    /// Whether it holds here; nothing where that cannot be said of one state.
    pub holds: Option<bool>,
    /// The part that decides it, with its values.
    pub why: Option<String>,
    /// Where it is stated.
    pub place: Option<Place>,
}

/// What a symmetric model makes of a state.
pub(crate) struct Orbit {
    /// The state that stands for all that are symmetric to it.
    pub representative: StateId,
    /// What sends the state there, as cycles; empty if it is the representative itself.
    pub permutation: String,
    /// How many states are symmetric to it, in decimal, where that is known.
    pub size: Option<String>,
}

/// What is known of the whole model.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// The language.
    pub language: String,
    /// The constants.
    pub constants: Vec<Named>,
    /// The structure and order of the group, if there is symmetry.
    pub symmetry: Option<(String, String)>,
    /// How a condition is written, as an example.
    pub example: String,
}

/// A condition or term that was read, by its position among them.
pub(crate) type TermId = usize;

/// A model to walk.
pub(crate) trait World {
    /// What is known of the whole model.
    fn facts(&self) -> Facts;

    /// What takes long ends then.
    fn set_deadline(&mut self, deadline: Deadline);

    /// Where it begins.
    fn starts(&mut self) -> Told<Vec<Move>>;

    /// What can be done in a state, always in the same order.
    fn moves(&mut self, state: StateId) -> Told<Vec<Move>>;

    /// What is seen of a state.
    fn view(&mut self, state: StateId) -> View;

    /// How the properties stand in a state.
    fn statuses(&mut self, state: StateId) -> Told<Vec<Status>>;

    /// The orbit of a state; nothing if the model has no symmetry.
    fn orbit(&mut self, state: StateId) -> Told<Option<Orbit>>;

    /// Reads a condition or term in the language of the model.
    fn term(&mut self, text: &str) -> Told<TermId>;

    /// The value of a term in a state, as text; conditions are `true` or `false`.
    fn value(&mut self, term: TermId, state: StateId) -> Told<String>;

    /// A walk as a run, with exact times where there is time.
    fn trace(&mut self, walk: &[Walked]) -> Told<TraceReport> {
        Ok(plain_trace(walk.iter().map(|step| (step, self.view(step.state).values)).collect()))
    }
}

/// A step that was taken.
#[derive(Clone, Debug)]
pub(crate) struct Walked {
    /// Which of the moves it is.
    pub choice: usize,
    /// What was taken.
    pub taken: Move,
    /// Where it led.
    pub state: StateId,
}

/// A walk in words: what was taken, and what it changed.
fn plain_trace(walk: Vec<(&Walked, Vec<Named>)>) -> TraceReport {
    let mut trace = TraceReport::default();
    for (at, (step, state)) in walk.iter().enumerate() {
        let firing = Firing {
            start: at == 0,
            rule: step.taken.rule.clone(),
            named: true,
            parameters: step.taken.parameters.clone(),
        };
        let changed = if at == 0 { Vec::new() } else { trace::differences(&walk[at - 1].1, state) };
        trace.steps.push(TraceStepReport { firing, state: state.clone(), changed, moment: None });
    }
    trace
}

/// States by number.
pub(crate) struct States<S> {
    all: Vec<S>,
    numbers: HashMap<S, StateId>,
}

impl<S: Clone + Eq + Hash> States<S> {
    /// None yet.
    pub fn new() -> Self {
        States { all: Vec::new(), numbers: HashMap::new() }
    }

    /// The number of a state, which is added if it is new.
    pub fn number(&mut self, state: S) -> StateId {
        let next = self.all.len() as StateId;
        *self.numbers.entry(state).or_insert_with_key(|state| {
            self.all.push(state.clone());
            next
        })
    }

    /// The state with a number.
    pub fn get(&self, number: StateId) -> Option<&S> {
        self.all.get(number as usize)
    }
}

/// Values as an object.
pub(crate) fn object(values: &[Named]) -> Json {
    Json::Object(values.iter().map(|(name, value)| (name.clone(), json!(value))).collect())
}

impl Move {
    /// The move as JSON; what it changes is added by whoever knows the state before it.
    pub fn json(&self) -> Json {
        json!({
            "rule": self.rule,
            "parameters": object(&self.parameters),
            "process": self.process,
            "place": self.place,
            "note": self.note,
            "choice": self.chance.map(|(choice, _)| choice),
            "weight": self.chance.map(|(_, weight)| weight),
            "state": self.to.as_ref().ok(),
            "fault": self.to.as_ref().err(),
        })
    }
}

impl Status {
    /// The status as JSON.
    pub fn json(&self) -> Json {
        json!({
            "name": self.name, "kind": self.kind, "holds": self.holds, "why": self.why, "place": self.place,
        })
    }
}
