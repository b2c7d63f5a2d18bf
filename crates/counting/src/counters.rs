//! The system of populations, on packed words.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;
use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use burnside_model::code::{Cell, DomainId, Fault, Semantics};
use burnside_model::system::{Batch, BatchFault, Batcher, Machine, Outcome, SideEffects, System, TimeUp};
use burnside_model::{Deadline, Model};

use crate::diagram::Mix;
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
    binomials: Vec<Vec<u128>>,
    /// How many instances of each rule fired, where populations are searched one by one.
    fired: Mutex<Vec<u64>>,
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

/// The halves of words: the globals, then each local state with its number of elements, as many as there are.
fn halves(words: &[u64]) -> impl Iterator<Item = u32> {
    words.iter().flat_map(|word| [*word as u32, (*word >> 32) as u32])
}

/// How many ways there are to choose some of so many, as long as that fits.
fn binomials(size: u32) -> Vec<Vec<u128>> {
    let mut rows: Vec<Vec<u128>> = vec![vec![1]];
    for n in 1..=size as usize {
        let above = &rows[n - 1];
        let row: Option<Vec<u128>> = (0..=n)
            .map(|k| match k {
                0 => Some(1),
                k if k == n => Some(1),
                k => above[k - 1].checked_add(above[k]),
            })
            .collect();
        match row {
            Some(row) => rows.push(row),
            None => break,
        }
    }
    rows
}

/// The same for one number, where not all of them fit.
fn binomial(n: u32, k: u32) -> Option<u128> {
    let step = |ways: u128, i: u32| Some(ways.checked_mul((n - i).into())? / u128::from(i + 1));
    (0..k.min(n - k)).try_fold(1, step)
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
            binomials: binomials(domains.iter().map(|d| model.types.domain(*d).size).max().unwrap_or(0)),
            fired: Mutex::new(vec![0; model.rules.len()]),
        }
    }

    pub fn model(&self) -> &'m Model {
        self.model
    }

    /// Words per state.
    pub fn words(&self) -> usize {
        (1 + self.slots).div_ceil(2)
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

    /// How many instances of each rule fired so far, where populations are searched one by one.
    pub fn fired(&self) -> Vec<u64> {
        self.fired.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// How many states have this population; nothing if more than fit.
    pub(crate) fn orbit(&self, population: &Population) -> Option<u128> {
        let (mut size, mut domain, mut total) = (1u128, u32::MAX, 0);
        for (local, count) in &population.counts {
            if local >> DOMAIN_SHIFT != domain {
                (domain, total) = (local >> DOMAIN_SHIFT, 0);
            }
            total += count;
            // The ways to choose which of the elements so far are in this local state.
            let known = self.binomials.get(total as usize).and_then(|row| row.get(*count as usize)).copied();
            size = size.checked_mul(known.or_else(|| binomial(total, *count))?)?;
        }
        Some(size)
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
        let squeezed =
            |(local, count): &(u32, u32)| (*count <= MOST).then_some(squeeze(*local)? << 16 | count);
        let slots: Option<Vec<u32>> = population.counts.iter().map(squeezed).collect();
        self.write(population.globals, slots.as_deref(), words)
    }

    /// Writes globals and slots, if there are such; whether there was room.
    fn write(&self, globals: u32, slots: Option<&[u32]>, words: &mut [u64]) -> bool {
        let Some(slots) = slots.filter(|slots| slots.len() <= self.slots) else {
            self.crowded.store(true, Ordering::Relaxed);
            return false;
        };
        words.fill(0);
        words[0] = globals.into();
        for (i, slot) in (1..).zip(slots) {
            words[i / 2] |= u64::from(*slot) << (32 * (i % 2));
        }
        true
    }
}

pub(crate) fn decode(words: &[u64]) -> Population {
    let slots = halves(words).skip(1).filter(|half| *half != 0);
    let counts = slots.map(|half| (unsqueeze(half >> 16), half & MOST)).collect();
    Population { globals: words[0] as u32, counts }
}

/// What is known of all populations with the same globals and, up to where it does not matter, the same counts.
struct Known {
    steps: Option<Arc<Steps>>,
    properties: Vec<Option<Result<u64, Fault>>>,
}

/// The steps of populations, ready to be taken.
struct Steps {
    effects: Effects,
    /// Per step, if no element moves but those that it names.
    moves: Vec<Option<Moves>>,
}

/// The globals afterwards, and the local states that elements leave and get to, in 16 bits.
type Moves = (u32, Vec<u32>, Vec<u32>);

impl Steps {
    fn new(effects: Effects) -> Self {
        let moves = effects.steps.iter().map(|effect| {
            let globals = effect.globals.filter(|_| effect.others.is_empty())?;
            let squeezed =
                |locals: &mut dyn Iterator<Item = u32>| locals.map(squeeze).collect::<Option<Vec<_>>>();
            let left = squeezed(&mut effect.named.iter().map(|(from, _)| *from))?;
            Some((globals, left, squeezed(&mut effect.named.iter().map(|(_, to)| *to))?))
        });
        Steps { moves: moves.collect(), effects }
    }
}

/// The system of populations. One per thread.
pub struct Counters<'c> {
    counting: &'c Counting<'c>,
    executor: Executor<'c>,
    /// What is known, by words with numbers no greater than matters.
    known: HashMap<Vec<u64>, Known, BuildHasherDefault<Mix>>,
    deadline: Deadline,
    started: SideEffects,
    fired: Vec<u64>,
    /// Room to work in.
    few: Vec<u64>,
    slots: Vec<u32>,
    after: Vec<u32>,
}

