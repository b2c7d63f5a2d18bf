//! Boolean programs as text: a lexer and a parser by recursive descent.
//!
//! The language is that of SATABS, BOPPO and BOOM: functions over Boolean variables with parallel assignment, `constrain`,
//! `assume`, `assert`, `goto` to several labels, `start_thread`, and atomic sections. A label that begins with `ASYNC_`
//! makes the call behind it a new thread.

use std::collections::HashMap;

use burnside_model::Span;

use crate::diag::{Diagnostic, codes};

pub(super) type Read<T> = Result<T, Box<Diagnostic>>;

#[derive(Clone, Debug)]
pub(super) enum Expr {
    Const(bool),
    /// `*`
    Any,
    /// A variable; primed, its next value.
    Var(String, bool, Span),
    Not(Box<Expr>),
    And(Box<Expr>, Box<Expr>),
    Or(Box<Expr>, Box<Expr>),
    Eq(Box<Expr>, Box<Expr>),
    Cond(Box<Expr>, Box<Expr>, Box<Expr>),
    /// `schoose[a, b]`: true if a holds, false if b does, otherwise either.
    Choose(Box<Expr>, Box<Expr>),
}

#[derive(Clone, Debug)]
pub(super) enum Code {
    Skip,
    Assign(Vec<String>, Vec<Expr>, Option<Expr>),
    Assume(Expr),
    Assert(Expr),
    /// One of these positions, after which condition holds.
    Jump(Vec<String>),
    /// Where to go if the condition does not hold.
    Branch(Expr, usize),
    Goto(usize),
    Return(Vec<Expr>),
    Call(String, Vec<Expr>, Vec<String>),
    Start(String, Vec<Expr>),
    StartAt(String),
    EndThread,
    AtomicBegin,
    AtomicEnd,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Function {
    pub name: String,
    pub params: Vec<String>,
    pub locals: Vec<String>,
    pub code: Vec<(Code, Span)>,
    pub labels: HashMap<String, usize>,
    pub enforce: Option<Expr>,
    pub results: usize,
}

#[derive(Clone, Debug, Default)]
pub(super) struct Program {
    pub globals: Vec<String>,
    /// First values, where they are declared.
    pub first: Vec<(String, Expr)>,
    pub functions: Vec<Function>,
}

struct Parser<'t> {
    text: &'t str,
    words: Vec<(&'t str, Span)>,
    at: usize,
    depth: u32,
}

const SIGNS: &[&str] = &[
    ":=", "==", "!=", "=>", "->", "&&", "||", "(", ")", "[", "]", "{", "}", "<", ">", ",", ";", ":", "=",
    "!", "~", "&", "|", "^", "*", "?", "'",
];

fn fail<T>(span: Span, message: impl Into<String>) -> Read<T> {
    Err(Box::new(Diagnostic::error(codes::UNEXPECTED_TOKEN, span, message)))
}

fn words(text: &str) -> Read<Vec<(&str, Span)>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while at < text.len() {
        let rest = &text[at..];
        let first = rest.chars().next().unwrap_or(' ');
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if rest.starts_with("//") || first == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            let Some(end) = rest.find("*/") else {
                return fail(Span::new(at, at + 2), "this comment has no end");
            };
            at += end + 2;
        } else {
            let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '$' || c == '.';
            let length = match rest.find(|c: char| !is_word(c)).unwrap_or(rest.len()) {
                0 => SIGNS.iter().find(|sign| rest.starts_with(**sign)).map_or(0, |sign| sign.len()),
                length => length,
            };
            if length == 0 {
                let end = at + first.len_utf8();
                return fail(Span::new(at, end), format!("`{first}` has no meaning in a Boolean program"));
            }
            found.push((&text[at..at + length], Span::new(at, at + length)));
            at += length;
        }
    }
    Ok(found)
}

pub(super) fn parse(text: &str) -> Read<Program> {
    let mut parser = Parser { text, words: words(text)?, at: 0, depth: 0 };
    let mut program = Program::default();
    while parser.at < parser.words.len() {
        if parser.eat("decl") {
            program.globals.extend(parser.declared(&mut program.first)?);
        } else {
            program.functions.push(parser.function()?);
        }
    }
    Ok(program)
}

