//! From formulas without quantifiers, each in a world of its own, to properties with them.

use std::collections::HashMap;

use burnside_logic::ctl::{Bindings, instances, shown_by_a_run};
use burnside_logic::{Checker, loop_values};
use burnside_model::Model;
use burnside_model::code::{Cell, Frame, LogicOp, Quantifier};
use burnside_model::findings::{Ending, Lasso, Witness};
use burnside_model::system::{Agent, Formula, FormulaKind, Property};
use burnside_symmetry::Permutation;

use crate::algebra::Failed;
use crate::bdd::Bdd;
use crate::reduce::model::Fixed;
use crate::system::System;

use super::runs::concrete;
use super::symmetry::Symmetry;
use super::world::World;

/// Which world a formula is decided in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Key {
    /// All states that the start states reach.
    All,
    /// All states that they and their images reach.
    Closed,
    /// The representatives of those, under the permutations that fix some elements.
    Fixing(Fixed),
}

impl Key {
    /// How many elements of each domain may move, where they may in the whole group.
    pub fn moving(&self, whole: &Key) -> Vec<u32> {
        match (self, whole) {
            (Key::Fixing(fixed), _) => fixed.moving(),
            (_, Key::Fixing(none)) => vec![0; none.moving().len()],
            _ => Vec::new(),
        }
    }
}

/// How a formula is looked at for some values of its variables.
struct View {
    key: Key,
    /// Other values of their orbit.
    bindings: Bindings,
    /// What took them there.
    by: Option<Permutation>,
}

/// A property in question.
struct Case<'c> {
    frame: &'c Frame,
    /// Whether images of start states may count as start states.
    symmetric: bool,
}

/// A run that shows why, from a start state on.
struct Explained {
    path: Vec<Vec<Cell>>,
    lasso: Lasso,
}

impl Explained {
    /// How much it shows.
    fn weight(&self) -> (bool, usize, usize) {
        (self.lasso.back.is_some(), self.path.len(), self.lasso.bindings.len())
    }
}

/// Decides properties.
pub struct Judge<'j, 'w> {
    system: &'w System<'w>,
    model: &'w Model,
    symmetry: Option<&'j Symmetry<'w>>,
    /// The start states and their images.
    closed: Bdd,
    /// Whether representatives are unique.
    unique: bool,
    checkers: Vec<(Key, Checker<'j, World<'w>>)>,
    /// In which start states formulas hold, by place in memory, for values and in a world.
    known: HashMap<(*const Formula, Bindings, bool), Bdd>,
}

impl<'j, 'w> Judge<'j, 'w> {
    /// A judge who knows no world yet.
    pub fn new(
        system: &'w System<'w>,
        symmetry: Option<&'j Symmetry<'w>>,
        closed: Bdd,
        unique: bool,
    ) -> Self {
        let model = system.encoding.model;
        Judge { system, model, symmetry, closed, unique, checkers: Vec::new(), known: HashMap::new() }
    }

    pub fn add(&mut self, key: Key, checker: Checker<'j, World<'w>>) {
        self.checkers.push((key, checker));
    }

    /// The start states of a world.
    pub fn starts(&self, key: &Key) -> &Bdd {
        if *key == Key::All { &self.system.initial } else { &self.closed }
    }

    /// The worlds that a property needs.
    pub fn keys(&self, property: &Property) -> Vec<Key> {
        let case = self.case(property);
        let mut keys = Vec::new();
        for mut bindings in instances(self.model, property) {
            let Some(formula) = &property.formula else { continue };
            self.keys_of(&case, formula, &mut bindings, &mut keys);
        }
        keys
    }

    fn keys_of(&self, case: &Case<'_>, formula: &Formula, bindings: &mut Bindings, keys: &mut Vec<Key>) {
        if formula.loops().is_empty() {
            let key = self.view(case, bindings).key;
            if !keys.contains(&key) {
                keys.push(key);
            }
        } else if let FormulaKind::Quantified(_, each, inner) = &formula.kind {
            for value in loop_values(self.model, case.frame, each) {
                bindings.push((each.local, value));
                self.keys_of(case, inner, bindings, keys);
                bindings.pop();
            }
        } else {
            formula.parts().into_iter().for_each(|part| self.keys_of(case, part, bindings, keys));
        }
    }

