//! The group of an exploration in words.

use burnside_model::Model;
use burnside_model::code::{Domain, DomainId, DomainKind};
use burnside_report::SymmetryReport;
use burnside_symmetry::Permutation;

use crate::runs::Planned;

/// The structure of a product of the groups of domains.
pub(crate) fn structure(model: &Model, domains: &[DomainId]) -> String {
    let sizes: Vec<u32> = domains.iter().map(|domain| model.types.domain(*domain).size).collect();
    structure_of(model, domains, &sizes)
}

/// The same where only so many elements of each domain move.
pub(crate) fn structure_of(model: &Model, domains: &[DomainId], moving: &[u32]) -> String {
    let name = |(domain, moving): (&DomainId, &u32)| {
        let domain = model.types.domain(*domain);
        let letter = match domain.kind {
            DomainKind::Full => 'S',
            DomainKind::Ring => 'C',
        };
        format!("{letter}{moving}({})", domain.name)
    };
    let factors: Vec<_> = domains.iter().zip(moving).filter(|(_, moving)| **moving > 0).map(name).collect();
    if factors.is_empty() { "trivial".to_owned() } else { factors.join(" x ") }
}

/// Generators as permutations of named elements: neighbours' exchanges generate all permutations, and one step round a
/// ring all rotations.
pub(crate) fn generators(model: &Model, domain: DomainId) -> Vec<String> {
    let name = |element| model.types.element_name(domain, element);
    let Domain { kind, size, .. } = model.types.domain(domain);
    match kind {
        DomainKind::Full => (1..*size).map(|i| format!("({} {})", name(i - 1), name(i))).collect(),
        DomainKind::Ring => vec![format!("({})", (0..*size).map(name).collect::<Vec<_>>().join(" "))],
    }
}

/// A permutation as cycles of elements.
pub(crate) fn cycles(model: &Model, domains: &[DomainId], permutation: &Permutation) -> String {
    let mut text = String::new();
    for (domain, images) in domains.iter().zip(permutation.images()) {
        let mut seen = vec![false; images.len()];
        for start in 0..images.len() {
            let (mut at, mut cycle) = (start, Vec::new());
            while !std::mem::replace(&mut seen[at], true) {
                cycle.push(model.element_name(*domain, at as u32));
                at = images[at] as usize;
            }
            if cycle.len() > 1 {
                text.push_str(&format!("({})", cycle.join(" ")));
            }
        }
    }
    text
}

/// The group of an exploration; `derived` says where it is from.
pub(crate) fn report(run: &Planned, derived: &str) -> SymmetryReport {
    let (model, domains) = (&run.model, run.plan.symmetry());
    let action = run.plan.action(model);
    SymmetryReport {
        generators: match &run.plan.generators {
            Some(given) => given.iter().map(|g| cycles(model, domains, g)).collect(),
            None => domains.iter().flat_map(|domain| generators(model, *domain)).collect(),
        },
        structure: match &run.plan.generators {
            Some(_) => action.structure(),
            None => structure(model, domains),
        },
        order: action.order_string(),
        verified: !run.plan.trusting(),
        derived: if domains.is_empty() { "none" } else { derived }.to_owned(),
        asymmetric: Vec::new(),
        judged: Vec::new(),
    }
}
