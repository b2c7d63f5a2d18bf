//! Formulas of CTL, decided on decision diagrams.
//!
//! The fixpoints are those of [`burnside_logic`], over the sets of [`world`]; [`facts`] are what they need to know of the
//! model. Without a reduction there is one world, of all reachable states. With one, a formula is decided under the
//! permutations that keep what it names ([`symmetry`]): values of its variables, and whatever a scheduler is fair to. In
//! `forall i : P do AG (T[i] -> AF C[i]) end` that is one process i, so one process is looked at, and only the others are
//! interchangeable. Where nothing is left, or representatives are not unique, all states are kept.
//!
//! Quantifiers stand outside temporal operators. So what is inside is decided first, for the values of one tuple of each
//! orbit, and all that is kept of it is in which start states it holds: those are put together state by state ([`judge`]).
//! Images of start states count as start states meanwhile, which changes no future; with a past operator, where that would
//! matter, all states are kept unless the start states are whole orbits anyway.
//!
//! A run that shows why a formula does not hold becomes one of states ([`runs`]) before it leaves.

pub mod facts;
pub(crate) mod judge;
mod runs;
mod symmetry;
pub(crate) mod world;

use burnside_logic::{Checker, Constraint};
use burnside_model::findings::{Checks, Temporal, TemporalGroup, Witness};
use burnside_model::system::{Property, Strength};

use crate::algebra::Failed;
use crate::bdd::Bdd;
use crate::reduce::model::Fixed;
use crate::reduce::quotient::Quotient;
use crate::relation::Frames;
use crate::search::{Reach, Search, Stop, Watch};
use crate::system::System;

use judge::{Judge, Key};
use symmetry::Symmetry;
use world::{Relations, World};

/// How formulas were decided, and runs that show why some hold, by check.
pub type Outcome = (Temporal, Vec<(usize, Witness)>);

/// Decides every formula, now that everything reachable is known: `holds` and `witnesses` are per check.
pub fn decide(
    system: &System<'_>,
    checks: &Checks,
    reach: &Reach<'_>,
    holds: &mut [bool],
    witnesses: &mut [Vec<Witness>],
) -> Result<Outcome, Failed> {
    let model = system.encoding.model;
    let mut formulas: Vec<(usize, usize, &Property)> = Vec::new();
    for (check, listed) in checks.list.iter().enumerate() {
        let Some(number) = listed.index.filter(|number| facts::is_formula(&model.properties[*number])) else {
            continue;
        };
        // Where a condition cannot be evaluated is an error of its own.
        if system.facts.faulty(model, number)?.and(&reach.reached)?.is_false() {
            formulas.push((check, number, &model.properties[number]));
        }
    }
    if formulas.is_empty() {
        return Ok(Outcome::default());
    }
    let relations = relations(system)?;
    let manager = system.diagrams.manager;
    let symmetry = reach.quotient.and_then(|quotient| {
        Symmetry::new(model, manager, &quotient.reduction().action, quotient.space(), &system.facts)
    });
    let closed =
        symmetry.as_ref().map_or_else(|| Ok(system.initial.clone()), |s| s.close(&system.initial))?;
    let unique = reach.quotient.is_some_and(Quotient::is_unique);
    let mut judge = Judge::new(system, symmetry.as_ref(), closed, unique);
    let mut keys: Vec<(Key, Vec<usize>)> = Vec::new();
    for (_, number, property) in &formulas {
        for key in judge.keys(property) {
            match keys.iter_mut().find(|(known, _)| *known == key) {
                Some((_, properties)) => properties.extend((!properties.contains(number)).then_some(number)),
                None => keys.push((key, vec![*number])),
            }
        }
    }
    // The quotients of smaller groups; that of the search is there already.
    let whole =
        reach.quotient.and_then(|quotient| Fixed::none(&quotient.reduction().action)).map(Key::Fixing);
    let mut quotients: Vec<Option<Quotient<'_>>> = Vec::new();
    for (key, _) in &keys {
        quotients.push(match (key, reach.quotient) {
            (Key::Fixing(fixed), Some(of)) if whole.as_ref() != Some(key) => {
                Some(Quotient::fixing(system, of.reduction(), Some(fixed))?)
            }
            _ => None,
        });
    }
    let mut worlds = Vec::new();
    for ((key, _), quotient) in keys.iter().zip(&quotients) {
        let starts = judge.starts(key).clone();
        let (quotient, universe) = match (reach.quotient, quotient) {
            // As it was searched.
            (None, _) => (None, reach.reached.clone()),
            (Some(of), None) if whole.as_ref() == Some(key) => (Some(of), reach.reached.clone()),
            (Some(_), quotient) => {
                (quotient.as_ref(), reachable(system, &relations, quotient.as_ref(), &starts)?)
            }
        };
        worlds.push(World::new(system, &relations, quotient, starts, universe)?);
    }
    let mut temporal = Temporal::default();
    for ((key, properties), world) in keys.iter().zip(&worlds) {
        if let Some(whole) = &whole
            && whole != key
        {
            let (properties, moving) = (properties.clone(), key.moving(whole));
            temporal.groups.push(TemporalGroup { properties, moving, states: world.count() });
        }
    }
    for ((key, _), world) in keys.into_iter().zip(&mut worlds) {
        let mut checker = Checker::new(world, model, constraints(system))?;
        temporal.unfair |= !checker.starts_fairly()?;
        judge.add(key, checker);
    }
    let mut shown = Vec::new();
    for (check, _, property) in formulas {
        let (is_so, witness) = judge.check(property)?;
        holds[check] = is_so;
        match is_so {
            true => shown.extend(witness.map(|witness| (check, witness))),
            false => witnesses[check].extend(witness),
        }
    }
    Ok((temporal, shown))
}

pub(crate) fn relations<'m>(system: &System<'m>) -> Result<Relations<'m>, Failed> {
    let mut frames = Frames::of_parts(system.diagrams.sizes.relation);
    let mut all = system.relations.clone();
    for steps in system.components.iter().filter(|_| system.executed.is_none()) {
        all.extend(system.relations_of(steps, &mut frames)?);
        system.diagrams.pause()?;
    }
    let mut agents = Vec::new();
    for known in &system.facts.agents {
        agents.push(system.relations_of(&known.steps, &mut frames)?);
        system.diagrams.pause()?;
    }
    Ok(Relations { all, agents })
}

/// What a run must do for each agent to count.
pub(crate) fn constraints(system: &System<'_>) -> Vec<Constraint<Bdd>> {
    let agents = system.facts.agents.iter().enumerate();
    let constraint = |(number, known): (usize, &facts::AgentSteps)| match known.strength {
        Strength::Weak => Constraint::Weak(number),
        Strength::Strong => Constraint::Strong(number),
    };
    agents.map(constraint).collect()
}

/// Goes on whatever it sees.
struct Anything;

impl Watch for Anything {
    fn found(&mut self, _: &Bdd, _: &Reach<'_>) -> Result<bool, Stop> {
        Ok(true)
    }
}

/// What is reachable from these states, or its representatives.
fn reachable(
    system: &System<'_>,
    relations: &Relations<'_>,
    quotient: Option<&Quotient<'_>>,
    starts: &Bdd,
) -> Result<Bdd, Failed> {
    let diagrams = &system.diagrams;
    let mut reach = Reach::new(diagrams.manager, &relations.all, starts, diagrams.deadline);
    reach.quotient = quotient;
    reach.forward(Search::Chaining, None, &mut Anything)?;
    Ok(reach.reached)
}
