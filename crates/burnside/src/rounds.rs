//! Explorations of one model under several groups, interleaved.
//!
//! A property that breaks the symmetry needs a smaller group, and so a larger search. A violation of it may be in the start
//! state all the same; or a symmetric property is violated where the larger search never comes. So the searches take turns:
//! in each round, every one may store so many states ([`crate::Patience`]), and in the next round [`GROWTH`] times as many. A search that its
//! budget stopped begins anew. That costs a fraction of the round in which it ends, needs memory for one search only, and
//! keeps the result deterministic: budgets are counted in states and not in time. The last search that is left has no
//! budget. It all ends when as many violations were found as were asked for.
//!
//! The search under a smaller group also decides the properties of the larger groups that contain it. It goes first in its
//! round: where it ends within its budget, the others are never made. Where a larger group ends first, its properties are
//! not evaluated again.

use burnside_model::findings::{Findings, Known, PropertyResult};
use burnside_model::{Events, Limit, Model, Progress};

use crate::engines::counting::prints;
use crate::hall::{Check, is_astray};
use crate::outcome::{AllConfirmed, Outcome};
use crate::runs::{Runs, deciding};
use crate::{Engine, Failure, Options};

/// How many times more in each round than in the one before.
const GROWTH: u64 = 8;

/// Whether explorations under several groups take turns: those of the explicit engine do, as it can stop between levels. A
/// model that prints is explored once.
pub(crate) fn interleaves(model: &Model, options: &Options) -> bool {
    matches!(options.engine, Engine::Auto | Engine::Explicit | Engine::Interpreter) && !prints(model)
}

/// The explorations of a check that take turns.
struct Rounds<'r> {
    runs: &'r mut Runs,
    /// What the last search of each found, whether or not it came to its end.
    explored: Vec<Option<(Findings, AllConfirmed)>>,
    /// Those that are still of use, the smallest group first.
    open: Vec<usize>,
    /// Violations found by searches that are not repeated.
    violations: u64,
}

impl Check<'_> {
    /// Makes the explorations in turns; `runs` becomes what was really done.
    pub(crate) fn in_rounds(
        &self,
        runs: &mut Runs,
        options: &Options,
        events: &mut dyn Events,
    ) -> Result<Option<Outcome>, Failure> {
        let mut rounds = Rounds::new(runs);
        let (mut budget, mut again, wanted) =
            (options.patience.turn_states, false, options.limits.max_errors);
        let stopped_by = 'search: loop {
            for number in rounds.open.clone() {
                if !rounds.prepare(number, budget, wanted) {
                    continue;
                }
                let planned = &rounds.runs.planned[number];
                let explored = match again {
                    false => self.explore(planned, events),
                    true => self.explore(planned, &mut Again(events)),
                };
                if rounds.runs.watched && is_astray(&explored) {
                    return self.as_it_is(rounds.runs, options, events);
                }
                let Some(explored) = explored? else { return Ok(None) };
                if let Some(limit) = rounds.take(number, explored, wanted) {
                    break 'search Some(limit);
                }
            }
            if rounds.open.is_empty() {
                break None;
            }
            (budget, again) = (budget.saturating_mul(GROWTH), true);
        };
        Ok(rounds.outcome(self.subject.unknown(self.options), stopped_by))
    }
}

impl<'r> Rounds<'r> {
    fn new(runs: &'r mut Runs) -> Self {
        let mut open: Vec<usize> = (0..runs.planned.len()).collect();
        open.sort_by_key(|number| std::cmp::Reverse(runs.planned[*number].decides.len()));
        let explored = open.iter().map(|_| None).collect();
        Rounds { runs, explored, open, violations: 0 }
    }

    /// Gives an exploration its budget, and leaves out what was decided since; `false` if nothing is left for it.
    fn prepare(&mut self, number: usize, budget: u64, wanted: u64) -> bool {
        if !self.is_needed(number) {
            self.open.retain(|other| *other != number);
            return false;
        }
        let left: Vec<usize> = self.runs.planned[number].decides.clone();
        let left: Vec<usize> =
            left.into_iter().filter(|property| self.settled(*property).is_none()).collect();
        let alone = self.open.len() == 1;
        let planned = &mut self.runs.planned[number];
        planned.model = deciding(std::mem::take(&mut planned.model), &left);
        planned.decides = left;
        planned.options.limits.states = (!alone).then_some(budget);
        planned.options.limits.max_errors = wanted.saturating_sub(self.violations).max(1);
        true
    }

    /// Whether something that an exploration decides is not known yet; the first one to end also decides what no model
    /// states.
    fn is_needed(&self, number: usize) -> bool {
        let none = !self.explored.iter().any(is_exhausted);
        none || self.runs.planned[number].decides.iter().any(|property| self.settled(*property).is_none())
    }

