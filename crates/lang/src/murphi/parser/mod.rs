//! Tokens to syntax tree: a recursive descent that never fails.
//!
//! Every function that can meet a mistake reports it and returns [`Skip`]; whoever parses a list (of
//! statements, declarations, rules, fields) catches it, skips to a place where the next element may begin,
//! and goes on, so that one run reports several independent mistakes. Two rules keep consequences of one
//! mistake from being reported as others: nothing is said twice about the same token, nor about a token the
//! lexer has complained of; and skipping knows which blocks are open, so it does not take the `end` of a
//! quantifier for the end of the rule (see the module `blocks`).
//!
//! Where the intention is plain (`=` for `:=`, a missing `then`, `do` or semicolon) the parser reports it and
//! reads on as if it had been written right.

mod blocks;
mod decls;
mod exprs;
mod rules;
mod stmts;
mod temporal;
mod types;

use super::ast::{Expr, ExprKind, Ident, Item, MAX_HEIGHT, MAX_NESTING, Model, Text};
use super::lexer::{lex, number_value, string_value};
use super::token::{Tok, Token};
use crate::diag::{Code, Diagnostic, codes};
use crate::source::Source;
use blocks::{Habits, Open};
use burnside_model::Span;
use burnside_model::system::Logic;
pub(super) use temporal::is_ctl_word;

/// After so many errors parsing stops: the rest would hardly be read.
pub const MAX_ERRORS: usize = 20;

/// Reads a model. If any diagnostic is an error, parts of the tree are missing or made up: it must not be
/// checked any further. Diagnostics are in the order of the text.
pub fn parse(source: &Source) -> (Model, Vec<Diagnostic>) {
    let (tokens, diags) = lex(source);
    let mut parser = Parser {
        source,
        tokens,
        pos: 0,
        diags,
        complaint: None,
        nesting: 0,
        open: Vec::new(),
        habits: Habits::default(),
        temporal: None,
    };
    let model = parser.model();
    let mut diags = parser.diags;
    diags.sort_by_key(|d| d.primary.0);
    let mut errors = 0;
    diags.retain(|d| {
        errors += usize::from(d.is_error());
        errors <= MAX_ERRORS
    });
    (model, diags)
}

/// A mistake was reported; skip to a place from where parsing can go on.
struct Skip;

type Parsed<T> = Result<T, Skip>;

struct Parser<'a> {
    source: &'a Source,
    /// Ends with [`Tok::Eof`].
    tokens: Vec<Token>,
    /// Index of the next token; always valid.
    pos: usize,
    diags: Vec<Diagnostic>,
    /// Index of the token last complained about.
    complaint: Option<usize>,
    /// How deep the current recursion is, at most [`MAX_NESTING`].
    nesting: u32,
    /// The blocks that wait for their `end`, innermost last.
    open: Vec<Open>,
    /// What may explain a missing `end`.
    habits: Habits,
    /// Inside a formula: its logic.
    temporal: Option<Logic>,
}

