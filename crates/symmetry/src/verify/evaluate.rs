//! The expressions, places and calls of an iteration.

use burnside_model::Span;
use burnside_model::code::{
    Arg, Call, Expr, ExprKind, LocalId, LogicOp, Loop, LoopRange, Place, PlaceKind, Storage, TypeKind,
    UNDEFINED,
};

use super::abstraction::{Held, Loc, Root, Step, Target, Val, join};
use super::collect::{Collector, Scope, Use};
use super::execute::same_place;

/// The most calls inside each other that are followed.
const DEPTH: usize = 64;

impl<'m> Collector<'m> {
    /// What is known of an expression's value; what it reads is recorded.
    pub fn value(&mut self, e: &'m Expr) -> Val {
        if self.state.is_none() || !self.burn(e.span) {
            return Val::Vary;
        }
        match &e.kind {
            ExprKind::Const(value) => Val::Const(*value),
            ExprKind::Read(place) => self.read(place, e.span),
            ExprKind::Not(a) => Val::of("not", &[self.value(a)]),
            ExprKind::Neg(a) | ExprKind::BitNot(a) => {
                self.may_fault(e.span);
                let operation = if matches!(e.kind, ExprKind::Neg(_)) { "neg" } else { "bits" };
                Val::of(operation, &[self.value(a)])
            }
            ExprKind::Arith(op, a, b) => {
                self.may_fault(e.span);
                Val::of(&format!("{op:?}"), &[self.value(a), self.value(b)])
            }
            ExprKind::Order(op, a, b) => Val::of(&format!("{op:?}"), &[self.value(a), self.value(b)]),
            ExprKind::Eq(a, b) => Val::of("eq", &[self.value(a), self.value(b)]),
            ExprKind::Ne(a, b) => Val::of("ne", &[self.value(a), self.value(b)]),
            ExprKind::Logic(op, a, b) => {
                let a = self.value(a);
                Val::of(&format!("{op:?}?"), &[a, self.maybe(|this| this.value(b))])
            }
            ExprKind::Same(a, b, negated) => {
                let parts = [a, b].map(|place| self.look(place, e.span));
                Val::of(if *negated { "differ" } else { "same" }, &parts)
            }
            ExprKind::Cond(c, a, b) => {
                let c = self.value(c);
                Val::of("cond", &[c, self.maybe(|this| this.value(a)), self.maybe(|this| this.value(b))])
            }
            ExprKind::Quantified(_, each, body) => {
                self.range(each);
                self.repeat(e.span, |this| {
                    this.bind_variable(each.local, Val::Vary);
                    this.value(body);
                });
                Val::Vary
            }
            ExprKind::Call(call) => self.call(call),
            ExprKind::IsUndefined(place) => Val::of("undefined", &[self.look(place, e.span)]),
            ExprKind::IsMember(a, ty) => Val::of(&format!("member{}", ty.0), &[self.value(a)]),
            ExprKind::Convert(a) => self.convert(a, e),
            ExprKind::Rotate(a, by) => {
                let size = self.model.types.ring(e.ty).unwrap_or(1).max(1);
                let further = match self.value(a) {
                    Val::Loop => *by,
                    Val::Further(before) => before + by,
                    value => return Val::of(&format!("rotate{by}"), &[value]),
                };
                if further % size == 0 { Val::Loop } else { Val::Further(further % size) }
            }
            ExprKind::Count(local, set, condition) => {
                self.count(*local, set, condition, e.span);
                Val::Vary
            }
        }
    }

    /// A conversion to or from a union does not confuse values: the loop's variable stays as good an index.
    fn convert(&mut self, from: &'m Expr, to: &'m Expr) -> Val {
        if self.model.types.union_offset(to.ty, from.ty).is_none() {
            self.may_fault(to.span);
        }
        match self.value(from) {
            value @ (Val::Loop | Val::Further(_)) => value,
            value => Val::of(&format!("convert{}:{}", from.ty.0, to.ty.0), &[value]),
        }
    }

