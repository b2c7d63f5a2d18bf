//! The graph of all stored states, backwards: the steps into each, with their renamings.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use burnside_model::Limit;
use burnside_model::code::DomainId;
use burnside_model::system::TimeUp;

use super::{StateId, States};
use crate::indexed::Renaming;
use crate::{Indexed, shares};

/// The new names of all elements, domain after domain.
pub(super) type Label = Vec<u32>;

/// The steps between stored states, reversed.
pub(super) struct Graph {
    /// Where the steps into a state begin in `edges`; one more than there are states.
    starts: Vec<u64>,
    /// The state a step comes from, and its renaming.
    edges: Vec<(StateId, u32)>,
    /// All renamings that occur; the first is the identity.
    pub labels: Vec<Label>,
    /// Where the elements of a domain begin in a label.
    pub domains: Vec<usize>,
}

/// The steps of some states.
struct Part {
    labels: Vec<Label>,
    numbers: HashMap<Label, u32>,
    /// From, renaming, to.
    steps: Vec<(StateId, u32, StateId)>,
}

impl Part {
    fn new(identity: &Label) -> Part {
        let numbers = HashMap::from([(identity.clone(), 0)]);
        Part { labels: vec![identity.clone()], numbers, steps: Vec::new() }
    }

    fn number(&mut self, label: Label) -> u32 {
        *self.numbers.entry(label).or_insert_with_key(|label| {
            self.labels.push(label.clone());
            self.labels.len() as u32 - 1
        })
    }

    /// Computes the steps of some states; if the renamings matter, `sizes` are those of the domains.
    fn add<S: Indexed>(
        &mut self,
        system: &mut S,
        store: &mut States<'_>,
        states: Range<StateId>,
        sizes: Option<&[u32]>,
        room: u64,
    ) -> Result<(), Limit> {
        let name = |renaming: &Renaming<'_>| -> Option<Label> {
            let of = |(d, size): (usize, &u32)| {
                (0..*size).map(move |e| renaming(DomainId(d as u32), e)).collect::<Vec<_>>()
            };
            sizes.map(|sizes| sizes.iter().enumerate().flat_map(of).collect())
        };
        let (mut state, mut full) = (Vec::new(), false);
        for from in states {
            store.read(from, &mut state);
            let first = self.steps.len();
            let stepped = system.labelled(&state, &mut |next, renaming| {
                let number = name(renaming).map_or(0, |label| self.number(label));
                // Twelve bytes each, twice while the list grows; reversed, another eight.
                full = self.steps.len() == self.steps.capacity() && 64 * self.steps.len() as u64 > room;
                match store.find(next) {
                    _ if full => return ControlFlow::Break(()),
                    Some(to) => self.steps.push((from, number, to)),
                    None => {}
                }
                ControlFlow::Continue(())
            });
            stepped.map_err(|TimeUp| Limit::Time)?;
            if full {
                return Err(Limit::Memory);
            }
            self.steps[first..].sort_unstable();
            let mut kept = first;
            for i in first..self.steps.len() {
                if i == first || self.steps[i] != self.steps[kept - 1] {
                    self.steps[kept] = self.steps[i];
                    kept += 1;
                }
            }
            self.steps.truncate(kept);
        }
        Ok(())
    }

    /// Takes over the steps of other states.
    fn take(&mut self, other: Part) {
        let numbers: Vec<u32> = other.labels.into_iter().map(|label| self.number(label)).collect();
        let renumbered = |(from, label, to): (StateId, u32, StateId)| (from, numbers[label as usize], to);
        self.steps.extend(other.steps.into_iter().map(renumbered));
    }
}

impl Graph {
    /// Computes all steps, by several threads.
    pub fn build<S: Indexed>(
        system: &mut S,
        store: &mut States<'_>,
        tracked: bool,
        threads: usize,
    ) -> Result<Graph, Limit> {
        let sizes: Vec<_> = system.model().types.domains.iter().map(|d| d.size).collect();
        let mut domains = Vec::new();
        let mut identity = Vec::new();
        for size in &sizes {
            domains.push(identity.len());
            identity.extend(0..*size);
        }
        let room = store.store.available() / threads.max(1) as u64;
        let shares = shares::each(system, store, threads, &|system, store, share| {
            let mut part = Part::new(&identity);
            part.add(system, store, share, tracked.then_some(&sizes[..]), room)?;
            Ok(part)
        })?;
        let mut all = Part::new(&identity);
        shares.into_iter().for_each(|part| all.take(part));
        Ok(Graph::reverse(&all.steps, store.len() as usize, all.labels, domains))
    }

    fn reverse(
        steps: &[(StateId, u32, StateId)],
        states: usize,
        labels: Vec<Label>,
        domains: Vec<usize>,
    ) -> Graph {
        let mut starts = vec![0u64; states + 1];
        for (.., to) in steps {
            starts[*to as usize + 1] += 1;
        }
        for i in 0..states {
            starts[i + 1] += starts[i];
        }
        let mut next = starts.clone();
        let mut edges = vec![(0, 0); steps.len()];
        for (from, label, to) in steps {
            edges[next[*to as usize] as usize] = (*from, *label);
            next[*to as usize] += 1;
        }
        Graph { starts, edges, labels, domains }
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        (self.starts.len() * 8 + self.edges.len() * 8) as u64
    }

    /// Where the steps into a state come from.
    pub fn into(&self, state: StateId) -> &[(StateId, u32)] {
        let at = state as usize;
        &self.edges[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}
