//! Declarations: variables, typedefs, proctypes, inlines, claims.

use burnside_model::Span;

use super::super::ast::{BaseType, Expr, ExprKind, Init, Proctype, VarDecl};
use super::{Inline, Parser};
use crate::diag::codes;
use crate::tokens::{Parse, Read, Tok};

impl Parser {
    pub fn program(&mut self) -> Read<()> {
        while *self.peek() != Tok::End {
            if self.eat(";") {
                continue;
            }
            self.unit()?;
        }
        Ok(())
    }

    fn unit(&mut self) -> Read<()> {
        let span = self.span();
        let word = match self.peek() {
            Tok::Word(word) => word.clone(),
            _ => String::new(),
        };
        match word.as_str() {
            "active" | "proctype" | "D_proctype" => self.proctype(),
            "init" => {
                self.at += 1;
                self.priority()?;
                let active = Some(Expr { kind: ExprKind::Const(1), span });
                let process = self.body("init".to_owned(), active, Vec::new(), None, span)?;
                self.program.proctypes.push(process);
                Ok(())
            }
            "never" => {
                self.at += 1;
                if matches!(*self.peek(), Tok::Word(_)) {
                    self.at += 1;
                }
                let claim = self.body("never".to_owned(), None, Vec::new(), None, span)?;
                if self.program.never.replace(claim).is_some() {
                    return self.unsupported(span, "more than one never claim");
                }
                Ok(())
            }
            "inline" => self.inline(),
            "ltl" => self.ltl(),
            "typedef" => {
                self.at += 1;
                let name = self.name("the name of a type")?;
                self.expect("{")?;
                let mut fields = Vec::new();
                while !self.eat("}") {
                    fields.extend(self.variables(false)?);
                    while self.eat(";") || self.eat(",") {}
                }
                self.program.typedefs.push((name, fields));
                Ok(())
            }
            "mtype" if self.mtype_values() => self.mtype(),
            "trace" | "notrace" => self.unsupported(span, "an event trace"),
            "c_decl" | "c_code" | "c_state" | "c_track" | "c_expr" => {
                self.unsupported(span, &format!("`{word}`"))
            }
            _ if self.is_declaration() => {
                let variables = self.variables(false)?;
                self.program.globals.extend(variables);
                Ok(())
            }
            _ => self.unexpected("a declaration"),
        }
    }

    fn mtype_values(&self) -> bool {
        let at = if self.peek_at(1).is(":") { 3 } else { 1 };
        self.peek_at(at).is("{") || (self.peek_at(at).is("=") && self.peek_at(at + 1).is("{"))
    }

    fn mtype(&mut self) -> Read<()> {
        self.at += if self.peek_at(1).is(":") { 3 } else { 1 };
        self.eat("=");
        self.expect("{")?;
        // Spin numbers the names of a declaration from its last to its first.
        let mut names = Vec::new();
        while !self.eat("}") {
            names.push(self.name("the name of a message type")?);
            self.eat(",");
        }
        names.reverse();
        self.program.mtypes.extend(names);
        if self.program.mtypes.len() > 255 {
            return self.fail(codes::BAD_SIZE, self.before(), "there are at most 255 message types");
        }
        Ok(())
    }

    fn inline(&mut self) -> Read<()> {
        self.at += 1;
        let name = self.name("the name of an inline")?;
        let params = self.bracketed("(", ")")?;
        let names = params.iter().filter_map(|token| match &token.kind {
            Tok::Word(name) => Some(name.clone()),
            _ => None,
        });
        let params = names.collect();
        let body = self.bracketed("{", "}")?;
        self.inlines.insert(name, Inline { params, body });
        Ok(())
    }

    fn priority(&mut self) -> Read<()> {
        if self.is_word("priority") {
            let span = self.span();
            self.at += 1;
            let level = self.peek().clone();
            self.at += 1;
            if level != Tok::Int(1) {
                return self.unsupported(span, "a priority other than 1");
            }
        }
        Ok(())
    }

    fn proctype(&mut self) -> Read<()> {
        let mut active = None;
        let span = self.span();
        if self.eat_word("active") {
            active = Some(Expr { kind: ExprKind::Const(1), span });
            if self.eat("[") {
                active = Some(self.expression()?);
                self.expect("]")?;
            }
        }
        if !self.eat_word("proctype") && !self.eat_word("D_proctype") {
            return self.unexpected("`proctype`");
        }
        let name = self.name("the name of a proctype")?;
        self.expect("(")?;
        self.scopes.push(Vec::new());
        let mut params: Vec<VarDecl> = Vec::new();
        while !self.eat(")") {
            let parsed = match (self.is_declaration(), params.last()) {
                // `byte a, b` is one type for both.
                (false, Some(last)) => {
                    let (ty, hidden) = (last.ty.clone(), false);
                    vec![self.variable(ty, hidden, true)?]
                }
                _ => self.variables(true)?,
            };
            params.extend(parsed);
            while self.eat(";") || self.eat(",") {}
        }
        self.priority()?;
        let mut provided = None;
        if self.eat_word("provided") {
            self.expect("(")?;
            provided = Some(self.expression()?);
            self.expect(")")?;
        }
        self.priority()?;
        let process = self.body(name, active, params, provided, span.to(self.before()))?;
        self.scopes.pop();
        self.program.proctypes.push(process);
        Ok(())
    }

