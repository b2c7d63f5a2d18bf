//! Models in which the individuals that formulas speak of can be told apart.
//!
//! `forall p : P do AG (T[p] -> AF C[p]) end` speaks of one element, whichever it is, and of the others. So the element
//! becomes a variable of the state that nothing changes, a pointer like any other: start states choose it, and a local
//! state says whether it is the element's. That is a process of its own beside the counted ones (E. A. Emerson and
//! T. Wahl, CHARME 2003, Section 3), for any number of variables. Inside, the formula speaks of counts alone.

use burnside_logic::loop_values;
use burnside_model::Model;
use burnside_model::code::{
    Cell, Expr, ExprKind, GlobalId, LocalId, LogicOp, Loop, LoopRange, PartMut, Place, PlaceKind, Quantifier,
    Storage, TypeId, Types,
};
use burnside_model::system::{
    Binder, Formula, FormulaKind, Paths, Property, PropertyKind, Strength, UnaryOp,
};

use crate::check::Obstacle;
use crate::terms::{AT, assign, constant, read};

/// A model in which some elements are told apart, and formulas about it.
#[derive(Clone, Debug)]
pub struct World {
    /// The model; its last variables are the individuals.
    pub model: Model,
    /// The types of the individuals.
    scope: Vec<TypeId>,
    /// Whether its runs are those that are fair.
    fair: bool,
    /// Formulas without quantifiers; their atoms are numbers of conditions among the model's properties.
    pub(crate) formulas: Vec<Formula>,
    /// The conditions that a fair run meets again and again, likewise.
    pub(crate) met: Vec<usize>,
    /// The rules that the scheduler is fair to.
    pub(crate) agents: Vec<(u32, Strength)>,
}

/// What a property says, from formulas of worlds.
#[derive(Clone, Debug)]
pub(crate) enum Claim {
    /// A formula of a world.
    Formula {
        world: usize,
        formula: usize,
        temporal: bool,
    },
    Not(Box<Claim>),
    Logic(LogicOp, Box<Claim>, Box<Claim>),
    Iff(Box<Claim>, Box<Claim>),
    /// The variable, its values, and what is said of them.
    Quantified(Quantifier, LocalId, Vec<Cell>, Box<Claim>),
}

/// A property and what it says.
pub(crate) struct Claimed {
    /// Its position in the model.
    pub property: usize,
    pub claim: Claim,
}

/// Whether a property is decided on worlds.
pub fn is_temporal(property: &Property) -> bool {
    property.kind == PropertyKind::Liveness || property.kind.logic().is_some()
}

/// Why temporal properties are not decided on counts.
pub fn obstacle(model: &Model) -> Option<Obstacle> {
    let refuse = |reason: &str, span| Some(Obstacle { reason: reason.to_owned(), span: Some(span) });
    for property in model.properties.iter().filter(|property| is_temporal(property)) {
        if property.kind == PropertyKind::Ltl {
            return refuse("formulas of LTL are not decided on counts", property.span);
        }
        if property.binders.iter().any(|binder| matches!(binder, Binder::Choose(..))) {
            return refuse("liveness of a slot of a multiset is not decided on counts", property.span);
        }
        let loops = property.formula.iter().flat_map(Formula::loops);
        let binders = property.binders.iter().filter_map(|binder| match binder {
            Binder::Each(each) => Some(each),
            _ => None,
        });
        if let Some(each) = loops.chain(binders).find(|each| matches!(each.range, LoopRange::Span(..))) {
            return refuse("a temporal property over `… to …` is not decided on counts", each.span);
        }
    }
    if !model.properties.iter().any(|property| property.kind == PropertyKind::Ctl) {
        return None;
    }
    if let Some(fairness) = model.fairness.first() {
        return refuse("fairness to each element is not decided on counts", fairness.span);
    }
    if let Some(rule) = model.rules.iter().find(|rule| rule.fairness.is_some() && !rule.binders.is_empty()) {
        return refuse("fairness to each instance of a rule is not decided on counts", rule.span);
    }
    let constraint = |p: &&Property| p.kind == PropertyKind::Fairness && !p.binders.is_empty();
    let constraint = model.properties.iter().find(constraint)?;
    refuse("fairness for each value of a parameter is not decided on counts", constraint.span)
}