impl<'c> Counters<'c> {
    /// The system of a counted model.
    pub fn new(counting: &'c Counting<'c>) -> Self {
        let Counting { model, semantics, parts, register, .. } = counting;
        let executor = Executor::new(model, *semantics, register, &parts.domains);
        Counters {
            counting,
            executor,
            known: HashMap::default(),
            deadline: Deadline::NEVER,
            started: SideEffects::default(),
            fired: vec![0; model.rules.len()],
            few: Vec::new(),
            slots: Vec::new(),
            after: Vec::new(),
        }
    }

    /// What is known of a population.
    fn known(&mut self, state: &[u64]) -> &mut Known {
        self.few.clear();
        match self.counting.many {
            None => self.few.extend_from_slice(state),
            Some(many) => {
                let cap = |half: u32| half & !MOST | (half & MOST).min(many);
                self.few.extend(
                    state.iter().map(|word| {
                        u64::from(cap(*word as u32)) | u64::from(cap((*word >> 32) as u32)) << 32
                    }),
                );
                // The globals are no count.
                self.few[0] = self.few[0] & !0xffff_ffff | state[0] & 0xffff_ffff;
            }
        }
        // Not by `entry`, which would need a key of its own each time.
        if !self.known.contains_key(&self.few) {
            let properties = vec![None; self.counting.model.properties.len()];
            self.known.insert(self.few.clone(), Known { steps: None, properties });
        }
        self.known.get_mut(&self.few).expect("it was inserted")
    }

    fn steps(&mut self, state: &[u64]) -> Result<Arc<Steps>, TimeUp> {
        if let Some(steps) = &self.known(state).steps {
            return Ok(Arc::clone(steps));
        }
        let effects = self.executor.steps(&decode(&self.few))?;
        if effects.uneven() {
            self.counting.uneven.store(true, Ordering::Relaxed);
        }
        let steps = Arc::new(Steps::new(effects));
        self.known(state).steps = Some(Arc::clone(&steps));
        Ok(steps)
    }

    /// Stops the search if it is worth nothing.
    fn sound(&self) -> Result<(), TimeUp> {
        if self.counting.crowded() || self.counting.uneven() { Err(TimeUp) } else { Ok(()) }
    }

