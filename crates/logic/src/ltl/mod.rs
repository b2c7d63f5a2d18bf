//! LTL: formulas, and automata that accept the runs which satisfy them.
//!
//! [`Nnf`] holds formulas in negation normal form, each once; [`Buchi`] is the automaton of one. Quantifiers are written
//! out, so that an atom is a condition together with the values of its variables.

mod automaton;
mod nnf;
mod product;
mod safety;
mod simplify;

use burnside_model::Model;
use burnside_model::code::{Expr, Frame, LogicOp, Quantifier};
use burnside_model::system::{BinaryOp, Formula, FormulaKind, UnaryOp};

pub use automaton::{Buchi, Transition};
pub use nnf::{Id, Nnf, Node};
pub use product::accepted_run;
pub use safety::{Move, NoPrefixes, Prefixes, bad_prefixes, is_bad_prefix};

use crate::ctl::Bindings;
use crate::sets::loop_values;

/// The conditions that an automaton looks at, by number.
pub type Atoms<'f> = Vec<(&'f Expr, Bindings)>;

/// Makes the automaton that accepts the runs which satisfy a formula of LTL, or, if `negated`, those which do not; with
/// the atoms that it looks at. None if it would have more than `most` transitions.
pub fn automaton<'f>(
    model: &Model,
    frame: &Frame,
    formula: &'f Formula,
    bindings: &mut Bindings,
    negated: bool,
    most: usize,
) -> Option<(Buchi, Atoms<'f>)> {
    let mut reader = Reader { model, frame, formulas: Nnf::default(), atoms: Vec::new() };
    let root = reader.read(formula, bindings, !negated);
    Some((Buchi::new(&mut reader.formulas, root, most)?, reader.atoms))
}

/// Brings a formula into negation normal form.
struct Reader<'m, 'f> {
    model: &'m Model,
    frame: &'m Frame,
    formulas: Nnf,
    atoms: Atoms<'f>,
}

impl<'f> Reader<'_, 'f> {
    /// The formula, or its negation.
    fn read(&mut self, formula: &'f Formula, bindings: &mut Bindings, positive: bool) -> Id {
        match &formula.kind {
            FormulaKind::Atom(condition) => {
                let atom = (condition, bindings.clone());
                let number = self.atoms.iter().position(|known| *known == atom).unwrap_or_else(|| {
                    self.atoms.push(atom);
                    self.atoms.len() - 1
                });
                self.formulas.literal(number, positive)
            }
            FormulaKind::Not(f) => self.read(f, bindings, !positive),
            FormulaKind::Logic(op, f, g) => {
                let first = if *op == LogicOp::Implies { !positive } else { positive };
                let (f, g) = (self.read(f, bindings, first), self.read(g, bindings, positive));
                if (*op == LogicOp::And) == positive {
                    self.formulas.and(f, g)
                } else {
                    self.formulas.or(f, g)
                }
            }
            FormulaKind::Iff(f, g) => {
                let (yes, no) = (self.read(f, bindings, true), self.read(f, bindings, false));
                let (same, other) = (self.read(g, bindings, positive), self.read(g, bindings, !positive));
                let (both, neither) = (self.formulas.and(yes, same), self.formulas.and(no, other));
                self.formulas.or(both, neither)
            }
            FormulaKind::Quantified(quantifier, each, f) => {
                let all = (*quantifier == Quantifier::Forall) == positive;
                let mut found = self.formulas.constant(all);
                for value in loop_values(self.model, self.frame, each) {
                    bindings.push((each.local, value));
                    let one = self.read(f, bindings, positive);
                    bindings.pop();
                    found = if all { self.formulas.and(found, one) } else { self.formulas.or(found, one) };
                }
                found
            }
            FormulaKind::Unary(_, op, f) => {
                let f = self.read(f, bindings, positive);
                match (op, positive) {
                    (UnaryOp::Finally, true) | (UnaryOp::Globally, false) => {
                        let always = self.formulas.constant(true);
                        self.formulas.until(always, f)
                    }
                    (UnaryOp::Globally, true) | (UnaryOp::Finally, false) => {
                        let never = self.formulas.constant(false);
                        self.formulas.release(never, f)
                    }
                    // There is no past in LTL here: see `Formula::fits`.
                    _ => self.formulas.next(f),
                }
            }
            FormulaKind::Binary(_, op, f, g) => {
                let (f, g) = (self.read(f, bindings, positive), self.read(g, bindings, positive));
                match (op, positive) {
                    (BinaryOp::Until, true) | (BinaryOp::Release, false) => self.formulas.until(f, g),
                    (BinaryOp::Release, true) | (BinaryOp::Until, false) => self.formulas.release(f, g),
                    (BinaryOp::Weak, true) => {
                        // f W g = g R (f | g)
                        let either = self.formulas.or(f, g);
                        self.formulas.release(g, either)
                    }
                    (BinaryOp::Weak, false) => {
                        let both = self.formulas.and(f, g);
                        self.formulas.until(g, both)
                    }
                }
            }
        }
    }
}
