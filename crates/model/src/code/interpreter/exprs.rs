//! Expressions.

use super::{Interpreter, Run, Values, fault, normalise};
use crate::Span;
use crate::code::*;

impl Interpreter<'_> {
    /// The value of an expression; undefined is an error.
    pub fn eval(&mut self, frame: &Frame, expr: &Expr) -> Run<Cell> {
        let value = self.eval_copy(frame, expr)?;
        if value == UNDEFINED {
            let what = match &expr.kind {
                ExprKind::Read(place) => format!("`{}` is undefined here", self.place_name(frame, place)),
                _ => "the value of this expression is undefined".to_owned(),
            };
            return fault(FaultKind::Undefined, expr.span, what);
        }
        Ok(value)
    }

    /// Whether a condition holds; what it needed meanwhile is freed.
    pub fn condition(&mut self, frame: &Frame, expr: &Expr) -> Run<bool> {
        let temporaries = self.memory.len();
        let value = self.eval_bool(frame, expr);
        self.memory.truncate(temporaries);
        value
    }

    pub(super) fn eval_bool(&mut self, frame: &Frame, expr: &Expr) -> Run<bool> {
        Ok(self.eval(frame, expr)? != 0)
    }

    /// The value of an operand that is compared; undefined is an error unless the semantics allow it.
    pub(super) fn compared(&mut self, frame: &Frame, expr: &Expr) -> Run<Cell> {
        if !self.semantics.compares_undefined(&self.model.types, expr) {
            return self.eval(frame, expr);
        }
        let value = self.eval_copy(frame, expr)?;
        self.note_use(value, expr.span);
        Ok(value)
    }

    /// Remembers where an undefined value was used without an error.
    pub(super) fn note_use(&mut self, value: Cell, span: Span) {
        if value == UNDEFINED {
            self.undefined_copies.insert(span);
        }
    }

    /// The value of an expression, possibly undefined.
    pub(super) fn eval_copy(&mut self, frame: &Frame, expr: &Expr) -> Run<Cell> {
        Ok(match &expr.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Read(place) => {
                let address = self.address(frame, place)?;
                self.memory[address]
            }
            ExprKind::Not(e) => Cell::from(!self.eval_bool(frame, e)?),
            ExprKind::Neg(e) => match self.eval(frame, e)?.checked_neg() {
                Some(value) => value,
                None => return self.overflow(expr.span),
            },
            ExprKind::BitNot(e) => match !self.eval(frame, e)? {
                UNDEFINED => return self.overflow(expr.span),
                value => value,
            },
            ExprKind::Arith(op, a, b) => {
                let (a, b) = (self.eval(frame, a)?, self.eval(frame, b)?);
                self.arith(*op, a, b, expr.span)?
            }
            ExprKind::Order(op, a, b) => {
                let (a, b) = (self.eval(frame, a)?, self.eval(frame, b)?);
                Cell::from(op.apply(a, b))
            }
            ExprKind::Logic(op, a, b) => {
                let a = self.eval_bool(frame, a)?;
                Cell::from(match op {
                    LogicOp::And => a && self.eval_bool(frame, b)?,
                    LogicOp::Or => a || self.eval_bool(frame, b)?,
                    LogicOp::Implies => !a || self.eval_bool(frame, b)?,
                })
            }
            ExprKind::Eq(a, b) => Cell::from(self.compared(frame, a)? == self.compared(frame, b)?),
            ExprKind::Ne(a, b) => Cell::from(self.compared(frame, a)? != self.compared(frame, b)?),
            ExprKind::Same(a, b, negated) => {
                let temporaries = self.memory.len();
                let cells = self.model.types[a.ty].cells as usize;
                let left = self.address(frame, a)?;
                let right = self.address(frame, b)?;
                let mut left = self.memory[left..left + cells].to_vec();
                let mut right = self.memory[right..right + cells].to_vec();
                normalise(&self.model.types, a.ty, &mut left);
                normalise(&self.model.types, a.ty, &mut right);
                self.memory.truncate(temporaries);
                Cell::from((left == right) != *negated)
            }
            ExprKind::Cond(c, a, b) => {
                let chosen = if self.eval_bool(frame, c)? { a } else { b };
                self.eval_copy(frame, chosen)?
            }
            ExprKind::Quantified(quantifier, each, body) => {
                self.quantified(frame, *quantifier, each, body)?
            }
            ExprKind::Call(call) => {
                self.call(frame, call, None)?;
                self.result
            }
            ExprKind::IsUndefined(place) => {
                let address = self.address(frame, place)?;
                Cell::from(self.memory[address] == UNDEFINED)
            }
            ExprKind::IsMember(e, member) => {
                let value = self.compared(frame, e)?;
                let types = &self.model.types;
                Cell::from(match types.union_member(e.ty, value) {
                    _ if value == UNDEFINED => false,
                    Some((found, _)) => types.same(found, *member),
                    None => types.same(e.ty, *member),
                })
            }
            ExprKind::Convert(e) => {
                let value = self.eval_copy(frame, e)?;
                self.convert(value, e.ty, expr.ty, expr.span)?
            }
            ExprKind::Rotate(e, by) => {
                let (value, size) = (self.eval(frame, e)?, self.model.types.bounds(expr.ty).1 + 1);
                (value + Cell::from(*by)).rem_euclid(size.max(1))
            }
            ExprKind::Count(local, set, condition) => {
                let mut count = 0;
                for slot in self.slots_in_use(frame, set)? {
                    self.set_local(frame, *local, slot);
                    count += Cell::from(self.condition(frame, condition)?);
                }
                count
            }
        })
    }

    pub(super) fn quantified(
        &mut self,
        frame: &Frame,
        quantifier: Quantifier,
        each: &Loop,
        body: &Expr,
    ) -> Run<Cell> {
        let decisive = quantifier == Quantifier::Exists;
        let whole = match each.range {
            LoopRange::Type(ty) => !self.model.types.domains_of(ty).is_empty(),
            LoopRange::Span(..) => false,
        };
        let mut decided = false;
        for value in self.loop_values(frame, each)? {
            self.tick()?;
            self.set_local(frame, each.local, value);
            decided |= self.condition(frame, body)? == decisive;
            if decided && !whole {
                break;
            }
        }
        Ok(Cell::from(decided == decisive))
    }

    pub(super) fn overflow<T>(&self, span: Span) -> Run<T> {
        fault(FaultKind::Arithmetic, span, "the result does not fit in 64 bits")
    }

    pub(super) fn arith(&self, op: ArithOp, a: i64, b: i64, span: Span) -> Run<Cell> {
        match op.apply(a, b) {
            Some(value) => Ok(value),
            None if op.divides() && b == 0 => fault(FaultKind::Arithmetic, span, "division by zero"),
            None => self.overflow(span),
        }
    }

    pub(super) fn convert(&self, value: Cell, from: TypeId, to: TypeId, span: Span) -> Run<Cell> {
        let types = &self.model.types;
        if value == UNDEFINED {
            return Ok(UNDEFINED);
        }
        // Both sides may be unions: go through the member.
        let (member, value) = types.union_member(from, value).unwrap_or((from, value));
        if let Some(offset) = types.union_offset(to, member) {
            return Ok(offset + value - types.bounds(member).0);
        }
        let integer = types.is_integer(member);
        if types.same(member, to) || (integer && types.is_integer(to)) {
            return Ok(value);
        }
        // An integer becomes a value of the union's range that has it.
        if let TypeKind::Union(members) = &types[to].kind
            && let Some(range) = members.iter().find(|m| integer && types.is_integer(**m))
            && let (lo, hi) = types.bounds(*range)
            && (lo..=hi).contains(&value)
        {
            return Ok(types.union_offset(to, *range).unwrap_or(0) + value - lo);
        }
        let (shown, to) = (types.show(member, value), types.describe(to));
        fault(FaultKind::UnionMember, span, format!("`{shown}` is not a value of `{to}`"))
    }

    /// All values of a loop's variable, in order.
    pub fn loop_values(&mut self, frame: &Frame, each: &Loop) -> Run<Values> {
        let (from, to, by) = match &each.range {
            LoopRange::Type(ty) => {
                let (lo, hi) = self.model.types.bounds(*ty);
                return Ok(Values::between(lo, hi));
            }
            LoopRange::Span(from, to, None) => {
                let (from, to) = (self.eval(frame, from)?, self.eval(frame, to)?);
                return Ok(Values::between(from, to));
            }
            LoopRange::Span(from, to, Some(by)) => {
                (self.eval(frame, from)?, self.eval(frame, to)?, self.eval(frame, by)?)
            }
        };
        if by == 0 {
            return fault(FaultKind::Loop, each.span, "the step of this loop is 0");
        }
        if from != to && (by > 0) != (from < to) {
            return fault(
                FaultKind::Loop,
                each.span,
                format!("a step of {by} does not lead from {from} to {to}"),
            );
        }
        let left = ((i128::from(to) - i128::from(from)) / i128::from(by) + 1) as u128;
        Ok(Values { next: from, by, left })
    }

    pub(super) fn too_many<T>(&self, span: Span) -> Run<T> {
        let limit = self.semantics.loop_limit;
        fault(FaultKind::Loop, span, format!("this loop runs more than {limit} times (see --loop-limit)"))
    }
}
