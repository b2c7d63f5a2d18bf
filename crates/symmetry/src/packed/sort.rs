//! Domains whose elements are blocks of data that cells outside may name: the blocks are sorted in place.
//!
//! The key of an element is its block and, below it, one bit per cell that may name an element of the domain, set if it
//! names this one. No two elements have a bit in common, so those with equal keys are twins. In the sorted order the
//! bits say where the named element went, so that nothing but the keys is sorted. Keys of up to 64 or 128 bits are
//! sorted by networks, wider ones as rows of words.

use burnside_model::Packing;

use super::network::{Key, network};
use crate::layout::Layout;

/// Bits that every element has, each at a place of its own.
#[derive(Clone, Copy, Debug)]
struct Piece {
    /// The bits, at the bottom of a word.
    mask: u64,
    /// The lowest bit in a key.
    at: u32,
}

/// Where an element has a piece: its lowest bit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub word: u32,
    pub shift: u32,
}

impl Place {
    pub fn of(packing: &Packing, cell: u32) -> Place {
        let packed = packing.cells()[cell as usize];
        Place { word: packed.word, shift: u32::from(packed.shift) }
    }
}

/// A cell that may name an element.
#[derive(Clone, Copy, Debug)]
struct Slot {
    place: Place,
    mask: u64,
    /// How element 0 is written.
    first: u64,
}

impl Slot {
    /// The element that it names, or something too large.
    #[inline]
    fn element(&self, words: &[u64]) -> usize {
        (words[self.place.word as usize] >> self.place.shift & self.mask).wrapping_sub(self.first) as usize
    }

    #[inline]
    fn name(&self, words: &mut [u64], element: usize) {
        put(words, self.place, self.mask, self.first + element as u64);
    }
}

/// A domain to be sorted.
#[derive(Clone, Debug)]
pub(super) struct Sorted {
    size: usize,
    /// How many bits a key has.
    bits: u32,
    pieces: Vec<Piece>,
    /// The places of the first piece for all elements, then those of the second, and so on.
    places: Vec<Place>,
    slots: Vec<Slot>,
    /// Keys of domains too large for a network.
    keys: (Vec<u64>, Vec<u128>),
    /// Keys as rows of words, and their order.
    rows: Vec<u64>,
    order: Vec<u32>,
}

impl Sorted {
    /// The active domain at this position.
    pub fn new(layout: &Layout, packing: &Packing, domain: usize) -> Self {
        let (first, size) = (layout.firsts[domain], layout.sizes[domain]);
        let mut sorted = Sorted {
            size: size as usize,
            bits: 0,
            pieces: Vec::new(),
            places: Vec::new(),
            slots: Vec::new(),
            keys: (Vec::new(), Vec::new()),
            rows: Vec::new(),
            order: Vec::new(),
        };
        // The cells of element 0 in the order of their places; those of the others are a stride apart.
        let mut own = Vec::new();
        for cell in 0..layout.cells.len() as u32 {
            let packed = packing.cells()[cell as usize];
            if let Some(term) = layout.terms_of(cell).iter().find(|t| t.element == first) {
                own.push((packed.word, packed.shift, cell, term.stride));
            }
            for ids in layout.ids_of(cell).iter().filter(|ids| ids.domain as usize == domain) {
                let place = Place::of(packing, cell);
                sorted.slots.push(Slot { place, mask: packed.mask(), first: packed.encode(ids.at) });
            }
        }
        own.sort_unstable();
        sorted.bits = sorted.slots.len() as u32;
        for (_, _, cell, stride) in own {
            let places = (0..size).map(|e| Place::of(packing, cell + e * stride)).collect();
            sorted.add(places, u32::from(packing.cells()[cell as usize].width));
        }
        sorted
    }

    /// Adds bits to the last piece if they lie behind it for every element.
    fn add(&mut self, places: Vec<Place>, width: u32) {
        let before = self.places.len().saturating_sub(self.size);
        if let Some(last) = self.pieces.last_mut() {
            let wide = last.mask.count_ones();
            let behind = |(a, b): (&Place, &Place)| a.word == b.word && a.shift + wide == b.shift;
            if self.places[before..].iter().zip(&places).all(behind) {
                last.mask = u64::MAX >> (64 - wide - width);
                self.bits += width;
                return;
            }
        }
        self.pieces.push(Piece { mask: u64::MAX >> (64 - width), at: self.bits });
        self.places.extend(places);
        self.bits += width;
    }

    /// Takes the bits that sorting may change out of masks.
    pub fn exclude(&self, fixed: &mut [u64]) {
        for (piece, places) in self.pieces.iter().zip(self.places.chunks_exact(self.size)) {
            places.iter().for_each(|place| fixed[place.word as usize] &= !(piece.mask << place.shift));
        }
        for slot in &self.slots {
            fixed[slot.place.word as usize] &= !(slot.mask << slot.place.shift);
        }
    }

