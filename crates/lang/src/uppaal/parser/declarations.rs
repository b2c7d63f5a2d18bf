//! Declarations.

use burnside_model::Span;

use super::{Parser, Read};
use crate::tokens::{Parse, Tok};
use crate::uppaal::ast::{
    ChannelOrDefault, Declaration, Function, Initial, Instantiation, Item, Param, Prefix, Type, TypeKind,
    Variable,
};

/// The type of a constant that is written without one.
fn constant_int(span: Span) -> Type {
    Type { prefix: Prefix { constant: true, ..Prefix::default() }, kind: TypeKind::Int(None), span }
}

impl Parser {
    /// Declarations up to where none begins.
    pub fn declarations(&mut self) -> Read<Vec<Declaration>> {
        let mut declarations = Vec::new();
        while self.at_declaration() {
            declarations.push(self.declaration()?);
        }
        Ok(declarations)
    }

    /// Whether a declaration begins here: a word of a type, or two names in a row.
    pub(super) fn at_declaration(&self) -> bool {
        self.at_type_word()
            || self.is_word("typedef")
            || matches!(
                (self.peek(), self.peek_at(1)),
                (Tok::Word(first), Tok::Word(_)) if !super::is_reserved(first) && first != "system"
            )
    }

    fn declaration(&mut self) -> Read<Declaration> {
        if self.eat_word("typedef") {
            let ty = self.ty()?;
            let names = self.variables()?;
            self.expect(";")?;
            return Ok(Declaration::Typedef(ty, names));
        }
        if self.is_word("chan") && matches!(self.peek_at(1), Tok::Word(word) if word == "priority") {
            return self.channel_priority();
        }
        if self.at_untyped_constant() {
            return self.untyped_constants();
        }
        let ty = self.ty()?;
        if matches!(self.peek_at(1), Tok::Sign("(")) {
            let name = self.name()?;
            let params = self.params()?;
            let body = self.block()?;
            return Ok(Declaration::Function(Function { result: ty, name, params, body }));
        }
        let variables = self.variables()?;
        self.expect(";")?;
        Ok(Declaration::Variables(ty, variables))
    }

    /// Whether `const N 5` begins here, as before version 4.
    fn at_untyped_constant(&self) -> bool {
        self.is_word("const")
            && matches!(self.peek_at(1), Tok::Word(word) if !super::is_reserved(word))
            && matches!(self.peek_at(2), Tok::Int(_) | Tok::Sign("-" | "(" | "{" | "["))
    }

    /// `const N 5, a[2] { 1, 2 };`
    fn untyped_constants(&mut self) -> Read<Declaration> {
        let span = self.next().span;
        let mut variables = Vec::new();
        loop {
            let name = self.name()?;
            let dimensions = self.dimensions()?;
            variables.push(Variable { name, dimensions, initial: Some(self.initial()?) });
            if !self.eat(",") {
                break;
            }
        }
        self.expect(";")?;
        Ok(Declaration::Variables(constant_int(span), variables))
    }

    /// `a[3] = …, b`
    pub(super) fn variables(&mut self) -> Read<Vec<Variable>> {
        let mut variables = Vec::new();
        loop {
            let name = self.name()?;
            let dimensions = self.dimensions()?;
            let initial = if self.eat("=") || self.eat(":=") { Some(self.initial()?) } else { None };
            variables.push(Variable { name, dimensions, initial });
            if !self.eat(",") {
                return Ok(variables);
            }
        }
    }

    fn initial(&mut self) -> Read<Initial> {
        if !self.is("{") {
            return Ok(Initial::Expr(self.expr()?));
        }
        self.nested(|p| {
            let start = p.next().span;
            let mut list = Vec::new();
            loop {
                let named = matches!((p.peek(), p.peek_at(1)), (Tok::Word(_), Tok::Sign(":")));
                let field = if named { Some(p.name()?) } else { None };
                if named {
                    p.expect(":")?;
                }
                list.push((field, p.initial()?));
                if p.eat("}") {
                    return Ok(Initial::List(list, start.to(p.before())));
                }
                p.expect(",")?;
            }
        })
    }

    /// `(const int a, int &b)`
    pub(super) fn params(&mut self) -> Read<Vec<Param>> {
        self.expect("(")?;
        if self.eat(")") {
            return Ok(Vec::new());
        }
        let params = self.param_list()?;
        self.expect(")")?;
        Ok(params)
    }

    /// `const int a, int &b`; or as before version 4, all but constants by reference: `chan a, b; const n`.
    pub fn param_list(&mut self) -> Read<Vec<Param>> {
        let mut params: Vec<Param> = Vec::new();
        let mut old = false;
        loop {
            let start = self.span();
            let ty = match params.last() {
                Some(last) if self.at_lone_name(0) => {
                    old = true;
                    last.ty.clone()
                }
                _ if self.is_word("const") && self.at_lone_name(1) => {
                    old = true;
                    self.next();
                    constant_int(start)
                }
                _ => self.ty()?,
            };
            let by_reference = self.eat("&");
            let name = self.name()?;
            let dimensions = self.dimensions()?;
            params.push(Param { ty, by_reference, variable: Variable { name, dimensions, initial: None } });
            if self.eat(";") {
                old = true;
            } else if !self.eat(",") {
                break;
            }
        }
        if old {
            params.iter_mut().for_each(|param| param.by_reference = !param.ty.prefix.constant);
        }
        Ok(params)
    }

    /// Whether a name stands somewhere ahead that no other name follows.
    fn at_lone_name(&self, ahead: usize) -> bool {
        matches!(self.peek_at(ahead), Tok::Word(word) if !super::is_reserved(word))
            && matches!(self.peek_at(ahead + 1), Tok::Sign("," | ";" | ")" | "[") | Tok::End)
    }

    fn channel_priority(&mut self) -> Read<Declaration> {
        let start = self.next().span;
        self.next();
        let mut groups = vec![Vec::new()];
        loop {
            let member = if self.eat_word("default") {
                ChannelOrDefault::Default
            } else {
                ChannelOrDefault::Channel(self.postfix()?)
            };
            groups.last_mut().expect("never empty").push(member);
            if self.eat("<") {
                groups.push(Vec::new());
            } else if !self.eat(",") {
                break;
            }
        }
        let span = start.to(self.expect(";")?);
        Ok(Declaration::ChannelPriority(groups, span))
    }

    /// `P = T(1);` or `P(params) = T(1);`, where a name is next that begins no declaration.
    pub(super) fn instantiation(&mut self) -> Read<Item> {
        let name = self.name()?;
        let params = if self.is("(") { self.params()? } else { Vec::new() };
        if !self.eat("=") {
            self.eat(":=");
        }
        let template = self.name()?;
        self.expect("(")?;
        let args = self.arguments()?;
        let span = name.span.to(self.expect(";")?);
        Ok(Item::Instantiation(Instantiation { name, params, template, args, span }))
    }
}
