//! Queries.

use burnside_model::code::{Frame, Types};
use burnside_model::network::{Query, QueryKind};

use super::Lowerer;
use crate::diag::Diagnostic;
use crate::uppaal::ast;

impl Lowerer {
    /// Lowers a query; one that is wrong is refused by itself.
    pub(super) fn query(&mut self, query: &ast::Query) {
        let position = self.network.queries.len() + self.refused.len();
        let kind = match &query.kind {
            Ok(kind) => kind,
            Err(diagnostic) => {
                return self.refused.push((query.text.clone(), position, (**diagnostic).clone()));
            }
        };
        if self.network.deadlock.is_none() {
            self.network.deadlock = self.network.model.add_global("deadlock", Types::BOOL, query.span);
        }
        let others = std::mem::take(&mut self.diagnostics);
        self.frame = Frame::default();
        self.pure = Some("a query");
        self.timed = true;
        let kind = self.query_kind(kind);
        self.timed = false;
        self.pure = None;
        let frame = std::mem::take(&mut self.frame);
        let found = std::mem::replace(&mut self.diagnostics, others);
        let (mistakes, notes): (Vec<_>, Vec<_>) = found.into_iter().partition(Diagnostic::is_error);
        self.diagnostics.extend(notes);
        match (kind, mistakes.into_iter().next()) {
            (_, Some(mistake)) => self.refused.push((query.text.clone(), position, mistake)),
            (Some(kind), None) => {
                let (text, span) = (query.text.clone(), query.span);
                self.network.queries.push(Query { text, kind, frame, span, position });
            }
            (None, None) => {}
        }
    }

    fn query_kind(&mut self, kind: &QueryKind<ast::Expr>) -> Option<QueryKind> {
        Some(match kind {
            QueryKind::Possibly(p) => QueryKind::Possibly(self.boolean(p)?),
            QueryKind::Invariantly(p) => QueryKind::Invariantly(self.boolean(p)?),
            QueryKind::PotentiallyAlways(p) => QueryKind::PotentiallyAlways(self.boolean(p)?),
            QueryKind::Eventually(p) => QueryKind::Eventually(self.boolean(p)?),
            QueryKind::LeadsTo(p, q) => QueryKind::LeadsTo(self.boolean(p)?, self.boolean(q)?),
            QueryKind::Sup(condition, exprs) => {
                let (condition, exprs) = self.extremes(condition.as_ref(), exprs)?;
                QueryKind::Sup(condition, exprs)
            }
            QueryKind::Inf(condition, exprs) => {
                let (condition, exprs) = self.extremes(condition.as_ref(), exprs)?;
                QueryKind::Inf(condition, exprs)
            }
            QueryKind::Bounds(condition, exprs) => {
                let (condition, exprs) = self.extremes(condition.as_ref(), exprs)?;
                QueryKind::Bounds(condition, exprs)
            }
        })
    }

    fn extremes(
        &mut self,
        condition: Option<&ast::Expr>,
        exprs: &[ast::Expr],
    ) -> Option<(Option<burnside_model::code::Expr>, Vec<burnside_model::code::Expr>)> {
        let condition = match condition {
            Some(condition) => Some(self.boolean(condition)?),
            None => None,
        };
        let mut values = Vec::new();
        for expr in exprs {
            // An integer, or a clock.
            let value = self.value(expr)?;
            values.push(if value.ty == self.clock { value } else { self.integer(expr)? });
        }
        Some((condition, values))
    }
}
