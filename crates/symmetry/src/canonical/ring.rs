//! Rings that are alone: the least rotation.
//!
//! Every cell that belongs to elements of the ring is counted to the first of them, and seen from there: its other
//! indices and the ids in it as distances. A cell of no element that holds one counts to what it holds. So each element
//! has a row of numbers that no rotation changes, a rotation of the state rotates the rows, and the state whose rows are
//! least in lexicographic order is the form. Source: least rotation of a string in linear time, with two candidates
//! (Shiloach); survey, §4.2, has the rotation but no ids.

use std::cmp::Ordering;

use burnside_model::code::Cell;

use crate::layout::Layout;

/// A cell that every element has, seen from the element: `base + Σ stride · (element + distance)`.
#[derive(Clone, Debug)]
pub(crate) struct Own {
    base: u32,
    /// Strides and distances.
    terms: Vec<(u32, u32)>,
    pub holds_ids: bool,
}

impl Own {
    /// The cell of an element of a ring of this size.
    pub fn cell(&self, element: u32, size: u32) -> u32 {
        let place = |(stride, distance): &(u32, u32)| stride * ((element + distance) % size);
        self.base + self.terms.iter().map(place).sum::<u32>()
    }
}

/// The cells of a ring whose elements occur with those of no other domain.
#[derive(Clone, Debug)]
pub(crate) struct Alone {
    /// The domain, by its position among the active ones.
    pub domain: usize,
    /// Its element 0, counted through all active domains.
    pub first: u32,
    pub size: u32,
    pub own: Vec<Own>,
    /// Cells of no element that may hold one.
    pub holders: Vec<u32>,
}

impl Alone {
    /// The active domain at this position.
    pub fn new(layout: &Layout, domain: usize) -> Self {
        let (first, size) = (layout.firsts[domain], layout.sizes[domain]);
        let mut alone = Alone { domain, first, size, own: Vec::new(), holders: Vec::new() };
        for cell in 0..layout.cells.len() as u32 {
            let terms = layout.terms_of(cell);
            let holds_ids = layout.ids_of(cell).iter().any(|ids| ids.domain as usize == domain);
            match terms.first() {
                Some(term) if term.element == first => {
                    let terms = terms.iter().map(|t| (t.stride, t.element - first)).collect();
                    let base = layout.cells[cell as usize].base;
                    alone.own.push(Own { base, terms, holds_ids });
                }
                None if holds_ids => alone.holders.push(cell),
                _ => {}
            }
        }
        alone
    }
}

/// A ring and the rows of its elements.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    alone: Alone,
    rows: Vec<Cell>,
}

impl Ring {
    /// For a ring that is alone.
    pub fn new(alone: Alone) -> Self {
        Ring { alone, rows: Vec::new() }
    }

    /// Writes the images of the ring's elements under the rotation that leads to the form; gives how many do.
    pub fn turn(&mut self, layout: &Layout, state: &[Cell], images: &mut [u32]) -> u32 {
        self.read(layout, state);
        let (first, size) = (self.alone.first as usize, self.alone.size as usize);
        let start = least_rotation(size, |i, j| self.row(i).cmp(self.row(j)));
        for element in 0..size {
            images[first + element] = ((element + size - start) % size) as u32;
        }
        (size / period(size, |i, j| self.row(i) == self.row(j))) as u32
    }

    fn read(&mut self, layout: &Layout, state: &[Cell]) {
        self.rows.clear();
        for element in 0..self.alone.size {
            for own in &self.alone.own {
                let cell = own.cell(element, self.alone.size);
                let value = state[cell as usize];
                self.rows.push(if own.holds_ids { self.seen(layout, cell, value, element) } else { value });
            }
            for cell in &self.alone.holders {
                let held = layout.element_in(*cell, state[*cell as usize]);
                self.rows.push(Cell::from(held == Some(self.alone.first + element)));
            }
        }
    }

    /// An id as the distance from an element; other values as they are.
    fn seen(&self, layout: &Layout, cell: u32, value: Cell, element: u32) -> Cell {
        let (first, size) = (self.alone.first, self.alone.size);
        match layout.ids_of(cell).iter().find_map(|ids| Some((ids.at, ids.element(value)?))) {
            Some((at, held)) => at + Cell::from((held - first + size - element) % size),
            None => value,
        }
    }

    fn row(&self, element: usize) -> &[Cell] {
        let width = self.alone.own.len() + self.alone.holders.len();
        &self.rows[element * width..(element + 1) * width]
    }
}

/// Where the least rotation of so many rows starts.
pub(crate) fn least_rotation(size: usize, compare: impl Fn(usize, usize) -> Ordering) -> usize {
    let around = |i: usize| if i < size { i } else { i - size };
    let (mut best, mut other, mut same) = (0, 1, 0);
    while other < size && same < size {
        match compare(around(best + same), around(other + same)) {
            Ordering::Equal => {
                same += 1;
                continue;
            }
            // None of the starts that were passed by is least: each has a better one in the other run.
            Ordering::Less => other += same + 1,
            Ordering::Greater => (best, other) = (other, (best + same + 1).max(other + 1)),
        }
        same = 0;
    }
    best
}

/// After how many rows they repeat.
pub(crate) fn period(size: usize, equal: impl Fn(usize, usize) -> bool) -> usize {
    let repeats = |period: &usize| (0..size).all(|i| equal(i, (i + period) % size));
    (1..=size).filter(|period| size.is_multiple_of(*period)).find(repeats).unwrap_or(size)
}
