//! The engine that counts elements, as one more way to explore: on sets of populations, one population after the other,
//! or with decision diagrams on the program that counts.

use std::time::{Duration, Instant};

use burnside_counting::temporal::{Decided, Way, decide, is_temporal};
use burnside_counting::{
    Counters as System, Counting, Form, Found, Obstacle, Population, Task, check, countable, printed,
    with_program,
};
use burnside_explicit::{Events, Exploration, check_words};
use burnside_lang::diag::{Diagnostic, codes};
use burnside_lang::murphi::printer;
use burnside_lang::source::Source;
use burnside_model::code::{Cell, DomainId, Stmt, StmtKind};
use burnside_model::findings::{Diagrams, Known, Temporal};
use burnside_model::system::PropertyKind;
use burnside_model::{DeadlockMode, Limit, Limits, Model, Span, Verdict};
use burnside_report::Report;
use burnside_symmetry::Part;

use crate::run::{Run, Shown};
use crate::runs::deciding;
use crate::{Counters, Engine, Failure, Options, Reduce, symbolic};

/// Bytes per node.
const NODE_BYTES: u64 = 48;
/// Elements from which on they are better counted.
const MANY: u32 = 8;
/// How long counting may take on trial, where there is no limit.
const TRIAL: Duration = Duration::from_secs(120);
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
        && !prints(model)
        && countable(model, &domains).1.is_empty()
        && burnside_counting::temporal::obstacle(model).is_none()
        && burnside_symmetry::verify::verify(model).is_empty()
        && burnside_counting::obstacle(model, &task(options, &domains)).is_none()
}

/// Whether a model prints something: rules are executed for sets of states at once, so it would not be seen.
fn prints(model: &Model) -> bool {
    let rules = model.starts.iter().chain(&model.rules).map(|rule| &rule.body);
    let bodies = rules.chain(model.functions.iter().map(|function| &function.body));
    let mut found = false;
    for stmt in bodies.flatten() {
        Part::Stmt(stmt).each(&mut |part| {
            found |= matches!(part, Part::Stmt(Stmt { kind: StmtKind::Put(..) | StmtKind::PutText(_), .. }));
        });
    }
    found
}

/// The same options where counting is on trial: it may take part of the time and memory, so that enough is left to search
/// state by state.
pub(crate) fn on_trial(options: &Options) -> Options {
    let mut trial = Options { engine: Engine::Count, counters: Counters::Diagram, ..options.clone() };
    let limits = &mut trial.limits;
    limits.time = Some(limits.time.map_or(TRIAL, |time| time / 2));
    limits.memory = limits.memory.map(|memory| memory / 2);
    trial
}

/// Whether counting was given up before anything was found.
pub(crate) fn gave_up(report: &Report) -> bool {
    report.verdict != Verdict::Violated && matches!(report.limit, Some(Limit::Time | Limit::Memory))
}

