//! States as numbers of elements per local state.

use std::collections::HashMap;
use std::sync::{PoisonError, RwLock};

use burnside_model::Model;
use burnside_model::code::Cell;

use crate::parts::Parts;

/// A state up to the names of counted elements: the globals, and how many elements are in each extended local state that
/// occurs, by ascending number of that local state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Population {
    /// The number of the globals' valuation.
    pub globals: u32,
    /// Local states and how many elements are in each.
    pub counts: Vec<(u32, u32)>,
}

impl Population {
    /// The local states of all elements, in ascending order.
    pub(crate) fn values(&self) -> Vec<u32> {
        self.counts.iter().flat_map(|(local, count)| std::iter::repeat_n(*local, *count as usize)).collect()
    }
}

/// The valuations of globals and the extended local states that were met, with their numbers. Shared by all threads.
#[derive(Debug, Default)]
pub struct Register {
    met: RwLock<Met>,
}

#[derive(Debug, Default)]
struct Met {
    globals: Numbered<Vec<Cell>>,
    /// By the position of the domain.
    locals: Vec<Numbered<Vec<Cell>>>,
}

/// The number of a local state: its domain's position above, its position among those of the domain below. So those of
/// one domain are neighbours, which keeps diagrams small.
pub(crate) const DOMAIN_SHIFT: u32 = 24;

impl Met {
    fn local(&mut self, domain: u32, cells: Vec<Cell>) -> u32 {
        if self.locals.len() <= domain as usize {
            self.locals.resize_with(domain as usize + 1, Numbered::default);
        }
        domain << DOMAIN_SHIFT | self.locals[domain as usize].number(cells)
    }

    fn cells(&self, local: u32) -> &Vec<Cell> {
        let (domain, at) = (local >> DOMAIN_SHIFT, local & ((1 << DOMAIN_SHIFT) - 1));
        &self.locals[domain as usize].things[at as usize]
    }
}

/// Things and their numbers.
#[derive(Debug)]
struct Numbered<T> {
    numbers: HashMap<T, u32>,
    things: Vec<T>,
}

impl<T> Default for Numbered<T> {
    fn default() -> Self {
        Numbered { numbers: HashMap::new(), things: Vec::new() }
    }
}

impl<T: Clone + Eq + std::hash::Hash> Numbered<T> {
    fn number(&mut self, thing: T) -> u32 {
        let Numbered { numbers, things } = self;
        *numbers.entry(thing).or_insert_with_key(|thing| {
            things.push(thing.clone());
            things.len() as u32 - 1
        })
    }
}

impl Register {
    /// The globals' number, and for each counted domain that of the local state of each element.
    pub(crate) fn read(&self, model: &Model, parts: &Parts, state: &[Cell]) -> (u32, Vec<Vec<u32>>) {
        let (globals, locals) = parts.split(model, state);
        let mut met = self.met.write().unwrap_or_else(PoisonError::into_inner);
        let number = met.globals.number(globals);
        let numbers = (0..)
            .zip(locals)
            .map(|(domain, elements)| elements.into_iter().map(|local| met.local(domain, local)).collect());
        (number, numbers.collect())
    }

    pub fn population(&self, model: &Model, parts: &Parts, state: &[Cell]) -> Population {
        let (globals, held) = parts.globals_of(model, state);
        let mut met = self.met.write().unwrap_or_else(PoisonError::into_inner);
        let mut counts: Vec<(u32, u32)> = Vec::new();
        let (mut cells, mut last) = (Vec::new(), Vec::new());
        for (domain, elements) in parts.locals.iter().enumerate() {
            for element in 0..elements.len() {
                parts.local(domain, element, state, &held, &mut cells);
                // Neighbours are often alike.
                match counts.last_mut() {
                    Some((_, count)) if element > 0 && cells == last => *count += 1,
                    _ => counts.push((met.local(domain as u32, cells.clone()), 1)),
                }
                std::mem::swap(&mut cells, &mut last);
            }
        }
        counts.sort_unstable();
        counts.dedup_by(|more, same| {
            let alike = more.0 == same.0;
            same.1 += if alike { more.1 } else { 0 };
            alike
        });
        Population { globals: met.globals.number(globals), counts }
    }

    /// A state with this population, and the local state of each element of each counted domain: elements in the same one
    /// are neighbours.
    pub(crate) fn concrete(
        &self,
        model: &Model,
        parts: &Parts,
        population: &Population,
    ) -> (Vec<Cell>, Vec<Vec<u32>>) {
        let met = self.met.read().unwrap_or_else(PoisonError::into_inner);
        let mut numbers: Vec<Vec<u32>> = parts.domains.iter().map(|_| Vec::new()).collect();
        let mut locals: Vec<Vec<&[Cell]>> = parts.domains.iter().map(|_| Vec::new()).collect();
        for (local, count) in &population.counts {
            let (domain, cells) = ((local >> DOMAIN_SHIFT) as usize, met.cells(*local));
            for _ in 0..*count {
                numbers[domain].push(*local);
                locals[domain].push(cells);
            }
        }
        let globals = &met.globals.things[population.globals as usize];
        (parts.join(model, globals, &locals), numbers)
    }

    pub fn state(&self, model: &Model, parts: &Parts, population: &Population) -> Vec<Cell> {
        self.concrete(model, parts, population).0
    }

    /// The domain, by position among the counted ones, and the content of a local state.
    pub(crate) fn cells(&self, local: u32) -> (u32, Vec<Cell>) {
        let met = self.met.read().unwrap_or_else(PoisonError::into_inner);
        (local >> DOMAIN_SHIFT, met.cells(local).clone())
    }

    /// The number of a local state.
    pub(crate) fn local(&self, domain: u32, cells: Vec<Cell>) -> u32 {
        self.met.write().unwrap_or_else(PoisonError::into_inner).local(domain, cells)
    }

    /// The number of globals with this content.
    pub(crate) fn number(&self, globals: Vec<Cell>) -> u32 {
        self.met.write().unwrap_or_else(PoisonError::into_inner).globals.number(globals)
    }

    /// The content of the globals.
    pub(crate) fn globals(&self, globals: u32) -> Vec<Cell> {
        self.met.read().unwrap_or_else(PoisonError::into_inner).globals.things[globals as usize].clone()
    }

    /// How many local states were met.
    pub fn locals(&self) -> usize {
        let met = self.met.read().unwrap_or_else(PoisonError::into_inner);
        met.locals.iter().map(|locals| locals.things.len()).sum()
    }
}
