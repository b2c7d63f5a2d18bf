//! Statements and functions.

use super::expr::{Expr, Frame, LocalId, Loop, Place};
use super::types::TypeId;
use crate::Span;

/// A sequence of statements.
pub type Block = Vec<Stmt>;

/// A statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `place := e` of a simple value.
    Assign(Place, Expr),
    /// `place := place` of an aggregate.
    Copy(Place, Place),
    /// Every cell becomes undefined, every multiset empty.
    Undefine(Place),
    /// Every cell becomes the least value of its type, every multiset empty.
    Clear(Place),
    /// `if … elsif … else … end`
    If(Vec<(Expr, Block)>, Block),
    /// `switch e case … else … end`
    Switch(Expr, Vec<(Vec<Expr>, Block)>, Block),
    /// `for … do … end`
    For(Box<Loop>, Block),
    /// `while e do … end`
    While(Expr, Block),
    /// A call whose result, if any, is dropped.
    Call(Call),
    /// `alias name : target do … end`: the target is evaluated once, on entry.
    Alias(LocalId, Operand, Block),
    /// `return` with or without a value.
    Return(Option<Operand>),
    /// `put "text"`
    PutText(String),
    /// `put e`; the text is the expression as written.
    Put(Operand, String),
    /// `error "message"`
    Error(String),
    /// `assert e "message"`; the message is the expression as written where none was given.
    Assert(Expr, String),
    /// `assume e`: the step is dropped where it does not hold.
    Assume(Expr),
    /// `cover e`: counts for the cover property at this position.
    Cover(Expr, u32),
    /// `multisetadd(element, set)`
    MultisetAdd(Operand, Place),
    /// `multisetremove(slot, set)`
    MultisetRemove(Expr, Place),
    /// `multisetremovepred(i : set, condition)`
    MultisetRemovePred(LocalId, Place, Expr),
}

/// A simple value or an aggregate.
#[derive(Clone, Debug, PartialEq)]
pub enum Operand {
    Value(Expr),
    /// An aggregate, or (for aliases) something to refer to.
    Place(Place),
}

/// An argument of a call.
#[derive(Clone, Debug, PartialEq)]
pub enum Arg {
    /// A simple value, copied.
    Value(Expr),
    /// A place, passed by reference.
    Reference(Place),
    /// The word `undefined`.
    Undefined,
}

/// A call of a function or procedure.
#[derive(Clone, Debug, PartialEq)]
pub struct Call {
    /// Which one, by its position in [`crate::Model::functions`].
    pub function: u32,
    /// One per parameter.
    pub args: Vec<Arg>,
    pub span: Span,
}

/// A function or procedure.
#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub name: String,
    /// How many of the frame's locals are parameters.
    pub params: u32,
    /// Which parameters were declared `var`.
    pub by_reference: Vec<bool>,
    /// The result's type; none for a procedure.
    pub result: Option<TypeId>,
    pub frame: Frame,
    pub body: Block,
    pub span: Span,
}
