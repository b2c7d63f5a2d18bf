//! What the parsers of PRISM, UPPAAL, Promela and Boolean programs share: tokens, a place among them, and the climb
//! through the levels of binary operators. Murphi has its own, with error recovery.

use std::ops::DerefMut;

use burnside_model::Span;

use crate::diag::{Code, Diagnostic, codes};

/// What was read, or the first mistake.
pub type Read<T> = Result<T, Box<Diagnostic>>;

/// Expressions and statements inside each other beyond this are refused, before the stack is.
const MAX_DEPTH: u32 = 200;
/// Longer chains of operators are refused, too.
const MAX_TERMS: usize = 4000;

/// The kinds of tokens. Words of a language are names that its parser recognises.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tok {
    Word(String),
    Int(i64),
    /// Another number, as it is written.
    Real(String),
    /// A text in quotes, without them.
    Text(String),
    Sign(&'static str),
    /// The end of a line, where lines matter.
    Line,
    /// What is no token: the mistake is reported beside.
    Wrong,
    End,
}

/// A piece of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub kind: Tok,
    pub span: Span,
    /// Whether white space or a line break stands before it: `#define f (x)` has no parameters.
    pub spaced: bool,
}

impl Tok {
    pub fn is(&self, sign: &str) -> bool {
        matches!(self, Tok::Sign(mine) if *mine == sign)
    }

    pub fn is_word(&self, word: &str) -> bool {
        matches!(self, Tok::Word(mine) if mine == word)
    }
}

impl Token {
    pub fn new(kind: Tok, span: Span) -> Token {
        Token { kind, span, spaced: true }
    }

    /// As it is written.
    pub fn written(&self) -> String {
        match &self.kind {
            Tok::Word(text) | Tok::Real(text) => text.clone(),
            Tok::Int(number) => number.to_string(),
            Tok::Text(text) => format!("\"{text}\""),
            Tok::Sign(sign) => (*sign).to_owned(),
            Tok::Line | Tok::Wrong | Tok::End => String::new(),
        }
    }
}

/// A place among tokens, of which the last is [`Tok::End`].
pub struct Cursor {
    pub tokens: Vec<Token>,
    pub at: usize,
    pub depth: u32,
}

impl Cursor {
    pub fn new(tokens: Vec<Token>) -> Cursor {
        Cursor { tokens, at: 0, depth: 0 }
    }

    fn token(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    pub fn peek(&self) -> &Tok {
        self.peek_at(0)
    }

    pub fn peek_at(&self, ahead: usize) -> &Tok {
        &self.token(ahead).kind
    }

    pub fn span(&self) -> Span {
        self.token(0).span
    }

    /// The span of the token before.
    pub fn before(&self) -> Span {
        self.tokens[self.at.saturating_sub(1).min(self.tokens.len() - 1)].span
    }

    /// From a start to the end of the token before.
    pub fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.before().end.max(start.start) }
    }

    /// Takes a token.
    pub fn next(&mut self) -> Token {
        let token = self.token(0).clone();
        self.at = (self.at + 1).min(self.tokens.len() - 1);
        token
    }

    pub fn is(&self, sign: &str) -> bool {
        self.peek().is(sign)
    }

    pub fn is_word(&self, word: &str) -> bool {
        self.peek().is_word(word)
    }

    /// Takes a sign if it is next.
    pub fn eat(&mut self, sign: &str) -> bool {
        let found = self.is(sign);
        if found {
            self.next();
        }
        found
    }

    /// Takes a word if it is next.
    pub fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.next();
        }
        found
    }

    pub fn expect(&mut self, sign: &str) -> Read<Span> {
        if self.is(sign) { Ok(self.next().span) } else { self.unexpected(&format!("`{sign}`")) }
    }

    pub fn expect_word(&mut self, word: &str) -> Read<Span> {
        if self.is_word(word) { Ok(self.next().span) } else { self.unexpected(&format!("`{word}`")) }
    }

    /// Takes a name, of which `what` says what it should be.
    pub fn any_word(&mut self, what: &str) -> Read<(String, Span)> {
        match self.peek().clone() {
            Tok::Word(name) => Ok((name, self.next().span)),
            _ => self.unexpected(what),
        }
    }

    pub fn unexpected<T>(&self, expected: &str) -> Read<T> {
        let found = match self.peek() {
            Tok::End => "the end of the text".to_owned(),
            Tok::Line => "the end of the line".to_owned(),
            Tok::Wrong => "no token".to_owned(),
            _ => format!("`{}`", self.token(0).written()),
        };
        self.fail(codes::UNEXPECTED_TOKEN, self.span(), format!("expected {expected}, found {found}"))
    }

    pub fn fail<T>(&self, code: Code, span: Span, message: impl Into<String>) -> Read<T> {
        Err(Box::new(Diagnostic::error(code, span, message)))
    }
}

/// A parser around a [`Cursor`].
pub trait Parse: DerefMut<Target = Cursor> + Sized {
    /// Goes one level deeper, if there is room.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail(codes::NESTED_TOO_DEEPLY, self.span(), "this is nested too deeply");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }

    /// Operands and binary operators, from the level that binds weakest; all associate to the left.
    fn binary<E, O: Copy>(
        &mut self,
        levels: &[&[(&str, O)]],
        operand: &mut dyn FnMut(&mut Self) -> Read<E>,
        make: &dyn Fn(O, E, E) -> E,
    ) -> Read<E> {
        let Some((operators, tighter)) = levels.split_first() else { return operand(self) };
        let mut left = self.binary(tighter, operand, make)?;
        for terms in 0.. {
            if terms > MAX_TERMS {
                return self.fail(codes::NESTED_TOO_DEEPLY, self.span(), "too many operators in a row");
            }
            let written = match self.peek() {
                Tok::Sign(sign) => *sign,
                Tok::Word(word) => word.as_str(),
                _ => break,
            };
            let Some((_, op)) = operators.iter().find(|(known, _)| *known == written) else { break };
            self.next();
            let right = self.binary(tighter, operand, make)?;
            left = make(*op, left, right);
        }
        Ok(left)
    }

    /// One or more of them, with commas between.
    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Read<T>) -> Read<Vec<T>> {
        let mut all = vec![read(self)?];
        while self.eat(",") {
            all.push(read(self)?);
        }
        Ok(all)
    }
}

/// Makes a parser with a field `cursor` one that reads as its cursor does.
macro_rules! reads_as_its_cursor {
    ($parser:ty) => {
        impl std::ops::Deref for $parser {
            type Target = $crate::tokens::Cursor;

            fn deref(&self) -> &Self::Target {
                &self.cursor
            }
        }

        impl std::ops::DerefMut for $parser {
            fn deref_mut(&mut self) -> &mut Self::Target {
                &mut self.cursor
            }
        }

        impl $crate::tokens::Parse for $parser {}
    };
}
pub(crate) use reads_as_its_cursor;
