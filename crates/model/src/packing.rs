//! States as few 64-bit words.
//!
//! A cell never straddles a word; undefined is 0. The cells of one element of a symmetry domain (those whose only domain
//! index it is) lie together as a block, laid out alike for every element, so that permuting elements moves blocks.
//!
//! Elements of other arrays lie one behind the other at equal distances where that takes no more words, so that compiled
//! code can compute where an element is, and move it as one.

use std::collections::BTreeMap;

use crate::Model;
use crate::code::{Cell, DomainId, TypeId, TypeKind, UNDEFINED};

/// Where a cell is, and how its content is written there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedCell {
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
    pub domain: DomainId,
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
        let packer = [Arrays::Strided, Arrays::Together, Arrays::Loose]
            .into_iter()
            .map(|arrays| packer.with_rest(model, &rest, arrays))
            .min_by_key(|packer| packer.free.len())?;
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

    /// Packs a state into words.
    pub fn pack(&self, state: &[Cell], words: &mut [u64]) {
        words.fill(0);
        for ((cell, value), flag) in self.cells.iter().zip(state).zip(&self.flags) {
            let bits = if *flag { u64::from(*value == 1) } else { cell.encode(*value) };
            words[cell.word as usize] |= bits << cell.shift;
        }
    }

    pub fn unpack(&self, words: &[u64], state: &mut Vec<Cell>) {
        state.clear();
        state.extend(self.cells.iter().zip(&self.flags).map(|(cell, flag)| {
            let bits = words[cell.word as usize] >> cell.shift & cell.mask();
            if *flag { bits as Cell } else { cell.decode(bits) }
        }));
    }
}

/// How the elements of an array are placed that does not fit into a word.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Arrays {
    /// At distances that divide a word.
    Strided,
    /// Each in a word.
    Together,
    /// Cell by cell.
    Loose,
}

/// Equal elements of an array, or a single cell.
struct Unit {
    /// The first cell.
    cell: u32,
    /// Cells per element.
    cells: u32,
    /// Bits per element, at most 64.
    bits: u32,
    count: u32,
}

/// Places cells into words.
#[derive(Clone)]
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

    /// With the cells that belong to no block.
    fn with_rest(&self, model: &Model, rest: &[u32], arrays: Arrays) -> Self {
        let mut packer = self.clone();
        let mut units = Vec::new();
        if arrays == Arrays::Loose {
            units.extend(rest.iter().map(|cell| self.single(*cell)));
        } else {
            let mut loose = vec![false; self.cells.len()];
            for cell in rest {
                loose[*cell as usize] = true;
            }
            for global in &model.globals {
                self.units(model, global.ty, global.offset, &loose, &mut units);
            }
            units.sort_by_key(|unit| std::cmp::Reverse(u64::from(unit.bits) * u64::from(unit.count)));
        }
        for unit in units {
            packer.unit(&unit, arrays);
        }
        packer
    }

    fn single(&self, cell: u32) -> Unit {
        Unit { cell, cells: 1, bits: u32::from(self.cells[cell as usize].width), count: 1 }
    }

    /// The units of a value that begins at a cell: the outermost arrays whose elements fit into words, and what is left.
    fn units(&self, model: &Model, ty: TypeId, at: u32, loose: &[bool], units: &mut Vec<Unit>) {
        let types = &model.types;
        let (count, element, flags) = match &types[ty].kind {
            TypeKind::Record(fields) => {
                for field in fields {
                    self.units(model, field.ty, at + field.offset, loose, units);
                }
                return;
            }
            TypeKind::Array { index, element } => (types.size(*index) as u32, *element, 0),
            TypeKind::Multiset { capacity, element } => (*capacity, *element, 1),
            _ => return units.extend(loose[at as usize].then(|| self.single(at))),
        };
        let cells = types[element].cells + flags;
        if count == 0 {
            return;
        }
        let first = &self.cells[at as usize..(at + cells) as usize];
        let bits: u32 = first.iter().map(|cell| u32::from(cell.width)).sum();
        // Where the index is a union, some elements may belong to blocks and others not.
        let all_loose = loose[at as usize..(at + count * cells) as usize].iter().all(|loose| *loose);
        if (1..=64).contains(&bits) && all_loose {
            return units.push(Unit { cell: at, cells, bits, count });
        }
        for at in (0..count).map(|i| at + i * cells) {
            units.extend((flags > 0 && loose[at as usize]).then(|| self.single(at)));
            self.units(model, element, at + flags, loose, units);
        }
    }

    fn unit(&mut self, unit: &Unit, arrays: Arrays) {
        let &Unit { cell, cells, bits, count } = unit;
        let (first, shift, stride) = if u64::from(bits) * u64::from(count) <= 64 {
            let (word, shift) = self.place(bits * count);
            (word, shift, bits)
        } else {
            let stride = if arrays == Arrays::Strided { bits.next_power_of_two() } else { bits };
            let first = self.free.len() as u32;
            let full = 64 - 64 % stride;
            self.free.resize((first + count.div_ceil(64 / stride)) as usize, 64 - full);
            if let (Some(last), left @ 1..) = (self.free.last_mut(), count % (64 / stride)) {
                *last = 64 - left * stride;
            }
            (first, 0, stride)
        };
        let per_word = 64 / stride;
        for i in 0..count {
            let (word, mut at) = (first + i / per_word, u32::from(shift) + i % per_word * stride);
            for cell in &mut self.cells[(cell + i * cells) as usize..][..cells as usize] {
                (cell.word, cell.shift) = (word, at as u8);
                at += u32::from(cell.width);
            }
        }
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

#[cfg(test)]
mod tests {
    use super::*;

    fn packer(widths: &[u8]) -> Packer {
        let cell = |width: &u8| PackedCell { word: 0, shift: 0, width: *width, lo: 0 };
        Packer { cells: widths.iter().map(cell).collect(), free: Vec::new(), from: [0; 65] }
    }

    fn positions(packer: &Packer) -> Vec<(u32, u8)> {
        packer.cells.iter().map(|cell| (cell.word, cell.shift)).collect()
    }

    #[test]
    fn elements_lie_at_distances_that_divide_a_word() {
        let mut packer = packer(&[4, 16, 4, 16, 4, 16, 5]);
        packer.unit(&Unit { cell: 0, cells: 2, bits: 20, count: 3 }, Arrays::Strided);
        packer.unit(&Unit { cell: 6, cells: 1, bits: 5, count: 1 }, Arrays::Strided);
        // Three of 20 fit into a word anyway, and leave 4 bits.
        let all = [(0, 0), (0, 4), (0, 20), (0, 24), (0, 40), (0, 44), (1, 0)];
        assert_eq!(positions(&packer), all);
    }

    #[test]
    fn elements_of_long_arrays_do_not_straddle() {
        let unit = Unit { cell: 0, cells: 1, bits: 20, count: 5 };
        for (arrays, all, free) in [
            (Arrays::Strided, [(0, 0), (0, 32), (1, 0), (1, 32), (2, 0)], vec![0, 0, 32]),
            (Arrays::Together, [(0, 0), (0, 20), (0, 40), (1, 0), (1, 20)], vec![4, 24]),
        ] {
            let mut packer = packer(&[20; 5]);
            packer.unit(&unit, arrays);
            assert_eq!(positions(&packer), all);
            assert_eq!(packer.free, free);
        }
    }
}
