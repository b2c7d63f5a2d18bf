//! Promela as it is written, with macros and inlines expanded, `for` and `select` spelled out, and every variable bound
//! to its declaration.

use burnside_model::Span;
use burnside_model::code::{ArithOp, LogicOp, OrderOp};
use burnside_model::system::{BinaryOp, UnaryOp};

/// The types that a variable or message field may be declared with.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BaseType {
    /// `bit` and `bool`: one bit.
    Bit,
    /// `byte`, `pid`: 0 to 255. The flag says that it was declared `pid`.
    Byte(bool),
    Mtype,
    /// `short`: 16 bits with a sign.
    Short,
    /// `int`: 32 bits with a sign.
    Int,
    /// `unsigned x : n`.
    Unsigned(u32),
    Chan,
    /// A `typedef`.
    Named(String),
}

/// A declared variable, parameter or field.
#[derive(Clone, Debug)]
pub(super) struct VarDecl {
    pub name: String,
    /// Unique in its proctype.
    pub unique: String,
    pub ty: BaseType,
    /// The length of an array.
    pub length: Option<Expr>,
    pub init: Init,
    pub hidden: bool,
    pub span: Span,
}

/// What a variable holds at first.
#[derive(Clone, Debug)]
pub(super) enum Init {
    /// Zero throughout.
    Zero,
    Value(Expr),
    /// `{ a, b, c }`
    Values(Vec<Expr>),
    /// `[capacity] of { fields }`
    Channel(Expr, Vec<BaseType>),
}

/// A use of a variable, with indices and fields.
#[derive(Clone, Debug)]
pub(super) struct Ref {
    /// Whether it is declared in the proctype; then the name is the unique one.
    pub local: bool,
    pub name: String,
    pub index: Option<Box<Expr>>,
    pub field: Option<Box<Ref>>,
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum UnOp {
    Not,
    Neg,
    BitNot,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BinOp {
    Arith(ArithOp),
    Order(OrderOp),
    Eq,
    Ne,
    And,
    Or,
}

/// Questions about a channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ChanOp {
    Len,
    Full,
    Empty,
    NotFull,
    NotEmpty,
}

#[derive(Clone, Debug)]
pub(super) struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub(super) enum ExprKind {
    Const(i64),
    Read(Ref),
    Unary(UnOp, Box<Expr>),
    Binary(BinOp, Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    Run(String, Vec<Expr>),
    Channel(ChanOp, Ref),
    /// `c?[…]`, or with `true` `c??[…]`.
    Poll(Ref, Vec<Arg>, bool),
    Timeout,
    /// `_nr_pr`
    Processes,
    Pid,
    /// `P[e]@label`
    At(String, Option<Box<Expr>>, String),
    /// `P[e]:x`
    Remote(String, Option<Box<Expr>>, Box<Ref>),
    /// `np_`
    NoProgress,
}

/// What a receive does with a field.
#[derive(Clone, Debug)]
pub(super) enum Arg {
    /// Stores it, or if the name is that of an mtype value compares it.
    Store(Ref),
    Match(Expr),
    /// `_`
    Ignore,
}

/// What a step does.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// A `goto`, `break` or `printf`.
    Skip,
    Cond(Expr),
    Assign(Ref, Expr),
    Send {
        chan: Ref,
        args: Vec<Expr>,
        sorted: bool,
    },
    Receive {
        chan: Ref,
        args: Vec<Arg>,
        random: bool,
        keep: bool,
    },
    Assert(Expr),
    Else,
    /// The process ends.
    End,
}

#[derive(Clone, Debug)]
pub(super) struct Stmt {
    pub kind: StmtKind,
    pub labels: Vec<String>,
    pub span: Span,
}

pub(super) type Seq = Vec<Stmt>;

#[derive(Clone, Debug)]
pub(super) enum StmtKind {
    Step(Step),
    If(Vec<Seq>),
    Do(Vec<Seq>),
    Goto(String),
    Break,
    Atomic(Seq),
    DStep(Seq),
    Block(Seq),
    Unless(Seq, Seq),
    /// The end of the claim in a `never`, or an empty statement.
    Nothing,
}

impl From<Step> for StmtKind {
    fn from(step: Step) -> Self {
        StmtKind::Step(step)
    }
}

#[derive(Clone, Debug)]
pub(super) struct Proctype {
    pub name: String,
    pub params: Vec<VarDecl>,
    /// How many run from the start.
    pub active: Option<Expr>,
    pub provided: Option<Expr>,
    /// All local variables, parameters left out.
    pub locals: Vec<VarDecl>,
    pub body: Seq,
    pub span: Span,
}

/// What joins two formulas of an `ltl` block.
#[derive(Clone, Copy, Debug)]
pub(super) enum Connective {
    Logic(LogicOp),
    Iff,
    Temporal(BinaryOp),
}

/// A formula of an `ltl` block.
#[derive(Clone, Debug)]
pub(super) enum Ltl {
    Atom(Expr),
    Not(Box<Ltl>),
    Unary(UnaryOp, Box<Ltl>),
    Binary(Connective, Box<Ltl>, Box<Ltl>),
}

/// A whole model.
#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub mtypes: Vec<String>,
    pub typedefs: Vec<(String, Vec<VarDecl>)>,
    pub globals: Vec<VarDecl>,
    /// In the order of the text; `init` is the one of this name.
    pub proctypes: Vec<Proctype>,
    pub never: Option<Proctype>,
    pub ltl: Vec<(String, bool, Ltl, Span)>,
}
