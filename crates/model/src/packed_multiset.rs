//! Multisets in packed states, sorted in place.
//!
//! A state has the slots of its multisets in one order: those in use first, by content, as
//! [`crate::code::normalise`] has them. Bits are in the order of what they stand for, so a slot whose bits fit in a word
//! is compared as one number. A slot that is not in use has no bit set, so only the slots in use are read, which are few.
//!
//! A step changes few multisets: one whose bits are those of the state before is in order already, which a look at its
//! words tells.

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
    /// Its words, and which of their bits are its own.
    masks: Vec<(usize, u64)>,
}

impl PackedMultiset {
    /// The multiset that begins at a cell and has so many slots of so many cells, "in use" included.
    pub fn new(packing: &Packing, cell: usize, capacity: usize, stride: usize) -> Self {
        let cells = packing.cells();
        let slot = cells.get(cell..cell + stride).unwrap_or_default();
        let narrow = slot.iter().map(|cell| u32::from(cell.width)).sum::<u32>() <= 64;
        let mut masks: Vec<(usize, u64)> = Vec::new();
        for cell in cells.get(cell..cell + capacity * stride).unwrap_or_default() {
            let (word, bits) = (cell.word as usize, cell.mask() << cell.shift);
            match masks.iter_mut().find(|(known, _)| *known == word) {
                Some((_, mask)) => *mask |= bits,
                None => masks.push((word, bits)),
            }
        }
        PackedMultiset { cell, capacity, stride, narrow: narrow && capacity <= MOST_KEYS, masks }
    }

    /// Its cells.
    pub fn cells(&self) -> std::ops::Range<usize> {
        self.cell..self.cell + self.capacity * self.stride
    }

    /// Sorts the slots of a state that a step from `source`, where they are in order, led to.
    #[inline]
    pub fn sort_after(&self, packing: &Packing, source: &[u64], words: &mut [u64]) {
        if self.masks.iter().any(|(word, mask)| (source[*word] ^ words[*word]) & mask != 0) {
            self.sort(packing, words);
        }
    }

    /// Sorts the slots of a state.
    #[inline]
    pub fn sort(&self, packing: &Packing, words: &mut [u64]) {
        if self.narrow { self.sort_keys(packing.cells(), words) } else { self.sort_cells(packing, words) }
    }