/// What the temporal properties of a model say, and the worlds in which they say it. There must be no [`obstacle`].
pub(crate) fn worlds(model: &Model) -> (Vec<World>, Vec<Claimed>) {
    let mut builder = Builder { model, worlds: Vec::new() };
    let mut claims = Vec::new();
    for (number, property) in model.properties.iter().enumerate().filter(|(_, p)| is_temporal(p)) {
        let always = property.condition.as_ref().map(again_and_again);
        let Some(formula) = property.formula.as_ref().or(always.as_ref()) else { continue };
        let mut scope = Vec::new();
        let mut parameters = Vec::new();
        for binder in &property.binders {
            if let Binder::Each(each) = binder {
                scope.push(each.local);
                parameters.push((each.local, loop_values(model, &property.frame, each)));
            }
        }
        let claim = builder.claim(property, formula, &mut scope);
        let claim = parameters.into_iter().rev().fold(claim, |claim, (local, values)| {
            Claim::Quantified(Quantifier::Forall, local, values, Box::new(claim))
        });
        claims.push(Claimed { property: number, claim });
    }
    (builder.worlds, claims)
}

/// That a state where the condition holds can always be reached: `AG EF condition`.
fn again_and_again(condition: &Expr) -> Formula {
    let formula = |kind| Formula { kind, span: condition.span };
    let inner = Box::new(formula(FormulaKind::Atom(condition.clone())));
    let reachable = Box::new(formula(FormulaKind::Unary(Some(Paths::Some), UnaryOp::Finally, inner)));
    formula(FormulaKind::Unary(Some(Paths::All), UnaryOp::Globally, reachable))
}

struct Builder<'m> {
    model: &'m Model,
    worlds: Vec<World>,
}

impl Builder<'_> {
    fn claim(&mut self, property: &Property, formula: &Formula, scope: &mut Vec<LocalId>) -> Claim {
        if formula.loops().is_empty() {
            return self.formula(property, formula, scope);
        }
        let mut part = |f: &Formula| Box::new(self.claim(property, f, scope));
        match &formula.kind {
            FormulaKind::Not(f) => Claim::Not(part(f)),
            FormulaKind::Logic(op, f, g) => Claim::Logic(*op, part(f), part(g)),
            FormulaKind::Iff(f, g) => Claim::Iff(part(f), part(g)),
            FormulaKind::Quantified(quantifier, each, f) => {
                let values = loop_values(self.model, &property.frame, each);
                scope.push(each.local);
                let inner = self.claim(property, f, scope);
                scope.pop();
                Claim::Quantified(*quantifier, each.local, values, Box::new(inner))
            }
            // No quantifier is inside.
            FormulaKind::Atom(_) | FormulaKind::Unary(..) | FormulaKind::Binary(..) => {
                self.formula(property, formula, scope)
            }
        }
    }

    /// A formula without quantifiers, in its world.
    fn formula(&mut self, property: &Property, formula: &Formula, scope: &[LocalId]) -> Claim {
        let types: Vec<TypeId> = scope.iter().map(|local| property.frame[*local].ty).collect();
        let fair = property.kind == PropertyKind::Ctl;
        let known = self.worlds.iter().position(|world| world.scope == types && world.fair == fair);
        let number = known.unwrap_or_else(|| {
            self.worlds.push(World::new(self.model, types, fair));
            self.worlds.len() - 1
        });
        let world = &mut self.worlds[number];
        let first = world.model.globals.len() - scope.len();
        let renamed: Vec<_> = scope.iter().copied().zip((first as u32..).map(GlobalId)).collect();
        let mut inside = formula.clone();
        world.condense(property, &renamed, &mut inside);
        world.formulas.push(inside);
        let formula_number = world.formulas.len() - 1;
        Claim::Formula { world: number, formula: formula_number, temporal: formula.is_temporal() }
    }
}

impl World {
    fn new(model: &Model, scope: Vec<TypeId>, fair: bool) -> World {
        let mut world = World {
            model: model.clone(),
            scope,
            fair,
            formulas: Vec::new(),
            met: Vec::new(),
            agents: Vec::new(),
        };
        for (number, ty) in world.scope.clone().into_iter().enumerate() {
            world.tell_apart(number, ty);
        }
        // Positions stay what they were: statements know of them.
        for property in &mut world.model.properties {
            if property.kind != PropertyKind::Assume && !property.is_statement() {
                make_trivial(property);
            }
        }
        if fair {
            for property in model.properties.iter().filter(|p| p.kind == PropertyKind::Fairness) {
                world.met.extend(
                    property.condition.as_ref().map(|c| world_condition(&mut world.model, property, &[], c)),
                );
            }
            let rules = (0..).zip(&model.rules);
            world.agents = rules.filter_map(|(i, rule)| Some((i, rule.fairness?))).collect();
        }
        world
    }

