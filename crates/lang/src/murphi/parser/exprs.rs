//! Expressions, by precedence climbing.
//!
//! From the weakest: `?:`, `->`, `||`, `&&`, `|`, `^`, `&`, `!`, comparisons, shifts, `+ -`, `* / %` with the
//! signs `-x` and `+x`, `~`. `?:`, `->` and comparisons do not chain. Because `!` is weaker than a comparison,
//! `!x = y` is `!(x = y)`; because a sign is as strong as `*`, `-x * y` is `(-x) * y`.

use super::blocks::{Block, Open};
use super::{Parsed, Parser};
use crate::diag::{Diagnostic, codes};
use crate::murphi::ast::{BinaryOp, Domain, Expr, ExprKind, Ident, Quantifier, QuantifierKind, UnaryOp};
use crate::murphi::token::Tok;
use burnside_model::Span;
use burnside_model::code::{ArithOp, LogicOp, OrderOp};
use burnside_model::system;

/// How strongly operators bind.
pub(super) mod level {
    pub const IMPLIES: u8 = 1;
    pub const OR: u8 = 2;
    pub const AND: u8 = 3;
    pub const PIPE: u8 = 4;
    pub const CARET: u8 = 5;
    pub const AMP: u8 = 6;
    /// `U`, `R` and `W` of LTL.
    pub const UNTIL: u8 = 7;
    pub const NOT: u8 = 8;
    pub const COMPARISON: u8 = 9;
    pub const SHIFT: u8 = 10;
    pub const SUM: u8 = 11;
    pub const PRODUCT: u8 = 12;
    pub const TIGHTEST: u8 = 13;
}

/// An operator between two operands.
pub(super) enum Infix {
    Plain(BinaryOp),
    Until(system::BinaryOp),
}

fn binary_operator(kind: Tok) -> Option<(BinaryOp, u8)> {
    Some(match kind {
        Tok::Implies => (BinaryOp::Logic(LogicOp::Implies), level::IMPLIES),
        Tok::PipePipe => (BinaryOp::Logic(LogicOp::Or), level::OR),
        Tok::AmpAmp => (BinaryOp::Logic(LogicOp::And), level::AND),
        Tok::Pipe => (BinaryOp::Pipe, level::PIPE),
        Tok::Caret => (BinaryOp::Arith(ArithOp::Xor), level::CARET),
        Tok::Amp => (BinaryOp::Amp, level::AMP),
        Tok::Eq | Tok::EqEq => (BinaryOp::Eq, level::COMPARISON),
        Tok::Ne => (BinaryOp::Ne, level::COMPARISON),
        Tok::Lt => (BinaryOp::Order(OrderOp::Lt), level::COMPARISON),
        Tok::Le => (BinaryOp::Order(OrderOp::Le), level::COMPARISON),
        Tok::Gt => (BinaryOp::Order(OrderOp::Gt), level::COMPARISON),
        Tok::Ge => (BinaryOp::Order(OrderOp::Ge), level::COMPARISON),
        Tok::Shl => (BinaryOp::Arith(ArithOp::Shl), level::SHIFT),
        Tok::Shr => (BinaryOp::Arith(ArithOp::Shr), level::SHIFT),
        Tok::Plus => (BinaryOp::Arith(ArithOp::Add), level::SUM),
        Tok::Minus => (BinaryOp::Arith(ArithOp::Sub), level::SUM),
        Tok::Star => (BinaryOp::Arith(ArithOp::Mul), level::PRODUCT),
        Tok::Slash => (BinaryOp::Arith(ArithOp::Div), level::PRODUCT),
        Tok::Percent => (BinaryOp::Arith(ArithOp::Mod), level::PRODUCT),
        _ => return None,
    })
}

