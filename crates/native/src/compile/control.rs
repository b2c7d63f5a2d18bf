//! Branches and loops.

use burnside_model::code::{Expr, Loop, LoopRange, UNDEFINED};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{
    BlockArg, InstBuilder, StackSlot, StackSlotData, StackSlotKind, Type, Value, types,
};

use super::places::{Addr, Base, Placed};
use super::values::{Cond, Val};
use super::{Emit, Run, unsupported};
use crate::context::offset;

/// The most cells of locals in one function.
const MAX_STACK: u32 = 8192;

/// What is done in each iteration.
type Body<'a, 'e, 'b> = dyn FnMut(&mut Emit<'e, 'b>, Val) -> Run<()> + 'a;

impl<'e, 'b> Emit<'e, 'b> {
    /// What follows a jump is never reached, but has to be somewhere.
    pub fn unreachable(&mut self) {
        let block = self.b.create_block();
        self.b.switch_to_block(block);
        self.poison = None;
        self.suspects.clear();
    }

    /// Leaves the instance to the interpreter.
    pub fn give_up(&mut self) {
        self.b.ins().jump(self.redo, &[]);
        self.unreachable();
    }

    /// One value or the other.
    pub fn branch(
        &mut self,
        cond: Cond,
        yes: impl FnOnce(&mut Self) -> Run<Value>,
        no: impl FnOnce(&mut Self) -> Run<Value>,
        ty: Type,
    ) -> Run<Value> {
        self.settle();
        let cond = self.cond_register(cond);
        let (then, otherwise, end) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let result = self.b.append_block_param(end, ty);
        self.b.ins().brif(cond, then, &[], otherwise, &[]);
        self.b.switch_to_block(then);
        let before = self.known.mark();
        let value = yes(self)?;
        self.settle();
        self.b.ins().jump(end, &[BlockArg::Value(value)]);
        let changed = self.known.back(before);
        self.b.switch_to_block(otherwise);
        self.apart(|this| {
            let value = no(this)?;
            this.settle();
            this.b.ins().jump(end, &[BlockArg::Value(value)]);
            Ok(())
        })?;
        self.known.forget_all(&changed);
        self.b.switch_to_block(end);
        Ok(result)
    }

    /// Code for one case.
    pub fn when(&mut self, cond: Cond, then: impl FnOnce(&mut Self) -> Run<()>) -> Run<()> {
        self.either(cond, then, |_| Ok(()))
    }

    /// Code for both cases.
    pub fn either(
        &mut self,
        cond: Cond,
        yes: impl FnOnce(&mut Self) -> Run<()>,
        no: impl FnOnce(&mut Self) -> Run<()>,
    ) -> Run<()> {
        self.settle();
        let cond = match cond {
            Cond::Const(true) => return yes(self),
            Cond::Const(false) => return no(self),
            Cond::Is(cond) => cond,
        };
        let (then, otherwise, end) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        self.b.ins().brif(cond, then, &[], otherwise, &[]);
        self.b.switch_to_block(then);
        let before = self.known.mark();
        self.suppose(cond, true);
        yes(self)?;
        self.settle();
        self.b.ins().jump(end, &[]);
        let changed = self.known.back(before);
        self.b.switch_to_block(otherwise);
        self.apart(|this| {
            this.suppose(cond, false);
            no(this)?;
            this.settle();
            this.b.ins().jump(end, &[]);
            Ok(())
        })?;
        self.known.forget_all(&changed);
        self.b.switch_to_block(end);
        Ok(())
    }

    /// All iterations, one behind the other, without branches between them.
    pub fn each_unrolled(&mut self, each: &Loop, body: &mut Body<'_, 'e, 'b>) -> Run<()> {
        for value in self.unit.values(each).unwrap_or_default() {
            body(self, Val::constant(value))?;
        }
        Ok(())
    }

    /// All iterations of a loop whose body has this size, unrolled if that is not too large.
    pub fn each(&mut self, each: &Loop, cost: u64, body: &mut Body<'_, 'e, 'b>) -> Run<()> {
        if let Some(values) = self.unit.values(each) {
            if (values.len() as u64).saturating_mul(cost) <= self.unit.unroll.get() {
                for value in values {
                    self.settle();
                    body(self, Val::constant(value))?;
                }
                return Ok(());
            }
            let (Some(first), Some(last)) = (values.first(), values.last()) else { return Ok(()) };
            let by = values.get(1).map_or(1, |second| second - first);
            return self.rolled(Val::constant(*first), Val::constant(*last), by, body);
        }
        match &each.range {
            LoopRange::Type(ty) => {
                let (lo, hi) = self.unit.model.types.bounds(*ty);
                if lo > hi {
                    return Ok(());
                }
                self.rolled(Val::constant(lo), Val::constant(hi), 1, body)
            }
            LoopRange::Span(from, to, None) => {
                let (from, to) = (self.eval(from)?, self.eval(to)?);
                let some = self.order(burnside_model::code::OrderOp::Le, from, to);
                self.when(some, |this| this.rolled(from, to, 1, body))
            }
            LoopRange::Span(from, to, Some(by)) => self.stepped(from, to, by, body),
        }
    }

    /// `count` iterations from 0.
    pub fn each_of(&mut self, count: i64, cost: u64, body: &mut Body<'_, 'e, 'b>) -> Run<()> {
        if (count as u64).saturating_mul(cost) <= self.unit.unroll.get() || count == 1 {
            for i in 0..count {
                body(self, Val::constant(i))?;
            }
            return Ok(());
        }
        if count == 0 {
            return Ok(());
        }
        self.rolled(Val::constant(0), Val::constant(count - 1), 1, body)
    }

