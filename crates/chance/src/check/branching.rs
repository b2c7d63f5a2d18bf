//! `A [ … ]` and `E [ … ]`: what the graph decides, whatever the probabilities are. Everything reduces to until.

use burnside_model::Span;
use burnside_model::chance::{Bounds, Kind, Path, PathOp};

use super::paths::{both, negated, steps};
use super::{Checked, Checker};
use crate::graph::Set;
use crate::step::{ProblemKind, problem};

impl Checker<'_> {
    pub(super) fn branching(&mut self, all: bool, path: &Path, span: Span) -> Checked<Set> {
        let wrong = |message: &str| Err(problem(ProblemKind::Property, message.to_owned(), span, &[]).into());
        let (op, bounds, parts) = match path {
            Path::State(states) => return self.states(states, span),
            Path::Temporal(op, bounds, parts) => (op, bounds, parts),
            _ => return wrong("only one temporal operator can stand inside `A [ ]` and `E [ ]`"),
        };
        let (Path::State(a), Path::State(b)) = (&parts[0], &parts[1]) else {
            return wrong("only one temporal operator can stand inside `A [ ]` and `E [ ]`");
        };
        if !bounds.is_none() && self.chain.kind == Kind::Ctmc {
            return wrong("`A` and `E` with bounds on time are not supported");
        }
        let (a, b) = (self.states(a, span)?, self.states(b, span)?);
        Ok(match op {
            PathOp::Next => self.step_into(all, &b),
            PathOp::Finally | PathOp::Until => self.graph_until(all, &a, &b, bounds),
            PathOp::Globally => negated(&self.graph_until(!all, &vec![true; b.len()], &negated(&b), bounds)),
            PathOp::WeakUntil => {
                let neither = both(&negated(&a), &negated(&b));
                negated(&self.graph_until(!all, &both(&a, &negated(&b)), &neither, bounds))
            }
            PathOp::Release => negated(&self.graph_until(!all, &negated(&a), &negated(&b), bounds)),
        })
    }

    /// States from which all steps, or some step, lead into a set.
    fn step_into(&self, all: bool, set: &Set) -> Set {
        let chain = self.chain;
        let step = |state: usize| {
            let mut targets = chain.successors(state).iter().map(|target| set[*target as usize]);
            if all { targets.all(|inside| inside) } else { targets.any(|inside| inside) }
        };
        (0..chain.len()).map(step).collect()
    }

    fn graph_until(&self, all: bool, a: &Set, b: &Set, bounds: &Bounds) -> Set {
        let (lower, upper) = if bounds.is_none() { (0, None) } else { steps(bounds) };
        let limit = upper.map_or(u64::MAX, |upper| upper.saturating_sub(lower));
        let mut found = b.clone();
        for _ in 0..limit {
            if self.chain.deadline.has_passed() {
                break;
            }
            let mut next = both(a, &self.step_into(all, &found));
            next.iter_mut().zip(b).for_each(|(inside, b)| *inside |= *b);
            if next == found {
                break;
            }
            found = next;
        }
        for _ in 0..lower {
            if self.chain.deadline.has_passed() {
                break;
            }
            found = both(a, &self.step_into(all, &found));
        }
        found
    }
}
