//! `for i := 0 to 3` as `for i : 0..3`: loops between two constants become loops over a type, so that their variables
//! can be elements. The values and their order stay the same.

use burnside_model::Model;
use burnside_model::code::{
    Expr, ExprKind, Frame, LocalId, Loop, LoopRange, PartMut, Place, PlaceKind, Stmt, StmtKind, TypeId,
    TypeKind, Types,
};
use burnside_model::system::{Binder, Formula, FormulaKind};

use super::MOST_VALUES;

/// The model with typed loops.
pub(super) fn typed(model: &Model) -> Model {
    let mut typed = model.clone();
    let Model { types, starts, rules, properties, functions, .. } = &mut typed;
    for rule in starts.iter_mut().chain(rules) {
        let mut frame = std::mem::take(&mut rule.frame);
        let mut body = Body { types, frame: &mut frame, changed: Vec::new() };
        body.binders(&mut rule.binders);
        body.change(PartMut::of_rule(rule));
        rule.frame = frame;
    }
    for property in properties {
        let mut frame = std::mem::take(&mut property.frame);
        let mut body = Body { types, frame: &mut frame, changed: Vec::new() };
        body.binders(&mut property.binders);
        property.formula.iter_mut().for_each(|formula| body.formula(formula));
        body.change(PartMut::of_property(property));
        property.frame = frame;
    }
    for function in functions {
        let mut frame = std::mem::take(&mut function.frame);
        Body { types, frame: &mut frame, changed: Vec::new() }.change(PartMut::of_function(function));
        function.frame = frame;
    }
    typed
}

struct Body<'m> {
    types: &'m mut Types,
    frame: &'m mut Frame,
    /// The loop variables with a new type.
    changed: Vec<(LocalId, TypeId)>,
}

impl Body<'_> {
    fn binders(&mut self, binders: &mut [Binder]) {
        for binder in binders {
            if let Binder::Each(each) = binder {
                self.each(each);
            }
        }
    }

    fn formula(&mut self, formula: &mut Formula) {
        if let FormulaKind::Quantified(_, each, _) = &mut formula.kind {
            self.each(each);
        }
        formula.parts_mut().into_iter().for_each(|part| self.formula(part));
    }

    fn change(&mut self, parts: Vec<PartMut<'_>>) {
        for part in parts {
            part.each(&mut |part| match part {
                PartMut::Stmt(Stmt { kind: StmtKind::For(each, _), .. })
                | PartMut::Expr(Expr { kind: ExprKind::Quantified(_, each, _), .. }) => self.each(each),
                PartMut::Expr(Expr { kind: ExprKind::Read(place), ty, .. }) => {
                    if let Some(typed) = self.typed(place) {
                        *ty = typed;
                    }
                }
                PartMut::Place(place) => {
                    if let Some(typed) = self.typed(place) {
                        place.ty = typed;
                    }
                }
                _ => {}
            });
        }
    }

    /// The new type of a loop variable.
    fn typed(&self, place: &Place) -> Option<TypeId> {
        let changed = self.changed.iter().find(|(local, _)| place.kind == PlaceKind::Local(*local))?;
        Some(changed.1)
    }

    /// A loop's range; its variable is known from here on.
    fn each(&mut self, each: &mut Loop) {
        let LoopRange::Span(from, to, by) = &each.range else { return };
        let by_one = by.as_ref().is_none_or(|by| by.constant() == Some(1));
        let (Some(lo), Some(hi), true) = (from.constant(), to.constant(), by_one) else { return };
        let few = hi.checked_sub(lo).is_some_and(|last| (1..MOST_VALUES as i64).contains(&last));
        if let Some(ty) = few.then(|| self.types.add(None, TypeKind::Range(lo, hi))).flatten() {
            each.range = LoopRange::Type(ty);
            self.frame.locals[each.local.0 as usize].ty = ty;
            self.changed.push((each.local, ty));
        }
    }
}
