//! Times for a sequence of steps: the earliest at which all guards, invariants and further conditions hold.
//!
//! The time of each step is a variable. A clock is the time now, less the time of the step that set it, so that a bound
//! on clocks is a bound on a difference of times; the least solution of all of them is a run. Where a condition is not
//! convex, as after steps of higher priority are taken out, one of its zones is chosen after the other.

use burnside_model::code::Cell;

use crate::conditions::Run;
use crate::run::{Ending, TimedRun, TimedStep};
use crate::steps::{Outcome, Standing, Step, Stepper, Taken, Within};
use crate::stuck::enabled_before;
use crate::zone::{Bound, Constraint, Federation, Point, Zone};

/// A step of the sequence, or a mere moment.
#[derive(Clone, Debug, Default)]
pub struct Leg {
    /// The edges; none for a mere moment.
    pub taken: Vec<Taken>,
    /// What the stay in a state before this step satisfies: one of these. None for no condition.
    pub stays: Vec<Stay>,
}

/// A condition on the stay in a state.
#[derive(Clone, Debug)]
pub struct Stay {
    /// On the clocks when it begins.
    pub entry: Vec<Constraint>,
    /// On the clocks when it ends.
    pub exit: Vec<Constraint>,
}

impl From<Vec<Taken>> for Leg {
    fn from(taken: Vec<Taken>) -> Leg {
        Leg { taken, stays: Vec::new() }
    }
}

/// How many combinations of zones are tried.
const MAX_TRIES: usize = 2000;

/// What is asked of times: constraints, and of each group of such one.
#[derive(Default)]
struct Asked {
    all: Vec<Constraint>,
    groups: Vec<Vec<Vec<Constraint>>>,
    /// How many variables there are.
    variables: usize,
    tries: usize,
}

impl Asked {
    fn one_of(&mut self, mut group: Vec<Vec<Constraint>>) {
        match group.len() {
            1 => self.all.append(&mut group[0]),
            _ => self.groups.push(group),
        }
    }

    /// The least times, if there are any.
    fn solve(&mut self) -> Option<Point> {
        let mut chosen = std::mem::take(&mut self.all);
        self.choose(0, &mut chosen)
    }

    fn choose(&mut self, group: usize, chosen: &mut Vec<Constraint>) -> Option<Point> {
        self.tries += 1;
        if self.tries > MAX_TRIES {
            return None;
        }
        let point = Point::least(self.variables, chosen)?;
        if group == self.groups.len() {
            return Some(point);
        }
        for number in 0..self.groups[group].len() {
            let length = chosen.len();
            chosen.extend_from_slice(&self.groups[group][number]);
            if let Some(point) = self.choose(group + 1, chosen) {
                return Some(point);
            }
            chosen.truncate(length);
        }
        None
    }
}

