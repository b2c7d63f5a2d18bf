//! Multisets: their slots, what is added and removed, and the order of slots in a state.

use std::rc::Rc;

use burnside_model::Span;
use burnside_model::code::{Cell, Expr, FaultKind, Frame, LocalId, Operand, Place, TypeId, TypeKind};

use super::{Address, Run, Runner};
use crate::algebra::{Algebra, known};
use crate::number::Number;
use crate::value::Value;

/// The cells of a slot.
type Slot<A> = Vec<Rc<Value<A>>>;

impl<'m, A: Algebra> Runner<'_, 'm, A> {
    /// Capacity and cells per slot of a multiset type.
    fn multiset(&self, ty: TypeId) -> (usize, usize) {
        match self.types()[ty].kind {
            TypeKind::Multiset { capacity, element } => {
                (capacity as usize, self.types()[element].cells as usize + 1)
            }
            _ => (0, 1),
        }
    }

    /// Whether a slot is in use.
    fn used(&mut self, set: &Address<A>, offset: usize) -> Run<A::F, A> {
        let flag = self.read(set, offset)?;
        let one = flag.number.is(self.alg, 1)?;
        let defined = self.alg.not(&flag.undefined)?;
        Ok(self.alg.and(&one, &defined)?)
    }

    /// The slots, each with the states in which it is in use.
    pub fn slots_in_use(&mut self, frame: &'m Frame, set: &'m Place) -> Run<Vec<(Cell, A::F)>, A> {
        let address = self.address(frame, set)?;
        let (capacity, stride) = self.multiset(set.ty);
        let mut slots = Vec::with_capacity(capacity);
        for slot in 0..capacity {
            let used = self.used(&address, slot * stride)?;
            if !self.alg.is_false(&used) {
                slots.push((slot as Cell, used));
            }
        }
        Ok(slots)
    }

    /// So many cells behind the start of a slot, which must be in use.
    pub fn slot(
        &mut self,
        set: &Address<A>,
        ty: TypeId,
        slot: &Number<A>,
        span: Span,
        offset: usize,
    ) -> Run<Rc<Address<A>>, A> {
        let (capacity, stride) = self.multiset(ty);
        let range = (0, capacity as i128 - 1);
        let outside = slot.outside(self.alg, range.0, range.1)?;
        self.fail_if(&outside, FaultKind::Index, span)?;
        let address = self.indexed(set, slot, range, stride, 0)?;
        let used = self.used(&address, 0)?;
        let unused = self.alg.not(&used)?;
        self.fail_if(&unused, FaultKind::Index, span)?;
        Ok(Rc::new(address.iter().map(|(at, here)| (at + offset, here.clone())).collect()))
    }

    /// Empties a slot where a condition holds.
    fn empty_slot(&mut self, condition: &A::F, slot: &Address<A>, offset: usize, ty: TypeId) -> Run<(), A> {
        let (_, stride) = self.multiset(ty);
        let unused = Rc::new(Value::constant(self.alg, 0));
        self.write_if(condition, slot, offset, &unused)?;
        let undefined = self.undefined.clone();
        for cell in 1..stride {
            self.write_if(condition, slot, offset + cell, &undefined)?;
        }
        Ok(())
    }

    pub fn multiset_add(
        &mut self,
        frame: &'m Frame,
        element: &'m Operand,
        set: &'m Place,
        span: Span,
    ) -> Run<(), A> {
        let (capacity, stride) = self.multiset(set.ty);
        let content = match element {
            Operand::Value(e) => {
                let mut value = self.eval_copy(frame, e)?;
                self.note_copy(&value, e.span)?;
                if let TypeKind::Multiset { element, .. } = self.types()[set.ty].kind {
                    value = self.in_range(element, &value, e.span)?;
                }
                vec![Rc::new(value)]
            }
            Operand::Place(place) => {
                let source = self.address(frame, place)?;
                (0..stride - 1).map(|cell| self.read(&source, cell)).collect::<Result<_, _>>()?
            }
        };
        let address = self.address(frame, set)?;
        // The first slot that is free: all before it are in use.
        let mut before = self.alg.constant(true);
        let mut firsts = Vec::with_capacity(capacity);
        for slot in 0..capacity {
            let used = self.used(&address, slot * stride)?;
            let free = self.alg.not(&used)?;
            firsts.push(self.alg.and(&before, &free)?);
            before = self.alg.and(&before, &used)?;
        }
        self.fail_if(&before, FaultKind::MultisetFull, span)?;
        let used = Rc::new(Value::constant(self.alg, 1));
        for (slot, first) in firsts.iter().enumerate() {
            if self.alg.is_false(first) {
                continue;
            }
            for (cell, value) in (1..).zip(&content) {
                self.write_if(first, &address, slot * stride + cell, value)?;
            }
            self.write_if(first, &address, slot * stride, &used)?;
        }
        Ok(())
    }

    pub fn multiset_remove(
        &mut self,
        frame: &'m Frame,
        slot: &'m Expr,
        set: &'m Place,
        span: Span,
    ) -> Run<(), A> {
        let address = self.address(frame, set)?;
        let slot = self.eval(frame, slot)?;
        let slot = self.slot(&address, set.ty, &slot, span, 0)?;
        let always = self.alg.constant(true);
        self.empty_slot(&always, &slot, 0, set.ty)
    }

    pub fn multiset_remove_pred(
        &mut self,
        frame: &'m Frame,
        local: LocalId,
        set: &'m Place,
        condition: &'m Expr,
    ) -> Run<(), A> {
        let address = self.address(frame, set)?;
        let (_, stride) = self.multiset(set.ty);
        // Decide for all before removing any, so that the condition sees the set as it was.
        let mut doomed = Vec::new();
        for (slot, used) in self.slots_in_use(frame, set)? {
            self.set_constant(frame, local, slot);
            let goes = self.where_used(&used, |s| s.eval_bool(frame, condition))?;
            doomed.push((slot as usize, goes));
        }
        for (slot, goes) in doomed {
            self.empty_slot(&goes, &address, slot * stride, set.ty)?;
        }
        Ok(())
    }

    /// Sorts the slots of every multiset in a value: those in use first, by content.
    pub fn normalise(&mut self, ty: TypeId, cells: &mut [Rc<Value<A>>]) -> Run<(), A> {
        let types = self.types();
        if !types[ty].has_multiset {
            return Ok(());
        }
        match &types[ty].kind {
            TypeKind::Array { element, .. } => {
                let stride = types[*element].cells as usize;
                for part in cells[..types[ty].cells as usize].chunks_mut(stride.max(1)) {
                    self.normalise(*element, part)?;
                }
            }
            TypeKind::Record(fields) => {
                for field in fields {
                    self.normalise(field.ty, &mut cells[field.offset as usize..])?;
                }
            }
            TypeKind::Multiset { element, .. } => {
                let stride = types[*element].cells as usize + 1;
                self.sort(&mut cells[..types[ty].cells as usize], stride, &[])?;
            }
            _ => {}
        }
        Ok(())
    }

    /// Sorts slots; those that are known to be in order already are `kept`.
    pub fn sort(&mut self, cells: &mut [Rc<Value<A>>], stride: usize, kept: &[usize]) -> Run<(), A> {
        for flag in cells.iter_mut().step_by(stride) {
            // A local starts with all cells undefined: its slots are not in use either.
            let one = flag.number.is(self.alg, 1)?;
            let defined = self.alg.not(&flag.undefined)?;
            let used = self.alg.and(&one, &defined)?;
            *flag = Rc::new(Value::truth(self.alg, used));
        }
        let mut sorted = Vec::with_capacity(cells.len() / stride);
        let mut others = Vec::new();
        for (number, slot) in cells.chunks(stride).enumerate() {
            if kept.contains(&number) { &mut sorted } else { &mut others }.push(slot.to_vec());
        }
        for slot in others {
            self.insert(&mut sorted, slot)?;
        }
        for (cell, value) in cells.iter_mut().zip(sorted.into_iter().flatten()) {
            *cell = value;
        }
        Ok(())
    }

    /// Puts a slot where it belongs among others that are in order. Each place then depends on what was there, on what
    /// was one before it, and on the new one, but not on all others, as it would after exchanging neighbours.
    fn insert(&mut self, sorted: &mut Vec<Slot<A>>, slot: Slot<A>) -> Run<(), A> {
        let before = std::mem::take(sorted);
        let mut passed = self.alg.constant(true);
        for (number, here) in before.iter().enumerate() {
            // Whether the new one's place is this or an earlier one.
            let moves = self.precedes(&slot, here)?;
            let place = match number.checked_sub(1) {
                Some(last) => self.either(&passed, &slot, &before[last])?,
                None => slot.clone(),
            };
            sorted.push(self.either(&moves, &place, here)?);
            passed = self.alg.not(&moves)?;
        }
        sorted.push(match before.last() {
            Some(last) => self.either(&passed, &slot, last)?,
            None => slot,
        });
        Ok(())
    }

    /// The one slot where a condition holds, else the other.
    fn either(&mut self, condition: &A::F, one: &[Rc<Value<A>>], other: &[Rc<Value<A>>]) -> Run<Slot<A>, A> {
        let either = |(a, b): (&Rc<Value<A>>, &Rc<Value<A>>)| match known(self.alg, condition) {
            Some(true) => Ok(a.clone()),
            Some(false) => Ok(b.clone()),
            None => Ok(Rc::new(Value::ite(self.alg, condition, a, b)?)),
        };
        one.iter().zip(other).map(either).collect()
    }

    /// Whether one slot comes before another that has other contents: those in use do, then the lesser.
    fn precedes(&mut self, one: &[Rc<Value<A>>], other: &[Rc<Value<A>>]) -> Run<A::F, A> {
        // From the last cell on: an earlier cell that differs overrules.
        let mut precedes = self.alg.constant(false);
        for (cell, (a, b)) in one.iter().zip(other).enumerate().rev() {
            let (less, greater) = match cell {
                0 => (b.less(self.alg, a)?, a.less(self.alg, b)?),
                _ => (a.less(self.alg, b)?, b.less(self.alg, a)?),
            };
            let kept = self.alg.not(&greater)?;
            let later = self.alg.and(&kept, &precedes)?;
            precedes = self.alg.or(&less, &later)?;
        }
        Ok(precedes)
    }
}
