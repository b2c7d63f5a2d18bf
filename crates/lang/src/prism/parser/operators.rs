//! Properties: the operators P, R, S, A, E and filters, and formulas about paths.

use burnside_model::chance::{Comparison, FilterKind, Optimum, PathOp};

use super::super::ast::{Bounds, Expr, ExprKind, OldFilter, Query, RewardName, RewardPath};
use super::Parser;
use crate::tokens::{Read, Tok};

impl Parser {
    /// A property, or a formula about paths.
    pub(super) fn property(&mut self) -> Read<Expr> {
        let start = self.span();
        let left = self.temporal()?;
        let op = match self.peek() {
            Tok::Word(word) if word == "U" => PathOp::Until,
            Tok::Word(word) if word == "W" => PathOp::WeakUntil,
            Tok::Word(word) if word == "R" && !self.begins_reward() => PathOp::Release,
            _ => return Ok(left),
        };
        self.next();
        let bounds = self.bounds()?;
        let right = self.temporal()?;
        Ok(Expr::new(ExprKind::Temporal(op, bounds, Some(left), right), self.since(start)))
    }

    fn temporal(&mut self) -> Read<Expr> {
        let start = self.span();
        let op = match self.peek() {
            Tok::Word(word) if word == "X" => PathOp::Next,
            Tok::Word(word) if word == "F" => PathOp::Finally,
            Tok::Word(word) if word == "G" => PathOp::Globally,
            _ => return self.expr(),
        };
        self.next();
        let bounds = self.bounds()?;
        let operand = self.temporal()?;
        Ok(Expr::new(ExprKind::Temporal(op, bounds, None, operand), self.since(start)))
    }

    /// A bound on time or steps, if there is one.
    fn bounds(&mut self) -> Read<Bounds> {
        let mut bounds = Bounds::default();
        if self.is("^") {
            return self.unsupported(self.span(), "bounds on rewards are");
        }
        if self.eat("<=") {
            bounds.upper = Some((self.sum()?, false));
        } else if self.eat("<") {
            bounds.upper = Some((self.sum()?, true));
        } else if self.eat(">=") {
            bounds.lower = Some((self.sum()?, false));
        } else if self.eat(">") {
            bounds.lower = Some((self.sum()?, true));
        } else if self.eat("=") {
            let at = self.sum()?;
            (bounds.lower, bounds.upper) = (Some((at.clone(), false)), Some((at, false)));
        } else if self.eat("[") {
            bounds.lower = Some((self.sum()?, false));
            self.expect(",")?;
            bounds.upper = Some((self.sum()?, false));
            self.expect("]")?;
        }
        Ok(bounds)
    }

    /// Whether `R` here begins an operator, not a release.
    fn begins_reward(&self) -> bool {
        match self.peek_at(1) {
            Tok::Sign("{") => true,
            Tok::Sign("=") => matches!(self.peek_at(2), Tok::Sign("?")),
            Tok::Word(word) => {
                matches!(word.as_str(), "min" | "max") && !matches!(self.peek_at(2), Tok::Sign("("))
            }
            _ => false,
        }
    }

    /// An operator, if one begins here.
    pub(super) fn operator(&mut self) -> Read<Option<Expr>> {
        let start = self.span();
        let Tok::Word(word) = self.peek().clone() else { return Ok(None) };
        let kind = match word.as_str() {
            "P" | "Pmin" | "Pmax" => {
                self.next();
                let optimum = self.optimum(&word)?;
                let query = self.query()?;
                self.expect("[")?;
                let path = self.property()?;
                let filter = self.old_filter()?;
                self.expect("]")?;
                ExprKind::Prob(optimum, query, path, filter)
            }
            "R" | "Rmin" | "Rmax" => {
                self.next();
                let structure = if word == "R" && self.eat("{") {
                    let structure = match self.peek() {
                        Tok::Text(_) => RewardName::Named(self.quoted()?),
                        _ => RewardName::Numbered(self.expr()?),
                    };
                    self.expect("}")?;
                    if self.is("[") || self.is("{") {
                        return self.unsupported(self.span(), "two reward structures in one operator are");
                    }
                    structure
                } else {
                    RewardName::First
                };
                let optimum = self.optimum(&word)?;
                let query = self.query()?;
                self.expect("[")?;
                let path = self.reward_path()?;
                let filter = self.old_filter()?;
                self.expect("]")?;
                ExprKind::Reward(structure, optimum, query, path, filter)
            }
            "S" => {
                self.next();
                let query = self.query()?;
                self.expect("[")?;
                let states = self.property()?;
                let filter = self.old_filter()?;
                self.expect("]")?;
                ExprKind::Steady(query, states, filter)
            }
            "A" | "E" if matches!(self.peek_at(1), Tok::Sign("[")) => {
                self.next();
                self.expect("[")?;
                let path = self.property()?;
                self.expect("]")?;
                ExprKind::Branching(word == "A", path)
            }
            "filter" => {
                self.next();
                self.expect("(")?;
                let kind = self.filter_kind()?;
                self.expect(",")?;
                let value = self.property()?;
                let states = if self.eat(",") { Some(self.property()?) } else { None };
                self.expect(")")?;
                ExprKind::Filter(kind, value, states)
            }
            "multi" | "mult" if matches!(self.peek_at(1), Tok::Sign("(")) => {
                return self.unsupported(start, "multi-objective properties are");
            }
            "quantile" => return self.unsupported(start, "quantiles are"),
            _ => return Ok(None),
        };
        Ok(Some(Expr::new(kind, self.since(start))))
    }

