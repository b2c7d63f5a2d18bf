//! Few elements: ordered by keys, and by trying what the keys leave open.
//!
//! The key of an element is a hash of its block, where an id counts only as defined or not and as its own or not, and of
//! which cells outside blocks name it, and which entries of multisets (`slots`). A permutation of the elements takes their keys along, so the state whose keys are in
//! order is the form if no two are equal: a comparison of each pair tells which permutation leads to it, and that one is compiled
//! to moves of bits. If some are equal, the permutations that exchange only elements with equal keys are tried, and the
//! least state is the form. So many that this does not pay are left to another method: whether they are is the same for
//! a whole orbit.
//!
//! Symmetries of a state keep the keys. So the number of tried permutations that lead to the form is the order of the
//! stabiliser.

use std::cmp::Ordering;

use burnside_model::Packing;
use burnside_model::code::DomainKind;

use super::moves::Moves;
use super::narrow::{Narrow, Used};
use super::pieces::{Piece, factor, pieces};
use super::slots::Slots;
use super::sort::Place;
use crate::layout::{Layout, Term};
use crate::permutation::Permutation;

/// The most elements, of all domains.
const MOST_ELEMENTS: usize = 8;

/// The most pairs of elements of one domain.
const MOST_PAIRS: usize = 15;

/// The most permutations that are tried.
const MOST_TRIED: u128 = 6;

/// A permutation that was not needed yet.
const UNKNOWN: u16 = u16::MAX;

/// A domain of more than one element.
#[derive(Clone, Debug)]
struct Domain {
    /// Its first element here, and among all of the layout.
    first: usize,
    first_of_layout: usize,
    size: usize,
    pieces: Vec<Piece>,
}

/// A cell outside blocks that may name an element.
#[derive(Clone, Copy, Debug)]
struct Global {
    place: Place,
    mask: u64,
    /// How element 0 is written.
    zero: u64,
    /// That element.
    first: usize,
    size: u64,
    salt: u64,
}

/// Canonical forms of states with few elements.
#[derive(Clone, Debug)]
pub(super) struct Keyed {
    domains: Vec<Domain>,
    globals: Vec<Global>,
    /// The multisets whose entries name elements.
    slots: Slots,
    /// By the results of comparing all pairs, the permutation that puts the keys in order.
    orders: Vec<u16>,
    sorters: Vec<Sorter>,
    /// What those of states of one word have in common.
    used: Used,
    /// By which neighbours have equal keys, the permutations that are tried, but for the identity.
    ties: Vec<Option<Tie>>,
    image: Vec<u64>,
    least: Vec<u64>,
}

/// A permutation that puts keys in order.
#[derive(Clone, Debug)]
enum Sorter {
    /// Of states of one word.
    Narrow(Box<Narrow>),
    Wide(Moves),
}

/// The permutations that are tried; `None` if there are too many.
type Tie = Option<Box<[Moves]>>;

/// The keys of a state's elements, with room for one that is named where nobody is.
type Keys = [u64; MOST_ELEMENTS + 1];

/// How the keys of a state compare.
struct Compared {
    /// One bit per pair: whether the later element has the lesser key.
    order: usize,
    /// Which elements, if they are put in order, have the key of their neighbour.
    ties: usize,
}

impl Keyed {
    /// `None` if there are too many elements, or of another kind. All permutations must be symmetries, and blocks of
    /// elements lie at equal distances.
    pub fn new(layout: &Layout, packing: &Packing) -> Option<Self> {
        let moving: Vec<usize> = (0..layout.sizes.len()).filter(|d| layout.sizes[*d] > 1).collect();
        let sizes = || moving.iter().map(|d| layout.sizes[*d] as usize);
        let pairs = sizes().map(|size| size * (size - 1) / 2).sum::<usize>();
        if sizes().sum::<usize>() > MOST_ELEMENTS || pairs > MOST_PAIRS {
            return None;
        }
        let mut firsts = vec![0; layout.sizes.len()];
        let mut domains = Vec::new();
        let mut elements = 0;
        for domain in &moving {
            firsts[*domain] = elements;
            let size = layout.sizes[*domain] as usize;
            let first_of_layout = layout.firsts[*domain] as usize;
            let pieces = pieces(layout, packing, *domain);
            domains.push(Domain { first: elements, first_of_layout, size, pieces });
            elements += size;
        }
        let mut globals = Vec::new();
        for cell in 0..layout.cells.len() as u32 {
            let is_moving = |term: &Term| layout.sizes[layout.domain_of(term.element)] > 1;
            let in_slot = layout.cells[cell as usize].slot.is_some();
            if in_slot || layout.terms_of(cell).iter().any(is_moving) {
                continue;
            }
            for (i, ids) in layout.ids_of(cell).iter().enumerate().filter(|(_, ids)| ids.size > 1) {
                let packed = packing.cells()[cell as usize];
                globals.push(Global {
                    place: Place::of(packing, cell),
                    mask: packed.mask(),
                    zero: packed.encode(ids.at),
                    first: firsts[ids.domain as usize],
                    size: u64::from(ids.size),
                    salt: factor((cell as usize) << 8 | (i + 1)),
                });
            }
        }
        Some(Keyed {
            domains,
            globals,
            slots: Slots::new(layout, packing, &firsts)?,
            orders: vec![UNKNOWN; 1 << pairs],
            sorters: Vec::new(),
            used: Used::default(),
            ties: vec![None; 1 << elements],
            image: vec![0; packing.words()],
            least: vec![0; packing.words()],
        })
    }

