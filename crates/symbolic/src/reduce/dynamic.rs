//! Dynamic symmetry reduction (paper 000, Listing 2): images under all steps, then α.
//!
//! Only the representatives that are new are stepped from; the paper steps from all again.

use crate::bdd::{Bdd, Manager};

use super::alpha::Alpha;
use super::{Image, Observer, Relations};

/// The representatives of all states that can be reached from the initial ones.
pub fn reachable<R: Relations>(
    manager: &Manager,
    relations: &mut R,
    alpha: &Alpha,
    initial: &Bdd,
    mut found: impl Observer<R::Error>,
) -> Result<Bdd, R::Error> {
    let parts = (0..relations.parts().len()).map(|at| relations.part(at)).collect::<Result<Vec<_>, _>>()?;
    let mut new = alpha.apply(initial, None)?;
    let mut reached = new.clone();
    while !new.is_false() {
        if found(&new)?.is_break() {
            break;
        }
        let mut successors = manager.constant(false);
        for part in &parts {
            successors = successors.or(&part.image(&new)?)?;
        }
        new = alpha.apply(&successors, None)?.minus(&reached)?;
        reached = reached.or(&new)?;
        manager.tidy();
    }
    Ok(reached)
}
