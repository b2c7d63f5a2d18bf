//! Several representatives for each orbit (survey §5.2; paper 003 §2.4 and §6).
//!
//! A representative has, at the first index of each domain, a local state that is least among those of all its
//! indices. A small set C of permutations takes every state to such a state: the exchanges with the first index (in a
//! ring, the rotations). The relation ξ ⊆ S × Rep has (s, r) if some permutation of C takes s to r; the quotient of R is
//! paper 003 (1), which applies ξ on both sides of a step: both sides are permuted by all of C, then restricted to Rep.

use burnside_model::code::DomainKind;

use crate::bdd::{Bdd, Manager, Renaming, Result};

use super::order::{LocalOrder, has_least_local_state};
use super::space::{Permutation, Space, Which, rotation, transposition};

/// Rep and C, on current and on next states.
pub struct MultipleRepresentatives {
    sides: [Side; 2],
    current: Bdd,
    to_current: Renaming,
}

/// Rep and C for current or for next states.
struct Side {
    /// Per domain, the permutations of C other than the identity; and the states whose first index is least.
    domains: Vec<(Vec<Renaming>, Bdd)>,
}

impl Side {
    fn new(manager: &Manager, space: &Space, order: &LocalOrder, which: Which) -> Result<Self> {
        let mut domains = Vec::new();
        for (domain, shape) in space.domains.iter().enumerate() {
            let mut actions = Vec::new();
            for other in 1..shape.size {
                let images = match shape.kind {
                    DomainKind::Full => transposition(shape.size, 0, other),
                    DomainKind::Ring => rotation(shape.size, other),
                };
                actions.push(space.action(manager, which, Permutation { domain, images: &images })?);
            }
            domains.push((actions, has_least_local_state(manager, space, order, which, (domain, 0))?));
        }
        Ok(Side { domains })
    }

    /// All representatives that permutations of C lead to.
    fn represent(&self, set: &Bdd) -> Result<Bdd> {
        self.domains.iter().try_fold(set.clone(), |set, (actions, least)| {
            actions.iter().try_fold(set.clone(), |all, action| all.or(&set.rename(action)?))?.and(least)
        })
    }

    /// All states that permutations of C lead to these representatives. C has the inverse of each.
    fn represented(&self, set: &Bdd) -> Result<Bdd> {
        self.domains.iter().rev().try_fold(set.clone(), |set, (actions, _)| {
            actions.iter().try_fold(set.clone(), |all, action| all.or(&set.rename(action)?))
        })
    }
}

impl MultipleRepresentatives {
    /// Builds Rep and C.
    pub fn new(manager: &Manager, space: &Space, order: &LocalOrder) -> Result<Self> {
        let to_current: Vec<_> = space.pairs().into_iter().map(|(now, next)| (next, now)).collect();
        Ok(MultipleRepresentatives {
            sides: [
                Side::new(manager, space, order, Which::Current)?,
                Side::new(manager, space, order, Which::Next)?,
            ],
            current: manager.variables(space.variables(Which::Current))?,
            to_current: manager.renaming(&to_current)?,
        })
    }

    /// All representatives that ξ gives the states of a set, without building ξ.
    pub fn represent(&self, set: &Bdd) -> Result<Bdd> {
        self.sides[0].represent(set)
    }

    /// All states to which ξ gives one of these representatives.
    pub fn represented(&self, set: &Bdd) -> Result<Bdd> {
        self.sides[0].represented(set)
    }

    /// ξ, between the current state and its representatives as next states.
    pub fn relation(&self, manager: &Manager, space: &Space) -> Result<Bdd> {
        self.sides[1].represent(&space.identity(manager)?)
    }

    /// The quotient of a relation between all bits of the current and the next state.
    pub fn quotient(&self, relation: &Bdd) -> Result<Bdd> {
        self.sides[1].represent(&self.sides[0].represent(relation)?)
    }

    /// Where a relation between all bits of the current and the next state leads from a set.
    pub fn image(&self, set: &Bdd, relation: &Bdd) -> Result<Bdd> {
        set.and_exists(relation, &self.current)?.rename(&self.to_current)
    }
}
