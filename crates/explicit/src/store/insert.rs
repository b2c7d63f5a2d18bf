//! Insertions, by several threads at once.
//!
//! A thread that finds an empty entry of the table takes a number, writes the state there and then tries to swap the
//! entry for its own: who sees the entry sees the state. If another thread was faster, it goes on with the same number.
//!
//! Numbers are taken in small blocks, so that the threads do not fight for the counter. What is left of a block when a
//! thread stops is a *hole*, which the next one takes first.

use std::ops::Range;
use std::sync::atomic::Ordering;

use super::table::Probe;
use super::{Full, Link, Store, hash};

/// What became of an insertion.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Inserted {
    /// The state is new and has this number.
    New(u64),
    /// It was there.
    Old,
    /// There is no room for it: the store must grow first.
    NoRoom,
}

/// Numbers that a thread may give to new states.
#[derive(Debug, Default)]
pub struct Reserve(Range<u64>);

impl Store {
    /// Where in the table the search for a hash begins.
    #[inline(always)]
    pub fn home(&self, hash: u64) -> usize {
        self.table.home(hash)
    }

    /// Asks for the entry of the table where the search for a hash begins.
    #[inline(always)]
    pub fn ask(&self, hash: u64) {
        self.table.ask(self.home(hash));
    }

    /// The first entry that is empty or probably that of a state with this hash; asks for what is to be compared with.
    #[inline(always)]
    pub fn seek(&self, hash: u64) -> Probe {
        let probe = self.table.probe(self.home(hash), hash, |_| true);
        if let Probe::Found(_, index) = probe
            && !self.shape.compact
        {
            self.arena.ask(index);
        }
        probe
    }

    /// Whether a state that [`Store::seek`] found is the one with these words; if so, it is reached from there, too.
    #[inline(always)]
    pub fn meet(&self, index: u64, words: &[u64], link: Link) -> bool {
        if self.shape.compact {
            return true;
        }
        let from = self.found_from();
        let same = self.arena.equals(index, words);
        if same && index >= from {
            self.parents.offer(index - from, link, self.alone, |a, b| self.less(a, b));
        }
        same
    }

    /// Adds a state, if it is new. Called by several threads, each with its own reserve, which takes so many numbers at
    /// once.
    pub fn insert(
        &self,
        words: &[u64],
        hash: u64,
        link: Link,
        reserve: &mut Reserve,
        block: u64,
    ) -> Inserted {
        self.insert_at(self.home(hash), words, hash, link, reserve, block)
    }

    /// The same from an entry on that [`Store::seek`] gave.
    #[inline(always)]
    pub fn insert_at(
        &self,
        mut slot: usize,
        words: &[u64],
        hash: u64,
        link: Link,
        reserve: &mut Reserve,
        block: u64,
    ) -> Inserted {
        let mut taken = None;
        loop {
            match self.table.probe(slot, hash, |index| self.arena.equals(index, words)) {
                Probe::Found(_, index) => {
                    if taken.is_some() {
                        reserve.0.start -= 1;
                    }
                    self.meet(index, words, link);
                    return Inserted::Old;
                }
                Probe::Empty(at) => {
                    let index = match taken {
                        Some(index) => index,
                        None if reserve.0.is_empty() && !self.reserve(reserve, block) => {
                            return Inserted::NoRoom;
                        }
                        None => {
                            let index = reserve.0.start;
                            reserve.0.start += 1;
                            self.arena.write(index - self.arena_base, words);
                            if !self.shape.compact {
                                self.parents.set(index - self.found_from(), link);
                            }
                            index
                        }
                    };
                    if self.table.claim(at, hash, index, self.alone) {
                        return Inserted::New(index);
                    }
                    (slot, taken) = (at, Some(index));
                }
            }
        }
    }

    /// Whether the words of one state come before those of another.
    #[cold]
    fn less(&self, a: u64, b: u64) -> bool {
        let words = self.arena.get(a).iter().zip(self.arena.get(b));
        let mut pairs = words.map(|(a, b)| (a.load(Ordering::Relaxed), b.load(Ordering::Relaxed)));
        pairs.find(|(a, b)| a != b).is_some_and(|(a, b)| a < b)
    }

    /// Adds a state from a single thread; the store grows as needed.
    pub fn add(&mut self, words: &[u64], reserve: &mut Reserve) -> Result<Option<u64>, Full> {
        loop {
            match self.insert(words, hash(words), Link::START, reserve, 1) {
                Inserted::New(index) => return Ok(Some(index)),
                Inserted::Old => return Ok(None),
                Inserted::NoRoom => {
                    self.grow()?;
                    self.refill(0..self.refill_work());
                    self.grown();
                }
            }
        }
    }

    /// Takes numbers: holes first. `false` if there are none.
    #[inline(never)]
    fn reserve(&self, reserve: &mut Reserve, block: u64) -> bool {
        if let Some(hole) = self.lock_holes().pop() {
            reserve.0 = hole;
            return true;
        }
        let taken = self.next.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |next| {
            (next < self.granted).then(|| self.granted.min(next + block.max(1)))
        });
        let Ok(from) = taken else { return false };
        let to = self.granted.min(from + block.max(1));
        self.arena.prepare(from - self.arena_base, to - self.arena_base);
        if !self.shape.compact {
            self.parents.prepare(from - self.found_from(), to - self.found_from());
        }
        reserve.0 = from..to;
        true
    }

    /// Gives back what is left of a reserve.
    pub fn give_back(&self, reserve: &mut Reserve) {
        let left = std::mem::take(&mut reserve.0);
        if !left.is_empty() {
            self.lock_holes().push(left);
        }
    }
}