    /// Sorts the elements of a state.
    #[inline]
    pub fn sort(&mut self, words: &mut [u64]) {
        match (self.bits, self.size) {
            (0, _) => {}
            (..=64, 2) => self.by_network::<u64, 2>(words),
            (..=64, 3) => self.by_network::<u64, 3>(words),
            (..=64, 4) => self.by_network::<u64, 4>(words),
            (..=64, 5) => self.by_network::<u64, 5>(words),
            (..=64, 6) => self.by_network::<u64, 6>(words),
            (..=64, 7) => self.by_network::<u64, 7>(words),
            (..=64, 8) => self.by_network::<u64, 8>(words),
            (..=64, _) => {
                let mut keys = std::mem::take(&mut self.keys.0);
                self.by_keys(words, &mut keys);
                self.keys.0 = keys;
            }
            (..=128, 2) => self.by_network::<u128, 2>(words),
            (..=128, 3) => self.by_network::<u128, 3>(words),
            (..=128, 4) => self.by_network::<u128, 4>(words),
            (..=128, 5) => self.by_network::<u128, 5>(words),
            (..=128, 6) => self.by_network::<u128, 6>(words),
            (..=128, 7) => self.by_network::<u128, 7>(words),
            (..=128, 8) => self.by_network::<u128, 8>(words),
            (..=128, _) => {
                let mut keys = std::mem::take(&mut self.keys.1);
                self.by_keys(words, &mut keys);
                self.keys.1 = keys;
            }
            _ => self.by_rows(words),
        }
    }

    #[inline]
    fn by_network<K: Key, const N: usize>(&self, words: &mut [u64]) {
        let mut keys = [K::default(); N];
        self.read(words, &mut keys);
        if !keys.is_sorted() {
            network(&mut keys);
            self.write(words, &keys);
        }
    }

    fn by_keys<K: Key>(&self, words: &mut [u64], keys: &mut Vec<K>) {
        keys.clear();
        keys.resize(self.size, K::default());
        self.read(words, keys);
        keys.sort_unstable();
        self.write(words, keys);
    }

    #[inline]
    fn read<K: Key>(&self, words: &[u64], keys: &mut [K]) {
        for (piece, places) in self.pieces.iter().zip(self.places.chunks_exact(keys.len())) {
            for (key, place) in keys.iter_mut().zip(places) {
                key.add(words[place.word as usize] >> place.shift & piece.mask, piece.at);
            }
        }
        for (number, slot) in (0..).zip(&self.slots) {
            if let Some(key) = keys.get_mut(slot.element(words)) {
                key.add(1, number);
            }
        }
    }

    #[inline]
    fn write<K: Key>(&self, words: &mut [u64], keys: &[K]) {
        for (piece, places) in self.pieces.iter().zip(self.places.chunks_exact(keys.len())) {
            for (key, place) in keys.iter().zip(places) {
                put(words, *place, piece.mask, key.bits(piece.at) & piece.mask);
            }
        }
        for (number, slot) in (0..).zip(&self.slots) {
            if slot.element(words) < keys.len() {
                // Without branches: exactly one of the bits is set.
                let at = keys.iter().zip(0..).map(|(key, i)| (key.bits(number) as usize & 1) * i).sum();
                slot.name(words, at);
            }
        }
    }

    fn by_rows(&mut self, words: &mut [u64]) {
        let width = self.sort_rows(words);
        for (piece, places) in self.places.chunks_exact(self.size).enumerate() {
            for (element, place) in self.order.iter().zip(places) {
                let bits = self.rows[*element as usize * width + piece];
                put(words, *place, self.pieces[piece].mask, bits);
            }
        }
        for slot in &self.slots {
            let element = slot.element(words);
            if let Some(at) = self.order.iter().position(|e| *e as usize == element) {
                slot.name(words, at);
            }
        }
    }

    /// Writes the keys as rows of words and sorts their order; gives the words per row.
    fn sort_rows(&mut self, words: &[u64]) -> usize {
        let width = self.pieces.len() + self.slots.len().div_ceil(64);
        self.rows.clear();
        self.rows.resize(self.size * width, 0);
        for (piece, places) in self.places.chunks_exact(self.size).enumerate() {
            for (element, place) in places.iter().enumerate() {
                let bits = words[place.word as usize] >> place.shift & self.pieces[piece].mask;
                self.rows[element * width + piece] = bits;
            }
        }
        for (number, slot) in self.slots.iter().enumerate() {
            let element = slot.element(words);
            if element < self.size {
                self.rows[element * width + self.pieces.len() + number / 64] |= 1 << (number % 64);
            }
        }
        self.order.clear();
        self.order.extend(0..self.size as u32);
        let row = |element: u32| &self.rows[element as usize * width..(element as usize + 1) * width];
        self.order.sort_unstable_by(|a, b| row(*a).cmp(row(*b)));
        width
    }

    /// The sizes of the sets of twins in a state.
    pub fn ties(&mut self, words: &[u64], ties: &mut Vec<u32>) {
        let width = self.sort_rows(words);
        let row = |element: u32| &self.rows[element as usize * width..(element as usize + 1) * width];
        let twins = self.order.chunk_by(|a, b| row(*a) == row(*b)).map(|twins| twins.len() as u32);
        ties.extend(twins.filter(|twins| *twins > 1));
    }
}

#[inline]
fn put(words: &mut [u64], place: Place, mask: u64, bits: u64) {
    let word = &mut words[place.word as usize];
    *word = *word & !(mask << place.shift) | bits << place.shift;
}
