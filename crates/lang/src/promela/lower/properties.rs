//! Properties: formulas of `ltl` blocks, and accept labels.

use burnside_model::Span;
use burnside_model::code::Frame;
use burnside_model::system::{Formula, FormulaKind, Property, PropertyKind, UnaryOp};

use super::super::ast::{Connective, Ltl};
use super::{Lowerer, build};
use crate::tokens::Read;

impl Lowerer<'_> {
    pub(super) fn properties(&mut self) -> Read<()> {
        for (name, named, formula, span) in &self.symbols.program.ltl {
            let formula = self.formula(formula, *span)?;
            self.temporal(name.clone(), *named, formula, *span);
        }
        let accepts = self.symbols.flows.iter().flat_map(|flow| &flow.nodes).any(|node| node.accept);
        if accepts && self.symbols.program.never.is_none() {
            let accepting = self.at_labels(|node| node.accept);
            let formula = |kind| Formula { kind, span: Span::default() };
            let never = formula(FormulaKind::Not(Box::new(formula(FormulaKind::Atom(accepting)))));
            let always = formula(FormulaKind::Unary(None, UnaryOp::Globally, Box::new(never)));
            let finally = formula(FormulaKind::Unary(None, UnaryOp::Finally, Box::new(always)));
            self.temporal("no acceptance cycle".to_owned(), true, finally, Span::default());
        }
        Ok(())
    }

    fn temporal(&mut self, name: String, named: bool, formula: Formula, span: Span) {
        let (kind, binders, frame) = (PropertyKind::Ltl, Vec::new(), Frame::default());
        let formula = Some(formula);
        self.model.properties.push(Property {
            name,
            named,
            kind,
            binders,
            frame,
            condition: None,
            formula,
            span,
        });
    }

    fn formula(&mut self, formula: &Ltl, span: Span) -> Read<Formula> {
        let mut part = |part: &Ltl| self.formula(part, span).map(Box::new);
        let kind = match formula {
            Ltl::Atom(e) => {
                let cx = self.context(None);
                let value = self.value(&cx, e)?;
                FormulaKind::Atom(build::condition(value))
            }
            Ltl::Not(a) => FormulaKind::Not(part(a)?),
            Ltl::Unary(op, a) => FormulaKind::Unary(None, *op, part(a)?),
            Ltl::Binary(Connective::Logic(op), a, b) => FormulaKind::Logic(*op, part(a)?, part(b)?),
            Ltl::Binary(Connective::Iff, a, b) => FormulaKind::Iff(part(a)?, part(b)?),
            Ltl::Binary(Connective::Temporal(op), a, b) => FormulaKind::Binary(None, *op, part(a)?, part(b)?),
        };
        Ok(Formula { kind, span })
    }
}
