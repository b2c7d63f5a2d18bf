//! Expressions.

use super::super::ast::{Arg, BinOp, ChanOp, Expr, ExprKind, Ref, UnOp};
use super::super::lexer::Kind;
use super::{Parsed, Parser};
use crate::diag::codes;

/// Binary operators by increasing strength.
const LEVELS: &[&[(&str, BinOp)]] = &[
    &[("||", BinOp::Or)],
    &[("&&", BinOp::And)],
    &[("|", BinOp::BitOr)],
    &[("^", BinOp::BitXor)],
    &[("&", BinOp::BitAnd)],
    &[("==", BinOp::Eq), ("!=", BinOp::Ne)],
    &[("<=", BinOp::Le), (">=", BinOp::Ge), ("<", BinOp::Lt), (">", BinOp::Gt)],
    &[("<<", BinOp::Shl), (">>", BinOp::Shr)],
    &[("+", BinOp::Add), ("-", BinOp::Sub)],
    &[("*", BinOp::Mul), ("/", BinOp::Div), ("%", BinOp::Mod)],
];

/// The level above `&&`: what an atom of a formula is made of.
pub(super) const ATOM: usize = 2;

impl Parser {
    pub(super) fn expression(&mut self) -> Parsed<Expr> {
        self.binary(0)
    }

    pub(super) fn binary(&mut self, level: usize) -> Parsed<Expr> {
        let Some(operators) = LEVELS.get(level) else { return self.deeper(Self::unary) };
        let mut left = self.binary(level + 1)?;
        let mut length = 0;
        while let Some((_, op)) = operators.iter().find(|(sign, _)| self.is(sign)) {
            self.at += 1;
            length += 1;
            if length > 2_000 {
                return self.error(codes::NESTED_TOO_DEEPLY, self.span(), "this expression is too long");
            }
            let right = self.binary(level + 1)?;
            let span = left.span.to(right.span);
            left = Expr { kind: ExprKind::Binary(*op, Box::new(left), Box::new(right)), span };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let op = match &self.token().kind {
            Kind::Sign("!") => UnOp::Not,
            Kind::Sign("-") => UnOp::Neg,
            Kind::Sign("~") => UnOp::BitNot,
            _ => return self.primary(),
        };
        self.at += 1;
        let inner = self.deeper(Self::unary)?;
        let span = span.to(inner.span);
        Ok(Expr { kind: ExprKind::Unary(op, Box::new(inner)), span })
    }

    fn primary(&mut self) -> Parsed<Expr> {
        let span = self.span();
        let word = match &self.token().kind {
            Kind::Number(number) => {
                let kind = ExprKind::Const(*number);
                self.at += 1;
                return Ok(Expr { kind, span });
            }
            Kind::Sign("(") => return self.parenthesised(),
            Kind::Name(word) => word.clone(),
            _ => {
                let message = format!("an expression is expected here, not `{}`", self.token().shown());
                return self.error(codes::UNEXPECTED_TOKEN, span, message);
            }
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
            "len" | "full" | "empty" | "nfull" | "nempty" if self.peek(1).is("(") => {
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
            "eval" if self.peek(1).is("(") => {
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
                let poll = (self.is("?") || self.is("??")) && self.peek(1).is("[");
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

    fn run_priority(&mut self) -> Parsed<()> {
        if self.is_word("priority") {
            return self.unsupported(self.span(), "`priority`");
        }
        Ok(())
    }

    /// `( e )` or `( c -> a : b )`
    fn parenthesised(&mut self) -> Parsed<Expr> {
        let span = self.span();
        self.expect("(")?;
        let mut inner = self.deeper(Self::expression)?;
        if self.eat("->") {
            let then = self.deeper(Self::expression)?;
            self.expect(":")?;
            let otherwise = self.deeper(Self::expression)?;
            inner.kind = ExprKind::Cond(Box::new(inner.clone()), Box::new(then), Box::new(otherwise));
        }
        self.expect(")")?;
        inner.span = span.to(self.before());
        Ok(inner)
    }

    /// `P@label`, `P[e]@label`, `P:x`, `P[e]:x`
    fn remote(&mut self, process: String) -> Parsed<Expr> {
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
            return self.error(codes::UNEXPECTED_TOKEN, self.span(), message);
        };
        Ok(Expr { kind, span: span.to(self.before()) })
    }

    /// A variable with indices and fields.
    pub(super) fn reference(&mut self) -> Parsed<Ref> {
        self.deeper(|parser| parser.reference_inside(true))
    }

    fn reference_inside(&mut self, outermost: bool) -> Parsed<Ref> {
        let span = self.span();
        let name = self.name("a variable")?;
        let unique = if outermost { self.local(&name) } else { None };
        let local = unique.is_some();
        let mut index = None;
        if self.eat("[") {
            index = Some(Box::new(self.deeper(Self::expression)?));
            self.expect("]")?;
        }
        let mut field = None;
        if self.is(".") && matches!(self.peek(1).kind, Kind::Name(_)) {
            self.at += 1;
            field = Some(Box::new(self.deeper(|parser| parser.reference_inside(false))?));
        }
        Ok(Ref { local, name: unique.unwrap_or(name), index, field, span: span.to(self.before()) })
    }

    /// The arguments of a receive or poll: `a,b` or `a(b,…)`.
    pub(super) fn receive_args(&mut self, close: &str) -> Parsed<Vec<Arg>> {
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

    fn receive_arg(&mut self) -> Parsed<Arg> {
        if self.is_word("_") {
            self.at += 1;
            return Ok(Arg::Ignore);
        }
        if self.is_word("eval") && self.peek(1).is("(") {
            self.at += 1;
            return Ok(Arg::Match(self.parenthesised()?));
        }
        let word = matches!(&self.token().kind, Kind::Name(word)
            if !matches!(word.as_str(), "_pid" | "_nr_pr" | "true" | "false" | "len"));
        match word {
            true => Ok(Arg::Store(self.reference()?)),
            false => Ok(Arg::Match(self.unary()?)),
        }
    }
}
