//! Reachability on sets of populations.
//!
//! The states are kept by their globals; for each valuation, a diagram of the multisets of local states. A rule takes the
//! elements that it names out of the multisets, sorts what is left by how it looks to the rule, and puts the named ones
//! back as they are afterwards. What it does is found by executing it with the named elements and, of the others, one
//! per look and not more than can be told apart.
//!
//! Rules that name one element, see no other, and leave the globals alone are applied at once as often as possible.

use burnside_model::{Count, Deadline};
use std::collections::{BTreeMap, HashMap};
use std::ops::ControlFlow;
use std::sync::Arc;

use burnside_model::code::{Cell, Fault};
use burnside_model::system::{Machine, Outcome, System, TimeUp};

use crate::counters::Counting;
use crate::diagram::{Diagrams, Full, Map, NONE, Set, UNIT};
use crate::effects::{Effect, Effects, Executor};
use crate::parts::{MARKS, POINTS};
use crate::population::Population;
use crate::relevance::{Relevance, of_rule};
use crate::view::{View, variable};

mod closures;
mod conclude;
#[cfg(test)]
mod planted;

/// Why a search ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stopped {
    /// There is no room for more nodes.
    Memory,
    Time,
    /// Elements in one local state were treated differently.
    Uneven,
}

impl Stopped {
    /// In words.
    pub fn reason(self) -> &'static str {
        match self {
            Stopped::Memory => "the memory limit does not suffice",
            Stopped::Time => "the time limit does not suffice",
            Stopped::Uneven => "elements in the same local state are treated differently",
        }
    }
}

impl From<Full> for Stopped {
    fn from(_: Full) -> Self {
        Stopped::Memory
    }
}

impl From<TimeUp> for Stopped {
    fn from(_: TimeUp) -> Self {
        Stopped::Time
    }
}

/// What went wrong in some reachable population.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    pub rule: u32,
    pub fault: Fault,
    /// Whether it was the guard.
    pub in_guard: bool,
    pub population: Population,
}

/// What was found of a property.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Judged {
    /// A population in which it does not hold; for a cover, in which it does.
    pub met: Option<Population>,
    /// A population in which it cannot be evaluated, and why.
    pub faulty: Option<(Population, Fault)>,
}

/// Where a condition cannot be evaluated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Met {
    pub population: Population,
    /// What goes wrong, if it cannot be evaluated there.
    pub fault: Option<Fault>,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Reached {
    /// How many orbits were reached.
    pub orbits: Count,
    /// A population in which each property does not hold (for a cover: does), if there is one; or in which it goes wrong.
    pub judged: Vec<Judged>,
    /// Start states that go wrong, their arguments, and how.
    pub failed_starts: Vec<(u32, Vec<Cell>, Fault)>,
    /// A population all of whose steps, if any, lead back to the very state.
    pub stuck: Option<Population>,
    /// A population without a step.
    pub disabled: Option<Population>,
    /// The first things that went wrong.
    pub wrong: Vec<Wrong>,
    /// The most nodes that there were.
    pub peak_nodes: usize,
}

pub(crate) type Found<T> = Result<T, Stopped>;

/// What a condition says.
#[derive(Default)]
pub(crate) struct Told {
    /// Where it holds, by globals.
    pub holds: BTreeMap<u32, Set>,
    /// Where it cannot be evaluated.
    pub unvalued: Option<Met>,
}

/// How a rule looks at elements.
pub(crate) struct Seen<'m> {
    relevance: Relevance<'m>,
    view: View<'m>,
    /// The pointers whose elements it names besides its parameters, as marks.
    followed: Vec<Cell>,
}

impl<'m> Seen<'m> {
    fn new(counting: &Counting<'m>, relevance: Relevance<'m>) -> Self {
        let parts = &counting.parts;
        let mut followed = vec![0; parts.pointers.len().div_ceil(MARKS)];
        for (i, pointer) in parts.pointers.iter().enumerate() {
            if relevance.followed.contains(&variable(counting.model, parts.globals[pointer.global])) {
                followed[i / MARKS] |= 1 << (i % MARKS);
            }
        }
        Seen { view: View::new(counting, &relevance), relevance, followed }
    }

