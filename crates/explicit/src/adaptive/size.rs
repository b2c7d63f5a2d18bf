//! How many states the nodes stand for, together.

use std::collections::HashSet;

use burnside_model::code::Cell;
use burnside_model::system::Batcher;
use burnside_symmetry::partial::Blocks;

use super::Search;

/// The most states of one file that are counted one by one.
const COUNTED: usize = 100_000;

impl<B: Batcher> Search<'_, B> {
    /// All states that the nodes stand for: those of the unreduced system. `None` if it is too much work, or too many.
    pub(super) fn full_states(&mut self) -> Option<u128> {
        let files: Vec<Vec<u32>> = self.nodes.files().cloned().collect();
        let mut sum = 0u128;
        for file in files {
            sum = sum.checked_add(self.together(&file)?)?;
        }
        Some(sum)
    }

    /// Nodes of one file may stand for some states both, and do so for none of another's.
    fn together(&mut self, file: &[u32]) -> Option<u128> {
        let orbit = |search: &mut Self, node: u32| {
            let node = search.nodes.get(node);
            let (state, blocks) = (search.unpack(&node.state), search.partitions.get(node.blocks));
            (search.young.orbit(&state, &blocks), state, blocks)
        };
        if let [node] = file {
            return orbit(self, *node).0;
        }
        let discrete = Blocks::discrete(&self.task.invariance.sizes);
        let mut states: HashSet<Vec<Cell>> = HashSet::new();
        for node in file {
            let (size, state, blocks) = orbit(self, *node);
            if size? > COUNTED as u128 {
                return None;
            }
            self.young.divide(&state, &blocks, &discrete, &mut |_, state| {
                states.insert(state.to_vec());
                true
            });
        }
        Some(states.len() as u128)
    }
}
