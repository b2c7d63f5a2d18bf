//! Statements.

use std::rc::Rc;

use burnside_model::Span;
use burnside_model::code::{
    Block, Expr, ExprKind, FaultKind, Frame, Operand, Place, Stmt, StmtKind, Undefined,
};

use super::branch::Split;
use super::{Halt, Run, Runner};
use crate::algebra::{Algebra, known};
use crate::value::Value;

impl<'m, A: Algebra> Runner<'_, 'm, A> {
    pub fn block(&mut self, frame: &'m Frame, block: &'m Block) -> Run<(), A> {
        for stmt in block {
            self.tick(stmt.span)?;
            let temporaries = self.memory.len();
            self.statement(frame, stmt)?;
            self.memory.truncate(temporaries);
        }
        Ok(())
    }

    pub fn note_copy(&mut self, value: &Value<A>, span: Span) -> Run<(), A> {
        if self.encoding.semantics.undefined == Undefined::Error {
            self.fail_if(&value.undefined, FaultKind::Undefined, span)?;
        }
        Ok(())
    }

    /// Stores a simple value after checking it.
    fn store(&mut self, frame: &'m Frame, target: &'m Place, value: &Value<A>, span: Span) -> Run<(), A> {
        let address = self.address(frame, target)?;
        self.note_copy(value, span)?;
        let value = self.in_range(target.ty, value, span)?;
        self.write(&address, 0, &Rc::new(value))
    }

    fn statement(&mut self, frame: &'m Frame, stmt: &'m Stmt) -> Run<(), A> {
        match &stmt.kind {
            StmtKind::Assign(target, value) => {
                let value = self.eval_copy(frame, value)?;
                self.store(frame, target, &value, stmt.span)
            }
            StmtKind::Copy(target, source) => {
                let from = self.address(frame, source)?;
                let to = self.address(frame, target)?;
                let values = self.read_all(&from, target.ty)?;
                self.write_all(&to, &values)
            }
            StmtKind::Undefine(target) | StmtKind::Clear(target) => {
                let address = self.address(frame, target)?;
                self.fill(&address, target.ty, matches!(stmt.kind, StmtKind::Clear(_)))
            }
            StmtKind::If(arms, otherwise) => self.if_arms(frame, arms, otherwise),
            StmtKind::Switch(subject, cases, otherwise) => {
                let subject = self.compared(frame, subject)?;
                self.cases(frame, &subject, cases, otherwise)
            }
            StmtKind::For(each, body) => self.iterate(frame, each, &mut |s, _| s.block(frame, body)),
            StmtKind::While(condition, body) => self.while_loop(frame, condition, body, stmt.span),
            StmtKind::Call(call) => {
                let function = &self.encoding.model.functions[call.function as usize];
                let cells = function.result.map_or(0, |ty| self.types()[ty].cells);
                let at = self.grow(cells as usize);
                self.call(frame, call, at)
            }
            StmtKind::Alias(local, target, body) => {
                self.bind_alias(frame, *local, target)?;
                self.block(frame, body)
            }
            StmtKind::Return(operand) => self.return_with(frame, operand.as_ref()),
            StmtKind::PutText(_) => Ok(()),
            // What it writes is nobody's concern, but it may go wrong.
            StmtKind::Put(Operand::Value(e), _) => self.eval_copy(frame, e).map(|_| ()),
            StmtKind::Put(Operand::Place(place), _) => self.address(frame, place).map(|_| ()),
            StmtKind::Error(_) => self.fail(FaultKind::ErrorStatement, stmt.span),
            StmtKind::Assert(condition, _) => {
                let holds = self.eval_bool(frame, condition)?;
                let bad = self.alg.not(&holds)?;
                self.fail_if(&bad, FaultKind::Assertion, stmt.span)
            }
            StmtKind::Assume(condition) => {
                let holds = self.eval_bool(frame, condition)?;
                let bad = self.alg.not(&holds)?;
                self.exclude_if(&bad)
            }
            StmtKind::Cover(condition, property) => {
                let holds = self.eval_bool(frame, condition)?;
                self.cover(&holds, *property)
            }
            StmtKind::MultisetAdd(element, set) => self.multiset_add(frame, element, set, stmt.span),
            StmtKind::MultisetRemove(slot, set) => self.multiset_remove(frame, slot, set, stmt.span),
            StmtKind::MultisetRemovePred(local, set, condition) => {
                self.multiset_remove_pred(frame, *local, set, condition)
            }
        }
    }

    fn if_arms(&mut self, frame: &'m Frame, arms: &'m [(Expr, Block)], otherwise: &'m Block) -> Run<(), A> {
        let Some(((condition, block), rest)) = arms.split_first() else {
            return self.block(frame, otherwise);
        };
        let condition = self.eval_bool(frame, condition)?;
        self.fork(&condition, |s| s.block(frame, block), |s| s.if_arms(frame, rest, otherwise)).map(|_| ())
    }

    fn cases(
        &mut self,
        frame: &'m Frame,
        subject: &Value<A>,
        cases: &'m [(Vec<Expr>, Block)],
        otherwise: &'m Block,
    ) -> Run<(), A> {
        let Some(((values, block), rest)) = cases.split_first() else {
            return self.block(frame, otherwise);
        };
        let mut matched = self.alg.constant(false);
        for value in values {
            let here = match &value.kind {
                ExprKind::Const(_) => self.compared(frame, value)?.same(self.alg, subject)?,
                _ => {
                    let open = self.alg.not(&matched)?;
                    self.where_used(&open, |s| Ok(s.compared(frame, value)?.same(s.alg, subject)?))?
                }
            };
            matched = self.alg.or(&matched, &here)?;
        }
        self.fork(&matched, |s| s.block(frame, block), |s| s.cases(frame, subject, rest, otherwise))
            .map(|_| ())
    }

    /// Iterates until no state goes on. What each iteration did is joined from the last one back.
    fn while_loop(
        &mut self,
        frame: &'m Frame,
        condition: &'m Expr,
        body: &'m Block,
        span: Span,
    ) -> Run<(), A> {
        let mut left = self.encoding.semantics.loop_limit;
        let mut forks = Vec::new();
        let mut iterate = |s: &mut Self| -> Run<bool, A> {
            s.tick(span)?;
            let goes_on = s.eval_bool(frame, condition)?;
            match s.split(&goes_on)? {
                Split::Otherwise => return Ok(false),
                Split::Then => {}
                Split::Both(fork) => {
                    s.take_then(&fork)?;
                    forks.push(fork);
                }
            }
            if left == 0 {
                return s.fail(FaultKind::Loop, span);
            }
            left -= 1;
            s.block(frame, body)?;
            Ok(true)
        };
        let alive = loop {
            match iterate(self) {
                Ok(true) => {}
                Ok(false) => break true,
                Err(Halt::Dead) => {
                    self.path = self.alg.constant(false);
                    break false;
                }
                Err(error) => return Err(error),
            }
        };
        let mut alive = alive;
        while let Some(fork) = forks.pop() {
            self.join_then(&fork, alive)?;
            // Some state left the loop here.
            alive = true;
        }
        if alive { Ok(()) } else { Err(Halt::Dead) }
    }

    fn return_with(&mut self, frame: &'m Frame, operand: Option<&'m Operand>) -> Run<(), A> {
        let at = vec![(self.activation.result_at, self.alg.constant(true))];
        match operand {
            None => {}
            Some(Operand::Value(e)) => {
                let value = if self.encoding.semantics.returns_undefined(self.types(), e) {
                    self.eval_copy(frame, e)?
                } else {
                    self.eval(frame, e)?.defined(self.alg)
                };
                let value = self.in_range(self.activation.result_type, &value, e.span)?;
                self.write(&at, 0, &Rc::new(value))?;
            }
            Some(Operand::Place(place)) => {
                let source = self.address(frame, place)?;
                let values = self.read_all(&source, place.ty)?;
                self.write_all(&at, &values)?;
            }
        }
        let activation = &mut self.activation;
        activation.exits = self.alg.or(&activation.exits, &self.path)?;
        activation.returned = self.alg.or(&activation.returned, &activation.within)?;
        Err(Halt::Dead)
    }

    fn cover(&mut self, holds: &A::F, property: u32) -> Run<(), A> {
        let condition = self.alg.and(&self.path, holds)?;
        if known(self.alg, &condition) == Some(false) {
            return Ok(());
        }
        match self.covers.iter_mut().find(|(p, _)| *p == property) {
            Some((_, covered)) => *covered = self.alg.or(covered, &condition)?,
            None => self.covers.push((property, condition)),
        }
        Ok(())
    }
}