impl Parser<'_> {
    /// Does the token continue an expression?
    pub(super) fn continues_expr(kind: Tok) -> bool {
        binary_operator(kind).is_some() || matches!(kind, Tok::Question | Tok::Dot | Tok::LBracket)
    }

    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let condition = self.binary(level::IMPLIES)?;
        if !self.eat(Tok::Question) {
            return Ok(condition);
        }
        let yes = self.nested(|p| p.expr())?;
        self.expect(Tok::Colon)?;
        let no = self.binary(level::IMPLIES)?;
        if self.kind() == Tok::Question {
            let message = "a condition after another needs parentheses";
            let help = "write `a ? b : (c ? d : e)`";
            return Err(self.report_here(codes::NOT_ASSOCIATIVE, message, help));
        }
        self.make(ExprKind::Conditional(Box::new(condition), Box::new(yes), Box::new(no)), start)
    }

    /// The operator at this place, how strong it is and of how many tokens.
    fn infix(&self) -> Option<(Infix, u8, usize)> {
        if self.temporal.is_some() && self.kind() == Tok::Lt && self.ahead(1) == Tok::Implies {
            return Some((Infix::Plain(BinaryOp::Iff), level::IMPLIES, 2));
        }
        if let Some(op) = self.until() {
            return Some((Infix::Until(op), level::UNTIL, 1));
        }
        binary_operator(self.kind()).map(|(op, level)| (Infix::Plain(op), level, 1))
    }

    /// Operands joined by operators at least as strong as `weakest`.
    pub(super) fn binary(&mut self, weakest: u8) -> Parsed<Expr> {
        self.nested(|p| {
            let start = p.here();
            let mut left = p.prefix()?;
            while let Some((op, level, width)) = p.infix().filter(|(_, level, _)| *level >= weakest) {
                let at = p.here();
                for _ in 0..width {
                    p.bump();
                }
                let right = Box::new(p.binary(level + 1)?);
                let kind = match op {
                    Infix::Plain(op) => ExprKind::Binary(op, Box::new(left), right),
                    Infix::Until(op) => {
                        let word = Ident { name: op.letter().to_owned(), span: at };
                        ExprKind::TemporalBinary(word, None, op, Box::new(left), right)
                    }
                };
                left = p.make(kind, start)?;
                p.check_chain(level, at);
            }
            Ok(left)
        })
    }

    /// Reports `a < b < c`, and goes on as if it were grouped from the left.
    fn check_chain(&mut self, level: u8, first: Span) {
        let (what, help) = match level {
            level::IMPLIES => ("implications", "write `a -> (b -> c)`"),
            level::COMPARISON => {
                ("comparisons", "write `a < b & b < c`, or put parentheses around one of them")
            }
            level::UNTIL => ("`U`, `R` and `W`", "write `a U (b U c)`"),
            _ => return,
        };
        if self.infix().is_some_and(|(_, next, _)| next == level) {
            let message = format!("{what} cannot be chained");
            let error = Diagnostic::error(codes::NOT_ASSOCIATIVE, self.here(), message)
                .also(first, "the first one is here")
                .help(help);
            self.report(error);
        }
    }

    fn prefix(&mut self) -> Parsed<Expr> {
        let (op, operand) = match self.kind() {
            Tok::Bang => (UnaryOp::Not, level::NOT),
            Tok::Tilde => (UnaryOp::BitNot, level::TIGHTEST),
            Tok::Minus => (UnaryOp::Neg, level::PRODUCT + 1),
            Tok::Plus => (UnaryOp::Plus, level::PRODUCT + 1),
            _ if self.temporal.is_some() => return self.temporal_prefix(),
            _ => return self.primary(),
        };
        let start = self.bump().span;
        let operand = self.binary(operand)?;
        self.make(ExprKind::Unary(op, Box::new(operand)), start)
    }

    /// A value that is written without an operator, but for a sign.
    pub(super) fn signed_primary(&mut self) -> Parsed<Expr> {
        match self.kind() {
            Tok::Minus => self.prefix(),
            _ => self.primary(),
        }
    }

    pub(super) fn primary(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let expr = match self.kind() {
            Tok::Ident if self.ahead(1) != Tok::LParen => return self.designator(),
            Tok::Ident => {
                let kind = self.call()?;
                self.make(kind, start)?
            }
            Tok::Number => {
                self.bump();
                Expr::new(ExprKind::Number(self.number(start)), start)
            }
            Tok::True | Tok::False => {
                let value = self.bump().kind == Tok::True;
                Expr::new(ExprKind::Bool(value), start)
            }
            Tok::LParen => {
                self.bump();
                let mut inner = self.expr()?;
                self.close_paren(start)?;
                inner.span = self.since(start);
                inner
            }
            Tok::Forall | Tok::Exists => return self.quantified(),
            Tok::IsUndefined => {
                self.bump();
                self.expect(Tok::LParen)?;
                let place = self.expr()?;
                self.close_paren(start)?;
                self.make(ExprKind::IsUndefined(Box::new(place)), start)?
            }
            Tok::IsMember => {
                self.bump();
                self.expect(Tok::LParen)?;
                let value = self.expr()?;
                self.expect(Tok::Comma)?;
                let ty = self.type_expr()?;
                self.close_paren(start)?;
                self.make(ExprKind::IsMember(Box::new(value), Box::new(ty)), start)?
            }
            _ => return Err(self.expected_expr()),
        };
        if matches!(self.kind(), Tok::Dot | Tok::LBracket) && !self.at_repetition() {
            let message = format!("{} can only follow the name of a variable", self.found());
            let help = "store the value in a variable first";
            return Err(self.report_here(codes::UNEXPECTED_TOKEN, message, help));
        }
        Ok(expr)
    }

    fn expected_expr(&mut self) -> super::Skip {
        let arrow = matches!(self.kind(), Tok::Begin) || self.kind().starts_stmt();
        if arrow && self.last_kind() == Tok::Implies {
            let message = format!("expected an expression, found {}", self.found());
            let help = "the condition of a rule is followed by `==>`; `->` means “implies”";
            return self.report_here(codes::UNEXPECTED_TOKEN, message, help);
        }
        self.unexpected("an expression")
    }

    /// `)`, or an error that shows where it was opened.
    pub(super) fn close_paren(&mut self, opened: Span) -> Parsed<()> {
        if self.eat(Tok::RParen) {
            return Ok(());
        }
        if self.kind() == Tok::Assign {
            return Err(self.assignment_in_expr());
        }
        let message = format!("expected `)`, found {}", self.found());
        let mut error = Diagnostic::error(codes::UNEXPECTED_TOKEN, self.here(), message)
            .label("expected `)`")
            .also(opened, "to close this");
        if let Some(help) = self.foreign_word() {
            error = error.help(help);
        }
        Err(self.report(error))
    }

    /// Reports `:=` in an expression.
    pub(super) fn assignment_in_expr(&mut self) -> super::Skip {
        let message = "`:=` assigns; it does not compare";
        self.report_here(codes::ASSIGNMENT_FOR_EQUALS, message, "use `=` to compare")
    }

    /// A name followed by fields and indices.
    pub(super) fn designator(&mut self) -> Parsed<Expr> {
        let start = self.here();
        let undefined = self.at_word("undefined");
        let name = self.ident()?;
        let kind = if undefined { ExprKind::Undefined(name) } else { ExprKind::Name(name) };
        let mut expr = Expr::new(kind, start);
        loop {
            if self.eat(Tok::Dot) {
                let field = self.ident()?;
                expr = self.make(ExprKind::Field(Box::new(expr), field), start)?;
            } else if self.kind() == Tok::LBracket && !self.at_repetition() {
                self.bump();
                let index = self.expr()?;
                if self.kind() == Tok::Comma {
                    let message = "an array has one index";
                    return Err(self.report_here(codes::UNEXPECTED_TOKEN, message, "write `a[i][j]`"));
                }
                self.expect(Tok::RBracket)?;
                expr = self.make(ExprKind::Index(Box::new(expr), Box::new(index)), start)?;
            } else {
                return Ok(expr);
            }
        }
    }

    /// `f(a, b)`; the next two tokens are a name and `(`.
    fn call(&mut self) -> Parsed<ExprKind> {
        if self.at_word("multisetcount") && self.at_bound_multiset() {
            let start = self.here();
            self.bump();
            let (name, multiset, condition) = self.bound_multiset(start)?;
            return Ok(ExprKind::MultisetCount(name, Box::new(multiset), Box::new(condition)));
        }
        let name = self.ident()?;
        Ok(ExprKind::Call(name, self.arguments()?))
    }

    /// `(a, b)`; a comma after the last is allowed.
    pub(super) fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let opened = self.here();
        self.expect(Tok::LParen)?;
        let mut args = Vec::new();
        while self.kind() != Tok::RParen {
            args.push(self.expr()?);
            if self.kind() == Tok::Semi {
                let help = "arguments are separated by commas";
                self.report_here(codes::WRONG_SEPARATOR, "expected `,`, found `;`", help);
                self.bump();
            } else if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.close_paren(opened)?;
        Ok(args)
    }

    /// Does `(i :` follow the next token, which no call could be?
    pub(super) fn at_bound_multiset(&self) -> bool {
        self.ahead(1) == Tok::LParen && self.ahead(2) == Tok::Ident && self.ahead(3) == Tok::Colon
    }

    /// `(i : m, condition)`
    pub(super) fn bound_multiset(&mut self, start: Span) -> Parsed<(crate::murphi::ast::Ident, Expr, Expr)> {
        self.expect(Tok::LParen)?;
        let name = self.ident()?;
        self.expect(Tok::Colon)?;
        let multiset = self.designator()?;
        self.expect(Tok::Comma)?;
        let condition = self.expr()?;
        self.close_paren(start)?;
        Ok((name, multiset, condition))
    }

    fn quantified(&mut self) -> Parsed<Expr> {
        let keyword = self.bump();
        let (kind, block) = match keyword.kind {
            Tok::Forall => (QuantifierKind::Forall, Block::Forall),
            _ => (QuantifierKind::Exists, Block::Exists),
        };
        // After a mistake it stays open: skipping must not take its `end` for another's.
        self.open.push(Open { block, at: keyword.span });
        let names = self.quantifiers()?;
        self.expect_do();
        let body = self.expr()?;
        if self.kind() == Tok::Assign {
            return Err(self.assignment_in_expr());
        }
        self.eat_semis_before_end();
        self.close();
        self.make(ExprKind::Quantified(kind, names, Box::new(body)), keyword.span)
    }

    /// Reports `forall … do e; end`.
    fn eat_semis_before_end(&mut self) {
        if self.kind() == Tok::Semi && matches!(self.ahead(1), Tok::End | Tok::EndForall | Tok::EndExists) {
            let help = "remove the semicolon: what a quantifier holds is an expression, not a statement";
            self.report_here(codes::UNEXPECTED_TOKEN, "expected `end`, found `;`", help);
            self.bump();
        }
    }

    /// `i : T; j := 0 to 3`
    pub(super) fn quantifiers(&mut self) -> Parsed<Vec<Quantifier>> {
        let mut quantifiers = vec![self.quantifier()?];
        while matches!(self.kind(), Tok::Semi | Tok::Comma) {
            self.comma_for_semi("separate quantified names by semicolons: `i : T; j : T`");
            self.eat_semis();
            if self.kind() == Tok::Do {
                break;
            }
            quantifiers.push(self.quantifier()?);
        }
        Ok(quantifiers)
    }

    fn quantifier(&mut self) -> Parsed<Quantifier> {
        let start = self.here();
        let name = self.ident()?;
        let domain = match self.kind() {
            Tok::Colon => {
                self.bump();
                Domain::Type(self.type_expr()?)
            }
            Tok::Assign | Tok::Eq => {
                if self.kind() == Tok::Eq {
                    let help = "write `i := 0 to 3`";
                    self.report_here(codes::EQUALS_FOR_ASSIGNMENT, "expected `:=`, found `=`", help);
                }
                self.bump();
                let from = self.expr()?;
                if self.kind() == Tok::DotDot {
                    let help = "write `i := 0 to 3` or `i : 0..3`";
                    return Err(self.report_here(codes::UNEXPECTED_TOKEN, "expected `to`, found `..`", help));
                }
                self.expect(Tok::To)?;
                let to = self.expr()?;
                let step = if self.eat(Tok::By) { Some(self.expr()?) } else { None };
                Domain::Steps { from, to, step }
            }
            _ => {
                let message = format!("expected `:` or `:=`, found {}", self.found());
                let help = "write `i : T` for every value of a type, or `i := 0 to 3`";
                return Err(self.report_here(codes::UNEXPECTED_TOKEN, message, help));
            }
        };
        Ok(Quantifier { name, domain, span: self.since(start) })
    }
}
