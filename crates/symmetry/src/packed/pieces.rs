//! The bits of each element of a domain, gathered from its block, and what they add to its key.
//!
//! An id counts only as defined or not, and as its own or not, so that a permutation of the elements takes this along.

use burnside_model::Packing;

use super::sort::Place;
use crate::canonical::mix;
use crate::layout::{Layout, Term};

/// Bits that every element of a domain has, gathered into a word.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    runs: Vec<Run>,
    /// Those of the bits that are no ids.
    plain: u64,
    /// The highest bits of the ids, and those below them.
    high: u64,
    below: u64,
    /// The lowest bits of the ids that may name an element of the domain.
    own: u64,
    factor: u64,
}

/// Bits beside each other in the blocks of all elements.
#[derive(Clone, Debug)]
struct Run {
    /// As gathered.
    mask: u64,
    at: u32,
    /// Where each element has them.
    places: Vec<Place>,
}

/// An odd number that is different for each.
pub(super) fn factor(number: usize) -> u64 {
    mix((number as u64).wrapping_add(0x1b87_3593)) | 1
}

/// The pieces of a domain: the cells that belong to one of its elements only.
pub(super) fn pieces(layout: &Layout, packing: &Packing, domain: usize) -> Vec<Piece> {
    let first = layout.firsts[domain];
    let is_moving = |term: &&Term| layout.sizes[layout.domain_of(term.element)] > 1;
    let mut cells = Vec::new();
    for cell in 0..layout.cells.len() as u32 {
        let terms: Vec<&Term> = layout.terms_of(cell).iter().filter(is_moving).collect();
        // Entries of multisets have no order: see `slots`.
        if let [term] = terms[..]
            && layout.cells[cell as usize].slot.is_none()
            && term.element == first
        {
            let packed = packing.cells()[cell as usize];
            cells.push((packed.word, packed.shift, cell, term.stride));
        }
    }
    cells.sort_unstable();
    let mut pieces: Vec<Piece> = Vec::new();
    // How many bits the last piece has.
    let mut end = 0;
    for (_, _, cell, stride) in cells {
        let places: Vec<Place> =
            (0..layout.sizes[domain]).map(|element| Place::of(packing, cell + element * stride)).collect();
        let width = u32::from(packing.cells()[cell as usize].width);
        if pieces.is_empty() || end + width > 64 {
            let factor = factor(pieces.len());
            pieces.push(Piece { runs: Vec::new(), plain: 0, high: 0, below: 0, own: 0, factor });
            end = 0;
        }
        let Some(piece) = pieces.last_mut() else { continue };
        piece.add(layout, packing, domain, cell, end);
        let bits = packing.cells()[cell as usize].mask() << end;
        match piece.runs.last_mut() {
            Some(run) if run.goes_on_at(&places) => run.mask |= bits,
            _ => piece.runs.push(Run { mask: bits, at: end, places }),
        }
        end += width;
    }
    pieces
}

impl Run {
    /// The bits of the element that has them there.
    #[inline]
    fn gather(&self, state: &[u64], place: &Place) -> u64 {
        state[place.word as usize] >> place.shift << self.at & self.mask
    }

    /// Whether each element has other bits right behind these.
    fn goes_on_at(&self, places: &[Place]) -> bool {
        let wide = self.mask.count_ones();
        self.places.iter().zip(places).all(|(a, b)| a.word == b.word && a.shift + wide == b.shift)
    }
}

impl Piece {
    /// Adds what is known of a cell whose bits begin there.
    fn add(&mut self, layout: &Layout, packing: &Packing, domain: usize, cell: u32, at: u32) {
        let packed = packing.cells()[cell as usize];
        let named: Vec<_> = layout.ids_of(cell).iter().filter(|ids| ids.size > 1).collect();
        let [ids] = named[..] else {
            if named.is_empty() {
                self.plain |= packed.mask() << at;
            }
            return;
        };
        if packed.encode(ids.at) == 1 {
            let high = packed.mask() ^ packed.mask() >> 1;
            self.high |= high << at;
            self.below |= (packed.mask() ^ high) << at;
            self.own |= u64::from(ids.domain as usize == domain) << at;
        }
    }

    /// Adds to the keys of the elements what they have here.
    #[inline]
    pub fn read(&self, state: &[u64], keys: &mut [u64]) {
        for (element, key) in keys.iter_mut().enumerate() {
            let bits = self.runs.iter().fold(0, |bits, run| bits | run.gather(state, &run.places[element]));
            *key = key.wrapping_add(self.part(bits, element as u64 + 1));
        }
    }

    /// The same for `N` elements, which are all there are.
    #[inline]
    pub fn read_few<const N: usize>(&self, state: &[u64], keys: &mut [u64; N]) {
        let mut bits = [0u64; N];
        for run in &self.runs {
            // As many as there are elements: the loop is unrolled.
            let places: &[Place] = run.places.first_chunk::<N>().map_or(&[], |places| places);
            for (bits, place) in bits.iter_mut().zip(places) {
                *bits |= run.gather(state, place);
            }
        }
        for ((own, key), bits) in (1..).zip(keys).zip(bits) {
            *key = key.wrapping_add(self.part(bits, own));
        }
    }

    /// What these bits add to the key of an element, whose own name is one more than its number.
    #[inline]
    fn part(&self, bits: u64, own: u64) -> u64 {
        // An id has two bits at least.
        let counted = bits & self.plain | self.named(bits) | self.named(bits ^ (self.own * own)) >> 1;
        counted.wrapping_mul(self.factor)
    }

    /// Which of the ids have a bit set, as their highest bits.
    #[inline]
    fn named(&self, bits: u64) -> u64 {
        (((bits & self.below) + self.below) | bits) & self.high
    }
}
