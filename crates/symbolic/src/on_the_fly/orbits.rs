//! σ_Step (paper 001, Figure 2): the states of the orbits of a set.
//!
//! The paper adds the images by all generators until nothing is new. We know the group: a stabiliser chain says which
//! images to add one after the other, each time of all that there is, so that the last one makes the set whole; nothing is
//! done twice, and nothing need be compared. Only if it is to be stopped early, it is done as in the paper.

use std::rc::Rc;

use crate::bdd::{Bdd, Renaming};
use crate::search::Stop;

use super::permute::Mover;

/// A group that acts on states.
#[derive(Default)]
pub struct Orbits {
    pub generators: Vec<Rc<Mover>>,
    /// The elements by which a set's images are added to make it whole.
    pub closing: Vec<Rc<Mover>>,
}

impl Orbits {
    /// The states of the orbits of a set; if all generators are applied only so often, perhaps not all.
    pub fn of(
        &self,
        set: &Bdd,
        sigma_steps: Option<u64>,
        pause: &dyn Fn() -> Result<(), Stop>,
    ) -> Result<Bdd, Stop> {
        let Some(most) = sigma_steps else {
            let closing: Vec<&Renaming> = self.closing.iter().map(|mover| mover.image_now()).collect();
            return whole(set.clone(), &closing, pause);
        };
        let mut all = set.clone();
        for _ in 0..most {
            let before = all.clone();
            for generator in &self.generators {
                all = all.or(&generator.image(&all)?)?;
                pause()?;
            }
            if all == before {
                break;
            }
        }
        Ok(all)
    }

    /// Whether the set is one of whole orbits.
    pub fn keep(&self, set: &Bdd) -> Result<bool, Stop> {
        for generator in &self.generators {
            if generator.image(set)? != *set {
                return Ok(false);
            }
        }
        Ok(true)
    }
}

/// Adds images one after the other.
pub fn whole(mut set: Bdd, closing: &[&Renaming], pause: &dyn Fn() -> Result<(), Stop>) -> Result<Bdd, Stop> {
    for renaming in closing {
        set = set.or(&set.rename(renaming)?)?;
        pause()?;
    }
    Ok(set)
}
