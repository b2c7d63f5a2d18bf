//! A random model: declarations, a routine or two, a start state, rules and properties.
//!
//! No rule tells the elements of a domain apart, so every model is symmetric by construction; nor do most start states.

use burnside_model::Model;
use burnside_model::code::*;
use burnside_model::system::{Binder, Property, PropertyKind, Rule};

use super::build::*;
use super::rng::Rng;
use super::scope::{Generator, Scope};
use super::shape::{self, Options};

/// The model of this seed; it may have too many states.
pub fn generate(seed: u64, options: Options) -> Model {
    generator(seed, options).model
}

/// What wrote the model of this seed, to go on.
pub fn generator(seed: u64, options: Options) -> Generator {
    let mut rng = Rng::new(seed);
    let mut model = Model::default();
    let shape = shape::shape(&mut model, &mut rng, options);
    let mut generator = Generator { model, rng, shape, options };
    for number in 0..generator.rng.below(3) {
        generator.routine(number);
    }
    generator.start();
    for number in 0..3 + generator.rng.below(3) {
        generator.rule(number);
    }
    for number in 0..1 + generator.rng.below(3) {
        generator.property(number);
    }
    generator
}

/// The model of this seed with more properties, many of which are false, or have no value in some states.
#[allow(dead_code, reason = "not every test needs it")]
pub fn with_several_properties(seed: u64, options: Options) -> Model {
    let mut generator = generator(seed, options);
    for number in 10..12 + generator.rng.below(4) {
        generator.property(number);
        let property = generator.model.properties.last_mut().expect("the one that was added");
        if property.kind == PropertyKind::Assume {
            property.kind = PropertyKind::Invariant;
        }
        let mut scope = Scope::default();
        match generator.rng.below(4) {
            0 => {
                let binders = generator.binders(&mut scope, false);
                let mut condition = generator.bare_atom(&mut scope);
                if generator.rng.chance(50) {
                    condition = not(condition);
                }
                let property = generator.model.properties.last_mut().expect("the one that was added");
                (property.binders, property.frame, property.condition) =
                    (binders, scope.frame, Some(condition));
            }
            1 => {
                let property = generator.model.properties.last_mut().expect("the one that was added");
                property.condition = property.condition.take().map(not);
            }
            _ => {}
        }
    }
    generator.model
}

impl Generator {
    fn domain(&mut self) -> TypeId {
        *self.rng.pick(&self.shape.domains).expect("at least one")
    }

    /// A function of an id, or a procedure that may change what it is given.
    fn routine(&mut self, number: usize) {
        let mut scope = Scope::default();
        let domain = self.domain();
        scope.bind(&self.model.types, domain, Storage::Value);
        let mut by_reference = vec![false];
        let result = [None, Some(Types::BOOL), Some(self.shape.colour)][self.rng.below(3)];
        if result.is_none() && self.rng.chance(50) {
            let colour = self.shape.colour;
            let param = scope.bind(&self.model.types, colour, Storage::Reference);
            scope.writable.push(param);
            by_reference.push(true);
        }
        let body = match result {
            None => self.block(&mut scope, 1),
            Some(ty) => self.returning(&mut scope, ty),
        };
        self.model.functions.push(Function {
            name: format!("f{number}"),
            params: by_reference.len() as u32,
            by_reference,
            result,
            frame: scope.frame,
            body,
            span: AT,
        });
    }

    /// `if condition then return … end; return …`
    fn returning(&mut self, scope: &mut Scope, ty: TypeId) -> Block {
        let give = |value| stmt(StmtKind::Return(Some(Operand::Value(value))));
        if ty == Types::BOOL {
            return vec![give(self.condition(scope, 2))];
        }
        let early = vec![give(constant(ty, 1))];
        vec![stmt(StmtKind::If(vec![(self.choice(scope, 1), early)], Vec::new())), give(constant(ty, 0))]
    }

