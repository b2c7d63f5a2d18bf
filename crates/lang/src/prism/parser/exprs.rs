//! Expressions, by precedence from loose to tight: `?:`, `=>`, `<=>`, `|`, `&`, `!`, `=` and `!=`, order, `+` and `-`,
//! `*` and `/`, `^`, unary minus.

use burnside_model::chance::{Binary, Function, Real};

use super::super::ast::{Expr, ExprKind, Name};
use super::super::lexer::Tok;
use super::{MAX_DEPTH, Parsed, Parser};
use crate::diag::codes;

impl Parser {
    /// An expression.
    pub(super) fn expr(&mut self) -> Parsed<Expr> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(self.error(codes::NESTED_TOO_DEEPLY, self.span(), "this is nested too deeply"));
        }
        let start = self.span();
        let condition = self.implies()?;
        let found = if self.is_sign("?") {
            self.next();
            let then = self.expr()?;
            self.sign(":")?;
            let otherwise = self.expr()?;
            Expr::new(ExprKind::If(condition, then, otherwise), self.since(start))
        } else {
            condition
        };
        self.depth -= 1;
        Ok(found)
    }

    fn left(
        &mut self,
        signs: &[(&str, Binary)],
        mut operand: impl FnMut(&mut Parser) -> Parsed<Expr>,
    ) -> Parsed<Expr> {
        let start = self.span();
        let mut found = operand(self)?;
        while let Some((_, op)) = signs.iter().find(|(sign, _)| self.is_sign(sign)) {
            self.next();
            let right = operand(self)?;
            found = Expr::new(ExprKind::Binary(*op, found, right), self.since(start));
        }
        Ok(found)
    }

    fn implies(&mut self) -> Parsed<Expr> {
        self.left(&[("=>", Binary::Implies)], |p| p.left(&[("<=>", Binary::Iff)], Parser::or))
    }

    fn or(&mut self) -> Parsed<Expr> {
        self.left(&[("|", Binary::Or)], |p| p.left(&[("&", Binary::And)], Parser::not))
    }

    fn not(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.take_sign("!") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(self.error(codes::NESTED_TOO_DEEPLY, start, "this is nested too deeply"));
            }
            let operand = self.not()?;
            self.depth -= 1;
            return Ok(Expr::new(ExprKind::Not(operand), self.since(start)));
        }
        self.left(&[("!=", Binary::Ne), ("=", Binary::Eq)], |p| {
            let signs = [("<=", Binary::Le), (">=", Binary::Ge), ("<", Binary::Lt), (">", Binary::Gt)];
            p.left(&signs, Parser::sum)
        })
    }

    /// A sum; also what may follow `<=` in a bound.
    pub(super) fn sum(&mut self) -> Parsed<Expr> {
        self.left(&[("+", Binary::Add), ("-", Binary::Sub)], |p| {
            p.left(&[("*", Binary::Mul), ("/", Binary::Div)], Parser::power)
        })
    }

    fn power(&mut self) -> Parsed<Expr> {
        let start = self.span();
        let base = self.unary()?;
        if !self.take_sign("^") {
            return Ok(base);
        }
        let exponent = self.power()?;
        let name = Name { text: Function::Pow.name().to_owned(), span: start };
        Ok(Expr::new(ExprKind::Call(name, vec![base, exponent]), self.since(start)))
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let start = self.span();
        if self.take_sign("-") {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(self.error(codes::NESTED_TOO_DEEPLY, start, "this is nested too deeply"));
            }
            let operand = self.unary()?;
            self.depth -= 1;
            return Ok(Expr::new(ExprKind::Neg(operand), self.since(start)));
        }
        self.primary()
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let kind = match self.peek().clone() {
            Tok::Int(number) => ExprKind::Int(number),
            Tok::Real(text) => match Real::decimal(&text) {
                Some(number) => ExprKind::Real(number),
                None => return Err(self.error(codes::BAD_NUMBER, span, "this is no number")),
            },
            Tok::Quoted(text) => ExprKind::Quoted(text),
            Tok::Sign("(") => {
                self.next();
                let mut inner = self.property()?;
                self.sign(")")?;
                inner.span = self.since(span);
                return Ok(inner);
            }
            Tok::Word(word) => match word.as_str() {
                "true" => ExprKind::Bool(true),
                "false" => ExprKind::Bool(false),
                "func" => {
                    self.next();
                    self.sign("(")?;
                    let name = match self.peek().clone() {
                        Tok::Word(text) => Name { text, span: self.next().span },
                        _ => return Err(self.unexpected("the name of a function")),
                    };
                    self.sign(",")?;
                    let arguments = self.arguments()?;
                    return Ok(Expr::new(ExprKind::Call(name, arguments), self.since(span)));
                }
                _ => {
                    if let Some(operator) = self.operator()? {
                        return Ok(operator);
                    }
                    if matches!(self.peek_at(1), Tok::Sign("(")) && Function::named(&word).is_some() {
                        self.next();
                        self.next();
                        let arguments = self.arguments()?;
                        let name = Name { text: word, span };
                        return Ok(Expr::new(ExprKind::Call(name, arguments), self.since(span)));
                    }
                    let name = self.name("an expression")?;
                    return Ok(Expr::new(ExprKind::Name(name.text), span));
                }
            },
            _ => return Err(self.unexpected("an expression")),
        };
        self.next();
        Ok(Expr::new(kind, span))
    }

    /// Arguments up to the closing parenthesis.
    fn arguments(&mut self) -> Parsed<Vec<Expr>> {
        let mut arguments = vec![self.expr()?];
        while self.take_sign(",") {
            arguments.push(self.expr()?);
        }
        self.sign(")")?;
        Ok(arguments)
    }
}
