//! Dynamic symmetry reduction (paper 000, Listing 2): images under all steps, then α.
//!
//! Only the representatives that are new are stepped from; the paper steps from all again. That is done level by level,
//! or by chaining: what the steps of one index lead to is sorted at once, where only that index is out of place, and the
//! next index steps from it already. Levels are often many, and their diagrams large; then chaining takes a few passes.

use crate::bdd::{Bdd, Manager, OutOfNodes};

use super::alpha::Alpha;
use super::{Image, Observer, Relations, steps, turns};

/// The representatives of all states that can be reached from the initial ones, level by level.
pub fn by_levels<R: Relations>(
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

/// The same representatives by chaining. Found are those of one pass over all parts.
pub fn by_chaining<R: Relations>(
    manager: &Manager,
    relations: &mut R,
    alpha: &Alpha<'_>,
    initial: &Bdd,
    mut found: impl Observer<R::Error>,
) -> Result<Bdd, R::Error> {
    let indices = relations.parts();
    let mut parts = Vec::new();
    for at in turns(&indices) {
        parts.push((relations.part(at)?, indices[at]));
    }
    let mut new = alpha.apply(initial, None)?;
    let mut reached = new.clone();
    while !new.is_false() && found(&new)?.is_continue() {
        let before = reached.clone();
        for (part, index) in &parts {
            let stepped = steps(part, &new, &reached, alpha)?;
            if stepped.is_false() {
                continue;
            }
            let stepped = alpha.apply(&stepped, *index)?.minus(&reached)?;
            reached = reached.or(&stepped)?;
            new = new.or(&stepped)?;
            manager.tidy();
        }
        new = reached.minus(&before)?;
    }
    Ok(reached)
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