    /// One more element is told apart: start states choose it.
    fn tell_apart(&mut self, number: usize, ty: TypeId) {
        let name = format!("individual {}", number + 1);
        let Some(global) = self.model.add_global(&name, ty, AT) else { return };
        for start in &mut self.model.starts {
            let local = start.frame.add(&name, ty, 1, Storage::Value);
            start.binders.insert(number, Binder::Each(Loop { local, range: LoopRange::Type(ty), span: AT }));
            let place = |kind| Place { kind, ty, span: AT };
            let chosen = read(place(PlaceKind::Local(local)));
            start.body.insert(0, assign(place(PlaceKind::Global(global)), chosen));
        }
    }

    /// Atoms become numbers of conditions.
    fn condense(&mut self, property: &Property, renamed: &[(LocalId, GlobalId)], formula: &mut Formula) {
        if let FormulaKind::Atom(condition) = &mut formula.kind {
            let number = world_condition(&mut self.model, property, renamed, condition);
            *condition = constant(Types::INT, number as i64);
            return;
        }
        formula.parts_mut().into_iter().for_each(|part| self.condense(property, renamed, part));
    }

    /// The conditions, as positions among the properties.
    pub(crate) fn conditions(&self) -> Vec<usize> {
        let mut all: Vec<usize> = self.met.clone();
        for formula in &self.formulas {
            all.extend(formula.atoms().into_iter().filter_map(number_of));
        }
        all
    }

    pub(crate) fn conditions_of(&self, formula: usize) -> Vec<usize> {
        self.formulas[formula].atoms().into_iter().filter_map(number_of).collect()
    }
}

/// Makes a property hold everywhere.
fn make_trivial(property: &mut Property) {
    property.kind = PropertyKind::Invariant;
    property.binders.clear();
    (property.formula, property.condition) = (None, Some(constant(Types::BOOL, 1)));
}

/// The model with the conditions of its temporal properties as further properties, and what the temporal ones, which are
/// trivial there, say of them. They must speak of all elements alike.
pub(crate) fn stated(model: &Model) -> Result<(Model, Vec<(usize, Formula)>), Obstacle> {
    let refuse = |reason: &str, span| Obstacle { reason: reason.to_owned(), span: Some(span) };
    if let Some(obstacle) = obstacle(model) {
        return Err(obstacle);
    }
    let with_conditions = model.clone();
    let (formulas, met, agents) = (Vec::new(), Vec::new(), Vec::new());
    let mut world = World { model: with_conditions, scope: Vec::new(), fair: true, formulas, met, agents };
    let mut said = Vec::new();
    for (number, property) in model.properties.iter().enumerate().filter(|(_, p)| is_temporal(p)) {
        let condition = property.condition.as_ref();
        let plain = condition.map(|c| Formula { kind: FormulaKind::Atom(c.clone()), span: c.span });
        let Some(mut formula) = property.formula.clone().or(plain) else { continue };
        let each = property.binders.iter().any(|binder| matches!(binder, Binder::Each(_)));
        if each || !formula.loops().is_empty() {
            return Err(refuse("the program that counts does not tell elements apart", property.span));
        }
        if let Some(rule) = model.rules.iter().find(|rule| rule.fairness.is_some()) {
            return Err(refuse("the program that counts has no fairness to a rule", rule.span));
        }
        world.condense(property, &[], &mut formula);
        make_trivial(&mut world.model.properties[number]);
        said.push((number, formula));
    }
    Ok((world.model, said))
}

/// The condition that an atom is.
pub(crate) fn number_of(atom: &Expr) -> Option<usize> {
    match atom.kind {
        ExprKind::Const(number) => usize::try_from(number).ok(),
        _ => None,
    }
}

/// Adds a condition to the properties of a world. One that cannot be evaluated for an assumption does not hold: as a cover.
fn world_condition(
    model: &mut Model,
    property: &Property,
    renamed: &[(LocalId, GlobalId)],
    condition: &Expr,
) -> usize {
    // Variables of the property become variables of the state.
    let rename = |part: PartMut<'_>| {
        part.each(&mut |part| {
            if let PartMut::Place(place) = part
                && let Some((_, global)) =
                    renamed.iter().find(|(local, _)| place.kind == PlaceKind::Local(*local))
            {
                place.kind = PlaceKind::Global(*global);
            }
        });
    };
    let mut condition = condition.clone();
    rename(PartMut::Expr(&mut condition));
    let aliases = property.binders.iter().filter_map(|binder| match binder {
        Binder::Alias(local, target) => {
            let mut target = target.clone();
            rename(PartMut::of_operand(&mut target));
            Some(Binder::Alias(*local, target))
        }
        _ => None,
    });
    model.properties.push(Property {
        kind: PropertyKind::Cover,
        binders: aliases.collect(),
        condition: Some(condition),
        formula: None,
        ..property.clone()
    });
    model.properties.len() - 1
}
