//! Liveness: from every reachable state, a state where the property holds is reachable (`AG EF`).
//!
//! Decided after the search, on the graph of all stored states: mark the states where the property holds, go backwards
//! along the steps, and look for a state without a mark. A property with parameters is a claim about each of its
//! instances, so what is marked are pairs of a state and a tuple of arguments.
//!
//! In a reduced system a step leads to a representative, which is the concrete successor under some renaming of domain
//! elements; the tuple goes along: `(r, y) -> (π·t, π·y)`. Steps to one representative under different renamings are
//! different edges: merging them is a classic mistake. As every edge is a bijection on the tuples and every instance is
//! claimed in a start state, all pairs are reachable, whether or not the start states are closed under the group.
//!
//! The steps are computed once more and kept as reversed edges, which takes eight bytes each beside the store.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::time::Instant;

use burnside_model::code::{Cell, DomainId, LoopRange, Types, UNDEFINED};
use burnside_model::system::{Binder, Property, TimeUp};
use burnside_model::{Limit, Model};

use crate::Indexed;
use crate::indexed::Renaming;
use crate::store::{StateId, Store};

/// What was decided about a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Liveness {
    /// It holds.
    Holds,
    /// From this state, it never holds again for these arguments; no such state is nearer to the start.
    Never {
        /// The state.
        state: StateId,
        /// The arguments at the stored state.
        args: Vec<Cell>,
    },
}

/// Decides liveness properties of a system all of whose states are stored.
pub fn decide<S: Indexed>(
    system: &mut S,
    store: &mut Store,
    properties: &[usize],
    deadline: Option<Instant>,
) -> Result<Vec<Liveness>, Limit> {
    let tracked = properties.iter().any(|p| follows_elements(system.model(), *p));
    let graph = Graph::build(system, store, tracked)?;
    let room = store.available().saturating_sub(graph.memory());
    properties
        .iter()
        .map(|property| {
            let tuples = Tuples::collect(system, store, &graph, *property)?;
            let pairs = Pairs::evaluate(system, store, &tuples, *property, room)?;
            pairs.decide(&graph, &tuples, deadline)
        })
        .collect()
}

/// The types of a property's parameters.
fn parameters(model: &Model, property: &Property) -> Vec<Vec<(DomainId, i64)>> {
    let locals = property.binders.iter().filter_map(|binder| match binder {
        Binder::Each(each) => Some(each.local),
        Binder::Choose(local, _) => Some(*local),
        Binder::Alias(..) => None,
    });
    locals.map(|local| model.types.domains_of(property.frame[local].ty)).collect()
}

/// Whether some argument of a property may be an element of a symmetry domain.
fn follows_elements(model: &Model, property: usize) -> bool {
    parameters(model, &model.properties[property]).iter().any(|domains| !domains.is_empty())
}

/// The new names of all elements, domain after domain.
type Label = Vec<u32>;

/// The steps between stored states, reversed.
struct Graph {
    /// Where the steps into a state begin in `edges`; one more than there are states.
    starts: Vec<u64>,
    /// The state a step comes from, and its renaming.
    edges: Vec<(StateId, u32)>,
    /// All renamings that occur; the first is the identity.
    labels: Vec<Label>,
    /// Where the elements of a domain begin in a label.
    domains: Vec<usize>,
}

impl Graph {
    fn build<S: Indexed>(system: &mut S, store: &mut Store, tracked: bool) -> Result<Graph, Limit> {
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
                full = steps.len() == steps.capacity() && 64 * steps.len() as u64 > store.available();
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

    fn memory(&self) -> u64 {
        (self.starts.len() * 8 + self.edges.len() * 8) as u64
    }

    fn into(&self, state: StateId) -> &[(StateId, u32)] {
        let at = state as usize;
        &self.edges[self.starts[at] as usize..self.starts[at + 1] as usize]
    }
}

/// The tuples of arguments of a property: closed under the renamings that occur.
struct Tuples {
    list: Vec<Vec<Cell>>,
    numbers: HashMap<Vec<Cell>, u32>,
    /// Per renaming and tuple, the tuple that it renames to that one.
    before: Vec<Vec<u32>>,
}

impl Tuples {
    fn collect<S: Indexed>(
        system: &mut S,
        store: &Store,
        graph: &Graph,
        property: usize,
    ) -> Result<Tuples, Limit> {
        let stated = &system.model().properties[property];
        let fixed = stated
            .binders
            .iter()
            .all(|b| matches!(b, Binder::Each(each) if matches!(each.range, LoopRange::Type(_))));
        let parameters = parameters(system.model(), stated);
        let types = system.model().types.clone();
        let mut tuples = Tuples { list: Vec::new(), numbers: HashMap::new(), before: Vec::new() };
        let mut state = Vec::new();
        for id in 0..if fixed { store.len().min(1) } else { store.len() } {
            store.read(id, &mut state);
            let instances = system.instances(property, &state, &mut |args, _| {
                tuples.number(args.to_vec());
            });
            // A fault was found by the search already.
            let _ = instances.map_err(|TimeUp| Limit::Time)?;
        }
        let rename = |tuple: &[Cell], label: &Label| -> Vec<Cell> {
            tuple
                .iter()
                .zip(&parameters)
                .map(|(cell, domains)| rename(&types, graph, *cell, domains, label))
                .collect()
        };
        let mut done = 0;
        while done < tuples.list.len() {
            for label in &graph.labels {
                let renamed = rename(&tuples.list[done], label);
                tuples.number(renamed);
            }
            done += 1;
        }
        for label in &graph.labels {
            let mut before = vec![0; done];
            for (i, tuple) in tuples.list.iter().enumerate() {
                if let Some(to) = tuples.numbers.get(&rename(tuple, label)) {
                    before[*to as usize] = i as u32;
                }
            }
            tuples.before.push(before);
        }
        Ok(tuples)
    }

