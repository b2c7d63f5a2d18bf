//! The permutation-labelled quotient graph: all steps between stored states.
//!
//! A step at a stored state r leads to a state t, and t is stored as r' = π·t. The edge from r to r' keeps π, and whoever
//! the scheduler is fair to that took the step. Edges are one only if they agree in both: merging others is a classic
//! mistake. As no step is left out, the symmetries of r itself need no edges of their own: what they map a step to is a
//! step, too, and has its edge.
//!
//! Permutations, and the agents of a step, are numbered; an edge is two numbers, the state and the pair of those.

use std::collections::HashMap;
use std::ops::{ControlFlow, Range};

use burnside_model::code::Cell;
use burnside_model::system::{Agent, TimeUp};
use burnside_model::{Limit, Model};
use burnside_symmetry::Permutation;

use super::Stop;
use crate::liveness::{StateId, States};
use crate::{Indexed, shares};

/// Where a step leads beyond what is explored.
pub const BEYOND: StateId = StateId::MAX;

/// Where a step leads, and its kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Edge {
    pub to: StateId,
    /// The permutation and the agents.
    pub kind: u32,
}

/// A permutation and the agents of a step, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Kind {
    /// The permutation.
    pub label: u32,
    pub agents: u32,
}

/// A start state.
pub struct Start {
    /// The state s.
    pub state: Vec<Cell>,
    /// Its stored state r.
    pub stored: StateId,
    /// π with r = π·s.
    pub by: Permutation,
}

/// Things, each with a number.
struct Numbers<T> {
    list: Vec<T>,
    known: HashMap<T, u32>,
}

impl<T: Clone + Eq + std::hash::Hash> Numbers<T> {
    fn starting(first: T) -> Self {
        Numbers { list: vec![first.clone()], known: HashMap::from([(first, 0)]) }
    }

    fn of(&mut self, thing: &T) -> u32 {
        if let Some(number) = self.known.get(thing) {
            return *number;
        }
        self.list.push(thing.clone());
        self.known.insert(thing.clone(), self.list.len() as u32 - 1);
        self.list.len() as u32 - 1
    }
}

/// What is wanted of the steps.
#[derive(Clone, Copy)]
struct Wanted {
    /// Whether permutations matter.
    tracked: bool,
    /// Whether they may lead to other states.
    partly: bool,
    /// Bytes for them.
    room: u64,
}

/// The steps of some states.
struct Part {
    starts: Vec<u64>,
    edges: Vec<Edge>,
    labels: Numbers<Permutation>,
    lists: Numbers<Vec<Agent>>,
    kinds: Numbers<Kind>,
}

impl Part {
    fn new(identity: &Permutation) -> Part {
        Part {
            starts: vec![0],
            edges: Vec::new(),
            labels: Numbers::starting(identity.clone()),
            lists: Numbers::starting(Vec::new()),
            kinds: Numbers::starting(Kind { label: 0, agents: 0 }),
        }
    }

    /// Computes the steps of some states.
    fn add<S: Indexed>(
        &mut self,
        system: &mut S,
        model: &Model,
        states: &mut States<'_>,
        share: Range<StateId>,
        wanted: Wanted,
    ) -> Result<(), Stop> {
        let fair = !model.fairness.is_empty() || model.rules.iter().any(|rule| rule.fairness.is_some());
        let (mut state, mut stop, mut here) = (Vec::new(), None, Vec::new());
        for from in share {
            states.read(from, &mut state);
            here.clear();
            let stepped = system.moves(Some(&state), &mut |step| {
                let Some(to) = states.find(step.form).or(wanted.partly.then_some(BEYOND)) else {
                    stop = Some(Stop::unstored());
                    return ControlFlow::Break(());
                };
                let label = if wanted.tracked { self.labels.of(step.by) } else { 0 };
                let agents = match fair {
                    true => {
                        let agents = Agent::of(model, step.rule, step.args).into_iter();
                        self.lists.of(&agents.map(|(agent, _)| agent).collect())
                    }
                    false => 0,
                };
                here.push(Edge { to, kind: self.kinds.of(&Kind { label, agents }) });
                ControlFlow::Continue(())
            });
            stepped.map_err(|TimeUp| Stop::Limit(Limit::Time))?;
            if let Some(stop) = stop {
                return Err(stop);
            }
            here.sort_unstable();
            here.dedup();
            // Eight bytes each, twice while the list grows, and once more backwards.
            let edges = self.edges.len() + here.len();
            if edges > self.edges.capacity() && 40 * edges as u64 > wanted.room {
                return Err(Stop::Limit(Limit::Memory));
            }
            self.edges.extend_from_slice(&here);
            self.starts.push(self.edges.len() as u64);
        }
        Ok(())
    }

