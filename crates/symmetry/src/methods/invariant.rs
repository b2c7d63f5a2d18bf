//! A hash that is the same for all states of an orbit, and mostly different for those of others.
//!
//! Every element gets a hash of its cells and of the cells that hold it, then of the hashes of the elements it shares a
//! cell with; sums forget the order. Source: the hash of SMC (paper 000, §4) and the markers of ProB, for cells of any
//! kind.

use burnside_model::code::Cell;

use crate::action::Action;
use crate::canonical::mix;

/// Stands for an id.
const ID: u64 = 0x9e37_79b9_7f4a_7c15;

/// The room for the hashes of elements.
#[derive(Clone, Debug, Default)]
pub(super) struct Invariant {
    own: Vec<u64>,
    all: Vec<u64>,
}

impl Invariant {
    pub fn hash(&mut self, action: &Action, state: &[Cell]) -> u64 {
        let layout = &action.layout;
        let Invariant { own, all } = self;
        own.clear();
        own.resize(layout.elements(), 0);
        let label = |cell: u32| {
            let value = state[cell as usize];
            let held = layout.element_in(cell, value);
            let content = if held.is_some() { ID } else { mix(value as u64) };
            (held, mix(content.wrapping_add(mix(u64::from(layout.cells[cell as usize].kind)))))
        };
        let add = |sum: &mut u64, term: u64| *sum = sum.wrapping_add(mix(term));
        let mut total = 0;
        for cell in 0..layout.cells.len() as u32 {
            let (held, label) = label(cell);
            if layout.terms_of(cell).is_empty() && held.is_none() {
                add(&mut total, label);
            }
            for (place, term) in (0..).zip(layout.terms_of(cell)) {
                add(&mut own[term.element as usize], label.wrapping_add(place));
            }
            if let Some(held) = held {
                add(&mut own[held as usize], label ^ ID);
            }
        }
        all.clone_from(own);
        for cell in 0..layout.cells.len() as u32 {
            let (held, label) = label(cell);
            let members = layout.terms_of(cell).iter().map(|term| term.element).chain(held);
            for (i, a) in (0u64..).zip(members.clone()) {
                for (j, b) in (0u64..).zip(members.clone()).filter(|(j, _)| *j != i) {
                    add(&mut all[a as usize], label.wrapping_add(own[b as usize]).wrapping_add(i << 8 | j));
                }
            }
        }
        all.iter().fold(total, |total, hash| total.wrapping_add(mix(*hash)))
    }
}
