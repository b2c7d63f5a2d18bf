//! The syntax tree of a Murphi model: what was written, in the order it was written, nothing resolved.
//!
//! Three decisions are left to the type checker because only types or scopes can take them:
//! - `|`, `&`, `^` and `!` are kept apart from `||` and `&&`: bitwise or logical, by the type of the operands;
//! - a word that only one dialect reserves may be the name of something the user declared, so
//!   [`ExprKind::Undefined`] is the undefined value only if nothing of that name is in scope, and a call of
//!   `multisetadd` or `multisetremove` (in any case of letters) is the built-in procedure only if the model
//!   declares no routine of that name;
//! - a designator (what can be assigned to) is an ordinary [`Expr`]; whether it denotes a place is a
//!   question of types. See [`Expr::is_designator`].
//!
//! Trees are shallow enough to recurse over: no expression or type is higher than [`MAX_HEIGHT`], and
//! statements and rules nest at most [`MAX_NESTING`] deep. The parser refuses anything else, since a chain
//! `a + b + c + …` of many thousand terms would overflow the stack of every later pass.

use burnside_model::Span;
use burnside_model::code::{ArithOp, LogicOp, OrderOp};
use burnside_model::system::{self, Logic, Paths, Strength};

/// No expression or type is a higher tree than this.
pub const MAX_HEIGHT: u32 = 1000;

/// Statements, rules, types and bracketed expressions are not nested deeper than this.
pub const MAX_NESTING: u32 = 256;

/// A whole model: sections in any order.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Model {
    /// Declarations, routines and rules, as written.
    pub items: Vec<Item>,
    /// The whole text.
    pub span: Span,
}

/// One thing at the top level.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    /// One line of a `const`, `type` or `var` section.
    Decl(Decl),
    Routine(Routine),
    /// A rule, start state, property, or a group of them.
    Rule(Rule),
    /// `symmetry T, U`: the names of the types.
    Symmetry(Vec<Ident>),
    /// `generator "g" of T = (0 1 2)(3 4)`
    Generator(Generator),
    /// `hint "h" expr`
    Hint(Text, Expr, Span),
    /// `fairness weak T`
    Fairness(Strength, Ident),
}

/// A permutation that is claimed to be a symmetry.
#[derive(Clone, Debug, PartialEq)]
pub struct Generator {
    pub name: Text,
    /// The type of the elements.
    pub ty: Ident,
    /// The elements that each cycle goes through.
    pub cycles: Vec<Vec<Expr>>,
    pub span: Span,
}

/// A name where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ident {
    /// The name; upper and lower case differ.
    pub name: String,
    pub span: Span,
}

/// A string where it is written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    /// The characters between the quotes, escapes replaced.
    pub value: String,
    /// Where it is written, quotes included.
    pub span: Span,
}

/// One line of a declaration section; `names` may be empty (both peers' generators emit such lines).
#[derive(Clone, Debug, PartialEq)]
pub struct Decl {
    /// The names declared by this line.
    pub names: Vec<Ident>,
    pub kind: DeclKind,
    /// The line, from the first name on.
    pub span: Span,
}

/// What a [`Decl`] declares.
#[derive(Clone, Debug, PartialEq)]
pub enum DeclKind {
    /// `const N : 3`
    Const(Expr),
    /// `type T : 0 .. 3`
    Type(TypeExpr),
    /// `var x : T`
    Var(TypeExpr),
}

/// A function or procedure.
#[derive(Clone, Debug, PartialEq)]
pub struct Routine {
    pub name: Ident,
    /// Written `procedure` rather than `function` (a procedure with a result is allowed).
    pub is_procedure: bool,
    pub params: Vec<Param>,
    /// The type of its result; none for a procedure.
    pub result: Option<TypeExpr>,
    /// Local constants, types and variables.
    pub decls: Vec<Decl>,
    pub body: Vec<Stmt>,
    /// From the keyword to the `end`.
    pub span: Span,
}

