//! `ltl` blocks: formulas whose atoms are Promela expressions.

use burnside_model::code::LogicOp;
use burnside_model::system::{BinaryOp, UnaryOp};

use super::super::ast::{Connective, Ltl};
use super::{Parser, exprs::ATOM};
use crate::diag::codes;
use crate::tokens::{Parse, Read, Tok};

const UNTIL: Connective = Connective::Temporal(BinaryOp::Until);
const WEAK: Connective = Connective::Temporal(BinaryOp::Weak);
const RELEASE: Connective = Connective::Temporal(BinaryOp::Release);

/// The operators that bind stronger than implications, by increasing strength.
const LEVELS: &[&[(&str, Connective)]] = &[
    &[("||", Connective::Logic(LogicOp::Or))],
    &[("&&", Connective::Logic(LogicOp::And))],
    &[
        ("U", UNTIL),
        ("until", UNTIL),
        ("stronguntil", UNTIL),
        ("W", WEAK),
        ("weakuntil", WEAK),
        ("V", RELEASE),
        ("R", RELEASE),
        ("release", RELEASE),
    ],
];

fn join(op: Connective, left: Ltl, right: Ltl) -> Ltl {
    Ltl::Binary(op, Box::new(left), Box::new(right))
}

impl Parser {
    pub(super) fn ltl(&mut self) -> Read<()> {
        let span = self.span();
        self.at += 1;
        let number = self.program.ltl.len();
        let (name, named) = match self.peek() {
            Tok::Word(name) => (name.clone(), true),
            _ => (format!("ltl_{number}"), false),
        };
        self.at += usize::from(named);
        self.expect("{")?;
        let formula = self.implication()?;
        while self.eat(";") {}
        self.expect("}")?;
        self.program.ltl.push((name, named, formula, span.to(self.before())));
        Ok(())
    }

    fn implication(&mut self) -> Read<Ltl> {
        self.nested(|parser| {
            let left = parser.binary(LEVELS, &mut Self::temporal, &join)?;
            let op = if parser.eat("->") || parser.eat_word("implies") {
                Connective::Logic(LogicOp::Implies)
            } else if parser.eat("<->") || parser.eat_word("equivalent") {
                Connective::Iff
            } else {
                return Ok(left);
            };
            Ok(join(op, left, parser.implication()?))
        })
    }

    fn temporal(&mut self) -> Read<Ltl> {
        self.nested(|parser| {
            let op = match parser.peek() {
                Tok::Sign("[]") => Some(UnaryOp::Globally),
                Tok::Sign("<>") => Some(UnaryOp::Finally),
                Tok::Sign("!") => None,
                Tok::Word(word) => match word.as_str() {
                    "always" => Some(UnaryOp::Globally),
                    "eventually" => Some(UnaryOp::Finally),
                    "X" | "next" => Some(UnaryOp::Next),
                    _ => return parser.atom(),
                },
                _ => return parser.atom(),
            };
            parser.at += 1;
            let inner = Box::new(parser.temporal()?);
            Ok(match op {
                Some(op) => Ltl::Unary(op, inner),
                None => Ltl::Not(inner),
            })
        })
    }

    /// An expression, or a formula in parentheses: what follows the `)` tells which.
    fn atom(&mut self) -> Read<Ltl> {
        let start = self.at;
        if self.eat("(") {
            if let Ok(formula) = self.implication()
                && self.eat(")")
                && !self.goes_on()
            {
                return Ok(formula);
            }
            self.at = start;
        }
        if *self.peek() == Tok::End {
            return self.fail(codes::UNEXPECTED_TOKEN, self.span(), "this formula has no end");
        }
        Ok(Ltl::Atom(self.level(ATOM)?))
    }

    /// Whether an arithmetical operator or a comparison follows.
    fn goes_on(&self) -> bool {
        let signs = ["+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&", "|", "^", "<<", ">>"];
        signs.iter().any(|sign| self.is(sign))
    }
}
