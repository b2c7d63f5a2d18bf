//! The group of an exploration in words.

use burnside_model::Model;
use burnside_model::code::DomainId;
use burnside_report::SymmetryReport;
use burnside_symmetry::Action;

use crate::runs::Planned;

/// The structure of a product of symmetric groups.
pub(crate) fn structure(model: &Model, domains: &[DomainId]) -> String {
    let name = |domain: &DomainId| {
        let domain = model.types.domain(*domain);
        format!("S{}({})", domain.size, domain.name)
    };
    let factors: Vec<_> = domains.iter().map(name).collect();
    if factors.is_empty() { "trivial".to_owned() } else { factors.join(" x ") }
}

/// Generators as permutations of named elements: neighbours' exchanges generate all permutations.
fn generators(model: &Model, domain: DomainId) -> Vec<String> {
    let name = |element| model.types.element_name(domain, element);
    (1..model.types.domain(domain).size).map(|i| format!("({} {})", name(i - 1), name(i))).collect()
}

/// The group of an exploration; `derived` says where it is from.
pub(crate) fn report(run: &Planned, derived: &str) -> SymmetryReport {
    let domains = run.plan.symmetry();
    SymmetryReport {
        generators: domains.iter().flat_map(|domain| generators(&run.model, *domain)).collect(),
        structure: structure(&run.model, domains),
        order: Action::new(&run.model, domains).order_string(),
        verified: run.plan.trusted.is_empty(),
        derived: if domains.is_empty() { "none" } else { derived }.to_owned(),
        asymmetric: Vec::new(),
    }
}
