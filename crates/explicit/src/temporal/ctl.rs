//! Formulas of CTL.
//!
//! Quantifiers stand outside temporal operators. A formula inside k of them is decided on the nodes (r, y), where y are
//! values of their k variables; what a quantifier makes of it is put together from the values of the innermost one.

use burnside_logic::ctl::{Bindings, shown_by_a_run};
use burnside_logic::graph::Bits;
use burnside_logic::{Checker, Constraint, loop_values};
use burnside_model::code::{Cell, Frame, LocalId, LogicOp, Quantifier, TypeId};
use burnside_model::system::{Binder, Formula, FormulaKind, Property, Strength};
use burnside_model::{Deadline, Model};

use super::arena::{Arena, Node};
use super::components::Components;
use super::facts::Facts;
use super::fairness::Fairness;
use super::labelled::Labelled;
use super::loops::Way;
use super::sets::Sets;
use super::silent::Silent;
use super::tuples::{Renaming, Tuples};
use super::{Stop, Verdict};
use crate::liveness::StateId;

/// Everything that formulas are decided with.
#[derive(Clone, Copy)]
pub struct World<'w> {
    pub model: &'w Model,
    pub graph: &'w Labelled,
    pub facts: &'w Facts,
    pub fairness: &'w Fairness,
    pub renaming: Renaming<'w>,
    /// The symmetries of states, where a formula looks back at variables.
    pub silent: Option<&'w Silent>,
    pub deadline: Deadline,
    /// Bytes for what is made of them.
    pub room: u64,
}

/// A variable in scope, and its values.
#[derive(Clone)]
pub struct Variable {
    pub local: LocalId,
    pub ty: TypeId,
    pub values: Vec<Cell>,
}

/// A run that shows something of a property.
pub struct Shown {
    pub way: Way,
    /// The variables in scope, and their values where it begins.
    pub bindings: Bindings,
    pub types: Vec<TypeId>,
    /// Whether it shows everything.
    pub complete: bool,
    /// The values that were followed.
    pub tuples: Tuples,
}

impl Shown {
    /// How much it shows.
    fn weight(&self) -> (bool, usize, usize) {
        (!self.way.round.is_empty(), self.way.stem.len() + self.way.round.len(), self.bindings.len())
    }
}

impl<'w> World<'w> {
    /// The variables that a property has as parameters.
    pub fn parameters(&self, property: &Property) -> Vec<Variable> {
        let each = property.binders.iter().filter_map(|binder| match binder {
            Binder::Each(each) => Some(each),
            // A temporal property has no other binders.
            _ => None,
        });
        each.map(|each| Variable {
            local: each.local,
            ty: property.frame[each.local].ty,
            values: loop_values(self.model, &property.frame, each),
        })
        .collect()
    }

    /// All values of some variables, in the order of the innermost one first.
    pub fn tuples(&self, scope: &[Variable]) -> Result<Tuples, Stop> {
        let mut all: Vec<Vec<Cell>> = vec![Vec::new()];
        for variable in scope {
            let with = |tuple: &Vec<Cell>| -> Vec<Vec<Cell>> {
                variable.values.iter().map(|value| [tuple.as_slice(), &[*value]].concat()).collect()
            };
            all = all.iter().flat_map(with).collect();
        }
        let count = all.len();
        let types = scope.iter().map(|variable| variable.ty).collect();
        let tuples = Tuples::new(self.renaming, types, all).filter(|tuples| tuples.list.len() == count);
        tuples.ok_or_else(|| Stop::Refused("a variable's values are not symmetric".to_owned()))
    }

