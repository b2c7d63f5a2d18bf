//! Random statements. What a statement needs to be defined is tested first, mostly; loops over a domain are written
//! so that their iterations commute.

use burnside_model::code::*;
use burnside_model::system::{Property, PropertyKind};

use super::build::*;
use super::scope::{Generator, Scope, root};

impl Generator {
    /// A few statements.
    pub fn block(&mut self, scope: &mut Scope, depth: usize) -> Block {
        let wanted = 1 + self.rng.below(2);
        let mut block = Vec::new();
        for _ in 0..8 {
            if block.len() == wanted {
                break;
            }
            block.extend(scope.attempt(|scope| self.statement(scope, depth)));
        }
        block
    }

    fn statement(&mut self, scope: &mut Scope, depth: usize) -> Option<Stmt> {
        match self.rng.below(32) {
            0..=3 if depth > 0 => Some(self.conditional(scope, depth - 1)),
            4 if depth > 0 => self.switch(scope, depth - 1),
            5..=7 => self.commuting_loop(scope),
            8 | 9 => self.multiset_statement(scope),
            10 => {
                let (a, b) = self.two_records(scope)?;
                let mut needs = Vec::new();
                self.needs_inside(scope, &a, &mut needs);
                self.needs_inside(scope, &b, &mut needs);
                Some(self.guarded(needs, StmtKind::Copy(a, b)))
            }
            11 | 12 => self.undefine(scope),
            13 => self.clear(),
            14 | 15 => {
                let call = self.call_of(scope, None)?;
                let mut needs = Vec::new();
                self.needs_of_call(scope, &call, &mut needs);
                Some(self.guarded(needs, StmtKind::Call(call)))
            }
            16 if self.rng.chance(50) => Some(self.assertion(scope)),
            17 if self.rng.chance(40) => Some(self.cover(scope)),
            18 if self.rng.chance(15) => Some(stmt(StmtKind::Error("oops".to_owned()))),
            19 if self.rng.chance(15) => {
                let condition = self.condition(scope, 1);
                Some(stmt(StmtKind::Assume(condition)))
            }
            _ => self.assignment(scope),
        }
    }

    /// The statement, after a test that these places have values.
    fn guarded(&mut self, needs: Vec<Place>, kind: StmtKind) -> Stmt {
        match self.all_defined(needs) {
            Some(_) if self.options.extensions && self.rng.chance(3) => stmt(kind),
            Some(defined) => stmt(StmtKind::If(vec![(defined, vec![stmt(kind)])], Vec::new())),
            None => stmt(kind),
        }
    }

    /// Something of this type, or of any, that can be assigned to.
    pub fn target(&mut self, scope: &Scope, ty: Option<TypeId>) -> Option<Place> {
        let mut places = self.leaves(scope);
        places.retain(|p| {
            let own = scope.loop_target.is_none_or(|(global, _)| *root(p).0 == PlaceKind::Global(global));
            let writable = match root(p).0 {
                PlaceKind::Local(id) => scope.writable.contains(id),
                _ => true,
            };
            own && writable && ty.is_none_or(|ty| p.ty == ty)
        });
        self.rng.pick(&places).cloned()
    }

    fn assignment(&mut self, scope: &mut Scope) -> Option<Stmt> {
        let target = self.target(scope, None)?;
        self.assign(scope, target)
    }

    /// `target := something`
    pub fn assign(&mut self, scope: &mut Scope, target: Place) -> Option<Stmt> {
        let value = self.other_value(scope, &target)?;
        let mut needs = Vec::new();
        self.needs_inside(scope, &target, &mut needs);
        match &value.kind {
            // Copying an undefined value is allowed, but for one dialect.
            ExprKind::Read(place) if self.options.extensions && self.rng.chance(50) => {
                self.needs_inside(scope, place, &mut needs);
            }
            _ => self.needs(scope, &value, &mut needs),
        }
        Some(self.guarded(needs, StmtKind::Assign(target, value)))
    }