    /// The entries of a multiset that a condition holds of. If it begins with "the key is the loop's variable", it
    /// depends on the entries with that key only, whatever becomes of others; then the fields on the way to the key are
    /// returned. It has to begin with it: what is asked before is asked of all entries, and may go wrong for one that
    /// another iteration removes.
    pub fn count(
        &mut self,
        local: LocalId,
        set: &'m Place,
        condition: &'m Expr,
        span: Span,
    ) -> Option<Vec<u32>> {
        let mut asked = condition.operands(LogicOp::And).into_iter();
        if let Some(key) = asked.next().and_then(|first| self.key(local, set, first)) {
            let target = self.place(set);
            self.record(&target.clone().step(Step::Entries(key.clone())), Use::Read, span, set);
            self.may_fault(span);
            let outer = self.own.replace((target, key.clone()));
            self.repeat(span, |this| {
                this.bind_variable(local, Val::Own);
                this.maybe(|this| asked.clone().for_each(|e| drop(this.value(e))));
            });
            self.own = outer;
            return Some(key);
        }
        self.look(set, span);
        self.repeat(span, |this| {
            this.bind_variable(local, Val::Vary);
            this.value(condition);
        });
        None
    }

    /// The fields on the way to the key if this says that the key of an entry, at the position in `local`, is the loop's
    /// variable.
    fn key(&mut self, local: LocalId, set: &Place, e: &'m Expr) -> Option<Vec<u32>> {
        let ExprKind::Eq(a, b) = &e.kind else { return None };
        let (fields, other) =
            [(a, b), (b, a)].into_iter().find_map(|(a, b)| Some((entry_part(local, set, a)?, b)))?;
        (self.value(other) == Val::Loop).then_some(fields)
    }

    pub fn range(&mut self, each: &'m Loop) {
        if let LoopRange::Span(from, to, by) = &each.range {
            self.may_fault(each.span);
            for e in [Some(from), Some(to), by.as_ref()].into_iter().flatten() {
                self.value(e);
            }
        }
    }

    /// The content of a place, whether defined or not.
    fn look(&mut self, place: &'m Place, span: Span) -> Val {
        let target = self.place(place);
        self.record(&target, Use::Read, span, place);
        target.content()
    }

    fn read(&mut self, place: &'m Place, span: Span) -> Val {
        let target = self.place(place);
        self.record(&target, Use::Read, span, place);
        let variable = match target.locs.as_slice() {
            [Loc { root: Root::Local(owner, local), path }] if path.is_empty() => Some((*owner, *local)),
            _ => None,
        };
        let has_value = |loc| self.defined.is_some_and(|defined| defined.has(loc));
        let surely = !target.locs.is_empty() && target.locs.iter().all(has_value);
        if !surely && variable.is_none_or(|variable| !self.bound.contains(&variable)) {
            self.may_fault(span);
        }
        variable.map_or_else(|| target.content(), |(owner, local)| self.held(owner, local))
    }

    /// The locations that a place may denote; what its indices read is recorded.
    pub fn place(&mut self, place: &'m Place) -> Target {
        if self.state.is_none() {
            return Target::default();
        }
        match &place.kind {
            PlaceKind::Global(global) => {
                Target { locs: vec![Loc::new(Root::Global(*global))], text: Some(format!("g{}", global.0)) }
            }
            PlaceKind::Local(local) => self.local(*local, place.span),
            PlaceKind::Field(base, field) => self.place(base).step(Step::Field(*field)),
            PlaceKind::Index(base, index) => {
                let target = self.place(base);
                let value = self.value(index);
                if let TypeKind::Array { index: ty, .. } = self.model.types[base.ty].kind {
                    let (inner, outer) = (self.model.types.bounds(index.ty), self.model.types.bounds(ty));
                    if inner.0 < outer.0 || inner.1 > outer.1 {
                        self.may_fault(index.span);
                    }
                }
                target.step(Step::Index(value))
            }
            PlaceKind::Slot(base, slot) => {
                let target = self.place(base);
                let value = self.value(slot);
                let own = self.own.as_ref().filter(|(set, _)| value == Val::Own && *set == target);
                let step = own.map_or(Step::Index(value), |(_, key)| Step::Entries(key.clone()));
                let target = target.step(step);
                self.may_fault(place.span);
                self.record(&target, Use::Read, place.span, place);
                target
            }
            PlaceKind::Call(call) => {
                self.call(call);
                Target { locs: vec![Loc::new(Root::Temporary)], text: None }
            }
            PlaceKind::Cond(condition, a, b) => {
                self.value(condition);
                let mut target = self.maybe(|this| this.place(a));
                target.locs.extend(self.maybe(|this| this.place(b)).locs);
                target.text = None;
                target
            }
        }
    }

