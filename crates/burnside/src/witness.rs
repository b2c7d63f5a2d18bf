//! Witnesses become concrete runs, and every run is executed once more by the reference interpreter before anyone sees
//! it: its last state must really violate the property. A witness that does not is a bug of ours, never a verdict.

use std::ops::ControlFlow;

use burnside_logic::lasso;
use burnside_model::code::{Cell, Fault};
use burnside_model::findings::{Ending, Findings, Known, Lasso, PropertyResult, Witness};
use burnside_model::network::TimedRun;
use burnside_model::system::{Binder, Machine, Outcome, Property, Step, TimeUp};
use burnside_model::threads::ThreadRun;
use burnside_model::{Deadline, DeadlockMode, Model, System, Trace};
use burnside_symmetry::{Canonical, Ending as Last, PackedCanonicaliser, ReplayError, replay};

use crate::Failure;
use crate::engines::Task;
use crate::outcome::AllConfirmed;

/// A run that was executed, and what goes wrong at its end.
#[derive(Clone, Debug)]
pub(crate) struct Confirmed {
    /// The run.
    pub trace: Trace,
    /// How it ends.
    pub end: End,
}

/// What goes wrong at the end of a run.
#[derive(Clone, Debug)]
pub(crate) enum End {
    /// The property does not hold in the last state.
    Invariant,
    /// Something went wrong at run time.
    Fault(Fault),
    /// The last state is a deadlock.
    Deadlock,
    /// The property does not hold again for these arguments.
    NeverAgain(Vec<Cell>),
    /// A temporal formula does not hold in the first state.
    Temporal(Lasso),
    /// A timed run and, if it ends with one, an error at run time.
    Timed(Option<Box<TimedRun>>, Option<Fault>),
    /// A run of threads, and what it shows.
    Threads(Box<ThreadRun>, String),
}

impl End {
    /// Whether something goes wrong at run time.
    pub fn is_fault(&self) -> bool {
        matches!(self, End::Fault(_) | End::Timed(_, Some(_)))
    }
}

/// Executes every witness of an exploration on the model as it was read. If the symmetry was only trusted, nothing is left
/// but runs that were executed.
pub(crate) fn confirm_all(
    task: &Task<'_>,
    mut found: Findings,
    lift: Option<PackedCanonicaliser>,
) -> Result<(Findings, AllConfirmed), Failure> {
    let trusting = task.plan.trusting();
    let (mut machine, mut lift) = (Machine::new(task.original, task.options.semantics), Lift(lift));
    let mut all = Vec::new();
    for property in &mut found.properties {
        let mut confirmed = Vec::new();
        if let Known::Violated(witnesses) = &property.known {
            for witness in witnesses {
                match confirm(task, &mut machine, &mut lift, property.index, witness) {
                    Ok(run) => confirmed.push(run),
                    Err(_) if trusting => {}
                    Err(wrong) => return Err(wrong),
                }
            }
        }
        if trusting {
            weaken(property, &mut confirmed);
        }
        if let (Known::Holds, Some(index), Some(shown)) = (&property.known, property.index, &property.shown) {
            match show(task.original, &mut machine, index, shown) {
                Ok(run) => confirmed.push(run),
                Err(_) if trusting => {}
                Err(wrong) => return Err(wrong),
            }
        }
        all.push(confirmed);
    }
    Ok((found, all))
}

/// The executed run that shows why a property holds.
fn show(
    model: &Model,
    machine: &mut Machine<'_>,
    property: usize,
    witness: &Witness,
) -> Result<Confirmed, Failure> {
    match &witness.ending {
        Ending::Timed { run, fault } => Ok(timed(run, fault)),
        Ending::Temporal(lasso) => {
            let trace = lasso::execute(model, machine, property, &witness.path, lasso, true);
            let trace = trace.map_err(|why| {
                Failure::Internal(format!("a run of a formula could not be confirmed: {why}"))
            })?;
            Ok(Confirmed { trace, end: End::Temporal(lasso.clone()) })
        }
        _ => Err(Failure::Internal("a run that shows why a property holds is of another kind".to_owned())),
    }
}

/// A timed run was executed where it was found.
fn timed(run: &Option<Box<TimedRun>>, fault: &Option<Fault>) -> Confirmed {
    Confirmed { trace: Trace::default(), end: End::Timed(run.clone(), fault.clone()) }
}

/// The rest of a result if the symmetry may be none: a run that was executed, and nothing else.
fn weaken(property: &mut PropertyResult, confirmed: &mut Vec<Confirmed>) {
    confirmed.retain(|run| match &run.end {
        End::NeverAgain(_) => false,
        End::Temporal(shown) => shown.complete,
        End::Invariant | End::Fault(_) | End::Deadlock | End::Timed(..) | End::Threads(..) => true,
    });
    if confirmed.is_empty() {
        property.known = Known::Unknown;
    }
}

/// How stored states relate to concrete ones: equal, or in the same orbit, which a canonical form tells (it need not be
/// the one that chose the stored states).
struct Lift(Option<PackedCanonicaliser>);

impl Lift {
    /// A run of the model along these stored states.
    fn replay(&mut self, machine: &mut Machine<'_>, path: &[Vec<Cell>]) -> Result<Trace, ReplayError> {
        let mut canonical = |state: &[Cell]| match &mut self.0 {
            Some(canonicaliser) => canonicaliser.form(state),
            None => state.to_vec(),
        };
        let path: Vec<_> = path.iter().map(|state| canonical(state)).collect();
        replay(machine, &mut canonical, &path, Last::State).map(|(trace, _)| trace)
    }