/// Times for a sequence of steps, if there are any, such that a condition on the clocks holds at its end: one of the
/// zones that `goal` gives for the last discrete state and the invariant there.
pub fn timed(
    stepper: &mut Stepper,
    legs: &[Leg],
    mut goal: impl FnMut(&mut Stepper, &[Cell], &Zone) -> Run<Federation>,
) -> Run<Option<TimedRun>> {
    if stepper.network.has_stopwatches() {
        return crate::stopwatch::timed(stepper, legs, goal);
    }
    let start = stepper.start()?;
    let clocks = stepper.clocks.count();
    // When each clock was set, by step, and to what.
    let mut set: Vec<(usize, i32)> = vec![(0, 0); clocks + 1];
    start.resets.iter().for_each(|(clock, value)| set[*clock].1 = *value);
    let mut state = start.state.clone();
    let mut asked = Asked { variables: legs.len() + 1, ..Asked::default() };
    let mut executed = Vec::new();
    let mut standing = stepper.standing(&state)?;
    asked.all.extend(at_times(&standing.invariant, 0, &set));
    for (number, leg) in (1..).zip(legs) {
        let possible = steps_beside(stepper, &state, &leg.taken)?;
        wait(&standing, stepper.is_urgent(&possible), number, &set, &mut asked.all);
        if !leg.stays.is_empty() {
            let stay = |stay: &Stay| {
                at_times(&stay.entry, number - 1, &set).chain(at_times(&stay.exit, number, &set)).collect()
            };
            asked.one_of(leg.stays.iter().map(stay).collect());
        }
        let mut channel = None;
        if !leg.taken.is_empty() {
            let same: Vec<&Step> = possible.iter().filter(|step| stepper.is(step, &leg.taken)).collect();
            let Some(step) = same.first().copied() else { return Ok(None) };
            channel = step.channel;
            // Those who do not hear a broadcast may do so for different reasons.
            asked.one_of(same.iter().map(|step| at_times(&step.guard, number, &set).collect()).collect());
            if let Some(zones) = not_preceded(stepper, &state, &possible, step)? {
                let zones = zones.zones().iter();
                asked.one_of(
                    zones.map(|zone| at_times(&zone.minimal_constraints(), number, &set).collect()).collect(),
                );
            }
            let outcome = stepper.take(&state, step)?;
            outcome.resets.iter().for_each(|(clock, value)| set[*clock] = (number, *value));
            state = outcome.state;
            standing = stepper.standing(&state)?;
            if !standing.allowed {
                return Ok(None);
            }
            asked.all.extend(at_times(&standing.invariant, number, &set));
        }
        executed.push(TimedStep { time: 0, taken: leg.taken.clone(), channel, state: state.clone() });
    }
    let end = legs.len() + 1;
    let urgent = stepper.urges(&state)?;
    wait(&standing, urgent, end, &set, &mut asked.all);
    let mut zone = Zone::universal(clocks);
    zone.constrain_all(&standing.invariant);
    let goals = goal(stepper, &state, &zone)?;
    let goals = goals.zones().iter();
    asked.one_of(goals.map(|zone| at_times(&zone.minimal_constraints(), end, &set).collect()).collect());
    let Some(point) = asked.solve() else { return Ok(None) };
    for (number, step) in (1..).zip(&mut executed) {
        step.time = point.numerators[number];
    }
    let (denominator, end) = (point.denominator, point.numerators[end]);
    Ok(Some(TimedRun { denominator, start: start.state, steps: executed, end, ending: Ending::Open }))
}

/// The steps with some edges, and those that may come before them or be urgent.
pub(crate) fn steps_beside(stepper: &mut Stepper, state: &[Cell], taken: &[Taken]) -> Run<Vec<Step>> {
    let network = stepper.network;
    let first = network.priority;
    let ranked = network.channels.iter().any(|channel| channel.urgent || channel.priority != first)
        || network.processes.iter().any(|process| process.priority != network.processes[0].priority);
    stepper.steps_within(state, if ranked { Within::Anything } else { Within::Like(taken) })
}

/// Where a step can be taken because no step of a higher priority can, if there are such steps.
pub(crate) fn not_preceded(
    stepper: &mut Stepper,
    state: &[Cell],
    possible: &[Step],
    step: &Step,
) -> Run<Option<Federation>> {
    let mut found: Option<Federation> = None;
    for other in possible.iter().filter(|other| other.priority > step.priority) {
        let mut zone = Zone::universal(stepper.clocks.count());
        let all = found.get_or_insert_with(|| Federation::from(zone.clone()));
        if !zone.constrain_all(&other.guard) {
            continue;
        }
        let outcome: Outcome = stepper.take(state, other)?;
        let standing = stepper.standing(&outcome.state)?;
        if let Some(first) = enabled_before(zone, &outcome, &standing) {
            all.subtract(&first);
        }
    }
    Ok(found)
}

/// The next step comes later than the one before, at once if time stands still, and the invariant holds until then.
fn wait(standing: &Standing, urgent: bool, next: usize, set: &[(usize, i32)], asked: &mut Vec<Constraint>) {
    asked.push(Constraint::new(next - 1, next, Bound::LE_ZERO));
    if standing.still || urgent {
        asked.push(Constraint::new(next, next - 1, Bound::LE_ZERO));
    }
    asked.extend(at_times(&standing.invariant, next, set));
}

/// What constraints on clocks ask of the times of steps, if they hold when step `now` is taken.
fn at_times<'c>(
    constraints: &'c [Constraint],
    now: usize,
    set: &'c [(usize, i32)],
) -> impl Iterator<Item = Constraint> + 'c {
    constraints.iter().filter_map(move |constraint| at_time(*constraint, now, set))
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
