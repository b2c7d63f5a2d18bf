//! Temporal formulas, and which runs they speak of.
//!
//! A formula of CTL has a path quantifier at each temporal operator, one of LTL has none: [`Formula::fits`] tells them
//! apart. Atoms are ordinary conditions, so that whatever walks the code of a model sees them too. Quantifiers over
//! formulas stand outside temporal operators only; inside, a quantifier is part of an atom.
//!
//! Formulas speak of infinite runs over reachable states: a state without successors stays as it is for ever, and a
//! run-time error is a violation for itself, not a state. Negation is complement within the reachable states. The past
//! is that of the reachable states: `EY` asks for some predecessor, `EP` for some state from which this one is reached.

use super::{Binder, Property, PropertyKind, Rule};
use crate::code::{Cell, Expr, LogicOp, Loop, LoopRange, Quantifier, TypeId};
use crate::{Model, Span};

/// The two logics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Logic {
    Ctl,
    Ltl,
}

/// Over which runs from a state an operator of CTL quantifies.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Paths {
    /// `A`
    All,
    /// `E`
    Some,
}

/// Temporal operators on one formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnaryOp {
    /// `X`: in the next state.
    Next,
    /// `F`: now or later.
    Finally,
    /// `G`: from now on.
    Globally,
    /// `Y`: in the state before; only as `EY`.
    Previous,
    /// `P`: now or before; only as `EP`.
    Once,
}

impl UnaryOp {
    pub fn letter(self) -> &'static str {
        match self {
            UnaryOp::Next => "X",
            UnaryOp::Finally => "F",
            UnaryOp::Globally => "G",
            UnaryOp::Previous => "Y",
            UnaryOp::Once => "P",
        }
    }

    /// Whether it looks back.
    pub fn is_past(self) -> bool {
        matches!(self, UnaryOp::Previous | UnaryOp::Once)
    }
}

/// Temporal operators on two formulas.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BinaryOp {
    /// `U`: the right one some time, the left one until then.
    Until,
    /// `R`: the right one up to and including when the left one holds, or for ever.
    Release,
    /// `W`: the left one until the right one holds, or for ever.
    Weak,
}

impl BinaryOp {
    pub fn letter(self) -> &'static str {
        match self {
            BinaryOp::Until => "U",
            BinaryOp::Release => "R",
            BinaryOp::Weak => "W",
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Formula {
    pub kind: FormulaKind,
    pub span: Span,
}

#[derive(Clone, Debug, PartialEq)]
pub enum FormulaKind {
    /// A condition on one state.
    Atom(Expr),
    Not(Box<Formula>),
    Logic(LogicOp, Box<Formula>, Box<Formula>),
    /// `f <-> g`
    Iff(Box<Formula>, Box<Formula>),
    /// `forall` and `exists`, outside temporal operators.
    Quantified(Quantifier, Box<Loop>, Box<Formula>),
    /// A temporal operator, in CTL with its path quantifier.
    Unary(Option<Paths>, UnaryOp, Box<Formula>),
    Binary(Option<Paths>, BinaryOp, Box<Formula>, Box<Formula>),
}

impl Formula {
    /// The formulas that it is made of.
    pub fn parts(&self) -> Vec<&Formula> {
        match &self.kind {
            FormulaKind::Atom(_) => Vec::new(),
            FormulaKind::Not(a) | FormulaKind::Quantified(_, _, a) | FormulaKind::Unary(_, _, a) => vec![a],
            FormulaKind::Logic(_, a, b) | FormulaKind::Iff(a, b) | FormulaKind::Binary(_, _, a, b) => {
                vec![a, b]
            }
        }
    }

    /// Likewise, to be changed.
    pub fn parts_mut(&mut self) -> Vec<&mut Formula> {
        match &mut self.kind {
            FormulaKind::Atom(_) => Vec::new(),
            FormulaKind::Not(a) | FormulaKind::Quantified(_, _, a) | FormulaKind::Unary(_, _, a) => vec![a],
            FormulaKind::Logic(_, a, b) | FormulaKind::Iff(a, b) | FormulaKind::Binary(_, _, a, b) => {
                vec![a, b]
            }
        }
    }

    /// Its atoms, from left to right.
    pub fn atoms(&self) -> Vec<&Expr> {
        match &self.kind {
            FormulaKind::Atom(atom) => vec![atom],
            _ => self.parts().into_iter().flat_map(Formula::atoms).collect(),
        }
    }

    /// Whether there is an operator in it that looks back.
    pub fn looks_back(&self) -> bool {
        matches!(self.kind, FormulaKind::Unary(_, op, _) if op.is_past())
            || self.parts().into_iter().any(Formula::looks_back)
    }

    /// Whether there is a temporal operator in it.
    pub fn is_temporal(&self) -> bool {
        matches!(self.kind, FormulaKind::Unary(..) | FormulaKind::Binary(..))
            || self.parts().into_iter().any(Formula::is_temporal)
    }

    /// Its quantifiers, from the outside in.
    pub fn loops(&self) -> Vec<&Loop> {
        let mut loops: Vec<&Loop> = match &self.kind {
            FormulaKind::Quantified(_, each, _) => vec![each],
            _ => Vec::new(),
        };
        loops.extend(self.parts().into_iter().flat_map(Formula::loops));
        loops
    }

    /// Whether it is one of this logic, with quantifiers outside temporal operators only.
    pub fn fits(&self, logic: Logic) -> bool {
        let well_placed = match &self.kind {
            FormulaKind::Unary(paths, op, inner) => {
                let belongs = paths.is_some() == (logic == Logic::Ctl);
                let past = !op.is_past() || *paths == Some(Paths::Some);
                belongs && past && inner.loops().is_empty()
            }
            FormulaKind::Binary(paths, _, a, b) => {
                let belongs = paths.is_some() == (logic == Logic::Ctl);
                belongs && a.loops().is_empty() && b.loops().is_empty()
            }
            _ => true,
        };
        well_placed && self.parts().iter().all(|part| part.fits(logic))
    }
}

/// How fair a scheduler is to a rule or process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Strength {
    /// What is enabled from some time on is executed again and again.
    Weak,
    /// What is enabled again and again is executed again and again.
    Strong,
}

impl Strength {
    pub fn name(self) -> &'static str {
        match self {
            Strength::Weak => "weak",
            Strength::Strong => "strong",
        }
    }
}

