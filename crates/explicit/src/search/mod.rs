//! Breadth-first search over any system.
//!
//! The store numbers states in order of arrival, so expanding them by number goes level by level and the first witness
//! of a violation is a shortest one. Each new state is checked when the state it came from has been expanded; one that
//! violates an invariant is expanded like any other, so that a search that goes on decides everything. With a bound, states at that depth are still
//! expanded, to see deadlocks and whether there is anything beyond, but nothing beyond is stored or reported.

mod checks;
pub mod result;

use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

use burnside_model::code::{Cell, Fault};
use burnside_model::system::{Outcome, Step, TimeUp};
use burnside_model::{DeadlockMode, Limit, Span};

use crate::store::{StateId, Store};
use crate::{Config, Events, Indexed, Progress};
use checks::Check;
use result::Ending;

/// How often progress is reported.
const REPORT_EVERY: Duration = Duration::from_millis(500);

/// A search under way. Its phases, in order: [`run`](Search::run), [`liveness`](Search::liveness),
/// [`finish`](Search::finish).
pub struct Search<'a, S> {
    system: &'a mut S,
    config: &'a Config,
    events: &'a mut dyn Events,
    store: Store,
    counts: Counts,
    /// The properties that are checked.
    checks: Vec<Check>,
    /// Which check collects faults.
    faults: usize,
    /// Which check collects deadlocks, if any does.
    deadlocks: Option<usize>,
    /// Violations so far.
    errors: u64,
    limit: Option<Limit>,
    /// Whether all states were expanded.
    complete: bool,
    deadline: Option<Instant>,
    undefined_copies: BTreeSet<Span>,
    reported: Reported,
}

/// What is counted.
struct Counts {
    full_states: Option<u128>,
    rules_fired: u64,
    per_rule: Vec<u64>,
    /// The level being expanded.
    level: u64,
    /// The level of the last state stored.
    depth: u64,
}

/// When progress was last reported, and the number of states then.
struct Reported {
    at: Instant,
    states: u32,
}

/// What the expansion of one state found.
#[derive(Default)]
struct Expansion {
    /// A rule other than by stuttering, or (where that suffices) any rule was enabled.
    progress: bool,
    /// There is something beyond the bound.
    beyond: bool,
    /// The store is full.
    full: bool,
    /// What went wrong: the rule, its arguments, the fault, whether in the guard.
    faults: Vec<(u32, Vec<Cell>, Fault, bool)>,
}

impl<'a, S: Indexed> Search<'a, S> {
    /// A search that has not begun.
    pub fn new(system: &'a mut S, config: &'a Config, events: &'a mut dyn Events) -> Self {
        let now = Instant::now();
        let model = system.model();
        let store = Store::new(model, config.limits.memory);
        let per_rule = vec![0; model.rules.len()];
        let (checks, faults, deadlocks) = checks::of(model, config.deadlock);
        let deadline = config.limits.time.and_then(|time| now.checked_add(time));
        system.set_deadline(deadline);
        Search {
            system,
            config,
            events,
            store,
            counts: Counts { full_states: Some(0), rules_fired: 0, per_rule, level: 0, depth: 0 },
            checks,
            faults,
            deadlocks,
            errors: 0,
            limit: None,
            complete: false,
            deadline,
            undefined_copies: BTreeSet::new(),
            reported: Reported { at: now, states: 0 },
        }
    }

    /// Explores what is reachable, or as much of it as the limits allow.
    pub fn run(&mut self) {
        if let Err(limit) = self.explore() {
            self.limit = Some(limit);
        }
        self.side_effects();
    }

    fn explore(&mut self) -> Result<(), Limit> {
        self.start()?;
        let (mut next, mut level_end) = (0, self.store.len());
        let (mut state, mut beyond) = (Vec::new(), false);
        while next < self.store.len() {
            if next == level_end {
                self.counts.level += 1;
                level_end = self.store.len();
            }
            if self.errors >= self.config.limits.max_errors {
                return Err(Limit::MaxErrors);
            }
            self.store.read(next, &mut state);
            beyond |= self.expand(next, &state)?;
            next += 1;
            self.tick(next)?;
        }
        self.complete = !beyond;
        if beyond { Err(Limit::Bound) } else { Ok(()) }
    }

