//! Times for a sequence of steps of a network with stopwatches.
//!
//! Zones follow a stopped clock only as far as bounds on two clocks can: what is reached among zones is more than what is
//! reached (F. Cassez, K. Larsen, *The impressive power of stopwatches*, CONCUR 2000). So a goal that no zone reaches is not
//! reached; one that a zone reaches counts only if delays for the steps are found, by which the run is then executed.
//! A clock is what it was set to, and the delays of all stays since then in which it ran.

use burnside_model::code::Cell;

use crate::conditions::Run;
use crate::linear::{Inequality, solution};
use crate::run::{Ending, TimedRun, TimedStep};
use crate::steps::{Standing, Step, Stepper};
use crate::times::{Leg, not_preceded, steps_beside};
use crate::zone::{Constraint, Federation, Point, Zone};

/// How many combinations of zones are tried.
const MAX_TRIES: usize = 200;

/// A clock as a constant and the number of each delay that it has passed.
#[derive(Clone)]
struct Passed {
    set: i64,
    delays: Vec<i64>,
}

/// The clocks along a run, and what is asked of the delays.
struct Along {
    clocks: Vec<Passed>,
    all: Vec<Inequality>,
    groups: Vec<Vec<Vec<Inequality>>>,
    tries: usize,
}

impl Along {
    /// What constraints ask of the delays, if they hold now.
    fn now(&self, constraints: &[Constraint]) -> Vec<Inequality> {
        let asked = constraints.iter().filter_map(|constraint| {
            let value = i64::from(constraint.bound.value()?);
            let (left, right) = (&self.clocks[constraint.left], &self.clocks[constraint.right]);
            let pairs = left.delays.iter().zip(&right.delays);
            Some(Inequality {
                coefficients: pairs.map(|(left, right)| left - right).collect(),
                constant: value - left.set + right.set,
                strict: constraint.bound.is_strict(),
            })
        });
        asked.collect()
    }

    fn ask(&mut self, constraints: &[Constraint]) {
        let asked = self.now(constraints);
        self.all.extend(asked);
    }

    fn ask_one_of(&mut self, mut group: Vec<Vec<Inequality>>) {
        match group.len() {
            1 => self.all.append(&mut group[0]),
            _ => self.groups.push(group),
        }
    }

    /// Time passes before a leg, within the invariant.
    fn stay(&mut self, leg: usize, standing: &Standing, still: bool) {
        if still {
            let mut coefficients = vec![0; self.clocks[0].delays.len()];
            coefficients[leg] = 1;
            self.all.push(Inequality { coefficients, constant: 0, strict: false });
        }
        for (clock, passed) in self.clocks.iter_mut().enumerate().skip(1) {
            passed.delays[leg] = i64::from(standing.stopped.binary_search(&clock).is_err());
        }
        self.ask(&standing.invariant);
    }

    fn set(&mut self, clock: usize, value: i32) {
        self.clocks[clock].set = i64::from(value);
        self.clocks[clock].delays.fill(0);
    }

    fn solve(&mut self, group: usize, chosen: &mut Vec<Inequality>) -> Option<Point> {
        self.tries += 1;
        if self.tries > MAX_TRIES {
            return None;
        }
        let delays = self.clocks[0].delays.len();
        if group == self.groups.len() {
            return solution(delays, chosen);
        }
        for number in 0..self.groups[group].len() {
            let length = chosen.len();
            chosen.extend_from_slice(&self.groups[group][number]);
            if let Some(point) = self.solve(group + 1, chosen) {
                return Some(point);
            }
            chosen.truncate(length);
        }
        None
    }
}

/// As [`timed`](crate::times::timed), where clocks may stand still. What the stays satisfy is not looked at: only runs
/// to goals are asked for.
pub(crate) fn timed(
    stepper: &mut Stepper,
    legs: &[Leg],
    mut goal: impl FnMut(&mut Stepper, &[Cell], &Zone) -> Run<Federation>,
) -> Run<Option<TimedRun>> {
    let start = stepper.start()?;
    let clocks = stepper.clocks.count();
    let passed = Passed { set: 0, delays: vec![0; legs.len() + 1] };
    let mut along = Along { clocks: vec![passed; clocks + 1], all: Vec::new(), groups: Vec::new(), tries: 0 };
    start.resets.iter().for_each(|(clock, value)| along.set(*clock, *value));
    let mut state = start.state.clone();
    let mut standing = stepper.standing(&state)?;
    along.ask(&standing.invariant);
    let mut executed = Vec::new();
    for (number, leg) in legs.iter().enumerate() {
        let possible = steps_beside(stepper, &state, &leg.taken)?;
        let still = standing.still || stepper.is_urgent(&possible);
        along.stay(number, &standing, still);
        let same: Vec<&Step> = possible.iter().filter(|step| stepper.is(step, &leg.taken)).collect();
        let Some(step) = same.first().copied() else { return Ok(None) };
        along.ask_one_of(same.iter().map(|step| along.now(&step.guard)).collect());
        if let Some(zones) = not_preceded(stepper, &state, &possible, step)? {
            let zones = zones.zones().iter();
            along.ask_one_of(zones.map(|zone| along.now(&zone.minimal_constraints())).collect());
        }
        let outcome = stepper.take(&state, step)?;
        outcome.resets.iter().for_each(|(clock, value)| along.set(*clock, *value));
        state = outcome.state;
        standing = stepper.standing(&state)?;
        if !standing.allowed {
            return Ok(None);
        }
        along.ask(&standing.invariant);
        executed.push(TimedStep {
            time: 0,
            taken: leg.taken.clone(),
            channel: step.channel,
            state: state.clone(),
        });
    }
    let still = standing.still || stepper.urges(&state)?;
    along.stay(legs.len(), &standing, still);
    let mut zone = Zone::universal(clocks);
    zone.constrain_all(&standing.invariant);
    let goals = goal(stepper, &state, &zone)?;
    along.ask_one_of(goals.zones().iter().map(|zone| along.now(&zone.minimal_constraints())).collect());
    let mut chosen = std::mem::take(&mut along.all);
    let Some(point) = along.solve(0, &mut chosen) else { return Ok(None) };
    let mut now = 0;
    for (step, delay) in executed.iter_mut().zip(&point.numerators[1..]) {
        now += delay;
        step.time = now;
    }
    let end = now + point.numerators[legs.len() + 1];
    let denominator = point.denominator;
    Ok(Some(TimedRun { denominator, start: start.state, steps: executed, end, ending: Ending::Open }))
}
