//! Expressions.

use burnside_model::code::*;
use cranelift_codegen::ir::{InstBuilder, types};

use super::unit::UNROLL;
use super::values::{Cond, Copied, Val};
use super::{Emit, Run};

/// Straight code is preferred to a branch up to this size.
const STRAIGHT: u64 = 40;

impl Emit<'_, '_> {
    /// The value of an expression.
    pub fn eval(&mut self, expr: &Expr) -> Run<Val> {
        if let ExprKind::Convert(e) = &expr.kind {
            let value = self.eval(e)?;
            return Ok(self.converted(value, e.ty, expr.ty));
        }
        let copied = self.eval_copy(expr)?;
        Ok(self.strict(copied))
    }

    /// The value of an operand that is compared; poison if it is undefined and the semantics do not allow that.
    pub fn compared(&mut self, expr: &Expr) -> Run<Copied> {
        if !self.unit.semantics.compares_undefined(&self.unit.model.types, expr) {
            return Ok(Copied::Value(self.eval(expr)?));
        }
        let copied = self.eval_copy(expr)?;
        self.note_use(copied, expr.span);
        Ok(copied)
    }

    /// The value of an expression, possibly undefined.
    pub fn eval_copy(&mut self, expr: &Expr) -> Run<Copied> {
        Ok(Copied::Value(match &expr.kind {
            ExprKind::Const(value) => Val::constant(*value),
            ExprKind::Read(place) => {
                let at = self.place(place)?;
                return Ok(self.load(&at, place.ty));
            }
            ExprKind::Neg(e) => {
                let e = self.eval(e)?;
                self.negate(e)
            }
            ExprKind::BitNot(e) => {
                let e = self.eval(e)?;
                self.complement(e)
            }
            ExprKind::Arith(op, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                self.arith(*op, a, b)
            }
            ExprKind::Cond(c, a, b) => return self.conditional(c, a, b),
            ExprKind::Call(call) => {
                let (lo, hi) = self.unit.model.types.bounds(expr.ty);
                return self.call_simple(call, (lo, hi));
            }
            ExprKind::Convert(e) => return self.convert(e, expr.ty),
            ExprKind::Rotate(e, by) => {
                let (_, last) = self.unit.model.types.bounds(expr.ty);
                let e = self.eval(e)?;
                self.rotate(e, i64::from(*by), last + 1)
            }
            ExprKind::Count(local, set, condition) => self.count(*local, set, condition)?,
            _ => {
                let cond = self.eval_cond(expr)?;
                self.cond_val(cond)
            }
        }))
    }

    /// The truth of a boolean expression.
    pub fn eval_cond(&mut self, expr: &Expr) -> Run<Cond> {
        Ok(match &expr.kind {
            ExprKind::Not(e) => {
                let e = self.eval_cond(e)?;
                self.not(e)
            }
            ExprKind::Order(op, a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                self.order(*op, a, b)
            }
            ExprKind::Logic(op, a, b) => self.logic(*op, a, b)?,
            ExprKind::Eq(a, b) => {
                let (a, b) = (self.compared(a)?, self.compared(b)?);
                self.equal_or_undefined(a, b)
            }
            ExprKind::Ne(a, b) => {
                let (a, b) = (self.compared(a)?, self.compared(b)?);
                let equal = self.equal_or_undefined(a, b);
                self.not(equal)
            }
            ExprKind::Same(a, b, negated) => {
                let ty = a.ty;
                let (a, b) = (self.place(a)?, self.place(b)?);
                let same = self.same(ty, &a, &b)?;
                if *negated { self.not(same) } else { same }
            }
            ExprKind::Quantified(quantifier, each, body) => self.quantified(*quantifier, each, body)?,
            ExprKind::IsUndefined(place) => {
                let at = self.place(place)?;
                let copied = self.load(&at, place.ty);
                self.undefined(copied)
            }
            ExprKind::IsMember(e, member) => {
                let ty = e.ty;
                let copied = self.compared(e)?;
                let undefined = self.undefined(copied);
                let value = self.assume_defined(copied);
                let is_member = self.is_member(value, ty, *member);
                let defined = self.not(undefined);
                self.and(defined, is_member)
            }
            _ => {
                let value = self.eval(expr)?;
                self.val_cond(value)
            }
        })
    }

    /// Runs `part` and masks the poison it adds: it counts only where `mask` holds.
    pub fn masked<T>(&mut self, mask: Cond, part: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        if matches!(mask, Cond::Const(true)) {
            return part(self);
        }
        let outer = (self.poison.take(), std::mem::take(&mut self.suspects));
        let result = part(self)?;
        let inner = self.poison.take();
        (self.poison, self.suspects) = outer;
        if let Some(inner) = inner {
            let inner = self.and(Cond::Is(inner), mask);
            self.poison_if(inner);
        }
        Ok(result)
    }