/// One group of parameters of the same type, as in `var a, b : T`.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// Passed by reference (`var`): the routine may assign to it.
    pub by_ref: bool,
    /// The names; at least one.
    pub names: Vec<Ident>,
    pub ty: TypeExpr,
    /// The whole group.
    pub span: Span,
}

/// A type where it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct TypeExpr {
    pub kind: TypeKind,
    pub span: Span,
    height: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub enum TypeKind {
    Boolean,
    /// `T`
    Named(Ident),
    /// `lo .. hi`
    Range(Box<Expr>, Box<Expr>),
    /// `enum { A, B }`
    Enum(Vec<Ident>),
    /// `record x : T; y : U end`
    Record(Vec<Field>),
    /// `array [ index ] of element`
    Array(Box<TypeExpr>, Box<TypeExpr>),
    /// `scalarset(n)`
    Scalarset(Box<Expr>),
    /// `ring(n)`
    Ring(Box<Expr>),
    /// `union { T, U }`
    Union(Vec<TypeExpr>),
    /// `multiset [ n ] of element`
    Multiset(Box<Expr>, Box<TypeExpr>),
}

/// One line of a record; `names` may be empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    /// The names of the fields.
    pub names: Vec<Ident>,
    pub ty: TypeExpr,
    /// The whole line.
    pub span: Span,
}

/// An expression where it is written; its span includes enclosing parentheses.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    pub kind: ExprKind,
    pub span: Span,
    height: u32,
    temporal: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub enum ExprKind {
    /// `42`, `0x2a`, `052`; never negative, and may exceed 64 bits.
    Number(i128),
    /// `true` or `false`
    Bool(bool),
    /// `undefined` (or a name of the user's that is spelled so, see the module documentation)
    Undefined(Ident),
    /// `x`: a constant, variable, parameter, alias, enum value or quantified name
    Name(Ident),
    /// `e.field`
    Field(Box<Expr>, Ident),
    /// `e[index]`
    Index(Box<Expr>, Box<Expr>),
    /// `f(a, b)`
    Call(Ident, Vec<Expr>),
    /// `!e`, `-e`, `+e`, `~e`
    Unary(UnaryOp, Box<Expr>),
    /// `a op b`
    Binary(BinaryOp, Box<Expr>, Box<Expr>),
    /// `condition ? then : otherwise`
    Conditional(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `forall i : T do e end`, `exists i : T; j : U do e end`
    Quantified(QuantifierKind, Vec<Quantifier>, Box<Expr>),
    /// `isundefined(e)`
    IsUndefined(Box<Expr>),
    /// `ismember(e, T)`
    IsMember(Box<Expr>, Box<TypeExpr>),
    /// `multisetcount(i : m, condition)`: how many indices `i` of the multiset `m` satisfy the condition
    MultisetCount(Ident, Box<Expr>, Box<Expr>),
    /// `AG e`, `F e`: the word, and what it means; only in `ctl` and `ltl`
    TemporalUnary(Ident, Option<Paths>, system::UnaryOp, Box<Expr>),
    /// `A [ a U b ]`, `a U b`: the first word, and what it means; only in `ctl` and `ltl`
    TemporalBinary(Ident, Option<Paths>, system::BinaryOp, Box<Expr>, Box<Expr>),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `!`, `¬`
    Not,
    /// `~`: every bit flipped
    BitNot,
    Neg,
    /// `+`
    Plus,
}

/// Operators with two operands, from the weakest to the strongest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `<->`; only in `ctl` and `ltl`
    Iff,
    Logic(LogicOp),
    /// `|`: logical or bitwise, by the types of the operands
    Pipe,
    /// `&`: logical or bitwise, by the types of the operands
    Amp,
    Eq,
    Ne,
    Order(OrderOp),
    Arith(ArithOp),
}

/// `forall` or `exists`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum QuantifierKind {
    /// `forall`, `∀`
    Forall,
    /// `exists`, `∃`
    Exists,
}

/// One bound name of a `forall`, `exists`, `for` or `ruleset`.
#[derive(Clone, Debug, PartialEq)]
pub struct Quantifier {
    pub name: Ident,
    /// The values it takes.
    pub domain: Domain,
    /// From the name to the end of the domain.
    pub span: Span,
}

