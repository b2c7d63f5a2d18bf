//! Writing the form that an order of the elements gives.

use super::{Linked, ROOM};

impl Linked {
    /// Writes the form of the order at hand over the state that was read.
    #[inline]
    pub(super) fn write(&self, state: &mut [u64]) {
        let Linked { tables, blocks, meanings, globally_named, pairs, sorted, .. } = self;
        let elements = tables.elements;
        if sorted.iter().take(elements).enumerate().all(|(position, s)| *s as usize % ROOM == position) {
            return;
        }
        // How far each name moves; nobody's stays.
        let mut far = [0u8; ROOM];
        for (position, s) in sorted.iter().take(elements).enumerate() {
            far[*s as usize % ROOM] = (position as u8).wrapping_sub((*s % ROOM as u64) as u8);
        }
        for (global, named) in tables.globals.iter().zip(globally_named) {
            let word = &mut state[global.place.word as usize];
            let bits = (*word >> global.place.shift) as u8;
            let bits = u64::from(bits.wrapping_add(far[*named as usize % ROOM])) & global.mask;
            *word = *word & !(global.mask << global.place.shift) | bits << global.place.shift;
        }
        for (word, stay) in state.iter_mut().zip(&tables.stay) {
            *word &= stay;
        }
        for piece in &tables.pieces {
            let first = piece.elements.start;
            let places = &tables.places[piece.at..piece.at + piece.elements.len()];
            let slots = &tables.slots[piece.slots.clone()];
            for (place, s) in places.iter().zip(&sorted[piece.elements.clone()]) {
                let i = piece.at + *s as usize % ROOM - first;
                let (mut block, meaning) = (blocks[i], &meanings[i]);
                let mut links = meaning.links;
                while links != 0 {
                    let number = links.trailing_zeros() as usize;
                    links &= links - 1;
                    let slot = &slots[number];
                    let bits = ((block >> slot.shift) as u8).wrapping_add(far[meaning.target(number)]);
                    block = block & !(slot.mask << slot.shift) | (u64::from(bits) & slot.mask) << slot.shift;
                }
                state[place.word as usize] |= block << place.shift;
            }
        }
        for relation in &tables.relations {
            let mut places = tables.pair_places[relation.at..].iter();
            let columns = relation.columns.len();
            for row in &sorted[relation.rows.clone()] {
                let row = *row as usize % ROOM - relation.rows.start;
                for column in &sorted[relation.columns.clone()] {
                    let column = *column as usize % ROOM - relation.columns.start;
                    if let Some(place) = places.next() {
                        let bits = pairs[relation.at + row * columns + column];
                        state[place.word as usize] |= bits << place.shift;
                    }
                }
            }
        }
    }
}
