//! `for i := 0 to 3` as `for i : 0..3`: loops between two constants become loops over a type, so that their variables
//! can be elements. The values and their order stay the same.

use burnside_model::Model;
use burnside_model::code::{
    Arg, Block, Call, Expr, ExprKind, Frame, Loop, LoopRange, Operand, Place, PlaceKind, Stmt, StmtKind,
    TypeId, TypeKind, Types,
};
use burnside_model::system::{Binder, Formula, FormulaKind};

use super::MOST_VALUES;

/// The model with typed loops.
pub(super) fn typed(model: &Model) -> Model {
    let mut typed = model.clone();
    let Model { types, starts, rules, properties, functions, .. } = &mut typed;
    for rule in starts.iter_mut().chain(rules) {
        let mut body = Body { types, frame: &mut rule.frame, changed: Vec::new() };
        rule.binders.iter_mut().for_each(|binder| body.binder(binder));
        rule.guard.iter_mut().for_each(|guard| body.expr(guard));
        body.block(&mut rule.body);
    }
    for property in properties {
        let mut body = Body { types, frame: &mut property.frame, changed: Vec::new() };
        property.binders.iter_mut().for_each(|binder| body.binder(binder));
        property.condition.iter_mut().for_each(|condition| body.expr(condition));
        property.formula.iter_mut().for_each(|formula| body.formula(formula));
    }
    for function in functions {
        Body { types, frame: &mut function.frame, changed: Vec::new() }.block(&mut function.body);
    }
    typed
}

struct Body<'m> {
    types: &'m mut Types,
    frame: &'m mut Frame,
    /// The loop variables with a new type.
    changed: Vec<(u32, TypeId)>,
}

