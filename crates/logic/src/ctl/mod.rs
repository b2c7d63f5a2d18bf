//! CTL by fixpoints over sets of states.
//!
//! All operators come down to `EX`, `E [ U ]` and `EG` (Clarke, Emerson and Sistla 1986), and to their mirror images for
//! the past. With fairness constraints, path quantifiers range over fair runs: `EG` is then the fixpoint of [`crate::fair`]
//! and the others ask for a state that has a fair run. The past of a state is finite, so that no constraint concerns it.

mod explain;

use burnside_model::Model;
use burnside_model::code::{Cell, Expr, Frame, LocalId, LogicOp, Quantifier};
use burnside_model::system::{
    BinaryOp, Binder, Formula, FormulaKind, Paths, Property, PropertyKind, UnaryOp,
};

pub use explain::Explanation;

use crate::fair::{Constraint, reach_within};
use crate::sets::loop_values;
use crate::{Atom, StateSets};

/// Values of variables that quantifiers bind.
pub type Bindings = Vec<(LocalId, Cell)>;

/// What is found of a property.
#[derive(Clone, Debug)]
pub enum Found<S> {
    /// It holds in every start state, for all values of its parameters.
    Holds,
    /// It does not in some start state, for some values.
    Violated(Explanation<S>),
}

/// Evaluates formulas of one model.
pub struct Checker<'a, S: StateSets> {
    sets: &'a mut S,
    model: &'a Model,
    constraints: Vec<Constraint<S::Set>>,
    /// The feasible states, and those that have a fair run; absent without constraints, where all have.
    fair: Option<(S::Set, S::Set)>,
}

impl<'a, S: StateSets> Checker<'a, S> {
    /// A checker for the runs that meet the fairness constraints which the model states, and these. Engines give those
    /// about the agents they know.
    pub fn new(
        sets: &'a mut S,
        model: &'a Model,
        mut constraints: Vec<Constraint<S::Set>>,
    ) -> Result<Self, S::Error> {
        for property in model.properties.iter().filter(|p| p.kind == PropertyKind::Fairness) {
            let Some(condition) = &property.condition else { continue };
            for bindings in instances(model, property) {
                let atom = Atom { frame: &property.frame, condition, bindings: &bindings };
                constraints.push(Constraint::Infinitely(sets.atom(&atom)?));
            }
        }
        Checker::with(sets, model, constraints)
    }

    /// A checker for the runs that meet these fairness constraints, and no others.
    pub fn with(
        sets: &'a mut S,
        model: &'a Model,
        constraints: Vec<Constraint<S::Set>>,
    ) -> Result<Self, S::Error> {
        let mut checker = Checker { sets, model, constraints, fair: None };
        if !checker.constraints.is_empty() {
            let universe = checker.sets.universe()?;
            let core = checker.sets.feasible(&checker.constraints, &universe)?;
            let fair = reach_within(checker.sets, &universe, &core)?;
            checker.fair = Some((core, fair));
        }
        Ok(checker)
    }

    /// The sets it works on.
    pub fn sets(&mut self) -> &mut S {
        self.sets
    }

    /// What a run must do again and again to count.
    pub fn constraints(&self) -> &[Constraint<S::Set>] {
        &self.constraints
    }

    /// Whether every start state has a fair run. If not, what is said of all runs holds there for want of any.
    pub fn starts_fairly(&mut self) -> Result<bool, S::Error> {
        let Some((_, fair)) = self.fair.clone() else { return Ok(true) };
        let initial = self.sets.initial()?;
        let unfair = self.sets.minus(&initial, &fair)?;
        self.sets.is_empty(&unfair)
    }

    /// Whether a property holds; one without a formula does.
    pub fn check(&mut self, property: &Property) -> Result<Found<S::Set>, S::Error> {
        let Some(formula) = &property.formula else { return Ok(Found::Holds) };
        for mut bindings in instances(self.model, property) {
            let holding = self.satisfying(&property.frame, formula, &mut bindings)?;
            let initial = self.sets.initial()?;
            let wrong = self.sets.minus(&initial, &holding)?;
            if let Some(start) = self.sets.pick(&wrong)? {
                let explanation = self.explain(&property.frame, formula, &mut bindings, &start, false)?;
                return Ok(Found::Violated(explanation));
            }
        }
        Ok(Found::Holds)
    }

