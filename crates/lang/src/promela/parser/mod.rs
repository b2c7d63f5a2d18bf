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
use crate::diag::codes;
use crate::tokens::{Cursor, Read, Tok, Token, reads_as_its_cursor};

/// The most inline calls that are expanded.
const MOST_INLINES: usize = 20_000;

/// An `inline`.
#[derive(Clone)]
struct Inline {
    params: Vec<String>,
    body: Vec<Token>,
}

pub(super) struct Parser {
    cursor: Cursor,
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

reads_as_its_cursor!(Parser);

impl Parser {
    pub fn new(tokens: Vec<Token>) -> Self {
        let follows = |pair: &[Token]| match (&pair[0].kind, &pair[1].kind) {
            (Tok::Word(word), Tok::Word(name)) if word == "proctype" || word == "D_proctype" => {
                Some(name.clone())
            }
            _ => None,
        };
        let mut processes: BTreeSet<String> = tokens.windows(2).filter_map(follows).collect();
        processes.insert("init".to_owned());
        Parser {
            cursor: Cursor::new(tokens),
            expanded: 0,
            inlines: BTreeMap::new(),
            processes,
            scopes: Vec::new(),
            locals: Vec::new(),
            made: 0,
            program: Program::default(),
        }
    }

    fn name(&mut self, what: &str) -> Read<String> {
        Ok(self.any_word(what)?.0)
    }

    fn unsupported<T>(&self, span: Span, what: &str) -> Read<T> {
        self.fail(codes::NOT_SUPPORTED, span, format!("{what} is not supported"))
    }

    /// The unique name of a local variable, if the name is one.
    fn local(&self, name: &str) -> Option<String> {
        let mut declared = self.scopes.iter().rev().flat_map(|scope| scope.iter().rev());
        declared.find(|(mine, _)| mine == name).map(|(_, unique)| unique.clone())
    }

    /// The tokens up to the bracket that closes the one here, which is left out like itself.
    fn bracketed(&mut self, open: &str, close: &str) -> Read<Vec<Token>> {
        let from = self.span();
        self.expect(open)?;
        let (start, mut depth) = (self.at, 1);
        loop {
            let token = self.next().kind;
            if token == Tok::End {
                return self.fail(codes::MISSING_END, from, format!("this `{open}` has no `{close}`"));
            }
            depth += i32::from(token.is(open)) - i32::from(token.is(close));
            if depth == 0 {
                return Ok(self.tokens[start..self.at - 1].to_vec());
            }
        }
    }

    /// Puts the body of an inline in place of its call, which begins before the `(` here.
    fn expand(&mut self, name: &str, span: Span) -> Read<()> {
        let Some(inline) = self.inlines.get(name).cloned() else { return Ok(()) };
        let args = self.bracketed("(", ")")?;
        let mut lists: Vec<Vec<Token>> = vec![Vec::new()];
        let mut depth = 0;
        for token in args {
            depth += i32::from(token.kind.is("(") || token.kind.is("["))
                - i32::from(token.kind.is(")") || token.kind.is("]"));
            match depth == 0 && token.kind.is(",") {
                true => lists.push(Vec::new()),
                false => lists.last_mut().into_iter().for_each(|list| list.push(token.clone())),
            }
        }
        if inline.params.is_empty() && lists.len() == 1 && lists[0].is_empty() {
            lists.clear();
        }
        if lists.len() != inline.params.len() {
            let message = format!("`{name}` has {} parameters, not {}", inline.params.len(), lists.len());
            return self.fail(codes::ARGUMENT_COUNT, span, message);
        }
        self.expanded += 1;
        let mut body = Vec::new();
        for token in &inline.body {
            match inline.params.iter().position(|param| token.kind.is_word(param)) {
                Some(param) => body.extend(lists[param].iter().cloned()),
                None => body.push(token.clone()),
            }
        }
        if self.expanded > MOST_INLINES || self.tokens.len() + body.len() > 4_000_000 {
            return self.fail(codes::NESTED_TOO_DEEPLY, span, format!("`{name}` is expanded too often"));
        }
        let brace = |sign| Token::new(Tok::Sign(sign), span);
        let mut all = vec![brace("{")];
        all.extend(body);
        all.push(brace("}"));
        // What was read is not needed any more.
        let read = self.at;
        self.tokens.splice(..read, all);
        self.at = 0;
        Ok(())
    }
}
