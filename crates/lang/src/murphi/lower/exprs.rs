//! Expressions.

use burnside_model::Span;
use burnside_model::code::{
    ArithOp, Expr, ExprKind, LogicOp, Loop, LoopRange, OrderOp, Place, PlaceKind, Quantifier,
};
use burnside_model::code::{Storage, TypeId, TypeKind, Types};

use super::constants::{Folded, fold};
use super::scope::{Access, Root, Space, Symbol};
use super::{Lowerer, Value};
use crate::diag::{Code, Diagnostic, codes};
use crate::murphi::ast::{self, BinaryOp, UnaryOp};

fn expr(kind: ExprKind, ty: TypeId, span: Span) -> Expr {
    Expr { kind, ty, span }
}

/// What an integer is needed for.
#[derive(Clone, Copy, PartialEq)]
enum Need {
    /// `+`, `*` and so on.
    Arithmetic,
    /// `<` and so on.
    Order,
    /// Bounds, sizes, steps.
    Integer,
}

impl Lowerer<'_> {
    pub(super) fn value(&mut self, e: &ast::Expr) -> Option<Value> {
        let span = e.span;
        Some(Value::Simple(match &e.kind {
            ast::ExprKind::Number(number) => match i64::try_from(*number) {
                Ok(number) => expr(ExprKind::Const(number), Types::INT, span),
                Err(_) => {
                    let error = Diagnostic::error(codes::NUMBER_TOO_LARGE, span, "this number is too large");
                    self.report(error.help("integers have 64 bits with a sign: at most 9223372036854775807"));
                    return None;
                }
            },
            ast::ExprKind::Bool(value) => expr(ExprKind::Const(i64::from(*value)), Types::BOOL, span),
            ast::ExprKind::Name(_) | ast::ExprKind::Field(..) | ast::ExprKind::Index(..) => {
                return self.designator_value(e);
            }
            ast::ExprKind::Undefined(name) => {
                if self.scopes.find(Space::Value, &name.name).is_some() {
                    return self.designator_value(e);
                }
                let error = Diagnostic::error(codes::UNDEFINED_VALUE, span, "`undefined` is not a value");
                self.report(error.help(
                    "it can only be assigned or passed as an argument; use `isundefined(…)` to test for it",
                ));
                return None;
            }
            ast::ExprKind::Call(name, args) => match self.ring_step(name) {
                Some(by) => self.ring_neighbour(name, args, by, span)?,
                None => return self.call_value(name, args, span),
            },
            ast::ExprKind::Unary(op, operand) => self.unary(*op, operand, span)?,
            ast::ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span)?,
            ast::ExprKind::Conditional(c, a, b) => return self.conditional(c, a, b, span),
            ast::ExprKind::Quantified(kind, names, body) => self.quantified(*kind, names, body, span)?,
            ast::ExprKind::IsUndefined(e) => {
                let place = self.place(e)?.0;
                if !self.types().is_simple(place.ty) {
                    return self.not_simple(place.ty, place.span);
                }
                expr(ExprKind::IsUndefined(place), Types::BOOL, span)
            }
            ast::ExprKind::IsMember(e, ty) => {
                let (value, member) = (self.simple(e), self.ty(ty));
                let (value, mut member) = (value?, member?);
                // Types are the same by shape: find the union's own.
                if let TypeKind::Union(members) = &self.types()[value.ty].kind {
                    let own = members.iter().find(|m| self.types().same(**m, member));
                    member = own.copied().unwrap_or(member);
                }
                let possible = self.types().same(value.ty, member)
                    || self.types().union_offset(value.ty, member).is_some();
                if !possible {
                    let (of, member) = (self.describe(value.ty), self.describe(member));
                    let message = format!("`{member}` is not a member of `{of}`");
                    let error = Diagnostic::error(codes::NOT_COMPARABLE, ty.span, message);
                    self.report(error.also(value.span, format!("this is of type `{of}`")));
                    return None;
                }
                expr(ExprKind::IsMember(Box::new(value), member), Types::BOOL, span)
            }
            ast::ExprKind::TemporalUnary(word, ..) | ast::ExprKind::TemporalBinary(word, ..) => {
                return self.misplaced_operator(word);
            }
            ast::ExprKind::MultisetCount(index, set, condition) => {
                let set = self.multiset(set)?;
                let (local, condition) = self.with_slot(index, set.ty, |this| this.boolean(condition));
                expr(ExprKind::Count(local, set, Box::new(condition?)), Types::INT, span)
            }
        }))
    }

    pub(super) fn simple(&mut self, e: &ast::Expr) -> Option<Expr> {
        match self.value(e)? {
            Value::Simple(expr) => Some(expr),
            Value::Aggregate(place) => self.not_simple(place.ty, place.span),
        }
    }

    pub(super) fn not_simple<T>(&mut self, ty: TypeId, span: Span) -> Option<T> {
        let message = format!("a single value is needed here, not a whole `{}`", self.describe(ty));
        let error = Diagnostic::error(codes::NOT_SIMPLE, span, message);
        self.report(error.help("name one of its fields or elements"));
        None
    }

    pub(super) fn boolean(&mut self, e: &ast::Expr) -> Option<Expr> {
        match self.value(e)? {
            Value::Simple(expr) if expr.ty == Types::BOOL => Some(expr),
            value => self.not_a_condition(value.ty(), value.span()),
        }
    }

    fn not_a_condition<T>(&mut self, ty: TypeId, span: Span) -> Option<T> {
        let message = format!("a condition is needed here, not a value of type `{}`", self.describe(ty));
        let error = Diagnostic::error(codes::NOT_BOOLEAN, span, message);
        let simple = self.types().is_simple(ty);
        self.report(if simple {
            error.help("compare it with another value, using `=` or `!=`")
        } else {
            error
        });
        None
    }

    pub(super) fn integer(&mut self, e: &ast::Expr) -> Option<Expr> {
        let value = self.value(e)?;
        match value {
            Value::Simple(expr) if self.types().is_integer(expr.ty) => Some(expr),
            _ => self.not_an_integer(value.ty(), value.span(), Need::Integer),
        }
    }

    /// Two integers, for an operator between them; one error if both are wrong.
    fn integers(
        &mut self,
        a: Option<Value>,
        b: Option<Value>,
        need: Need,
        span: Span,
    ) -> Option<(Expr, Expr)> {
        let wrong = |value: &Option<Value>| {
            let value = value.as_ref()?;
            (!self.types().is_integer(value.ty())).then(|| (value.ty(), value.span()))
        };
        match (wrong(&a), wrong(&b)) {
            (Some((x, _)), Some((y, _))) if self.types().same(x, y) => self.not_an_integer(x, span, need),
            (Some((ty, at)), _) | (None, Some((ty, at))) => self.not_an_integer(ty, at, need),
            (None, None) => match (a?, b?) {
                (Value::Simple(a), Value::Simple(b)) => Some((a, b)),
                _ => None,
            },
        }
    }

    fn not_an_integer<T>(&mut self, ty: TypeId, span: Span, need: Need) -> Option<T> {
        let named = self.describe(ty);
        let symmetric = self.types().is_simple(ty) && !self.types().domains_of(ty).is_empty();
        let ring = self.types().ring(ty).is_some();
        let (code, message, help) = match (symmetric, need) {
            (true, Need::Order) if ring => (
                codes::SCALARSET_ORDER,
                format!("the elements of the ring `{named}` have no order"),
                "none is the first: compare them only with `=` and `!=`",
            ),
            (true, _) if ring => (
                codes::SCALARSET_ARITHMETIC,
                format!("there is no such arithmetic on the elements of the ring `{named}`"),
                "write `next(x)`, `prev(x)`, `x + 2` or `x - 2`; use a range such as `0..N-1` if you need numbers",
            ),
            (true, Need::Order) => (
                codes::SCALARSET_ORDER,
                format!("the elements of the scalarset `{named}` have no order"),
                "they are interchangeable: compare them only with `=` and `!=`",
            ),
            (true, _) => (
                codes::SCALARSET_ARITHMETIC,
                format!("there is no arithmetic on the elements of the scalarset `{named}`"),
                "they are interchangeable; use a range such as `0..N-1` if you need numbers",
            ),
            (false, Need::Order) => (
                codes::NOT_INTEGER,
                format!("values of type `{named}` have no order"),
                "only integers can be compared with `<` and `>`",
            ),
            (false, Need::Arithmetic) => (
                codes::NOT_INTEGER,
                format!("there is no arithmetic on values of type `{named}`"),
                "only integers can be added, multiplied and so on",
            ),
            (false, Need::Integer) => (
                codes::NOT_INTEGER,
                format!("an integer is needed here, not a value of type `{named}`"),
                "write a number, or a constant or variable that is one",
            ),
        };
        self.report(Diagnostic::error(code, span, message).help(help));
        None
    }

    /// The operand of a sign.
    fn signed(&mut self, e: &ast::Expr) -> Option<Box<Expr>> {
        let value = self.value(e)?;
        match value {
            Value::Simple(expr) if self.types().is_integer(expr.ty) => Some(Box::new(expr)),
            _ => self.not_an_integer(value.ty(), value.span(), Need::Arithmetic),
        }
    }

    fn unary(&mut self, op: UnaryOp, operand: &ast::Expr, span: Span) -> Option<Expr> {
        Some(match op {
            UnaryOp::Not => expr(ExprKind::Not(Box::new(self.boolean(operand)?)), Types::BOOL, span),
            UnaryOp::Neg => expr(ExprKind::Neg(self.signed(operand)?), Types::INT, span),
            UnaryOp::BitNot => expr(ExprKind::BitNot(self.signed(operand)?), Types::INT, span),
            UnaryOp::Plus => *self.signed(operand)?,
        })
    }

    fn binary(&mut self, op: BinaryOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Option<Expr> {
        let arith = match op {
            BinaryOp::Iff => {
                let (a, b) = (self.boolean(a), self.boolean(b));
                let kind = ExprKind::Eq(Box::new(a?), Box::new(b?));
                return Some(expr(kind, Types::BOOL, span));
            }
            BinaryOp::Logic(op) => return self.logic(op, a, b, span),
            BinaryOp::Pipe => return self.either(LogicOp::Or, ArithOp::Or, a, b, span),
            BinaryOp::Amp => return self.either(LogicOp::And, ArithOp::And, a, b, span),
            BinaryOp::Eq => return self.equality(a, b, false, span),
            BinaryOp::Ne => return self.equality(a, b, true, span),
            BinaryOp::Order(op) => return self.order(op, a, b, span),
            BinaryOp::Arith(op) => op,
        };
        let (a, b) = (self.value(a), self.value(b));
        if matches!(arith, ArithOp::Add | ArithOp::Sub) && self.is_ring(a.as_ref()) {
            return self.ring_sum(a, b, arith == ArithOp::Sub, span);
        }
        let (a, b) = self.integers(a, b, Need::Arithmetic, span)?;
        Some(expr(ExprKind::Arith(arith, Box::new(a), Box::new(b)), Types::INT, span))
    }

    fn logic(&mut self, op: LogicOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Option<Expr> {
        let (a, b) = (self.boolean(a), self.boolean(b));
        Some(expr(ExprKind::Logic(op, Box::new(a?), Box::new(b?)), Types::BOOL, span))
    }

    /// `&` and `|`: of booleans or of integers.
    fn either(
        &mut self,
        logic: LogicOp,
        arith: ArithOp,
        a: &ast::Expr,
        b: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let (left, right) = (self.simple(a), self.simple(b));
        let (left, right) = (left?, right?);
        if self.both_integers(left.ty, right.ty) {
            return Some(expr(ExprKind::Arith(arith, Box::new(left), Box::new(right)), Types::INT, span));
        }
        if let Some(wrong) = [&left, &right].into_iter().find(|e| e.ty != Types::BOOL) {
            return self.not_a_condition(wrong.ty, wrong.span);
        }
        Some(expr(ExprKind::Logic(logic, Box::new(left), Box::new(right)), Types::BOOL, span))
    }

    fn order(&mut self, op: OrderOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Option<Expr> {
        let (a, b) = (self.value(a), self.value(b));
        let (a, b) = self.integers(a, b, Need::Order, span)?;
        Some(expr(ExprKind::Order(op, Box::new(a), Box::new(b)), Types::BOOL, span))
    }

    fn equality(&mut self, a: &ast::Expr, b: &ast::Expr, negated: bool, span: Span) -> Option<Expr> {
        let (a, b) = (self.value(a), self.value(b));
        let kind = match (a?, b?) {
            (Value::Simple(a), Value::Simple(b)) => {
                if let Some(equal) =
                    self.integer_in_union(&a, &b, span).or_else(|| self.integer_in_union(&b, &a, span))
                {
                    return Some(if negated {
                        expr(ExprKind::Not(Box::new(equal)), Types::BOOL, span)
                    } else {
                        equal
                    });
                }
                let (a, b) = self.unify(a, b, codes::NOT_COMPARABLE)?;
                if negated {
                    ExprKind::Ne(Box::new(a), Box::new(b))
                } else {
                    ExprKind::Eq(Box::new(a), Box::new(b))
                }
            }
            (Value::Aggregate(a), Value::Aggregate(b)) if self.types().same(a.ty, b.ty) => {
                ExprKind::Same(Box::new(a), Box::new(b), negated)
            }
            (a, b) => {
                return self.clash(codes::NOT_COMPARABLE, (a.ty(), a.span()), (b.ty(), b.span()));
            }
        };
        Some(expr(kind, Types::BOOL, span))
    }

    /// Whether a union's value is this integer. Integers beyond the union's own are values of a larger union, so that both
    /// sides are evaluated once; an integer of any size is looked at first, as it may have no value.
    fn integer_in_union(&mut self, value: &Expr, integer: &Expr, span: Span) -> Option<Expr> {
        let TypeKind::Union(members) = &self.types()[value.ty].kind else { return None };
        let members = members.clone();
        let range = *members.iter().find(|m| self.both_integers(**m, integer.ty))?;
        if integer.ty != Types::INT {
            let ((least, most), (lo, hi)) = (self.types().bounds(range), self.types().bounds(integer.ty));
            let within = least <= lo && hi <= most;
            let union = if within { value.ty } else { self.merged(&members, &[integer.ty])? };
            let sides = [value, integer].map(|side| Box::new(convert(side.clone(), union)));
            let [value, integer] = sides;
            return Some(expr(ExprKind::Eq(value, integer), Types::BOOL, span));
        }
        let equal = |a: Expr| expr(ExprKind::Eq(Box::new(a), Box::new(integer.clone())), Types::BOOL, span);
        let both = |a: Expr, b: Expr| {
            expr(ExprKind::Logic(LogicOp::And, Box::new(a), Box::new(b)), Types::BOOL, span)
        };
        let is_one = expr(ExprKind::IsMember(Box::new(value.clone()), range), Types::BOOL, span);
        let same = both(is_one, equal(convert(value.clone(), range)));
        let known = matches!(fold(self.types(), integer), Folded::Value(_));
        Some(if known { same } else { both(equal(integer.clone()), same) })
    }

    /// The members of both, those of one shape once, and all integers as one range.
    fn merged(&mut self, left: &[TypeId], right: &[TypeId]) -> Option<TypeId> {
        let mut all = left.to_vec();
        for ty in right {
            match all.iter().position(|m| self.types().same(*m, *ty) || self.both_integers(*m, *ty)) {
                Some(at) if self.types().is_integer(*ty) => {
                    let ((a, b), (c, d)) = (self.types().bounds(all[at]), self.types().bounds(*ty));
                    all[at] = self.model.types.add(None, TypeKind::Range(a.min(c), b.max(d)))?;
                }
                Some(_) => {}
                None => all.push(*ty),
            }
        }
        self.model.types.add(None, TypeKind::Union(all))
    }

    /// Brings two simple values to one type: both as they are, or both as values of a union.
    fn unify(&mut self, a: Expr, b: Expr, code: Code) -> Option<(Expr, Expr)> {
        if self.types().same(a.ty, b.ty) || self.both_integers(a.ty, b.ty) {
            return Some((a, b));
        }
        let members = |this: &Self, ty: TypeId| match &this.types()[ty].kind {
            TypeKind::Union(members) => members.clone(),
            _ => vec![ty],
        };
        let (left, right) = (members(self, a.ty), members(self, b.ty));
        let is_union = |this: &Self, ty: TypeId| matches!(this.types()[ty].kind, TypeKind::Union(_));
        let common = left
            .iter()
            .any(|l| right.iter().any(|r| self.types().same(*l, *r) || self.both_integers(*l, *r)));
        if !common || !(is_union(self, a.ty) || is_union(self, b.ty)) {
            return self.clash(code, (a.ty, a.span), (b.ty, b.span));
        }
        let union = if right.iter().all(|r| left.contains(r)) || !is_union(self, b.ty) {
            a.ty
        } else if left.iter().all(|l| right.contains(l)) || !is_union(self, a.ty) {
            b.ty
        } else {
            self.merged(&left, &right)?
        };
        Some((convert(a, union), convert(b, union)))
    }

    /// Reports two values that should be of one type.
    fn clash<T>(&mut self, code: Code, a: (TypeId, Span), b: (TypeId, Span)) -> Option<T> {
        let (left, right) = (self.describe(a.0), self.describe(b.0));
        let message = match code {
            codes::BRANCH_TYPES => "a choice between values of different types".to_owned(),
            _ => format!("a value of type `{left}` cannot be compared with one of type `{right}`"),
        };
        let error = Diagnostic::error(code, b.1, message)
            .label(format!("this is of type `{right}`"))
            .also(a.1, format!("this is of type `{left}`"));
        let error = self.with_element_hint(error, a.0, b.0);
        self.report(self.with_element_hint(error, b.0, a.0));
        None
    }

    /// A value as one of `target`; `None` if it cannot be one, without a report.
    pub(super) fn coerce(&self, e: Expr, target: TypeId) -> Result<Expr, Expr> {
        let types = self.types();
        if types.same(e.ty, target) || self.both_integers(e.ty, target) {
            return Ok(e);
        }
        let members = |ty: TypeId| match &types[ty].kind {
            TypeKind::Union(members) => members.clone(),
            _ => vec![ty],
        };
        let (from, to) = (members(e.ty), members(target));
        let common = from.iter().any(|f| to.iter().any(|t| types.same(*f, *t) || self.both_integers(*f, *t)));
        if common { Ok(convert(e, target)) } else { Err(e) }
    }

    fn conditional(&mut self, c: &ast::Expr, a: &ast::Expr, b: &ast::Expr, span: Span) -> Option<Value> {
        let (c, a, b) = (self.boolean(c), self.value(a), self.value(b));
        Some(match (c?, a?, b?) {
            (c, Value::Simple(a), Value::Simple(b)) => {
                let (a, b) = self.unify(a, b, codes::BRANCH_TYPES)?;
                let ty = if self.both_integers(a.ty, b.ty) { Types::INT } else { a.ty };
                Value::Simple(expr(ExprKind::Cond(Box::new(c), Box::new(a), Box::new(b)), ty, span))
            }
            (c, Value::Aggregate(a), Value::Aggregate(b)) if self.types().same(a.ty, b.ty) => {
                let ty = a.ty;
                Value::Aggregate(Place {
                    kind: PlaceKind::Cond(Box::new(c), Box::new(a), Box::new(b)),
                    ty,
                    span,
                })
            }
            (_, a, b) => {
                return self.clash(codes::BRANCH_TYPES, (a.ty(), a.span()), (b.ty(), b.span()));
            }
        })
    }

    /// Several bound names are quantifiers inside each other.
    fn quantified(
        &mut self,
        kind: ast::QuantifierKind,
        names: &[ast::Quantifier],
        body: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let Some((first, rest)) = names.split_first() else { return self.boolean(body) };
        let (each, inner) = self.scoped(|this| {
            let each = this.loop_range(first).map(|(range, ty)| this.bind_loop(first, range, ty));
            (each, this.quantified(kind, rest, body, span))
        });
        let quantifier = match kind {
            ast::QuantifierKind::Forall => Quantifier::Forall,
            ast::QuantifierKind::Exists => Quantifier::Exists,
        };
        Some(expr(ExprKind::Quantified(quantifier, Box::new(each?), Box::new(inner?)), Types::BOOL, span))
    }

    /// What a bound name ranges over, and its type.
    pub(super) fn loop_range(&mut self, q: &ast::Quantifier) -> Option<(LoopRange, TypeId)> {
        match &q.domain {
            ast::Domain::Type(written) => {
                let ty = match self.ty(written) {
                    Some(ty) => ty,
                    None => return self.broken(&q.name),
                };
                if !self.types().is_simple(ty) {
                    let message =
                        format!("`{}` cannot run through all of `{}`", q.name.name, self.describe(ty));
                    let error = Diagnostic::error(codes::NOT_SIMPLE, written.span, message);
                    self.report(
                        error.help("use a range, an enum, a scalarset, a ring, a union of those, or boolean"),
                    );
                    return self.broken(&q.name);
                }
                Some((LoopRange::Type(ty), ty))
            }
            ast::Domain::Steps { from, to, step } => {
                let (from, to) = (self.integer(from), self.integer(to));
                let step = step.as_ref().map(|step| self.integer(step));
                let (Some(from), Some(to), Some(step)) = (from, to, step.map_or(Some(None), |s| s.map(Some)))
                else {
                    return self.broken(&q.name);
                };
                if let Some(step) = &step {
                    self.check_step(&from, &to, step);
                }
                Some((LoopRange::Span(Box::new(from), Box::new(to), step.map(Box::new)), Types::INT))
            }
        }
    }

    /// Declares a name so that its uses give no further errors.
    pub(super) fn broken<T>(&mut self, name: &ast::Ident) -> Option<T> {
        self.scopes.declare(Space::Value, &name.name, Symbol::Broken, name.span);
        None
    }

    fn check_step(&mut self, from: &Expr, to: &Expr, step: &Expr) {
        let known = |this: &Self, e: &Expr| match fold(this.types(), e) {
            Folded::Value(value) => Some(value),
            _ => None,
        };
        let (from, to, by) = (known(self, from), known(self, to), known(self, step));
        match (from, to, by) {
            (_, _, Some(0)) => {
                let error =
                    Diagnostic::error(codes::BAD_STEP, step.span, "a loop with a step of 0 never ends");
                self.report(error.help("leave out `by` to count up by one"));
            }
            (Some(from), Some(to), Some(by)) if from != to && (from < to) != (by > 0) => {
                let message = format!("a step of {by} does not lead from {from} to {to}");
                let error = Diagnostic::error(codes::BAD_STEP, step.span, message);
                self.report(error.help(format!("write `by {}`", by.saturating_neg())));
            }
            _ => {}
        }
    }

    /// Declares a loop's name in the scope at hand.
    pub(super) fn bind_loop(&mut self, q: &ast::Quantifier, range: LoopRange, ty: TypeId) -> Loop {
        let local = self.add_local(&q.name.name, ty, Storage::Value, Root::Own);
        self.declare_name(Space::Value, &q.name, Symbol::Local { local, access: Access::Loop });
        Loop { local, range, span: q.span }
    }
}

/// A value as one of another type, which the caller knows to be possible.
fn convert(e: Expr, ty: TypeId) -> Expr {
    if e.ty == ty {
        return e;
    }
    let span = e.span;
    expr(ExprKind::Convert(Box::new(e)), ty, span)
}
