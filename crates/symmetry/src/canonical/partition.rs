//! Ordered partitions of the elements, and their refinement.
//!
//! A cell is named by the position of its first element; splitting keeps the parts in its place, in the order of their
//! hashes. So the position of an individualised element never changes below, and different paths of the search end in
//! different orders of the elements: counting leaves counts automorphisms.
//!
//! Source: colour refinement as in canonical labelling programs (McKay), on hyperedges.

use super::graph::{Graph, mix};

/// An ordered partition of the elements into cells.
#[derive(Clone, Debug, Default)]
pub(super) struct Partition {
    /// The elements, cell after cell.
    pub order: Vec<u32>,
    /// Per element, where its cell starts.
    pub cell: Vec<u32>,
    /// Per start of a cell, how many elements it has.
    pub len: Vec<u32>,
    pub count: usize,
}

impl Partition {
    /// The coarsest partition: one cell per joint domain; elements of other domains are alone.
    pub fn new(sizes: &[u32], joint: &[bool]) -> Self {
        let mut new = Partition::default();
        for (size, joint) in sizes.iter().zip(joint) {
            let first = new.order.len() as u32;
            for element in first..first + size {
                new.order.push(element);
                new.cell.push(if *joint { first } else { element });
                new.len.push(if *joint { *size } else { 1 });
            }
            new.count += if *joint { usize::from(*size > 0) } else { *size as usize };
        }
        new
    }

    /// Becomes a copy, without allocating.
    pub fn copy_from(&mut self, other: &Partition) {
        self.order.clone_from(&other.order);
        self.cell.clone_from(&other.cell);
        self.len.clone_from(&other.len);
        self.count = other.count;
    }

    /// Whether every cell has one element.
    pub fn is_discrete(&self) -> bool {
        self.count == self.order.len()
    }

    /// The elements of the cell that starts here.
    pub fn members(&self, start: usize) -> &[u32] {
        &self.order[start..start + self.len[start] as usize]
    }

    /// The starts of the cells with more than one element.
    pub fn open_cells(&self) -> impl Iterator<Item = usize> + '_ {
        let mut next = 0;
        std::iter::from_fn(move || {
            while next < self.order.len() {
                let start = next;
                next += self.len[start] as usize;
                if self.len[start] > 1 {
                    return Some(start);
                }
            }
            None
        })
    }

    /// The smallest (then first) cell whose elements are not all twins of each other.
    pub fn target(&self, twin: &[u32]) -> Option<usize> {
        self.open_cells()
            .filter(|start| {
                let members = self.members(*start);
                members.iter().any(|m| twin[*m as usize] != twin[members[0] as usize])
            })
            .min_by_key(|start| self.len[*start])
    }

    /// Puts one element of the cell that starts here before the others.
    pub fn individualise(&mut self, start: usize, element: u32) {
        let end = start + self.len[start] as usize;
        if let Some(at) = self.order[start..end].iter().position(|e| *e == element) {
            self.order.swap(start, start + at);
            self.len[start] = 1;
            self.len[start + 1] = (end - start - 1) as u32;
            for i in start + 1..end {
                self.cell[self.order[i] as usize] = start as u32 + 1;
            }
            self.count += 1;
        }
    }

    /// Splits every cell by the hashes of its elements.
    fn split(&mut self, hash: &[u64]) {
        let mut start = 0;
        while start < self.order.len() {
            let end = start + self.len[start] as usize;
            if end - start > 1 {
                self.order[start..end].sort_unstable_by_key(|e| hash[*e as usize]);
                let mut part = start;
                for i in start + 1..end {
                    let element = self.order[i] as usize;
                    if hash[element] != hash[self.order[i - 1] as usize] {
                        self.len[part] = (i - part) as u32;
                        part = i;
                        self.count += 1;
                    }
                    self.cell[element] = part as u32;
                }
                self.len[part] = (end - part) as u32;
            }
            start = end;
        }
    }
}

/// The scratch space of refinement.
#[derive(Clone, Debug)]
pub(super) struct Refiner {
    /// Per position, the colour of a cell that starts there.
    colour_at: Vec<u64>,
    /// Per element, its colour.
    colour: Vec<u64>,
    /// Per element, the hash of what surrounds it.
    hash: Vec<u64>,
}

impl Refiner {
    /// For this many elements.
    pub fn new(elements: usize) -> Self {
        let colour_at = (0..elements as u64).map(|i| mix(i.wrapping_add(0x51_7cc1_b727_220a))).collect();
        Refiner { colour_at, colour: vec![0; elements], hash: vec![0; elements] }
    }

    /// Splits by what elements have on their own, then refines.
    pub fn start(&mut self, partition: &mut Partition, graph: &Graph) {
        partition.split(&graph.initial);
        if graph.has_edges() {
            while !partition.is_discrete() && self.round(partition, graph) {}
        }
    }

    /// Refines until no cell splits. The hash of what was seen is returned: it is the same for paths of the search that
    /// an automorphism maps to each other.
    pub fn refine(&mut self, partition: &mut Partition, graph: &Graph) -> u64 {
        let mut trace = 0;
        loop {
            let more = self.round(partition, graph);
            let seen = self.hash.iter().zip(&self.colour).map(|(h, c)| mix(h ^ c));
            trace = mix(seen.fold(trace, u64::wrapping_add).wrapping_add(partition.count as u64));
            if !more || partition.is_discrete() {
                return trace;
            }
        }
    }

    /// One round: every element takes in the colours of the elements that it shares an edge with.
    fn round(&mut self, partition: &mut Partition, graph: &Graph) -> bool {
        for (colour, cell) in self.colour.iter_mut().zip(&partition.cell) {
            *colour = self.colour_at[*cell as usize];
        }
        self.hash.fill(0);
        for edge in &graph.edges {
            let (a, b) = (edge.a as usize, edge.b as usize);
            let seen = self.colour[a].wrapping_add(self.colour[b].rotate_left(21));
            let seen = mix(edge.label.wrapping_add(seen));
            self.hash[a] = self.hash[a].wrapping_add(seen);
            self.hash[b] = self.hash[b].wrapping_add(seen.wrapping_mul(0xc2b2_ae3d_27d4_eb4f));
        }
        for hyper in &graph.hypers {
            let members = &graph.members[hyper.from as usize..hyper.to as usize];
            let seen =
                members.iter().fold(hyper.label, |seen, m| mix(seen).wrapping_add(self.colour[*m as usize]));
            for (i, m) in members.iter().enumerate() {
                let hash = &mut self.hash[*m as usize];
                *hash = hash.wrapping_add(mix(seen.wrapping_add(i as u64)));
            }
        }
        let before = partition.count;
        partition.split(&self.hash);
        partition.count > before
    }
}
