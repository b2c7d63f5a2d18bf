//! The engine that counts elements, as one more way to explore: on sets of populations, one population after the other,
//! or with decision diagrams on the program that counts.

use burnside_counting::{
    Counters as System, Counting, Found, Obstacle, Population, Task, check, countable, undecided,
    with_program,
};
use burnside_explicit::{Events, Exploration, check_words};
use burnside_lang::diag::{Diagnostic, codes};
use burnside_lang::murphi::printer;
use burnside_lang::source::Source;
use burnside_model::code::{Cell, DomainId};
use burnside_model::findings::{Diagrams, Known, Temporal};
use burnside_model::{DeadlockMode, Model};

use crate::run::Run;
use crate::{Counters, Engine, Failure, Options, Reduce, symbolic};

/// Bytes per node.
const NODE_BYTES: u64 = 48;
/// Elements from which on they are better counted.
const MANY: u32 = 12;
/// Room for different local states in a population at first, and at most.
const SLOTS: (usize, usize) = (7, 4095);

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

/// Whether counting is the best way to check a model: it has many elements, all of which can be counted, and nothing is
/// asked for that counts do not have.
pub(crate) fn is_best(model: &Model, options: &Options) -> bool {
    let asks = options.compact
        || options.checkpoint.is_some()
        || options.resume.is_some()
        || options.certificate.is_some()
        || options.trust_symmetry
        || options.limits.bound.is_some();
    if asks || options.engine != Engine::Auto || options.reduce != Reduce::Auto {
        return false;
    }
    let domains: Vec<_> = (0..model.types.domains.len() as u32).map(DomainId).collect();
    let many = domains.iter().any(|domain| model.types.domain(*domain).size >= MANY);
    many && options.canon == Options::default().canon
        && model.generators.is_empty()
        && model.claims.is_empty()
        && countable(model, &domains).1.is_empty()
        && burnside_symmetry::verify::verify(model).is_empty()
        && burnside_counting::obstacle(model, &task(options, &domains)).is_none()
}

fn task(options: &Options, domains: &[DomainId]) -> Task {
    Task {
        semantics: options.semantics,
        deadlock: options.deadlock,
        limits: options.limits.clone(),
        domains: domains.to_vec(),
    }
}

/// Why nothing is counted, with the line.
fn refused(source: &Source, obstacle: &Obstacle) -> Failure {
    let line = obstacle.span.map(|span| format!(" (line {})", source.location(span.start).line));
    let reason = &obstacle.reason;
    Failure::Refused(format!("--engine count is not possible: {reason}{}", line.unwrap_or_default()))
}

/// An error if there is nothing to count.
fn some(model: &Model, source: &Source, domains: &[DomainId]) -> Result<(), Failure> {
    if !domains.is_empty() {
        return Ok(());
    }
    let all: Vec<_> = (0..model.types.domains.len() as u32).map(DomainId).collect();
    let obstacle = match countable(model, &all).1.into_iter().next() {
        Some(refusal) => Obstacle { reason: refusal.reason, span: Some(refusal.span) },
        None => Obstacle { reason: "there is no verified symmetry".to_owned(), span: None },
    };
    Err(refused(source, &obstacle))
}

/// Explores a model whose elements are counted.
pub(crate) fn explore(
    run: &Run<'_>,
    source: &Source,
    domains: &[DomainId],
    events: &mut dyn Events,
) -> Result<Exploration, Failure> {
    some(run.model, source, domains)?;
    let task = Task { limits: run.config.limits.clone(), ..task(run.options, domains) };
    match run.options.counters {
        Counters::Explicit => one_by_one(run, source, domains, events),
        Counters::Bdd => by_program(run, source, &task),
        Counters::Diagram => match check(run.model, &task) {
            Ok(found) => Ok(exploration(found)),
            Err(obstacle) => Err(refused(source, &obstacle)),
        },
        // What sets cannot be counted may be, one by one.
        Counters::Auto => match check(run.model, &task) {
            Ok(found) => Ok(exploration(found)),
            Err(_) => one_by_one(run, source, domains, events),
        },
    }
}

/// One population after the other.
fn one_by_one(
    run: &Run<'_>,
    source: &Source,
    domains: &[DomainId],
    events: &mut dyn Events,
) -> Result<Exploration, Failure> {
    if let Some(obstacle) = undecided(run.model) {
        return Err(refused(source, &obstacle));
    }
    let mut slots = SLOTS.0;
    loop {
        let counting = Counting::new(run.model, run.options.semantics, domains, slots);
        let mut make = || System::new(&counting);
        let unpack = |words: &[u64]| counting.unpack(words);
        let found = check_words(run.model, counting.words(), &unpack, &mut make, &run.config, events)
            .map_err(|error| Failure::Internal(error.to_string()))?;
        let stop = |reason: &str| Err(refused(source, &Obstacle { reason: reason.to_owned(), span: None }));
        if counting.uneven() {
            return stop("elements in the same local state are treated differently");
        }
        if !counting.crowded() {
            let per_rule = counting.fired();
            return Ok(Exploration { rules_fired: per_rule.iter().sum(), per_rule, ..found });
        }
        if slots == SLOTS.1 {
            return stop("there are too many local states");
        }
        slots = (2 * slots + 1).min(SLOTS.1);
    }
}

/// The program that counts, with decision diagrams.
fn by_program(run: &Run<'_>, source: &Source, task: &Task) -> Result<Exploration, Failure> {
    // A step that leads to the same population may be one to another state; those that are none are not in the program.
    let deadlock = match task.deadlock {
        DeadlockMode::Off => DeadlockMode::Off,
        DeadlockMode::Stuck | DeadlockMode::Stuttering => DeadlockMode::Stuck,
    };
    let explored = with_program(run.model, task, |counting, program| {
        let mut found = symbolic::explore_program(run, &program.model, deadlock)?;
        let state = |state: &Vec<Cell>| -> Vec<Cell> {
            let population: Population = program.population(counting, state);
            counting.state(&population)
        };
        for property in &mut found.properties {
            if let Known::Violated(witnesses) = &mut property.known {
                for witness in witnesses {
                    witness.path = witness.path.iter().map(state).collect();
                }
            }
        }
        Ok(Exploration { full_states: None, ..found })
    });
    explored.map_err(|obstacle| refused(source, &obstacle))?
}

/// The program that counts, as Murphi text.
pub(crate) fn print(model: &Model, source: &Source, options: &Options) -> Result<String, Failure> {
    let all: Vec<_> = (0..model.types.domains.len() as u32).map(DomainId).collect();
    let refusals = burnside_symmetry::verify::verify(model);
    let verified = all.into_iter().filter(|domain| refusals.iter().all(|refusal| refusal.domain != *domain));
    let (domains, _) = countable(model, &verified.collect::<Vec<_>>());
    some(model, source, &domains)?;
    with_program(model, &task(options, &domains), |_, program| printer::print(&program.model))
        .map_err(|obstacle| refused(source, &obstacle))
}

fn exploration(found: Found) -> Exploration {
    // Without a limit, what is not known is too much.
    let unknown = if found.limit.is_none() { u64::MAX } else { 0 };
    Exploration {
        states: found.orbits.map_or(unknown, |orbits| orbits.try_into().unwrap_or(u64::MAX)),
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
            relation_nodes: None,
            counts_rules: false,
            has_levels: false,
            exact: true,
            on_the_fly: None,
            temporal: Temporal::default(),
        }),
        stored: None,
    }
}
