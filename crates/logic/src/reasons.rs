//! Why a run violates a temporal formula, step by step.
//!
//! From the first state, the parts of the formula are followed to where they are decided: `G f` to the first state where f
//! does not hold, `f -> g` to both, and so on. What is awaited and never comes is noted at every step from where it is.

use crate::ctl::Bindings;
use crate::graph::Bits;
use crate::{Checker, StateSets, loop_values};
use burnside_model::code::{Frame, LogicOp, Loop, Quantifier};
use burnside_model::findings::Lasso;
use burnside_model::system::{BinaryOp, Formula, FormulaKind, UnaryOp};
use burnside_model::{Model, Reason, ReasonKind};

/// Finds the reasons.
struct Reasons<'r, 's, S: StateSets> {
    checker: Checker<'s, S>,
    model: &'r Model,
    frame: &'r Frame,
    lasso: &'r Lasso,
    /// Per state, the one after it; the last one of a run that ends has none, and stays.
    next: &'r [usize],
    states: usize,
    found: Vec<Reason>,
}

/// Why a formula does not hold in the first state of a run; `next` says which state follows each.
pub(crate) fn of<S: StateSets<Set = Bits, Error = String>>(
    checker: Checker<'_, S>,
    model: &Model,
    frame: &Frame,
    formula: &Formula,
    mut bindings: Bindings,
    lasso: &Lasso,
    next: &[usize],
) -> Result<Vec<Reason>, String> {
    let states = next.iter().map(|to| to + 1).max().unwrap_or(1).max(next.len());
    let mut reasons = Reasons { checker, model, frame, lasso, next, states, found: Vec::new() };
    reasons.explain(formula, 0, false, &mut bindings)?;
    let mut found = reasons.found;
    found.sort_unstable();
    found.dedup();
    Ok(found)
}

impl<S: StateSets<Set = Bits, Error = String>> Reasons<'_, '_, S> {
    /// Where a formula holds.
    fn holding(&mut self, formula: &Formula, bindings: &mut Bindings) -> Result<Bits, String> {
        self.checker.satisfying(self.frame, formula, bindings)
    }

    /// The states from one on, each once.
    fn from(&self, at: usize) -> Vec<usize> {
        // States follow each other, and the last one perhaps leads back.
        let back = self.next.get(self.states - 1).copied().unwrap_or(at);
        (at..self.states).chain(back..at).collect()
    }

    fn note(&mut self, at: usize, part: &Formula, bindings: &Bindings, kind: ReasonKind) {
        self.found.push(Reason { at, part: part.span, bindings: bindings.clone(), kind });
    }

    /// That something is awaited from a state on, and never comes.
    fn awaited(&mut self, since: usize, part: &Formula, bindings: &Bindings) {
        for at in since..self.states {
            self.note(at, part, bindings, ReasonKind::Awaited(at - since));
        }
    }

