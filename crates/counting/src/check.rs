//! A check of a counted model, from model to findings.

use burnside_model::code::{DomainId, Semantics};
use burnside_model::findings::{Checks, Ending, Findings, Nodes, Witness};
use burnside_model::system::PropertyKind;
use burnside_model::{Count, DeadlockMode, Limit, Limits, Model, Span, stack};

use crate::counters::{Counting, resizable};
use crate::path::Goal;
use crate::population::Population;
use crate::program::{Program, program};
use crate::rank::rank;
use crate::reach::{Reach, Reached, Stopped};

/// What is asked.
#[derive(Clone, Debug)]
pub struct Task {
    /// The choices that the language leaves open.
    pub semantics: Semantics,
    /// What counts as a deadlock.
    pub deadlock: DeadlockMode,
    pub limits: Limits,
    /// The domains whose elements are counted: verified symmetries that are [`countable`](crate::countable).
    pub domains: Vec<DomainId>,
}

/// Why a model cannot be checked in this way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Obstacle {
    /// The reason, in one line.
    pub reason: String,
    pub span: Option<Span>,
}

/// Bytes per node, with what operations gave before.
const NODE_BYTES: u64 = 160;
/// Memory where there is no limit.
const DEFAULT_MEMORY: u64 = 4 << 30;

/// Checks a model on sets of populations, as diagrams.
pub fn check(model: &Model, task: &Task) -> Result<Findings, Obstacle> {
    let counting = countable_on_sets(model, task)?;
    with_much_stack(|| work(&counting, task))
}

/// The program that counts the elements of a model, and what `then` makes of it.
pub fn with_program<T>(
    model: &Model,
    task: &Task,
    then: impl FnOnce(&Counting<'_>, Program) -> T,
) -> Result<T, Obstacle> {
    let counting = countable_on_sets(model, task)?;
    let program = with_much_stack(|| {
        let mut reach = reach(&counting, task)?;
        let written = program(&counting, &mut reach, task.deadlock == DeadlockMode::Stuck);
        written.map_err(|stopped| Obstacle { reason: stopped.reason().to_owned(), span: None })
    })?;
    Ok(then(&counting, program))
}

/// The counted model, if that is possible on sets.
pub(crate) fn countable_on_sets<'m>(model: &'m Model, task: &Task) -> Result<Counting<'m>, Obstacle> {
    match obstacle(model, task) {
        Some(obstacle) => Err(obstacle),
        None => Ok(Counting::new(model, task.semantics, &task.domains, 0)),
    }
}

/// Does something on a thread whose stack suffices for deep diagrams.
pub(crate) fn with_much_stack<T: Send>(
    work: impl FnOnce() -> Result<T, Obstacle> + Send,
) -> Result<T, Obstacle> {
    stack::in_thread(stack::diagram_thread(), work).unwrap_or_else(|error| {
        Err(Obstacle { reason: format!("a thread cannot be started: {error}"), span: None })
    })
}

/// The memory that there is.
pub(crate) fn memory(task: &Task) -> u64 {
    task.limits.memory.unwrap_or(DEFAULT_MEMORY)
}

/// How many nodes have room in it.
pub(crate) fn nodes(task: &Task) -> usize {
    (memory(task) / NODE_BYTES).try_into().unwrap_or(usize::MAX)
}

/// Reachability on sets, about to begin.
pub(crate) fn reach<'c>(counting: &'c Counting<'c>, task: &Task) -> Result<Reach<'c>, Obstacle> {
    let deadline = task.limits.deadline();
    Reach::new(counting, nodes(task), deadline)
        .ok_or_else(|| Obstacle { reason: "the number of elements matters".to_owned(), span: None })
}

/// Why a model cannot be checked on sets of populations.
pub fn obstacle(model: &Model, task: &Task) -> Option<Obstacle> {
    let refuse = |reason: &str, span| Some(Obstacle { reason: reason.to_owned(), span: Some(span) });
    if let Err(span) = rank(model, &task.domains) {
        return refuse("this loop adds something up over all elements", span);
    }
    if !resizable(model, &task.domains) {
        let reason = "the elements are values of a range, an enum or a union: a scalarset can be counted";
        return Some(Obstacle { reason: reason.to_owned(), span: None });
    }
    if let Some(assumption) = model.properties.iter().find(|p| p.kind == PropertyKind::Assume) {
        return refuse("assumptions about all elements are not counted", assumption.span);
    }
    if let Some(cover) = model.properties.iter().find(|p| p.kind == PropertyKind::Cover && p.is_statement()) {
        return refuse("`cover` statements are not counted on sets", cover.span);
    }
    let bound = task.limits.bound.is_some();
    bound.then(|| Obstacle { reason: "a bound on the depth needs levels".to_owned(), span: None })
}

