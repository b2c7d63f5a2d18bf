//! Formulas of CTL, and liveness, decided on counts.
//!
//! A formula is decided in a [`World`]: the model with the elements that it names told apart. Inside, it speaks of counts
//! alone, and is decided by the fixpoints of [`burnside_logic`] on sets of orbits (`orbits`), on orbits one by one
//! (`graph`), or by whoever checks the program that counts (`programs`). Quantifiers, which stand outside temporal
//! operators, are decided in the start states (`judge`), and runs that show why become runs of states (`lift`).

mod decide;
mod graph;
mod judge;
mod lift;
mod orbits;
#[cfg(test)]
mod planted;
mod programs;
mod worlds;

use std::collections::{HashMap, HashSet};
use std::ops::ControlFlow;

use burnside_model::code::{Cell, Fault};
use burnside_model::findings::{Ending, Known, Witness};
use burnside_model::system::{Formula, Machine, Outcome, Property, PropertyKind, System};
use burnside_model::{Deadline, Limit, Model};

use crate::check::{self, Obstacle, Task, memory, with_much_stack};
use crate::counters::Counting;
use crate::path::Goal;
use crate::population::Population;
use crate::reach::{Found, Reach, Stopped};
use decide::{Checkers, Oracle};
use graph::{NoGraph, PopulationGraph};
use judge::Judge;
use orbits::{OrbitSets, Orbits};
pub use programs::Ask;
use programs::Programs;
pub(crate) use programs::over_counters;
pub(crate) use worlds::stated;
use worlds::{Claim, Claimed, worlds};
pub use worlds::{World, is_temporal, obstacle};

/// How populations are kept.
pub enum Way<'w> {
    /// Sets of them, as diagrams.
    Sets,
    /// One by one, with room for so many local states in each, at first and at most.
    OneByOne(usize, usize),
    /// As states of the program that counts.
    Program(&'w mut Ask<'w>),
}

/// What was found of the temporal properties.
#[derive(Clone, Debug, Default)]
pub struct Decided {
    /// What is known, by position in the model.
    pub known: Vec<(usize, Known)>,
    /// Runs that show why properties hold.
    pub shown: Vec<(usize, Witness)>,
    /// Runs to where a condition cannot be evaluated.
    pub faults: Vec<Witness>,
    pub limit: Option<Limit>,
    /// Whether some start state has no fair run.
    pub unfair: bool,
}

/// Where a condition of a world cannot be evaluated: the world, the condition, why, and a run there.
struct Unvalued {
    world: usize,
    condition: usize,
    fault: Fault,
    path: Vec<Vec<Cell>>,
}

/// Decides the temporal properties of a model.
pub fn decide(model: &Model, task: &Task, way: Way<'_>) -> Result<Decided, Obstacle> {
    if let Some(obstacle) = obstacle(model) {
        return Err(obstacle);
    }
    let (worlds, claims) = worlds(model);
    let base = Counting::new(model, task.semantics, &task.domains, 0);
    let deadline = task.limits.deadline();
    let mut case =
        Case { model, task, worlds: &worlds, claims: &claims, base: &base, starts: Vec::new(), deadline };
    let Ok((starts, whole)) = case.starts() else { return Ok(case.unknown(Limit::Time)) };
    case.starts = starts;
    let looks_back = |p: &&Property| p.formula.as_ref().is_some_and(Formula::looks_back);
    if let Some(property) = model.properties.iter().find(looks_back).filter(|_| !whole) {
        let reason = "the past of a state is not that of its orbit, as not all of it are start states";
        return Err(Obstacle { reason: reason.to_owned(), span: Some(property.span) });
    }
    match way {
        Way::Sets => case.on_sets(),
        Way::OneByOne(first, most) => case.one_by_one(first, most),
        Way::Program(ask) => case.by_programs(ask),
    }
}

/// What is asked.
struct Case<'c> {
    model: &'c Model,
    task: &'c Task,
    worlds: &'c [World],
    claims: &'c [Claimed],
    /// The model itself, counted.
    base: &'c Counting<'c>,
    /// One start state of each orbit.
    starts: Vec<Vec<Cell>>,
    deadline: Deadline,
}

