//! SymmSpin's *sorted* strategy: elements are sorted by their data that are no ids; the ids follow.
//!
//! Elements with equal data stay in the order they had, so that an orbit may have several representatives.

use burnside_model::code::Cell;

use super::Choose;
use crate::action::Action;

/// The elements of a domain.
#[derive(Clone, Debug)]
struct Domain {
    first: u32,
    size: u32,
    /// The cells of the first, and how far those of the next are.
    cells: Vec<(u32, u32)>,
}

/// Sorts elements by what is not an id.
#[derive(Clone, Debug)]
pub(crate) struct Sorted {
    pub action: Action,
    domains: Vec<Domain>,
    /// The elements, in order: those of the first domain, and so on.
    pub order: Vec<u32>,
    /// Where in `order` elements with the same data begin and end, if there are several.
    pub segments: Vec<(usize, usize)>,
    images: Vec<u32>,
}

impl Sorted {
    pub fn new(action: Action) -> Self {
        let layout = &action.layout;
        let domain = |(first, size): (&u32, &u32)| Domain { first: *first, size: *size, cells: Vec::new() };
        let mut domains: Vec<_> = layout.firsts.iter().zip(&layout.sizes).map(domain).collect();
        for cell in 0..layout.cells.len() as u32 {
            // Cells of multisets whose slots a permutation sorts anew are no data of one element.
            let plain = layout.ids_of(cell).is_empty() && layout.cells[cell as usize].slot.is_none();
            if let [term] = layout.terms_of(cell)
                && plain
            {
                let domain = &mut domains[layout.domain_of(term.element)];
                if term.element == domain.first {
                    domain.cells.push((cell, term.stride));
                }
            }
        }
        let images = vec![0; layout.elements()];
        Sorted { domains, order: Vec::new(), segments: Vec::new(), images, action }
    }

    /// Sorts the elements of a state.
    pub fn sort(&mut self, state: &[Cell]) {
        self.order.clear();
        self.segments.clear();
        for Domain { first, size, cells } in &self.domains {
            let from = self.order.len();
            let data = |element: u32| {
                let element = element - first;
                cells.iter().map(move |(cell, stride)| state[(cell + element * stride) as usize])
            };
            self.order.extend(*first..first + size);
            self.order[from..].sort_by(|a, b| data(*a).cmp(data(*b)));
            let mut start = from;
            for tied in self.order[from..].chunk_by(|a, b| data(*a).eq(data(*b))) {
                if tied.len() > 1 {
                    self.segments.push((start, start + tied.len()));
                }
                start += tied.len();
            }
        }
    }

    /// Puts the state with its elements in the order at hand into `out`.
    pub fn apply(&mut self, state: &[Cell], out: &mut Vec<Cell>) {
        for (position, element) in (0..).zip(&self.order) {
            let first = self.action.layout.firsts[self.action.layout.domain_of(*element)];
            // The elements of a domain stand where they are counted.
            self.images[*element as usize] = position - first;
        }
        self.action.apply_images(&self.images, state, out);
    }
}

impl Choose for Sorted {
    fn choose(&mut self, state: &[Cell], chosen: &mut Vec<Cell>) {
        self.sort(state);
        self.apply(state, chosen);
    }
}