    fn number(&mut self, tuple: Vec<Cell>) -> u32 {
        *self.numbers.entry(tuple).or_insert_with_key(|tuple| {
            self.list.push(tuple.clone());
            self.list.len() as u32 - 1
        })
    }
}

/// A value under a renaming; `domains` says which values of its type are elements.
fn rename(types: &Types, graph: &Graph, value: Cell, domains: &[(DomainId, i64)], label: &Label) -> Cell {
    for (domain, first) in domains {
        let element = value.wrapping_sub(*first);
        if value != UNDEFINED && (0..i64::from(types.domain(*domain).size)).contains(&element) {
            return first + i64::from(label[graph.domains[domain.0 as usize] + element as usize]);
        }
    }
    value
}

/// The pairs of a state and a tuple.
struct Pairs {
    states: u32,
    /// What is claimed: the tuple is an instance in the state.
    claimed: Bits,
    /// From where the property can be reached.
    reaches: Bits,
    /// Reached, but not yet followed backwards.
    pending: Vec<u64>,
    /// Bytes for `pending`.
    room: u64,
}

impl Pairs {
    fn evaluate<S: Indexed>(
        system: &mut S,
        store: &Store,
        tuples: &Tuples,
        property: usize,
        room: u64,
    ) -> Result<Pairs, Limit> {
        let (states, width) = (store.len(), tuples.list.len() as u64);
        let count = u64::from(states).checked_mul(width).filter(|count| count / 4 <= room);
        let Some(count) = count else { return Err(Limit::Memory) };
        let mut pairs = Pairs {
            states,
            claimed: Bits::new(count),
            reaches: Bits::new(count),
            pending: Vec::new(),
            room: room - count / 4,
        };
        let mut state = Vec::new();
        for id in 0..states {
            store.read(id, &mut state);
            let mut full = false;
            let instances = system.instances(property, &state, &mut |args, holds| {
                if let Some(number) = tuples.numbers.get(args) {
                    let pair = u64::from(id) * width + u64::from(*number);
                    pairs.claimed.set(pair);
                    full |= holds && !pairs.reach(pair);
                }
            });
            let _ = instances.map_err(|TimeUp| Limit::Time)?;
            if full {
                return Err(Limit::Memory);
            }
        }
        Ok(pairs)
    }

    /// Marks a pair; `false` if there is no room to remember it.
    fn reach(&mut self, pair: u64) -> bool {
        if self.reaches.set(pair) {
            if self.pending.len() == self.pending.capacity() && 24 * self.pending.len() as u64 > self.room {
                return false;
            }
            self.pending.push(pair);
        }
        true
    }

    fn decide(mut self, graph: &Graph, tuples: &Tuples, deadline: Option<Instant>) -> Result<Liveness, Limit> {
        let width = tuples.list.len() as u64;
        let mut ticks = 0u32;
        while let Some(pair) = self.pending.pop() {
            ticks = ticks.wrapping_add(1);
            if ticks.is_multiple_of(1 << 16) && deadline.is_some_and(|deadline| Instant::now() > deadline) {
                return Err(Limit::Time);
            }
            let (state, tuple) = ((pair / width) as StateId, (pair % width) as usize);
            for (from, label) in graph.into(state) {
                let before = tuples.before[*label as usize][tuple];
                if !self.reach(u64::from(*from) * width + u64::from(before)) {
                    return Err(Limit::Memory);
                }
            }
        }
        for pair in 0..u64::from(self.states) * width {
            if self.claimed.get(pair) && !self.reaches.get(pair) {
                let args = tuples.list[(pair % width) as usize].clone();
                return Ok(Liveness::Never { state: (pair / width) as StateId, args });
            }
        }
        Ok(Liveness::Holds)
    }
}

/// A set of small numbers.
struct Bits(Vec<u64>);

impl Bits {
    fn new(count: u64) -> Self {
        Bits(vec![0; count.div_ceil(64) as usize])
    }

    fn get(&self, at: u64) -> bool {
        self.0[(at / 64) as usize] >> (at % 64) & 1 == 1
    }

    /// Adds a number; whether it is new.
    fn set(&mut self, at: u64) -> bool {
        let (word, bit) = (&mut self.0[(at / 64) as usize], 1 << (at % 64));
        let new = *word & bit == 0;
        *word |= bit;
        new
    }
}
