//! Rules, start states, properties and groups of them.
//!
//! A rule may have no guard and no `begin`, so whether `f(x)` after its name is a guard or the first
//! statement shows only after it; [`Parser::at_guard`] looks ahead.

use super::blocks::Block;
use super::{Parsed, Parser};
use crate::diag::codes;
use crate::murphi::ast::{Decl, Expr, Ident, Rule, RuleKind, SimpleRule, Stmt};
use crate::murphi::token::Tok;
use burnside_model::Span;
use burnside_model::system::Strength;

impl Parser<'_> {
    /// Does a rule, start state, property or group begin here?
    pub(super) fn at_rule(&self) -> bool {
        let keyword = matches!(self.kind(), Tok::Rule | Tok::StartState | Tok::Ruleset | Tok::Alias);
        keyword
            || self.at_property()
            || self.at_choose()
            || self.at_temporal()
            || self.at_never()
            || self.at_fairness()
    }

    fn at_choose(&self) -> bool {
        self.at_word("choose") && self.ahead(1) == Tok::Ident && self.ahead(2) == Tok::Colon
    }

    /// One of them; nothing after a mistake.
    pub(super) fn rule(&mut self) -> Option<Rule> {
        self.element(|p| p.nested(|p| p.any_rule()), |_| false)
    }

    fn any_rule(&mut self) -> Parsed<Rule> {
        let start = self.here();
        if self.open.is_empty() {
            self.forget_layout();
        }
        let kind = match self.kind() {
            Tok::Rule => self.simple_rule(None),
            Tok::StartState => {
                self.bump();
                self.block(Block::StartState, start, |p| {
                    let name = p.text();
                    let (decls, body) = p.rule_body();
                    RuleKind::StartState { name, decls, body }
                })
            }
            Tok::Ruleset => {
                self.bump();
                self.block(Block::Ruleset, start, |p| {
                    let quantifiers = p.quantifiers_do();
                    RuleKind::Ruleset(quantifiers, p.rules())
                })
            }
            Tok::Alias => {
                self.bump();
                self.block(Block::Alias, start, |p| {
                    let aliases = p.aliases();
                    RuleKind::Alias(aliases, p.rules())
                })
            }
            _ if self.at_property() => {
                let property = self.property()?;
                self.after_property();
                RuleKind::Property(property)
            }
            _ if self.at_temporal() => self.temporal_property()?,
            _ if self.at_never() => self.never()?,
            _ if self.at_fairness() => self.fairness()?,
            _ => self.choose(start)?,
        };
        Ok(Rule { kind, span: self.since(start) })
    }

    /// Nothing but the next item can follow a property.
    pub(super) fn after_property(&mut self) {
        let kind = self.kind();
        let item = kind.starts_unit() || kind.starts_decls() || self.at_rule() || self.at_end();
        let word = kind == Tok::Ident && self.foreign_word().is_none();
        if kind != Tok::Semi && !item && !word {
            self.unexpected("`;`");
            let base = self.open.len();
            self.skip(base, |_| false);
        }
    }

    /// The rules of a group, up to its `end`.
    fn rules(&mut self) -> Vec<Rule> {
        let mut rules = Vec::new();
        loop {
            self.eat_semis();
            if self.at_rule() {
                rules.extend(self.rule());
                continue;
            }
            let kind = self.kind();
            if self.at_end() || kind.starts_unit() || kind.starts_decls() {
                return rules;
            }
            let message = format!("expected a rule, found {}", self.found());
            self.report_here(codes::UNEXPECTED_TOKEN, message, "statements must stand inside a `rule`");
            self.stmts();
            if matches!(self.kind(), Tok::Else | Tok::Elsif | Tok::Case) {
                self.bump();
            }
        }
    }

    fn choose(&mut self, start: Span) -> Parsed<RuleKind> {
        self.bump();
        let kind = self.block(Block::Choose, start, |p| {
            let head = p.recover(|p| p.choose_head(), |kind| kind == Tok::Do);
            match &head {
                Some(_) => p.expect_do(),
                None => {
                    p.eat(Tok::Do);
                }
            }
            let rules = p.rules();
            head.map(|(name, multiset)| RuleKind::Choose(name, multiset, rules))
        });
        // A mistake in the head was reported, and the whole group is behind us.
        kind.ok_or(super::Skip)
    }

    fn choose_head(&mut self) -> Parsed<(Ident, Expr)> {
        let name = self.ident()?;
        self.expect(Tok::Colon)?;
        Ok((name, self.designator()?))
    }

    /// A rule; the next token is `rule`.
    pub(super) fn simple_rule(&mut self, fairness: Option<Strength>) -> RuleKind {
        let start = self.bump().span;
        self.block(Block::Rule, start, |p| {
            let priority = p.priority();
            let name = p.text();
            let guard = if p.at_guard() { p.guard() } else { None };
            let (decls, body) = p.rule_body();
            RuleKind::Simple(SimpleRule { name, priority, fairness, guard, decls, body })
        })
    }

    /// A number that does not begin the guard.
    fn priority(&mut self) -> Option<(i128, Span)> {
        let next = self.ahead(1);
        let guard = Self::continues_expr(next) || next == Tok::Arrow;
        let span = self.here();
        (!guard && self.eat(Tok::Number)).then(|| (self.number(span), span))
    }

    /// A guard, and not the first statement of the body?
    fn at_guard(&self) -> bool {
        if self.kind() != Tok::Ident {
            return self.kind().starts_expr();
        }
        if self.at_property() {
            return false;
        }
        let mut n = 1;
        loop {
            match self.ahead(n) {
                Tok::Dot => n += 2,
                Tok::LBracket | Tok::LParen => n = self.after_bracket(n),
                next => return Self::continues_expr(next) || next == Tok::Arrow || next == Tok::Begin,
            }
        }
    }

    /// The distance of the token after the bracket that opens `n` tokens ahead.
    fn after_bracket(&self, mut n: usize) -> usize {
        let mut depth = 0usize;
        loop {
            match self.ahead(n) {
                Tok::LBracket | Tok::LParen => depth += 1,
                Tok::RBracket | Tok::RParen => depth = depth.saturating_sub(1),
                kind if kind.starts_unit() => return n,
                _ => {}
            }
            n += 1;
            if depth == 0 {
                return n;
            }
        }
    }

    fn guard(&mut self) -> Option<Expr> {
        let guard = self.recover(|p| p.expr(), |kind| kind == Tok::Arrow);
        if self.eat(Tok::Arrow) || guard.is_none() {
            return guard;
        }
        if self.kind() == Tok::Assign {
            self.assignment_in_expr();
            let base = self.open.len();
            self.skip(base, |kind| kind == Tok::Arrow);
            self.eat(Tok::Arrow);
            return None;
        }
        let message = format!("expected `==>` after the condition of the rule, found {}", self.found());
        let help = "write `rule \"name\" condition ==> begin … end`, and `:=` to assign";
        self.report_here(codes::MISSING_ARROW, message, help);
        let base = self.open.len();
        if self.kind() != Tok::Ident {
            self.skip(base, |kind| kind == Tok::Arrow);
        }
        self.eat(Tok::Arrow);
        guard
    }

    /// Declarations, `begin`, statements; without declarations `begin` may be missing.
    fn rule_body(&mut self) -> (Vec<Decl>, Vec<Stmt>) {
        if self.kind().starts_decls() {
            let decls = self.decls();
            if !self.eat(Tok::Begin) {
                self.unexpected("`begin` after the declarations");
            }
            return (decls, self.stmts());
        }
        self.body()
    }
}
