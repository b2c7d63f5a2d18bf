//! Violations of LTL near the start, found before everything is explored.
//!
//! Between levels of the search, each time there are several times as many states as the last time, the part of the graph
//! that is expanded is searched for a run that violates a formula. Such a run is one of the whole graph: all its states
//! are expanded, so whom its loop is fair to does not depend on what lies beyond. That there is none says nothing.
//! The same is done at the end of a search that a bound on the depth ended.

use burnside_model::system::Logic;
use burnside_model::{Deadline, Limit, Model, Packing};

use super::{Decided, Found, decide_all};
use crate::liveness::States;
use crate::search::Explored;
use crate::store::Store;
use crate::{Config, Indexed};

/// How many times more states there must be to look again.
const GROWTH: u64 = 6;

/// Looks for violations while a search goes on.
pub(crate) struct Early<'e, S> {
    system: &'e mut S,
    model: &'e Model,
    packing: &'e Packing,
    formulas: Vec<usize>,
    /// How many states there must be to look.
    next: u64,
    threads: usize,
    deadline: Deadline,
    /// What is violated.
    found: Option<Decided>,
}

impl<'e, S: Indexed> Early<'e, S> {
    pub fn new(model: &'e Model, packing: &'e Packing, system: &'e mut S, config: &Config) -> Self {
        let linear = |i: &usize| {
            let property = &model.properties[*i];
            property.kind.logic() == Some(Logic::Ltl) && property.formula.is_some()
        };
        let wanted = config.without_formulas.is_none() && !config.compact;
        let formulas = (0..model.properties.len()).filter(|i| wanted && linear(i)).collect();
        let deadline = config.limits.deadline();
        Early {
            system,
            model,
            packing,
            formulas,
            next: config.early.max(1),
            threads: config.threads,
            deadline,
            found: None,
        }
    }

    /// Looks at what is expanded, if it is time to; gives how many formulas are known to be violated.
    pub fn look(&mut self, store: &Store) -> u64 {
        let expanded = store.frontier().start;
        if expanded >= self.next {
            self.next = expanded.saturating_mul(GROWTH);
            self.look_at(store, expanded);
        }
        self.found.as_ref().map_or(0, |found| found.formulas.len() as u64)
    }

    /// Looks at all that is within a bound, where the search ended there.
    pub fn finish(mut self, explored: &Explored) -> Option<Decided> {
        if explored.limit == Some(Limit::Bound) {
            self.look_at(&explored.store, explored.store.len());
        }
        self.found
    }

    /// Looks at the first states, so many.
    fn look_at(&mut self, store: &Store, count: u64) {
        if !self.formulas.is_empty() {
            let mut states = States::first(store, self.packing, count);
            self.system.set_deadline(self.deadline);
            let (threads, deadline) = (self.threads, self.deadline);
            let decided =
                decide_all(self.system, self.model, &mut states, &self.formulas, threads, deadline, true);
            // The model ran once more, for the same states: what it said is known.
            self.system.side_effects();
            // Whatever limit there was, the search will notice it.
            if let Ok(mut decided) = decided {
                decided.formulas.retain(|(_, found)| matches!(found, Found::Violated(_)));
                self.found = Some(decided).filter(|decided| !decided.formulas.is_empty());
            }
        }
    }
}
