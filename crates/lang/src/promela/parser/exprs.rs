//! Expressions.

use burnside_model::code::{ArithOp, OrderOp};

use super::super::ast::{Arg, BinOp, ChanOp, Expr, ExprKind, Ref, UnOp};
use super::Parser;
use crate::diag::codes;
use crate::tokens::{Parse, Read, Tok};

/// Binary operators by increasing strength.
const LEVELS: &[&[(&str, BinOp)]] = &[
    &[("||", BinOp::Or)],
    &[("&&", BinOp::And)],
    &[("|", BinOp::Arith(ArithOp::Or))],
    &[("^", BinOp::Arith(ArithOp::Xor))],
    &[("&", BinOp::Arith(ArithOp::And))],
    &[("==", BinOp::Eq), ("!=", BinOp::Ne)],
    &[
        ("<=", BinOp::Order(OrderOp::Le)),
        (">=", BinOp::Order(OrderOp::Ge)),
        ("<", BinOp::Order(OrderOp::Lt)),
        (">", BinOp::Order(OrderOp::Gt)),
    ],
    &[("<<", BinOp::Arith(ArithOp::Shl)), (">>", BinOp::Arith(ArithOp::Shr))],
    &[("+", BinOp::Arith(ArithOp::Add)), ("-", BinOp::Arith(ArithOp::Sub))],
    &[
        ("*", BinOp::Arith(ArithOp::Mul)),
        ("/", BinOp::Arith(ArithOp::Div)),
        ("%", BinOp::Arith(ArithOp::Mod)),
    ],
];

/// The level above `&&`: what an atom of a formula is made of.
pub(super) const ATOM: usize = 2;

pub(super) fn binary(op: BinOp, left: Expr, right: Expr) -> Expr {
    let span = left.span.to(right.span);
    Expr { kind: ExprKind::Binary(op, Box::new(left), Box::new(right)), span }
}

impl Parser {
    pub(super) fn expression(&mut self) -> Read<Expr> {
        self.level(0)
    }

    /// An expression of operators that bind at least so strongly.
    pub(super) fn level(&mut self, level: usize) -> Read<Expr> {
        self.binary(&LEVELS[level..], &mut |parser| parser.nested(Self::unary), &binary)
    }

