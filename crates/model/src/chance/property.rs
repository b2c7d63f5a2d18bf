//! Properties of probabilistic models: operators over paths, rewards and the long run, and filters.

use super::{Expr, Real, Type};
use crate::Span;

/// How a value is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comparison {
    Lt,
    Le,
    Gt,
    Ge,
    Eq,
}

/// Over which strategies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimum {
    Min,
    Max,
}

/// `P>=0.5` or `P=?`.
#[derive(Clone, Debug)]
pub enum Query {
    /// The value is asked for.
    Value,
    /// The value is compared.
    Compare(Comparison, Real),
}

/// One end of a bound on time or steps.
#[derive(Clone, Debug)]
pub struct Bound {
    /// The time or number of steps.
    pub at: Real,
    /// Whether the end itself is excluded.
    pub strict: bool,
}

/// A bound on time or steps.
#[derive(Clone, Debug, Default)]
pub struct Bounds {
    /// Not before.
    pub lower: Option<Bound>,
    /// Not after.
    pub upper: Option<Bound>,
}

impl Bounds {
    /// Whether there is no bound.
    pub fn is_none(&self) -> bool {
        self.lower.is_none() && self.upper.is_none()
    }
}

/// Temporal operators.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathOp {
    Next,
    Finally,
    Globally,
    Until,
    WeakUntil,
    Release,
}

/// A formula about one path.
#[derive(Clone, Debug)]
pub enum Path {
    /// A formula about the first state.
    State(Expr),
    /// A temporal operator; with one operand, the second is it and the first is true.
    Temporal(PathOp, Bounds, Box<[Path; 2]>),
    Not(Box<Path>),
    /// Both, or either (`true`: both).
    Join(bool, Box<[Path; 2]>),
}

/// What is summed up.
#[derive(Clone, Debug)]
pub enum RewardPath {
    /// Until a state of this kind is reached: `F φ`.
    Reach(Expr),
    /// Up to a time or number of steps: `C<=t`; for ever: `C`.
    Cumulative(Option<Real>),
    /// At a time or step: `I=t`.
    Instant(Real),
    /// In the long run, per time unit or step: `S`.
    Steady,
}

/// What is done with the values of many states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FilterKind {
    Min,
    Max,
    ArgMin,
    ArgMax,
    Count,
    Sum,
    Avg,
    First,
    Range,
    Forall,
    Exists,
    State,
    Print,
}

/// An operator of a property.
#[derive(Clone, Debug)]
pub enum Operator {
    /// The probability of a path formula.
    Prob {
        /// Over which strategies, if that is said.
        optimum: Option<Optimum>,
        query: Query,
        path: Path,
        span: Span,
    },
    /// The expectation of a reward.
    Reward {
        /// Which structure, an index of [`Model::rewards`](super::Model::rewards).
        structure: u32,
        /// Over which strategies, if that is said.
        optimum: Option<Optimum>,
        query: Query,
        path: RewardPath,
        span: Span,
    },
    /// The probability in the long run.
    Steady { query: Query, states: Expr, span: Span },
    /// For all paths, or for some (`true`: all).
    Branching(bool, Path, Span),
    /// The values of some states.
    Filter {
        /// What is done with them.
        kind: FilterKind,
        /// The values.
        value: Expr,
        /// The states; none: all.
        states: Option<Expr>,
        span: Span,
    },
}

impl Operator {
    /// The type of its value.
    pub fn kind(&self) -> Type {
        match self {
            Operator::Prob { query, .. }
            | Operator::Reward { query, .. }
            | Operator::Steady { query, .. } => match query {
                Query::Value => Type::Real,
                Query::Compare(..) => Type::Bool,
            },
            Operator::Branching(..) => Type::Bool,
            Operator::Filter { kind, value, .. } => match kind {
                FilterKind::Forall | FilterKind::Exists | FilterKind::ArgMin | FilterKind::ArgMax => {
                    Type::Bool
                }
                FilterKind::Count => Type::Int,
                FilterKind::Avg => Type::Real,
                _ => match value {
                    Expr::Nested(inner) => inner.kind(),
                    // Known exactly only with the model; engines look at the value itself.
                    Expr::Bool(_) | Expr::Not(_) | Expr::IsInitial | Expr::IsDeadlock => Type::Bool,
                    Expr::Binary(op, ..) if op.is_boolean() => Type::Bool,
                    Expr::Int(_) => Type::Int,
                    _ => Type::Real,
                },
            },
        }
    }

    /// Where it is in the text.
    pub fn span(&self) -> Span {
        match self {
            Operator::Prob { span, .. }
            | Operator::Reward { span, .. }
            | Operator::Steady { span, .. }
            | Operator::Branching(_, _, span)
            | Operator::Filter { span, .. } => *span,
        }
    }
}

/// A property of a model.
#[derive(Clone, Debug)]
pub struct Property {
    /// Its name, or its number.
    pub name: String,
    pub text: String,
    pub formula: Expr,
    pub span: Span,
}
