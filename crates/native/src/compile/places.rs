//! Places: from names, fields and indices to cells.
//!
//! A place in the state is a cell number: a constant and, for indices known only at run time, terms `index × stride`.

use burnside_model::code::*;
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{InstBuilder, StackSlot, Value};
use cranelift_frontend::Variable;

use super::known::Key;
use super::values::{Cond, Copied, Val};
use super::{Emit, Run, unsupported};

/// An index that is not known, which is below `count`.
#[derive(Clone, Debug)]
pub(super) struct Term {
    pub index: Value,
    pub stride: i64,
    pub count: i64,
}

/// A cell: `cell` plus the terms.
#[derive(Clone, Debug, Default)]
pub(super) struct Addr {
    pub cell: i64,
    pub terms: Vec<Term>,
    /// The first cell of the element that the last index chooses, without the terms.
    pub element: i64,
}

impl Addr {
    /// A cell that is known.
    pub fn fixed(cell: i64) -> Self {
        Addr { cell, terms: Vec::new(), element: cell }
    }

    /// How many cells it may be.
    pub fn count(&self) -> i64 {
        self.terms.iter().fold(1i64, |n, term| n.saturating_mul(term.count))
    }

    /// Whether the indices are those of arrays, so that only they differ between the cells it may be.
    pub fn regular(&self) -> bool {
        self.terms.iter().all(|term| term.count < i64::MAX)
    }
}

/// Where an aggregate on the stack begins.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Base {
    /// In this function.
    Slot(StackSlot),
    /// In a function that calls this one.
    Pointer(Value),
}

/// Where a value is.
#[derive(Clone, Debug)]
pub(super) enum Placed {
    State(Addr),
    /// On the stack, 8 bytes per cell.
    Local(Base, Addr),
    /// A simple local, as the interpreter represents it.
    Variable(Variable),
    /// Read only: a parameter or a loop's variable.
    Value(Copied),
}

impl Emit<'_, '_> {
    /// What is `cells` cells further.
    pub fn further(&self, place: &Placed, cells: i64) -> Placed {
        let mut place = place.clone();
        if let Placed::State(addr) | Placed::Local(_, addr) = &mut place {
            addr.cell += cells;
        }
        place
    }

    /// Element `index` (from 0) of `count` elements that begin at a place. The index is made to be below `count`.
    pub fn element(&mut self, place: &Placed, index: Val, count: i64, stride: i64) -> Placed {
        if let Some(index) = index.known() {
            return self.further(place, index.clamp(0, (count - 1).max(0)) * stride);
        }
        let safe = index.exact && index.within((0, count - 1));
        let mut index = self.register(index);
        if !safe {
            index = self.once(Key::Below(index, count), |this| {
                let limit = this.iconst(count);
                let inside = this.b.ins().icmp(IntCC::UnsignedLessThan, index, limit);
                let zero = this.iconst(0);
                this.b.ins().select(inside, index, zero)
            });
        }
        let mut place = place.clone();
        if let Placed::State(addr) | Placed::Local(_, addr) = &mut place {
            addr.terms.push(Term { index, stride, count });
            addr.element = addr.cell;
        }
        place
    }

    pub fn place(&mut self, place: &Place) -> Run<Placed> {
        let model = self.unit.model;
        match &place.kind {
            PlaceKind::Global(global) => {
                let cell = i64::from(model.globals[global.0 as usize].offset);
                Ok(Placed::State(Addr::fixed(cell)))
            }
            PlaceKind::Local(local) => {
                self.locals[local.0 as usize].clone().ok_or_else(|| unsupported("a local that is not bound"))
            }
            PlaceKind::Index(base, index) => {
                let base_ty = base.ty;
                let base = self.place(base)?;
                let TypeKind::Array { index: index_type, element } = model.types[base_ty].kind else {
                    return Err(unsupported("an index into no array"));
                };
                let bounds = model.types.bounds(index_type);
                let index = self.eval(index)?;
                let outside = self.outside(index, bounds);
                self.poison_if(outside);
                let from = self.arith(ArithOp::Sub, index, Val::constant(bounds.0));
                let count = model.types.size(index_type) as i64;
                if count == 0 {
                    return Err(unsupported("an array without elements"));
                }
                Ok(self.element(&base, from, count, i64::from(model.types[element].cells)))
            }
            PlaceKind::Field(base, field) => {
                let TypeKind::Record(fields) = &model.types[base.ty].kind else {
                    return Err(unsupported("a field of no record"));
                };
                let offset = i64::from(fields[*field as usize].offset);
                let base = self.place(base)?;
                Ok(self.further(&base, offset))
            }
            PlaceKind::Slot(base, slot) => {
                let set_ty = base.ty;
                let set = self.place(base)?;
                let slot = self.eval(slot)?;
                let slot = self.slot_in_use(&set, set_ty, slot);
                Ok(self.further(&slot, 1))
            }
            PlaceKind::Call(call) => self.call_aggregate(call),
            PlaceKind::Cond(condition, a, b) => self.choose_place(condition, a, b),
        }
    }

    fn choose_place(&mut self, condition: &Expr, a: &Place, b: &Place) -> Run<Placed> {
        match self.eval_cond(condition)? {
            Cond::Const(true) => self.place(a),
            Cond::Const(false) => self.place(b),
            Cond::Is(chosen) => {
                if self.unit.straight_place(a).is_none() || self.unit.straight_place(b).is_none() {
                    return Err(unsupported("a choice between aggregates that are computed"));
                }
                // Both are evaluated, but what goes wrong counts only for the one chosen.
                let first = self.masked(Cond::Is(chosen), |this| this.place(a))?;
                let other = self.not(Cond::Is(chosen));
                let second = self.masked(other, |this| this.place(b))?;
                let (x, y) = match (&first, &second) {
                    (Placed::State(x), Placed::State(y)) => (x, y),
                    (Placed::Local(s, x), Placed::Local(t, y)) if s == t => (x, y),
                    _ => return Err(unsupported("a choice between aggregates of different kinds")),
                };
                let (x, y) = (self.cell_number(x), self.cell_number(y));
                let index = self.b.ins().select(chosen, x, y);
                let addr =
                    Addr { terms: vec![Term { index, stride: 1, count: i64::MAX }], ..Addr::default() };
                Ok(match first {
                    Placed::Local(slot, _) => Placed::Local(slot, addr),
                    _ => Placed::State(addr),
                })
            }
        }
    }
}