    /// The exploration that came to its end and decided a property.
    fn settled(&self, property: usize) -> Option<usize> {
        let decides = |number: &usize| self.runs.planned[*number].decides.contains(&property);
        (0..self.explored.len()).find(|number| is_exhausted(&self.explored[*number]) && decides(number))
    }

    /// Takes what an exploration found; gives the limit that ends the check, if one does.
    fn take(&mut self, number: usize, explored: (Findings, AllConfirmed), wanted: u64) -> Option<Limit> {
        let limit = explored.0.limit;
        let violations: usize = explored.0.properties.iter().map(violations).sum();
        self.explored[number] = Some(explored);
        if limit == Some(Limit::States) {
            return None;
        }
        self.open.retain(|other| *other != number);
        self.violations += violations as u64;
        let enough = self.violations >= wanted && self.open.iter().any(|other| self.is_needed(*other));
        match limit {
            // Another group may have fewer states.
            None | Some(Limit::Bound | Limit::Memory) => enough.then_some(Limit::MaxErrors),
            Some(limit) => Some(limit),
        }
    }

    /// The exploration that says something of a property, if one does.
    fn owner(&self, property: usize) -> Option<usize> {
        let of = |number: &usize| self.runs.planned[*number].decides.contains(&property);
        let begun = |number: &usize| self.explored[*number].is_some() && of(number);
        let knows = |number: &usize| {
            let found = self.explored[*number].as_ref().filter(|_| of(number));
            let result =
                found.and_then(|(found, _)| found.properties.iter().find(|p| p.index == Some(property)));
            result.is_some_and(|result| result.known != Known::Unknown)
        };
        let all = || 0..self.explored.len();
        self.settled(property).or_else(|| all().find(knows)).or_else(|| all().find(begun))
    }

    /// Everything together. The figures are those of one exploration, so that they add up: of one that came to its end, if
    /// there is one, and that decided most. It becomes the first of the list, and those that were not begun leave it.
    fn outcome(self, unknown: Vec<PropertyResult>, stopped_by: Option<Limit>) -> Option<Outcome> {
        let properties = 0..unknown.iter().filter_map(|result| result.index).max().map_or(0, |last| last + 1);
        let owners: Vec<Option<usize>> = properties.map(|property| self.owner(property)).collect();
        let mut made = Vec::new();
        let planned = std::mem::take(&mut self.runs.planned);
        for (number, (mut planned, explored)) in planned.into_iter().zip(self.explored).enumerate() {
            let owned = |property: &usize| owners.get(*property).is_some_and(|owner| *owner == Some(number));
            planned.decides.retain(owned);
            if let Some((mut found, confirmed)) = explored {
                let of_use = is_done(&found) || stopped_by.is_some();
                if found.limit == Some(Limit::States) {
                    found.limit = stopped_by;
                }
                made.push((planned, found, confirmed, of_use));
            }
        }
        made.sort_by_key(|(planned, found, _, of_use)| {
            std::cmp::Reverse((*of_use, found.complete, planned.decides.len()))
        });
        let mut made = made.into_iter();
        let (first, found, confirmed, _) = made.next()?;
        let mut outcome = Outcome::new(unknown, (found, confirmed));
        self.runs.planned.push(first);
        for (planned, found, confirmed, of_use) in made {
            match of_use {
                true => outcome.add(found, confirmed, &planned.decides),
                false => outcome.note(&found),
            }
            self.runs.planned.push(planned);
        }
        outcome.found.limit = stopped_by.or(outcome.found.limit);
        Some(outcome)
    }
}

/// Whether an exploration came to its end, so that another one within the same bound would find the same.
fn is_exhausted(explored: &Option<(Findings, AllConfirmed)>) -> bool {
    explored.as_ref().is_some_and(|(found, _)| matches!(found.limit, None | Some(Limit::Bound)))
}

/// Whether it was not just stopped by its budget.
fn is_done(found: &Findings) -> bool {
    found.limit != Some(Limit::States)
}

/// How many violations are known.
fn violations(result: &PropertyResult) -> usize {
    match &result.known {
        Known::Violated(witnesses) => witnesses.len(),
        _ => 0,
    }
}

/// A search that is made once more: its warnings are given only once.
pub(crate) struct Again<'e>(pub &'e mut dyn Events);

impl Events for Again<'_> {
    fn progress(&mut self, progress: &Progress) {
        self.0.progress(progress);
    }

    fn level(&mut self, level: u64, states: u64) {
        self.0.level(level, states);
    }
}
