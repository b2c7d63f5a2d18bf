//! Safety formulas of LTL: automata that accept the finite beginnings of runs after which a formula cannot hold any more.
//!
//! The syntactic safety fragment has, in negation normal form, no `U` and no `F`: what it asks for can only be missed at
//! some point. So its negation has no `R` and no `G`, and a run satisfies that as soon as nothing is left to be shown. The
//! states of the automaton are what is left.

use std::collections::BTreeSet;

use burnside_model::Model;
use burnside_model::code::{Expr, Frame};
use burnside_model::system::Formula;

use super::{Atoms, Id, Nnf, Node, Reader};
use crate::ctl::Bindings;

/// The most states of an automaton, and the most moves of a state.
const MOST_STATES: usize = 1024;

/// What is possible in a state of an automaton.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Move {
    /// What the state of the model must satisfy: atoms, by number, or their negations.
    pub literals: Vec<(usize, bool)>,
    /// The next state; none if the formula cannot hold any more, whatever follows.
    pub to: Option<usize>,
}

/// An automaton for the beginnings of runs that violate a formula; its first state is 0.
#[derive(Clone, Debug)]
pub struct Prefixes<'f> {
    /// Per state, what is possible.
    pub states: Vec<Vec<Move>>,
    /// What it looks at.
    pub atoms: Atoms<'f>,
}

/// Why a formula has no such automaton.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoPrefixes {
    /// It is not in the syntactic safety fragment.
    NotSafety,
    /// The automaton would be too large.
    TooLarge,
}

/// The automaton for the beginnings of runs that violate a formula for these values of variables.
pub fn bad_prefixes<'f>(
    model: &Model,
    frame: &Frame,
    formula: &'f Formula,
    bindings: &mut Bindings,
) -> Result<Prefixes<'f>, NoPrefixes> {
    let (formulas, root, atoms) = negation(model, frame, formula, bindings);
    if !is_finite(&formulas, root) {
        return Err(NoPrefixes::NotSafety);
    }
    let mut known: Vec<BTreeSet<Id>> = vec![BTreeSet::from([root])];
    let mut states = Vec::new();
    while let Some(left) = known.get(states.len()).cloned() {
        let mut moves: Vec<Move> = Vec::new();
        for (literals, next) in ways(&formulas, &left).ok_or(NoPrefixes::TooLarge)? {
            let to = (!next.is_empty()).then(|| {
                known.iter().position(|other| *other == next).unwrap_or_else(|| {
                    known.push(next);
                    known.len() - 1
                })
            });
            let made = Move { literals: literals.into_iter().collect(), to };
            if !moves.contains(&made) {
                moves.push(made);
            }
        }
        if known.len() > MOST_STATES {
            return Err(NoPrefixes::TooLarge);
        }
        states.push(moves);
    }
    Ok(Prefixes { states, atoms })
}

/// Whether a finite run shows that the formula does not hold, whatever follows: found without an automaton, to check one.
pub fn is_bad_prefix<'f, E>(
    model: &Model,
    frame: &Frame,
    formula: &'f Formula,
    bindings: &mut Bindings,
    length: usize,
    holds: &mut dyn FnMut(usize, &'f Expr, &Bindings) -> Result<bool, E>,
) -> Result<bool, E> {
    let (formulas, root, atoms) = negation(model, frame, formula, bindings);
    // From the last state back; after it, nothing is known to hold.
    let mut after = vec![false; formulas.ids().count()];
    for at in (0..length).rev() {
        let mut here = vec![false; after.len()];
        // The parts of a formula were made before it.
        for id in formulas.ids() {
            let so = |id: Id| here[id.0 as usize];
            here[id.0 as usize] = match formulas.node(id) {
                Node::Constant(value) => value,
                Node::Literal(atom, positive) => {
                    let (condition, bindings) = &atoms[atom];
                    holds(at, condition, bindings)? == positive
                }
                Node::And(a, b) => so(a) && so(b),
                Node::Or(a, b) => so(a) || so(b),
                Node::Next(a) => after[a.0 as usize],
                Node::Until(a, b) => so(b) || so(a) && after[id.0 as usize],
                Node::Release(a, b) => so(a) && so(b) || so(b) && after[id.0 as usize],
            };
        }
        after = here;
    }
    Ok(after[root.0 as usize])
}

/// The negation of a formula, and the atoms in it.
fn negation<'f>(
    model: &Model,
    frame: &Frame,
    formula: &'f Formula,
    bindings: &mut Bindings,
) -> (Nnf, Id, Atoms<'f>) {
    let mut reader = Reader { model, frame, formulas: Nnf::default(), atoms: Vec::new() };
    let root = reader.read(formula, bindings, false);
    (reader.formulas, root, reader.atoms)
}

/// Whether what a formula asks for is done after finitely many states.
fn is_finite(formulas: &Nnf, id: Id) -> bool {
    match formulas.node(id) {
        Node::Constant(_) | Node::Literal(..) => true,
        Node::Next(a) => is_finite(formulas, a),
        Node::And(a, b) | Node::Or(a, b) | Node::Until(a, b) => {
            is_finite(formulas, a) && is_finite(formulas, b)
        }
        Node::Release(..) => false,
    }
}

/// A way to satisfy some formulas: by what holds now, and what then is left to be shown.
type Way = (BTreeSet<(usize, bool)>, BTreeSet<Id>);

/// All ways to satisfy some formulas, if there are not too many.
fn ways(formulas: &Nnf, left: &BTreeSet<Id>) -> Option<Vec<Way>> {
    let mut done = Vec::new();
    let mut open = vec![(left.iter().copied().collect::<Vec<_>>(), BTreeSet::new(), BTreeSet::new())];
    while let Some((mut todo, mut literals, mut next)) = open.pop() {
        if done.len() + open.len() > MOST_STATES {
            return None;
        }
        let Some(id) = todo.pop() else {
            if !done.contains(&(literals.clone(), next.clone())) {
                done.push((literals, next));
            }
            continue;
        };
        match formulas.node(id) {
            Node::Constant(false) | Node::Release(..) => continue,
            Node::Constant(true) => {}
            Node::Literal(atom, positive) => {
                if literals.contains(&(atom, !positive)) {
                    continue;
                }
                literals.insert((atom, positive));
            }
            Node::And(a, b) => todo.extend([a, b]),
            Node::Or(a, b) => {
                let mut other = todo.clone();
                other.push(b);
                open.push((other, literals.clone(), next.clone()));
                todo.push(a);
            }
            Node::Next(a) => _ = next.insert(a),
            Node::Until(a, b) => {
                let (mut later, mut then) = (todo.clone(), next.clone());
                later.push(a);
                then.insert(id);
                open.push((later, literals.clone(), then));
                todo.push(b);
            }
        }
        open.push((todo, literals, next));
    }
    Some(done)
}
