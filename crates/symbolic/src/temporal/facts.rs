//! What temporal formulas need to know of a model beside its steps: where their conditions hold, where no step can be
//! taken, and whose steps there are. Nothing of it is made for models without such formulas.
//!
//! A condition must have a value in every reachable state, for all values of the variables around it; where it has none is
//! one more thing that can go wrong, found by the search like the others.

use std::collections::HashMap;

use burnside_encode::{Encoding, FaultCase, Instance, Step};
use burnside_logic::ctl::{Bindings, atoms};
use burnside_model::Model;
use burnside_model::code::{Cell, Expr, LocalId};
use burnside_model::system::{Agent, Property, PropertyKind, Strength};

use crate::algebra::{Diagrams, Failed};
use crate::bdd::{Bdd, OutOfNodes};
use crate::rules::Steps;

/// The steps of something that a scheduler is fair to.
pub struct AgentSteps {
    pub agent: Agent,
    /// How fair the scheduler is to it.
    pub strength: Strength,
    pub steps: Steps,
}

/// What is known for temporal formulas.
pub struct Facts {
    /// Whether there are formulas to decide.
    pub wanted: bool,
    /// Where each condition holds, for each value of the variables around it. A condition is known by its place in memory: no
    /// two are at the same.
    conditions: HashMap<(*const Expr, Bindings), Bdd>,
    /// Where each property's conditions cannot be evaluated.
    faulty: HashMap<usize, Bdd>,
    /// Where some rule leads to a state.
    pub moving: Bdd,
    /// Where some rule leads to a state but writes nothing.
    pub idling: Bdd,
    /// Whom the scheduler is fair to.
    pub agents: Vec<AgentSteps>,
}

/// What goes wrong in a property.
pub type PropertyFault = (usize, FaultCase<Bdd>);

impl Facts {
    pub fn new(model: &Model, none: &Bdd) -> Self {
        Facts {
            wanted: model.properties.iter().any(|property| property.formula.is_some()),
            conditions: HashMap::new(),
            faulty: HashMap::new(),
            moving: none.clone(),
            idling: none.clone(),
            agents: Vec::new(),
        }
    }

    /// Evaluates all conditions; gives what goes wrong in them.
    pub fn evaluate<'m>(
        &mut self,
        encoding: &'m Encoding<'m>,
        diagrams: &mut Diagrams<'m>,
    ) -> Result<Vec<PropertyFault>, Failed> {
        let mut faults = Vec::new();
        let model: &'m Model = encoding.model;
        for (number, property) in model.properties.iter().enumerate().filter(|_| self.wanted) {
            let fairness = property.kind == PropertyKind::Fairness;
            if !(fairness || property.formula.is_some()) {
                continue;
            }
            let mut faulty = diagrams.manager.constant(false);
            for (condition, bindings) in atoms(model, property) {
                let evaluated = encoding.expr(diagrams, &property.frame, &bindings, condition)?;
                for case in evaluated.faults {
                    faulty = faulty.or(&case.condition)?;
                    faults.push((number, case));
                }
                self.conditions.insert((std::ptr::from_ref(condition), bindings), evaluated.holds);
            }
            self.faulty.insert(number, faulty);
        }
        Ok(faults)
    }

    pub fn condition(&self, condition: &Expr, bindings: &[(LocalId, Cell)]) -> Option<&Bdd> {
        self.conditions.get(&(std::ptr::from_ref(condition), bindings.to_vec()))
    }

    /// Where the conditions of a property, or of a fairness constraint, cannot be evaluated.
    pub fn faulty(&self, model: &Model, property: usize) -> Result<Bdd, OutOfNodes> {
        let mut faulty = self.faulty.get(&property).cloned().unwrap_or_else(|| self.moving.clone());
        for (number, other) in &self.faulty {
            if model.properties[*number].kind == PropertyKind::Fairness {
                faulty = faulty.or(other)?;
            }
        }
        Ok(faulty)
    }

    /// Takes note of what a rule instance does.
    pub fn note(&mut self, model: &Model, instance: &Instance, step: &Step<Bdd>) -> Result<(), OutOfNodes> {
        if !self.wanted || step.next.is_false() {
            return Ok(());
        }
        self.moving = self.moving.or(&step.next)?;
        if step.updates.is_empty() {
            self.idling = self.idling.or(&step.next)?;
        }
        self.of_agents(model, instance, |agent| agent.steps.push((step.next.clone(), step.updates.clone())));
        Ok(())
    }

    /// Takes note of a rule instance that is executed.
    pub fn note_executed(&mut self, model: &Model, instance: &Instance) {
        if self.wanted {
            self.of_agents(model, instance, |agent| agent.executed.push(instance.clone()));
        }
    }

    /// Does something with the steps of each agent of a rule instance.
    fn of_agents(&mut self, model: &Model, instance: &Instance, act: impl Fn(&mut Steps)) {
        for (agent, strength) in Agent::of(model, instance.rule, &instance.args) {
            let at = self.agents.iter().position(|known| known.agent == agent).unwrap_or_else(|| {
                self.agents.push(AgentSteps { agent, strength, steps: Steps::default() });
                self.agents.len() - 1
            });
            act(&mut self.agents[at].steps);
        }
    }
}

/// Whether a property is a formula that is decided.
pub fn is_formula(property: &Property) -> bool {
    property.kind == PropertyKind::Ctl && property.formula.is_some()
}
