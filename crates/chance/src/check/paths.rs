//! Probabilities of paths: next, until and what reduces to it, with and without bounds; and repeated reachability.

use burnside_model::Span;
use burnside_model::chance::{Bounds, Expr, Kind, Optimum, Path, PathOp};
use dashu_ratio::RBig;

use super::column::Column;
use super::{Checked, Checker};
use crate::graph::{self, Set};
use crate::solve::{NONE, Terms};
use crate::step::{ProblemKind, problem};
use crate::transient;

/// Steps from a lower to an upper bound.
pub(super) fn steps(bounds: &Bounds) -> (u64, Option<u64>) {
    let whole = |at: &burnside_model::chance::Real| at.floor().unwrap_or(0).max(0) as u64;
    let lower = bounds.lower.as_ref().map_or(0, |bound| whole(&bound.at) + u64::from(bound.strict));
    let upper = bounds.upper.as_ref().map(|bound| whole(&bound.at).saturating_sub(u64::from(bound.strict)));
    (lower, upper)
}

fn other(optimum: Option<Optimum>) -> Option<Optimum> {
    optimum.map(|optimum| if optimum == Optimum::Min { Optimum::Max } else { Optimum::Min })
}

pub(super) fn negated(set: &Set) -> Set {
    set.iter().map(|inside| !inside).collect()
}

pub(super) fn both(a: &Set, b: &Set) -> Set {
    a.iter().zip(b).map(|(a, b)| *a && *b).collect()
}

