//! From formulas without quantifiers, each in a world of its own, to properties with them.
//!
//! Quantifiers stand outside temporal operators: they are decided in the start states, one of each orbit. Of the elements
//! in the same local state there, one stands for all.

use burnside_logic::ctl::{Bindings, shown_by_a_run};
use burnside_model::code::{Cell, Frame, LocalId, LogicOp, Quantifier};
use burnside_model::findings::{Ending, Known, Lasso, Witness};
use burnside_model::system::{Agent, Machine, PropertyKind};
use burnside_model::{Deadline, Model};

use super::decide::Oracle;
use super::lift::lift;
use super::worlds::{Claim, Claimed, World};
use crate::counters::Counting;
use crate::reach::Found;

/// What is found of a property.
pub(super) struct Judged {
    pub known: Known,
    /// A run that shows why it holds.
    pub shown: Option<Witness>,
}

/// A run that shows why, from a start state on.
struct Explained {
    path: Vec<Vec<Cell>>,
    lasso: Lasso,
}

impl Explained {
    fn nothing(state: &[Cell], bindings: &Bindings) -> Self {
        let lasso =
            Lasso { back: None, agents: vec![Vec::new()], bindings: bindings.clone(), complete: false };
        Explained { path: vec![state.to_vec()], lasso }
    }

    /// How much it shows.
    fn weight(&self) -> (bool, usize, usize) {
        (self.lasso.back.is_some(), self.path.len(), self.lasso.bindings.len())
    }
}

/// Decides properties.
pub(super) struct Judge<'j> {
    /// The model, counted.
    pub counting: &'j Counting<'j>,
    pub worlds: Vec<(&'j World, &'j Counting<'j>)>,
    /// One start state of each orbit.
    pub starts: &'j [Vec<Cell>],
    pub oracle: &'j mut dyn Oracle,
    pub deadline: Deadline,
}

