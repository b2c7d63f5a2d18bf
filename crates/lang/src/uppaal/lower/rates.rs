//! Rates of clocks: `x' == 0` in an invariant stops a clock while a process is there (a stopwatch).
//!
//! The conjuncts of an invariant that give rates are taken out of it; the rest is the invariant. A rate is an expression
//! over variables that is 0 or 1 whenever the location is entered. Other rates belong to hybrid automata, which zones
//! cannot follow.

use burnside_model::code::{ExprKind, LogicOp, Loop, LoopRange, Storage};
use burnside_model::network::Rate;

use super::Lowerer;
use super::scope::Symbol;
use crate::diag::{Diagnostic, codes};
use crate::uppaal::ast::{self, Binary, Expr, Quantifier};

impl Lowerer {
    /// The rates that an invariant gives, and the rest of it. Rates of hybrid clocks are left out.
    pub(super) fn rates(&mut self, invariant: &Expr, rates: &mut Vec<Rate>) -> Option<Option<Expr>> {
        let mut given = Vec::new();
        let rest = split(invariant, &mut given);
        for expr in &given {
            if !self.is_real_rate(expr) {
                let rate = self.rate(expr, Vec::new())?;
                rates.push(rate);
            }
        }
        Some(rest)
    }

    /// Whether this is the rate of a hybrid clock.
    fn is_real_rate(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ast::ExprKind::Rate(clock) => self.is_real(clock),
            ast::ExprKind::Binary(Binary::Eq, a, b) => self.is_real_rate(a) || self.is_real_rate(b),
            ast::ExprKind::Quantified(_, _, _, body) => self.is_real_rate(body),
            _ => false,
        }
    }

    /// `x' == e`, or `forall (i : T) x[i]' == e`.
    fn rate(&mut self, expr: &Expr, mut each: Vec<Loop>) -> Option<Rate> {
        match &expr.kind {
            ast::ExprKind::Quantified(Quantifier::Forall, name, ty, body) => {
                let range = self.ty(ty)?;
                let range = self.finite(range, ty.span, "a quantifier ranges over")?;
                let local = self.frame.add(&name.name, range, 1, Storage::Value);
                each.push(Loop { local, range: LoopRange::Type(range), span: name.span });
                self.scopes.open();
                self.scopes.add(&name.name, Symbol::Local { local, fixed: true });
                let rate = self.rate(body, each);
                self.scopes.close();
                rate
            }
            ast::ExprKind::Binary(Binary::Eq, a, b) => match (&a.kind, &b.kind) {
                (ast::ExprKind::Rate(clock), _) if !mentions_rate(b) => self.rate_of(clock, b, each),
                (_, ast::ExprKind::Rate(clock)) if !mentions_rate(a) => self.rate_of(clock, a, each),
                _ => self.no_rate(expr),
            },
            _ => self.no_rate(expr),
        }
    }

    fn no_rate<T>(&mut self, expr: &Expr) -> Option<T> {
        let message = "a rate is given by a conjunct `x' == 0` or `x' == 1` of an invariant";
        self.error(codes::CLOCK_CONDITION, expr.span, message)
    }

    fn rate_of(&mut self, clock: &Expr, value: &Expr, each: Vec<Loop>) -> Option<Rate> {
        self.pure = Some("an invariant");
        let place = self.place(clock);
        let rate = self.integer(value);
        self.pure = None;
        let (place, rate) = (place?, rate?);
        if place.ty != self.clock {
            let message = format!("a clock is expected here, this is {}", self.describe(place.ty));
            return self.error(codes::WRONG_CLASS, clock.span, message);
        }
        if let ExprKind::Const(constant) = rate.kind
            && !(0..=1).contains(&constant)
        {
            let message =
                format!("a clock with the rate {constant} is not supported: it runs or stands still");
            let diagnostic = Diagnostic::error(codes::NOT_SUPPORTED, value.span, message);
            return self.report(diagnostic.help("the rate is 1, or 0 for a stopwatch"));
        }
        Some(Rate { clock: place, rate, each })
    }
}

/// The conjuncts of an invariant that give rates, each under its quantifiers, and the rest of it.
fn split(invariant: &Expr, given: &mut Vec<Expr>) -> Option<Expr> {
    if !mentions_rate(invariant) {
        return Some(invariant.clone());
    }
    let span = invariant.span;
    match &invariant.kind {
        ast::ExprKind::Binary(Binary::Logic(LogicOp::And), a, b) => {
            match (split(a, given), split(b, given)) {
                (Some(a), Some(b)) => Some(Expr {
                    kind: ast::ExprKind::Binary(Binary::Logic(LogicOp::And), Box::new(a), Box::new(b)),
                    span,
                }),
                (one, other) => one.or(other),
            }
        }
        ast::ExprKind::Quantified(Quantifier::Forall, name, ty, body) => {
            let under = |body: Expr| {
                let kind =
                    ast::ExprKind::Quantified(Quantifier::Forall, name.clone(), ty.clone(), Box::new(body));
                Expr { kind, span }
            };
            let mut inside = Vec::new();
            let rest = split(body, &mut inside);
            given.extend(inside.into_iter().map(under));
            rest.map(under)
        }
        _ => {
            given.push(invariant.clone());
            None
        }
    }
}

/// Whether an expression mentions the rate of a clock.
fn mentions_rate(expr: &Expr) -> bool {
    expr.any(&|part| matches!(part.kind, ast::ExprKind::Rate(_)))
}
