//! Random expressions: values of a type, and conditions that mostly do not touch undefined values.

use burnside_model::code::*;

use super::build::*;
use super::scope::{Generator, Scope, root};

impl Generator {
    /// A value of a simple type; `None` if there is none, as for ids without an id in scope.
    pub fn value(&mut self, scope: &mut Scope, ty: TypeId) -> Option<Expr> {
        let places: Vec<_> = self.leaves(scope).into_iter().filter(|p| p.ty == ty).collect();
        let ids = !self.model.types.domains_of(ty).is_empty();
        let sure: Vec<_> = places.iter().filter(|p| !self.unsure(scope, p)).cloned().collect();
        let place = match self.rng.pick(&sure) {
            Some(place) if ids && self.rng.chance(60) => Some(place.clone()),
            _ => self.rng.pick(&places).cloned(),
        };
        if !ids && self.rng.chance(50) {
            return Some(self.literal(ty));
        }
        if ty == self.shape.number && self.rng.chance(50) {
            return place.map(|place| self.next_number(read(place)));
        }
        if let TypeKind::Union(members) = &self.model.types[ty].kind
            && (place.is_none() || self.rng.chance(50))
        {
            let member = *self.rng.pick(&members.clone())?;
            return self.value(scope, member).map(|e| convert(e, ty));
        }
        if self.rng.chance(10)
            && let Some(call) = scope.attempt(|scope| self.call_of(scope, Some(ty)))
        {
            return Some(expr(ExprKind::Call(Box::new(call)), ty));
        }
        if self.rng.chance(8)
            && let (Some(a), Some(b)) = (self.rng.pick(&places).cloned(), place.clone())
        {
            let choice = self.atom(scope);
            let (a, b) = (Box::new(read(a)), Box::new(read(b)));
            return Some(expr(ExprKind::Cond(Box::new(choice), a, b), ty));
        }
        match place {
            Some(place) => Some(self.perhaps_rotated(read(place))),
            None if ids => None,
            None => Some(self.literal(ty)),
        }
    }

    /// An element of a ring, or another one so many places further.
    pub fn perhaps_rotated(&mut self, e: Expr) -> Expr {
        let ty = e.ty;
        match self.model.types.ring(ty) {
            Some(size) if self.rng.chance(45) => {
                let by = 1 + self.rng.below(size as usize - 1) as u32;
                expr(ExprKind::Rotate(Box::new(e), by), ty)
            }
            _ => e,
        }
    }

    /// A value for this place that is not obviously the one it has.
    pub fn other_value(&mut self, scope: &mut Scope, place: &Place) -> Option<Expr> {
        (0..4).find_map(|_| {
            scope.attempt(|scope| {
                self.value(scope, place.ty).filter(|value| value.kind != ExprKind::Read(place.clone()))
            })
        })
    }

    fn literal(&mut self, ty: TypeId) -> Expr {
        let (lo, hi) = self.model.types.bounds(ty);
        constant(ty, lo + self.rng.below((hi - lo + 1) as usize) as i64)
    }

    /// One more: modulo the range, or now and then beyond it.
    fn next_number(&mut self, e: Expr) -> Expr {
        let (_, hi) = self.model.types.bounds(self.shape.number);
        let sum = arith(ArithOp::Add, e.clone(), int(1));
        match self.rng.below(20) {
            0 if self.options.extensions => sum,
            1 => arith(ArithOp::Sub, int(hi), e),
            _ => arith(ArithOp::Mod, sum, int(hi + 1)),
        }
    }

    /// A call of a random routine with this result.
    pub fn call_of(&mut self, scope: &mut Scope, result: Option<TypeId>) -> Option<Call> {
        if scope.loop_target.is_some() {
            return None;
        }
        let functions: Vec<_> =
            (0..self.model.functions.len()).filter(|f| self.model.functions[*f].result == result).collect();
        let function = *self.rng.pick(&functions)?;
        let params: Vec<_> = {
            let function = &self.model.functions[function];
            let locals = &function.frame.locals[..function.params as usize];
            locals.iter().map(|l| l.ty).zip(function.by_reference.clone()).collect()
        };
        let mut args = Vec::new();
        for (ty, by_reference) in params {
            args.push(if by_reference {
                Arg::Reference(self.target(scope, Some(ty))?)
            } else {
                Arg::Value(self.value(scope, ty)?)
            });
        }
        Some(Call { function: function as u32, args, span: AT })
    }

    /// A condition.
    pub fn condition(&mut self, scope: &mut Scope, depth: usize) -> Expr {
        match self.rng.below(10) {
            0..=2 if depth > 0 => {
                let op = [LogicOp::And, LogicOp::Or, LogicOp::Implies][self.rng.below(3)];
                logic(op, self.condition(scope, depth - 1), self.condition(scope, depth - 1))
            }
            3 | 4 if depth > 0 => self.quantified(scope, depth - 1),
            5 if depth > 0 => not(self.condition(scope, depth - 1)),
            _ => self.atom(scope),
        }
    }

    fn quantified(&mut self, scope: &mut Scope, depth: usize) -> Expr {
        let ty = match self.shape.union {
            Some(union) if self.rng.chance(20) => union,
            _ => *self.rng.pick(&self.shape.domains).expect("at least one"),
        };
        let local = scope.bind(&self.model.types, ty, Storage::Value);
        let body = self.condition(scope, depth);
        scope.readable.retain(|l| *l != local);
        let quantifier = [Quantifier::Forall, Quantifier::Exists][self.rng.below(2)];
        boolean(ExprKind::Quantified(quantifier, Box::new(each(local, ty)), Box::new(body)))
    }

