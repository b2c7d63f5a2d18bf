//! What random code can read and write where it stands, and how it keeps away from undefined values.

use burnside_model::Model;
use burnside_model::code::*;

use super::build::*;
use super::rng::Rng;
use super::shape::{Options, Shape};

/// The locals of a body that is being written.
#[derive(Default)]
pub struct Scope {
    pub frame: Frame,
    /// Locals in scope: simple ones, records, aliases.
    pub readable: Vec<LocalId>,
    /// Of those, the ones that may be assigned to.
    pub writable: Vec<LocalId>,
    /// Chosen slots of multisets.
    pub slots: Vec<(GlobalId, LocalId)>,
    /// Set inside a loop over a domain: what it writes, so that its iterations commute.
    pub loop_target: Option<(GlobalId, LocalId)>,
}

impl Scope {
    /// A new local, in scope from now on.
    pub fn bind(&mut self, types: &Types, ty: TypeId, storage: Storage) -> LocalId {
        let name = format!("l{}", self.frame.locals.len());
        let local = self.frame.add(&name, ty, types[ty].cells, storage);
        self.readable.push(local);
        local
    }

    /// Forgets the locals from this one on: what was to use them has been given up.
    pub fn forget(&mut self, first: usize) {
        if let Some(local) = self.frame.locals.get(first) {
            self.frame.cells = local.offset;
            self.frame.locals.truncate(first);
        }
        self.readable.retain(|l| (l.0 as usize) < first);
        self.writable.retain(|l| (l.0 as usize) < first);
        self.slots.retain(|(_, l)| (l.0 as usize) < first);
    }

    /// What `write` makes; if that is nothing, the scope is as before.
    pub fn attempt<T>(&mut self, write: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let mark = self.frame.locals.len();
        let made = write(self);
        if made.is_none() {
            self.forget(mark);
        }
        made
    }
}

/// Everything a generator needs.
pub struct Generator {
    pub model: Model,
    pub rng: Rng,
    pub shape: Shape,
    pub options: Options,
}

impl Generator {
    pub fn global(&self, number: usize) -> Place {
        let ty = self.model.globals[number].ty;
        Place { kind: PlaceKind::Global(GlobalId(number as u32)), ty, span: AT }
    }

    /// Every simple place that can be named here.
    pub fn leaves(&self, scope: &Scope) -> Vec<Place> {
        let mut found = Vec::new();
        for number in 0..self.model.globals.len() {
            self.descend(scope, self.global(number), &mut found);
        }
        for id in &scope.readable {
            self.descend(scope, local(&scope.frame, *id), &mut found);
        }
        found
    }

    fn descend(&self, scope: &Scope, place: Place, found: &mut Vec<Place>) {
        let types = &self.model.types;
        match &types[place.ty].kind {
            TypeKind::Array { index: ty, .. } => {
                for at in self.indices(scope, *ty) {
                    self.descend(scope, index(types, place.clone(), at), found);
                }
            }
            TypeKind::Record(fields) => {
                for number in 0..fields.len() {
                    self.descend(scope, field(types, place.clone(), number), found);
                }
            }
            TypeKind::Multiset { .. } => {
                for (set, at) in &scope.slots {
                    if place.kind == PlaceKind::Global(*set) {
                        let at = read(local(&scope.frame, *at));
                        self.descend(scope, slot(types, place.clone(), at), found);
                    }
                }
            }
            _ if self.allowed(scope, &place) => found.push(place),
            _ => {}
        }
    }

    /// Inside a commuting loop, of what it writes only the iteration's own part may be read.
    fn allowed(&self, scope: &Scope, place: &Place) -> bool {
        let Some((global, own)) = scope.loop_target else { return true };
        let (root, first) = root(place);
        let at_own = first.is_some_and(|at| at.kind == read(local(&scope.frame, own)).kind);
        *root != PlaceKind::Global(global) || at_own
    }

