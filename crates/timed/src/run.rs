//! Concrete runs: steps of the network with exact times, found for a sequence of steps and then executed.

use burnside_model::code::Cell;

use crate::conditions::Run;
use crate::explore::Explorer;
use crate::steps::{Standing, Step, Stepper, Taken};
use crate::zone::{Bound, Constraint, Federation, Point, Zone};

/// A step of a concrete run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedStep {
    /// When it is taken, in parts of a time unit since the start.
    pub time: i64,
    /// The edges, the sender's first.
    pub taken: Vec<Taken>,
    /// The cell of its channel.
    pub channel: Option<u32>,
    /// The discrete state after it.
    pub state: Vec<Cell>,
}

/// A concrete run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedRun {
    /// How many parts a time unit has.
    pub denominator: i64,
    /// The discrete state at the start.
    pub start: Vec<Cell>,
    /// The steps.
    pub steps: Vec<TimedStep>,
    /// When it ends, in parts of a time unit since the start.
    pub end: i64,
}

/// The steps that lead to a node, under the names of the first state, which is not a representative.
pub fn steps_to(explorer: &mut Explorer, node: u32) -> Run<Vec<Vec<Taken>>> {
    let mut path = vec![node];
    while let Some(last) = path.last().copied().filter(|node| *node != 0) {
        path.push(explorer.nodes[last as usize].parent.0);
    }
    path.reverse();
    let start = explorer.stepper.start()?;
    let standing = explorer.stepper.standing(&start.state)?;
    let mut zone = Zone::zero(explorer.stepper.clocks.count());
    start.resets.iter().for_each(|(clock, value)| zone.reset(*clock, *value));
    zone.constrain_all(&standing.invariant);
    let mut state = start.state;
    // Sends representatives back to the states of the run.
    let mut back = explorer.settle(&mut state, &mut zone, &standing)?.map(|to| to.inverse());
    let mut steps = Vec::new();
    for pair in path.windows(2) {
        let (from, to) = (pair[0] as usize, pair[1] as usize);
        let (discrete, number) =
            (explorer.nodes[from].discrete as usize, explorer.nodes[to].parent.1 as usize);
        let step = explorer.discrete[discrete].steps[number].clone();
        steps.push(match (&back, &explorer.representatives) {
            (Some(back), Some(representatives)) => explorer.stepper.permuted(&step, back, representatives),
            _ => step.taken,
        });
        let zone = explorer.nodes[from].zone.unpack();
        let target = explorer.discrete[explorer.nodes[to].discrete as usize].state.clone();
        let stored = explorer.nodes[to].zone.unpack();
        for (mut state, mut zone, standing) in explorer.successors(discrete, number, &zone)? {
            let moved = explorer.settle(&mut state, &mut zone, &standing)?;
            if state == target && zone == stored {
                back = back.zip(moved).map(|(back, moved)| back.compose(&moved.inverse()));
                break;
            }
        }
    }
    Ok(steps)
}

/// Times for a sequence of steps, if there are any, such that a condition on the clocks holds at its end: one of the
/// zones that `goal` gives for the last discrete state and the invariant there.
pub fn timed(
    stepper: &mut Stepper,
    steps: &[Vec<Taken>],
    mut goal: impl FnMut(&mut Stepper, &[Cell], &Zone) -> Run<Federation>,
) -> Run<Option<TimedRun>> {
    let start = stepper.start()?;
    let clocks = stepper.clocks.count();
    // When each clock was set, by step, and to what.
    let mut set: Vec<(usize, i32)> = vec![(0, 0); clocks + 1];
    start.resets.iter().for_each(|(clock, value)| set[*clock].1 = *value);
    let mut state = start.state.clone();
    let mut asked = Vec::new();
    let mut executed = Vec::new();
    let mut standing = stepper.standing(&state)?;
    asked.extend(standing.invariant.iter().filter_map(|c| at_time(*c, 0, &set)));
    for (number, taken) in (1..).zip(steps) {
        let possible = stepper.steps(&state)?;
        let Some(step) = possible.iter().find(|step| step.taken == *taken) else { return Ok(None) };
        wait(&standing, stepper.is_urgent(&possible), number, &set, &mut asked);
        asked.extend(step.guard.iter().filter_map(|c| at_time(*c, number, &set)));
        let outcome = stepper.take(&state, step)?;
        outcome.resets.iter().for_each(|(clock, value)| set[*clock] = (number, *value));
        state = outcome.state;
        standing = stepper.standing(&state)?;
        if !standing.allowed {
            return Ok(None);
        }
        asked.extend(standing.invariant.iter().filter_map(|c| at_time(*c, number, &set)));
        executed.push(TimedStep {
            time: 0,
            taken: taken.clone(),
            channel: step.channel,
            state: state.clone(),
        });
    }
    let end = steps.len() + 1;
    let possible = stepper.steps(&state)?;
    wait(&standing, stepper.is_urgent(&possible), end, &set, &mut asked);
    let mut zone = Zone::universal(clocks);
    zone.constrain_all(&standing.invariant);
    for zone in goal(stepper, &state, &zone)?.zones() {
        let mut all = asked.clone();
        all.extend(zone.minimal_constraints().into_iter().filter_map(|c| at_time(c, end, &set)));
        if let Some(point) = Point::least(end, &all) {
            for (number, step) in (1..).zip(&mut executed) {
                step.time = point.numerators[number];
            }
            let (denominator, end) = (point.denominator, point.numerators[end]);
            return Ok(Some(TimedRun { denominator, start: start.state, steps: executed, end }));
        }
    }
    Ok(None)
}

