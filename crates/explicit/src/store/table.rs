//! The hash table of the store: open addressing, linear probing, compare-and-swap.
//!
//! An entry is one word: some bits of the hash (the fingerprint) above the number of the state plus one; 0 is empty. A
//! fingerprint that differs settles that a state is another one without looking at it. In a compact store the entry is
//! the whole hash, and two states with the same hash are taken for one. The place where a probe begins is taken from the
//! high bits of the hash, so the size need not be a power of two; the fingerprint from the low bits.
//!
//! A processor fetches [`GROUP`] entries at once: a probe goes round the group in which it begins before it goes on to the
//! next.
//!
//! There is always an empty entry: the store grants no more states than the load it allows.

use std::sync::atomic::Ordering;

use super::pages::{Pages, prefetch};

/// How many entries are in a cache line.
const GROUP: usize = 8;

/// Where a probe ended.
pub enum Probe {
    /// At this entry, of the state with this number (in a compact store, of some state).
    Found(usize, u64),
    /// At an empty entry.
    Empty(usize),
}

/// A table of a fixed size.
#[derive(Default)]
pub struct Table {
    slots: Pages,
    /// Bits for the number of a state; 0 in a compact store.
    index_bits: u32,
}

impl Table {
    /// An empty table of so many entries, in whole groups; `None` if there is no memory for it. Its pages are not touched
    /// yet: see [`Table::touch`].
    pub fn new(slots: u64, index_bits: u32) -> Option<Self> {
        Some(Table { slots: Pages::new(usize::try_from(Self::whole(slots)).ok()?, true)?, index_bits })
    }

    /// The entries of a table for which there is room for so many: at least one group.
    pub fn whole(slots: u64) -> u64 {
        (slots / GROUP as u64).max(1) * GROUP as u64
    }

    /// How many entries there are.
    pub fn len(&self) -> u64 {
        self.slots.len() as u64
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        8 * self.len()
    }

    /// Bits for the number of a state.
    pub fn index_bits(&self) -> u32 {
        self.index_bits
    }

    /// Writes to every page of a part, so that no thread has to share the page of zeros first: zeroed memory that is read
    /// before it is written costs a copy and an interrupt of the other cores at the first write.
    pub fn touch(&self, from: u64, to: u64) {
        for slot in self.slots[from as usize..to as usize].iter().step_by(512) {
            slot.store(0, Ordering::Relaxed);
        }
    }

    /// Where the probe for a hash begins.
    #[inline(always)]
    pub fn home(&self, hash: u64) -> usize {
        ((u128::from(hash) * self.slots.len() as u128) >> 64) as usize
    }

    /// Where a probe that began at `home` goes on.
    #[inline(always)]
    fn next(&self, slot: usize, home: usize) -> usize {
        let next = slot & !(GROUP - 1) | (slot + 1) & (GROUP - 1);
        if (next ^ home) & (GROUP - 1) != 0 {
            return next;
        }
        if next + GROUP < self.slots.len() { next + GROUP } else { next % GROUP }
    }

    #[inline]
    fn entry(&self, hash: u64, index: u64) -> u64 {
        if self.index_bits == 0 { hash.max(1) } else { hash << self.index_bits | (index + 1) }
    }

    /// Asks for an entry that will be needed soon.
    #[inline]
    pub fn ask(&self, slot: usize) {
        if let Some(entry) = self.slots.get(slot) {
            prefetch(entry);
        }
    }

    /// Looks from `slot` on for a state with this hash for which `same` says yes.
    #[inline(always)]
    pub fn probe(&self, mut slot: usize, hash: u64, mut same: impl FnMut(u64) -> bool) -> Probe {
        let home = self.home(hash);
        let mask = (1u64 << self.index_bits).wrapping_sub(1);
        let wanted = self.entry(hash, 0) & !mask;
        loop {
            let entry = self.slots[slot].load(Ordering::Acquire);
            if entry == 0 {
                return Probe::Empty(slot);
            }
            if entry & !mask == wanted {
                let index = (entry & mask).wrapping_sub(1);
                if self.index_bits == 0 || same(index) {
                    return Probe::Found(slot, index);
                }
            }
            slot = self.next(slot, home);
        }
    }

    /// Puts a state into an empty entry, unless another thread was faster; a thread that is alone need not look.
    #[inline(always)]
    pub fn claim(&self, slot: usize, hash: u64, index: u64, alone: bool) -> bool {
        let entry = self.entry(hash, index);
        if alone {
            self.slots[slot].store(entry, Ordering::Relaxed);
            return true;
        }
        self.slots[slot].compare_exchange(0, entry, Ordering::AcqRel, Ordering::Relaxed).is_ok()
    }

    /// Enters a state that is not in the table; a thread that is alone need not look out for others.
    #[inline]
    pub fn enter(&self, hash: u64, index: u64, alone: bool) {
        let home = self.home(hash);
        let mut slot = home;
        while self.slots[slot].load(Ordering::Relaxed) != 0 || !self.claim(slot, hash, index, alone) {
            slot = self.next(slot, home);
        }
    }

    /// Enters what is in a part of a compact table.
    pub fn enter_all(&self, old: &Table, from: u64, to: u64, alone: bool) {
        for slot in &old.slots[from as usize..to as usize] {
            match slot.load(Ordering::Relaxed) {
                0 => {}
                hash => self.enter(hash, 0, alone),
            }
        }
    }

    /// Gives a state in the table another number. In a compact table there are no numbers.
    pub fn renumber(&self, hash: u64, from: u64, to: u64) {
        let (old, new) = (self.entry(hash, from), self.entry(hash, to));
        let home = self.home(hash);
        let mut slot = home;
        loop {
            match self.slots[slot].load(Ordering::Relaxed) {
                0 => return,
                found if found == old => return self.slots[slot].store(new, Ordering::Relaxed),
                _ => slot = self.next(slot, home),
            }
        }
    }
}
