//! `ltl` blocks: formulas whose atoms are Promela expressions.

use super::super::ast::Ltl;
use super::{Parser, exprs::ATOM};
use crate::diag::codes;
use crate::tokens::{Parse, Read, Tok};

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
            let left = parser.disjunction()?;
            if parser.eat("->") || parser.eat_word("implies") {
                let right = parser.implication()?;
                return Ok(Ltl::Implies(Box::new(left), Box::new(right)));
            }
            if parser.eat("<->") || parser.eat_word("equivalent") {
                let right = parser.implication()?;
                return Ok(Ltl::Iff(Box::new(left), Box::new(right)));
            }
            Ok(left)
        })
    }

    fn disjunction(&mut self) -> Read<Ltl> {
        let mut left = self.conjunction()?;
        while self.eat("||") {
            left = Ltl::Or(Box::new(left), Box::new(self.conjunction()?));
        }
        Ok(left)
    }

    fn conjunction(&mut self) -> Read<Ltl> {
        let mut left = self.until()?;
        while self.eat("&&") {
            left = Ltl::And(Box::new(left), Box::new(self.until()?));
        }
        Ok(left)
    }

    fn until(&mut self) -> Read<Ltl> {
        let mut left = self.temporal()?;
        loop {
            let make: fn(Box<Ltl>, Box<Ltl>) -> Ltl = match self.peek() {
                Tok::Word(word) => match word.as_str() {
                    "U" | "until" | "stronguntil" => Ltl::Until,
                    "W" | "weakuntil" => Ltl::Weak,
                    "V" | "R" | "release" => Ltl::Release,
                    _ => return Ok(left),
                },
                _ => return Ok(left),
            };
            self.at += 1;
            let right = self.temporal()?;
            left = make(Box::new(left), Box::new(right));
        }
    }

    fn temporal(&mut self) -> Read<Ltl> {
        self.nested(|parser| {
            let make: fn(Box<Ltl>) -> Ltl = match parser.peek() {
                Tok::Sign("[]") => Ltl::Always,
                Tok::Sign("<>") => Ltl::Eventually,
                Tok::Sign("!") => Ltl::Not,
                Tok::Word(word) => match word.as_str() {
                    "always" => Ltl::Always,
                    "eventually" => Ltl::Eventually,
                    "X" | "next" => Ltl::Next,
                    _ => return parser.atom(),
                },
                _ => return parser.atom(),
            };
            parser.at += 1;
            Ok(make(Box::new(parser.temporal()?)))
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
