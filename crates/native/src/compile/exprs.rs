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
        let copied = self.eval_copy(expr)?;
        Ok(self.strict(copied))
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
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                self.equal(a, b)
            }
            ExprKind::Ne(a, b) => {
                let (a, b) = (self.eval(a)?, self.eval(b)?);
                let equal = self.equal(a, b);
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
                let value = self.eval(e)?;
                self.is_member(value, ty, *member)
            }
            _ => {
                let value = self.eval(expr)?;
                self.val_cond(value)
            }
        })
    }

    /// Runs `part` and masks the poison it adds: it counts only where `mask` holds.
    pub fn masked<T>(&mut self, mask: Cond, part: impl FnOnce(&mut Self) -> Run<T>) -> Run<T> {
        let outer = self.poison.take();
        let result = part(self)?;
        let inner = self.poison.take();
        self.poison = outer;
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
        let from = e.ty;
        let copied = self.eval_copy(e)?;
        let pieces = self.unit.conversion(from, to);
        let (lo, hi) = self.bounds(copied);
        let relevant: Vec<_> = pieces.into_iter().filter(|p| lo > hi || (p.lo <= hi && p.hi >= lo)).collect();
        let undefined = self.undefined(copied);
        if matches!(undefined, Cond::Const(true)) {
            return Ok(Copied::Undefined);
        }
        let val = self.assume_defined(copied);
        // The same shift for all that can occur, and nothing that cannot be converted: nothing to do, or an addition.
        let delta = relevant.first().and_then(|p| p.delta);
        if let Some(delta) = delta
            && relevant.iter().all(|p| p.delta == Some(delta))
            && relevant.first().is_some_and(|p| p.lo <= lo)
            && relevant.last().is_some_and(|p| p.hi >= hi)
        {
            if delta == 0 {
                return Ok(copied);
            }
            return Ok(match copied {
                Copied::Raw { bits, lo, hi } => Copied::Raw { bits, lo: lo + delta, hi: hi + delta },
                _ => {
                    let moved = self.arith(ArithOp::Add, val, Val::constant(delta));
                    self.optional(moved, undefined)
                }
            });
        }
        let value = self.register(val);
        let mut bad = Cond::Const(true);
        let mut result = value;
        let (mut least, mut most) = (i64::MAX, i64::MIN + 1);
        for piece in &relevant {
            let Some(delta) = piece.delta else { continue };
            let outside = self.outside(val, (piece.lo, piece.hi));
            bad = self.and(bad, outside);
            let moved = self.b.ins().iadd_imm_s(value, delta);
            let outside = self.cond_register(outside);
            result = self.b.ins().select(outside, result, moved);
            least = least.min(piece.lo.max(lo) + delta);
            most = most.max(piece.hi.min(hi) + delta);
        }
        let defined = self.not(undefined);
        let bad = self.and(bad, defined);
        self.poison_if(bad);
        if least > most {
            (least, most) = (0, 0);
        }
        Ok(self.optional(Val::register(result, least, most), undefined))
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
