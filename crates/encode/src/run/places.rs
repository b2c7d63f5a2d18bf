//! Places: from names, fields and indices to addresses.

use std::rc::Rc;

use burnside_model::code::{FaultKind, Frame, LocalId, Operand, Place, PlaceKind, Storage, TypeKind, Types};

use super::branch::Joined;
use super::{Address, Run, Runner};
use crate::algebra::Algebra;
use crate::number::Number;

impl<'m, A: Algebra> Runner<'_, 'm, A> {
    fn fixed(&mut self, address: usize) -> Rc<Address<A>> {
        Rc::new(vec![(address, self.alg.constant(true))])
    }

    pub fn address(&mut self, frame: &'m Frame, place: &'m Place) -> Run<Rc<Address<A>>, A> {
        let types = self.types();
        Ok(match &place.kind {
            PlaceKind::Global(global) => {
                let at = self.encoding.model.globals[global.0 as usize].offset;
                self.fixed(at as usize)
            }
            PlaceKind::Local(local) => {
                let local = &frame[*local];
                let at = self.activation.base + local.offset as usize;
                match local.storage {
                    Storage::Value => self.fixed(at),
                    Storage::Reference => match self.references.get(&at) {
                        Some(address) => address.clone(),
                        None => return self.refuse("a reference to nothing", place.span),
                    },
                }
            }
            PlaceKind::Index(base, index) => {
                let address = self.address(frame, base)?;
                let number = self.eval(frame, index)?;
                let TypeKind::Array { index: index_type, element } = types[base.ty].kind else {
                    return self.refuse("only arrays are indexed", place.span);
                };
                let (lo, hi) = types.bounds(index_type);
                let (lo, hi) = (i128::from(lo), i128::from(hi));
                let outside = number.outside(self.alg, lo, hi)?;
                self.fail_if(&outside, FaultKind::Index, index.span)?;
                self.indexed(&address, &number, (lo, hi), types[element].cells as usize, 0)?
            }
            PlaceKind::Field(base, field) => {
                let address = self.address(frame, base)?;
                let TypeKind::Record(fields) = &types[base.ty].kind else {
                    return self.refuse("only records have fields", place.span);
                };
                match fields[*field as usize].offset as usize {
                    0 => address,
                    offset => Rc::new(address.iter().map(|(at, c)| (at + offset, c.clone())).collect()),
                }
            }
            PlaceKind::Slot(base, slot) => {
                let address = self.address(frame, base)?;
                let slot = self.eval(frame, slot)?;
                self.slot(&address, base.ty, &slot, place.span, 1)?
            }
            PlaceKind::Call(call) => {
                let function = &self.encoding.model.functions[call.function as usize];
                let at = self.grow(types[function.result.unwrap_or(Types::BOOL)].cells as usize);
                self.call(frame, call, at)?;
                self.fixed(at)
            }
            PlaceKind::Cond(condition, a, b) => {
                let condition = self.eval_bool(frame, condition)?;
                match self.fork(&condition, |s| s.address(frame, a), |s| s.address(frame, b))? {
                    Joined::Then(address) | Joined::Otherwise(address) => address,
                    Joined::Both(a, b) => {
                        let opposite = self.alg.not(&condition)?;
                        let mut either = self.restricted(&a, &condition)?;
                        either.extend(self.restricted(&b, &opposite)?);
                        Rc::new(either)
                    }
                }
            }
        })
    }

    fn restricted(&mut self, address: &Address<A>, condition: &A::F) -> Run<Address<A>, A> {
        address.iter().map(|(at, here)| Ok((*at, self.alg.and(here, condition)?))).collect()
    }

    /// The addresses of an array's entries, or a multiset's slots: the number is in the range.
    pub(super) fn indexed(
        &mut self,
        base: &Address<A>,
        number: &Number<A>,
        (lo, hi): (i128, i128),
        stride: usize,
        offset: usize,
    ) -> Run<Rc<Address<A>>, A> {
        if let Some(value) = number.known().filter(|value| (lo..=hi).contains(value)) {
            let offset = (value - lo) as usize * stride + offset;
            return Ok(Rc::new(base.iter().map(|(at, here)| (at + offset, here.clone())).collect()));
        }
        let mut entries = Vec::new();
        for value in number.lo.max(lo)..=number.hi.min(hi) {
            let here = number.is(self.alg, value)?;
            // Only those that some state gets to: a guard often leaves one.
            let reached = self.alg.and(&self.path, &here)?;
            if !self.alg.is_false(&reached) {
                entries.push(((value - lo) as usize * stride + offset, here));
            }
        }
        if let [(_, only)] = entries.as_mut_slice() {
            *only = self.alg.constant(true);
        }
        let mut addresses = Vec::with_capacity(base.len() * entries.len());
        for (at, condition) in base {
            for (offset, here) in &entries {
                addresses.push((at + offset, self.alg.and(condition, here)?));
            }
        }
        Ok(Rc::new(addresses))
    }

    /// Binds an alias, or another local that is a value or stands for a place.
    pub fn bind_alias(&mut self, frame: &'m Frame, local: LocalId, operand: &'m Operand) -> Run<(), A> {
        match operand {
            Operand::Value(e) => {
                let value = self.eval_copy(frame, e)?;
                self.set_local(frame, local, value);
            }
            Operand::Place(place) => {
                let address = self.address(frame, place)?;
                self.references.insert(self.activation.base + frame[local].offset as usize, address);
            }
        }
        Ok(())
    }
}
