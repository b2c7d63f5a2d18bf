//! Multisets whose entries name elements, on the words: what they add to the keys of elements, and their order after a
//! permutation.
//!
//! Slots have no order, so what an entry adds must not depend on the slot. It has a label: a hash of what it is and of
//! its content, where a name counts only as one. The elements that it names, and those whose multiset it is in, each get
//! the label times a factor for the part that they play. Sums do not see the order. A permutation takes all this along,
//! as it does the rest of a key (see [`super::keyed`]).

use burnside_model::{PackedMultiset, Packing};

use super::pieces::factor;
use super::sort::Place;
use crate::canonical::mix;
use crate::layout::{Layout, Mixed};

/// Counts in a label for a name, whichever it is.
const NAME: u64 = 0x9e37_79b9_7f4a_7c15;

/// Elements that a cell may name.
#[derive(Clone, Copy, Debug)]
struct Names {
    /// How the first of them is written.
    zero: u64,
    /// Which that is among the keys.
    first: usize,
    size: u64,
    factor: u64,
}

/// A cell of an entry.
#[derive(Clone, Debug)]
struct Part {
    place: Place,
    mask: u64,
    factor: u64,
    names: Vec<Names>,
}

#[derive(Clone, Debug)]
struct Slot {
    used: Place,
    salt: u64,
    parts: Vec<Part>,
    /// The elements whose multiset it is in, with the factors of their parts.
    owners: Vec<(usize, u64)>,
}

/// The multisets of a state whose entries a permutation may change.
#[derive(Clone, Debug, Default)]
pub(super) struct Slots {
    /// By multiset, its slots.
    slots: Vec<Vec<Slot>>,
    sets: Vec<PackedMultiset>,
}

impl Slots {
    /// Where the elements of a domain begin among the keys is given. `None` if an entry has an array over elements.
    pub fn new(layout: &Layout, packing: &Packing, firsts: &[usize]) -> Option<Self> {
        let mut all = Slots::default();
        for set in &layout.mixed {
            let slots = (0..set.capacity).map(|slot| Slot::new(layout, packing, firsts, set, slot));
            all.slots.push(slots.collect::<Option<_>>()?);
            let (first, capacity, stride) = (set.first as usize, set.capacity as usize, set.stride as usize);
            all.sets.push(PackedMultiset::new(packing, first, capacity, stride));
        }
        Some(all)
    }

    /// Adds to the keys of elements what they get from entries.
    #[inline]
    pub fn read(&self, state: &[u64], keys: &mut [u64]) {
        for set in &self.slots {
            for slot in set {
                // Those in use come first.
                if state[slot.used.word as usize] >> slot.used.shift & 1 == 0 {
                    break;
                }
                slot.read(state, keys);
            }
        }
    }

    /// Puts the slots of a state in order.
    #[inline]
    pub fn sort(&self, packing: &Packing, state: &mut [u64]) {
        self.sets.iter().for_each(|set| set.sort(packing, state));
    }
}

impl Slot {
    fn new(layout: &Layout, packing: &Packing, firsts: &[usize], set: &Mixed, slot: u32) -> Option<Self> {
        let first = set.first + slot * set.stride;
        let kind = |cell: u32| layout.cells[cell as usize].kind as usize;
        let outer = layout.cells[first as usize].outer as usize;
        let is_moving = |element: u32| layout.sizes[layout.domain_of(element)] > 1;
        let key = |element: u32| {
            let domain = layout.domain_of(element);
            firsts[domain] + (element - layout.firsts[domain]) as usize
        };
        let owners = layout.terms_of(first).iter().take(outer).enumerate();
        let owners = owners
            .filter(|(_, term)| is_moving(term.element))
            .map(|(i, term)| (key(term.element), factor(kind(first) << 8 | 0x80 | i)))
            .collect();
        let mut parts = Vec::new();
        for cell in first + 1..first + set.stride {
            if layout.terms_of(cell)[outer..].iter().any(|term| is_moving(term.element)) {
                return None;
            }
            let packed = packing.cells()[cell as usize];
            let ids = layout.ids_of(cell).iter().enumerate().filter(|(_, ids)| ids.size > 1);
            let names = ids.map(|(i, ids)| Names {
                zero: packed.encode(ids.at),
                first: firsts[ids.domain as usize],
                size: u64::from(ids.size),
                factor: factor(kind(cell) << 8 | (i + 1)),
            });
            let (place, mask) = (Place::of(packing, cell), packed.mask());
            parts.push(Part { place, mask, factor: factor(kind(cell) << 8), names: names.collect() });
        }
        Some(Slot { used: Place::of(packing, first), salt: factor(kind(first) << 8), parts, owners })
    }

    #[inline]
    fn read(&self, state: &[u64], keys: &mut [u64]) {
        let mut label = self.salt;
        let content = |part: &Part| state[part.place.word as usize] >> part.place.shift & part.mask;
        let named = |part: &Part, bits: u64| {
            part.names.iter().find(|names| bits.wrapping_sub(names.zero) < names.size).copied()
        };
        for part in &self.parts {
            let bits = content(part);
            let counted = if named(part, bits).is_some() { NAME } else { bits };
            label = label.wrapping_add(counted.wrapping_mul(part.factor));
        }
        let label = mix(label);
        for part in &self.parts {
            let bits = content(part);
            if let Some(names) = named(part, bits) {
                let key = &mut keys[names.first + bits.wrapping_sub(names.zero) as usize];
                *key = key.wrapping_add(label.wrapping_mul(names.factor));
            }
        }
        for (owner, factor) in &self.owners {
            keys[*owner] = keys[*owner].wrapping_add(label.wrapping_mul(*factor));
        }
    }
}
