//! What a formula is decided on: stored states, with the values that the formula follows and, for LTL, the state of an
//! automaton beside them.
//!
//! A node (r, y, q) stands for all pairs of a state θ·r and values θ·y. A step of r by π to r' leads to (r', π·y, q'), where
//! the automaton, which reads r with values y, goes from q to q'. Nothing of this is stored: nodes are numbers, and their
//! hops are made from the edges of the graph each time.

use burnside_logic::ltl::Buchi;

use super::facts::Facts;
use super::labelled::{BEYOND, Labelled};
use super::tuples::Tuples;
use crate::liveness::StateId;

/// A node, by number.
pub type Node = u32;

/// An automaton, and what it looks at.
pub struct Automaton {
    /// The automaton; it has at most 64 acceptance sets.
    pub buchi: Buchi,
    /// Per tuple, for each atom the condition that it is with those values.
    pub conditions: Vec<Vec<usize>>,
}

/// A step between nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Hop {
    pub from: Node,
    pub to: Node,
    /// By this edge; none if nothing can happen, so that the state stays as it is.
    pub edge: Option<u64>,
    /// The acceptance sets that it does not belong to, as bits.
    pub missed: u64,
}

/// Where in the hops of a node one is.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cursor {
    transition: u32,
    edge: u32,
}

/// All nodes and hops.
#[derive(Clone, Copy)]
pub struct Arena<'a> {
    pub graph: &'a Labelled,
    /// Where conditions hold.
    pub facts: &'a Facts,
    /// The values that are followed.
    pub tuples: &'a Tuples,
    /// The automaton, if there is one.
    pub automaton: Option<&'a Automaton>,
}

impl Arena<'_> {
    /// How many states the automaton has.
    fn depth(&self) -> usize {
        self.automaton.map_or(1, |automaton| automaton.buchi.states.len())
    }

    /// How many nodes there are; none if they are too many to be numbered.
    pub fn nodes(&self) -> Option<usize> {
        let pairs = self.graph.states().checked_mul(self.tuples.list.len())?;
        pairs.checked_mul(self.depth()).filter(|nodes| *nodes < Node::MAX as usize)
    }

    /// The acceptance sets, as bits.
    pub fn acceptance(&self) -> u64 {
        let sets = self.automaton.map_or(0, |automaton| automaton.buchi.acceptance);
        (0..sets).fold(0, |bits, set| bits | 1 << set)
    }

    /// The stored state, tuple and automaton state of a node.
    pub fn parts(&self, node: Node) -> (StateId, usize, usize) {
        let (pair, state) = (node as usize / self.depth(), node as usize % self.depth());
        let width = self.tuples.list.len();
        ((pair / width) as StateId, pair % width, state)
    }

    /// The node of a stored state, tuple and automaton state.
    pub fn node(&self, stored: StateId, tuple: usize, state: usize) -> Node {
        ((stored as usize * self.tuples.list.len() + tuple) * self.depth() + state) as Node
    }

    /// The next hop of a node, to what is explored.
    pub fn next(&self, from: Node, cursor: &mut Cursor) -> Option<Hop> {
        loop {
            let (hop, inside) = self.any(from, cursor)?;
            if inside {
                return Some(hop);
            }
        }
    }

    /// The next hop, and whether it leads to what is explored.
    fn any(&self, from: Node, cursor: &mut Cursor) -> Option<(Hop, bool)> {
        let (stored, tuple, state) = self.parts(from);
        let out = self.graph.out(stored);
        let stays = out.is_empty();
        let (mut then, mut missed) = (0, 0);
        match self.automaton {
            None if cursor.transition > 0 => return None,
            None => {}
            Some(automaton) => {
                let conditions = &automaton.conditions[tuple];
                loop {
                    let transition = automaton.buchi.states[state].get(cursor.transition as usize)?;
                    let holds = |(atom, wanted): &(usize, bool)| {
                        self.facts.holds(conditions[*atom], stored) == *wanted
                    };
                    if cursor.edge > 0 || transition.guard.iter().all(holds) {
                        then = transition.to;
                        missed = transition.missed.iter().fold(0, |bits, set| bits | 1 << set);
                        break;
                    }
                    cursor.transition += 1;
                }
            }
        }
        let edge = (!stays).then_some(out.start + u64::from(cursor.edge));
        cursor.edge += 1;
        if stays || u64::from(cursor.edge) >= out.end - out.start {
            *cursor = Cursor { transition: cursor.transition + 1, edge: 0 };
        }
        let (to, tuple) = match edge {
            None => (stored, tuple),
            Some(edge) => {
                let edge = self.graph.edge(edge);
                (edge.to, self.tuples.to[self.graph.kind(edge.kind).label as usize][tuple] as usize)
            }
        };
        Some((Hop { from, to: self.node(to, tuple, then), edge, missed }, to != BEYOND))
    }

    pub fn hops(&self, from: Node) -> impl Iterator<Item = Hop> + '_ {
        let mut cursor = Cursor::default();
        std::iter::from_fn(move || self.next(from, &mut cursor))
    }
}
