//! Safety formulas of LTL (paper 001, §5): the model beside an automaton that accepts the beginnings of bad runs.
//!
//! A state of the product is a state of the model and one of the automaton; a permutation moves the former and leaves the
//! latter alone, so the product has the symmetries of the model that keep the formula's conditions (the paper's Definition
//! 4 and Lemma 4). There are few states of the automaton: the states of the model are kept by them, in one set for each.

use burnside_logic::ctl::{Bindings, instances};
use burnside_logic::loop_values;
use burnside_logic::ltl::{NoPrefixes, Prefixes, bad_prefixes};
use burnside_model::code::{Cell, Quantifier};
use burnside_model::findings::{Ending, Lasso, Witness};
use burnside_model::system::{Formula, FormulaKind, Property};

use crate::algebra::Failed;
use crate::bdd::{Bdd, OutOfNodes};
use crate::search::{Reach, Stop};
use crate::system::System;

use super::search::{Closed, Explorer};
use super::under::Subsetter;

/// A formula for some values of the variables around it.
pub struct Case<'f> {
    /// What is inside the quantifiers.
    pub formula: &'f Formula,
    pub bindings: Bindings,
}

/// The cases of a property: it holds if and only if all of them do.
pub fn cases<'p>(system: &System<'_>, property: &'p Property) -> Vec<Case<'p>> {
    let model = system.encoding.model;
    let mut open: Vec<Case<'p>> = Vec::new();
    for bindings in instances(model, property) {
        open.extend(property.formula.iter().map(|formula| Case { formula, bindings: bindings.clone() }));
    }
    let mut done = Vec::new();
    while let Some(Case { formula, bindings }) = open.pop() {
        match &formula.kind {
            FormulaKind::Quantified(Quantifier::Forall, each, inner) => {
                for value in loop_values(model, &property.frame, each) {
                    let mut bindings = bindings.clone();
                    bindings.push((each.local, value));
                    open.push(Case { formula: inner, bindings });
                }
            }
            _ => done.push(Case { formula, bindings }),
        }
    }
    done
}

/// The automaton of a case and where each of its atoms holds; or why there is none.
pub fn automaton<'f>(
    system: &System<'_>,
    property: &Property,
    case: &Case<'f>,
) -> Result<(Prefixes<'f>, Vec<Bdd>), String> {
    let mut bindings = case.bindings.clone();
    let made = bad_prefixes(system.encoding.model, &property.frame, case.formula, &mut bindings);
    let prefixes = made.map_err(|why| match why {
        NoPrefixes::NotSafety => {
            "it is not in the syntactic safety fragment of ltl, which has no `F` and no `U` once \
            negations are moved to the conditions"
                .to_owned()
        }
        NoPrefixes::TooLarge => "its automaton is too large".to_owned(),
    })?;
    let atoms = prefixes
        .atoms
        .iter()
        .map(|(condition, bindings)| system.facts.condition(condition, bindings).cloned());
    let atoms: Option<Vec<Bdd>> = atoms.collect();
    let atoms = atoms.ok_or("a condition of it was not evaluated")?;
    Ok((prefixes, atoms))
}

/// The product of a model and an automaton.
pub struct Product<'p> {
    system: &'p System<'p>,
    explorer: &'p Explorer<'p>,
    /// Per state of the automaton: where each move is possible, and where it leads.
    moves: Vec<Vec<(Bdd, Option<usize>)>>,
    /// Per state of the automaton, the states of the model.
    reached: Vec<Bdd>,
    /// States of the product, and how many steps of the search.
    pub depth: u64,
}

/// How the search of a product ended.
pub enum Found {
    /// A run to a state after which the formula cannot hold any more.
    Violated(Vec<Vec<Cell>>),
    Nothing,
}

impl<'p> Product<'p> {
    /// The product of the system with an automaton whose atoms hold there.
    pub fn new(
        system: &'p System<'p>,
        explorer: &'p Explorer<'p>,
        prefixes: &Prefixes<'_>,
        atoms: &[Bdd],
    ) -> Result<Self, OutOfNodes> {
        let manager = system.diagrams.manager;
        let mut moves = Vec::new();
        for state in &prefixes.states {
            let mut possible = Vec::new();
            for step in state {
                let mut here = manager.constant(true);
                for (atom, positive) in &step.literals {
                    here = if *positive { here.and(&atoms[*atom])? } else { here.minus(&atoms[*atom])? };
                }
                possible.push((here, step.to));
            }
            moves.push(possible);
        }
        let mut reached = vec![manager.constant(false); moves.len()];
        reached[0] = system.initial.clone();
        Ok(Product { system, explorer, moves, reached, depth: 0 })
    }

    /// All states of the model in it.
    pub fn states(&self) -> Result<Bdd, OutOfNodes> {
        let none = self.system.diagrams.manager.constant(false);
        self.reached.iter().try_fold(none, |all, set| all.or(set))
    }

    /// Where steps of the model lead; what cannot step stays.
    fn successors(&self, reach: &Reach<'_>, set: &Bdd) -> Result<Bdd, Stop> {
        let facts = &self.system.facts;
        let stays = set.and(&facts.idling)?.or(&set.minus(&facts.moving)?)?;
        Ok(reach.image(set)?.or(&stays)?)
    }

