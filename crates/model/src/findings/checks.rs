//! The properties of a search: what is evaluated where, and what follows from what was found.
//!
//! A run-time error and a deadlock are properties as well; the model need not state them. A fault in a property's
//! condition counts as a run-time error. Liveness is decided after the search, and only if everything was explored.

use super::{Known, PropertyResult, Witness};
use crate::system::PropertyKind;
use crate::{DeadlockMode, Model};

/// A property that is checked.
pub struct Check {
    /// Its position in the model, if it is stated there.
    pub index: Option<usize>,
    pub name: String,
    pub kind: PropertyKind,
}

/// What is checked.
pub struct Checks {
    /// The properties of the model, then those that it does not state.
    pub list: Vec<Check>,
    /// Which check collects faults.
    pub faults: usize,
    /// Which check collects deadlocks, if any does.
    pub deadlocks: Option<usize>,
    /// What is evaluated in every state: the check, the property, its kind.
    pub evaluated: Vec<(usize, usize, PropertyKind)>,
    /// The properties among those of which only violations count; none if there are covers, which are counted.
    pub uncounted: Option<Vec<usize>>,
}

impl Checks {
    pub fn new(model: &Model, deadlock: DeadlockMode) -> Self {
        let off = deadlock == DeadlockMode::Off;
        let check = |index, name: &str, kind| Check { index, name: name.to_owned(), kind };
        let mut list: Vec<_> = model
            .properties
            .iter()
            .enumerate()
            .filter(|(_, p)| p.kind.is_decided())
            .filter(|(_, p)| !(off && p.kind == PropertyKind::NoDeadlock))
            .map(|(i, p)| check(Some(i), &p.name, p.kind))
            .collect();
        let mut find = |kind, name| {
            list.iter().position(|c: &Check| c.kind == kind).unwrap_or_else(|| {
                list.push(check(None, name, kind));
                list.len() - 1
            })
        };
        let faults = find(PropertyKind::NoFault, "no error at run time");
        let deadlocks = (!off).then(|| find(PropertyKind::NoDeadlock, "no deadlock"));
        let evaluated: Vec<_> = list
            .iter()
            .enumerate()
            .filter_map(|(i, check)| Some((i, check.index?, check.kind)))
            .filter(|(_, index, kind)| match kind {
                PropertyKind::Invariant | PropertyKind::Liveness => true,
                PropertyKind::Cover => model.properties[*index].condition.is_some(),
                _ => false,
            })
            .collect();
        let uncounted = |(_, index, kind): &(usize, usize, PropertyKind)| {
            (*kind != PropertyKind::Cover).then_some(*index)
        };
        let uncounted = evaluated.iter().map(uncounted).collect();
        Checks { list, faults, deadlocks, evaluated, uncounted }
    }

    /// The temporal formulas: check and property.
    pub fn formulas(&self) -> Vec<(usize, usize)> {
        let formula = |(i, check): (usize, &Check)| {
            check.index.filter(|_| check.kind.logic().is_some()).map(|index| (i, index))
        };
        self.list.iter().enumerate().filter_map(formula).collect()
    }

    /// The liveness properties: check and property.
    pub fn liveness(&self) -> Vec<(usize, usize)> {
        let liveness = |(i, check): (usize, &Check)| {
            check.index.filter(|_| check.kind == PropertyKind::Liveness).map(|index| (i, index))
        };
        self.list.iter().enumerate().filter_map(liveness).collect()
    }
}

impl Check {
    /// What is known in the end: from violations, from how often a cover held, from whether liveness or a formula was
    /// found to hold, and from whether everything was explored.
    pub fn conclude(
        &self,
        witnesses: Vec<Witness>,
        covered: u64,
        lives: bool,
        complete: bool,
    ) -> PropertyResult {
        let known = match self.kind {
            _ if !witnesses.is_empty() => Known::Violated(witnesses),
            PropertyKind::Liveness | PropertyKind::Ctl | PropertyKind::Ltl if lives => Known::Holds,
            // Where it is not checked, the report says why.
            PropertyKind::Liveness | PropertyKind::Ctl | PropertyKind::Ltl => Known::Unknown,
            PropertyKind::Cover if covered > 0 => Known::Holds,
            PropertyKind::Cover if complete => Known::Violated(Vec::new()),
            _ if complete => Known::Holds,
            _ => Known::Unknown,
        };
        let covered = (self.kind == PropertyKind::Cover).then_some(covered);
        PropertyResult { covered, ..PropertyResult::new(self.index, &self.name, self.kind, known) }
    }
}
