//! Arithmetic. Intervals tell where overflow is impossible; elsewhere it is poison.

use burnside_model::code::{ArithOp, OrderOp, UNDEFINED, shift_left};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::Emit;
use super::values::{Cond, Val};

/// Least and greatest value of an integer expression.
pub(super) const FULL: (i64, i64) = (i64::MIN + 1, i64::MAX);

/// The interval, if it fits.
fn fits(lo: i128, hi: i128) -> Option<(i64, i64)> {
    (lo >= i128::from(FULL.0) && hi <= i128::from(FULL.1)).then_some((lo as i64, hi as i64))
}

impl Emit<'_, '_> {
    /// A result that is in these bounds unless it is the one number that is none.
    fn checked(&mut self, value: Value, bounds: Option<(i64, i64)>) -> Val {
        if bounds.is_none() {
            let none = self.compare_imm(IntCC::Equal, value, UNDEFINED);
            self.poison_if(Cond::Is(none));
        }
        let (lo, hi) = bounds.unwrap_or(FULL);
        Val::register(value, lo, hi)
    }

    pub fn negate(&mut self, a: Val) -> Val {
        self.arith(ArithOp::Sub, Val::constant(0), a)
    }

    /// An element of a ring of this size, so many places further.
    pub fn rotate(&mut self, a: Val, by: i64, size: i64) -> Val {
        if let Some(a) = a.known() {
            return Val::constant((a + by).rem_euclid(size));
        }
        let (further, back) = (self.shifted(a, by), self.shifted(a, by - size));
        let over = self.compare_imm(IntCC::SignedGreaterThanOrEqual, further, size);
        let base = self.b.ins().select(over, back, further);
        Val { exact: a.exact && a.within((0, size - 1)), ..Val::register(base, 0, size - 1) }
    }

    pub fn complement(&mut self, a: Val) -> Val {
        if let Some(a) = a.known()
            && a != i64::MAX
        {
            return Val::constant(!a);
        }
        let value = self.register(a);
        let value = self.b.ins().bnot(value);
        self.checked(value, (a.hi < i64::MAX).then_some((!a.hi, !a.lo)))
    }

    pub fn arith(&mut self, op: ArithOp, a: Val, b: Val) -> Val {
        let corners = |f: fn(i128, i128) -> i128| {
            let all = [(a.lo, b.lo), (a.lo, b.hi), (a.hi, b.lo), (a.hi, b.hi)]
                .map(|(x, y)| f(i128::from(x), i128::from(y)));
            fits(all.into_iter().min().unwrap_or(0), all.into_iter().max().unwrap_or(0))
        };
        match op {
            ArithOp::Add => self.sum(a, b, corners(|x, y| x + y)),
            ArithOp::Sub => self.difference(a, b, corners(|x, y| x - y)),
            ArithOp::Mul => self.product(a, b, corners(|x, y| x * y)),
            ArithOp::Div | ArithOp::Mod => self.quotient(op, a, b),
            ArithOp::Shl => self.shift(a, b),
            ArithOp::Shr => {
                let by = self.negate(b);
                self.shift(a, by)
            }
            ArithOp::And | ArithOp::Or | ArithOp::Xor => self.bitwise(op, a, b),
        }
    }

    fn sum(&mut self, a: Val, b: Val, bounds: Option<(i64, i64)>) -> Val {
        let exact = a.exact && b.exact;
        match (bounds, a.base, b.base) {
            (Some((lo, hi)), base, None) | (Some((lo, hi)), None, base) => {
                Val { base, off: a.off.wrapping_add(b.off), lo, hi, exact }
            }
            (Some((lo, hi)), Some(x), Some(y)) => {
                let base = Some(self.b.ins().iadd(x, y));
                Val { base, off: a.off.wrapping_add(b.off), lo, hi, exact }
            }
            (None, ..) => {
                let (a, b) = (self.register(a), self.register(b));
                let (value, overflow) = self.b.ins().sadd_overflow(a, b);
                self.poison_if(Cond::Is(overflow));
                self.checked(value, None)
            }
        }
    }

