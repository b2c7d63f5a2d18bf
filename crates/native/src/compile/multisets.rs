//! Multisets: per slot a flag "in use", then the element.

use burnside_model::code::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, types};

use super::places::Placed;
use super::values::{Cond, Val};
use super::{Emit, Run, unsupported};

impl Emit<'_, '_> {
    /// How many elements satisfy a condition.
    pub fn count(&mut self, local: LocalId, set: &Place, condition: &Expr) -> Run<Val> {
        let ty = set.ty;
        let set = self.place(set)?;
        self.settle();
        let total = self.b.declare_var(types::I64);
        let zero = self.iconst(0);
        self.b.def_var(total, zero);
        let capacity = self.unit.multiset(ty).0;
        let cost = self.unit.cost_expr(condition) + 4;
        self.each_of(capacity, cost, &mut |this, slot| {
            let used = this.in_use(&set, ty, slot);
            this.when(used, |this| {
                this.bind_value(local, slot);
                let holds = this.eval_cond(condition)?;
                let holds = this.cond_val(holds);
                let holds = this.register(holds);
                let so_far = this.b.use_var(total);
                let sum = this.b.ins().iadd(so_far, holds);
                this.b.def_var(total, sum);
                Ok(())
            })
        })?;
        Ok(Val::register(self.b.use_var(total), 0, capacity))
    }

    /// The address of a slot that must be in use.
    pub fn slot_in_use(&mut self, set: &Placed, ty: TypeId, slot: Val) -> Placed {
        let (capacity, stride) = self.unit.multiset(ty);
        let outside = self.outside(slot, (0, capacity - 1));
        self.poison_if(outside);
        let used = self.in_use(set, ty, slot);
        let unused = self.not(used);
        self.poison_if(unused);
        self.element(set, slot, capacity, stride)
    }

    pub fn in_use(&mut self, set: &Placed, ty: TypeId, slot: Val) -> Cond {
        let (capacity, stride) = self.unit.multiset(ty);
        let at = self.element(set, slot, capacity, stride);
        self.flag(&at)
    }

    /// The "in use" at a place.
    pub fn flag(&mut self, at: &Placed) -> Cond {
        match at {
            Placed::State(addr) => {
                let bits = self.load_bits(addr, 1);
                Cond::Is(self.compare_imm(IntCC::NotEqual, bits, 0))
            }
            Placed::Local(slot, addr) => {
                let address = self.local_address(*slot, addr);
                let value = self.b.ins().load(types::I64, self.flags.local, address, 0);
                Cond::Is(self.compare_imm(IntCC::Equal, value, 1))
            }
            _ => Cond::Const(false),
        }
    }

    /// Says whether a slot is in use.
    pub fn store_flag(&mut self, at: &Placed, used: Cond) {
        match at {
            Placed::State(addr) => {
                let bits = match used {
                    Cond::Const(used) => Ok(u64::from(used)),
                    Cond::Is(used) => Err(self.b.ins().uextend(types::I64, used)),
                };
                self.store_bits(addr, 1, bits);
            }
            Placed::Local(slot, addr) => {
                let used = self.cond_val(used);
                let used = self.register(used);
                let address = self.local_address(*slot, addr);
                self.b.ins().store(self.flags.local, used, address, 0);
            }
            _ => {}
        }
    }

    /// Adds an element, which is evaluated before the set.
    pub fn multiset_add(&mut self, element: &Operand, set: &Place) -> Run<()> {
        let ty = set.ty;
        let TypeKind::Multiset { element: element_ty, .. } = self.unit.model.types[ty].kind else {
            return Err(unsupported("an addition to no multiset"));
        };
        if self.unit.straight_place(set).is_none() {
            return Err(unsupported("an addition to a multiset that is computed"));
        }
        let content = match element {
            Operand::Value(e) => {
                let value = self.eval_copy(e)?;
                self.note_copy(value, e.span);
                self.check_range(value, self.unit.model.types.bounds(element_ty));
                Placed::Value(value)
            }
            Operand::Place(place) => self.place(place)?,
        };
        let set = self.place(set)?;
        let slot = self.free_slot(ty, &set)?;
        let inside = self.further(&slot, 1);
        match content {
            Placed::Value(value) => self.store(&inside, element_ty, value),
            place => self.copy(element_ty, &place, &inside)?,
        }
        self.store_flag(&slot, Cond::Const(true));
        Ok(())
    }

    /// The first slot that is not in use, found from the last to the first.
    fn free_slot(&mut self, ty: TypeId, set: &Placed) -> Run<Placed> {
        let (capacity, stride) = self.unit.multiset(ty);
        self.settle();
        let free = self.b.declare_var(types::I64);
        let none = self.iconst(capacity);
        self.b.def_var(free, none);
        self.each_of(capacity, 8, &mut |this, i| {
            let last = this.arith(ArithOp::Sub, Val::constant(capacity - 1), i);
            let used = this.in_use(set, ty, last);
            let (used, last, so_far) = (this.cond_register(used), this.register(last), this.b.use_var(free));
            let now = this.b.ins().select(used, so_far, last);
            this.b.def_var(free, now);
            Ok(())
        })?;
        let free = self.b.use_var(free);
        let full = self.compare_imm(IntCC::Equal, free, capacity);
        self.poison_if(Cond::Is(full));
        self.settle();
        Ok(self.element(set, Val::register(free, 0, capacity - 1), capacity, stride))
    }

    pub fn empty_slot(&mut self, ty: TypeId, slot: &Placed) -> Run<()> {
        let TypeKind::Multiset { element, .. } = self.unit.model.types[ty].kind else {
            return Err(unsupported("a removal from no multiset"));
        };
        self.store_flag(slot, Cond::Const(false));
        let inside = self.further(slot, 1);
        self.fill(element, &inside, false)
    }

    /// Removes the elements that satisfy a condition.
    pub fn multiset_remove_where(&mut self, local: LocalId, set: &Place, condition: &Expr) -> Run<()> {
        let ty = set.ty;
        let (capacity, stride) = self.unit.multiset(ty);
        if capacity > 64 {
            return Err(unsupported("`multisetremovepred` of more than 64 elements"));
        }
        let set = self.place(set)?;
        self.settle();
        let doomed = self.b.declare_var(types::I64);
        let none = self.iconst(0);
        self.b.def_var(doomed, none);
        let cost = self.unit.cost_expr(condition) + 6;
        self.each_of(capacity, cost, &mut |this, i| {
            let used = this.in_use(&set, ty, i);
            this.when(used, |this| {
                this.bind_value(local, i);
                let holds = this.eval_cond(condition)?;
                let holds = this.cond_val(holds);
                let (holds, i) = (this.register(holds), this.register(i));
                let bit = this.b.ins().ishl(holds, i);
                let so_far = this.b.use_var(doomed);
                let now = this.b.ins().bor(so_far, bit);
                this.b.def_var(doomed, now);
                Ok(())
            })
        })?;
        self.each_of(capacity, 6 * stride as u64, &mut |this, i| {
            let (all, index) = (this.b.use_var(doomed), this.register(i));
            let bit = this.b.ins().ushr(all, index);
            let bit = this.b.ins().band_imm_u(bit, 1);
            let doomed = this.compare_imm(IntCC::NotEqual, bit, 0);
            this.when(Cond::Is(doomed), |this| {
                let slot = this.element(&set, i, capacity, stride);
                this.empty_slot(ty, &slot)
            })
        })
    }
}