impl Judge<'_> {
    /// Whether a property holds, and a run that shows why or why not.
    pub fn judge(&mut self, claimed: &Claimed) -> Found<Judged> {
        let model: &Model = self.counting.model;
        let property = &model.properties[claimed.property];
        let frame = &property.frame;
        for start in self.starts {
            if self.holds(frame, &claimed.claim, start, &mut Vec::new())? {
                continue;
            }
            let Explained { path, lasso } =
                self.explain(frame, &claimed.claim, start, &mut Vec::new(), false)?;
            let ending = match property.kind {
                PropertyKind::Liveness => {
                    Ending::NeverAgain { args: lasso.bindings.into_iter().map(|(_, value)| value).collect() }
                }
                _ => Ending::Temporal(lasso),
            };
            return Ok(Judged { known: Known::Violated(vec![Witness { path, ending }]), shown: None });
        }
        let mut shown = None;
        if let (Some(start), Some(formula)) = (self.starts.first(), &property.formula)
            && shown_by_a_run(formula, true)
        {
            let Explained { path, lasso } =
                self.explain(frame, &claimed.claim, start, &mut Vec::new(), true)?;
            let shows = path.len() > 1 || lasso.back.is_some();
            shown = shows.then_some(Witness { path, ending: Ending::Temporal(lasso) });
        }
        Ok(Judged { known: Known::Holds, shown })
    }

    #[cfg(test)]
    pub fn is_true(&mut self, claimed: &Claimed) -> Found<bool> {
        let frame = &self.counting.model.properties[claimed.property].frame;
        for start in self.starts {
            if !self.holds(frame, &claimed.claim, start, &mut Vec::new())? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a claim is true in a start state.
    fn holds(
        &mut self,
        frame: &Frame,
        claim: &Claim,
        start: &[Cell],
        bindings: &mut Bindings,
    ) -> Found<bool> {
        match claim {
            Claim::Formula { world, formula, .. } => {
                let population = self.population(*world, start, bindings);
                self.oracle.holds(*world, *formula, &population)
            }
            Claim::Not(c) => Ok(!self.holds(frame, c, start, bindings)?),
            Claim::Logic(op, c, d) => {
                let (c, d) = (self.holds(frame, c, start, bindings)?, self.holds(frame, d, start, bindings)?);
                Ok(match op {
                    LogicOp::And => c && d,
                    LogicOp::Or => c || d,
                    LogicOp::Implies => !c || d,
                })
            }
            Claim::Iff(c, d) => {
                Ok(self.holds(frame, c, start, bindings)? == self.holds(frame, d, start, bindings)?)
            }
            Claim::Quantified(quantifier, local, values, c) => {
                let exists = *quantifier == Quantifier::Exists;
                for value in self.different(frame, start, bindings, *local, values) {
                    bindings.push((*local, value));
                    let one = self.holds(frame, c, start, bindings);
                    bindings.pop();
                    if one? == exists {
                        return Ok(exists);
                    }
                }
                Ok(!exists)
            }
        }
    }

    /// The population of a start state of a world.
    fn population(&self, world: usize, start: &[Cell], bindings: &Bindings) -> crate::population::Population {
        let (of, counting) = self.worlds[world];
        counting.register.population(&of.model, &counting.parts, &with_individuals(start, bindings))
    }

    /// Of these values of a variable, one of each kind: elements are alike if they are in the same local state, and no
    /// other variable has one of them.
    fn different(
        &self,
        frame: &Frame,
        start: &[Cell],
        bindings: &Bindings,
        local: LocalId,
        values: &[Cell],
    ) -> Vec<Cell> {
        let Counting { model, parts, register, .. } = self.counting;
        let (_, locals) = register.read(model, parts, start);
        let element = |local: LocalId, value: Cell| parts.element(model, frame[local].ty, value);
        let bound: Vec<_> = bindings.iter().filter_map(|(local, value)| element(*local, *value)).collect();
        let mut seen = Vec::new();
        let mut different = Vec::new();
        for value in values {
            if let Some((domain, at)) = element(local, *value)
                && !bound.contains(&(domain, at))
            {
                let kind = locals[domain][at];
                if seen.contains(&kind) {
                    continue;
                }
                seen.push(kind);
            }
            different.push(*value);
        }
        different
    }

    /// A run from a start state that shows why a claim is true there or, if not `holds`, is not.
    fn explain(
        &mut self,
        frame: &Frame,
        claim: &Claim,
        start: &[Cell],
        bindings: &mut Bindings,
        holds: bool,
    ) -> Found<Explained> {
        let (facts, all) = match claim {
            Claim::Formula { world, formula, .. } => {
                return self.run(*world, *formula, start, bindings, holds);
            }
            Claim::Not(c) => return self.explain(frame, c, start, bindings, !holds),
            Claim::Quantified(quantifier, local, values, c) => {
                let by_one = (*quantifier == Quantifier::Exists) == holds;
                for value in self.different(frame, start, bindings, *local, values) {
                    bindings.push((*local, value));
                    let found = match self.holds(frame, c, start, bindings)? == holds {
                        true => Some(self.explain(frame, c, start, bindings, holds)?),
                        false => None,
                    };
                    bindings.pop();
                    if let Some(mut found) = found {
                        found.lasso.complete &= by_one;
                        return Ok(found);
                    }
                }
                return Ok(Explained::nothing(start, bindings));
            }
            Claim::Logic(op, c, d) => {
                // `c -> d` is `!c | d`.
                let left = if *op == LogicOp::Implies { !holds } else { holds };
                (vec![(c, left), (d, holds)], (*op == LogicOp::And) == holds)
            }
            Claim::Iff(c, d) => (vec![(c, true), (c, false), (d, true), (d, false)], true),
        };
        let (mut best, mut shown): (Option<Explained>, usize) = (None, 0);
        for (fact, holds) in facts {
            if self.holds(frame, fact, start, bindings)? != holds {
                continue;
            }
            shown += usize::from(fact.is_temporal());
            let found = self.explain(frame, fact, start, bindings, holds)?;
            if best.as_ref().is_none_or(|best| found.weight() > best.weight()) {
                best = Some(found);
            }
        }
        let mut best = best.unwrap_or_else(|| Explained::nothing(start, bindings));
        best.lasso.complete &= !all || shown < 2;
        Ok(best)
    }

    fn run(
        &mut self,
        world: usize,
        formula: usize,
        start: &[Cell],
        bindings: &Bindings,
        holds: bool,
    ) -> Found<Explained> {
        let population = self.population(world, start, bindings);
        let shown = self.oracle.shown(world, formula, &population, holds)?;
        let counting = self.worlds[world].1;
        let mut machine = Machine::new(counting.model, counting.semantics);
        burnside_model::System::set_deadline(&mut machine, self.deadline);
        let run = lift(counting, &mut machine, with_individuals(start, bindings), &shown)?;
        let agent = |rule: Option<u32>| -> Vec<Agent> {
            rule.into_iter().map(|rule| Agent::Instance(rule, Vec::new())).collect()
        };
        let lasso = Lasso {
            back: run.back,
            agents: run.agents.into_iter().map(agent).collect(),
            bindings: bindings.clone(),
            complete: run.complete,
        };
        let path = run.states.into_iter().map(|mut state| {
            state.truncate(start.len());
            state
        });
        Ok(Explained { path: path.collect(), lasso })
    }
}

impl Claim {
    fn is_temporal(&self) -> bool {
        match self {
            Claim::Formula { temporal, .. } => *temporal,
            Claim::Not(c) | Claim::Quantified(_, _, _, c) => c.is_temporal(),
            Claim::Logic(_, c, d) | Claim::Iff(c, d) => c.is_temporal() || d.is_temporal(),
        }
    }
}

/// The state of a world with these individuals.
fn with_individuals(start: &[Cell], bindings: &Bindings) -> Vec<Cell> {
    start.iter().copied().chain(bindings.iter().map(|(_, value)| *value)).collect()
}
