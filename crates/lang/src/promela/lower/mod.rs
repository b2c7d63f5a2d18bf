//! Promela to the typed model.
//!
//! Every process that can exist is spelled out: each pair of a process id and a proctype that may have it gets a location
//! variable (`at`; its value 0 is "not running") and its local variables, and every step of it becomes a rule. So a
//! permutation of processes and channels is a permutation of named variables and values, which is the form in which
//! symmetry between named things is detected and verified; and nothing is looked up when a model runs.
//!
//! Which processes can exist is found by lowering until nothing new appears: a `run` adds the process it may start, and
//! the arguments that it is always given are constants in it. Parameters and variables that never change are left out of
//! the state. Values of processes that do not run are 0, so a state here is a state of Spin's.
//!
//! `paths` makes rules from steps: an `atomic` or `d_step` is executed by one rule per way through it. `channels` has
//! messages, `exprs` expressions, `properties` labels and formulas.

mod build;
mod channels;
mod exprs;
mod paths;
mod processes;
mod properties;
mod storage;

use std::collections::{BTreeSet, HashMap, HashSet};

use burnside_model::code::{GlobalId, TypeId};
use burnside_model::{Model, Span};

use super::Settings;
use super::ast::Program;
use super::flow;
use super::symbols::{Class, Symbols};
use crate::diag::{Diagnostic, codes};
use crate::tokens::Read;

/// A process that may exist.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Instance {
    pub slot: u32,
    pub process: usize,
    /// The values of its parameters that are always the same.
    pub args: Vec<Option<i64>>,
    /// Whether it starts others.
    pub runs: bool,
    /// Whether it exists from the start.
    pub initial: bool,
    /// Whether the rule that starts it always starts the next process too.
    pub followed: bool,
}

#[derive(Clone, Debug)]
struct Channel {
    capacity: u32,
    class: Class,
    /// The number of messages in it, and the messages; none for a rendezvous.
    storage: Option<(GlobalId, GlobalId)>,
    length_ty: TypeId,
    fields: Vec<(TypeId, (i64, i64))>,
    record_ty: TypeId,
    array_ty: TypeId,
    /// The process that it ends with.
    owner: Option<usize>,
}

/// Where the variables of a process, or of none, are: constants have no place.
#[derive(Clone, Debug, Default)]
struct Storage {
    variables: Vec<Option<(GlobalId, TypeId)>>,
    /// The first channel of each variable that makes some.
    channels: Vec<Option<usize>>,
    at: Option<(GlobalId, TypeId)>,
}

struct Lowerer<'p> {
    symbols: Symbols<'p>,
    settings: &'p Settings,
    model: Model,
    instances: Vec<Instance>,
    /// Whether this round found something that the round before did not know.
    changed: bool,
    ranges: HashMap<(i64, i64), TypeId>,
    pid_ty: TypeId,
    chan_ty: TypeId,
    mtype_ty: TypeId,
    pc_ty: Vec<TypeId>,
    records: HashMap<String, TypeId>,
    globals: Storage,
    storage: Vec<Storage>,
    channels: Vec<Channel>,
    /// Per instance, whether it may end.
    dies: Vec<bool>,
    /// How many channels and processes the round before had.
    known_channels: usize,
    /// The rules whose guard asks for a timeout.
    timeouts: Vec<usize>,
    /// The function that says whether anything can happen, if somebody asks.
    asked: bool,
    /// Who holds the control between rules, if that ever happens.
    holder: Option<(GlobalId, TypeId)>,
    /// The rules that go on where a hold was interrupted.
    held: Vec<usize>,
    /// Where holds were interrupted.
    cuts: Vec<(usize, usize, bool)>,
    /// Where processes may wait, and what is still to be looked at.
    resting: HashSet<(usize, usize)>,
    waiting: Vec<(usize, usize)>,
    /// How many processes there may be when a process that starts others is at a location.
    counts: HashMap<(usize, usize), BTreeSet<u32>>,
    warnings: Vec<Diagnostic>,
}

/// Rounds after which the processes must be known.
const ROUNDS: usize = 600;

/// A program as a model, and warnings.
pub(super) fn lower(program: &Program, settings: &Settings) -> Read<(Model, Vec<Diagnostic>)> {
    let flows = program.proctypes.iter().map(flow::flow).collect::<Read<Vec<_>>>()?;
    let symbols = Symbols::new(program, flows)?;
    let mut lowerer = Lowerer {
        symbols,
        settings,
        model: Model::default(),
        instances: Vec::new(),
        changed: false,
        ranges: HashMap::new(),
        pid_ty: TypeId(0),
        chan_ty: TypeId(0),
        mtype_ty: TypeId(0),
        pc_ty: Vec::new(),
        records: HashMap::new(),
        globals: Storage::default(),
        storage: Vec::new(),
        channels: Vec::new(),
        dies: Vec::new(),
        known_channels: 0,
        timeouts: Vec::new(),
        asked: false,
        holder: None,
        held: Vec::new(),
        cuts: Vec::new(),
        resting: HashSet::new(),
        waiting: Vec::new(),
        counts: HashMap::new(),
        warnings: Vec::new(),
    };
    if let Some(never) = &program.never {
        let message = "the never claim is not checked; an `ltl` block would be";
        lowerer.warnings.push(Diagnostic::warning(codes::CLAIM_LEFT_OUT, never.span, message));
    }
    lowerer.initial_processes()?;
    for _ in 0..ROUNDS {
        lowerer.changed = false;
        lowerer.round()?;
        if !lowerer.changed {
            lowerer.properties()?;
            return Ok((lowerer.model, lowerer.warnings));
        }
    }
    let message = "the processes of this model could not be found";
    Err(Box::new(Diagnostic::error(codes::NOT_SUPPORTED, Span::default(), message)))
}

impl Lowerer<'_> {
    /// One attempt with what is known so far.
    fn round(&mut self) -> Read<()> {
        self.model = Model::default();
        self.ranges.clear();
        self.records.clear();
        self.channels.clear();
        self.timeouts.clear();
        self.held.clear();
        self.cuts.clear();
        self.resting.clear();
        self.waiting.clear();
        self.holder = None;
        self.asked = false;
        let most = self.instances.iter().map(|instance| instance.slot).max().unwrap_or(0);
        self.symbols.forget(most);
        self.symbols.infer()?;
        self.find_deaths();
        self.allocate()?;
        self.start()?;
        self.rules()
    }
}