    /// The cells of a slot, "in use" first.
    #[inline]
    fn slot<'c>(&self, cells: &'c [PackedCell], slot: usize) -> &'c [PackedCell] {
        &cells[self.cell + slot * self.stride..][..self.stride]
    }

    /// Sorts slots by their content as one number, in which cells before others are the higher bits.
    fn sort_keys(&self, cells: &[PackedCell], words: &mut [u64]) {
        let mut keys = [0u64; MOST_KEYS];
        let (mut used, mut last, mut in_order) = (0, 0, true);
        for slot in 0..self.capacity {
            let cells = self.slot(cells, slot);
            if read(&cells[0], words) == 0 {
                continue;
            }
            let key = cells[1..].iter().fold(0, |key, cell| key << cell.width | read(cell, words));
            in_order &= used == slot && last <= key;
            (keys[used], last) = (key, key);
            used += 1;
        }
        if in_order {
            return;
        }
        let keys = &mut keys[..used];
        for at in 1..used {
            let (key, mut i) = (keys[at], at);
            while i > 0 && key < keys[i - 1] {
                keys[i] = keys[i - 1];
                i -= 1;
            }
            keys[i] = key;
        }
        for (word, mask) in &self.masks {
            words[*word] &= !mask;
        }
        for (slot, key) in keys.iter().enumerate() {
            let (cells, mut left) = (self.slot(cells, slot), *key);
            words[cells[0].word as usize] |= 1 << cells[0].shift;
            for cell in cells[1..].iter().rev() {
                words[cell.word as usize] |= (left & cell.mask()) << cell.shift;
                left >>= cell.width;
            }
        }
    }

    fn sort_cells(&self, packing: &Packing, words: &mut [u64]) {
        let cells = packing.cells();
        let at = |slot: usize| self.cell + slot * self.stride;
        let bits = |words: &[u64], cell: usize| read(&cells[cell], words);
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

/// The bits of a cell.
#[inline]
fn read(cell: &PackedCell, words: &[u64]) -> u64 {
    words[cell.word as usize] >> cell.shift & cell.mask()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::code::{Field, TypeKind, UNDEFINED, normalise};
    use crate::{Model, Span};

    const CAPACITY: u32 = 4;

    /// A model with two multisets of records of so many cells with 6 values each, and a variable between them.
    fn model(fields: u32) -> Model {
        let mut model = Model::default();
        let mut add = |kind| model.types.add(None, kind).expect("a type");
        let small = add(TypeKind::Range(-2, 3));
        let field = |offset| Field { name: format!("f{offset}"), ty: small, offset };
        let record = add(TypeKind::Record((0..fields).map(field).collect()));
        let set = add(TypeKind::Multiset { capacity: CAPACITY, element: record });
        for (name, ty) in [("a", set), ("x", small), ("b", set)] {
            model.add_global(name, ty, Span::default());
        }
        model
    }

    /// A state of any slots in any order, by a number without pattern.
    fn state(model: &Model, fields: usize, mut random: u64) -> Vec<i64> {
        let mut next = |below: u64| {
            random = random.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(1) ^ random >> 29;
            (random >> 33) % below
        };
        let mut cells = vec![0; model.globals.iter().map(|g| model.types[g.ty].cells as usize).sum()];
        for global in &model.globals {
            let first = global.offset as usize;
            let slots = if global.name == "x" { 0 } else { CAPACITY as usize };
            for slot in cells[first..].chunks_mut(fields + 1).take(slots) {
                let used = next(2);
                slot.fill(UNDEFINED);
                slot[0] = used as i64;
                // Few values, so that there are ties.
                slot[1..].iter_mut().filter(|_| used == 1).for_each(|cell| *cell = next(2) as i64 - 2);
            }
        }
        cells
    }

    /// Slots of one word and of several end in the order that unpacked states have, whether all are looked at or those
    /// that a step changed.
    #[test]
    fn packed_slots_have_the_order_of_unpacked_ones() {
        for fields in [1, 3, 24] {
            let model = model(fields);
            let fields = fields as usize;
            let packing = Packing::new(&model).expect("small cells");
            let sets = ["a", "b"].map(|name| {
                let global = model.globals.iter().find(|g| g.name == name).expect("a set");
                PackedMultiset::new(&packing, global.offset as usize, CAPACITY as usize, fields + 1)
            });
            let normal = |cells: &[i64]| {
                let mut cells = cells.to_vec();
                for global in &model.globals {
                    normalise(&model.types, global.ty, &mut cells[global.offset as usize..]);
                }
                cells
            };
            let packed = |cells: &[i64]| {
                let mut words = vec![0; packing.words()];
                packing.pack(cells, &mut words);
                words
            };
            for seed in 0..200 {
                let (source, target) = (state(&model, fields, seed), state(&model, fields, seed + 1000));
                // A step that changes one of the two.
                let mut target = [&normal(&source)[..sets[1].cell], &target[sets[1].cell..]].concat();
                if seed % 2 == 0 {
                    target.clone_from(&source);
                }
                let source =
                    if seed % 2 == 0 { normal(&state(&model, fields, seed + 2000)) } else { normal(&source) };
                let mut words = packed(&target);
                sets.iter().for_each(|set| set.sort_after(&packing, &packed(&source), &mut words));
                assert_eq!(words, packed(&normal(&target)), "{fields} fields, seed {seed}");
                let mut words = packed(&target);
                sets.iter().for_each(|set| set.sort(&packing, &mut words));
                assert_eq!(words, packed(&normal(&target)), "{fields} fields, seed {seed}");
            }
        }
    }
}
