//! The states met so far, packed; several threads add to it at once.
//!
//! States stand in an arena (`chunks`) in order of arrival and never move: as a breadth-first search expands them in that
//! order, the arena is also its queue, and a level is a range of it. A `table` of numbers finds a state by its words;
//! `parents` lead back to a start state. Room (`room`) is granted in advance: a thread that has none left asks for a
//! pause in which the store grows, or learns that the memory limit does not allow it.
//!
//! Insertions (`insert`) run at any time; between levels (`levels`) one thread alone puts things in order.
//!
//! A *compact* store keeps the hashes of all states, but only the words of the level that is expanded and of the one
//! that is being found, and no parents.

mod chunks;
mod hash;
mod insert;
mod levels;
mod pages;
mod parents;
mod room;
mod table;
#[cfg(test)]
mod tests;

use std::ops::Range;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use chunks::Chunks;
pub use hash::hash;
pub use insert::{Inserted, Reserve};
pub use parents::Link;
use parents::Parents;
pub use room::Full;
pub use table::Probe;
use table::Table;

/// How a store is made.
#[derive(Clone, Debug)]
pub struct Shape {
    /// Words per state.
    pub words: usize,
    /// Bytes that may be used.
    pub limit: Option<u64>,
    /// Whether only hashes are kept.
    pub compact: bool,
    /// Bits for the number of a state in the table: at first, and when those do not suffice.
    pub index_bits: (u32, u32),
}

impl Shape {
    pub fn new(words: usize, limit: Option<u64>) -> Self {
        Shape { words, limit, compact: false, index_bits: (32, 40) }
    }
}

/// All states met so far.
pub struct Store {
    shape: Shape,
    table: Table,
    /// In a compact store that grows: the table before.
    old_table: Option<Table>,
    /// The words of the states from `arena_base` on.
    arena: Chunks,
    arena_base: u64,
    /// In a compact store: the words of the level that is expanded.
    expanding: Chunks,
    parents: Parents,
    /// Where each level begins, and after the last complete one, where the one that is being found does.
    levels: Vec<u64>,
    /// The next number to be given.
    next: AtomicU64,
    /// Numbers that were reserved but not used.
    holes: Mutex<Vec<Range<u64>>>,
    /// How many states there may be before the store must grow.
    granted: u64,
    /// Whether the table is being filled again.
    refilling: bool,
    /// Whether only one thread inserts.
    alone: bool,
}

impl Store {
    pub fn new(shape: Shape) -> Self {
        let index_bits = if shape.compact { 0 } else { shape.index_bits.0 };
        let mut store = Store {
            table: Table::new(room::FIRST_SLOTS, index_bits).unwrap_or_default(),
            old_table: None,
            arena: Chunks::new(shape.words, shape.limit),
            arena_base: 0,
            expanding: Chunks::new(shape.words, shape.limit),
            parents: Parents::new(shape.limit),
            levels: vec![0],
            next: AtomicU64::new(0),
            holes: Mutex::default(),
            granted: 0,
            refilling: false,
            alone: false,
            shape,
        };
        store.grant();
        store
    }

    /// How many states there are, if no thread holds a reserve.
    pub fn len(&self) -> u64 {
        let holes: u64 = self.lock_holes().iter().map(|hole| hole.end - hole.start).sum();
        self.next.load(Ordering::Relaxed) - holes
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// About how many states there are, while threads add more.
    pub fn roughly(&self) -> u64 {
        self.next.load(Ordering::Relaxed)
    }

    /// Says whether only one thread inserts from now on: then it need not look out for others, which costs time. Gives what
    /// was said before.
    pub fn set_alone(&mut self, alone: bool) -> bool {
        std::mem::replace(&mut self.alone, alone)
    }

    /// Words per state.
    pub fn words(&self) -> usize {
        self.shape.words
    }

    /// Whether only hashes are kept.
    pub fn compact(&self) -> bool {
        self.shape.compact
    }

    /// Where the levels begin; the last is the one that is being found.
    pub fn levels(&self) -> &[u64] {
        &self.levels
    }

    /// The last complete level.
    pub fn frontier(&self) -> Range<u64> {
        match self.levels.as_slice() {
            [.., from, to] => *from..*to,
            _ => 0..0,
        }
    }

    pub fn level_of(&self, state: u64) -> usize {
        self.levels.partition_point(|start| *start <= state) - 1
    }

    /// The first number of the level that is being found.
    #[inline(always)]
    fn found_from(&self) -> u64 {
        self.levels.last().copied().unwrap_or(0)
    }

    fn lock_holes(&self) -> std::sync::MutexGuard<'_, Vec<Range<u64>>> {
        self.holes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Reads the words of a state; in a compact store only of the last two levels.
    #[inline]
    pub fn read(&self, state: u64, words: &mut [u64]) {
        if state >= self.arena_base {
            self.arena.read(state - self.arena_base, words);
        } else {
            self.expanding.read(state - self.frontier().start, words);
        }
    }

    /// Asks for the words of a state that will be read soon.
    #[inline(always)]
    pub fn ask_for(&self, state: u64) {
        if state >= self.arena_base {
            self.arena.ask(state - self.arena_base);
        }
    }

    /// Whether a state with these words and this hash is stored.
    pub fn contains(&self, words: &[u64], hash: u64) -> bool {
        self.find(words, hash).is_some()
    }

    /// The number of a state; meaningless in a compact store.
    pub fn find(&self, words: &[u64], hash: u64) -> Option<u64> {
        match self.table.probe(self.table.home(hash), hash, |index| self.arena.equals(index, words)) {
            Probe::Found(_, index) => Some(index),
            Probe::Empty(_) => None,
        }
    }
}