    /// Takes over the steps of the states that follow.
    fn take(&mut self, other: Part) {
        let first = self.edges.len() as u64;
        let labels: Vec<u32> = other.labels.list.iter().map(|label| self.labels.of(label)).collect();
        let lists: Vec<u32> = other.lists.list.iter().map(|list| self.lists.of(list)).collect();
        let renumbered =
            |kind: &Kind| Kind { label: labels[kind.label as usize], agents: lists[kind.agents as usize] };
        let kinds: Vec<u32> = other.kinds.list.iter().map(|kind| self.kinds.of(&renumbered(kind))).collect();
        let edges = other.edges.into_iter();
        self.edges.extend(edges.map(|edge| Edge { kind: kinds[edge.kind as usize], ..edge }));
        self.starts.extend(other.starts[1..].iter().map(|start| first + start));
    }
}

/// The graph.
pub struct Labelled {
    /// Where the edges of a state begin; one more than there are states.
    starts: Vec<u64>,
    edges: Vec<Edge>,
    /// The same backwards: where each edge comes from.
    back_starts: Vec<u64>,
    back_edges: Vec<Edge>,
    kinds: Vec<Kind>,
    /// The permutations; the first is the identity.
    pub labels: Vec<Permutation>,
    /// Whether the permutations are those of the steps. If not, nothing depends on them and all are the identity.
    pub tracked: bool,
    /// Lists of agents; the first is empty.
    pub lists: Vec<Vec<Agent>>,
    pub initial: Vec<Start>,
}

impl Labelled {
    /// Computes all steps, by several threads; `partly` if they may lead to other states than these.
    pub fn build<S: Indexed>(
        system: &mut S,
        model: &Model,
        states: &mut States<'_>,
        tracked: bool,
        partly: bool,
        threads: usize,
    ) -> Result<Labelled, Stop> {
        let identity = system.action().map_or_else(|| Permutation::identity(&[]), |action| action.identity());
        let room = states.room() / threads.max(1) as u64;
        let shares = shares::each(system, states, threads, &|system, states, share| {
            let mut part = Part::new(&identity);
            part.add(system, model, states, share, Wanted { tracked, partly, room })?;
            Ok(part)
        })?;
        let mut all = Part::new(&identity);
        shares.into_iter().for_each(|part| all.take(part));
        let Part { starts, edges, labels, lists, kinds } = all;
        let (mut initial, mut stop) = (Vec::new(), None);
        let begun = system.moves(None, &mut |step| {
            match states.find(step.form) {
                Some(stored) => {
                    initial.push(Start { state: step.concrete.to_vec(), stored, by: step.by.clone() });
                }
                None => stop = Some(Stop::unstored()),
            }
            ControlFlow::Continue(())
        });
        begun.map_err(|TimeUp| Stop::Limit(Limit::Time))?;
        if let Some(stop) = stop {
            return Err(stop);
        }
        let (back_starts, back_edges) = reversed(&starts, &edges);
        let (kinds, labels, lists) = (kinds.list, labels.list, lists.list);
        Ok(Labelled { starts, edges, back_starts, back_edges, kinds, labels, tracked, lists, initial })
    }

    pub fn states(&self) -> usize {
        self.starts.len() - 1
    }

    pub fn edges(&self) -> u64 {
        self.edges.len() as u64
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        let of_labels: usize =
            self.labels.iter().flat_map(Permutation::images).map(|i| 4 * i.len() + 24).sum();
        16 * (self.starts.len() + self.edges.len()) as u64 + (of_labels + 8 * self.kinds.len()) as u64
    }

    /// The edges of a state, by number.
    pub fn out(&self, state: StateId) -> Range<u64> {
        self.starts[state as usize]..self.starts[state as usize + 1]
    }

    pub fn edge(&self, number: u64) -> Edge {
        self.edges[number as usize]
    }

    /// The edges of these numbers.
    pub fn edges_in(&self, numbers: Range<u64>) -> &[Edge] {
        &self.edges[numbers.start as usize..numbers.end as usize]
    }

    /// The edges into a state, each with the state it comes from.
    pub fn into(&self, state: StateId) -> &[Edge] {
        let (from, to) = (self.back_starts[state as usize], self.back_starts[state as usize + 1]);
        &self.back_edges[from as usize..to as usize]
    }

    /// The permutation and agents of a kind.
    pub fn kind(&self, kind: u32) -> Kind {
        self.kinds[kind as usize]
    }
}

/// The edges by where they lead.
fn reversed(starts: &[u64], edges: &[Edge]) -> (Vec<u64>, Vec<Edge>) {
    let states = starts.len() - 1;
    let mut back = vec![0u64; states + 1];
    let inside = |edge: &&Edge| edge.to != BEYOND;
    edges.iter().filter(inside).for_each(|edge| back[edge.to as usize + 1] += 1);
    (0..states).for_each(|i| back[i + 1] += back[i]);
    let mut next = back.clone();
    let mut reversed = vec![Edge { to: 0, kind: 0 }; back[states] as usize];
    for from in 0..states {
        let out = &edges[starts[from] as usize..starts[from + 1] as usize];
        for edge in out.iter().filter(inside) {
            let at = &mut next[edge.to as usize];
            reversed[*at as usize] = Edge { to: from as StateId, kind: edge.kind };
            *at += 1;
        }
    }
    (back, reversed)
}
