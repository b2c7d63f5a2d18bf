//! The unreduced system: a model run by the reference interpreter.

use std::collections::BTreeSet;
use std::ops::ControlFlow;

use super::{Binder, Model, Outcome, Property, PropertyKind, Rule, SideEffects, Sink, Step, System, TimeUp};
use crate::code::{Cell, Expr, Fault, Frame, Instances, Interpreter, LocalId, Semantics, Stop};
use crate::{Deadline, Span};

/// A model as a system.
#[derive(Clone)]
pub struct Machine<'m> {
    interpreter: Interpreter<'m>,
}

/// How the walk over a rule's instances goes on.
enum Walk {
    Continue,
    Break,
}

/// What is done with each instance, whose parameters have these values; or with those that have these values but whose
/// further parameters or aliases cannot be evaluated.
type Leaf<'l, 'm> = dyn FnMut(&mut Machine<'m>, &[Cell], Option<Fault>) -> Result<Walk, Stop> + 'l;

impl<'m> Machine<'m> {
    pub fn new(model: &'m Model, semantics: Semantics) -> Self {
        Machine { interpreter: Interpreter::new(model, semantics) }
    }

    /// Gives the arguments of every instance of a property in a state, and whether its condition holds for them; a fault
    /// in the condition is returned inside.
    pub fn property_instances(
        &mut self,
        property: usize,
        state: &[Cell],
        sink: &mut dyn FnMut(&[Cell], bool),
    ) -> Result<Result<(), Fault>, TimeUp> {
        let property = &self.interpreter.model.properties[property];
        let Some(condition) = &property.condition else { return Ok(Ok(())) };
        self.interpreter.load(state);
        self.interpreter.enter(&property.frame);
        let walk = self.instances(
            &property.frame,
            &property.binders,
            &[],
            &mut Vec::new(),
            &mut |machine, args, fault| {
                fault.map_or(Ok(()), |fault| Err(Stop::Fault(Box::new(fault))))?;
                machine.interpreter.load(state);
                sink(args, machine.instance_holds(property, condition)?);
                Ok(Walk::Continue)
            },
        );
        match walk {
            Ok(_) | Err(Stop::Assumption) => Ok(Ok(())),
            Err(Stop::Fault(fault)) => Ok(Err(*fault)),
            Err(Stop::Deadline) => Err(TimeUp),
        }
    }

    /// Whether a condition of a temporal property holds in a state, where variables of its frame have these values; a
    /// fault is returned inside. Where an `assume` fails in a function that it calls, it does not hold.
    pub fn atom_holds(
        &mut self,
        frame: &Frame,
        bindings: &[(LocalId, Cell)],
        condition: &Expr,
        state: &[Cell],
    ) -> Result<Result<bool, Fault>, TimeUp> {
        self.interpreter.load(state);
        self.interpreter.enter(frame);
        for (local, value) in bindings {
            self.interpreter.set_local(frame, *local, *value);
        }
        match self.interpreter.condition(frame, condition) {
            Ok(holds) => Ok(Ok(holds)),
            Err(Stop::Assumption) => Ok(Ok(false)),
            Err(Stop::Fault(fault)) => Ok(Err(*fault)),
            Err(Stop::Deadline) => Err(TimeUp),
        }
    }

    /// Visits every instance of the binders from the outside in, with these values `given` for the first of them; `leaf`
    /// sees the parameters' values.
    fn instances(
        &mut self,
        frame: &Frame,
        binders: &[Binder],
        given: &[Cell],
        args: &mut Vec<Cell>,
        leaf: &mut Leaf<'_, 'm>,
    ) -> Result<Walk, Stop> {
        let Some((binder, inner)) = binders.split_first() else { return leaf(self, args, None) };
        let (Binder::Each(crate::code::Loop { local, .. })
        | Binder::Alias(local, _)
        | Binder::Choose(local, _)) = binder;
        if let Some((value, given)) = given.split_first()
            && !matches!(binder, Binder::Alias(..))
        {
            self.interpreter.set_local(frame, *local, *value);
            args.push(*value);
            let walk = self.instances(frame, inner, given, args, leaf);
            args.pop();
            return walk;
        }
        let values = match self.interpreter.bind(frame, binder) {
            Ok(Instances::Bound) => return self.instances(frame, inner, given, args, leaf),
            Ok(values) => values,
            Err(Stop::Fault(fault)) => return leaf(self, args, Some(*fault)),
            Err(Stop::Assumption) => return Ok(Walk::Continue),
            Err(Stop::Deadline) => return Err(Stop::Deadline),
        };
        for value in values {
            self.interpreter.tick()?;
            self.interpreter.set_local(frame, *local, value);
            args.push(value);
            let walk = self.instances(frame, inner, &[], args, leaf)?;
            args.pop();
            if let Walk::Break = walk {
                return Ok(Walk::Break);
            }
        }
        Ok(Walk::Continue)
    }

    /// Fires the instances of a rule whose first parameters have these values, if they are enabled at `state`.
    pub fn fire_instances(
        &mut self,
        rule: u32,
        args: &[Cell],
        state: &[Cell],
        sink: &mut Sink<'_>,
    ) -> Result<(), TimeUp> {
        let model = self.interpreter.model;
        self.fire(rule, &model.rules[rule as usize], args, Some(state), sink).map(|_| ())
    }

    /// Fires every enabled instance of a rule at `state` (undefined throughout for a start state) whose first parameters
    /// have the values `given`.
    fn fire(
        &mut self,
        index: u32,
        rule: &Rule,
        given: &[Cell],
        state: Option<&[Cell]>,
        sink: &mut Sink<'_>,
    ) -> Result<ControlFlow<()>, TimeUp> {
        self.restore(state);
        self.interpreter.enter(&rule.frame);
        let mut args = Vec::new();
        let walk =
            self.instances(&rule.frame, &rule.binders, given, &mut args, &mut |machine, args, fault| {
                let executed = match fault {
                    Some(fault) => Ok(Some(Executed::GuardFault(fault))),
                    None => machine.execute(rule),
                };
                let outcome = match executed {
                    Ok(None) => return Ok(Walk::Continue),
                    Ok(Some(outcome)) => outcome,
                    Err(Stop::Deadline) => return Err(Stop::Deadline),
                    Err(Stop::Fault(fault)) => Executed::GuardFault(*fault),
                    Err(Stop::Assumption) => return Ok(Walk::Continue),
                };
                let stutters =
                    matches!(outcome, Executed::State) && state == Some(machine.interpreter.state());
                let flow = sink(Step {
                    rule: index,
                    args,
                    outcome: match outcome {
                        Executed::Excluded => {
                            machine.again(rule, args, state);
                            return Ok(Walk::Continue);
                        }
                        Executed::State => Outcome::State(machine.interpreter.state()),
                        Executed::Dropped => Outcome::Dropped,
                        Executed::GuardFault(fault) => Outcome::GuardFault(fault),
                        Executed::Fault(fault) => Outcome::Fault(fault),
                    },
                    stutters,
                });
                machine.again(rule, args, state);
                Ok(if flow.is_break() { Walk::Break } else { Walk::Continue })
            });
        match walk {
            Ok(Walk::Continue) => Ok(ControlFlow::Continue(())),
            Ok(Walk::Break) => Ok(ControlFlow::Break(())),
            Err(Stop::Deadline) => Err(TimeUp),
            Err(Stop::Assumption | Stop::Fault(_)) => Ok(ControlFlow::Continue(())),
        }
    }

    fn restore(&mut self, state: Option<&[Cell]>) {
        match state {
            Some(state) => self.interpreter.load(state),
            None => self.interpreter.reset(),
        }
    }

    /// After an instance ran: the walk goes on with the same binders, so it gets back the state and frame it had, aliases
    /// bound as far as they can be.
    fn again(&mut self, rule: &Rule, args: &[Cell], state: Option<&[Cell]>) {
        self.restore(state);
        self.interpreter.enter(&rule.frame);
        let mut args = args.iter();
        for binder in &rule.binders {
            let bound = match binder {
                Binder::Alias(..) => self.interpreter.bind(&rule.frame, binder).is_ok(),
                Binder::Each(crate::code::Loop { local, .. }) | Binder::Choose(local, _) => match args.next()
                {
                    Some(value) => {
                        self.interpreter.set_local(&rule.frame, *local, *value);
                        true
                    }
                    None => false,
                },
            };
            if !bound {
                return;
            }
        }
    }

    /// Runs one instance whose binders are bound; `None` if it is not enabled. The state is left in the interpreter.
    fn execute(&mut self, rule: &Rule) -> Result<Option<Executed>, Stop> {
        if let Some(guard) = &rule.guard
            && !self.interpreter.condition(&rule.frame, guard)?
        {
            return Ok(None);
        }
        let ran = self.interpreter.run(&rule.frame, &rule.body);
        match ran {
            Ok(()) => {}
            Err(Stop::Assumption) => return Ok(Some(Executed::Excluded)),
            Err(Stop::Fault(fault)) => return Ok(Some(Executed::Fault(*fault))),
            Err(Stop::Deadline) => return Err(Stop::Deadline),
        }
        self.interpreter.normalise();
        let model = self.interpreter.model;
        for (i, property) in model.properties.iter().enumerate() {
            if property.kind == PropertyKind::Assume {
                match self.count(i, true, None) {
                    Ok(0) | Err(Stop::Assumption) => return Ok(Some(Executed::Dropped)),
                    Ok(_) => {}
                    Err(Stop::Fault(fault)) => return Ok(Some(Executed::Fault(*fault))),
                    Err(Stop::Deadline) => return Err(Stop::Deadline),
                }
            }
        }
        Ok(Some(Executed::State))
    }

    /// Where an undefined value was used without an error, since side effects were last taken.
    pub fn undefined_copies(&self) -> &BTreeSet<Span> {
        &self.interpreter.undefined_copies
    }

    /// Whether a bound instance of a property holds. Where an `assume` fails in a function that it calls, it says
    /// nothing: an invariant is not violated, nothing else is satisfied.
    fn instance_holds(&mut self, property: &Property, condition: &Expr) -> Result<bool, Stop> {
        match self.interpreter.condition(&property.frame, condition) {
            Err(Stop::Assumption) => Ok(property.kind == PropertyKind::Invariant),
            evaluated => evaluated,
        }
    }

    /// For all instances (`all`): 1 or 0; otherwise the number of instances of a property's condition that hold in the
    /// interpreter's state. It is this `state`, where the condition may call functions that change it.
    fn count(&mut self, property: usize, all: bool, state: Option<&[Cell]>) -> Result<u64, Stop> {
        let property = &self.interpreter.model.properties[property];
        let Some(condition) = &property.condition else { return Ok(0) };
        self.interpreter.enter(&property.frame);
        let (mut held, mut failed) = (0, false);
        self.instances(
            &property.frame,
            &property.binders,
            &[],
            &mut Vec::new(),
            &mut |machine, _, fault| {
                fault.map_or(Ok(()), |fault| Err(Stop::Fault(Box::new(fault))))?;
                // What the functions that an instance calls have changed is no concern of the next one.
                if let Some(state) = state {
                    machine.interpreter.load(state);
                }
                if machine.instance_holds(property, condition)? {
                    held += 1;
                } else {
                    failed = true;
                }
                Ok(Walk::Continue)
            },
        )?;
        Ok(if all { u64::from(!failed) } else { held })
    }
}

/// What became of an enabled instance; the new state is in the interpreter.
enum Executed {
    State,
    /// An `assume` in its body does not hold: it does not count as enabled.
    Excluded,
    /// A top-level assumption does not hold in the state it leads to.
    Dropped,
    GuardFault(Fault),
    Fault(Fault),
}

impl System for Machine<'_> {
    fn model(&self) -> &Model {
        self.interpreter.model
    }

    fn initial(&mut self, sink: &mut Sink<'_>) -> Result<(), TimeUp> {
        let model = self.interpreter.model;
        for (i, start) in model.starts.iter().enumerate() {
            if self.fire(i as u32, start, &[], None, sink)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn successors(&mut self, state: &[Cell], sink: &mut Sink<'_>) -> Result<(), TimeUp> {
        let model = self.interpreter.model;
        for (i, rule) in model.rules.iter().enumerate() {
            if self.fire(i as u32, rule, &[], Some(state), sink)?.is_break() {
                break;
            }
        }
        Ok(())
    }

    fn holds(&mut self, property: usize, state: &[Cell]) -> Result<Result<u64, Fault>, TimeUp> {
        self.interpreter.load(state);
        let all = self.interpreter.model.properties[property].kind != PropertyKind::Cover;
        match self.count(property, all, Some(state)) {
            Ok(held) => Ok(Ok(held)),
            Err(Stop::Fault(fault)) => Ok(Err(*fault)),
            Err(Stop::Assumption) => Ok(Ok(u64::from(all))),
            Err(Stop::Deadline) => Err(TimeUp),
        }
    }

    fn set_deadline(&mut self, deadline: Deadline) {
        self.interpreter.deadline = deadline;
    }

    fn side_effects(&mut self) -> SideEffects {
        let covered = vec![0; self.interpreter.covered.len()];
        SideEffects {
            output: std::mem::take(&mut self.interpreter.output),
            covered: std::mem::replace(&mut self.interpreter.covered, covered),
            undefined_copies: std::mem::take(&mut self.interpreter.undefined_copies).into_iter().collect(),
        }
    }
}
