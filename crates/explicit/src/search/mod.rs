//! Breadth-first search by several threads, level by level.
//!
//! All threads expand the states of one level; what they find is the next one. So the first witness of a violation is a
//! shortest one, a bound is exact, and between levels the search can be written to a checkpoint.
//! A level is always completed, even if something is violated in it: then what is reported does not depend on which
//! thread was faster. A small level is expanded by the calling thread alone; the others start when they are first needed.
//!
//! `Search::run` lists the phases.

mod reported;
mod shared;
pub(crate) mod tally;
mod team;
mod worker;

use std::ops::Range;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::thread::Scope;
use std::time::Instant;

use burnside_model::system::Batcher;
use burnside_model::{Deadline, Limit, Model, stack};

use crate::checkpoint::{Checkpoint, CheckpointError, Settled};
use crate::store::{Full, Store};
use crate::{Config, Events};
use burnside_model::findings::Checks;
use reported::Reported;
use shared::{Level, Shared};
use tally::{Found, Tally, keep_first};
use team::{Dismiss, Job, Team};
use worker::Worker;

/// A level (or a table to be filled again) with fewer states is not worth waking the others for.
const ALONE: u64 = 200;

/// What a search found, before conclusions are drawn.
pub(crate) struct Explored {
    pub store: Store,
    pub tally: Tally,
    pub found: Vec<Found>,
    pub checks: Checks,
    pub limit: Option<Limit>,
    /// The last level with a state.
    pub depth: u64,
    pub deadline: Deadline,
}

/// Looks at what is stored, between levels; gives how many violations it knows of.
pub(crate) type Look<'l> = dyn FnMut(&Store) -> u64 + 'l;

/// Explores what is reachable, or as much of it as the limits allow.
pub(crate) fn explore<B: Batcher>(
    model: &Model,
    store: Store,
    make: &mut dyn FnMut() -> B,
    config: &Config,
    events: &mut dyn Events,
    look: &mut Look<'_>,
) -> Result<Explored, CheckpointError> {
    let deadline = config.limits.deadline();
    let shared = Shared::new(model, config, store, deadline);
    let team = Team::default();
    let (limit, tally, found) = std::thread::scope(|scope| {
        let _dismiss = Dismiss(&team);
        let mut search = Search {
            lead: Worker::new(make(), &shared),
            shared: &shared,
            team: &team,
            scope,
            make,
            events,
            look,
            tally: Tally::new(model.rules.len(), shared.checks.list.len()),
            found: Vec::new(),
            reported: Reported::new(),
            wanted: config.threads,
            saved: Instant::now(),
        };
        let limit = search.run()?;
        Ok::<_, CheckpointError>((limit, search.tally, search.found))
    })?;
    let (store, checks) = shared.into_parts();
    let depth = store.levels().windows(2).filter(|level| level[0] < level[1]).count();
    Ok(Explored { store, tally, found, checks, limit, depth: depth.saturating_sub(1) as u64, deadline })
}

/// A search under way.
struct Search<'s, 'scope, 'env, B> {
    shared: &'env Shared<'s>,
    team: &'env Team,
    scope: &'scope Scope<'scope, 'env>,
    /// Makes what carries out the model, one per thread.
    make: &'s mut dyn FnMut() -> B,
    events: &'s mut dyn Events,
    look: &'s mut Look<'s>,
    /// The calling thread's own work.
    lead: Worker<B>,
    /// Counts of the completed levels.
    tally: Tally,
    /// Violations, in the order in which they are reported.
    found: Vec<Found>,
    reported: Reported,
    /// How many threads are to be started.
    wanted: usize,
    /// When the last checkpoint was written.
    saved: Instant,
}

