//! Generalised Büchi automata with acceptance on transitions, by the tableau of Couvreur ("On-the-fly verification of
//! linear temporal logic", 1999).
//!
//! A state is a set of formulas that the rest of the run must satisfy. They are unfolded: `a U b` is `b`, or `a` now and
//! the same again next, with a promise of `b` that is still open. A run is accepted if no promise stays open for ever,
//! that is, if for each until it has infinitely many transitions that do not put it off.

use std::collections::HashMap;

use super::nnf::{Id, Nnf, Node};

/// A step of an automaton, while it reads one state of a run.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Transition {
    /// The atoms that must hold, or must not, in that state; by number, in order.
    pub guard: Vec<(usize, bool)>,
    /// The acceptance sets that it does not belong to, in order.
    pub missed: Vec<usize>,
    pub to: usize,
}

/// A generalised Büchi automaton: a run is accepted if it has a way from the first state that takes, for each acceptance
/// set, infinitely many transitions of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buchi {
    /// The transitions of each state; the first state is the initial one, and there is always one.
    pub states: Vec<Vec<Transition>>,
    /// How many acceptance sets there are.
    pub acceptance: usize,
}

/// What is left to satisfy, on one branch of the unfolding of a state.
#[derive(Clone, Default)]
struct Branch {
    guard: Vec<(usize, bool)>,
    missed: Vec<usize>,
    next: Vec<Id>,
    done: Vec<Id>,
}

impl Buchi {
    /// The automaton of a formula; none if it has more than `most` transitions before it is simplified.
    pub fn new(formulas: &mut Nnf, root: Id, most: usize) -> Option<Buchi> {
        let untils: Vec<Id> =
            formulas.ids().filter(|id| matches!(formulas.node(*id), Node::Until(..))).collect();
        let mut known: HashMap<Vec<Id>, usize> = HashMap::from([(vec![root], 0)]);
        let mut sets = vec![vec![root]];
        let mut states: Vec<Vec<Transition>> = Vec::new();
        let mut left = most;
        while let Some(set) = sets.get(states.len()).cloned() {
            let mut branches = Vec::new();
            let mut unfolding = Unfolding { formulas, untils: &untils, found: &mut branches, most: left };
            unfolding.unfold(set, Branch::default());
            left = left.checked_sub(branches.len())?;
            let mut transitions = Vec::new();
            for Branch { mut guard, mut missed, mut next, .. } in branches {
                guard.sort_unstable();
                missed.sort_unstable();
                next.sort_unstable();
                next.dedup();
                let to = *known.entry(next).or_insert_with_key(|next| {
                    sets.push(next.clone());
                    sets.len() - 1
                });
                transitions.push(Transition { guard, missed, to });
            }
            transitions.sort_unstable();
            transitions.dedup();
            states.push(transitions);
        }
        Some(Buchi { states, acceptance: untils.len() }.simplified())
    }
}

/// The unfolding of what must hold now.
struct Unfolding<'u> {
    formulas: &'u Nnf,
    untils: &'u [Id],
    found: &'u mut Vec<Branch>,
    /// Enough branches; one more is found where there are more.
    most: usize,
}

impl Unfolding<'_> {
    /// Unfolds into branches of literals now and formulas next.
    fn unfold(&mut self, mut open: Vec<Id>, mut branch: Branch) {
        if self.found.len() > self.most {
            return;
        }
        let Some(formula) = open.pop() else {
            self.found.push(branch);
            return;
        };
        if branch.done.contains(&formula) {
            return self.unfold(open, branch);
        }
        branch.done.push(formula);
        match self.formulas.node(formula) {
            Node::Constant(false) => {}
            Node::Constant(true) => self.unfold(open, branch),
            Node::Literal(atom, positive) => {
                if branch.guard.contains(&(atom, !positive)) {
                    return;
                }
                branch.guard.push((atom, positive));
                self.unfold(open, branch);
            }
            Node::And(a, b) => {
                open.extend([a, b]);
                self.unfold(open, branch);
            }
            Node::Or(a, b) => {
                for part in [a, b] {
                    let mut open = open.clone();
                    open.push(part);
                    self.unfold(open, branch.clone());
                }
            }
            Node::Next(a) => {
                branch.next.push(a);
                self.unfold(open, branch);
            }
            Node::Until(a, b) => {
                let mut now = open.clone();
                now.push(b);
                self.unfold(now, branch.clone());
                open.push(a);
                branch.next.push(formula);
                branch.missed.extend(self.untils.iter().position(|until| *until == formula));
                self.unfold(open, branch);
            }
            Node::Release(a, b) => {
                let mut last = open.clone();
                last.extend([a, b]);
                self.unfold(last, branch.clone());
                open.push(b);
                branch.next.push(formula);
                self.unfold(open, branch);
            }
        }
    }
}
