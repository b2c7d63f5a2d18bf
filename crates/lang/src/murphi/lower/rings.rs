//! Elements of rings: `next(x)`, `prev(x)`, `x + k` and `x - k`.
//!
//! `next` and `prev` are no keywords: a routine of the model that has such a name is what its calls mean.

use burnside_model::Span;
use burnside_model::code::{Expr, ExprKind};

use super::constants::{Folded, fold};
use super::scope::Space;
use super::{Lowerer, Value};
use crate::diag::{Diagnostic, codes};
use crate::murphi::ast;

impl Lowerer<'_> {
    /// How far `next` and `prev` lead; `None` for other names, and if the model has a routine of that name.
    pub(super) fn ring_step(&self, name: &ast::Ident) -> Option<i64> {
        let by = match name.name.as_str() {
            "next" => 1,
            "prev" => -1,
            _ => return None,
        };
        let declared =
            self.is_routine(&name.name) || self.declared_later(Space::Routine, &name.name).is_some();
        (!declared).then_some(by)
    }

    /// `next(x)` or `prev(x)`.
    pub(super) fn ring_neighbour(
        &mut self,
        name: &ast::Ident,
        args: &[ast::Expr],
        by: i64,
        span: Span,
    ) -> Option<Expr> {
        let [arg] = args else {
            self.wrong_count(name, 1, args.len(), span);
            return None;
        };
        let value = self.simple(arg)?;
        if self.types().ring(value.ty).is_none() {
            let found = self.describe(value.ty);
            let message =
                format!("`{}` needs an element of a ring, not a value of type `{found}`", name.name);
            let help = match self.types().domains_of(value.ty).is_empty() {
                true => "declare a ring, as in `type Node : ring(4);`",
                false => {
                    "the elements of a scalarset have no neighbours: declare a ring, as in `type Node : ring(4);`"
                }
            };
            self.report(Diagnostic::error(codes::NOT_A_RING, arg.span, message).help(help));
            return None;
        }
        self.rotated(value, by, span)
    }

    /// Whether this is an element of a ring.
    pub(super) fn is_ring(&self, value: Option<&Value>) -> bool {
        value.is_some_and(|value| self.types().ring(value.ty()).is_some())
    }

    /// `x + k`, or `x - k` if `back`, for an element x of a ring.
    pub(super) fn ring_sum(
        &mut self,
        element: Option<Value>,
        distance: Option<Value>,
        back: bool,
        span: Span,
    ) -> Option<Expr> {
        let (Value::Simple(element), distance) = (element?, distance?) else { return None };
        let folded = match &distance {
            Value::Simple(e) if self.types().is_integer(e.ty) => fold(self.types(), e),
            _ => Folded::Variable,
        };
        match folded {
            Folded::Value(by) => {
                let by = by % i64::from(self.types().ring(element.ty)?);
                self.rotated(element, if back { -by } else { by }, span)
            }
            Folded::Variable => {
                let ring = self.describe(element.ty);
                let message = format!("the distance on the ring `{ring}` must be a constant integer");
                let error = Diagnostic::error(codes::RING_DISTANCE, distance.span(), message);
                let error = error.also(element.span, format!("this is of type `{ring}`"));
                self.report(
                    error
                        .help("write `x + 1` or `next(x)`; use a range such as `0..N-1` if you need numbers"),
                );
                None
            }
            Folded::Wrong(span, message) => self.error(codes::CONSTANT_ARITHMETIC, span, message),
        }
    }

    fn rotated(&self, element: Expr, by: i64, span: Span) -> Option<Expr> {
        let (ty, size) = (element.ty, self.types().ring(element.ty)?);
        let by = by.rem_euclid(i64::from(size)) as u32;
        Some(Expr { kind: ExprKind::Rotate(Box::new(element), by), ty, span })
    }
}
