//! Twins: elements whose exchange leaves the state as it is. Verified on the state: equal colours prove nothing.

use super::colours::COLOUR;
use super::{Linked, NOBODY, ROOM};

impl Linked {
    /// Whether all ties are of twins.
    #[inline]
    pub(super) fn ties_are_twins(&mut self) -> bool {
        self.find_namers();
        self.tables.domains.iter().all(|domain| {
            let sorted = &self.sorted[domain.elements.clone()];
            let tied = |pair: &[u64]| (pair[0] ^ pair[1]) & COLOUR == 0;
            let pieces = domain.pieces.clone();
            sorted.windows(2).all(|pair| {
                !tied(pair)
                    || self.are_twins(pair[0] as usize % ROOM, pair[1] as usize % ROOM, pieces.clone())
            })
        })
    }

    /// Finds out who is named by whom, once for each state.
    #[inline]
    fn find_namers(&mut self) {
        if std::mem::replace(&mut self.named_by_is_known, true) {
            return;
        }
        let Linked { tables, meanings, named_by, .. } = self;
        named_by[..tables.elements].fill(0);
        for piece in &tables.pieces {
            let meanings = &meanings[piece.at..piece.at + piece.elements.len()];
            for (element, meaning) in piece.elements.clone().zip(meanings) {
                let mut links = meaning.links;
                while links != 0 {
                    named_by[meaning.target(links.trailing_zeros() as usize)] |= 1 << element;
                    links &= links - 1;
                }
            }
        }
        for element in &self.globally_named {
            named_by[*element as usize % ROOM] |= 1 << NOBODY;
        }
    }

    /// Whether exchanging two elements of a domain, which has these pieces, changes nothing.
    #[inline]
    pub(super) fn are_twins(&self, a: usize, b: usize, pieces: std::ops::Range<usize>) -> bool {
        // What anyone else says of one of them would have to be said of the other.
        let others = (self.named_by[a] | self.named_by[b]) & !(1 << a | 1 << b);
        if others != 0 {
            return false;
        }
        for piece in &self.tables.pieces[pieces] {
            let (i, j) = (piece.at + a - piece.elements.start, piece.at + b - piece.elements.start);
            let different = self.blocks[i] ^ self.blocks[j];
            if different & piece.plain != 0 {
                return false;
            }
            let (mine, other) = (&self.meanings[i], &self.meanings[j]);
            for (number, slot) in self.tables.slots[piece.slots.clone()].iter().enumerate() {
                let (named, by_other) = (mine.target(number), other.target(number));
                if exchanged(a, b, named) != by_other
                    || named == NOBODY && different >> slot.shift & slot.mask != 0
                {
                    return false;
                }
            }
        }
        self.tables.relations.iter().all(|relation| {
            let value = |row: usize, column: usize| {
                let (row, column) = (row - relation.rows.start, column - relation.columns.start);
                self.pairs[relation.at + row * relation.columns.len() + column]
            };
            let same =
                |row, column| value(row, column) == value(exchanged(a, b, row), exchanged(a, b, column));
            (!relation.rows.contains(&a) || relation.columns.clone().all(|column| same(a, column)))
                && (!relation.columns.contains(&a) || relation.rows.clone().all(|row| same(row, a)))
        })
    }

    /// Leaves behind the sizes of the sets of twins in the order at hand.
    pub(super) fn read_ties(&mut self) {
        self.ties.clear();
        for domain in &self.tables.domains {
            let sorted = &self.sorted[domain.elements.clone()];
            let tied = |a: &u64, b: &u64| (a ^ b) & COLOUR == 0;
            let sizes = sorted.chunk_by(tied).map(|tie| tie.len() as u32);
            self.ties.extend(sizes.filter(|size| *size > 1));
        }
    }
}

/// What becomes of an element when two are exchanged.
#[inline]
fn exchanged(a: usize, b: usize, element: usize) -> usize {
    match element {
        e if e == a => b,
        e if e == b => a,
        e => e,
    }
}
