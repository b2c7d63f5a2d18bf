//! Temporal properties and fairness: `ctl "name" formula;`, `ltl "name" formula;`, `fair rule`, `fairness …;`.
//!
//! None of these words is reserved. A formula is read as an expression in which temporal operators have a meaning;
//! which of its parts are conditions, and whether the operators are those of its logic, is found by the checker. An
//! operator is told from a name by what follows: an operand.

use super::exprs::level;
use super::{Parsed, Parser};
use crate::diag::{Diagnostic, codes};
use crate::murphi::ast::{self, Expr, ExprKind, Ident, Item, RuleKind};
use crate::murphi::token::Tok;
use burnside_model::Span;
use burnside_model::code::LogicOp;
use burnside_model::system::{BinaryOp, Logic, Paths, Strength, UnaryOp};

/// The operators before an operand.
const PREFIXES: &[(&str, Option<Paths>, UnaryOp)] = &[
    ("AX", Some(Paths::All), UnaryOp::Next),
    ("AF", Some(Paths::All), UnaryOp::Finally),
    ("AG", Some(Paths::All), UnaryOp::Globally),
    ("EX", Some(Paths::Some), UnaryOp::Next),
    ("EF", Some(Paths::Some), UnaryOp::Finally),
    ("EG", Some(Paths::Some), UnaryOp::Globally),
    ("EY", Some(Paths::Some), UnaryOp::Previous),
    ("EP", Some(Paths::Some), UnaryOp::Once),
    ("AY", Some(Paths::All), UnaryOp::Previous),
    ("AP", Some(Paths::All), UnaryOp::Once),
    ("X", None, UnaryOp::Next),
    ("F", None, UnaryOp::Finally),
    ("G", None, UnaryOp::Globally),
    ("Y", None, UnaryOp::Previous),
    ("P", None, UnaryOp::Once),
];

/// Whether a word is an operator of CTL.
pub(crate) fn is_ctl_word(word: &str) -> bool {
    PREFIXES.iter().any(|(known, paths, _)| *known == word && paths.is_some())
}