    /// Replaces a state by its form, and gives the order of its stabiliser; `None` if no form was found, for no state of
    /// the orbit.
    #[inline]
    pub fn canonicalise(&mut self, layout: &Layout, packing: &Packing, state: &mut [u64]) -> Option<u128> {
        let compared = self.compare(state);
        // Of one word also where there is nothing to do: whether there is could not be foreseen.
        if compared.order != 0 || state.len() == 1 {
            self.put_in_order(layout, packing, compared.order, state);
        }
        if compared.ties == 0 {
            return Some(1);
        }
        let stabiliser = self.settle(layout, packing, compared.ties, state)?;
        state.copy_from_slice(&self.least);
        Some(stabiliser)
    }

    /// The order of a state's stabiliser; `None` if no form is found.
    #[inline]
    pub fn stabiliser(&mut self, layout: &Layout, packing: &Packing, state: &[u64]) -> Option<u128> {
        let compared = self.compare(state);
        if compared.ties == 0 {
            return Some(1);
        }
        let mut state = state.to_vec();
        if compared.order != 0 {
            self.put_in_order(layout, packing, compared.order, &mut state);
        }
        self.settle(layout, packing, compared.ties, &state)
    }

    #[inline]
    fn compare(&self, state: &[u64]) -> Compared {
        match self.domains.as_slice() {
            // Most have one domain.
            [domain] => match domain.size {
                2 => self.compare_few::<2>(domain, state),
                3 => self.compare_few::<3>(domain, state),
                4 => self.compare_few::<4>(domain, state),
                5 => self.compare_few::<5>(domain, state),
                _ => self.compare_few::<6>(domain, state),
            },
            _ => self.compare_all(state),
        }
    }

    /// The keys of a domain's `N` elements, which are all there are.
    #[inline]
    fn compare_few<const N: usize>(&self, domain: &Domain, state: &[u64]) -> Compared {
        let mut few = [0u64; N];
        domain.pieces.iter().for_each(|piece| piece.read_few(state, &mut few));
        for global in &self.globals {
            let element = (state[global.place.word as usize] >> global.place.shift & global.mask)
                .wrapping_sub(global.zero);
            for (i, key) in (0..).zip(&mut few) {
                *key = key.wrapping_add(if i == element { global.salt } else { 0 });
            }
        }
        self.slots.read(state, &mut few);
        let (order, tied) = pairs::<N>(&few);
        Compared { order, ties: if tied { ties(&mut few) } else { 0 } }
    }

    /// The keys of all elements.
    fn keys(&self, state: &[u64]) -> Keys {
        let mut keys = Keys::default();
        for domain in &self.domains {
            let keys = &mut keys[domain.first..domain.first + domain.size];
            domain.pieces.iter().for_each(|piece| piece.read(state, keys));
        }
        for global in &self.globals {
            let element = (state[global.place.word as usize] >> global.place.shift & global.mask)
                .wrapping_sub(global.zero);
            let named = if element < global.size { global.first + element as usize } else { MOST_ELEMENTS };
            keys[named] = keys[named].wrapping_add(global.salt);
        }
        self.slots.read(state, &mut keys);
        keys
    }

    fn compare_all(&self, state: &[u64]) -> Compared {
        let mut keys = self.keys(state);
        let (order, tied) = self.pairs(&keys);
        if !tied {
            return Compared { order, ties: 0 };
        }
        let by_domain = self.domains.iter().map(|domain| {
            let keys = &mut keys[domain.first..domain.first + domain.size];
            ties(keys) << domain.first
        });
        Compared { order, ties: by_domain.fold(0, |all, ties| all | ties) }
    }

    /// Compares all pairs of each domain.
    fn pairs(&self, keys: &Keys) -> (usize, bool) {
        let (mut order, mut tied) = (0, false);
        for domain in &self.domains {
            let keys = &keys[domain.first..domain.first + domain.size];
            let (less, equal) = match domain.size {
                2 => pairs::<2>(keys),
                3 => pairs::<3>(keys),
                4 => pairs::<4>(keys),
                5 => pairs::<5>(keys),
                _ => pairs::<6>(keys),
            };
            order = order << (domain.size * (domain.size - 1) / 2) | less;
            tied |= equal;
        }
        (order, tied)
    }