    /// Whether it may change elements that it does not name.
    pub(crate) fn loops(&self) -> bool {
        self.relevance.loops
    }

    /// What a local state looks like to it.
    pub(crate) fn look(&mut self, counting: &Counting<'m>, globals: u32, local: u32) -> u32 {
        self.view.look(counting, globals, local)
    }

    /// Whether every pointer that it can see holds one element, if it holds any.
    pub(crate) fn is_consistent(
        &self,
        counting: &Counting<'m>,
        globals: u32,
        taken: &[u32],
        looks: &[(u32, u32)],
    ) -> bool {
        let Counting { parts, register, .. } = counting;
        let contents = register.globals(globals);
        let all = taken.iter().map(|local| (*local, 1)).chain(looks.iter().copied());
        let all: Vec<_> = all.map(|(local, count)| (register.cells(local).1, count)).collect();
        let masks = parts.pointers.len().div_ceil(MARKS);
        parts.pointers.iter().enumerate().filter(|(i, _)| self.view.shows(*i)).all(|(i, pointer)| {
            let marked = |cells: &[Cell]| cells[cells.len() - masks + i / MARKS] >> (i % MARKS) & 1 == 1;
            let held: u32 = all.iter().filter(|(cells, _)| marked(cells)).map(|(_, count)| *count).sum();
            held == u32::from(contents[pointer.global] == POINTS)
        })
    }

    /// Whether it sees nothing of elements that it does not name.
    pub(crate) fn is_blind(&self) -> bool {
        !self.relevance.asks && !self.relevance.loops && self.relevance.seen.is_empty()
    }

    /// Whether it sees others, but names one element alone and changes no other.
    fn is_steady(&self) -> bool {
        self.relevance.parameters == 1
            && !self.is_blind()
            && !self.relevance.loops
            && self.followed.iter().all(|marks| *marks == 0)
    }

    /// Whether it sees nothing but the one element that it names.
    fn is_local(&self) -> bool {
        self.relevance.parameters == 1 && self.is_blind() && self.followed.iter().all(|marks| *marks == 0)
    }
}

/// A rule applied at once to states with the same looks.
struct Steady<'l> {
    rule: usize,
    globals: u32,
    looks: &'l Looks,
    done: Map<Set, Set>,
    stars: Map<u32, Arc<Star>>,
    closed: Map<u32, Arc<Closed>>,
}

/// What a rule does to some of the states with one valuation of the globals.
pub(crate) struct Fired {
    /// The states where it does it.
    pub from: Set,
    /// The globals afterwards, and the states; nothing if an assumption excludes them.
    pub to: Option<(u32, Set)>,
    pub stutters: bool,
}

/// What a rule does in one way to some of the states with one valuation of the globals.
pub(crate) struct Deed {
    /// The local states of the elements that it names or follows.
    pub taken: Vec<u32>,
    /// The others of the states where it does it.
    pub rest: Set,
    /// Where it leads; nothing if it goes wrong, or an assumption excludes the state.
    pub to: Option<Landing>,
    pub stutters: bool,
}

/// Where a step leads.
pub(crate) struct Landing {
    /// The globals afterwards.
    pub globals: u32,
    /// The local states, then, of the elements that were taken.
    pub moved: Vec<u32>,
    /// Where each of the others goes; nothing if they stay as they are.
    pub goes: Vec<(u32, u32)>,
}

/// Where a local state gets to, in ascending order.
type Star = Vec<u32>;

/// The same, each with whether its own star has all greater ones.
type Closed = Vec<(u32, bool)>;

/// A set in parts, by looks.
pub(crate) type Sorted = Arc<Vec<(Looks, Set)>>;

/// How many of the elements that were not named have each look, by look.
pub(crate) type Looks = Vec<(u32, u32)>;