impl Checker<'_> {
    /// The probability of a path formula in all states.
    pub(super) fn probability(
        &mut self,
        path: &Path,
        optimum: Option<Optimum>,
        span: Span,
    ) -> Checked<Column> {
        let maximise = optimum != Some(Optimum::Min);
        match path {
            Path::State(states) => {
                let set = self.set(states, span)?;
                Ok(self.indicator(&set))
            }
            Path::Not(inner) => Ok(self.probability(inner, other(optimum), span)?.complement()),
            Path::Temporal(PathOp::Globally, bounds, parts) if bounds.is_none() => match &parts[1] {
                Path::Temporal(PathOp::Finally, inner, again) if inner.is_none() => {
                    let set = self.state_set(&again[1], span)?;
                    self.repeatedly(&set, maximise)
                }
                _ => self.temporal(path, optimum, span),
            },
            Path::Temporal(PathOp::Finally, bounds, parts) if bounds.is_none() => match &parts[1] {
                Path::Temporal(PathOp::Globally, inner, again) if inner.is_none() => {
                    let set = negated(&self.state_set(&again[1], span)?);
                    Ok(self.repeatedly(&set, !maximise)?.complement())
                }
                _ => self.temporal(path, optimum, span),
            },
            Path::Temporal(..) => self.temporal(path, optimum, span),
            Path::Join(..) => Err(self.unsupported(span)),
        }
    }

    fn unsupported(&self, span: Span) -> super::Trouble {
        let message =
            "LTL formulas other than `G F φ`, `F G φ` and one temporal operator are not supported".to_owned();
        problem(ProblemKind::Property, message, span, &[]).into()
    }

    fn state_set(&mut self, path: &Path, span: Span) -> Checked<Set> {
        match path {
            Path::State(states) => self.set(states, span),
            Path::Not(inner) => Ok(negated(&self.state_set(inner, span)?)),
            _ => Err(self.unsupported(span)),
        }
    }

    fn temporal(&mut self, path: &Path, optimum: Option<Optimum>, span: Span) -> Checked<Column> {
        let Path::Temporal(op, bounds, parts) = path else { return Err(self.unsupported(span)) };
        let a = self.state_set(&parts[0], span)?;
        let b = self.state_set(&parts[1], span)?;
        let maximise = optimum != Some(Optimum::Min);
        match op {
            PathOp::Next => self.next(&b, maximise),
            PathOp::Finally | PathOp::Until => self.until(&a, &b, bounds, maximise),
            PathOp::Globally => {
                Ok(self.until(&vec![true; b.len()], &negated(&b), bounds, !maximise)?.complement())
            }
            PathOp::WeakUntil => {
                let neither = both(&negated(&a), &negated(&b));
                Ok(self.until(&both(&a, &negated(&b)), &neither, bounds, !maximise)?.complement())
            }
            PathOp::Release => Ok(self.until(&negated(&a), &negated(&b), bounds, !maximise)?.complement()),
        }
    }

    pub(super) fn indicator(&self, set: &Set) -> Column {
        if self.exact() {
            return Column::Exact(set.iter().map(|inside| Some(RBig::from(u8::from(*inside)))).collect());
        }
        Column::points(set.iter().map(|inside| f64::from(u8::from(*inside))).collect())
    }

    fn next(&mut self, goal: &Set, maximise: bool) -> Checked<Column> {
        let all = vec![true; goal.len()];
        let start = self.indicator(goal);
        Ok(self.sweep(start, 1, maximise, &all, true))
    }

    /// So many steps backwards from some values; states outside of `moving` keep theirs, or have 0.
    fn sweep(&mut self, from: Column, count: u64, maximise: bool, moving: &Set, drop: bool) -> Column {
        let chain = self.chain;
        match from {
            Column::Exact(mut x) => {
                let weights = chain.exact.as_deref().unwrap_or(&[]);
                for _ in 0..count {
                    if chain.deadline.has_passed() {
                        break;
                    }
                    let mut after = x.clone();
                    for state in 0..chain.len() {
                        if !moving[state] {
                            if drop {
                                after[state] = Some(RBig::ZERO);
                            }
                            continue;
                        }
                        let values = chain.choices_of(state).map(|choice| {
                            let total = self.exact_total(choice);
                            let mut sum = RBig::ZERO;
                            for branch in chain.branches_of(choice) {
                                if let Some(value) = &x[chain.targets[branch] as usize] {
                                    sum += &weights[branch] * value;
                                }
                            }
                            sum / total
                        });
                        after[state] = if maximise { values.max() } else { values.min() };
                    }
                    x = after;
                }
                Column::Exact(x)
            }
            Column::Bounds(mut low, mut high) => {
                let point = low == high;
                for round in 0..count {
                    if chain.deadline.has_passed() {
                        break;
                    }
                    let next = self.one_sweep(&low, maximise, moving, drop);
                    let same = next == low;
                    low = next;
                    if !point {
                        let next = self.one_sweep(&high, maximise, moving, drop);
                        let same_high = next == high;
                        high = next;
                        if same && same_high && round > 0 {
                            break;
                        }
                    } else if same && round > 0 {
                        break;
                    }
                }
                self.sweeps += count;
                if point { Column::points(low) } else { Column::Bounds(low, high) }
            }
            other => other,
        }
    }

    fn exact_total(&self, choice: usize) -> RBig {
        match (&self.chain.exact, self.chain.kind) {
            (Some(weights), Kind::Ctmc) => {
                weights[self.chain.branches_of(choice)].iter().fold(RBig::ZERO, |sum, weight| sum + weight)
            }
            _ => RBig::ONE,
        }
    }

    fn one_sweep(&self, x: &[f64], maximise: bool, moving: &Set, drop: bool) -> Vec<f64> {
        let chain = self.chain;
        let mut after = x.to_vec();
        for state in 0..chain.len() {
            if !moving[state] {
                if drop {
                    after[state] = 0.0;
                }
                continue;
            }
            let mut best: Option<f64> = None;
            for choice in chain.choices_of(state) {
                let range = chain.branches_of(choice);
                let mut sum = 0.0;
                for (target, weight) in chain.targets[range.clone()].iter().zip(&chain.weights[range]) {
                    sum += weight * x[*target as usize];
                }
                if chain.kind == Kind::Ctmc {
                    sum /= chain.total(choice);
                }
                best = Some(match best {
                    None => sum,
                    Some(best) if maximise => best.max(sum),
                    Some(best) => best.min(sum),
                });
            }
            after[state] = best.unwrap_or(0.0);
        }
        after
    }

    /// `a U b` within bounds.
    pub(super) fn until(&mut self, a: &Set, b: &Set, bounds: &Bounds, maximise: bool) -> Checked<Column> {
        if bounds.is_none() {
            return Ok(self.reach(a, b, maximise));
        }
        if self.chain.kind == Kind::Ctmc {
            let time = |bound: &Option<burnside_model::chance::Bound>| bound.as_ref().map(|b| b.at.to_f64());
            let lower = time(&bounds.lower).unwrap_or(0.0);
            let after = match time(&bounds.upper) {
                Some(upper) => {
                    let moving = both(a, &negated(b));
                    let start: Vec<f64> = b.iter().map(|inside| f64::from(u8::from(*inside))).collect();
                    transient::at_time(self.chain, start.clone(), start, &moving, upper - lower)
                }
                None => match self.reach(a, b, maximise) {
                    Column::Bounds(low, high) => (low, high),
                    Column::Exact(values) => {
                        let values: Vec<f64> =
                            values.iter().map(|v| v.as_ref().map_or(0.0, |v| v.to_f64().value())).collect();
                        (values.clone(), values)
                    }
                    Column::Bool(_) => (Vec::new(), Vec::new()),
                },
            };
            if lower == 0.0 {
                return Ok(Column::Bounds(after.0, after.1));
            }
            let keep =
                |values: Vec<f64>| values.iter().zip(a).map(|(v, a)| if *a { *v } else { 0.0 }).collect();
            let found = transient::at_time(self.chain, keep(after.0), keep(after.1), a, lower);
            return Ok(Column::Bounds(found.0, found.1));
        }
        let (lower, upper) = steps(bounds);
        let after = match upper {
            Some(upper) => {
                let moving = both(a, &negated(b));
                let start = self.indicator(b);
                self.sweep(start, upper.saturating_sub(lower), maximise, &moving, false)
            }
            None => self.reach(a, b, maximise),
        };
        if upper.is_some_and(|upper| upper < lower) {
            return Ok(self.indicator(&vec![false; a.len()]));
        }
        Ok(self.sweep(after, lower, maximise, a, true))
    }

    /// `a U b`.
    pub(super) fn reach(&mut self, a: &Set, b: &Set, maximise: bool) -> Column {
        let chain = self.chain;
        let (positive, sure) = if maximise {
            (graph::can_reach(&self.back, b, a), graph::surely_some(chain, &self.back, b, a))
        } else {
            (graph::must_reach(chain, &self.back, b, a), graph::surely_all(chain, &self.back, b, a))
        };
        let mut row_of = vec![NONE; chain.len()];
        let mut rows = 0;
        for state in 0..chain.len() {
            if positive[state] && !sure[state] {
                row_of[state] = rows;
                rows += 1;
            }
        }
        let known = |state: usize| f64::from(u8::from(sure[state]));
        let exactly_known = |state: usize| RBig::from(u8::from(sure[state]));
        let terms = Terms {
            chain,
            row_of,
            rows: rows as usize,
            known: &known,
            exactly_known: &exactly_known,
            usable: None,
            earned: None,
            exactly_earned: None,
            maximise,
        };
        self.solved(terms, |state| Some(exactly_known(state)), known)
    }

    /// Solves equations, and completes the solution by what is known; none is infinite.
    pub(super) fn solved(
        &mut self,
        terms: Terms,
        exactly: impl Fn(usize) -> Option<RBig>,
        known: impl Fn(usize) -> f64,
    ) -> Column {
        let equations = terms.equations();
        let row = |state: usize| equations.row_of[state];
        if self.exact()
            && let Some(x) = equations.solve_exactly()
        {
            let value = |state| match row(state) {
                NONE => exactly(state),
                row => Some(x[row as usize].clone()),
            };
            return Column::Exact((0..self.chain.len()).map(value).collect());
        }
        let solution = equations.solve(self.precision);
        self.sweeps += solution.sweeps;
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for state in 0..self.chain.len() {
            match row(state) {
                NONE => {
                    low.push(known(state));
                    high.push(known(state));
                }
                row => {
                    low.push(solution.low[row as usize]);
                    high.push(solution.high[row as usize]);
                }
            }
        }
        Column::Bounds(low, high)
    }

    /// The probability to visit a set again and again: to reach an end component with a state of it. The least one is
    /// that not to stay outside for ever.
    fn repeatedly(&mut self, set: &Set, maximise: bool) -> Checked<Column> {
        let chain = self.chain;
        let all = vec![true; chain.len()];
        let mut goal = vec![false; chain.len()];
        let inside = if maximise { all.clone() } else { negated(set) };
        for component in graph::end_components(chain, &inside, &|_| true) {
            if !maximise || component.iter().any(|state| set[*state as usize]) {
                component.iter().for_each(|state| goal[*state as usize] = true);
            }
        }
        let found = self.reach(&all, &goal, true);
        Ok(if maximise { found } else { found.complement() })
    }

    /// The states of a formula; for rewards and the long run.
    pub(super) fn states(&mut self, states: &Expr, span: Span) -> Checked<Set> {
        self.set(states, span)
    }
}