impl<'s, 'scope, 'env, B: Batcher + 'scope> Search<'s, 'scope, 'env, B> {
    /// Level after level; gives the limit that ended the search, if one did.
    fn run(&mut self) -> Result<Option<Limit>, CheckpointError> {
        let mut stopped = match &self.shared.config.resume {
            Some(file) => self.resume(file)?,
            None => self.start(),
        };
        // Where start states or what was resumed are not all there, there is nothing to go on from.
        let mut settled = if stopped.is_none() { self.settled() } else { None };
        while stopped.is_none() {
            let level = self.shared.store().frontier();
            if level.is_empty() {
                return Ok(self.tally.beyond.then_some(Limit::Bound));
            }
            self.shared.levels.store(self.shared.store().levels().len() as u64, Ordering::Relaxed);
            let found = self.found.len() as u64;
            let enough = self.shared.enough(found);
            let enough = enough.or_else(|| self.shared.enough(found + (self.look)(&self.shared.store())));
            if enough.is_some() {
                return Ok(enough);
            }
            if self.shared.config.limits.states.is_some_and(|most| level.end >= most) {
                return Ok(Some(Limit::States));
            }
            self.save_now_and_then(&settled);
            stopped = self.expand(level);
            if stopped.is_none() {
                settled = self.settled();
            }
        }
        if matches!(stopped, Some(Limit::Memory | Limit::Time)) {
            self.save(&settled);
        }
        Ok(stopped)
    }

    /// Finds the start states.
    fn start(&mut self) -> Option<Limit> {
        self.lead.start(self.shared);
        let out_of_time = self.shared.stopped();
        self.expand_range(0..0, false).or(out_of_time)
    }

    /// Goes on where a checkpoint was written.
    fn resume(&mut self, file: &Path) -> Result<Option<Limit>, CheckpointError> {
        let shared = self.shared;
        let checkpoint = Checkpoint { identity: shared.config.identity, checks: &shared.checks };
        let read = checkpoint.read(file, &mut shared.store_mut(), self.lead.batcher())?;
        // What the model said when it was run for this is known.
        self.lead.batcher().side_effects();
        let Some((tally, found)) = read else { return Ok(Some(Limit::Memory)) };
        (self.tally, self.found) = (tally, found);
        self.refill();
        shared.store_mut().grown();
        shared.fired.store(self.tally.rules_fired, Ordering::Relaxed);
        Ok(None)
    }

    /// Expands a complete level; gives the limit that stopped it, if one did.
    fn expand(&mut self, level: Range<u64>) -> Option<Limit> {
        let depth = self.shared.store().levels().len() as u64 - 2;
        let at_bound = self.shared.config.limits.bound.is_some_and(|bound| depth >= bound);
        self.expand_range(level, at_bound)
    }

    /// Expands these states, and settles what is counted and found.
    fn expand_range(&mut self, states: Range<u64>, at_bound: bool) -> Option<Limit> {
        let count = states.end - states.start;
        let alone = count < ALONE || self.shared.config.threads <= 1;
        let threads = if alone { 1 } else { self.shared.config.threads as u64 };
        self.shared.store_mut().set_alone(alone);
        self.shared.set_level(Level {
            states,
            block: (count / (threads * 16)).clamp(1, 64),
            reserve: (count / (threads * 16)).clamp(1, 128),
            at_bound,
        });
        let limit = loop {
            self.shared.pause.store(false, Ordering::Relaxed);
            self.together(Job::Expand, alone);
            if let Some(limit) = self.shared.stopped() {
                break Some(limit);
            }
            if !self.shared.crowded.swap(false, Ordering::Relaxed) {
                break None;
            }
            if self.grow() == Err(Full) {
                break Some(Limit::Memory);
            }
        };
        self.settle();
        self.reported.tick(self.shared, self.events);
        if let [.., from, to] = *self.shared.store().levels() {
            self.events.level(self.shared.store().levels().len() as u64 - 2, to - from);
        }
        limit
    }

    /// All threads do a job, or the calling one alone.
    fn together(&mut self, job: Job, alone: bool) {
        if !alone {
            self.recruit();
            self.team.begin(job);
        }
        match job {
            Job::Expand => {
                let (shared, events, reported) = (self.shared, &mut *self.events, &mut self.reported);
                self.lead.expand(shared, &mut || reported.tick(shared, events));
            }
            Job::Touch => touch(self.shared, 0, if alone { 1 } else { self.team.members() + 1 }),
            Job::Refill => refill(self.shared),
        }
        if !alone {
            self.team.end();
        }
    }

    /// Starts the other threads, once. Where the system refuses, there are fewer.
    fn recruit(&mut self) {
        let wanted = std::mem::replace(&mut self.wanted, 1);
        while self.team.members() + 1 < wanted {
            let (shared, team) = (self.shared, self.team);
            let (number, round) = team.join();
            let mut worker = Worker::new((self.make)(), shared);
            let thread = stack::thread("search");
            let started = thread.spawn_scoped(self.scope, move || {
                team.serve(round, |job| match job {
                    Job::Expand => worker.expand(shared, &mut || {}),
                    Job::Touch => touch(shared, number, team.members() + 1),
                    Job::Refill => refill(shared),
                });
            });
            if started.is_err() {
                return team.leave();
            }
        }
    }

    fn grow(&mut self) -> Result<(), Full> {
        self.shared.store_mut().grow()?;
        self.refill();
        self.shared.store_mut().grown();
        Ok(())
    }

    /// Fills the table again.
    fn refill(&mut self) {
        let alone = self.shared.store().refill_work() < 100 * ALONE || self.shared.config.threads <= 1;
        let cursor = self.shared.cursor.swap(0, Ordering::Relaxed);
        // A small level may be expanded by one thread, and a large table filled by all.
        let before = self.shared.store_mut().set_alone(alone);
        self.together(Job::Touch, alone);
        self.together(Job::Refill, alone);
        self.shared.store_mut().set_alone(before);
        self.shared.cursor.store(cursor, Ordering::Relaxed);
    }

    /// Completes the level that was being found: numbers without gaps, violations in their order.
    fn settle(&mut self) {
        let moved = self.shared.store_mut().end_level();
        let mut tally = self.shared.tally();
        let mut found = std::mem::take(&mut tally.found);
        found.sort_by(Found::order);
        self.found.extend(found.into_iter().map(|mut found| {
            found.at = found.at.map(|at| moved.get(&at).copied().unwrap_or(at));
            found
        }));
        keep_first(&mut self.found, self.shared.most_errors(), |found| found.check);
        self.tally.absorb(&mut tally, usize::MAX);
    }
}

