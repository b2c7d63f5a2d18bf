//! Dynamic symmetry reduction (paper 000, Listing 2): images under all steps, then α.
//!
//! Only the representatives that are new are stepped from; the paper steps from all again.

use crate::bdd::{Bdd, Manager, OutOfNodes};

use super::alpha::Alpha;
use super::{Image, Observer, Relations};

/// The representatives of all states that can be reached from the initial ones.
pub fn reachable<R: Relations>(
    manager: &Manager,
    relations: &mut R,
    alpha: &Alpha<'_>,
    initial: &Bdd,
    found: impl Observer<R::Error>,
) -> Result<Bdd, R::Error> {
    let parts = (0..relations.parts().len()).map(|at| relations.part(at)).collect::<Result<Vec<_>, _>>()?;
    let successors = |new: &Bdd| {
        let mut successors = manager.constant(false);
        for part in &parts {
            successors = successors.or(&part.image(new)?)?;
        }
        Ok(alpha.apply(&successors, None)?)
    };
    levels(manager, alpha.apply(initial, None)?, successors, found)
}

/// Breadth-first: all that can be reached by successors of representatives that are representatives.
pub fn levels<E: From<OutOfNodes>>(
    manager: &Manager,
    initial: Bdd,
    mut successors: impl FnMut(&Bdd) -> Result<Bdd, E>,
    mut found: impl Observer<E>,
) -> Result<Bdd, E> {
    let mut new = initial;
    let mut reached = new.clone();
    while !new.is_false() && found(&new)?.is_continue() {
        new = successors(&new)?.minus(&reached)?;
        reached = reached.or(&new)?;
        manager.tidy();
    }
    Ok(reached)
}
