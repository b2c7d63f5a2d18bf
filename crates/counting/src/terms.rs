//! Shorthand for code that no source has.

use burnside_model::Span;
use burnside_model::code::{
    ArithOp, Expr, ExprKind, LogicOp, OrderOp, Place, PlaceKind, Stmt, StmtKind, TypeId, TypeKind, Types,
};

/// Nothing here has a source.
pub(crate) const AT: Span = Span { start: 0, end: 0 };

pub(crate) fn boolean(kind: ExprKind) -> Expr {
    Expr { kind, ty: Types::BOOL, span: AT }
}

pub(crate) fn constant(ty: TypeId, value: i64) -> Expr {
    Expr { kind: ExprKind::Const(value), ty, span: AT }
}

pub(crate) fn int(value: u32) -> Expr {
    constant(Types::INT, value.into())
}

pub(crate) fn read(place: Place) -> Expr {
    Expr { ty: place.ty, kind: ExprKind::Read(place), span: AT }
}

pub(crate) fn not(e: Expr) -> Expr {
    boolean(ExprKind::Not(Box::new(e)))
}

pub(crate) fn logic(op: LogicOp, terms: Vec<Expr>) -> Expr {
    let both = |a, b| boolean(ExprKind::Logic(op, Box::new(a), Box::new(b)));
    terms.into_iter().reduce(both).unwrap_or_else(|| constant(Types::BOOL, (op == LogicOp::And).into()))
}

pub(crate) fn arith(op: ArithOp, a: Expr, b: Expr) -> Expr {
    Expr { kind: ExprKind::Arith(op, Box::new(a), Box::new(b)), ty: Types::INT, span: AT }
}

pub(crate) fn order(op: OrderOp, a: Expr, b: Expr) -> Expr {
    boolean(ExprKind::Order(op, Box::new(a), Box::new(b)))
}

pub(crate) fn equal(a: Expr, b: Expr) -> Expr {
    boolean(ExprKind::Eq(Box::new(a), Box::new(b)))
}

pub(crate) fn sum(terms: Vec<Expr>) -> Expr {
    terms.into_iter().reduce(|a, b| arith(ArithOp::Add, a, b)).unwrap_or_else(|| int(0))
}

pub(crate) fn entry(types: &Types, base: Place, at: i64) -> Place {
    let (index, element) = match types[base.ty].kind {
        TypeKind::Array { index, element } => (index, element),
        _ => (Types::INT, Types::INT),
    };
    Place { kind: PlaceKind::Index(Box::new(base), Box::new(constant(index, at))), ty: element, span: AT }
}

pub(crate) fn assign(place: Place, value: Expr) -> Stmt {
    Stmt { kind: StmtKind::Assign(place, value), span: AT }
}
