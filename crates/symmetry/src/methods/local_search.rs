//! TopSPIN's local search: generators of the group are applied as long as the state becomes less.
//!
//! It ends in a state that no generator makes less, which need not be the least of the orbit. It works for every group.

use burnside_model::code::Cell;

use super::Choose;
use crate::action::Action;
use crate::permutation::Permutation;

/// Walks downhill.
#[derive(Clone, Debug)]
pub(crate) struct LocalSearch {
    action: Action,
    generators: Vec<Permutation>,
    moved: Vec<Cell>,
}

impl LocalSearch {
    pub fn new(action: Action) -> Self {
        LocalSearch { generators: action.generators(), action, moved: Vec::new() }
    }
}

impl Choose for LocalSearch {
    fn choose(&mut self, state: &[Cell], chosen: &mut Vec<Cell>) {
        chosen.clear();
        chosen.extend_from_slice(state);
        let mut since = 0;
        for generator in self.generators.iter().cycle() {
            if since == self.generators.len() {
                return;
            }
            self.action.apply(generator, chosen, &mut self.moved);
            since += 1;
            if self.moved < *chosen {
                std::mem::swap(&mut self.moved, chosen);
                since = 0;
            }
        }
    }
}
