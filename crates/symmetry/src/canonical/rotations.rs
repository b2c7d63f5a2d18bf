//! Rings: which of them are alone, and the rotations of the others.
//!
//! The group is a product R × F of rotations and of permutations of scalarsets. A ring is *alone* if no cell, and no
//! multiset whose slots are sorted anew, has to do with it and with another domain; then its least rotation (`ring`) can
//! be taken by itself. All rotations of the other rings together are tried: of those that make the cells least that no
//! scalarset has to do with, each rotated state is brought into canonical form under F, and the least is the form. The
//! rotations that lead there are the projection of the stabiliser to R, each with as many permutations in F as fix the
//! form; so their number is the rest of the stabiliser's order.

use burnside_model::code::Cell;

use super::Canonicaliser;
use super::ring::{Alone, Ring};
use crate::layout::Layout;
use crate::permutation::rotated;

/// The rings of an action, and scratch space.
#[derive(Clone, Debug)]
pub(super) struct Rotations {
    /// Those that are alone.
    alone: Vec<Ring>,
    /// The others, as first element and size.
    tied: Vec<(u32, u32)>,
    /// The cells that no scalarset has to do with.
    free: Vec<u32>,
    /// The images of all elements if nothing moves, and under the rotation at hand.
    still: Vec<u32>,
    images: Vec<u32>,
    rotated: Vec<Cell>,
    least: Vec<Cell>,
    candidates: Vec<Vec<u32>>,
    best: Best,
}

/// The best rotation so far.
#[derive(Clone, Debug, Default)]
struct Best {
    form: Vec<Cell>,
    images: Vec<u32>,
    ties: Vec<u32>,
    leaves: Option<u128>,
}

impl Rotations {
    /// The rings of a layout; `None` if there are none.
    pub fn new(layout: &Layout) -> Option<Self> {
        let (alone, tied) = split(layout);
        if alone.is_empty() && tied.is_empty() {
            return None;
        }
        let free = |cell: &u32| {
            layout.cells[*cell as usize].slot.is_none()
                && domains_of(layout, *cell).iter().all(|d| layout.is_ring(*d))
        };
        Some(Rotations {
            alone: alone.into_iter().map(|d| Ring::new(Alone::new(layout, d))).collect(),
            tied: tied.into_iter().map(|d| (layout.firsts[d], layout.sizes[d])).collect(),
            free: (0..layout.cells.len() as u32).filter(free).collect(),
            still: layout.sizes.iter().flat_map(|n| 0..*n).collect(),
            images: Vec::new(),
            rotated: Vec::new(),
            least: Vec::new(),
            candidates: Vec::new(),
            best: Best::default(),
        })
    }

    /// The next rotation of the tied rings, as an odometer counts; `false` after the last.
    fn advance(&mut self) -> bool {
        for (first, size) in &self.tied {
            let (from, to) = (*first as usize, (*first + *size) as usize);
            let by = (self.images[from] + 1) % size;
            self.images[from..to].copy_from_slice(&rotated(*size, by));
            if by != 0 {
                return true;
            }
        }
        false
    }
}

/// The rings of more than one element: those that are alone, and the others.
fn split(layout: &Layout) -> (Vec<usize>, Vec<usize>) {
    let company = company(layout);
    let is_alone = |d: &usize| company.iter().all(|domains| !domains.contains(d) || domains.len() == 1);
    let in_slots = |d: &usize| {
        let mut cells = layout.cells.iter().zip(0..).filter(|(shape, _)| shape.slot.is_some());
        cells.any(|(_, cell)| domains_of(layout, cell).contains(d))
    };
    let rings = (0..layout.sizes.len()).filter(|d| layout.is_ring(*d) && layout.sizes[*d] > 1);
    rings.partition(|d| is_alone(d) && !in_slots(d))
}

/// The rings that are alone.
pub(crate) fn alone(layout: &Layout) -> Vec<Alone> {
    split(layout).0.into_iter().map(|domain| Alone::new(layout, domain)).collect()
}

/// The domains that each cell, or each multiset whose slots are sorted, has to do with.
fn company(layout: &Layout) -> Vec<Vec<usize>> {
    let mut company: Vec<Vec<usize>> =
        (0..layout.cells.len() as u32).map(|cell| domains_of(layout, cell)).collect();
    for set in &layout.mixed {
        let mut together: Vec<usize> =
            (set.first..set.first + set.capacity * set.stride).flat_map(|c| domains_of(layout, c)).collect();
        together.sort_unstable();
        together.dedup();
        company.push(together);
    }
    company
}

fn domains_of(layout: &Layout, cell: u32) -> Vec<usize> {
    let owners = layout.terms_of(cell).iter().map(|t| layout.domain_of(t.element));
    let mut domains: Vec<usize> =
        owners.chain(layout.ids_of(cell).iter().map(|ids| ids.domain as usize)).collect();
    domains.sort_unstable();
    domains.dedup();
    domains
}

impl Canonicaliser {
    /// The canonical form, images and stabiliser of a state under rotations and permutations of the scalarsets.
    pub(super) fn rotate(&mut self, rotations: &mut Rotations, state: &[Cell]) {
        self.images.clone_from(&rotations.still);
        rotations.images.clone_from(&rotations.still);
        self.turns = 1;
        for ring in &mut rotations.alone {
            self.turns *= u128::from(ring.turn(&self.action.layout, state, &mut rotations.images));
        }
        if rotations.tied.is_empty() {
            self.action.apply_images(&rotations.images, state, &mut rotations.rotated);
            self.settle(&rotations.rotated);
            self.take_rotation(&rotations.images, &rotations.still);
            return;
        }
        self.select(rotations, state);
        let mut count = 0;
        for images in std::mem::take(&mut rotations.candidates) {
            self.images.clone_from(&rotations.still);
            self.action.apply_images(&images, state, &mut rotations.rotated);
            self.settle(&rotations.rotated);
            let best = &mut rotations.best;
            if count == 0 || self.form < best.form {
                count = 1;
                self.take_rotation(&images, &rotations.still);
                std::mem::swap(&mut self.form, &mut best.form);
                std::mem::swap(&mut self.images, &mut best.images);
                std::mem::swap(&mut self.ties, &mut best.ties);
                best.leaves = self.leaves;
            } else if self.form == best.form {
                count += 1;
            }
        }
        let best = &mut rotations.best;
        std::mem::swap(&mut self.form, &mut best.form);
        std::mem::swap(&mut self.images, &mut best.images);
        std::mem::swap(&mut self.ties, &mut best.ties);
        self.leaves = best.leaves;
        self.turns *= count;
    }

    /// Lists the rotations of the tied rings that make the free cells least.
    fn select(&self, rotations: &mut Rotations, state: &[Cell]) {
        rotations.candidates.clear();
        loop {
            self.action.apply_images(&rotations.images, state, &mut rotations.rotated);
            let free = rotations.free.iter().map(|cell| rotations.rotated[*cell as usize]);
            let order = match rotations.candidates.is_empty() {
                true => std::cmp::Ordering::Less,
                false => free.clone().cmp(rotations.least.iter().copied()),
            };
            if order.is_lt() {
                rotations.candidates.clear();
                rotations.least = free.collect();
            }
            if order.is_le() {
                rotations.candidates.push(rotations.images.clone());
            }
            if !rotations.advance() {
                return;
            }
        }
    }

    /// Joins a rotation to the images of the scalarsets' elements.
    fn take_rotation(&mut self, images: &[u32], still: &[u32]) {
        for ((image, rotated), still) in self.images.iter_mut().zip(images).zip(still) {
            if rotated != still {
                *image = *rotated;
            }
        }
    }
}
