//! Permutations of states of one word, compiled to as many operations for one as for any other.
//!
//! Which permutation comes next cannot be foreseen, so a loop that is longer for some of them costs more than what it
//! does. Bits that go equally far move together, by a rotation. Ids are renamed where they arrived, all that name a
//! domain at once: for each name, those that are it are found by folding their bits together, and changed by a product.

use burnside_model::Packing;

use crate::layout::Layout;

/// The most parts, and changes.
const MOST: usize = 8;

/// The widest id.
const WIDEST: u8 = 4;

/// Bits that go equally far.
#[derive(Clone, Copy, Debug, Default)]
struct Part {
    mask: u64,
    left: u32,
}

/// What becomes of one name.
#[derive(Clone, Copy, Debug, Default)]
struct Change {
    /// The lowest bits of the ids that may be it.
    low: u64,
    /// How far their other bits are from those; fewer than three are repeated.
    others: [u8; WIDEST as usize - 1],
    /// All of these ids if they are that name.
    name: u64,
    /// The bits of an id that change.
    flipped: u64,
}

/// How much of a permutation's room is used, by all of a model.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Used {
    parts: usize,
    changes: usize,
}

/// A permutation.
#[derive(Clone, Debug, Default)]
pub(super) struct Narrow {
    parts: [Part; MOST],
    changes: [Change; MOST],
}

impl Narrow {
    /// The permutation with these images, each within its domain. `None` if a state has several words, or more happens to
    /// it than there is room for.
    pub fn new(layout: &Layout, packing: &Packing, images: &[u32], used: &mut Used) -> Option<Self> {
        if packing.words() != 1 {
            return None;
        }
        let mut narrow = Narrow::default();
        let (mut parts, mut changes) = (0, 0);
        for (cell, shape) in layout.cells.iter().enumerate() {
            let from = packing.cells()[cell];
            let to = packing.cells()[layout.target(shape.base, shape.terms, images)];
            let left = u32::from(to.shift).wrapping_sub(u32::from(from.shift)) % u64::BITS;
            let part = match narrow.parts[..parts].iter().position(|part| part.left == left) {
                Some(part) => part,
                None => {
                    *narrow.parts.get_mut(parts)? = Part { mask: 0, left };
                    parts += 1;
                    parts - 1
                }
            };
            narrow.parts[part].mask |= from.mask() << from.shift;
            for ids in layout.ids_of(cell as u32).iter().filter(|ids| ids.size > 1) {
                if from.width > WIDEST {
                    return None;
                }
                let images = &images[ids.first as usize..(ids.first + ids.size) as usize];
                let others = [1, 2, 3].map(|bit: u8| bit.min(from.width - 1));
                for (name, image) in (from.encode(ids.at)..).zip(images) {
                    let flipped = name ^ (from.encode(ids.at) + u64::from(*image));
                    let same = |change: &Change| {
                        (change.others, change.name, change.flipped)
                            == (others, name.wrapping_mul(change.low), flipped)
                    };
                    let known = narrow.changes[..changes].iter().position(same);
                    let change = match known {
                        Some(change) => change,
                        None => {
                            *narrow.changes.get_mut(changes)? = Change { low: 0, others, name: 0, flipped };
                            changes += 1;
                            changes - 1
                        }
                    };
                    narrow.changes[change].low |= 1 << from.shift;
                    narrow.changes[change].name |= name << from.shift;
                }
            }
        }
        *used = Used { parts: used.parts.max(parts), changes: used.changes.max(changes) };
        Some(narrow)
    }

    #[inline]
    pub fn apply(&self, state: u64, used: Used) -> u64 {
        let parts = self.parts.iter().take(used.parts);
        let moved = parts.fold(0, |all, part| all | (state & part.mask).rotate_left(part.left));
        self.changes.iter().take(used.changes).fold(moved, |all, change| {
            let different = moved ^ change.name;
            let [a, b, c] = change.others.map(|other| different >> other);
            all ^ (!(different | a | b | c) & change.low).wrapping_mul(change.flipped)
        })
    }
}
