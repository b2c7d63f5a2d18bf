//! The engine with decision diagrams, as one more way to explore.

use burnside_explicit::{Events, Exploration, Progress};
use burnside_model::findings::Diagrams;
use burnside_model::{DeadlockMode, Limits, Model};
use burnside_symbolic::on_the_fly::OnTheFly;
use burnside_symbolic::reduce::quotient::Reduction;
use burnside_symbolic::search::Search;
use burnside_symbolic::{Found, Task, check};

use crate::Failure;
use crate::run::{Run, Shown};

/// Bytes per node, for progress.
const NODE_BYTES: u64 = 32;

/// Explores a model symbolically.
pub(crate) fn explore(
    run: &Run<'_>,
    reduction: Option<Reduction>,
    on_the_fly: Option<OnTheFly>,
    events: &mut dyn Events,
) -> Result<(Exploration, Shown), Failure> {
    let options = run.options;
    let task = Task {
        semantics: options.semantics,
        deadlock: options.deadlock,
        limits: run.config.limits.clone(),
        order: options.diagrams.order,
        reorder: options.diagrams.reorder,
        monolithic: options.diagrams.monolithic,
        search: options.diagrams.search,
        sizes: options.diagrams.sizes,
        reduction,
        on_the_fly,
    };
    let has_levels = match (&task.reduction, &task.on_the_fly) {
        (Some(by), _) => by.kind.has_levels(task.search),
        (_, Some(by)) => by.has_levels(run.model, &task.limits),
        _ => task.search == Search::Bfs,
    };
    let on_the_fly = task.on_the_fly.is_some().then_some("on-the-fly");
    let reduced = task.reduction.as_ref().map(|by| by.kind.name()).or(on_the_fly);
    let found = check(run.model, &task, &mut |progress| {
        events.progress(&Progress {
            states: progress.states.to_u64().unwrap_or(u64::MAX),
            rules_fired: 0,
            depth: progress.depth,
            queue: 0,
            states_per_second: 0.0,
            memory: NODE_BYTES * progress.nodes.0 as u64,
        });
    });
    let found = found.map_err(|refusal| {
        let reason = refusal.reason;
        let with = reduced.map_or("`--engine bdd`".to_owned(), |name| format!("`--reduce {name}`"));
        Failure::Refused(format!("the model cannot be checked with {with}: {reason}"))
    })?;
    let (shown, orbits) = (found.shown.clone(), found.orbits);
    let mut exploration = exploration(found, has_levels);
    let by_orbits = || {
        let found = exploration.diagrams.as_ref()?.on_the_fly.as_ref()?;
        found.runs.first()?.full_states.as_ref()?.parse().ok()
    };
    exploration.full_states = match (reduced, orbits) {
        (None, _) => exploration.full_states,
        (_, Some(orbits)) => orbits.states,
        _ => by_orbits(),
    };
    Ok((exploration, shown))
}

/// Explores another model, with the same options but what counts as a deadlock.
pub(crate) fn explore_program(
    run: &Run<'_>,
    model: &Model,
    deadlock: DeadlockMode,
    limits: &Limits,
) -> Result<Exploration, Failure> {
    let task = Task {
        semantics: run.options.semantics,
        deadlock,
        limits: limits.clone(),
        order: run.options.diagrams.order,
        reorder: run.options.diagrams.reorder,
        monolithic: run.options.diagrams.monolithic,
        search: run.options.diagrams.search,
        sizes: run.options.diagrams.sizes,
        reduction: None,
        on_the_fly: None,
    };
    let found = check(model, &task, &mut |_| ()).map_err(|refusal| {
        Failure::Refused(format!("`--counters bdd` is not possible: {}", refusal.reason))
    })?;
    Ok(exploration(Found { per_rule: None, ..found }, false))
}

fn exploration(found: Found, has_levels: bool) -> Exploration {
    let states = found.progress.states;
    Exploration {
        states: states.to_u64().unwrap_or(u64::MAX),
        full_states: states.to_u128().filter(|_| found.limit.is_none()),
        rules_fired: found.per_rule.iter().flatten().sum(),
        depth: found.progress.depth,
        limit: found.limit,
        complete: found.limit.is_none(),
        properties: found.properties,
        undefined_copies: Vec::new(),
        memory: NODE_BYTES * found.progress.nodes.0 as u64,
        missed: None,
        unconfirmed: None,
        temporal: None,
        diagrams: Some(Diagrams {
            states: states.to_string(),
            peak_nodes: found.progress.nodes.0 as u64,
            live_nodes: found.progress.nodes.1 as u64,
            relation_nodes: found.relation,
            counts_rules: found.per_rule.is_some(),
            has_levels,
            exact: found.exact,
            orbits: found.orbits.map(|orbits| orbits.count),
            temporal: found.temporal,
            on_the_fly: found.on_the_fly,
        }),
        per_rule: found.per_rule.unwrap_or_default(),
        stored: None,
    }
}
