//! Statements, and expressions for their effect.

use burnside_model::Span;
use burnside_model::code::{
    Block, Expr, ExprKind, Loop, LoopRange, Operand, Place, PlaceKind, Stmt, StmtKind, Storage, Types,
};

use super::Lowerer;
use super::exprs::constant;
use super::scope::Symbol;
use crate::diag::codes;
use crate::uppaal::ast::{self, Declaration};

impl Lowerer {
    /// `{ declarations statements }`
    pub(super) fn block(&mut self, block: &ast::Block, out: &mut Block) -> Option<()> {
        self.scopes.open();
        let mut good = Some(());
        for declaration in &block.declarations {
            good = good.and(self.local_declaration(declaration, out));
        }
        for statement in &block.statements {
            // Every statement is read, also after a mistake.
            let read = self.statement(statement, out);
            good = good.and(read);
        }
        self.scopes.close();
        good
    }

    fn local_declaration(&mut self, declaration: &Declaration, out: &mut Block) -> Option<()> {
        if self.real_declaration(declaration) {
            return Some(());
        }
        match declaration {
            Declaration::Variables(ty, variables) => {
                let base = self.ty(ty)?;
                for variable in variables {
                    let name = &variable.name;
                    let full = self.dimensioned(base, &variable.dimensions, name.span)?;
                    if self.holds(full, &|ty| ty == self.clock || self.is_channel(ty)) {
                        let message = "functions have no clocks and channels of their own";
                        return self.error(codes::MISPLACED_DECLARATION, name.span, message);
                    }
                    let cells = self.types()[full].cells;
                    let local = self.frame.add(&name.name, full, cells, Storage::Value);
                    let place = Place { kind: PlaceKind::Local(local), ty: full, span: name.span };
                    match &variable.initial {
                        Some(initial) => self.initialise(&place, initial, out)?,
                        None => self.default_value(&place, false, out),
                    }
                    self.add(name, Symbol::Local { local, fixed: ty.prefix.constant });
                }
                Some(())
            }
            Declaration::Typedef(ty, names) => self.typedef(ty, names),
            Declaration::Function(function) => {
                self.error(codes::MISPLACED_DECLARATION, function.name.span, "a function inside a function")
            }
            Declaration::ChannelPriority(_, span) => {
                self.error(codes::MISPLACED_DECLARATION, *span, "channel priorities are declared globally")
            }
        }
    }

    fn statement(&mut self, stmt: &ast::Stmt, out: &mut Block) -> Option<()> {
        let span = stmt.span;
        match &stmt.kind {
            ast::StmtKind::Empty => Some(()),
            ast::StmtKind::Expr(expr) => self.effect(expr, out),
            ast::StmtKind::Block(block) => self.block(block, out),
            ast::StmtKind::For(init, condition, step, body) => {
                self.effect(init, out)?;
                self.scopes.open();
                let mut inner = Block::new();
                let read = self.statement(body, &mut inner);
                self.scopes.close();
                read?;
                self.effect(step, &mut inner)?;
                self.while_loop(condition, inner, false, span, out)
            }
            ast::StmtKind::While(condition, body) => {
                let mut inner = Block::new();
                self.statement(body, &mut inner)?;
                self.while_loop(condition, inner, false, span, out)
            }
            ast::StmtKind::DoWhile(body, condition) => {
                let mut inner = Block::new();
                self.statement(body, &mut inner)?;
                self.while_loop(condition, inner, true, span, out)
            }
            ast::StmtKind::Each(_, ty, _) if self.is_empty_range(ty) => Some(()),
            ast::StmtKind::Each(name, ty, body) => {
                let each = self.ty(ty)?;
                let each = self.finite(each, ty.span, "a loop ranges over")?;
                let local = self.frame.add(&name.name, each, 1, Storage::Value);
                self.scopes.open();
                self.scopes.add(&name.name, Symbol::Local { local, fixed: true });
                let mut inner = Block::new();
                let read = self.statement(body, &mut inner);
                self.scopes.close();
                read?;
                let each = Loop { local, range: LoopRange::Type(each), span: name.span };
                out.push(Stmt { kind: StmtKind::For(Box::new(each), inner), span });
                Some(())
            }
            ast::StmtKind::If(condition, yes, no) => {
                let condition = self.with_effects(out, |lowerer| lowerer.boolean(condition))?;
                let (mut when_yes, mut when_no) = (Block::new(), Block::new());
                let first = self.statement(yes, &mut when_yes);
                let second = no.as_ref().map_or(Some(()), |no| self.statement(no, &mut when_no));
                first.and(second)?;
                out.push(Stmt { kind: StmtKind::If(vec![(condition, when_yes)], when_no), span });
                Some(())
            }
            ast::StmtKind::Return(value) => self.return_statement(value.as_ref(), span, out),
        }
    }

    /// Does what an expression does besides having a value first.
    pub(super) fn with_effects<T>(
        &mut self,
        out: &mut Block,
        what: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let outer = std::mem::take(&mut self.before);
        let result = what(self);
        let mut before = std::mem::replace(&mut self.before, outer);
        out.append(&mut before);
        result
    }

