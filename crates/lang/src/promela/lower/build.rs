//! Small pieces of model code, folded where they are constant.

use burnside_model::Span;
use burnside_model::code::{
    ArithOp, Expr, ExprKind, GlobalId, LogicOp, OrderOp, Place, PlaceKind, Stmt, StmtKind, TypeId, Types,
};

pub(super) fn int(value: i64) -> Expr {
    typed(value, Types::INT)
}

pub(super) fn typed(value: i64, ty: TypeId) -> Expr {
    Expr { kind: ExprKind::Const(value), ty, span: Span::default() }
}

pub(super) fn truth(value: bool) -> Expr {
    typed(i64::from(value), Types::BOOL)
}

pub(super) fn constant(e: &Expr) -> Option<i64> {
    match e.kind {
        ExprKind::Const(value) => Some(value),
        _ => None,
    }
}

pub(super) fn is_true(e: &Expr) -> bool {
    constant(e) == Some(1)
}

pub(super) fn is_false(e: &Expr) -> bool {
    constant(e) == Some(0)
}

fn bool_of(kind: ExprKind, span: Span) -> Expr {
    Expr { kind, ty: Types::BOOL, span }
}

pub(super) fn not(e: Expr) -> Expr {
    let span = e.span;
    match e.kind {
        ExprKind::Const(value) => truth(value == 0),
        ExprKind::Not(inner) => *inner,
        ExprKind::Eq(a, b) => bool_of(ExprKind::Ne(a, b), span),
        ExprKind::Ne(a, b) => bool_of(ExprKind::Eq(a, b), span),
        kind => bool_of(ExprKind::Not(Box::new(Expr { kind, ty: e.ty, span })), span),
    }
}

pub(super) fn and(a: Expr, b: Expr) -> Expr {
    match (constant(&a), constant(&b)) {
        (Some(0), _) | (_, Some(1)) => a,
        (Some(_), _) | (_, Some(_)) => b,
        _ => {
            let span = a.span;
            bool_of(ExprKind::Logic(LogicOp::And, Box::new(a), Box::new(b)), span)
        }
    }
}

pub(super) fn or(a: Expr, b: Expr) -> Expr {
    match (constant(&a), constant(&b)) {
        (Some(0), _) => b,
        (Some(_), _) | (_, Some(0)) => a,
        (_, Some(_)) => b,
        _ => {
            let span = a.span;
            bool_of(ExprKind::Logic(LogicOp::Or, Box::new(a), Box::new(b)), span)
        }
    }
}

/// All of these, as a balanced tree: there may be thousands.
pub(super) fn all(parts: Vec<Expr>) -> Expr {
    balanced(parts, true, and)
}

pub(super) fn any(parts: Vec<Expr>) -> Expr {
    balanced(parts, false, or)
}

fn balanced(mut parts: Vec<Expr>, empty: bool, join: fn(Expr, Expr) -> Expr) -> Expr {
    parts.retain(|part| constant(part) != Some(i64::from(empty)));
    if let Some(decisive) = parts.iter().position(|part| constant(part).is_some()) {
        return parts.swap_remove(decisive);
    }
    // Short ones stay in order, as a condition may guard the next.
    if parts.len() <= 64 {
        let mut parts = parts.into_iter();
        let Some(first) = parts.next() else { return truth(empty) };
        return parts.fold(first, join);
    }
    let right = parts.split_off(parts.len() / 2);
    join(balanced(parts, empty, join), balanced(right, empty, join))
}

pub(super) fn eq(a: Expr, b: Expr) -> Expr {
    if let (Some(a), Some(b)) = (constant(&a), constant(&b)) {
        return truth(a == b);
    }
    let span = a.span;
    bool_of(ExprKind::Eq(Box::new(a), Box::new(b)), span)
}

pub(super) fn order(op: OrderOp, a: Expr, b: Expr) -> Expr {
    if let (Some(a), Some(b)) = (constant(&a), constant(&b)) {
        return truth(op.apply(a, b));
    }
    let span = a.span;
    bool_of(ExprKind::Order(op, Box::new(a), Box::new(b)), span)
}

pub(super) fn arith(op: ArithOp, a: Expr, b: Expr) -> Expr {
    if let (Some(x), Some(y)) = (constant(&a), constant(&b))
        && let Some(value) = op.apply(x, y)
    {
        return int(value);
    }
    let span = a.span;
    Expr { kind: ExprKind::Arith(op, Box::new(a), Box::new(b)), ty: Types::INT, span }
}

pub(super) fn choose(c: Expr, a: Expr, b: Expr) -> Expr {
    match constant(&c) {
        Some(0) => b,
        Some(_) => a,
        None => {
            let (ty, span) = (if constant(&a).is_some() { b.ty } else { a.ty }, c.span);
            Expr { kind: ExprKind::Cond(Box::new(c), Box::new(a), Box::new(b)), ty, span }
        }
    }
}

/// A condition as a number.
pub(super) fn number(e: Expr) -> Expr {
    match (e.ty == Types::BOOL, constant(&e)) {
        (true, Some(value)) => int(value),
        (true, None) => choose(e, int(1), int(0)),
        _ => e,
    }
}

pub(super) fn condition(e: Expr) -> Expr {
    if e.ty == Types::BOOL {
        return e;
    }
    let zero = typed(0, e.ty);
    not(eq(e, zero))
}

pub(super) fn global(id: GlobalId, ty: TypeId) -> Place {
    Place { kind: PlaceKind::Global(id), ty, span: Span::default() }
}

pub(super) fn index(base: Place, at: Expr, ty: TypeId) -> Place {
    let span = base.span;
    Place { kind: PlaceKind::Index(Box::new(base), Box::new(at)), ty, span }
}

pub(super) fn field(base: Place, number: u32, ty: TypeId) -> Place {
    let span = base.span;
    Place { kind: PlaceKind::Field(Box::new(base), number), ty, span }
}

pub(super) fn read(place: Place) -> Expr {
    let (ty, span) = (place.ty, place.span);
    Expr { kind: ExprKind::Read(place), ty, span }
}

pub(super) fn assign(place: Place, value: Expr) -> Stmt {
    let span = value.span;
    Stmt { kind: StmtKind::Assign(place, value), span }
}

pub(super) fn copy(place: Place, from: Place) -> Stmt {
    Stmt { kind: StmtKind::Copy(place, from), span: Span::default() }
}
