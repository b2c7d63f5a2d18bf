//! The part of the C preprocessor that Promela models use: `#define` with and without parameters, `#undef`, `#include`,
//! `#if`, `#ifdef`, `#ifndef`, `#elif`, `#else`, `#endif`, `#error`; `#line`, `#pragma` and `#ident` are passed over.
//!
//! It works on tokens, so that a name inside another is never replaced. The text of a macro takes the place of its use,
//! and mistakes in it are shown there. A constant of the command line (`-D N=4`) wins over the model's own `#define`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use burnside_model::Span;

use super::lexer;
use crate::diag::{Diagnostic, codes};
use crate::tokens::{Tok, Token};

/// The most tokens after expansion: a macro may double itself.
const MOST_TOKENS: usize = 2_000_000;

/// The most files inside each other.
const MOST_INCLUDES: usize = 32;

#[derive(Clone)]
struct Macro {
    params: Option<Vec<String>>,
    body: Vec<Token>,
}

struct Preprocessor<'p> {
    macros: BTreeMap<String, Macro>,
    /// Those of the command line.
    fixed: BTreeSet<String>,
    used: BTreeSet<String>,
    folder: &'p Path,
    out: Vec<Token>,
    depth: usize,
}

type Done<T> = Result<T, Box<Diagnostic>>;

fn error<T>(span: Span, message: impl Into<String>) -> Done<T> {
    Err(Box::new(Diagnostic::error(codes::UNKNOWN_DIRECTIVE, span, message)))
}

/// The tokens of a model with all directives executed; `name` is the model's file, beside which others are looked for.
pub(super) fn preprocess(name: &str, text: &str, constants: &[(String, String)]) -> Done<Vec<Token>> {
    let folder = Path::new(name).parent().unwrap_or(Path::new("."));
    let mut fixed = BTreeMap::new();
    for (name, value) in constants {
        let mut body = lexer::tokens(value)?;
        body.retain(|token| !matches!(token.kind, Tok::Line | Tok::End));
        fixed.insert(name.clone(), Macro { params: None, body });
    }
    let names = fixed.keys().cloned().collect();
    let used = BTreeSet::new();
    let mut preprocessor =
        Preprocessor { macros: fixed, fixed: names, used, folder, out: Vec::new(), depth: 0 };
    preprocessor.file(&lexer::tokens(text)?, None)?;
    if let Some(unknown) = preprocessor.fixed.iter().find(|name| !preprocessor.used.contains(*name)) {
        let message = format!("the model does not use a constant `{unknown}`");
        return Err(Box::new(Diagnostic::error(codes::UNKNOWN_CONSTANT, Span::default(), message)));
    }
    let end = Span::new(text.len(), text.len());
    preprocessor.out.push(Token { kind: Tok::End, span: end, spaced: true });
    Ok(preprocessor.out)
}

