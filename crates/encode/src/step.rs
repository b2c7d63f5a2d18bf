//! Rules, properties and expressions as functions of the state.

use burnside_model::code::{Cell, Expr, Frame, LocalId};
use burnside_model::system::{PropertyKind, Rule};

use crate::algebra::{Algebra, EncodeError, Refusal};
use crate::encoding::Encoding;
use crate::instances::Instance;
use crate::run::{FaultCase, Halt, Run, Runner};

/// Steps of symbolic execution after which a rule or property is refused.
const MOST_STEPS: u64 = 10_000_000;

/// What a rule instance does in every state. All functions are of the bits of the current state.
#[derive(Clone, Debug, PartialEq)]
pub struct Step<F> {
    /// The rule, by its position in the model.
    pub rule: u32,
    /// The values of its parameters.
    pub args: Vec<Cell>,
    /// Where it is enabled: its guard holds, and no `assume` in its body fails. Everywhere there it leads to a state, is
    /// dropped, or goes wrong.
    pub guard: F,
    /// Where it leads to a state.
    pub next: F,
    /// The bits that it writes, and their new content where it leads to a state; elsewhere it means nothing.
    pub updates: Vec<(usize, F)>,
    /// Where it leads to a state that one of the model's assumptions leaves out.
    pub dropped: F,
    /// Where it goes wrong. No two conditions hold in one state.
    pub faults: Vec<FaultCase<F>>,
    /// Where a `cover` statement on its way holds, by property.
    pub covers: Vec<(u32, F)>,
}

/// A property's condition for some values of its parameters.
#[derive(Clone, Debug, PartialEq)]
pub struct PropertyInstance<F> {
    /// The values of its parameters.
    pub args: Vec<Cell>,
    /// Where there is such an instance: everywhere, but for `choose`.
    pub exists: F,
    /// Where it holds, provided it exists and nothing goes wrong.
    pub holds: F,
}

/// Where a property's condition holds.
#[derive(Clone, Debug, PartialEq)]
pub struct Condition<F> {
    /// Where it holds for all instances, or for a cover for one. Means nothing where something goes wrong.
    pub holds: F,
    pub instances: Vec<PropertyInstance<F>>,
    /// Where it cannot be evaluated. No two conditions hold in one state.
    pub faults: Vec<FaultCase<F>>,
    /// Where a `cover` statement in a function that it calls holds, by property.
    pub covers: Vec<(u32, F)>,
}

impl<'m> Encoding<'m> {
    /// What rule instances do, one after the other.
    pub fn rules<A: Algebra>(
        &self,
        alg: &mut A,
        instances: &[Instance],
    ) -> Result<Vec<Step<A::F>>, EncodeError<A::Error>> {
        let mut decoded = vec![None; self.cells().len()];
        let mut steps = Vec::with_capacity(instances.len());
        for instance in instances {
            let mut runner = Runner::new(self, alg, MOST_STEPS);
            // Most look at the same cells.
            runner.decoded = decoded;
            steps.push(self.rule(&mut runner, instance)?);
            decoded = runner.decoded;
        }
        Ok(steps)
    }

    /// What a rule instance does.
    fn rule<A: Algebra>(
        &self,
        runner: &mut Runner<'_, 'm, A>,
        instance: &Instance,
    ) -> Result<Step<A::F>, EncodeError<A::Error>> {
        let rule = &self.model.rules[instance.rule as usize];
        let (guard, dropped) = finish(runner.fire(rule, &instance.args))?;
        let mut updates = Vec::new();
        for cell in runner.written() {
            let value = finish(runner.cell(cell))?;
            let bits = self.encode(runner.alg, cell, &value)?;
            for (bit, f) in (self.cells()[cell].first..).zip(bits) {
                if f != runner.alg.var(bit)? {
                    updates.push((bit, f));
                }
            }
        }
        if runner.alg.is_false(&runner.path) {
            updates.clear();
        }
        Ok(Step {
            rule: instance.rule,
            args: instance.args.clone(),
            guard,
            next: runner.path.clone(),
            updates,
            dropped,
            faults: std::mem::take(&mut runner.faults),
            covers: std::mem::take(&mut runner.covers),
        })
    }

    /// Where a property's condition holds. That of a `cover` statement stands in the code: see [`Step::covers`].
    pub fn property<A: Algebra>(
        &self,
        alg: &mut A,
        property: usize,
    ) -> Result<Condition<A::F>, EncodeError<A::Error>> {
        let mut runner = Runner::new(self, alg, MOST_STEPS);
        let property = &self.model.properties[property];
        let evaluated = runner.property(property);
        let instances = finish(runner.caught(evaluated))?.unwrap_or_default();
        let holds = runner.all_hold(property.kind, &instances)?;
        Ok(Condition { holds, instances, faults: runner.faults, covers: runner.covers })
    }

