//! Arithmetic, with the errors it may end in.

use burnside_model::Span;
use burnside_model::code::{ArithOp, FaultKind, OrderOp, TypeId};

use super::{Run, Runner};
use crate::algebra::Algebra;
use crate::number::Number;
use crate::value::Value;

impl<A: Algebra> Runner<'_, '_, A> {
    pub fn arith(&mut self, op: ArithOp, a: &Number<A>, b: &Number<A>, span: Span) -> Run<Number<A>, A> {
        if op.divides() {
            let zero = b.is(self.alg, 0)?;
            self.fail_if(&zero, FaultKind::Arithmetic, span)?;
        }
        let alg = &mut *self.alg;
        let result = match op {
            ArithOp::Add => a.add(alg, b)?,
            ArithOp::Sub => a.sub(alg, b)?,
            ArithOp::Mul => a.mul(alg, b)?,
            ArithOp::Div => a.divide(alg, b)?.0,
            ArithOp::Mod => a.divide(alg, b)?.1,
            ArithOp::Shl => a.shift(alg, b)?,
            ArithOp::Shr => {
                let by = b.neg(alg)?;
                a.shift(alg, &by)?
            }
            ArithOp::And => a.bitwise(alg, b, A::and)?,
            ArithOp::Or => a.bitwise(alg, b, A::or)?,
            ArithOp::Xor => a.bitwise(alg, b, A::xor)?,
        };
        self.fitting(result, span)
    }

    /// A result that must fit in 64 bits, and not be what stands for undefined.
    pub fn fitting(&mut self, number: Number<A>, span: Span) -> Run<Number<A>, A> {
        let (lo, hi) = (i128::from(i64::MIN) + 1, i128::from(i64::MAX));
        if number.lo >= lo && number.hi <= hi {
            return Ok(number);
        }
        let outside = number.outside(self.alg, lo, hi)?;
        self.fail_if(&outside, FaultKind::Arithmetic, span)?;
        Ok(number.within(self.alg, lo, hi))
    }

    pub fn order(&mut self, op: OrderOp, a: &Number<A>, b: &Number<A>) -> Run<A::F, A> {
        let alg = &mut *self.alg;
        Ok(match op {
            OrderOp::Lt => a.less(alg, b)?,
            OrderOp::Gt => b.less(alg, a)?,
            OrderOp::Le => {
                let greater = b.less(alg, a)?;
                alg.not(&greater)?
            }
            OrderOp::Ge => {
                let less = a.less(alg, b)?;
                alg.not(&less)?
            }
        })
    }

    /// A value that must be in its type's range, or undefined.
    pub fn in_range(&mut self, ty: TypeId, value: &Value<A>, span: Span) -> Run<Value<A>, A> {
        let (lo, hi) = self.types().bounds(ty);
        let (lo, hi) = (i128::from(lo), i128::from(hi));
        if value.number.lo >= lo && value.number.hi <= hi {
            return Ok(value.clone());
        }
        let outside = value.number.outside(self.alg, lo, hi)?;
        let defined = self.alg.not(&value.undefined)?;
        let bad = self.alg.and(&outside, &defined)?;
        self.fail_if(&bad, FaultKind::Range, span)?;
        let number = value.number.clone().within(self.alg, lo, hi);
        Ok(Value { undefined: value.undefined.clone(), number })
    }
}
