//! What the rules do to populations.
//!
//! Nothing tells apart more than so many elements in the same local state (see [`rank`](crate::rank)). So populations that
//! differ only in greater numbers take the same steps: the steps of one of them, with as few elements as possible, are
//! those of all. They are found by executing the model with that few elements.

use std::collections::HashMap;
use std::ops::ControlFlow;
use std::sync::Arc;

use burnside_model::code::{DomainId, Fault, Semantics};
use burnside_model::system::{BatchFault, Binder, Machine, Outcome, SideEffects, Step, System, TimeUp};
use burnside_model::{Deadline, Model};

use crate::parts::Parts;
use crate::population::{DOMAIN_SHIFT, Population, Register};

/// A step of a rule: which elements it names, and where these and all others go.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Effect {
    pub rule: u32,
    /// The local states of the named elements, before and after.
    pub named: Vec<(u32, u32)>,
    /// The local states that the other elements leave, and where they go.
    pub others: Vec<(u32, u32)>,
    /// The globals afterwards; nothing if an assumption excludes the state.
    pub globals: Option<u32>,
    /// Whether it leads back to the very same state.
    pub stutters: bool,
}

/// All steps of some populations.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    pub steps: Vec<Effect>,
    /// What goes wrong, each with the local states of the named elements.
    pub faults: Vec<(Vec<u32>, BatchFault)>,
}

/// Executes populations with few elements. One per thread.
pub(crate) struct Executor<'m> {
    model: &'m Model,
    semantics: Semantics,
    register: &'m Register,
    domains: Vec<DomainId>,
    /// Models by the numbers of elements that they have; nothing for the model itself.
    sizes: HashMap<Vec<u32>, Arc<Instance>>,
    deadline: Deadline,
    effects: SideEffects,
}

/// The model with some numbers of elements.
struct Instance {
    model: Model,
    parts: Parts,
}

impl<'m> Executor<'m> {
    pub fn new(model: &'m Model, semantics: Semantics, register: &'m Register, domains: &[DomainId]) -> Self {
        Executor {
            model,
            semantics,
            register,
            domains: domains.to_vec(),
            sizes: HashMap::new(),
            deadline: Deadline::NEVER,
            effects: SideEffects::default(),
        }
    }

    pub fn set_deadline(&mut self, deadline: Deadline) {
        self.deadline = deadline;
    }

    pub fn side_effects(&mut self) -> SideEffects {
        std::mem::take(&mut self.effects)
    }

    /// The model with as many elements as the population has.
    fn instance(&mut self, population: &Population) -> Arc<Instance> {
        let mut sizes = vec![0; self.domains.len()];
        for (local, count) in &population.counts {
            sizes[(local >> DOMAIN_SHIFT) as usize] += count;
        }
        let instance = self.sizes.entry(sizes).or_insert_with_key(|sizes| {
            let wanted: Vec<_> = self.domains.iter().copied().zip(sizes.iter().copied()).collect();
            let same = wanted.iter().all(|(domain, size)| self.model.types.domain(*domain).size == *size);
            let model = if same { None } else { self.model.resized(&wanted) };
            let model = model.unwrap_or_else(|| self.model.clone());
            let parts = Parts::new(&model, &self.domains);
            Arc::new(Instance { model, parts })
        });
        Arc::clone(instance)
    }

    pub fn steps(&mut self, population: &Population) -> Result<Effects, TimeUp> {
        self.execute(population, None)
    }

    /// Those of one rule.
    pub fn steps_of(&mut self, rule: u32, population: &Population) -> Result<Effects, TimeUp> {
        self.execute(population, Some(rule))
    }

    fn execute(&mut self, population: &Population, rule: Option<u32>) -> Result<Effects, TimeUp> {
        let instance = self.instance(population);
        let Instance { model, parts } = &*instance;
        let (state, before) = self.register.concrete(model, parts, population);
        let mut machine = Machine::new(model, self.semantics);
        machine.set_deadline(self.deadline);
        let mut effects = Effects::default();
        let register = self.register;
        let mut sink = |step: Step<'_>| {
            let named = named(model, parts, &before, &step);
            if let Some(named) = named {
                add(&mut effects, register, model, parts, &before, &named, step);
            }
            ControlFlow::Continue(())
        };
        match rule {
            Some(rule) => machine.fire_instances(rule, &[], &state, &mut sink)?,
            None => machine.successors(&state, &mut sink)?,
        }
        self.note(machine.side_effects());
        Ok(effects)
    }

    pub fn holds(&mut self, property: usize, population: &Population) -> Result<Result<u64, Fault>, TimeUp> {
        let instance = self.instance(population);
        let Instance { model, parts } = &*instance;
        let (state, _) = self.register.concrete(model, parts, population);
        let mut machine = Machine::new(model, self.semantics);
        machine.set_deadline(self.deadline);
        let held = machine.holds(property, &state);
        self.note(machine.side_effects());
        held
    }

    fn note(&mut self, effects: SideEffects) {
        self.effects.output.push_str(&effects.output);
        self.effects.undefined_copies.extend(effects.undefined_copies);
        self.effects.covered.resize(effects.covered.len(), 0);
        for (all, more) in self.effects.covered.iter_mut().zip(effects.covered) {
            *all += more;
        }
    }
}

