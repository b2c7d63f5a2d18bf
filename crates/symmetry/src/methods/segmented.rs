//! SymmSpin's *segmented* strategy: of all ways to sort elements by their data that are no ids, the least state.
//!
//! Which states those are depends on the orbit only, so the least of them is canonical.

use burnside_model::code::Cell;

use super::Choose;
use super::sorted::Sorted;
use crate::action::Action;

/// Tries all orders of elements with equal data.
#[derive(Clone, Debug)]
pub(crate) struct Segmented {
    sorted: Sorted,
    moved: Vec<Cell>,
}

impl Segmented {
    pub fn new(action: Action) -> Self {
        Segmented { sorted: Sorted::new(action), moved: Vec::new() }
    }
}

impl Choose for Segmented {
    fn choose(&mut self, state: &[Cell], chosen: &mut Vec<Cell>) {
        let Segmented { sorted, moved } = self;
        sorted.sort(state);
        sorted.apply(state, chosen);
        let segments = std::mem::take(&mut sorted.segments);
        // The elements of each segment are in increasing order now: the first of all their orders.
        while segments.iter().any(|(from, to)| next_order(&mut sorted.order[*from..*to])) {
            sorted.apply(state, moved);
            if *moved < *chosen {
                std::mem::swap(moved, chosen);
            }
        }
        sorted.segments = segments;
    }
}

/// The next order; after the last comes the first, and `false`.
fn next_order(elements: &mut [u32]) -> bool {
    let Some(pivot) = elements.windows(2).rposition(|pair| pair[0] < pair[1]) else {
        elements.reverse();
        return false;
    };
    if let Some(next) = elements.iter().rposition(|element| *element > elements[pivot]) {
        elements.swap(pivot, next);
    }
    elements[pivot + 1..].reverse();
    true
}
