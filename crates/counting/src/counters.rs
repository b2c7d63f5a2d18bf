//! The system of populations, on packed words.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use burnside_model::Model;
use burnside_model::code::{Cell, DomainId, Fault, Semantics};
use burnside_model::system::{Batch, BatchFault, Batcher, Machine, Outcome, SideEffects, System, TimeUp};

use crate::effects::{Effects, Executor};
use crate::parts::Parts;
use crate::population::{DOMAIN_SHIFT, Population, Register};
use crate::rank::rank;

/// What all threads know of a model whose elements are counted.
#[derive(Debug)]
pub struct Counting<'m> {
    pub(crate) model: &'m Model,
    pub(crate) semantics: Semantics,
    pub(crate) parts: Parts,
    pub(crate) register: Register,
    /// From how many elements in the same local state on there might as well be more; nothing if their number matters.
    pub(crate) many: Option<u32>,
    /// How many different local states there is room for in a state.
    slots: usize,
    crowded: AtomicBool,
    uneven: AtomicBool,
}

/// Whether the model can be executed with fewer elements: not if they are values of a range or an enum.
pub(crate) fn resizable(model: &Model, domains: &[DomainId]) -> bool {
    let one: Vec<_> = domains.iter().map(|domain| (*domain, 1)).collect();
    model.resized(&one).is_some()
}

/// The most elements in one local state that have room in half a word.
const MOST: u32 = 0xffff;
/// The bits of a local state's position among those of its domain that have room beside it.
const LOCAL_BITS: u32 = 12;

/// A local state in 16 bits, if it has room.
fn squeeze(local: u32) -> Option<u32> {
    let (domain, at) = (local >> DOMAIN_SHIFT, local & ((1 << DOMAIN_SHIFT) - 1));
    (domain < 1 << (16 - LOCAL_BITS) && at < 1 << LOCAL_BITS).then_some(domain << LOCAL_BITS | at)
}

fn unsqueeze(half: u32) -> u32 {
    half >> LOCAL_BITS << DOMAIN_SHIFT | half & ((1 << LOCAL_BITS) - 1)
}

impl<'m> Counting<'m> {
    /// The counted model; the domains must be [`countable`](crate::countable) and verified to be symmetries.
    pub fn new(model: &'m Model, semantics: Semantics, domains: &[DomainId], slots: usize) -> Self {
        Counting {
            model,
            semantics,
            parts: Parts::new(model, domains),
            register: Register::default(),
            many: rank(model, domains).ok().map(|rank| rank + 2).filter(|_| resizable(model, domains)),
            slots,
            crowded: AtomicBool::new(false),
            uneven: AtomicBool::new(false),
        }
    }

    /// The model.
    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Words per state.
    pub fn words(&self) -> usize {
        1 + self.slots.div_ceil(2)
    }

    /// Whether a state had more local states than there was room for: what was explored is worth nothing then.
    pub fn crowded(&self) -> bool {
        self.crowded.load(Ordering::Relaxed)
    }

    /// Whether elements in one local state were treated differently, so that they cannot be counted after all.
    pub fn uneven(&self) -> bool {
        self.uneven.load(Ordering::Relaxed)
    }

    /// How many local states were met.
    pub fn locals(&self) -> usize {
        self.register.locals()
    }

    /// A state of the model with the population in these words.
    pub fn unpack(&self, words: &[u64]) -> Vec<Cell> {
        self.register.state(self.model, &self.parts, &decode(words))
    }

    /// A state of the model with this population.
    pub fn state(&self, population: &Population) -> Vec<Cell> {
        self.register.state(self.model, &self.parts, population)
    }

    /// The population of a state of the model, as words; nothing if there is no room.
    pub fn pack(&self, state: &[Cell]) -> Option<Vec<u64>> {
        let population = self.register.population(self.model, &self.parts, state);
        let mut words = vec![0; self.words()];
        self.encode(&population, &mut words).then_some(words)
    }

    /// Writes a population; whether there was room.
    fn encode(&self, population: &Population, words: &mut [u64]) -> bool {
        words.fill(0);
        words[0] = population.globals.into();
        let fits = population.counts.len() <= self.slots
            && population.counts.iter().all(|(local, count)| squeeze(*local).is_some() && *count <= MOST);
        if !fits {
            self.crowded.store(true, Ordering::Relaxed);
            return false;
        }
        for (i, (local, count)) in population.counts.iter().enumerate() {
            let half = squeeze(*local).unwrap_or(0) << 16 | count;
            words[1 + i / 2] |= u64::from(half) << (32 * (i % 2));
        }
        true
    }
}

fn decode(words: &[u64]) -> Population {
    let halves = words[1..].iter().flat_map(|word| [*word as u32, (word >> 32) as u32]);
    let counts = halves.filter(|half| *half != 0).map(|half| (unsqueeze(half >> 16), half & MOST));
    Population { globals: words[0] as u32, counts: counts.collect() }
}

/// What is known of all populations with the same globals and, up to where it does not matter, the same counts.
#[derive(Default)]
struct Known {
    few: Population,
    effects: Option<Arc<Effects>>,
    properties: Vec<Option<Result<u64, Fault>>>,
}

/// The system of populations. One per thread.
pub struct Counters<'c> {
    counting: &'c Counting<'c>,
    executor: Executor<'c>,
    known: HashMap<Population, Known>,
    deadline: Option<Instant>,
    started: SideEffects,
}