impl Parser<'_> {
    // Tokens.

    fn token(&self) -> Token {
        self.tokens[self.pos]
    }

    fn kind(&self) -> Tok {
        self.token().kind
    }

    /// The span of the next token.
    fn here(&self) -> Span {
        self.token().span
    }

    /// The kind of the token `n` places further on.
    fn ahead(&self, n: usize) -> Tok {
        self.tokens.get(self.pos + n).map_or(Tok::Eof, |t| t.kind)
    }

    /// The span of the last token taken.
    fn last(&self) -> Span {
        self.pos.checked_sub(1).map_or(Span::default(), |at| self.tokens[at].span)
    }

    /// From the start of a construct to the last token taken.
    fn since(&self, start: Span) -> Span {
        Span { start: start.start, end: self.last().end.max(start.start) }
    }

    /// Takes the next token; the end of the file stays.
    fn bump(&mut self) -> Token {
        let token = self.token();
        if self.pos + 1 < self.tokens.len() {
            self.pos += 1;
        }
        token
    }

    fn eat(&mut self, kind: Tok) -> bool {
        let found = self.kind() == kind;
        if found {
            self.bump();
        }
        found
    }

    fn eat_semis(&mut self) {
        while self.eat(Tok::Semi) {}
    }

    /// Is the next token this word, in upper or lower case? For words that are not keywords.
    fn at_word(&self, word: &str) -> bool {
        self.kind() == Tok::Ident && self.source.slice(self.here()).eq_ignore_ascii_case(word)
    }

    // Errors.

    /// Reports a mistake at the next token, unless something was said about it already.
    fn report(&mut self, diagnostic: Diagnostic) -> Skip {
        let bad = |at: usize| self.tokens[at].kind == Tok::Bad;
        let known = self.complaint == Some(self.pos) || bad(self.pos) || (self.pos > 0 && bad(self.pos - 1));
        if !known {
            self.diags.push(diagnostic);
            self.complaint = Some(self.pos);
            if self.diags.iter().filter(|d| d.is_error()).count() > MAX_ERRORS {
                self.stop();
            }
        }
        Skip
    }

    fn report_here(&mut self, code: Code, message: impl Into<String>, help: &str) -> Skip {
        self.report(Diagnostic::error(code, self.here(), message).help(help))
    }

    /// Reports that something else was expected.
    fn unexpected(&mut self, expected: &str) -> Skip {
        let message = format!("expected {expected}, found {}", self.found());
        let mut error = Diagnostic::error(codes::UNEXPECTED_TOKEN, self.here(), message);
        if let Some(help) = self.foreign_word() {
            error = error.help(help);
        }
        self.report(error.label(format!("expected {expected}")))
    }

    /// The next token in the words of a message.
    fn found(&self) -> String {
        let token = self.token();
        match token.kind {
            Tok::Ident | Tok::Number => {
                let text = self.source.slice(token.span);
                format!("`{}`", &text[..text.floor_char_boundary(40)])
            }
            kind => kind.shown().to_string(),
        }
    }

    /// What a word or sign of another language is called here.
    fn foreign_word(&self) -> Option<&'static str> {
        const WORDS: &[(&str, &str)] = &[
            ("and", "write `&` for “and”"),
            ("or", "write `|` for “or”"),
            ("not", "write `!` for “not”"),
            ("mod", "write `%` for the remainder"),
            ("div", "write `/` for integer division"),
            ("elseif", "write `elsif`"),
            ("elif", "write `elsif`"),
            ("in", "write `:` before the type a name ranges over"),
        ];
        match self.kind() {
            _ if self.after_temporal_word() => {
                Some("temporal operators such as `AG` stand only in `ctl` and `ltl` properties")
            }
            Tok::Ident => WORDS.iter().find(|(word, _)| self.at_word(word)).map(|(_, help)| *help),
            Tok::Gt if self.last_kind() == Tok::Lt => Some("write `!=` for “not equal”"),
            Tok::Gt if matches!(self.last_kind(), Tok::Eq) => {
                Some("write `>=` to compare, `->` for “implies”, `==>` after the condition of a rule")
            }
            Tok::Lt if self.last_kind() == Tok::Eq => Some("write `<=` for “less or equal”"),
            Tok::LBrace | Tok::RBrace => Some("blocks are closed by `end`, not enclosed in braces"),
            _ => None,
        }
    }

    fn last_kind(&self) -> Tok {
        self.pos.checked_sub(1).map_or(Tok::Eof, |at| self.tokens[at].kind)
    }

    fn expect(&mut self, kind: Tok) -> Parsed<()> {
        match self.eat(kind) {
            true => Ok(()),
            false => Err(self.unexpected(kind.shown())),
        }
    }

    /// Goes to the end of the file, so that everything under way comes to its end.
    fn stop(&mut self) {
        self.pos = self.tokens.len() - 1;
        self.complaint = Some(self.pos);
    }

    /// Runs a parser one level deeper, unless that is too deep.
    fn nested<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.nesting + 1 >= MAX_NESTING {
            let message = format!("nested too deeply: at most {MAX_NESTING} levels are read");
            let skip =
                self.report_here(codes::NESTED_TOO_DEEPLY, message, "name parts of it, or use functions");
            self.stop();
            return Err(skip);
        }
        self.nesting += 1;
        let result = parse(self);
        self.nesting -= 1;
        result
    }

    /// An expression from `start` to here, unless it is too high a tree.
    fn make(&mut self, kind: ExprKind, start: Span) -> Parsed<Expr> {
        let expr = Expr::new(kind, self.since(start));
        if expr.height() <= MAX_HEIGHT {
            return Ok(expr);
        }
        let message =
            format!("this expression is too long: at most {MAX_HEIGHT} operators in a row are read");
        let help = "group the parts with parentheses, or use `forall` or `exists`";
        let error = Diagnostic::error(codes::NESTED_TOO_DEEPLY, self.here(), message).help(help);
        let skip = self.report(error);
        self.stop();
        Err(skip)
    }

    // Leaves.

    fn ident(&mut self) -> Parsed<Ident> {
        let token = self.token();
        if token.kind == Tok::Ident {
            self.bump();
            return Ok(Ident { name: self.source.slice(token.span).to_string(), span: token.span });
        }
        if token.kind.is_keyword() {
            let word = token.kind.shown();
            let message = format!("{word} is a word of the language and cannot be a name");
            return Err(self.report_here(codes::KEYWORD_AS_NAME, message, "choose another name"));
        }
        Err(self.unexpected("a name"))
    }

    fn text(&mut self) -> Option<Text> {
        let token = self.token();
        self.eat(Tok::Str)
            .then(|| Text { value: string_value(self.source.slice(token.span)), span: token.span })
    }

    /// The value of the number token at this place; zero if the lexer has complained of it.
    fn number(&self, span: Span) -> i128 {
        number_value(self.source.slice(span)).unwrap_or(0)
    }

    /// `a, b, c`, perhaps with a comma at the end; perhaps nothing, if `:` follows.
    fn names(&mut self) -> Parsed<Vec<Ident>> {
        let mut names = Vec::new();
        while self.kind() != Tok::Colon {
            names.push(self.ident()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        Ok(names)
    }

    /// The top level.
    fn model(&mut self) -> Model {
        let mut items = Vec::new();
        loop {
            self.eat_semis();
            match self.kind() {
                Tok::Eof => break,
                kind if kind.starts_decls() => items.extend(self.decls().into_iter().map(Item::Decl)),
                Tok::Function | Tok::Procedure => items.extend(self.routine().map(Item::Routine)),
                _ if self.at_symmetry() => items.extend(self.symmetry().map(Item::Symmetry)),
                _ if self.at_generator() => items.extend(self.generator().map(Item::Generator)),
                _ if self.at_hint() => items.extend(self.hint()),
                _ if self.at_process_fairness() => items.extend(self.process_fairness()),
                _ if self.at_rule() => items.extend(self.rule().map(Item::Rule)),
                kind if kind.is_end() => {
                    let help = "remove it, or look for an `end` too many before it";
                    self.report_here(codes::STRAY_END, "this `end` closes nothing", help);
                    self.bump();
                }
                _ if self.unsupported_section() => {}
                _ => {
                    self.unexpected("a declaration, a function or a rule");
                    self.skip_to_unit();
                }
            }
        }
        Model { items, span: Span::new(0, self.source.text().len()) }
    }
}