    /// The states where a formula holds.
    pub fn satisfying(
        &mut self,
        frame: &Frame,
        formula: &Formula,
        bindings: &mut Bindings,
    ) -> Result<S::Set, S::Error> {
        match &formula.kind {
            FormulaKind::Atom(condition) => self.sets.atom(&Atom { frame, condition, bindings }),
            FormulaKind::Not(f) => {
                let f = self.satisfying(frame, f, bindings)?;
                self.sets.not(&f)
            }
            FormulaKind::Logic(op, f, g) => {
                let (f, g) = (self.satisfying(frame, f, bindings)?, self.satisfying(frame, g, bindings)?);
                match op {
                    LogicOp::And => self.sets.and(&f, &g),
                    LogicOp::Or => self.sets.or(&f, &g),
                    LogicOp::Implies => {
                        let unless = self.sets.not(&f)?;
                        self.sets.or(&unless, &g)
                    }
                }
            }
            FormulaKind::Iff(f, g) => {
                let (f, g) = (self.satisfying(frame, f, bindings)?, self.satisfying(frame, g, bindings)?);
                let both = self.sets.and(&f, &g)?;
                let either = self.sets.or(&f, &g)?;
                let neither = self.sets.not(&either)?;
                self.sets.or(&both, &neither)
            }
            FormulaKind::Quantified(quantifier, each, f) => {
                let all = *quantifier == Quantifier::Forall;
                let mut found = if all { self.sets.universe()? } else { self.sets.empty()? };
                for value in loop_values(self.model, frame, each) {
                    bindings.push((each.local, value));
                    let one = self.satisfying(frame, f, bindings);
                    bindings.pop();
                    let one = one?;
                    found = if all { self.sets.and(&found, &one)? } else { self.sets.or(&found, &one)? };
                }
                Ok(found)
            }
            FormulaKind::Unary(paths, op, f) => {
                let f = self.satisfying(frame, f, bindings)?;
                self.unary(*paths, *op, f)
            }
            FormulaKind::Binary(paths, op, f, g) => {
                let (f, g) = (self.satisfying(frame, f, bindings)?, self.satisfying(frame, g, bindings)?);
                self.binary(*paths, *op, &f, &g)
            }
        }
    }

    fn unary(&mut self, paths: Option<Paths>, op: UnaryOp, f: S::Set) -> Result<S::Set, S::Error> {
        if paths == Some(Paths::Some) {
            return match op {
                UnaryOp::Next => {
                    let goal = self.fairly(f)?;
                    self.sets.pre(&goal)
                }
                UnaryOp::Finally => {
                    let universe = self.sets.universe()?;
                    self.exists_until(&universe, f)
                }
                UnaryOp::Globally => self.exists_always(&f),
                UnaryOp::Previous => self.sets.image(&f),
                UnaryOp::Once => self.once(f),
            };
        }
        // What holds for all runs does not fail for one.
        let opposite = self.sets.not(&f)?;
        let op = match op {
            UnaryOp::Finally => UnaryOp::Globally,
            UnaryOp::Globally => UnaryOp::Finally,
            other => other,
        };
        let fails = self.unary(Some(Paths::Some), op, opposite)?;
        self.sets.not(&fails)
    }

    fn binary(
        &mut self,
        paths: Option<Paths>,
        op: BinaryOp,
        f: &S::Set,
        g: &S::Set,
    ) -> Result<S::Set, S::Error> {
        if paths == Some(Paths::Some) {
            let (found, forever) = match op {
                BinaryOp::Until => return self.exists_until(f, g.clone()),
                BinaryOp::Weak => (self.exists_until(f, g.clone())?, self.exists_always(f)?),
                BinaryOp::Release => {
                    let both = self.sets.and(f, g)?;
                    (self.exists_until(g, both)?, self.exists_always(g)?)
                }
            };
            return self.sets.or(&found, &forever);
        }
        let (not_f, not_g) = (self.sets.not(f)?, self.sets.not(g)?);
        // !(f U g) = !f R !g; !(f R g) = !f U !g; !(f W g) = !g U (!f & !g)
        let fails = match op {
            BinaryOp::Until => self.binary(Some(Paths::Some), BinaryOp::Release, &not_f, &not_g)?,
            BinaryOp::Release => self.exists_until(&not_f, not_g)?,
            BinaryOp::Weak => {
                let neither = self.sets.and(&not_f, &not_g)?;
                self.exists_until(&not_g, neither)?
            }
        };
        self.sets.not(&fails)
    }

