//! Which properties share an exploration: those with the same invariance group.

use std::rc::Rc;

use burnside_logic::ctl::{Bindings, atoms};
use burnside_model::code::Expr;
use burnside_model::findings::{Checks, GeneratorFate, JudgedGenerator};
use burnside_model::system::{Formula, PropertyKind};
use burnside_symmetry::{Action, Permutation};

use crate::algebra::Failed;
use crate::bdd::{Bdd, OutOfNodes};
use crate::system::System;

use super::OnTheFly;
use super::invariance::stabiliser;
use super::orbits::Orbits;
use super::permute::{Immovable, Mover, Movers};

/// The most explorations; more groups than that are met in one.
const MOST_CLASSES: usize = 4;

/// Properties with the same invariance group.
pub struct Class {
    pub checks: Vec<usize>,
    pub generators: Vec<Permutation>,
    /// Whether all of it are symmetries of the steps, verified.
    pub verified: bool,
}

impl Class {
    pub fn group(&self, how: &OnTheFly) -> Action {
        Action::generated(&how.attached, how.action.domains(), &self.generators)
    }

    /// The group, as it acts on states.
    pub fn orbits(&self, how: &OnTheFly, movers: &mut Movers<'_>) -> Result<Orbits, OutOfNodes> {
        let mut all = |permutations: &[Permutation]| {
            let each = permutations.iter().map(|permutation| match movers.mover(permutation) {
                Ok(mover) => Ok(Some(mover)),
                Err(Immovable::Because(_)) => Ok(None),
                Err(Immovable::OutOfNodes(error)) => Err(error),
            });
            each.collect::<Result<Option<Vec<Rc<Mover>>>, _>>()
        };
        // Products of what can be applied to states can be; if they could not, nothing would be left out.
        Ok(match (all(&self.generators)?, all(&self.group(how).closing())?) {
            (Some(generators), Some(closing)) => Orbits { generators, closing },
            _ => Orbits::default(),
        })
    }
}

/// Whatever a verdict depends on, as sets of states that a permutation must fix; none if it must be the identity.
type Fixed = Option<Vec<Bdd>>;

/// The sets of states that a permutation must fix for the sake of a check.
pub fn sets_of(system: &System<'_>, checks: &Checks, check: usize, valid: &Bdd) -> Result<Fixed, OutOfNodes> {
    let mut wrong = system.diagrams.manager.constant(false);
    for target in system.targets.iter().filter(|target| target.check == check) {
        wrong = wrong.or(&target.states)?;
    }
    let mut sets = vec![wrong];
    let (listed, model) = (&checks.list[check], system.encoding.model);
    match (listed.kind, listed.index) {
        (PropertyKind::Cover, Some(index)) => sets.push(system.cover(index)?),
        (PropertyKind::Liveness, Some(index)) => {
            let live = system.live.get(&index);
            let instances = live.iter().flat_map(|live| &live.instances);
            sets.extend(instances.flat_map(|instance| [instance.claimed.clone(), instance.holds.clone()]));
        }
        (PropertyKind::Ctl, Some(index)) => {
            let property = &model.properties[index];
            let looks_back = property.formula.as_ref().is_some_and(Formula::looks_back);
            // Whom a scheduler is fair to, and what was before, is not looked at.
            if is_fair(system) || looks_back {
                return Ok(None);
            }
            sets.extend([system.facts.moving.clone(), system.facts.idling.clone()]);
            let known =
                |(condition, bindings): &(&Expr, Bindings)| system.facts.condition(condition, bindings);
            sets.extend(atoms(model, property).iter().filter_map(known).cloned());
        }
        _ => {}
    }
    sets.iter().map(|set| set.and(valid)).collect::<Result<_, _>>().map(Some)
}

/// Whether formulas speak of fair runs only.
pub fn is_fair(system: &System<'_>) -> bool {
    let model = system.encoding.model;
    !system.facts.agents.is_empty()
        || model.properties.iter().any(|property| property.kind == PropertyKind::Fairness)
}

/// Makes classes of properties.
pub struct Classes<'c, 'm> {
    how: &'c OnTheFly,
    movers: &'c mut Movers<'m>,
    used: Vec<Permutation>,
    /// Those that are verified.
    verified: Vec<Permutation>,
}

impl<'c, 'm> Classes<'c, 'm> {
    /// By the permutations that are used.
    pub fn new(how: &'c OnTheFly, judged: &[JudgedGenerator], movers: &'c mut Movers<'m>) -> Self {
        let those = |wanted: &dyn Fn(&JudgedGenerator) -> bool| {
            let both = how.candidates.iter().zip(judged).filter(|(_, judged)| wanted(judged));
            both.map(|(candidate, _)| candidate.permutation.clone()).collect()
        };
        let verified = those(&|judged| judged.fate == GeneratorFate::Verified);
        Classes { how, movers, used: those(&|judged| judged.used), verified }
    }

    fn order(&self, generators: &[Permutation]) -> String {
        Action::generated(&self.how.attached, self.how.action.domains(), generators).order_string()
    }

    /// Whether some permutations generate no more than others do.
    fn within(&self, generators: &[Permutation], others: &[Permutation]) -> bool {
        let together: Vec<_> = others.iter().chain(generators).cloned().collect();
        self.order(&together) == self.order(others)
    }

    /// The class of checks for the sake of which these sets must be fixed.
    pub fn class(&mut self, checks: Vec<usize>, sets: &Fixed) -> Result<Class, OutOfNodes> {
        let fixing = match sets {
            Some(sets) => stabiliser(self.movers, &self.used, sets)?,
            None => Vec::new(),
        };
        let (attached, domains) = (&self.how.attached, self.how.action.domains());
        // Those that the others do not generate.
        let generators = Action::generated(attached, domains, &fixing).generators();
        Ok(Class { verified: self.within(&generators, &self.verified), checks, generators })
    }

    /// The classes of all checks but formulas of LTL.
    pub fn all(&mut self, system: &System<'_>, checks: &Checks, valid: &Bdd) -> Result<Vec<Class>, Failed> {
        let mut classes: Vec<Class> = Vec::new();
        let mut all = Some(Vec::new());
        let listed = |check: &usize| checks.list[*check].kind != PropertyKind::Ltl;
        for check in (0..checks.list.len()).filter(listed) {
            let sets = sets_of(system, checks, check, valid)?;
            let found = self.class(vec![check], &sets)?;
            all = all.zip(sets).map(|(all, sets)| [all, sets].concat());
            let same = |other: &Class| {
                self.within(&found.generators, &other.generators)
                    && self.within(&other.generators, &found.generators)
            };
            match classes.iter().position(same) {
                Some(at) => classes[at].checks.push(check),
                None => classes.push(found),
            }
            system.diagrams.pause()?;
        }
        if classes.len() > MOST_CLASSES {
            let checks = (0..checks.list.len()).filter(listed).collect();
            classes = vec![self.class(checks, &all)?];
        }
        Ok(classes)
    }
}
