//! Temporal formulas as text.

use std::collections::HashSet;

use burnside_model::code::{Frame, Quantifier};
use burnside_model::system::{Formula, FormulaKind, Paths};

use super::Printer;
use super::code::logic_sign;

fn letter(paths: Option<Paths>) -> &'static str {
    match paths {
        None => "",
        Some(Paths::All) => "A",
        Some(Paths::Some) => "E",
    }
}

impl Printer<'_> {
    pub fn formula(&self, frame: &Frame, formula: &Formula) -> String {
        let part = |f: &Formula| self.nested_formula(frame, f);
        match &formula.kind {
            FormulaKind::Atom(atom) => self.expr(frame, atom, &mut HashSet::new()),
            FormulaKind::Not(f) => format!("!{}", part(f)),
            FormulaKind::Logic(op, f, g) => format!("{} {} {}", part(f), logic_sign(*op), part(g)),
            FormulaKind::Iff(f, g) => format!("{} <-> {}", part(f), part(g)),
            FormulaKind::Quantified(quantifier, each, f) => {
                let keyword = match quantifier {
                    Quantifier::Forall => "forall",
                    Quantifier::Exists => "exists",
                };
                let range = self.loop_text(frame, each, &mut HashSet::new());
                format!("{keyword} {range} do {} end", self.formula(frame, f))
            }
            FormulaKind::Unary(paths, op, f) => {
                format!("{}{} {}", letter(*paths), op.letter(), part(f))
            }
            FormulaKind::Binary(None, op, f, g) => format!("{} {} {}", part(f), op.letter(), part(g)),
            FormulaKind::Binary(paths, op, f, g) => {
                format!("{} [ {} {} {} ]", letter(*paths), part(f), op.letter(), part(g))
            }
        }
    }

    /// A formula as part of another: in parentheses, unless it is one piece.
    fn nested_formula(&self, frame: &Frame, formula: &Formula) -> String {
        match &formula.kind {
            FormulaKind::Atom(atom) => self.nested_expr(frame, atom, &mut HashSet::new()),
            FormulaKind::Quantified(..) => self.formula(frame, formula),
            _ => format!("({})", self.formula(frame, formula)),
        }
    }
}