/// Reachability under way.
pub struct Reach<'c> {
    pub(crate) counting: &'c Counting<'c>,
    pub(crate) executor: Executor<'c>,
    pub(crate) diagrams: Diagrams,
    pub(crate) rules: Vec<Seen<'c>>,
    pub(crate) many: u32,
    pub(crate) reached: BTreeMap<u32, Set>,
    pub(crate) todo: BTreeMap<u32, Set>,
    executed: HashMap<(u32, Population), Arc<Effects>>,
    /// Where a local state gets to by rules that are applied at once, by globals and local state.
    stars: Map<(u32, u32), Arc<Star>>,
    /// The same with which values are closed.
    closed: Map<(u32, u32), Arc<Closed>>,
    closures: Map<(u32, Set), Set>,
    sorted: HashMap<(usize, u32, Set), Sorted>,
    pub(crate) wrong: Vec<Wrong>,
    pub(crate) failed_starts: Vec<(u32, Vec<Cell>, Fault)>,
    deadline: Deadline,
}

/// The most things that go wrong that are kept.
const MOST_WRONG: usize = 16;

impl<'c> Reach<'c> {
    /// Nothing is reached yet. Nothing at all if the number of elements in a local state matters, however great.
    pub fn new(counting: &'c Counting<'c>, nodes: usize, deadline: Deadline) -> Option<Self> {
        let Counting { model, semantics, parts, register, .. } = counting;
        let mut executor = Executor::new(model, *semantics, register, &parts.domains);
        executor.set_deadline(deadline);
        let rules = (0..model.rules.len())
            .map(|rule| Seen::new(counting, of_rule(model, &parts.domains, rule)))
            .collect();
        Some(Reach {
            counting,
            executor,
            diagrams: Diagrams::new(nodes),
            rules,
            many: counting.many?,
            reached: BTreeMap::new(),
            todo: BTreeMap::new(),
            executed: HashMap::new(),
            stars: Map::default(),
            closed: Map::default(),
            closures: Map::default(),
            sorted: HashMap::new(),
            wrong: Vec::new(),
            failed_starts: Vec::new(),
            deadline,
        })
    }

    /// Reaches everything, and decides the properties.
    pub fn run(&mut self) -> Found<Reached> {
        self.start()?;
        self.explore()?;
        self.conclude()
    }

    /// Reaches everything from what is to be done.
    pub(crate) fn explore(&mut self) -> Found<()> {
        while let Some((globals, set)) = self.todo.pop_first() {
            self.in_time()?;
            let set = self.saturate(globals, set)?;
            let reached = self.reached.get(&globals).copied().unwrap_or(NONE);
            let new = self.diagrams.minus(set, reached)?;
            if new == NONE {
                continue;
            }
            let all = self.diagrams.union(reached, new)?;
            self.reached.insert(globals, all);
            for rule in 0..self.rules.len() {
                for fired in self.fire_further(globals, new, rule)? {
                    let Some((globals, set)) = fired.to else { continue };
                    let known = self.reached.get(&globals).copied().unwrap_or(NONE);
                    let new = self.diagrams.minus(set, known)?;
                    if new != NONE {
                        let old = self.todo.get(&globals).copied().unwrap_or(NONE);
                        let all = self.diagrams.union(old, new)?;
                        self.todo.insert(globals, all);
                    }
                }
            }
            self.tidy();
        }
        Ok(())
    }

    pub(crate) fn in_time(&self) -> Found<()> {
        if self.deadline.has_passed() { Err(Stopped::Time) } else { Ok(()) }
    }

    fn start(&mut self) -> Found<()> {
        let counting = self.counting;
        let mut machine = Machine::new(counting.model, counting.semantics);
        machine.set_deadline(self.deadline);
        let (mut populations, mut failed) = (Vec::new(), Vec::new());
        machine.initial(&mut |step| {
            match step.outcome {
                Outcome::State(state) => {
                    populations.push(counting.register.population(counting.model, &counting.parts, state));
                }
                Outcome::Fault(fault) | Outcome::GuardFault(fault) => {
                    failed.push((step.rule, step.args.to_vec(), fault));
                }
                Outcome::Dropped => {}
            }
            ControlFlow::Continue(())
        })?;
        self.failed_starts = failed;
        populations.sort_unstable_by(|a, b| (a.globals, &a.counts).cmp(&(b.globals, &b.counts)));
        populations.dedup();
        for population in populations {
            let set = self.diagrams.single(&population.values())?;
            let old = self.todo.get(&population.globals).copied().unwrap_or(NONE);
            let all = self.diagrams.union(old, set)?;
            self.todo.insert(population.globals, all);
        }
        Ok(())
    }

