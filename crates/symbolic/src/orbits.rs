//! How many orbits the states that were found are in, and how many states those have.
//!
//! Representatives that are found by sorting can be several of an orbit. To compare searches, each state that was found is
//! brought into its canonical form, as long as that does not take longer than the search did; and where
//! they are known to be one of each, as long as it takes little beside the search.

use std::collections::HashSet;
use std::time::{Duration, Instant};

use burnside_symmetry::{Action, Canonicaliser};

use crate::bdd::Bdd;
use crate::layout::Layout;
use crate::system::System;

/// The orbits of some states.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Orbits {
    pub count: u64,
    /// How many states they have together, if that fits.
    pub states: Option<u128>,
}

/// More states than this are not listed.
const MOST_STATES: u64 = 1 << 20;

/// More than this neither where each is known to be of another orbit: there is less to learn.
const MOST_UNIQUE: u64 = 1 << 17;

/// So long it may take in any case.
const SHORT: Duration = Duration::from_secs(1);

impl Orbits {
    /// Those of the states found by a search that took so long, unless they are too many; `unique` if each is of another
    /// orbit.
    pub fn of(
        system: &System<'_>,
        action: &Action,
        states: &Bdd,
        unique: bool,
        took: Duration,
    ) -> Option<Self> {
        let diagrams = &system.diagrams;
        let most = if unique { MOST_UNIQUE } else { MOST_STATES };
        let until = Instant::now() + if unique { took / 8 } else { took }.max(SHORT);
        let until = diagrams.deadline.or_at(until);
        let layout = Layout::new(system.encoding, diagrams);
        if states.count(system.bits()).to_u64().is_none_or(|count| count > most) {
            return None;
        }
        let mut canonicaliser = Canonicaliser::new(action.clone());
        let mut forms: HashSet<Box<[u64]>> = HashSet::new();
        let mut sum = Some(0u128);
        let (mut state, mut form) = (Vec::new(), Vec::new());
        let mut left = states.assignments(diagrams.manager, layout.columns());
        while let Some(row) = left.next_row() {
            if until.has_passed() {
                return None;
            }
            layout.unpack(row, &mut state);
            layout.pack(canonicaliser.canonicalise(&state), &mut form);
            if !forms.contains(&form[..]) {
                sum = sum.and_then(|sum| sum.checked_add(canonicaliser.orbit()?));
                forms.insert(form.as_slice().into());
            }
        }
        Some(Orbits { count: forms.len() as u64, states: sum })
    }
}