    /// What an array with this index type can be indexed with.
    pub fn indices(&self, scope: &Scope, ty: TypeId) -> Vec<Expr> {
        let types = &self.model.types;
        let mut found = Vec::new();
        for id in &scope.readable {
            let from = scope.frame[*id].ty;
            if from == ty || types.union_offset(ty, from).is_some() {
                let id = read(local(&scope.frame, *id));
                if let Some(size) = types.ring(from) {
                    let next = expr(ExprKind::Rotate(Box::new(id.clone()), 1 % size), from);
                    found.push(convert(next, ty));
                }
                found.push(convert(id, ty));
            }
        }
        for (number, global) in self.model.globals.iter().enumerate() {
            let id_type = !types.domains_of(ty).is_empty() && global.ty == ty;
            if id_type && scope.loop_target.is_none_or(|(target, _)| target.0 as usize != number) {
                found.push(read(self.global(number)));
            }
        }
        match &types[ty].kind {
            TypeKind::Bool | TypeKind::Enum(_) | TypeKind::Range(..) => {
                let (lo, hi) = types.bounds(ty);
                found.extend((lo..=hi).map(|value| constant(ty, value)));
            }
            TypeKind::Union(members) if members.contains(&self.shape.colour) => {
                found.push(convert(constant(self.shape.colour, 0), ty));
            }
            _ => {}
        }
        found
    }

    /// Whether a simple place may hold the undefined value.
    pub fn unsure(&self, scope: &Scope, place: &Place) -> bool {
        let ids = !self.model.types.domains_of(place.ty).is_empty();
        match root(place).0 {
            PlaceKind::Global(global) => ids || self.shape.undefined[global.0 as usize],
            // A parameter or loop variable has a value; a record or alias may have holes.
            PlaceKind::Local(id) => {
                scope.writable.contains(id) || scope.frame[*id].storage == Storage::Reference
            }
            _ => true,
        }
    }

    /// The places whose value an expression needs and that may be undefined, innermost first.
    pub fn needs(&self, scope: &Scope, e: &Expr, found: &mut Vec<Place>) {
        match &e.kind {
            ExprKind::Read(place) => {
                self.needs_inside(scope, place, found);
                if self.unsure(scope, place) && !found.contains(place) {
                    found.push(place.clone());
                }
            }
            ExprKind::IsUndefined(place) | ExprKind::Count(_, place, _) => {
                self.needs_inside(scope, place, found);
            }
            ExprKind::Not(a) | ExprKind::Convert(a) | ExprKind::Rotate(a, _) | ExprKind::IsMember(a, _) => {
                self.needs(scope, a, found);
            }
            ExprKind::Arith(_, a, b)
            | ExprKind::Order(_, a, b)
            | ExprKind::Logic(_, a, b)
            | ExprKind::Eq(a, b)
            | ExprKind::Ne(a, b) => {
                self.needs(scope, a, found);
                self.needs(scope, b, found);
            }
            ExprKind::Same(a, b, _) => {
                self.needs_inside(scope, a, found);
                self.needs_inside(scope, b, found);
            }
            ExprKind::Cond(a, b, c) => [a, b, c].iter().for_each(|e| self.needs(scope, e, found)),
            ExprKind::Call(call) => self.needs_of_call(scope, call, found),
            _ => {}
        }
    }

    pub fn needs_of_call(&self, scope: &Scope, call: &Call, found: &mut Vec<Place>) {
        for arg in &call.args {
            match arg {
                Arg::Value(e) => self.needs(scope, e, found),
                Arg::Reference(place) => self.needs(scope, &read(place.clone()), found),
                Arg::Undefined => {}
            }
        }
    }

    /// The same for the indices on the way to a place.
    pub fn needs_inside(&self, scope: &Scope, place: &Place, found: &mut Vec<Place>) {
        match &place.kind {
            PlaceKind::Index(base, at) => {
                self.needs_inside(scope, base, found);
                self.needs(scope, at, found);
            }
            PlaceKind::Field(base, _) | PlaceKind::Slot(base, _) => self.needs_inside(scope, base, found),
            _ => {}
        }
    }

    /// That all these places have values.
    pub fn all_defined(&self, places: Vec<Place>) -> Option<Expr> {
        places.into_iter().map(|place| not(boolean(ExprKind::IsUndefined(place)))).reduce(and)
    }
}

/// The variable a place is part of, and the first index on the way.
pub fn root(place: &Place) -> (&PlaceKind, Option<&Expr>) {
    match &place.kind {
        PlaceKind::Index(base, at) => {
            let (root, first) = root(base);
            (root, first.or(Some(at)))
        }
        PlaceKind::Field(base, _) | PlaceKind::Slot(base, _) => root(base),
        kind => (kind, None),
    }
}