    fn local(&mut self, local: LocalId, span: Span) -> Target {
        let (frame, owner) = self.here();
        if frame[local].storage == Storage::Value {
            let text = self.home_text(owner, local);
            return Target { locs: vec![Loc::new(Root::Local(owner, local))], text };
        }
        match self.state.as_ref().and_then(|state| state.locals.get(&(owner, local.0))) {
            Some(Held::Reference(target)) => target.clone(),
            _ => {
                self.give_up(span, "where this reference leads is not known");
                Target::default()
            }
        }
    }

    /// Follows a call; what is known of its simple result.
    pub fn call(&mut self, call: &'m Call) -> Val {
        if self.state.is_none() {
            return Val::Vary;
        }
        let Some(function) = self.model.functions.get(call.function as usize) else { return Val::Vary };
        if self.active.contains(&call.function) || self.active.len() >= DEPTH {
            self.give_up(call.span, "this loop calls a recursive function");
            return Val::Vary;
        }
        self.may_fault(call.span);
        let args: Vec<Held> = call.args.iter().map(|arg| self.argument(arg)).collect();
        let owner = self.next_owner;
        self.next_owner += 1;
        self.active.push(call.function);
        self.scopes.push(Scope { frame: &function.frame, owner, returned: None, result: None });
        for (i, local) in function.frame.locals.iter().enumerate() {
            let undefined = || Held::Value(Val::Const(UNDEFINED));
            if i < args.len() || local.storage == Storage::Value {
                self.bind(LocalId(i as u32), args.get(i).cloned().unwrap_or_else(undefined));
            }
        }
        self.block(&function.body);
        self.active.pop();
        let scope = self.scopes.pop();
        let (returned, result) = scope.map_or((None, None), |scope| (scope.returned, scope.result));
        self.state = join(returned, self.state.take());
        if let Some(state) = &mut self.state {
            state.locals.retain(|(frame, _), _| *frame != owner);
        }
        result.unwrap_or(Val::Vary)
    }

    fn argument(&mut self, arg: &'m Arg) -> Held {
        match arg {
            Arg::Value(e) => Held::Value(self.value(e)),
            Arg::Reference(place) => Held::Reference(self.place(place)),
            Arg::Undefined => Held::Value(Val::Const(UNDEFINED)),
        }
    }
}

/// The fields on the way from an entry of a multiset, at the position in `local`, to what this reads.
fn entry_part(local: LocalId, set: &Place, e: &Expr) -> Option<Vec<u32>> {
    fn way(local: LocalId, set: &Place, place: &Place) -> Option<Vec<u32>> {
        match &place.kind {
            PlaceKind::Field(base, field) => {
                let mut fields = way(local, set, base)?;
                fields.push(*field);
                Some(fields)
            }
            PlaceKind::Slot(base, slot) => {
                let here = matches!(&slot.kind, ExprKind::Read(at) if at.kind == PlaceKind::Local(local));
                (here && same_place(base, set)).then(Vec::new)
            }
            _ => None,
        }
    }
    match &e.kind {
        ExprKind::Convert(e) => entry_part(local, set, e),
        ExprKind::Read(place) => way(local, set, place),
        _ => None,
    }
}