/// `fairness weak T;`: every process, that is, every value of a type, is treated fairly.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProcessFairness {
    pub strength: Strength,
    pub ty: TypeId,
    pub span: Span,
}

impl ProcessFairness {
    /// Which of a rule's arguments is the process that an instance belongs to: the outermost parameter of the type. Another
    /// type with the same values is another type: its values are no processes.
    pub fn argument(&self, rule: &Rule) -> Option<usize> {
        let parameters = rule.binders.iter().filter(|binder| !matches!(binder, Binder::Alias(..)));
        let mut parameters = parameters.map(|binder| match binder {
            Binder::Each(Loop { range: LoopRange::Type(ty), .. }) => *ty == self.ty,
            _ => false,
        });
        parameters.position(|process| process)
    }
}

/// What a scheduler is fair to.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Agent {
    /// An instance of a fair rule: the rule, and the values of its parameters.
    Instance(u32, Vec<Cell>),
    /// A process of a fairness statement: which one, and the value.
    Process(usize, Cell),
}

impl Agent {
    /// The agents that a rule instance is a step of, and how fair the scheduler is to each.
    pub fn of(model: &Model, rule: u32, args: &[Cell]) -> Vec<(Agent, Strength)> {
        let stated = &model.rules[rule as usize];
        let instance = stated.fairness.map(|strength| (Agent::Instance(rule, args.to_vec()), strength));
        let process = |(i, fairness): (usize, &ProcessFairness)| {
            let value = args.get(fairness.argument(stated)?)?;
            Some((Agent::Process(i, *value), fairness.strength))
        };
        instance.into_iter().chain(model.fairness.iter().enumerate().filter_map(process)).collect()
    }

    /// The values that tell it from others, and their types.
    pub fn values(&self, model: &Model) -> Vec<(TypeId, Cell)> {
        match self {
            Agent::Instance(rule, args) => {
                let rule = &model.rules[*rule as usize];
                let locals = rule.binders.iter().filter_map(|binder| match binder {
                    Binder::Each(Loop { local, .. }) | Binder::Choose(local, _) => Some(*local),
                    Binder::Alias(..) => None,
                });
                locals.map(|local| rule.frame[local].ty).zip(args.iter().copied()).collect()
            }
            Agent::Process(fairness, value) => vec![(model.fairness[*fairness].ty, *value)],
        }
    }

    /// The same with other values.
    pub fn with(&self, values: Vec<Cell>) -> Agent {
        match self {
            Agent::Instance(rule, _) => Agent::Instance(*rule, values),
            Agent::Process(fairness, value) => {
                Agent::Process(*fairness, values.first().copied().unwrap_or(*value))
            }
        }
    }
}

impl PropertyKind {
    /// The logic of its formula, if it has one.
    pub fn logic(self) -> Option<Logic> {
        match self {
            PropertyKind::Ctl => Some(Logic::Ctl),
            PropertyKind::Ltl => Some(Logic::Ltl),
            _ => None,
        }
    }
}

impl Property {
    /// The conditions in it: its own, or the atoms of its formula.
    pub fn conditions(&self) -> Vec<&Expr> {
        self.condition.iter().chain(self.formula.iter().flat_map(Formula::atoms)).collect()
    }

    /// Whether it is a `cover` statement, which is evaluated where it stands.
    pub fn is_statement(&self) -> bool {
        self.condition.is_none() && self.formula.is_none()
    }
}
