//! Why a condition has its value in a state: the smallest part that decides it, and the values in that part.
//!
//! `!(state[a] = crit & state[b] = crit)` tells little when it fails. The part that decides it, for `a = 1, b = 2`, and
//! the values it reads tell all. The walk goes down from the condition: of a conjunction that is false, into a side that
//! is false; of a disjunction that is true, into a side that is true; into the instance that decides a quantifier.

use burnside_lang::source::Source;
use burnside_model::code::{
    Cell, Expr, ExprKind, Frame, Interpreter, LocalId, LogicOp, PlaceKind, Quantifier, Semantics, Stop,
};
use burnside_model::system::{Binder, Property, PropertyKind};
use burnside_model::{Deadline, Model};
use burnside_report::Value;

/// How a condition stands in a state, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Judged {
    /// Whether it holds.
    pub holds: bool,
    /// The part that decides it, with its values; nothing where all of it holds.
    pub why: Option<String>,
}

/// Evaluates conditions of a model, and explains their values.
pub(crate) struct Explainer<'m> {
    model: &'m Model,
    source: &'m Source,
    interpreter: Interpreter<'m>,
}

/// The most values that are listed.
const MOST_VALUES: usize = 12;

type Run<T> = Result<T, Stop>;

/// What goes on is put in words.
fn told(stop: Stop) -> String {
    match stop {
        Stop::Fault(fault) => fault.message,
        Stop::Assumption => "an assumption does not hold".to_owned(),
        Stop::Deadline => crate::explore::world::STOPPED.to_owned(),
    }
}

impl<'m> Explainer<'m> {
    /// For the conditions of a model, whose text is in this source.
    pub fn new(model: &'m Model, source: &'m Source, semantics: Semantics) -> Self {
        Explainer { model, source, interpreter: Interpreter::new(model, semantics) }
    }

    /// Evaluations end then.
    pub fn set_deadline(&mut self, deadline: Deadline) {
        self.interpreter.deadline = deadline;
    }

    /// How a property about single states stands; nothing for one that is about runs.
    pub fn property(&mut self, property: &Property, state: &[Cell]) -> Option<Result<Judged, String>> {
        let condition = property.condition.as_ref()?;
        let some = match property.kind {
            PropertyKind::Invariant | PropertyKind::Assume => false,
            PropertyKind::Cover | PropertyKind::Liveness => true,
            _ => return None,
        };
        self.interpreter.load(state);
        self.interpreter.enter(&property.frame);
        let mut bound = Vec::new();
        let found = self.instance(property, &property.binders, condition, some, state, &mut bound);
        Some(found.map_err(told).map(|why| Judged { holds: why.is_some() == some, why }))
    }

    /// How a condition without parameters stands.
    pub fn condition(&mut self, frame: &Frame, expr: &Expr, state: &[Cell]) -> Result<Judged, String> {
        self.interpreter.load(state);
        self.interpreter.enter(frame);
        let holds = self.interpreter.condition(frame, expr).map_err(told)?;
        let why = self.part(frame, expr, holds, state, &mut Vec::new()).map_err(told)?;
        Ok(Judged { holds, why: Some(why) })
    }

    fn enter(&mut self, frame: &Frame, bound: &[(LocalId, Cell)], state: &[Cell]) {
        self.interpreter.load(state);
        self.interpreter.enter(frame);
        for (local, value) in bound {
            self.interpreter.set_local(frame, *local, *value);
        }
    }

    /// Whether a condition holds, where some variables have these values.
    pub fn holds(
        &mut self,
        frame: &Frame,
        bound: &[(LocalId, Cell)],
        expr: &Expr,
        state: &[Cell],
    ) -> Result<bool, String> {
        self.enter(frame, bound, state);
        self.interpreter.condition(frame, expr).map_err(told)
    }

    /// The value of a term, where some variables have these values.
    pub fn value(
        &mut self,
        frame: &Frame,
        bound: &[(LocalId, Cell)],
        expr: &Expr,
        state: &[Cell],
    ) -> Result<Value, String> {
        self.enter(frame, bound, state);
        let cell = self.interpreter.eval(frame, expr).map_err(told)?;
        Ok(Value::new(&self.model.types, expr.ty, cell))
    }

    /// The first instance whose condition has this value, explained.
    fn instance(
        &mut self,
        property: &Property,
        binders: &[Binder],
        condition: &Expr,
        wanted: bool,
        state: &[Cell],
        bound: &mut Vec<LocalId>,
    ) -> Run<Option<String>> {
        let Some((binder, inner)) = binders.split_first() else {
            self.interpreter.load(state);
            let found = self.interpreter.condition(&property.frame, condition)? == wanted;
            return Ok(match found {
                true => Some(self.part(&property.frame, condition, wanted, state, bound)?),
                false => None,
            });
        };
        let (Binder::Each(burnside_model::code::Loop { local, .. })
        | Binder::Alias(local, _)
        | Binder::Choose(local, _)) = binder;
        let values = match self.interpreter.bind(&property.frame, binder)? {
            burnside_model::code::Instances::Bound => {
                return self.instance(property, inner, condition, wanted, state, bound);
            }
            values => values,
        };
        for value in values {
            self.interpreter.set_local(&property.frame, *local, value);
            bound.push(*local);
            if let Some(found) = self.instance(property, inner, condition, wanted, state, bound)? {
                return Ok(Some(found));
            }
            bound.pop();
        }
        Ok(None)
    }

