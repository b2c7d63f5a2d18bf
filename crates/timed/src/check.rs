//! Answers to queries: `E<>` and `A[]`, with runs that were executed.

use std::time::Instant;

use burnside_model::code::{DomainId, Fault, Stop};
use burnside_model::network::QueryKind;
use burnside_model::{Limit, Network, Verdict};

use crate::conditions::{Run, mentions_deadlock};
use crate::explore::{Abstraction, Covering, Explorer};
use crate::run::{TimedRun, execute, steps_to, timed};
use crate::zone::{Extrapolation, Federation, Zone};

/// When to stop early.
#[derive(Clone, Copy, Debug, Default)]
pub struct Bounds {
    /// When the time is over.
    pub deadline: Option<Instant>,
    /// The most bytes that stored states may take.
    pub memory: Option<u64>,
}

/// The answer to a query.
#[derive(Clone, Debug)]
pub struct Answer {
    /// Whether what it claims holds.
    pub verdict: Verdict,
    /// A run that shows it: to where an `E<>` holds, or an `A[]` does not.
    pub run: Option<TimedRun>,
    /// Why nothing is known, where it is no limit.
    pub reason: Option<String>,
}

/// What was found.
#[derive(Clone, Debug, Default)]
pub struct Checked {
    /// One for each query.
    pub answers: Vec<Answer>,
    /// What went wrong at run time, and the run there.
    pub fault: Option<(Fault, Option<TimedRun>)>,
    /// How many states were stored at the end.
    pub stored: u64,
    /// How many discrete states were found.
    pub discrete: u64,
    /// The limit that ended the search early.
    pub limit: Option<Limit>,
}

/// Why there is no answer: the search is wrong.
pub type Wrong = String;

/// Answers the queries of a network under the symmetry of some of its domains.
pub fn check(network: &Network, domains: &[DomainId], bounds: Bounds) -> Result<Checked, Wrong> {
    let unknown = |query: &burnside_model::network::Query| Answer {
        verdict: Verdict::Unknown,
        run: None,
        reason: goal(&query.kind).is_none().then(|| "queries of this kind are not answered yet".to_owned()),
    };
    let mut checked =
        Checked { answers: network.queries.iter().map(unknown).collect(), ..Checked::default() };
    let asks_deadlock = |query: usize| {
        network.queries[query].kind.exprs().iter().any(|expr| mentions_deadlock(network, expr))
    };
    let (deadlock, plain): (Vec<usize>, Vec<usize>) = (0..network.queries.len())
        .filter(|query| goal(&network.queries[*query].kind).is_some())
        .partition(|query| asks_deadlock(*query));
    // Simulation up to guards keeps neither deadlocks nor the steps that others come before.
    let exact =
        Abstraction { extrapolation: Some(Extrapolation::MPlus), local: true, covering: Covering::Inclusion };
    if !plain.is_empty() || deadlock.is_empty() {
        explore(network, domains, &plain, Abstraction::default(), bounds, &mut checked)?;
    }
    if !deadlock.is_empty() && checked.fault.is_none() && checked.limit.is_none() {
        explore(network, domains, &deadlock, exact, bounds, &mut checked)?;
    }
    Ok(checked)
}

/// What a query looks for, and whether it is an example of what is claimed or of the contrary.
fn goal(kind: &QueryKind) -> Option<(&burnside_model::code::Expr, bool)> {
    match kind {
        QueryKind::Possibly(p) => Some((p, true)),
        QueryKind::Invariantly(p) => Some((p, false)),
        _ => None,
    }
}

fn explore(
    network: &Network,
    domains: &[DomainId],
    queries: &[usize],
    abstraction: Abstraction,
    bounds: Bounds,
    checked: &mut Checked,
) -> Result<(), Wrong> {
    let mut explorer = match Explorer::new(network, domains, abstraction) {
        Ok(explorer) => explorer,
        Err(Stop::Fault(fault)) => {
            checked.fault = Some((*fault, None));
            return Ok(());
        }
        Err(_) => return Err("the start state cannot be computed".to_owned()),
    };
    let mut open: Vec<usize> = queries.to_vec();
    let mut new = 0..explorer.nodes.len() as u32;
    loop {
        for node in new.clone() {
            let decided = at_node(&mut explorer, node, &open, checked)?;
            open.retain(|query| !decided.contains(query));
        }
        if open.is_empty() && !queries.is_empty() {
            break;
        }
        if let Some(limit) = exceeded(&explorer, bounds) {
            checked.limit = Some(limit);
            break;
        }
        match explorer.expand() {
            Ok(Some(found)) => new = found,
            Ok(None) => {
                for query in open.drain(..) {
                    let example = goal(&network.queries[query].kind).is_some_and(|(_, example)| example);
                    checked.answers[query].verdict = if example { Verdict::Violated } else { Verdict::Holds };
                }
                break;
            }
            Err(stop) => {
                failed(&mut explorer, stop, checked)?;
                break;
            }
        }
    }
    checked.stored = checked.stored.max(explorer.stored() as u64);
    checked.discrete = checked.discrete.max(explorer.discrete.len() as u64);
    Ok(())
}

