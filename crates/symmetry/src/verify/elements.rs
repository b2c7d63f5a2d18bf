//! Single expressions and statements: what names an element, or compares or computes with one as a number.
//!
//! The type checker refuses most of this; it is checked again because a wrong answer would be the price of a slip.

use burnside_model::Span;
use burnside_model::code::{
    Arg, DomainId, Expr, ExprKind, Loop, LoopRange, Part, PlaceKind, Stmt, StmtKind, TypeId, TypeKind,
    UNDEFINED,
};

use super::flows::Number;
use super::{Body, Verifier};

impl<'m> Verifier<'m> {
    /// Checks a piece of code by itself, without what is inside.
    pub(super) fn check_elements(&mut self, body: &Body<'m>, part: Part<'m>) {
        match part {
            Part::Stmt(stmt) => self.check_statement(body, stmt),
            Part::Expr(e) => self.check_expression(body, e),
            Part::Place(place) => match &place.kind {
                PlaceKind::Index(base, e) => {
                    if let TypeKind::Array { index, .. } = self.model.types[base.ty].kind {
                        self.check_mixed(index, e);
                    }
                }
                PlaceKind::Cond(_, a, b) => {
                    self.check_same(place.ty, a);
                    self.check_same(place.ty, b);
                }
                _ => {}
            },
            Part::Call(call) => {
                let Some(function) = self.model.functions.get(call.function as usize) else { return };
                for (arg, local) in call.args.iter().zip(&function.frame.locals) {
                    match arg {
                        Arg::Value(e) => self.check_mixed(local.ty, e),
                        Arg::Reference(place) => self.check_same(local.ty, place),
                        Arg::Undefined => {}
                    }
                }
            }
        }
    }

    fn check_statement(&mut self, body: &Body<'m>, stmt: &'m Stmt) {
        match &stmt.kind {
            StmtKind::Assign(target, value) => self.check_mixed(target.ty, value),
            StmtKind::Copy(target, source) => self.check_same(target.ty, source),
            StmtKind::Alias(local, target, _) => self.check_operand(body.frame[*local].ty, target),
            StmtKind::MultisetAdd(element, set) => {
                if let TypeKind::Multiset { element: ty, .. } = self.model.types[set.ty].kind {
                    self.check_operand(ty, element);
                }
            }
            StmtKind::Return(Some(value)) => {
                let function = self.model.functions.get(body.owner as usize);
                if let Some(result) = function.and_then(|function| function.result) {
                    self.check_operand(result, value);
                }
            }
            StmtKind::Clear(target) => {
                let mut first = Vec::new();
                self.cleared(target.ty, &mut first);
                for (domain, element) in first {
                    let reason = "`clear` sets this to the first element";
                    self.tell_apart(domain, vec![element], stmt.span, reason);
                }
            }
            StmtKind::Switch(subject, cases, _) => {
                for value in cases.iter().flat_map(|(values, _)| values) {
                    self.check_equal(subject, value);
                }
            }
            StmtKind::For(each, _) => self.check_range(body, each),
            _ => {}
        }
    }

    fn check_expression(&mut self, body: &Body<'m>, e: &'m Expr) {
        if self.is_settled(e) {
            return;
        }
        match &e.kind {
            ExprKind::Order(..)
            | ExprKind::Eq(..)
            | ExprKind::Ne(..)
            | ExprKind::Logic(..)
            | ExprKind::Not(_)
                if self.is_invariant(e) => {}
            ExprKind::Const(value) if *value != UNDEFINED => {
                self.check_named(e.ty, *value, e.span);
            }
            ExprKind::Neg(a) | ExprKind::BitNot(a) => self.check_number(a, Number::Arithmetic),
            ExprKind::Rotate(a, _) if self.model.types.ring(a.ty).is_none() || a.ty != e.ty => {
                self.check_number(a, Number::Arithmetic);
            }
            ExprKind::Rotate(_, by) if !self.turns_along(e.ty, *by) => {
                let reason = "the neighbour of an element depends on";
                self.refuse(&self.simple_domains(e.ty), e.span, reason);
            }
            ExprKind::Arith(_, a, b) => {
                self.check_number(a, Number::Arithmetic);
                self.check_number(b, Number::Arithmetic);
            }
            ExprKind::Order(op, a, b) => self.check_order(*op, a, b, e.span),
            ExprKind::Eq(a, b) | ExprKind::Ne(a, b) => self.check_equal(a, b),
            ExprKind::Same(a, b, _) => self.check_same(a.ty, b),
            ExprKind::Convert(from) => self.check_convert(e.ty, from),
            ExprKind::Quantified(_, each, _) => self.check_range(body, each),
            _ => {}
        }
    }

    /// The bounds of a loop are numbers, and so is its variable then.
    pub(super) fn check_range(&mut self, body: &Body<'m>, each: &'m Loop) {
        if let LoopRange::Span(..) = each.range {
            let domains = self.simple_domains(body.frame[each.local].ty);
            let reason = "numbers are used as elements here: the result depends on";
            self.refuse(&domains, each.span, reason);
            for part in Part::of_range(&each.range) {
                if let Part::Expr(e) = part {
                    self.check_number(e, Number::Bound);
                }
            }
        }
    }

    /// The elements that `clear` puts into a value of this type. It empties multisets.
    fn cleared(&self, ty: TypeId, first: &mut Vec<(DomainId, u32)>) {
        match &self.model.types[ty].kind {
            TypeKind::Array { element, .. } => self.cleared(*element, first),
            TypeKind::Record(fields) => {
                for field in fields {
                    self.cleared(field.ty, first);
                }
            }
            TypeKind::Multiset { .. } => {}
            _ => {
                let least = self.model.types.element(ty, self.model.types.bounds(ty).0);
                first.extend(least.filter(|least| !first.contains(least)));
            }
        }
    }

    /// Refuses all domains.
    pub(super) fn refuse_all(&mut self, span: Span, reason: &str) {
        let domains = self.all_domains();
        self.refuse(&domains, span, reason);
    }
}
