//! Single expressions and statements: what names an element, or compares or computes with one as a number.
//!
//! The type checker refuses most of this; it is checked again because a wrong answer would be the price of a slip.

use burnside_model::Span;
use burnside_model::code::{
    Arg, DomainId, Expr, ExprKind, Loop, LoopRange, PlaceKind, Stmt, StmtKind, TypeId, TypeKind, UNDEFINED,
};

use super::visit::Part;
use super::{Body, Verifier, range_parts};

impl<'m> Verifier<'m> {
    /// Checks a piece of code by itself, without what is inside.
    pub(super) fn check_elements(&mut self, body: &Body<'m>, part: Part<'m>) {
        match part {
            Part::Stmt(stmt) => self.check_statement(body, stmt),
            Part::Expr(e) => self.check_expression(body, e),
            Part::Place(place) => {
                if let PlaceKind::Index(base, e) = &place.kind
                    && let TypeKind::Array { index, .. } = self.model.types[base.ty].kind
                {
                    self.check_mixed(index, e);
                }
            }
            Part::Call(call) => {
                let Some(function) = self.model.functions.get(call.function as usize) else { return };
                for (arg, local) in call.args.iter().zip(&function.frame.locals) {
                    if let Arg::Value(e) = arg {
                        self.check_mixed(local.ty, e);
                    }
                }
            }
        }
    }

    fn check_statement(&mut self, body: &Body<'m>, stmt: &'m Stmt) {
        match &stmt.kind {
            StmtKind::Assign(target, value) => self.check_mixed(target.ty, value),
            StmtKind::Clear(target) => {
                let mut domains = Vec::new();
                self.cleared(target.ty, &mut domains);
                let reason = "`clear` sets this to the first element: what that is depends on";
                self.refuse(&domains, stmt.span, None, reason);
            }
            StmtKind::Switch(subject, cases, _) => {
                for value in cases.iter().flat_map(|(values, _)| values) {
                    self.check_mixed(subject.ty, value);
                }
            }
            StmtKind::For(each, _) => self.check_range(body, each),
            _ => {}
        }
    }

    fn check_expression(&mut self, body: &Body<'m>, e: &'m Expr) {
        match &e.kind {
            ExprKind::Const(value) if *value != UNDEFINED => {
                let held = self.model.types.element(e.ty, *value);
                let domains = self.permuted(held.map(|(domain, _)| domain));
                self.refuse(&domains, e.span, None, "this names one fixed element: which one depends on");
            }
            ExprKind::Neg(a) | ExprKind::BitNot(a) => self.check_number(a),
            ExprKind::Arith(_, a, b) | ExprKind::Order(_, a, b) => {
                self.check_number(a);
                self.check_number(b);
            }
            ExprKind::Eq(a, b) | ExprKind::Ne(a, b) => self.check_mixed(a.ty, b),
            ExprKind::Quantified(_, each, _) => self.check_range(body, each),
            _ => {}
        }
    }

    /// The bounds of a loop are numbers, and so is its variable then.
    pub(super) fn check_range(&mut self, body: &Body<'m>, each: &'m Loop) {
        if let LoopRange::Span(..) = each.range {
            let domains = self.simple_domains(body.frame[each.local].ty);
            self.refuse(
                &domains,
                each.span,
                None,
                "numbers are used as elements here: the result depends on",
            );
            for part in range_parts(each) {
                if let Part::Expr(e) = part {
                    self.check_number(e);
                }
            }
        }
    }

    fn check_number(&mut self, e: &Expr) {
        let domains = self.simple_domains(e.ty);
        self.refuse(
            &domains,
            e.span,
            None,
            "an element is used as a number here: which one it is depends on",
        );
    }

    /// A value used as one of type `ty` must have the same elements at the same numbers.
    fn check_mixed(&mut self, ty: TypeId, e: &Expr) {
        let types = &self.model.types;
        if types.domains_of(ty) == types.domains_of(e.ty) || matches!(e.kind, ExprKind::Const(UNDEFINED)) {
            return;
        }
        let mut domains = self.simple_domains(ty);
        domains.extend(self.simple_domains(e.ty));
        self.refuse(
            &domains,
            e.span,
            None,
            "elements are mixed with other values here: the result depends on",
        );
    }

    fn simple_domains(&self, ty: TypeId) -> Vec<DomainId> {
        self.permuted(self.model.types.domains_of(ty).into_iter().map(|(domain, _)| domain))
    }

    /// The domains whose first element `clear` puts into a value of this type. It empties multisets.
    fn cleared(&self, ty: TypeId, domains: &mut Vec<DomainId>) {
        match &self.model.types[ty].kind {
            TypeKind::Array { element, .. } => self.cleared(*element, domains),
            TypeKind::Record(fields) => {
                for field in fields {
                    self.cleared(field.ty, domains);
                }
            }
            TypeKind::Multiset { .. } => {}
            _ => {
                let first = self.model.types.element(ty, self.model.types.bounds(ty).0);
                for domain in self.permuted(first.map(|(domain, _)| domain)) {
                    if !domains.contains(&domain) {
                        domains.push(domain);
                    }
                }
            }
        }
    }

    /// Refuses all domains.
    pub(super) fn refuse_all(&mut self, span: Span, reason: &str) {
        let domains = self.all_domains();
        self.refuse(&domains, span, None, reason);
    }
}