/// What is said then.
pub(crate) fn given_up(model: &Model) -> Diagnostic {
    let domain = model.types.domains.iter().max_by_key(|domain| domain.size);
    let (name, span) = domain.map_or(("", Span { start: 0, end: 0 }), |domain| (&*domain.name, domain.span));
    let message = format!("the elements of `{name}` are not counted");
    Diagnostic::warning(codes::SYMMETRY_REFUSED, span, message)
        .label("counting them took too much: `--engine count` goes on to the limits")
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

/// Explores a model whose elements are counted; then decides its temporal properties.
pub(crate) fn explore(
    run: &Run<'_>,
    source: &Source,
    domains: &[DomainId],
    events: &mut dyn Events,
) -> Result<(Exploration, Shown), Failure> {
    let model = run.model;
    some(model, source, domains)?;
    let begun = Instant::now();
    let mut task = Task { limits: run.config.limits.clone(), ..task(run.options, domains) };
    let (temporal, others): (Vec<usize>, Vec<usize>) =
        (0..model.properties.len()).partition(|i| is_temporal(&model.properties[*i]));
    if temporal.is_empty() {
        return Ok((reach(run, model, source, &task, events)?, Shown::new()));
    }
    if let Some(obstacle) = burnside_counting::temporal::obstacle(model) {
        return Err(refused(source, &obstacle));
    }
    let mut found = reach(run, &deciding(model.clone(), &others), source, &task, events)?;
    task.limits.time = task.limits.time.map(|time| time.saturating_sub(begun.elapsed()));
    let decided = match found.limit {
        Some(_) => {
            let known = temporal.iter().map(|property| (*property, Known::Unknown)).collect();
            Decided { known, ..Decided::default() }
        }
        None => decide_temporal(run, source, &task)?,
    };
    let shown = take(&mut found, model, decided);
    Ok((found, shown))
}

/// Reaches everything, and decides what is not temporal.
fn reach(
    run: &Run<'_>,
    model: &Model,
    source: &Source,
    task: &Task,
    events: &mut dyn Events,
) -> Result<Exploration, Failure> {
    match run.options.counters {
        Counters::Explicit => one_by_one(run, model, source, task, events),
        Counters::Bdd => by_program(run, model, source, task),
        Counters::Diagram => match check(model, task) {
            Ok(found) => Ok(exploration(found)),
            Err(obstacle) => Err(refused(source, &obstacle)),
        },
        // What sets cannot be counted may be, one by one.
        Counters::Auto => match check(model, task) {
            Ok(found) => Ok(exploration(found)),
            Err(_) => one_by_one(run, model, source, task, events),
        },
    }
}

/// Decides the temporal properties.
fn decide_temporal(run: &Run<'_>, source: &Source, task: &Task) -> Result<Decided, Failure> {
    let one_by_one = || Way::OneByOne(SLOTS.0, SLOTS.1);
    let decided = match run.options.counters {
        Counters::Explicit => decide(run.model, task, one_by_one()),
        Counters::Diagram => decide(run.model, task, Way::Sets),
        Counters::Auto => {
            decide(run.model, task, Way::Sets).or_else(|_| decide(run.model, task, one_by_one()))
        }
        Counters::Bdd => {
            let mut limit = None;
            // Half of the questions have the answer no; that must not end the search for the others.
            let limits = Limits { max_errors: u64::MAX, ..run.config.limits.clone() };
            let explore =
                |program: &Model| symbolic::explore_program(run, program, DeadlockMode::Off, &limits);
            let mut ask = |program: &Model| match explore(program) {
                Ok(found) => {
                    limit = limit.or(found.limit);
                    Ok(found.properties)
                }
                Err(Failure::Refused(why) | Failure::Internal(why)) => Err(why),
                Err(Failure::Input(_)) => Err("the program that counts cannot be read".to_owned()),
            };
            let decided = decide(run.model, task, Way::Program(&mut ask));
            decided.map(|decided| Decided { limit: decided.limit.map(|own| limit.unwrap_or(own)), ..decided })
        }
    };
    decided.map_err(|obstacle| refused(source, &obstacle))
}

/// Takes over what was found of temporal properties; the runs that show why some hold.
fn take(found: &mut Exploration, model: &Model, decided: Decided) -> Shown {
    let Decided { known, shown, faults, limit, unfair } = decided;
    found.limit = found.limit.or(limit);
    found.complete &= limit.is_none();
    if let Some(diagrams) = &mut found.diagrams {
        diagrams.temporal.unfair = unfair;
    }
    let check = |index: usize| found.properties.iter().position(|result| result.index == Some(index));
    let checks: Vec<_> =
        known.into_iter().filter_map(|(index, known)| Some((check(index)?, index, known))).collect();
    let shown = shown.into_iter().filter_map(|(index, witness)| Some((check(index)?, witness))).collect();
    for (check, index, known) in checks {
        found.properties[check].kind = model.properties[index].kind;
        found.properties[check].known = known;
    }
    if !faults.is_empty() {
        for result in found.properties.iter_mut().filter(|result| result.kind == PropertyKind::NoFault) {
            match &mut result.known {
                Known::Violated(witnesses) => witnesses.extend(faults.iter().cloned()),
                known => *known = Known::Violated(faults.clone()),
            }
        }
    }
    shown
}

/// One population after the other.
fn one_by_one(
    run: &Run<'_>,
    model: &Model,
    source: &Source,
    task: &Task,
    events: &mut dyn Events,
) -> Result<Exploration, Failure> {
    let mut slots = SLOTS.0;
    loop {
        let counting = Counting::new(model, run.options.semantics, &task.domains, slots);
        let mut make = || System::new(&counting);
        let unpack = |words: &[u64]| counting.unpack(words);
        let found = check_words(model, counting.words(), &unpack, &mut make, &run.config, events)
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
fn by_program(run: &Run<'_>, model: &Model, source: &Source, task: &Task) -> Result<Exploration, Failure> {
    // A step that leads to the same population may be one to another state; those that are none are not in the program.
    let deadlock = match task.deadlock {
        DeadlockMode::Off => DeadlockMode::Off,
        DeadlockMode::Stuck | DeadlockMode::Stuttering => DeadlockMode::Stuck,
    };
    let explored = with_program(model, task, |counting, program| {
        let mut found = symbolic::explore_program(run, &program.model, deadlock, &task.limits)?;
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
pub(crate) fn print(
    model: &Model,
    source: &Source,
    options: &Options,
    form: Form,
) -> Result<String, Failure> {
    let all: Vec<_> = (0..model.types.domains.len() as u32).map(DomainId).collect();
    let refusals = burnside_symmetry::verify::verify(model);
    let verified = all.into_iter().filter(|domain| refusals.iter().all(|refusal| refusal.domain != *domain));
    let (domains, _) = countable(model, &verified.collect::<Vec<_>>());
    some(model, source, &domains)?;
    let program = printed(model, &task(options, &domains), form);
    program.map(|program| printer::print(&program)).map_err(|obstacle| refused(source, &obstacle))
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
        temporal: None,
        diagrams: Some(Diagrams {
            states: match found.orbits {
                Some(orbits) => orbits.to_string(),
                None if found.limit.is_some() => "0".to_owned(),
                None => "more than 2^128".to_owned(),
            },
            peak_nodes: found.peak_nodes as u64,
            live_nodes: found.peak_nodes as u64,
            relation_nodes: None,
            counts_rules: false,
            has_levels: false,
            exact: true,
            orbits: None,
            on_the_fly: None,
            temporal: Temporal::default(),
        }),
        stored: None,
    }
}
