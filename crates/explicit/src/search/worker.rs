//! One thread of a search: takes states, fires all rules at them, stores and checks what is new.
//!
//! Each new state is checked by the thread that stored it; one that violates an invariant is expanded like any other, so
//! that a search that goes on decides everything. At the bound, states are still expanded, to see deadlocks and whether
//! there is anything beyond, but nothing beyond is stored or reported.
//!
//! The states that steps lead to are collected and stored many at once, in passes: the first, as each is found, asks
//! memory for its entry of the table, the second looks for the entry that matters and asks for the state that it names,
//! the last inserts. What is asked for comes while others are asked for, many in the time of one.
//!
//! A worker can stop between two insertions and go on there: that is how the store gets to grow in the middle of a level.

use std::ops::Range;
use std::sync::atomic::Ordering;

use burnside_model::DeadlockMode;
use burnside_model::system::{Batch, Batcher, PropertyKind, TimeUp};

use super::shared::{Level, Shared};
use super::tally::{Found, Tally};
use crate::store::{Inserted, Link, Probe, Reserve, Store, hash};
use burnside_model::findings::Ending;

/// How many states are stored at once.
const QUEUE: usize = 128;

/// A state is asked for while so many before it are expanded.
const AHEAD: u64 = 8;

/// A state of the batch that is to be stored.
#[derive(Clone, Copy)]
struct Queued {
    /// Where in the batch.
    at: usize,
    hash: u64,
    /// From where it is reached.
    link: Link,
    /// Where in the table to look for it.
    slot: usize,
    /// The state that it probably is.
    index: u64,
}

/// A thread's own things.
pub(super) struct Worker<B> {
    batcher: B,
    batch: Batch,
    /// What is to be stored of the batch.
    queue: Vec<Queued>,
    /// Which of those are probably old, and which are new, in arrays as long as the queue.
    met: Vec<u32>,
    fresh: Vec<u32>,
    /// The words of the state that is expanded.
    words: Vec<u64>,
    /// The states this thread took.
    block: Range<u64>,
    reserve: Reserve,
    tally: Tally,
    /// The rules it fired and has not yet told.
    told: u64,
}

impl<B: Batcher> Worker<B> {
    pub fn new(mut batcher: B, shared: &Shared<'_>) -> Self {
        batcher.set_deadline(shared.deadline);
        Worker {
            words: vec![0; batcher.words()],
            batcher,
            batch: Batch::default(),
            queue: Vec::new(),
            met: Vec::new(),
            fresh: Vec::new(),
            block: 0..0,
            reserve: Reserve::default(),
            tally: Tally::new(shared.model.rules.len(), shared.checks.list.len()),
            told: 0,
        }
    }

    /// What carries out the model.
    pub fn batcher(&mut self) -> &mut B {
        &mut self.batcher
    }

    /// Makes the start states, to be stored by [`Worker::expand`].
    pub fn start(&mut self, shared: &Shared<'_>) {
        if self.batcher.initial(&mut self.batch) == Err(TimeUp) {
            shared.out_of_time();
        }
        self.record_faults(None, false, shared);
        for at in 0..self.batch.rules.len() {
            self.enqueue(at, Link::START, &shared.store());
        }
    }

    /// Expands states of the level until there is none left or all threads are to pause.
    pub fn expand(&mut self, shared: &Shared<'_>, tick: &mut dyn FnMut()) {
        let store = shared.store();
        let level = shared.level();
        self.work(&store, shared, &level, tick);
        self.side_effects(shared);
        store.give_back(&mut self.reserve);
        shared.tally().absorb(&mut self.tally, shared.most_errors());
        self.told = 0;
    }

