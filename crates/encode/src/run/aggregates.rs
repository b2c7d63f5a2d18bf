//! Whole records, arrays and multisets, cell by cell.

use std::rc::Rc;

use burnside_model::code::{TypeId, TypeKind, Types};

use super::{Address, Run, Runner};
use crate::algebra::Algebra;
use crate::value::Value;

/// What `clear` or `undefine` writes into the cells of a type: none is undefined.
fn contents(types: &Types, ty: TypeId, clear: bool, found: &mut Vec<Option<i64>>) {
    match &types[ty].kind {
        TypeKind::Array { index, element } if types[*element].cells > 0 => {
            for _ in 0..types.size(*index) {
                contents(types, *element, clear, found);
            }
        }
        TypeKind::Array { .. } => {}
        TypeKind::Record(fields) => {
            for field in fields {
                contents(types, field.ty, clear, found);
            }
        }
        TypeKind::Multiset { capacity, element } => {
            for _ in 0..*capacity {
                found.push(Some(0));
                contents(types, *element, false, found);
            }
        }
        _ => found.push(clear.then_some(types.bounds(ty).0)),
    }
}

impl<A: Algebra> Runner<'_, '_, A> {
    /// Every cell of a value.
    pub fn read_all(&mut self, address: &Address<A>, ty: TypeId) -> Run<Vec<Rc<Value<A>>>, A> {
        (0..self.types()[ty].cells as usize).map(|offset| self.read(address, offset)).collect()
    }

    pub fn write_all(&mut self, address: &Address<A>, values: &[Rc<Value<A>>]) -> Run<(), A> {
        values.iter().enumerate().try_for_each(|(offset, value)| self.write(address, offset, value))
    }

    /// Every cell becomes the least value of its type, or undefined; every multiset empty.
    pub fn fill(&mut self, address: &Address<A>, ty: TypeId, clear: bool) -> Run<(), A> {
        let mut found = Vec::new();
        contents(self.types(), ty, clear, &mut found);
        for (offset, content) in found.into_iter().enumerate() {
            let value = match content {
                Some(value) => Rc::new(Value::constant(self.alg, value)),
                None => self.undefined.clone(),
            };
            self.write(address, offset, &value)?;
        }
        Ok(())
    }

    /// Brings the multisets of the state into order where something was written.
    pub fn normalise_state(&mut self) -> Run<(), A> {
        let written = self.written();
        for global in &self.encoding.model.globals {
            if self.types()[global.ty].has_multiset {
                self.normalise_part(global.ty, global.offset as usize, &written)?;
            }
        }
        Ok(())
    }

    fn normalise_part(&mut self, ty: TypeId, at: usize, written: &[usize]) -> Run<(), A> {
        let types = self.types();
        let cells = types[ty].cells as usize;
        let first = written.partition_point(|address| *address < at);
        if !types[ty].has_multiset || written.get(first).is_none_or(|address| *address >= at + cells) {
            return Ok(());
        }
        match &types[ty].kind {
            TypeKind::Array { element, .. } => {
                let stride = types[*element].cells as usize;
                (0..cells / stride.max(1))
                    .try_for_each(|i| self.normalise_part(*element, at + i * stride, written))
            }
            TypeKind::Record(fields) => fields
                .iter()
                .try_for_each(|field| self.normalise_part(field.ty, at + field.offset as usize, written)),
            TypeKind::Multiset { capacity, .. } => {
                let mut values = (at..at + cells).map(|at| self.cell(at)).collect::<Result<Vec<_>, _>>()?;
                // What was not written is in order, as it is in every state.
                let stride = cells / *capacity as usize;
                let slot = |slot: usize| at + slot * stride..at + (slot + 1) * stride;
                let kept = |number: &usize| !written.iter().any(|address| slot(*number).contains(address));
                let kept: Vec<usize> = (0..*capacity as usize).filter(kept).collect();
                self.sort(&mut values, stride, &kept)?;
                for (address, value) in (at..).zip(values) {
                    self.put_cell(address, value);
                }
                Ok(())
            }
            _ => Ok(()),
        }
    }
}
