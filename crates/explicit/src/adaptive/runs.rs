//! Runs of the model to a state that a node stands for, from the end backwards.
//!
//! Say x is a state of a node that rule e made of its parent. It was made of one of the states at which e was fired: some
//! y there leads to some t, and a permutation p that respects the blocks P ∧ Q of the step maps t to x. As p maps e to
//! itself and respects the parent's blocks, p·y is a state of the parent that leads to x. The states y are found again by
//! firing e once more; p comes from the canonical forms of t and x.

use burnside_model::Deadline;
use burnside_model::code::Cell;
use burnside_model::system::{Batch, Batcher};

use super::Search;
use super::nodes::START;

impl<B: Batcher> Search<'_, B> {
    /// The states of a run from a start state to this one, which the node stands for; `None` if there is none, which is a mistake.
    pub(super) fn path(&mut self, mut node: u32, state: Vec<Cell>) -> Option<Vec<Vec<Cell>>> {
        self.deadline = Deadline::NEVER;
        let mut path = vec![state.clone()];
        let mut state = state;
        while self.nodes.get(node).parent != START {
            state = self.before(node, &state)?;
            path.push(state.clone());
            node = self.nodes.get(node).parent;
        }
        path.reverse();
        Some(path)
    }

    /// A state of the node's parent from which its rule leads to this state.
    fn before(&mut self, node: u32, state: &[Cell]) -> Option<Vec<Cell>> {
        let (parent, rule) = (self.nodes.get(node).parent, self.nodes.get(node).rule);
        let blocks = self.nodes.get(parent).blocks;
        let finer = self.partitions.meet(blocks, self.rule_groups.of(rule as usize));
        let apart = self.partitions.get(finer);
        let (member, there) = self.young.canonical(state, &apart);
        let from = self.unpack(&self.nodes.get(parent).state);
        let words = self.task.packing.words();
        let mut batch = Batch::default();
        for candidate in self.divided(&from, blocks, finer).ok()? {
            batch.clear();
            self.batcher.successors(&self.pack(&candidate), &mut batch).ok()?;
            for (i, _) in batch.rules.iter().enumerate().filter(|(_, by)| **by == rule) {
                let next = self.unpack(&batch.states[i * words..(i + 1) * words]);
                let (other, here) = self.young.canonical(&next, &apart);
                if other == member {
                    let mut moved = Vec::new();
                    self.young.action().apply(&there.inverse().compose(&here), &candidate, &mut moved);
                    return Some(moved);
                }
            }
        }
        None
    }
}
