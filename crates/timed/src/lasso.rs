//! The run of a loop that was found among zones: times for it, and its execution.
//!
//! A loop of zones need not be one of clock values: the steps are repeated until, executed, they come back to the same
//! discrete state with the same clocks, up to what conditions can tell apart there. The delays of that loop can be
//! repeated forever. Where this does not happen within some repetitions, the run says so.

use burnside_model::code::Cell;
use burnside_symmetry::Permutation;

use crate::conditions::Run;
use crate::explore::Explorer;
use crate::live::{Claim, Found, Live};
use crate::run::{Ending, TimedRun, execute};
use crate::steps::{Stepper, Taken, Within};
use crate::times::{Leg, Stay, timed};
use crate::zone::{Federation, Point, Zone};

/// How often a loop is repeated, at most.
const REPEATED: [usize; 12] = [1, 2, 3, 4, 6, 8, 12, 16, 24, 32, 48, 60];
/// No longer runs are tried.
const MAX_LEGS: usize = 600;

/// The way to where a condition begins to hold: steps, and what sends the names of the root to those of the run.
pub struct Prefix {
    pub steps: Vec<Vec<Taken>>,
    pub back: Option<Permutation>,
    /// Where the search did not begin at the start: what holds where it did.
    pub moment: bool,
}

/// The run that was found, executed; nothing if there is none, which is wrong.
pub fn lasso<'m>(
    live: &mut Live<'_, 'm>,
    found: &Found,
    prefix: &Prefix,
    begins: &[Claim<'m>],
    claim: Claim<'m>,
) -> Run<Option<TimedRun>> {
    let mut first = None;
    for times in REPEATED {
        let steps = live.steps(found, prefix.back.clone(), times)?;
        let offset = prefix.steps.len() + usize::from(prefix.moment);
        if first.is_some() && offset + steps.len() > MAX_LEGS {
            break;
        }
        let legs = legs(live, found, prefix, begins, steps)?;
        let anywhere = |_: &mut Stepper, _: &[Cell], zone: &Zone| Ok(Federation::from(zone.clone()));
        let Some(mut run) = timed(&mut live.explorer().moves.stepper, &legs, anywhere)? else { break };
        let Some(passed) = execute(&mut live.explorer().moves.stepper, &run)? else { return Ok(None) };
        if !holds_along(&mut live.explorer().moves.stepper, &run, &passed, offset, claim)? {
            return Ok(None);
        }
        run.ending = found.ending;
        let Ending::Loop { back, .. } = found.ending else { return Ok(Some(run)) };
        let length = (run.steps.len() - 1 - offset - back) / times;
        let entries = (0..=times).map(|time| offset + back + time * length).collect::<Vec<_>>();
        if let Some((back, end)) = closed(live.explorer(), &run, &passed, &entries) {
            run.steps.truncate(end);
            run.end = run.steps.last().map_or(0, |step| step.time);
            run.ending = Ending::Loop { back, exact: true };
            return Ok(Some(run));
        }
        run.steps.pop();
        run.ending = Ending::Loop { back: offset + back, exact: false };
        first.get_or_insert(run);
    }
    Ok(first)
}

/// The legs of the run: the way there, and the steps, between which the condition holds.
fn legs<'m>(
    live: &mut Live<'_, 'm>,
    found: &Found,
    prefix: &Prefix,
    begins: &[Claim<'m>],
    steps: Vec<Vec<Taken>>,
) -> Run<Vec<Leg>> {
    let mut state = live.explorer().moves.stepper.start()?.state;
    let mut legs = Vec::new();
    for taken in &prefix.steps {
        state = after(&mut live.explorer().moves.stepper, &state, taken)?;
        legs.push(Leg::from(taken.clone()));
    }
    if prefix.moment {
        let mut zones = Federation::from(Zone::universal(live.explorer().moves.stepper.clocks.count()));
        for claim in begins {
            let mut both = Federation::none();
            for zone in zones.zones() {
                let part = claim.points(&mut live.explorer().moves.stepper, &state, zone)?;
                part.zones().iter().for_each(|zone| both.add(zone.clone()));
            }
            zones = both;
        }
        let stays = zones.zones().iter();
        let stays = stays.map(|zone| Stay { entry: Vec::new(), exit: zone.minimal_constraints() }).collect();
        legs.push(Leg { taken: Vec::new(), stays });
    }
    for taken in steps {
        let stays = live.stays(&state, None)?;
        state = after(&mut live.explorer().moves.stepper, &state, &taken)?;
        legs.push(Leg { taken, stays });
    }
    let ending = Some(found.ending).filter(|ending| !matches!(ending, Ending::Loop { .. }));
    let stays = live.stays(&state, ending)?;
    legs.push(Leg { taken: Vec::new(), stays });
    Ok(legs)
}

/// The discrete state after a step; the same if it cannot be taken, which shows later.
fn after(stepper: &mut Stepper, state: &[Cell], taken: &[Taken]) -> Run<Vec<Cell>> {
    let possible = stepper.steps_within(state, Within::Like(taken))?;
    match possible.iter().find(|step| stepper.is(step, taken)) {
        Some(step) => Ok(stepper.take(state, step)?.state),
        None => Ok(state.to_vec()),
    }
}

/// Whether the condition holds where each stay after the first legs begins and ends.
fn holds_along(
    stepper: &mut Stepper,
    run: &TimedRun,
    passed: &[Vec<i64>],
    offset: usize,
    claim: Claim,
) -> Run<bool> {
    for (leg, step) in run.steps.iter().enumerate().skip(offset) {
        let (state, since) = match leg {
            0 => (&run.start, 0),
            _ => (&run.steps[leg - 1].state, run.steps[leg - 1].time),
        };
        let holds = claim.points(stepper, state, &Zone::universal(stepper.clocks.count()))?;
        let waited = step.time - since;
        let later = passed[leg].iter().enumerate().map(|(n, clock)| if n == 0 { 0 } else { clock + waited });
        for numerators in [passed[leg].clone(), later.collect()] {
            if !holds.contains(&Point { denominator: run.denominator, numerators }) {
                return Ok(false);
            }
        }
    }
    Ok(true)
}

/// Two entries of the loop with the same discrete state and clocks, as far as conditions can tell.
fn closed(
    explorer: &Explorer,
    run: &TimedRun,
    passed: &[Vec<i64>],
    entries: &[usize],
) -> Option<(usize, usize)> {
    let state = |entry: usize| if entry == 0 { &run.start } else { &run.steps[entry - 1].state };
    for (number, end) in entries.iter().enumerate() {
        let limits = explorer.moves.limits_at(state(*end));
        for back in entries[..number].iter().rev() {
            let same = |clock: usize| {
                let (a, b) = (passed[*back][clock], passed[*end][clock]);
                let beyond = |limit: i32| a.min(b) > i64::from(limit) * run.denominator;
                a == b || !explorer.moves.compares_differences() && limits.both(clock).is_none_or(beyond)
            };
            if state(*back) == state(*end) && (1..passed[0].len()).all(same) {
                return Some((*back, *end));
            }
        }
    }
    None
}
