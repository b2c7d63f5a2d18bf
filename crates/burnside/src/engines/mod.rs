//! The engines, behind one door.
//!
//! An [`Engine`] says what it is called, whether it fits a [`Task`], and what it finds. One file here joins each to its
//! crate, which does not know the trait. The hall ([`crate::hall`]) plans which engine does which task, executes every
//! run that an engine found once more, and makes the report. So an engine is added with its crate, its file, and its line
//! in [`ENGINES`]; a caller of the library can bring one of its own ([`crate::Engine::Custom`]).

mod adaptive;
mod chains;
mod closed;
pub(crate) mod counting;
mod diagrams;
mod explicit;
mod sat;
mod threads;
mod zones;

use burnside_lang::boolean::Threads as ThreadSystem;
use burnside_lang::source::Source;
use burnside_lang::{Chains as AllChains, Kind};
use burnside_model::findings::Findings;
use burnside_model::{Events, Limits, Model, Network, Packing};
use burnside_symmetry::PackedCanonicaliser;

use crate::plan::Plan;
use crate::{Engine as Choice, Failure, Options};

pub(crate) use adaptive::{Adaptive, remaining};
pub(crate) use chains::Chains;
pub(crate) use counting::Counting;
pub(crate) use diagrams::Diagrams;
pub(crate) use explicit::Explicit;
pub(crate) use sat::Satisfiability;
pub(crate) use threads::Threads;
pub(crate) use zones::Zones;

/// One exploration of a model.
pub struct Task<'t> {
    /// The text of the model.
    pub source: &'t Source,
    /// The model: what is interchangeable is attached as symmetry domains, and the properties that are not to be decided
    /// here are of the kind `Elsewhere`.
    pub model: &'t Model,
    /// The model as it was read.
    pub original: &'t Model,
    /// The timed automata, if it is a timed model.
    pub network: Option<&'t Network>,
    /// The chains, if it is a probabilistic model.
    pub chains: Option<&'t AllChains>,
    /// The threads, if there are any number of them.
    pub threads: Option<&'t ThreadSystem>,
    /// What the check was asked to do.
    pub options: &'t Options,
    /// The limits, with the time that is left.
    pub limits: Limits,
    /// The symmetry to use.
    pub(crate) plan: &'t Plan,
}

impl Task<'_> {
    /// How states are packed, which every engine for models without clocks needs.
    pub fn packing(&self) -> Result<Packing, Failure> {
        Packing::new(self.model).ok_or_else(|| {
            Failure::Refused("a variable has more than 2^63 values: give it a smaller range".to_owned())
        })
    }
}

/// Something that explores models.
pub trait Engine: Sync {
    /// Its name: on the command line, in the report and in messages.
    fn name(&self) -> &'static str;

    /// What it explores. It is never asked for models of another kind.
    fn explores(&self) -> Kind {
        Kind::Rules
    }

    /// Why it cannot do a task; nothing if it can.
    fn refuses(&self, _task: &Task<'_>) -> Option<String> {
        None
    }

    /// Explores, and decides the properties of the task's model. Nothing if it gave up because it does not pay, which is
    /// only possible where another plan follows.
    fn run(&self, task: &Task<'_>, events: &mut dyn Events) -> Result<Option<Findings>, Failure>;

    /// What makes stored states comparable with others of their orbits, if they are representatives.
    fn lift(&self, _task: &Task<'_>) -> Option<PackedCanonicaliser> {
        None
    }
}

/// All engines.
pub const ENGINES: &[&dyn Engine] = &[
    &Explicit { compiled: true },
    &Explicit { compiled: false },
    &Adaptive,
    &Diagrams,
    &Counting,
    &Satisfiability,
    &Zones,
    &Chains,
    &Threads,
];

/// The engine that is asked for; by default the first one for this kind of models.
pub(crate) fn of(chosen: Choice, kind: Kind) -> &'static dyn Engine {
    if let Choice::Custom(custom) = chosen {
        return custom.0;
    }
    let named = ENGINES.iter().find(|engine| chosen.name() == Some(engine.name()));
    let usual = || ENGINES.iter().find(|engine| engine.explores() == kind);
    *named.or_else(usual).unwrap_or(&ENGINES[0])
}
