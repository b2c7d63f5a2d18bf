//! Adaptive symmetry reduction: search of a model where only some rules tell the elements of a domain apart.
//!
//! The survey (§8) describes it after Wahl ("Adaptive symmetry reduction", 2007). A node is a state r with blocks P of
//! elements, and stands for every p·r where p moves no element out of its block: all of these are reachable. A rule e with
//! blocks Q — permutations that respect Q map it to itself — is fired at one state of every orbit under P ∧ Q that the
//! node stands for, so that an asymmetric rule sees the members of the node that it treats differently; what it leads to
//! gets the blocks P ∧ Q. A symmetric rule has Q = {all}, is fired at r alone, and keeps P.
//!
//! Nodes are filed under the fully symmetric form of their states. A new node whose states another node there stands for
//! is dropped; one that stands for all states of others makes them void ([`nodes`]).
//!
//! Where we go beyond: blocks are made as coarse as the state allows (a state in which all elements look alike stands for
//! itself under any blocks, so the symmetry comes back); being inside another node is decided exactly; deadlocks and
//! properties that tell elements apart are looked for in one state per orbit that the rules and they leave.
//!
//! Runs are rebuilt from the end ([`runs`]): a concrete state of a node has a predecessor among those of its parent.

mod expand;
mod found;
mod nodes;
mod partitions;
mod runs;
mod size;

use std::time::{Duration, Instant};

use burnside_model::code::Cell;
use burnside_model::system::{Batch, Batcher, TimeUp};
use burnside_model::{Count, Deadline, Limit, Model, Packing};
use burnside_symmetry::partial::{Blocks, Invariance, Young};

use crate::search::tally::{Tally, keep_first};
use crate::{Config, Events, Progress};
use burnside_model::findings::{Checks, Findings, Witness};
use found::Found;
use nodes::Nodes;
use partitions::{Groups, PartitionId, Partitions};

/// From so many states on at which rules were fired, it is asked whether the reduction is worth its price.
const TRIAL: u64 = 5_000;

/// And until so many.
const TRIAL_ENDS: u64 = 100_000;

/// How many times more states the nodes must stand for: to fire at a state and file what comes of it takes as long as
/// this many states of a search without reduction.
const WORTH: u128 = 8;

/// From so many forms on it is asked whether they are worth their price: a form takes about as long as a state of a search
/// without reduction. A priority among 12 processes took 1.2 s to try where the search without it takes 0.01 s, and among
/// 16 it had no end: most of that is spent on dividing a few nodes.
const TRIAL_WORK: u64 = 20_000;

/// What is searched, and with what.
pub struct Task<'t> {
    pub model: &'t Model,
    /// How its states are packed.
    pub packing: &'t Packing,
    /// What its rules leave of the symmetry.
    pub invariance: &'t Invariance,
    /// When to stop, and what counts as a deadlock; one thread searches, and there are no checkpoints.
    pub config: &'t Config,
    /// Whether to give up when most nodes stand for few states.
    pub trial: bool,
}

/// Most nodes stand for few states: a search without reduction is faster.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NotWorthwhile;

/// Searches adaptively; the paths of witnesses are runs of the model itself.
pub fn check<B: Batcher>(
    task: &Task<'_>,
    young: Young,
    batcher: &mut B,
    events: &mut dyn Events,
) -> Result<Findings, NotWorthwhile> {
    let mut search = Search::new(task, young, batcher, events);
    let limit = match search.run() {
        Ok(limit) => limit,
        Err(Stopped::Limit(limit)) => Some(limit),
        Err(Stopped::NotWorthwhile) => return Err(NotWorthwhile),
    };
    Ok(search.conclude(limit))
}

/// Whether more forms were found than states are saved: nodes that stand for so many are not worth so much work.
fn is_lost(work: u64, stood_for: u128) -> bool {
    work >= TRIAL_WORK && stood_for < u128::from(work)
}

/// What ends a search early.
enum Stopped {
    Limit(Limit),
    NotWorthwhile,
}

impl From<TimeUp> for Stopped {
    fn from(_: TimeUp) -> Self {
        Stopped::Limit(Limit::Time)
    }
}

/// A search under way.
struct Search<'s, B> {
    task: &'s Task<'s>,
    checks: Checks,
    young: Young,
    batcher: &'s mut B,
    events: &'s mut dyn Events,
    partitions: Partitions,
    /// The rules, by what they tell apart.
    rule_groups: Groups,
    /// The properties that are evaluated in states, by what they tell apart: positions in [`Checks::evaluated`].
    property_groups: Groups,
    /// What no rule tells apart.
    unanimous: PartitionId,
    nodes: Nodes,
    found: Vec<Found>,
    tally: Tally,
    batch: Batch,
    deadline: Deadline,
    told: Instant,
    /// At how many states rules were fired.
    fired_at: u64,
    /// Whether it is over, and runs are told: no limit may cut one short.
    telling: bool,
    /// During the trial: how many states the nodes stand for.
    stood_for: u128,
    /// How many findings are in the order in which they are reported.
    settled: usize,
}

impl<'s, B: Batcher> Search<'s, B> {
    fn new(task: &'s Task<'s>, young: Young, batcher: &'s mut B, events: &'s mut dyn Events) -> Self {
        let deadline = task.config.limits.deadline();
        batcher.set_deadline(deadline);
        let checks = Checks::new(task.model, task.config.deadlock);
        let invariance = task.invariance;
        let mut partitions = Partitions::default();
        let whole = Blocks::whole(&invariance.sizes);
        let unanimous = invariance.rules.iter().fold(whole, |all, blocks| all.meet(blocks));
        let unanimous = partitions.intern(unanimous);
        let evaluated: Vec<_> = checks
            .evaluated
            .iter()
            .map(|(_, property, _)| invariance.properties[*property].clone())
            .collect();
        Search {
            rule_groups: Groups::new(&mut partitions, &invariance.rules),
            property_groups: Groups::new(&mut partitions, &evaluated),
            tally: Tally::new(task.model.rules.len(), checks.list.len()),
            nodes: Nodes::new(task.packing),
            checks,
            task,
            young,
            batcher,
            events,
            partitions,
            unanimous,
            found: Vec::new(),
            batch: Batch::default(),
            deadline,
            told: Instant::now(),
            fired_at: 0,
            telling: false,
            stood_for: 0,
            settled: 0,
        }
    }