    /// Why a formula holds at a state or, if not `holds`, does not.
    fn explain(
        &mut self,
        formula: &Formula,
        at: usize,
        holds: bool,
        bindings: &mut Bindings,
    ) -> Result<(), String> {
        match &formula.kind {
            FormulaKind::Atom(_) => {
                let kind = if holds { ReasonKind::Holds } else { ReasonKind::Fails };
                self.note(at, formula, bindings, kind);
                Ok(())
            }
            FormulaKind::Not(f) => self.explain(f, at, !holds, bindings),
            FormulaKind::Logic(op, f, g) => {
                // `f -> g` is `!f | g`.
                let left = if *op == LogicOp::Implies { !holds } else { holds };
                let is_left = self.holding(f, bindings)?.contains(at) == left;
                let is_right = self.holding(g, bindings)?.contains(at) == holds;
                let both = (*op == LogicOp::And) == holds;
                if is_left {
                    self.explain(f, at, left, bindings)?;
                }
                if is_right && (both || !is_left) {
                    self.explain(g, at, holds, bindings)?;
                }
                Ok(())
            }
            FormulaKind::Iff(f, g) => {
                for part in [f, g] {
                    let is = self.holding(part, bindings)?.contains(at);
                    self.explain(part, at, is, bindings)?;
                }
                Ok(())
            }
            FormulaKind::Quantified(quantifier, each, f) => {
                let by_one = (*quantifier == Quantifier::Exists) == holds;
                self.explain_instances(each, f, at, holds, by_one, bindings)
            }
            FormulaKind::Unary(_, UnaryOp::Next, f) => {
                let next = self.next.get(at).copied().unwrap_or(at);
                self.explain(f, next, holds, bindings)
            }
            FormulaKind::Unary(_, op @ (UnaryOp::Finally | UnaryOp::Globally), f) => {
                // `F f` is decided by one state where f holds, `G f` by one where it does not.
                let wanted = *op == UnaryOp::Finally;
                let holding = self.holding(f, bindings)?;
                match self.from(at).into_iter().find(|at| holding.contains(*at) == wanted) {
                    Some(at) => self.explain(f, at, wanted, bindings)?,
                    None if wanted => self.awaited(at, f, bindings),
                    None => self.note(at, f, bindings, ReasonKind::Always),
                }
                Ok(())
            }
            // What was before is on the run, but need not be all that was.
            FormulaKind::Unary(_, UnaryOp::Previous | UnaryOp::Once, _) => Ok(()),
            FormulaKind::Binary(_, op, f, g) => self.explain_binary(*op, f, g, at, bindings),
        }
    }

    /// The same for a quantifier.
    fn explain_instances(
        &mut self,
        each: &Loop,
        f: &Formula,
        at: usize,
        holds: bool,
        by_one: bool,
        bindings: &mut Bindings,
    ) -> Result<(), String> {
        let mut values = loop_values(self.model, self.frame, each);
        // The value that the run is said to be about comes first.
        let named = self.lasso.bindings.iter().find(|(local, _)| *local == each.local).map(|(_, v)| *v);
        values.sort_by_key(|value| Some(*value) != named);
        for value in values {
            bindings.push((each.local, value));
            let is = self.holding(f, bindings)?.contains(at);
            let explained = if is == holds { self.explain(f, at, holds, bindings) } else { Ok(()) };
            bindings.pop();
            explained?;
            if by_one && is == holds {
                break;
            }
        }
        Ok(())
    }

    /// The same for `U`, `R` and `W`: to the first state that decides.
    fn explain_binary(
        &mut self,
        op: BinaryOp,
        f: &Formula,
        g: &Formula,
        at: usize,
        bindings: &mut Bindings,
    ) -> Result<(), String> {
        let (left, right) = (self.holding(f, bindings)?, self.holding(g, bindings)?);
        let decides = |state: &usize| match op {
            BinaryOp::Until | BinaryOp::Weak => right.contains(*state) || !left.contains(*state),
            BinaryOp::Release => !right.contains(*state) || left.contains(*state),
        };
        let Some(state) = self.from(at).into_iter().find(decides) else {
            match op {
                BinaryOp::Until => self.awaited(at, g, bindings),
                BinaryOp::Weak => self.note(at, f, bindings, ReasonKind::Always),
                BinaryOp::Release => self.note(at, g, bindings, ReasonKind::Always),
            }
            return Ok(());
        };
        let parts = match op {
            BinaryOp::Until | BinaryOp::Weak if right.contains(state) => vec![(g, true)],
            BinaryOp::Until | BinaryOp::Weak => vec![(f, false), (g, false)],
            BinaryOp::Release if !right.contains(state) => vec![(g, false)],
            BinaryOp::Release => vec![(f, true), (g, true)],
        };
        for (part, holds) in parts {
            self.explain(part, state, holds, bindings)?;
        }
        Ok(())
    }
}