    /// One start state, or one for every choice of an id.
    fn start(&mut self) {
        let mut scope = Scope::default();
        let mut binders = Vec::new();
        if self.rng.chance(30) {
            let domain = self.domain();
            let local = scope.bind(&self.model.types, domain, Storage::Value);
            binders.push(Binder::Each(each(local, domain)));
        }
        let mut body = Vec::new();
        for number in 0..self.model.globals.len() {
            let undefined = self.shape.undefined[number] && self.rng.chance(50);
            if !undefined {
                body.extend(self.initialise(&mut scope, self.global(number)));
            }
        }
        if self.options.extensions && self.rng.chance(8) {
            body.extend(self.asymmetric(&mut scope));
        }
        let named = self.rng.chance(50);
        let name = if named { "begin here" } else { "startstate 1" }.to_owned();
        self.model.starts.push(Rule {
            name,
            named,
            binders,
            frame: scope.frame,
            guard: None,
            body,
            fairness: None,
            span: AT,
        });
    }

    /// Start states need not be symmetric: the last element of a domain.
    fn asymmetric(&mut self, scope: &mut Scope) -> Option<Stmt> {
        let scalarset = |ty| matches!(self.model.types[ty].kind, TypeKind::Scalarset(_));
        let number = self.model.globals.iter().position(|g| scalarset(g.ty))?;
        let target = self.global(number);
        let last = scope.bind(&self.model.types, target.ty, Storage::Value);
        scope.readable.pop();
        let around = Box::new(each(last, target.ty));
        let assign = stmt(StmtKind::Assign(target, read(local(&scope.frame, last))));
        Some(stmt(StmtKind::For(around, vec![assign])))
    }

    /// Gives a variable its first value, with loops for arrays; ids are known only to loops and parameters.
    fn initialise(&mut self, scope: &mut Scope, place: Place) -> Vec<Stmt> {
        let types = self.model.types.clone();
        match &types[place.ty].kind {
            TypeKind::Array { index: ty, .. } => {
                let at = scope.bind(&types, *ty, Storage::Value);
                let element = index(&types, place, read(local(&scope.frame, at)));
                let body = self.initialise(scope, element);
                scope.readable.retain(|l| *l != at);
                if body.is_empty() {
                    scope.forget(at.0 as usize);
                    return body;
                }
                vec![stmt(StmtKind::For(Box::new(each(at, *ty)), body))]
            }
            TypeKind::Record(fields) => (0..fields.len())
                .flat_map(|number| self.initialise(scope, field(&types, place.clone(), number)))
                .collect(),
            TypeKind::Multiset { .. } => Vec::new(),
            _ => self.first_value(scope, place).into_iter().collect(),
        }
    }

    fn first_value(&mut self, scope: &mut Scope, place: Place) -> Option<Stmt> {
        let types = &self.model.types;
        let ids = !types.domains_of(place.ty).is_empty();
        if !ids {
            let (lo, hi) = types.bounds(place.ty);
            let value = lo + self.rng.below((hi - lo + 1) as usize) as i64;
            return Some(stmt(StmtKind::Assign(place.clone(), constant(place.ty, value))));
        }
        let known: Vec<_> = scope
            .readable
            .iter()
            .filter(|l| {
                let ty = scope.frame[**l].ty;
                ty == place.ty || types.union_offset(place.ty, ty).is_some()
            })
            .copied()
            .collect();
        let id = *self.rng.pick(&known)?;
        let value = convert(self.perhaps_rotated(read(local(&scope.frame, id))), place.ty);
        self.rng.chance(60).then(|| stmt(StmtKind::Assign(place, value)))
    }