impl Preprocessor<'_> {
    /// Executes the lines of a file; `span` is where it is included, if it is.
    fn file(&mut self, tokens: &[Token], span: Option<Span>) -> Done<()> {
        // Per open `#if`: whether its lines count, and whether some branch of it has counted.
        let mut open: Vec<(bool, bool, Span)> = Vec::new();
        let mut at = 0;
        while at < tokens.len() {
            let length = tokens[at..].iter().position(|t| t.kind == Tok::Line).unwrap_or(tokens.len() - at);
            let line = &tokens[at..at + length];
            let live = open.iter().all(|(live, ..)| *live);
            if line.first().is_some_and(|token| token.kind.is("#")) {
                self.directive(&line[1..], line[0].span, live, &mut open, span)?;
                at += length + 1;
                continue;
            }
            if !live {
                at += length + 1;
                continue;
            }
            // A use of a macro may go over several lines: everything up to the next directive is expanded together.
            let mut end = at + length;
            while end + 1 < tokens.len() && !tokens[end + 1].kind.is("#") {
                end += 1 + tokens[end + 1..]
                    .iter()
                    .position(|t| t.kind == Tok::Line)
                    .unwrap_or(tokens.len() - end - 1);
            }
            let mut text: Vec<Token> = tokens[at..end.min(tokens.len())].to_vec();
            text.retain(|token| !matches!(token.kind, Tok::Line | Tok::End));
            if let Some(span) = span {
                text.iter_mut().for_each(|token| token.span = span);
            }
            let expanded = self.expand(&text, &mut Vec::new())?;
            self.out.extend(expanded);
            at = end + 1;
        }
        match open.last() {
            Some((.., span)) => error(*span, "this `#if` has no `#endif`"),
            None => Ok(()),
        }
    }

    fn directive(
        &mut self,
        line: &[Token],
        hash: Span,
        live: bool,
        open: &mut Vec<(bool, bool, Span)>,
        included: Option<Span>,
    ) -> Done<()> {
        let (word, rest) = match line.split_first() {
            None => return Ok(()),
            Some((Token { kind: Tok::Word(word), .. }, rest)) => (word.as_str(), rest),
            // `# 12 "file"`, as a preprocessor leaves behind.
            Some((Token { kind: Tok::Int(_), .. }, _)) => return Ok(()),
            Some((other, _)) => return error(other.span, "this is not a directive"),
        };
        let span = line.last().map_or(hash, |last| hash.to(last.span));
        match word {
            "if" | "ifdef" | "ifndef" => {
                let holds = live && self.holds(word, rest, span)?;
                open.push((holds, holds, span));
            }
            "elif" | "else" => {
                let Some((_, taken, _)) = open.pop() else { return error(span, "no `#if` is open here") };
                let around = open.iter().all(|(live, ..)| *live);
                let holds = around && !taken && (word == "else" || self.holds("if", rest, span)?);
                open.push((holds, taken || holds, span));
            }
            "endif" => {
                if open.pop().is_none() {
                    return error(span, "no `#if` is open here");
                }
            }
            _ if !live => {}
            "define" => self.define(rest, span)?,
            "undef" => {
                if let Some(Tok::Word(name)) = rest.first().map(|token| &token.kind)
                    && !self.fixed.contains(name)
                {
                    self.macros.remove(name);
                }
            }
            "include" => self.include(rest, included.unwrap_or(span))?,
            "error" => return error(span, "the model stops here with `#error`"),
            "line" | "pragma" | "ident" => {}
            _ => return error(span, format!("`#{word}` is not a directive")),
        }
        Ok(())
    }

    fn define(&mut self, rest: &[Token], span: Span) -> Done<()> {
        let Some((Token { kind: Tok::Word(name), .. }, rest)) = rest.split_first() else {
            return error(span, "a name is expected after `#define`");
        };
        let (mut params, mut body) = (None, rest);
        if let Some(first) = rest.first()
            && first.kind.is("(")
            && !first.spaced
        {
            let Some(close) = rest.iter().position(|token| token.kind.is(")")) else {
                return error(span, "the parameters of this macro have no `)`");
            };
            let names = rest[1..close].iter().filter_map(|token| match &token.kind {
                Tok::Word(name) => Some(name.clone()),
                _ => None,
            });
            (params, body) = (Some(names.collect()), &rest[close + 1..]);
        }
        if self.fixed.contains(name) {
            self.used.insert(name.clone());
            return Ok(());
        }
        self.macros.insert(name.clone(), Macro { params, body: body.to_vec() });
        Ok(())
    }

    fn include(&mut self, rest: &[Token], span: Span) -> Done<()> {
        let name = match rest.first().map(|token| &token.kind) {
            Some(Tok::Text(name)) => name.clone(),
            Some(Tok::Sign("<")) => {
                rest[1..].iter().take_while(|token| !token.kind.is(">")).map(Token::written).collect()
            }
            _ => return error(span, "a file name is expected after `#include`"),
        };
        self.depth += 1;
        if self.depth > MOST_INCLUDES {
            return error(span, "files include each other more than 32 deep");
        }
        let path = self.folder.join(&name);
        let text = std::fs::read_to_string(&path).map_err(|why| {
            Diagnostic::error(codes::UNKNOWN_DIRECTIVE, span, format!("cannot read `{name}`: {why}"))
        })?;
        let tokens = lexer::tokens(&text).map_err(|mistake| {
            let message = format!("in `{name}`: {}", mistake.message);
            Diagnostic::error(mistake.code, span, message)
        })?;
        self.file(&tokens, Some(span))?;
        self.depth -= 1;
        Ok(())
    }

    /// Whether the lines behind an `#if` count.
    fn holds(&mut self, word: &str, rest: &[Token], span: Span) -> Done<bool> {
        let name = |token: Option<&Token>| match token.map(|token| &token.kind) {
            Some(Tok::Word(name)) => Some(name.clone()),
            _ => None,
        };
        if word != "if" {
            let Some(name) = name(rest.first()) else {
                return error(span, format!("`#{word}` needs a name"));
            };
            self.used.insert(name.clone());
            return Ok(self.macros.contains_key(&name) == (word == "ifdef"));
        }
        // `defined(X)` and `defined X` before anything is replaced.
        let (mut resolved, mut at) = (Vec::new(), 0);
        while let Some(token) = rest.get(at) {
            if !token.kind.is_word("defined") {
                resolved.push(token.clone());
                at += 1;
                continue;
            }
            let bracket = rest.get(at + 1).is_some_and(|token| token.kind.is("("));
            let Some(name) = name(rest.get(at + 1 + usize::from(bracket))) else {
                return error(token.span, "`defined` needs a name");
            };
            self.used.insert(name.clone());
            let kind = Tok::Int(i64::from(self.macros.contains_key(&name)));
            resolved.push(Token { kind, ..token.clone() });
            at += if bracket { 4 } else { 2 };
        }
        let tokens = self.expand(&resolved, &mut Vec::new())?;
        let mut condition = Condition { tokens: &tokens, at: 0, span, depth: 0 };
        let value = condition.binary(0)?;
        match condition.tokens.get(condition.at) {
            Some(extra) => error(extra.span, "this does not belong to the condition"),
            None => Ok(value != 0),
        }
    }

    /// Replaces macros, except those that are being replaced.
    fn expand(&mut self, tokens: &[Token], active: &mut Vec<String>) -> Done<Vec<Token>> {
        let (mut out, mut at): (Vec<Token>, usize) = (Vec::new(), 0);
        while let Some(token) = tokens.get(at) {
            at += 1;
            let found = match &token.kind {
                Tok::Word(name) if !active.contains(name) => {
                    self.used.insert(name.clone());
                    self.macros.get(name).map(|found| (name.clone(), found.clone()))
                }
                _ => None,
            };
            let Some((name, Macro { params, body })) = found else {
                out.push(token.clone());
                continue;
            };
            let mut body = body;
            if let Some(params) = params {
                if !tokens.get(at).is_some_and(|next| next.kind.is("(")) {
                    out.push(token.clone());
                    continue;
                }
                let Some((args, next)) = arguments(tokens, at) else {
                    return error(token.span, format!("the arguments of `{name}` have no `)`"));
                };
                at = next;
                let nothing = params.is_empty() && args.len() == 1 && args[0].is_empty();
                if args.len() != params.len() && !nothing {
                    let message = format!("`{name}` has {} parameters, not {}", params.len(), args.len());
                    return error(token.span, message);
                }
                let mut expanded = Vec::new();
                for arg in &args {
                    expanded.push(self.expand(arg, active)?);
                }
                let substituted = body.iter().flat_map(|part| {
                    let param = params.iter().position(|param| part.kind.is_word(param));
                    param.map_or_else(|| vec![part.clone()], |param| expanded[param].clone())
                });
                body = substituted.collect();
            }
            body = joined(body);
            body.iter_mut().for_each(|part| part.span = token.span);
            if active.len() > 64 || out.len() + body.len() > MOST_TOKENS {
                return error(token.span, format!("`{name}` becomes too large"));
            }
            active.push(name);
            let expanded = self.expand(&body, active)?;
            active.pop();
            out.extend(expanded);
            if out.len() > MOST_TOKENS {
                return error(token.span, "the model becomes too large here");
            }
        }
        Ok(out)
    }
}

