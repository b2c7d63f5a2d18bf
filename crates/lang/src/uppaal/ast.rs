//! The syntax tree of a UPPAAL model: the same for `.xta` and `.xml`.

use burnside_model::Span;
use burnside_model::code::{ArithOp, LogicOp, OrderOp};
use burnside_model::network::QueryKind;

use crate::diag::Diagnostic;

/// A name and where it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    pub name: String,
    pub span: Span,
}

/// A whole model.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Document {
    /// Declarations, templates and instantiations, in the order in which their names become known.
    pub items: Vec<Item>,
    /// `system A, B < C;`: groups of processes from the lowest priority on.
    pub system: Vec<Vec<Ident>>,
    /// Where the `system` line stands.
    pub system_span: Span,
    /// The queries in the same file.
    pub queries: Vec<Query>,
    /// Where edges are that a game's environment controls.
    pub uncontrollable: Vec<Span>,
    /// In an `.xml` file: what each text is, such as `guard of A → B in template P`.
    pub labels: Vec<(Span, String)>,
}

/// What a model is made of.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Declaration(Declaration),
    Template(Template),
    /// `P = T(1, x);`
    Instantiation(Instantiation),
}

#[derive(Clone, Debug, PartialEq)]
pub enum Declaration {
    /// Variables, constants, clocks and channels.
    Variables(Type, Vec<Variable>),
    Typedef(Type, Vec<Variable>),
    Function(Function),
    /// `chan priority a, b < default < c;`: groups from the lowest on.
    ChannelPriority(Vec<Vec<ChannelOrDefault>>, Span),
}

/// A member of a channel priority declaration.
#[derive(Clone, Debug, PartialEq)]
pub enum ChannelOrDefault {
    /// A channel, or all channels of an array.
    Channel(Expr),
    /// Every channel that is not listed, and steps without a channel.
    Default,
}

/// A declared name with its array dimensions and initial value.
#[derive(Clone, Debug, PartialEq)]
pub struct Variable {
    pub name: Ident,
    /// Its dimensions, from the outside in.
    pub dimensions: Vec<Dimension>,
    pub initial: Option<Initial>,
}

/// An array dimension.
#[derive(Clone, Debug, PartialEq)]
pub enum Dimension {
    /// A size, or the name of a type.
    Expr(Expr),
    Type(Type),
}

/// An initial value.
#[derive(Clone, Debug, PartialEq)]
pub enum Initial {
    Expr(Expr),
    /// `{ …, field: … }`
    List(Vec<(Option<Ident>, Initial)>, Span),
}

/// A type as written.
#[derive(Clone, Debug, PartialEq)]
pub struct Type {
    /// The words before it.
    pub prefix: Prefix,
    pub kind: TypeKind,
    pub span: Span,
}

/// The words that may stand before a type.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Prefix {
    pub urgent: bool,
    pub broadcast: bool,
    /// `const`
    pub constant: bool,
    pub meta: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    /// `int`, or `int[a, b]`.
    Int(Option<Box<(Expr, Expr)>>),
    Bool,
    Clock,
    /// `double`, or a hybrid clock: no zone can follow its values.
    Real,
    Chan,
    /// `void`, the result of a function that has none.
    Void,
    /// `scalar[n]`
    Scalar(Box<Expr>),
    /// `struct { … }`
    Struct(Vec<(Type, Vec<Variable>)>),
    Named(Ident),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Function {
    pub result: Type,
    pub name: Ident,
    pub params: Vec<Param>,
    pub body: Block,
}

/// A parameter of a function or template.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    pub ty: Type,
    /// Whether it is a reference: `&`.
    pub by_reference: bool,
    /// Its name and dimensions.
    pub variable: Variable,
}

/// `{ declarations statements }`
#[derive(Clone, Debug, PartialEq)]
pub struct Block {
    pub declarations: Vec<Declaration>,
    pub statements: Vec<Stmt>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `;`
    Empty,
    /// An expression for its effect.
    Expr(Expr),
    Block(Block),
    /// `for (init; condition; step) body`
    For(Expr, Expr, Expr, Box<Stmt>),
    /// `for (i : T) body`
    Each(Ident, Type, Box<Stmt>),
    /// `while (condition) body`
    While(Expr, Box<Stmt>),
    /// `do body while (condition);`
    DoWhile(Box<Stmt>, Expr),
    /// `if (condition) … else …`
    If(Expr, Box<Stmt>, Option<Box<Stmt>>),
    /// `return e;`
    Return(Option<Expr>),
}

