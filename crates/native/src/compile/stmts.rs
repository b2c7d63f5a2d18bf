//! Statements.

use burnside_model::Span;
use burnside_model::code::*;
use cranelift_codegen::ir::{InstBuilder, types};

use super::values::{Cond, Copied};
use super::{Emit, Run, unsupported};
use crate::context::offset;

impl Emit<'_, '_> {
    pub fn block(&mut self, block: &Block) -> Run<()> {
        block.iter().try_for_each(|stmt| self.statement(stmt))
    }

    /// Notes that an undefined value is copied, if it is. The first time, the interpreter does so.
    pub fn note_copy(&mut self, value: Copied, span: Span) {
        let undefined = match self.undefined(value) {
            Cond::Const(false) => return,
            undefined => undefined,
        };
        if self.unit.semantics.undefined == Undefined::Error {
            self.poison_if(undefined);
            return;
        }
        let site = self.unit.site(span) as i32;
        let (seen, first, next) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.set_cold_block(first);
        let undefined = self.cond_register(undefined);
        self.b.ins().brif(undefined, seen, &[], next, &[]);
        self.b.switch_to_block(seen);
        let sites = self.b.ins().load(types::I64, self.flags.constant, self.context, offset::SITES);
        let noted = self.b.ins().load(types::I8, self.flags.context, sites, site);
        self.b.ins().brif(noted, next, &[], first, &[]);
        self.b.switch_to_block(first);
        if let Some(poison) = self.poison {
            let sound = self.b.create_block();
            self.b.ins().brif(poison, self.redo, &[], sound, &[]);
            self.b.switch_to_block(sound);
        }
        let yes = self.bit(true);
        self.b.ins().store(self.flags.context, yes, sites, site);
        self.b.ins().jump(self.redo, &[]);
        self.b.switch_to_block(next);
    }

    fn statement(&mut self, stmt: &Stmt) -> Run<()> {
        match &stmt.kind {
            StmtKind::Assign(target, value) => {
                let value = self.eval_copy(value)?;
                let place = self.place(target)?;
                self.note_copy(value, stmt.span);
                self.check_range(value, self.unit.model.types.bounds(target.ty));
                self.store(&place, target.ty, value);
            }
            StmtKind::Copy(target, source) => {
                let source = self.place(source)?;
                let place = self.place(target)?;
                self.copy(target.ty, &source, &place)?;
            }
            StmtKind::Undefine(target) => {
                let place = self.place(target)?;
                self.fill(target.ty, &place, false)?;
            }
            StmtKind::Clear(target) => {
                let place = self.place(target)?;
                self.fill(target.ty, &place, true)?;
            }
            StmtKind::If(arms, otherwise) => self.arms(arms, otherwise)?,
            StmtKind::Switch(subject, cases, otherwise) => {
                let subject = self.compared(subject)?;
                self.cases(subject, cases, otherwise)?;
            }
            StmtKind::For(each, body) => {
                let cost = self.unit.cost_block(body);
                self.each(each, cost, &mut |this, val| {
                    this.bind_value(each.local, val);
                    this.block(body)
                })?;
            }
            StmtKind::While(condition, body) => self.while_loop(condition, body)?,
            StmtKind::Call(call) => {
                let function = &self.unit.model.functions[call.function as usize];
                match function.result {
                    Some(ty) if !self.unit.model.types.is_simple(ty) => {
                        self.call_aggregate(call)?;
                    }
                    Some(_) => {
                        self.call_simple(call, (0, 0))?;
                    }
                    None => self.call(call, None, None)?,
                }
            }
            StmtKind::Alias(local, target, body) => {
                self.bind_alias(*local, target)?;
                self.block(body)?;
            }
            StmtKind::Return(operand) => self.return_(operand.as_ref())?,
            StmtKind::PutText(_) | StmtKind::Put(..) | StmtKind::Error(_) => {
                self.settle();
                self.give_up();
            }
            StmtKind::Assert(condition, _) => {
                let holds = self.eval_cond(condition)?;
                let fails = self.not(holds);
                self.poison_if(fails);
            }
            StmtKind::Assume(condition) => {
                let holds = self.eval_cond(condition)?;
                self.settle();
                let holds = self.cond_register(holds);
                let next = self.b.create_block();
                self.b.ins().brif(holds, next, &[], self.excluded, &[]);
                self.b.switch_to_block(next);
            }
            StmtKind::Cover(condition, property) => {
                if !self.in_body {
                    return Err(unsupported("a cover statement called by a condition"));
                }
                let holds = self.eval_cond(condition)?;
                let property = i64::from(*property);
                self.when(holds, |this| {
                    let property = this.iconst(property);
                    let signature = this.signatures.one;
                    this.call_helper(signature, crate::context::cover as *const () as i64, &[property]);
                    Ok(())
                })?;
            }
            StmtKind::MultisetAdd(element, set) => self.multiset_add(element, set)?,
            StmtKind::MultisetRemove(slot, set) => {
                let ty = set.ty;
                let set = self.place(set)?;
                let slot = self.eval(slot)?;
                let slot = self.slot_in_use(&set, ty, slot);
                self.empty_slot(ty, &slot)?;
            }
            StmtKind::MultisetRemovePred(local, set, condition) => {
                self.multiset_remove_where(*local, set, condition)?;
            }
        }
        Ok(())
    }

