//! The sets of states of an explicit graph, as bits: for small systems, and as the yardstick for other engines.

use crate::{Atom, StateSets};

/// A set of states, by number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bits(Vec<u64>);

impl Bits {
    /// No state of so many.
    pub fn none(states: usize) -> Self {
        Bits(vec![0; states.div_ceil(64)])
    }

    pub fn insert(&mut self, state: usize) {
        self.0[state / 64] |= 1 << (state % 64);
    }

    pub fn contains(&self, state: usize) -> bool {
        self.0.get(state / 64).is_some_and(|word| word >> (state % 64) & 1 == 1)
    }

    pub fn remove(&mut self, state: usize) {
        self.0[state / 64] &= !(1 << (state % 64));
    }

    /// Its states, in order.
    pub fn states(&self) -> impl Iterator<Item = usize> + '_ {
        self.0.iter().enumerate().flat_map(|(at, word)| {
            let mut left = *word;
            std::iter::from_fn(move || {
                let bit = (left != 0).then(|| left.trailing_zeros() as usize)?;
                left &= left - 1;
                Some(64 * at + bit)
            })
        })
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Combines two sets of as many states.
    pub fn with(&self, other: &Bits, op: impl Fn(u64, u64) -> u64) -> Bits {
        Bits(self.0.iter().zip(&other.0).map(|(a, b)| op(*a, *b)).collect())
    }
}

/// A step of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edge {
    /// From this state.
    pub from: usize,
    pub to: usize,
    /// By these agents: a rule instance and its process may both be treated fairly.
    pub agents: Vec<usize>,
}

/// A graph whose states are all reachable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// How many states it has.
    pub states: usize,
    pub initial: Vec<usize>,
    pub edges: Vec<Edge>,
}

impl Graph {
    /// The states without steps: they stay as they are.
    fn stuck(&self) -> Bits {
        let mut stuck = Bits::none(self.states);
        (0..self.states).for_each(|state| stuck.insert(state));
        for edge in &self.edges {
            stuck.remove(edge.from);
        }
        stuck
    }
}

/// The sets of a graph's states, with something that evaluates atoms.
pub struct GraphSets<'g, F> {
    graph: &'g Graph,
    stuck: Bits,
    holds: F,
}

impl<'g, F> GraphSets<'g, F> {
    /// The sets of a graph; `holds` says whether an atom holds in a state.
    pub fn new<E>(graph: &'g Graph, holds: F) -> Self
    where
        F: FnMut(usize, &Atom<'_>) -> Result<bool, E>,
    {
        GraphSets { graph, stuck: graph.stuck(), holds }
    }
}

impl<E, F: FnMut(usize, &Atom<'_>) -> Result<bool, E>> StateSets for GraphSets<'_, F> {
    type Set = Bits;
    type Error = E;

    fn universe(&mut self) -> Result<Bits, E> {
        let mut all = Bits::none(self.graph.states);
        (0..self.graph.states).for_each(|state| all.insert(state));
        Ok(all)
    }

    fn empty(&mut self) -> Result<Bits, E> {
        Ok(Bits::none(self.graph.states))
    }

    fn initial(&mut self) -> Result<Bits, E> {
        let mut initial = Bits::none(self.graph.states);
        self.graph.initial.iter().for_each(|state| initial.insert(*state));
        Ok(initial)
    }

    fn and(&mut self, a: &Bits, b: &Bits) -> Result<Bits, E> {
        Ok(a.with(b, |a, b| a & b))
    }

    fn or(&mut self, a: &Bits, b: &Bits) -> Result<Bits, E> {
        Ok(a.with(b, |a, b| a | b))
    }

    fn not(&mut self, a: &Bits) -> Result<Bits, E> {
        let universe = self.universe()?;
        Ok(universe.with(a, |all, a| all & !a))
    }

    fn pre(&mut self, a: &Bits) -> Result<Bits, E> {
        let mut found = a.with(&self.stuck, |a, stuck| a & stuck);
        for edge in self.graph.edges.iter().filter(|edge| a.contains(edge.to)) {
            found.insert(edge.from);
        }
        Ok(found)
    }

    fn post(&mut self, a: &Bits) -> Result<Bits, E> {
        let mut found = a.with(&self.stuck, |a, stuck| a & stuck);
        for edge in self.graph.edges.iter().filter(|edge| a.contains(edge.from)) {
            found.insert(edge.to);
        }
        Ok(found)
    }

    fn pre_by(&mut self, agent: usize, a: &Bits) -> Result<Bits, E> {
        let mut found = Bits::none(self.graph.states);
        let steps = self.graph.edges.iter().filter(|edge| edge.agents.contains(&agent));
        for edge in steps.filter(|edge| a.contains(edge.to)) {
            found.insert(edge.from);
        }
        Ok(found)
    }

    fn atom(&mut self, atom: &Atom<'_>) -> Result<Bits, E> {
        let mut found = Bits::none(self.graph.states);
        for state in 0..self.graph.states {
            if (self.holds)(state, atom)? {
                found.insert(state);
            }
        }
        Ok(found)
    }

    fn is_empty(&mut self, a: &Bits) -> Result<bool, E> {
        Ok(a.is_empty())
    }

    fn same(&mut self, a: &Bits, b: &Bits) -> Result<bool, E> {
        Ok(a == b)
    }

    fn pick(&mut self, a: &Bits) -> Result<Option<Bits>, E> {
        Ok(a.states().next().map(|state| {
            let mut one = Bits::none(self.graph.states);
            one.insert(state);
            one
        }))
    }
}
