//! Writing the form that an order of the elements gives.

use super::{Linked, ROOM};

impl Linked {
    /// Writes the form of the order at hand over the state that was read.
    #[inline]
    pub(super) fn write(&self, state: &mut [u64]) {
        let Linked { tables, blocks, targets, pairs, sorted, .. } = self;
        let elements = tables.elements;
        if sorted.iter().take(elements).enumerate().all(|(position, s)| *s as usize % ROOM == position) {
            return;
        }
        // How far each name moves; nobody's stays.
        let mut shift = [0u64; ROOM];
        for (position, s) in sorted.iter().take(elements).enumerate() {
            shift[*s as usize % ROOM] = (position as u64).wrapping_sub(*s % ROOM as u64);
        }
        for global in &tables.globals {
            let word = &mut state[global.place.word as usize];
            let bits = *word >> global.place.shift & global.mask;
            let element = tables.contents[global.table + bits as usize].element as usize % ROOM;
            let bits = bits.wrapping_add(shift[element]);
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
                let i = *s as usize % ROOM - first;
                let mut block = blocks[piece.at + i];
                for slot in slots {
                    let far = shift[targets[slot.at + i] as usize % ROOM];
                    let bits = (block >> slot.shift).wrapping_add(far) & slot.mask;
                    block = block & !(slot.mask << slot.shift) | bits << slot.shift;
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
