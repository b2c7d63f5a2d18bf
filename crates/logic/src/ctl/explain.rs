//! Why a formula holds in a state, or does not: a run that shows it.
//!
//! An existential formula that holds, or a universal one that does not, is explained by one run, up to a nested formula
//! that only all runs together explain. Of several reasons, the one with the longest run is taken.

use burnside_model::code::{Frame, LogicOp, Quantifier};
use burnside_model::system::{BinaryOp, Formula, FormulaKind, Paths, UnaryOp};

use super::{Bindings, Checker};
use crate::path::{Path, Step, path_within};
use crate::sets::loop_values;
use crate::{StateSets, fair::reach_within};

/// A run that shows why.
#[derive(Clone, Debug)]
pub struct Explanation<S> {
    /// The run, from the state in question.
    pub path: Path<S>,
    /// The values of parameters and quantified variables for which it shows it.
    pub bindings: Bindings,
    /// Whether it shows everything. If not, a formula holds or fails in the last state for a reason that is not one run.
    pub complete: bool,
}

impl<S> Explanation<S> {
    fn at(state: S, bindings: &Bindings, complete: bool) -> Self {
        Explanation { path: Path::at(state), bindings: bindings.clone(), complete }
    }

    /// How much it shows.
    fn weight(&self) -> (bool, usize, usize) {
        (self.path.back.is_some(), self.path.steps.len(), self.bindings.len())
    }
}

/// A run that a formula asserts to exist.
enum Run<'f, S> {
    /// To a state of the set in one step.
    Next(S, Next<'f>),
    /// Through the first set, where a formula holds or fails, to the second.
    Until(S, Option<&'f Formula>, S, Vec<Next<'f>>),
    /// In the set, where a formula holds or fails, for ever.
    Always(S, &'f Formula),
}

/// What remains to be explained where a run ends: that a formula holds, or that it does not.
type Next<'f> = (&'f Formula, bool);

