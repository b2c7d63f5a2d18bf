//! Expressions, from the weakest binding to the strongest.

use super::{Parser, Read};
use burnside_model::code::{ArithOp, LogicOp, OrderOp};

use crate::diag::codes;
use crate::tokens::{Parse, Tok};
use crate::uppaal::ast::{Binary, Expr, ExprKind, Quantifier, Unary};

/// Binary operators, from the weakest to the strongest; the words are other ways to write the signs.
const LEVELS: &[&[(&str, Binary)]] = &[
    &[
        ("||", Binary::Logic(LogicOp::Or)),
        ("or", Binary::Logic(LogicOp::Or)),
        ("xor", Binary::Xor),
        ("imply", Binary::Logic(LogicOp::Implies)),
    ],
    &[("&&", Binary::Logic(LogicOp::And)), ("and", Binary::Logic(LogicOp::And))],
    &[("|", Binary::Arith(ArithOp::Or))],
    &[("^", Binary::Arith(ArithOp::Xor))],
    &[("&", Binary::Arith(ArithOp::And))],
    &[("==", Binary::Eq), ("!=", Binary::Ne)],
    &[
        ("<", Binary::Order(OrderOp::Lt)),
        ("<=", Binary::Order(OrderOp::Le)),
        (">=", Binary::Order(OrderOp::Ge)),
        (">", Binary::Order(OrderOp::Gt)),
    ],
    &[("<?", Binary::Min), (">?", Binary::Max)],
    &[("<<", Binary::Arith(ArithOp::Shl)), (">>", Binary::Arith(ArithOp::Shr))],
    &[("+", Binary::Arith(ArithOp::Add)), ("-", Binary::Arith(ArithOp::Sub))],
    &[
        ("*", Binary::Arith(ArithOp::Mul)),
        ("/", Binary::Arith(ArithOp::Div)),
        ("%", Binary::Arith(ArithOp::Mod)),
    ],
];

/// As many indices, fields and calls may follow each other.
pub(super) const MAX_PARTS: usize = 100;

const ASSIGNMENTS: &[(&str, Option<ArithOp>)] = &[
    ("=", None),
    (":=", None),
    ("+=", Some(ArithOp::Add)),
    ("-=", Some(ArithOp::Sub)),
    ("*=", Some(ArithOp::Mul)),
    ("/=", Some(ArithOp::Div)),
    ("%=", Some(ArithOp::Mod)),
    ("|=", Some(ArithOp::Or)),
    ("&=", Some(ArithOp::And)),
    ("^=", Some(ArithOp::Xor)),
    ("<<=", Some(ArithOp::Shl)),
    (">>=", Some(ArithOp::Shr)),
];

impl Parser {
    /// An expression: assignments bind weakest.
    pub fn expr(&mut self) -> Read<Expr> {
        self.nested(Self::assignment)
    }

    /// `a, b`: one after the other.
    pub(super) fn expr_list(&mut self) -> Read<Expr> {
        let mut list = self.expr()?;
        while self.eat(",") {
            let next = self.expr()?;
            let span = list.span.to(next.span);
            list = Expr { kind: ExprKind::Comma(Box::new(list), Box::new(next)), span };
        }
        Ok(list)
    }

    /// A guard or invariant; before version 4 a comma stood for `and`.
    pub fn conjunction(&mut self) -> Read<Expr> {
        let mut all = self.expr()?;
        while self.eat(",") {
            let next = self.expr()?;
            all = binary(Binary::Logic(LogicOp::And), all, next);
        }
        Ok(all)
    }

    fn assignment(&mut self) -> Read<Expr> {
        let left = self.conditional()?;
        let Tok::Sign(sign) = *self.peek() else { return Ok(left) };
        let Some((_, op)) = ASSIGNMENTS.iter().find(|(found, _)| *found == sign) else { return Ok(left) };
        self.next();
        let right = self.nested(Self::assignment)?;
        let span = left.span.to(right.span);
        Ok(Expr { kind: ExprKind::Assign(*op, Box::new(left), Box::new(right)), span })
    }

    fn conditional(&mut self) -> Read<Expr> {
        let condition = self.binary(LEVELS, &mut Self::unary, &binary)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let yes = self.expr()?;
        self.expect(":")?;
        let no = self.nested(Self::conditional)?;
        let span = condition.span.to(no.span);
        Ok(Expr { kind: ExprKind::Cond(Box::new(condition), Box::new(yes), Box::new(no)), span })
    }