    fn case<'p>(&self, property: &'p Property) -> Case<'p> {
        let looks_back = property.formula.as_ref().is_some_and(Formula::looks_back);
        let symmetric = self.symmetry.is_some() && (!looks_back || self.closed == self.system.initial);
        Case { frame: &property.frame, symmetric }
    }

    fn view(&self, case: &Case<'_>, bindings: &Bindings) -> View {
        let Some(symmetry) = self.symmetry.filter(|_| case.symmetric) else {
            return View { key: Key::All, bindings: bindings.clone(), by: None };
        };
        let canonical = symmetry.canonical(case.frame, bindings);
        let key = match () {
            () if self.unique && !canonical.fixed.is_all() => Key::Fixing(canonical.fixed),
            () if self.closed == self.system.initial => Key::All,
            () => Key::Closed,
        };
        View { key, bindings: canonical.bindings, by: Some(canonical.by) }
    }

    /// The start states in question: with images where they count.
    fn all_starts(&self, case: &Case<'_>) -> &Bdd {
        if case.symmetric { &self.closed } else { &self.system.initial }
    }

    /// Whether a property holds, and a run that shows why or why not; not of one that holds, where it takes more than a run.
    pub fn check(&mut self, property: &Property) -> Result<(bool, Option<Witness>), Failed> {
        let case = self.case(property);
        let Some(formula) = &property.formula else { return Ok((true, None)) };
        let all = instances(self.model, property);
        for mut bindings in all.iter().cloned() {
            let holding = self.holding(&case, formula, &mut bindings)?;
            let wrong = self.system.initial.minus(&holding)?;
            if !wrong.is_false() {
                let start = self.system.pick(&wrong)?;
                let Explained { path, lasso } = self.explain(&case, formula, &mut bindings, &start, false)?;
                return Ok((false, Some(Witness { path, ending: Ending::Temporal(lasso) })));
            }
        }
        let Some(mut bindings) = all.into_iter().next().filter(|_| shown_by_a_run(formula, true)) else {
            return Ok((true, None));
        };
        if self.system.initial.is_false() {
            return Ok((true, None));
        }
        let start = self.system.pick(&self.system.initial)?;
        let Explained { path, lasso } = self.explain(&case, formula, &mut bindings, &start, true)?;
        let shows = path.len() > 1 || lasso.back.is_some();
        Ok((true, shows.then_some(Witness { path, ending: Ending::Temporal(lasso) })))
    }

    /// The start states where a formula holds.
    fn holding(
        &mut self,
        case: &Case<'_>,
        formula: &Formula,
        bindings: &mut Bindings,
    ) -> Result<Bdd, Failed> {
        if formula.loops().is_empty() {
            return self.simple(case, formula, bindings);
        }
        let all = self.all_starts(case).clone();
        match &formula.kind {
            FormulaKind::Not(f) => Ok(all.minus(&self.holding(case, f, bindings)?)?),
            FormulaKind::Logic(op, f, g) => {
                let (f, g) = (self.holding(case, f, bindings)?, self.holding(case, g, bindings)?);
                Ok(match op {
                    LogicOp::And => f.and(&g)?,
                    LogicOp::Or => f.or(&g)?,
                    LogicOp::Implies => all.minus(&f)?.or(&g)?,
                })
            }
            FormulaKind::Iff(f, g) => {
                let (f, g) = (self.holding(case, f, bindings)?, self.holding(case, g, bindings)?);
                Ok(all.minus(&f.xor(&g)?)?)
            }
            FormulaKind::Quantified(quantifier, each, f) => {
                let forall = *quantifier == Quantifier::Forall;
                let mut found = if forall { all.clone() } else { all.minus(&all)? };
                for value in loop_values(self.model, case.frame, each) {
                    bindings.push((each.local, value));
                    let one = self.holding(case, f, bindings);
                    bindings.pop();
                    found = if forall { found.and(&one?)? } else { found.or(&one?)? };
                }
                Ok(found)
            }
            // No quantifier is inside.
            FormulaKind::Atom(_) | FormulaKind::Unary(..) | FormulaKind::Binary(..) => {
                self.simple(case, formula, bindings)
            }
        }
    }

    /// The same for one without quantifiers.
    fn simple(&mut self, case: &Case<'_>, formula: &Formula, bindings: &Bindings) -> Result<Bdd, Failed> {
        let View { key, mut bindings, by } = self.view(case, bindings);
        let known = (std::ptr::from_ref(formula), bindings.clone(), case.symmetric);
        let first = match self.known.get(&known) {
            Some(first) => first.clone(),
            None => {
                let checker = self.checker(&key)?;
                let states = checker.satisfying(case.frame, formula, &mut bindings)?;
                let first = checker.sets().starts_in(&states)?;
                self.known.insert(known, first.clone());
                first
            }
        };
        match (self.symmetry, by) {
            (Some(symmetry), Some(by)) => Ok(symmetry.apply(&by.inverse(), &first)?),
            _ => Ok(first),
        }
    }

    fn checker(&mut self, key: &Key) -> Result<&mut Checker<'j, World<'w>>, Failed> {
        let found = self.checkers.iter_mut().find(|(known, _)| known == key);
        found.map(|(_, checker)| checker).ok_or_else(|| {
            let reason = "a group of a formula was forgotten".to_owned();
            Failed::Refused(burnside_encode::Refusal { reason, span: None })
        })
    }

    /// A run from a start state, a set of one, that shows why a formula holds there or, if not `holds`, does not.
    fn explain(
        &mut self,
        case: &Case<'_>,
        formula: &Formula,
        bindings: &mut Bindings,
        start: &Bdd,
        holds: bool,
    ) -> Result<Explained, Failed> {
        if formula.loops().is_empty() {
            return self.explain_simple(case, formula, bindings, start, holds);
        }
        let facts = match &formula.kind {
            FormulaKind::Not(f) => return self.explain(case, f, bindings, start, !holds),
            FormulaKind::Quantified(quantifier, each, f) => {
                let by_one = (*quantifier == Quantifier::Exists) == holds;
                for value in loop_values(self.model, case.frame, each) {
                    bindings.push((each.local, value));
                    let inside = self.holding(case, f, bindings)?;
                    let found = match start.implies(&inside)? == holds {
                        true => Some(self.explain(case, f, bindings, start, holds)?),
                        false => None,
                    };
                    bindings.pop();
                    if let Some(mut found) = found {
                        found.lasso.complete &= by_one;
                        return Ok(found);
                    }
                }
                return Ok(self.nothing(bindings, start));
            }
            FormulaKind::Logic(op, f, g) => {
                // `f -> g` is `!f | g`.
                let left = if *op == LogicOp::Implies { !holds } else { holds };
                ([(f, left), (g, holds)].to_vec(), (*op == LogicOp::And) == holds)
            }
            FormulaKind::Iff(f, g) => ([(f, true), (f, false), (g, true), (g, false)].to_vec(), true),
            _ => return Ok(self.nothing(bindings, start)),
        };
        let (facts, all) = facts;
        let mut best: Option<Explained> = None;
        let mut shown = 0;
        for (fact, holds) in facts {
            let inside = self.holding(case, fact, bindings)?;
            if start.implies(&inside)? != holds {
                continue;
            }
            shown += usize::from(fact.is_temporal());
            let found = self.explain(case, fact, bindings, start, holds)?;
            if best.as_ref().is_none_or(|best| found.weight() > best.weight()) {
                best = Some(found);
            }
        }
        let mut best = best.unwrap_or_else(|| self.nothing(bindings, start));
        best.lasso.complete &= !all || shown < 2;
        Ok(best)
    }

    fn nothing(&self, bindings: &Bindings, start: &Bdd) -> Explained {
        let lasso =
            Lasso { back: None, agents: vec![Vec::new()], bindings: bindings.clone(), complete: false };
        Explained { path: vec![self.system.state(start)], lasso }
    }

    /// The same for a formula without quantifiers.
    fn explain_simple(
        &mut self,
        case: &Case<'_>,
        formula: &Formula,
        bindings: &Bindings,
        start: &Bdd,
        holds: bool,
    ) -> Result<Explained, Failed> {
        let view = self.view(case, bindings);
        let (system, symmetry) = (self.system, self.symmetry);
        // The run begins in an image of the start state, and is moved back in the end.
        let moved = match (symmetry, &view.by) {
            (Some(symmetry), Some(by)) => symmetry.apply(by, start)?,
            _ => start.clone(),
        };
        let checker = self.checker(&view.key)?;
        let representative = checker.sets().represent(&moved)?;
        let mut values = view.bindings;
        let found = checker.explain(case.frame, formula, &mut values, &representative, holds)?;
        let run = concrete(system, checker.sets(), &found.path, moved)?;
        let agent = |number: &Option<usize>| -> Vec<Agent> {
            number.iter().map(|number| system.facts.agents[*number].agent.clone()).collect()
        };
        let mut agents: Vec<_> = run.agents.iter().map(agent).collect();
        let mut path: Vec<_> = run.states.iter().map(|state| system.state(state)).collect();
        if let (Some(symmetry), Some(by)) = (symmetry, view.by) {
            let back = by.inverse();
            path.iter_mut().for_each(|state| *state = symmetry.state(&back, state));
            agents.iter_mut().flatten().for_each(|agent| *agent = symmetry.agent(&back, agent));
        }
        let lasso = Lasso { back: run.back, agents, bindings: bindings.clone(), complete: found.complete };
        Ok(Explained { path, lasso })
    }
}