fn work(counting: &Counting<'_>, task: &Task) -> Result<Findings, Obstacle> {
    let mut reach = reach(counting, task)?;
    let checks = Checks::new(counting.model, task.deadlock);
    let found = match reach.run() {
        Ok(found) => Ok(found),
        Err(Stopped::Uneven) => {
            return Err(Obstacle { reason: Stopped::Uneven.reason().to_owned(), span: None });
        }
        Err(Stopped::Memory) => Err(Limit::Memory),
        Err(Stopped::Time) => Err(Limit::Time),
    };
    let mut witnesses: Vec<Vec<Witness>> = checks.list.iter().map(|_| Vec::new()).collect();
    let mut covered = vec![0; checks.list.len()];
    let mut limit = found.as_ref().err().copied();
    let mut unclear = vec![false; checks.list.len()];
    let (mut orbits, mut peak_nodes) = (Count::default(), reach.diagrams.peak);
    if let Ok(found) = &found {
        (orbits, peak_nodes) = (found.orbits.clone(), found.peak_nodes);
        for violation in violations(&checks, task.deadlock, found, &mut covered) {
            let known = witnesses.iter().map(Vec::len).sum::<usize>() as u64;
            // The first of each check is told whatever their number: else the check would seem to hold.
            if known >= task.limits.max_errors && !witnesses[violation.check].is_empty() {
                if let Ending::PropertyFault { property, .. } = violation.ending {
                    let own = checks.list.iter().position(|check| check.index == Some(property));
                    own.into_iter().for_each(|own| unclear[own] = true);
                }
                continue;
            }
            match run(counting, &mut reach, &violation) {
                Ok(path) => witnesses[violation.check].push(Witness { path, ending: violation.ending }),
                Err(stop) => {
                    limit = limit.or(Some(stop));
                    unclear[violation.check] = true;
                }
            }
        }
    }
    let complete = found.is_ok();
    let per_check = checks.list.iter().zip(witnesses).zip(covered).zip(unclear);
    let properties = per_check.map(|(((check, witnesses), covered), unclear)| {
        // Something is wrong with it, but what could not be told in time.
        check.conclude(witnesses, covered, false, complete && !unclear)
    });
    let peak = peak_nodes as u64;
    Ok(Findings {
        properties: properties.collect(),
        states: orbits,
        limit,
        complete: limit.is_none(),
        memory: NODE_BYTES * peak,
        nodes: Some(Nodes { peak, live: peak, relation: None }),
        ..Findings::default()
    })
}

/// Something that is wrong somewhere.
struct Violation {
    check: usize,
    ending: Ending,
    /// Where a run to it ends; nothing if a start state goes wrong.
    goal: Option<Goal>,
}

fn violations(
    checks: &Checks,
    deadlock: DeadlockMode,
    found: &Reached,
    covered: &mut [u64],
) -> Vec<Violation> {
    let mut all = Vec::new();
    for (rule, args, fault) in &found.failed_starts {
        let (rule, args, fault) = (*rule, args.clone(), fault.clone());
        let ending = Ending::Fault { fault, rule, args, in_guard: false };
        all.push(Violation { check: checks.faults, ending, goal: None });
    }
    for (check, property, kind) in &checks.evaluated {
        let judged = &found.judged[*property];
        if let Some((_, fault)) = &judged.faulty {
            let ending = Ending::PropertyFault { fault: fault.clone(), property: *property };
            let goal = Some(Goal::PropertyFault(*property));
            all.push(Violation { check: checks.faults, ending, goal });
        }
        match (&judged.met, kind) {
            (None, _) => {}
            (Some(_), PropertyKind::Cover) => covered[*check] += 1,
            (Some(_), _) => {
                let goal = Some(Goal::Property(*property));
                all.push(Violation { check: *check, ending: Ending::Invariant, goal });
            }
        }
    }
    let mut rules = Vec::new();
    for wrong in found.wrong.iter() {
        if rules.contains(&wrong.rule) {
            continue;
        }
        rules.push(wrong.rule);
        let (rule, fault, in_guard) = (wrong.rule, wrong.fault.clone(), wrong.in_guard);
        let ending = Ending::Fault { fault, rule, args: Vec::new(), in_guard };
        all.push(Violation { check: checks.faults, ending, goal: Some(Goal::Fault(rule)) });
    }
    let disabled = deadlock == DeadlockMode::Stuck;
    let stuck = if disabled { &found.disabled } else { &found.stuck };
    if let (Some(check), Some(_)) = (checks.deadlocks, stuck) {
        all.push(Violation { check, ending: Ending::Deadlock, goal: Some(Goal::Stuck(disabled)) });
    }
    all
}

/// The states of a run to a violation.
fn run(
    counting: &Counting<'_>,
    reach: &mut Reach<'_>,
    violation: &Violation,
) -> Result<Vec<Vec<burnside_model::code::Cell>>, Limit> {
    let Some(goal) = violation.goal else { return Ok(Vec::new()) };
    let state = |population: &Population| counting.state(population);
    match reach.path(goal) {
        Ok(path) => Ok(path.unwrap_or_default().iter().map(state).collect()),
        Err(Stopped::Memory | Stopped::Uneven) => Err(Limit::Memory),
        Err(Stopped::Time) => Err(Limit::Time),
    }
}
