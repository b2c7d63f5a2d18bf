//! Which properties share an exploration: those with the same invariance group.

use std::rc::Rc;

use burnside_model::findings::{Checks, GeneratorFate, JudgedGenerator};
use burnside_model::system::PropertyKind;
use burnside_symmetry::{Action, Permutation};

use crate::algebra::Failed;
use crate::bdd::{Bdd, OutOfNodes};
use crate::system::System;

use super::OnTheFly;
use super::invariance::stabiliser;
use super::permute::{Immovable, Mover, Movers};

/// The most explorations; more groups than that are met in one.
const MOST_CLASSES: usize = 4;

/// Properties with the same invariance group.
pub struct Class {
    /// The checks.
    pub checks: Vec<usize>,
    /// What generates the group.
    pub generators: Vec<Permutation>,
    /// Whether all of it are symmetries of the steps, verified.
    pub verified: bool,
}

impl Class {
    /// The group.
    pub fn group(&self, how: &OnTheFly) -> Action {
        Action::generated(&how.attached, how.action.domains(), &self.generators)
    }

    /// Its generators, as they act on states.
    pub fn movers(&self, movers: &mut Movers<'_>) -> Result<Vec<Rc<Mover>>, OutOfNodes> {
        let mut all = Vec::new();
        for generator in &self.generators {
            match movers.mover(generator) {
                Ok(mover) => all.push(mover),
                // Fewer permutations only reduce less.
                Err(Immovable::Because(_)) => {}
                Err(Immovable::OutOfNodes(error)) => return Err(error),
            }
        }
        Ok(all)
    }
}

/// The sets of states that a permutation must fix for the sake of a check: what the verdict depends on.
pub fn sets_of(
    system: &System<'_>,
    checks: &Checks,
    check: usize,
    valid: &Bdd,
) -> Result<Vec<Bdd>, OutOfNodes> {
    let mut wrong = system.diagrams.manager.constant(false);
    for target in system.targets.iter().filter(|target| target.check == check) {
        wrong = wrong.or(&target.states)?;
    }
    let mut sets = vec![wrong.and(valid)?];
    let listed = &checks.list[check];
    if let (PropertyKind::Cover, Some(index)) = (listed.kind, listed.index) {
        sets.push(system.cover(index)?.and(valid)?);
    }
    Ok(sets)
}

/// The classes of all checks, by the permutations that are used.
pub fn classes(
    system: &System<'_>,
    checks: &Checks,
    how: &OnTheFly,
    judged: &[JudgedGenerator],
    valid: &Bdd,
    used: &[Permutation],
    movers: &mut Movers<'_>,
) -> Result<Vec<Class>, Failed> {
    let group =
        |generators: &[Permutation]| Action::generated(&how.attached, how.action.domains(), generators);
    let verified: Vec<Permutation> = (how.candidates.iter().zip(judged))
        .filter(|(_, judged)| judged.fate == GeneratorFate::Verified)
        .map(|(candidate, _)| candidate.permutation.clone())
        .collect();
    let is_verified = |generators: &[Permutation]| {
        let together: Vec<_> = verified.iter().chain(generators).cloned().collect();
        group(&together).order_string() == group(&verified).order_string()
    };
    let class = |checks: Vec<usize>, generators: Vec<Permutation>| {
        // Those that the others do not generate.
        let generators = group(&generators).generators();
        Class { verified: is_verified(&generators), checks, generators }
    };
    let mut classes: Vec<Class> = Vec::new();
    let mut sets = Vec::new();
    for check in 0..checks.list.len() {
        let fixed = sets_of(system, checks, check, valid)?;
        let found = class(vec![check], stabiliser(movers, used, &fixed)?);
        sets.extend(fixed);
        let same = |other: &&mut Class| {
            let together: Vec<_> = other.generators.iter().chain(&found.generators).cloned().collect();
            let order = |generators: &[Permutation]| group(generators).order_string();
            let all = order(&together);
            all == order(&other.generators) && all == order(&found.generators)
        };
        match classes.iter_mut().find(same) {
            Some(other) => other.checks.push(check),
            None => classes.push(found),
        }
        system.diagrams.pause()?;
    }
    if classes.len() > MOST_CLASSES {
        let all = (0..checks.list.len()).collect();
        classes = vec![class(all, stabiliser(movers, used, &sets)?)];
    }
    Ok(classes)
}