    /// What surrounds a rule or property.
    pub fn binders(&mut self, scope: &mut Scope, choose: bool) -> Vec<Binder> {
        let mut binders = Vec::new();
        for _ in 0..[0, 1, 1, 1, 1, 2, 2, 2][self.rng.below(8)] {
            let ty = match self.rng.below(12) {
                0 => self.shape.union.unwrap_or(self.shape.number),
                1 => self.shape.colour,
                _ => self.domain(),
            };
            let local = scope.bind(&self.model.types, ty, Storage::Value);
            binders.push(Binder::Each(each(local, ty)));
        }
        let sets = self.multisets();
        if choose
            && self.rng.chance(60)
            && let Some(set) = self.rng.pick(&sets).copied()
        {
            let local = scope.bind(&self.model.types, Types::INT, Storage::Value);
            scope.readable.pop();
            scope.slots.push((set, local));
            binders.push(Binder::Choose(local, self.global(set.0 as usize)));
        }
        if choose && self.rng.chance(10) && let Some((target, _)) = self.two_records(scope)
            // The index of an alias around a rule must be defined whatever the guard says.
            && let PlaceKind::Index(_, at) = &target.kind
            && matches!(&at.kind, ExprKind::Read(Place { kind: PlaceKind::Local(_), .. }))
        {
            let local = scope.bind(&self.model.types, target.ty, Storage::Reference);
            scope.writable.push(local);
            binders.push(Binder::Alias(local, Operand::Place(target)));
        }
        binders
    }

    fn rule(&mut self, number: usize) {
        let mut scope = Scope::default();
        let binders = self.binders(&mut scope, true);
        let guard = self.rng.chance(85).then(|| self.condition(&mut scope, 1));
        let mut body = Vec::new();
        if self.rng.chance(25) {
            body.extend(scope.attempt(|scope| self.local_variable(scope)));
        }
        body.extend(self.block(&mut scope, 2));
        let named = self.rng.chance(80);
        let name = if named { format!("step {number}") } else { format!("rule {}", number + 1) };
        self.model.rules.push(Rule {
            name,
            named,
            binders,
            frame: scope.frame,
            guard,
            body,
            fairness: None,
            span: AT,
        });
    }

    /// Declares a variable and assigns to it.
    fn local_variable(&mut self, scope: &mut Scope) -> Option<Stmt> {
        let ty = match self.rng.below(3) {
            0 => self.shape.colour,
            1 => self.shape.number,
            _ => self.domain(),
        };
        let value = self.value(scope, ty)?;
        let id = scope.bind(&self.model.types, ty, Storage::Value);
        scope.writable.push(id);
        let mut needs = Vec::new();
        self.needs(scope, &value, &mut needs);
        let assign = stmt(StmtKind::Assign(local(&scope.frame, id), value));
        Some(match self.all_defined(needs) {
            Some(defined) => stmt(StmtKind::If(vec![(defined, vec![assign])], Vec::new())),
            None => assign,
        })
    }

    fn property(&mut self, number: usize) {
        let mut scope = Scope::default();
        let binders = self.binders(&mut scope, false);
        let kind = match self.rng.below(10) {
            0..=4 => PropertyKind::Invariant,
            5..=7 => PropertyKind::Liveness,
            8 => PropertyKind::Cover,
            _ if self.rng.chance(20) => PropertyKind::Assume,
            _ => PropertyKind::Cover,
        };
        let mut condition = self.condition(&mut scope, 2);
        if kind != PropertyKind::Assume {
            // A random condition rarely holds always: weaken it, mostly.
            for _ in 0..self.rng.below(4) {
                condition = logic(LogicOp::Or, condition, self.condition(&mut scope, 1));
            }
        }
        // rumur makes faulty C of a cover without a name.
        let named = kind == PropertyKind::Cover || self.rng.chance(60);
        let name = if named { format!("claim {number}") } else { format!("{} {number}", kind.name()) };
        let frame = scope.frame;
        let condition = Some(condition);
        self.model.properties.push(Property {
            name,
            named,
            kind,
            binders,
            frame,
            condition,
            formula: None,
            span: AT,
        });
    }
}