    fn logic(&mut self, op: LogicOp, a: &Expr, b: &Expr) -> Run<Cond> {
        let a = self.eval_cond(a)?;
        // The right side is evaluated where `asked` holds, and otherwise the result is `default`.
        let (asked, default) = match op {
            LogicOp::And => (a, false),
            LogicOp::Or => (self.not(a), true),
            LogicOp::Implies => (a, true),
        };
        match asked {
            Cond::Const(true) => return self.eval_cond(b),
            Cond::Const(false) => return Ok(Cond::Const(default)),
            Cond::Is(_) => {}
        }
        if self.unit.straight(b).is_some_and(|cost| cost <= STRAIGHT) {
            let b = self.masked(asked, |this| this.eval_cond(b))?;
            return Ok(match op {
                LogicOp::And => self.and(a, b),
                LogicOp::Or => self.or(a, b),
                LogicOp::Implies => {
                    let not = self.not(a);
                    self.or(not, b)
                }
            });
        }
        let result = self.branch(
            asked,
            |this| {
                let b = this.eval_cond(b)?;
                Ok(this.cond_register(b))
            },
            |this| Ok(this.bit(default)),
            types::I8,
        )?;
        Ok(Cond::Is(result))
    }

    fn conditional(&mut self, c: &Expr, a: &Expr, b: &Expr) -> Run<Copied> {
        let c = match self.eval_cond(c)? {
            Cond::Const(true) => return self.eval_copy(a),
            Cond::Const(false) => return self.eval_copy(b),
            c @ Cond::Is(_) => c,
        };
        let cost = |this: &Self, e| this.unit.straight(e).is_some_and(|cost| cost <= STRAIGHT);
        if cost(self, a) && cost(self, b) {
            let other = self.not(c);
            let a = self.masked(c, |this| this.eval_copy(a))?;
            let b = self.masked(other, |this| this.eval_copy(b))?;
            let ((al, ah), (bl, bh)) = (self.bounds(a), self.bounds(b));
            let defined = matches!((a, b), (Copied::Value(_), Copied::Value(_)));
            let (a, b, c) = (self.cell(a), self.cell(b), self.cond_register(c));
            let value = self.b.ins().select(c, a, b);
            return Ok(either(value, defined, (al.min(bl), ah.max(bh))));
        }
        let (mut first, mut second) = (None, None);
        let value = self.branch(
            c,
            |this| {
                let a = this.eval_copy(a)?;
                first = Some((this.bounds(a), matches!(a, Copied::Value(_))));
                Ok(this.cell(a))
            },
            |this| {
                let b = this.eval_copy(b)?;
                second = Some((this.bounds(b), matches!(b, Copied::Value(_))));
                Ok(this.cell(b))
            },
            types::I64,
        )?;
        let (((al, ah), x), ((bl, bh), y)) =
            (first.unwrap_or(((0, 0), false)), second.unwrap_or(((0, 0), false)));
        Ok(either(value, x && y, (al.min(bl), ah.max(bh))))
    }

    fn quantified(&mut self, quantifier: Quantifier, each: &Loop, body: &Expr) -> Run<Cond> {
        let decisive = quantifier == Quantifier::Exists;
        let whole = match each.range {
            LoopRange::Type(ty) => !self.unit.model.types.domains_of(ty).is_empty(),
            LoopRange::Span(..) => false,
        };
        let straight = self.unit.straight_loop(each, body).is_some_and(|cost| cost <= UNROLL);
        let decided = if straight {
            let mut decided = Cond::Const(false);
            self.each_unrolled(each, &mut |this, val| {
                this.bind_value(each.local, val);
                let open = if whole { Cond::Const(true) } else { this.not(decided) };
                if matches!(open, Cond::Const(false)) {
                    return Ok(());
                }
                let holds = this.masked(open, |this| this.eval_cond(body))?;
                let decides = if decisive { holds } else { this.not(holds) };
                decided = this.or(decided, decides);
                Ok(())
            })?;
            decided
        } else {
            let decided = self.b.declare_var(types::I8);
            let no = self.bit(false);
            self.b.def_var(decided, no);
            let end = self.b.create_block();
            self.apart(|this| {
                this.each(each, this.unit.cost_expr(body), &mut |this, val| {
                    this.bind_value(each.local, val);
                    let holds = this.eval_cond(body)?;
                    this.settle();
                    let decides = if decisive { holds } else { this.not(holds) };
                    let decides = this.cond_register(decides);
                    let so_far = this.b.use_var(decided);
                    let now = this.b.ins().bor(so_far, decides);
                    this.b.def_var(decided, now);
                    if !whole {
                        let next = this.b.create_block();
                        this.b.ins().brif(decides, end, &[], next, &[]);
                        this.b.switch_to_block(next);
                    }
                    Ok(())
                })
            })?;
            self.b.ins().jump(end, &[]);
            self.b.switch_to_block(end);
            Cond::Is(self.b.use_var(decided))
        };
        Ok(if decisive { decided } else { self.not(decided) })
    }

