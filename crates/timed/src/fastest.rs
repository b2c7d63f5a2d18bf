//! The run to a goal that takes the least time.
//!
//! The network gets one clock more, which is never set and which nothing reads: the time. States are looked at in the
//! order of the least time at which they can be reached, and the search ends when no state that waits can be earlier than
//! the goal that was found (G. Behrmann, A. Fehnker et al., *Efficient guiding towards cost-optimality in UPPAAL*, TACAS 2001).
//!
//! Covering must respect the time: of two states that can do the same, the earlier one is as good. That is simulation with
//! an upper limit for the time and no lower one, since points that simulate each other let the same time pass. The
//! limit is the time of a run that is known: there is no need to tell later times apart, and the search ends.

use burnside_model::Network;
use burnside_model::code::{Cell, DomainId, Stop};

use crate::check::{Best, Checked, How, Wrong, begun_wrong, exceeded, failed, goal, legs_to, observed};
use crate::conditions::Run;
use crate::explore::{Abstraction, Explorer};
use crate::live::Claim;
use crate::run::{TimedRun, execute};
use crate::steps::Stepper;
use crate::times::timed;
use crate::waiting::Order;
use crate::zone::{Bound, Constraint, Federation, Zone};

/// Later times are not compared.
const MOST_TIME: i64 = 1 << 28;

/// Looks for a run that takes the least time to the goal of a query, which is known to be reached.
pub(crate) fn answer(
    network: &Network,
    domains: &[DomainId],
    query: usize,
    how: How,
    checked: &mut Checked,
) -> Result<(), Wrong> {
    let Some(known) = &checked.answers[query].run else { return Ok(()) };
    let most = (known.end + known.denominator - 1) / known.denominator;
    let Some((measured, time)) = with_time(network).filter(|_| most <= MOST_TIME) else {
        let reason = format!("times beyond {MOST_TIME} are not compared");
        checked.answers[query].reason = Some(reason);
        return Ok(());
    };
    let mut observed = observed(&measured, &[query]);
    observed.timer = Some((time, most as i32));
    let mut explorer = match Explorer::observing(&measured, domains, Abstraction::default(), &observed) {
        Ok(explorer) => explorer.in_order(Order::Least(time)).until(how.bounds.deadline),
        Err(stop) => return begun_wrong(stop, checked),
    };
    let asked = &measured.queries[query];
    let (expr, example) = goal(&asked.kind).ok_or("a query without a goal")?;
    let claim = Claim { frame: &asked.frame, expr, holds: example };
    let mut best: Option<(Bound, u32)> = None;
    let mut new = 0..explorer.store.nodes.len() as u32;
    loop {
        for node in new.clone() {
            if let Err(stop) = look(&mut explorer, claim, time, node, &mut best) {
                return went_wrong(&mut explorer, network, stop, checked);
            }
        }
        let waits = explorer.waiting.least();
        if best.is_some_and(|(bound, _)| waits.is_none_or(|next| next <= bound)) {
            break;
        }
        if let Some(limit) = exceeded(&explorer, how.bounds) {
            checked.limit = Some(limit);
            return Ok(());
        }
        match explorer.expand() {
            Ok(Some(found)) => new = found,
            Ok(None) => break,
            Err(stop) => return went_wrong(&mut explorer, network, stop, checked),
        }
    }
    checked.count(&explorer, 0);
    let (bound, node) = best.ok_or("a goal was reached before, and is not now")?;
    let (run, best) = confirmed(&mut explorer, network, claim, (time, bound), node)?;
    checked.answers[query].run = Some(run);
    checked.answers[query].best = Some(best);
    Ok(())
}

/// The network with one clock more, the last, which shows the time; nothing if it is too large.
fn with_time(network: &Network) -> Option<(Network, usize)> {
    let mut measured = network.clone();
    let cell = measured.model.cells;
    measured.model.add_global("time", network.clock?, burnside_model::Span::default())?;
    measured.clocks.push(cell);
    let number = measured.clocks.len();
    Some((measured, number))
}

/// Keeps a new state if the goal is reached there earlier than ever before.
fn look(
    explorer: &mut Explorer,
    claim: Claim,
    time: usize,
    node: u32,
    best: &mut Option<(Bound, u32)>,
) -> Run<()> {
    let (state, zone) = explorer.state_of(node);
    let earlier = |bound: Bound, best: &Option<(Bound, u32)>| best.is_none_or(|(known, _)| bound > known);
    if !earlier(zone.at(0, time), best) {
        return Ok(());
    }
    for part in claim.points(&mut explorer.moves.stepper, &state, &zone)?.zones() {
        if earlier(part.at(0, time), best) {
            *best = Some((part.at(0, time), node));
        }
    }
    Ok(())
}

/// The run to a node where the goal is reached within a bound on the time, executed by the network itself.
fn confirmed(
    explorer: &mut Explorer,
    network: &Network,
    claim: Claim,
    (time, bound): (usize, Bound),
    node: u32,
) -> Result<(TimedRun, Best), Wrong> {
    let wrong = |_: Stop| "a run that was found cannot be executed".to_owned();
    let (least, taken) = (-bound.value().unwrap_or(0), !bound.is_strict());
    // Where the least time is only approached, one close to it.
    let within = if taken {
        Constraint::at_most(time, least)
    } else {
        Constraint::below(time, least.saturating_add(1))
    };
    let legs = legs_to(explorer, node).map_err(wrong)?;
    let goal = |stepper: &mut Stepper, state: &[Cell], zone: &Zone| {
        // What can be done later decides on deadlocks: the time is cut only then.
        let mut points = Federation::none();
        for part in claim.points(stepper, state, zone)?.zones() {
            let mut part = part.clone();
            if part.constrain(within) {
                points.add(part);
            }
        }
        Ok(points)
    };
    let run = timed(&mut explorer.moves.stepper, &legs, goal).map_err(wrong)?;
    let run = without_time(run.ok_or("no times were found for the fastest run")?, network);
    let executed =
        Stepper::new(network).and_then(|mut stepper| execute(&mut stepper, &run)).map_err(wrong)?;
    let exact = i64::from(least).saturating_mul(run.denominator);
    let in_time = if taken { run.end == exact } else { run.end > exact };
    if executed.is_none() || !in_time {
        return Err("the fastest run is none".to_owned());
    }
    Ok((run, Best::Time { least, taken }))
}

/// The same run of the network without the clock that shows the time.
fn without_time(mut run: TimedRun, network: &Network) -> TimedRun {
    let cells = network.model.cells as usize;
    run.start.truncate(cells);
    run.steps.iter_mut().for_each(|step| step.state.truncate(cells));
    run
}

/// Something went wrong at run time, on the way to a goal.
fn went_wrong(
    explorer: &mut Explorer,
    network: &Network,
    stop: Stop,
    checked: &mut Checked,
) -> Result<(), Wrong> {
    failed(explorer, stop, checked)?;
    let fault = checked.fault.take();
    checked.fault = fault.map(|(fault, run)| (fault, run.map(|run| without_time(run, network))));
    Ok(())
}
