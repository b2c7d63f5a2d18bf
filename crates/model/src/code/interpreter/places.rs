//! Places: from names, fields and indices to addresses.

use super::aggregates::fill;
use super::{Interpreter, Run, fault};
use crate::Span;
use crate::code::*;

impl Interpreter<'_> {
    /// Capacity and cells per slot of a multiset type.
    pub(super) fn multiset(&self, ty: TypeId) -> (usize, usize) {
        match self.model.types[ty].kind {
            TypeKind::Multiset { capacity, element } => {
                (capacity as usize, self.model.types[element].cells as usize + 1)
            }
            _ => (0, 1),
        }
    }

    pub(super) fn slots_in_use(&mut self, frame: &Frame, set: &Place) -> Run<Vec<Cell>> {
        let address = self.address(frame, set)?;
        let (capacity, stride) = self.multiset(set.ty);
        Ok((0..capacity as Cell).filter(|i| self.memory[address + *i as usize * stride] == 1).collect())
    }

    pub fn address(&mut self, frame: &Frame, place: &Place) -> Run<usize> {
        let types = &self.model.types;
        Ok(match &place.kind {
            PlaceKind::Global(global) => self.model.globals[global.0 as usize].offset as usize,
            PlaceKind::Local(local) => {
                let local = &frame[*local];
                let address = self.frame + local.offset as usize;
                match local.storage {
                    Storage::Value => address,
                    Storage::Reference => self.memory[address] as usize,
                }
            }
            PlaceKind::Index(base, index) => {
                let address = self.address(frame, base)?;
                let value = self.eval(frame, index)?;
                let TypeKind::Array { index: index_type, element } = types[base.ty].kind else {
                    unreachable!("only arrays are indexed")
                };
                let (lo, hi) = types.bounds(index_type);
                if value < lo || value > hi {
                    let name = self.place_name(frame, base);
                    let shown = types.show(index.ty, value);
                    return fault(
                        FaultKind::Index,
                        index.span,
                        format!("index {shown} is outside `{name}`, which is indexed by {lo} .. {hi}"),
                    );
                }
                address + (value - lo) as usize * types[element].cells as usize
            }
            PlaceKind::Field(base, field) => {
                let address = self.address(frame, base)?;
                let TypeKind::Record(fields) = &types[base.ty].kind else {
                    unreachable!("only records have fields")
                };
                address + fields[*field as usize].offset as usize
            }
            PlaceKind::Slot(base, slot) => {
                let address = self.address(frame, base)?;
                let slot = self.eval(frame, slot)?;
                self.slot(address, base.ty, slot, place.span)? + 1
            }
            PlaceKind::Call(call) => {
                let at = self.memory.len();
                let result = self.model.functions[call.function as usize].result.unwrap_or(Types::BOOL);
                self.memory.resize(at + types[result].cells as usize, UNDEFINED);
                self.call(frame, call, Some(at))?;
                at
            }
            PlaceKind::Cond(condition, a, b) => {
                let chosen = if self.eval_bool(frame, condition)? { a } else { b };
                self.address(frame, chosen)?
            }
        })
    }

    /// The address of a multiset's slot, which must be in use.
    pub(super) fn slot(&self, set: usize, ty: TypeId, slot: Cell, span: Span) -> Run<usize> {
        let (capacity, stride) = self.multiset(ty);
        if slot < 0 || slot as usize >= capacity || self.memory[set + slot as usize * stride] != 1 {
            return fault(FaultKind::Index, span, "this element is no longer in the multiset");
        }
        Ok(set + slot as usize * stride)
    }

    /// A place as a person would write it, with the current values of its indices.
    pub(super) fn place_name(&mut self, frame: &Frame, place: &Place) -> String {
        match &place.kind {
            PlaceKind::Global(global) => self.model.globals[global.0 as usize].name.clone(),
            PlaceKind::Local(local) => frame[*local].name.clone(),
            PlaceKind::Index(base, index) | PlaceKind::Slot(base, index) => {
                let base = self.place_name(frame, base);
                let value = self.eval_copy(frame, index).unwrap_or(UNDEFINED);
                format!("{base}[{}]", self.model.types.show(index.ty, value))
            }
            PlaceKind::Field(base, field) => {
                let name = self.place_name(frame, base);
                match &self.model.types[base.ty].kind {
                    TypeKind::Record(fields) => format!("{name}.{}", fields[*field as usize].name),
                    _ => name,
                }
            }
            PlaceKind::Call(call) => {
                format!("{}(…)", self.model.functions[call.function as usize].name)
            }
            PlaceKind::Cond(..) => "this choice".to_owned(),
        }
    }

    pub(super) fn undefine(&mut self, address: usize, ty: TypeId) {
        fill(&self.model.types, ty, &mut self.memory[address..], &|_, _| UNDEFINED);
    }

    pub(super) fn bind_alias(&mut self, frame: &Frame, local: LocalId, operand: &Operand) -> Run<()> {
        let value = match operand {
            Operand::Value(e) => self.eval_copy(frame, e)?,
            Operand::Place(place) => self.address(frame, place)? as Cell,
        };
        self.set_local(frame, local, value);
        Ok(())
    }
}
