//! Mistakes that deciding formulas on counts can make. What finds none in the real thing must find each of these: a test
//! of the tests on random countable models.

use burnside_model::code::{DomainId, Semantics};
use burnside_model::{Deadline, DeadlockMode, Limits};

use super::*;
use crate::parts::countable;
use crate::random;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mistake {
    /// Elements that a step does not name are not moved back.
    OthersStay,
    /// Predecessors are looked for where the rule is not enabled, too.
    GuardForgotten,
    /// A state without successors has no run.
    StuckEnds,
    /// One way in which a rule leads on is forgotten.
    StepForgotten,
    /// What is true of one element is taken for true of all.
    OneForAll,
    /// Elements that formulas speak of are counted like all others.
    NotToldApart,
    /// A condition is looked at in the states of the start only.
    ConditionAtStart,
}

const MISTAKES: [Mistake; 7] = [
    Mistake::OthersStay,
    Mistake::GuardForgotten,
    Mistake::StuckEnds,
    Mistake::StepForgotten,
    Mistake::OneForAll,
    Mistake::NotToldApart,
    Mistake::ConditionAtStart,
];

fn one_value(claim: &mut Claim) {
    match claim {
        Claim::Formula { .. } => {}
        Claim::Not(c) => one_value(c),
        Claim::Logic(_, c, d) | Claim::Iff(c, d) => [c, d].into_iter().for_each(|c| one_value(c)),
        Claim::Quantified(_, _, values, c) => {
            values.truncate(1);
            one_value(c);
        }
    }
}

/// The verdicts, with or without a mistake; nothing if nothing is decided.
fn verdicts(model: &Model, mistake: Option<Mistake>) -> Option<Vec<bool>> {
    let all: Vec<_> = (0..model.types.domains.len() as u32).map(DomainId).collect();
    let (domains, _) = countable(model, &all);
    let (semantics, limits) = (Semantics::default(), Limits::default());
    let task = Task { semantics, deadlock: DeadlockMode::Off, limits, domains };
    obstacle(model).is_none().then_some(())?;
    let (mut worlds, mut claims) = worlds(model);
    if mistake == Some(Mistake::OneForAll) {
        claims.iter_mut().for_each(|claimed| one_value(&mut claimed.claim));
    }
    if mistake == Some(Mistake::NotToldApart) {
        for world in &mut worlds {
            // Nobody is chosen.
            let new = world.model.globals.len() - model.globals.len();
            for start in &mut world.model.starts {
                start.body.drain(..new);
            }
        }
    }
    let base = Counting::new(model, semantics, &task.domains, 0);
    let mut case = Case {
        model,
        task: &task,
        worlds: &worlds,
        claims: &claims,
        base: &base,
        starts: Vec::new(),
        deadline: Deadline::NEVER,
    };
    let (starts, whole) = case.starts().ok()?;
    case.starts = starts;
    if !whole {
        return None;
    }
    let countings = case.on_diagrams().ok()?;
    let mut reached = case.reach(&countings).ok()?;
    if !reached.unvalued.is_empty() {
        return None;
    }
    let mut sets = Vec::new();
    for (world, reached) in worlds.iter().zip(&mut reached.worlds) {
        let conditions = std::mem::take(&mut reached.conditions);
        let mut orbits = OrbitSets::new(&mut reached.reach, world, &reached.starts, conditions).ok()?;
        orbits.spoil(mistake);
        sets.push(orbits);
    }
    let nothing = Model::default();
    let mut checkers = Checkers::new(&worlds, &mut sets, &nothing).ok()?;
    let worlds = worlds.iter().zip(&countings).collect();
    let mut judge = Judge {
        counting: &base,
        worlds,
        starts: &case.starts,
        oracle: &mut checkers,
        deadline: Deadline::NEVER,
    };
    claims.iter().map(|claimed| judge.is_true(claimed).ok()).collect()
}

impl OrbitSets<'_, '_> {
    fn spoil(&mut self, mistake: Option<Mistake>) {
        match mistake {
            Some(Mistake::OthersStay) => self.others_stay(),
            Some(Mistake::GuardForgotten) => self.forget_guards(),
            Some(Mistake::StuckEnds) => self.forget_stuck(),
            Some(Mistake::StepForgotten) => self.forget_step(),
            Some(Mistake::ConditionAtStart) => self.conditions_at_start(),
            _ => {}
        }
    }
}

#[test]
fn every_mistake_is_caught() {
    for mistake in MISTAKES {
        let caught = (0..3000).any(|seed| {
            let source = burnside_lang::source::Source::new("random.m", random::temporal(seed));
            let (Some(model), _) = burnside_lang::murphi::load(&source, &[]) else { return false };
            let Some(right) = verdicts(&model, None) else { return false };
            let Some(wrong) = verdicts(&model, Some(mistake)) else { return false };
            right != wrong
        });
        assert!(caught, "{mistake:?}");
    }
}
