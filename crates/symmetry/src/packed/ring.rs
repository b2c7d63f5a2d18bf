//! Rings that are alone, turned on packed states.
//!
//! The same as on unpacked cells (see `canonical::ring`): what belongs to an element is a row seen from it, with ids as
//! distances, and below it one bit per cell of no element that holds it. Here a row is one number, so that comparing rows
//! is comparing numbers.

use burnside_model::Packing;

use crate::canonical::{Alone, least_rotation, period};
use crate::layout::Layout;

/// A cell that may hold an element.
#[derive(Clone, Copy, Debug)]
struct Ids {
    /// How element 0 is written.
    first: u64,
}

/// Bits of an element.
#[derive(Clone, Debug)]
struct Piece {
    mask: u64,
    /// Where they are in a row.
    at: u32,
    ids: Option<Ids>,
    /// By element: the word and the shift.
    places: Vec<(u32, u8)>,
}

/// A cell of no element that may hold one.
#[derive(Clone, Copy, Debug)]
struct Holder {
    word: u32,
    shift: u8,
    mask: u64,
    first: u64,
}

/// A ring to be turned.
#[derive(Clone, Debug)]
pub(super) struct Turned {
    size: u64,
    pieces: Vec<Piece>,
    holders: Vec<Holder>,
    rows: Vec<u128>,
}

impl Turned {
    /// A ring that is alone; `None` if its rows are too wide.
    pub fn new(layout: &Layout, packing: &Packing, alone: &Alone) -> Option<Self> {
        let cells = packing.cells();
        let first_of = |cell: u32| {
            let ids = layout.ids_of(cell).iter().find(|ids| ids.domain as usize == alone.domain)?;
            Some(cells[cell as usize].encode(ids.at))
        };
        let holder = |cell: &u32| {
            let packed = cells[*cell as usize];
            let (word, shift, mask) = (packed.word, packed.shift, packed.mask());
            Some(Holder { word, shift, mask, first: first_of(*cell)? })
        };
        let holders: Vec<Holder> = alone.holders.iter().map(holder).collect::<Option<_>>()?;
        let mut at = holders.len() as u32;
        let mut pieces = Vec::new();
        for own in &alone.own {
            let places = (0..alone.size).map(|element| {
                let packed = cells[own.cell(element, alone.size) as usize];
                (packed.word, packed.shift)
            });
            let cell = own.cell(0, alone.size);
            let packed = cells[cell as usize];
            let ids = if own.holds_ids { Some(Ids { first: first_of(cell)? }) } else { None };
            pieces.push(Piece { mask: packed.mask(), at, ids, places: places.collect() });
            at += u32::from(packed.width);
        }
        let rows = Vec::with_capacity(alone.size as usize);
        (at <= 128).then_some(Turned { size: u64::from(alone.size), pieces, holders, rows })
    }

    /// Turns the ring of a state.
    pub fn turn(&mut self, words: &mut [u64]) {
        self.read(words);
        let start = least_rotation(self.rows.len(), |i, j| self.rows[i].cmp(&self.rows[j]));
        if start != 0 {
            self.write(words, start);
        }
    }

    /// How many rotations leave a state as it is.
    pub fn turns(&mut self, words: &[u64]) -> u128 {
        self.read(words);
        let period = period(self.rows.len(), |i, j| self.rows[i] == self.rows[j]);
        (self.rows.len() / period) as u128
    }

    fn read(&mut self, words: &[u64]) {
        self.rows.clear();
        self.rows.resize(self.size as usize, 0);
        for piece in &self.pieces {
            for ((element, row), (word, shift)) in (0..).zip(&mut self.rows).zip(&piece.places) {
                let mut bits = words[*word as usize] >> shift & piece.mask;
                if let Some(ids) = piece.ids
                    && bits.wrapping_sub(ids.first) < self.size
                {
                    bits = ids.first + (bits - ids.first + self.size - element) % self.size;
                }
                *row |= u128::from(bits) << piece.at;
            }
        }
        for (number, holder) in self.holders.iter().enumerate() {
            let held = (words[holder.word as usize] >> holder.shift & holder.mask).wrapping_sub(holder.first);
            if let Some(row) = usize::try_from(held).ok().and_then(|held| self.rows.get_mut(held)) {
                *row |= 1 << number;
            }
        }
    }

    /// Writes the rows from this one on.
    fn write(&self, words: &mut [u64], start: usize) {
        let size = self.rows.len();
        for piece in &self.pieces {
            for (element, (word, shift)) in piece.places.iter().enumerate() {
                let row = self.rows[(element + start) % size];
                let mut bits = (row >> piece.at) as u64 & piece.mask;
                if let Some(ids) = piece.ids
                    && bits.wrapping_sub(ids.first) < self.size
                {
                    bits = ids.first + (bits - ids.first + element as u64) % self.size;
                }
                put(&mut words[*word as usize], *shift, piece.mask, bits);
            }
        }
        for holder in &self.holders {
            let word = &mut words[holder.word as usize];
            let held = (*word >> holder.shift & holder.mask).wrapping_sub(holder.first);
            if held < self.size {
                let moved = holder.first + (held + self.size - start as u64) % self.size;
                put(word, holder.shift, holder.mask, moved);
            }
        }
    }
}

#[inline]
fn put(word: &mut u64, shift: u8, mask: u64, bits: u64) {
    *word = *word & !(mask << shift) | bits << shift;
}
