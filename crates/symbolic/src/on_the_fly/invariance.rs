//! The invariance group of a property (paper 001, §3): the permutations of a group that fix all of some sets of states.
//!
//! The paper keeps those generators that fix the sets. We also find what only products of generators do: the group moves
//! the sets about; along generators, a representative leads to each of their images; and by Schreier's lemma what leads from
//! the sets back to themselves, over one image each, generates all that fixes them. That sets are equal is seen at once, as
//! they are diagrams. If there are very many images, the generators that fix the sets have to do.

use burnside_symmetry::Permutation;

use crate::bdd::{Bdd, OutOfNodes};

use super::permute::{Immovable, Movers};

/// The most images of the sets that are looked at.
const MOST_IMAGES: usize = 256;

/// Generators of the permutations, of those that some generate, that fix each of these sets. Those that are given can all
/// be applied to states.
pub fn stabiliser(
    movers: &mut Movers<'_>,
    generators: &[Permutation],
    sets: &[Bdd],
) -> Result<Vec<Permutation>, OutOfNodes> {
    let identity = movers.action().identity();
    let mut images = vec![(sets.to_vec(), identity)];
    let mut fixing: Vec<Permutation> = Vec::new();
    let mut at = 0;
    while at < images.len() {
        for generator in generators {
            let Some(moved) = image(movers, generator, &images[at].0)? else { continue };
            let way = generator.compose(&images[at].1);
            match images.iter().find(|(known, _)| *known == moved) {
                Some((_, there)) => {
                    let back = there.inverse().compose(&way);
                    if !back.is_identity() && !fixing.contains(&back) {
                        fixing.push(back);
                    }
                }
                None if images.len() == MOST_IMAGES => return fixed_by(movers, generators, sets),
                None => images.push((moved, way)),
            }
        }
        at += 1;
    }
    Ok(fixing)
}

/// The generators that fix the sets themselves.
fn fixed_by(
    movers: &mut Movers<'_>,
    generators: &[Permutation],
    sets: &[Bdd],
) -> Result<Vec<Permutation>, OutOfNodes> {
    let mut fixing = Vec::new();
    for generator in generators {
        if image(movers, generator, sets)?.as_deref() == Some(sets) {
            fixing.push(generator.clone());
        }
    }
    Ok(fixing)
}

/// The images of sets, if the permutation is one of states.
pub fn image(
    movers: &mut Movers<'_>,
    permutation: &Permutation,
    sets: &[Bdd],
) -> Result<Option<Vec<Bdd>>, OutOfNodes> {
    match movers.mover(permutation) {
        Ok(mover) => sets.iter().map(|set| mover.image(set)).collect::<Result<_, _>>().map(Some),
        Err(Immovable::Because(_)) => Ok(None),
        Err(Immovable::OutOfNodes(error)) => Err(error),
    }
}