/// The arguments of a macro from its `(` on, and what comes behind them.
fn arguments(tokens: &[Token], open: usize) -> Option<(Vec<Vec<Token>>, usize)> {
    let (mut args, mut depth) = (vec![Vec::new()], 0usize);
    for (at, token) in tokens.iter().enumerate().skip(open) {
        match &token.kind {
            Tok::Sign("(") => depth += 1,
            Tok::Sign(")") if depth == 1 => return Some((args, at + 1)),
            Tok::Sign(")") => depth -= 1,
            Tok::Sign(",") if depth == 1 => {
                args.push(Vec::new());
                continue;
            }
            _ => {}
        }
        if at > open {
            args.last_mut()?.push(token.clone());
        }
    }
    None
}

/// Joins the tokens around `##`.
fn joined(body: Vec<Token>) -> Vec<Token> {
    let mut out: Vec<Token> = Vec::new();
    let mut parts = body.into_iter();
    while let Some(token) = parts.next() {
        if !token.kind.is("##") {
            out.push(token);
            continue;
        }
        if let (Some(left), Some(right)) = (out.pop(), parts.next()) {
            let kind = Tok::Word(format!("{}{}", left.written(), right.written()));
            out.push(Token { kind, ..left });
        }
    }
    out
}

/// A condition of `#if`.
struct Condition<'t> {
    tokens: &'t [Token],
    at: usize,
    span: Span,
    depth: u32,
}

