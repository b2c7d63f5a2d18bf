//! Representatives chosen on the fly (paper 001, Figures 1 to 3): Symmetry_MC, σ_Step and Hints_Sym.
//!
//! The states that are found first stand for their orbits: of what a step leads to, everything is left out that is in an
//! orbit of what was found before. Nothing is sorted, and no relation between states of an orbit is built. Every state
//! that is kept was reached by steps of the model, whatever the permutations: what goes wrong there goes wrong.
//!
//! Where we deviate from the paper: σ_Step is by the generators of the invariance group, and of the new states only, as
//! orbits of a union are the union of orbits. Start states are looked at, too. States that an under-approximation or a hint
//! leaves out wait: the search has explored everything when none is left. So the paper's return to all states, when the
//! hint changes, is a return to those that were not stepped from.
//!
//! If everything is symmetric, then so is each level of a breadth-first search, and all states of an orbit are found at
//! once: it takes an under-approximation or hints to leave something out. (Keeping the least states of a level only was
//! tried: fewer states, but far larger diagrams.)

use std::rc::Rc;

use crate::bdd::Bdd;
use crate::search::{Ended, Reach, Stop, Watch};

use super::permute::Mover;
use super::under::{Subsetter, Under};

/// How representatives are found.
pub struct Explorer<'e> {
    /// Generators of the invariance group.
    pub generators: Vec<Rc<Mover>>,
    /// How often σ_Step applies all of them, at most; until nothing is new, if absent.
    pub sigma_steps: Option<u64>,
    /// How much is stepped from at a time; everything, if absent.
    pub under: Option<Under>,
    /// Where to step from first, then, and so on; in the end from everywhere.
    pub hints: &'e [Bdd],
}

impl Explorer<'_> {
    /// Finds representatives of all that is reachable.
    pub fn forward(
        &self,
        reach: &mut Reach<'_>,
        bound: Option<u64>,
        watch: &mut dyn Watch,
    ) -> Result<Ended, Stop> {
        if !watch.found(&reach.reached.clone(), reach)? {
            return Ok(Ended::Enough);
        }
        let mut subsetter = self.under.map(Subsetter::new);
        let everywhere = reach.manager.constant(true);
        let mut hints = self.hints.iter().chain(std::iter::once(&everywhere));
        let mut hint = hints.next();
        let mut waiting = reach.reached.clone();
        let mut closed = None;
        while let Some(here) = hint {
            let candidates = waiting.and(here)?;
            if candidates.is_false() {
                hint = hints.next();
                continue;
            }
            if bound.is_some_and(|bound| reach.depth >= bound) {
                return self.beyond(reach, &waiting, closed);
            }
            let under = match &mut subsetter {
                Some(subsetter) => subsetter.take(reach.manager, &candidates)?,
                None => candidates,
            };
            waiting = waiting.minus(&under)?;
            let found = reach.image(&under)?.minus(&reach.reached)?;
            let new = if found.is_false() {
                found
            } else {
                let orbits = self.orbits(reach, closed.take())?;
                let new = found.minus(&orbits)?;
                closed = Some(orbits);
                new
            };
            if new.is_false() {
                continue;
            }
            reach.depth += 1;
            reach.reached = reach.reached.or(&new)?;
            waiting = waiting.or(&new)?;
            if !watch.found(&new, reach)? {
                return Ok(Ended::Enough);
            }
            closed = match closed.take() {
                // What is large is in the way of the next step: it can be made again.
                Some(closed) if closed.size() > reach.manager.capacity() / LARGE => None,
                Some(closed) => Some(closed.or(&self.sigma_step(reach, &new)?)?),
                None => None,
            };
        }
        Ok(Ended::Complete)
    }

    /// How a search ends that may not step any further.
    fn beyond(&self, reach: &mut Reach<'_>, waiting: &Bdd, closed: Option<Bdd>) -> Result<Ended, Stop> {
        let found = reach.image(waiting)?.minus(&reach.reached)?;
        let new = found.minus(&self.orbits(reach, closed)?)?;
        Ok(if new.is_false() { Ended::Complete } else { Ended::Bound })
    }

    /// The orbits of all that was reached, if they are not known.
    fn orbits(&self, reach: &Reach<'_>, known: Option<Bdd>) -> Result<Bdd, Stop> {
        known.map_or_else(|| self.sigma_step(reach, &reach.reached), Ok)
    }

    /// The states of the orbits of a set; some of them, if it is stopped early.
    pub fn sigma_step(&self, reach: &Reach<'_>, set: &Bdd) -> Result<Bdd, Stop> {
        let mut all = set.clone();
        for _ in 0..self.sigma_steps.unwrap_or(u64::MAX) {
            let before = all.clone();
            for generator in &self.generators {
                all = all.or(&generator.image(&all)?)?;
                reach.pause()?;
            }
            if all == before {
                break;
            }
        }
        Ok(all)
    }
}

/// The share of all nodes that fit, one over this, from which on a set is large.
const LARGE: usize = 8;
