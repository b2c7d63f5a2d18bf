//! The engine for timed automata: zones of clock values.

use burnside_lang::Kind;
use burnside_lang::diag::{Diagnostic, codes};
use burnside_model::findings::Findings;
use burnside_model::{Events, Network};
use burnside_timed::check::{Bounds, How, check};
use burnside_timed::steps::Stepper;
use burnside_timed::waiting::Order;

use super::{Engine, Task};
use crate::Failure;

/// Explores discrete states with zones.
pub(crate) struct Zones;

impl Engine for Zones {
    fn name(&self) -> &'static str {
        "zones"
    }

    fn explores(&self) -> Kind {
        Kind::Timed
    }

    fn run(&self, task: &Task<'_>, _events: &mut dyn Events) -> Result<Option<Findings>, Failure> {
        let Some(network) = task.network else { return Ok(None) };
        if let Some(diagnostic) = forbidden_start(network) {
            return Err(Failure::Input(vec![diagnostic]));
        }
        let how = How {
            bounds: Bounds { deadline: task.limits.deadline(), memory: task.limits.memory },
            order: if task.options.depth_first { Order::Depth } else { Order::Breadth },
            run: task.options.run,
            threads: task.options.threads.get(),
            helped_after: 1000,
        };
        let checked = check(network, &task.plan.domains, how).map_err(Failure::Internal)?;
        Ok(Some(checked.findings(network, how.run)))
    }
}

/// What is wrong if there is no first state: everything would hold of what can be reached. Errors at run time are met
/// later.
fn forbidden_start(network: &Network) -> Option<Diagnostic> {
    let found = Stepper::new(network).and_then(|mut stepper| stepper.forbidden_start()).ok()?;
    let (process, location) = found?;
    let span = location.invariant.as_ref().map_or(location.span, |invariant| invariant.span);
    let message = format!(
        "the invariant of location {} in process {} does not hold at the start",
        location.name, process.name
    );
    Some(Diagnostic::error(codes::FORBIDDEN_START, span, message))
}
