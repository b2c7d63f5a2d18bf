//! The graph of all stored states, backwards: the steps into each, with their renamings.

use std::collections::HashMap;
use std::ops::ControlFlow;

use burnside_model::Limit;
use burnside_model::code::DomainId;
use burnside_model::system::TimeUp;

use super::{StateId, States};
use crate::Indexed;
use crate::indexed::Renaming;

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

impl Graph {
    /// Computes all steps.
    pub fn build<S: Indexed>(system: &mut S, store: &mut States<'_>, tracked: bool) -> Result<Graph, Limit> {
        let sizes: Vec<_> = system.model().types.domains.iter().map(|d| d.size).collect();
        let mut domains = Vec::new();
        let mut identity = Vec::new();
        for size in &sizes {
            domains.push(identity.len());
            identity.extend(0..*size);
        }
        let name = |renaming: &Renaming<'_>| -> Label {
            let of = |(d, size): (usize, &u32)| {
                (0..*size).map(move |e| renaming(DomainId(d as u32), e)).collect::<Vec<_>>()
            };
            sizes.iter().enumerate().flat_map(of).collect()
        };
        let mut labels = vec![identity.clone()];
        let mut numbers = HashMap::from([(identity, 0u32)]);
        // From, renaming, to.
        let mut steps: Vec<(StateId, u32, StateId)> = Vec::new();
        let (mut state, mut full) = (Vec::new(), false);
        for from in 0..store.len() {
            store.read(from, &mut state);
            let first = steps.len();
            let stepped = system.labelled(&state, &mut |next, renaming| {
                let label = if tracked { name(renaming) } else { Vec::new() };
                let number = if label.is_empty() {
                    0
                } else {
                    *numbers.entry(label).or_insert_with_key(|label| {
                        labels.push(label.clone());
                        labels.len() as u32 - 1
                    })
                };
                // Twelve bytes each, twice while the list grows; reversed, another eight.
                full = steps.len() == steps.capacity() && 64 * steps.len() as u64 > store.store.available();
                match store.find(next) {
                    _ if full => return ControlFlow::Break(()),
                    Some(to) => steps.push((from, number, to)),
                    None => {}
                }
                ControlFlow::Continue(())
            });
            stepped.map_err(|TimeUp| Limit::Time)?;
            if full {
                return Err(Limit::Memory);
            }
            steps[first..].sort_unstable();
            let mut kept = first;
            for i in first..steps.len() {
                if i == first || steps[i] != steps[kept - 1] {
                    steps[kept] = steps[i];
                    kept += 1;
                }
            }
            steps.truncate(kept);
        }
        Ok(Graph::reverse(&steps, store.len() as usize, labels, domains))
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
