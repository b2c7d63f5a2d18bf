//! States as few 64-bit words.
//!
//! A cell never straddles a word; undefined is 0. The cells of one element of a symmetry domain (those whose only domain
//! index it is) lie together as a block, laid out alike for every element, so that permuting elements moves blocks.

use std::collections::BTreeMap;

use crate::Model;
use crate::code::{Cell, DomainId, UNDEFINED};

/// Where a cell is, and how its content is written there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedCell {
    /// The word.
    pub word: u32,
    /// Its lowest bit there.
    pub shift: u8,
    /// How many bits, at most 64.
    pub width: u8,
    /// The value that is written as 1 (0 is undefined); for a multiset's "in use", which is never undefined, 1.
    pub lo: i64,
}

impl PackedCell {
    /// The bits of the cell, at the bottom of a word.
    #[inline]
    pub fn mask(&self) -> u64 {
        u64::MAX >> (64 - u32::from(self.width))
    }

    /// The content as bits.
    #[inline]
    pub fn encode(&self, value: Cell) -> u64 {
        if value == UNDEFINED { 0 } else { value.wrapping_sub(self.lo).wrapping_add(1) as u64 & self.mask() }
    }

    /// The content of these bits; `in_use` flags are told apart by the caller.
    #[inline]
    pub fn decode(&self, bits: u64) -> Cell {
        if bits == 0 { UNDEFINED } else { (bits as i64).wrapping_sub(1).wrapping_add(self.lo) }
    }
}

/// The cells of one element of a symmetry domain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    /// The domain.
    pub domain: DomainId,
    /// The element.
    pub element: u32,
    /// The first word.
    pub word: u32,
    /// The lowest bit there: 0 if the block has several words.
    pub shift: u8,
    /// How many bits; whole words if there are several.
    pub bits: u32,
    /// Its cells, in the same order for every element.
    pub cells: Vec<u32>,
}

/// How the states of a model are packed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Packing {
    cells: Vec<PackedCell>,
    /// Which cells are multiset flags.
    flags: Vec<bool>,
    words: usize,
    blocks: Vec<Block>,
}

impl Packing {
    /// The packing of a model; `None` if a cell has too many values for a word.
    pub fn new(model: &Model) -> Option<Self> {
        let described = model.state_cells();
        let mut groups: BTreeMap<(DomainId, u32), Vec<u32>> = BTreeMap::new();
        let mut rest = Vec::new();
        let mut cells = Vec::with_capacity(described.len());
        let mut flags = Vec::with_capacity(described.len());
        for (i, cell) in described.iter().enumerate() {
            let flag = cell.slot == Some(i as u32);
            let size = model.types.size(cell.ty);
            if size >= u64::MAX >> 1 {
                return None;
            }
            let (lo, width) = match flag {
                true => (1, 1),
                false => (model.types.bounds(cell.ty).0, 64 - size.leading_zeros()),
            };
            cells.push(PackedCell { word: 0, shift: 0, width: width.max(1) as u8, lo });
            flags.push(flag);
            match cell.indices.as_slice() {
                [index] => groups.entry(*index).or_default().push(i as u32),
                _ => rest.push(i as u32),
            }
        }
        let mut packer = Packer { cells, free: Vec::new(), from: [0; 65] };
        let mut blocks = Vec::new();
        for ((domain, element), members) in groups {
            blocks.push(packer.block(domain, element, members));
        }
        for cell in rest {
            let width = u32::from(packer.cells[cell as usize].width);
            let (word, shift) = packer.place(width);
            let cell = &mut packer.cells[cell as usize];
            (cell.word, cell.shift) = (word, shift);
        }
        Some(Packing { cells: packer.cells, flags, words: packer.free.len(), blocks })
    }

    /// Words per state.
    #[inline]
    pub fn words(&self) -> usize {
        self.words
    }

    /// Where each cell is.
    pub fn cells(&self) -> &[PackedCell] {
        &self.cells
    }

    /// The blocks of the elements of all domains, by domain and element.
    pub fn blocks(&self) -> &[Block] {
        &self.blocks
    }

    /// Whether a cell is a multiset's "in use".
    pub fn is_flag(&self, cell: usize) -> bool {
        self.flags[cell]
    }

    /// Packs a state into words.
    pub fn pack(&self, state: &[Cell], words: &mut [u64]) {
        words.fill(0);
        for ((cell, value), flag) in self.cells.iter().zip(state).zip(&self.flags) {
            let bits = if *flag { u64::from(*value == 1) } else { cell.encode(*value) };
            words[cell.word as usize] |= bits << cell.shift;
        }
    }

    /// Unpacks words into a state.
    pub fn unpack(&self, words: &[u64], state: &mut Vec<Cell>) {
        state.clear();
        state.extend(self.cells.iter().zip(&self.flags).map(|(cell, flag)| {
            let bits = words[cell.word as usize] >> cell.shift & cell.mask();
            if *flag { bits as Cell } else { cell.decode(bits) }
        }));
    }
}

/// Places cells into words.
struct Packer {
    cells: Vec<PackedCell>,
    /// Free bits at the top of each word.
    free: Vec<u32>,
    /// By number of bits, the words before which none has so many free.
    from: [usize; 65],
}

impl Packer {
    /// Room for this many bits, in the first word that has it.
    fn place(&mut self, bits: u32) -> (u32, u8) {
        let from = &mut self.from[bits as usize];
        while self.free.get(*from).is_some_and(|free| *free < bits) {
            *from += 1;
        }
        let word = *from;
        if word == self.free.len() {
            self.free.push(64);
        }
        let shift = 64 - self.free[word];
        self.free[word] -= bits;
        (word as u32, shift as u8)
    }

    fn block(&mut self, domain: DomainId, element: u32, members: Vec<u32>) -> Block {
        // Where each cell is inside the block, as if it began at a word of its own.
        let (mut word, mut at) = (0, 0);
        let mut inside = Vec::with_capacity(members.len());
        for cell in &members {
            let width = u32::from(self.cells[*cell as usize].width);
            if at + width > 64 {
                (word, at) = (word + 1, 0);
            }
            inside.push((word, at));
            at += width;
        }
        let (first, shift, bits) = if word == 0 {
            let (word, shift) = self.place(at);
            (word, shift, at)
        } else {
            let first = self.free.len() as u32;
            self.free.resize(self.free.len() + word as usize + 1, 0);
            (first, 0, 64 * (word + 1))
        };
        for (cell, (word, at)) in members.iter().zip(inside) {
            let cell = &mut self.cells[*cell as usize];
            (cell.word, cell.shift) = (first + word, shift + at as u8);
        }
        Block { domain, element, word: first, shift, bits, cells: members }
    }
}
