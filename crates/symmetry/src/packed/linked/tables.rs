//! Where the blocks, links and pairs of linked elements are in a packed state, read off the layout once.

use std::collections::HashMap;
use std::ops::Range;

use burnside_model::Packing;

use super::memo::MOST_SLOTS;
use super::{NOBODY, ROOM};
use crate::layout::{Layout, Term};
use crate::packed::sort::Place;

/// A domain of more than one element.
#[derive(Clone, Debug)]
pub(super) struct Domain {
    pub elements: Range<usize>,
    pub pieces: Range<usize>,
}

/// Bits that every element of a domain has.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub mask: u64,
    /// Those of them that are no ids.
    pub plain: u64,
    pub elements: Range<usize>,
    /// The number of the first element's place; the others follow.
    pub at: usize,
    pub slots: Range<usize>,
    pub salt: u64,
}

/// A cell in a piece that may name an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Slot {
    /// Its lowest bit in the piece.
    pub shift: u32,
    pub mask: u64,
    /// Where the table of its contents begins.
    pub table: usize,
    pub salt: u64,
}

/// A cell outside blocks that may name an element.
#[derive(Clone, Copy, Debug)]
pub(super) struct Global {
    pub place: Place,
    pub mask: u64,
    pub table: usize,
    pub salt: u64,
}

/// A cell for every pair of elements of two domains, or of one.
#[derive(Clone, Debug)]
pub(super) struct Relation {
    pub rows: Range<usize>,
    pub columns: Range<usize>,
    pub mask: u64,
    /// The number of the first pair's place; the others follow, row by row.
    pub at: usize,
    pub salt: u64,
}

/// What a content of an id cell means.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Content {
    /// Whom it names.
    pub element: u8,
    /// What stands for it in a colour: the content itself, or the first name of its domain.
    pub kind: u8,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Tables {
    pub elements: usize,
    pub domains: Vec<Domain>,
    pub pieces: Vec<Piece>,
    pub slots: Vec<Slot>,
    pub globals: Vec<Global>,
    pub relations: Vec<Relation>,
    /// Places of pieces.
    pub places: Vec<Place>,
    pub pair_places: Vec<Place>,
    /// By element, its number in its domain.
    pub local: Vec<u64>,
    /// The meanings of the contents of id cells.
    pub contents: Vec<Content>,
    /// The bits outside blocks and pairs, by word.
    pub stay: Vec<u64>,
    /// How many blocks and pairs there are.
    pub blocks: usize,
    pub pairs: usize,
}

/// What tells slot from slot: odd numbers without pattern.
fn salt(number: usize) -> u64 {
    crate::canonical::mix((number as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x51_7cc1)) | 1
}

impl Tables {
    pub fn new(layout: &Layout, packing: &Packing) -> Option<Self> {
        let moving = |element: u32| layout.sizes[layout.domain_of(element)] > 1;
        // Elements are numbered through the domains of more than one.
        let mut numbers = vec![NOBODY; layout.elements()];
        let mut tables = Tables { stay: vec![u64::MAX; packing.words()], ..Tables::default() };
        for element in (0..layout.elements() as u32).filter(|e| moving(*e)) {
            numbers[element as usize] = tables.elements;
            tables.elements += 1;
            tables.local.push(u64::from(element - layout.firsts[layout.domain_of(element)]));
        }
        if tables.elements >= NOBODY || packing.words() == 0 || !layout.mixed.is_empty() {
            return None;
        }
        tables.local.resize(ROOM, 0);
        let mut builder = Builder { tables, layout, packing, numbers, known: HashMap::new() };
        let mut own: Vec<Vec<(u32, u8, u32, u32)>> = vec![Vec::new(); layout.sizes.len()];
        for cell in 0..layout.cells.len() as u32 {
            let terms: Vec<Term> =
                layout.terms_of(cell).iter().copied().filter(|t| moving(t.element)).collect();
            let first = |term: &Term| term.element == layout.firsts[layout.domain_of(term.element)];
            let names = layout.ids_of(cell).iter().any(|ids| ids.size > 1);
            let packed = packing.cells()[cell as usize];
            match terms.as_slice() {
                [] if names => builder.global(cell)?,
                [] => {}
                [t] if first(t) => {
                    own[layout.domain_of(t.element)].push((packed.word, packed.shift, cell, t.stride));
                }
                [_] => {}
                [s, t] if !names => {
                    if first(s) && first(t) {
                        builder.relation(cell, *s, *t);
                    }
                }
                _ => return None,
            }
        }
        for (domain, mut cells) in own.into_iter().enumerate() {
            if layout.sizes[domain] > 1 {
                cells.sort_unstable();
                builder.domain(domain, &cells)?;
            }
        }
        let mut tables = builder.tables;
        tables.blocks = tables.places.len();
        tables.pairs = tables.pair_places.len();
        Some(tables)
    }
}

