//! Recursive descent over the tokens; it stops at the first mistake.

mod exprs;
mod model;
mod operators;

use burnside_model::Span;

use super::ast::{ConstType, Constant, Model, Name, Properties, Property};
use super::lexer::{Tok, Token, tokens};
use crate::diag::{Code, Diagnostic, codes};

/// A result, or the mistake.
pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// Words that cannot be names.
const KEYWORDS: &str = "\
    A bool clock const ctmc C double dtmc E endinit endinvariant endmodule endobservables \
    endrewards endsystem false formula filter func F global G init int invariant I label max mdp min module \
    nondeterministic observable observables of Pmax Pmin P pomdp popta probabilistic prob pta rate \
    rewards Rmax Rmin R S stochastic system true U W X";

/// Words that begin a property or a declaration, at the beginning of a line.
const BEGINNINGS: &[&str] =
    &["P", "Pmin", "Pmax", "R", "Rmin", "Rmax", "S", "A", "E", "filter", "const", "label", "multi"];

/// How deep expressions may be nested.
const MAX_DEPTH: u32 = 200;

/// A place in the tokens.
pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
}

/// The model of a text.
pub fn model(text: &str) -> Parsed<Model> {
    Parser::new(text, 0)?.model()
}

/// The properties of a text that begins `base` bytes into the source.
pub fn properties(text: &str, base: usize) -> Parsed<Properties> {
    Parser::new(text, base)?.properties(text, base)
}

/// One expression, for constants given from outside.
pub fn expression(text: &str) -> Parsed<super::ast::Expr> {
    let mut parser = Parser::new(text, 0)?;
    let found = parser.expr()?;
    if parser.peek() != &Tok::End {
        return Err(parser.unexpected("the end of the value"));
    }
    Ok(found)
}

impl Parser {
    fn new(text: &str, base: usize) -> Parsed<Parser> {
        Ok(Parser { tokens: tokens(text, base)?, at: 0, depth: 0 })
    }

    fn peek(&self) -> &Tok {
        &self.tokens[self.at].kind
    }