fn exceeded(explorer: &Explorer, bounds: Bounds) -> Option<Limit> {
    if bounds.deadline.is_some_and(|deadline| Instant::now() > deadline) {
        return Some(Limit::Time);
    }
    bounds.memory.is_some_and(|limit| explorer.bytes() > limit).then_some(Limit::Memory)
}

/// Looks for what the queries ask in a new state; those that are decided.
fn at_node(
    explorer: &mut Explorer,
    node: u32,
    open: &[usize],
    checked: &mut Checked,
) -> Result<Vec<usize>, Wrong> {
    let network = explorer.stepper.network;
    let (discrete, zone) = {
        let node = &explorer.nodes[node as usize];
        (node.discrete as usize, node.zone.unpack())
    };
    let mut decided = Vec::new();
    for query in open {
        let asked = &network.queries[*query];
        let Some((expr, example)) = goal(&asked.kind) else { continue };
        let stuck = if mentions_deadlock(network, expr) {
            match explorer.stuck(discrete, &zone) {
                Ok(stuck) => stuck,
                Err(stop) => {
                    failed(explorer, stop, checked)?;
                    return Ok(open.to_vec());
                }
            }
        } else {
            Federation::none()
        };
        let state = explorer.discrete[discrete].state.clone();
        let mut conditions = explorer.stepper.conditions(&state);
        conditions.interpreter.enter(&asked.frame);
        match conditions.points(&asked.frame, expr, example, &zone, &|| stuck.clone()) {
            Ok(points) if points.is_empty() => {}
            Ok(_) => {
                let run = confirmed(explorer, node, *query)?;
                let verdict = if example { Verdict::Holds } else { Verdict::Violated };
                checked.answers[*query] = Answer { verdict, run: Some(run), reason: None };
                decided.push(*query);
            }
            Err(stop) => {
                failed(explorer, stop, checked)?;
                return Ok(open.to_vec());
            }
        }
    }
    Ok(decided)
}

/// The run to a state where a query's goal holds, executed.
fn confirmed(explorer: &mut Explorer, node: u32, query: usize) -> Result<TimedRun, Wrong> {
    let network = explorer.stepper.network;
    let asked = &network.queries[query];
    let (expr, example) = goal(&asked.kind).ok_or("a query without a goal")?;
    let wrong = |_: Stop| "a run that was found cannot be executed".to_owned();
    let steps = steps_to(explorer, node).map_err(wrong)?;
    let at_the_end = |stepper: &mut crate::steps::Stepper, state: &[i64], zone: &Zone| -> Run<Federation> {
        let stuck = if mentions_deadlock(network, expr) {
            crate::explore::stuck_at(stepper, state, zone)?
        } else {
            Federation::none()
        };
        let mut conditions = stepper.conditions(state);
        conditions.interpreter.enter(&asked.frame);
        conditions.points(&asked.frame, expr, example, zone, &|| stuck.clone())
    };
    let run = timed(&mut explorer.stepper, &steps, at_the_end)
        .map_err(wrong)?
        .ok_or("no times were found for a run that was found")?;
    match execute(&mut explorer.stepper, &run).map_err(wrong)? {
        Some(_) => Ok(run),
        None => Err("a run that was found is none".to_owned()),
    }
}

/// Something went wrong at run time.
fn failed(explorer: &mut Explorer, stop: Stop, checked: &mut Checked) -> Result<(), Wrong> {
    let Stop::Fault(fault) = stop else { return Err("the search ended without a reason".to_owned()) };
    let run = match explorer.at {
        Some(node) => {
            let steps =
                steps_to(explorer, node).map_err(|_| "a run that was found cannot be executed".to_owned())?;
            let anywhere =
                |_: &mut crate::steps::Stepper, _: &[i64], zone: &Zone| Ok(Federation::from(zone.clone()));
            timed(&mut explorer.stepper, &steps, anywhere).unwrap_or(None)
        }
        None => None,
    };
    checked.fault = Some((*fault, run));
    Ok(())
}