    /// Level after level; gives the limit that ended the search, if one did.
    fn run(&mut self) -> Result<Option<Limit>, Stopped> {
        self.start()?;
        for depth in 0.. {
            self.settle();
            let level = self.nodes.end_level();
            if level.is_empty() {
                break;
            }
            if self.found.len() as u64 >= self.task.config.limits.max_errors {
                return Ok(Some(Limit::MaxErrors));
            }
            let at_bound = self.task.config.limits.bound == Some(depth);
            for node in level {
                if !self.nodes.is_void_at(node, depth) {
                    self.expand(node, at_bound)?;
                }
                self.look_around(depth)?;
            }
        }
        Ok(self.tally.beyond.then_some(Limit::Bound))
    }

    /// Whether the search may still be given up.
    fn on_trial(&self) -> bool {
        !self.telling && self.task.trial && self.fired_at < TRIAL_ENDS
    }

    /// Whether as many forms were made as states may be stored: both take about as long.
    fn is_spent(&self) -> bool {
        self.task.config.limits.states.is_some_and(|most| self.young.work() >= most)
    }

    /// What was found at the nodes of a level comes before what was found at those that they lead to.
    fn settle(&mut self) {
        self.found[self.settled..].sort_by_key(|found| found.late);
        self.settled = self.found.len();
    }

    /// Between two nodes: limits, progress, what the model printed.
    fn look_around(&mut self, depth: u64) -> Result<(), Stopped> {
        self.side_effects();
        if self.deadline.has_passed() {
            return Err(Stopped::Limit(Limit::Time));
        }
        let memory = self.nodes.memory();
        if self.task.config.limits.memory.is_some_and(|most| memory >= most) {
            return Err(Stopped::Limit(Limit::Memory));
        }
        if self.is_spent() {
            return Err(Stopped::Limit(Limit::States));
        }
        if self.on_trial()
            && (self.fired_at >= TRIAL && self.stood_for < WORTH * u128::from(self.fired_at)
                || is_lost(self.young.work(), self.stood_for))
        {
            return Err(Stopped::NotWorthwhile);
        }
        let passed = self.told.elapsed();
        if passed >= Duration::from_millis(500) {
            self.events.progress(&Progress {
                states: self.nodes.live(),
                rules_fired: self.tally.rules_fired,
                depth,
                states_per_second: self.nodes.new_since_last() as f64 / passed.as_secs_f64(),
                memory,
                ..Progress::default()
            });
            self.told = Instant::now();
        }
        Ok(())
    }

    /// Takes what the model printed, covered and copied.
    fn side_effects(&mut self) {
        let effects = self.batcher.side_effects();
        if !effects.output.is_empty() {
            self.events.output(&effects.output);
        }
        for (check, covered) in self.checks.list.iter().zip(&mut self.tally.covered) {
            *covered += check.index.and_then(|index| effects.covered.get(index)).copied().unwrap_or(0);
        }
        self.tally.copies.extend(effects.undefined_copies);
    }

    /// What follows from the search.
    fn conclude(mut self, limit: Option<Limit>) -> Findings {
        self.settle();
        self.side_effects();
        self.batcher.set_deadline(Deadline::NEVER);
        self.telling = true;
        let mut witnesses: Vec<Vec<Witness>> = self.checks.list.iter().map(|_| Vec::new()).collect();
        let wanted = usize::try_from(self.task.config.limits.max_errors).unwrap_or(usize::MAX);
        let mut found = std::mem::take(&mut self.found);
        keep_first(&mut found, wanted, |found| found.check);
        for found in found {
            // A run that cannot be told is left without its beginning: nobody will confirm it.
            let path = match found.at {
                Some((node, state)) => self.path(node, state.clone()).unwrap_or_else(|| vec![state]),
                None => Vec::new(),
            };
            witnesses[found.check].push(Witness { path, ending: found.ending });
        }
        // The model ran once more, for the same states: what it said is known.
        self.batcher.side_effects();
        let complete = limit.is_none();
        let full_states = if complete { self.full_states() } else { None };
        let checks = self.checks.list.iter().zip(witnesses).zip(&self.tally.covered);
        let properties =
            checks.map(|((check, w), covered)| check.conclude(w, *covered, false, complete)).collect();
        Findings {
            states: self.nodes.live().into(),
            full_states: full_states.map(Count::from),
            rules_fired: Some(self.tally.rules_fired),
            per_rule: self.tally.per_rule.clone(),
            limit,
            complete,
            properties,
            undefined_copies: self.tally.copies.iter().copied().collect(),
            memory: self.nodes.memory(),
            depth: Some(self.nodes.depth()),
            ..Findings::default()
        }
    }

    /// The state of a packed one.
    fn unpack(&self, words: &[u64]) -> Vec<Cell> {
        let mut state = Vec::new();
        self.task.packing.unpack(words, &mut state);
        state
    }

    /// A state's words.
    fn pack(&self, state: &[Cell]) -> Vec<u64> {
        let mut words = vec![0; self.task.packing.words()];
        self.task.packing.pack(state, &mut words);
        words
    }
}
