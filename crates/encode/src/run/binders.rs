//! What surrounds rules and properties: parameters and aliases.

use burnside_model::code::{Cell, Frame};
use burnside_model::system::{Binder, Property, PropertyKind};

use super::{Run, Runner};
use crate::algebra::Algebra;
use crate::number::mux;
use crate::step::PropertyInstance;

impl<'r, 'm, A: Algebra> Runner<'r, 'm, A> {
    /// Binds the parameters of a rule to these values, as far as there are any: then whether there is such an instance.
    pub fn bind_all(&mut self, frame: &'m Frame, binders: &'m [Binder], args: &[Cell]) -> Run<bool, A> {
        let mut args = args.iter();
        for binder in binders {
            match binder {
                Binder::Alias(local, operand) => self.bind_alias(frame, *local, operand)?,
                Binder::Each(each) => {
                    let Some(value) = args.next() else {
                        // Its range has no values, or cannot be evaluated.
                        self.iterate(frame, each, &mut |_, _| Ok(()))?;
                        return Ok(false);
                    };
                    self.set_constant(frame, each.local, *value);
                    self.args += 1;
                }
                Binder::Choose(local, set) => {
                    let slots = self.slots_in_use(frame, set)?;
                    let Some(value) = args.next() else { return Ok(false) };
                    let Some((_, used)) = slots.into_iter().find(|(slot, _)| slot == value) else {
                        return Ok(false);
                    };
                    self.path = self.alg.and(&self.path, &used)?;
                    self.go_on()?;
                    self.set_constant(frame, *local, *value);
                    self.args += 1;
                }
            }
        }
        Ok(true)
    }

    /// Evaluates every instance of a property, in order.
    pub fn property(&mut self, property: &'m Property) -> Run<Vec<PropertyInstance<A::F>>, A> {
        let mut found = Vec::new();
        let always = self.alg.constant(true);
        self.enter(&property.frame);
        self.instances(property, &property.binders, &always, &mut Vec::new(), &mut found)?;
        Ok(found)
    }

    /// Gives the state back what it had before it was written since this point of the journal: what the functions that an
    /// instance calls have changed is no concern of the next one.
    fn forget_writes(&mut self, mark: usize) -> Run<(), A> {
        let cells = self.encoding.cells().len();
        let written: Vec<usize> = self.journal.iter().skip(mark).map(|(at, _)| *at).collect();
        for at in written.into_iter().filter(|at| *at < cells) {
            let value = match &self.decoded[at] {
                Some(value) => value.clone(),
                None => std::rc::Rc::new(self.encoding.decode(self.alg, at)?),
            };
            self.put_cell(at, value);
        }
        Ok(())
    }

    fn instances(
        &mut self,
        property: &'m Property,
        binders: &'m [Binder],
        exists: &A::F,
        args: &mut Vec<Cell>,
        found: &mut Vec<PropertyInstance<A::F>>,
    ) -> Run<(), A> {
        let frame = &property.frame;
        let Some((binder, inner)) = binders.split_first() else {
            let mark = self.journal.len();
            let holds = self.instance_holds(property)?;
            self.forget_writes(mark)?;
            found.push(PropertyInstance { args: args.clone(), exists: exists.clone(), holds });
            return Ok(());
        };
        match binder {
            Binder::Alias(local, operand) => {
                let (bound, spared) = self.sparing(|s| s.bind_alias(frame, *local, operand))?;
                if bound.is_some() {
                    let other = self.alg.not(&spared)?;
                    let exists = self.alg.and(exists, &other)?;
                    self.instances(property, inner, &exists, args, found)?;
                }
                self.path = self.alg.or(&self.path, &spared)?;
            }
            Binder::Each(each) => {
                let mut value = None;
                self.iterate(frame, each, &mut |s, here| {
                    let at = s.activation.base + frame[each.local].offset as usize;
                    value = s.cell(at)?.number.known();
                    let exists = s.alg.and(exists, here)?;
                    args.push(value.unwrap_or(0) as Cell);
                    let done = s.instances(property, inner, &exists, args, found);
                    args.pop();
                    done
                })?;
            }
            Binder::Choose(local, set) => {
                let (slots, spared) = self.sparing(|s| s.slots_in_use(frame, set))?;
                for (slot, used) in slots.unwrap_or_default() {
                    let other = self.alg.not(&spared)?;
                    let here = self.alg.and(&used, &other)?;
                    let exists = self.alg.and(exists, &here)?;
                    args.push(slot);
                    self.only_if(&used, |s| {
                        s.set_constant(frame, *local, slot);
                        s.instances(property, inner, &exists, args, found)
                    })?;
                    args.pop();
                }
                self.path = self.alg.or(&self.path, &spared)?;
            }
        }
        self.go_on()
    }

    /// Whether a bound instance of a property holds. Where an `assume` fails in a function that it calls, it says
    /// nothing: an invariant is not violated, nothing else is satisfied.
    fn instance_holds(&mut self, property: &'m Property) -> Run<A::F, A> {
        let Some(condition) = &property.condition else { return Ok(self.alg.constant(false)) };
        let (holds, spared) = self.sparing(|s| s.condition(&property.frame, condition))?;
        self.path = self.alg.or(&self.path, &spared)?;
        self.go_on()?;
        let silent = self.alg.constant(property.kind == PropertyKind::Invariant);
        Ok(match holds {
            Some(holds) => mux(self.alg, &spared, &silent, &holds)?,
            None => silent,
        })
    }

    /// Does something; says in which states an assumption ended it, which does not count further. Nothing came of it if
    /// no state got to the end.
    pub fn sparing<T>(&mut self, act: impl FnOnce(&mut Self) -> Run<T, A>) -> Run<(Option<T>, A::F), A> {
        let none = self.alg.constant(false);
        let before = std::mem::replace(&mut self.excluded, none);
        let ran = act(self);
        let done = self.caught(ran)?;
        let spared = std::mem::replace(&mut self.excluded, before);
        Ok((done, spared))
    }
}