    fn work(&mut self, store: &Store, shared: &Shared<'_>, level: &Level, tick: &mut dyn FnMut()) {
        loop {
            if self.queue.len() >= QUEUE && !self.store_all(store, shared, level)
                || shared.pause.load(Ordering::Relaxed)
            {
                return;
            }
            if self.block.is_empty() {
                self.side_effects(shared);
                tick();
                if shared.is_late() {
                    return shared.out_of_time();
                }
                let from = shared.cursor.fetch_add(level.block, Ordering::Relaxed);
                if from >= level.states.end {
                    self.store_all(store, shared, level);
                    return;
                }
                self.block = from..level.states.end.min(from + level.block);
            }
            let state = self.block.start;
            self.block.start += 1;
            store.ask_for((state + AHEAD).min(self.block.end - 1));
            self.fire(state, store, shared, level);
        }
    }

    /// Fires all rules at a state; the states they lead to are stored next.
    fn fire(&mut self, state: u64, store: &Store, shared: &Shared<'_>, level: &Level) {
        store.read(state, &mut self.words);
        let link = Link::new(state, hash(&self.words));
        let first = self.batch.rules.len();
        let ran = self.batcher.successors(&self.words, &mut self.batch);
        let mut progress = !self.batch.dropped.is_empty() || !self.batch.faults.is_empty();
        if progress || !self.batch.alike.is_empty() {
            let faults = self.batch.faults.iter().filter(|fault| !fault.in_guard);
            let fired = self.batch.dropped.drain(..).chain(self.batch.alike.drain(..));
            for rule in fired.chain(faults.map(|fault| fault.rule)) {
                self.tally.fire(rule);
            }
            self.record_faults(Some(state), level.at_bound, shared);
        }
        let stuttering = shared.config.deadlock == DeadlockMode::Stuck;
        for at in first..self.batch.rules.len() {
            self.tally.fire(self.batch.rules[at]);
            if self.batch.stutters[at] {
                progress |= stuttering;
                continue;
            }
            progress = true;
            if level.at_bound {
                self.look_beyond(at, store);
            } else {
                self.enqueue(at, link, store);
            }
        }
        if level.at_bound {
            self.batch.truncate(first, self.words.len());
        }
        if let Some(check) = shared.checks.deadlocks
            && !progress
            && ran.is_ok()
        {
            self.record(check, Ending::Deadlock, Some(state), shared);
        }
        if ran == Err(TimeUp) {
            shared.out_of_time();
        }
    }

    /// Queues a state of the batch.
    #[inline(always)]
    fn enqueue(&mut self, at: usize, link: Link, store: &Store) {
        let words = self.words.len();
        let hash = hash(&self.batch.states[at * words..(at + 1) * words]);
        store.ask(hash);
        self.queue.push(Queued { at, hash, link, slot: 0, index: 0 });
    }

    /// Sees whether a state of the batch is not stored.
    #[inline(never)]
    fn look_beyond(&mut self, at: usize, store: &Store) {
        let words = self.words.len();
        let state = &self.batch.states[at * words..(at + 1) * words];
        self.tally.beyond = self.tally.beyond || !store.contains(state, hash(state));
    }

    /// Stores and checks what is queued; `false` if there is no room.
    fn store_all(&mut self, store: &Store, shared: &Shared<'_>, level: &Level) -> bool {
        let words = self.words.len();
        let (met, mut fresh) = self.seek_all(store);
        for i in &self.met[..met] {
            let Queued { at, link, index, .. } = self.queue[*i as usize];
            if !store.meet(index, &self.batch.states[at * words..(at + 1) * words], link) {
                self.fresh[fresh] = *i;
                fresh += 1;
            }
        }
        for i in 0..fresh {
            let Queued { at, hash, link, slot, .. } = self.queue[self.fresh[i] as usize];
            let state = &self.batch.states[at * words..(at + 1) * words];
            match store.insert_at(slot, state, hash, link, &mut self.reserve, level.reserve) {
                Inserted::Old => {}
                Inserted::New(number) => {
                    if self.check(at, number, shared) == Err(TimeUp) {
                        shared.out_of_time();
                    }
                }
                Inserted::NoRoom => {
                    shared.no_room();
                    self.queue = self.fresh[i..fresh].iter().map(|i| self.queue[*i as usize]).collect();
                    return false;
                }
            }
        }
        self.queue.clear();
        self.batch.clear();
        true
    }