    /// Goes back to the start states.
    pub(crate) fn forget(&mut self) -> Found<()> {
        self.reached.clear();
        self.todo.clear();
        self.start()
    }

    /// The populations that are to be looked at: the start states, if nothing was reached yet.
    pub(crate) fn waiting(&self) -> Vec<Population> {
        let each = |(globals, set): (&u32, &Set)| {
            let all = self.diagrams.each(*set);
            let globals = *globals;
            all.into_iter().map(move |values| population(globals, &values, &[])).collect::<Vec<_>>()
        };
        self.todo.iter().flat_map(each).collect()
    }

    /// Forgets what is not needed any more, if that is much.
    fn tidy(&mut self) {
        if self.diagrams.is_crowded() {
            self.closures = Map::default();
            self.sorted = HashMap::new();
            self.diagrams.collect(self.reached.values_mut().chain(self.todo.values_mut()));
        }
    }

    /// The steps of a rule in a small population.
    pub(crate) fn execute(&mut self, rule: usize, population: Population) -> Found<Arc<Effects>> {
        let key = (rule as u32, population);
        if let Some(effects) = self.executed.get(&key) {
            return Ok(Arc::clone(effects));
        }
        let effects = Arc::new(self.executor.steps_of(key.0, &key.1)?);
        if effects.uneven() {
            return Err(Stopped::Uneven);
        }
        self.executed.insert(key, Arc::clone(&effects));
        Ok(effects)
    }

    /// The elements that the pointers hold which a rule follows: all ways in which they may be chosen from these values.
    fn targets(&self, globals: u32, rule: usize, values: &[u32]) -> Vec<Vec<u32>> {
        let Counting { parts, register, .. } = self.counting;
        let contents = register.globals(globals);
        let mut wanted = self.rules[rule].followed.clone();
        for (i, pointer) in parts.pointers.iter().enumerate() {
            if contents[pointer.global] != POINTS {
                wanted[i / MARKS] &= !(1 << (i % MARKS));
            }
        }
        let marked: Vec<(u32, Vec<Cell>)> = values
            .iter()
            .filter_map(|value| {
                let (_, cells) = register.cells(*value);
                let marks = cells[cells.len() - wanted.len()..].iter().zip(&wanted);
                let marks: Vec<Cell> = marks.map(|(cell, wanted)| cell & wanted).collect();
                marks.iter().any(|marks| *marks != 0).then_some((*value, marks))
            })
            .collect();
        let mut ways = Vec::new();
        cover(&marked, &wanted, &mut Vec::new(), &mut ways);
        ways
    }

    /// What a rule does to a set of states.
    pub(crate) fn fire(&mut self, globals: u32, set: Set, rule: usize) -> Found<Vec<Fired>> {
        let values = self.diagrams.values(set);
        let mut all = Vec::new();
        for (named, targets) in self.choices(globals, rule, &values) {
            self.fire_at(globals, set, rule, &named, &targets, &mut all)?;
        }
        Ok(all)
    }

    /// The same, but for steps that were taken when the set was saturated.
    fn fire_further(&mut self, globals: u32, set: Set, rule: usize) -> Found<Vec<Fired>> {
        if !self.rules[rule].is_local() {
            return self.fire(globals, set, rule);
        }
        let mut all = Vec::new();
        // A parameter need not name an element.
        self.fire_at(globals, set, rule, &[], &[], &mut all)?;
        for value in self.diagrams.values(set) {
            let effects = self.execute(rule, population(globals, &[value], &[]))?;
            let stays = effects.steps.iter().all(|effect| effect.globals == Some(globals));
            if !stays || !effects.faults.is_empty() {
                self.fire_at(globals, set, rule, &[value], &[], &mut all)?;
            }
        }
        Ok(all)
    }

