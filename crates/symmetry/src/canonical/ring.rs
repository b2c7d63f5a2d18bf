//! Rings that are alone: the least rotation.
//!
//! Every cell that belongs to elements of the ring is counted to the first of them, and seen from there: its other
//! indices and the ids in it as distances. A cell of no element that holds one counts to what it holds. So each element
//! has a row of numbers that no rotation changes, a rotation of the state rotates the rows, and the state whose rows are
//! least in lexicographic order is the form. Source: least rotation of a string in linear time, with two candidates
//! (Shiloach); survey, §4.2, has the rotation but no ids.

use burnside_model::code::Cell;

use crate::layout::Layout;

/// A cell that every element has, seen from the element: `base + Σ stride · (element + distance)`.
#[derive(Clone, Debug)]
struct Own {
    base: u32,
    /// Strides and distances.
    terms: Vec<(u32, u32)>,
    holds_ids: bool,
}

/// A ring and the rows of its elements.
#[derive(Clone, Debug)]
pub(super) struct Ring {
    first: u32,
    size: u32,
    own: Vec<Own>,
    /// Cells of no element that may hold one.
    holders: Vec<u32>,
    rows: Vec<Cell>,
}

impl Ring {
    /// The active domain at this position, whose elements occur with those of no other.
    pub fn new(layout: &Layout, domain: usize) -> Self {
        let (first, size) = (layout.firsts[domain], layout.sizes[domain]);
        let mut ring = Ring { first, size, own: Vec::new(), holders: Vec::new(), rows: Vec::new() };
        for cell in 0..layout.cells.len() as u32 {
            let terms = layout.terms_of(cell);
            let holds_ids = layout.ids_of(cell).iter().any(|ids| ids.domain as usize == domain);
            match terms.first() {
                Some(term) if term.element == first => {
                    let terms = terms.iter().map(|t| (t.stride, t.element - first)).collect();
                    let base = layout.cells[cell as usize].base;
                    ring.own.push(Own { base, terms, holds_ids });
                }
                None if holds_ids => ring.holders.push(cell),
                _ => {}
            }
        }
        ring
    }

    /// Writes the images of the ring's elements under the rotation that leads to the form; gives how many do.
    pub fn turn(&mut self, layout: &Layout, state: &[Cell], images: &mut [u32]) -> u32 {
        self.read(layout, state);
        let size = self.size as usize;
        let start = self.least_rotation();
        for element in 0..size {
            images[self.first as usize + element] = ((element + size - start) % size) as u32;
        }
        let repeats = |period: &usize| (0..size).all(|i| self.row(i) == self.row(i + period));
        let period = (1..=size).filter(|period| size.is_multiple_of(*period)).find(repeats);
        (size / period.unwrap_or(size)) as u32
    }

    fn read(&mut self, layout: &Layout, state: &[Cell]) {
        self.rows.clear();
        for element in 0..self.size {
            for own in &self.own {
                let place = |(stride, distance): &(u32, u32)| stride * ((element + distance) % self.size);
                let cell = own.base + own.terms.iter().map(place).sum::<u32>();
                let value = state[cell as usize];
                self.rows.push(if own.holds_ids { self.seen(layout, cell, value, element) } else { value });
            }
            for cell in &self.holders {
                let held = layout.element_in(*cell, state[*cell as usize]);
                self.rows.push(Cell::from(held == Some(self.first + element)));
            }
        }
    }

    /// An id as the distance from an element; other values as they are.
    fn seen(&self, layout: &Layout, cell: u32, value: Cell, element: u32) -> Cell {
        match layout.ids_of(cell).iter().find_map(|ids| Some((ids.at, ids.element(value)?))) {
            Some((at, held)) => at + Cell::from((held - self.first + self.size - element) % self.size),
            None => value,
        }
    }

    fn row(&self, element: usize) -> &[Cell] {
        let width = self.own.len() + self.holders.len();
        let element = element % self.size as usize;
        &self.rows[element * width..(element + 1) * width]
    }

    /// Where the least rotation of the rows starts.
    fn least_rotation(&self) -> usize {
        let size = self.size as usize;
        let (mut best, mut other, mut same) = (0, 1, 0);
        while other < size && same < size {
            match self.row(best + same).cmp(self.row(other + same)) {
                std::cmp::Ordering::Equal => {
                    same += 1;
                    continue;
                }
                // None of the starts that were passed by is least: each has a better one in the other run.
                std::cmp::Ordering::Less => other += same + 1,
                std::cmp::Ordering::Greater => (best, other) = (other, (best + same + 1).max(other + 1)),
            }
            same = 0;
        }
        best
    }
}
