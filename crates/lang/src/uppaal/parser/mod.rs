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
use super::lexer::{Stretch, tokens, tokens_and_mistakes};
use crate::diag::codes;
use crate::source::Source;
pub use crate::tokens::Read;
use crate::tokens::{Cursor, Tok, Token, reads_as_its_cursor};

/// Reads one text.
pub struct Parser {
    cursor: Cursor,
    /// Where edges are that a game's environment controls.
    uncontrollable: Vec<Span>,
}

reads_as_its_cursor!(Parser);

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
            tokens.push(Token::new(Tok::End, Span::new(end as usize, end as usize)));
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
        Tok::Int(_) | Tok::Real(_) | Tok::Text(_) | Tok::Wrong => true,
        Tok::Line | Tok::End => false,
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
        Parser { cursor: Cursor::new(tokens), uncontrollable: Vec::new() }
    }

    /// The queries of a stretch of a file.
    pub fn queries_in(stretch: Stretch) -> Vec<Query> {
        let (tokens, mistakes) = tokens_and_mistakes(stretch);
        let mut queries = Vec::new();
        Parser::of(tokens).queries_or_mistake(stretch.text, &mistakes, &mut queries);
        queries
    }

    fn name(&mut self) -> Read<Ident> {
        match self.peek().clone() {
            Tok::Word(name) if is_reserved(&name) => self.fail(
                codes::KEYWORD_AS_NAME,
                self.span(),
                format!("`{name}` is a word of the language and cannot be a name"),
            ),
            _ => self.member(),
        }
    }

    /// A name where words of the language have no meaning.
    fn member(&mut self) -> Read<Ident> {
        let (name, span) = self.any_word("a name")?;
        Ok(Ident { name, span })
    }

    /// The text must be over.
    pub fn end(&mut self) -> Read<()> {
        if *self.peek() == Tok::End { Ok(()) } else { self.unexpected("the end") }
    }

    fn unsupported<T>(&self, what: &str) -> Read<T> {
        self.fail(codes::NOT_SUPPORTED, self.span(), format!("{what} not supported"))
    }
}

/// The words of the language, with blanks between them: they cannot be names.
pub const KEYWORDS: &str = "\
    chan clock bool int commit const urgent broadcast init process state guard sync assign \
    system trans deadlock and or not imply xor true false for forall exists while do if else \
    return typedef struct meta scalar void select sum branchpoint probability";

fn is_reserved(word: &str) -> bool {
    KEYWORDS.split(' ').any(|reserved| reserved == word)
}
