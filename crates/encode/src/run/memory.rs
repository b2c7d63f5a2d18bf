//! Cells: reading them, writing them, and the differences that branches make.

use std::rc::Rc;

use super::{Address, Run, Runner};
use crate::algebra::{Algebra, known};
use crate::value::Value;

impl<A: Algebra> Runner<'_, '_, A> {
    pub fn cell(&mut self, address: usize) -> Run<Rc<Value<A>>, A> {
        if let Some(value) = &self.memory[address] {
            return Ok(value.clone());
        }
        let value = match &self.decoded[address] {
            Some(value) => value.clone(),
            None => Rc::new(self.encoding.decode(self.alg, address)?),
        };
        self.decoded[address] = Some(value.clone());
        self.memory[address] = Some(value.clone());
        Ok(value)
    }

    /// Adds undefined cells behind the others.
    pub fn grow(&mut self, cells: usize) -> usize {
        let at = self.memory.len();
        self.memory.resize(at + cells, Some(self.undefined.clone()));
        at
    }

    /// Overwrites a cell.
    pub fn put_cell(&mut self, address: usize, value: Rc<Value<A>>) {
        let old = self.memory[address].replace(value);
        self.journal.push((address, old));
    }

    /// What is so many cells behind an address.
    pub fn read(&mut self, address: &Address<A>, offset: usize) -> Run<Rc<Value<A>>, A> {
        let Some(((last, _), rest)) = address.split_last() else { return Ok(self.undefined.clone()) };
        let mut value = self.cell(last + offset)?;
        for (at, condition) in rest.iter().rev() {
            let here = self.cell(at + offset)?;
            if !Rc::ptr_eq(&here, &value) {
                value = Rc::new(Value::ite(self.alg, condition, &here, &value)?);
            }
        }
        Ok(value)
    }

    /// Writes so many cells behind an address, where the function has not returned yet.
    pub fn write(&mut self, address: &Address<A>, offset: usize, value: &Rc<Value<A>>) -> Run<(), A> {
        let always = self.alg.constant(true);
        self.write_if(&always, address, offset, value)
    }

    /// The same, where a condition holds too.
    pub fn write_if(
        &mut self,
        condition: &A::F,
        address: &Address<A>,
        offset: usize,
        value: &Rc<Value<A>>,
    ) -> Run<(), A> {
        let running = self.alg.not(&self.activation.returned)?;
        let condition = self.alg.and(condition, &running)?;
        for (at, here) in address {
            let condition = self.alg.and(&condition, here)?;
            match known(self.alg, &condition) {
                Some(false) => {}
                Some(true) => self.put_cell(at + offset, value.clone()),
                None => {
                    let old = self.cell(at + offset)?;
                    let value = Value::ite(self.alg, &condition, value, &old)?;
                    self.put_cell(at + offset, Rc::new(value));
                }
            }
        }
        Ok(())
    }

    /// The cells of the state that were written.
    pub fn written(&self) -> Vec<usize> {
        let cells = self.encoding.cells().len();
        let mut written: Vec<_> =
            self.journal.iter().map(|(address, _)| *address).filter(|address| *address < cells).collect();
        written.sort_unstable();
        written.dedup();
        written
    }
}