/// What was found, or why it ended early; or why nothing can be.
type Ended<T> = Result<Result<T, Limit>, Obstacle>;

/// Sorts out why something ended.
fn ended<T>(found: Found<T>) -> Ended<T> {
    match found {
        Ok(found) => Ok(Ok(found)),
        Err(Stopped::Memory) => Ok(Err(Limit::Memory)),
        Err(Stopped::Time) => Ok(Err(Limit::Time)),
        Err(Stopped::Uneven) => Err(Obstacle { reason: Stopped::Uneven.reason().to_owned(), span: None }),
    }
}

impl<'c> Case<'c> {
    fn unknown(&self, limit: Limit) -> Decided {
        let known = self.claims.iter().map(|claimed| (claimed.property, Known::Unknown)).collect();
        Decided { known, limit: Some(limit), ..Decided::default() }
    }

    fn countings(&self, slots: usize) -> Vec<Counting<'c>> {
        let Task { semantics, domains, .. } = self.task;
        self.worlds.iter().map(|world| Counting::new(&world.model, *semantics, domains, slots)).collect()
    }

    /// On sets of orbits.
    fn on_sets(&self) -> Result<Decided, Obstacle> {
        let countings = self.on_diagrams()?;
        with_much_stack(|| {
            ended(self.decide_on_sets(&countings))
                .map(|found| found.unwrap_or_else(|limit| self.unknown(limit)))
        })
    }

    fn decide_on_sets(&self, countings: &[Counting<'c>]) -> Found<Decided> {
        let mut reached = self.reach(countings)?;
        let mut sets = Vec::new();
        for (world, reached) in self.worlds.iter().zip(&mut reached.worlds) {
            let conditions = std::mem::take(&mut reached.conditions);
            sets.push(OrbitSets::new(&mut reached.reach, world, &reached.starts, conditions)?);
        }
        let nothing = Model::default();
        let mut checkers = Checkers::new(self.worlds, &mut sets, &nothing)?;
        let unfair = checkers.unfair()?;
        let decided = self.judge(countings, &mut checkers, &reached.unvalued)?;
        Ok(Decided { unfair, ..decided })
    }

    /// The worlds, counted, if they can be on diagrams.
    fn on_diagrams(&self) -> Result<Vec<Counting<'c>>, Obstacle> {
        let found = self.worlds.iter().find_map(|world| check::obstacle(&world.model, self.task));
        found.map_or_else(|| Ok(self.countings(0)), Err)
    }

    /// Reaches everything in all worlds, on diagrams.
    fn reach<'r>(&self, countings: &'r [Counting<'c>]) -> Found<Reached<'r>>
    where
        'c: 'r,
    {
        let nodes = check::nodes(self.task) / self.worlds.len().max(1);
        let mut all = Reached { worlds: Vec::new(), unvalued: Vec::new() };
        for (number, (world, counting)) in self.worlds.iter().zip(countings).enumerate() {
            let mut reach = Reach::new(counting, nodes, self.deadline).ok_or(Stopped::Uneven)?;
            reach.forget()?;
            let starts = reach.waiting();
            reach.explore()?;
            let states: Vec<_> = reach.reached.iter().map(|(globals, set)| (*globals, *set)).collect();
            let mut conditions = HashMap::new();
            for condition in world.conditions() {
                let told = reach.condition(condition, &states)?;
                if let Some(fault) = told.unvalued.and_then(|met| met.fault) {
                    let reached = reach.reached.clone();
                    let path = reach.path(Goal::Unvalued(condition))?.unwrap_or_default();
                    let path = self.states(counting, &path);
                    reach.reached = reached;
                    all.unvalued.push(Unvalued { world: number, condition, fault, path });
                }
                conditions.insert(condition, told.holds);
            }
            all.worlds.push(ReachedWorld { reach, starts, conditions });
        }
        Ok(all)
    }

    fn one_by_one(&self, first: usize, most: usize) -> Result<Decided, Obstacle> {
        let memory = memory(self.task) / self.worlds.len().max(1) as u64;
        let mut slots = first;
        'more: loop {
            let countings = self.countings(slots);
            let mut graphs = Vec::new();
            for (world, counting) in self.worlds.iter().zip(&countings) {
                let stopped = match PopulationGraph::new(counting, world, memory, self.deadline) {
                    Ok(graph) => {
                        graphs.push(graph);
                        continue;
                    }
                    Err(NoGraph::Crowded) if slots < most => {
                        slots = (2 * slots + 1).min(most);
                        continue 'more;
                    }
                    Err(NoGraph::Crowded) => {
                        let reason = "there are too many local states".to_owned();
                        return Err(Obstacle { reason, span: None });
                    }
                    Err(NoGraph::Stopped(stopped)) => stopped,
                };
                return ended::<Decided>(Err(stopped))
                    .map(|found| found.unwrap_or_else(|limit| self.unknown(limit)));
            }
            return ended(self.decide_on_graphs(&countings, &graphs))
                .map(|found| found.unwrap_or_else(|limit| self.unknown(limit)));
        }
    }

    fn decide_on_graphs(&self, countings: &[Counting<'c>], graphs: &[PopulationGraph]) -> Found<Decided> {
        let mut unvalued = Vec::new();
        for (world, graph) in graphs.iter().enumerate() {
            for (condition, at, fault) in &graph.unvalued {
                let path = self.states(&countings[world], &graph.path(*at));
                unvalued.push(Unvalued { world, condition: *condition, fault: fault.clone(), path });
            }
        }
        let mut sets: Vec<_> = graphs.iter().map(|graph| graph.sets(self.deadline)).collect();
        let nothing = Model::default();
        let mut checkers = Checkers::new(self.worlds, &mut sets, &nothing)?;
        let unfair = checkers.unfair()?;
        let decided = self.judge(countings, &mut checkers, &unvalued)?;
        Ok(Decided { unfair, ..decided })
    }

    /// By whoever checks the programs that count.
    fn by_programs(&self, ask: &mut Ask<'_>) -> Result<Decided, Obstacle> {
        if let Some((rule, _)) = self.worlds.iter().flat_map(|world| &world.agents).next() {
            let span = Some(self.model.rules[*rule as usize].span);
            let reason = "fairness to a rule is not decided on the program that counts".to_owned();
            return Err(Obstacle { reason, span });
        }
        let countings = self.on_diagrams()?;
        let written = with_much_stack(|| {
            ended(self.reach(&countings).and_then(|mut reached| {
                let programs = Programs::write(self.worlds, &countings, &mut reached)?;
                Ok((programs, reached.unvalued))
            }))
        })?;
        let (mut programs, unvalued) = match written {
            Ok(written) => written,
            Err(limit) => return Ok(self.unknown(limit)),
        };
        programs.ask(&countings, ask)?;
        ended(self.judge(&countings, &mut programs, &unvalued))
            .map(|found| found.unwrap_or_else(|limit| self.unknown(limit)))
    }

    /// States of the model along a run of populations of a world.
    fn states(&self, counting: &Counting<'_>, path: &[Population]) -> Vec<Vec<Cell>> {
        let state = |population| {
            let mut state = counting.state(population);
            state.truncate(self.model.cells as usize);
            state
        };
        path.iter().map(state).collect()
    }

    /// What the properties say, now that formulas can be decided.
    fn judge(
        &self,
        countings: &[Counting<'c>],
        oracle: &mut dyn Oracle,
        unvalued: &[Unvalued],
    ) -> Found<Decided> {
        let mut decided = Decided::default();
        let worlds = self.worlds.iter().zip(countings).collect();
        let mut judge =
            Judge { counting: self.base, worlds, starts: &self.starts, oracle, deadline: self.deadline };
        for claimed in self.claims {
            if let Some(unvalued) = self.unvalued(claimed, unvalued) {
                let (path, fault) = (unvalued.path.clone(), unvalued.fault.clone());
                let ending = Ending::PropertyFault { fault, property: self.stated(claimed, unvalued) };
                decided.faults.push(Witness { path, ending });
                decided.known.push((claimed.property, Known::Unknown));
                continue;
            }
            match judge.judge(claimed) {
                Ok(judged) => {
                    decided.known.push((claimed.property, judged.known));
                    decided.shown.extend(judged.shown.map(|witness| (claimed.property, witness)));
                }
                Err(Stopped::Uneven) => return Err(Stopped::Uneven),
                // What was found of the other properties, and where conditions have no value, is found all the same.
                Err(stopped @ (Stopped::Memory | Stopped::Time)) => {
                    decided.known.push((claimed.property, Known::Unknown));
                    let limit = if stopped == Stopped::Time { Limit::Time } else { Limit::Memory };
                    decided.limit = decided.limit.or(Some(limit));
                }
            }
        }
        Ok(decided)
    }

    /// Something in a property, or in a fairness constraint, that cannot be evaluated somewhere.
    fn unvalued<'u>(&self, claimed: &Claimed, unvalued: &'u [Unvalued]) -> Option<&'u Unvalued> {
        let formulas = claimed.claim.formulas();
        unvalued.iter().find(|unvalued| {
            formulas.iter().any(|(world, formula)| {
                let conditions = &self.worlds[*world];
                *world == unvalued.world
                    && (conditions.met.contains(&unvalued.condition)
                        || conditions.conditions_of(*formula).contains(&unvalued.condition))
            })
        })
    }

    /// The property of the model that cannot be evaluated: this one, or a fairness constraint.
    fn stated(&self, claimed: &Claimed, unvalued: &Unvalued) -> usize {
        let met = &self.worlds[unvalued.world].met;
        let constraints = self.model.properties.iter().enumerate();
        let mut constraints = constraints.filter(|(_, p)| p.kind == PropertyKind::Fairness);
        let at = met.iter().position(|condition| *condition == unvalued.condition);
        at.and_then(|at| constraints.nth(at)).map_or(claimed.property, |(number, _)| number)
    }

    /// One start state of each orbit, and whether all states of their orbits are start states.
    fn starts(&self) -> Found<(Vec<Vec<Cell>>, bool)> {
        let counting = self.base;
        let mut machine = Machine::new(self.model, self.task.semantics);
        machine.set_deadline(self.deadline);
        let (mut states, mut orbits) = (HashSet::new(), HashMap::new());
        let mut starts = Vec::new();
        machine.initial(&mut |step| {
            if let Outcome::State(state) = step.outcome
                && states.insert(state.to_vec())
            {
                let population = counting.register.population(counting.model, &counting.parts, state);
                orbits.entry(population).or_insert_with(|| starts.push(state.to_vec()));
            }
            ControlFlow::Continue(())
        })?;
        let sizes = orbits.keys().map(|population| counting.orbit(population));
        let sum = sizes.into_iter().try_fold(0u128, |sum, size| sum.checked_add(size?));
        Ok((starts, sum == Some(states.len() as u128)))
    }
}

/// What is reached in all worlds.
struct Reached<'r> {
    worlds: Vec<ReachedWorld<'r>>,
    unvalued: Vec<Unvalued>,
}

/// What is reached in a world.
struct ReachedWorld<'r> {
    reach: Reach<'r>,
    starts: Vec<Population>,
    /// Where its conditions hold.
    conditions: HashMap<usize, Orbits>,
}

impl Claim {
    /// The formulas in it: world and number.
    fn formulas(&self) -> Vec<(usize, usize)> {
        match self {
            Claim::Formula { world, formula, .. } => vec![(*world, *formula)],
            Claim::Not(c) | Claim::Quantified(_, _, _, c) => c.formulas(),
            Claim::Logic(_, c, d) | Claim::Iff(c, d) => [c.formulas(), d.formulas()].concat(),
        }
    }
}
