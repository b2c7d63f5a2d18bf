//! Expressions.

use burnside_model::code::{Expr, ExprKind, FaultKind, Frame, LogicOp, Loop, LoopRange, Place, Quantifier};

use super::branch::Joined;
use super::{Run, Runner};
use crate::algebra::{Algebra, any, known};
use crate::number::{Number, mux};
use crate::value::Value;

impl<'m, A: Algebra> Runner<'_, 'm, A> {
    /// The value of an expression; undefined is an error.
    pub fn eval(&mut self, frame: &'m Frame, expr: &'m Expr) -> Run<Number<A>, A> {
        let value = self.eval_copy(frame, expr)?;
        self.fail_if(&value.undefined, FaultKind::Undefined, expr.span)?;
        Ok(value.number)
    }

    /// Whether a condition holds; what it needed meanwhile is freed.
    pub fn condition(&mut self, frame: &'m Frame, expr: &'m Expr) -> Run<A::F, A> {
        let temporaries = self.memory.len();
        let value = self.eval_bool(frame, expr)?;
        self.memory.truncate(temporaries);
        Ok(value)
    }

    pub fn eval_bool(&mut self, frame: &'m Frame, expr: &'m Expr) -> Run<A::F, A> {
        let number = self.eval(frame, expr)?;
        if number.lo >= 0 && number.hi <= 1 {
            return Ok(match number.known() {
                Some(value) => self.alg.constant(value == 1),
                None => number.bit(0).clone(),
            });
        }
        let zero = number.is(self.alg, 0)?;
        Ok(self.alg.not(&zero)?)
    }

    fn truth(&mut self, f: A::F) -> Value<A> {
        Value::truth(self.alg, f)
    }

    /// The value of an operand that is compared; undefined is an error unless the semantics allow it.
    pub fn compared(&mut self, frame: &'m Frame, expr: &'m Expr) -> Run<Value<A>, A> {
        if self.encoding.semantics.compares_undefined(self.types(), expr) {
            return self.eval_copy(frame, expr);
        }
        let number = self.eval(frame, expr)?;
        Ok(number.defined(self.alg))
    }

    /// The value of an expression, possibly undefined.
    pub fn eval_copy(&mut self, frame: &'m Frame, expr: &'m Expr) -> Run<Value<A>, A> {
        let number = match &expr.kind {
            ExprKind::Const(value) => return Ok(self.constant(*value)),
            ExprKind::Read(place) => {
                let address = self.address(frame, place)?;
                return Ok((*self.read(&address, 0)?).clone());
            }
            ExprKind::Not(e) => {
                let f = self.eval_bool(frame, e)?;
                let f = self.alg.not(&f)?;
                return Ok(self.truth(f));
            }
            ExprKind::Neg(e) => {
                let number = self.eval(frame, e)?.neg(self.alg)?;
                self.fitting(number, expr.span)?
            }
            ExprKind::BitNot(e) => {
                let number = self.eval(frame, e)?.bit_not(self.alg)?;
                self.fitting(number, expr.span)?
            }
            ExprKind::Arith(op, a, b) => {
                let (a, b) = (self.eval(frame, a)?, self.eval(frame, b)?);
                self.arith(*op, &a, &b, expr.span)?
            }
            ExprKind::Order(op, a, b) => {
                let (a, b) = (self.eval(frame, a)?, self.eval(frame, b)?);
                let f = self.order(*op, &a, &b)?;
                return Ok(self.truth(f));
            }
            ExprKind::Logic(op, a, b) => {
                let f = self.logic(frame, *op, a, b)?;
                return Ok(self.truth(f));
            }
            ExprKind::Eq(a, b) | ExprKind::Ne(a, b) => {
                let (a, b) = (self.compared(frame, a)?, self.compared(frame, b)?);
                let mut f = a.same(self.alg, &b)?;
                if matches!(expr.kind, ExprKind::Ne(..)) {
                    f = self.alg.not(&f)?;
                }
                return Ok(self.truth(f));
            }
            ExprKind::Same(a, b, negated) => {
                let f = self.same(frame, a, b, *negated)?;
                return Ok(self.truth(f));
            }
            ExprKind::Cond(c, a, b) => {
                let c = self.eval_bool(frame, c)?;
                let joined = self.fork(&c, |s| s.eval_copy(frame, a), |s| s.eval_copy(frame, b))?;
                return match joined {
                    Joined::Then(value) | Joined::Otherwise(value) => Ok(value),
                    Joined::Both(a, b) => Ok(Value::ite(self.alg, &c, &a, &b)?),
                };
            }
            ExprKind::Quantified(quantifier, each, body) => {
                let f = self.quantified(frame, *quantifier, each, body)?;
                return Ok(self.truth(f));
            }
            ExprKind::Call(call) => {
                let at = self.grow(1);
                self.call(frame, call, at)?;
                return Ok((*self.cell(at)?).clone());
            }
            ExprKind::IsUndefined(place) => {
                let address = self.address(frame, place)?;
                let f = self.read(&address, 0)?.undefined.clone();
                return Ok(self.truth(f));
            }
            ExprKind::IsMember(e, member) => {
                let value = self.compared(frame, e)?;
                let is_member = self.is_member(&value.number, e.ty, *member)?;
                let defined = self.alg.not(&value.undefined)?;
                let f = self.alg.and(&defined, &is_member)?;
                return Ok(self.truth(f));
            }
            ExprKind::Convert(e) => {
                let value = self.eval_copy(frame, e)?;
                return self.convert(&value, e.ty, expr.ty, expr.span);
            }
            ExprKind::Rotate(e, by) => {
                let number = self.eval(frame, e)?;
                let size = i128::from(self.types().bounds(expr.ty).1) + 1;
                self.rotate(&number, i128::from(*by), size.max(1))?
            }
            ExprKind::Count(local, set, condition) => {
                let mut count = Number::constant(self.alg, 0);
                for (slot, used) in self.slots_in_use(frame, set)? {
                    self.set_constant(frame, *local, slot);
                    let holds = self.where_used(&used, |s| s.condition(frame, condition))?;
                    let one = self.truth(holds).number;
                    count = count.add(self.alg, &one)?;
                }
                count
            }
        };
        Ok(number.defined(self.alg))
    }

    fn constant(&mut self, value: i64) -> Value<A> {
        match value {
            burnside_model::code::UNDEFINED => Value::undefined(self.alg),
            value => Value::constant(self.alg, value),
        }
    }

    /// Whether something holds where a condition does; elsewhere it is not evaluated, and does not hold.
    pub fn where_used(
        &mut self,
        used: &A::F,
        evaluate: impl FnOnce(&mut Self) -> Run<A::F, A>,
    ) -> Run<A::F, A> {
        let no = self.alg.constant(false);
        match self.fork(used, evaluate, |_| Ok(no))? {
            Joined::Then(f) | Joined::Otherwise(f) => Ok(f),
            Joined::Both(f, _) => Ok(self.alg.and(used, &f)?),
        }
    }

    /// A connective; the right side is evaluated only where it decides.
    fn logic(&mut self, frame: &'m Frame, op: LogicOp, a: &'m Expr, b: &'m Expr) -> Run<A::F, A> {
        let a = self.eval_bool(frame, a)?;
        let (decides, otherwise) = match op {
            LogicOp::And => (a, false),
            LogicOp::Or => (self.alg.not(&a)?, true),
            LogicOp::Implies => (a, true),
        };
        let otherwise = self.alg.constant(otherwise);
        let given = otherwise.clone();
        match self.fork(&decides, |s| s.eval_bool(frame, b), |_| Ok(given))? {
            Joined::Then(f) | Joined::Otherwise(f) => Ok(f),
            Joined::Both(b, _) => Ok(mux(self.alg, &decides, &b, &otherwise)?),
        }
    }

    fn quantified(
        &mut self,
        frame: &'m Frame,
        quantifier: Quantifier,
        each: &'m Loop,
        body: &'m Expr,
    ) -> Run<A::F, A> {
        let decisive = quantifier == Quantifier::Exists;
        let whole = match each.range {
            LoopRange::Type(ty) => !self.types().domains_of(ty).is_empty(),
            LoopRange::Span(..) => false,
        };
        if whole {
            let mut all = Vec::new();
            self.iterate(frame, each, &mut |s, _| {
                let holds = s.condition(frame, body)?;
                all.push(if decisive { holds } else { s.alg.not(&holds)? });
                Ok(())
            })?;
            let decided = any(self.alg, all)?;
            return Ok(if decisive { decided } else { self.alg.not(&decided)? });
        }
        let mut decided = self.alg.constant(false);
        self.iterate(frame, each, &mut |s, here| {
            if known(s.alg, &decided) == Some(true) {
                return Ok(());
            }
            let open = s.alg.not(&decided)?;
            let now = s.where_used(&open, |s| {
                let holds = s.condition(frame, body)?;
                Ok(if decisive { holds } else { s.alg.not(&holds)? })
            })?;
            let now = s.alg.and(&now, here)?;
            decided = s.alg.or(&decided, &now)?;
            Ok(())
        })?;
        Ok(if decisive { decided } else { self.alg.not(&decided)? })
    }

    /// Whether two aggregates are the same, cell by cell.
    fn same(&mut self, frame: &'m Frame, a: &'m Place, b: &'m Place, negated: bool) -> Run<A::F, A> {
        let temporaries = self.memory.len();
        let left = self.address(frame, a)?;
        let right = self.address(frame, b)?;
        let mut left = self.read_all(&left, a.ty)?;
        let mut right = self.read_all(&right, a.ty)?;
        self.normalise(a.ty, &mut left)?;
        self.normalise(a.ty, &mut right)?;
        self.memory.truncate(temporaries);
        let mut same = self.alg.constant(true);
        for (a, b) in left.iter().zip(&right) {
            let equal = a.same(self.alg, b)?;
            same = self.alg.and(&same, &equal)?;
        }
        Ok(if negated { self.alg.not(&same)? } else { same })
    }

    /// `(number + by) mod size`, both less than the size.
    fn rotate(&mut self, number: &Number<A>, by: i128, size: i128) -> Run<Number<A>, A> {
        let by = Number::constant(self.alg, by);
        let size = Number::constant(self.alg, size);
        let ahead = number.add(self.alg, &by)?;
        let fits = ahead.less(self.alg, &size)?;
        let round = ahead.sub(self.alg, &size)?;
        let rotated = Number::ite(self.alg, &fits, &ahead, &round)?;
        Ok(rotated.within(self.alg, 0, size.hi - 1))
    }
}
