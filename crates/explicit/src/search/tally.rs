//! What a search counts and finds, by each thread for itself and then summed up.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use burnside_model::Span;

use burnside_model::findings::Ending;

/// A violation.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Found {
    /// The last state of its run; none if a start state goes wrong.
    pub at: Option<u64>,
    /// Whether that is a state of the level that is being found, not of the one that is expanded.
    pub late: bool,
    /// That state's words.
    pub words: Vec<u64>,
    /// The check that is violated.
    pub check: usize,
    pub ending: Ending,
}

impl Found {
    /// The order in which violations of a level are reported, which depends on nothing but the violations.
    pub fn order(&self, other: &Found) -> Ordering {
        let key = |found: &'_ Found| (found.late, found.at.is_some());
        key(self)
            .cmp(&key(other))
            .then_with(|| self.words.cmp(&other.words))
            .then_with(|| self.check.cmp(&other.check))
            .then_with(|| ending(&self.ending).cmp(&ending(&other.ending)))
    }
}

/// What tells apart the violations of one check at one state.
fn ending(ending: &Ending) -> (u32, usize, &[i64]) {
    match ending {
        Ending::Fault { rule, args, in_guard, .. } => (u32::from(*in_guard), *rule as usize, args),
        Ending::PropertyFault { property, .. } => (2, *property, &[]),
        Ending::NeverAgain { args } => (3, 0, args),
        Ending::Invariant
        | Ending::Deadlock
        | Ending::Temporal(_)
        | Ending::Timed { .. }
        | Ending::Threads { .. } => (4, 0, &[]),
    }
}

/// Counts and findings.
#[derive(Clone, Debug)]
pub(crate) struct Tally {
    pub rules_fired: u64,
    pub per_rule: Vec<u64>,
    /// The states of the unreduced system; none if more than can be counted.
    pub full_states: Option<u128>,
    /// How often each check, if a cover, held.
    pub covered: Vec<u64>,
    /// Where an undefined value was copied.
    pub copies: BTreeSet<Span>,
    /// Whether there is something beyond the bound.
    pub beyond: bool,
    pub found: Vec<Found>,
}

impl Tally {
    /// Nothing yet, for so many rules and checks.
    pub fn new(rules: usize, checks: usize) -> Self {
        Tally {
            rules_fired: 0,
            per_rule: vec![0; rules],
            full_states: Some(0),
            covered: vec![0; checks],
            copies: BTreeSet::new(),
            beyond: false,
            found: Vec::new(),
        }
    }

    /// Counts one rule instance.
    #[inline]
    pub fn fire(&mut self, rule: u32) {
        self.rules_fired += 1;
        self.per_rule[rule as usize] += 1;
    }

    /// Takes over what another has, which is then empty.
    pub fn absorb(&mut self, other: &mut Tally, most: usize) {
        let add = |to: &mut [u64], from: &mut [u64]| {
            for (to, from) in to.iter_mut().zip(from) {
                *to += std::mem::take(from);
            }
        };
        self.rules_fired += std::mem::take(&mut other.rules_fired);
        add(&mut self.per_rule, &mut other.per_rule);
        add(&mut self.covered, &mut other.covered);
        let full = other.full_states.replace(0);
        self.full_states = self.full_states.and_then(|sum| sum.checked_add(full?));
        self.copies.append(&mut other.copies);
        self.beyond |= std::mem::take(&mut other.beyond);
        self.found.append(&mut other.found);
        self.trim(most);
    }

    /// Keeps the first violations only, when there are many more.
    pub fn trim(&mut self, most: usize) {
        if self.found.len() / 2 > most.saturating_add(100 + self.covered.len()) {
            self.found.sort_by(Found::order);
            keep_first(&mut self.found, most, |found| found.check);
        }
    }
}

/// Of violations in the order in which they are reported, keeps `most`, and the first of each check whatever their
/// number: a check that lost all of its violations would seem to hold.
pub(crate) fn keep_first<F>(found: &mut Vec<F>, most: usize, check: impl Fn(&F) -> usize) {
    let mut seen = BTreeSet::new();
    let mut position = 0;
    found.retain(|found| {
        let is_first = seen.insert(check(found));
        position += 1;
        is_first || position <= most
    });
}