    /// Where a condition holds, given the values of some locals of its frame.
    pub fn expr<A: Algebra>(
        &self,
        alg: &mut A,
        frame: &'m Frame,
        locals: &[(LocalId, Cell)],
        condition: &'m Expr,
    ) -> Result<Condition<A::F>, EncodeError<A::Error>> {
        let mut runner = Runner::new(self, alg, MOST_STEPS);
        runner.enter(frame);
        for (local, value) in locals {
            runner.set_constant(frame, *local, *value);
        }
        let evaluated = runner.condition(frame, condition);
        let holds = match finish(runner.caught(evaluated))? {
            Some(holds) => holds,
            None => runner.alg.constant(false),
        };
        // Where an assumption fails in a function that it calls, it does not hold.
        let silent = runner.alg.not(&runner.excluded)?;
        let holds = runner.alg.and(&holds, &silent)?;
        Ok(Condition { holds, instances: Vec::new(), faults: runner.faults, covers: runner.covers })
    }
}

/// The result of an execution that does not end early.
fn finish<T, E>(ran: Result<T, Halt<E>>) -> Result<T, EncodeError<E>> {
    ran.map_err(|halt| match halt {
        Halt::Error(error) => error,
        Halt::Dead => EncodeError::Refused(Refusal { reason: "no state gets here".to_owned(), span: None }),
    })
}

impl<'m, A: Algebra> Runner<'_, 'm, A> {
    /// Fires a rule instance. Gives where it is enabled and where it is dropped; the path is where it leads to a state,
    /// which is in memory.
    pub(crate) fn fire(&mut self, rule: &'m Rule, args: &[Cell]) -> Run<(A::F, A::F), A> {
        self.enter(&rule.frame);
        self.in_guard = true;
        let ran = self.enable(rule, args);
        if self.caught(ran)?.is_none() {
            let no = self.alg.constant(false);
            return Ok((no.clone(), no));
        }
        self.in_guard = false;
        let enabled = self.path.clone();
        self.excluded = self.alg.constant(false);
        let ran = self.body(rule);
        self.caught(ran)?;
        let counted = self.alg.not(&self.excluded)?;
        let guard = self.alg.and(&enabled, &counted)?;
        let mut dropped = self.alg.constant(false);
        let ran = self.assumptions(&mut dropped);
        self.caught(ran)?;
        Ok((guard, dropped))
    }

    /// Binds the parameters and evaluates the guard.
    fn enable(&mut self, rule: &'m Rule, args: &[Cell]) -> Run<(), A> {
        if !self.bind_all(&rule.frame, &rule.binders, args)? {
            return Err(Halt::Dead);
        }
        if let Some(guard) = &rule.guard {
            let holds = self.condition(&rule.frame, guard)?;
            self.path = self.alg.and(&self.path, &holds)?;
        }
        self.go_on()
    }

    fn body(&mut self, rule: &'m Rule) -> Run<(), A> {
        let ran = self.block(&rule.frame, &rule.body);
        self.caught(ran)?;
        self.returned_too()?;
        self.go_on()?;
        self.normalise_state()
    }

    /// Evaluates the model's assumptions in the state that was reached.
    fn assumptions(&mut self, dropped: &mut A::F) -> Run<(), A> {
        self.go_on()?;
        for property in &self.encoding.model.properties {
            if property.kind == PropertyKind::Assume {
                let instances = self.property(property)?;
                let holds = self.all_hold(property.kind, &instances)?;
                let fails = self.alg.not(&holds)?;
                let here = self.alg.and(&self.path, &fails)?;
                *dropped = self.alg.or(dropped, &here)?;
                self.path = self.alg.and(&self.path, &holds)?;
                self.go_on()?;
            }
        }
        Ok(())
    }

    /// Where all instances hold, or for a cover one.
    fn all_hold(
        &mut self,
        kind: PropertyKind,
        instances: &[PropertyInstance<A::F>],
    ) -> Result<A::F, A::Error> {
        let alg = &mut *self.alg;
        let some = kind == PropertyKind::Cover;
        let mut all = alg.constant(!some);
        for instance in instances {
            if some {
                let here = alg.and(&instance.exists, &instance.holds)?;
                all = alg.or(&all, &here)?;
            } else {
                let absent = alg.not(&instance.exists)?;
                let here = alg.or(&absent, &instance.holds)?;
                all = alg.and(&all, &here)?;
            }
        }
        Ok(all)
    }
}