/// Operators by increasing strength.
const LEVELS: &[&[&str]] = &[
    &["||"],
    &["&&"],
    &["|"],
    &["^"],
    &["&"],
    &["==", "!="],
    &["<", "<=", ">", ">="],
    &["<<", ">>"],
    &["+", "-"],
    &["*", "/", "%"],
];

impl Condition<'_> {
    fn sign(&mut self, signs: &[&'static str]) -> Option<&'static str> {
        let sign =
            *signs.iter().find(|sign| self.tokens.get(self.at).is_some_and(|token| token.kind.is(sign)))?;
        self.at += 1;
        Some(sign)
    }

    fn binary(&mut self, level: usize) -> Done<i64> {
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(sign) = self.sign(signs) {
            let right = self.binary(level + 1)?;
            left = match sign {
                "||" => i64::from(left != 0 || right != 0),
                "&&" => i64::from(left != 0 && right != 0),
                "|" => left | right,
                "^" => left ^ right,
                "&" => left & right,
                "==" => i64::from(left == right),
                "!=" => i64::from(left != right),
                "<" => i64::from(left < right),
                "<=" => i64::from(left <= right),
                ">" => i64::from(left > right),
                ">=" => i64::from(left >= right),
                "<<" => left.checked_shl(right as u32).unwrap_or(0),
                ">>" => left.checked_shr(right as u32).unwrap_or(0),
                "+" => left.wrapping_add(right),
                "-" => left.wrapping_sub(right),
                "*" => left.wrapping_mul(right),
                _ if right == 0 => return error(self.span, "division by zero in this condition"),
                "/" => left.wrapping_div(right),
                _ => left.wrapping_rem(right),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Done<i64> {
        self.depth += 1;
        if self.depth > 200 {
            return error(self.span, "this condition is nested too deeply");
        }
        let value = match self.sign(&["!", "-", "+", "~", "("]) {
            Some("!") => i64::from(self.unary()? == 0),
            Some("-") => self.unary()?.wrapping_neg(),
            Some("+") => self.unary()?,
            Some("~") => !self.unary()?,
            Some(_) => {
                let value = self.binary(0)?;
                if self.sign(&[")"]).is_none() {
                    return error(self.span, "a `)` is missing in this condition");
                }
                value
            }
            None => {
                let token = self.tokens.get(self.at);
                self.at += 1;
                match token.map(|token| &token.kind) {
                    Some(Tok::Int(number)) => *number,
                    // What is not defined is 0.
                    Some(Tok::Word(_)) => 0,
                    _ => return error(self.span, "this condition ends too early"),
                }
            }
        };
        self.depth -= 1;
        Ok(value)
    }
}
