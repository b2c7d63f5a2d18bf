//! The stored zones of a search, by discrete state: a new one is stored unless one that is stored covers it.

use std::collections::HashSet;

use foldhash::fast::RandomState;

use crate::explore::Covering;
use crate::kept::{UNPACKED, Unpacked};
use crate::waiting::Waiting;
use crate::zone::{Limits, PackedZone, Probe, Zone, pack};

/// A stored state.
#[derive(Clone, Debug)]
pub struct Node {
    /// Its discrete state.
    pub discrete: u32,
    /// Where its zone begins among the packed ones; it ends where the next begins.
    zone: usize,
    /// The node before it of the same discrete state that is not superseded.
    older: Option<u32>,
    /// From which node and by which step of its discrete state; itself for the first.
    pub parent: (u32, u32),
    /// Whether a larger one was stored later.
    pub superseded: bool,
}

/// The stored states.
pub struct Store {
    /// All of them, in the order in which they were found.
    pub nodes: Vec<Node>,
    /// The last node of each discrete state that is not superseded.
    newest: Vec<Option<u32>>,
    /// Their zones, packed, one after the other.
    packed: Vec<u8>,
    /// Where zones are told apart: those that are stored.
    seen: HashSet<(u32, PackedZone), RandomState>,
    /// How many no other covers.
    alive: usize,
    unpacked: Unpacked,
    probe: Probe,
}

impl Store {
    /// None yet, of zones with so many rows.
    pub fn new(dimension: usize) -> Store {
        Store {
            nodes: Vec::new(),
            newest: Vec::new(),
            packed: Vec::new(),
            seen: HashSet::default(),
            alive: 0,
            unpacked: Unpacked::new(dimension),
            probe: Probe::default(),
        }
    }

    /// How many are stored that no other covers.
    pub fn alive(&self) -> usize {
        self.alive
    }

    /// The zone of a stored state.
    pub fn zone(&mut self, node: u32) -> &Zone {
        let packed = packed(&self.packed, &self.nodes, node);
        self.unpacked.zone(node, &packed)
    }

    /// The bytes of the zone of a stored state.
    pub fn bytes_of(&self, node: u32) -> &[u8] {
        bytes_of(&self.packed, &self.nodes, node)
    }

    /// Makes room for another discrete state, the next one.
    pub fn add_place(&mut self) {
        self.newest.push(None);
    }

    /// Stores a zone of a discrete state unless it is covered; how many bytes that took. What it covers itself is superseded.
    pub fn add(
        &mut self,
        (discrete, zone): (u32, &Zone),
        (covering, limits): (Covering, &Limits),
        parent: (u32, u32),
        waiting: &mut Waiting,
    ) -> Option<u64> {
        let covered = match covering {
            Covering::Equality => !self.seen.insert((discrete, PackedZone::new(zone))),
            Covering::Inclusion => self.is_included(discrete, zone, waiting),
            Covering::Simulation => self.is_simulated(discrete, zone, limits, waiting),
        };
        if covered {
            return None;
        }
        let (number, start) = (self.nodes.len() as u32, self.packed.len());
        pack(zone, &mut self.packed);
        let older = self.newest[discrete as usize].replace(number);
        self.nodes.push(Node { discrete, zone: start, older, parent, superseded: false });
        self.alive += 1;
        waiting.add(number, zone);
        Some((self.packed.len() - start + size_of::<Node>()) as u64)
    }

    /// What is computed again when needed takes no more than a part of what is stored, in bytes.
    pub fn grow(&mut self, stored: u64) {
        self.unpacked.grow(self.nodes.len(), (stored as usize / 4).max(UNPACKED));
    }

    fn is_included(&mut self, discrete: u32, zone: &Zone, waiting: &Waiting) -> bool {
        let (mut next, mut newer) = (self.newest[discrete as usize], None);
        while let Some(node) = next {
            let stored = packed(&self.packed, &self.nodes, node);
            if stored.includes(zone) {
                return true;
            }
            let covers = zone.includes(self.unpacked.zone(node, &stored));
            next = self.pass(node, &mut newer, covers, waiting);
        }
        false
    }

    fn is_simulated(&mut self, discrete: u32, zone: &Zone, limits: &Limits, waiting: &Waiting) -> bool {
        self.probe.renew();
        let (mut next, mut newer) = (self.newest[discrete as usize], None);
        while let Some(node) = next {
            let stored = packed(&self.packed, &self.nodes, node);
            let (covered, covers) = match stored.as_matrix() {
                Some(matrix) => match self.probe.is_covered(&matrix, zone, limits) {
                    true => (Some(true), None),
                    false => (Some(false), self.probe.covers(&matrix, zone, limits)),
                },
                None if self.unpacked.known(node).is_some() => (None, None),
                None => (stored.simulates_at_sight(zone, limits), None),
            };
            let unpacked = &mut self.unpacked;
            if covered.unwrap_or_else(|| unpacked.zone(node, &stored).simulates(zone, limits)) {
                return true;
            }
            let covers = covers.unwrap_or_else(|| zone.simulates(unpacked.zone(node, &stored), limits));
            next = self.pass(node, &mut newer, covers, waiting);
        }
        false
    }

    /// Goes on to the node before; leaves this one out if a new zone covers it. That the new one is covered itself by one
    /// that comes later is no harm: so is then all that was left out.
    fn pass(&mut self, node: u32, newer: &mut Option<u32>, covers: bool, waiting: &Waiting) -> Option<u32> {
        let older = self.nodes[node as usize].older;
        self.nodes[node as usize].superseded = covers && !waiting.keeps(node);
        if !covers {
            *newer = Some(node);
            return older;
        }
        self.alive -= 1;
        match newer {
            Some(newer) => self.nodes[*newer as usize].older = older,
            None => {
                let discrete = self.nodes[node as usize].discrete;
                self.newest[discrete as usize] = older;
            }
        }
        older
    }
}

fn packed<'b>(bytes: &'b [u8], nodes: &[Node], node: u32) -> PackedZone<&'b [u8]> {
    PackedZone::of(bytes_of(bytes, nodes, node))
}

fn bytes_of<'b>(bytes: &'b [u8], nodes: &[Node], node: u32) -> &'b [u8] {
    let end = nodes.get(node as usize + 1).map_or(bytes.len(), |next| next.zone);
    &bytes[nodes[node as usize].zone..end]
}
