//! Whether a permutation is a symmetry of a model's steps, decided on diagrams.
//!
//! The image of every rule instance's steps, from and to all values of the variables, must be steps. Mostly they are
//! those of the instance with the permuted arguments, which is easy to see; if not, they are looked for among all steps. What
//! is found in none is a witness: a state, and a rule that takes a step there whose image is no step. It is executed
//! before anyone hears of it. That all images of steps are steps is enough, as the permutation can be repeated until it is
//! undone.

use std::ops::ControlFlow;

use burnside_encode::{Encoding, Step};
use burnside_model::code::{Cell, UNDEFINED};
use burnside_model::findings::Refutation;
use burnside_model::system::{Binder, Machine, Outcome};
use burnside_model::{Model, System as _};
use burnside_symmetry::Permutation;

use crate::algebra::{Diagrams, Failed};
use crate::bdd::{Bdd, OutOfNodes};
use crate::relation::{Frames, Relation};

use super::permute::{Mover, Movers};

/// What is known of a permutation.
pub enum Judgement {
    /// It is a symmetry of the steps.
    Symmetry,
    /// It is none, as this shows.
    None(Box<Refutation>),
    /// It may be one.
    Open,
}

/// All steps of a model, as functions.
pub struct Steps<'m> {
    encoding: &'m Encoding<'m>,
    /// The model with the elements that permutations move.
    attached: &'m Model,
    diagrams: Diagrams<'m>,
    steps: Vec<Step<Bdd>>,
    /// The states that are written as they should be.
    valid: Bdd,
    frames: Frames,
}

impl<'m> Steps<'m> {
    pub fn new(
        encoding: &'m Encoding<'m>,
        attached: &'m Model,
        mut diagrams: Diagrams<'m>,
        valid: &Bdd,
    ) -> Result<Self, Failed> {
        let mut steps = Vec::new();
        for component in encoding.instances()? {
            steps.extend(encoding.rules(&mut diagrams, &component.instances)?);
        }
        let (valid, frames) = (valid.clone(), Frames::default());
        Ok(Steps { encoding, attached, diagrams, steps, valid, frames })
    }

    pub fn judge(
        &mut self,
        movers: &Movers<'_>,
        permutation: &Permutation,
        mover: &Mover,
    ) -> Result<Judgement, Failed> {
        for at in 0..self.steps.len() {
            self.diagrams.pause()?;
            let step = &self.steps[at];
            if step.next.is_false() {
                continue;
            }
            let next = mover.image(&step.next)?.and(&self.valid)?;
            let updates = movers.conjugate(mover, &step.updates)?;
            if self.is_instance(movers, permutation, step, &next, &updates)? {
                continue;
            }
            let (manager, variables) = (self.diagrams.manager, self.diagrams.variables);
            let image = Relation::of_updates(manager, variables, &mut self.frames, &next, &[&updates])?;
            if let Some([from, to]) = self.outside(image, at)? {
                return Ok(self.witness(movers, permutation, at, &from, &to));
            }
        }
        Ok(Judgement::Symmetry)
    }

