//! What a formula is decided on: stored states, with the values that the formula follows and, for LTL, the state of an
//! automaton beside them.
//!
//! A node (r, y, q) stands for all pairs of a state θ·r and values θ·y. A step of r by π to r' leads to (r', π·y, q'), where
//! the automaton, which reads r with values y, goes from q to q'. Nothing of this is stored: nodes are numbers, and their
//! hops are made from the edges of the graph each time.

use burnside_logic::ltl::{Buchi, Transition};

use super::facts::Facts;
use super::labelled::{BEYOND, Edge, Labelled};
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
    /// The kind of that edge.
    pub kind: Option<u32>,
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

    /// The hops of a node to what is explored.
    pub fn hops(&self, from: Node) -> Hops<'_> {
        self.hops_after(from, Cursor::default())
    }

    /// The same, without those before some place.
    pub fn hops_after(&self, from: Node, cursor: Cursor) -> Hops<'_> {
        let (stored, tuple, state) = self.parts(from);
        let transitions = self.automaton.map(|automaton| automaton.buchi.states[state].as_slice());
        let conditions = self.automaton.map_or(&[][..], |automaton| &automaton.conditions[tuple]);
        let out = self.graph.out(stored);
        let edges = self.graph.edges_in(out.clone());
        let depth = self.depth();
        let now = None;
        Hops {
            arena: self,
            from,
            stored,
            tuple,
            depth,
            first: out.start,
            edges,
            transitions,
            conditions,
            cursor,
            now,
        }
    }
}

/// The hops of a node, one after the other. What they have in common is found once.
pub struct Hops<'a> {
    arena: &'a Arena<'a>,
    from: Node,
    stored: StateId,
    tuple: usize,
    /// How many states the automaton has.
    depth: usize,
    /// The number of the first edge of the state.
    first: u64,
    edges: &'a [Edge],
    /// The transitions of the automaton, if there is one.
    transitions: Option<&'a [Transition]>,
    /// The conditions that the automaton's atoms are.
    conditions: &'a [usize],
    cursor: Cursor,
    /// Of the transition at the cursor, once it is known to be possible: where it leads, and what it misses.
    now: Option<(usize, u64)>,
}

impl Hops<'_> {
    /// Where the next one is.
    pub fn cursor(&self) -> Cursor {
        self.cursor
    }

    /// The transition at the cursor, or the next one that is possible.
    fn transition(&mut self) -> Option<(usize, u64)> {
        if self.now.is_some() {
            return self.now;
        }
        let Some(transitions) = self.transitions else {
            self.now = (self.cursor.transition == 0).then_some((0, 0));
            return self.now;
        };
        let facts = self.arena.facts;
        loop {
            let transition = transitions.get(self.cursor.transition as usize)?;
            let holds =
                |(atom, wanted): &(usize, bool)| facts.holds(self.conditions[*atom], self.stored) == *wanted;
            if self.cursor.edge > 0 || transition.guard.iter().all(holds) {
                self.now =
                    Some((transition.to, transition.missed.iter().fold(0, |bits, set| bits | 1 << set)));
                return self.now;
            }
            self.cursor.transition += 1;
        }
    }
}

impl Iterator for Hops<'_> {
    type Item = Hop;

    fn next(&mut self) -> Option<Hop> {
        loop {
            let (then, missed) = self.transition()?;
            let number = self.cursor.edge;
            self.cursor.edge += 1;
            if self.cursor.edge as usize >= self.edges.len() {
                self.cursor = Cursor { transition: self.cursor.transition + 1, edge: 0 };
                self.now = None;
            }
            let tuples = self.arena.tuples;
            let (to, tuple, edge, kind) = match self.edges.get(number as usize) {
                None => (self.stored, self.tuple, None, None),
                Some(Edge { to: BEYOND, .. }) => continue,
                Some(edge) => {
                    let label = self.arena.graph.kind(edge.kind).label as usize;
                    let tuple = tuples.to(label, self.tuple);
                    (edge.to, tuple, Some(self.first + u64::from(number)), Some(edge.kind))
                }
            };
            let to = ((to as usize * tuples.list.len() + tuple) * self.depth + then) as Node;
            return Some(Hop { from: self.from, to, edge, kind, missed });
        }
    }
}
