//! The search tree below a partition that refinement left open.
//!
//! A node is the sequence of elements individualised so far; its children are the elements of its target cell. Leaves
//! are compared by the hashes that refinement returned on the way, then by depth, then by the state they give. An equal
//! leaf shows an automorphism: it maps the path of the best leaf to this one, so where the paths part, the subtree at
//! hand is a copy of the best leaf's and is left at once; and at every node on the common path, it joins the orbits of
//! elements, of which one is explored. It fixes that path by construction, since elements individualised alike stand at
//! the same position in both leaves.
//!
//! Source: McKay's individualisation-refinement with orbit pruning. Counting: automorphisms act freely on leaves, and two
//! leaves are equal exactly if one maps them to each other, so |Stab| is the number of best leaves in the whole tree; a
//! subtree that was cut has as many as the explored one that it is a copy of.

use burnside_model::code::Cell;

use super::Canonicaliser;
use super::partition::Partition;

/// How a subtree ended.
enum Flow {
    /// Explored, with this many of the best leaves; `None` if too many.
    Done(Option<u128>),
    /// It is a copy of an explored subtree of the node at this depth.
    Copy(usize),
}

/// What a child came to: the version of the best leaf at that time, and how many leaves equal it.
type Count = (u64, Option<u128>);

/// A node on the path.
#[derive(Clone, Debug, Default)]
struct Level {
    partition: Partition,
    /// The target cell's elements.
    members: Vec<u32>,
    /// Per child so far, in the order of `members`.
    counts: Vec<Count>,
    /// Orbits of elements under known automorphisms that fix the path to here (union-find).
    orbit: Vec<u32>,
}

/// The scratch space of the search.
#[derive(Clone, Debug, Default)]
pub(super) struct Search {
    levels: Vec<Level>,
    /// The individualised elements.
    path: Vec<u32>,
    /// Those of the best leaf.
    best_path: Vec<u32>,
    /// What refinement returned on the way to the best leaf.
    best_trace: Vec<u64>,
    /// The best leaf's order of the elements.
    best_order: Vec<u32>,
    /// Changes with the best leaf.
    version: u64,
    /// Whether `best_trace` has a leaf yet.
    has_best: bool,
    /// The state of the leaf at hand.
    leaf: Vec<Cell>,
    leaf_images: Vec<u32>,
    /// How many plain ties there were before.
    plain_ties: usize,
}

impl Canonicaliser {
    /// Searches below the partition at hand; leaves form, images, ties and leaves behind.
    pub(super) fn explore(&mut self, state: &[Cell]) {
        self.search.path.clear();
        self.search.best_trace.clear();
        self.search.has_best = false;
        self.search.version = 0;
        self.search.plain_ties = self.ties.len();
        self.leaves = match self.node(state, 0) {
            Flow::Done(count) => count,
            // Invariant: a copy is of a subtree of a node on the path, and is dealt with there.
            Flow::Copy(_) => None,
        };
    }

    /// Explores the node of the partition at hand.
    fn node(&mut self, state: &[Cell], depth: usize) -> Flow {
        let Some(target) = self.partition.target(&self.twins.of) else { return self.leaf(state, depth) };
        self.enter(target, depth);
        let mut total = (self.search.version, Some(0u128));
        for child in 0..self.search.levels[depth].members.len() {
            let count = match self.known(depth, child) {
                Some(count) => count,
                None => {
                    let element = self.search.levels[depth].members[child];
                    match self.descend(state, depth, target, element) {
                        Flow::Done(count) => (self.search.version, count),
                        Flow::Copy(at) if at < depth => return Flow::Copy(at),
                        Flow::Copy(_) => self.count_of_best(depth),
                    }
                }
            };
            self.search.levels[depth].counts.push(count);
            // Leaves that were the best once no longer count.
            if total.0 != self.search.version {
                total = (self.search.version, Some(0));
            }
            if count.0 == self.search.version {
                total.1 = total.1.zip(count.1).and_then(|(a, b)| a.checked_add(b));
            }
        }
        Flow::Done(total.1)
    }