    /// Whether the image of an instance's steps are those of the instance with the permuted arguments.
    fn is_instance(
        &self,
        movers: &Movers<'_>,
        permutation: &Permutation,
        step: &Step<Bdd>,
        next: &Bdd,
        updates: &[(usize, Bdd)],
    ) -> Result<bool, OutOfNodes> {
        let rule = &self.attached.rules[step.rule as usize];
        let parameters = rule.binders.iter().filter(|binder| !matches!(binder, Binder::Alias(..)));
        let args: Vec<Cell> = parameters
            .zip(&step.args)
            .map(|(binder, value)| match binder {
                Binder::Each(each) => {
                    movers.action().map_value(permutation, rule.frame[each.local].ty, *value)
                }
                _ => *value,
            })
            .collect();
        let other = self.steps.iter().find(|other| other.rule == step.rule && other.args == args);
        let Some(other) = other else { return Ok(false) };
        if other.next.and(&self.valid)? != *next {
            return Ok(false);
        }
        let written = |updates: &[(usize, Bdd)], bit: usize| {
            let found = updates.iter().find(|(written, _)| *written == bit);
            found.map_or_else(
                || self.diagrams.manager.var(self.diagrams.variables.now(bit)),
                |(_, f)| Ok(f.clone()),
            )
        };
        for (bit, _) in updates.iter().chain(&other.updates) {
            let differs = written(updates, *bit)?.xor(&written(&other.updates, *bit)?)?;
            if !differs.and(next)?.is_false() {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// A pair of states of a relation that is no step, those of one's own rule looked at first; preferably one in which
    /// everything is defined.
    fn outside(&mut self, image: Relation, own: usize) -> Result<Option<[Vec<Cell>; 2]>, Failed> {
        let (manager, variables) = (self.diagrams.manager, self.diagrams.variables);
        let rule = self.steps[own].rule;
        let (same, others): (Vec<usize>, Vec<usize>) =
            (0..self.steps.len()).partition(|at| self.steps[*at].rule == rule);
        let mut left = image;
        for at in same.into_iter().chain(others) {
            let step = &self.steps[at];
            if step.next.is_false() {
                continue;
            }
            let steps =
                Relation::of_updates(manager, variables, &mut self.frames, &step.next, &[&step.updates])?;
            let bits = left.written.bits.iter().chain(&steps.written.bits).copied().collect();
            let written = self.frames.written(manager, variables, bits)?;
            let one = left.widened(&written, manager, variables)?;
            let pairs = one.minus(&steps.widened(&written, manager, variables)?)?;
            let done = pairs.is_false();
            left = Relation::new(pairs, written);
            self.diagrams.pause()?;
            if done {
                return Ok(None);
            }
        }
        let all = left.pairs()?;
        let mut defined = all.clone();
        for cell in self.encoding.cells().iter().filter(|cell| cell.undefined && cell.width > 0) {
            let vars: Vec<_> = (cell.first..cell.first + cell.width).map(|bit| variables.now(bit)).collect();
            let undefined = crate::reduce::space::equals_code(manager, &vars, cell.number(UNDEFINED))?;
            defined = defined.minus(&undefined)?;
        }
        let pairs = if defined.is_false() { &all } else { &defined };
        let Some(values) = pairs.pick() else { return Ok(None) };
        let from = variables.values_now(&values);
        let mut to = from.clone();
        for bit in &left.written.bits {
            to[*bit] = values[variables.next(*bit) as usize];
        }
        Ok(Some([self.encoding.unpack(&from), self.encoding.unpack(&to)]))
    }

    /// The witness that the image of a step, between these states, is none; if it really is one.
    fn witness(
        &self,
        movers: &Movers<'_>,
        permutation: &Permutation,
        at: usize,
        from: &[Cell],
        to: &[Cell],
    ) -> Judgement {
        let Step { rule, args, .. } = &self.steps[at];
        let (action, back) = (movers.action(), permutation.inverse());
        let (mut state, mut successor) = (Vec::new(), Vec::new());
        action.apply(&back, from, &mut state);
        action.apply(&back, to, &mut successor);
        let takes = self.takes(&state, &successor, Some((*rule, args)));
        if !takes || self.takes(from, to, None) {
            return Judgement::Open;
        }
        Judgement::None(Box::new(Refutation {
            rule: *rule,
            args: args.clone(),
            state,
            image: from.to_vec(),
            missing: to.to_vec(),
        }))
    }

    /// Whether some rule, or that one, leads from one state to another.
    fn takes(&self, from: &[Cell], to: &[Cell], by: Option<(u32, &Vec<Cell>)>) -> bool {
        let mut machine = Machine::new(self.encoding.model, self.encoding.semantics);
        let mut found = false;
        // The machine has no deadline.
        let _ = machine.successors(from, &mut |step| {
            let wanted = by.is_none_or(|(rule, args)| step.rule == rule && step.args == args.as_slice());
            found |= wanted && matches!(step.outcome, Outcome::State(state) if state == to);
            if found { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        found
    }
}
