//! Plain domains: their elements are interchangeable blocks of data, so sorting the blocks is canonical.
//!
//! Source: survey, §4.2, without id-sensitive variables; equal blocks are twins.

use std::cmp::Ordering;

use burnside_model::code::Cell;

use crate::layout::Layout;

/// Cells of one element that lie beside each other: those of element `i` start at `base + i·stride`.
#[derive(Clone, Copy, Debug)]
struct Run {
    base: u32,
    stride: u32,
    len: u32,
}

/// A domain to be sorted by content.
#[derive(Clone, Debug)]
pub(super) struct PlainDomain {
    first: u32,
    runs: Vec<Run>,
    order: Vec<u32>,
}

/// Per active domain, whether its elements occur as values, beside another index, or in slots of multisets that a
/// permutation may reorder, or have gaps between them: then it is not plain.
pub(super) fn joint_domains(layout: &Layout) -> Vec<bool> {
    let mut joint: Vec<bool> = (0..layout.sizes.len()).map(|domain| layout.has_gaps(domain)).collect();
    for (cell, shape) in (0..).zip(&layout.cells) {
        for ids in layout.ids_of(cell) {
            joint[ids.domain as usize] = true;
        }
        let terms = layout.terms_of(cell);
        if terms.len() > 1 || shape.slot.is_some() || !layout.ids_of(cell).is_empty() {
            for term in terms {
                joint[layout.domain_of(term.element)] = true;
            }
        }
    }
    joint
}

/// The domains that are not joint.
pub(super) fn plain_domains(layout: &Layout, joint: &[bool]) -> Vec<PlainDomain> {
    let mut domains = Vec::new();
    for (d, _) in joint.iter().enumerate().filter(|(_, joint)| !**joint) {
        let mut runs: Vec<Run> = Vec::new();
        for cell in 0..layout.cells.len() as u32 {
            let [term] = layout.terms_of(cell) else { continue };
            if layout.sizes[d] == 0 || term.element != layout.firsts[d] {
                continue;
            }
            match runs.last_mut() {
                Some(run) if run.base + run.len == cell && run.stride == term.stride => run.len += 1,
                _ => runs.push(Run { base: cell, stride: term.stride, len: 1 }),
            }
        }
        domains.push(PlainDomain { first: layout.firsts[d], runs, order: (0..layout.sizes[d]).collect() });
    }
    domains
}

impl PlainDomain {
    /// Writes the images of the domain's elements, and the sizes of the sets of equal ones.
    pub fn sort(&mut self, state: &[Cell], images: &mut [u32], ties: &mut Vec<u32>) {
        let runs = &self.runs;
        let compare = |a: &u32, b: &u32| {
            for run in runs {
                let block = |element: u32| {
                    let at = (run.base + element * run.stride) as usize;
                    &state[at..at + run.len as usize]
                };
                match block(*a).cmp(block(*b)) {
                    Ordering::Equal => {}
                    different => return different,
                }
            }
            Ordering::Equal
        };
        // From the same order each time, so that the permutation depends on nothing but the state.
        for (i, element) in (0..).zip(&mut self.order) {
            *element = i;
        }
        self.order.sort_unstable_by(compare);
        let mut tied = 1;
        for (position, element) in self.order.iter().enumerate() {
            images[(self.first + element) as usize] = position as u32;
            match self.order.get(position + 1) {
                Some(next) if compare(element, next).is_eq() => tied += 1,
                _ => {
                    if tied > 1 {
                        ties.push(tied);
                    }
                    tied = 1;
                }
            }
        }
    }
}