    /// The local states of elements that a rule may name, each with those of elements to which it follows pointers.
    pub(crate) fn choices(&self, globals: u32, rule: usize, values: &[u32]) -> Vec<(Vec<u32>, Vec<u32>)> {
        let mut choices = Vec::new();
        for targets in self.targets(globals, rule, values) {
            for size in 0..=self.rules[rule].relevance.parameters {
                for named in multisets(values, size) {
                    let mut taken = named.clone();
                    taken.extend(targets.iter().filter(|target| !named.contains(target)));
                    if self.may_meet(&taken) {
                        choices.push((named, targets.clone()));
                    }
                }
            }
        }
        choices
    }

    /// The same where it names elements in just these local states, and follows pointers to those.
    fn fire_at(
        &mut self,
        globals: u32,
        set: Set,
        rule: usize,
        named: &[u32],
        targets: &[u32],
        all: &mut Vec<Fired>,
    ) -> Found<()> {
        for deed in self.deeds_at(globals, set, rule, named, targets)? {
            let from = self.put(&deed.taken, deed.rest)?;
            let to = match &deed.to {
                Some(landing) => Some((landing.globals, self.land(landing, deed.rest)?)),
                None => None,
            };
            all.push(Fired { from, to, stutters: deed.stutters });
        }
        Ok(())
    }

    /// What a rule does to a set of states, step by step.
    pub(crate) fn deeds(&mut self, globals: u32, set: Set, rule: usize) -> Found<Vec<Deed>> {
        let values = self.diagrams.values(set);
        let mut all = Vec::new();
        for (named, targets) in self.choices(globals, rule, &values) {
            all.extend(self.deeds_at(globals, set, rule, &named, &targets)?);
        }
        Ok(all)
    }

    fn deeds_at(
        &mut self,
        globals: u32,
        set: Set,
        rule: usize,
        named: &[u32],
        targets: &[u32],
    ) -> Found<Vec<Deed>> {
        let mut all = Vec::new();
        let mut taken = named.to_vec();
        taken.extend(targets.iter().filter(|target| !named.contains(target)));
        let blind = self.rules[rule].is_blind();
        if blind {
            let effects = self.execute(rule, population(globals, &taken, &[]))?;
            let none = effects.steps.iter().all(|effect| !names(effect, named))
                && effects.faults.iter().all(|(before, _)| !same(before, named));
            if none {
                return Ok(all);
            }
        }
        let Some(looks) = self.apart(globals, set, rule, &taken)? else { return Ok(all) };
        for (looks, rest) in looks.iter() {
            let effects = self.execute(rule, population(globals, &taken, looks))?;
            for (_, fault) in effects.faults.iter().filter(|(before, _)| same(before, named)) {
                // Whatever goes wrong is not a deadlock.
                all.push(Deed { taken: taken.clone(), rest: *rest, to: None, stutters: false });
                if self.wrong.len() < MOST_WRONG {
                    let values = self.diagrams.pick(*rest).unwrap_or_default();
                    let population = population(globals, &[&taken[..], &values].concat(), &[]);
                    let (rule, in_guard, fault) = (fault.rule, fault.in_guard, fault.fault.clone());
                    self.wrong.push(Wrong { rule, fault, in_guard, population });
                }
            }
            for effect in effects.steps.iter().filter(|effect| names(effect, named)) {
                let Some(after) = effect.globals else {
                    all.push(Deed { taken: taken.clone(), rest: *rest, to: None, stutters: false });
                    continue;
                };
                let mut moved: Vec<u32> = effect.named.iter().map(|(_, to)| *to).collect();
                moved
                    .extend(targets.iter().filter(|target| !named.contains(target)).map(|t| effect.goes(*t)));
                let goes = match self.rules[rule].relevance.loops {
                    true => {
                        let values = self.diagrams.values(*rest);
                        self.others(globals, rule, &taken, looks, effect, &values)?
                    }
                    false => Vec::new(),
                };
                let to = Some(Landing { globals: after, moved, goes });
                all.push(Deed { taken: taken.clone(), rest: *rest, to, stutters: effect.stutters });
            }
        }
        Ok(all)
    }