    fn body(
        &mut self,
        name: String,
        active: Option<Expr>,
        params: Vec<VarDecl>,
        provided: Option<Expr>,
        span: Span,
    ) -> Read<Proctype> {
        self.locals.clear();
        // Parameters are declared like variables, but are no locals.
        self.expect("{")?;
        self.scopes.push(Vec::new());
        let body = self.sequence("}")?;
        self.expect("}")?;
        self.scopes.pop();
        let mut locals = std::mem::take(&mut self.locals);
        locals.retain(|local| params.iter().all(|param| param.unique != local.unique));
        Ok(Proctype { name, params, active, provided, locals, body, span })
    }

    /// Whether a declaration of variables begins here.
    pub(super) fn is_declaration(&self) -> bool {
        let Tok::Word(word) = self.peek() else { return false };
        match word.as_str() {
            "hidden" | "show" | "bit" | "bool" | "byte" | "pid" | "short" | "int" | "unsigned" | "chan"
            | "mtype" => true,
            "local" => matches!(self.peek_at(1), Tok::Word(_)),
            _ => {
                let named = self.program.typedefs.iter().any(|(name, _)| name == word);
                named && matches!(self.peek_at(1), Tok::Word(_))
            }
        }
    }

    fn base_type(&mut self) -> Read<BaseType> {
        let span = self.span();
        let word = self.name("a type")?;
        Ok(match word.as_str() {
            "bit" | "bool" => BaseType::Bit,
            "byte" => BaseType::Byte(false),
            "pid" => BaseType::Byte(true),
            "short" => BaseType::Short,
            "int" => BaseType::Int,
            "unsigned" => BaseType::Unsigned(0),
            "chan" => BaseType::Chan,
            "mtype" => {
                if self.is(":") && matches!(self.peek_at(1), Tok::Word(_)) {
                    self.at += 2;
                }
                BaseType::Mtype
            }
            _ if self.program.typedefs.iter().any(|(name, _)| *name == word) => BaseType::Named(word),
            _ => return self.fail(codes::UNKNOWN_TYPE, span, format!("`{word}` is not a type")),
        })
    }

    /// `byte a = 1, b[3]`; with `one`, only the first.
    pub(super) fn variables(&mut self, one: bool) -> Read<Vec<VarDecl>> {
        let mut hidden = false;
        while self.is_word("hidden") || self.is_word("show") || self.is_word("local") {
            hidden |= self.is_word("hidden");
            self.at += 1;
        }
        let ty = self.base_type()?;
        let mut variables = vec![self.variable(ty.clone(), hidden, false)?];
        while !one && self.eat(",") {
            variables.push(self.variable(ty.clone(), hidden, false)?);
        }
        Ok(variables)
    }

    fn variable(&mut self, mut ty: BaseType, hidden: bool, param: bool) -> Read<VarDecl> {
        let span = self.span();
        let name = self.name("the name of a variable")?;
        if matches!(ty, BaseType::Unsigned(_)) && self.eat(":") {
            let width = self.span();
            let Tok::Int(bits @ 1..=31) = *self.peek() else {
                return self.fail(codes::BAD_SIZE, width, "the width of an unsigned is 1 to 31 bits");
            };
            self.at += 1;
            ty = BaseType::Unsigned(bits as u32);
        } else if ty == BaseType::Unsigned(0) {
            // Spin takes one without a width as a whole word.
            ty = BaseType::Unsigned(31);
        }
        let mut length = None;
        if self.eat("[") {
            length = Some(self.expression()?);
            self.expect("]")?;
        }
        let mut init = Init::Zero;
        if !param && self.eat("=") {
            init = self.initial(&ty)?;
        }
        let unique = self.declare(&name);
        let decl = VarDecl { name, unique, ty, length, init, hidden, span };
        if !self.scopes.is_empty() {
            self.locals.push(decl.clone());
        }
        Ok(decl)
    }

    fn initial(&mut self, ty: &BaseType) -> Read<Init> {
        if *ty == BaseType::Chan && self.eat("[") {
            let capacity = self.expression()?;
            self.expect("]")?;
            self.expect_word("of")?;
            self.expect("{")?;
            let mut fields = Vec::new();
            while !self.eat("}") {
                let field = self.base_type()?;
                if let BaseType::Named(name) = &field {
                    fields.extend(self.flattened(name)?);
                } else {
                    fields.push(if field == BaseType::Unsigned(0) { BaseType::Unsigned(31) } else { field });
                }
                while self.eat(",") || self.eat(";") {}
            }
            return Ok(Init::Channel(capacity, fields));
        }
        if self.eat("{") {
            let values = self.list(Self::expression)?;
            self.expect("}")?;
            return Ok(Init::Values(values));
        }
        Ok(Init::Value(self.expression()?))
    }

    /// A message field that is a typedef is as many fields as that has.
    fn flattened(&self, name: &str) -> Read<Vec<BaseType>> {
        let Some((_, fields)) = self.program.typedefs.iter().find(|(mine, _)| mine == name) else {
            return Ok(Vec::new());
        };
        let mut flat = Vec::new();
        for field in fields {
            if field.length.is_some() || matches!(field.ty, BaseType::Named(_)) {
                return self
                    .unsupported(self.before(), "a message with an array or a typedef inside a typedef");
            }
            flat.push(field.ty.clone());
        }
        Ok(flat)
    }

    /// Declares a name in the innermost block, and gives its unique name.
    fn declare(&mut self, name: &str) -> String {
        let taken = |unique: &str| {
            self.locals.iter().any(|local| local.unique == unique)
                || self.scopes.iter().flatten().any(|(_, mine)| mine == unique)
        };
        let mut unique = name.to_owned();
        let mut number = 2;
        while !self.scopes.is_empty() && taken(&unique) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        if let Some(scope) = self.scopes.last_mut() {
            scope.push((name.to_owned(), unique.clone()));
        }
        unique
    }
}