    /// What a property's arguments at the stored state are at this state of its orbit.
    fn arguments(
        &mut self,
        property: &Property,
        args: &[Cell],
        stored: &[Cell],
        state: &[Cell],
    ) -> Vec<Cell> {
        let Some(canonicaliser) = &mut self.0 else { return args.to_vec() };
        let there = canonicaliser.canonical(stored).1;
        let back = canonicaliser.canonical(state).1.inverse().compose(&there);
        let types = property.binders.iter().filter_map(|binder| match binder {
            Binder::Each(each) => Some(property.frame[each.local].ty),
            Binder::Choose(local, _) => Some(property.frame[*local].ty),
            Binder::Alias(..) => None,
        });
        types.zip(args).map(|(ty, value)| canonicaliser.action().map_value(&back, ty, *value)).collect()
    }
}

/// Executes a witness.
fn confirm(
    task: &Task<'_>,
    machine: &mut Machine<'_>,
    lift: &mut Lift,
    property: Option<usize>,
    witness: &Witness,
) -> Result<Confirmed, Failure> {
    let (model, deadlock) = (task.original, task.options.deadlock);
    match &witness.ending {
        Ending::Timed { run, fault } => return Ok(timed(run, fault)),
        Ending::Threads { run, message } => {
            return Ok(Confirmed {
                trace: Trace::default(),
                end: End::Threads(run.clone(), message.clone()),
            });
        }
        _ => {}
    }
    let wrong = |what: &str| Failure::Internal(format!("a counterexample could not be confirmed: {what}"));
    machine.set_deadline(Deadline::NEVER);
    if let Ending::Temporal(shown) = &witness.ending {
        let property = property.ok_or_else(|| wrong("no property"))?;
        let trace = lasso::execute(model, machine, property, &witness.path, shown, false)
            .map_err(|why| wrong(&why))?;
        machine.side_effects();
        return Ok(Confirmed { trace, end: End::Temporal(shown.clone()) });
    }
    let mut trace = if witness.path.is_empty() {
        Trace::default()
    } else {
        lift.replay(machine, &witness.path).map_err(|error| wrong(&error.to_string()))?
    };
    let last = trace.steps.last().map(|step| step.state.clone());
    let end = match (&witness.ending, &last) {
        (Ending::Invariant, Some(state)) => {
            let property = property.ok_or_else(|| wrong("no property"))?;
            match machine.holds(property, state) {
                Ok(Ok(0)) => End::Invariant,
                _ => return Err(wrong("the invariant holds")),
            }
        }
        (Ending::PropertyFault { property, .. }, Some(state))
            if lasso::is_temporal(&model.properties[*property]) =>
        {
            let found = lasso::fault(model, machine, *property, state);
            End::Fault(found.ok_or_else(|| wrong("the conditions can be evaluated"))?)
        }
        // Which of several faults is met first depends on the order of the elements: any will do.
        (Ending::PropertyFault { property, .. }, Some(state)) => match machine.holds(*property, state) {
            Ok(Err(found)) => End::Fault(found),
            _ => return Err(wrong("the condition can be evaluated")),
        },
        (Ending::Fault { rule, .. }, state) => {
            // Where the symmetry maps rules to each other, it may be another one here.
            let found = fault_again(machine, state.as_deref(), Some(*rule));
            let found = found.or_else(|| fault_again(machine, state.as_deref(), None));
            let (rule, args, fault) = found.ok_or_else(|| wrong("nothing goes wrong"))?;
            trace.failing = Some((rule, args));
            End::Fault(fault)
        }
        (Ending::Deadlock, Some(state)) if is_deadlock(machine, state, deadlock) => End::Deadlock,
        (Ending::NeverAgain { args }, Some(state)) => {
            let property = property.ok_or_else(|| wrong("no property"))?;
            let stored = witness.path.last().ok_or_else(|| wrong("no state"))?;
            let args = lift.arguments(&model.properties[property], args, stored, state);
            let mut found = false;
            let evaluated = machine.property_instances(property, state, &mut |instance, holds| {
                found |= instance == args && !holds;
            });
            if !(found && matches!(evaluated, Ok(Ok(())))) {
                return Err(wrong("the property holds at its end"));
            }
            End::NeverAgain(args)
        }
        _ => return Err(wrong("its end is something else")),
    };
    // What the model printed during the run was printed before.
    machine.side_effects();
    Ok(Confirmed { trace, end })
}

/// The arguments for which a rule (or without a state, a start state) goes wrong, and how; any, if none is given.
fn fault_again(
    machine: &mut Machine<'_>,
    state: Option<&[Cell]>,
    rule: Option<u32>,
) -> Option<(u32, Vec<Cell>, Fault)> {
    let mut found = None;
    let mut sink = |step: Step<'_>| {
        if let Outcome::Fault(this) | Outcome::GuardFault(this) = step.outcome
            && rule.is_none_or(|rule| step.rule == rule)
        {
            found = Some((step.rule, step.args.to_vec(), this));
            return ControlFlow::Break(());
        }
        ControlFlow::Continue(())
    };
    let ran = match state {
        Some(state) => machine.successors(state, &mut sink),
        None => machine.initial(&mut sink),
    };
    ran.ok().and(found)
}

fn is_deadlock(machine: &mut Machine<'_>, state: &[Cell], mode: DeadlockMode) -> bool {
    let mut progress = false;
    let ran: Result<(), TimeUp> = machine.successors(state, &mut |step| {
        progress |= mode == DeadlockMode::Stuck || !step.stutters;
        ControlFlow::Continue(())
    });
    ran.is_ok() && !progress && mode != DeadlockMode::Off
}