    fn conditional(&mut self, scope: &mut Scope, depth: usize) -> Stmt {
        let mut arms = vec![(self.choice(scope, 1), self.block(scope, depth))];
        if self.rng.chance(20) {
            arms.push((self.choice(scope, 1), self.block(scope, depth)));
        }
        let otherwise = if self.rng.chance(40) { self.block(scope, depth) } else { Vec::new() };
        stmt(StmtKind::If(arms, otherwise))
    }

    /// A condition for an `if`: one that the front end does not find to be constant.
    pub fn choice(&mut self, scope: &mut Scope, depth: usize) -> Expr {
        let found = (0..8).find_map(|_| {
            scope.attempt(|scope| {
                let condition = self.condition(scope, depth);
                let constant =
                    constant_condition(&self.model, &scope.frame, &condition, &mut Scratch::default());
                constant.is_none().then_some(condition)
            })
        });
        found.unwrap_or_else(|| constant(Types::BOOL, 1))
    }

    fn switch(&mut self, scope: &mut Scope, depth: usize) -> Option<Stmt> {
        let colour = self.shape.colour;
        let places: Vec<_> = self.leaves(scope).into_iter().filter(|p| p.ty == colour).collect();
        let subject = read(self.rng.pick(&places)?.clone());
        let mut needs = Vec::new();
        self.needs(scope, &subject, &mut needs);
        let first = vec![constant(colour, 0)];
        let mut cases = vec![(first, self.block(scope, depth))];
        if self.rng.chance(50) {
            cases.push((vec![constant(colour, 1)], self.block(scope, depth)));
        }
        let otherwise = if self.rng.chance(50) { self.block(scope, depth) } else { Vec::new() };
        Some(self.guarded(needs, StmtKind::Switch(subject, cases, otherwise)))
    }

    /// A loop over a domain that writes its own part of one array and reads nothing else of it.
    fn commuting_loop(&mut self, scope: &mut Scope) -> Option<Stmt> {
        if scope.loop_target.is_some() {
            return None;
        }
        let arrays: Vec<_> = (0..self.model.globals.len())
            .filter_map(|g| match self.model.types[self.model.globals[g].ty].kind {
                TypeKind::Array { index, .. } if !self.model.types.domains_of(index).is_empty() => {
                    Some((GlobalId(g as u32), index))
                }
                _ => None,
            })
            .collect();
        let (array, index) = *self.rng.pick(&arrays)?;
        let local = scope.bind(&self.model.types, index, Storage::Value);
        scope.loop_target = Some((array, local));
        let mut body = Vec::new();
        if let Some(assignment) = scope.attempt(|scope| self.assignment(scope)) {
            body.push(match self.rng.chance(50) {
                true => stmt(StmtKind::If(vec![(self.choice(scope, 0), vec![assignment])], Vec::new())),
                false => assignment,
            });
        }
        scope.loop_target = None;
        scope.readable.retain(|l| *l != local);
        (!body.is_empty()).then(|| stmt(StmtKind::For(Box::new(each(local, index)), body)))
    }

    fn multiset_statement(&mut self, scope: &mut Scope) -> Option<Stmt> {
        if let Some((set, at)) = scope.slots.first().copied()
            && self.rng.chance(60)
        {
            // Whatever comes after must not use the slot any more.
            scope.slots.clear();
            let at = read(local(&scope.frame, at));
            return Some(stmt(StmtKind::MultisetRemove(at, self.global(set.0 as usize))));
        }
        let set = *self.rng.pick(&self.multisets())?;
        if self.rng.chance(75) {
            return self.multiset_add(scope, set);
        }
        let local = scope.bind(&self.model.types, Types::INT, Storage::Value);
        scope.readable.pop();
        let outer = std::mem::replace(&mut scope.slots, vec![(set, local)]);
        let condition = self.condition(scope, 0);
        // A chosen slot may be gone now.
        scope.slots = if outer.iter().any(|(other, _)| *other == set) { Vec::new() } else { outer };
        Some(stmt(StmtKind::MultisetRemovePred(local, self.global(set.0 as usize), condition)))
    }