#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
}

impl Expr {
    /// The expressions that it is made of.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Number(_)
            | ExprKind::Real
            | ExprKind::Bool(_)
            | ExprKind::Name(_)
            | ExprKind::Deadlock => Vec::new(),
            ExprKind::Field(e, _)
            | ExprKind::Unary(_, e)
            | ExprKind::Step { of: e, .. }
            | ExprKind::Quantified(_, _, _, e)
            | ExprKind::Rate(e) => vec![e],
            ExprKind::Index(a, b)
            | ExprKind::Binary(_, a, b)
            | ExprKind::Assign(_, a, b)
            | ExprKind::Comma(a, b) => vec![a, b],
            ExprKind::Cond(a, b, c) => vec![a, b, c],
            ExprKind::Call(callee, args) => std::iter::once(&**callee).chain(args).collect(),
        }
    }

    /// Whether it or a part of it is such an expression.
    pub fn any(&self, is: &dyn Fn(&Expr) -> bool) -> bool {
        is(self) || self.parts().into_iter().any(|part| part.any(is))
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Binary {
    Arith(ArithOp),
    Order(OrderOp),
    Logic(LogicOp),
    Eq,
    Ne,
    Xor,
    /// `<?`
    Min,
    /// `>?`
    Max,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unary {
    /// `+`
    Plus,
    /// `-`
    Minus,
    Not,
}

/// Words that bind a variable in an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Quantifier {
    Forall,
    Exists,
    Sum,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    Number(i64),
    /// A number with a fraction.
    Real,
    /// `true`, `false`
    Bool(bool),
    Name(String),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `a.f`, `P.location`, `P.variable`
    Field(Box<Expr>, Ident),
    /// `f(…)`, `P(…)`
    Call(Box<Expr>, Vec<Expr>),
    Unary(Unary, Box<Expr>),
    Binary(Binary, Box<Expr>, Box<Expr>),
    /// `c ? a : b`
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `a = b`, or `a += b` with its operator.
    Assign(Option<ArithOp>, Box<Expr>, Box<Expr>),
    /// `++a`, `a--`: whether it counts up, and whether the value is that before.
    Step {
        /// `++`
        up: bool,
        /// Whether the operator stands behind.
        postfix: bool,
        /// What is counted.
        of: Box<Expr>,
    },
    /// `a, b`
    Comma(Box<Expr>, Box<Expr>),
    /// `forall (i : T) e`
    Quantified(Quantifier, Ident, Box<Type>, Box<Expr>),
    /// `x'`: the rate of a clock.
    Rate(Box<Expr>),
    /// `deadlock`, in queries.
    Deadlock,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Template {
    pub name: Ident,
    pub params: Vec<Param>,
    pub declarations: Vec<Declaration>,
    pub locations: Vec<Location>,
    /// Which location is the initial one, by position.
    pub initial: Option<usize>,
    pub edges: Vec<Edge>,
    /// Where the names of locations stand in text, each with where that location is declared.
    pub mentions: Vec<(Span, Span)>,
    /// Where it stands.
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Location {
    /// Its name; locations without a name get one that no query can use.
    pub name: Ident,
    pub invariant: Option<Expr>,
    /// Whether time stands still here.
    pub urgent: bool,
    /// Whether it must be left at once.
    pub committed: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Edge {
    /// From which location, by position.
    pub source: usize,
    /// To which location, by position.
    pub target: usize,
    /// `select i : T`
    pub selects: Vec<(Ident, Type)>,
    pub guard: Option<Expr>,
    /// The channel, and whether this side sends.
    pub sync: Option<(Expr, bool)>,
    pub updates: Vec<Expr>,
    pub span: Span,
}

/// `P(params) = T(args);`
#[derive(Clone, Debug, PartialEq)]
pub struct Instantiation {
    pub name: Ident,
    /// Parameters of the new name.
    pub params: Vec<Param>,
    /// The template or partial instance.
    pub template: Ident,
    pub args: Vec<Expr>,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Query {
    /// What it asks, or why it cannot be read.
    pub kind: Result<QueryKind<Expr>, Box<Diagnostic>>,
    /// Its text, in one line.
    pub text: String,
    pub span: Span,
}
