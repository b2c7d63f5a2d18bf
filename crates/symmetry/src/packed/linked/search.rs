//! The search among orders of elements that refinement leaves tied.
//!
//! A node is a sequence of chosen elements, each from the smallest tie that is not all twins; its children choose one
//! more. Only children whose colours have the least trace are followed, and of the leaves the least is the form. All
//! this depends on the orbit only, and so does the number of nodes, which is limited: automorphisms are not used to cut
//! the tree here, so that a state with many of them is better left to the general method.
//!
//! Chosen elements come first in their domain, in the order of choice. So equal leaves (of choices in the same domains)
//! have the chosen elements at equal places, and the permutation between them maps path to path: the number of leaves
//! that equal the least is the number of automorphisms, up to those that only exchange twins.

use super::colours::{COLOUR, spread};
use super::{Linked, ROOM};

/// The most nodes that are visited.
const MOST_NODES: u32 = 64;

/// What the search keeps.
#[derive(Clone, Debug)]
pub(super) struct Search {
    /// The form of the least leaf.
    pub form: Vec<u64>,
    /// The domains of its choices.
    domains: Vec<u8>,
    /// The domains of the choices at hand.
    path: Vec<u8>,
    /// How many leaves are like it.
    count: u128,
    /// The form of the leaf at hand.
    leaf: Vec<u64>,
    nodes: u32,
}

impl Search {
    pub fn new(words: usize) -> Self {
        let (form, leaf) = (vec![0; words], vec![0; words]);
        Search { form, leaf, domains: Vec::new(), path: Vec::new(), count: 0, nodes: 0 }
    }
}

impl Linked {
    /// Searches below the colours at hand; leaves form and ties behind and gives the number of leaves like the least;
    /// `None` if that takes too long.
    #[cold]
    pub(super) fn explore(&mut self, state: &[u64]) -> Option<u128> {
        self.search.count = 0;
        self.search.nodes = 0;
        self.search.path.clear();
        self.node(state)?;
        Some(self.search.count)
    }

    /// Visits a node whose refinement left ties.
    fn node(&mut self, state: &[u64]) -> Option<()> {
        let (domain, mut tie) = self.target();
        let colours = self.colours;
        // By element of the tie, the trace.
        let mut children = [(0u64, 0u8); ROOM];
        let mut count = 0;
        while tie != 0 {
            let element = tie.trailing_zeros() as usize;
            tie &= tie - 1;
            self.choose(element, &colours);
            children[count] = (self.trace(), element as u8);
            count += 1;
            self.chosen.pop();
            self.search.nodes += 1;
            if self.search.nodes > MOST_NODES {
                return None;
            }
        }
        let least = children[..count].iter().map(|(trace, _)| *trace).min().unwrap_or(0);
        self.search.path.push(domain);
        for (_, element) in children[..count].iter().filter(|(trace, _)| *trace == least) {
            if self.choose(*element as usize, &colours) {
                self.leaf(state);
            } else {
                self.node(state)?;
            }
            self.chosen.pop();
        }
        self.search.path.pop();
        Some(())
    }

    /// Chooses an element; whether that decides the order.
    fn choose(&mut self, element: usize, colours: &[u64; ROOM]) -> bool {
        self.colours = *colours;
        self.chosen.push(element as u8);
        self.colours[element] = spread(self.colours[element].wrapping_add(self.chosen.len() as u64));
        self.refine()
    }

    /// The domain and the elements of the smallest (then first) tie that is not all twins.
    fn target(&self) -> (u8, u64) {
        let mut best = (0, 0, usize::MAX);
        for (number, domain) in self.tables.domains.iter().enumerate() {
            let sorted = &self.sorted[domain.elements.clone()];
            for tie in sorted.chunk_by(|a, b| (a ^ b) & COLOUR == 0) {
                let twins = |pair: &[u64]| {
                    self.are_twins(pair[0] as usize % ROOM, pair[1] as usize % ROOM, domain.pieces.clone())
                };
                if tie.len() > 1 && tie.len() < best.2 && !tie.windows(2).all(twins) {
                    let set = tie.iter().fold(0, |set, s| set | 1 << (*s % ROOM as u64));
                    best = (number as u8, set, tie.len());
                }
            }
        }
        (best.0, best.1)
    }

    /// Compares the leaf of the order at hand with the least so far.
    fn leaf(&mut self, state: &[u64]) {
        let mut leaf = std::mem::take(&mut self.search.leaf);
        leaf.copy_from_slice(state);
        self.write(&mut leaf);
        let search = &mut self.search;
        let order = search.path.cmp(&search.domains).then_with(|| leaf.cmp(&search.form));
        if search.count == 0 || order.is_lt() {
            search.count = 1;
            search.domains.clone_from(&search.path);
            std::mem::swap(&mut search.form, &mut leaf);
            self.search.leaf = leaf;
            self.read_ties();
            return;
        }
        search.count += u128::from(order.is_eq());
        search.leaf = leaf;
    }
}
