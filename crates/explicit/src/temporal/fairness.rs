//! Whom the scheduler is fair to, and what permutations make of them.
//!
//! A constraint `fairness c;` is met where c holds: it is treated like somebody who is enabled where c does not hold, is
//! never executed, and to whom the scheduler is weakly fair.

use burnside_logic::ctl::{Bindings, instances};
use burnside_model::Model;
use burnside_model::code::{Cell, TypeId};
use burnside_model::system::{Agent, PropertyKind, Strength};
use burnside_symmetry::Permutation;

use super::Stop;
use super::facts::Facts;
use super::labelled::Labelled;
use super::tuples::Renaming;
use crate::liveness::StateId;

/// Someone to be fair to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Who {
    /// A process, or an instance of a rule.
    Agent(Agent),
    /// An instance of a fairness constraint: the property, and the values of its parameters.
    Goal(usize, Bindings),
}

/// All of them.
pub struct Fairness {
    pub who: Vec<Who>,
    /// How fair the scheduler is to each.
    pub strength: Vec<Strength>,
    /// Per permutation, what it makes of each, in one row.
    to: Vec<u32>,
    /// Per list of agents of the graph, their numbers here.
    executed: Vec<Vec<u32>>,
    /// For constraints, the condition.
    goals: Vec<Option<usize>>,
}

impl Fairness {
    pub fn new(model: &Model, graph: &Labelled, facts: &Facts, renaming: Renaming<'_>) -> Result<Self, Stop> {
        let mut first: Vec<Who> = graph.lists.iter().flatten().cloned().map(Who::Agent).collect();
        for (number, property) in model.properties.iter().enumerate() {
            if property.kind == PropertyKind::Fairness && property.condition.is_some() {
                first.extend(
                    instances(model, property).into_iter().map(|bindings| Who::Goal(number, bindings)),
                );
            }
        }
        let rename = |by: &Permutation, who: &Who| renamed(model, renaming, by, who);
        let (who, numbers) = renaming.close(first, &rename);
        let Some(to) = renaming.table(&who, &numbers, &rename) else {
            return Err(Stop::Refused("fairness is not symmetric".to_owned()));
        };
        let strength = |who: &Who| match who {
            Who::Goal(..) => Strength::Weak,
            Who::Agent(Agent::Instance(rule, _)) => {
                model.rules[*rule as usize].fairness.unwrap_or(Strength::Weak)
            }
            Who::Agent(Agent::Process(fairness, _)) => model.fairness[*fairness].strength,
        };
        let strength = who.iter().map(strength).collect();
        let number = |agent: &Agent| numbers[&Who::Agent(agent.clone())];
        let executed = graph.lists.iter().map(|list| list.iter().map(number).collect()).collect();
        let goal = |who: &Who| match who {
            Who::Goal(property, bindings) => {
                let condition = model.properties[*property].condition.as_ref()?;
                facts.number(condition, bindings)
            }
            Who::Agent(_) => None,
        };
        let goals = who.iter().map(goal).collect();
        Ok(Fairness { who, strength, to: to.concat(), executed, goals })
    }

    pub fn is_empty(&self) -> bool {
        self.who.is_empty()
    }

    /// What a permutation makes of all of them.
    pub fn to(&self, label: usize) -> &[u32] {
        &self.to[label * self.who.len()..(label + 1) * self.who.len()]
    }

    /// Who takes a step of a kind.
    pub fn executed(&self, graph: &Labelled, kind: u32) -> &[u32] {
        &self.executed[graph.kind(kind).agents as usize]
    }

    /// Who is enabled in a stored state.
    pub fn enabled(&self, graph: &Labelled, facts: &Facts, state: StateId, enabled: &mut Vec<bool>) {
        enabled.clear();
        enabled.extend(self.goals.iter().map(|goal| goal.is_some_and(|goal| !facts.holds(goal, state))));
        for edge in graph.out(state) {
            for who in self.executed(graph, graph.edge(edge).kind) {
                enabled[*who as usize] = true;
            }
        }
    }
}

/// What a permutation makes of someone.
pub fn renamed(model: &Model, renaming: Renaming<'_>, by: &Permutation, who: &Who) -> Who {
    match who {
        Who::Agent(agent) => {
            let (types, values): (Vec<TypeId>, Vec<Cell>) = agent.values(model).into_iter().unzip();
            Who::Agent(agent.with(renaming.rename(by, &types, &values)))
        }
        Who::Goal(property, bindings) => {
            let frame = &model.properties[*property].frame;
            let (types, values): (Vec<TypeId>, Vec<Cell>) =
                bindings.iter().map(|(local, value)| (frame[*local].ty, *value)).unzip();
            let values = renaming.rename(by, &types, &values);
            Who::Goal(*property, bindings.iter().map(|(local, _)| *local).zip(values).collect())
        }
    }
}
