//! The engine with SAT: IC3, bounded search and k-induction.

use burnside_model::findings::Findings;
use burnside_model::{Events, Progress};
use burnside_sat::search::{Task as Sat, search};
use burnside_sat::system::Question;

use super::{Engine, Task};
use crate::{Failure, Reduce};

/// Asks a SAT solver whether something wrong is reachable.
pub(crate) struct Satisfiability;

impl Engine for Satisfiability {
    fn name(&self) -> &'static str {
        "sat"
    }

    fn refuses(&self, task: &Task<'_>) -> Option<String> {
        let none = task.options.reduce == Reduce::Representatives && task.plan.domains.is_empty();
        none.then(|| "--reduce representatives is not possible: there is no verified symmetry".to_owned())
    }

    fn run(&self, task: &Task<'_>, events: &mut dyn Events) -> Result<Option<Findings>, Failure> {
        let action = (!task.plan.domains.is_empty()).then(|| task.plan.action(task.model));
        let asked = Sat {
            action: action.as_ref(),
            question: Question { semantics: task.options.semantics, deadlock: task.options.deadlock },
            method: task.options.method,
            representatives: task.options.reduce == Reduce::Representatives,
            limits: &task.limits,
        };
        let found = search(task.model, &asked, &mut |now| {
            events.progress(&Progress {
                depth: now.frames as u64,
                questions: Some((now.clauses as u64, now.queries)),
                ..Progress::default()
            });
        });
        found.map(Some).map_err(|refusal| match refusal.reason.strip_prefix("internal error: ") {
            Some(reason) => Failure::Internal(reason.to_owned()),
            None => Failure::Refused(format!(
                "the model cannot be checked with `--engine sat`: {}",
                refusal.reason
            )),
        })
    }
}
