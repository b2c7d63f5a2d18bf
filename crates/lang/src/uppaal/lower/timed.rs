//! Which conditions on clocks may stand where: in a guard or invariant the times at which it holds must be one zone.

use burnside_model::code::{Expr, ExprKind, LogicOp, OrderOp, Quantifier};

use super::Lowerer;
use crate::diag::{Diagnostic, codes};

impl Lowerer {
    /// A condition in which clocks are only bounded, by a conjunction; `upper` if only from above, as in an invariant.
    pub(super) fn zone(&mut self, expr: &Expr, upper: bool) -> Option<()> {
        if !self.network.reads_clock(expr) {
            return Some(());
        }
        match &expr.kind {
            ExprKind::Logic(LogicOp::And, a, b) => self.zone(a, upper).and(self.zone(b, upper)),
            ExprKind::Logic(_, a, b) if !self.network.reads_clock(a) => self.zone(b, upper),
            ExprKind::Logic(LogicOp::Or, a, b) if !self.network.reads_clock(b) => self.zone(a, upper),
            ExprKind::Quantified(Quantifier::Forall, _, body) => self.zone(body, upper),
            ExprKind::Order(op, a, b) => {
                let bounds_above = match op {
                    OrderOp::Lt | OrderOp::Le => self.network.reads_clock(a),
                    OrderOp::Gt | OrderOp::Ge => self.network.reads_clock(b),
                };
                let difference = a.ty == self.difference || b.ty == self.difference;
                if upper && !bounds_above && !difference {
                    let diagnostic = Diagnostic::error(
                        codes::CLOCK_CONDITION,
                        expr.span,
                        "an invariant bounds a clock only from above",
                    );
                    return self.report(diagnostic.help("put the lower bound into the guards of the edges"));
                }
                Some(())
            }
            ExprKind::Eq(..) if !upper => Some(()),
            _ => {
                let place = if upper { "an invariant" } else { "a guard" };
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
