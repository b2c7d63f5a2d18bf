//! Transition relations that only speak of what they change.
//!
//! A relation is a set of pairs of states, over the variables of now and, for the bits that some step writes, of next.
//! Bits that are not written keep their value without being mentioned: an image quantifies and renames only the written
//! ones. That is much smaller and faster than a relation with a frame condition for every bit.

use std::collections::HashMap;
use std::rc::Rc;

use crate::bdd::{Bdd, Manager, Renaming, Result};
use crate::variables::Variables;

/// The bits that a step writes, ascending, and what they become.
pub type Updates = Vec<(usize, Bdd)>;

/// A set of bits that steps write, and what images over them need; made once per set.
pub struct Written {
    /// The bits, ascending.
    pub bits: Vec<usize>,
    now: Bdd,
    next: Bdd,
    to_now: Renaming,
    to_next: Renaming,
}

/// All sets of written bits so far.
#[derive(Default)]
pub struct Frames {
    known: HashMap<Vec<usize>, Rc<Written>>,
}

impl Frames {
    /// The set of these bits.
    pub fn written(
        &mut self,
        manager: &Manager,
        variables: &Variables,
        mut bits: Vec<usize>,
    ) -> Result<Rc<Written>> {
        bits.sort_unstable();
        bits.dedup();
        if let Some(written) = self.known.get(&bits) {
            return Ok(written.clone());
        }
        let each = || bits.iter().copied();
        let written = Rc::new(Written {
            now: manager.variables(each().map(|bit| variables.now(bit)))?,
            next: manager.variables(each().map(|bit| variables.next(bit)))?,
            to_now: variables.to_now(manager, each())?,
            to_next: variables.to_next(manager, each())?,
            bits: bits.clone(),
        });
        self.known.insert(bits, written.clone());
        Ok(written)
    }
}

/// A set of steps.
#[derive(Clone)]
pub struct Relation {
    /// The pairs.
    pub pairs: Bdd,
    /// What they write; all other bits stay.
    pub written: Rc<Written>,
}

impl Relation {
    /// The steps from where the guard holds, each bit becoming what its function says of the state before. There may be
    /// several choices, which write the same bits.
    pub fn of_updates(
        manager: &Manager,
        variables: &Variables,
        frames: &mut Frames,
        guard: &Bdd,
        choices: &[&Updates],
    ) -> Result<Self> {
        let first: &[(usize, Bdd)] = choices.first().map_or(&[], |updates| updates);
        // From the bottom up, so that each conjunction only adds on top.
        let mut order: Vec<usize> = (0..first.len()).collect();
        order.sort_unstable_by_key(|at| std::cmp::Reverse(manager.level(variables.next(first[*at].0))));
        let (same, varied): (Vec<usize>, Vec<usize>) =
            order.into_iter().partition(|at| choices.iter().all(|updates| updates[*at] == first[*at]));
        let update = |pairs: Bdd, (bit, becomes): &(usize, Bdd)| {
            pairs.and(&manager.var(variables.next(*bit))?.equals(becomes)?)
        };
        let mut pairs = same.iter().try_fold(guard.clone(), |pairs, at| update(pairs, &first[*at]))?;
        if !varied.is_empty() {
            let mut chosen = manager.constant(false);
            for updates in choices {
                let all = manager.constant(true);
                chosen = chosen.or(&varied.iter().try_fold(all, |all, at| update(all, &updates[*at]))?)?;
            }
            pairs = pairs.and(&chosen)?;
        }
        let bits = first.iter().map(|(bit, _)| *bit).collect();
        Ok(Self { pairs, written: frames.written(manager, variables, bits)? })
    }

    /// The steps of both.
    pub fn union(
        &self,
        other: &Self,
        manager: &Manager,
        variables: &Variables,
        frames: &mut Frames,
    ) -> Result<Self> {
        let bits: Vec<_> = self.written.bits.iter().chain(&other.written.bits).copied().collect();
        let written = frames.written(manager, variables, bits)?;
        let one = self.widened(&written, manager, variables)?;
        let two = other.widened(&written, manager, variables)?;
        Ok(Self { pairs: one.or(&two)?, written })
    }

    /// The pairs with more bits mentioned, which keep their value.
    pub fn widened(&self, written: &Written, manager: &Manager, variables: &Variables) -> Result<Bdd> {
        let kept = written.bits.iter().filter(|bit| self.written.bits.binary_search(bit).is_err());
        let mut kept: Vec<_> = kept.copied().collect();
        kept.sort_unstable_by_key(|bit| std::cmp::Reverse(manager.level(variables.next(*bit))));
        kept.into_iter().try_fold(self.pairs.clone(), |pairs, bit| {
            let (now, next) = (manager.var(variables.now(bit))?, manager.var(variables.next(bit))?);
            pairs.and(&now.equals(&next)?)
        })
    }

    /// The states that steps from these states lead to.
    pub fn image(&self, states: &Bdd) -> Result<Bdd> {
        states.and_exists(&self.pairs, &self.written.now)?.rename(&self.written.to_now)
    }

    /// The states from which a step leads to these states.
    pub fn preimage(&self, states: &Bdd) -> Result<Bdd> {
        states.rename(&self.written.to_next)?.and_exists(&self.pairs, &self.written.next)
    }

    /// The steps between these states.
    pub fn within(&self, states: &Bdd) -> Result<Self> {
        let pairs = self.pairs.and(states)?.and(&states.rename(&self.written.to_next)?)?;
        Ok(Self { pairs, written: self.written.clone() })
    }

    /// Whether it has no steps.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.pairs.is_false()
    }
}