/// Checkpoints.
impl<B> Search<'_, '_, '_, B> {
    /// What a checkpoint of the levels completed so far holds besides states; none if there is to be none.
    fn settled(&self) -> Option<Settled> {
        self.shared.config.checkpoint.as_ref()?;
        let levels = self.shared.store().levels().len();
        Some(Settled { tally: self.tally.clone(), found: self.found.len(), levels })
    }

    /// Writes a checkpoint, if the last one is old enough.
    fn save_now_and_then(&mut self, settled: &Option<Settled>) {
        let every = self.shared.config.checkpoint.as_ref().map(|(_, every)| *every);
        if every.is_some_and(|every| self.saved.elapsed() >= every) {
            self.save(settled);
        }
    }

    /// Writes a checkpoint. That it cannot be written does not stop the search.
    fn save(&mut self, settled: &Option<Settled>) {
        let (Some((file, _)), Some(settled)) = (&self.shared.config.checkpoint, settled) else { return };
        let checkpoint = Checkpoint { identity: self.shared.config.identity, checks: &self.shared.checks };
        if let Err(error) = checkpoint.write(file, &self.shared.store(), settled, &self.found) {
            self.events.warning(&format!("cannot write {}: {error}", file.display()));
        }
        self.saved = Instant::now();
    }
}

/// A thread's share of touching the new table.
fn touch(shared: &Shared<'_>, thread: usize, threads: usize) {
    shared.store().touch(thread as u64, threads as u64);
}

/// A thread's share of filling the table again.
fn refill(shared: &Shared<'_>) {
    const PART: u64 = 1 << 12;
    let store = shared.store();
    let work = store.refill_work();
    loop {
        let from = shared.cursor.fetch_add(PART, Ordering::Relaxed);
        if from >= work {
            return;
        }
        store.refill(from..work.min(from + PART));
    }
}