    /// The nodes for some values.
    pub fn arena<'a>(&self, tuples: &'a Tuples) -> Arena<'a>
    where
        'w: 'a,
    {
        Arena { graph: self.graph, facts: self.facts, tuples, automaton: None }
    }

    fn sets<'a>(&self, tuples: &'a Tuples, scope: &[Variable]) -> Result<Sets<'a>, Stop>
    where
        'w: 'a,
    {
        let search = Components::new(self.arena(tuples), self.fairness, self.deadline, self.room)?;
        let locals = scope.iter().map(|variable| variable.local).collect();
        Sets::new(search, locals).with_silent(self.silent.filter(|_| !scope.is_empty()), self.renaming)
    }

    /// What a run must do to count.
    fn constraints(&self) -> Vec<Constraint<Bits>> {
        let strengths = self.fairness.strength.iter().enumerate();
        let constraint = |(who, strength): (usize, &Strength)| match strength {
            Strength::Weak => Constraint::Weak(who),
            Strength::Strong => Constraint::Strong(who),
        };
        strengths.map(constraint).collect()
    }

    /// Whether every start state has a fair run.
    pub fn starts_fairly(&self) -> Result<bool, Stop> {
        if self.fairness.is_empty() {
            return Ok(true);
        }
        let tuples = self.tuples(&[])?;
        let mut sets = self.sets(&tuples, &[])?;
        Checker::with(&mut sets, self.model, self.constraints())?.starts_fairly()
    }

    pub fn ctl(&self, property: &Property, formula: &Formula) -> Result<(Verdict, Option<Shown>), Stop> {
        let (frame, scope) = (&property.frame, self.parameters(property));
        let width: usize = scope.iter().map(|variable| variable.values.len()).product();
        let holding = self.holding(frame, formula, &scope)?;
        for start in &self.graph.initial {
            for tuple in 0..width {
                if !holding.contains(start.stored as usize * width + tuple) {
                    let shown = self.explain(frame, formula, &scope, start.stored, tuple, false)?;
                    return Ok((Verdict::Violated, Some(shown)));
                }
            }
        }
        let Some(start) = self.graph.initial.first().filter(|_| width > 0 && shown_by_a_run(formula, true))
        else {
            return Ok((Verdict::Holds, None));
        };
        let shown = self.explain(frame, formula, &scope, start.stored, 0, true)?;
        let runs = !(shown.way.stem.is_empty() && shown.way.round.is_empty());
        Ok((Verdict::Holds, runs.then_some(shown)))
    }

    /// The nodes where a formula holds.
    fn holding(&self, frame: &Frame, formula: &Formula, scope: &[Variable]) -> Result<Bits, Stop> {
        let count = |scope: &[Variable]| -> usize {
            let width: usize = scope.iter().map(|variable| variable.values.len()).product();
            self.graph.states() * width
        };
        match &formula.kind {
            _ if formula.loops().is_empty() => {
                let tuples = self.tuples(scope)?;
                let mut sets = self.sets(&tuples, scope)?;
                let mut checker = Checker::with(&mut sets, self.model, self.constraints())?;
                checker.satisfying(frame, formula, &mut some_values(scope))
            }
            FormulaKind::Not(f) => {
                Ok(self.holding(frame, f, scope)?.with(&all(count(scope)), |f, all| all & !f))
            }
            FormulaKind::Logic(op, f, g) => {
                let (f, g) = (self.holding(frame, f, scope)?, self.holding(frame, g, scope)?);
                Ok(match op {
                    LogicOp::And => f.with(&g, |f, g| f & g),
                    LogicOp::Or => f.with(&g, |f, g| f | g),
                    LogicOp::Implies => all(count(scope)).with(&f, |all, f| all & !f).with(&g, |f, g| f | g),
                })
            }
            FormulaKind::Iff(f, g) => {
                let (f, g) = (self.holding(frame, f, scope)?, self.holding(frame, g, scope)?);
                let other = f.with(&g, |f, g| f ^ g);
                Ok(all(count(scope)).with(&other, |all, other| all & !other))
            }
            FormulaKind::Quantified(quantifier, each, f) => {
                let inner = self.within(frame, each, scope);
                let values = inner[scope.len()].values.len();
                let inside = self.holding(frame, f, &inner)?;
                let mut found = Bits::none(count(scope));
                for node in 0..count(scope) {
                    let mut instances = (0..values).map(|value| inside.contains(node * values + value));
                    let holds = match quantifier {
                        Quantifier::Forall => instances.all(|holds| holds),
                        Quantifier::Exists => instances.any(|holds| holds),
                    };
                    if holds {
                        found.insert(node);
                    }
                }
                Ok(found)
            }
            // No quantifier is inside.
            FormulaKind::Atom(_) | FormulaKind::Unary(..) | FormulaKind::Binary(..) => {
                Err(Stop::Refused("a quantifier is inside a temporal operator".to_owned()))
            }
        }
    }

    /// The variables inside a quantifier.
    fn within(&self, frame: &Frame, each: &burnside_model::code::Loop, scope: &[Variable]) -> Vec<Variable> {
        let values = loop_values(self.model, frame, each);
        let inner = Variable { local: each.local, ty: frame[each.local].ty, values };
        scope.iter().cloned().chain([inner]).collect()
    }

    /// A run that shows why a formula holds at a stored state for some values or, if not `holds`, does not.
    fn explain(
        &self,
        frame: &Frame,
        formula: &Formula,
        scope: &[Variable],
        stored: StateId,
        tuple: usize,
        holds: bool,
    ) -> Result<Shown, Stop> {
        if formula.loops().is_empty() {
            let tuples = self.tuples(scope)?;
            let mut sets = self.sets(&tuples, scope)?;
            let node = sets.arena().node(stored, tuple, 0);
            let start = sets.one(node);
            let found = {
                let mut checker = Checker::with(&mut sets, self.model, self.constraints())?;
                checker.explain(frame, formula, &mut some_values(scope), &start, holds)?
            };
            let way = sets.way(&found.path);
            return Ok(self.shown(scope, tuples, tuple, way, found.complete));
        }
        let (facts, all) = match &formula.kind {
            FormulaKind::Not(f) => return self.explain(frame, f, scope, stored, tuple, !holds),
            FormulaKind::Quantified(quantifier, each, f) => {
                let by_one = (*quantifier == Quantifier::Exists) == holds;
                let inner = self.within(frame, each, scope);
                let values = inner[scope.len()].values.len();
                let inside = self.holding(frame, f, &inner)?;
                let width: usize = scope.iter().map(|variable| variable.values.len()).product();
                for value in 0..values {
                    if inside.contains((stored as usize * width + tuple) * values + value) == holds {
                        let mut found =
                            self.explain(frame, f, &inner, stored, tuple * values + value, holds)?;
                        found.complete &= by_one;
                        return Ok(found);
                    }
                }
                (Vec::new(), true)
            }
            FormulaKind::Logic(op, f, g) => {
                // `f -> g` is `!f | g`.
                let left = if *op == LogicOp::Implies { !holds } else { holds };
                (vec![(f, left), (g, holds)], (*op == LogicOp::And) == holds)
            }
            FormulaKind::Iff(f, g) => (vec![(f, true), (f, false), (g, true), (g, false)], true),
            _ => (Vec::new(), true),
        };
        let mut best: Option<Shown> = None;
        let mut shown = 0;
        let width: usize = scope.iter().map(|variable| variable.values.len()).product();
        for (fact, holds) in facts {
            let inside = self.holding(frame, fact, scope)?;
            if inside.contains(stored as usize * width + tuple) != holds {
                continue;
            }
            shown += usize::from(fact.is_temporal());
            let found = self.explain(frame, fact, scope, stored, tuple, holds)?;
            if best.as_ref().is_none_or(|best| found.weight() > best.weight()) {
                best = Some(found);
            }
        }
        let Some(mut best) = best else {
            let tuples = self.tuples(scope)?;
            let start = self.arena(&tuples).node(stored, tuple, 0);
            let way = Way { start, stem: Vec::new(), round: Vec::new() };
            return Ok(self.shown(scope, tuples, tuple, way, false));
        };
        best.complete &= !all || shown < 2;
        Ok(best)
    }

    fn shown(&self, scope: &[Variable], tuples: Tuples, tuple: usize, way: Way, complete: bool) -> Shown {
        let values = tuples.list[tuple].iter().copied();
        let bindings = scope.iter().map(|variable| variable.local).zip(values).collect();
        Shown { way, bindings, types: tuples.types.clone(), complete, tuples }
    }
}

/// Some values of variables: which they are does not matter, as a node has its own.
fn some_values(scope: &[Variable]) -> Bindings {
    scope.iter().filter_map(|v| Some((v.local, *v.values.first()?))).collect()
}

fn all(count: usize) -> Bits {
    let mut all = Bits::none(count);
    (0..count).for_each(|node| all.insert(node));
    all
}

/// The nodes of the start states.
pub fn start_nodes(arena: &Arena<'_>, tuples: &[usize]) -> Vec<Node> {
    let mut nodes: Vec<Node> = Vec::new();
    for start in &arena.graph.initial {
        nodes.extend(tuples.iter().map(|tuple| arena.node(start.stored, *tuple, 0)));
    }
    nodes.sort_unstable();
    nodes.dedup();
    nodes
}
