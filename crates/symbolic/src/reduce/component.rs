//! Component-wise dynamic symmetry reduction and state symmetries (paper 000, Listings 5 and 6).
//!
//! One index takes all steps it can, again and again, then the next index. Successors differ from sorted states in one
//! place, so α is cheap; and only the steps of one index are ever in memory.
//!
//! The paper keeps a set of states to explore for each index. They are what was reached since the index's last turn,
//! so here only what was reached by then is kept: one difference instead of a union for each pair of indices.
//!
//! *State symmetries*: where exchanging p and p+1 does not change a state, the steps of p lead to the orbits that the
//! steps of p+1 led to. As p has its turn just after p+1, such states are left out of it. (Listing 6 reads the index
//! before 0 where there is none.)

use burnside_model::code::DomainKind;

use crate::bdd::{Bdd, Manager};

use super::alpha::Alpha;
use super::space::{Index, Permutation, Space, transposition};
use super::{Image, Observer, Relations};

/// The states that the exchange of neighbours does not change.
pub struct StateSymmetries {
    /// Per domain and index p: of p and p+1. Empty for rings, where neighbours cannot be exchanged.
    fixed: Vec<Vec<Bdd>>,
}

impl StateSymmetries {
    /// Those of a space.
    pub fn new(manager: &Manager, space: &Space) -> crate::bdd::Result<Self> {
        let mut fixed = Vec::new();
        for (domain, shape) in space.domains.iter().enumerate() {
            let neighbours = if shape.kind == DomainKind::Full { 1..shape.size } else { 1..1 };
            let of = |at| {
                space.fixed(manager, Permutation { domain, images: &transposition(shape.size, at - 1, at) })
            };
            fixed.push(neighbours.map(of).collect::<crate::bdd::Result<Vec<_>>>()?);
        }
        Ok(StateSymmetries { fixed })
    }

    /// The states that exchanging the index with the next one does not change.
    fn with_next(&self, (domain, element): Index) -> Option<&Bdd> {
        self.fixed[domain].get(element)
    }
}

/// The representatives of all states that can be reached from the initial ones.
pub fn reachable<R: Relations>(
    manager: &Manager,
    relations: &mut R,
    alpha: &Alpha,
    symmetries: Option<&StateSymmetries>,
    initial: &Bdd,
    mut found: impl Observer<R::Error>,
) -> Result<Bdd, R::Error> {
    let parts = relations.parts();
    let mut turns: Vec<usize> = (0..parts.len()).collect();
    // Domain by domain, the last index first; then the steps that are no index's.
    turns.sort_by_key(|&at| {
        parts[at].map_or((usize::MAX, 0), |(domain, element)| (domain, usize::MAX - element))
    });
    let mut reached = alpha.apply(initial, None)?;
    if found(&reached)?.is_break() {
        return Ok(reached);
    }
    // What was reached at the end of each part's last turn.
    let mut explored = vec![manager.constant(false); parts.len()];
    let (mut idle, mut turn) = (0, 0);
    while idle < turns.len() {
        let at = turns[turn];
        let previous = turn.checked_sub(1).and_then(|turn| parts[turns[turn]]);
        turn = (turn + 1) % turns.len();
        let mut new = reached.minus(&explored[at])?;
        let next = parts[at].map(|(domain, element)| (domain, element + 1));
        if let (Some(symmetries), Some(index)) = (symmetries, parts[at].filter(|_| previous == next))
            && let Some(fixed) = symmetries.with_next(index)
        {
            new = new.minus(fixed)?;
        }
        if new.is_false() {
            idle += 1;
            explored[at] = reached.clone();
            continue;
        }
        idle = 0;
        let part = relations.part(at)?;
        while !new.is_false() {
            new = alpha.apply(&part.image(&new)?, parts[at])?.minus(&reached)?;
            reached = reached.or(&new)?;
            if !new.is_false() && found(&new)?.is_break() {
                return Ok(reached);
            }
        }
        explored[at] = reached.clone();
        manager.tidy();
    }
    Ok(reached)
}
