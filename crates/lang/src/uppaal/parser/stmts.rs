//! Statements.

use super::{Parser, Read};
use crate::diag::codes;
use crate::tokens::{Parse, Tok};
use crate::uppaal::ast::{Block, Stmt, StmtKind};

impl Parser {
    /// `{ declarations statements }`
    pub(super) fn block(&mut self) -> Read<Block> {
        self.nested(|p| {
            let start = p.expect("{")?;
            let declarations = p.declarations()?;
            let mut statements = Vec::new();
            while !p.is("}") {
                statements.push(p.statement()?);
            }
            let span = start.to(p.expect("}")?);
            Ok(Block { declarations, statements, span })
        })
    }

    fn statement(&mut self) -> Read<Stmt> {
        let start = self.span();
        let kind = self.nested(Self::statement_kind)?;
        Ok(Stmt { kind, span: start.to(self.before()) })
    }

    fn statement_kind(&mut self) -> Read<StmtKind> {
        if self.is("{") {
            return Ok(StmtKind::Block(self.block()?));
        }
        if self.eat(";") {
            return Ok(StmtKind::Empty);
        }
        if self.at_type_word() || self.is_word("typedef") {
            let message = "declarations stand at the beginning of a block";
            return self.fail(codes::MISPLACED_DECLARATION, self.span(), message);
        }
        let Tok::Word(word) = self.peek().clone() else { return self.expr_statement() };
        match word.as_str() {
            "for" => {
                self.next();
                self.expect("(")?;
                if matches!((self.peek(), self.peek_at(1)), (Tok::Word(_), Tok::Sign(":"))) {
                    let name = self.name()?;
                    self.expect(":")?;
                    let ty = self.ty()?;
                    self.expect(")")?;
                    return Ok(StmtKind::Each(name, ty, Box::new(self.statement()?)));
                }
                if self.at_type_word() {
                    let message = "the variable of a loop is declared before it";
                    return self.fail(codes::MISPLACED_DECLARATION, self.span(), message);
                }
                let init = self.expr_list()?;
                self.expect(";")?;
                let condition = self.expr_list()?;
                self.expect(";")?;
                let step = self.expr_list()?;
                self.expect(")")?;
                Ok(StmtKind::For(init, condition, step, Box::new(self.statement()?)))
            }
            "while" => {
                self.next();
                self.expect("(")?;
                let condition = self.expr_list()?;
                self.expect(")")?;
                Ok(StmtKind::While(condition, Box::new(self.statement()?)))
            }
            "do" => {
                self.next();
                let body = self.statement()?;
                self.expect_word("while")?;
                self.expect("(")?;
                let condition = self.expr_list()?;
                self.expect(")")?;
                self.expect(";")?;
                Ok(StmtKind::DoWhile(Box::new(body), condition))
            }
            "if" => {
                self.next();
                self.expect("(")?;
                let condition = self.expr_list()?;
                self.expect(")")?;
                let yes = Box::new(self.statement()?);
                let no = if self.eat_word("else") { Some(Box::new(self.statement()?)) } else { None };
                Ok(StmtKind::If(condition, yes, no))
            }
            "return" => {
                self.next();
                let value = if self.is(";") { None } else { Some(self.expr()?) };
                self.expect(";")?;
                Ok(StmtKind::Return(value))
            }
            "switch" | "break" | "continue" | "case" | "assert" => self.unsupported(&format!("`{word}` is")),
            _ => self.expr_statement(),
        }
    }

    fn expr_statement(&mut self) -> Read<StmtKind> {
        let expr = self.expr()?;
        self.expect(";")?;
        Ok(StmtKind::Expr(expr))
    }
}
