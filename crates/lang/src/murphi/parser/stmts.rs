//! Statements.

use super::blocks::Block;
use super::{Parsed, Parser};
use crate::diag::{Code, Diagnostic, codes};
use crate::murphi::ast::{
    Expr, ExprKind, IfClause, Property, PropertyKind, Quantifier, Stmt, StmtKind, SwitchCase,
};
use crate::murphi::token::Tok;
use burnside_model::Span;

impl Parser<'_> {
    /// Statements up to whatever cannot be one: the caller closes the block.
    pub(super) fn stmts(&mut self) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        let mut failed = false;
        loop {
            self.eat_semis();
            let kind = self.kind();
            if self.at_end() || kind.starts_unit() {
                return stmts;
            }
            match kind {
                Tok::Else | Tok::Elsif | Tok::Case => {
                    if self.is_open(Block::If) || self.is_open(Block::Switch) {
                        return stmts;
                    }
                    self.stray_clause();
                }
                // After a mistake in the head of a rule.
                Tok::Begin if failed && stmts.is_empty() => {
                    self.bump();
                }
                Tok::Begin => {
                    let help = "remove it: a block needs no `begin` here, only its `end`";
                    self.report_here(codes::UNEXPECTED_TOKEN, "expected a statement, found `begin`", help);
                    self.bump();
                }
                kind if kind.starts_decls() => {
                    let message = "declarations cannot stand among the statements";
                    let help = "move it before the `begin` of the rule or function";
                    self.report_here(codes::MISPLACED_DECLARATION, message, help);
                    self.decls();
                    self.eat(Tok::Begin);
                }
                _ => {
                    let stmt = self.element(|p| p.nested(|p| p.stmt()), |_| false);
                    failed |= stmt.is_none();
                    if stmt.is_some() {
                        self.after_stmt();
                    }
                    stmts.extend(stmt);
                }
            }
        }
    }

    /// A statement must be followed by a semicolon or the end of the block.
    fn after_stmt(&mut self) {
        let kind = self.kind();
        let fine = matches!(kind, Tok::Semi | Tok::Else | Tok::Elsif | Tok::Case | Tok::Begin);
        if fine || self.at_end() || kind.starts_unit() || kind.starts_decls() {
            return;
        }
        if kind == Tok::Ident && self.foreign_word().is_none() || kind.starts_stmt() {
            let end = self.last().end;
            let at = Span { start: end, end };
            let error = Diagnostic::error(codes::MISSING_SEMICOLON, at, "expected `;` after this statement")
                .label("a semicolon is missing here")
                .also(self.here(), "the next statement begins here");
            self.report(error);
        } else if kind == Tok::Arrow {
            // `rule x := 1 ==> begin …`
            self.assignment_in_expr();
            self.bump();
            self.decls();
            self.eat(Tok::Begin);
        } else {
            self.unexpected("`;`");
            let base = self.open.len();
            self.skip(base, |_| false);
        }
    }

    fn stray_clause(&mut self) {
        let message = format!("{} belongs to no `if` or `switch`", self.found());
        let help = "look for an `end` too many before it";
        self.report_here(codes::MISPLACED_CLAUSE, message, help);
        let base = self.open.len();
        self.bump();
        self.skip(base, |kind| matches!(kind, Tok::Then | Tok::Colon));
        if matches!(self.kind(), Tok::Then | Tok::Colon) {
            self.bump();
        }
    }

    fn stmt(&mut self) -> Parsed<Stmt> {
        let start = self.here();
        let kind = match self.kind() {
            _ if self.at_property() => StmtKind::Property(self.property()?),
            Tok::If => self.if_stmt(),
            Tok::Switch => self.switch_stmt(),
            Tok::For => {
                self.bump();
                self.block(Block::For, start, |p| {
                    let quantifiers = p.quantifiers_do();
                    StmtKind::For(quantifiers, p.stmts())
                })
            }
            Tok::While => {
                self.bump();
                self.block(Block::While, start, |p| {
                    let condition = p.header(Tok::Do);
                    StmtKind::While(condition, p.stmts())
                })
            }
            Tok::Alias => {
                self.bump();
                self.block(Block::Alias, start, |p| {
                    let aliases = p.aliases();
                    StmtKind::Alias(aliases, p.stmts())
                })
            }
            Tok::Clear => {
                self.bump();
                StmtKind::Clear(self.designator()?)
            }
            Tok::Undefine => {
                self.bump();
                StmtKind::Undefine(self.designator()?)
            }
            Tok::Return => {
                self.bump();
                StmtKind::Return(if self.kind().starts_expr() { Some(self.expr()?) } else { None })
            }
            Tok::Put => {
                self.bump();
                match self.text() {
                    Some(text) => StmtKind::PutText(text),
                    None => StmtKind::Put(self.expr()?),
                }
            }
            Tok::Error => {
                self.bump();
                match self.text() {
                    Some(text) => StmtKind::Error(text),
                    None => return Err(self.unexpected("a string")),
                }
            }
            Tok::Ident => self.assignment_or_call()?,
            kind if kind.starts_expr() => return Err(self.not_a_statement()),
            _ => return Err(self.unexpected("a statement")),
        };
        Ok(Stmt { kind, span: self.since(start) })
    }

    fn not_a_statement(&mut self) -> super::Skip {
        let message = "expected a statement, found an expression";
        self.report_here(codes::NOT_A_STATEMENT, message, "use `:=` to assign a value to a variable")
    }

    fn assignment_or_call(&mut self) -> Parsed<StmtKind> {
        let start = self.here();
        if self.at_word("multisetremovepred") && self.at_bound_multiset() {
            self.bump();
            let (name, multiset, condition) = self.bound_multiset(start)?;
            return Ok(StmtKind::MultisetRemovePred(name, multiset, condition));
        }
        if self.ahead(1) == Tok::LParen {
            let name = self.ident()?;
            let args = self.arguments()?;
            if Self::continues_expr(self.kind()) || self.kind() == Tok::Assign {
                return Err(self.not_a_statement());
            }
            return Ok(StmtKind::Call(name, args));
        }
        if self.foreign_word().is_some() && self.ahead(1).starts_expr() {
            return Err(self.unexpected("a statement"));
        }
        let place = self.designator()?;
        match self.kind() {
            Tok::Assign => {
                self.bump();
            }
            Tok::Eq | Tok::EqEq => {
                let message = format!("expected `:=`, found {}", self.found());
                let error = Diagnostic::error(codes::EQUALS_FOR_ASSIGNMENT, self.here(), message)
                    .label("this only compares")
                    .help("use `:=` to assign");
                self.report(error);
                self.bump();
            }
            kind if Self::continues_expr(kind) => return Err(self.not_a_statement()),
            Tok::Semi | Tok::End => {
                let message = "a name alone is not a statement";
                let help = "use `:=` to assign, or `name()` to call a procedure";
                return Err(self.report_here(codes::NOT_A_STATEMENT, message, help));
            }
            Tok::Colon => {
                let message = "expected `:=`, found `:`";
                let help = "use `:=` to assign; declarations stand before `begin`";
                return Err(self.report_here(codes::UNEXPECTED_TOKEN, message, help));
            }
            _ => return Err(self.unexpected("`:=`")),
        }
        let value = self.expr()?;
        if matches!(self.kind(), Tok::Assign) {
            let message = "expected `;`, found `:=`";
            let help = "is a semicolon missing before it, or the rest of an expression?";
            return Err(self.report_here(codes::UNEXPECTED_TOKEN, message, help));
        }
        Ok(StmtKind::Assign(place, value))
    }

    fn if_stmt(&mut self) -> StmtKind {
        let start = self.here();
        self.block(Block::If, start, |p| {
            let mut clauses = Vec::new();
            loop {
                let keyword = p.bump();
                let condition = if keyword.kind == Tok::Else {
                    p.remember_else_if(keyword.span);
                    None
                } else {
                    Some(p.header(Tok::Then))
                };
                let body = p.stmts();
                clauses.push(IfClause { condition, body, span: p.since(keyword.span) });
                let clause = matches!(p.kind(), Tok::Else | Tok::Elsif);
                if clause && keyword.kind == Tok::Else {
                    let message = format!("{} after the `else` of the same `if`", p.found());
                    let error = Diagnostic::error(codes::MISPLACED_CLAUSE, p.here(), message)
                        .also(keyword.span, "the `else` is here")
                        .help("`else` must be the last clause");
                    p.report(error);
                } else if !clause {
                    return StmtKind::If(clauses);
                }
            }
        })
    }

    fn switch_stmt(&mut self) -> StmtKind {
        let start = self.bump().span;
        self.block(Block::Switch, start, |p| {
            let subject = p.recover(|p| p.expr(), |_| false);
            let subject = subject.unwrap_or_else(|| placeholder(start));
            p.eat_semis();
            let mut cases: Vec<SwitchCase> = Vec::new();
            loop {
                let keyword = p.here();
                let values = match p.kind() {
                    Tok::Case => {
                        p.check_last_case(&cases);
                        p.bump();
                        let values = p.recover(|p| p.case_values(), |kind| kind == Tok::Colon);
                        if values.is_none() {
                            p.eat(Tok::Colon);
                        }
                        Some(values.unwrap_or_default())
                    }
                    Tok::Else => {
                        p.bump();
                        None
                    }
                    _ => {
                        if !p.at_end() && !p.kind().starts_unit() {
                            p.unexpected("`case`, `else` or `end`");
                            p.stmts();
                        }
                        if matches!(p.kind(), Tok::Case | Tok::Else) {
                            continue;
                        }
                        return StmtKind::Switch(subject, cases);
                    }
                };
                let body = p.stmts();
                cases.push(SwitchCase { values, body, span: p.since(keyword) });
            }
        })
    }

    fn check_last_case(&mut self, cases: &[SwitchCase]) {
        if let Some(or_else) = cases.iter().find(|c| c.values.is_none()) {
            let error = Diagnostic::error(codes::MISPLACED_CLAUSE, self.here(), "`case` after `else`")
                .also(or_else.span, "the `else` is here")
                .help("`else` must be the last clause");
            self.report(error);
        }
    }

    /// `a, b :`; a comma after the last is allowed.
    fn case_values(&mut self) -> Parsed<Vec<Expr>> {
        let mut values = Vec::new();
        while self.kind() != Tok::Colon {
            values.push(self.expr()?);
            if !self.eat(Tok::Comma) {
                break;
            }
        }
        self.expect(Tok::Colon)?;
        Ok(values)
    }

    /// The quantifiers of a loop or ruleset, up to and with `do`.
    pub(super) fn quantifiers_do(&mut self) -> Vec<Quantifier> {
        let quantifiers = self.recover(|p| p.quantifiers(), |kind| kind == Tok::Do);
        match quantifiers {
            Some(quantifiers) => {
                self.expect_do();
                quantifiers
            }
            None => {
                self.eat(Tok::Do);
                Vec::new()
            }
        }
    }

    /// A condition and the keyword after it, `then` or `do`.
    fn header(&mut self, keyword: Tok) -> Expr {
        let start = self.here();
        let stop = |kind| matches!(kind, Tok::Then | Tok::Do);
        match self.recover(|p| p.condition(), stop) {
            Some(condition) => {
                if keyword == Tok::Do {
                    self.expect_do();
                } else if !self.eat(Tok::Then) {
                    self.missing(codes::MISSING_THEN, "then");
                }
                condition
            }
            None => {
                if stop(self.kind()) {
                    self.bump();
                }
                placeholder(start)
            }
        }
    }

    fn condition(&mut self) -> Parsed<Expr> {
        let condition = self.expr()?;
        if self.kind() == Tok::Assign {
            return Err(self.assignment_in_expr());
        }
        Ok(condition)
    }

    /// `do`, or CMurphi's `:` in its place.
    pub(super) fn expect_do(&mut self) {
        if !self.eat(Tok::Do) && !self.eat(Tok::Colon) {
            self.missing(codes::MISSING_DO, "do");
        }
    }

    /// Reports that `do` or `then` is missing, and takes what may have been written for it.
    fn missing(&mut self, code: Code, word: &str) {
        let message = format!("expected `{word}`, found {}", self.found());
        let mut error = Diagnostic::error(code, self.here(), message).label(format!("expected `{word}`"));
        if let Some(help) = self.foreign_word() {
            error = error.help(help);
        }
        self.report(error);
        let base = self.open.len();
        if !self.kind().starts_expr() || self.foreign_word().is_some() {
            self.skip(base, |kind| matches!(kind, Tok::Then | Tok::Do));
        }
        if matches!(self.kind(), Tok::Then | Tok::Do | Tok::Begin) {
            self.bump();
        }
    }

    /// Does a property begin here? The words that only rumur reserves do if an expression or a string
    /// follows.
    pub(super) fn at_property(&self) -> bool {
        match self.kind() {
            Tok::Assert | Tok::Invariant => true,
            Tok::Ident => {
                let next = self.ahead(1);
                (next.starts_expr() || next == Tok::Str)
                    && ["assume", "cover", "liveness"].iter().any(|word| self.at_word(word))
            }
            _ => false,
        }
    }

    /// A property, with its name or message before or after the condition.
    pub(super) fn property(&mut self) -> Parsed<Property> {
        let kind = match self.kind() {
            Tok::Assert => PropertyKind::Assert,
            Tok::Invariant => PropertyKind::Invariant,
            _ if self.at_word("assume") => PropertyKind::Assume,
            _ if self.at_word("cover") => PropertyKind::Cover,
            _ => PropertyKind::Liveness,
        };
        let start = self.bump().span;
        let name = self.text();
        let condition = self.condition()?;
        let name = name.or_else(|| self.text());
        Ok(Property { kind, name, condition, span: self.since(start) })
    }
}

/// Stands for an expression that could not be read; an error was reported.
fn placeholder(at: Span) -> Expr {
    Expr::new(ExprKind::Bool(true), at)
}
