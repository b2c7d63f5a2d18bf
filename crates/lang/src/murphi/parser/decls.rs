//! Declarations: sections of constants, types and variables, aliases, functions and procedures.
//!
//! Semicolons after a declaration are optional, so a section ends where the next tokens cannot begin another
//! of its lines. A name followed by `:` or `,` always begins one, even if it is a word such as `cover` that
//! elsewhere begins a property.

use super::blocks::Block;
use super::{Parsed, Parser};
use crate::diag::{Diagnostic, codes};
use crate::murphi::ast::{
    Alias, Decl, DeclKind, Expr, Generator, Ident, Item, Param, Routine, Stmt, TypeExpr,
};
use crate::murphi::token::Tok;

impl Parser<'_> {
    /// Sections of declarations, as many as follow each other.
    pub(super) fn decls(&mut self) -> Vec<Decl> {
        let mut decls = Vec::new();
        while self.kind().starts_decls() {
            let section = self.bump().kind;
            self.eat_semis();
            while self.at_decl_line() {
                decls.extend(self.element(|p| p.decl_line(section), |_| false));
                self.comma_for_semi("declarations are separated by semicolons");
                self.eat_semis();
            }
        }
        decls
    }

    /// Do the next tokens look like a line of a section, perhaps a wrong one?
    pub(super) fn at_decl_line(&self) -> bool {
        let next = self.ahead(1);
        match self.kind() {
            Tok::Colon => true,
            Tok::Ident if matches!(next, Tok::Colon | Tok::Comma) => true,
            Tok::Ident => {
                let statement = matches!(next, Tok::Assign | Tok::LParen | Tok::LBracket | Tok::Dot);
                !statement
                    && !self.at_symmetry()
                    && !self.at_generator()
                    && !self.at_hint()
                    && !self.at_rule()
                    && !self.at_process_fairness()
                    && !self.at_unsupported()
                    && !self.at_end()
            }
            // A keyword as a name: to be reported as such.
            kind if kind.starts_unit() || kind.starts_decls() || kind == Tok::Begin => next == Tok::Colon,
            kind => kind.is_keyword() && matches!(next, Tok::Colon | Tok::Comma),
        }
    }

    fn decl_line(&mut self, section: Tok) -> Parsed<Decl> {
        let start = self.here();
        let names = self.names()?;
        let example = match section {
            Tok::Const => "a constant is declared as in `N : 4;`",
            Tok::Type => "a type is declared as in `T : 0..3;`",
            _ => "a variable is declared as in `x : 0..3;`",
        };
        self.colon(example)?;
        self.warn_nameless(&names);
        let kind = match section {
            Tok::Const => DeclKind::Const(self.expr()?),
            Tok::Type => DeclKind::Type(self.type_expr()?),
            _ => DeclKind::Var(self.type_expr()?),
        };
        Ok(Decl { names, kind, span: self.since(start) })
    }

    /// `symmetry` is a word of the language only where a name follows it.
    pub(super) fn at_symmetry(&self) -> bool {
        self.at_word("symmetry") && self.ahead(1) == Tok::Ident
    }

    /// `symmetry T, U;`
    pub(super) fn symmetry(&mut self) -> Option<Vec<Ident>> {
        self.element(
            |p| {
                p.bump();
                let mut names = vec![p.ident()?];
                while p.eat(Tok::Comma) {
                    names.push(p.ident()?);
                }
                p.expect(Tok::Semi)?;
                Ok(names)
            },
            |_| false,
        )
    }

    /// `generator` is a word of the language only where a string follows it.
    pub(super) fn at_generator(&self) -> bool {
        self.at_word("generator") && self.ahead(1) == Tok::Str
    }

    /// `generator "g" of T = (0 1 2)(3 4);`
    pub(super) fn generator(&mut self) -> Option<Generator> {
        self.element(
            |p| {
                let start = p.bump().span;
                let Some(name) = p.text() else { return Err(p.unexpected("a name in quotes")) };
                p.expect(Tok::Of)?;
                let ty = p.ident()?;
                p.expect(Tok::Eq)?;
                let mut cycles = vec![p.cycle()?];
                while p.kind() == Tok::LParen {
                    cycles.push(p.cycle()?);
                }
                let span = p.since(start);
                p.expect(Tok::Semi)?;
                Ok(Generator { name, ty, cycles, span })
            },
            |_| false,
        )
    }

    /// `hint` is a word of the language only where a string follows it.
    pub(super) fn at_hint(&self) -> bool {
        self.at_word("hint") && self.ahead(1) == Tok::Str
    }

    /// `hint "h" x = 0;`
    pub(super) fn hint(&mut self) -> Option<Item> {
        self.element(
            |p| {
                let start = p.bump().span;
                let Some(name) = p.text() else { return Err(p.unexpected("a name in quotes")) };
                let condition = p.expr()?;
                let span = p.since(start);
                p.expect(Tok::Semi)?;
                Ok(Item::Hint(name, condition, span))
            },
            |_| false,
        )
    }

    /// `(0 1 2)`; commas are allowed.
    fn cycle(&mut self) -> Parsed<Vec<Expr>> {
        self.expect(Tok::LParen)?;
        let mut elements = Vec::new();
        while self.kind() != Tok::RParen {
            elements.push(self.signed_primary()?);
            self.eat(Tok::Comma);
        }
        self.expect(Tok::RParen)?;
        Ok(elements)
    }

    /// The colon of a declaration.
    pub(super) fn colon(&mut self, help: &str) -> Parsed<()> {
        if self.eat(Tok::Colon) {
            return Ok(());
        }
        let message = format!("expected `:`, found {}", self.found());
        Err(self.report_here(codes::UNEXPECTED_TOKEN, message, help))
    }

    /// Reports a comma where a semicolon is needed, and takes it.
    pub(super) fn comma_for_semi(&mut self, help: &str) {
        if self.kind() == Tok::Comma {
            self.report_here(codes::WRONG_SEPARATOR, "expected `;`, found `,`", help);
            self.bump();
        }
    }

    /// Some generators of models write declarations without a name; rumur reads them, and so do we.
    pub(super) fn warn_nameless(&mut self, names: &[Ident]) {
        if names.is_empty() {
            let message = "this declaration has no name and declares nothing";
            self.diags.push(Diagnostic::warning(codes::NAMELESS_DECLARATION, self.last(), message));
        }
    }

    /// The lines of an alias, up to and with its `do`.
    pub(super) fn aliases(&mut self) -> Vec<Alias> {
        let mut aliases = Vec::new();
        loop {
            self.eat_semis();
            let next = self.ahead(1);
            match self.kind() {
                Tok::Colon if aliases.is_empty() => {}
                Tok::Do | Tok::Colon => break,
                Tok::Comma => {
                    self.comma_for_semi("aliases are separated by semicolons");
                    continue;
                }
                kind if kind == Tok::Ident || kind.is_keyword() => {
                    if !matches!(next, Tok::Colon | Tok::Comma) {
                        break;
                    }
                }
                _ => break,
            }
            aliases.extend(self.element(|p| p.alias_line(), |kind| kind == Tok::Do));
        }
        self.expect_do();
        aliases
    }

    fn alias_line(&mut self) -> Parsed<Alias> {
        let start = self.here();
        let names = self.names()?;
        self.colon("an alias is written as in `a : array[i].field`")?;
        self.warn_nameless(&names);
        let value = self.expr()?;
        Ok(Alias { names, value, span: self.since(start) })
    }

    /// A function or procedure; nothing if its head cannot be read.
    pub(super) fn routine(&mut self) -> Option<Routine> {
        self.forget_layout();
        let keyword = self.bump();
        let is_procedure = keyword.kind == Tok::Procedure;
        let block = if is_procedure { Block::Procedure } else { Block::Function };
        let (head, decls, body) = self.block(block, keyword.span, |p| {
            let head = p.recover(|p| p.routine_head(), |_| false);
            p.eat_semis();
            let (decls, body) = p.body();
            (head, decls, body)
        });
        let (name, params, result) = head?;
        Some(Routine { name, is_procedure, params, result, decls, body, span: self.since(keyword.span) })
    }

    fn routine_head(&mut self) -> Parsed<(Ident, Vec<Param>, Option<TypeExpr>)> {
        let name = self.ident()?;
        if !self.eat(Tok::LParen) {
            let message = format!("expected `(`, found {}", self.found());
            let help = "the parentheses are needed even if there are no parameters";
            return Err(self.report_here(codes::UNEXPECTED_TOKEN, message, help));
        }
        let mut params = Vec::new();
        loop {
            self.eat_semis();
            match self.kind() {
                Tok::Ident | Tok::Var => params.extend(self.element(|p| p.param(), |k| k == Tok::RParen)),
                Tok::Comma => {
                    self.comma_for_semi("groups of parameters are separated by semicolons: `(a : T; b : U)`");
                }
                _ => break,
            }
        }
        if self.kind().is_keyword() && self.ahead(1) == Tok::Colon {
            self.ident()?;
        }
        self.expect(Tok::RParen)?;
        let result = if self.eat(Tok::Colon) { Some(self.type_expr()?) } else { None };
        Ok((name, params, result))
    }

    fn param(&mut self) -> Parsed<Param> {
        let start = self.here();
        let by_ref = self.eat(Tok::Var);
        let mut names = vec![self.ident()?];
        while self.eat(Tok::Comma) {
            names.push(self.ident()?);
        }
        self.colon("a parameter is declared as in `x : T`, or `var x : T` to let it be assigned to")?;
        let ty = self.type_expr()?;
        Ok(Param { by_ref, names, ty, span: self.since(start) })
    }

    /// Local declarations and statements, with or without `begin` between them.
    pub(super) fn body(&mut self) -> (Vec<Decl>, Vec<Stmt>) {
        let decls = self.decls();
        self.eat(Tok::Begin);
        (decls, self.stmts())
    }

    fn at_unsupported(&self) -> bool {
        let external = self.at_word("externfun") || self.at_word("externproc");
        (external && self.ahead(1) == Tok::Ident) || self.at_word("pctl")
    }

    /// Reports and skips what CMurphi has and we have not.
    pub(super) fn unsupported_section(&mut self) -> bool {
        if !self.at_unsupported() {
            return false;
        }
        if self.at_word("pctl") {
            let help = "state the property as an `invariant`, a `cover` or a `liveness` property";
            self.report_here(codes::PCTL_UNSUPPORTED, "PCTL formulas are not supported", help);
        } else {
            let message = "functions and procedures written in C are not supported";
            let help = "write it as a `function` or `procedure` of the model";
            self.report_here(codes::EXTERNAL_UNSUPPORTED, message, help);
        }
        let mut parens = 0usize;
        while !self.kind().starts_unit() && (self.kind() != Tok::Semi || parens > 0) {
            match self.bump().kind {
                Tok::LParen => parens += 1,
                Tok::RParen => parens = parens.saturating_sub(1),
                _ => {}
            }
        }
        true
    }
}
