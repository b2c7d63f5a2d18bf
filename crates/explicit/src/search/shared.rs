//! What the threads of a search share.

use std::ops::Range;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use burnside_model::{Deadline, Limit, Model};

use super::tally::Tally;
use crate::Config;
use crate::store::Store;
use burnside_model::findings::Checks;

/// The level that is expanded.
#[derive(Clone, Debug, Default)]
pub(super) struct Level {
    pub states: Range<u64>,
    /// How many states a thread takes at once.
    pub block: u64,
    /// How many numbers of new states a thread takes at once.
    pub reserve: u64,
    /// Whether nothing beyond it is to be stored.
    pub at_bound: bool,
}

/// What the threads share.
pub(super) struct Shared<'a> {
    pub model: &'a Model,
    pub config: &'a Config,
    pub checks: Checks,
    pub deadline: Deadline,
    store: RwLock<Store>,
    level: RwLock<Level>,
    /// The next state to be expanded, or where to go on filling the table.
    pub cursor: AtomicU64,
    /// Whether all threads are to stop where they are.
    pub pause: AtomicBool,
    /// Whether a thread found no room for a state.
    pub crowded: AtomicBool,
    pub time_up: AtomicBool,
    /// What the threads counted and found in this level.
    tally: Mutex<Tally>,
    /// What the model printed.
    output: Mutex<String>,
    /// Rules fired so far, about.
    pub fired: AtomicU64,
    /// How many levels there are.
    pub levels: AtomicU64,
    /// How many cells a state has.
    cells: u64,
}

/// So many violations always have room.
const FEW_ERRORS: usize = 16;
/// Bytes that a step of a reported run takes, and each cell of its state: their names, values and text.
const STEP_BYTES: u64 = 150;
const CELL_BYTES: u64 = 70;

impl<'a> Shared<'a> {
    pub fn new(model: &'a Model, config: &'a Config, store: Store, deadline: Deadline) -> Self {
        let checks = Checks::new(model, config.deadlock);
        let tally = Tally::new(model.rules.len(), checks.list.len());
        Shared {
            model,
            config,
            deadline,
            store: RwLock::new(store),
            level: RwLock::default(),
            cursor: AtomicU64::new(0),
            pause: AtomicBool::new(false),
            crowded: AtomicBool::new(false),
            time_up: AtomicBool::new(false),
            tally: Mutex::new(tally),
            output: Mutex::default(),
            fired: AtomicU64::new(0),
            levels: AtomicU64::new(0),
            cells: model.state_cells().len() as u64,
            checks,
        }
    }

    /// What is left when the threads are gone.
    pub fn into_parts(self) -> (Store, Checks) {
        (self.store.into_inner().unwrap_or_else(PoisonError::into_inner), self.checks)
    }

    /// The store, as all threads may have it.
    pub fn store(&self) -> RwLockReadGuard<'_, Store> {
        self.store.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The store for one thread, between jobs.
    pub fn store_mut(&self) -> RwLockWriteGuard<'_, Store> {
        self.store.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// The level that is expanded.
    pub fn level(&self) -> Level {
        self.level.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Begins with a level.
    pub fn set_level(&self, level: Level) {
        self.cursor.store(level.states.start, Ordering::Relaxed);
        *self.level.write().unwrap_or_else(PoisonError::into_inner) = level;
    }

    pub fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn output(&self) -> MutexGuard<'_, String> {
        self.output.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The most violations that are recorded: those that were asked for, if they have room. A violation takes what its
    /// run takes, in the report as well, so fewer have room the deeper they are.
    pub fn most_errors(&self) -> usize {
        let wanted = usize::try_from(self.config.limits.max_errors).unwrap_or(usize::MAX);
        if wanted <= FEW_ERRORS {
            return wanted;
        }
        let Some(memory) = self.config.limits.memory else { return wanted };
        let steps = self.levels.load(Ordering::Relaxed) + 2;
        let each = steps.saturating_mul(STEP_BYTES + CELL_BYTES * self.cells);
        let room = usize::try_from(memory / 2 / each.max(1)).unwrap_or(usize::MAX);
        wanted.min(room.max(FEW_ERRORS))
    }

    /// The limit that so many violations reach, if they do.
    pub fn enough(&self, errors: u64) -> Option<Limit> {
        if errors >= self.config.limits.max_errors {
            Some(Limit::MaxErrors)
        } else if errors >= self.most_errors() as u64 {
            Some(Limit::Memory)
        } else {
            None
        }
    }

    /// All threads are to stop: there is no room.
    pub fn no_room(&self) {
        self.crowded.store(true, Ordering::Relaxed);
        self.pause.store(true, Ordering::Relaxed);
    }

    /// All threads are to stop: the time is up.
    pub fn out_of_time(&self) {
        self.time_up.store(true, Ordering::Relaxed);
        self.pause.store(true, Ordering::Relaxed);
    }

    /// Whether the deadline passed.
    pub fn is_late(&self) -> bool {
        self.deadline.has_passed()
    }

    /// The limit that stopped the threads, if one did.
    pub fn stopped(&self) -> Option<Limit> {
        self.time_up.load(Ordering::Relaxed).then_some(Limit::Time)
    }
}