    fn difference(&mut self, a: Val, b: Val, bounds: Option<(i64, i64)>) -> Val {
        let exact = a.exact && b.exact;
        match (bounds, b.base) {
            (Some((lo, hi)), None) => Val { off: a.off.wrapping_sub(b.off), lo, hi, exact, ..a },
            (Some((lo, hi)), Some(_)) => {
                let (a, b) = (self.register(a), self.register(b));
                let base = Some(self.b.ins().isub(a, b));
                Val { base, off: 0, lo, hi, exact }
            }
            (None, _) => {
                let (a, b) = (self.register(a), self.register(b));
                let (value, overflow) = self.b.ins().ssub_overflow(a, b);
                self.poison_if(Cond::Is(overflow));
                self.checked(value, None)
            }
        }
    }

    fn product(&mut self, a: Val, b: Val, bounds: Option<(i64, i64)>) -> Val {
        match (bounds, a.known(), b.known()) {
            (Some(_), Some(a), Some(b)) => Val::constant(a.wrapping_mul(b)),
            (Some((lo, hi)), ..) => {
                let exact = a.exact && b.exact;
                let (a, b) = (self.register(a), self.register(b));
                let base = Some(self.b.ins().imul(a, b));
                Val { base, off: 0, lo, hi, exact }
            }
            (None, ..) => {
                let (a, b) = (self.register(a), self.register(b));
                let (value, overflow) = self.b.ins().smul_overflow(a, b);
                self.poison_if(Cond::Is(overflow));
                self.checked(value, None)
            }
        }
    }

    /// Division and remainder. The divisor of straight code is a constant; see `straight`.
    fn quotient(&mut self, op: ArithOp, a: Val, b: Val) -> Val {
        let div = op == ArithOp::Div;
        match (a.known(), b.known()) {
            (_, Some(0)) => {
                self.poison_if(Cond::Const(true));
                return Val::constant(0);
            }
            (Some(a), Some(b)) => return Val::constant(if div { a / b } else { a.wrapping_rem(b) }),
            (None, Some(-1)) if div => return self.negate(a),
            (None, Some(-1)) => return Val::constant(0),
            (_, Some(_)) => {}
            (_, None) => {
                if b.lo <= 0 && b.hi >= 0 {
                    let value = self.register(b);
                    let zero = self.compare_imm(IntCC::Equal, value, 0);
                    self.poison_if(Cond::Is(zero));
                }
                self.settle();
            }
        }
        let size = i128::from(a.lo).abs().max(i128::from(a.hi).abs()) as i64;
        let (lo, hi) = match (div, a.lo >= 0) {
            (true, _) => (if a.lo >= 0 && b.lo >= 0 { 0 } else { -size }, size),
            (false, true) => (0, a.hi),
            (false, false) => (-size, size),
        };
        let limit = i128::from(b.lo).abs().max(i128::from(b.hi).abs()) as i64;
        let (lo, hi) = if div { (lo, hi) } else { (lo.max(1 - limit), hi.min(limit - 1)) };
        let (a, b) = (self.register(a), self.register(b));
        let value = if div { self.b.ins().sdiv(a, b) } else { self.b.ins().srem(a, b) };
        Val::register(value, lo, hi)
    }

