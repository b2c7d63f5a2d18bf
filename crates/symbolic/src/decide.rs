//! From diagrams of a model to what is known of its properties.
//!
//! What goes wrong is a set of states for each thing that can: an invariant that does not hold, an expression that
//! cannot be evaluated, a rule that fails, a deadlock. The search looks for each of them in every set of new states.
//! Whatever it met gets a run, along shortest distances backwards within what was reached. Liveness is backward
//! reachability within all that is reachable; temporal formulas are decided there, too ([`crate::temporal`]).

use burnside_model::code::Cell;
use burnside_model::findings::{Checks, Ending, PropertyResult, Temporal, Witness};
use burnside_model::{Limit, Limits};

use crate::algebra::Failed;
use crate::bdd::Bdd;
use crate::search::{Ended, Reach, Search, Stop, Watch};
use crate::system::{Live, System};
use crate::temporal;
use burnside_model::Count;

/// States in which something is wrong.
#[derive(Clone)]
pub struct Target {
    /// The check that is violated there.
    pub check: usize,
    pub states: Bdd,
    /// How a run to there ends.
    pub ending: Ending,
}

/// What is known in the end.
pub struct Decided {
    /// Per check.
    pub properties: Vec<PropertyResult>,
    /// How many states were found; unknown where there is no room to count them.
    pub states: Option<Count>,
    /// Enabled instances per rule at the states found; unknown where there are too many to count.
    pub per_rule: Option<Vec<u64>>,
    /// Levels or passes.
    pub depth: u64,
    /// What ended the search early.
    pub limit: Option<Limit>,
    /// How temporal formulas were decided.
    pub temporal: Temporal,
}

/// Watches for targets.
pub(crate) struct Lookout<'l> {
    pub system: &'l System<'l>,
    /// If only those of some checks count: which.
    pub only: Option<&'l [usize]>,
    /// Which of the system's were met.
    pub known: Vec<usize>,
    /// Which were met, in this order; each with some of the states in which it was.
    pub met: Vec<Target>,
    /// How many violations are enough.
    pub enough: u64,
    /// The depth at which no step counts any more.
    pub bound: Option<u64>,
    /// Whether something goes wrong in a step beyond the bound.
    pub beyond: bool,
    /// Told after every step.
    pub progress: &'l mut dyn FnMut(&Bdd, u64),
}

impl Watch for Lookout<'_> {
    fn found(&mut self, new: &Bdd, at: &Reach<'_>) -> Result<bool, Stop> {
        (self.progress)(&at.reached, at.depth);
        let at_bound = self.bound.is_some_and(|bound| at.depth >= bound);
        let is_beyond =
            |target: &Target| at_bound && matches!(target.ending, Ending::Fault { in_guard: false, .. });
        for (number, target) in self.system.targets.iter().enumerate() {
            if self.only.is_some_and(|only| !only.contains(&target.check)) {
                continue;
            }
            if self.known.contains(&number) || new.and(&target.states)?.is_false() {
                continue;
            }
            if is_beyond(target) {
                self.beyond = true;
            } else {
                self.known.push(number);
                self.met.push(target.clone());
            }
        }
        for target in self.system.late_targets(new)? {
            let same = |met: &Target| (met.check, &met.ending) == (target.check, &target.ending);
            if is_beyond(&target) {
                self.beyond = true;
            } else if !self.met.iter().any(same) {
                self.met.push(target);
            }
        }
        Ok((self.met.len() as u64) < self.enough)
    }
}