    /// Those states of a set that have a fair run.
    fn fairly(&mut self, set: S::Set) -> Result<S::Set, S::Error> {
        match &self.fair {
            Some((_, fair)) => self.sets.and(&set, fair),
            None => Ok(set),
        }
    }

    /// `E [ f U g ]`
    fn exists_until(&mut self, f: &S::Set, g: S::Set) -> Result<S::Set, S::Error> {
        let goal = self.fairly(g)?;
        let region = self.sets.or(f, &goal)?;
        reach_within(self.sets, &region, &goal)
    }

    /// `EG f`
    fn exists_always(&mut self, f: &S::Set) -> Result<S::Set, S::Error> {
        let core = self.sets.feasible(&self.constraints, f)?;
        reach_within(self.sets, f, &core)
    }

    /// `EP f`
    fn once(&mut self, f: S::Set) -> Result<S::Set, S::Error> {
        let (mut found, mut new) = (f.clone(), f);
        while !self.sets.is_empty(&new)? {
            let next = self.sets.image(&new)?;
            new = self.sets.minus(&next, &found)?;
            found = self.sets.or(&found, &new)?;
        }
        Ok(found)
    }
}

/// The values of a property's parameters, for every instance.
pub fn instances(model: &Model, property: &Property) -> Vec<Bindings> {
    let mut all: Vec<Bindings> = vec![Vec::new()];
    for binder in &property.binders {
        // A temporal property, or a fairness constraint, has no other binders.
        let Binder::Each(each) = binder else { continue };
        let values = loop_values(model, &property.frame, each);
        let extended = |bindings: &Bindings| -> Vec<Bindings> {
            let with = |value: &Cell| [bindings.as_slice(), &[(each.local, *value)]].concat();
            values.iter().map(with).collect()
        };
        all = all.iter().flat_map(extended).collect();
    }
    all
}

/// The conditions of a temporal property or fairness constraint, with all values of the variables around them.
pub fn atoms<'m>(model: &Model, property: &'m Property) -> Vec<(&'m Expr, Bindings)> {
    let mut found = Vec::new();
    for mut bindings in instances(model, property) {
        found.extend(property.condition.iter().map(|condition| (condition, bindings.clone())));
        if let Some(formula) = &property.formula {
            atoms_of(model, &property.frame, formula, &mut bindings, &mut found);
        }
    }
    found
}

fn atoms_of<'m>(
    model: &Model,
    frame: &Frame,
    formula: &'m Formula,
    bindings: &mut Bindings,
    found: &mut Vec<(&'m Expr, Bindings)>,
) {
    match &formula.kind {
        FormulaKind::Atom(condition) => found.push((condition, bindings.clone())),
        FormulaKind::Quantified(_, each, inner) => {
            for value in loop_values(model, frame, each) {
                bindings.push((each.local, value));
                atoms_of(model, frame, inner, bindings, found);
                bindings.pop();
            }
        }
        _ => formula.parts().into_iter().for_each(|part| atoms_of(model, frame, part, bindings, found)),
    }
}

/// Whether one run may show why a formula holds or, if not `holds`, does not.
pub fn shown_by_a_run(formula: &Formula, holds: bool) -> bool {
    match &formula.kind {
        FormulaKind::Atom(_) => false,
        FormulaKind::Not(f) => shown_by_a_run(f, !holds),
        FormulaKind::Logic(LogicOp::Implies, f, g) => shown_by_a_run(f, !holds) || shown_by_a_run(g, holds),
        FormulaKind::Logic(_, f, g) => shown_by_a_run(f, holds) || shown_by_a_run(g, holds),
        FormulaKind::Iff(f, g) => {
            [f, g].into_iter().any(|part| shown_by_a_run(part, true) || shown_by_a_run(part, false))
        }
        FormulaKind::Quantified(_, _, f) => shown_by_a_run(f, holds),
        FormulaKind::Unary(paths, op, _) => (*paths == Some(Paths::Some)) == holds && !op.is_past(),
        FormulaKind::Binary(paths, ..) => (*paths == Some(Paths::Some)) == holds,
    }
}
