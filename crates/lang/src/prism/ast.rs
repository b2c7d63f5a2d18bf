//! What the parser builds: the text as trees, nothing resolved.

use burnside_model::Span;
use burnside_model::chance::{Binary, Comparison, FilterKind, Kind, Optimum, PathOp, Real};

use crate::diag::Diagnostic;

/// A name and where it is.
#[derive(Clone, Debug, Default)]
pub struct Name {
    /// The name.
    pub text: String,
    /// Where it is.
    pub span: Span,
}

/// An expression or property.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it is.
    pub kind: Box<ExprKind>,
    /// Where it is.
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
    /// The first one.
    First,
    /// By name.
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
    /// The states.
    pub states: Expr,
    /// `min`, `max`, both or none.
    pub kinds: Vec<FilterKind>,
}

/// The kinds of expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// A truth value.
    Bool(bool),
    /// A whole number.
    Int(i64),
    /// A real number.
    Real(Real),
    /// A name.
    Name(String),
    /// A name in quotes.
    Quoted(String),
    /// Not.
    Not(Expr),
    /// The negative.
    Neg(Expr),
    /// Two operands.
    Binary(Binary, Expr, Expr),
    /// `condition ? then : otherwise`.
    If(Expr, Expr, Expr),
    /// A function.
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
#[allow(missing_docs)]
pub enum ConstType {
    Int,
    Double,
    Bool,
}

/// A constant.
#[derive(Clone, Debug)]
pub struct Constant {
    /// Its name.
    pub name: Name,
    /// Its type.
    pub kind: ConstType,
    /// Its value, unless it is given from outside.
    pub value: Option<Expr>,
}

/// The values of a variable.
#[derive(Clone, Debug)]
pub enum Domain {
    /// `[low..high]`.
    Range(Expr, Expr),
    /// `bool`.
    Bool,
    /// `int`.
    Int,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// Its name.
    pub name: Name,
    /// Its values.
    pub domain: Domain,
    /// The first one, if it is said.
    pub init: Option<Expr>,
}

/// A branch of a command.
#[derive(Clone, Debug)]
pub struct Branch {
    /// The probability or rate; none: 1.
    pub weight: Option<Expr>,
    /// The changes.
    pub updates: Vec<(Name, Expr)>,
    /// Where it is.
    pub span: Span,
}

/// A command.
#[derive(Clone, Debug)]
pub struct Command {
    /// The action, if it has one.
    pub action: Option<Name>,
    /// The guard.
    pub guard: Expr,
    /// The branches.
    pub branches: Vec<Branch>,
    /// Where it is.
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

/// A module.
#[derive(Clone, Debug)]
pub struct Module {
    /// Its name.
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
    /// Where it is.
    pub span: Span,
}

/// A reward structure.
#[derive(Clone, Debug)]
pub struct Reward {
    /// Its name; it may be empty.
    pub name: Name,
    /// Its lines.
    pub items: Vec<RewardItem>,
}

/// How modules are composed.
#[derive(Clone, Debug)]
pub enum System {
    /// A module.
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

/// A model.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Its kind, if it is said.
    pub kind: Option<Kind>,
    /// Constants.
    pub constants: Vec<Constant>,
    /// Formulas.
    pub formulas: Vec<(Name, Expr)>,
    /// Labels.
    pub labels: Vec<(Name, Expr)>,
    /// Variables of no module.
    pub globals: Vec<Variable>,
    /// Modules.
    pub modules: Vec<Module>,
    /// Reward structures.
    pub rewards: Vec<Reward>,
    /// `init … endinit`.
    pub init: Option<Expr>,
    /// `system … endsystem`.
    pub system: Option<System>,
}

/// A file of properties.
#[derive(Clone, Debug, Default)]
pub struct Properties {
    /// Constants.
    pub constants: Vec<Constant>,
    /// Labels.
    pub labels: Vec<(Name, Expr)>,
    /// Formulas.
    pub formulas: Vec<(Name, Expr)>,
    /// Properties.
    pub properties: Vec<Property>,
}

/// A property, or why it is none.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name, if it has one.
    pub name: Option<Name>,
    /// What is asked, or what is wrong with it.
    pub formula: Result<Expr, Box<Diagnostic>>,
    /// Where it is.
    pub span: Span,
}
