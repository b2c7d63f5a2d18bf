//! What the parser builds: the text as trees, nothing resolved.

use burnside_model::Span;
use burnside_model::chance::{Binary, Comparison, FilterKind, Kind, Optimum, PathOp, Real};

use crate::diag::Diagnostic;

#[derive(Clone, Debug, Default)]
pub struct Name {
    pub text: String,
    pub span: Span,
}

/// An expression or property.
#[derive(Clone, Debug)]
pub struct Expr {
    pub kind: Box<ExprKind>,
    pub span: Span,
}

/// A bound on time or steps: lower and upper end, each perhaps strict.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Not before, and whether the end is excluded.
    pub lower: Option<(Expr, bool)>,
    /// Not after, and whether the end is excluded.
    pub upper: Option<(Expr, bool)>,
}

/// `=?` or a comparison.
pub type Query = Option<(Comparison, Expr)>;

/// How a reward structure is chosen.
#[derive(Clone, Debug)]
pub enum RewardName {
    First,
    Named(Name),
    /// By number, from 1.
    Numbered(Expr),
}

/// What is summed up.
#[derive(Clone, Debug)]
pub enum RewardPath {
    /// `F φ`.
    Reach(Expr),
    /// `C` or `C<=t`.
    Cumulative(Option<Expr>),
    /// `I=t`.
    Instant(Expr),
    /// `S`.
    Steady,
}

/// `{condition}{min}{max}` at the end of an operator.
#[derive(Clone, Debug)]
pub struct OldFilter {
    pub states: Expr,
    /// `min`, `max`, both or none.
    pub kinds: Vec<FilterKind>,
}

#[derive(Clone, Debug)]
pub enum ExprKind {
    Bool(bool),
    Int(i64),
    Real(Real),
    Name(String),
    Quoted(String),
    Not(Expr),
    Neg(Expr),
    Binary(Binary, Expr, Expr),
    /// `condition ? then : otherwise`.
    If(Expr, Expr, Expr),
    Call(Name, Vec<Expr>),
    /// A temporal operator: with one operand, the first is none.
    Temporal(PathOp, Bounds, Option<Expr>, Expr),
    /// `P … [ … ]`.
    Prob(Option<Optimum>, Query, Expr, Option<OldFilter>),
    /// `R … [ … ]`.
    Reward(RewardName, Option<Optimum>, Query, RewardPath, Option<OldFilter>),
    /// `S … [ … ]`.
    Steady(Query, Expr, Option<OldFilter>),
    /// `A [ … ]` (true) or `E [ … ]`.
    Branching(bool, Expr),
    /// `filter(…)`.
    Filter(FilterKind, Expr, Option<Expr>),
}

/// The type of a constant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConstType {
    Int,
    Double,
    Bool,
}

#[derive(Clone, Debug)]
pub struct Constant {
    pub name: Name,
    pub kind: ConstType,
    /// Its value, unless it is given from outside.
    pub value: Option<Expr>,
}

/// The values of a variable.
#[derive(Clone, Debug)]
pub enum Domain {
    /// `[low..high]`.
    Range(Expr, Expr),
    Bool,
    Int,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Name,
    pub domain: Domain,
    /// The first one, if it is said.
    pub init: Option<Expr>,
}

/// A branch of a command.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The probability or rate; none: 1.
    pub weight: Option<Expr>,
    pub updates: Vec<(Name, Expr)>,
    pub span: Span,
}

#[derive(Clone, Debug)]
pub struct Command {
    /// The action, if it has one.
    pub action: Option<Name>,
    pub guard: Expr,
    pub branches: Vec<Branch>,
    pub span: Span,
}

/// What a module is made of.
#[derive(Clone, Debug)]
pub enum Body {
    /// Its own text.
    Own(Vec<Variable>, Vec<Command>),
    /// Another module with names replaced.
    Renamed(Name, Vec<(Name, Name)>),
}

#[derive(Clone, Debug)]
pub struct Module {
    pub name: Name,
    /// What it is made of.
    pub body: Body,
}

/// A line of a reward structure.
#[derive(Clone, Debug)]
pub struct RewardItem {
    /// For rewards of steps: the action, empty for steps without a name.
    pub action: Option<Option<Name>>,
    /// In which states.
    pub guard: Expr,
    /// How much.
    pub value: Expr,
    pub span: Span,
}

/// A reward structure.
#[derive(Clone, Debug)]
pub struct Reward {
    /// Its name; it may be empty.
    pub name: Name,
    pub items: Vec<RewardItem>,
}

/// How modules are composed.
#[derive(Clone, Debug)]
pub enum System {
    Module(Name),
    /// `||`: all common actions together.
    Full(Vec<System>),
    /// `|||`: no action together.
    Interleaved(Vec<System>),
    /// `|[a,b]|`: these actions together.
    Parallel(Vec<Name>, Box<[System; 2]>),
    /// `/{a,b}`: these actions lose their names.
    Hide(Box<System>, Vec<Name>),
    /// `{a<-b}`: actions get other names.
    Rename(Box<System>, Vec<(Name, Name)>),
}

#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Its kind, if it is said.
    pub kind: Option<Kind>,
    pub constants: Vec<Constant>,
    pub formulas: Vec<(Name, Expr)>,
    pub labels: Vec<(Name, Expr)>,
    /// Variables of no module.
    pub globals: Vec<Variable>,
    pub modules: Vec<Module>,
    pub rewards: Vec<Reward>,
    /// `init … endinit`.
    pub init: Option<Expr>,
    /// `system … endsystem`.
    pub system: Option<System>,
}

/// A file of properties.
#[derive(Clone, Debug, Default)]
pub struct Properties {
    pub constants: Vec<Constant>,
    pub labels: Vec<(Name, Expr)>,
    pub formulas: Vec<(Name, Expr)>,
    pub properties: Vec<Property>,
}

/// A property, or why it is none.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// What is asked, or what is wrong with it.
    pub formula: Result<Expr, Box<Diagnostic>>,
    pub span: Span,
}
