//! Reachability over partitioned relations.
//!
//! *Breadth-first* takes the image of the states of one level under all relations: levels are exact distances.
//! *Chaining* applies one relation after the other to all states so far, so that a pass does what many levels do, and
//! the diagrams in between are smaller. *Saturation* does likewise, but always goes on with the relation that lies
//! lowest in the order of variables and still finds something: what is local to the bottom is settled before anything
//! above it moves. (It settles sets of states, not single nodes as the literature's does.)
//!
//! Backwards there are only levels: they are what a shortest run is found along.

use burnside_model::{Deadline, Limit};

use crate::bdd::{Bdd, Manager, OutOfNodes};
use crate::reduce::quotient::Quotient;
use crate::transitions::Transitions;

/// How reachable states are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Search {
    /// Level by level.
    Bfs,
    /// One relation after the other.
    #[default]
    Chaining,
    /// The lowest relation that finds something.
    Saturation,
}

/// What ended a computation early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// There is no room for more nodes.
    Memory(OutOfNodes),
    Time,
}

impl Stop {
    /// The limit that was hit.
    pub fn limit(self) -> Limit {
        match self {
            Stop::Memory(_) => Limit::Memory,
            Stop::Time => Limit::Time,
        }
    }
}

impl From<OutOfNodes> for Stop {
    fn from(error: OutOfNodes) -> Self {
        Stop::Memory(error)
    }
}

/// What is asked of a search between its steps.
pub trait Watch {
    /// Sees the states found since the last time, and where the search is; whether to go on.
    fn found(&mut self, new: &Bdd, at: &Reach<'_>) -> Result<bool, Stop>;
}

/// How a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Everything reachable was found.
    Complete,
    /// Whoever watched had seen enough.
    Enough,
    /// There are states beyond the bound.
    Bound,
}

/// A search for everything reachable.
pub struct Reach<'r> {
    /// Where the diagrams are.
    pub manager: &'r Manager,
    pub relations: &'r [Transitions<'r>],
    pub deadline: Deadline,
    /// What was found so far.
    pub reached: Bdd,
    /// Levels, or passes, so far.
    pub depth: u64,
    /// If only representatives of orbits are reached: how.
    pub quotient: Option<&'r Quotient<'r>>,
}

