//! An oracle: the network with clocks that take only integers, state by state. What is reachable with closed guards is
//! reachable so, and in the least time. Where no differences are compared, clocks are cut off beyond all constants; otherwise, sorted by their
//! values, each is at most so far from the one before.

use std::collections::{HashSet, VecDeque};

use burnside_model::Network;
use burnside_model::code::Cell;
use burnside_model::network::QueryKind;
use burnside_timed::steps::Stepper;
use burnside_timed::zone::{Constraint, Federation, Zone};

/// Clocks are not told apart beyond this: all constants are smaller.
const LIMIT: i64 = 6;

fn satisfied(constraints: &[Constraint], clocks: &[i64]) -> bool {
    constraints.iter().all(|c| c.bound.allows(clocks[c.left] - clocks[c.right], 1))
}

/// Above all constants of differences, and what clocks are set to.
const GAP: i64 = 7;

/// The same values as far as conditions can tell.
fn finite(clocks: &[i64], differences: bool) -> Vec<i64> {
    if !differences {
        return clocks.iter().map(|clock| (*clock).min(LIMIT)).collect();
    }
    let mut sorted: Vec<usize> = (0..clocks.len()).collect();
    sorted.sort_by_key(|clock| clocks[*clock]);
    let mut finite = vec![0; clocks.len()];
    for pair in sorted.windows(2) {
        finite[pair[1]] = finite[pair[0]] + (clocks[pair[1]] - clocks[pair[0]]).min(GAP);
    }
    finite
}

/// Larger networks are not looked at.
const MOST_STATES: usize = 20_000;

/// Whether the goal of an `E<>` is reachable, or the contrary of an `A[]`; nothing if something goes wrong on the way.
pub fn reaches(network: &Network, query: usize, differences: bool) -> Option<bool> {
    least_time(network, query, differences).map(|time| time.is_some())
}

/// The least time in which the goal of a query is reached, if it is; nothing if something goes wrong on the way.
pub fn least_time(network: &Network, query: usize, differences: bool) -> Option<Option<i64>> {
    let (goal, holds) = match &network.queries[query].kind {
        QueryKind::Possibly(goal) => (goal, true),
        QueryKind::Invariantly(goal) => (goal, false),
        _ => return None,
    };
    let frame = &network.queries[query].frame;
    let mut stepper = Stepper::interpreting(network).ok()?;
    let start = stepper.start().ok()?;
    let mut clocks = vec![0; stepper.clocks.count() + 1];
    start.resets.iter().for_each(|(clock, value)| clocks[*clock] = i64::from(*value));
    let standing = stepper.standing(&start.state).ok()?;
    if !standing.allowed || !satisfied(&standing.invariant, &clocks) {
        return Some(None);
    }
    let mut seen: HashSet<(Vec<Cell>, Vec<i64>)> = HashSet::new();
    // In the order of time: steps take none, and come first.
    let mut waiting = VecDeque::from([(start.state, clocks, 0)]);
    let mut found = None;
    while let Some((state, clocks, time)) = waiting.pop_front() {
        let clocks = finite(&clocks, differences);
        if !seen.insert((state.clone(), clocks.clone())) {
            continue;
        }
        if seen.len() > MOST_STATES {
            return None;
        }
        let mut zone = Zone::zero(clocks.len() - 1);
        (1..clocks.len()).for_each(|clock| zone.reset(clock, clocks[clock] as i32));
        let mut conditions = stepper.conditions(&state);
        conditions.interpreter.enter(frame);
        let here = conditions.points(frame, goal, holds, &zone, &Federation::none).ok()?;
        found = found.or((!here.is_empty()).then_some(time));
        let standing = stepper.standing(&state).ok()?;
        let steps = stepper.steps(&state).ok()?;
        if !standing.still && !stepper.is_urgent(&steps) {
            let runs = |n: usize| n != 0 && !standing.stopped.contains(&n);
            let later: Vec<i64> = clocks.iter().enumerate().map(|(n, c)| c + i64::from(runs(n))).collect();
            if satisfied(&standing.invariant, &later) {
                waiting.push_back((state.clone(), later, time + 1));
            }
        }
        let mut enabled = Vec::new();
        for step in &steps {
            if !satisfied(&step.guard, &clocks) {
                continue;
            }
            let outcome = stepper.take(&state, step).ok()?;
            let mut after = clocks.clone();
            outcome.resets.iter().for_each(|(clock, value)| after[*clock] = i64::from(*value));
            let standing = stepper.standing(&outcome.state).ok()?;
            if standing.allowed && satisfied(&standing.invariant, &after) {
                enabled.push((step.priority, outcome.state, after));
            }
        }
        let highest = enabled.iter().map(|(priority, _, _)| *priority).collect::<Vec<_>>();
        for (priority, state, clocks) in enabled {
            if !highest.iter().any(|other| *other > priority) {
                waiting.push_front((state, clocks, time));
            }
        }
    }
    Some(found)
}
