//! A state as a coloured hypergraph over the elements of the active domains.
//!
//! Every cell is an edge: what it is (its position with the domain indices left out), its index elements in order, and
//! its content, which is plain or again an element. An edge with one element only colours it; the others take part in
//! the refinement. Slots of a multiset have no order, so a slot is one edge over all the elements in it, and what it is
//! does not tell which slot it is.
//!
//! Everything is summed as 64-bit hashes that do not depend on the names of the elements. A collision costs time, never
//! correctness: leaves are compared as states, and twins are verified.

use burnside_model::code::Cell;

use crate::layout::Layout;

/// Spreads a sum over all 64 bits.
#[inline]
pub(crate) fn mix(x: u64) -> u64 {
    let x = (x ^ (x >> 32)).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let x = (x ^ (x >> 32)).wrapping_mul(0xff51_afd7_ed55_8ccd);
    x ^ (x >> 33)
}

/// Stands for "an element is here" in the hash of an edge.
const ELEMENT: u64 = 0x9e37_79b9_7f4a_7c15;

/// A cell with its hash, and (where it has exactly one or two) its index elements.
#[derive(Clone, Copy, Debug)]
struct Entry {
    cell: u32,
    a: u32,
    b: u32,
    salt: u64,
}

/// A slot of a mixed multiset: a range of cells.
#[derive(Clone, Copy, Debug)]
struct Slot {
    first: u32,
    end: u32,
    salt: u64,
}

/// An edge between two elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub label: u64,
    pub a: u32,
    pub b: u32,
}

/// An edge with more elements: a range of [`Graph::members`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Hyper {
    pub label: u64,
    pub from: u32,
    pub to: u32,
}

/// The hypergraph of one state, with the tables from which it is rebuilt for each.
#[derive(Clone, Debug)]
pub(super) struct Graph {
    /// Plain cells of one element.
    own: Vec<Entry>,
    /// Id cells of no element.
    global: Vec<Entry>,
    /// Id cells of one element.
    local: Vec<Entry>,
    /// Plain cells of two different elements.
    pairs: Vec<Entry>,
    /// All other cells with elements.
    rest: Vec<Entry>,
    slots: Vec<Slot>,

    /// Per element, the hash of the edges that have no other.
    pub initial: Vec<u64>,
    /// Per element, how many cells outside mixed multisets hold it.
    pub held: Vec<u32>,
    /// Per element, whether a slot of a mixed multiset mentions it.
    pub in_slot: Vec<bool>,
    /// The edges of two elements.
    pub edges: Vec<Edge>,
    /// The edges of more.
    pub hypers: Vec<Hyper>,
    /// The elements of the latter.
    pub members: Vec<u32>,
}

impl Graph {
    /// The tables for the elements of the domains that `joint` says; cells of the others do not appear.
    pub fn new(layout: &Layout, joint: &[bool]) -> Self {
        let elements = layout.elements();
        let mut graph = Graph {
            own: Vec::new(),
            global: Vec::new(),
            local: Vec::new(),
            pairs: Vec::new(),
            rest: Vec::new(),
            slots: Vec::new(),
            initial: vec![0; elements],
            held: vec![0; elements],
            in_slot: vec![false; elements],
            edges: Vec::new(),
            hypers: Vec::new(),
            members: Vec::new(),
        };
        for (cell, shape) in (0..).zip(&layout.cells) {
            let salt = mix(u64::from(shape.kind).wrapping_mul(ELEMENT).wrapping_add(1));
            let entry = |a, b, salt| Entry { cell, a, b, salt };
            if let Some(first) = shape.slot {
                match graph.slots.last_mut() {
                    Some(slot) if slot.first == first => slot.end = cell + 1,
                    _ => graph.slots.push(Slot { first, end: cell + 1, salt }),
                }
                continue;
            }
            let holds_ids = shape.ids.0 < shape.ids.1;
            match (layout.terms_of(cell), holds_ids) {
                ([], false) => {}
                ([], true) => graph.global.push(entry(0, 0, salt)),
                ([t], false) if !joint[layout.domain_of(t.element)] => {}
                ([t], false) => graph.own.push(entry(t.element, 0, salt)),
                ([t], true) => graph.local.push(entry(t.element, 0, salt)),
                ([s, t], false) if s.element == t.element => {
                    graph.own.push(entry(t.element, 0, mix(salt ^ ELEMENT)));
                }
                ([s, t], false) => graph.pairs.push(entry(s.element, t.element, salt)),
                _ => graph.rest.push(entry(0, 0, salt)),
            }
        }
        graph
    }

    /// Whether a refinement can still tell elements of equal colour apart.
    pub fn has_edges(&self) -> bool {
        !self.edges.is_empty() || !self.hypers.is_empty()
    }

