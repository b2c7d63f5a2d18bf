//! The engine with decision diagrams.

use burnside_model::findings::Findings;
use burnside_model::{DeadlockMode, Events, Limits, Model, Progress};
use burnside_symbolic::reduce::quotient::Reduction;
use burnside_symbolic::{Task as Symbolic, check};
use burnside_symmetry::PackedCanonicaliser;

use super::closed::closed_start;
use super::{Engine, Task};
use crate::{Failure, Options, Reduce};

/// Bytes per node, for progress.
const NODE_BYTES: u64 = 32;

/// Explores sets of states.
pub(crate) struct Diagrams;

impl Engine for Diagrams {
    fn name(&self) -> &'static str {
        "bdd"
    }

    fn refuses(&self, task: &Task<'_>) -> Option<String> {
        let Reduce::Diagrams(kind) = task.options.reduce else { return None };
        let none = task.plan.domains.is_empty();
        none.then(|| format!("--reduce {} is not possible: there is no verified symmetry", kind.name()))
    }

    fn run(&self, task: &Task<'_>, events: &mut dyn Events) -> Result<Option<Findings>, Failure> {
        let packing = task.packing()?;
        let reduction = reduction(task);
        let lift = reduction.as_ref().map(|by| PackedCanonicaliser::new(&packing, by.action.clone()));
        let on_the_fly = task.plan.on_the_fly.clone();
        let name = match (&reduction, &on_the_fly) {
            (Some(by), _) => format!("`--reduce {}`", by.kind.name()),
            (None, Some(_)) => "`--reduce on-the-fly`".to_owned(),
            (None, None) => "`--engine bdd`".to_owned(),
        };
        let symbolic =
            Symbolic { reduction, on_the_fly, ..symbolic(task.options, task.options.deadlock, &task.limits) };
        let found = check(task.model, &symbolic, &mut |progress| {
            let nodes = progress.nodes.0 as u64;
            events.progress(&Progress {
                states: progress.states.to_u64().unwrap_or(u64::MAX),
                depth: progress.depth,
                memory: NODE_BYTES * nodes,
                nodes: Some(nodes),
                ..Progress::default()
            });
        });
        let mut found = found.map_err(|refusal| {
            let reason = refusal.reason;
            Failure::Refused(format!("the model cannot be checked with {name}: {reason}"))
        })?;
        if let Some(lift) = lift {
            let summed = found.full_states.filter(|_| !task.plan.trusting());
            found.full_states = summed.filter(|_| closed_start(task, &packing, lift));
        }
        Ok(Some(found))
    }

    fn lift(&self, task: &Task<'_>) -> Option<PackedCanonicaliser> {
        let reduction = reduction(task)?;
        Some(PackedCanonicaliser::new(&task.packing().ok()?, reduction.action))
    }
}

/// How decision diagrams are reduced, if they are.
fn reduction(task: &Task<'_>) -> Option<Reduction> {
    let Reduce::Diagrams(kind) = task.options.reduce else { return None };
    Some(Reduction {
        kind,
        sorting: task.options.diagrams.sorting,
        related: task.options.diagrams.quotient,
        local_order: task.options.diagrams.local_order.clone(),
        action: task.plan.action(task.model),
    })
}

/// What is asked, without any reduction.
fn symbolic(options: &Options, deadlock: DeadlockMode, limits: &Limits) -> Symbolic {
    Symbolic {
        semantics: options.semantics,
        deadlock,
        limits: limits.clone(),
        order: options.diagrams.order,
        reorder: options.diagrams.reorder,
        monolithic: options.diagrams.monolithic,
        search: options.diagrams.search,
        sizes: options.diagrams.sizes,
        reduction: None,
        on_the_fly: None,
    }
}

/// Explores the program that counts, with the same options but what counts as a deadlock.
pub(super) fn explore_program(
    options: &Options,
    model: &Model,
    deadlock: DeadlockMode,
    limits: &Limits,
) -> Result<Findings, Failure> {
    let found = check(model, &symbolic(options, deadlock, limits), &mut |_| ()).map_err(|refusal| {
        Failure::Refused(format!("`--counters bdd` is not possible: {}", refusal.reason))
    })?;
    Ok(Findings { rules_fired: None, per_rule: Vec::new(), depth: None, full_states: None, ..found })
}