impl<'r> Reach<'r> {
    /// Nothing but the start states.
    pub fn new(
        manager: &'r Manager,
        relations: &'r [Transitions<'r>],
        initial: &Bdd,
        deadline: Deadline,
    ) -> Self {
        Self { manager, relations, deadline, reached: initial.clone(), depth: 0, quotient: None }
    }

    /// Between two operations: collects garbage where that pays, and looks at the clock.
    pub fn pause(&self) -> Result<(), Stop> {
        self.manager.tidy();
        if self.deadline.has_passed() { Err(Stop::Time) } else { Ok(()) }
    }

    /// Finds what is reachable. `bound` is the most levels of a breadth-first search.
    pub fn forward(
        &mut self,
        search: Search,
        bound: Option<u64>,
        watch: &mut dyn Watch,
    ) -> Result<Ended, Stop> {
        if let Some(quotient) = self.quotient {
            return quotient.forward(self, search, bound, watch);
        }
        if !watch.found(&self.reached.clone(), self)? {
            return Ok(Ended::Enough);
        }
        // What is executed is so for new states only.
        let executed = matches!(self.relations, [Transitions::Executed(_)]);
        match search {
            _ if executed => self.levels(bound, watch),
            Search::Bfs => self.levels(bound, watch),
            Search::Chaining => self.chain(watch),
            Search::Saturation => self.saturate(watch),
        }
    }

    fn levels(&mut self, bound: Option<u64>, watch: &mut dyn Watch) -> Result<Ended, Stop> {
        let mut level = self.reached.clone();
        loop {
            let next = self.image(&level)?.minus(&self.reached)?;
            if next.is_false() {
                return Ok(Ended::Complete);
            }
            if bound.is_some_and(|bound| self.depth >= bound) {
                return Ok(Ended::Bound);
            }
            self.reached = self.reached.or(&next)?;
            self.depth += 1;
            if !watch.found(&next, self)? {
                return Ok(Ended::Enough);
            }
            level = next;
        }
    }

    fn chain(&mut self, watch: &mut dyn Watch) -> Result<Ended, Stop> {
        let mut before = self.reached.clone();
        let mut idle = 0;
        for (i, relation) in self.relations.iter().enumerate().cycle() {
            if idle == self.relations.len() {
                break;
            }
            idle = if self.settle(relation)? { 0 } else { idle + 1 };
            if i + 1 == self.relations.len() {
                self.depth += 1;
                if !self.tell(&mut before, watch)? {
                    return Ok(Ended::Enough);
                }
            }
        }
        if self.tell(&mut before, watch)? { Ok(Ended::Complete) } else { Ok(Ended::Enough) }
    }

    fn saturate(&mut self, watch: &mut dyn Watch) -> Result<Ended, Stop> {
        let mut relations: Vec<_> = self.relations.iter().collect();
        relations.sort_by_key(|relation| std::cmp::Reverse(relation.top(self.manager)));
        let mut before = self.reached.clone();
        let mut at = 0;
        while let Some(relation) = relations.get(at) {
            if self.settle(relation)? {
                at = 0;
                self.depth += 1;
                if !self.tell(&mut before, watch)? {
                    return Ok(Ended::Enough);
                }
            } else {
                at += 1;
            }
        }
        Ok(Ended::Complete)
    }

    /// Applies one relation until it finds nothing more; whether it found something.
    fn settle(&mut self, relation: &Transitions<'_>) -> Result<bool, Stop> {
        let mut changed = false;
        loop {
            let more = self.reached.or(&relation.image(&self.reached)?)?;
            self.pause()?;
            if more == self.reached {
                return Ok(changed);
            }
            self.reached = more;
            changed = true;
        }
    }

    /// Shows what was found since `before`, if anything.
    pub fn tell(&self, before: &mut Bdd, watch: &mut dyn Watch) -> Result<bool, Stop> {
        if *before == self.reached {
            return Ok(true);
        }
        let new = self.reached.minus(before)?;
        *before = self.reached.clone();
        watch.found(&new, self)
    }

    /// The successors under all relations.
    pub fn image(&self, states: &Bdd) -> Result<Bdd, Stop> {
        let mut all = self.manager.constant(false);
        for relation in self.relations {
            all = all.or(&relation.image(states)?)?;
            self.pause()?;
        }
        Ok(all)
    }

    /// The predecessors under all relations, of those that are among some states.
    pub fn preimage(&self, states: &Bdd, within: &Bdd) -> Result<Bdd, Stop> {
        let mut all = self.manager.constant(false);
        for relation in self.relations {
            all = all.or(&relation.preimage(states, within)?)?;
            self.pause()?;
        }
        Ok(all)
    }

    /// The reached states from which these can be reached, by chaining.
    pub fn backward(&self, states: &Bdd) -> Result<Bdd, Stop> {
        if let Some(quotient) = self.quotient {
            return quotient.backward(self, states);
        }
        let mut all = states.and(&self.reached)?;
        let mut idle = 0;
        for relation in self.relations.iter().cycle() {
            if idle == self.relations.len() {
                break;
            }
            let more = all.or(&relation.preimage(&all, &self.reached)?)?;
            self.pause()?;
            idle = if more == all { idle + 1 } else { 0 };
            all = more;
        }
        Ok(all)
    }

    /// A shortest run within the reached states, from a start state to one of the targets: each state as the cube of its
    /// values now. Empty if there is none.
    pub fn run(
        &self,
        initial: &Bdd,
        targets: &Bdd,
        pick: &mut dyn FnMut(&Bdd) -> Result<Bdd, OutOfNodes>,
    ) -> Result<Vec<Bdd>, Stop> {
        if let Some(quotient) = self.quotient {
            return quotient.run(self, initial, targets, pick);
        }
        let mut rings = vec![targets.and(&self.reached)?];
        let mut seen = rings[0].clone();
        loop {
            let last = &rings[rings.len() - 1];
            let start = last.and(initial)?;
            if !start.is_false() {
                let mut run = vec![pick(&start)?];
                for ring in rings.iter().rev().skip(1) {
                    let next = self.image(&run[run.len() - 1])?.and(ring)?;
                    run.push(pick(&next)?);
                }
                return Ok(run);
            }
            let next = self.preimage(last, &self.reached)?.minus(&seen)?;
            if next.is_false() {
                return Ok(Vec::new());
            }
            seen = seen.or(&next)?;
            rings.push(next);
        }
    }
}
