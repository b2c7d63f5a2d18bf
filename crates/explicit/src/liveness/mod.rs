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

mod graph;
mod tuples;

use burnside_model::code::{Cell, DomainId};
use burnside_model::system::{Binder, Property, TimeUp};
use burnside_model::{Deadline, Limit, Model, Packing};

use crate::Indexed;
use crate::store::{Store, hash};
use graph::Graph;
use tuples::Tuples;

/// The number of a state; there are at most so many that this suffices, or no room for the graph.
pub type StateId = u32;

/// All states, or the first ones, unpacked one by one.
#[derive(Clone)]
pub struct States<'s> {
    store: &'s Store,
    packing: &'s Packing,
    words: Vec<u64>,
    count: u64,
}

impl<'s> States<'s> {
    pub fn new(store: &'s Store, packing: &'s Packing) -> Self {
        States::first(store, packing, store.len())
    }

    /// So many of them, as if there were no others.
    pub(crate) fn first(store: &'s Store, packing: &'s Packing, count: u64) -> Self {
        States { store, packing, words: vec![0; packing.words()], count }
    }

    pub(crate) fn len(&self) -> StateId {
        self.count as StateId
    }

    pub(crate) fn read(&mut self, id: StateId, state: &mut Vec<Cell>) {
        self.store.read(id.into(), &mut self.words);
        self.packing.unpack(&self.words, state);
    }

    pub(crate) fn find(&mut self, state: &[Cell]) -> Option<StateId> {
        self.packing.pack(state, &mut self.words);
        let found = self.store.find(&self.words, hash(&self.words));
        found.filter(|id| *id < self.count).map(|id| id as StateId)
    }

    /// Whether there are few enough of them to be numbered.
    pub(crate) fn are_countable(&self) -> bool {
        self.count < u64::from(StateId::MAX)
    }

    /// Bytes that are left for what is made of them.
    pub(crate) fn room(&self) -> u64 {
        self.store.available()
    }

    /// The states on a shortest run to a state.
    pub(crate) fn path(&self, id: StateId) -> Vec<Vec<Cell>> {
        let unpacked = |words: &Vec<u64>| {
            let mut state = Vec::new();
            self.packing.unpack(words, &mut state);
            state
        };
        self.store.path(id.into()).iter().map(unpacked).collect()
    }

    fn words(&self, id: StateId) -> Vec<u64> {
        let mut words = vec![0; self.packing.words()];
        self.store.read(id.into(), &mut words);
        words
    }
}

/// What was decided about a property.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Liveness {
    Holds,
    /// Its condition cannot be evaluated in some state, which is a violation of another property.
    Faulty,
    /// From this state, it never holds again for these arguments; no such state is nearer to the start.
    Never {
        state: StateId,
        /// The arguments at the stored state.
        args: Vec<Cell>,
    },
}

/// Decides liveness properties of a system all of whose states are stored. The threads share the steps between them.
pub fn decide<S: Indexed>(
    system: &mut S,
    states: &mut States<'_>,
    properties: &[usize],
    threads: usize,
    deadline: Deadline,
) -> Result<Vec<Liveness>, Limit> {
    if !states.are_countable() {
        return Err(Limit::Memory);
    }
    let tracked = properties.iter().any(|p| follows_elements(system.model(), *p));
    let graph = Graph::build(system, states, tracked, threads)?;
    let room = states.store.available().saturating_sub(graph.memory());
    properties
        .iter()
        .map(|property| {
            let tuples = Tuples::collect(system, states, &graph, *property)?;
            let pairs = Pairs::evaluate(system, states, &tuples, *property, room)?;
            match pairs.faulty {
                true => Ok(Liveness::Faulty),
                false => pairs.decide(states, &graph, &tuples, deadline),
            }
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
    /// Whether the condition could not be evaluated somewhere.
    faulty: bool,
}

impl Pairs {
    fn evaluate<S: Indexed>(
        system: &mut S,
        stored: &mut States<'_>,
        tuples: &Tuples,
        property: usize,
        room: u64,
    ) -> Result<Pairs, Limit> {
        let (states, width) = (stored.len(), tuples.list.len() as u64);
        let count = u64::from(states).checked_mul(width).filter(|count| count / 4 <= room);
        let Some(count) = count else { return Err(Limit::Memory) };
        let mut pairs = Pairs {
            states,
            claimed: Bits::new(count),
            reaches: Bits::new(count),
            pending: Vec::new(),
            room: room - count / 4,
            faulty: false,
        };
        let mut state = Vec::new();
        for id in 0..states {
            stored.read(id, &mut state);
            let mut full = false;
            let instances = system.instances(property, &state, &mut |args, holds| {
                if let Some(number) = tuples.numbers.get(args) {
                    let pair = u64::from(id) * width + u64::from(*number);
                    pairs.claimed.set(pair);
                    full |= holds && !pairs.reach(pair);
                }
            });
            let faulty = instances.map_err(|TimeUp| Limit::Time)?.is_err();
            pairs.faulty |= faulty;
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

    fn decide(
        mut self,
        states: &States<'_>,
        graph: &Graph,
        tuples: &Tuples,
        deadline: Deadline,
    ) -> Result<Liveness, Limit> {
        let width = tuples.list.len() as u64;
        let mut ticks = 0u32;
        while let Some(pair) = self.pending.pop() {
            ticks = ticks.wrapping_add(1);
            if ticks.is_multiple_of(1 << 16) && deadline.has_passed() {
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
        // The states are in the order of their levels, but within a level in any order.
        let never = |pair: &u64| self.claimed.get(*pair) && !self.reaches.get(*pair);
        let parts = |pair: u64| ((pair / width) as StateId, &tuples.list[(pair % width) as usize]);
        let mut pairs = (0..u64::from(self.states) * width).filter(never).map(parts);
        let Some((first, args)) = pairs.next() else { return Ok(Liveness::Holds) };
        let level = states.store.level_of(first.into());
        let same_level = pairs.take_while(|(state, _)| states.store.level_of((*state).into()) == level);
        let least = same_level.fold((first, args), |least, pair| {
            let order = |pair: (StateId, _)| (states.words(pair.0), pair.1);
            if order(pair) < order(least) { pair } else { least }
        });
        Ok(Liveness::Never { state: least.0, args: least.1.clone() })
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