    pub fn load(&mut self, layout: &Layout, state: &[Cell]) {
        self.initial.fill(0);
        self.held.fill(0);
        self.in_slot.fill(false);
        self.edges.clear();
        self.hypers.clear();
        self.members.clear();
        for entry in &self.own {
            let value = state[entry.cell as usize] as u64;
            add(&mut self.initial[entry.a as usize], mix(entry.salt.wrapping_add(value)));
        }
        for entry in &self.global {
            if let Some(element) = layout.element_in(entry.cell, state[entry.cell as usize]) {
                self.held[element as usize] += 1;
                add(&mut self.initial[element as usize], entry.salt);
            }
        }
        for entry in &self.local {
            let value = state[entry.cell as usize];
            let owner = entry.a as usize;
            match layout.element_in(entry.cell, value) {
                None => add(&mut self.initial[owner], mix(entry.salt.wrapping_add(value as u64))),
                Some(element) => {
                    self.held[element as usize] += 1;
                    if element == entry.a {
                        add(&mut self.initial[owner], mix(entry.salt ^ ELEMENT));
                    } else {
                        self.edges.push(Edge { label: entry.salt, a: entry.a, b: element });
                    }
                }
            }
        }
        for entry in &self.pairs {
            // All pairs have a cell, so the 0s are known from the rest.
            let value = state[entry.cell as usize];
            if value != 0 {
                let label = mix(entry.salt.wrapping_add(value as u64));
                self.edges.push(Edge { label, a: entry.a, b: entry.b });
            }
        }
        for i in 0..self.rest.len() {
            let Entry { cell, salt, .. } = self.rest[i];
            let from = self.members.len();
            self.members.extend(layout.terms_of(cell).iter().map(|t| t.element));
            let value = state[cell as usize];
            match layout.element_in(cell, value) {
                Some(element) => {
                    self.held[element as usize] += 1;
                    self.members.push(element);
                    self.add_edge(salt, from);
                }
                None => self.add_edge(mix(salt.wrapping_add(value as u64)), from),
            }
        }
        for i in 0..self.slots.len() {
            self.load_slot(layout, state, self.slots[i]);
        }
    }

    /// One edge for the slot, and one more for each of its cells that has an index inside the slot.
    fn load_slot(&mut self, layout: &Layout, state: &[Cell], slot: Slot) {
        if state[slot.first as usize] != 1 {
            return;
        }
        let outer = layout.cells[slot.first as usize].outer as usize;
        let inner = |cell: u32| &layout.terms_of(cell)[outer..];
        let from = self.members.len();
        self.members.extend(layout.terms_of(slot.first).iter().map(|t| t.element));
        let (mut label, mut inside) = (slot.salt, 0u64);
        for cell in slot.first + 1..slot.end {
            let value = state[cell as usize];
            let element = layout.element_in(cell, value);
            let content = if element.is_some() { ELEMENT } else { mix(value as u64) };
            if let Some(element) = element {
                self.in_slot[element as usize] = true;
            }
            if inner(cell).is_empty() {
                label = mix(label.wrapping_add(content));
                self.members.extend(element);
            } else {
                let kind = u64::from(layout.cells[cell as usize].kind);
                inside = inside.wrapping_add(mix(content ^ kind));
            }
        }
        let label = mix(label.wrapping_add(inside));
        let to = self.members.len();
        for cell in slot.first + 1..slot.end {
            if inner(cell).is_empty() {
                continue;
            }
            let value = state[cell as usize];
            let kind = u64::from(layout.cells[cell as usize].kind);
            let start = self.members.len();
            self.members.extend_from_within(from..to);
            for term in inner(cell) {
                self.in_slot[term.element as usize] = true;
                self.members.push(term.element);
            }
            let content = match layout.element_in(cell, value) {
                Some(element) => {
                    self.members.push(element);
                    ELEMENT
                }
                None => mix(value as u64),
            };
            self.add_edge(mix(label ^ content).wrapping_add(mix(kind)), start);
        }
        if to == self.members.len() {
            self.add_edge(label, from);
        } else if from < to {
            self.hypers.push(Hyper { label, from: from as u32, to: to as u32 });
        }
    }

    /// Adds the edge whose elements are at the end of `members`.
    fn add_edge(&mut self, label: u64, from: usize) {
        match self.members[from..] {
            [] => {}
            [a, b] if a != b => {
                self.edges.push(Edge { label, a, b });
                self.members.truncate(from);
            }
            [a, ref more @ ..] if more.iter().all(|b| *b == a) => {
                add(&mut self.initial[a as usize], mix(label ^ ELEMENT));
                self.members.truncate(from);
            }
            _ => self.hypers.push(Hyper { label, from: from as u32, to: self.members.len() as u32 }),
        }
    }
}

#[inline]
fn add(sum: &mut u64, term: u64) {
    *sum = sum.wrapping_add(term);
}