    /// From `first` to `last`, at least once.
    pub fn rolled(&mut self, first: Val, last: Val, by: i64, body: &mut Body<'_, 'e, 'b>) -> Run<()> {
        self.settle();
        let (header, next, end) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let index = self.b.append_block_param(header, types::I64);
        let start = self.register(first);
        let stop = self.register(last);
        self.b.ins().jump(header, &[BlockArg::Value(start)]);
        self.b.switch_to_block(header);
        let distance = (i128::from(last.off) - i128::from(first.off)) / i128::from(by);
        if first.known().is_none() || last.known().is_none() || distance > 64 {
            self.burn();
        }
        let (lo, hi) = (first.lo.min(last.lo), first.hi.max(last.hi));
        self.repeated(|this| {
            body(this, Val { base: Some(index), off: 0, lo, hi, exact: first.exact && last.exact })?;
            this.settle();
            Ok(())
        })?;
        let done = self.b.ins().icmp(IntCC::Equal, index, stop);
        self.b.ins().brif(done, end, &[], next, &[]);
        self.b.switch_to_block(next);
        let more = self.b.ins().iadd_imm_s(index, by);
        self.b.ins().jump(header, &[BlockArg::Value(more)]);
        self.b.switch_to_block(end);
        Ok(())
    }

    /// A loop with a step that is not known.
    fn stepped(&mut self, from: &Expr, to: &Expr, by: &Expr, body: &mut Body<'_, 'e, 'b>) -> Run<()> {
        let (from, to, by) = (self.eval(from)?, self.eval(to)?, self.eval(by)?);
        let limit = (-(1 << 60), 1 << 60);
        for val in [from, to, by] {
            let outside = self.outside(val, limit);
            self.poison_if(outside);
        }
        let zero = self.equal(by, Val::constant(0));
        self.poison_if(zero);
        self.settle();
        let (a, z, step) = (self.register(from), self.register(to), self.register(by));
        // Away from the end: the distance and the step have different signs.
        let distance = self.b.ins().isub(z, a);
        let signs = self.b.ins().bxor(distance, step);
        let different = self.compare_imm(IntCC::SignedLessThan, signs, 0);
        let some = self.compare_imm(IntCC::NotEqual, distance, 0);
        let away = self.b.ins().band(different, some);
        self.poison_if(Cond::Is(away));
        self.settle();
        let left = self.b.ins().sdiv(distance, step);
        let left = self.b.ins().imul(left, step);
        let last = self.b.ins().iadd(a, left);
        let (header, next, end) = (self.b.create_block(), self.b.create_block(), self.b.create_block());
        let index = self.b.append_block_param(header, types::I64);
        self.b.ins().jump(header, &[BlockArg::Value(a)]);
        self.b.switch_to_block(header);
        self.burn();
        let bounds = (from.lo.min(to.lo).max(limit.0), from.hi.max(to.hi).min(limit.1));
        self.repeated(|this| {
            body(this, Val::register(index, bounds.0, bounds.1))?;
            this.settle();
            Ok(())
        })?;
        let done = self.b.ins().icmp(IntCC::Equal, index, last);
        self.b.ins().brif(done, end, &[], next, &[]);
        self.b.switch_to_block(next);
        let more = self.b.ins().iadd(index, step);
        self.b.ins().jump(header, &[BlockArg::Value(more)]);
        self.b.switch_to_block(end);
        Ok(())
    }

    /// Counts an iteration: an instance that runs very long is for the interpreter, which looks at the clock.
    pub fn burn(&mut self) {
        let fuel = self.b.ins().load(types::I64, self.flags.context, self.context, offset::FUEL);
        let fuel = self.b.ins().iadd_imm_s(fuel, -1);
        self.b.ins().store(self.flags.context, fuel, self.context, offset::FUEL);
        let out = self.compare_imm(IntCC::SignedLessThan, fuel, 0);
        self.poison_if(Cond::Is(out));
        self.settle();
    }

    /// A stack slot of undefined cells.
    pub fn undefined_slot(&mut self, cells: u32) -> Run<StackSlot> {
        let cells = cells.max(1);
        let slot = match self.free_slots.iter().position(|(size, _)| *size == cells) {
            Some(at) => self.free_slots.swap_remove(at).1,
            None => {
                self.stack += cells;
                if self.stack > MAX_STACK {
                    return Err(unsupported("very large locals"));
                }
                let data = StackSlotData::new(StackSlotKind::ExplicitSlot, cells * 8, 3);
                self.b.create_sized_stack_slot(data)
            }
        };
        self.used_slots.push((cells, slot));
        let nothing = self.iconst(UNDEFINED);
        let (local, place) = (self.flags.local, Placed::Local(Base::Slot(slot), Addr::default()));
        self.each_of(i64::from(cells), 8, &mut |this, i| {
            if let Placed::Local(base, addr) = this.element(&place, i, i64::from(cells), 1) {
                let address = this.local_address(base, &addr);
                this.b.ins().store(local, nothing, address, 0);
            }
            Ok(())
        })?;
        Ok(slot)
    }

    /// Gives back the stack slots that came into use since there were so many.
    pub fn release_slots(&mut self, mark: usize) {
        self.free_slots.extend(self.used_slots.drain(mark..));
    }
}
