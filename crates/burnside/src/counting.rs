//! The engine that counts elements, as one more way to explore.

use burnside_counting::{Found, Task, check, countable};
use burnside_explicit::Exploration;
use burnside_lang::diag::{Diagnostic, codes};
use burnside_lang::source::Source;
use burnside_model::code::DomainId;
use burnside_model::findings::{Diagrams, Temporal};
use burnside_model::{Model, Span};

use crate::Failure;
use crate::run::Run;

/// Bytes per node.
const NODE_BYTES: u64 = 48;

/// Which of these domains can be counted; a warning for each that cannot.
pub(crate) fn counted(model: &Model, domains: &[DomainId]) -> (Vec<DomainId>, Vec<Diagnostic>) {
    let (counted, refusals) = countable(model, domains);
    let warnings = refusals.into_iter().map(|refusal| {
        let name = &model.types.domain(refusal.domain).name;
        let message = format!("the elements of `{name}` are not counted");
        Diagnostic::warning(codes::SYMMETRY_REFUSED, refusal.span, message).label(refusal.reason)
    });
    (counted, warnings.collect())
}

/// Explores a model whose elements are counted.
pub(crate) fn explore(run: &Run<'_>, source: &Source, domains: &[DomainId]) -> Result<Exploration, Failure> {
    let refused = |reason: &str, span: Option<Span>| {
        let line = span.map(|span| format!(" (line {})", source.location(span.start).line));
        Failure::Refused(format!("--engine count is not possible: {reason}{}", line.unwrap_or_default()))
    };
    if domains.is_empty() {
        let all: Vec<_> = (0..run.model.types.domains.len() as u32).map(DomainId).collect();
        return Err(match countable(run.model, &all).1.first() {
            Some(refusal) => refused(&refusal.reason, Some(refusal.span)),
            None => refused("there is no verified symmetry", None),
        });
    }
    let options = run.options;
    let task = Task {
        semantics: options.semantics,
        deadlock: options.deadlock,
        limits: run.config.limits.clone(),
        domains: domains.to_vec(),
    };
    let found = check(run.model, &task).map_err(|obstacle| refused(&obstacle.reason, obstacle.span))?;
    Ok(exploration(found))
}

fn exploration(found: Found) -> Exploration {
    let orbits = found.orbits.unwrap_or(0);
    Exploration {
        states: orbits.try_into().unwrap_or(u64::MAX),
        full_states: None,
        rules_fired: 0,
        per_rule: Vec::new(),
        depth: 0,
        limit: found.limit,
        complete: found.limit.is_none(),
        properties: found.properties,
        undefined_copies: Vec::new(),
        memory: NODE_BYTES * found.peak_nodes as u64,
        missed: None,
        unconfirmed: None,
        diagrams: Some(Diagrams {
            states: found.orbits.map_or_else(|| "more than 2^128".to_owned(), |orbits| orbits.to_string()),
            peak_nodes: found.peak_nodes as u64,
            live_nodes: found.peak_nodes as u64,
            counts_rules: false,
            has_levels: false,
            exact: true,
            temporal: Temporal::default(),
        }),
        stored: None,
    }
}
