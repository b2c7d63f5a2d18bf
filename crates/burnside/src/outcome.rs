//! What the explorations of a check found together.

use burnside_model::findings::{Findings, Known, PropertyResult, TemporalGroup};

use burnside_model::Limit;
use burnside_model::system::PropertyKind;

use crate::witness::Confirmed;

/// The confirmed runs of every property's witnesses.
pub(crate) type AllConfirmed = Vec<Vec<Confirmed>>;

/// What all explorations found.
pub(crate) struct Outcome {
    /// Together.
    pub found: Findings,
    /// The runs of the violations, or those that show why a property holds.
    pub confirmed: AllConfirmed,
    /// Stored states of each exploration, in decimal.
    pub states: Vec<String>,
    /// The smaller groups under which an exploration decided formulas.
    pub groups: Vec<(usize, TemporalGroup)>,
}

impl Outcome {
    /// What the first exploration found of some properties; nothing is known of the others.
    pub fn new(unknown: Vec<PropertyResult>, first: (Findings, AllConfirmed)) -> Outcome {
        let (mut found, confirmed) = first;
        let properties = std::mem::replace(&mut found.properties, unknown);
        let groups = found.temporal.groups.iter().map(|group| (0, group.clone())).collect();
        let states = vec![found.states.to_string()];
        let none = vec![Vec::new(); found.properties.len()];
        let mut outcome = Outcome { found, confirmed: none, states, groups };
        for (result, confirmed) in properties.into_iter().zip(confirmed) {
            match outcome.place(&result) {
                Some(at) => outcome.set(at, result, confirmed),
                None => {
                    outcome.found.properties.push(result);
                    outcome.confirmed.push(confirmed);
                }
            }
        }
        outcome
    }

    /// Where the same property is.
    fn place(&self, result: &PropertyResult) -> Option<usize> {
        let same = |other: &PropertyResult| match result.index {
            Some(index) => other.index == Some(index),
            None => other.index.is_none() && other.kind == result.kind,
        };
        self.found.properties.iter().position(same)
    }

    fn set(&mut self, at: usize, result: PropertyResult, confirmed: Vec<Confirmed>) {
        self.found.properties[at] = result;
        self.confirmed[at] = confirmed;
    }

    /// Adds what an exploration of another kind found: its figures stay apart.
    pub fn add_beside(&mut self, other: Findings, confirmed: AllConfirmed, decides: &[usize]) {
        self.states.push(other.states.to_string());
        let mine = &mut self.found;
        mine.limit = mine.limit.or(other.limit);
        mine.complete &= other.complete;
        mine.memory = mine.memory.max(other.memory);
        mine.temporal.unfair |= other.temporal.unfair;
        self.take(other.properties, confirmed, decides);
    }

    /// Adds what another exploration found. Its figures stay apart: states of several explorations together would be those
    /// of nothing.
    pub fn add(&mut self, other: Findings, confirmed: AllConfirmed, decides: &[usize]) {
        let number = self.states.len();
        self.groups.extend(other.temporal.groups.iter().map(|group| (number, group.clone())));
        let mine = &mut self.found;
        if let Some(edges) = &other.edges {
            mine.edges.get_or_insert_default().add(edges);
        }
        if let Some((mine, other)) = mine.sat.as_mut().zip(other.sat) {
            mine.add(&other);
        }
        mine.missed = match (mine.missed, other.missed) {
            (Some(a), Some(b)) => Some((a + b).min(1.0)),
            (a, b) => a.or(b),
        };
        mine.unconfirmed = mine.unconfirmed.or(other.unconfirmed);
        for span in &other.undefined_copies {
            if !mine.undefined_copies.contains(span) {
                mine.undefined_copies.push(*span);
            }
        }
        self.add_beside(other, confirmed, decides);
    }

    /// Takes over what was found of some properties.
    fn take(&mut self, properties: Vec<PropertyResult>, confirmed: AllConfirmed, decides: &[usize]) {
        for (result, confirmed) in properties.into_iter().zip(confirmed) {
            let Some(at) = self.place(&result) else {
                if result.index.is_none() {
                    self.found.properties.push(result);
                    self.confirmed.push(confirmed);
                }
                continue;
            };
            let takes = match result.index {
                Some(index) => decides.contains(&index),
                // What the model does not state is decided by all: the worst that one of them says.
                None => matches!(
                    (&self.found.properties[at].known, &result.known),
                    (Known::Holds, _) | (Known::Unknown, Known::Violated(_))
                ),
            };
            if takes {
                self.set(at, result, confirmed);
            }
        }
    }

    /// What was found of a property that is stated, and the runs that show it.
    pub fn of_property(&self, index: usize) -> Option<(&PropertyResult, &[Confirmed])> {
        let at = self.found.properties.iter().position(|result| result.index == Some(index))?;
        Some((&self.found.properties[at], &self.confirmed[at]))
    }

    /// Sets what is known of a property that is stated.
    pub fn decide(&mut self, result: PropertyResult, confirmed: Vec<Confirmed>) {
        if let Some(at) = self.place(&result) {
            self.set(at, result, confirmed);
        }
    }

    /// Whether further explorations would find nothing new: a limit was hit, or of a timed model an error at run time.
    pub fn is_over(&self, timed: bool) -> bool {
        let limit = self.found.limit.is_some_and(|limit| limit != Limit::Bound);
        let fault = |result: &PropertyResult| result.kind == PropertyKind::NoFault && result.index.is_none();
        limit || timed && self.found.properties.iter().any(fault)
    }

    /// Notes that an exploration was not made.
    pub fn leave(&mut self) {
        self.states.push("0".to_owned());
    }

    /// Notes an exploration that was stopped, as others had decided everything.
    pub fn note(&mut self, stopped: &Findings) {
        self.states.push(stopped.states.to_string());
    }
}
