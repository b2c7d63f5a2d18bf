//! How many states the nodes stand for, together.

use std::collections::HashSet;

use burnside_model::code::Cell;
use burnside_model::system::Batcher;

use super::Search;

/// The most parts of one file that are counted one by one.
const COUNTED: usize = 20_000;

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

    /// Nodes of one file may stand for some states both, and do so for none of another's. Each consists of whole orbits
    /// under the blocks that all of them have in common.
    fn together(&mut self, file: &[u32]) -> Option<u128> {
        let common = file.iter().map(|node| self.nodes.get(*node).blocks).collect::<Vec<_>>();
        let common = common.into_iter().reduce(|a, b| self.partitions.meet(a, b))?;
        let common = self.partitions.get(common);
        let mut parts: HashSet<Vec<Cell>> = HashSet::new();
        let mut sum = Some(0u128);
        for node in file {
            let node = self.nodes.get(*node);
            let (state, blocks) = (self.unpack(&node.state), self.partitions.get(node.blocks));
            self.young.divide(&state, &blocks, &common, &mut |young, state| {
                let (part, _) = young.canonical(state, &common);
                if !parts.contains(&part) {
                    sum = sum.and_then(|sum| sum.checked_add(young.orbit(&part, &common)?));
                    parts.insert(part);
                }
                sum.is_some() && parts.len() <= COUNTED
            });
        }
        sum.filter(|_| parts.len() <= COUNTED)
    }
}
