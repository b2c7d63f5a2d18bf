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
//! once. So levels are only used where a bound counts them. Otherwise the relations are applied one after the other
//! (chaining): what the first component does stands for what the others would do, and sets of representatives become
//! both few and small. If σ_Step is stopped early, parts of orbits would make them large: then it is levels again. Where an
//! under-approximation is asked for, it is one of what no step was taken from. (Keeping the least states of a level only
//! was tried: fewer states, but far larger diagrams.)

use crate::bdd::Bdd;
use crate::search::{Ended, Reach, Stop, Watch};

use super::orbits::Orbits;
use super::under::{Subsetter, Under};

/// How representatives are found.
pub struct Explorer<'e> {
    pub group: Orbits,
    /// How often σ_Step applies all of them, at most; until nothing is new, if absent.
    pub sigma_steps: Option<u64>,
    /// How much is stepped from at a time; everything, if absent.
    pub under: Option<Under>,
    /// Where to step from first, then, and so on; in the end from everywhere.
    pub hints: &'e [Bdd],
}

/// The orbits of all that was reached, unless they are not known, or too large to keep.
#[derive(Default)]
pub struct Closed(Option<Bdd>);

impl Explorer<'_> {
    /// Finds representatives of all that is reachable.
    pub fn forward(
        &self,
        reach: &mut Reach<'_>,
        bound: Option<u64>,
        closed: &mut Closed,
        watch: &mut dyn Watch,
    ) -> Result<Ended, Stop> {
        if !watch.found(&reach.reached.clone(), reach)? {
            return Ok(Ended::Enough);
        }
        match (self.under, bound, self.sigma_steps) {
            (None, None, None | Some(0)) => self.chain(reach, closed, watch),
            _ => self.frontier(reach, bound, closed, watch),
        }
    }

    /// From where no step was taken so far, or from a part of that.
    fn frontier(
        &self,
        reach: &mut Reach<'_>,
        bound: Option<u64>,
        closed: &mut Closed,
        watch: &mut dyn Watch,
    ) -> Result<Ended, Stop> {
        let mut subsetter = self.under.map(Subsetter::new);
        let everywhere = reach.manager.constant(true);
        let mut hints = self.hints.iter().chain(std::iter::once(&everywhere));
        let mut hint = hints.next();
        let mut waiting = reach.reached.clone();
        while let Some(here) = hint {
            let candidates = waiting.and(here)?;
            if candidates.is_false() {
                hint = hints.next();
                continue;
            }
            if bound.is_some_and(|bound| reach.depth >= bound) {
                let beyond = self.unknown(reach, &reach.reached, reach.image(&waiting)?, closed)?;
                return Ok(if beyond.is_false() { Ended::Complete } else { Ended::Bound });
            }
            let under = match &mut subsetter {
                Some(subsetter) => subsetter.take(reach.manager, &candidates)?,
                None => candidates,
            };
            waiting = waiting.minus(&under)?;
            let new = self.unknown(reach, &reach.reached, reach.image(&under)?, closed)?;
            if new.is_false() {
                continue;
            }
            reach.depth += 1;
            reach.reached = self.keep(reach, &reach.reached, &new, closed)?;
            waiting = waiting.or(&new)?;
            if !watch.found(&new, reach)? {
                return Ok(Ended::Enough);
            }
        }
        Ok(Ended::Complete)
    }

    /// By one relation after the other, each from all that there is.
    fn chain(
        &self,
        reach: &mut Reach<'_>,
        closed: &mut Closed,
        watch: &mut dyn Watch,
    ) -> Result<Ended, Stop> {
        let everywhere = reach.manager.constant(true);
        let mut before = reach.reached.clone();
        for hint in self.hints.iter().chain(std::iter::once(&everywhere)) {
            let mut idle = 0;
            for (i, relation) in reach.relations.iter().enumerate().cycle() {
                if idle == reach.relations.len() {
                    break;
                }
                idle += 1;
                loop {
                    let found = relation.image(&reach.reached.and(hint)?)?;
                    let new = self.unknown(reach, &reach.reached, found, closed)?;
                    if new.is_false() {
                        break;
                    }
                    idle = 0;
                    reach.reached = self.keep(reach, &reach.reached, &new, closed)?;
                }
                if !reach.tell(&mut before, watch)? {
                    return Ok(Ended::Enough);
                }
                reach.depth += u64::from(i + 1 == reach.relations.len());
            }
        }
        Ok(Ended::Complete)
    }

    /// Which of some states are in no orbit of what was reached.
    pub fn unknown(
        &self,
        reach: &Reach<'_>,
        reached: &Bdd,
        found: Bdd,
        closed: &mut Closed,
    ) -> Result<Bdd, Stop> {
        reach.pause()?;
        let found = found.minus(closed.0.as_ref().unwrap_or(reached))?;
        if found.is_false() || closed.0.is_some() {
            return Ok(found);
        }
        let orbits = self.sigma_step(reach, reached)?;
        let new = found.minus(&orbits)?;
        closed.0 = Some(orbits);
        Ok(new)
    }

    /// What was reached, with representatives of new orbits.
    pub fn keep(
        &self,
        reach: &Reach<'_>,
        reached: &Bdd,
        new: &Bdd,
        closed: &mut Closed,
    ) -> Result<Bdd, Stop> {
        closed.0 = match closed.0.take() {
            // What is large is in the way of the next step: it can be made again.
            Some(orbits) if orbits.size() > reach.manager.capacity() / LARGE => None,
            Some(orbits) => Some(orbits.or(&self.sigma_step(reach, new)?)?),
            None => None,
        };
        Ok(reached.or(new)?)
    }

    /// All states of the orbits of what was reached.
    pub fn orbits(&self, reach: &Reach<'_>, closed: Closed) -> Result<Bdd, Stop> {
        closed.0.map_or_else(|| self.sigma_step(reach, &reach.reached), Ok)
    }

    /// The states of the orbits of a set; some of them, if it is stopped early.
    pub fn sigma_step(&self, reach: &Reach<'_>, set: &Bdd) -> Result<Bdd, Stop> {
        self.group.of(set, self.sigma_steps, &|| reach.pause())
    }
}

/// The share of all nodes that fit, one over this, from which on a set is large.
const LARGE: usize = 8;
