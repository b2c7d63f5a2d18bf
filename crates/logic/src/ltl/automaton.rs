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
    /// Where it leads.
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
    /// The automaton of a formula.
    pub fn new(formulas: &mut Nnf, root: Id) -> Buchi {
        let untils: Vec<Id> =
            formulas.ids().filter(|id| matches!(formulas.node(*id), Node::Until(..))).collect();
        let mut known: HashMap<Vec<Id>, usize> = HashMap::from([(vec![root], 0)]);
        let mut sets = vec![vec![root]];
        let mut states = Vec::new();
        while let Some(set) = sets.get(states.len()).cloned() {
            let mut branches = Vec::new();
            unfold(formulas, &untils, set, Branch::default(), &mut branches);
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
            states.push(transitions);
        }
        Buchi { states, acceptance: untils.len() }.simplified()
    }
}

/// Unfolds what must hold now into branches of literals now and formulas next.
fn unfold(formulas: &Nnf, untils: &[Id], mut open: Vec<Id>, mut branch: Branch, found: &mut Vec<Branch>) {
    let Some(formula) = open.pop() else {
        found.push(branch);
        return;
    };
    if branch.done.contains(&formula) {
        return unfold(formulas, untils, open, branch, found);
    }
    branch.done.push(formula);
    match formulas.node(formula) {
        Node::Constant(false) => {}
        Node::Constant(true) => unfold(formulas, untils, open, branch, found),
        Node::Literal(atom, positive) => {
            if branch.guard.contains(&(atom, !positive)) {
                return;
            }
            branch.guard.push((atom, positive));
            unfold(formulas, untils, open, branch, found);
        }
        Node::And(a, b) => {
            open.extend([a, b]);
            unfold(formulas, untils, open, branch, found);
        }
        Node::Or(a, b) => {
            for part in [a, b] {
                let mut open = open.clone();
                open.push(part);
                unfold(formulas, untils, open, branch.clone(), found);
            }
        }
        Node::Next(a) => {
            branch.next.push(a);
            unfold(formulas, untils, open, branch, found);
        }
        Node::Until(a, b) => {
            let mut now = open.clone();
            now.push(b);
            unfold(formulas, untils, now, branch.clone(), found);
            open.push(a);
            branch.next.push(formula);
            branch.missed.extend(untils.iter().position(|until| *until == formula));
            unfold(formulas, untils, open, branch, found);
        }
        Node::Release(a, b) => {
            let mut last = open.clone();
            last.extend([a, b]);
            unfold(formulas, untils, last, branch.clone(), found);
            open.push(b);
            branch.next.push(formula);
            unfold(formulas, untils, open, branch, found);
        }
    }
}