    /// What is left of the states when some elements are taken out of them, by how it looks to a rule; nothing if no state
    /// has such elements.
    pub(crate) fn apart(
        &mut self,
        globals: u32,
        set: Set,
        rule: usize,
        taken: &[u32],
    ) -> Found<Option<Sorted>> {
        let mut rest = set;
        for local in taken {
            rest = self.diagrams.remove(*local, rest)?;
        }
        if rest == NONE {
            return Ok(None);
        }
        Ok(Some(match self.rules[rule].is_blind() {
            true => Arc::new(vec![(Looks::new(), rest)]),
            false => self.sort(rule, globals, rest)?,
        }))
    }

    /// The states that the others of these become when a step leads there.
    pub(crate) fn land(&mut self, landing: &Landing, rest: Set) -> Found<Set> {
        let others = match landing.goes.is_empty() {
            true => rest,
            false => self.map(rest, &landing.goes, &mut Map::default())?,
        };
        self.put(&landing.moved, others)
    }

    /// Whether there may be elements in all these local states at once: not if one pointer held two of them.
    fn may_meet(&self, locals: &[u32]) -> bool {
        let Counting { parts, register, .. } = self.counting;
        let masks = parts.pointers.len().div_ceil(MARKS);
        if masks == 0 || locals.len() < 2 {
            return true;
        }
        let mut held: Vec<Cell> = vec![0; masks];
        locals.iter().all(|local| {
            let (_, cells) = register.cells(*local);
            let marks = &cells[cells.len() - masks..];
            let free = held.iter().zip(marks).all(|(held, marks)| held & marks == 0);
            held.iter_mut().zip(marks).for_each(|(held, marks)| *held |= marks);
            free
        })
    }

    pub(crate) fn put(&mut self, locals: &[u32], set: Set) -> Found<Set> {
        locals.iter().try_fold(set, |set, local| Ok(self.diagrams.insert(*local, set)?))
    }

    /// A set sorted by how its elements look to a rule, or (numbered after the rules) a property.
    pub(crate) fn sort(&mut self, rule: usize, globals: u32, set: Set) -> Found<Sorted> {
        if let Some(sorted) = self.sorted.get(&(rule, globals, set)) {
            return Ok(Arc::clone(sorted));
        }
        let Some((value, down, right)) = self.diagrams.open(set) else {
            let alone = if set == UNIT { vec![(Looks::new(), UNIT)] } else { Vec::new() };
            return Ok(Arc::new(alone));
        };
        let look = self.rules[rule].view.look(self.counting, globals, value);
        let mut sorted: BTreeMap<Looks, Set> = self.sort(rule, globals, right)?.iter().cloned().collect();
        for (looks, rest) in self.sort(rule, globals, down)?.iter() {
            let mut looks = looks.clone();
            match looks.binary_search_by_key(&look, |(other, _)| *other) {
                Ok(at) => looks[at].1 = (looks[at].1 + 1).min(self.many),
                Err(at) => looks.insert(at, (look, 1)),
            }
            let with = self.diagrams.node(value, *rest, NONE)?;
            let old = sorted.get(&looks).copied().unwrap_or(NONE);
            let all = self.diagrams.union(old, with)?;
            sorted.insert(looks, all);
        }
        let sorted = Arc::new(sorted.into_iter().collect::<Vec<_>>());
        self.sorted.insert((rule, globals, set), Arc::clone(&sorted));
        Ok(sorted)
    }