    /// Adds an element if there is room, mostly; a record is built in a local first.
    fn multiset_add(&mut self, scope: &mut Scope, set: GlobalId) -> Option<Stmt> {
        let set = self.global(set.0 as usize);
        let TypeKind::Multiset { capacity, element } = self.model.types[set.ty].kind else { return None };
        let mut block = Vec::new();
        let mut needs = Vec::new();
        let operand = if self.model.types.is_simple(element) {
            let value = self.value(scope, element)?;
            self.needs(scope, &value, &mut needs);
            Operand::Value(value)
        } else {
            let message = scope.bind(&self.model.types, element, Storage::Value);
            scope.readable.pop();
            let message = local(&scope.frame, message);
            for number in 0..2 {
                let target = field(&self.model.types, message.clone(), number);
                if let Some(assignment) = scope.attempt(|scope| self.assign(scope, target)) {
                    block.push(assignment);
                }
            }
            Operand::Place(message)
        };
        let add = StmtKind::MultisetAdd(operand, set.clone());
        block.push(self.guarded(needs, add));
        let slot = scope.bind(&self.model.types, Types::INT, Storage::Value);
        scope.readable.pop();
        let all = Box::new(constant(Types::BOOL, 1));
        let count = expr(ExprKind::Count(slot, set, all), Types::INT);
        let limit = i64::from(capacity) + i64::from(self.rng.chance(5));
        Some(stmt(StmtKind::If(vec![(order(OrderOp::Lt, count, int(limit)), block)], Vec::new())))
    }

    fn undefine(&mut self, scope: &mut Scope) -> Option<Stmt> {
        let place = self.target(scope, None)?;
        let ids = !self.model.types.domains_of(place.ty).is_empty();
        let flagged = match root(&place).0 {
            PlaceKind::Global(global) => self.shape.undefined[global.0 as usize],
            _ => false,
        };
        if !ids && !flagged {
            return None;
        }
        let mut needs = Vec::new();
        self.needs_inside(scope, &place, &mut needs);
        Some(self.guarded(needs, StmtKind::Undefine(place)))
    }

    /// Clears a variable without ids.
    fn clear(&mut self) -> Option<Stmt> {
        let free: Vec<_> = (0..self.model.globals.len())
            .filter(|g| id_free(&self.model.types, self.model.globals[*g].ty))
            .collect();
        let chosen = *self.rng.pick(&free)?;
        Some(stmt(StmtKind::Clear(self.global(chosen))))
    }

    fn assertion(&mut self, scope: &mut Scope) -> Stmt {
        let condition = self.condition(scope, 2);
        stmt(StmtKind::Assert(condition, "as assumed".to_owned()))
    }

    /// A cover statement has its property beside it.
    fn cover(&mut self, scope: &mut Scope) -> Stmt {
        let number = self.model.properties.len();
        self.model.properties.push(Property {
            name: format!("reach {number}"),
            named: true,
            kind: PropertyKind::Cover,
            binders: Vec::new(),
            frame: Frame::default(),
            condition: None,
            formula: None,
            span: AT,
        });
        stmt(StmtKind::Cover(self.condition(scope, 1), number as u32))
    }
}

/// Whether a value of this type holds no id (an empty multiset of ids holds none after it was cleared).
fn id_free(types: &Types, ty: TypeId) -> bool {
    match &types[ty].kind {
        TypeKind::Array { element, .. } => id_free(types, *element),
        TypeKind::Record(fields) => fields.iter().all(|f| id_free(types, f.ty)),
        TypeKind::Multiset { .. } => true,
        _ => types.domains_of(ty).is_empty(),
    }
}
