//! Declarations.

use super::{Parser, Read};
use crate::uppaal::ast::{
    ChannelOrDefault, Declaration, Function, Initial, Instantiation, Item, Param, Variable,
};
use crate::uppaal::lexer::Tok;

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
        if !self.is_sign("{") {
            return Ok(Initial::Expr(self.expr()?));
        }
        self.nested(|p| {
            let start = p.advance().span;
            let mut list = Vec::new();
            loop {
                // A field's name before its value is only a reminder.
                if matches!((p.peek(), p.peek_at(1)), (Tok::Word(_), Tok::Sign(":"))) {
                    p.advance();
                    p.advance();
                }
                list.push(p.initial()?);
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

    /// `const int a, int &b`
    pub fn param_list(&mut self) -> Read<Vec<Param>> {
        let mut params = Vec::new();
        loop {
            let ty = self.ty()?;
            let by_reference = self.eat("&");
            let name = self.name()?;
            let dimensions = self.dimensions()?;
            params.push(Param { ty, by_reference, variable: Variable { name, dimensions, initial: None } });
            if !self.eat(",") {
                return Ok(params);
            }
        }
    }

    fn channel_priority(&mut self) -> Read<Declaration> {
        let start = self.advance().span;
        self.advance();
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
        let params = if self.is_sign("(") { self.params()? } else { Vec::new() };
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