impl<'t> Parser<'t> {
    fn peek(&self, ahead: usize) -> &'t str {
        self.words.get(self.at + ahead).map_or("", |(word, _)| word)
    }

    fn span(&self) -> Span {
        let end = Span::new(self.text.len(), self.text.len());
        self.words.get(self.at).map_or(end, |(_, span)| *span)
    }

    fn eat(&mut self, word: &str) -> bool {
        let eaten = self.peek(0) == word;
        self.at += usize::from(eaten);
        eaten
    }

    fn expect(&mut self, word: &str) -> Read<()> {
        if self.eat(word) {
            return Ok(());
        }
        fail(self.span(), format!("`{word}` is expected here, not `{}`", self.peek(0)))
    }

    fn name(&mut self) -> Read<String> {
        let word = self.peek(0);
        if !word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_') {
            return fail(self.span(), format!("a name is expected here, not `{word}`"));
        }
        self.at += 1;
        Ok(word.to_owned())
    }

    fn names(&mut self) -> Read<Vec<String>> {
        let mut names = vec![self.name()?];
        while self.eat(",") {
            names.push(self.name()?);
        }
        Ok(names)
    }

    /// `a, b := 1;`
    fn declared(&mut self, first: &mut Vec<(String, Expr)>) -> Read<Vec<String>> {
        let mut names = Vec::new();
        loop {
            let name = self.name()?;
            if self.eat(":=") {
                first.push((name.clone(), self.expr()?));
            }
            names.push(name);
            if !self.eat(",") {
                self.expect(";")?;
                return Ok(names);
            }
        }
    }

    /// A label is a name or a number.
    fn label(&mut self) -> Read<String> {
        let word = self.peek(0);
        if !word.starts_with(|c: char| c.is_ascii_alphanumeric() || c == '_') {
            return fail(self.span(), format!("a label is expected here, not `{word}`"));
        }
        self.at += 1;
        Ok(word.to_owned())
    }

    fn function(&mut self) -> Read<Function> {
        let mut function = Function::default();
        match self.peek(0) {
            "void" => self.at += 1,
            "bool" => {
                self.at += 1;
                function.results = 1;
                if self.eat("<") {
                    function.results = self.peek(0).parse().unwrap_or(1);
                    self.at += 1;
                    self.expect(">")?;
                }
            }
            _ => return fail(self.span(), "`decl` or a function is expected here"),
        }
        function.name = self.name()?;
        self.expect("(")?;
        if !self.eat(")") {
            function.params = self.names()?;
            self.expect(")")?;
        }
        self.expect("begin")?;
        let (mut first, span) = (Vec::new(), self.span());
        while self.eat("decl") {
            let declared = self.declared(&mut first)?;
            function.locals.extend(declared);
        }
        if !first.is_empty() {
            let (targets, values) = first.into_iter().unzip();
            function.code.push((Code::Assign(targets, values, None), span));
        }
        if self.eat("enforce") {
            function.enforce = Some(self.expr()?);
            self.expect(";")?;
        }
        self.block(&mut function, &["end"])?;
        self.expect("end")?;
        let end = self.words[self.at - 1].1;
        function.code.push((Code::Return(Vec::new()), end));
        Ok(function)
    }

    /// Statements up to one of these words.
    fn block(&mut self, function: &mut Function, ends: &[&str]) -> Read<()> {
        self.depth += 1;
        if self.depth > 100 {
            return fail(self.span(), "this is nested too deeply");
        }
        while !ends.contains(&self.peek(0)) {
            if self.at >= self.words.len() {
                return fail(self.span(), format!("`{}` is missing", ends[0]));
            }
            self.statement(function)?;
        }
        self.depth -= 1;
        Ok(())
    }

    fn statement(&mut self, function: &mut Function) -> Read<()> {
        let mut is_async = false;
        while self.peek(1) == ":" && self.peek(0) != "*" {
            let label = self.label()?;
            is_async |= label.starts_with("ASYNC_");
            function.labels.insert(label, function.code.len());
            self.at += 1;
        }
        let span = self.span();
        let put = |function: &mut Function, code| function.code.push((code, span));
        match self.peek(0) {
            "if" => {
                self.at += 1;
                let condition = self.expr()?;
                self.expect("then")?;
                return self.branch(function, condition, span);
            }
            "while" => {
                self.at += 1;
                let (condition, top) = (self.expr()?, function.code.len());
                self.expect("do")?;
                put(function, Code::Skip);
                self.block(function, &["od"])?;
                self.expect("od")?;
                put(function, Code::Goto(top));
                function.code[top].0 = Code::Branch(condition, function.code.len());
                self.eat(";");
                return Ok(());
            }
            ";" => {}
            "skip" => {
                self.at += 1;
                put(function, Code::Skip);
            }
            "goto" => {
                self.at += 1;
                let mut labels = vec![self.label()?];
                while self.eat(",") {
                    labels.push(self.label()?);
                }
                put(function, Code::Jump(labels));
            }
            "assert" | "assume" => {
                let is_assert = self.peek(0) == "assert";
                self.at += 1;
                let condition = self.expr()?;
                put(function, if is_assert { Code::Assert(condition) } else { Code::Assume(condition) });
            }
            "return" => {
                self.at += 1;
                let values = if self.peek(0) == ";" { Vec::new() } else { self.exprs()? };
                put(function, Code::Return(values));
            }
            "atomic_begin" => {
                self.at += 1;
                put(function, Code::AtomicBegin);
            }
            "atomic_end" => {
                self.at += 1;
                put(function, Code::AtomicEnd);
            }
            "end_thread" => {
                self.at += 1;
                put(function, Code::EndThread);
            }
            "start_thread" => {
                self.at += 1;
                if self.eat("goto") {
                    let label = self.label()?;
                    put(function, Code::StartAt(label));
                } else {
                    let (name, args) = self.call()?;
                    put(function, Code::Start(name, args));
                }
            }
            "dead" | "print" => {
                self.at += 1;
                self.exprs()?;
                put(function, Code::Skip);
            }
            "enforce" | "decl" | "sync" | "notify" | "wait" | "broadcast" => {
                let message = format!("`{}` is not supported here", self.peek(0));
                return Err(Box::new(Diagnostic::error(codes::NOT_SUPPORTED, span, message)));
            }
            _ if self.peek(1) == "(" => {
                let (name, args) = self.call()?;
                put(
                    function,
                    if is_async { Code::Start(name, args) } else { Code::Call(name, args, Vec::new()) },
                );
            }
            _ => {
                let targets = self.names()?;
                self.expect(":=")?;
                let called = self.peek(1) == "("
                    && self.peek(0).starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
                if called {
                    let (name, args) = self.call()?;
                    put(function, Code::Call(name, args, targets));
                } else {
                    let values = self.exprs()?;
                    if values.len() != targets.len() {
                        return fail(
                            span,
                            format!("{} values for {} variables", values.len(), targets.len()),
                        );
                    }
                    let constrain = if self.eat("constrain") { Some(self.expr()?) } else { None };
                    put(function, Code::Assign(targets, values, constrain));
                }
            }
        }
        // The last statement before an `end` may do without.
        if !matches!(self.peek(0), "end" | "fi" | "od" | "else" | "elsif") {
            self.expect(";")?;
        }
        Ok(())
    }

    fn branch(&mut self, function: &mut Function, condition: Expr, span: Span) -> Read<()> {
        let top = function.code.len();
        function.code.push((Code::Skip, span));
        self.block(function, &["fi", "else", "elsif"])?;
        if self.eat("fi") {
            function.code[top].0 = Code::Branch(condition, function.code.len());
        } else {
            let leave = function.code.len();
            function.code.push((Code::Skip, span));
            function.code[top].0 = Code::Branch(condition, function.code.len());
            if self.eat("elsif") {
                let condition = self.expr()?;
                self.expect("then")?;
                self.branch(function, condition, span)?;
            } else {
                self.expect("else")?;
                self.block(function, &["fi"])?;
                self.expect("fi")?;
            }
            function.code[leave].0 = Code::Goto(function.code.len());
        }
        self.eat(";");
        Ok(())
    }

    fn call(&mut self) -> Read<(String, Vec<Expr>)> {
        let name = self.name()?;
        self.expect("(")?;
        let mut args = Vec::new();
        if self.peek(0) != ")" {
            args = self.exprs()?;
        }
        self.expect(")")?;
        Ok((name, args))
    }

    fn exprs(&mut self) -> Read<Vec<Expr>> {
        let mut all = vec![self.expr()?];
        while self.eat(",") {
            all.push(self.expr()?);
        }
        Ok(all)
    }

    fn expr(&mut self) -> Read<Expr> {
        self.depth += 1;
        if self.depth > 200 {
            return fail(self.span(), "this is nested too deeply");
        }
        let condition = self.binary(0)?;
        let whole = if self.eat("?") {
            let then = self.expr()?;
            self.expect(":")?;
            Expr::Cond(Box::new(condition), Box::new(then), Box::new(self.expr()?))
        } else {
            condition
        };
        self.depth -= 1;
        Ok(whole)
    }

    fn binary(&mut self, level: usize) -> Read<Expr> {
        const LEVELS: &[&[&str]] = &[&["=>", "->"], &["|", "||"], &["^"], &["&", "&&"], &["=", "==", "!="]];
        let Some(signs) = LEVELS.get(level) else { return self.unary() };
        let mut left = self.binary(level + 1)?;
        while let Some(sign) = signs.iter().find(|sign| self.peek(0) == **sign) {
            self.at += 1;
            let right = Box::new(self.binary(level + 1)?);
            let mine = Box::new(left);
            left = match *sign {
                "=>" | "->" => Expr::Or(Box::new(Expr::Not(mine)), right),
                "|" | "||" => Expr::Or(mine, right),
                "&" | "&&" => Expr::And(mine, right),
                "=" | "==" => Expr::Eq(mine, right),
                _ => Expr::Not(Box::new(Expr::Eq(mine, right))),
            };
        }
        Ok(left)
    }

    fn unary(&mut self) -> Read<Expr> {
        let span = self.span();
        let word = self.peek(0);
        self.at += 1;
        Ok(match word {
            "!" | "~" => {
                self.depth += 1;
                if self.depth > 200 {
                    return fail(span, "this is nested too deeply");
                }
                let inner = self.unary()?;
                self.depth -= 1;
                Expr::Not(Box::new(inner))
            }
            "(" => {
                let inner = self.expr()?;
                self.expect(")")?;
                inner
            }
            "T" | "1" | "true" => Expr::Const(true),
            "F" | "0" | "false" => Expr::Const(false),
            "*" => Expr::Any,
            "'" => Expr::Var(self.name()?, true, span),
            "schoose" => {
                self.expect("[")?;
                let yes = Box::new(self.expr()?);
                self.expect(",")?;
                let no = Box::new(self.expr()?);
                self.expect("]")?;
                Expr::Choose(yes, no)
            }
            _ => {
                self.at -= 1;
                Expr::Var(self.name()?, false, span)
            }
        })
    }
}