    /// Looks for all that is queued; gives how many are probably old and how many new. Both lists are written at each
    /// step, and one of them grows: a branch could not be foreseen.
    fn seek_all(&mut self, store: &Store) -> (usize, usize) {
        let (mut met, mut fresh) = (0, 0);
        self.met.resize(self.queue.len(), 0);
        self.fresh.resize(self.queue.len(), 0);
        for (i, queued) in (0..).zip(&mut self.queue) {
            let found = match store.seek(queued.hash) {
                Probe::Found(slot, index) => {
                    (queued.slot, queued.index) = (slot, index);
                    true
                }
                Probe::Empty(slot) => {
                    queued.slot = slot;
                    false
                }
            };
            self.met[met] = i;
            self.fresh[fresh] = i;
            met += usize::from(found);
            fresh += usize::from(!found);
        }
        (met, fresh)
    }

    /// Evaluates all properties in a new state of the batch.
    fn check(&mut self, at: usize, number: u64, shared: &Shared<'_>) -> Result<(), TimeUp> {
        let words = self.words.len();
        let state = &self.batch.states[at * words..(at + 1) * words];
        let tally = &mut self.tally;
        let weight = tally.full_states.and_then(|_| self.batcher.weight_in(&self.batch, at));
        tally.full_states = tally.full_states.zip(weight).and_then(|(sum, weight)| sum.checked_add(weight));
        if let Some(properties) = &shared.checks.uncounted
            && self.batcher.all_hold(properties, state)
        {
            return Ok(());
        }
        for (check, property, kind) in &shared.checks.evaluated {
            let held = match self.batcher.quick(*property, state) {
                Some(held) => Ok(held),
                None => self.batcher.holds(*property, state)?,
            };
            let (check, ending) = match held {
                Ok(held) if *kind == PropertyKind::Cover => {
                    tally.covered[*check] += held;
                    continue;
                }
                Ok(0) if *kind == PropertyKind::Invariant => (*check, Ending::Invariant),
                Ok(_) => continue,
                Err(fault) => (shared.checks.faults, Ending::PropertyFault { fault, property: *property }),
            };
            tally.found.push(Found { at: Some(number), late: true, words: state.to_vec(), check, ending });
            tally.trim(shared.most_errors());
        }
        Ok(())
    }

    /// Records what went wrong in the batch; what a step does that leads beyond the bound is beyond it.
    fn record_faults(&mut self, at: Option<u64>, at_bound: bool, shared: &Shared<'_>) {
        for fault in std::mem::take(&mut self.batch.faults) {
            if at_bound && !fault.in_guard {
                self.tally.beyond = true;
                continue;
            }
            let (rule, args, in_guard) = (fault.rule, fault.args, fault.in_guard);
            let ending = Ending::Fault { fault: fault.fault, rule, args, in_guard };
            self.record(shared.checks.faults, ending, at, shared);
        }
    }

    /// Records a violation at the state that is expanded, or at none.
    fn record(&mut self, check: usize, ending: Ending, at: Option<u64>, shared: &Shared<'_>) {
        let words = if at.is_some() { self.words.clone() } else { Vec::new() };
        self.tally.found.push(Found { at, late: false, words, check, ending });
        self.tally.trim(shared.most_errors());
    }

    /// Takes what the model printed, covered and copied.
    fn side_effects(&mut self, shared: &Shared<'_>) {
        let effects = self.batcher.side_effects();
        if !effects.output.is_empty() {
            shared.output().push_str(&effects.output);
        }
        for (check, covered) in shared.checks.list.iter().zip(&mut self.tally.covered) {
            *covered += check.index.and_then(|index| effects.covered.get(index)).copied().unwrap_or(0);
        }
        self.tally.copies.extend(effects.undefined_copies);
        shared.fired.fetch_add(self.tally.rules_fired - self.told, Ordering::Relaxed);
        self.told = self.tally.rules_fired;
    }
}
