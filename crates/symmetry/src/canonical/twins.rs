//! Twins: elements whose exchange leaves the state as it is.
//!
//! Being twins is an equivalence, and exchanging two fixes all other elements, so a cell of twins may be put in any
//! order, at every node of the search. An exchange is verified on the state itself, cell by cell, because equal colours
//! prove nothing. Only cells indexed by one of the two can move; any other cell that holds one of the two would change.

use burnside_model::code::Cell;

use super::graph::Graph;
use super::partition::Partition;
use crate::action::Action;

/// Finds the twins of a state.
#[derive(Clone, Debug)]
pub(super) struct Twins {
    /// Per element, the least-numbered or first-found twin: the same for all twins of each other.
    pub of: Vec<u32>,
    /// Per element, the cells outside mixed multisets that it indexes: ranges of `cells`.
    ranges: Vec<(u32, u32)>,
    cells: Vec<u32>,
    /// Per element, whether it indexes a mixed multiset.
    outside: Vec<bool>,
    /// The exchange being tried.
    images: Vec<u32>,
    /// The twins found so far in a cell, one for each class.
    classes: Vec<u32>,
    moved: Vec<Cell>,
}

impl Twins {
    pub fn new(action: &Action) -> Self {
        let layout = &action.layout;
        let elements = layout.elements();
        let mut by_element = vec![Vec::new(); elements];
        let mut outside = vec![false; elements];
        for (cell, shape) in (0..).zip(&layout.cells) {
            for term in layout.terms_of(cell) {
                let element = term.element as usize;
                if shape.slot.is_some() {
                    outside[element] = true;
                } else if by_element[element].last() != Some(&cell) {
                    by_element[element].push(cell);
                }
            }
        }
        let mut cells = Vec::new();
        let ranges = by_element
            .into_iter()
            .map(|touched| {
                let from = cells.len() as u32;
                cells.extend(touched);
                (from, cells.len() as u32)
            })
            .collect();
        let images = layout.sizes.iter().flat_map(|size| 0..*size).collect();
        let (classes, moved) = (Vec::new(), Vec::new());
        Twins { of: vec![0; elements], ranges, cells, outside, images, classes, moved }
    }

    /// Finds the twins among elements of one cell.
    pub fn find(&mut self, action: &Action, graph: &Graph, partition: &Partition, state: &[Cell]) {
        for (element, of) in (0..).zip(&mut self.of) {
            *of = element;
        }
        for start in partition.open_cells() {
            self.classes.clear();
            for element in partition.members(start) {
                let mut class = *element;
                for i in 0..self.classes.len() {
                    if self.are_twins(action, graph, self.classes[i], *element, state) {
                        class = self.classes[i];
                        break;
                    }
                }
                if class == *element {
                    self.classes.push(class);
                }
                self.of[*element as usize] = class;
            }
        }
    }

    /// Whether exchanging two elements of one domain leaves the state as it is.
    fn are_twins(&mut self, action: &Action, graph: &Graph, a: u32, b: u32, state: &[Cell]) -> bool {
        let (u, v) = (a as usize, b as usize);
        self.images.swap(u, v);
        let in_slots = graph.in_slot[u] || graph.in_slot[v] || self.outside[u];
        let twins = if in_slots {
            action.apply_images(&self.images, state, &mut self.moved);
            self.moved == state
        } else {
            self.exchange_fixes(action, graph, (a, b), state)
        };
        self.images.swap(u, v);
        twins
    }

    /// The same for elements that no mixed multiset mentions; `images` is the exchange.
    fn exchange_fixes(&self, action: &Action, graph: &Graph, (a, b): (u32, u32), state: &[Cell]) -> bool {
        let layout = &action.layout;
        let (from, to) = self.ranges[a as usize];
        // How many cells indexed by either hold `a`, and `b`.
        let (mut holding_a, mut holding_b) = (0, 0);
        let mut count = |element: Option<u32>| {
            holding_a += u32::from(element == Some(a));
            holding_b += u32::from(element == Some(b));
        };
        for cell in &self.cells[from as usize..to as usize] {
            let shape = layout.cells[*cell as usize];
            let target = layout.target(shape.base, shape.terms, &self.images);
            let (here, there) = (state[*cell as usize], state[target]);
            if shape.ids.0 == shape.ids.1 {
                if here != there {
                    return false;
                }
                continue;
            }
            let (held, held_there) = (layout.element_in(*cell, here), layout.element_in(*cell, there));
            let fixed = there == layout.map_value(*cell, here, &self.images);
            if !fixed {
                return false;
            }
            count(held);
            // A target that `a` indexes too has its own turn.
            if layout.terms_of(*cell).iter().all(|t| t.element != b) {
                count(held_there);
            }
        }
        holding_a == graph.held[a as usize] && holding_b == graph.held[b as usize]
    }
}