/// The next step comes later than the one before, at once if time stands still, and the invariant holds until then.
fn wait(standing: &Standing, urgent: bool, next: usize, set: &[(usize, i32)], asked: &mut Vec<Constraint>) {
    asked.push(Constraint::new(next - 1, next, Bound::LE_ZERO));
    if standing.still || urgent {
        asked.push(Constraint::new(next, next - 1, Bound::LE_ZERO));
    }
    asked.extend(standing.invariant.iter().filter_map(|c| at_time(*c, next, set)));
}

/// What a constraint on clocks asks of the times of steps, if it holds when step `now` is taken; nothing if it holds
/// anyway. One that cannot hold becomes one on times that cannot hold.
fn at_time(constraint: Constraint, now: usize, set: &[(usize, i32)]) -> Option<Constraint> {
    let Constraint { left, right, bound } = constraint;
    let value = bound.value()?;
    // A clock is the time now, less when it was set, plus to what; the reference is 0: the time now less the time now.
    let (left_set, left_value) = if left == 0 { (now, 0) } else { set[left] };
    let (right_set, right_value) = if right == 0 { (now, 0) } else { set[right] };
    let value = value - left_value + right_value;
    let bound = if bound.is_strict() { Bound::lt(value) } else { Bound::le(value) };
    if left_set == right_set && bound >= Bound::LE_ZERO {
        return None;
    }
    if left_set == right_set {
        // Never: the time now is before itself.
        return Some(Constraint::new(now, 0, Bound::le(-1)));
    }
    Some(Constraint::new(right_set, left_set, bound))
}

/// Executes a run with its times, one step after the other; whether it is one, and the clocks at its end.
pub fn execute(stepper: &mut Stepper, run: &TimedRun) -> Run<Option<Point>> {
    let start = stepper.start()?;
    if start.state != run.start {
        return Ok(None);
    }
    let denominator = run.denominator;
    let mut clocks = vec![0; stepper.clocks.count() + 1];
    start.resets.iter().for_each(|(clock, value)| clocks[*clock] = i64::from(*value) * denominator);
    let (mut state, mut now) = (start.state, 0);
    let ends = run.steps.iter().map(Some).chain([None]);
    for step in ends {
        let standing = stepper.standing(&state)?;
        if !standing.allowed || !satisfied(&standing.invariant, &clocks, denominator) {
            return Ok(None);
        }
        let possible = stepper.steps(&state)?;
        let then = step.map_or(run.end, |step| step.time);
        if then < now || then > now && (standing.still || stepper.is_urgent(&possible)) {
            return Ok(None);
        }
        clocks.iter_mut().skip(1).for_each(|clock| *clock += then - now);
        now = then;
        if !satisfied(&standing.invariant, &clocks, denominator) {
            return Ok(None);
        }
        let Some(step) = step else { break };
        let Some(found) = possible.iter().find(|other| other.taken == step.taken) else { return Ok(None) };
        if !satisfied(&found.guard, &clocks, denominator)
            || preceded(stepper, &state, &possible, found, &clocks, denominator)?
        {
            return Ok(None);
        }
        let outcome = stepper.take(&state, found)?;
        outcome.resets.iter().for_each(|(clock, value)| clocks[*clock] = i64::from(*value) * denominator);
        state = outcome.state;
        if state != step.state {
            return Ok(None);
        }
    }
    Ok(Some(Point { denominator, numerators: clocks }))
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
