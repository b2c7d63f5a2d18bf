//! What the blocks of elements mean, remembered: few different ones occur, and states differ in one or two.

use super::colours::spread;
use super::tables::{Piece, Tables};
use super::{NOBODY, ROOM};

/// The most slots of a piece: one byte of a word each.
pub(super) const MOST_SLOTS: usize = 8;

/// How many blocks are remembered.
const ENTRIES: usize = 2048;

/// What a block of an element means.
#[derive(Clone, Copy, Debug)]
pub(super) struct Meaning {
    /// The hash of its plain data, and of which slots name somebody.
    pub colour: u64,
    /// Whom its slots name, a byte each.
    pub targets: u64,
    /// Which slots name somebody, a bit each.
    pub links: u8,
}

impl Meaning {
    /// Whom a slot names.
    #[inline]
    pub fn target(&self, slot: usize) -> usize {
        (self.targets >> (8 * slot)) as usize % ROOM
    }
}

/// A piece, an element, its block and what it means.
#[derive(Clone, Copy, Debug)]
struct Entry {
    block: u64,
    piece: u16,
    element: u8,
    meaning: Meaning,
}

#[derive(Clone, Debug)]
pub(super) struct Memo {
    entries: Box<[Entry; ENTRIES]>,
}

impl Memo {
    pub fn new() -> Self {
        let meaning = Meaning { colour: 0, targets: 0, links: 0 };
        // No element has the number of nobody.
        let entry = Entry { block: 0, piece: 0, element: NOBODY as u8, meaning };
        Memo { entries: Box::new([entry; ENTRIES]) }
    }

    #[inline]
    pub fn meaning(&mut self, tables: &Tables, number: usize, element: usize, block: u64) -> Meaning {
        let at = block.wrapping_add((number * ROOM + element) as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let entry = &mut self.entries[(at >> 48) as usize % ENTRIES];
        if (entry.block, entry.piece, entry.element) != (block, number as u16, element as u8) {
            let meaning = meaning(tables, &tables.pieces[number], element, block);
            *entry = Entry { block, piece: number as u16, element: element as u8, meaning };
        }
        entry.meaning
    }
}

#[cold]
fn meaning(tables: &Tables, piece: &Piece, element: usize, block: u64) -> Meaning {
    let (mut colour, mut targets, mut links) = (block & piece.plain, 0, 0);
    for (i, slot) in tables.slots[piece.slots.clone()].iter().enumerate() {
        let bits = block >> slot.shift & slot.mask;
        let content = tables.contents[slot.table + bits as usize];
        targets |= u64::from(content.element) << (8 * i);
        links |= u8::from(content.element as usize != NOBODY) << i;
        let own = u64::from(content.element as usize == element);
        colour |= (u64::from(content.kind) + own) << slot.shift;
    }
    Meaning { colour: spread(colour.wrapping_add(piece.salt)), targets, links }
}
