//! Reading a state, and the colours of its elements.

use super::{Linked, ROOM};
use crate::packed::network;

/// Odd numbers without pattern.
const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
const BACK: u64 = 0xc2b2_ae3d_27d4_eb4f;

/// The bits of a colour that say how it sorts.
pub(super) const COLOUR: u64 = !(ROOM as u64 - 1);

/// Set in what sorts elements that were not chosen, so that chosen ones come first.
const UNCHOSEN: u64 = 1 << 63;

#[inline]
pub(super) fn spread(x: u64) -> u64 {
    let x = (x ^ x >> 32).wrapping_mul(FACTOR);
    x ^ x >> 29
}

impl Linked {
    /// Reads a state: blocks, links, and first colours.
    #[inline]
    pub(super) fn load(&mut self, state: &[u64]) {
        let Linked { tables, blocks, meanings, memo, pairs, colours, globally_named, .. } = self;
        self.named_by_is_known = false;
        colours[..tables.elements].fill(0);
        for (number, piece) in tables.pieces.iter().enumerate() {
            let all = piece.at..piece.at + piece.elements.len();
            let into = blocks[all.clone()].iter_mut().zip(&mut meanings[all.clone()]);
            for ((element, place), (into, known)) in piece.elements.clone().zip(&tables.places[all]).zip(into)
            {
                let block = state[place.word as usize] >> place.shift & piece.mask;
                let meaning = memo.meaning(tables, number, element, block);
                (*into, *known) = (block, meaning);
                let colour = &mut colours[element % ROOM];
                *colour = colour.rotate_left(7).wrapping_add(meaning.colour);
            }
        }
        for (global, named) in tables.globals.iter().zip(globally_named) {
            let bits = state[global.place.word as usize] >> global.place.shift & global.mask;
            *named = tables.contents[global.table + bits as usize].element;
            let colour = &mut colours[*named as usize % ROOM];
            *colour = colour.wrapping_add(global.salt);
        }
        for relation in &tables.relations {
            let mut at = relation.at;
            for row in relation.rows.clone() {
                for column in relation.columns.clone() {
                    let place = tables.pair_places[at];
                    let bits = state[place.word as usize] >> place.shift & relation.mask;
                    pairs[at] = bits;
                    at += 1;
                    if row == column {
                        let own = spread(relation.salt.wrapping_add(bits));
                        colours[row] = colours[row].wrapping_add(own);
                    }
                }
            }
        }
    }

    /// Every element takes in the colours of those that it is linked to.
    fn pass_on(&mut self) {
        let Linked { tables, meanings, pairs, colours, seen, .. } = self;
        seen[..tables.elements].fill(0);
        for piece in &tables.pieces {
            let slots = &tables.slots[piece.slots.clone()];
            let all = piece.at..piece.at + piece.elements.len();
            for (element, meaning) in piece.elements.clone().zip(&meanings[all]) {
                let (element, mut links) = (element % ROOM, meaning.links);
                while links != 0 {
                    let slot = links.trailing_zeros() as usize;
                    links &= links - 1;
                    let (target, salt) = (meaning.target(slot), slots[slot].salt);
                    let there = (colours[target] ^ salt).wrapping_mul(salt);
                    let back = (colours[element] ^ salt).wrapping_mul(BACK);
                    seen[element] = seen[element].wrapping_add(there ^ there >> 31);
                    seen[target] = seen[target].wrapping_add(back ^ back >> 31);
                }
            }
        }
        for relation in &tables.relations {
            let mut bits = pairs[relation.at..].iter();
            for row in relation.rows.clone() {
                for (column, bits) in relation.columns.clone().zip(&mut bits) {
                    let label = relation.salt.wrapping_mul(bits.wrapping_mul(2).wrapping_add(1));
                    let there = (colours[column % ROOM] ^ label).wrapping_mul(FACTOR);
                    let back = (colours[row % ROOM] ^ label).wrapping_mul(BACK);
                    seen[row % ROOM] = seen[row % ROOM].wrapping_add(there ^ there >> 31);
                    seen[column % ROOM] = seen[column % ROOM].wrapping_add(back ^ back >> 31);
                }
            }
        }
        for (colour, seen) in colours.iter_mut().zip(&*seen).take(tables.elements) {
            *colour = spread(colour.rotate_left(17).wrapping_add(*seen));
        }
    }

    /// Sorts the elements of each domain by colour; how many different ones there are.
    #[inline]
    fn sort(&mut self) -> usize {
        let Linked { tables, colours, sorted, chosen, .. } = self;
        for (element, (sorted, colour)) in sorted.iter_mut().zip(&*colours).enumerate().take(tables.elements)
        {
            *sorted = (colour | UNCHOSEN) & COLOUR | element as u64;
        }
        for (number, element) in (1u64..).zip(chosen.iter()) {
            sorted[*element as usize % ROOM] = (number * ROOM as u64) | u64::from(*element);
        }
        let mut classes = 0;
        for domain in &tables.domains {
            let sorted = &mut sorted[domain.elements.clone()];
            network::sort(sorted);
            classes += 1 + sorted.windows(2).filter(|pair| (pair[0] ^ pair[1]) & COLOUR != 0).count();
        }
        classes
    }

    /// Passes colours on until no more ties are broken, or all that are left are twins: then the order is one of the
    /// form's.
    #[inline]
    pub(super) fn refine(&mut self) -> bool {
        let mut classes = self.sort();
        // Along a chain colours travel one link at a time: more and more often between looks at the ties.
        let mut times = 1;
        loop {
            if classes == self.tables.elements || self.ties_are_twins() {
                return true;
            }
            (0..times).for_each(|_| self.pass_on());
            times = 2 * times.min(4);
            let more = self.sort();
            if more == classes {
                return false;
            }
            classes = more;
        }
    }

    /// A number that is the same for states and choices that a permutation maps to each other.
    pub(super) fn trace(&self) -> u64 {
        self.colours[..self.tables.elements].iter().fold(0, |sum, colour| sum.wrapping_add(spread(*colour)))
    }
}