    fn while_loop(
        &mut self,
        condition: &ast::Expr,
        mut body: Block,
        at_least_once: bool,
        span: Span,
        out: &mut Block,
    ) -> Option<()> {
        let mut before = Block::new();
        let condition = self.with_effects(&mut before, |lowerer| lowerer.boolean(condition))?;
        if before.is_empty() && !at_least_once {
            out.push(Stmt { kind: StmtKind::While(condition, body), span });
            return Some(());
        }
        let go_on = self.temporary(Types::BOOL, span);
        let read = Expr { kind: ExprKind::Read(go_on.clone()), ty: Types::BOOL, span };
        let again = Stmt { kind: StmtKind::Assign(go_on.clone(), condition), span };
        if at_least_once {
            let yes = constant(1, Types::BOOL, span);
            out.push(Stmt { kind: StmtKind::Assign(go_on, yes), span });
        } else {
            out.extend(before.iter().cloned());
            out.push(again.clone());
        }
        body.append(&mut before);
        body.push(again);
        out.push(Stmt { kind: StmtKind::While(read, body), span });
        Some(())
    }

    fn return_statement(&mut self, value: Option<&ast::Expr>, span: Span, out: &mut Block) -> Option<()> {
        let kind = match (self.returns.flatten(), value) {
            (None, None) => StmtKind::Return(None),
            (None, Some(value)) => {
                return self.error(codes::RETURN_VALUE, value.span, "this function returns nothing");
            }
            (Some(_), None) => return self.error(codes::RETURN_NOTHING, span, "a value must be returned"),
            (Some(ty), Some(value)) if self.types().is_simple(ty) => {
                let place = value.span;
                let value = self.with_effects(out, |lowerer| lowerer.value(value))?;
                StmtKind::Return(Some(Operand::Value(self.fitting(value, ty, place)?)))
            }
            (Some(ty), Some(value)) => {
                let place = self.with_effects(out, |lowerer| lowerer.place(value))?;
                if !self.types().same(place.ty, ty) {
                    return self.error(
                        codes::RETURN_TYPE,
                        value.span,
                        "this is of another type than the result",
                    );
                }
                StmtKind::Return(Some(Operand::Place(place)))
            }
        };
        out.push(Stmt { kind, span });
        Some(())
    }

    /// An expression for its effect.
    pub(super) fn effect(&mut self, expr: &ast::Expr, out: &mut Block) -> Option<()> {
        if let Some(left_out) = self.real_assignment(expr) {
            return left_out;
        }
        match &expr.kind {
            ast::ExprKind::Assign(..) | ast::ExprKind::Step { .. } => self.assignment(expr, out).map(|_| ()),
            ast::ExprKind::Call(callee, args) => {
                let (call, _) = self.with_effects(out, |lowerer| lowerer.call(callee, args, expr.span))?;
                out.push(Stmt { kind: StmtKind::Call(call), span: expr.span });
                Some(())
            }
            ast::ExprKind::Comma(first, second) => {
                self.effect(first, out)?;
                self.effect(second, out)
            }
            // `true`, `1`: nothing to do.
            _ => self.with_effects(out, |lowerer| lowerer.value(expr)).map(|_| ()),
        }
    }

    /// An assignment, or a step up or down; where the value is afterwards.
    pub(super) fn assignment(&mut self, expr: &ast::Expr, out: &mut Block) -> Option<Place> {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Assign(None, target, value) => {
                let place = self.with_effects(out, |lowerer| lowerer.target(target))?;
                self.assign(place.clone(), value, span, out)?;
                Some(place)
            }
            ast::ExprKind::Assign(Some(op), target, value) => {
                let place = self.with_effects(out, |lowerer| lowerer.target(target))?;
                let old = self.read(place.clone())?;
                let value = self.with_effects(out, |lowerer| lowerer.integer(value))?;
                let value = self.counted(*op, value);
                if !self.is_number(old.ty) {
                    let message = format!("an integer is expected here, this is {}", self.describe(old.ty));
                    return self.error(codes::NOT_INTEGER, target.span, message);
                }
                let kind = ExprKind::Arith(*op, Box::new(old), Box::new(value));
                let new = Expr { kind, ty: Types::INT, span };
                let new = self.fitting(new, place.ty, span)?;
                out.push(Stmt { kind: StmtKind::Assign(place.clone(), new), span });
                Some(place)
            }
            ast::ExprKind::Step { up, of, .. } => {
                let place = self.with_effects(out, |lowerer| lowerer.target(of))?;
                let old = self.read(place.clone())?;
                let new = self.stepped(old, *up, span)?;
                let new = self.fitting(new, place.ty, span)?;
                out.push(Stmt { kind: StmtKind::Assign(place.clone(), new), span });
                Some(place)
            }
            _ => None,
        }
    }

    /// Assigns a value to a place.
    pub(super) fn assign(
        &mut self,
        place: Place,
        value: &ast::Expr,
        span: Span,
        out: &mut Block,
    ) -> Option<()> {
        if self.types().is_simple(place.ty) {
            if self.is_channel(place.ty) {
                return self.error(codes::READ_ONLY, place.span, "a channel must not be assigned to");
            }
            let lowered = self.with_effects(out, |lowerer| lowerer.value(value))?;
            let lowered = self.fitting(lowered, place.ty, value.span)?;
            out.push(Stmt { kind: StmtKind::Assign(place, lowered), span });
            return Some(());
        }
        if self.holds(place.ty, &|ty| ty == self.clock || self.is_channel(ty)) {
            return self.error(
                codes::READ_ONLY,
                place.span,
                "clocks and channels are not assigned as a whole",
            );
        }
        let source = self.with_effects(out, |lowerer| lowerer.place(value))?;
        if !self.types().same(source.ty, place.ty) {
            return self.mismatch(codes::ASSIGNMENT_TYPE, value.span, place.ty, source.ty);
        }
        out.push(Stmt { kind: StmtKind::Copy(place, source), span });
        Some(())
    }
}