    /// A condition without connectives, but for what protects it from undefined values.
    pub fn atom(&mut self, scope: &mut Scope) -> Expr {
        let atom = self.bare_atom(scope);
        let mut needs = Vec::new();
        self.needs(scope, &atom, &mut needs);
        if self.options.extensions && self.rng.chance(3) {
            return atom;
        }
        match self.all_defined(needs) {
            Some(defined) if self.rng.chance(70) => and(defined, atom),
            Some(defined) => logic(LogicOp::Implies, defined, atom),
            None => atom,
        }
    }

    /// A condition without connectives, which has no value where it reads something undefined.
    pub fn bare_atom(&mut self, scope: &mut Scope) -> Expr {
        let mut leaves = self.leaves(scope);
        if self.rng.chance(85) {
            // Two parameters have less to say than the state.
            let local = |p: &Place| matches!(root(p).0, PlaceKind::Local(_));
            leaves.sort_by_key(local);
            leaves.truncate(leaves.partition_point(|p| !local(p)).max(1));
        }
        let Some(place) = self.rng.pick(&leaves).cloned() else { return constant(Types::BOOL, 1) };
        let kind = self.rng.below(12);
        let made = scope.attempt(|scope| match kind {
            0 | 1 if self.unsure(scope, &place) => Some(boolean(ExprKind::IsUndefined(place.clone()))),
            2 => self.call_of(scope, Some(Types::BOOL)).map(|c| boolean(ExprKind::Call(Box::new(c)))),
            3 | 4 => self.counted(scope),
            5 => self.membership(&place),
            6 => self.same(scope),
            _ => None,
        });
        made.unwrap_or_else(|| self.comparison(scope, place))
    }

    fn comparison(&mut self, scope: &mut Scope, place: Place) -> Expr {
        if place.ty == Types::BOOL && self.rng.chance(70) {
            return read(place);
        }
        if place.ty == self.shape.number && self.rng.chance(50) {
            let op = [OrderOp::Lt, OrderOp::Le, OrderOp::Gt, OrderOp::Ge][self.rng.below(4)];
            return order(op, read(place), int(self.rng.below(3) as i64));
        }
        match self.other_value(scope, &place) {
            Some(value) if self.rng.chance(65) => eq(read(place), value),
            Some(value) => boolean(ExprKind::Ne(Box::new(read(place)), Box::new(value))),
            None => boolean(ExprKind::IsUndefined(place)),
        }
    }

    fn membership(&mut self, place: &Place) -> Option<Expr> {
        let TypeKind::Union(members) = &self.model.types[place.ty].kind else { return None };
        let member = *self.rng.pick(&members.clone())?;
        Some(boolean(ExprKind::IsMember(Box::new(read(place.clone())), member)))
    }

    /// Multisets among the globals.
    pub fn multisets(&self) -> Vec<GlobalId> {
        let is_set = |ty| matches!(self.model.types[ty].kind, TypeKind::Multiset { .. });
        let globals = self.model.globals.iter().enumerate();
        globals.filter(|(_, g)| is_set(g.ty)).map(|(i, _)| GlobalId(i as u32)).collect()
    }

    /// `multisetcount(i : set, condition) < n`
    fn counted(&mut self, scope: &mut Scope) -> Option<Expr> {
        let set = *self.rng.pick(&self.multisets())?;
        if scope.loop_target.is_some_and(|(target, _)| target == set) {
            return None;
        }
        let local = scope.bind(&self.model.types, Types::INT, Storage::Value);
        scope.readable.pop();
        scope.slots.push((set, local));
        let condition = self.condition(scope, 0);
        scope.slots.pop();
        let count = ExprKind::Count(local, self.global(set.0 as usize), Box::new(condition));
        let op = [OrderOp::Lt, OrderOp::Ge][self.rng.below(2)];
        Some(order(op, expr(count, Types::INT), int(1 + self.rng.below(2) as i64)))
    }

    /// Two elements of an array of records, compared as wholes.
    fn same(&mut self, scope: &mut Scope) -> Option<Expr> {
        let (a, b) = self.two_records(scope)?;
        Some(boolean(ExprKind::Same(Box::new(a), Box::new(b), self.rng.chance(50))))
    }

    /// Two places that hold records of one type.
    pub fn two_records(&mut self, scope: &Scope) -> Option<(Place, Place)> {
        if scope.loop_target.is_some() {
            return None;
        }
        let arrays: Vec<_> = (0..self.model.globals.len())
            .filter(|g| match self.model.types[self.model.globals[*g].ty].kind {
                TypeKind::Array { element, .. } => {
                    matches!(self.model.types[element].kind, TypeKind::Record(_))
                }
                _ => false,
            })
            .collect();
        let array = *self.rng.pick(&arrays)?;
        let array = self.global(array);
        let TypeKind::Array { index: ty, .. } = self.model.types[array.ty].kind else { return None };
        let at = self.indices(scope, ty);
        let (i, j) = (self.rng.pick(&at)?.clone(), self.rng.pick(&at)?.clone());
        let types = &self.model.types;
        Some((index(types, array.clone(), i), index(types, array, j)))
    }
}
