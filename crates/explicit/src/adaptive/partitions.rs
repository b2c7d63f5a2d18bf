//! Blocks by number: there are few different ones, and their meets are asked for again and again.

use std::collections::HashMap;
use std::rc::Rc;

use burnside_symmetry::partial::Blocks;

/// Blocks, by their number.
pub(super) type PartitionId = u32;

/// All blocks there are so far.
#[derive(Default)]
pub(super) struct Partitions {
    list: Vec<Rc<Blocks>>,
    index: HashMap<Rc<Blocks>, PartitionId>,
    meets: HashMap<(PartitionId, PartitionId), PartitionId>,
}

impl Partitions {
    /// The number of these blocks.
    pub fn intern(&mut self, blocks: Blocks) -> PartitionId {
        if let Some(id) = self.index.get(&blocks) {
            return *id;
        }
        let (blocks, id) = (Rc::new(blocks), self.list.len() as PartitionId);
        self.list.push(Rc::clone(&blocks));
        self.index.insert(blocks, id);
        id
    }

    pub fn get(&self, id: PartitionId) -> Rc<Blocks> {
        Rc::clone(&self.list[id as usize])
    }

    /// What is together in both.
    pub fn meet(&mut self, a: PartitionId, b: PartitionId) -> PartitionId {
        if let Some(meet) = self.meets.get(&(a, b)) {
            return *meet;
        }
        let meet = self.get(a).meet(&self.get(b));
        let meet = self.intern(meet);
        self.meets.insert((a, b), meet);
        meet
    }
}

/// Rules (or properties) that tell the same elements of a node apart.
pub(super) struct Group {
    /// What a node's blocks become.
    pub blocks: PartitionId,
    /// Which rules.
    pub members: Vec<usize>,
}

/// Rules (or properties) by what they tell apart, for nodes with any blocks.
pub(super) struct Groups {
    /// Per rule.
    of: Vec<PartitionId>,
    /// What was asked before: by the blocks of the node.
    known: HashMap<PartitionId, Rc<[Group]>>,
}

impl Groups {
    pub fn new(partitions: &mut Partitions, of: &[Blocks]) -> Self {
        Groups {
            of: of.iter().map(|blocks| partitions.intern(blocks.clone())).collect(),
            known: HashMap::new(),
        }
    }

    /// What a rule does not tell apart.
    pub fn of(&self, rule: usize) -> PartitionId {
        self.of[rule]
    }

    /// The groups for nodes with these blocks.
    pub fn at(&mut self, partitions: &mut Partitions, node: PartitionId) -> Rc<[Group]> {
        if let Some(groups) = self.known.get(&node) {
            return Rc::clone(groups);
        }
        let mut groups: Vec<Group> = Vec::new();
        for (rule, blocks) in self.of.iter().enumerate() {
            let blocks = partitions.meet(node, *blocks);
            match groups.iter_mut().find(|group| group.blocks == blocks) {
                Some(group) => group.members.push(rule),
                None => groups.push(Group { blocks, members: vec![rule] }),
            }
        }
        let groups: Rc<[Group]> = groups.into();
        self.known.insert(node, Rc::clone(&groups));
        groups
    }
}
