//! When a search adapts to symmetry that only some rules break, and what the report says of it.

use burnside_explicit::adaptive::{self, NotWorthwhile, Task};
use burnside_explicit::{Events, Exploration};
use burnside_model::Model;
use burnside_model::code::DomainId;
use burnside_model::system::{Batcher, PropertyKind};
use burnside_symmetry::Action;
use burnside_symmetry::partial::{Blocks, Invariance, Young, invariance};

use crate::{Canon, Engine, Options, Reduce};

/// What is left of the symmetry of a model that is not symmetric, if that is of use. `broken` says which domains are not
/// plain symmetries. A domain is used if at least half of the rules keep all of it; if `asked` for, if some rule keeps
/// part of it.
pub(crate) fn left(model: &Model, asked: bool, broken: &dyn Fn(DomainId) -> bool) -> Option<Invariance> {
    let domains = (0..model.types.domains.len() as u32).map(DomainId);
    let permuted: Vec<DomainId> = domains.filter(|domain| is_full(model, *domain)).collect();
    if !asked && !permuted.iter().any(|domain| broken(*domain)) {
        return None;
    }
    let all = invariance(model, &permuted);
    let of_use = |domain: usize| {
        let keep = |least: u32| all.rules.iter().filter(|rule| largest(&all, domain, rule) >= least).count();
        if asked { keep(2) > 0 } else { 2 * keep(all.sizes[domain]) >= all.rules.len() }
    };
    let useful: Vec<DomainId> =
        (0..).zip(&permuted).filter(|(i, _)| of_use(*i)).map(|(_, domain)| *domain).collect();
    if useful.is_empty() || !(asked || useful.iter().any(|domain| broken(*domain))) {
        return None;
    }
    Some(if useful.len() == permuted.len() { all } else { invariance(model, &useful) })
}

/// Whether a domain has several elements, and all permutations of them are promised or were found.
fn is_full(model: &Model, domain: DomainId) -> bool {
    let size = u128::from(model.types.domain(domain).size);
    let all = (2..=size).try_fold(1u128, u128::checked_mul);
    size > 1 && all.is_some() && Action::new(model, &[domain]).order() == all
}

/// How many elements of a domain there are at most in one block.
fn largest(invariance: &Invariance, domain: usize, blocks: &Blocks) -> u32 {
    let first: u32 = invariance.sizes[..domain].iter().sum();
    let elements = first..first + invariance.sizes[domain];
    let together = |element: u32| elements.clone().filter(|other| blocks.together(element, *other)).count();
    elements.clone().map(together).max().unwrap_or(0) as u32
}

/// Why a search cannot adapt; nothing if it can.
pub(crate) fn obstacle(model: &Model, options: &Options) -> Option<String> {
    let liveness = model.properties.iter().find(|property| property.kind == PropertyKind::Liveness);
    let options = [
        (options.compact, "--compact"),
        (options.checkpoint.is_some(), "--checkpoint"),
        (options.resume.is_some(), "--resume"),
        (options.certificate.is_some(), "--certificate"),
        (options.trust_symmetry, "--trust-symmetry"),
        (options.canon != Canon::Refine, "--canon"),
        (options.engine == Engine::Bdd, "--engine bdd"),
        (options.engine == Engine::Count, "--engine count"),
    ];
    let option = options.iter().find(|(given, _)| *given).map(|(_, name)| format!("{name} was given"));
    let formula = model.properties.iter().find(|property| property.kind.logic().is_some());
    let formula = || formula.map(|property| format!("`{}` is a temporal formula", property.name));
    let liveness = || liveness.map(|property| format!("`{}` is a liveness property", property.name));
    option.or_else(liveness).or_else(formula)
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
