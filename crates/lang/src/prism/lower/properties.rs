//! Properties: operators with their paths, bounds and filters, and whether they fit the kind of the model.

use burnside_model::Span;
use burnside_model::chance::{
    Bound, Bounds, Comparison, Expr, FilterKind, Kind, Operator, Optimum, Path, PathOp, Property, Query,
    Real, RewardPath, Type,
};

use super::super::ast::{self, ExprKind, OldFilter, RewardName};
use super::{Lower, Missing, error};
use crate::diag::{Diagnostic, codes};
use crate::source::Source;
use crate::tokens::Read;

impl Lower<'_> {
    pub(super) fn all_properties(
        &self,
        asked: &[ast::Properties],
        source: &Source,
    ) -> Vec<Result<Property, Missing>> {
        let all = asked.iter().flat_map(|file| &file.properties);
        let lowered = all.enumerate().map(|(index, property)| {
            let name =
                property.name.as_ref().map_or_else(|| (index + 1).to_string(), |name| name.text.clone());
            let span = property.formula.as_ref().map_or(property.span, |formula| formula.span);
            let text = source.slice(span).split_whitespace().collect::<Vec<_>>().join(" ");
            let formula = match &property.formula {
                Ok(formula) => self.expr(formula, &[]),
                Err(diagnostic) => Err(diagnostic.clone()),
            };
            match formula {
                Ok(formula) => Ok(Property { name, text, formula, span }),
                Err(diagnostic) => Err(Missing { name, text, diagnostic }),
            }
        });
        lowered.collect()
    }

    /// An operator, with its filter if it has one.
    pub(super) fn operator(&self, tree: &ast::Expr) -> Read<Operator> {
        let span = tree.span;
        let (operator, filter) = match &*tree.kind {
            ExprKind::Prob(optimum, query, path, filter) => {
                let query = self.query(query, true)?;
                let optimum = self.optimum(*optimum, &query, 'P', span)?;
                (Operator::Prob { optimum, query, path: self.path(path)?, span }, filter)
            }
            ExprKind::Reward(structure, optimum, query, path, filter) => {
                let query = self.query(query, false)?;
                let optimum = self.optimum(*optimum, &query, 'R', span)?;
                let structure = self.structure(structure, span)?;
                let path = self.reward_path(path, span)?;
                (Operator::Reward { structure, optimum, query, path, span }, filter)
            }
            ExprKind::Steady(query, states, filter) => {
                if self.kind == Kind::Mdp {
                    let message = "the steady state of an mdp depends on its strategy";
                    let found = error(codes::WRONG_PROPERTY, span, message);
                    return Err(Box::new(found.help("`S` is for dtmc and ctmc models")));
                }
                let query = self.query(query, true)?;
                (Operator::Steady { query, states: self.condition(states, &[])?, span }, filter)
            }
            ExprKind::Branching(all, path) => (Operator::Branching(*all, self.path(path)?, span), &None),
            ExprKind::Filter(kind, value, states) => {
                let value = self.expr(value, &[])?;
                let wants = match kind {
                    FilterKind::Forall | FilterKind::Exists | FilterKind::Count => Some(true),
                    FilterKind::Min
                    | FilterKind::Max
                    | FilterKind::ArgMin
                    | FilterKind::ArgMax
                    | FilterKind::Sum
                    | FilterKind::Avg
                    | FilterKind::Range => Some(false),
                    _ => None,
                };
                let boolean = value.kind(&self.model) == Type::Bool;
                if wants.is_some_and(|wants| wants != boolean) {
                    let found = if boolean { "a condition" } else { "a number" };
                    let message = format!("this filter cannot be used with {found}");
                    return Err(error(codes::WRONG_PROPERTY, span, message));
                }
                let states = states.as_ref().map(|states| self.condition(states, &[])).transpose()?;
                (Operator::Filter { kind: *kind, value, states, span }, &None)
            }
            _ => return Err(error(codes::UNEXPECTED_TOKEN, span, "expected an operator")),
        };
        let Some(OldFilter { states, kinds }) = filter else { return Ok(operator) };
        let kind = match kinds.as_slice() {
            [] => FilterKind::State,
            [kind] => *kind,
            _ => FilterKind::Range,
        };
        let states = Some(self.condition(states, &[])?);
        Ok(Operator::Filter { kind, value: Expr::Nested(Box::new(operator)), states, span })
    }

    fn query(&self, query: &ast::Query, probability: bool) -> Read<Query> {
        let Some((comparison, bound)) = query else { return Ok(Query::Value) };
        let value = self.real(bound)?;
        let wrong = value.is_negative() || value.to_f64().is_nan() || probability && value.to_f64() > 1.0;
        if wrong {
            let what =
                if probability { "a probability is between 0 and 1" } else { "a reward is not negative" };
            return Err(error(codes::BAD_BOUND, bound.span, what));
        }
        if *comparison == Comparison::Eq {
            let message = "a value is not compared by `=`";
            let found = error(codes::WRONG_PROPERTY, bound.span, message);
            return Err(Box::new(found.help("ask for it with `=?`, or give a bound such as `>=0.5`")));
        }
        Ok(Query::Compare(*comparison, value))
    }

    fn optimum(
        &self,
        said: Option<Optimum>,
        query: &Query,
        letter: char,
        span: Span,
    ) -> Read<Option<Optimum>> {
        if self.kind != Kind::Mdp {
            return Ok(None);
        }
        match (said, query) {
            (Some(optimum), _) => Ok(Some(optimum)),
            (None, Query::Compare(Comparison::Ge | Comparison::Gt, _)) => Ok(Some(Optimum::Min)),
            (None, Query::Compare(..)) => Ok(Some(Optimum::Max)),
            (None, Query::Value) => {
                let message = format!("`{letter}=?` of an mdp depends on its strategy");
                let found = Diagnostic::error(codes::WRONG_PROPERTY, span, message);
                Err(Box::new(found.help(format!("write `{letter}min=?` or `{letter}max=?`"))))
            }
        }
    }

    fn structure(&self, name: &RewardName, span: Span) -> Read<u32> {
        let rewards = &self.model.rewards;
        let missing = |span: Span, message: String| {
            let names: Vec<String> = rewards.iter().map(|r| format!("\"{}\"", r.name)).collect();
            let found = Diagnostic::error(codes::UNKNOWN_NAME, span, message);
            Box::new(if names.is_empty() {
                found.help("the model has no rewards")
            } else {
                found.help(format!("the reward structures are {}", names.join(", ")))
            })
        };
        match name {
            RewardName::First if rewards.is_empty() => {
                Err(missing(span, "there is no reward structure".to_owned()))
            }
            RewardName::First => Ok(0),
            RewardName::Named(name) => match rewards.iter().position(|r| r.name == name.text) {
                Some(found) => Ok(found as u32),
                None => Err(missing(name.span, format!("there is no reward structure \"{}\"", name.text))),
            },
            RewardName::Numbered(number) => {
                let wanted = self.constant_int(number)?;
                match usize::try_from(wanted - 1).ok().filter(|index| *index < rewards.len()) {
                    Some(index) => Ok(index as u32),
                    None => Err(missing(number.span, format!("there is no reward structure {wanted}"))),
                }
            }
        }
    }

    fn reward_path(&self, path: &ast::RewardPath, span: Span) -> Read<RewardPath> {
        Ok(match path {
            ast::RewardPath::Reach(states) => {
                if temporal(states) {
                    let message = "rewards until a formula about paths holds are not supported";
                    return Err(error(codes::PRISM_UNSUPPORTED, states.span, message));
                }
                RewardPath::Reach(self.condition(states, &[])?)
            }
            ast::RewardPath::Cumulative(bound) => {
                RewardPath::Cumulative(bound.as_ref().map(|bound| self.time(bound)).transpose()?)
            }
            ast::RewardPath::Instant(at) => RewardPath::Instant(self.time(at)?),
            ast::RewardPath::Steady => {
                if self.kind == Kind::Mdp {
                    let message = "the steady state of an mdp depends on its strategy";
                    return Err(error(codes::WRONG_PROPERTY, span, message));
                }
                RewardPath::Steady
            }
        })
    }

    /// A number that is known before the model runs.
    fn real(&self, tree: &ast::Expr) -> Read<Real> {
        match self.number(tree, &[])? {
            Expr::Int(i) => Ok(Real::from(i)),
            Expr::Real(r) => Ok(r),
            other => Err(self.not_constant(&other, tree.span)),
        }
    }

    /// A time or number of steps.
    fn time(&self, tree: &ast::Expr) -> Read<Real> {
        let at = self.real(tree)?;
        if at.is_negative() || !at.to_f64().is_finite() {
            return Err(error(codes::BAD_BOUND, tree.span, "a time is not negative, and finite"));
        }
        if self.kind != Kind::Ctmc && at.floor().map(Real::from).as_ref() != Some(&at) {
            let message = format!("steps of a {} are counted: this is no whole number", self.kind.word());
            return Err(error(codes::BAD_BOUND, tree.span, message));
        }
        Ok(at)
    }

    fn bounds(&self, tree: &ast::Bounds) -> Read<Bounds> {
        let bound = |end: &Option<(ast::Expr, bool)>| -> Read<Option<Bound>> {
            end.as_ref().map(|(at, strict)| Ok(Bound { at: self.time(at)?, strict: *strict })).transpose()
        };
        let bounds = Bounds { lower: bound(&tree.lower)?, upper: bound(&tree.upper)? };
        if let (Some(lower), Some((upper, _))) = (&bounds.lower, &tree.upper)
            && let Some(end) = &bounds.upper
            && lower.at.compare(&end.at) == Some(std::cmp::Ordering::Greater)
        {
            return Err(error(codes::BAD_BOUND, upper.span, "this bound is before the lower one"));
        }
        if let (Some((upper, true)), Some(end)) = (&tree.upper, &bounds.upper)
            && end.at == Real::from(0)
        {
            return Err(error(codes::BAD_BOUND, upper.span, "nothing is before time 0"));
        }
        Ok(bounds)
    }

    /// A formula about paths.
    fn path(&self, tree: &ast::Expr) -> Read<Path> {
        if !temporal(tree) {
            return Ok(Path::State(self.condition(tree, &[])?));
        }
        Ok(match &*tree.kind {
            ExprKind::Temporal(op, bounds, left, right) => {
                let bounds = self.bounds(bounds)?;
                if *op == PathOp::Next && !bounds.is_none() {
                    return Err(error(
                        codes::PRISM_UNSUPPORTED,
                        tree.span,
                        "bounds of `X` are not supported",
                    ));
                }
                let left = match left {
                    Some(left) => self.path(left)?,
                    None => Path::State(Expr::Bool(true)),
                };
                Path::Temporal(*op, bounds, Box::new([left, self.path(right)?]))
            }
            ExprKind::Not(inner) => Path::Not(Box::new(self.path(inner)?)),
            ExprKind::Binary(op, a, b) if op.connects() => {
                use burnside_model::chance::Binary;
                let (a, b) = (self.path(a)?, self.path(b)?);
                let not = |path: Path| Path::Not(Box::new(path));
                match op {
                    Binary::And => Path::Join(true, Box::new([a, b])),
                    Binary::Or => Path::Join(false, Box::new([a, b])),
                    Binary::Implies => Path::Join(false, Box::new([not(a), b])),
                    _ => {
                        let both = Path::Join(true, Box::new([a.clone(), b.clone()]));
                        let neither = Path::Join(true, Box::new([not(a), not(b)]));
                        Path::Join(false, Box::new([both, neither]))
                    }
                }
            }
            _ => {
                return Err(error(
                    codes::TEMPORAL_OPERATOR,
                    tree.span,
                    "a temporal operator cannot stand here",
                ));
            }
        })
    }
}

/// Whether a formula has a temporal operator outside all operators such as `P`.
fn temporal(tree: &ast::Expr) -> bool {
    match &*tree.kind {
        ExprKind::Temporal(..) => true,
        ExprKind::Not(e) | ExprKind::Neg(e) => temporal(e),
        ExprKind::Binary(_, a, b) => temporal(a) || temporal(b),
        ExprKind::If(a, b, c) => temporal(a) || temporal(b) || temporal(c),
        ExprKind::Call(_, all) => all.iter().any(temporal),
        _ => false,
    }
}
