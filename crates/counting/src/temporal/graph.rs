//! The orbits of a world one by one, and the steps between them as a graph.

use burnside_model::Deadline;
use std::collections::HashMap;

use burnside_logic::graph::{Bits, Edge, Graph, GraphSets};
use burnside_logic::{Atom, StateSets};
use burnside_model::code::Fault;
use burnside_model::system::{Batch, Batcher};

use super::decide::Located;
use super::worlds::{World, number_of};
use crate::counters::{Counters, Counting, decode};
use crate::population::Population;
use crate::reach::{Found, Stopped};

/// Why there is no graph.
pub(super) enum NoGraph {
    /// Populations have more local states than there was room for.
    Crowded,
    Stopped(Stopped),
}

/// The graph of a world.
pub(super) struct PopulationGraph {
    graph: Graph,
    populations: Vec<Population>,
    numbers: HashMap<Population, usize>,
    /// Where each population was first reached from.
    parents: Vec<Option<usize>>,
    /// Per condition, where it holds.
    holds: HashMap<usize, Vec<bool>>,
    /// Where a condition cannot be evaluated: the condition, the population, and why.
    pub unvalued: Vec<(usize, usize, Fault)>,
}

/// Bytes of an edge, and of a population beside its words.
const EDGE_BYTES: u64 = 48;
const POPULATION_BYTES: u64 = 160;

impl PopulationGraph {
    pub fn new(
        counting: &Counting<'_>,
        world: &World,
        memory: u64,
        deadline: Deadline,
    ) -> Result<Self, NoGraph> {
        let mut counters = Counters::new(counting);
        counters.set_deadline(deadline);
        let (mut words, mut known) = (Vec::new(), HashMap::new());
        let (mut graph, mut parents, mut batch) = (Graph::default(), Vec::new(), Batch::default());
        let ended = |_| match () {
            () if counting.crowded() => NoGraph::Crowded,
            () if counting.uneven() => NoGraph::Stopped(Stopped::Uneven),
            () => NoGraph::Stopped(Stopped::Time),
        };
        let mut at: Option<usize> = None;
        loop {
            match at {
                None => counters.initial(&mut batch).map_err(ended)?,
                Some(from) => {
                    let state: &Vec<u64> = &words[from];
                    counters.successors(state, &mut batch).map_err(ended)?;
                }
            }
            let mut edges = Vec::new();
            for (state, rule) in batch.states.chunks(counting.words()).zip(&batch.rules) {
                let to = *known.entry(state.to_vec()).or_insert_with(|| {
                    words.push(state.to_vec());
                    parents.push(at);
                    words.len() - 1
                });
                let agent = world.agents.iter().position(|(fair, _)| fair == rule);
                match at {
                    None => graph.initial.push(to),
                    Some(from) => edges.push(Edge { from, to, agents: agent.into_iter().collect() }),
                }
            }
            edges.sort_unstable_by(|a, b| (a.to, &a.agents).cmp(&(b.to, &b.agents)));
            edges.dedup();
            graph.edges.append(&mut edges);
            batch.clear();
            let bytes = graph.edges.len() as u64 * EDGE_BYTES
                + words.len() as u64 * (POPULATION_BYTES + 16 * counting.words() as u64);
            if bytes > memory {
                return Err(NoGraph::Stopped(Stopped::Memory));
            }
            let next = at.map_or(0, |at| at + 1);
            if next >= words.len() {
                break;
            }
            at = Some(next);
        }
        graph.states = words.len();
        let (mut holds, mut unvalued) = (HashMap::new(), Vec::<(usize, usize, Fault)>::new());
        for condition in world.conditions() {
            let mut table = Vec::with_capacity(words.len());
            for (number, state) in words.iter().enumerate() {
                let held = counters.holds(condition, state).map_err(ended)?;
                table.push(matches!(held, Ok(held) if held > 0));
                if let Err(fault) = held
                    && unvalued.iter().all(|(known, ..)| *known != condition)
                {
                    unvalued.push((condition, number, fault));
                }
            }
            holds.insert(condition, table);
        }
        let populations: Vec<Population> = words.iter().map(|words| decode(words)).collect();
        let numbers = populations.iter().cloned().zip(0..).collect();
        Ok(PopulationGraph { graph, populations, numbers, parents, holds, unvalued })
    }

    /// A shortest run to a population.
    pub fn path(&self, to: usize) -> Vec<Population> {
        let back = std::iter::successors(Some(to), |at| self.parents[*at]);
        let mut path: Vec<_> = back.map(|at| self.populations[at].clone()).collect();
        path.reverse();
        path
    }

    pub fn sets(&self, deadline: Deadline) -> PopulationSets<'_> {
        let holds = |state: usize, atom: &Atom<'_>| {
            let table = number_of(atom.condition).and_then(|number| self.holds.get(&number));
            Ok(table.is_some_and(|table| table[state]))
        };
        PopulationSets { graph: self, sets: GraphSets::new(&self.graph, Box::new(holds)), deadline }
    }
}

/// Says whether an atom holds in a state, by number.
type Holds<'g> = Box<dyn FnMut(usize, &Atom<'_>) -> Found<bool> + 'g>;

/// Sets of populations.
pub(super) struct PopulationSets<'g> {
    graph: &'g PopulationGraph,
    sets: GraphSets<'g, Holds<'g>>,
    deadline: Deadline,
}

impl PopulationSets<'_> {
    fn in_time(&self) -> Found<()> {
        if self.deadline.has_passed() { Err(Stopped::Time) } else { Ok(()) }
    }
}

impl StateSets for PopulationSets<'_> {
    type Set = Bits;
    type Error = Stopped;

    fn universe(&mut self) -> Found<Bits> {
        self.sets.universe()
    }

    fn empty(&mut self) -> Found<Bits> {
        self.sets.empty()
    }

    fn initial(&mut self) -> Found<Bits> {
        self.sets.initial()
    }

    fn and(&mut self, a: &Bits, b: &Bits) -> Found<Bits> {
        self.sets.and(a, b)
    }

    fn or(&mut self, a: &Bits, b: &Bits) -> Found<Bits> {
        self.sets.or(a, b)
    }

    fn not(&mut self, a: &Bits) -> Found<Bits> {
        self.sets.not(a)
    }

    fn pre(&mut self, a: &Bits) -> Found<Bits> {
        self.in_time()?;
        self.sets.pre(a)
    }

    fn post(&mut self, a: &Bits) -> Found<Bits> {
        self.in_time()?;
        self.sets.post(a)
    }

    fn pre_by(&mut self, agent: usize, a: &Bits) -> Found<Bits> {
        self.in_time()?;
        self.sets.pre_by(agent, a)
    }

    fn atom(&mut self, atom: &Atom<'_>) -> Found<Bits> {
        self.sets.atom(atom)
    }

    fn is_empty(&mut self, a: &Bits) -> Found<bool> {
        self.sets.is_empty(a)
    }

    fn same(&mut self, a: &Bits, b: &Bits) -> Found<bool> {
        self.sets.same(a, b)
    }

    fn pick(&mut self, a: &Bits) -> Found<Option<Bits>> {
        self.sets.pick(a)
    }
}

impl Located for PopulationSets<'_> {
    fn single(&mut self, start: &Population) -> Found<Bits> {
        let mut one = Bits::none(self.graph.populations.len());
        if let Some(number) = self.graph.numbers.get(start) {
            one.insert(*number);
        }
        Ok(one)
    }

    fn population(&self, one: &Bits) -> Option<Population> {
        self.graph.populations.get(one.states().next()?).cloned()
    }
}