    fn unary(&mut self) -> Read<Expr> {
        let span = self.span();
        let op = match self.peek() {
            Tok::Sign("!") => UnOp::Not,
            Tok::Sign("-") => UnOp::Neg,
            Tok::Sign("~") => UnOp::BitNot,
            _ => return self.primary(),
        };
        self.at += 1;
        let inner = self.nested(Self::unary)?;
        let span = span.to(inner.span);
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(inner)), span })
    }

    fn primary(&mut self) -> Read<Expr> {
        let span = self.span();
        let word = match self.peek() {
            Tok::Int(number) => {
                let kind = ExprKind::Const(*number);
                self.at += 1;
                return Ok(Expr { kind, span });
            }
            Tok::Sign("(") => return self.parenthesised(),
            Tok::Word(word) => word.clone(),
            _ => return self.unexpected("an expression"),
        };
        let simple = match word.as_str() {
            "true" | "skip" => Some(ExprKind::Const(1)),
            "false" => Some(ExprKind::Const(0)),
            "timeout" => Some(ExprKind::Timeout),
            "_nr_pr" => Some(ExprKind::Processes),
            "_pid" => Some(ExprKind::Pid),
            "np_" => Some(ExprKind::NoProgress),
            _ => None,
        };
        if let Some(kind) = simple {
            self.at += 1;
            return Ok(Expr { kind, span });
        }
        let kind = match word.as_str() {
            "run" => {
                self.at += 1;
                let name = self.name("the name of a proctype")?;
                self.expect("(")?;
                let mut args = Vec::new();
                while !self.eat(")") {
                    args.push(self.expression()?);
                    if !self.is(")") {
                        self.expect(",")?;
                    }
                }
                self.run_priority()?;
                ExprKind::Run(name, args)
            }
            "len" | "full" | "empty" | "nfull" | "nempty" if self.peek_at(1).is("(") => {
                self.at += 2;
                let chan = self.reference()?;
                self.expect(")")?;
                let op = match word.as_str() {
                    "len" => ChanOp::Len,
                    "full" => ChanOp::Full,
                    "empty" => ChanOp::Empty,
                    "nfull" => ChanOp::NotFull,
                    _ => ChanOp::NotEmpty,
                };
                ExprKind::Channel(op, chan)
            }
            "eval" if self.peek_at(1).is("(") => {
                self.at += 1;
                return self.parenthesised();
            }
            "enabled" | "pc_value" | "get_priority" | "set_priority" | "c_expr" | "_last" | "_priority"
            | "STDIN" => {
                return self.unsupported(span, &format!("`{word}`"));
            }
            _ if self.processes.contains(&word) && self.local(&word).is_none() => return self.remote(word),
            _ => {
                let chan = self.reference()?;
                let poll = (self.is("?") || self.is("??")) && self.peek_at(1).is("[");
                if !poll {
                    return Ok(Expr { span: chan.span, kind: ExprKind::Read(chan) });
                }
                let random = self.is("??");
                self.at += 2;
                let args = self.receive_args("]")?;
                self.expect("]")?;
                ExprKind::Poll(chan, args, random)
            }
        };
        Ok(Expr { kind, span: span.to(self.before()) })
    }

    fn run_priority(&mut self) -> Read<()> {
        if self.is_word("priority") {
            return self.unsupported(self.span(), "`priority`");
        }
        Ok(())
    }

    /// `( e )` or `( c -> a : b )`
    fn parenthesised(&mut self) -> Read<Expr> {
        let span = self.span();
        self.expect("(")?;
        let mut inner = self.nested(Self::expression)?;
        if self.eat("->") {
            let then = self.nested(Self::expression)?;
            self.expect(":")?;
            let otherwise = self.nested(Self::expression)?;
            inner.kind = ExprKind::Cond(Box::new(inner.clone()), Box::new(then), Box::new(otherwise));
        }
        self.expect(")")?;
        inner.span = span.to(self.before());
        Ok(inner)
    }

    /// `P@label`, `P[e]@label`, `P:x`, `P[e]:x`
    fn remote(&mut self, process: String) -> Read<Expr> {
        let span = self.span();
        self.at += 1;
        let mut pid = None;
        if self.eat("[") {
            pid = Some(Box::new(self.expression()?));
            self.expect("]")?;
        }
        let kind = if self.eat("@") {
            ExprKind::At(process, pid, self.name("a label")?)
        } else if self.eat(":") {
            let scopes = std::mem::take(&mut self.scopes);
            let variable = self.reference();
            self.scopes = scopes;
            ExprKind::Remote(process, pid, Box::new(variable?))
        } else {
            let message = format!("`@` and a label, or `:` and a variable of `{process}` are expected here");
            return self.fail(codes::UNEXPECTED_TOKEN, self.span(), message);
        };
        Ok(Expr { kind, span: span.to(self.before()) })
    }

    /// A variable with indices and fields.
    pub(super) fn reference(&mut self) -> Read<Ref> {
        self.nested(|parser| parser.reference_inside(true))
    }

    fn reference_inside(&mut self, outermost: bool) -> Read<Ref> {
        let span = self.span();
        let name = self.name("a variable")?;
        let unique = if outermost { self.local(&name) } else { None };
        let local = unique.is_some();
        let mut index = None;
        if self.eat("[") {
            index = Some(Box::new(self.nested(Self::expression)?));
            self.expect("]")?;
        }
        let mut field = None;
        if self.is(".") && matches!(self.peek_at(1), Tok::Word(_)) {
            self.at += 1;
            field = Some(Box::new(self.nested(|parser| parser.reference_inside(false))?));
        }
        Ok(Ref { local, name: unique.unwrap_or(name), index, field, span: span.to(self.before()) })
    }

    /// The arguments of a receive or poll: `a,b` or `a(b,…)`.
    pub(super) fn receive_args(&mut self, close: &str) -> Read<Vec<Arg>> {
        let mut args = Vec::new();
        loop {
            args.push(self.receive_arg()?);
            if self.eat("(") {
                args.extend(self.receive_args(")")?);
                self.expect(")")?;
            }
            if self.is(close) || !self.eat(",") {
                return Ok(args);
            }
        }
    }

    fn receive_arg(&mut self) -> Read<Arg> {
        if self.is_word("_") {
            self.at += 1;
            return Ok(Arg::Ignore);
        }
        if self.is_word("eval") && self.peek_at(1).is("(") {
            self.at += 1;
            return Ok(Arg::Match(self.parenthesised()?));
        }
        let word = matches!(self.peek(), Tok::Word(word)
            if !matches!(word.as_str(), "_pid" | "_nr_pr" | "true" | "false" | "len"));
        match word {
            true => Ok(Arg::Store(self.reference()?)),
            false => Ok(Arg::Match(self.unary()?)),
        }
    }
}