    fn arms(&mut self, arms: &[(Expr, Block)], otherwise: &Block) -> Run<()> {
        let Some(((condition, block), rest)) = arms.split_first() else { return self.block(otherwise) };
        let condition = self.eval_cond(condition)?;
        self.either(condition, |this| this.block(block), |this| this.arms(rest, otherwise))
    }

    fn cases(&mut self, subject: Copied, cases: &[(Vec<Expr>, Block)], otherwise: &Block) -> Run<()> {
        let Some(((values, block), rest)) = cases.split_first() else { return self.block(otherwise) };
        let mut found = Cond::Const(false);
        for value in values {
            let straight = self.unit.straight(value).is_some();
            if !straight {
                return Err(unsupported("a case that is no simple expression"));
            }
            let open = self.not(found);
            let equal = self.masked(open, |this| {
                let value = this.compared(value)?;
                Ok(this.equal_or_undefined(subject, value))
            })?;
            found = self.or(found, equal);
        }
        self.either(found, |this| this.block(block), |this| this.cases(subject, rest, otherwise))
    }

    fn while_loop(&mut self, condition: &Expr, body: &Block) -> Run<()> {
        self.settle();
        let left = self.b.declare_var(types::I64);
        let limit = self.iconst(i64::try_from(self.unit.semantics.loop_limit).unwrap_or(i64::MAX));
        self.b.def_var(left, limit);
        let (header, inside, end) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.ins().jump(header, &[]);
        self.b.switch_to_block(header);
        self.repeated(|this| {
            let holds = this.eval_cond(condition)?;
            this.settle();
            let holds = this.cond_register(holds);
            this.b.ins().brif(holds, inside, &[], end, &[]);
            this.b.switch_to_block(inside);
            let now = this.b.use_var(left);
            let none = this.compare_imm(cranelift_codegen::ir::condcodes::IntCC::Equal, now, 0);
            this.poison_if(Cond::Is(none));
            let less = this.b.ins().iadd_imm_s(now, -1);
            this.b.def_var(left, less);
            this.burn();
            this.block(body)?;
            this.settle();
            this.b.ins().jump(header, &[]);
            Ok(())
        })?;
        self.b.switch_to_block(end);
        Ok(())
    }

    pub fn bind_alias(&mut self, local: LocalId, operand: &Operand) -> Run<()> {
        let bound = match operand {
            Operand::Value(e) => super::places::Placed::Value(self.eval_copy(e)?),
            Operand::Place(place) => self.place(place)?,
        };
        self.locals[local.0 as usize] = Some(bound);
        Ok(())
    }

    fn return_(&mut self, operand: Option<&Operand>) -> Run<()> {
        let returns = self.returns.clone().ok_or_else(|| unsupported("a return from nowhere"))?;
        match operand {
            None => {}
            Some(Operand::Value(e)) => {
                let value = if self.unit.semantics.returns_undefined(&self.unit.model.types, e) {
                    let value = self.eval_copy(e)?;
                    self.note_use(value, e.span);
                    value
                } else {
                    Copied::Value(self.eval(e)?)
                };
                self.check_range(value, returns.bounds);
                let value = self.cell(value);
                if let Some(variable) = returns.simple {
                    self.b.def_var(variable, value);
                }
            }
            Some(Operand::Place(place)) => {
                let source = self.place(place)?;
                if let Some(target) = &returns.aggregate {
                    self.copy(place.ty, &source, target)?;
                }
            }
        }
        self.settle();
        self.b.ins().jump(returns.exit, &[]);
        self.unreachable();
        Ok(())
    }
}
