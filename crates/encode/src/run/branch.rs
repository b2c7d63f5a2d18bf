//! Splitting execution by a condition, and joining it again.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::{Halt, Run, Runner};
use crate::algebra::{Algebra, known};
use crate::value::Value;

/// What a branch starts from.
pub(super) struct Fork<F> {
    condition: F,
    /// The path before, and on either side.
    before: F,
    sides: [F; 2],
    /// Journal and memory.
    mark: usize,
    length: usize,
    /// Of the running body.
    within: F,
    returned: F,
}

/// What came of one side.
struct Side<A: Algebra> {
    /// New contents of cells.
    changes: BTreeMap<usize, Rc<Value<A>>>,
    length: usize,
    path: A::F,
    returned: A::F,
    /// Whether some state got to its end, or returned on the way.
    matters: bool,
}

/// Which sides can be taken.
pub(super) enum Split<F> {
    Then,
    Otherwise,
    Both(Fork<F>),
}

/// What the sides gave whose end some state gets to.
pub(super) enum Joined<T> {
    Then(T),
    Otherwise(T),
    Both(T, T),
}

impl<A: Algebra> Runner<'_, '_, A> {
    /// Which sides of a condition can be taken.
    pub(super) fn split(&mut self, condition: &A::F) -> Run<Split<A::F>, A> {
        match known(self.alg, condition) {
            Some(true) => return Ok(Split::Then),
            Some(false) => return Ok(Split::Otherwise),
            None => {}
        }
        let then = self.alg.and(&self.path, condition)?;
        if self.alg.is_false(&then) {
            return Ok(Split::Otherwise);
        }
        let opposite = self.alg.not(condition)?;
        let otherwise = self.alg.and(&self.path, &opposite)?;
        if self.alg.is_false(&otherwise) {
            return Ok(Split::Then);
        }
        Ok(Split::Both(Fork {
            condition: condition.clone(),
            before: self.path.clone(),
            sides: [then, otherwise],
            mark: self.journal.len(),
            length: self.memory.len(),
            within: self.activation.within.clone(),
            returned: self.activation.returned.clone(),
        }))
    }

    /// Takes the side where the condition holds.
    pub(super) fn take_then(&mut self, fork: &Fork<A::F>) -> Run<(), A> {
        self.path = fork.sides[0].clone();
        self.activation.within = self.alg.and(&fork.within, &fork.condition)?;
        Ok(())
    }

    fn take_otherwise(&mut self, fork: &Fork<A::F>) -> Run<(), A> {
        self.path = fork.sides[1].clone();
        let opposite = self.alg.not(&fork.condition)?;
        self.activation.within = self.alg.and(&fork.within, &opposite)?;
        Ok(())
    }

    /// Does the one where a condition holds and the other elsewhere.
    pub(super) fn fork<T>(
        &mut self,
        condition: &A::F,
        then: impl FnOnce(&mut Self) -> Run<T, A>,
        otherwise: impl FnOnce(&mut Self) -> Run<T, A>,
    ) -> Run<Joined<T>, A> {
        let fork = match self.split(condition)? {
            Split::Then => return then(self).map(Joined::Then),
            Split::Otherwise => return otherwise(self).map(Joined::Otherwise),
            Split::Both(fork) => fork,
        };
        self.take_then(&fork)?;
        let ran = then(self);
        let a = self.caught(ran)?;
        let then = self.end_side(&fork, a.is_some());
        self.take_otherwise(&fork)?;
        let ran = otherwise(self);
        let b = self.caught(ran)?;
        let otherwise = self.end_side(&fork, b.is_some());
        self.join(&fork, then, otherwise)?;
        match (a, b) {
            (Some(a), Some(b)) => Ok(Joined::Both(a, b)),
            (Some(a), None) => Ok(Joined::Then(a)),
            (None, Some(b)) => Ok(Joined::Otherwise(b)),
            (None, None) => Err(Halt::Dead),
        }
    }

    /// Does something only where a condition holds.
    pub(super) fn only_if(
        &mut self,
        condition: &A::F,
        then: impl FnOnce(&mut Self) -> Run<(), A>,
    ) -> Run<(), A> {
        self.fork(condition, then, |_| Ok(())).map(|_| ())
    }

    /// Joins one side with what was before it; it came to an end in some state if `alive`.
    pub(super) fn join_then(&mut self, fork: &Fork<A::F>, alive: bool) -> Run<(), A> {
        let then = self.end_side(fork, alive);
        let otherwise = Side {
            changes: BTreeMap::new(),
            length: self.memory.len(),
            path: fork.sides[1].clone(),
            returned: fork.returned.clone(),
            matters: true,
        };
        self.join(fork, then, otherwise)
    }

    /// Takes back what a side did to memory, and keeps it.
    fn end_side(&mut self, fork: &Fork<A::F>, alive: bool) -> Side<A> {
        if !alive {
            self.memory.truncate(fork.length);
        }
        let length = self.memory.len();
        let mut changes = BTreeMap::new();
        for (address, _) in &self.journal[fork.mark..] {
            if let Some(Some(value)) = self.memory.get(*address) {
                changes.entry(*address).or_insert_with(|| value.clone());
            }
        }
        while self.journal.len() > fork.mark {
            if let Some((address, old)) = self.journal.pop()
                && let Some(cell) = self.memory.get_mut(address)
            {
                *cell = old;
            }
        }
        self.memory.truncate(fork.length);
        let returned = std::mem::replace(&mut self.activation.returned, fork.returned.clone());
        self.activation.within = fork.within.clone();
        let matters = alive || returned != fork.returned;
        Side { changes, length, path: self.path.clone(), returned, matters }
    }

    fn join(&mut self, fork: &Fork<A::F>, then: Side<A>, otherwise: Side<A>) -> Run<(), A> {
        self.path = match then.path == fork.sides[0] && otherwise.path == fork.sides[1] {
            true => fork.before.clone(),
            false => self.alg.or(&then.path, &otherwise.path)?,
        };
        self.activation.returned = self.alg.or(&then.returned, &otherwise.returned)?;
        self.grow(then.length.max(otherwise.length) - fork.length);
        if !(then.matters && otherwise.matters) {
            let side = if then.matters { then } else { otherwise };
            for (address, value) in side.changes {
                self.put_cell(address, value);
            }
            return Ok(());
        }
        let mut addresses: Vec<_> = then.changes.keys().chain(otherwise.changes.keys()).copied().collect();
        addresses.sort_unstable();
        addresses.dedup();
        for address in addresses {
            let old = self.cell(address)?;
            let a = then.changes.get(&address).unwrap_or(&old);
            let b = otherwise.changes.get(&address).unwrap_or(&old);
            if Rc::ptr_eq(a, b) {
                self.put_cell(address, a.clone());
            } else {
                let value = Value::ite(self.alg, &fork.condition, a, b)?;
                self.put_cell(address, Rc::new(value));
            }
        }
        Ok(())
    }
}