    fn predecessors(&self, reach: &Reach<'_>, set: &Bdd) -> Result<Bdd, Stop> {
        let facts = &self.system.facts;
        let stays = set.and(&facts.idling)?.or(&set.minus(&facts.moving)?)?;
        Ok(reach.preimage(set, &reach.manager.constant(true))?.or(&stays)?)
    }

    /// Searches for a bad beginning.
    pub fn search(&mut self, reach: &Reach<'_>) -> Result<Found, Stop> {
        if let Some(run) = self.bad(reach, 0, &self.reached[0].clone())? {
            return Ok(Found::Violated(run));
        }
        let everywhere = reach.manager.constant(true);
        let mut subsetter = self.explorer.under.map(Subsetter::new);
        let mut waiting = self.reached.clone();
        let mut closed: Vec<Closed> = self.moves.iter().map(|_| Closed::default()).collect();
        for hint in self.explorer.hints.iter().chain(std::iter::once(&everywhere)) {
            loop {
                let mut idle = true;
                for state in 0..self.moves.len() {
                    let here = waiting[state].and(hint)?;
                    if here.is_false() {
                        continue;
                    }
                    idle = false;
                    let under = match &mut subsetter {
                        Some(subsetter) => subsetter.take(reach.manager, &here)?,
                        None => here,
                    };
                    waiting[state] = waiting[state].minus(&under)?;
                    for (possible, to) in self.moves[state].clone() {
                        let Some(to) = to else { continue };
                        let found = self.successors(reach, &under.and(&possible)?)?;
                        let (known, closed) = (&self.reached[to], &mut closed[to]);
                        let new = self.explorer.unknown(reach, known, found, closed)?;
                        if new.is_false() {
                            continue;
                        }
                        self.reached[to] = self.explorer.keep(reach, known, &new, closed)?;
                        waiting[to] = waiting[to].or(&new)?;
                        if let Some(run) = self.bad(reach, to, &new)? {
                            return Ok(Found::Violated(run));
                        }
                    }
                }
                if idle {
                    break;
                }
                self.depth += 1;
            }
        }
        Ok(Found::Nothing)
    }

    /// A run to one of some new states, if the formula cannot hold any more after it.
    fn bad(&self, reach: &Reach<'_>, state: usize, new: &Bdd) -> Result<Option<Vec<Vec<Cell>>>, Stop> {
        for (possible, to) in &self.moves[state] {
            let bad = new.and(possible)?;
            if to.is_none() && !bad.is_false() {
                return self.run(reach, state, bad).map(Some);
            }
        }
        Ok(None)
    }

    /// A run to these states of the product, within what was reached.
    fn run(&self, reach: &Reach<'_>, state: usize, targets: Bdd) -> Result<Vec<Vec<Cell>>, Stop> {
        let none = reach.manager.constant(false);
        let mut ring = vec![none.clone(); self.moves.len()];
        ring[state] = targets;
        let (mut seen, mut rings) = (ring.clone(), vec![ring]);
        while rings[rings.len() - 1][0].and(&self.system.initial)?.is_false() {
            let mut next = vec![none.clone(); self.moves.len()];
            for (from, moves) in self.moves.iter().enumerate() {
                for (possible, to) in moves {
                    let Some(to) = to else { continue };
                    let before = self.predecessors(reach, &rings[rings.len() - 1][*to])?;
                    next[from] = next[from].or(&before.and(possible)?)?;
                }
                next[from] = next[from].and(&self.reached[from])?.minus(&seen[from])?;
                seen[from] = seen[from].or(&next[from])?;
            }
            if next.iter().all(Bdd::is_false) {
                return Ok(Vec::new());
            }
            rings.push(next);
        }
        let first = rings[rings.len() - 1][0].and(&self.system.initial)?;
        let (mut at, mut here) = (0, self.system.pick(&first)?);
        let mut run = vec![self.system.state(&here)];
        for ring in rings.iter().rev().skip(1) {
            for (possible, to) in &self.moves[at] {
                let Some(to) = to else { continue };
                let next = self.successors(reach, &here.and(possible)?)?.and(&ring[*to])?;
                if !next.is_false() {
                    (at, here) = (*to, self.system.pick(&next)?);
                    run.push(self.system.state(&here));
                    break;
                }
            }
        }
        Ok(run)
    }
}

/// The witness that a run is.
pub fn witness(path: Vec<Vec<Cell>>, case: &Case<'_>) -> Witness {
    let agents = path.iter().map(|_| Vec::new()).collect();
    let lasso = Lasso { back: None, agents, bindings: case.bindings.clone(), complete: true };
    Witness { path, ending: Ending::Temporal(lasso) }
}

/// What an atom of a case must keep: its own sets, and where steps can be taken.
pub fn sets(system: &System<'_>, atoms: &[Bdd], valid: &Bdd) -> Result<Vec<Bdd>, Failed> {
    let all = atoms.iter().chain([&system.facts.moving, &system.facts.idling]);
    Ok(all.map(|set| set.and(valid)).collect::<Result<_, _>>()?)
}