    /// Replaces a state by the one whose keys are in order.
    #[inline]
    fn put_in_order(&mut self, layout: &Layout, packing: &Packing, order: usize, state: &mut [u64]) {
        if self.orders[order] == UNKNOWN {
            self.add_sorter(layout, packing, order);
        }
        match (&self.sorters[self.orders[order] as usize], &mut *state) {
            (Sorter::Narrow(narrow), [word]) => *word = narrow.apply(*word, self.used),
            (Sorter::Narrow(_), _) => {}
            (Sorter::Wide(moves), [a, b]) => {
                // As so many are: a copy of unknown length is a call.
                let source = [*a, *b];
                moves.apply(&source, state);
            }
            (Sorter::Wide(moves), _) => {
                moves.apply(state, &mut self.image);
                state.copy_from_slice(&self.image);
            }
        }
        self.slots.sort(packing, state);
    }

    /// Compiles the permutation that puts keys that compare so in order.
    #[cold]
    fn add_sorter(&mut self, layout: &Layout, packing: &Packing, order: usize) {
        let mut images: Vec<u32> = layout.sizes.iter().flat_map(|size| 0..*size).collect();
        // The bit of the last pair is the lowest.
        let mut left = order;
        for domain in self.domains.iter().rev() {
            let images = &mut images[domain.first_of_layout..domain.first_of_layout + domain.size];
            images.fill(0);
            for i in (0..domain.size).rev() {
                for j in (i + 1..domain.size).rev() {
                    // The lesser comes first; of equal ones, the earlier.
                    images[if left & 1 == 1 { i } else { j }] += 1;
                    left >>= 1;
                }
            }
        }
        self.orders[order] = self.sorters.len() as u16;
        self.sorters.push(match Narrow::new(layout, packing, &images, &mut self.used) {
            Some(narrow) => Sorter::Narrow(Box::new(narrow)),
            None => Sorter::Wide(Moves::new(layout, packing, &images)),
        });
    }

    /// Tries what the keys leave open on a state whose keys are in order, by which of them are equal. Leaves the form in `least`, and gives how many
    /// permutations lead to it; `None` if there are too many to try.
    fn settle(&mut self, layout: &Layout, packing: &Packing, pattern: usize, state: &[u64]) -> Option<u128> {
        if self.ties[pattern].is_none() {
            self.ties[pattern] = Some(self.tie(layout, packing, pattern));
        }
        let Keyed { ties, image, least, slots, .. } = self;
        let tried = ties[pattern].as_ref()?.as_ref()?;
        least.copy_from_slice(state);
        let mut count = 1;
        for moves in tried {
            moves.apply(state, image);
            slots.sort(packing, image);
            match image.cmp(&least) {
                Ordering::Less => {
                    std::mem::swap(image, least);
                    count = 1;
                }
                Ordering::Equal => count += 1,
                Ordering::Greater => {}
            }
        }
        Some(count)
    }

    /// The permutations of elements that have the key of their neighbours, without the identity.
    #[cold]
    fn tie(&self, layout: &Layout, packing: &Packing, pattern: usize) -> Tie {
        // Where each run of equal keys begins in the layout, and how long it is.
        let mut runs: Vec<(usize, u32)> = Vec::new();
        for domain in &self.domains {
            for i in 0..domain.size {
                let goes_on = i > 0 && pattern >> (domain.first + i - 1) & 1 == 1;
                match runs.last_mut().filter(|_| goes_on) {
                    Some(run) => run.1 += 1,
                    None => runs.push((domain.first_of_layout + i, 1)),
                }
            }
        }
        let shapes: Vec<_> = runs.iter().map(|(_, length)| (DomainKind::Full, *length)).collect();
        if crate::order::product(&shapes).is_none_or(|order| order > MOST_TRIED) {
            return None;
        }
        let others = Permutation::all(&shapes).into_iter().filter(|permutation| !permutation.is_identity());
        let moves = others.map(|permutation| {
            let mut images: Vec<u32> = layout.sizes.iter().flat_map(|size| 0..*size).collect();
            for ((first, _), permuted) in runs.iter().zip(permutation.images()) {
                let from = images[*first];
                for (image, place) in permuted.iter().zip(&mut images[*first..]) {
                    *place = from + image;
                }
            }
            Moves::new(layout, packing, &images)
        });
        Some(moves.collect())
    }
}

/// Compares all pairs: a bit for each, whether the later is less, and whether two are equal.
#[inline]
fn pairs<const N: usize>(keys: &[u64]) -> (usize, bool) {
    let (mut order, mut equal) = (0, false);
    for i in 0..N {
        for j in i + 1..N {
            order = order << 1 | usize::from(keys[j] < keys[i]);
            equal |= keys[i] == keys[j];
        }
    }
    (order, equal)
}

/// Which of some keys, if they are put in order, are equal to the next.
fn ties(keys: &mut [u64]) -> usize {
    keys.sort_unstable();
    let equal = keys.windows(2).enumerate().filter(|(_, pair)| pair[0] == pair[1]);
    equal.fold(0, |set, (i, _)| set | 1 << i)
}