    /// Stores and checks the start states.
    fn start(&mut self) -> Result<(), Limit> {
        let mut found = Expansion::default();
        let store = &mut self.store;
        let ran = self.system.initial(&mut |step| {
            match step.outcome {
                Outcome::State(state) => found.full = store.insert(state, None).is_err(),
                Outcome::Dropped => {}
                Outcome::GuardFault(fault) => found.faults.push((step.rule, step.args.to_vec(), fault, true)),
                Outcome::Fault(fault) => found.faults.push((step.rule, step.args.to_vec(), fault, false)),
            }
            if found.full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        self.record_faults(found.faults, None);
        self.check_from(0)?;
        if found.full { Err(Limit::Memory) } else { ran.map_err(|TimeUp| Limit::Time) }
    }

    /// Fires all rules at a state and checks what is new; says whether there is something beyond the bound.
    fn expand(&mut self, id: StateId, state: &[Cell]) -> Result<bool, Limit> {
        let at_bound = self.config.limits.bound.is_some_and(|bound| self.counts.level >= bound);
        let any_rule = self.config.deadlock == DeadlockMode::Stuck;
        let before = self.store.len();
        let mut found = Expansion::default();
        let (store, counts) = (&mut self.store, &mut self.counts);
        let ran = self.system.successors(state, &mut |step: Step<'_>| {
            if !matches!(step.outcome, Outcome::GuardFault(_)) {
                counts.rules_fired += 1;
                counts.per_rule[step.rule as usize] += 1;
            }
            found.progress |= any_rule || !step.stutters;
            match step.outcome {
                Outcome::State(next) if at_bound => {
                    found.beyond |= !step.stutters && !found.beyond && store.find(next).is_none();
                }
                Outcome::State(next) => {
                    found.full = !step.stutters && store.insert(next, Some(id)).is_err();
                }
                Outcome::Dropped => {}
                Outcome::GuardFault(fault) => found.faults.push((step.rule, step.args.to_vec(), fault, true)),
                // What a step does that leads beyond the bound is beyond it.
                Outcome::Fault(_) if at_bound => found.beyond = true,
                Outcome::Fault(fault) => found.faults.push((step.rule, step.args.to_vec(), fault, false)),
            }
            if found.full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        if self.store.len() > before {
            self.counts.depth = self.counts.level + 1;
        }
        self.record_faults(found.faults, Some(id));
        if let Some(check) = self.deadlocks
            && !found.progress
            && ran.is_ok()
        {
            self.record(check, Ending::Deadlock, Some(id));
        }
        self.check_from(before)?;
        self.side_effects();
        match ran {
            _ if found.full => Err(Limit::Memory),
            Err(TimeUp) => Err(Limit::Time),
            Ok(()) => Ok(found.beyond),
        }
    }

    /// Looks at the clock now and then.
    fn tick(&mut self, expanded: StateId) -> Result<(), Limit> {
        let now = Instant::now();
        if self.deadline.is_some_and(|deadline| now > deadline) {
            return Err(Limit::Time);
        }
        let passed = now - self.reported.at;
        if passed >= REPORT_EVERY {
            let states = self.store.len();
            self.events.progress(&Progress {
                states: u64::from(states),
                rules_fired: self.counts.rules_fired,
                depth: self.counts.level,
                queue: u64::from(states - expanded),
                states_per_second: f64::from(states - self.reported.states) / passed.as_secs_f64(),
                memory: self.store.memory(),
            });
            self.reported = Reported { at: now, states };
        }
        Ok(())
    }

    /// Takes what the model printed, covered and copied.
    fn side_effects(&mut self) {
        let effects = self.system.side_effects();
        if !effects.output.is_empty() {
            self.events.output(&effects.output);
        }
        for check in &mut self.checks {
            check.add_covered(&effects.covered);
        }
        self.undefined_copies.extend(effects.undefined_copies);
    }
}
