//! Symmetry reductions of symbolic reachability, one file each.
//!
//! All are sound for a verified symmetry of the steps: they replace states by others of the same orbit. They differ in
//! what they build for it, and in how many states of an orbit they keep:
//!
//! | file | builds | keeps |
//! |---|---|---|
//! | [`orbit_relation`] | the relation between all states of each orbit | one |
//! | [`multiple_representatives`] | a small part of that relation | several |
//! | [`dynamic`] | nothing: sorts the successors ([`alpha`]) | one, unless cells relate indices |
//! | [`component`] | as `dynamic`, with the steps of one index at a time | the same |

pub mod alpha;
pub mod component;
pub mod dynamic;
mod jumps;
pub mod model;
pub mod multiple_representatives;
pub mod multisets;
pub mod orbit_relation;
pub mod order;
pub mod quotient;
pub mod space;
pub mod spread;

use std::ops::ControlFlow;

use crate::bdd::{Bdd, OutOfNodes};

use self::alpha::Alpha;
use self::space::Index;

/// The steps of a system, in parts that can be made and dropped one by one.
pub trait Relations {
    /// What can go wrong.
    type Error: From<OutOfNodes>;
    /// The steps of one part.
    type Part: Image<Error = Self::Error>;

    /// For each part the index whose steps it has, if they are those of one. A symmetry of the system must take the part of
    /// an index to the part of the index's image.
    fn parts(&self) -> Vec<Option<Index>>;

    /// The steps of a part, made anew.
    fn part(&mut self, at: usize) -> Result<Self::Part, Self::Error>;
}

/// The order in which parts take steps: domain by domain, the last index first; then the steps that are no index's.
fn turns(parts: &[Option<Index>]) -> Vec<usize> {
    let mut turns: Vec<usize> = (0..parts.len()).collect();
    turns.sort_by_key(|&at| {
        parts[at].map_or((usize::MAX, 0), |(domain, element)| (domain, usize::MAX - element))
    });
    turns
}

/// What one part's steps lead to from these states and was not reached: one step, or where sorting is costly all that it
/// can take.
fn steps<I: Image>(part: &I, from: &Bdd, reached: &Bdd, alpha: &Alpha<'_>) -> Result<Bdd, I::Error>
where
    I::Error: From<OutOfNodes>,
{
    let mut new = part.image(from)?.minus(reached)?;
    let mut stepped = new.clone();
    while alpha.is_costly() && !new.is_false() {
        new = part.image(&new)?.minus(reached)?.minus(&stepped)?;
        stepped = stepped.or(&new)?;
    }
    Ok(stepped)
}

/// Some steps.
pub trait Image {
    /// What can go wrong.
    type Error;

    /// The states that they lead to from those of a set.
    fn image(&self, set: &Bdd) -> Result<Bdd, Self::Error>;
}

/// What is told of every set of new representatives, the initial ones first; may end the search.
pub trait Observer<E>: FnMut(&Bdd) -> Result<ControlFlow<()>, E> {}

impl<E, F: FnMut(&Bdd) -> Result<ControlFlow<()>, E>> Observer<E> for F {}