    fn bitwise(&mut self, op: ArithOp, a: Val, b: Val) -> Val {
        let apply = |a: i64, b: i64| match op {
            ArithOp::And => a & b,
            ArithOp::Or => a | b,
            _ => a ^ b,
        };
        if let (Some(a), Some(b)) = (a.known(), b.known())
            && apply(a, b) != UNDEFINED
        {
            return Val::constant(apply(a, b));
        }
        let bounds = match op {
            ArithOp::And if a.lo >= 0 && b.lo >= 0 => Some((0, a.hi.min(b.hi))),
            _ if a.lo >= 0 && b.lo >= 0 => {
                Some((0, i64::MAX >> (a.hi | b.hi).leading_zeros().saturating_sub(1).min(63)))
            }
            _ => None,
        };
        let (a, b) = (self.register(a), self.register(b));
        let value = match op {
            ArithOp::And => self.b.ins().band(a, b),
            ArithOp::Or => self.b.ins().bor(a, b),
            _ => self.b.ins().bxor(a, b),
        };
        self.checked(value, bounds)
    }

    /// To the left, or by a negative number to the right.
    fn shift(&mut self, a: Val, by: Val) -> Val {
        if let (Some(a), Some(by)) = (a.known(), by.known())
            && shift_left(a, by) != UNDEFINED
        {
            return Val::constant(shift_left(a, by));
        }
        let bounds = (by.hi < 62 && a.lo >= 0)
            .then(|| {
                let hi = if by.hi >= 0 { i128::from(a.hi) << by.hi } else { i128::from(a.hi) };
                fits(0, hi.max(i128::from(a.hi)))
            })
            .flatten();
        let (a, by) = (self.register(a), self.register(by));
        let left = self.b.ins().ishl(a, by);
        let far = self.compare_imm(IntCC::SignedGreaterThan, by, 63);
        let zero = self.iconst(0);
        let left = self.b.ins().select(far, zero, left);
        let back = self.b.ins().ineg(by);
        let most = self.iconst(63);
        let far = self.b.ins().icmp(IntCC::UnsignedGreaterThan, back, most);
        let back = self.b.ins().select(far, most, back);
        let right = self.b.ins().sshr(a, back);
        let negative = self.compare_imm(IntCC::SignedLessThan, by, 0);
        let value = self.b.ins().select(negative, right, left);
        self.checked(value, bounds)
    }

    pub fn order(&mut self, op: OrderOp, a: Val, b: Val) -> Cond {
        let (cc, always, never) = match op {
            OrderOp::Lt => (IntCC::SignedLessThan, a.hi < b.lo, a.lo >= b.hi),
            OrderOp::Le => (IntCC::SignedLessThanOrEqual, a.hi <= b.lo, a.lo > b.hi),
            OrderOp::Gt => (IntCC::SignedGreaterThan, a.lo > b.hi, a.hi <= b.lo),
            OrderOp::Ge => (IntCC::SignedGreaterThanOrEqual, a.lo >= b.hi, a.hi < b.lo),
        };
        if always || never {
            return Cond::Const(always);
        }
        self.compare(cc, a, b)
    }

    /// Compares, leaving out offsets where they cannot matter.
    fn compare(&mut self, cc: IntCC, a: Val, b: Val) -> Cond {
        let small = |val: &Val| val.lo > -(1 << 61) && val.hi < 1 << 61 && val.off.abs() < 1 << 61;
        if let (Some(x), Some(y)) = (a.base, b.base)
            && a.off == b.off
            && (matches!(cc, IntCC::Equal | IntCC::NotEqual) || (small(&a) && small(&b)))
        {
            return Cond::Is(self.b.ins().icmp(cc, x, y));
        }
        if let (Some(x), Some(y)) = (a.base, b.known())
            && small(&a)
            && small(&b)
        {
            return Cond::Is(self.compare_imm(cc, x, y - a.off));
        }
        let (a, b) = (self.register(a), self.register(b));
        Cond::Is(self.b.ins().icmp(cc, a, b))
    }

    pub fn equal(&mut self, a: Val, b: Val) -> Cond {
        match (a.known(), b.known()) {
            (Some(a), Some(b)) => Cond::Const(a == b),
            _ if a.hi < b.lo || a.lo > b.hi => Cond::Const(false),
            (Some(_), None) => self.compare(IntCC::Equal, b, a),
            _ => self.compare(IntCC::Equal, a, b),
        }
    }
}
