//! From where each state was first reached.
//!
//! Of all states of the level before from which a state is reached in one step, its parent is the one with the least
//! key, and of those the one with the least words: whichever thread comes first, the run to a state is the same. A
//! *link* is a word with 24 bits of key above the 40 bits of the parent's number; the links of the level that is being
//! found change until it is complete, then only the 40 bits are kept.

use std::sync::atomic::Ordering;

use super::chunks::Chunks;

/// Bits for a parent's number.
const INDEX_BITS: u32 = 40;

/// The parent of a start state.
const NONE: u64 = (1 << INDEX_BITS) - 1;

/// Bytes per parent.
const BYTES: usize = 5;

/// A parent and its key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link(u64);

impl Link {
    /// That of a start state.
    pub const START: Link = Link(NONE);

    /// To a parent whose words have this hash.
    #[inline]
    pub fn new(parent: u64, hash: u64) -> Link {
        Link(hash >> INDEX_BITS << INDEX_BITS | parent)
    }

    fn parent(self) -> u64 {
        self.0 & NONE
    }
}

/// The parents of all states.
pub struct Parents {
    /// Links of the level that is being found.
    pending: Chunks,
    /// Five bytes for each earlier state, in parts of equal length.
    kept: Vec<Vec<u8>>,
    /// Binary logarithm of the states in a part.
    part: u32,
    /// How many are kept.
    len: u64,
}

impl Parents {
    pub fn new(limit: Option<u64>) -> Self {
        let part = limit.map_or(16, |limit| (limit / 64 / BYTES as u64).clamp(1 << 8, 1 << 16).ilog2());
        Parents { pending: Chunks::new(1, limit), kept: Vec::new(), part, len: 0 }
    }

    /// Bytes for this many states, of which so many are in the level that is being found.
    pub fn bytes(&self, states: u64, found: u64) -> u64 {
        self.pending.bytes(found) + ((states.div_ceil(1 << self.part) << self.part) * BYTES as u64)
    }

    /// The most states that a level may have.
    pub fn level_capacity(&self) -> u64 {
        self.pending.capacity()
    }

    /// Makes room for states of the level that is being found, by their numbers in it.
    pub fn prepare(&self, from: u64, to: u64) {
        self.pending.prepare(from, to);
    }

    /// Sets the link of a new state.
    #[inline(always)]
    pub fn set(&self, at: u64, link: Link) {
        self.pending.write(at, &[link.0]);
    }

    /// Sets the link of a state if this one is less; `less` decides between two parents with the same key.
    #[inline(always)]
    pub fn offer(&self, at: u64, link: Link, alone: bool, less: impl Fn(u64, u64) -> bool) {
        let Some(word) = self.pending.get(at).first() else { return };
        let mut now = word.load(Ordering::Relaxed);
        loop {
            let (key, other) = (link.0 >> INDEX_BITS, now >> INDEX_BITS);
            let better = if key == other {
                now != link.0 && less(link.parent(), Link(now).parent())
            } else {
                key < other
            };
            if alone {
                // No branch: it could not be foreseen.
                return word.store(if better { link.0 } else { now }, Ordering::Relaxed);
            }
            if !better {
                return;
            }
            match word.compare_exchange_weak(now, link.0, Ordering::Relaxed, Ordering::Relaxed) {
                Ok(_) => return,
                Err(changed) => now = changed,
            }
        }
    }

    /// Gives a state of the level that is being found another number.
    pub fn renumber(&self, from: u64, to: u64) {
        let mut link = [0];
        self.pending.read(from, &mut link);
        self.pending.write(to, &link);
    }

    /// The level is complete: keeps the parents of its states.
    pub fn keep(&mut self, found: u64) {
        let bytes = BYTES << self.part;
        for mut piece in self.pending.pieces(found) {
            while !piece.is_empty() {
                if self.kept.last().is_none_or(|part| part.len() == bytes) {
                    self.kept.push(Vec::with_capacity(bytes));
                }
                let Some(part) = self.kept.last_mut() else { break };
                let (now, later) = piece.split_at(piece.len().min((bytes - part.len()) / BYTES));
                part.extend(now.iter().flat_map(|link| {
                    let [a, b, c, d, e, ..] = link.load(Ordering::Relaxed).to_le_bytes();
                    [a, b, c, d, e]
                }));
                piece = later;
            }
        }
        self.len += found;
        self.pending.clear();
    }

    /// Keeps one more parent.
    fn push(&mut self, parent: u64) {
        let bytes = BYTES << self.part;
        if self.kept.last().is_none_or(|part| part.len() == bytes) {
            self.kept.push(Vec::with_capacity(bytes));
        }
        if let Some(part) = self.kept.last_mut() {
            part.extend_from_slice(&parent.to_le_bytes()[..BYTES]);
            self.len += 1;
        }
    }

    /// The parent of a kept state.
    pub fn get(&self, state: u64) -> Option<u64> {
        let at = BYTES * (state & ((1 << self.part) - 1)) as usize;
        let bytes = self.kept.get((state >> self.part) as usize)?.get(at..at + BYTES)?;
        let parent = bytes.iter().rev().fold(0, |number, byte| number << 8 | u64::from(*byte));
        (parent != NONE).then_some(parent)
    }

    /// Appends a parent read from a checkpoint.
    pub fn restore(&mut self, parent: Option<u64>) {
        self.push(parent.unwrap_or(NONE));
    }
}