struct Builder<'a> {
    tables: Tables,
    layout: &'a Layout,
    packing: &'a Packing,
    /// By element of the layout, its number here.
    numbers: Vec<usize>,
    /// Where the tables of contents begin, by what they depend on.
    known: HashMap<((u32, u32), u8, i64), usize>,
}

impl Builder<'_> {
    fn place(&self, cell: u32) -> Place {
        Place::of(self.packing, cell)
    }

    fn moves(&mut self, place: Place, mask: u64) {
        self.tables.stay[place.word as usize] &= !(mask << place.shift);
    }

    fn elements(&self, domain: usize) -> Range<usize> {
        let first = self.numbers[self.layout.firsts[domain] as usize];
        first..first + self.layout.sizes[domain] as usize
    }

    /// The table of contents of an id cell; `None` if it has too many.
    fn table(&mut self, cell: u32) -> Option<usize> {
        let packed = self.packing.cells()[cell as usize];
        if packed.width > 8 {
            return None;
        }
        let key = (self.layout.cells[cell as usize].ids, packed.width, packed.lo);
        if let Some(at) = self.known.get(&key) {
            return Some(*at);
        }
        let at = self.tables.contents.len();
        for bits in 0..1u64 << packed.width {
            let value = packed.decode(bits);
            let mut ids = self.layout.ids_of(cell).iter().filter(|ids| ids.size > 1);
            let named = ids.find_map(|ids| Some((ids.element(value)?, packed.encode(ids.at))));
            self.tables.contents.push(match named {
                Some((element, first)) => {
                    Content { element: self.numbers[element as usize] as u8, kind: first as u8 }
                }
                None => Content { element: NOBODY as u8, kind: bits as u8 },
            });
        }
        self.known.insert(key, at);
        Some(at)
    }

    fn global(&mut self, cell: u32) -> Option<()> {
        let (place, table) = (self.place(cell), self.table(cell)?);
        let mask = self.packing.cells()[cell as usize].mask();
        self.tables.globals.push(Global { place, mask, table, salt: salt(cell as usize) });
        Some(())
    }

    fn relation(&mut self, cell: u32, s: Term, t: Term) {
        let (rows, columns) = (self.layout.domain_of(s.element), self.layout.domain_of(t.element));
        let mask = self.packing.cells()[cell as usize].mask();
        let at = self.tables.pair_places.len();
        for i in 0..self.layout.sizes[rows] {
            for j in 0..self.layout.sizes[columns] {
                let place = self.place(cell + i * s.stride + j * t.stride);
                self.moves(place, mask);
                self.tables.pair_places.push(place);
            }
        }
        let (rows, columns) = (self.elements(rows), self.elements(columns));
        self.tables.relations.push(Relation { rows, columns, mask, at, salt: salt(cell as usize) });
    }

    /// The pieces of a domain, from the cells of its first element in the order of their places.
    fn domain(&mut self, domain: usize, cells: &[(u32, u8, u32, u32)]) -> Option<()> {
        let elements = self.elements(domain);
        let from = self.tables.pieces.len();
        for (_, _, cell, stride) in cells {
            let places: Vec<Place> =
                (0..elements.len() as u32).map(|i| self.place(cell + i * stride)).collect();
            let mask = self.packing.cells()[*cell as usize].mask();
            places.iter().for_each(|place| self.moves(*place, mask));
            let shift = self.extend_piece(from, &elements, &places, mask);
            let names = self.layout.ids_of(*cell).iter().any(|ids| ids.size > 1);
            let piece = self.tables.pieces.len() - 1;
            if names {
                let table = self.table(*cell)?;
                self.tables.slots.push(Slot { shift, mask, table, salt: salt(*cell as usize) });
                self.tables.pieces[piece].slots.end += 1;
            } else {
                self.tables.pieces[piece].plain |= mask << shift;
            }
        }
        let pieces = from..self.tables.pieces.len();
        self.tables.domains.push(Domain { elements, pieces });
        Some(())
    }

    /// Adds bits to the last piece if they lie behind it for every element, or else makes a new one; where in the piece.
    fn extend_piece(&mut self, from: usize, elements: &Range<usize>, places: &[Place], mask: u64) -> u32 {
        let tables = &mut self.tables;
        let width = mask.count_ones();
        if tables.pieces.len() > from
            && let Some(last) = tables.pieces.last_mut()
        {
            let wide = last.mask.count_ones();
            let behind = |(a, b): (&Place, &Place)| a.word == b.word && a.shift + wide == b.shift;
            if last.slots.len() < MOST_SLOTS && tables.places[last.at..].iter().zip(places).all(behind) {
                last.mask = u64::MAX >> (64 - wide - width);
                return wide;
            }
        }
        let (at, slots) = (tables.places.len(), tables.slots.len());
        tables.places.extend_from_slice(places);
        let (elements, slots, salt) = (elements.clone(), slots..slots, salt(at));
        tables.pieces.push(Piece { mask, plain: 0, elements, at, slots, salt });
        0
    }
}