impl Parser<'_> {
    /// Does a temporal property begin here?
    pub(super) fn at_temporal(&self) -> bool {
        let next = self.ahead(1);
        (next.starts_expr() || next == Tok::Str) && (self.at_word("ctl") || self.at_word("ltl"))
    }

    /// Does a fair rule, or a fairness constraint, begin here?
    pub(super) fn at_fairness(&self) -> bool {
        let constraint = self.at_word("fairness") && self.ahead(1) == Tok::Str;
        constraint || self.at_fair(0) || (self.at_word("strong") && self.at_fair(1))
    }

    fn at_fair(&self, n: usize) -> bool {
        self.word_ahead(n).eq_ignore_ascii_case("fair") && self.ahead(n + 1) == Tok::Rule
    }

    /// The text of the name `n` places further on.
    fn word_ahead(&self, n: usize) -> &str {
        let token = self.tokens.get(self.pos + n).filter(|token| token.kind == Tok::Ident);
        token.map_or("", |token| self.source.slice(token.span))
    }

    /// `fairness weak T`?
    pub(super) fn at_process_fairness(&self) -> bool {
        self.at_word("fairness") && self.ahead(1) == Tok::Ident
    }

    /// Was the last token an operator of CTL, before its operand but outside a formula?
    pub(super) fn after_temporal_word(&self) -> bool {
        self.last_kind() == Tok::Ident
            && self.kind().starts_expr()
            && is_ctl_word(self.source.slice(self.last()))
    }

    /// `ctl "name" formula`, with the name before or after it.
    pub(super) fn temporal_property(&mut self) -> Parsed<RuleKind> {
        let logic = if self.at_word("ctl") { Logic::Ctl } else { Logic::Ltl };
        self.bump();
        let name = self.text();
        self.temporal = Some(logic);
        let formula = self.expr();
        let stray = self.infix_word();
        self.temporal = None;
        let formula = formula?;
        if let Some(op) = stray {
            let letter = op.letter();
            let message = format!("`{letter}` of CTL follows a path quantifier");
            let help = format!("write `A [ p {letter} q ]` or `E [ p {letter} q ]`");
            return Err(self.report_here(codes::WRONG_LOGIC, message, &help));
        }
        let name = name.or_else(|| self.text());
        self.after_property();
        Ok(RuleKind::Temporal(logic, name, formula))
    }

    /// Does a sequence begin here that must never be seen?
    pub(super) fn at_never(&self) -> bool {
        let named = self.ahead(1) == Tok::Str && self.ahead(2) == Tok::LBrace;
        self.at_word("never") && (named || self.ahead(1) == Tok::LBrace)
    }

    /// `[*]` or `[+]`, after a condition in a sequence?
    pub(super) fn at_repetition(&self) -> bool {
        self.kind() == Tok::LBracket
            && matches!(self.ahead(1), Tok::Star | Tok::Plus)
            && self.ahead(2) == Tok::RBracket
    }

    /// `never "name" { a; b[*]; c }`: no states that follow each other match it. That is a formula of LTL: `a; r` is
    /// `a & X r`, `a[*]; r` is `a U r`, and `a[+]; r` is `a; a[*]; r`.
    pub(super) fn never(&mut self) -> Parsed<RuleKind> {
        let start = self.bump().span;
        let name = self.text();
        self.expect(Tok::LBrace)?;
        let mut items = Vec::new();
        while self.kind() != Tok::RBrace {
            let condition = self.expr()?;
            let repeated = self.at_repetition().then(|| {
                self.bump();
                let repeated = self.bump().kind;
                self.bump();
                repeated
            });
            items.push((condition, repeated));
            if !self.eat(Tok::Semi) {
                break;
            }
        }
        self.expect(Tok::RBrace)?;
        let mut rest: Option<Expr> = None;
        for (condition, repeated) in items.into_iter().rev() {
            rest = match (repeated, rest) {
                (Some(Tok::Star), None) => None,
                (Some(Tok::Star), Some(rest)) => Some(self.until_then(condition, rest)?),
                (Some(_), Some(rest)) => {
                    let more = self.until_then(condition.clone(), rest)?;
                    Some(self.and_next(condition, more)?)
                }
                (None, Some(rest)) => Some(self.and_next(condition, rest)?),
                (_, None) => Some(condition),
            };
        }
        let Some(sequence) = rest else {
            let message = "this sequence is seen everywhere: it may be empty";
            let error = Diagnostic::error(codes::UNEXPECTED_TOKEN, self.since(start), message);
            return Err(self.report(error.help("it needs a condition that is not followed by `[*]`")));
        };
        let span = sequence.span;
        let not = self.make(ExprKind::Unary(ast::UnaryOp::Not, Box::new(sequence)), span)?;
        let always = Ident { name: "G".to_owned(), span };
        let formula =
            self.make(ExprKind::TemporalUnary(always, None, UnaryOp::Globally, Box::new(not)), span)?;
        self.after_property();
        Ok(RuleKind::Temporal(Logic::Ltl, name, formula))
    }

    /// `a & X b`
    fn and_next(&mut self, a: Expr, b: Expr) -> Parsed<Expr> {
        let (start, span) = (a.span, b.span);
        let word = Ident { name: "X".to_owned(), span };
        let next = self.make(ExprKind::TemporalUnary(word, None, UnaryOp::Next, Box::new(b)), span)?;
        self.make(ExprKind::Binary(ast::BinaryOp::Logic(LogicOp::And), Box::new(a), Box::new(next)), start)
    }

    /// `a U b`
    fn until_then(&mut self, a: Expr, b: Expr) -> Parsed<Expr> {
        let start = a.span;
        let word = Ident { name: "U".to_owned(), span: b.span };
        self.make(ExprKind::TemporalBinary(word, None, BinaryOp::Until, Box::new(a), Box::new(b)), start)
    }

    /// `fair rule`, `strong fair rule`, `fairness "name" condition`.
    pub(super) fn fairness(&mut self) -> Parsed<RuleKind> {
        if self.at_word("fairness") {
            self.bump();
            let Some(name) = self.text() else { return Err(self.unexpected("a name in quotes")) };
            let condition = self.expr()?;
            self.after_property();
            return Ok(RuleKind::Fairness(name, condition));
        }
        let strong = self.at_word("strong");
        for _ in 0..1 + usize::from(strong) {
            self.bump();
        }
        Ok(self.simple_rule(Some(if strong { Strength::Strong } else { Strength::Weak })))
    }

    /// `fairness weak T`; nothing after a mistake.
    pub(super) fn process_fairness(&mut self) -> Option<Item> {
        self.element(
            |p| {
                p.bump();
                let strength = match () {
                    () if p.at_word("weak") => Strength::Weak,
                    () if p.at_word("strong") => Strength::Strong,
                    () => {
                        let message = format!("expected `weak`, `strong` or a name, found {}", p.found());
                        let help = "write `fairness weak T;`, or `fairness \"name\" condition;`";
                        return Err(p.report_here(codes::UNEXPECTED_TOKEN, message, help));
                    }
                };
                p.bump();
                let ty = p.ident()?;
                p.expect(Tok::Semi)?;
                Ok(Item::Fairness(strength, ty))
            },
            |_| false,
        )
    }

    /// `U`, `R` or `W`, between two operands of LTL.
    pub(super) fn until(&self) -> Option<BinaryOp> {
        (self.temporal == Some(Logic::Ltl)).then(|| self.infix_word()).flatten()
    }

    fn infix_word(&self) -> Option<BinaryOp> {
        let word = self.word_ahead(0);
        [BinaryOp::Until, BinaryOp::Release, BinaryOp::Weak].into_iter().find(|op| op.letter() == word)
    }

    /// A temporal operator and its operand, or what has none.
    pub(super) fn temporal_prefix(&mut self) -> Parsed<Expr> {
        let start = self.here();
        if self.temporal == Some(Logic::Ctl)
            && self.ahead(1) == Tok::LBracket
            && matches!(self.word_ahead(0), "A" | "E")
        {
            return self.bracketed(start);
        }
        let word = self.word_ahead(0);
        let Some((_, paths, op)) = PREFIXES.iter().find(|(known, ..)| *known == word) else {
            return self.primary();
        };
        let next = self.ahead(1);
        // Of the other logic, or of none, it may be the name of a function or a number.
        let own = paths.is_some() == (self.temporal == Some(Logic::Ctl));
        let may_be_name = !own && matches!(next, Tok::LParen | Tok::Minus | Tok::Plus);
        if !next.starts_expr() || may_be_name {
            return self.primary();
        }
        let word = self.ident()?;
        let operand = self.binary(level::NOT)?;
        self.make(ExprKind::TemporalUnary(word, *paths, *op, Box::new(operand)), start)
    }

    /// `A [ f U g ]`
    fn bracketed(&mut self, start: Span) -> Parsed<Expr> {
        let word = self.ident()?;
        let paths = if word.name == "A" { Paths::All } else { Paths::Some };
        let opened = self.bump().span;
        let left = self.expr()?;
        let Some(op) = self.infix_word() else {
            let message = format!("expected `U`, `R` or `W`, found {}", self.found());
            let help = format!("write `{} [ p U q ]`", word.name);
            return Err(self.report_here(codes::UNEXPECTED_TOKEN, message, &help));
        };
        self.bump();
        let right = self.expr()?;
        if !self.eat(Tok::RBracket) {
            let message = format!("expected `]`, found {}", self.found());
            let error = Diagnostic::error(codes::UNEXPECTED_TOKEN, self.here(), message);
            return Err(self.report(error.label("expected `]`").also(opened, "to close this")));
        }
        self.make(ExprKind::TemporalBinary(word, Some(paths), op, Box::new(left), Box::new(right)), start)
    }
}