    fn peek_at(&self, ahead: usize) -> &Tok {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)].kind
    }

    fn span(&self) -> Span {
        self.tokens[self.at].span
    }

    /// From a start to the end of the last token.
    fn since(&self, start: Span) -> Span {
        let end = self.tokens[self.at.saturating_sub(1)].span.end;
        Span { start: start.start, end: end.max(start.start) }
    }

    fn next(&mut self) -> Token {
        let token = self.tokens[self.at].clone();
        if self.at + 1 < self.tokens.len() {
            self.at += 1;
        }
        token
    }

    fn is_sign(&self, sign: &str) -> bool {
        matches!(self.peek(), Tok::Sign(found) if *found == sign)
    }

    fn is_word(&self, word: &str) -> bool {
        matches!(self.peek(), Tok::Word(found) if found == word)
    }

    fn take_sign(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.next();
        }
        found
    }

    fn take_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    fn sign(&mut self, sign: &str) -> Parsed<()> {
        if self.take_sign(sign) { Ok(()) } else { Err(self.unexpected(&format!("`{sign}`"))) }
    }

    fn word(&mut self, word: &str) -> Parsed<()> {
        if self.take_word(word) { Ok(()) } else { Err(self.unexpected(&format!("`{word}`"))) }
    }

    /// What stands here, in words.
    fn found(&self) -> String {
        match self.peek() {
            Tok::Word(word) => format!("`{word}`"),
            Tok::Int(number) => format!("`{number}`"),
            Tok::Real(number) => format!("`{number}`"),
            Tok::Quoted(text) => format!("`\"{text}\"`"),
            Tok::Sign(sign) => format!("`{sign}`"),
            Tok::End => "the end of the file".to_owned(),
        }
    }

    fn unexpected(&self, wanted: &str) -> Box<Diagnostic> {
        let message = format!("expected {wanted}, found {}", self.found());
        Box::new(Diagnostic::error(codes::UNEXPECTED_TOKEN, self.span(), message))
    }

    fn error(&self, code: Code, span: Span, message: impl Into<String>) -> Box<Diagnostic> {
        Box::new(Diagnostic::error(code, span, message))
    }

    fn unsupported(&self, span: Span, what: &str) -> Box<Diagnostic> {
        let message = format!("{what} not supported");
        Box::new(Diagnostic::error(codes::PRISM_UNSUPPORTED, span, message))
    }

    fn name(&mut self, what: &str) -> Parsed<Name> {
        match self.peek().clone() {
            Tok::Word(text) if !KEYWORDS.split(' ').any(|word| word == text) => {
                let span = self.next().span;
                Ok(Name { text, span })
            }
            Tok::Word(text) => {
                let message = format!("`{text}` is a word of the language and cannot be {what}");
                Err(self.error(codes::KEYWORD_AS_NAME, self.span(), message))
            }
            _ => Err(self.unexpected(what)),
        }
    }

    fn quoted(&mut self) -> Parsed<Name> {
        match self.peek().clone() {
            Tok::Quoted(text) => {
                let span = self.next().span;
                Ok(Name { text, span })
            }
            _ => Err(self.unexpected("a name in quotes")),
        }
    }

    /// `const int N = 5;`, after the word `const`, `rate` or `prob`.
    fn constant(&mut self, default: ConstType) -> Parsed<Constant> {
        let kind = if self.take_word("int") {
            ConstType::Int
        } else if self.take_word("double") {
            ConstType::Double
        } else if self.take_word("bool") {
            ConstType::Bool
        } else {
            default
        };
        let name = self.name("the name of a constant")?;
        let value = if self.take_sign("=") { Some(self.expr()?) } else { None };
        self.sign(";")?;
        Ok(Constant { name, kind, value })
    }

    /// `"name" = expression;`, after the word `label`.
    fn label(&mut self) -> Parsed<(Name, super::ast::Expr)> {
        let name = self.quoted()?;
        self.sign("=")?;
        let value = self.expr()?;
        self.sign(";")?;
        Ok((name, value))
    }

    /// `name = expression;`, after the word `formula`.
    fn formula(&mut self) -> Parsed<(Name, super::ast::Expr)> {
        let name = self.name("the name of a formula")?;
        self.sign("=")?;
        let value = self.expr()?;
        self.sign(";")?;
        Ok((name, value))
    }

    fn properties(mut self, text: &str, base: usize) -> Parsed<Properties> {
        let mut found = Properties::default();
        while self.peek() != &Tok::End {
            if self.take_word("const") {
                found.constants.push(self.constant(ConstType::Int)?);
            } else if self.take_word("label") {
                found.labels.push(self.label()?);
            } else if self.take_word("formula") {
                found.formulas.push(self.formula()?);
            } else if !self.take_sign(";") {
                let start = self.span();
                let name = if self.begins_name() {
                    let name = self.quoted()?;
                    self.sign(":")?;
                    Some(name)
                } else {
                    None
                };
                self.depth = 0;
                let formula = self.property();
                if formula.is_err() {
                    self.skip(text, base);
                }
                found.properties.push(Property { name, formula, span: self.since(start) });
            }
        }
        Ok(found)
    }

    fn begins_name(&self) -> bool {
        matches!(self.peek(), Tok::Quoted(_)) && matches!(self.peek_at(1), Tok::Sign(":"))
    }

    /// Goes on to what looks like the next property, after one that is wrong.
    fn skip(&mut self, text: &str, base: usize) {
        self.next();
        while self.peek() != &Tok::End && !self.is_sign(";") {
            let at = (self.span().start as usize).saturating_sub(base);
            let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
            let begins = match self.peek() {
                Tok::Word(word) => BEGINNINGS.contains(&word.as_str()),
                _ => self.begins_name(),
            };
            if begins && text[line..at].trim().is_empty() {
                return;
            }
            self.next();
        }
    }
}
