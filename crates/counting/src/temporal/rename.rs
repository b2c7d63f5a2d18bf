//! Variables of a property become variables of the state.

use burnside_model::code::{
    Arg, Call, Expr, ExprKind, GlobalId, LocalId, LoopRange, Operand, Place, PlaceKind,
};

/// Which variable of the state stands for each variable of the property.
pub(super) struct Rename<'r>(pub &'r [(LocalId, GlobalId)]);

impl Rename<'_> {
    pub fn expr(&self, e: &mut Expr) {
        match &mut e.kind {
            ExprKind::Const(_) => {}
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => self.place(place),
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
            | ExprKind::Ne(a, b) => [a, b].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Same(a, b, _) => [a, b].into_iter().for_each(|place| self.place(place)),
            ExprKind::Cond(c, a, b) => [c, a, b].into_iter().for_each(|e| self.expr(e)),
            ExprKind::Quantified(_, each, body) => {
                if let LoopRange::Span(from, to, by) = &mut each.range {
                    [from, to].into_iter().chain(by).for_each(|e| self.expr(e));
                }
                self.expr(body);
            }
            ExprKind::Call(call) => self.call(call),
            ExprKind::Count(_, set, condition) => {
                self.place(set);
                self.expr(condition);
            }
        }
    }

    fn place(&self, place: &mut Place) {
        match &mut place.kind {
            PlaceKind::Global(_) => {}
            PlaceKind::Local(local) => {
                if let Some((_, global)) = self.0.iter().find(|(known, _)| known == local) {
                    place.kind = PlaceKind::Global(*global);
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
                [a, b].into_iter().for_each(|place| self.place(place));
            }
        }
    }

    fn call(&self, call: &mut Call) {
        for arg in &mut call.args {
            match arg {
                Arg::Value(e) => self.expr(e),
                Arg::Reference(place) => self.place(place),
                Arg::Undefined => {}
            }
        }
    }

    pub fn operand(&self, operand: &mut Operand) {
        match operand {
            Operand::Value(e) => self.expr(e),
            Operand::Place(place) => self.place(place),
        }
    }
}