    fn unary(&mut self) -> Read<Expr> {
        let start = self.span();
        let sign = match self.peek() {
            Tok::Sign(sign) => *sign,
            Tok::Word(word) if word == "not" => "!",
            _ => return self.postfix(),
        };
        let op = match sign {
            "-" => Unary::Minus,
            "+" => Unary::Plus,
            "!" => Unary::Not,
            "++" | "--" => {
                self.next();
                let of = self.nested(Self::unary)?;
                let span = start.to(of.span);
                let kind = ExprKind::Step { up: sign == "++", postfix: false, of: Box::new(of) };
                return Ok(Expr { kind, span });
            }
            _ => return self.postfix(),
        };
        self.next();
        let of = self.nested(Self::unary)?;
        let span = start.to(of.span);
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(of)), span })
    }

    /// A name or value with indices, fields and calls.
    pub(super) fn postfix(&mut self) -> Read<Expr> {
        let mut expr = self.primary()?;
        for parts in 0.. {
            if parts > MAX_PARTS {
                return self.fail(
                    codes::NESTED_TOO_DEEPLY,
                    self.span(),
                    "too many indices or fields in a row",
                );
            }
            let kind = if self.eat("[") {
                let index = self.expr()?;
                self.expect("]")?;
                ExprKind::Index(Box::new(expr.clone()), Box::new(index))
            } else if self.eat(".") {
                let field = self.member()?;
                ExprKind::Field(Box::new(expr.clone()), field)
            } else if self.eat("(") {
                let args = self.arguments()?;
                ExprKind::Call(Box::new(expr.clone()), args)
            } else if self.is("++") || self.is("--") {
                let up = self.is("++");
                self.next();
                ExprKind::Step { up, postfix: true, of: Box::new(expr.clone()) }
            } else if self.eat("'") {
                ExprKind::Rate(Box::new(expr.clone()))
            } else {
                return Ok(expr);
            };
            expr = Expr { kind, span: expr.span.to(self.before()) };
        }
        Ok(expr)
    }

    /// `a, b)`
    pub(super) fn arguments(&mut self) -> Read<Vec<Expr>> {
        let mut args = Vec::new();
        if self.eat(")") {
            return Ok(args);
        }
        loop {
            args.push(self.expr()?);
            if self.eat(")") {
                return Ok(args);
            }
            self.expect(",")?;
        }
    }

    fn primary(&mut self) -> Read<Expr> {
        let span = self.span();
        let kind = match self.peek().clone() {
            Tok::Int(number) => ExprKind::Number(number),
            Tok::Real(_) => ExprKind::Real,
            Tok::Sign("(") => {
                self.next();
                let mut inner = self.expr()?;
                self.expect(")")?;
                inner.span = span.to(self.before());
                return Ok(inner);
            }
            Tok::Word(word) => match word.as_str() {
                "true" => ExprKind::Bool(true),
                "false" => ExprKind::Bool(false),
                "E" | "A" if self.at_path_quantifier() => {
                    let message = "a query cannot stand inside another";
                    return self.fail(codes::UNEXPECTED_TOKEN, self.span(), message);
                }
                "deadlock" => ExprKind::Deadlock,
                "forall" => return self.quantified(Quantifier::Forall),
                "exists" => return self.quantified(Quantifier::Exists),
                "sum" => return self.quantified(Quantifier::Sum),
                _ => {
                    let name = self.name()?;
                    return Ok(Expr { kind: ExprKind::Name(name.name), span });
                }
            },
            Tok::Sign("~") => {
                return self.fail(codes::UNEXPECTED_TOKEN, self.span(), "there is no `~` in this language");
            }
            _ => return self.unexpected("an expression"),
        };
        self.next();
        Ok(Expr { kind, span })
    }

    /// Whether `E<>` or `A[]` or the like is next.
    fn at_path_quantifier(&self) -> bool {
        matches!(
            (self.peek_at(1), self.peek_at(2)),
            (Tok::Sign("<"), Tok::Sign(">")) | (Tok::Sign("["), Tok::Sign("]"))
        )
    }

    fn quantified(&mut self, quantifier: Quantifier) -> Read<Expr> {
        let start = self.next().span;
        let closed = self.eat("(");
        let name = self.name()?;
        if !self.eat_word("in") {
            self.expect(":")?;
        }
        let ty = self.ty()?;
        if closed {
            self.expect(")")?;
        }
        let body = self.expr()?;
        let span = start.to(body.span);
        Ok(Expr { kind: ExprKind::Quantified(quantifier, name, Box::new(ty), Box::new(body)), span })
    }
}

fn binary(op: Binary, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}