    /// The part that gives a condition its value, in words.
    fn part(
        &mut self,
        frame: &Frame,
        expr: &Expr,
        value: bool,
        state: &[Cell],
        bound: &mut Vec<LocalId>,
    ) -> Run<String> {
        self.interpreter.load(state);
        match &expr.kind {
            ExprKind::Logic(op @ (LogicOp::And | LogicOp::Or), a, b) if (*op == LogicOp::Or) == value => {
                let first = self.interpreter.condition(frame, a)? == value;
                return self.part(frame, if first { a } else { b }, value, state, bound);
            }
            ExprKind::Quantified(quantifier, each, body) if (*quantifier == Quantifier::Exists) == value => {
                for element in self.interpreter.loop_values(frame, each)? {
                    self.interpreter.load(state);
                    self.interpreter.set_local(frame, each.local, element);
                    if self.interpreter.condition(frame, body)? == value {
                        bound.push(each.local);
                        return self.part(frame, body, value, state, bound);
                    }
                }
            }
            // Both say the same of what is inside, unless that is decided by one of its parts.
            ExprKind::Not(inner)
                if matches!(inner.kind, ExprKind::Not(_) | ExprKind::Quantified(..))
                    || matches!(inner.kind, ExprKind::Logic(LogicOp::Or, ..) if !value)
                    || matches!(inner.kind, ExprKind::Logic(LogicOp::And, ..) if value) =>
            {
                let part = self.part(frame, inner, !value, state, bound)?;
                return Ok(part);
            }
            _ => {}
        }
        self.words(frame, expr, value, state, bound)
    }

    /// A part of a condition with its values: `a is false, where i = 1 and x[i] = 3`.
    fn words(
        &mut self,
        frame: &Frame,
        expr: &Expr,
        value: bool,
        state: &[Cell],
        bound: &[LocalId],
    ) -> Run<String> {
        let mut values: Vec<(String, String)> = Vec::new();
        for local in bound {
            let declared = &frame[*local];
            let read = Expr {
                kind: ExprKind::Read(burnside_model::code::Place {
                    kind: PlaceKind::Local(*local),
                    ty: declared.ty,
                    span: expr.span,
                }),
                ty: declared.ty,
                span: expr.span,
            };
            let cell = self.interpreter.eval(frame, &read)?;
            values
                .push((declared.name.clone(), Value::new(&self.model.types, declared.ty, cell).to_string()));
        }
        self.values(frame, expr, state, &mut values)?;
        let text = words(self.source.slice(expr.span));
        let list: Vec<String> = values.iter().map(|(name, value)| format!("{name} = {value}")).collect();
        let holds = if value { "holds" } else { "fails" };
        Ok(match list.is_empty() {
            true => format!("{text} {holds}"),
            false => format!("{text} {holds}: {}", list.join(", ")),
        })
    }

    /// The values of what a condition reads.
    fn values(
        &mut self,
        frame: &Frame,
        expr: &Expr,
        state: &[Cell],
        values: &mut Vec<(String, String)>,
    ) -> Run<()> {
        match &expr.kind {
            ExprKind::Read(place) => {
                let name = words(self.source.slice(expr.span));
                if values.len() >= MOST_VALUES || values.iter().any(|(known, _)| *known == name) {
                    return Ok(());
                }
                self.interpreter.load(state);
                let value = match self.interpreter.eval(frame, expr) {
                    Ok(cell) => Value::new(&self.model.types, place.ty, cell).to_string(),
                    Err(Stop::Fault(_)) => "Undefined".to_owned(),
                    Err(other) => return Err(other),
                };
                values.push((name, value));
            }
            ExprKind::Not(a)
            | ExprKind::Neg(a)
            | ExprKind::BitNot(a)
            | ExprKind::IsMember(a, _)
            | ExprKind::Convert(a)
            | ExprKind::Rotate(a, _) => self.values(frame, a, state, values)?,
            ExprKind::Arith(_, a, b)
            | ExprKind::Order(_, a, b)
            | ExprKind::Logic(_, a, b)
            | ExprKind::Eq(a, b)
            | ExprKind::Ne(a, b) => {
                self.values(frame, a, state, values)?;
                self.values(frame, b, state, values)?;
            }
            ExprKind::Cond(c, a, b) => {
                for part in [c, a, b] {
                    self.values(frame, part, state, values)?;
                }
            }
            // What is bound inside has many values, and calls have effects.
            ExprKind::Const(_)
            | ExprKind::Same(..)
            | ExprKind::Quantified(..)
            | ExprKind::Call(_)
            | ExprKind::IsUndefined(_)
            | ExprKind::Count(..) => {}
        }
        Ok(())
    }
}

/// A text in one line.
pub(crate) fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
