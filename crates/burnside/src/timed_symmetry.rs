//! What is symmetric in a network of timed automata, what breaks it and where: `burnside symmetry` of a UPPAAL model.
//!
//! The group is the one that `check` uses for all queries together. What a query tells apart is found by asking for each
//! of them alone: what is new then is because of it.

use burnside_lang::diag::{Diagnostic, codes};
use burnside_lang::source::Source;
use burnside_model::Network;
use burnside_model::code::DomainId;
use burnside_model::network::Query;
use burnside_report::SymmetryReport;
use burnside_report::symmetry::{Analysis, Factor};
use burnside_symmetry::Action;
use burnside_symmetry::detect::Detection;
use burnside_symmetry::verify::Refusal;
use burnside_timed::verify::{detect_parameters, parameters, verify};

use crate::analysis::{explain, fixed_values, instances, shown, types_of, variables};
use crate::runs::not_used;
use crate::{Detect, Options, group};

/// So many places that break symmetry are shown.
const MOST_BREAKS: usize = 12;

/// Finds the symmetry of a network without exploring it.
pub(crate) fn symmetry(
    source: &Source,
    options: &Options,
    declared: &Network,
    diagnostics: &[Diagnostic],
) -> Analysis {
    let queries = options.queries.as_ref();
    let mut network = declared.clone();
    let detected = options.detect == Detect::Auto && detect_parameters(&mut network);
    let (domains, _) = verify(&network);
    let model = &network.model;
    let action = Action::new(model, &domains);
    let without = Found::new(declared, &[], options);
    let mut breaks: Vec<_> = diagnostics.iter().map(|d| shown(source, options, d)).collect();
    breaks.extend(without.diagnostics(declared).iter().map(|d| shown(source, options, d)));
    for query in &declared.queries {
        let with = Found::new(declared, std::slice::from_ref(query), options);
        let more = with.beyond(&without, declared, query);
        breaks.extend(more.iter().map(|d| shown(queries.unwrap_or(source), options, d)));
    }
    let deadlock = network.deadlock.map(|id| model.globals[id.0 as usize].name.clone());
    Analysis {
        model: source.name().to_owned(),
        symmetry: group_of(&network, &domains, detected),
        factors: domains.iter().map(|domain| factor(&network, declared, *domain)).collect(),
        properties: Vec::new(),
        variables: {
            let mut orbits = variables(model, &action);
            orbits.retain(|orbit| Some(&orbit.name) != deadlock.as_ref());
            orbits
        },
        rules: model.rules.iter().flat_map(|rule| instances(model, &action, rule)).collect(),
        breaks,
    }
}

/// The group of some domains.
fn group_of(network: &Network, domains: &[DomainId], detected: bool) -> SymmetryReport {
    let model = &network.model;
    SymmetryReport {
        generators: domains.iter().flat_map(|domain| group::generators(model, *domain)).collect(),
        structure: group::structure(model, domains),
        order: Action::new(model, domains).order_string(),
        verified: true,
        derived: match (domains.is_empty(), detected) {
            (true, _) => "none",
            (_, true) => "detected",
            _ => "declared",
        }
        .to_owned(),
        asymmetric: Vec::new(),
        judged: Vec::new(),
    }
}

/// A domain and its elements.
fn factor(network: &Network, declared: &Network, domain: DomainId) -> Factor {
    let types = &network.model.types;
    let is_declared = (domain.0 as usize) < declared.model.types.domains.len();
    Factor {
        name: types.domain(domain).name.clone(),
        derived: if is_declared { "declared" } else { "detected" }.to_owned(),
        verified: true,
        elements: (0..types.domain(domain).size).map(|element| types.element_name(domain, element)).collect(),
        fixed: fixed_values(types, &types_of(types, domain)),
    }
}

/// What breaks the symmetry of a network with some of its queries.
struct Found {
    /// Of declared domains.
    refusals: Vec<Refusal>,
    /// Of the ranges of parameters.
    ranges: Option<Detection>,
}

impl Found {
    fn new(network: &Network, queries: &[Query], options: &Options) -> Found {
        let asked = Network { queries: queries.to_vec(), ..network.clone() };
        let ranges = (options.detect == Detect::Auto).then(|| parameters(&asked)).flatten();
        Found { refusals: verify(&asked).1, ranges }
    }

    /// Everything, in words.
    fn diagnostics(&self, network: &Network) -> Vec<Diagnostic> {
        let refusals = self.refusals.iter().map(|refusal| not_used(network, refusal, refusal.span));
        let ranges = self
            .ranges
            .iter()
            .flat_map(|detection| detection.breaks.iter().map(|found| explain(detection, found, None)));
        let mut all: Vec<Diagnostic> = refusals.chain(ranges).collect();
        if let Some(first) = all.get(MOST_BREAKS) {
            let message = format!("elements are told apart in {} more places", all.len() - MOST_BREAKS);
            let more = Diagnostic::note(codes::SYMMETRY_REFUSED, first.primary.0, message);
            all.truncate(MOST_BREAKS);
            all.push(more);
        }
        all
    }

    /// What a query adds, in words that point to it.
    fn beyond(&self, without: &Found, network: &Network, query: &Query) -> Vec<Diagnostic> {
        let mut more = Vec::new();
        for refusal in &self.refusals {
            if !without.refusals.iter().any(|known| known.domain == refusal.domain) {
                more.push(not_used(network, refusal, query.span));
            }
        }
        let Some(detection) = &self.ranges else { return more };
        let known = without.ranges.iter().flat_map(|detection| &detection.breaks);
        let known: Vec<_> = known.collect();
        for found in detection.breaks.iter().filter(|found| !known.contains(found)) {
            let mut note = explain(detection, found, None);
            note.primary.0 = query.span;
            note.secondary.clear();
            more.push(note);
        }
        more
    }
}