/// The values of a bound name.
#[derive(Clone, Debug, PartialEq)]
pub enum Domain {
    /// `i : T`
    Type(TypeExpr),
    /// `i := from to to by step`
    Steps {
        /// The first value.
        from: Expr,
        /// The last value, inclusive.
        to: Expr,
        /// The distance of two values; one if not written.
        step: Option<Expr>,
    },
}

/// A statement where it is written.
#[derive(Clone, Debug, PartialEq)]
pub struct Stmt {
    pub kind: StmtKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum StmtKind {
    /// `place := value`; `place := undefined` has the value [`ExprKind::Undefined`]
    Assign(Expr, Expr),
    /// `if … then … elsif … else … end`: the first clause whose condition holds
    If(Vec<IfClause>),
    /// `switch e case a, b: … else … end`
    Switch(Expr, Vec<SwitchCase>),
    /// `for i : T do … end`
    For(Vec<Quantifier>, Vec<Stmt>),
    /// `while e do … end`
    While(Expr, Vec<Stmt>),
    /// `alias a : place do … end`
    Alias(Vec<Alias>, Vec<Stmt>),
    /// `p(a, b)`, including the built-in `multisetadd` and `multisetremove`
    Call(Ident, Vec<Expr>),
    /// `clear place`
    Clear(Expr),
    /// `undefine place`
    Undefine(Expr),
    /// `multisetremovepred(i : m, condition)`
    MultisetRemovePred(Ident, Expr, Expr),
    /// `return` or `return e`
    Return(Option<Expr>),
    /// `error "message"`
    Error(Text),
    /// `put "text"`
    PutText(Text),
    /// `put e`
    Put(Expr),
    /// `assert e`, `assume e`, `cover e` …; the checker refuses `liveness` here
    Property(Property),
}

/// One clause of an `if`.
#[derive(Clone, Debug, PartialEq)]
pub struct IfClause {
    /// The condition; none for `else`.
    pub condition: Option<Expr>,
    pub body: Vec<Stmt>,
    /// From the keyword to the last statement.
    pub span: Span,
}

/// One case of a `switch`.
#[derive(Clone, Debug, PartialEq)]
pub struct SwitchCase {
    /// The values; none for `else`, possibly empty for a `case` without values.
    pub values: Option<Vec<Expr>>,
    pub body: Vec<Stmt>,
    /// From the keyword to the last statement.
    pub span: Span,
}

/// One line of an `alias`; `names` may be empty.
#[derive(Clone, Debug, PartialEq)]
pub struct Alias {
    pub names: Vec<Ident>,
    /// What they stand for.
    pub value: Expr,
    /// The whole line.
    pub span: Span,
}

/// A property, at the top level or as a statement.
#[derive(Clone, Debug, PartialEq)]
pub struct Property {
    pub kind: PropertyKind,
    /// Its name or message, written before or after the condition.
    pub name: Option<Text>,
    pub condition: Expr,
    /// From the keyword to the end.
    pub span: Span,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PropertyKind {
    /// `assert`: must hold whenever it is reached (at the top level: an invariant)
    Assert,
    /// `assume`: states where it fails are not explored
    Assume,
    /// `cover`: must hold at least once
    Cover,
    /// `invariant`: must hold in every state
    Invariant,
    /// `liveness`: must always remain reachable
    Liveness,
}

/// A rule, start state or property, or a group of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Rule {
    pub kind: RuleKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum RuleKind {
    /// `rule "name" guard ==> var … begin … end`
    Simple(SimpleRule),
    /// `startstate "name" var … begin … end`
    StartState { name: Option<Text>, decls: Vec<Decl>, body: Vec<Stmt> },
    /// `invariant "name" e`
    Property(Property),
    /// `ctl "name" e` or `ltl "name" e`
    Temporal(Logic, Option<Text>, Expr),
    /// `fairness "name" e`
    Fairness(Text, Expr),
    /// `ruleset i : T; j : U do … end`
    Ruleset(Vec<Quantifier>, Vec<Rule>),
    /// `alias a : place do … end`
    Alias(Vec<Alias>, Vec<Rule>),
    /// `choose i : m do … end`: one instance of the rules for every member of the multiset `m`
    Choose(Ident, Expr, Vec<Rule>),
}

/// A plain rule.
#[derive(Clone, Debug, PartialEq)]
pub struct SimpleRule {
    pub name: Option<Text>,
    /// CMurphi's priority, as in `rule 90 "name"`, and where it is written.
    pub priority: Option<(i128, Span)>,
    /// `fair rule` or `strong fair rule`.
    pub fairness: Option<Strength>,
    /// When it may fire; always, if not written.
    pub guard: Option<Expr>,
    pub decls: Vec<Decl>,
    pub body: Vec<Stmt>,
}

impl Expr {
    /// An expression of this form at this place.
    pub fn new(kind: ExprKind, span: Span) -> Self {
        use ExprKind::*;
        let below = match &kind {
            Number(_) | Bool(_) | Undefined(_) | Name(_) => 0,
            Field(e, _) | Unary(_, e) | IsUndefined(e) | TemporalUnary(_, _, _, e) => e.height,
            Index(a, b) | Binary(_, a, b) | MultisetCount(_, a, b) | TemporalBinary(_, _, _, a, b) => {
                a.height.max(b.height)
            }
            Conditional(a, b, c) => a.height.max(b.height).max(c.height),
            Call(_, args) => highest(args.iter().map(|e| e.height)),
            Quantified(_, names, e) => e.height.max(highest(names.iter().map(|q| q.domain.height()))),
            IsMember(e, ty) => e.height.max(ty.height),
        };
        let temporal = match &kind {
            TemporalUnary(..) | TemporalBinary(..) => true,
            Number(_) | Bool(_) | Undefined(_) | Name(_) => false,
            Field(e, _) | Unary(_, e) | IsUndefined(e) | Quantified(_, _, e) | IsMember(e, _) => e.temporal,
            Index(a, b) | Binary(_, a, b) | MultisetCount(_, a, b) => a.temporal || b.temporal,
            Conditional(a, b, c) => a.temporal || b.temporal || c.temporal,
            Call(_, args) => args.iter().any(|e| e.temporal),
        };
        Expr { kind, span, height: below + 1, temporal }
    }

