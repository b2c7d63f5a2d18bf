//! What is looked at only in the states that are found, as its diagrams would be too large for all states.

use std::cell::RefCell;

use burnside_encode::Step;
use burnside_model::findings::Ending;

use crate::algebra::Failed;
use crate::bdd::{Bdd, OutOfNodes};
use crate::decide::Target;
use crate::relation::Updates;
use crate::search::Stop;
use crate::system::System;

/// What is looked at late.
#[derive(Default)]
pub struct Late {
    /// Invariants: by their check, and as properties.
    pub invariants: Vec<(usize, usize)>,
    /// Where covers in functions that those call hold, by property; of states that were looked at.
    pub covers: RefCell<Vec<(u32, Bdd)>>,
    /// The check of deadlocks, if they are looked at late.
    pub deadlocks: Option<usize>,
    /// Then: where there is none,
    pub progress: Vec<Bdd>,
    /// and steps that are none where they change something.
    pub steps: Vec<(Bdd, Updates)>,
}

impl System<'_> {
    /// Where a step leads to another state; none if that is too large.
    pub(crate) fn changes(&self, step: &Step<Bdd>) -> Result<Option<Bdd>, OutOfNodes> {
        let most = self.diagrams.manager.nodes().saturating_add(self.room);
        let still = self.still(step.next.clone(), &step.updates, most)?;
        still.map(|still| step.next.minus(&still)).transpose()
    }

    /// The states among these that updates do not change; none if that takes too many nodes.
    fn still(&self, mut states: Bdd, updates: &Updates, most: usize) -> Result<Option<Bdd>, OutOfNodes> {
        // What is simple first: most steps surely change something that is.
        let mut updates: Vec<_> = updates.iter().collect();
        updates.sort_by_cached_key(|(_, becomes)| becomes.size());
        for (bit, becomes) in updates {
            let now = self.diagrams.manager.var(self.diagrams.variables.now(*bit))?;
            states = states.and(&now.equals(becomes)?)?;
            if states.is_false() {
                break;
            }
            if self.diagrams.manager.nodes() > most {
                return Ok(None);
            }
        }
        Ok(Some(states))
    }

    /// What is wrong in these states, of all that is looked at late.
    pub fn late_targets(&self, states: &Bdd) -> Result<Vec<Target>, Stop> {
        let mut targets = Vec::new();
        for (check, property) in &self.late.invariants {
            let mut diagrams = self.diagrams.clone();
            diagrams.care = Some(states.clone());
            match self.invariant(&mut diagrams, *check, *property) {
                Ok((wrong, covers)) => {
                    targets.extend(wrong);
                    self.late.covers.borrow_mut().extend(covers);
                }
                Err(Failed::Stopped(stop)) => return Err(stop),
                // Nothing is known of it then, as when there is no room.
                Err(Failed::Refused(_)) => return Err(OutOfNodes { nodes: diagrams.manager.nodes() }.into()),
            }
        }
        if let Some(check) = self.late.deadlocks {
            let mut stuck = states.minus(&self.progress)?;
            for set in &self.late.progress {
                stuck = stuck.minus(set)?;
            }
            for (next, updates) in &self.late.steps {
                let from = stuck.and(next)?;
                if !from.is_false()
                    && let Some(still) = self.still(from.clone(), updates, usize::MAX)?
                {
                    stuck = stuck.minus(&from.minus(&still)?)?;
                }
                self.diagrams.pause()?;
            }
            if !stuck.is_false() {
                targets.push(Target { check, states: stuck, ending: Ending::Deadlock });
            }
        }
        if let Some(executed) = &self.executed {
            targets.extend(executed.targets(states)?);
        }
        Ok(targets)
    }
}