pub fn decide(
    system: &System<'_>,
    checks: &Checks,
    search: Search,
    limits: &Limits,
    reach: &mut Reach<'_>,
    progress: &mut dyn FnMut(&Bdd, u64),
) -> Decided {
    let mut witnesses: Vec<Vec<Witness>> = checks.list.iter().map(|_| Vec::new()).collect();
    for ending in &system.failed_starts {
        witnesses[checks.faults].push(Witness { path: Vec::new(), ending: ending.clone() });
    }
    let failed = system.failed_starts.len() as u64;
    let enough = limits.max_errors.saturating_sub(failed);
    let mut lookout = Lookout {
        system,
        only: None,
        known: Vec::new(),
        met: Vec::new(),
        enough,
        bound: limits.bound,
        beyond: false,
        progress,
    };
    let ended = match enough {
        0 => Ok(Ended::Enough),
        _ => reach.forward(search, limits.bound, &mut lookout),
    };
    let mut limit = match ended {
        Ok(Ended::Complete) => lookout.beyond.then_some(Limit::Bound),
        Ok(Ended::Enough) => Some(Limit::MaxErrors),
        Ok(Ended::Bound) => Some(Limit::Bound),
        Err(stop) => Some(stop.limit()),
    };
    let complete = limit.is_none();
    let met = std::mem::take(&mut lookout.met);
    let mut lives = vec![false; checks.list.len()];
    let traced = trace(system, reach, &met, limits.max_errors, &mut witnesses);
    let lived = traced.and_then(|()| {
        if complete { liveness(system, checks, reach, &mut lives, &mut witnesses) } else { Ok(()) }
    });
    let mut temporal = temporal::Outcome::default();
    match lived {
        Err(stop) => limit = limit.or(Some(stop.limit())),
        Ok(()) if complete => match temporal::decide(system, checks, reach, &mut lives, &mut witnesses) {
            Ok(found) => temporal = found,
            Err(Failed::Stopped(stop)) => limit = limit.or(Some(stop.limit())),
            // What is not decided is unknown.
            Err(Failed::Refused(_)) => {}
        },
        Ok(()) => {}
    }
    let covered = system.covered(&reach.reached);
    let counts: Vec<u64> = checks
        .list
        .iter()
        .map(|check| check.index.map_or(0, |index| covered.as_ref().map_or(0, |covered| covered[index])))
        .collect();
    // Without the counts it is not known whether a cover was never reached.
    if let Err(stop) = &covered {
        limit = limit.or(Some(stop.limit()));
    }
    let complete = complete && covered.is_ok();
    let per_check = checks.list.iter().zip(witnesses).zip(lives).zip(counts);
    let mut properties: Vec<PropertyResult> = per_check
        .map(|(((check, witnesses), lives), covered)| check.conclude(witnesses, covered, lives, complete))
        .collect();
    for (check, run) in temporal.1 {
        properties[check].shown = Some(run);
    }
    let can_count = limit != Some(Limit::Memory) || {
        reach.manager.collect();
        reach.manager.can_count()
    };
    Decided {
        properties,
        states: can_count.then(|| reach.reached.count(system.bits())),
        per_rule: if can_count { system.fired(&reach.reached).unwrap_or(None) } else { None },
        depth: reach.depth,
        limit,
        temporal: temporal.0,
    }
}

/// Runs to the first `most` targets that were met, and to the first one of each check.
pub(crate) fn trace(
    system: &System<'_>,
    reach: &Reach<'_>,
    met: &[Target],
    most: u64,
    witnesses: &mut [Vec<Witness>],
) -> Result<(), Stop> {
    for (traced, target) in (0..).zip(met) {
        if traced >= most && !witnesses[target.check].is_empty() {
            continue;
        }
        let path = run(system, reach, &target.states)?;
        witnesses[target.check].push(Witness { path, ending: target.ending.clone() });
    }
    Ok(())
}

/// A run to one of these states.
pub(crate) fn run(system: &System<'_>, reach: &Reach<'_>, states: &Bdd) -> Result<Vec<Vec<Cell>>, Stop> {
    let run = reach.run(&system.initial, states, &mut |states| system.pick(states))?;
    Ok(run.iter().map(|state| system.state(state)).collect())
}

fn liveness(
    system: &System<'_>,
    checks: &Checks,
    reach: &Reach<'_>,
    lives: &mut [bool],
    witnesses: &mut [Vec<Witness>],
) -> Result<(), Stop> {
    for (check, property) in checks.liveness() {
        let Some(Live { faulty, instances }) = system.live.get(&property) else { continue };
        // Where it cannot be evaluated is an error of its own.
        if !faulty.and(&reach.reached)?.is_false() {
            continue;
        }
        lives[check] = true;
        for instance in instances {
            let reaches = reach.backward(&instance.holds.and(&instance.claimed)?)?;
            let never = instance.claimed.and(&reach.reached)?.minus(&reaches)?;
            if !never.is_false() {
                lives[check] = false;
                let path = run(system, reach, &never)?;
                let ending = Ending::NeverAgain { args: instance.args.clone() };
                witnesses[check].push(Witness { path, ending });
                break;
            }
        }
    }
    Ok(())
}
