//! Several representatives for each orbit (survey §5.2; paper 003 §2.4 and §6).
//!
//! A representative has, at the first index of each domain, a local state that is least among those of all its
//! indices. A small set C of permutations takes every state to such a state: the exchanges with the first index (in a
//! ring, the rotations). The relation ξ ⊆ S × Rep has (s, r) if some permutation of C takes s to r; the quotient of R is
//! paper 003 (1), which applies ξ on both sides of a step: both sides are permuted by all of C, then restricted to Rep.

use burnside_model::code::DomainKind;

use crate::bdd::{Bdd, Manager, Renaming, Result};

use super::order::{LocalOrder, has_least_local_state};
use super::space::{Space, Which, rotation, transposition};
use super::spread::{Spread, Stage, through};

/// Rep and C, on current and on next states.
pub struct MultipleRepresentatives<'m> {
    sides: [Side<'m>; 2],
    current: Bdd,
    to_current: Renaming,
}

/// Rep and C for current or for next states.
struct Side<'m> {
    /// Per domain, C; and the states whose first index is least.
    domains: Vec<(Spread<'m>, Bdd)>,
}

impl<'m> Side<'m> {
    fn new(manager: &'m Manager, space: &Space, order: &LocalOrder, which: Which) -> Result<Self> {
        let mut domains = Vec::new();
        for (domain, shape) in space.domains.iter().enumerate() {
            let others = (1..shape.size).map(|other| match shape.kind {
                DomainKind::Full => transposition(shape.size, 0, other),
                DomainKind::Ring => rotation(shape.size, other),
            });
            let least = has_least_local_state(manager, space, order, which, (domain, 0))?;
            domains.push((Spread::new(manager, space, which, domain, &others.collect::<Vec<_>>())?, least));
        }
        Ok(Side { domains })
    }

    /// From states to all representatives that permutations of C lead to.
    fn represent(&self) -> impl Iterator<Item = Stage<'_>> {
        self.domains.iter().map(|(spread, least)| Stage { spread, within: Some(least) })
    }

    /// From representatives to all states that permutations of C lead to them. C has the inverse of each.
    fn represented(&self) -> impl Iterator<Item = Stage<'_>> {
        self.domains.iter().rev().map(|(spread, _)| Stage { spread, within: None })
    }
}

impl<'m> MultipleRepresentatives<'m> {
    /// Builds Rep and C.
    pub fn new(manager: &'m Manager, space: &Space, order: &LocalOrder) -> Result<Self> {
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
        through(&self.sides[0].represent().collect::<Vec<_>>(), set)
    }

    /// All representatives of what ξ gives the same representatives as the states of a set.
    pub fn represent_twice(&self, set: &Bdd) -> Result<Bdd> {
        let side = &self.sides[0];
        through(&side.represented().chain(side.represent()).collect::<Vec<_>>(), set)
    }

    /// ξ, between the current state and its representatives as next states.
    pub fn relation(&self, manager: &Manager, space: &Space) -> Result<Bdd> {
        through(&self.sides[1].represent().collect::<Vec<_>>(), &space.identity(manager)?)
    }

    /// The quotient of a relation between all bits of the current and the next state.
    pub fn quotient(&self, relation: &Bdd) -> Result<Bdd> {
        let [current, next] = &self.sides;
        through(&current.represent().chain(next.represent()).collect::<Vec<_>>(), relation)
    }

    /// Where a relation between all bits of the current and the next state leads from a set.
    pub fn image(&self, set: &Bdd, relation: &Bdd) -> Result<Bdd> {
        set.and_exists(relation, &self.current)?.rename(&self.to_current)
    }
}
