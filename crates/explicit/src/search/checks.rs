//! The properties of a search: what is evaluated where, what was found, and what follows from it.
//!
//! A run-time error and a deadlock are properties as well; the model need not state them. A fault in a property's
//! condition counts as a run-time error. Liveness is decided after the search, and only if everything was explored.

use burnside_model::code::{Cell, Fault};
use burnside_model::system::{PropertyKind, TimeUp};
use burnside_model::{DeadlockMode, Limit, Model};

use super::Search;
use super::result::{Ending, Exploration, Known, PropertyResult, Witness};
use crate::Indexed;
use crate::liveness::{self, Liveness};
use crate::store::StateId;

/// A property and what has been found so far.
pub(super) struct Check {
    index: Option<usize>,
    name: String,
    kind: PropertyKind,
    witnesses: Vec<Witness>,
    covered: u64,
    /// For liveness, once it was decided: whether it holds.
    decided: Option<bool>,
    /// Whether its condition could not be evaluated somewhere.
    faulty: bool,
}

impl Check {
    fn new(index: Option<usize>, name: &str, kind: PropertyKind) -> Self {
        Check {
            index,
            name: name.to_owned(),
            kind,
            witnesses: Vec::new(),
            covered: 0,
            decided: None,
            faulty: false,
        }
    }

    /// Adds how often cover statements held.
    pub(super) fn add_covered(&mut self, covered: &[u64]) {
        self.covered += self.index.and_then(|index| covered.get(index)).copied().unwrap_or(0);
    }

    /// What is known in the end.
    fn conclude(self, complete: bool) -> PropertyResult {
        let cover = self.kind == PropertyKind::Cover;
        let known = match (self.kind, self.decided) {
            _ if !self.witnesses.is_empty() => Known::Violated(self.witnesses),
            (PropertyKind::Liveness, Some(true)) => Known::Holds,
            (PropertyKind::Liveness, _) => Known::Unknown,
            (PropertyKind::Cover, _) if self.covered > 0 => Known::Holds,
            (PropertyKind::Cover, _) if complete => Known::Violated(Vec::new()),
            _ if complete => Known::Holds,
            _ => Known::Unknown,
        };
        let covered = cover.then_some(self.covered);
        PropertyResult { index: self.index, name: self.name, kind: self.kind, known, covered }
    }
}

/// What to check: the properties, which of them collects faults, and which deadlocks.
pub(super) fn of(model: &Model, deadlock: DeadlockMode) -> (Vec<Check>, usize, Option<usize>) {
    let off = deadlock == DeadlockMode::Off;
    let mut checks: Vec<_> = model
        .properties
        .iter()
        .enumerate()
        .filter(|(_, p)| p.kind != PropertyKind::Assume && !(off && p.kind == PropertyKind::NoDeadlock))
        .map(|(i, p)| Check::new(Some(i), &p.name, p.kind))
        .collect();
    let mut find = |kind, name| {
        checks.iter().position(|c: &Check| c.kind == kind).unwrap_or_else(|| {
            checks.push(Check::new(None, name, kind));
            checks.len() - 1
        })
    };
    let faults = find(PropertyKind::NoFault, "no error at run time");
    let deadlocks = (!off).then(|| find(PropertyKind::NoDeadlock, "no deadlock"));
    (checks, faults, deadlocks)
}

impl<S: Indexed> Search<'_, S> {
    /// Evaluates all properties in the states from this number on.
    pub(super) fn check_from(&mut self, first: StateId) -> Result<(), Limit> {
        let mut state = Vec::new();
        for id in first..self.store.len() {
            self.store.read(id, &mut state);
            let total = &mut self.counts.full_states;
            *total = total.and_then(|total| total.checked_add(self.system.weight(&state)?));
            for check in 0..self.checks.len() {
                self.evaluate(check, id, &state).map_err(|TimeUp| Limit::Time)?;
            }
        }
        Ok(())
    }

    /// Evaluates one property in one state.
    fn evaluate(&mut self, check: usize, id: StateId, state: &[Cell]) -> Result<(), TimeUp> {
        let kind = self.checks[check].kind;
        let Some(index) = self.checks[check].index else { return Ok(()) };
        match kind {
            PropertyKind::Invariant | PropertyKind::Liveness => {}
            PropertyKind::Cover if self.system.model().properties[index].condition.is_some() => {}
            _ => return Ok(()),
        }
        match self.system.holds(index, state)? {
            Ok(held) if kind == PropertyKind::Cover => self.checks[check].covered += held,
            Ok(0) if kind == PropertyKind::Invariant => self.record(check, Ending::Invariant, Some(id)),
            Ok(_) => {}
            Err(fault) => {
                self.checks[check].faulty = true;
                let ending = Ending::PropertyFault { fault, property: index };
                self.record(self.faults, ending, Some(id));
            }
        }
        Ok(())
    }

    pub(super) fn record_faults(&mut self, faults: Vec<(u32, Vec<Cell>, Fault, bool)>, at: Option<StateId>) {
        for (rule, args, fault, in_guard) in faults {
            let ending = Ending::Fault { fault, rule, args, in_guard };
            self.record(self.faults, ending, at);
        }
    }

    /// Counts a violation; its path leads to the state `at`. Beyond the wanted number, none is recorded.
    pub(super) fn record(&mut self, check: usize, ending: Ending, at: Option<StateId>) {
        if self.errors < self.config.limits.max_errors {
            self.errors += 1;
            let path = at.map(|id| self.store.path(id)).unwrap_or_default();
            self.checks[check].witnesses.push(Witness { path, ending });
        }
    }

    /// Decides the liveness properties whose condition has a value everywhere, if everything was explored.
    pub fn liveness(&mut self) {
        if !self.complete {
            return;
        }
        let properties: Vec<_> = (0..self.checks.len())
            .filter(|c| self.checks[*c].kind == PropertyKind::Liveness && !self.checks[*c].faulty)
            .filter_map(|c| Some((c, self.checks[c].index?)))
            .collect();
        if properties.is_empty() {
            return;
        }
        let indices: Vec<_> = properties.iter().map(|(_, index)| *index).collect();
        let decided = liveness::decide(self.system, &mut self.store, &indices, self.deadline);
        // The model ran once more, for the same states: what it said is known.
        self.system.side_effects();
        match decided {
            Err(limit) => self.limit = Some(limit),
            Ok(results) => {
                for ((check, _), result) in properties.into_iter().zip(results) {
                    self.checks[check].decided = Some(result == Liveness::Holds);
                    if let Liveness::Never { state, args } = result {
                        let (path, ending) = (self.store.path(state), Ending::NeverAgain { args });
                        self.checks[check].witnesses.push(Witness { path, ending });
                    }
                }
            }
        }
    }

    /// Draws the conclusions.
    pub fn finish(self) -> Exploration {
        let complete = self.complete;
        let properties = self.checks.into_iter().map(|check| check.conclude(complete)).collect();
        Exploration {
            states: u64::from(self.store.len()),
            full_states: self.counts.full_states,
            rules_fired: self.counts.rules_fired,
            per_rule: self.counts.per_rule,
            depth: self.counts.depth,
            limit: self.limit,
            complete,
            properties,
            undefined_copies: self.undefined_copies.into_iter().collect(),
            memory: self.store.memory(),
        }
    }
}
