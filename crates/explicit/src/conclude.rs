//! What follows from a search: liveness, temporal formulas, the runs of violations, and what is known of each property.

use burnside_model::code::Cell;
use burnside_model::findings::{Checks, Ending, Findings, PropertyResult, Witness};
use burnside_model::{Count, Limit, Model, Packing};

use crate::liveness::{self, Liveness, States};
use crate::search::Explored;
use crate::store::Store;
use crate::temporal::{self, Decided, Found};
use crate::{Config, Indexed};

/// Makes a state of its words.
pub(crate) type Unpack<'u> = dyn Fn(&[u64]) -> Vec<Cell> + 'u;

/// What is decided once everything is stored.
#[derive(Default)]
pub(crate) struct Decisions {
    /// The liveness properties, by check.
    pub liveness: Vec<(usize, Liveness)>,
    /// The temporal formulas, if there are any.
    pub formulas: Option<Decided>,
}

/// Decides all that, if everything is stored.
pub(crate) type Decide<'d> = dyn FnMut(&Explored) -> Result<Decisions, Limit> + 'd;

/// The conclusions from an exact search; `early` is what was found violated before its end.
pub(crate) fn conclude<L: Indexed>(
    explored: Explored,
    mut early: Option<Decided>,
    model: &Model,
    packing: &Packing,
    indexed: &mut L,
    config: &Config,
) -> Findings {
    let unpack = |words: &[u64]| {
        let mut state = Vec::new();
        packing.unpack(words, &mut state);
        state
    };
    let stored = config.keep.then(|| all(&explored.store, packing));
    let found = results(explored, &unpack, &mut |explored| match explored.limit {
        None => decide(explored, model, packing, indexed, config),
        Some(_) => Ok(Decisions { formulas: early.take(), ..Decisions::default() }),
    });
    Findings { stored, ..found }
}

/// The same with states in words of any kind.
pub(crate) fn results(mut explored: Explored, unpack: &Unpack<'_>, decide: &mut Decide<'_>) -> Findings {
    let path = |store: &Store, state: u64| store.path(state).iter().map(|words| unpack(words)).collect();
    let complete = explored.limit.is_none();
    let mut witnesses: Vec<Vec<Witness>> = explored.checks.list.iter().map(|_| Vec::new()).collect();
    for found in std::mem::take(&mut explored.found) {
        let path = found.at.map(|at| path(&explored.store, at)).unwrap_or_default();
        witnesses[found.check].push(Witness { path, ending: found.ending });
    }
    let mut lives = vec![false; witnesses.len()];
    let mut formulas = None;
    match decide(&explored) {
        Err(limit) => explored.limit = Some(limit),
        Ok(decided) => {
            formulas = decided.formulas;
            for (check, result) in decided.liveness {
                lives[check] = result == Liveness::Holds;
                if let Liveness::Never { state, args } = result {
                    let path = path(&explored.store, state.into());
                    witnesses[check].push(Witness { path, ending: Ending::NeverAgain { args } });
                }
            }
        }
    }
    let edges = formulas.as_ref().map(|formulas| formulas.edges);
    let unfair = formulas.as_ref().is_some_and(|formulas| formulas.unfair);
    let said = formulas.map_or_else(Vec::new, |f| settle(f, &explored.checks, &mut lives, &mut witnesses));
    let covered = &explored.tally.covered;
    let checks = explored.checks.list.iter().zip(witnesses).zip(lives).zip(covered);
    let mut properties: Vec<PropertyResult> = checks
        .map(|(((check, witnesses), lives), covered)| check.conclude(witnesses, *covered, lives, complete))
        .collect();
    for (check, said) in said {
        match said {
            Said::Shown(run) => properties[check].shown = Some(run),
            Said::Refused(why) => properties[check].reason = Some(why),
        }
    }
    let mut found = findings(&explored, properties, complete);
    (found.edges, found.temporal.unfair) = (edges, unfair);
    found
}