impl<S: StateSets> Checker<'_, S> {
    /// Explains why a formula holds (or, if not `holds`, does not) in `state`, a set of one state where that is so.
    pub fn explain(
        &mut self,
        frame: &Frame,
        formula: &Formula,
        bindings: &mut Bindings,
        state: &S::Set,
        holds: bool,
    ) -> Result<Explanation<S::Set>, S::Error> {
        match &formula.kind {
            FormulaKind::Atom(_) => Ok(Explanation::at(state.clone(), bindings, true)),
            FormulaKind::Not(f) => self.explain(frame, f, bindings, state, !holds),
            FormulaKind::Logic(op, f, g) => {
                // `f -> g` is `!f | g`.
                let left = if *op == LogicOp::Implies { !holds } else { holds };
                let all = (*op == LogicOp::And) == holds;
                self.explain_one(frame, &[(f, left), (g, holds)], all, bindings, state)
            }
            FormulaKind::Iff(f, g) => {
                let reasons = [(&**f, true), (f, false), (g, true), (g, false)];
                self.explain_one(frame, &reasons, true, bindings, state)
            }
            FormulaKind::Quantified(quantifier, each, f) => {
                let by_one = (*quantifier == Quantifier::Exists) == holds;
                for value in loop_values(self.model, frame, each) {
                    bindings.push((each.local, value));
                    let inside = self.satisfying(frame, f, bindings)?;
                    let found = match self.sets.meet(state, &inside)? == holds {
                        true => Some(self.explain(frame, f, bindings, state, holds)?),
                        false => None,
                    };
                    bindings.pop();
                    if let Some(found) = found {
                        return Ok(Explanation { complete: found.complete && by_one, ..found });
                    }
                }
                Ok(Explanation::at(state.clone(), bindings, false))
            }
            FormulaKind::Unary(paths, op, f) => {
                let by_one = (*paths == Some(Paths::Some)) == holds;
                if !by_one || op.is_past() {
                    return Ok(Explanation::at(state.clone(), bindings, false));
                }
                let mut inside = self.satisfying(frame, f, bindings)?;
                let mut op = *op;
                if !holds {
                    inside = self.sets.not(&inside)?;
                    op = match op {
                        UnaryOp::Finally => UnaryOp::Globally,
                        UnaryOp::Globally => UnaryOp::Finally,
                        other => other,
                    };
                }
                let run = match op {
                    UnaryOp::Next => Run::Next(inside, (f, holds)),
                    UnaryOp::Globally => Run::Always(inside, f),
                    _ => Run::Until(self.sets.universe()?, None, inside, vec![(f, holds)]),
                };
                self.follow(frame, run, bindings, state)
            }
            FormulaKind::Binary(paths, op, f, g) => {
                let by_one = (*paths == Some(Paths::Some)) == holds;
                if !by_one {
                    return Ok(Explanation::at(state.clone(), bindings, false));
                }
                let mut sets = [self.satisfying(frame, f, bindings)?, self.satisfying(frame, g, bindings)?];
                if !holds {
                    sets = [self.sets.not(&sets[0])?, self.sets.not(&sets[1])?];
                }
                let [a, b] = sets;
                // What does not hold for all runs holds, negated, for one.
                let both = self.sets.and(&a, &b)?;
                let (f, g) = (&**f, &**g);
                let (until, forever) = match (op, holds) {
                    (BinaryOp::Until, true) => (Run::Until(a, Some(f), b, vec![(g, true)]), None),
                    (BinaryOp::Weak, true) => {
                        (Run::Until(a.clone(), Some(f), b, vec![(g, true)]), Some((a, f)))
                    }
                    (BinaryOp::Release, true) => {
                        let then = vec![(f, true), (g, true)];
                        (Run::Until(b.clone(), Some(g), both, then), Some((b, g)))
                    }
                    (BinaryOp::Until, false) => {
                        let then = vec![(f, false), (g, false)];
                        (Run::Until(b.clone(), Some(g), both, then), Some((b, g)))
                    }
                    (BinaryOp::Weak, false) => {
                        (Run::Until(b, Some(g), both, vec![(f, false), (g, false)]), None)
                    }
                    (BinaryOp::Release, false) => (Run::Until(a, Some(f), b, vec![(g, false)]), None),
                };
                if let Some((forever, of)) = forever {
                    let always = self.exists_always(&forever)?;
                    if self.sets.meet(state, &always)? {
                        return self.follow(frame, Run::Always(forever, of), bindings, state);
                    }
                }
                self.follow(frame, until, bindings, state)
            }
        }
    }

    /// Explains that of several facts which is one and shows most; whether it takes `all` that are.
    fn explain_one(
        &mut self,
        frame: &Frame,
        facts: &[Next<'_>],
        all: bool,
        bindings: &mut Bindings,
        state: &S::Set,
    ) -> Result<Explanation<S::Set>, S::Error> {
        let mut best: Option<Explanation<S::Set>> = None;
        let (mut temporal, mut complete) = (0, true);
        for (formula, holds) in facts {
            let inside = self.satisfying(frame, formula, bindings)?;
            if self.sets.meet(state, &inside)? != *holds {
                continue;
            }
            temporal += usize::from(formula.is_temporal());
            let found = self.explain(frame, formula, bindings, state, *holds)?;
            complete &= found.complete;
            if best.as_ref().is_none_or(|best| found.weight() > best.weight()) {
                best = Some(found);
            }
        }
        let mut best = best.unwrap_or_else(|| Explanation::at(state.clone(), bindings, false));
        best.complete &= !all || (temporal < 2 && complete);
        Ok(best)
    }

    fn follow(
        &mut self,
        frame: &Frame,
        run: Run<'_, S::Set>,
        bindings: &mut Bindings,
        state: &S::Set,
    ) -> Result<Explanation<S::Set>, S::Error> {
        // On the way, conditions are seen to hold; formulas are not.
        let seen = match &run {
            Run::Next(..) | Run::Until(_, None, ..) => true,
            Run::Until(_, Some(formula), ..) | Run::Always(_, formula) => !formula.is_temporal(),
        };
        let (path, then) = match run {
            Run::Next(goal, then) => {
                let goal = self.fairly(goal)?;
                let next = self.sets.post(state)?;
                let next = self.sets.and(&next, &goal)?;
                let path = self.sets.pick(&next)?.map(|next| {
                    let mut path = Path::at(state.clone());
                    path.steps.push(Step { state: next, by: None });
                    path
                });
                (path, vec![then])
            }
            Run::Until(region, _, goal, then) => {
                let goal = self.fairly(goal)?;
                (path_within(self.sets, state, &goal, &region)?, then)
            }
            Run::Always(region, _) => {
                let core = self.sets.feasible(&self.constraints, &region)?;
                (self.sets.lasso(&self.constraints, state, &region, &core)?, Vec::new())
            }
        };
        let Some(mut path) = path else { return Ok(Explanation::at(state.clone(), bindings, false)) };
        if path.back.is_some() {
            return Ok(Explanation { path, bindings: bindings.clone(), complete: seen });
        }
        let last = path.steps[path.steps.len() - 1].state.clone();
        let rest = self.explain_one(frame, &then, true, bindings, &last)?;
        let (complete, bindings) = (seen && rest.complete, rest.bindings);
        path.join(rest.path);
        if path.back.is_none() {
            self.go_on_fairly(&mut path)?;
        }
        Ok(Explanation { path, bindings, complete })
    }

    /// With fairness constraints, a run that has shown enough must still have a fair end.
    fn go_on_fairly(&mut self, path: &mut Path<S::Set>) -> Result<(), S::Error> {
        let Some((core, _)) = self.fair.clone() else { return Ok(()) };
        let universe = self.sets.universe()?;
        let last = path.steps[path.steps.len() - 1].state.clone();
        let reaching = reach_within(self.sets, &universe, &core)?;
        if !self.sets.meet(&last, &reaching)? {
            return Ok(());
        }
        if let Some(end) = self.sets.lasso(&self.constraints, &last, &universe, &core)? {
            path.join(end);
        }
        Ok(())
    }
}
