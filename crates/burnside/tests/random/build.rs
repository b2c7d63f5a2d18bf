//! Shorthand for nodes of the typed model.

use burnside_model::Span;
use burnside_model::code::*;

/// Nothing here has a source.
pub const AT: Span = Span { start: 0, end: 0 };

pub fn expr(kind: ExprKind, ty: TypeId) -> Expr {
    Expr { kind, ty, span: AT }
}

pub fn boolean(kind: ExprKind) -> Expr {
    expr(kind, Types::BOOL)
}

pub fn constant(ty: TypeId, value: i64) -> Expr {
    expr(ExprKind::Const(value), ty)
}

pub fn int(value: i64) -> Expr {
    constant(Types::INT, value)
}

pub fn read(place: Place) -> Expr {
    let ty = place.ty;
    expr(ExprKind::Read(place), ty)
}

pub fn not(e: Expr) -> Expr {
    boolean(ExprKind::Not(Box::new(e)))
}

pub fn logic(op: LogicOp, a: Expr, b: Expr) -> Expr {
    boolean(ExprKind::Logic(op, Box::new(a), Box::new(b)))
}

pub fn and(a: Expr, b: Expr) -> Expr {
    logic(LogicOp::And, a, b)
}

pub fn eq(a: Expr, b: Expr) -> Expr {
    boolean(ExprKind::Eq(Box::new(a), Box::new(b)))
}

pub fn order(op: OrderOp, a: Expr, b: Expr) -> Expr {
    boolean(ExprKind::Order(op, Box::new(a), Box::new(b)))
}

pub fn arith(op: ArithOp, a: Expr, b: Expr) -> Expr {
    expr(ExprKind::Arith(op, Box::new(a), Box::new(b)), Types::INT)
}

/// A member's value as the union's; nothing to do if it is the same type.
pub fn convert(e: Expr, to: TypeId) -> Expr {
    if e.ty == to { e } else { expr(ExprKind::Convert(Box::new(e)), to) }
}

pub fn local(frame: &Frame, id: LocalId) -> Place {
    Place { kind: PlaceKind::Local(id), ty: frame[id].ty, span: AT }
}

pub fn index(types: &Types, base: Place, at: Expr) -> Place {
    let TypeKind::Array { element, .. } = types[base.ty].kind else { panic!("not an array") };
    Place { kind: PlaceKind::Index(Box::new(base), Box::new(at)), ty: element, span: AT }
}

pub fn field(types: &Types, base: Place, number: usize) -> Place {
    let TypeKind::Record(fields) = &types[base.ty].kind else { panic!("not a record") };
    let ty = fields[number].ty;
    Place { kind: PlaceKind::Field(Box::new(base), number as u32), ty, span: AT }
}

pub fn slot(types: &Types, set: Place, at: Expr) -> Place {
    let TypeKind::Multiset { element, .. } = types[set.ty].kind else { panic!("not a multiset") };
    Place { kind: PlaceKind::Slot(Box::new(set), Box::new(at)), ty: element, span: AT }
}

pub fn stmt(kind: StmtKind) -> Stmt {
    Stmt { kind, span: AT }
}

/// All values of a type, one after the other.
pub fn each(local: LocalId, ty: TypeId) -> Loop {
    Loop { local, range: LoopRange::Type(ty), span: AT }
}
