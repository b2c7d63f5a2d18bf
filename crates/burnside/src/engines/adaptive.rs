//! The search that adapts to symmetry that only some rules break, and when it is of use.

use burnside_explicit::adaptive::{self, Task as Search};
use burnside_model::code::DomainId;
use burnside_model::findings::Findings;
use burnside_model::system::PropertyKind;
use burnside_model::{Events, Model};
use burnside_symmetry::Action;
use burnside_symmetry::partial::{Blocks, Invariance, Young, invariance};

use super::explicit::Searcher;
use super::{Engine, Task};
use crate::{Failure, Reduce};

/// Explores states together with what is left of the symmetry on the way to them.
pub(crate) struct Adaptive;

impl Engine for Adaptive {
    fn name(&self) -> &'static str {
        "adaptive"
    }

    fn refuses(&self, task: &Task<'_>) -> Option<String> {
        match (unsuited(task.model), &task.plan.partial) {
            (Some(why), _) => Some(format!("--reduce adaptive is not possible: {why}")),
            (None, None) => Some("--reduce adaptive is not possible: no rule leaves any symmetry".to_owned()),
            (None, Some(_)) => None,
        }
    }

    /// Gives up, if it may, when adapting does not pay.
    fn run(&self, task: &Task<'_>, events: &mut dyn Events) -> Result<Option<Findings>, Failure> {
        let Some(invariance) = &task.plan.partial else { return Ok(None) };
        let packing = task.packing()?;
        let compiled = task.options.engine != crate::Engine::Interpreter;
        let searcher = Searcher::new(task, &packing, compiled, events);
        let trial = task.options.reduce == Reduce::Auto;
        let search =
            Search { model: task.model, packing: &packing, invariance, config: &searcher.config, trial };
        let young = Young::new(task.model, &invariance.domains);
        let found =
            young.and_then(|young| adaptive::check(&search, young, &mut searcher.batcher(), events).ok());
        // A level may bring nothing but states that several others stand for: its number is no distance.
        Ok(found.map(|found| Findings { depth: None, ..found }))
    }
}

/// Why no search of a model can adapt; nothing if one can.
pub(crate) fn unsuited(model: &Model) -> Option<String> {
    let liveness = model.properties.iter().find(|property| property.kind == PropertyKind::Liveness);
    let formula = model.properties.iter().find(|property| property.kind.logic().is_some());
    let liveness = liveness.map(|property| format!("`{}` is a liveness property", property.name));
    liveness.or_else(|| formula.map(|property| format!("`{}` is a temporal formula", property.name)))
}

/// The remaining symmetry of a model that is not symmetric, if that is of use. `broken` says which domains are not plain
/// symmetries. A domain is used if at least half of the rules keep all of it; if `asked` for, if some rule keeps part of
/// it.
pub(crate) fn remaining(model: &Model, asked: bool, broken: &dyn Fn(DomainId) -> bool) -> Option<Invariance> {
    let domains = (0..model.types.domains.len() as u32).map(DomainId);
    let permuted: Vec<DomainId> = domains.filter(|domain| is_full(model, *domain)).collect();
    if unsuited(model).is_some() || !asked && !permuted.iter().any(|domain| broken(*domain)) {
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
