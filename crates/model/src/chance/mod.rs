//! Probabilistic models: Markov chains and decision processes as guarded commands over one vector of variables.
//!
//! A front end resolves constants, formulas and renamings; what is left are modules whose commands have weighted
//! branches, and *synchronisations*: a step takes one enabled command from each slot of one synchronisation. Weights
//! multiply, updates join. Keeping slots, rather than every combination of commands, keeps the description as small as the
//! text, and makes parallel composition of any shape (hiding and renaming included) one flat list.
//!
//! Numbers are exact rationals as long as the text permits: `0.1` is one tenth ([`Real`]).

mod eval;
mod expr;
mod property;
mod real;

pub use eval::{Fault, Value, eval};
pub use expr::{Binary, Expr, Function, Type};
pub use property::{
    Bound, Bounds, Comparison, FilterKind, Operator, Optimum, Path, PathOp, Property, Query, RewardPath,
};
pub use real::Real;

use crate::Span;

/// The kind of a model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A Markov chain in discrete time.
    Dtmc,
    Mdp,
    /// A Markov chain in continuous time: weights are rates.
    Ctmc,
}

impl Kind {
    /// The word of the language for it.
    pub fn word(self) -> &'static str {
        match self {
            Kind::Dtmc => "dtmc",
            Kind::Mdp => "mdp",
            Kind::Ctmc => "ctmc",
        }
    }
}

/// A variable; booleans are 0 and 1.
#[derive(Clone, Debug)]
pub struct Variable {
    pub name: String,
    pub low: i64,
    pub high: i64,
    pub boolean: bool,
    pub span: Span,
}

impl Variable {
    /// How many values it has.
    pub fn size(&self) -> u64 {
        self.high.abs_diff(self.low).saturating_add(1)
    }
}

/// Where a model begins.
#[derive(Clone, Debug)]
pub enum Initial {
    State(Vec<i64>),
    /// In every state in which this holds: `init … endinit`.
    Where(Expr),
}

/// One branch of a command.
#[derive(Clone, Debug)]
pub struct Branch {
    pub weight: Expr,
    /// The variables that change, with their new values.
    pub updates: Vec<(u32, Expr)>,
    /// The branch in the text.
    pub span: Span,
}

/// A guarded command.
#[derive(Clone, Debug)]
pub struct Command {
    pub guard: Expr,
    pub branches: Vec<Branch>,
    pub span: Span,
    /// The module that it is from, for messages.
    pub module: u32,
}

/// Commands that are taken together: one enabled command of every slot.
#[derive(Clone, Debug)]
pub struct Synchronisation {
    /// The action, an index of [`Model::actions`]; none for a step that has no name.
    pub action: Option<u32>,
    /// Indices of [`Model::commands`], by participant.
    pub slots: Vec<Vec<u32>>,
}

/// One line of a reward structure.
#[derive(Clone, Debug)]
pub struct RewardItem {
    /// For a reward of steps, their action (`Some(None)`: steps without a name); none for a reward of states.
    pub action: Option<Option<u32>>,
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
    pub name: String,
    pub items: Vec<RewardItem>,
}

/// A probabilistic model.
#[derive(Clone, Debug)]
pub struct Model {
    pub kind: Kind,
    /// The variables of all modules.
    pub variables: Vec<Variable>,
    /// The names of the modules.
    pub modules: Vec<String>,
    /// The names of the actions.
    pub actions: Vec<String>,
    pub commands: Vec<Command>,
    /// What can happen in one step.
    pub synchronisations: Vec<Synchronisation>,
    pub initial: Initial,
    pub rewards: Vec<Reward>,
    /// Named sets of states.
    pub labels: Vec<(String, Expr)>,
}
