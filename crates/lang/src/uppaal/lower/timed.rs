//! Which conditions on clocks may stand where: in a guard or invariant the times at which it holds must be one zone.

use burnside_model::code::{Expr, ExprKind, LogicOp, Quantifier};

use super::Lowerer;
use crate::diag::{Diagnostic, codes};

impl Lowerer {
    /// A condition in which clocks are only bounded, by a conjunction; in an invariant not to a single moment.
    pub(super) fn zone(&mut self, expr: &Expr, invariant: bool) -> Option<()> {
        if !self.network.reads_clock(expr) {
            return Some(());
        }
        match &expr.kind {
            ExprKind::Logic(LogicOp::And, a, b) => self.zone(a, invariant).and(self.zone(b, invariant)),
            ExprKind::Logic(_, a, b) if !self.network.reads_clock(a) => self.zone(b, invariant),
            ExprKind::Logic(LogicOp::Or, a, b) if !self.network.reads_clock(b) => self.zone(a, invariant),
            ExprKind::Quantified(Quantifier::Forall, _, body) => self.zone(body, invariant),
            ExprKind::Order(..) => Some(()),
            ExprKind::Eq(..) if !invariant => Some(()),
            ExprKind::Eq(..) => {
                let message = "an invariant bounds a clock by `<`, `<=`, `>` or `>=`";
                let diagnostic = Diagnostic::error(codes::CLOCK_CONDITION, expr.span, message);
                self.report(diagnostic.help("a location without time is `urgent` or `committed`"))
            }
            _ => {
                let place = if invariant { "an invariant" } else { "a guard" };
                let diagnostic = Diagnostic::error(
                    codes::CLOCK_CONDITION,
                    expr.span,
                    format!("{place} is a conjunction of bounds on clocks and of conditions without clocks"),
                );
                self.report(diagnostic.help("split the edge, or move the choice into a variable"))
            }
        }
    }
}
