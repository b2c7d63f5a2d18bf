//! Tokens to syntax tree, by recursive descent. The first mistake of a text ends its reading: an `.xta` file is one
//! text, every label of an `.xml` file another.

mod declarations;
mod exprs;
mod processes;
mod queries;
mod stmts;
mod types;

pub use processes::joined;

use burnside_model::Span;

use super::ast::{Ident, Query};
use super::lexer::{Stretch, Tok, Token, tokens, tokens_and_mistakes};
use crate::diag::{Code, Diagnostic, codes};
use crate::source::Source;

/// What was read, or why it could not be.
pub type Read<T> = Result<T, Box<Diagnostic>>;

/// Expressions and statements inside each other beyond this are refused, before the stack is.
const MAX_DEPTH: u32 = 200;

/// Reads one text.
pub struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    /// Where edges are that a game's environment controls.
    uncontrollable: Vec<Span>,
}

/// The queries of a `.q` file. A line is a query; one that begins with an operator, or inside brackets, goes on with
/// the line before, and so does one after an operator or a backslash. A query that cannot be read says why, and does
/// not keep the others from being read.
pub fn queries(source: &Source) -> Vec<Query> {
    let text = source.text();
    let mut lines: Vec<Vec<Token>> = Vec::new();
    let (mut open, mut end) = (0, 0);
    let (tokens, mistakes) = tokens_and_mistakes(Stretch { text, start: 0, end: text.len(), xml: false });
    for token in tokens {
        let (from, to) = (token.span.start as usize, token.span.end as usize);
        let gap = &text[end.min(from)..from];
        let ends = gap.contains('\n') && !gap.trim_start_matches([' ', '\t']).starts_with('\\');
        // Whatever brackets are open, such a word begins a query.
        let sure = ends && begins_query(&token.kind, &text[to..]);
        if lines.is_empty()
            || sure
            || open == 0 && ends && begins_line(&token.kind) && !expects_more(lines.last())
        {
            lines.push(Vec::new());
            open = 0;
        }
        match &token.kind {
            Tok::Sign("(" | "[" | "{") => open += 1,
            Tok::Sign(")" | "]" | "}") => open -= 1,
            _ => {}
        }
        end = to;
        if let Some(line) = lines.last_mut() {
            line.push(token);
        }
    }
    let mut queries = Vec::new();
    for mut tokens in lines {
        if tokens.last().is_some_and(|token| token.kind != Tok::End) {
            let end = tokens.last().map_or(0, |token| token.span.end);
            tokens.push(Token { kind: Tok::End, span: Span::new(end as usize, end as usize) });
        }
        Parser::of(tokens).queries_or_mistake(text, &mistakes, &mut queries);
    }
    queries
}

/// Whether a token can be the first of a query.
fn begins_line(token: &Tok) -> bool {
    match token {
        Tok::Word(word) => !matches!(word.as_str(), "and" | "or" | "xor" | "imply"),
        Tok::Sign(sign) => matches!(*sign, "(" | "!" | "-"),
        Tok::Number(_) | Tok::Real | Tok::Wrong => true,
        Tok::End => false,
    }
}

/// Whether a token begins a query whatever came before: `E<>`, `A[]`, `sup{` and the like.
fn begins_query(token: &Tok, rest: &str) -> bool {
    let Tok::Word(word) = token else { return false };
    let follows = |signs: &[&str]| signs.iter().any(|sign| rest.trim_start().starts_with(sign));
    match word.as_str() {
        "E" | "A" => follows(&["<>", "[]"]),
        "sup" | "inf" | "bounds" | "control" => follows(&["{", ":"]),
        "Pr" | "simulate" => follows(&["[", "("]),
        _ => false,
    }
}

/// Whether a line ends with what an operand follows.
fn expects_more(line: Option<&Vec<Token>>) -> bool {
    match line.and_then(|line| line.last()).map(|token| &token.kind) {
        Some(Tok::Word(word)) => matches!(word.as_str(), "and" | "or" | "xor" | "imply" | "not"),
        Some(Tok::Sign(sign)) => !matches!(*sign, ")" | "]" | "}" | ";" | "++" | "--"),
        _ => false,
    }
}

