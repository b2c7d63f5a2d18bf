//! A check from model to findings, in a thread of its own: diagrams need a large stack, and one operation on large ones
//! can take longer than there is time. Whoever waits then gives up without it.

use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use burnside_encode::{Encoding, Refusal};
use burnside_model::code::Semantics;
use burnside_model::findings::{Checks, Findings, Nodes};
use burnside_model::{Count, Deadline, DeadlockMode, Limit, Limits, Model, stack};

use crate::algebra::{Diagrams, Failed};
use crate::bdd::Manager;
use crate::decide::decide;
use crate::on_the_fly::{self, OnTheFly};
use crate::orbits::Orbits;
use crate::reduce::quotient::{Quotient, Reduction};
use crate::search::{Reach, Search};
use crate::sizes::Sizes;
use crate::system::System;
use crate::variables::{self, Order, Variables};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Task {
    /// The choices that the language leaves open.
    pub semantics: Semantics,
    /// What counts as a deadlock.
    pub deadlock: DeadlockMode,
    pub limits: Limits,
    /// The order of variables.
    pub order: Order,
    /// Whether a better one is looked for between steps.
    pub reorder: bool,
    /// Whether there is one relation of all steps, without a reduction.
    pub monolithic: bool,
    /// How reachable states are found, without a reduction.
    pub search: Search,
    /// How large diagrams may be before something is done in another way.
    pub sizes: Sizes,
    /// The reduction by symmetry, if any.
    pub reduction: Option<Reduction>,
    /// Or by representatives that are chosen on the fly.
    pub on_the_fly: Option<OnTheFly>,
}

/// How far a check has come.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Progress {
    pub states: Count,
    /// Levels or passes so far.
    pub depth: u64,
    /// The most nodes so far, with garbage and without.
    pub nodes: (usize, usize),
}

impl Task {
    /// Whether its search goes level by level, so that its depth is a distance.
    fn has_levels(&self, model: &Model) -> bool {
        match (&self.reduction, &self.on_the_fly) {
            (Some(by), _) => by.kind.has_levels(self.search),
            (_, Some(by)) => by.has_levels(model, &self.limits),
            _ => self.search == Search::Bfs,
        }
    }
}

/// Bytes per node.
const NODE_BYTES: u64 = 32;
/// Memory where there is no limit.
const DEFAULT_MEMORY: u64 = 4 << 30;
/// How long after the deadline an operation may end on its own.
const GRACE: Duration = Duration::from_millis(500);
/// How often progress is told.
const TICK: Duration = Duration::from_millis(200);

/// How much longer than counting states takes, they are not counted again.
const SELDOM: u32 = 20;

/// What the thread that works and the one that waits both see.
#[derive(Default)]
struct Shared(Mutex<Progress>);

