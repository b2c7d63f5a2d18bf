//! Permutations of small domains, compiled to moves of bits.
//!
//! Cells beside each other that go to places beside each other move together. Ids are renamed where they arrived; those
//! of a domain of two or three elements, alone in two bits, all at once: 0 is undefined, and a permutation of 1, 2 and 3
//! that keeps 0 is linear on pairs of bits. Those of up to four bits are renamed by a table in a word.

use burnside_model::Packing;

use crate::layout::Layout;
use crate::permutation::Permutation;

/// Bits that go elsewhere.
#[derive(Clone, Copy, Debug)]
struct Move {
    from: u32,
    to: u32,
    from_shift: u8,
    to_shift: u8,
    width: u8,
}

/// The pairs of bits of a word (their lower bits) that one linear map renames.
#[derive(Clone, Copy, Debug)]
struct Pairs {
    word: u32,
    low: u64,
    /// Whether the images of 1 and 2 have the low bit, and the high bit, as masks.
    one: (u64, u64),
    two: (u64, u64),
}

/// The ids of up to four bits in a word that are renamed alike.
#[derive(Clone, Debug)]
struct Small {
    word: u32,
    mask: u64,
    /// By content, the bits that change, four for each.
    changes: u64,
    shifts: Vec<u8>,
}

/// An id that is renamed alone.
#[derive(Clone, Debug)]
struct Rename {
    word: u32,
    shift: u8,
    mask: u64,
    /// How the domain's element 0 is written.
    first: u64,
    images: Vec<u32>,
}

/// What one permutation does to a packed state.
#[derive(Clone, Debug)]
pub(super) struct Moves {
    /// The bits that stay, by word.
    stay: Vec<u64>,
    moves: Vec<Move>,
    pairs: Vec<Pairs>,
    small: Vec<Small>,
    renames: Vec<Rename>,
}

/// All permutations of these domains but the identity.
pub(super) fn all(layout: &Layout, packing: &Packing, domains: &[usize]) -> Vec<Moves> {
    if domains.is_empty() {
        return Vec::new();
    }
    let shapes: Vec<_> = domains.iter().map(|d| layout.shapes[*d]).collect();
    let others = Permutation::all(&shapes).into_iter().filter(|permutation| !permutation.is_identity());
    others
        .map(|permutation| {
            let mut images: Vec<u32> = layout.sizes.iter().flat_map(|n| 0..*n).collect();
            for (domain, permuted) in domains.iter().zip(permutation.images()) {
                let first = layout.firsts[*domain] as usize;
                images[first..first + permuted.len()].copy_from_slice(permuted);
            }
            Moves::new(layout, packing, &images)
        })
        .collect()
}

impl Moves {
    /// The permutation with these images, each within its domain.
    pub fn new(layout: &Layout, packing: &Packing, images: &[u32]) -> Self {
        let mut all = Moves {
            stay: vec![u64::MAX; packing.words()],
            moves: Vec::new(),
            pairs: Vec::new(),
            small: Vec::new(),
            renames: Vec::new(),
        };
        let mut moves = Vec::new();
        for (cell, shape) in layout.cells.iter().enumerate() {
            let from = packing.cells()[cell];
            let target = layout.target(shape.base, shape.terms, images);
            if target != cell {
                let to = packing.cells()[target];
                all.stay[to.word as usize] &= !(to.mask() << to.shift);
                moves.push(Move {
                    from: from.word,
                    to: to.word,
                    from_shift: from.shift,
                    to_shift: to.shift,
                    width: from.width,
                });
            }
            for ids in layout.ids_of(cell as u32) {
                let images = &images[ids.first as usize..(ids.first + ids.size) as usize];
                if images.iter().enumerate().any(|(i, image)| i as u32 != *image) {
                    let rename = Rename {
                        word: from.word,
                        shift: from.shift,
                        mask: from.mask(),
                        first: from.encode(ids.at),
                        images: images.to_vec(),
                    };
                    all.rename(rename, from.width);
                }
            }
        }
        moves.sort_by_key(|m| (m.from, m.from_shift));
        for m in moves {
            match all.moves.last_mut() {
                Some(last)
                    if (last.from, last.to) == (m.from, m.to)
                        && last.from_shift + last.width == m.from_shift
                        && last.to_shift + last.width == m.to_shift =>
                {
                    last.width += m.width;
                }
                _ => all.moves.push(m),
            }
        }
        all
    }

    fn rename(&mut self, rename: Rename, width: u8) {
        if width > 4 {
            self.renames.push(rename);
            return;
        }
        if width != 2 || rename.first != 1 {
            let changes = (rename.first..).zip(&rename.images).fold(0, |changes, (content, image)| {
                changes | (content ^ (rename.first + u64::from(*image))) << (4 * content)
            });
            let (word, mask) = (rename.word, rename.mask);
            let same = |s: &&mut Small| (s.word, s.mask, s.changes) == (word, mask, changes);
            match self.small.iter_mut().find(same) {
                Some(known) => known.shifts.push(rename.shift),
                None => self.small.push(Small { word, mask, changes, shifts: vec![rename.shift] }),
            }
            return;
        }
        let bits = |element: usize| {
            let image = u64::from(rename.images[element]) + 1;
            ((image & 1).wrapping_neg(), (image >> 1 & 1).wrapping_neg())
        };
        let (word, low) = (rename.word, 1 << rename.shift);
        let pairs = Pairs { word, low, one: bits(0), two: bits(1) };
        let same = |p: &&mut Pairs| (p.word, p.one, p.two) == (word, pairs.one, pairs.two);
        match self.pairs.iter_mut().find(same) {
            Some(known) => known.low |= low,
            None => self.pairs.push(pairs),
        }
    }

    /// Puts the image of a state into `out`.
    #[inline]
    pub fn apply(&self, state: &[u64], out: &mut [u64]) {
        for ((out, word), stay) in out.iter_mut().zip(state).zip(&self.stay) {
            *out = word & stay;
        }
        for m in &self.moves {
            let bits = state[m.from as usize] >> m.from_shift & (u64::MAX >> (64 - u32::from(m.width)));
            out[m.to as usize] |= bits << m.to_shift;
        }
        for pairs in &self.pairs {
            let word = &mut out[pairs.word as usize];
            let (one, two) = (*word & pairs.low, *word >> 1 & pairs.low);
            let low = (one & pairs.one.0) ^ (two & pairs.two.0);
            let high = (one & pairs.one.1) ^ (two & pairs.two.1);
            *word = *word & !(pairs.low | pairs.low << 1) | low | high << 1;
        }
        for small in &self.small {
            let word = out[small.word as usize];
            let change = |shift: &u8| (small.changes >> (4 * (word >> shift & small.mask)) & 15) << shift;
            out[small.word as usize] = word ^ small.shifts.iter().map(change).fold(0, |all, one| all | one);
        }
        for rename in &self.renames {
            let word = &mut out[rename.word as usize];
            let element = (*word >> rename.shift & rename.mask).wrapping_sub(rename.first);
            if let Some(image) = rename.images.get(element as usize) {
                let bits = rename.first + u64::from(*image);
                *word = *word & !(rename.mask << rename.shift) | bits << rename.shift;
            }
        }
    }
}