impl Parser {
    /// A parser of a stretch of a file.
    pub fn new(stretch: Stretch) -> Read<Self> {
        Ok(Parser::of(tokens(stretch)?))
    }

    fn of(tokens: Vec<Token>) -> Self {
        Parser { tokens, at: 0, depth: 0, uncontrollable: Vec::new() }
    }

    /// The queries of a stretch of a file.
    pub fn queries_in(stretch: Stretch) -> Vec<Query> {
        let (tokens, mistakes) = tokens_and_mistakes(stretch);
        let mut queries = Vec::new();
        Parser::of(tokens).queries_or_mistake(stretch.text, &mistakes, &mut queries);
        queries
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

    /// The span of the token before.
    fn before(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn advance(&mut self) -> Token {
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

    /// Takes a sign if it is next.
    fn eat(&mut self, sign: &str) -> bool {
        let found = self.is_sign(sign);
        if found {
            self.advance();
        }
        found
    }

    /// Takes a word if it is next.
    fn eat_word(&mut self, word: &str) -> bool {
        let found = self.is_word(word);
        if found {
            self.advance();
        }
        found
    }

    fn expect(&mut self, sign: &str) -> Read<Span> {
        if self.is_sign(sign) { Ok(self.advance().span) } else { self.unexpected(&format!("`{sign}`")) }
    }

    fn expect_word(&mut self, word: &str) -> Read<Span> {
        if self.is_word(word) { Ok(self.advance().span) } else { self.unexpected(&format!("`{word}`")) }
    }

    fn name(&mut self) -> Read<Ident> {
        match self.peek().clone() {
            Tok::Word(name) if is_reserved(&name) => self.fail(
                codes::KEYWORD_AS_NAME,
                format!("`{name}` is a word of the language and cannot be a name"),
            ),
            Tok::Word(name) => Ok(Ident { name, span: self.advance().span }),
            _ => self.unexpected("a name"),
        }
    }

    /// A name where words of the language have no meaning.
    fn member(&mut self) -> Read<Ident> {
        match self.peek().clone() {
            Tok::Word(name) => Ok(Ident { name, span: self.advance().span }),
            _ => self.unexpected("a name"),
        }
    }

    /// The text must be over.
    pub fn end(&mut self) -> Read<()> {
        if *self.peek() == Tok::End { Ok(()) } else { self.unexpected("the end") }
    }

    fn unexpected<T>(&self, expected: &str) -> Read<T> {
        let found = match self.peek() {
            Tok::Word(word) => format!("`{word}`"),
            Tok::Number(number) => format!("`{number}`"),
            Tok::Sign(sign) => format!("`{sign}`"),
            Tok::Real => "a number with a fraction".to_owned(),
            Tok::Wrong => "no token".to_owned(),
            Tok::End => "the end of the text".to_owned(),
        };
        self.fail(codes::UNEXPECTED_TOKEN, format!("expected {expected}, found {found}"))
    }

    fn fail<T>(&self, code: Code, message: impl Into<String>) -> Read<T> {
        Err(Box::new(Diagnostic::error(code, self.span(), message)))
    }

    fn unsupported<T>(&self, what: &str) -> Read<T> {
        self.fail(codes::NOT_SUPPORTED, format!("{what} not supported"))
    }

    /// Goes one level deeper.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Read<T>) -> Read<T> {
        if self.depth >= MAX_DEPTH {
            return self.fail(codes::NESTED_TOO_DEEPLY, "this is nested too deeply");
        }
        self.depth += 1;
        let result = read(self);
        self.depth -= 1;
        result
    }
}

/// Words that cannot be names.
fn is_reserved(word: &str) -> bool {
    const RESERVED: &str = "\
        chan clock bool int commit const urgent broadcast init process state guard sync assign \
        system trans deadlock and or not imply xor true false for forall exists while do if else \
        return typedef struct meta scalar void select sum branchpoint probability";
    RESERVED.split(' ').any(|reserved| reserved == word)
}
