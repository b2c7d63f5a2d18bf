//! Which locals an expression mentions.

use std::collections::BTreeSet;

use burnside_model::code::*;

/// The locals that an expression mentions.
pub(super) fn locals_of(expr: &Expr, found: &mut BTreeSet<u32>) {
    match &expr.kind {
        ExprKind::Const(_) => {}
        ExprKind::Read(place) | ExprKind::IsUndefined(place) => locals_of_place(place, found),
        ExprKind::Not(e)
        | ExprKind::Neg(e)
        | ExprKind::BitNot(e)
        | ExprKind::IsMember(e, _)
        | ExprKind::Rotate(e, _)
        | ExprKind::Convert(e) => locals_of(e, found),
        ExprKind::Arith(_, a, b)
        | ExprKind::Order(_, a, b)
        | ExprKind::Logic(_, a, b)
        | ExprKind::Eq(a, b)
        | ExprKind::Ne(a, b) => {
            locals_of(a, found);
            locals_of(b, found);
        }
        ExprKind::Same(a, b, _) => {
            locals_of_place(a, found);
            locals_of_place(b, found);
        }
        ExprKind::Cond(c, a, b) => {
            for e in [c, a, b] {
                locals_of(e, found);
            }
        }
        ExprKind::Quantified(_, each, body) => {
            if let LoopRange::Span(from, to, by) = &each.range {
                for e in [Some(from), Some(to), by.as_ref()].into_iter().flatten() {
                    locals_of(e, found);
                }
            }
            locals_of(body, found);
        }
        ExprKind::Call(call) => locals_of_call(call, found),
        ExprKind::Count(_, set, e) => {
            locals_of_place(set, found);
            locals_of(e, found);
        }
    }
}

fn locals_of_place(place: &Place, found: &mut BTreeSet<u32>) {
    match &place.kind {
        PlaceKind::Global(_) => {}
        PlaceKind::Local(local) => {
            found.insert(local.0);
        }
        PlaceKind::Index(base, e) | PlaceKind::Slot(base, e) => {
            locals_of_place(base, found);
            locals_of(e, found);
        }
        PlaceKind::Field(base, _) => locals_of_place(base, found),
        PlaceKind::Call(call) => locals_of_call(call, found),
        PlaceKind::Cond(c, a, b) => {
            locals_of(c, found);
            locals_of_place(a, found);
            locals_of_place(b, found);
        }
    }
}

fn locals_of_call(call: &Call, found: &mut BTreeSet<u32>) {
    for arg in &call.args {
        match arg {
            Arg::Value(e) => locals_of(e, found),
            Arg::Reference(place) => locals_of_place(place, found),
            Arg::Undefined => {}
        }
    }
}