impl<'c> Counters<'c> {
    /// The system of a counted model.
    pub fn new(counting: &'c Counting<'c>) -> Self {
        let Counting { model, semantics, parts, register, .. } = counting;
        let executor = Executor::new(model, *semantics, register, &parts.domains);
        Counters {
            counting,
            executor,
            known: HashMap::new(),
            deadline: None,
            started: SideEffects::default(),
        }
    }

    /// What is known of a population.
    fn known(&mut self, population: &Population) -> &mut Known {
        let mut few = population.clone();
        if let Some(many) = self.counting.many {
            few.counts.iter_mut().for_each(|(_, count)| *count = (*count).min(many));
        }
        let properties = self.counting.model.properties.len();
        self.known.entry(few).or_insert_with_key(|few| Known {
            few: few.clone(),
            effects: None,
            properties: vec![None; properties],
        })
    }

    /// The steps of a population.
    fn effects(&mut self, population: &Population) -> Result<Arc<Effects>, TimeUp> {
        let known = self.known(population);
        if let Some(effects) = &known.effects {
            return Ok(Arc::clone(effects));
        }
        let few = known.few.clone();
        let effects = Arc::new(self.executor.steps(&few)?);
        if effects.uneven() {
            self.counting.uneven.store(true, Ordering::Relaxed);
        }
        self.known(population).effects = Some(Arc::clone(&effects));
        Ok(effects)
    }

    /// Stops the search if it is worth nothing.
    fn sound(&self) -> Result<(), TimeUp> {
        if self.counting.crowded() || self.counting.uneven() { Err(TimeUp) } else { Ok(()) }
    }
}

impl Batcher for Counters<'_> {
    fn words(&self) -> usize {
        self.counting.words()
    }

    fn initial(&mut self, batch: &mut Batch) -> Result<(), TimeUp> {
        let counting = self.counting;
        let mut machine = Machine::new(counting.model, counting.semantics);
        machine.set_deadline(self.deadline);
        machine.initial(&mut |step| {
            let (fault, in_guard) = match step.outcome {
                Outcome::State(state) => {
                    let Some(words) = counting.pack(state) else { return ControlFlow::Break(()) };
                    batch.states.extend(words);
                    batch.rules.push(step.rule);
                    batch.stutters.push(false);
                    return ControlFlow::Continue(());
                }
                Outcome::Dropped => {
                    batch.dropped.push(step.rule);
                    return ControlFlow::Continue(());
                }
                Outcome::GuardFault(fault) => (fault, true),
                Outcome::Fault(fault) => (fault, false),
            };
            batch.faults.push(BatchFault { rule: step.rule, args: step.args.to_vec(), fault, in_guard });
            ControlFlow::Continue(())
        })?;
        self.started = machine.side_effects();
        self.sound()
    }

    fn successors(&mut self, state: &[u64], batch: &mut Batch) -> Result<(), TimeUp> {
        let population = decode(state);
        let effects = self.effects(&population)?;
        self.sound()?;
        for effect in &effects.steps {
            let instances = effect.instances(&population);
            let Some(globals) = effect.globals else {
                batch.dropped.push(effect.rule);
                continue;
            };
            let next = effect.apply(&population, globals);
            let at = batch.states.len();
            batch.states.resize(at + self.counting.words(), 0);
            if !self.counting.encode(&next, &mut batch.states[at..]) {
                return Err(TimeUp);
            }
            batch.rules.push(effect.rule);
            batch.stutters.push(effect.stutters);
            let _ = instances;
        }
        batch.faults.extend(effects.faults.iter().map(|(_, fault)| fault.clone()));
        Ok(())
    }

    fn holds(&mut self, property: usize, state: &[u64]) -> Result<Result<u64, Fault>, TimeUp> {
        let population = decode(state);
        let known = self.known(&population);
        if let Some(held) = &known.properties[property] {
            return Ok(held.clone());
        }
        let few = known.few.clone();
        let held = self.executor.holds(property, &few)?;
        self.known(&population).properties[property] = Some(held.clone());
        Ok(held)
    }

    fn weight(&mut self, state: &[u64]) -> Option<u128> {
        let population = decode(state);
        let mut left = vec![0u32; self.counting.parts.domains.len()];
        let mut weight = 1u128;
        for (local, count) in &population.counts {
            let total = &mut left[(local >> DOMAIN_SHIFT) as usize];
            // The ways to choose which of the elements so far are in this local state.
            for chosen in 1..=*count {
                *total += 1;
                weight = weight.checked_mul((*total).into())? / u128::from(chosen);
            }
        }
        Some(weight)
    }

    fn set_deadline(&mut self, deadline: Option<Instant>) {
        self.deadline = deadline;
        self.executor.set_deadline(deadline);
    }

    fn side_effects(&mut self) -> SideEffects {
        let mut effects = std::mem::take(&mut self.started);
        let more = self.executor.side_effects();
        effects.output.push_str(&more.output);
        effects.undefined_copies.extend(more.undefined_copies);
        effects.covered.resize(self.counting.model.properties.len(), 0);
        for (all, more) in effects.covered.iter_mut().zip(more.covered) {
            *all += more;
        }
        effects
    }
}
