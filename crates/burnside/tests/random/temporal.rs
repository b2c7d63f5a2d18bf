//! Random temporal properties of random models: formulas of CTL or LTL, and fairness of every kind.

use burnside_model::Model;
use burnside_model::code::*;
use burnside_model::system::{
    BinaryOp, Binder, Formula, FormulaKind, Logic, Paths, ProcessFairness, Property, PropertyKind, Strength,
    UnaryOp,
};

use super::build::*;
use super::scope::{Generator, Scope};
use super::{MAX_STATES, explore, generate, shape};

/// The first model of this seed with enough states, but at most so many, and with three formulas of this depth added.
pub fn model(seed: u64, logic: Logic, most: usize, depth: usize) -> Model {
    let options = shape::Options { extensions: true };
    let attempt = |attempt: u64| {
        let seed = seed.wrapping_mul(7_000_003).wrapping_add(attempt);
        let mut generator = generate::generator(seed, options);
        generator.fair();
        (0..3).for_each(|number| generator.temporal(logic, depth, number));
        generator.model
    };
    let interesting = |model: &Model| {
        explore::states(model, options.semantics(), most.min(MAX_STATES))
            .is_some_and(|states| states.len() >= 4)
    };
    (0..).map(attempt).find(interesting).expect("there are endless attempts")
}

impl Generator {
    fn strength(&mut self) -> Strength {
        if self.rng.chance(50) { Strength::Weak } else { Strength::Strong }
    }

    /// Fairness of some kinds, or none.
    fn fair(&mut self) {
        if self.rng.chance(40) {
            return;
        }
        for rule in 0..self.model.rules.len() {
            if self.rng.chance(25) {
                self.model.rules[rule].fairness = Some(self.strength());
            }
        }
        // Up to one line for each type: processes of several kinds take steps together.
        for ty in self.shape.domains.clone() {
            let fairness = ProcessFairness { strength: self.strength(), ty, span: AT };
            let moves = self.model.rules.iter().any(|rule| fairness.argument(rule).is_some());
            if moves && self.rng.chance(40) {
                self.model.fairness.push(fairness);
            }
        }
        if self.rng.chance(30) {
            let mut scope = Scope::default();
            let binders = self.binders(&mut scope, false);
            let condition = Some(self.condition(&mut scope, 1));
            self.add(PropertyKind::Fairness, 0, binders, scope, condition, None);
        }
    }

    fn add(
        &mut self,
        kind: PropertyKind,
        number: usize,
        binders: Vec<Binder>,
        scope: Scope,
        condition: Option<Expr>,
        formula: Option<Formula>,
    ) {
        let name = format!("{} {number}", kind.name());
        let frame = scope.frame;
        let span = AT;
        self.model.properties.push(Property {
            name,
            named: true,
            kind,
            binders,
            frame,
            condition,
            formula,
            span,
        });
    }

    fn temporal(&mut self, logic: Logic, depth: usize, number: usize) {
        let mut scope = Scope::default();
        let binders = if self.rng.chance(40) { self.binders(&mut scope, false) } else { Vec::new() };
        let formula = self.formula(&mut scope, logic, depth, false);
        let kind = if logic == Logic::Ctl { PropertyKind::Ctl } else { PropertyKind::Ltl };
        self.add(kind, number, binders, scope, None, Some(formula));
    }

    /// A formula, inside a temporal operator or not.
    fn formula(&mut self, scope: &mut Scope, logic: Logic, depth: usize, inside: bool) -> Formula {
        let made = |kind| Formula { kind, span: AT };
        if depth == 0 || self.rng.chance(10) {
            return made(FormulaKind::Atom(self.condition(scope, 1)));
        }
        // Every variable multiplies what is looked at.
        if !inside && scope.readable.len() < 2 && self.rng.chance(40) {
            let ty = *self.rng.pick(&self.shape.domains).expect("at least one");
            let local = scope.bind(&self.model.types, ty, Storage::Value);
            let inner = self.formula(scope, logic, depth, false);
            scope.readable.retain(|l| *l != local);
            let quantifier = [Quantifier::Forall, Quantifier::Exists][self.rng.below(2)];
            return made(FormulaKind::Quantified(quantifier, Box::new(each(local, ty)), Box::new(inner)));
        }
        let ctl = logic == Logic::Ctl;
        let paths = ctl.then(|| if self.rng.chance(50) { Paths::All } else { Paths::Some });
        let unary = [UnaryOp::Next, UnaryOp::Finally, UnaryOp::Globally][self.rng.below(3)];
        let binary = [BinaryOp::Until, BinaryOp::Release, BinaryOp::Weak][self.rng.below(3)];
        let choice = self.rng.below(if ctl { 12 } else { 11 });
        let inside = inside || choice >= 4;
        let mut part = || Box::new(self.formula(scope, logic, depth - 1, inside));
        made(match choice {
            0 => FormulaKind::Not(part()),
            1 => FormulaKind::Logic(LogicOp::Implies, part(), part()),
            2 => FormulaKind::Logic(LogicOp::And, part(), part()),
            3 => FormulaKind::Iff(part(), part()),
            4..=7 => FormulaKind::Unary(paths, unary, part()),
            8..=10 => FormulaKind::Binary(paths, binary, part(), part()),
            _ if unary == UnaryOp::Next => FormulaKind::Unary(Some(Paths::Some), UnaryOp::Previous, part()),
            _ => FormulaKind::Unary(Some(Paths::Some), UnaryOp::Once, part()),
        })
    }
}
