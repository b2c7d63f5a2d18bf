//! Expressions and places. All names are resolved and all types are known; the interpreter is their meaning.

use super::stmt::Call;
use super::types::{TypeId, UNDEFINED};
use crate::Span;

/// A global variable, by its position in [`crate::Model::globals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct GlobalId(pub u32);

/// A local of the enclosing body, by its position in its [`Frame`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct LocalId(pub u32);

/// How a local is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Storage {
    /// The frame holds the value.
    Value,
    /// The frame holds the address of the value: `var` parameters, aggregate parameters, aliases.
    Reference,
}

/// A parameter, local variable, quantified variable or alias.
#[derive(Clone, Debug, PartialEq)]
pub struct Local {
    /// Its name in the source.
    pub name: String,
    pub ty: TypeId,
    pub storage: Storage,
    /// Its first cell, counted from the frame's first.
    pub offset: u32,
}

/// The locals of one body.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// Parameters first, then the rest in order of declaration.
    pub locals: Vec<Local>,
    /// How many cells they take.
    pub cells: u32,
}

impl Frame {
    /// Adds a local; `cells` is the size of its type.
    pub fn add(&mut self, name: &str, ty: TypeId, cells: u32, storage: Storage) -> LocalId {
        self.locals.push(Local { name: name.to_owned(), ty, storage, offset: self.cells });
        self.cells += if storage == Storage::Value { cells } else { 1 };
        LocalId(self.locals.len() as u32 - 1)
    }
}

impl std::ops::Index<LocalId> for Frame {
    type Output = Local;

    fn index(&self, local: LocalId) -> &Local {
        &self.locals[local.0 as usize]
    }
}

/// Something with an address.
#[derive(Clone, Debug, PartialEq)]
pub struct Place {
    pub kind: PlaceKind,
    pub ty: TypeId,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PlaceKind {
    Global(GlobalId),
    /// A local, through its reference if it is stored as one.
    Local(LocalId),
    /// `base[index]`; the index has the array's index type.
    Index(Box<Place>, Box<Expr>),
    /// `base.field`, the field by position.
    Field(Box<Place>, u32),
    /// `set[slot]` of a multiset; an error if the slot is not in use.
    Slot(Box<Place>, Box<Expr>),
    /// The aggregate that a function returns, in temporary storage.
    Call(Box<Call>),
    /// One of two aggregates.
    Cond(Box<Expr>, Box<Place>, Box<Place>),
}

/// An expression of simple type.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    /// The type of the result.
    pub ty: TypeId,
    pub span: Span,
}

/// Operators on two integers that give an integer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArithOp {
    Add,
    Sub,
    Mul,
    /// `/`, towards zero
    Div,
    /// `%`, with the sign of the dividend
    Mod,
    Shl,
    /// `>>`, keeping the sign
    Shr,
    And,
    Or,
    Xor,
}

impl ArithOp {
    /// The result; `None` if it does not fit in 64 bits, or for a division by zero.
    pub fn apply(self, a: i64, b: i64) -> Option<i64> {
        let value = match self {
            ArithOp::Add => a.checked_add(b),
            ArithOp::Sub => a.checked_sub(b),
            ArithOp::Mul => a.checked_mul(b),
            ArithOp::Div => a.checked_div(b),
            ArithOp::Mod if b == 0 => None,
            ArithOp::Mod => Some(a.wrapping_rem(b)),
            ArithOp::Shl => Some(shift_left(a, b)),
            ArithOp::Shr => Some(shift_left(a, b.saturating_neg())),
            ArithOp::And => Some(a & b),
            ArithOp::Or => Some(a | b),
            ArithOp::Xor => Some(a ^ b),
        };
        value.filter(|value| *value != UNDEFINED)
    }

    /// Whether a right side of 0 has no result.
    pub fn divides(self) -> bool {
        matches!(self, ArithOp::Div | ArithOp::Mod)
    }
}

/// Shifts to the left, or by a negative number to the right; bits shifted out are lost.
pub fn shift_left(a: i64, by: i64) -> i64 {
    match by {
        64.. => 0,
        0..64 => a << by,
        -63..0 => a >> -by,
        _ => a >> 63,
    }
}

/// Comparisons of two integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OrderOp {
    Lt,
    Le,
    Gt,
    Ge,
}

impl OrderOp {
    pub fn apply(self, a: i64, b: i64) -> bool {
        match self {
            OrderOp::Lt => a < b,
            OrderOp::Le => a <= b,
            OrderOp::Gt => a > b,
            OrderOp::Ge => a >= b,
        }
    }
}

/// Boolean connectives; the right side is evaluated only if it decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogicOp {
    And,
    Or,
    Implies,
}

/// The two quantifiers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Forall,
    Exists,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// A literal, a constant, an enum member.
    Const(i64),
    /// The value at a place.
    Read(Place),
    Not(Box<Expr>),
    Neg(Box<Expr>),
    BitNot(Box<Expr>),
    /// Arithmetic, checked for overflow.
    Arith(ArithOp, Box<Expr>, Box<Expr>),
    /// Order of integers.
    Order(OrderOp, Box<Expr>, Box<Expr>),
    Logic(LogicOp, Box<Expr>, Box<Expr>),
    /// `a = b` of simple values of one type.
    Eq(Box<Expr>, Box<Expr>),
    /// `a != b` of simple values of one type.
    Ne(Box<Expr>, Box<Expr>),
    /// `a = b` (or, if `true`, `a != b`) of aggregates, cell by cell; two undefined cells are equal.
    Same(Box<Place>, Box<Place>, bool),
    /// `c ? a : b`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall` and `exists`.
    Quantified(Quantifier, Box<Loop>, Box<Expr>),
    /// A function call with a simple result.
    Call(Box<Call>),
    /// `isundefined(p)` of a simple place.
    IsUndefined(Place),
    /// `ismember(e, T)`: whether a union's value is in member `T`; other types have one answer for all values.
    IsMember(Box<Expr>, TypeId),
    /// A member's value as the union's, or back (an error if it is another member's). The type is the target.
    Convert(Box<Expr>),
    /// The element so many places (fewer than the ring has) further round a ring: `next(e)`, `prev(e)`, `e + k`.
    Rotate(Box<Expr>, u32),
    /// `multisetcount(i : set, condition)`.
    Count(LocalId, Place, Box<Expr>),
}

/// A variable and what it ranges over.
#[derive(Clone, Debug, PartialEq)]
pub struct Loop {
    /// The variable.
    pub local: LocalId,
    pub range: LoopRange,
    pub span: Span,
}

/// What a loop or quantifier ranges over.
#[derive(Clone, Debug, PartialEq)]
pub enum LoopRange {
    /// All values of a simple type.
    Type(TypeId),
    /// `from to to by by`; the step is 1 if absent.
    Span(Box<Expr>, Box<Expr>, Option<Box<Expr>>),
}