impl Body<'_> {
    fn binder(&mut self, binder: &mut Binder) {
        match binder {
            Binder::Each(each) => self.each(each),
            Binder::Alias(_, target) => self.operand(target),
            Binder::Choose(_, set) => self.place(set),
        }
    }

    /// A loop's range; its variable is known from here on.
    fn each(&mut self, each: &mut Loop) {
        let LoopRange::Span(from, to, by) = &mut each.range else { return };
        for e in [Some(from), Some(to), by.as_mut()].into_iter().flatten() {
            self.expr(e);
        }
        let LoopRange::Span(from, to, by) = &each.range else { return };
        let constant = |e: &Expr| match e.kind {
            ExprKind::Const(value) => Some(value),
            ExprKind::Arith(op, ref a, ref b) => match (&a.kind, &b.kind) {
                (ExprKind::Const(a), ExprKind::Const(b)) => op.apply(*a, *b),
                _ => None,
            },
            _ => None,
        };
        let by_one = by.as_ref().is_none_or(|by| constant(by) == Some(1));
        let (Some(lo), Some(hi), true) = (constant(from), constant(to), by_one) else { return };
        let few = hi.checked_sub(lo).is_some_and(|last| (1..MOST_VALUES as i64).contains(&last));
        if let Some(ty) = few.then(|| self.types.add(None, TypeKind::Range(lo, hi))).flatten() {
            each.range = LoopRange::Type(ty);
            self.frame.locals[each.local.0 as usize].ty = ty;
            self.changed.push((each.local.0, ty));
        }
    }

    fn formula(&mut self, formula: &mut Formula) {
        match &mut formula.kind {
            FormulaKind::Atom(atom) => self.expr(atom),
            FormulaKind::Quantified(_, each, _) => self.each(each),
            _ => {}
        }
        formula.parts_mut().into_iter().for_each(|part| self.formula(part));
    }

    fn block(&mut self, block: &mut Block) {
        block.iter_mut().for_each(|stmt| self.stmt(stmt));
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match &mut stmt.kind {
            StmtKind::Assign(target, value) => {
                self.place(target);
                self.expr(value);
            }
            StmtKind::Copy(target, source) => {
                self.place(target);
                self.place(source);
            }
            StmtKind::Undefine(target) | StmtKind::Clear(target) => self.place(target),
            StmtKind::If(arms, otherwise) => {
                for (condition, body) in arms {
                    self.expr(condition);
                    self.block(body);
                }
                self.block(otherwise);
            }
            StmtKind::Switch(subject, cases, otherwise) => {
                self.expr(subject);
                for (values, body) in cases {
                    values.iter_mut().for_each(|value| self.expr(value));
                    self.block(body);
                }
                self.block(otherwise);
            }
            StmtKind::For(each, body) => {
                self.each(each);
                self.block(body);
            }
            StmtKind::While(condition, body) => {
                self.expr(condition);
                self.block(body);
            }
            StmtKind::Call(call) => self.call(call),
            StmtKind::Alias(_, target, body) => {
                self.operand(target);
                self.block(body);
            }
            StmtKind::Return(None) | StmtKind::PutText(_) | StmtKind::Error(_) => {}
            StmtKind::Return(Some(value)) | StmtKind::Put(value, _) => self.operand(value),
            StmtKind::Assert(e, _) | StmtKind::Assume(e) | StmtKind::Cover(e, _) => self.expr(e),
            StmtKind::MultisetAdd(element, set) => {
                self.operand(element);
                self.place(set);
            }
            StmtKind::MultisetRemove(slot, set) => {
                self.expr(slot);
                self.place(set);
            }
            StmtKind::MultisetRemovePred(_, set, condition) => {
                self.place(set);
                self.expr(condition);
            }
        }
    }

    fn expr(&mut self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Const(_) => {}
            ExprKind::Read(place) => {
                self.place(place);
                e.ty = place.ty;
            }
            ExprKind::IsUndefined(place) => self.place(place),
            ExprKind::Not(a)
            | ExprKind::Neg(a)
            | ExprKind::BitNot(a)
            | ExprKind::IsMember(a, _)
            | ExprKind::Rotate(a, _)
            | ExprKind::Convert(a) => self.expr(a),
            ExprKind::Arith(_, a, b)
            | ExprKind::Order(_, a, b)
            | ExprKind::Logic(_, a, b)
            | ExprKind::Eq(a, b)
            | ExprKind::Ne(a, b) => {
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Same(a, b, _) => {
                self.place(a);
                self.place(b);
            }
            ExprKind::Cond(c, a, b) => {
                self.expr(c);
                self.expr(a);
                self.expr(b);
            }
            ExprKind::Quantified(_, each, body) => {
                self.each(each);
                self.expr(body);
            }
            ExprKind::Call(call) => self.call(call),
            ExprKind::Count(_, set, condition) => {
                self.place(set);
                self.expr(condition);
            }
        }
    }

    fn place(&mut self, place: &mut Place) {
        match &mut place.kind {
            PlaceKind::Global(_) => {}
            PlaceKind::Local(local) => {
                if let Some((_, ty)) = self.changed.iter().find(|(changed, _)| *changed == local.0) {
                    place.ty = *ty;
                }
            }
            PlaceKind::Index(base, e) | PlaceKind::Slot(base, e) => {
                self.place(base);
                self.expr(e);
            }
            PlaceKind::Field(base, _) => self.place(base),
            PlaceKind::Call(call) => self.call(call),
            PlaceKind::Cond(c, a, b) => {
                self.expr(c);
                self.place(a);
                self.place(b);
            }
        }
    }

    fn call(&mut self, call: &mut Call) {
        for arg in &mut call.args {
            match arg {
                Arg::Value(e) => self.expr(e),
                Arg::Reference(place) => self.place(place),
                Arg::Undefined => {}
            }
        }
    }

    fn operand(&mut self, operand: &mut Operand) {
        match operand {
            Operand::Value(e) => self.expr(e),
            Operand::Place(place) => self.place(place),
        }
    }
}