/// The elements that a step names, each once, by domain; nothing if another step names elements in the same local states
/// in the same way: of those in one local state, those with smaller numbers are named first.
fn named(model: &Model, parts: &Parts, before: &[Vec<u32>], step: &Step<'_>) -> Option<Vec<(usize, usize)>> {
    let rule = &model.rules[step.rule as usize];
    let locals = rule.binders.iter().filter_map(|binder| match binder {
        Binder::Each(each) => Some(each.local),
        Binder::Choose(local, _) => Some(*local),
        Binder::Alias(..) => None,
    });
    let mut named: Vec<(usize, usize)> = Vec::new();
    for (local, value) in locals.zip(step.args) {
        let Some((domain, element)) = parts.element(model, rule.frame[local].ty, *value) else { continue };
        if named.contains(&(domain, element)) {
            continue;
        }
        let alike = &before[domain];
        let first = (0..element).rev().take_while(|other| alike[*other] == alike[element]);
        if first.into_iter().any(|other| !named.contains(&(domain, other))) {
            return None;
        }
        named.push((domain, element));
    }
    Some(named)
}

fn add(
    effects: &mut Effects,
    register: &Register,
    model: &Model,
    parts: &Parts,
    before: &[Vec<u32>],
    named: &[(usize, usize)],
    step: Step<'_>,
) {
    let mut effect = Effect {
        rule: step.rule,
        named: named.iter().map(|(domain, element)| (before[*domain][*element], 0)).collect(),
        others: Vec::new(),
        globals: None,
        stutters: step.stutters,
    };
    let (fault, in_guard) = match step.outcome {
        Outcome::State(state) => {
            let (globals, after) = register.read(model, parts, state);
            effect.globals = Some(globals);
            for (pair, (domain, element)) in effect.named.iter_mut().zip(named) {
                pair.1 = after[*domain][*element];
            }
            for (domain, (before, after)) in before.iter().zip(&after).enumerate() {
                for (element, (from, to)) in before.iter().zip(after).enumerate() {
                    if from != to
                        && !named.contains(&(domain, element))
                        && !effect.others.contains(&(*from, *to))
                    {
                        effect.others.push((*from, *to));
                    }
                }
            }
            effects.steps.push(effect);
            return;
        }
        Outcome::Dropped => {
            effects.steps.push(effect);
            return;
        }
        Outcome::GuardFault(fault) => (fault, true),
        Outcome::Fault(fault) => (fault, false),
    };
    let fault = BatchFault { rule: step.rule, args: step.args.to_vec(), fault, in_guard };
    effects.faults.push((effect.named.into_iter().map(|(before, _)| before).collect(), fault));
}

impl Effects {
    /// Whether elements in one local state that no step names went different ways.
    pub fn uneven(&self) -> bool {
        let uneven = |effect: &Effect| {
            let others = &effect.others;
            (1..others.len()).any(|i| others[..i].iter().any(|(from, _)| *from == others[i].0))
        };
        self.steps.iter().any(uneven)
    }
}

impl Effect {
    /// The population that the step leads to.
    pub fn apply(&self, population: &Population, globals: u32) -> Population {
        let mut counts: Vec<(u32, u32)> = Vec::with_capacity(population.counts.len() + 2);
        let mut put = |local: u32, more: u32| match counts.iter_mut().find(|(other, _)| *other == local) {
            Some((_, count)) => *count += more,
            None => counts.push((local, more)),
        };
        for (local, count) in &population.counts {
            let taken = self.named.iter().filter(|(from, _)| from == local).count() as u32;
            let to = self.others.iter().find(|(from, _)| from == local).map_or(*local, |(_, to)| *to);
            if *count > taken {
                put(to, count - taken);
            }
        }
        for (_, to) in &self.named {
            put(*to, 1);
        }
        counts.sort_unstable();
        Population { globals, counts }
    }
}