impl Shared {
    fn with<T>(&self, f: impl FnOnce(&mut Progress) -> T) -> T {
        f(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

pub fn check(model: &Model, task: &Task, told: &mut dyn FnMut(&Progress)) -> Result<Findings, Refusal> {
    let deadline = task.limits.deadline();
    let shared = Arc::new(Shared::default());
    let (send, receive) = channel();
    let work = {
        let (model, task, shared) = (model.clone(), task.clone(), shared.clone());
        move || {
            // Nobody listens any more if the time was up long ago.
            let _ = send.send(work(&model, &task, deadline, &shared));
        }
    };
    let thread = stack::diagram_thread().spawn(work);
    let thread = thread
        .map_err(|error| Refusal { reason: format!("a thread cannot be started: {error}"), span: None })?;
    let mut since = None;
    loop {
        match receive.recv_timeout(TICK) {
            Ok(found) => return found,
            Err(RecvTimeoutError::Timeout) => shared.with(|progress| told(progress)),
            Err(RecvTimeoutError::Disconnected) => match thread.join() {
                Err(panic) => std::panic::resume_unwind(panic),
                Ok(()) => return Err(Refusal { reason: "nothing was found".to_owned(), span: None }),
            },
        }
        let passed = deadline.has_passed().then(|| *since.get_or_insert_with(Instant::now));
        if passed.is_some_and(|since| since.elapsed() > GRACE) {
            let progress = shared.with(|progress| progress.clone());
            return Ok(unknown(model, task, Limit::Time, progress));
        }
    }
}

/// Nothing is known but how far it came.
fn unknown(model: &Model, task: &Task, limit: Limit, progress: Progress) -> Findings {
    let checks = Checks::new(model, task.deadlock);
    Findings {
        properties: checks.list.iter().map(|check| check.conclude(Vec::new(), 0, false, false)).collect(),
        limit: Some(limit),
        exact: false,
        ..progress.figures(task.has_levels(model))
    }
}

impl Progress {
    /// The figures alone.
    fn figures(self, has_levels: bool) -> Findings {
        let (peak, live) = (self.nodes.0 as u64, self.nodes.1 as u64);
        Findings {
            states: self.states,
            depth: has_levels.then_some(self.depth),
            memory: NODE_BYTES * peak,
            nodes: Some(Nodes { peak, live, relation: None }),
            ..Findings::default()
        }
    }
}

fn work(model: &Model, task: &Task, deadline: Deadline, shared: &Arc<Shared>) -> Result<Findings, Refusal> {
    let encoding = Encoding::new(model, task.semantics)?;
    let widths = encoding.cells().iter().map(|cell| cell.width);
    let cells = variables::cells(model, widths);
    let order = task
        .reduction
        .as_ref()
        .map_or(task.order, |reduction| task.order.for_permutations(&cells, reduction.kind.sorts()));
    let variables = Variables::new(&cells, order);
    let memory = task.limits.memory.unwrap_or(DEFAULT_MEMORY).try_into().unwrap_or(usize::MAX);
    let mut manager = Manager::new(variables.variables(), memory);
    if task.reorder {
        manager.reorder_between_steps(variables.blocks());
    }
    let told = shared.clone();
    manager.observe(move |nodes| told.with(|progress| progress.nodes = nodes));
    let checks = Checks::new(model, task.deadlock);
    // On the fly, the one relation is that between representatives.
    let monolithic = task.monolithic && task.on_the_fly.is_none();
    let related = task.reduction.as_ref().is_some_and(|reduction| reduction.related);
    let as_diagrams = task.monolithic || related || task.on_the_fly.is_some();
    let sizes = if as_diagrams { task.sizes.never_executed() } else { task.sizes };
    let diagrams = Diagrams::new(&manager, &variables, deadline, sizes);
    let stopped = |failed: Failed| match failed {
        Failed::Refused(refusal) => Err(refusal),
        Failed::Stopped(stop) => {
            let progress = Progress { nodes: peaks(&manager, Some(stop.limit())), ..Progress::default() };
            Ok(unknown(model, task, stop.limit(), progress))
        }
    };
    let with_relations = task.reduction.is_none();
    // On the fly, what a verdict depends on must be known for all states.
    let all_targets = task.on_the_fly.is_some();
    let system = System::new(&encoding, &diagrams, &checks, task.deadlock, with_relations, all_targets);
    let mut system = match system {
        Ok(system) => system,
        Err(failed) => return stopped(failed),
    };
    let united = match monolithic.then(|| system.unite_relations()).transpose() {
        Ok(size) => size,
        Err(stop) => return stopped(stop.into()),
    };
    let (mut last, mut pause) = (Instant::now(), TICK);
    let mut told = |reached: &crate::bdd::Bdd, depth| {
        if last.elapsed() > pause && manager.can_count() {
            let start = Instant::now();
            let states = reached.count(variables.bits());
            shared.with(|progress| *progress = Progress { states, depth, nodes: manager.peaks() });
            last = Instant::now();
            pause = TICK.max(SELDOM * (last - start));
        }
    };
    let quotient = task.reduction.as_ref().map(|reduction| Quotient::new(&system, reduction));
    let quotient = match quotient.transpose() {
        Ok(quotient) => quotient,
        Err(failed) => return stopped(failed),
    };
    let begun = Instant::now();
    let mut reach = Reach::new(&manager, &system.relations, &system.initial, deadline);
    reach.quotient = quotient.as_ref();
    let (decided, on_the_fly) = match &task.on_the_fly {
        None => (decide(&system, &checks, task.search, &task.limits, &mut reach, &mut told), None),
        Some(how) => {
            let question = on_the_fly::Question { checks: &checks, limits: &task.limits, deadline, how };
            match on_the_fly::decide(&system, &question, &mut told) {
                Ok((decided, found)) => (decided, Some(found)),
                Err(failed) => return stopped(failed),
            }
        }
    };
    manager.collect();
    let nodes = peaks(&manager, decided.limit);
    let states = decided.states.unwrap_or_else(|| shared.with(|progress| progress.states.clone()));
    let limit = decided.limit;
    let exact = quotient.as_ref().is_none_or(Quotient::is_unique) && on_the_fly.is_none();
    let orbits =
        task.reduction.as_ref().filter(|_| limit.is_none()).and_then(|reduction| {
            Orbits::of(&system, &reduction.action, &reach.reached, exact, begun.elapsed())
        });
    let full_states = match (&on_the_fly, &task.reduction) {
        (Some(found), _) => found.runs.first().and_then(|run| run.full_states.as_ref()?.parse::<u128>().ok()),
        (_, Some(_)) => orbits.and_then(|orbits| orbits.states),
        (None, None) => states.to_u128().filter(|_| limit.is_none()),
    };
    let mut figures = Progress { states, depth: decided.depth, nodes }.figures(task.has_levels(model));
    if let Some(nodes) = &mut figures.nodes {
        let on_the_fly = on_the_fly.as_ref().and_then(|found| found.relation);
        nodes.relation = on_the_fly.or(united.map(|size| size as u64));
    }
    Ok(Findings {
        properties: decided.properties,
        full_states: full_states.map(Count::from),
        orbits: orbits.map(|orbits| orbits.count),
        exact,
        rules_fired: decided.per_rule.as_ref().map(|rules| rules.iter().sum()),
        per_rule: decided.per_rule.unwrap_or_default(),
        limit,
        complete: limit.is_none(),
        temporal: decided.temporal,
        on_the_fly,
        ..figures
    })
}

/// The most nodes there were: all that fit, where they did not suffice.
fn peaks(manager: &Manager, limit: Option<Limit>) -> (usize, usize) {
    let (peak, live) = manager.peaks();
    (if limit == Some(Limit::Memory) { manager.capacity() } else { peak }, live)
}