    fn is_member(&mut self, value: Val, ty: TypeId, member: TypeId) -> Cond {
        let types = &self.unit.model.types;
        let TypeKind::Union(members) = &types[ty].kind else { return Cond::Const(types.same(ty, member)) };
        let mut at = 0;
        let mut found = Cond::Const(false);
        for m in members {
            let size = types.size(*m) as i64;
            if types.same(*m, member) {
                let outside = self.outside(value, (at, at + size - 1));
                let inside = self.not(outside);
                found = self.or(found, inside);
            }
            at += size;
        }
        found
    }

    /// A member's value as the union's, or back.
    fn convert(&mut self, e: &Expr, to: TypeId) -> Run<Copied> {
        let copied = self.eval_copy(e)?;
        let undefined = self.undefined(copied);
        if matches!(undefined, Cond::Const(true)) {
            return Ok(Copied::Undefined);
        }
        match (copied, self.distance(e.ty, to, self.bounds(copied))) {
            (_, Some(0)) => return Ok(copied),
            // It is written as the same bits in both.
            (Copied::Raw { bits, lo, hi }, Some(delta)) => {
                return Ok(Copied::Raw { bits, lo: lo + delta, hi: hi + delta });
            }
            _ => {}
        }
        let value = self.assume_defined(copied);
        let defined = self.not(undefined);
        let value = self.masked(defined, |this| Ok(this.converted(value, e.ty, to)))?;
        Ok(self.optional(value, undefined))
    }

    /// What all values between these bounds get added by a conversion, if that is the same for all.
    fn distance(&self, from: TypeId, to: TypeId, (lo, hi): (i64, i64)) -> Option<i64> {
        let pieces = self.unit.conversion(from, to);
        let relevant = pieces.iter().filter(|p| lo > hi || (p.lo <= hi && p.hi >= lo));
        let (first, last) = (relevant.clone().next()?, relevant.clone().next_back()?);
        let same = relevant.clone().all(|p| p.delta == first.delta) && first.lo <= lo && last.hi >= hi;
        if same { first.delta } else { None }
    }

    /// The same for a value; poison if it cannot be converted.
    fn converted(&mut self, value: Val, from: TypeId, to: TypeId) -> Val {
        let (lo, hi) = (value.lo, value.hi);
        if let Some(delta) = self.distance(from, to, (lo, hi)) {
            return self.arith(ArithOp::Add, value, Val::constant(delta));
        }
        let pieces = self.unit.conversion(from, to);
        let relevant = pieces.iter().filter(|p| lo > hi || (p.lo <= hi && p.hi >= lo));
        let mut bad = Cond::Const(true);
        let mut result: Option<Val> = None;
        for piece in relevant {
            let Some(delta) = piece.delta else { continue };
            let outside = self.outside(value, (piece.lo, piece.hi));
            bad = self.and(bad, outside);
            let bounds = (piece.lo.max(lo) + delta, piece.hi.min(hi) + delta);
            let moved = Val {
                off: value.off.wrapping_add(delta),
                lo: bounds.0.min(bounds.1),
                hi: bounds.1.max(bounds.0),
                exact: false,
                ..value
            };
            result = Some(match result {
                None => moved,
                Some(so_far) => {
                    let (a, b) = (self.register(so_far), self.register(moved));
                    let outside = self.cond_register(outside);
                    let chosen = self.b.ins().select(outside, a, b);
                    Val::register(chosen, so_far.lo.min(moved.lo), so_far.hi.max(moved.hi))
                }
            });
        }
        self.poison_if(bad);
        result.unwrap_or(Val::constant(0))
    }

    /// The value, or undefined where that holds.
    fn optional(&mut self, val: Val, undefined: Cond) -> Copied {
        match undefined {
            Cond::Const(false) => Copied::Value(val),
            Cond::Const(true) => Copied::Undefined,
            Cond::Is(undefined) => {
                let value = self.register(val);
                let nothing = self.iconst(UNDEFINED);
                let value = self.b.ins().select(undefined, nothing, value);
                Copied::Cell { value, lo: val.lo, hi: val.hi }
            }
        }
    }
}

fn either(value: cranelift_codegen::ir::Value, defined: bool, (lo, hi): (i64, i64)) -> Copied {
    let (lo, hi) = if lo > hi { (0, 0) } else { (lo, hi) };
    if defined { Copied::Value(Val::register(value, lo, hi)) } else { Copied::Cell { value, lo, hi } }
}
