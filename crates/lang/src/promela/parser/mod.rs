//! The parser: tokens to [`ast`](super::ast), by recursive descent.
//!
//! Inlines are expanded here, as Spin does: the tokens of the body take the place of the call. Variables are bound to
//! their declarations on the way, so that a block may declare a name anew.

mod decls;
mod exprs;
mod ltl;
mod stmts;

use std::collections::{BTreeMap, BTreeSet};

use burnside_model::Span;

use super::ast::{Program, VarDecl};
use super::lexer::{Kind, Token};
use crate::diag::{Code, Diagnostic, codes};

pub(super) type Parsed<T> = Result<T, Box<Diagnostic>>;

/// The deepest nesting of statements and expressions.
const DEEPEST: u32 = 200;

/// The most inline calls that are expanded.
const MOST_INLINES: usize = 20_000;

/// An `inline`.
#[derive(Clone)]
struct Inline {
    params: Vec<String>,
    body: Vec<Token>,
}

pub(super) struct Parser {
    tokens: Vec<Token>,
    at: usize,
    depth: u32,
    expanded: usize,
    inlines: BTreeMap<String, Inline>,
    /// The names of all proctypes, wherever they stand.
    processes: BTreeSet<String>,
    /// In a proctype: the blocks that are open, from the outside in, with the names and unique names they declare.
    scopes: Vec<Vec<(String, String)>>,
    /// The variables of the proctype so far.
    locals: Vec<VarDecl>,
    /// Labels and numbers that `for` loops made.
    made: usize,
    pub program: Program,
}

impl Parser {
    pub fn new(tokens: Vec<Token>) -> Self {
        let follows = |pair: &[Token]| match (&pair[0].kind, &pair[1].kind) {
            (Kind::Name(word), Kind::Name(name)) if word == "proctype" || word == "D_proctype" => {
                Some(name.clone())
            }
            _ => None,
        };
        let mut processes: BTreeSet<String> = tokens.windows(2).filter_map(follows).collect();
        processes.insert("init".to_owned());
        Parser {
            tokens,
            at: 0,
            depth: 0,
            expanded: 0,
            inlines: BTreeMap::new(),
            processes,
            scopes: Vec::new(),
            locals: Vec::new(),
            made: 0,
            program: Program::default(),
        }
    }

    fn token(&self) -> &Token {
        self.peek(0)
    }

    fn peek(&self, ahead: usize) -> &Token {
        &self.tokens[(self.at + ahead).min(self.tokens.len() - 1)]
    }

    fn span(&self) -> Span {
        self.token().span
    }

    /// The span of the token before.
    fn before(&self) -> Span {
        self.tokens[self.at.saturating_sub(1)].span
    }

    fn is(&self, sign: &str) -> bool {
        self.token().is(sign)
    }

    fn is_word(&self, word: &str) -> bool {
        self.token().is_name(word)
    }

    fn eat(&mut self, sign: &str) -> bool {
        let eaten = self.is(sign);
        self.at += usize::from(eaten);
        eaten
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let eaten = self.is_word(word);
        self.at += usize::from(eaten);
        eaten
    }

    fn expect(&mut self, sign: &str) -> Parsed<()> {
        if self.eat(sign) {
            return Ok(());
        }
        let message = format!("`{sign}` is expected here, not `{}`", self.token().shown());
        self.error(codes::UNEXPECTED_TOKEN, self.span(), message)
    }

    fn name(&mut self, what: &str) -> Parsed<String> {
        if let Kind::Name(name) = &self.token().kind {
            let name = name.clone();
            self.at += 1;
            return Ok(name);
        }
        let message = format!("{what} is expected here, not `{}`", self.token().shown());
        self.error(codes::UNEXPECTED_TOKEN, self.span(), message)
    }

    fn error<T>(&self, code: Code, span: Span, message: impl Into<String>) -> Parsed<T> {
        Err(Box::new(Diagnostic::error(code, span, message)))
    }

    fn unsupported<T>(&self, span: Span, what: &str) -> Parsed<T> {
        self.error(codes::NOT_SUPPORTED, span, format!("{what} is not supported"))
    }

    /// Goes one level deeper, if there is room.
    fn deeper<T>(&mut self, parse: impl FnOnce(&mut Self) -> Parsed<T>) -> Parsed<T> {
        if self.depth >= DEEPEST {
            return self.error(codes::NESTED_TOO_DEEPLY, self.span(), "this is nested too deeply");
        }
        self.depth += 1;
        let parsed = parse(self);
        self.depth -= 1;
        parsed
    }

    /// The unique name of a local variable, if the name is one.
    fn local(&self, name: &str) -> Option<String> {
        let mut declared = self.scopes.iter().rev().flat_map(|scope| scope.iter().rev());
        declared.find(|(mine, _)| mine == name).map(|(_, unique)| unique.clone())
    }

    /// The tokens up to the bracket that closes the one here, which is left out like itself.
    fn bracketed(&mut self, open: &str, close: &str) -> Parsed<Vec<Token>> {
        let from = self.span();
        self.expect(open)?;
        let (start, mut depth) = (self.at, 1);
        loop {
            let token = self.token();
            if token.kind == Kind::End {
                return self.error(codes::MISSING_END, from, format!("this `{open}` has no `{close}`"));
            }
            depth += i32::from(token.is(open)) - i32::from(token.is(close));
            self.at += 1;
            if depth == 0 {
                return Ok(self.tokens[start..self.at - 1].to_vec());
            }
        }
    }

    /// Puts the body of an inline in place of its call, which begins before the `(` here.
    fn expand(&mut self, name: &str, span: Span) -> Parsed<()> {
        let Some(inline) = self.inlines.get(name).cloned() else { return Ok(()) };
        let args = self.bracketed("(", ")")?;
        let mut lists: Vec<Vec<Token>> = vec![Vec::new()];
        let mut depth = 0;
        for token in args {
            depth += i32::from(token.is("(") || token.is("[")) - i32::from(token.is(")") || token.is("]"));
            match depth == 0 && token.is(",") {
                true => lists.push(Vec::new()),
                false => lists.last_mut().into_iter().for_each(|list| list.push(token.clone())),
            }
        }
        if inline.params.is_empty() && lists.len() == 1 && lists[0].is_empty() {
            lists.clear();
        }
        if lists.len() != inline.params.len() {
            let message = format!("`{name}` has {} parameters, not {}", inline.params.len(), lists.len());
            return self.error(codes::ARGUMENT_COUNT, span, message);
        }
        self.expanded += 1;
        let mut body = Vec::new();
        for token in &inline.body {
            match inline.params.iter().position(|param| token.is_name(param)) {
                Some(param) => body.extend(lists[param].iter().cloned()),
                None => body.push(token.clone()),
            }
        }
        if self.expanded > MOST_INLINES || self.tokens.len() + body.len() > 4_000_000 {
            return self.error(codes::NESTED_TOO_DEEPLY, span, format!("`{name}` is expanded too often"));
        }
        let brace = |sign| Token { kind: Kind::Sign(sign), span, spaced: true };
        let mut all = vec![brace("{")];
        all.extend(body);
        all.push(brace("}"));
        // What was read is not needed any more.
        self.tokens.splice(..self.at, all);
        self.at = 0;
        Ok(())
    }
}
