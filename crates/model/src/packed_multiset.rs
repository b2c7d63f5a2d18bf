//! Multisets in packed states, sorted in place.
//!
//! A state has the slots of its multisets in one order: those in use first, by content, as
//! [`crate::code::normalise`] has them. Bits are in the order of what they stand for, so a slot whose bits fit in a word
//! is compared as one number. A step changes few slots, and those not in use are at the end: most are in order and only
//! looked at; the others are moved as numbers. (Comparing and exchanging cells took 21 % of a search with multisets.)

use crate::{PackedCell, Packing};

/// The most slots that are sorted by keys on the stack.
const MOST_KEYS: usize = 32;

/// A multiset in the state.
#[derive(Clone, Debug)]
pub struct PackedMultiset {
    cell: usize,
    capacity: usize,
    stride: usize,
    /// Whether the content of a slot fits in one word.
    narrow: bool,
}

impl PackedMultiset {
    /// The multiset that begins at a cell and has so many slots of so many cells, "in use" included.
    pub fn new(packing: &Packing, cell: usize, capacity: usize, stride: usize) -> Self {
        let slot = packing.cells().get(cell..cell + stride).unwrap_or_default();
        let narrow = slot.iter().map(|cell| u32::from(cell.width)).sum::<u32>() <= 63;
        PackedMultiset { cell, capacity, stride, narrow: narrow && capacity <= MOST_KEYS }
    }

    /// Its cells.
    pub fn cells(&self) -> std::ops::Range<usize> {
        self.cell..self.cell + self.capacity * self.stride
    }

    /// Sorts the slots of a state.
    #[inline]
    pub fn sort(&self, packing: &Packing, words: &mut [u64]) {
        if self.narrow { self.sort_keys(packing, words) } else { self.sort_cells(packing, words) }
    }

    /// A slot's content as one number: cells before others are its higher bits, and a slot in use comes first.
    #[inline]
    fn key(&self, cells: &[PackedCell], words: &[u64], slot: usize) -> u64 {
        let at = self.cell + slot * self.stride;
        let bits = |cell: &PackedCell| words[cell.word as usize] >> cell.shift & cell.mask();
        let unused = 1 - bits(&cells[at]);
        cells[at + 1..at + self.stride].iter().fold(unused, |key, cell| key << cell.width | bits(cell))
    }

    fn sort_keys(&self, packing: &Packing, words: &mut [u64]) {
        let cells = packing.cells();
        let mut before = [0u64; MOST_KEYS];
        let before = &mut before[..self.capacity];
        for (slot, key) in before.iter_mut().enumerate() {
            *key = self.key(cells, words, slot);
        }
        if before.is_sorted() {
            return;
        }
        let mut after = [0u64; MOST_KEYS];
        let after = &mut after[..self.capacity];
        after.copy_from_slice(before);
        for slot in 1..self.capacity {
            let (key, mut i) = (after[slot], slot);
            while i > 0 && key < after[i - 1] {
                after[i] = after[i - 1];
                i -= 1;
            }
            after[i] = key;
        }
        for slot in (0..self.capacity).filter(|slot| before[*slot] != after[*slot]) {
            let at = self.cell + slot * self.stride;
            let mut flips = before[slot] ^ after[slot];
            for cell in cells[at..at + self.stride].iter().rev() {
                words[cell.word as usize] ^= (flips & cell.mask()) << cell.shift;
                flips = flips.checked_shr(u32::from(cell.width)).unwrap_or(0);
            }
        }
    }

    fn sort_cells(&self, packing: &Packing, words: &mut [u64]) {
        let cells = packing.cells();
        let at = |slot: usize| self.cell + slot * self.stride;
        let bits = |words: &[u64], cell: usize| {
            let cell = &cells[cell];
            words[cell.word as usize] >> cell.shift & cell.mask()
        };
        let before = |words: &[u64], a: usize, b: usize| {
            let used = bits(words, b).cmp(&bits(words, a));
            (1..self.stride)
                .fold(used, |order, i| order.then_with(|| bits(words, a + i).cmp(&bits(words, b + i))))
                == std::cmp::Ordering::Less
        };
        for slot in 1..self.capacity {
            let mut i = slot;
            while i > 0 && before(words, at(i), at(i - 1)) {
                for k in 0..self.stride {
                    let (a, b) = (bits(words, at(i) + k), bits(words, at(i - 1) + k));
                    for (cell, flips) in [(at(i) + k, a ^ b), (at(i - 1) + k, a ^ b)] {
                        words[cells[cell].word as usize] ^= flips << cells[cell].shift;
                    }
                }
                i -= 1;
            }
        }
    }
}