    /// Saves the partition at hand as that of the node at this depth.
    fn enter(&mut self, target: usize, depth: usize) {
        if self.search.levels.len() == depth {
            self.search.levels.push(Level::default());
        }
        let level = &mut self.search.levels[depth];
        level.partition.copy_from(&self.partition);
        level.members.clear();
        level.members.extend_from_slice(self.partition.members(target));
        level.counts.clear();
        level.orbit.clone_from(&self.twins.of);
    }

    /// What a child comes to if an earlier one is in its orbit.
    fn known(&mut self, depth: usize, child: usize) -> Option<Count> {
        let level = &mut self.search.levels[depth];
        let orbit = find(&mut level.orbit, level.members[child]);
        let same = (0..child).find(|c| find(&mut level.orbit, level.members[*c]) == orbit)?;
        Some(level.counts[same])
    }

    /// What the child on the best leaf's path came to.
    fn count_of_best(&self, depth: usize) -> Count {
        let level = &self.search.levels[depth];
        let best = level.members.iter().position(|m| *m == self.search.best_path[depth]);
        // Invariant: it was explored before its copy was met.
        best.and_then(|child| level.counts.get(child).copied()).unwrap_or((self.search.version, None))
    }

    /// Explores one child.
    fn descend(&mut self, state: &[Cell], depth: usize, target: usize, element: u32) -> Flow {
        self.partition.copy_from(&self.search.levels[depth].partition);
        self.partition.individualise(target, element);
        let trace = self.refiner.refine(&mut self.partition, &self.graph);
        let search = &mut self.search;
        match search.best_trace.get(depth) {
            Some(best) if trace > *best => return Flow::Done(Some(0)),
            Some(best) if trace == *best => {}
            // Deeper than the best leaf, for equal hashes: worse.
            None if search.has_best => return Flow::Done(Some(0)),
            _ => {
                search.best_trace.truncate(depth);
                search.best_trace.push(trace);
                search.has_best = false;
            }
        }
        search.path.truncate(depth);
        search.path.push(element);
        self.node(state, depth + 1)
    }

    /// Compares the leaf of the partition at hand with the best so far.
    fn leaf(&mut self, state: &[Cell], depth: usize) -> Flow {
        self.search.leaf_images.clone_from(&self.images);
        self.read_images();
        let search = &mut self.search;
        self.action.apply_images(&self.images, state, &mut search.leaf);
        if !search.has_best || search.best_trace.len() > depth || search.leaf < self.form {
            search.has_best = true;
            search.best_trace.truncate(depth);
            search.version += 1;
            search.best_path.clone_from(&search.path);
            search.best_order.clone_from(&self.partition.order);
            std::mem::swap(&mut self.form, &mut search.leaf);
            self.ties.truncate(search.plain_ties);
            self.ties.extend(self.partition.open_cells().map(|start| self.partition.len[start]));
            return Flow::Done(Some(1));
        }
        // The images stay those of the best leaf.
        std::mem::swap(&mut self.images, &mut search.leaf_images);
        if search.leaf != self.form {
            return Flow::Done(Some(0));
        }
        let parting = search.path.iter().zip(&search.best_path).position(|(a, b)| a != b);
        let Some(parting) = parting else { return Flow::Done(Some(0)) };
        for level in &mut search.levels[..=parting] {
            for (a, b) in search.best_order.iter().zip(&self.partition.order) {
                let (a, b) = (find(&mut level.orbit, *a), find(&mut level.orbit, *b));
                level.orbit[a as usize] = b;
            }
        }
        Flow::Copy(parting)
    }
}

/// The representative of an element's orbit.
fn find(orbit: &mut [u32], mut element: u32) -> u32 {
    while orbit[element as usize] != element {
        orbit[element as usize] = orbit[orbit[element as usize] as usize];
        element = orbit[element as usize];
    }
    element
}
