//! `double` variables and hybrid clocks: no zone can follow them, so nothing that zones decide may depend on them.
//!
//! Models for UPPAAL's statistical checker have them beside clocks and integers: costs, temperatures, probabilities. What is
//! assigned to them has no influence on what is possible, and is left out. A guard, an invariant, an integer or a query
//! that reads one is refused, with the place.

use burnside_model::Span;

use super::Lowerer;
use super::scope::Symbol;
use crate::diag::{Diagnostic, codes};
use crate::uppaal::ast::{self, Declaration, Expr, ExprKind, Function, TypeKind};

impl Lowerer {
    /// Declares names that no zone can follow; whether the declaration is one of such.
    pub(super) fn real_declaration(&mut self, declaration: &Declaration) -> bool {
        match declaration {
            Declaration::Variables(ty, variables) if ty.kind == TypeKind::Real => {
                for variable in variables {
                    if let Some(ast::Initial::Expr(initial)) = &variable.initial {
                        self.without_effect(initial);
                    }
                    self.add(&variable.name, Symbol::Real);
                }
                true
            }
            Declaration::Function(function) if is_real(function) => {
                self.add(&function.name, Symbol::Real);
                true
            }
            _ => false,
        }
    }

    /// Whether an assignment is to something that no zone can follow: then it is left out, if what is assigned does nothing.
    pub(super) fn real_assignment(&mut self, expr: &Expr) -> Option<Option<()>> {
        let (to, value) = match &expr.kind {
            ExprKind::Assign(_, to, value) => (to, Some(value)),
            ExprKind::Step { of, .. } => (of, None),
            _ => return None,
        };
        if !self.is_real(to) {
            return None;
        }
        Some(value.map_or(Some(()), |value| self.without_effect(value)))
    }

    /// Whether an expression names what no zone can follow, or a part of it.
    pub(super) fn is_real(&self, expr: &Expr) -> bool {
        match &expr.kind {
            ExprKind::Name(name) => matches!(self.scopes.find(name), Some(Symbol::Real)),
            ExprKind::Index(base, _) | ExprKind::Field(base, _) => self.is_real(base),
            _ => false,
        }
    }

    /// Refuses an expression that changes something, or may: it cannot be left out.
    pub(super) fn without_effect(&mut self, expr: &Expr) -> Option<()> {
        let parts: Vec<&Expr> = match &expr.kind {
            ExprKind::Assign(..) | ExprKind::Step { .. } => return self.has_effect(expr.span),
            ExprKind::Call(callee, args) => {
                // A function of the language, or one that writes to nothing but its own variables.
                let harmless = match &callee.kind {
                    ExprKind::Name(name) => match self.scopes.find(name) {
                        None => true,
                        Some(Symbol::Function(function, _)) => {
                            let effects = &self.effects[*function as usize];
                            !effects.globals && effects.references.is_empty()
                        }
                        Some(_) => false,
                    },
                    _ => false,
                };
                if !harmless {
                    return self.has_effect(expr.span);
                }
                args.iter().collect()
            }
            _ => expr.parts(),
        };
        parts.into_iter().try_for_each(|part| self.without_effect(part))
    }

    fn has_effect<T>(&mut self, span: Span) -> Option<T> {
        let message = "what a `double` is given must not change anything else";
        let diagnostic = Diagnostic::error(codes::NOT_SUPPORTED, span, message);
        self.report(diagnostic.help("assign to variables in an update of its own"))
    }

    /// Says that something would depend on what no zone can follow.
    pub(super) fn depends_on_real<T>(&mut self, name: &str, span: Span) -> Option<T> {
        let what = self.pure.unwrap_or("this");
        let message = format!("{what} depends on `{name}`, a `double` or hybrid clock");
        let diagnostic = Diagnostic::error(codes::NOT_SUPPORTED, span, message);
        self.report(diagnostic.help("zones follow clocks and integers only"))
    }
}

/// Whether a function takes or gives what no zone can follow.
fn is_real(function: &Function) -> bool {
    function.result.kind == TypeKind::Real
        || function.params.iter().any(|param| param.ty.kind == TypeKind::Real)
}
