//! Expressions, by precedence from loose to tight: `?:`, `=>`, `<=>`, `|`, `&`, `!`, `=` and `!=`, order, `+` and `-`,
//! `*` and `/`, `^`, unary minus.

use burnside_model::chance::{Binary, Function, Real};

use super::super::ast::{Expr, ExprKind, Name};
use super::Parser;
use crate::diag::codes;
use crate::tokens::{Parse, Read, Tok};

/// Operators that bind weaker than `!`.
const LOOSE: &[&[(&str, Binary)]] =
    &[&[("=>", Binary::Implies)], &[("<=>", Binary::Iff)], &[("|", Binary::Or)], &[("&", Binary::And)]];

/// Operators between truth values and numbers.
const COMPARISONS: &[&[(&str, Binary)]] = &[
    &[("!=", Binary::Ne), ("=", Binary::Eq)],
    &[("<=", Binary::Le), (">=", Binary::Ge), ("<", Binary::Lt), (">", Binary::Gt)],
];

const SUMS: &[&[(&str, Binary)]] =
    &[&[("+", Binary::Add), ("-", Binary::Sub)], &[("*", Binary::Mul), ("/", Binary::Div)]];

impl Parser {
    pub(super) fn expr(&mut self) -> Read<Expr> {
        self.nested(|parser| {
            let start = parser.span();
            let condition = parser.levels(LOOSE, Parser::not)?;
            if !parser.eat("?") {
                return Ok(condition);
            }
            let then = parser.expr()?;
            parser.expect(":")?;
            let otherwise = parser.expr()?;
            Ok(Expr::new(ExprKind::If(condition, then, otherwise), parser.since(start)))
        })
    }

    fn levels(&mut self, levels: &[&[(&str, Binary)]], operand: fn(&mut Parser) -> Read<Expr>) -> Read<Expr> {
        let make = |op, a: Expr, b: Expr| {
            let span = a.span.to(b.span);
            Expr::new(ExprKind::Binary(op, a, b), span)
        };
        self.binary(levels, &mut |parser| operand(parser), &make)
    }

    fn not(&mut self) -> Read<Expr> {
        let start = self.span();
        if self.eat("!") {
            let operand = self.nested(Parser::not)?;
            return Ok(Expr::new(ExprKind::Not(operand), self.since(start)));
        }
        self.levels(COMPARISONS, Parser::sum)
    }

    /// A sum; also what may follow `<=` in a bound.
    pub(super) fn sum(&mut self) -> Read<Expr> {
        self.levels(SUMS, Parser::power)
    }

    fn power(&mut self) -> Read<Expr> {
        let start = self.span();
        let base = self.unary()?;
        if !self.eat("^") {
            return Ok(base);
        }
        let exponent = self.nested(Parser::power)?;
        let name = Name { text: Function::Pow.name().to_owned(), span: start };
        Ok(Expr::new(ExprKind::Call(name, vec![base, exponent]), self.since(start)))
    }

    fn unary(&mut self) -> Read<Expr> {
        let start = self.span();
        if self.eat("-") {
            let operand = self.nested(Parser::unary)?;
            return Ok(Expr::new(ExprKind::Neg(operand), self.since(start)));
        }
        self.primary()
    }

    fn primary(&mut self) -> Read<Expr> {
        let span = self.span();
        let kind = match self.peek().clone() {
            Tok::Int(number) => ExprKind::Int(number),
            Tok::Real(text) => match Real::decimal(&text) {
                Some(number) => ExprKind::Real(number),
                None => return self.fail(codes::BAD_NUMBER, span, "this is no number"),
            },
            Tok::Text(text) => ExprKind::Quoted(text),
            Tok::Sign("(") => {
                self.next();
                let mut inner = self.property()?;
                self.expect(")")?;
                inner.span = self.since(span);
                return Ok(inner);
            }
            Tok::Word(word) => match word.as_str() {
                "true" => ExprKind::Bool(true),
                "false" => ExprKind::Bool(false),
                "func" => {
                    self.next();
                    self.expect("(")?;
                    let (text, span) = self.any_word("the name of a function")?;
                    let name = Name { text, span };
                    self.expect(",")?;
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
            _ => return self.unexpected("an expression"),
        };
        self.next();
        Ok(Expr::new(kind, span))
    }

    /// Arguments up to the closing parenthesis.
    fn arguments(&mut self) -> Read<Vec<Expr>> {
        let arguments = self.list(Parser::expr)?;
        self.expect(")")?;
        Ok(arguments)
    }
}