/// What is said of a formula beside its verdict.
enum Said {
    /// A run shows why it holds.
    Shown(Witness),
    /// It is not decided, for this reason.
    Refused(String),
}

/// What was found of formulas, as it is found of properties; and what else is said of them, by check.
fn settle(
    decided: Decided,
    checks: &Checks,
    holds: &mut [bool],
    witnesses: &mut [Vec<Witness>],
) -> Vec<(usize, Said)> {
    let mut said = Vec::new();
    for (property, found) in decided.formulas {
        let Some((check, _)) = checks.formulas().into_iter().find(|(_, index)| *index == property) else {
            continue;
        };
        match found {
            Found::Holds(witness) => {
                holds[check] = true;
                said.extend(witness.map(|witness| (check, Said::Shown(witness))));
            }
            Found::Violated(witness) => witnesses[check].push(witness),
            Found::Faulty(witness) if witnesses[checks.faults].contains(&witness) => {}
            Found::Faulty(witness) => witnesses[checks.faults].push(witness),
            Found::Refused(why) => said.push((check, Said::Refused(why))),
        }
    }
    said
}

/// All stored states, in the order in which they were found.
fn all(store: &Store, packing: &Packing) -> Vec<Vec<Cell>> {
    let mut words = vec![0; packing.words()];
    let read = |state| {
        store.read(state, &mut words);
        let mut cells = Vec::new();
        packing.unpack(&words, &mut cells);
        cells
    };
    (0..store.len()).map(read).collect()
}

/// The conclusions from a compact search that found no violation: that a state was missed is not excluded, so nothing
/// holds for certain but that what was covered was.
pub(crate) fn compact(explored: &Explored) -> Findings {
    let checks = explored.checks.list.iter().zip(&explored.tally.covered);
    let properties =
        checks.map(|(check, covered)| check.conclude(Vec::new(), *covered, false, false)).collect();
    let states = explored.store.len() as f64;
    // There are n(n-1)/2 pairs of states, and 2^64 hashes.
    let missed = (states * (states - 1.0).max(0.0) / 2.0 / 2f64.powi(64)).min(1.0);
    Findings { missed: Some(missed), ..findings(explored, properties, false) }
}

fn findings(explored: &Explored, properties: Vec<PropertyResult>, complete: bool) -> Findings {
    let tally = &explored.tally;
    Findings {
        states: explored.store.len().into(),
        full_states: tally.full_states.map(Count::from),
        rules_fired: Some(tally.rules_fired),
        per_rule: tally.per_rule.clone(),
        depth: Some(explored.depth),
        limit: explored.limit,
        complete,
        properties,
        undefined_copies: tally.copies.iter().copied().collect(),
        memory: explored.store.memory(),
        ..Findings::default()
    }
}

/// Decides what is decided once everything is stored.
fn decide<L: Indexed>(
    explored: &Explored,
    model: &Model,
    packing: &Packing,
    indexed: &mut L,
    config: &Config,
) -> Result<Decisions, Limit> {
    let mut decisions = Decisions::default();
    let (checks, properties): (Vec<_>, Vec<_>) = explored.checks.liveness().into_iter().unzip();
    let formulas: Vec<usize> = explored.checks.formulas().into_iter().map(|(_, index)| index).collect();
    indexed.set_deadline(explored.deadline);
    let mut states = States::new(&explored.store, packing);
    if !properties.is_empty() {
        let decided = liveness::decide(indexed, &mut states, &properties, config.threads, explored.deadline)?;
        decisions.liveness = checks.into_iter().zip(decided).collect();
    }
    if !formulas.is_empty() {
        decisions.formulas = Some(match &config.without_formulas {
            Some(why) => Decided::refused(&formulas, why),
            None => {
                temporal::decide(indexed, model, &mut states, &formulas, config.threads, explored.deadline)?
            }
        });
    }
    // The model ran once more, for the same states: what it said is known.
    indexed.side_effects();
    Ok(decisions)
}
