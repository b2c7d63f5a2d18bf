//! Which local states can occur beside which shared states, if it is forgotten how many threads there are.
//!
//! A local state that occurs once is taken to occur as often as wanted. So what is found contains everything that can
//! happen, and it is found in time linear in steps and local states.

use std::collections::{BTreeMap, BTreeSet};

use burnside_model::threads::{Population, ThreadState, ThreadSystem};

/// The local states beside every shared state that is reached.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pairs {
    /// By shared state.
    pub beside: BTreeMap<ThreadState, BTreeSet<ThreadState>>,
}

impl Pairs {
    /// Whether all these threads can be beside this shared state.
    pub fn allows(&self, shared: ThreadState, locals: &Population) -> bool {
        self.beside.get(&shared).is_some_and(|mine| locals.keys().all(|local| mine.contains(local)))
    }
}

pub(super) fn reachable(system: &ThreadSystem) -> Pairs {
    let mut pairs = Pairs::default();
    let start = &system.start;
    let first = start.fixed.keys().chain(&start.unbounded).copied().collect();
    pairs.beside.insert(start.shared, first);
    let mut changed = true;
    while changed {
        changed = false;
        for step in &system.steps {
            let Some(here) = pairs.beside.get(&step.shared.0).filter(|here| here.contains(&step.local.0))
            else {
                continue;
            };
            let mut there: BTreeSet<ThreadState> = here.iter().flat_map(|local| step.goes(*local)).collect();
            there.insert(step.local.1);
            there.extend(step.spawned);
            let target = pairs.beside.entry(step.shared.1).or_default();
            let before = target.len();
            let new_shared = before == 0;
            target.extend(there);
            changed |= target.len() > before || new_shared && target.is_empty();
        }
    }
    pairs
}
