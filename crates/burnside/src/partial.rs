//! When a search adapts to symmetry that only some rules break, and what the report says of it.

use burnside_explicit::adaptive::{self, NotWorthwhile, Task};
use burnside_explicit::{Events, Exploration};
use burnside_model::Model;
use burnside_model::code::DomainId;
use burnside_model::system::{Batcher, PropertyKind};
use burnside_symmetry::partial::{Blocks, Invariance, Young, invariance};

use crate::{Options, Reduce};

/// What is left of the symmetry of a model that is not symmetric, if that is of use. `broken` says which domains are not
/// plain symmetries.
pub(crate) fn left(model: &Model, broken: &dyn Fn(DomainId) -> bool) -> Option<Invariance> {
    let domains: Vec<DomainId> = (0..model.types.domains.len() as u32).map(DomainId).collect();
    let permuted: Vec<DomainId> = domains.into_iter().filter(|d| model.types.domain(*d).size > 1).collect();
    if !permuted.iter().any(|domain| broken(*domain)) {
        return None;
    }
    let all = invariance(model, &permuted);
    // A domain that every rule tells apart wholly is of no use.
    let useful: Vec<DomainId> =
        (0..).zip(&permuted).filter(|(i, _)| some_rule_keeps(&all, *i)).map(|(_, domain)| *domain).collect();
    if !useful.iter().any(|domain| broken(*domain)) {
        return None;
    }
    Some(if useful.len() == permuted.len() { all } else { invariance(model, &useful) })
}

/// Whether some rule leaves two elements of a domain interchangeable.
fn some_rule_keeps(invariance: &Invariance, domain: usize) -> bool {
    let first: u32 = invariance.sizes[..domain].iter().sum();
    let elements = first..first + invariance.sizes[domain];
    invariance.rules.iter().any(|blocks: &Blocks| elements.clone().any(|element| blocks.of(element) != element))
}

/// Why a search cannot adapt; nothing if it can.
pub(crate) fn obstacle(model: &Model, options: &Options) -> Option<String> {
    let liveness = model.properties.iter().find(|property| property.kind == PropertyKind::Liveness);
    let options = [
        (options.compact, "--compact"),
        (options.checkpoint.is_some(), "--checkpoint"),
        (options.resume.is_some(), "--resume"),
    ];
    let option = options.iter().find(|(given, _)| *given).map(|(_, name)| format!("{name} was given"));
    option.or_else(|| liveness.map(|property| format!("`{}` is a liveness property", property.name)))
}

/// Searches adaptively.
pub(crate) fn explore<B: Batcher>(
    task: &Task<'_>,
    batcher: &mut B,
    events: &mut dyn Events,
) -> Result<Exploration, NotWorthwhile> {
    let young = Young::new(task.model, &task.invariance.domains).ok_or(NotWorthwhile)?;
    adaptive::check(task, young, batcher, events)
}

/// Whether a search gives up when adapting does not pay.
pub(crate) fn on_trial(options: &Options) -> bool {
    options.reduce == Reduce::Auto
}
