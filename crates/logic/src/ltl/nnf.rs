//! Formulas of LTL in negation normal form, each stored once and simplified as it is made.

use std::collections::HashMap;

/// A formula, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Id(pub u32);

/// What a formula says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Node {
    /// Always true, or never.
    Constant(bool),
    /// An atom, or its negation if `false`.
    Literal(usize, bool),
    And(Id, Id),
    Or(Id, Id),
    /// In the next state.
    Next(Id),
    /// The second some time, the first until then.
    Until(Id, Id),
    /// The second up to and including when the first holds, or for ever.
    Release(Id, Id),
}

/// A store of formulas.
#[derive(Clone, Debug, Default)]
pub struct Nnf {
    nodes: Vec<Node>,
    known: HashMap<Node, Id>,
}

impl Nnf {
    /// What a formula says.
    pub fn node(&self, id: Id) -> Node {
        self.nodes[id.0 as usize]
    }

    /// Every formula that was made.
    pub fn ids(&self) -> impl Iterator<Item = Id> + use<> {
        (0..self.nodes.len() as u32).map(Id)
    }

    fn make(&mut self, node: Node) -> Id {
        *self.known.entry(node).or_insert_with(|| {
            self.nodes.push(node);
            Id(self.nodes.len() as u32 - 1)
        })
    }

    fn is(&self, id: Id, value: bool) -> bool {
        self.node(id) == Node::Constant(value)
    }

    /// Whether one is the negation of the other, as far as is easily seen.
    fn opposite(&self, a: Id, b: Id) -> bool {
        match (self.node(a), self.node(b)) {
            (Node::Literal(a, yes), Node::Literal(b, no)) => a == b && yes != no,
            _ => false,
        }
    }

    /// True or false.
    pub fn constant(&mut self, value: bool) -> Id {
        self.make(Node::Constant(value))
    }

    /// An atom or its negation.
    pub fn literal(&mut self, atom: usize, positive: bool) -> Id {
        self.make(Node::Literal(atom, positive))
    }

    pub fn and(&mut self, a: Id, b: Id) -> Id {
        match (a.min(b), a.max(b)) {
            (a, b) if a == b => a,
            (a, b) if self.is(a, false) || self.is(b, false) || self.opposite(a, b) => self.constant(false),
            (a, b) if self.is(a, true) => b,
            (a, b) if self.is(b, true) => a,
            (a, b) => self.make(Node::And(a, b)),
        }
    }

    pub fn or(&mut self, a: Id, b: Id) -> Id {
        match (a.min(b), a.max(b)) {
            (a, b) if a == b => a,
            (a, b) if self.is(a, true) || self.is(b, true) || self.opposite(a, b) => self.constant(true),
            (a, b) if self.is(a, false) => b,
            (a, b) if self.is(b, false) => a,
            (a, b) => self.make(Node::Or(a, b)),
        }
    }

    /// In the next state.
    pub fn next(&mut self, a: Id) -> Id {
        match self.node(a) {
            Node::Constant(_) => a,
            _ => self.make(Node::Next(a)),
        }
    }

    /// `a U b`
    pub fn until(&mut self, a: Id, b: Id) -> Id {
        match (self.node(a), self.node(b)) {
            (_, Node::Constant(_)) => b,
            (Node::Constant(false), _) => b,
            _ if a == b => b,
            // F F b = F b, and a U (a U b) = a U b
            (_, Node::Until(c, _)) if c == a => b,
            _ => self.make(Node::Until(a, b)),
        }
    }

    /// `a R b`
    pub fn release(&mut self, a: Id, b: Id) -> Id {
        match (self.node(a), self.node(b)) {
            (_, Node::Constant(_)) => b,
            (Node::Constant(true), _) => b,
            _ if a == b => b,
            (_, Node::Release(c, _)) if c == a => b,
            _ => self.make(Node::Release(a, b)),
        }
    }
}
