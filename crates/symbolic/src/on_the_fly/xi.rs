//! The representative relation ξ (paper 001, Figure 4: Create_ξ), between representatives and the states of their orbits.
//!
//! It grows from the representatives by applying permutations to the states that they stand for, one after the other, as
//! for a set of states ([`super::orbits`]). The orbit relation, which
//! relates all states of an orbit to each other, is never built; and as a permutation renames variables, two sets of them
//! suffice.

use crate::bdd::{Bdd, Manager, OutOfNodes, Renaming};
use crate::search::Stop;
use crate::variables::Variables;

use super::orbits::{Orbits, whole};

/// ξ.
pub struct Xi {
    /// The representative now, and a state of its orbit next.
    pairs: Bdd,
    now: Bdd,
    next: Bdd,
    to_now: Renaming,
    to_next: Renaming,
}

impl Xi {
    /// Create_ξ, for these representatives; nothing if it has more than so many nodes.
    pub fn create(
        manager: &Manager,
        variables: &Variables,
        orbits: &Orbits,
        representatives: &Bdd,
        most: usize,
        pause: &dyn Fn() -> Result<(), Stop>,
    ) -> Result<Option<Self>, Stop> {
        let mut bits: Vec<usize> = (0..variables.bits()).collect();
        bits.sort_unstable_by_key(|bit| std::cmp::Reverse(manager.level(variables.now(*bit))));
        let mut pairs = representatives.clone();
        for bit in &bits {
            let (now, next) = (manager.var(variables.now(*bit))?, manager.var(variables.next(*bit))?);
            pairs = pairs.and(&now.equals(&next)?)?;
        }
        for mover in &orbits.closing {
            pairs = whole(pairs, &[mover.next_image()], pause)?;
            if pairs.size() > most {
                return Ok(None);
            }
        }
        Ok(Some(Xi {
            pairs,
            now: manager.variables(bits.iter().map(|bit| variables.now(*bit)))?,
            next: manager.variables(bits.iter().map(|bit| variables.next(*bit)))?,
            to_now: variables.to_now(manager, bits.iter().copied())?,
            to_next: variables.to_next(manager, bits.iter().copied())?,
        }))
    }

    /// The relation: the representative now, and a state of its orbit next.
    pub fn pairs(&self) -> &Bdd {
        &self.pairs
    }

    /// All representatives of the orbits of some states.
    pub fn representatives(&self, states: &Bdd) -> Result<Bdd, OutOfNodes> {
        states.rename(&self.to_next)?.and_exists(&self.pairs, &self.next)
    }

    /// All states of the orbits of some representatives.
    pub fn orbits(&self, representatives: &Bdd) -> Result<Bdd, OutOfNodes> {
        representatives.and_exists(&self.pairs, &self.now)?.rename(&self.to_now)
    }
}