    /// Where the elements go that a step does not name.
    pub(crate) fn others(
        &mut self,
        globals: u32,
        rule: usize,
        taken: &[u32],
        looks: &Looks,
        effect: &Effect,
        values: &[u32],
    ) -> Found<Vec<(u32, u32)>> {
        let mut goes: Vec<(u32, u32)> = Vec::new();
        for value in values.iter().copied() {
            let look = self.rules[rule].view.look(self.counting, globals, value);
            let mut looks = looks.clone();
            let Some(at) = looks.iter().position(|(other, _)| *other == look) else { continue };
            looks[at].1 -= 1;
            let mut locals = taken.to_vec();
            locals.push(value);
            let effects = self.execute(rule, population(globals, &locals, &looks))?;
            let like = |other: &&Effect| other.named == effect.named && other.globals == effect.globals;
            let Some(found) = effects.steps.iter().find(like) else { return Err(Stopped::Uneven) };
            goes.push((value, found.goes(value)));
        }
        Ok(goes)
    }

    /// Every element of every multiset goes where it is told.
    fn map(&mut self, set: Set, goes: &[(u32, u32)], done: &mut Map<Set, Set>) -> Found<Set> {
        let Some((value, down, right)) = self.diagrams.open(set) else { return Ok(set) };
        if let Some(mapped) = done.get(&set) {
            return Ok(*mapped);
        }
        let right = self.map(right, goes, done)?;
        let down = self.map(down, goes, done)?;
        let to = goes.iter().find(|(from, _)| *from == value).map_or(value, |(_, to)| *to);
        let with = self.diagrams.insert(to, down)?;
        let mapped = self.diagrams.union(with, right)?;
        done.insert(set, mapped);
        Ok(mapped)
    }
}

impl Effect {
    /// Where an element in this local state goes that is not named.
    pub(crate) fn goes(&self, local: u32) -> u32 {
        self.others.iter().find(|(from, _)| *from == local).map_or(local, |(_, to)| *to)
    }
}

/// Whether a step names elements in just these local states.
pub(crate) fn names(effect: &Effect, locals: &[u32]) -> bool {
    same(&effect.named.iter().map(|(before, _)| *before).collect::<Vec<_>>(), locals)
}

/// Whether both are the same multiset.
pub(crate) fn same(a: &[u32], b: &[u32]) -> bool {
    let (mut a, mut b) = (a.to_vec(), b.to_vec());
    a.sort_unstable();
    b.sort_unstable();
    a == b
}

/// The population of these elements, and of others by their looks.
pub(crate) fn population(globals: u32, locals: &[u32], looks: &[(u32, u32)]) -> Population {
    let mut counts: BTreeMap<u32, u32> = BTreeMap::new();
    for (local, count) in locals.iter().map(|local| (*local, 1)).chain(looks.iter().copied()) {
        *counts.entry(local).or_default() += count;
    }
    Population { globals, counts: counts.into_iter().filter(|(_, count)| *count > 0).collect() }
}

/// All multisets of some of these values, each in ascending order.
fn multisets(values: &[u32], size: usize) -> Vec<Vec<u32>> {
    let Some(less) = size.checked_sub(1) else { return vec![Vec::new()] };
    let mut all = Vec::new();
    for shorter in multisets(values, less) {
        for value in values.iter().filter(|value| shorter.last().is_none_or(|last| last <= value)) {
            all.push([&shorter[..], &[*value]].concat());
        }
    }
    all
}

/// All ways to choose elements whose marks are the wanted ones, each once.
fn cover(marked: &[(u32, Vec<Cell>)], wanted: &[Cell], chosen: &mut Vec<u32>, ways: &mut Vec<Vec<u32>>) {
    if wanted.iter().all(|marks| *marks == 0) {
        ways.push(chosen.clone());
        return;
    }
    for (i, (value, marks)) in marked.iter().enumerate() {
        if marks.iter().zip(wanted).all(|(marks, wanted)| marks & !wanted == 0) {
            let left: Vec<Cell> = marks.iter().zip(wanted).map(|(marks, wanted)| wanted & !marks).collect();
            chosen.push(*value);
            cover(&marked[i + 1..], &left, chosen, ways);
            chosen.pop();
        }
    }
}