    /// The slots after some elements moved, in `self.after`.
    fn go(&mut self, left: &[u32], got: &[u32]) {
        self.after.clear();
        self.after.extend_from_slice(&self.slots);
        for from in left {
            if let Some(at) = self.after.iter().position(|slot| slot >> 16 == *from) {
                self.after[at] -= 1;
                if self.after[at] & MOST == 0 {
                    self.after.remove(at);
                }
            }
        }
        for to in got {
            match self.after.iter().position(|slot| slot >> 16 >= *to) {
                Some(at) if self.after[at] >> 16 == *to => self.after[at] += 1,
                at => self.after.insert(at.unwrap_or(self.after.len()), to << 16 | 1),
            }
        }
    }
}

impl Batcher for Counters<'_> {
    fn words(&self) -> usize {
        self.counting.words()
    }

    fn initial(&mut self, batch: &mut Batch) -> Result<(), TimeUp> {
        let counting = self.counting;
        let most =
            counting.parts.domains.iter().map(|domain| counting.model.types.domain(*domain).size).max();
        if most.is_some_and(|most| most > MOST) {
            counting.crowded.store(true, Ordering::Relaxed);
            return Err(TimeUp);
        }
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
        let steps = self.steps(state)?;
        self.sound()?;
        self.slots.clear();
        self.slots.extend(halves(state).skip(1).take_while(|half| *half != 0));
        for (effect, moves) in steps.effects.steps.iter().zip(&steps.moves) {
            let named = effect.named.iter().map(|(before, _)| *before);
            self.fired[effect.rule as usize] += instances(named, &self.slots);
            let Some(globals) = effect.globals else {
                batch.dropped.push(effect.rule);
                continue;
            };
            let at = batch.states.len();
            batch.states.resize(at + self.counting.words(), 0);
            let room = match moves {
                Some((globals, left, got)) => {
                    self.go(left, got);
                    self.counting.write(*globals, Some(&self.after), &mut batch.states[at..])
                }
                None => {
                    let next = effect.apply(&decode(state), globals);
                    self.counting.encode(&next, &mut batch.states[at..])
                }
            };
            if !room {
                return Err(TimeUp);
            }
            batch.rules.push(effect.rule);
            batch.stutters.push(effect.stutters);
        }
        for (named, fault) in &steps.effects.faults {
            if !fault.in_guard {
                self.fired[fault.rule as usize] += instances(named.iter().copied(), &self.slots);
            }
            batch.faults.push(fault.clone());
        }
        Ok(())
    }

    fn holds(&mut self, property: usize, state: &[u64]) -> Result<Result<u64, Fault>, TimeUp> {
        if let Some(held) = &self.known(state).properties[property] {
            return Ok(held.clone());
        }
        let held = self.executor.holds(property, &decode(&self.few))?;
        self.known(state).properties[property] = Some(held.clone());
        Ok(held)
    }

    fn all_hold(&mut self, properties: &[usize], state: &[u64]) -> bool {
        let known = self.known(state);
        properties.iter().all(|property| matches!(known.properties[*property], Some(Ok(held)) if held > 0))
    }

    fn weight(&mut self, state: &[u64]) -> Option<u128> {
        self.counting.orbit(&decode(state))
    }

    fn set_deadline(&mut self, deadline: Deadline) {
        self.deadline = deadline;
        self.executor.set_deadline(deadline);
    }

    fn side_effects(&mut self) -> SideEffects {
        let mut all = self.counting.fired.lock().unwrap_or_else(PoisonError::into_inner);
        all.iter_mut().zip(&mut self.fired).for_each(|(all, fired)| *all += std::mem::take(fired));
        drop(all);
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

/// How many instances of a rule name elements in these local states where these are the slots.
fn instances(named: impl Iterator<Item = u32> + Clone, slots: &[u32]) -> u64 {
    let mut product = 1u64;
    for (i, local) in named.clone().enumerate() {
        let taken = named.clone().take(i).filter(|other| *other == local).count() as u32;
        let slot = squeeze(local).and_then(|local| slots.iter().find(|slot| **slot >> 16 == local));
        product = product.saturating_mul(slot.map_or(0, |slot| slot & MOST).saturating_sub(taken).into());
    }
    product
}