    /// Whether there is a temporal operator in it.
    pub fn is_temporal(&self) -> bool {
        self.temporal
    }

    /// The height of the tree: one for a leaf.
    pub fn height(&self) -> u32 {
        self.height
    }

    /// Is this a name followed by fields and indices, the only form that may be assigned to?
    pub fn is_designator(&self) -> bool {
        let mut e = self;
        loop {
            match &e.kind {
                ExprKind::Field(base, _) | ExprKind::Index(base, _) => e = base,
                kind => return matches!(kind, ExprKind::Name(_) | ExprKind::Undefined(_)),
            }
        }
    }
}

impl TypeExpr {
    /// A type of this form at this place.
    pub fn new(kind: TypeKind, span: Span) -> Self {
        use TypeKind::*;
        let below = match &kind {
            Boolean | Named(_) | Enum(_) => 0,
            Range(a, b) => a.height.max(b.height),
            Record(fields) => highest(fields.iter().map(|f| f.ty.height)),
            Array(a, b) => a.height.max(b.height),
            Scalarset(e) | Ring(e) => e.height,
            Union(members) => highest(members.iter().map(|t| t.height)),
            Multiset(e, ty) => e.height.max(ty.height),
        };
        TypeExpr { kind, span, height: below + 1 }
    }

    /// The height of the tree: one for a leaf.
    pub fn height(&self) -> u32 {
        self.height
    }
}

impl Domain {
    fn height(&self) -> u32 {
        match self {
            Domain::Type(ty) => ty.height,
            Domain::Steps { from, to, step } => {
                from.height.max(to.height).max(step.as_ref().map_or(0, |e| e.height))
            }
        }
    }
}

fn highest(heights: impl Iterator<Item = u32>) -> u32 {
    heights.max().unwrap_or(0)
}
