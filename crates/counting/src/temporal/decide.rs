//! Formulas of worlds, decided by fixpoints over sets of populations.

use std::collections::HashMap;

use burnside_logic::{Atom, Checker, Constraint, StateSets};
use burnside_model::Model;
use burnside_model::code::{Frame, Types};
use burnside_model::system::Strength;

use super::worlds::World;
use crate::population::Population;
use crate::reach::{Found, Stopped};
use crate::terms::constant;

/// Sets of populations of which single ones can be told.
pub(super) trait Located: StateSets<Error = Stopped> {
    fn single(&mut self, start: &Population) -> Found<Self::Set>;

    fn population(&self, one: &Self::Set) -> Option<Population>;
}

/// A run that shows why a formula holds, or does not.
#[derive(Clone, Debug, Default)]
pub(super) struct Shown {
    pub populations: Vec<Population>,
    /// Per population, the rule whose step led there, where that matters.
    pub agents: Vec<Option<u32>>,
    /// After the last one it goes on with this one.
    pub back: Option<usize>,
    /// Whether it shows everything.
    pub complete: bool,
}

/// Knows which formulas of which worlds hold where.
pub(super) trait Oracle {
    /// Whether a formula holds in a start state.
    fn holds(&mut self, world: usize, formula: usize, start: &Population) -> Found<bool>;

    /// A run that shows why it holds there or, if not `holds`, does not.
    fn shown(&mut self, world: usize, formula: usize, start: &Population, holds: bool) -> Found<Shown>;
}

/// Formulas have no variables of their own any more.
static NO_VARIABLES: Frame = Frame { locals: Vec::new(), cells: 0 };

/// A checker per world.
pub(super) struct Checkers<'a, S: Located> {
    checkers: Vec<Checker<'a, S>>,
    worlds: &'a [World],
    known: HashMap<(usize, usize), S::Set>,
}

impl<'a, S: Located> Checkers<'a, S> {
    /// The checkers of worlds, each with its sets.
    pub fn new(worlds: &'a [World], sets: &'a mut [S], nothing: &'a Model) -> Found<Self> {
        let mut checkers = Vec::new();
        for (world, sets) in worlds.iter().zip(sets) {
            let mut constraints = Vec::new();
            for condition in &world.met {
                let condition = constant(Types::INT, *condition as i64);
                let atom = Atom { frame: &NO_VARIABLES, condition: &condition, bindings: &[] };
                constraints.push(Constraint::Infinitely(sets.atom(&atom)?));
            }
            for (agent, (_, strength)) in world.agents.iter().enumerate() {
                constraints.push(match strength {
                    Strength::Weak => Constraint::Weak(agent),
                    Strength::Strong => Constraint::Strong(agent),
                });
            }
            checkers.push(Checker::new(sets, nothing, constraints)?);
        }
        Ok(Checkers { checkers, worlds, known: HashMap::new() })
    }

    /// Whether some start state has no fair run.
    pub fn unfair(&mut self) -> Found<bool> {
        for checker in &mut self.checkers {
            if !checker.starts_fairly()? {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

impl<S: Located> Oracle for Checkers<'_, S> {
    fn holds(&mut self, world: usize, formula: usize, start: &Population) -> Found<bool> {
        let checker = &mut self.checkers[world];
        if !self.known.contains_key(&(world, formula)) {
            let stated = &self.worlds[world].formulas[formula];
            let holding = checker.satisfying(&NO_VARIABLES, stated, &mut Vec::new())?;
            self.known.insert((world, formula), holding);
        }
        let one = checker.sets().single(start)?;
        checker.sets().meet(&one, &self.known[&(world, formula)])
    }

    fn shown(&mut self, world: usize, formula: usize, start: &Population, holds: bool) -> Found<Shown> {
        let checker = &mut self.checkers[world];
        let one = checker.sets().single(start)?;
        let stated = &self.worlds[world].formulas[formula];
        let found = checker.explain(&NO_VARIABLES, stated, &mut Vec::new(), &one, holds)?;
        let sets = checker.sets();
        let steps = found.path.steps.iter();
        let agent = |agent: usize| self.worlds[world].agents[agent].0;
        Ok(Shown {
            populations: steps.clone().filter_map(|step| sets.population(&step.state)).collect(),
            agents: steps.map(|step| step.by.map(agent)).collect(),
            back: found.path.back,
            complete: found.complete,
        })
    }
}
