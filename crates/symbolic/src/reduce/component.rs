//! Component-wise dynamic symmetry reduction and state symmetries (paper 000, Listings 5 and 6).
//!
//! One index takes all steps it can, again and again, then the next index. Successors differ from sorted states in one
//! place, so α is cheap; and only the steps of one index are ever in memory.
//!
//! Where we deviate: the paper applies α after every step. Where local states are large, exchanging them costs more than
//! steps do, so there an index takes all steps it can before α is applied. And the paper keeps a set of states to explore
//! for each index. They are what was reached since the index's last turn, so here only what was reached by then is kept:
//! one difference instead of a union for each pair of indices.
//!
//! *State symmetries*: where exchanging p and p+1 does not change a state, the steps of p lead to the orbits that the
//! steps of p+1 lead to. Such states are left to p+1. (Listing 6 reads the index before 0 where there is none.)

use crate::bdd::{Bdd, Manager};

use super::alpha::Alpha;
use super::{Observer, Relations, steps, turns};

/// The representatives of all states that can be reached from the initial ones, with or without state symmetries.
pub fn reachable<R: Relations>(
    manager: &Manager,
    relations: &mut R,
    alpha: &Alpha<'_>,
    symmetries: bool,
    initial: &Bdd,
    mut found: impl Observer<R::Error>,
) -> Result<Bdd, R::Error> {
    let parts = relations.parts();
    let turns = turns(&parts);
    let mut reached = alpha.apply(initial, None)?;
    if found(&reached)?.is_break() {
        return Ok(reached);
    }
    // What was reached at the end of each part's last turn.
    let mut explored = vec![manager.constant(false); parts.len()];
    let (mut idle, mut turn) = (0, 0);
    while idle < turns.len() {
        let at = turns[turn];
        turn = (turn + 1) % turns.len();
        let mut new = reached.minus(&explored[at])?;
        if let Some(index) =
            parts[at].filter(|&(domain, element)| symmetries && parts.contains(&Some((domain, element + 1))))
            && let Some(changed) = alpha.changed_by_exchange(&new, index)?
        {
            new = changed;
        }
        if new.is_false() {
            idle += 1;
            explored[at] = reached.clone();
            continue;
        }
        idle = 0;
        let part = relations.part(at)?;
        while !new.is_false() {
            let stepped = steps(&part, &new, &reached, alpha)?;
            new = alpha.apply(&stepped, parts[at])?.minus(&reached)?;
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