    fn optimum(&mut self, word: &str) -> Read<Option<Optimum>> {
        if word.ends_with("min") || self.eat_word("min") {
            return Ok(Some(Optimum::Min));
        }
        if word.ends_with("max") || self.eat_word("max") {
            return Ok(Some(Optimum::Max));
        }
        Ok(None)
    }

    fn query(&mut self) -> Read<Query> {
        let comparison = match self.peek() {
            Tok::Sign("=") => {
                self.next();
                if self.eat("?") {
                    return Ok(None);
                }
                Comparison::Eq
            }
            Tok::Sign("<") => Comparison::Lt,
            Tok::Sign("<=") => Comparison::Le,
            Tok::Sign(">") => Comparison::Gt,
            Tok::Sign(">=") => Comparison::Ge,
            _ => return self.unexpected("`=?` or a bound such as `>=0.5`"),
        };
        if comparison != Comparison::Eq {
            self.next();
        }
        Ok(Some((comparison, self.sum()?)))
    }

    fn reward_path(&mut self) -> Read<RewardPath> {
        match self.peek().clone() {
            Tok::Word(word) if word == "F" => {
                self.next();
                let at = self.span();
                let bounds = self.bounds()?;
                if bounds.lower.is_some() || bounds.upper.is_some() {
                    return self.unsupported(self.since(at), "a reward until a bounded `F` is");
                }
                Ok(RewardPath::Reach(self.temporal()?))
            }
            Tok::Word(word) if word == "C" => {
                self.next();
                Ok(RewardPath::Cumulative(if self.eat("<=") { Some(self.sum()?) } else { None }))
            }
            Tok::Word(word) if word == "I" => {
                self.next();
                self.expect("=")?;
                Ok(RewardPath::Instant(self.sum()?))
            }
            Tok::Word(word) if word == "S" && matches!(self.peek_at(1), Tok::Sign("]" | "{")) => {
                self.next();
                Ok(RewardPath::Steady)
            }
            _ => {
                let start = self.span();
                self.property()?;
                self.unsupported(self.since(start), "rewards over paths other than `F`, `C`, `I` and `S` are")
            }
        }
    }

    fn old_filter(&mut self) -> Read<Option<OldFilter>> {
        if !self.eat("{") {
            return Ok(None);
        }
        let states = self.property()?;
        self.expect("}")?;
        let mut kinds = Vec::new();
        while self.eat("{") {
            kinds.push(self.filter_kind()?);
            self.expect("}")?;
        }
        Ok(Some(OldFilter { states, kinds }))
    }

    fn filter_kind(&mut self) -> Read<FilterKind> {
        let word = match self.peek().clone() {
            Tok::Word(word) => word,
            Tok::Sign("+") => "sum".to_owned(),
            Tok::Sign("&") => "forall".to_owned(),
            Tok::Sign("|") => "exists".to_owned(),
            _ => String::new(),
        };
        let kind = match word.as_str() {
            "min" => FilterKind::Min,
            "max" => FilterKind::Max,
            "argmin" => FilterKind::ArgMin,
            "argmax" => FilterKind::ArgMax,
            "count" => FilterKind::Count,
            "sum" => FilterKind::Sum,
            "avg" => FilterKind::Avg,
            "first" => FilterKind::First,
            "range" => FilterKind::Range,
            "forall" => FilterKind::Forall,
            "exists" => FilterKind::Exists,
            "state" => FilterKind::State,
            "print" | "printall" => FilterKind::Print,
            _ => {
                let help = "one of min, max, argmin, argmax, count, sum, avg, first, range, forall, exists, state, print";
                let wanted = "what to do with the values";
                return self.unexpected(wanted).map_err(|mistake| Box::new(mistake.help(help)));
            }
        };
        self.next();
        Ok(kind)
    }
}
