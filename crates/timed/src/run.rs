//! Concrete runs: steps of the network with exact times, executed one after the other.

use burnside_model::code::Cell;
use burnside_symmetry::Permutation;

use crate::conditions::Run;
use crate::explore::Explorer;
use crate::steps::{Step, Stepper, Taken, Within};
use crate::zone::Constraint;

pub use burnside_model::network::{RunEnding as Ending, TimedRun, TimedStep};

/// The steps that lead to a node, under the names of the first state, which is not a representative; and what sends the
/// node's names to these.
pub fn steps_to(explorer: &mut Explorer, node: u32) -> Run<(Vec<Vec<Taken>>, Option<Permutation>)> {
    let mut path = vec![node];
    while let Some(last) = path.last().copied().filter(|node| *node != 0) {
        path.push(explorer.store.nodes[last as usize].parent.0);
    }
    path.reverse();
    let start = explorer.moves.stepper.start()?;
    let mut back = None;
    if let Some((state, zone, standing)) = explorer.moves.entry(start)? {
        // One point, and what time makes of it, is on one side of all differences.
        let pieces = explorer.moves.settle(state, zone, &standing)?;
        back = pieces.into_iter().next().and_then(|(_, _, to)| to).map(|to| to.inverse());
    }
    let mut steps = Vec::new();
    for pair in path.windows(2) {
        let (from, to) = (pair[0] as usize, pair[1] as usize);
        let (_, zone) = explorer.state_of(pair[0]);
        let (place, number) = (
            explorer.place(explorer.store.nodes[from].discrete, &zone)?,
            explorer.store.nodes[to].parent.1 as usize,
        );
        steps.push(explorer.moves.named_back(&place, number, back.as_ref()));
        let (target, stored) = explorer.state_of(pair[1]);
        for (outcome, zone) in explorer.moves.successors(&place, number, &zone)? {
            let pieces = explorer.moves.settle(outcome.0.state.clone(), zone, &outcome.1)?;
            let found = pieces.into_iter().find(|(state, zone, _)| *state == target && *zone == stored);
            if let Some((_, _, moved)) = found {
                back = back.zip(moved).map(|(back, moved)| back.compose(&moved.inverse()));
                break;
            }
        }
    }
    Ok((steps, back))
}

/// Executes a run with its times, one step after the other; if it is one, the clocks at the start, after each step, and
/// at the end, in parts of a time unit.
pub fn execute(stepper: &mut Stepper, run: &TimedRun) -> Run<Option<Vec<Vec<i64>>>> {
    let start = stepper.start()?;
    if start.state != run.start {
        return Ok(None);
    }
    let denominator = run.denominator;
    let mut clocks = vec![0; stepper.clocks.count() + 1];
    start.resets.iter().for_each(|(clock, value)| clocks[*clock] = i64::from(*value) * denominator);
    let (mut state, mut now) = (start.state, 0);
    let mut passed = vec![clocks.clone()];
    for step in run.steps.iter().map(Some).chain([None]) {
        let standing = stepper.standing(&state)?;
        if !standing.allowed || !satisfied(&standing.invariant, &clocks, denominator) {
            return Ok(None);
        }
        let then = step.map_or(run.end, |step| step.time);
        if then < now || then > now && (standing.still || stepper.urges(&state)?) {
            return Ok(None);
        }
        let running = clocks.iter_mut().enumerate().skip(1);
        let running = running.filter(|(clock, _)| standing.stopped.binary_search(clock).is_err());
        running.for_each(|(_, clock)| *clock += then - now);
        now = then;
        if !satisfied(&standing.invariant, &clocks, denominator) {
            return Ok(None);
        }
        if let Some(step) = step.filter(|step| !step.taken.is_empty()) {
            let possible = stepper.steps_within(&state, Within::Point(&clocks, denominator))?;
            let is_this = |other: &&Step| {
                stepper.is(other, &step.taken) && satisfied(&other.guard, &clocks, denominator)
            };
            let Some(found) = possible.iter().find(is_this) else { return Ok(None) };
            if preceded(stepper, &state, &possible, found, &clocks, denominator)? {
                return Ok(None);
            }
            let outcome = stepper.take(&state, found)?;
            outcome.resets.iter().for_each(|(clock, value)| clocks[*clock] = i64::from(*value) * denominator);
            state = outcome.state;
        }
        if step.is_some_and(|step| state != step.state) {
            return Ok(None);
        }
        passed.push(clocks.clone());
    }
    Ok(Some(passed))
}

/// Whether a step of a higher priority can be taken.
fn preceded(
    stepper: &mut Stepper,
    state: &[Cell],
    possible: &[Step],
    step: &Step,
    clocks: &[i64],
    denominator: i64,
) -> Run<bool> {
    for other in possible.iter().filter(|other| other.priority > step.priority) {
        if !satisfied(&other.guard, clocks, denominator) {
            continue;
        }
        let outcome = stepper.take(state, other)?;
        let standing = stepper.standing(&outcome.state)?;
        let mut after = clocks.to_vec();
        outcome.resets.iter().for_each(|(clock, value)| after[*clock] = i64::from(*value) * denominator);
        if standing.allowed && satisfied(&standing.invariant, &after, denominator) {
            return Ok(true);
        }
    }
    Ok(false)
}

fn satisfied(constraints: &[Constraint], clocks: &[i64], denominator: i64) -> bool {
    constraints.iter().all(|c| c.bound.allows(clocks[c.left] - clocks[c.right], denominator))
}
