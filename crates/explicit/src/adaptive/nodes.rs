//! The nodes of the search, filed under the fully symmetric form of their states.

use std::collections::HashMap;
use std::ops::Range;

use burnside_model::Packing;

use super::partitions::PartitionId;

/// No parent: a start state.
pub(super) const START: u32 = u32::MAX;

/// A state that stands for all that permutations respecting its blocks make of it.
pub(super) struct Node {
    pub state: Box<[u64]>,
    pub blocks: PartitionId,
    /// The node that it was reached from, or [`START`].
    pub parent: u32,
    pub rule: u32,
    /// The node that stands for all that this one did, which is thereby void.
    by: Option<u32>,
}

/// All nodes.
pub(super) struct Nodes {
    list: Vec<Node>,
    /// Those that are not void, by form.
    files: HashMap<Box<[u64]>, Vec<u32>>,
    /// Where each completed level begins, and the one that is being found.
    levels: Vec<u32>,
    void: u64,
    bytes_per_node: u64,
    told: usize,
}

impl Nodes {
    pub fn new(packing: &Packing) -> Self {
        let words = packing.words() as u64 * 8;
        // Two copies of the words, the node, an entry in the table and a list with one entry.
        let bytes_per_node = 2 * (words + 16) + size_of::<Node>() as u64 + 96;
        Nodes { list: Vec::new(), files: HashMap::new(), levels: vec![0], void: 0, bytes_per_node, told: 0 }
    }

    /// How many are not void.
    pub fn live(&self) -> u64 {
        self.list.len() as u64 - self.void
    }

    /// About how many bytes they take.
    pub fn memory(&self) -> u64 {
        self.list.len() as u64 * self.bytes_per_node
    }

    /// How many are new since this was asked last.
    pub fn new_since_last(&mut self) -> usize {
        self.list.len() - std::mem::replace(&mut self.told, self.list.len())
    }

    /// The last level with a node.
    pub fn depth(&self) -> u64 {
        let levels = self.levels.windows(2).filter(|level| level[0] < level[1]).count();
        levels.saturating_sub(1) as u64
    }

    pub fn get(&self, node: u32) -> &Node {
        &self.list[node as usize]
    }

    /// Those that are not void and whose states have this form.
    pub fn filed(&self, form: &[u64]) -> &[u32] {
        self.files.get(form).map_or(&[], Vec::as_slice)
    }

    /// All files.
    pub fn files(&self) -> impl Iterator<Item = &Vec<u32>> {
        self.files.values()
    }

    /// Adds a node that makes these void.
    pub fn add(
        &mut self,
        form: Vec<u64>,
        state: Vec<u64>,
        blocks: PartitionId,
        link: (u32, u32),
        void: &[u32],
    ) -> u32 {
        let number = self.list.len() as u32;
        let (parent, rule) = link;
        self.list.push(Node { state: state.into(), blocks, parent, rule, by: None });
        let file = self.files.entry(form.into()).or_default();
        file.retain(|node| !void.contains(node));
        file.push(number);
        for node in void {
            self.list[*node as usize].by = Some(number);
        }
        self.void += void.len() as u64;
        number
    }

    /// Whether another node that is no deeper than this level makes this one void: it need not be expanded then. A deeper
    /// one would find the same later, and runs would not be shortest.
    pub fn is_void_at(&self, node: u32, depth: u64) -> bool {
        let end = self.levels.get(depth as usize + 1).copied().unwrap_or(u32::MAX);
        self.list[node as usize].by.is_some_and(|by| by < end)
    }

    /// Completes the level that was being found.
    pub fn end_level(&mut self) -> Range<u32> {
        let from = self.levels.last().copied().unwrap_or(0);
        let to = self.list.len() as u32;
        self.levels.push(to);
        from..to
    }
}
