//! The engine that counts elements: on sets of populations, one population after the other, or with decision diagrams on
//! the program that counts.

use burnside_counting::temporal::{Decided, Way, decide, is_temporal};
use burnside_counting::{
    Counters as System, Counting as Counted, Form, Obstacle, Population, Task as Question, check, countable,
    printed, with_program,
};
use burnside_explicit::check_words;
use burnside_lang::diag::{Diagnostic, codes};
use burnside_lang::murphi::printer;
use burnside_lang::source::Source;
use burnside_model::code::{Cell, DomainId, Part, Stmt, StmtKind};
use burnside_model::findings::{Findings, Known, PropertyResult};
use burnside_model::system::PropertyKind;
use burnside_model::{DeadlockMode, Events, Limits, Model, Span};
use burnside_symmetry::PackedCanonicaliser;

use super::closed::closed_start;
use super::{Engine, Task, diagrams, explicit};
use crate::runs::deciding;
use crate::{Counters, Failure, Options};

/// Elements from which on they are better counted.
const MANY: u32 = 8;
/// Room for different local states in a population at first, and at most.
const SLOTS: (usize, usize) = (7, 4095);

/// Explores numbers of elements per local state.
pub(crate) struct Counting;

impl Engine for Counting {
    fn name(&self) -> &'static str {
        "count"
    }

    fn refuses(&self, task: &Task<'_>) -> Option<String> {
        // Counts know no smaller group than all permutations.
        let generated = task.plan.generators.is_some();
        generated.then(|| "--engine count is not possible: not all permutations are symmetries".to_owned())
    }

    fn run(&self, task: &Task<'_>, events: &mut dyn Events) -> Result<Option<Findings>, Failure> {
        let packing = task.packing()?;
        let mut found = explore(task, &task.plan.domains, events)?;
        if let Some(lift) = self.lift(task).filter(|_| found.full_states.is_some()) {
            found.full_states = found.full_states.filter(|_| closed_start(task, &packing, lift));
        }
        Ok(Some(found))
    }

    fn lift(&self, task: &Task<'_>) -> Option<PackedCanonicaliser> {
        explicit::lift(task)
    }
}

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

/// Whether counting is probably the best way to check a model: it has many elements, all of which can be counted.
pub(crate) fn is_best(model: &Model, options: &Options) -> bool {
    let many = model.types.domains.iter().any(|domain| domain.size >= MANY);
    many && is_possible(model, options)
}

/// Whether all elements of a model can be counted.
pub(crate) fn is_possible(model: &Model, options: &Options) -> bool {
    let domains: Vec<_> = (0..model.types.domains.len() as u32).map(DomainId).collect();
    !domains.is_empty()
        && countable(model, &domains).1.is_empty()
        && burnside_counting::temporal::obstacle(model).is_none()
        && burnside_symmetry::verify::verify(model).is_empty()
        && burnside_counting::obstacle(model, &question(options, &domains)).is_none()
}

/// Whether a model prints something: rules are executed for sets of states at once, so it would not be seen.
pub(crate) fn prints(model: &Model) -> bool {
    let prints =
        |part| matches!(part, Part::Stmt(Stmt { kind: StmtKind::Put(..) | StmtKind::PutText(_), .. }));
    model.code().into_iter().any(|part| part.any(prints))
}

/// The same options for sets of populations.
pub(crate) fn by_sets(options: Options) -> Options {
    Options { engine: crate::Engine::Count, counters: Counters::Diagram, ..options }
}

/// What is said when counting was given up.
pub(crate) fn given_up(model: &Model) -> Diagnostic {
    let domain = model.types.domains.iter().max_by_key(|domain| domain.size);
    let (name, span) = domain.map_or(("", Span { start: 0, end: 0 }), |domain| (&*domain.name, domain.span));
    let message = format!("the elements of `{name}` are not counted");
    Diagnostic::warning(codes::SYMMETRY_REFUSED, span, message)
        .label("counting them took too much: `--engine count` goes on to the limits")
}

fn question(options: &Options, domains: &[DomainId]) -> Question {
    Question {
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
fn explore(task: &Task<'_>, domains: &[DomainId], events: &mut dyn Events) -> Result<Findings, Failure> {
    let (model, source) = (task.model, task.source);
    some(model, source, domains)?;
    let deadline = task.limits.deadline();
    let mut question = Question { limits: task.limits.clone(), ..question(task.options, domains) };
    let (temporal, others): (Vec<usize>, Vec<usize>) =
        (0..model.properties.len()).partition(|i| is_temporal(&model.properties[*i]));
    if temporal.is_empty() {
        return reach(task, model, &question, events);
    }
    if let Some(obstacle) = burnside_counting::temporal::obstacle(model) {
        return Err(refused(source, &obstacle));
    }
    let mut found = reach(task, &deciding(model.clone(), &others), &question, events)?;
    question.limits.time = deadline.left();
    let decided = match found.limit {
        Some(_) => {
            let known = temporal.iter().map(|property| (*property, Known::Unknown)).collect();
            Decided { known, ..Decided::default() }
        }
        None => decide_temporal(task, &question)?,
    };
    add(&mut found, model, decided);
    Ok(found)
}

/// Reaches everything, and decides what is not temporal.
fn reach(
    task: &Task<'_>,
    model: &Model,
    question: &Question,
    events: &mut dyn Events,
) -> Result<Findings, Failure> {
    match task.options.counters {
        Counters::Explicit => one_by_one(task, model, question, events),
        Counters::Bdd => by_program(task, model, question),
        Counters::Diagram => check(model, question).map_err(|obstacle| refused(task.source, &obstacle)),
        // What cannot be counted as sets may be, one by one.
        Counters::Auto => check(model, question).or_else(|_| one_by_one(task, model, question, events)),
    }
}

/// Decides the temporal properties.
fn decide_temporal(task: &Task<'_>, question: &Question) -> Result<Decided, Failure> {
    let one_by_one = || Way::OneByOne(SLOTS.0, SLOTS.1);
    let decided = match task.options.counters {
        Counters::Explicit => decide(task.model, question, one_by_one()),
        Counters::Diagram => decide(task.model, question, Way::Sets),
        Counters::Auto => {
            decide(task.model, question, Way::Sets).or_else(|_| decide(task.model, question, one_by_one()))
        }
        Counters::Bdd => {
            let mut limit = None;
            // Half of the questions have the answer no; that must not end the search for the others.
            let limits = Limits { max_errors: u64::MAX, ..question.limits.clone() };
            let explore = |program: &Model| {
                diagrams::explore_program(task.options, program, DeadlockMode::Off, &limits)
            };
            let mut ask = |program: &Model| match explore(program) {
                Ok(found) => {
                    limit = limit.or(found.limit);
                    Ok(found.properties)
                }
                Err(failure) => Err(failure.to_string()),
            };
            let decided = decide(task.model, question, Way::Program(&mut ask));
            decided.map(|decided| Decided { limit: decided.limit.map(|own| limit.unwrap_or(own)), ..decided })
        }
    };
    decided.map_err(|obstacle| refused(task.source, &obstacle))
}

/// Adds what was found of temporal properties.
fn add(found: &mut Findings, model: &Model, decided: Decided) {
    let Decided { known, mut shown, faults, limit, unfair } = decided;
    found.limit = found.limit.or(limit);
    found.complete &= limit.is_none();
    found.temporal.unfair = unfair;
    for (index, known) in known {
        let property = &model.properties[index];
        let shown = shown.iter().position(|(of, _)| *of == index).map(|at| shown.swap_remove(at).1);
        let result = PropertyResult::new(Some(index), &property.name, property.kind, known);
        found.properties.push(PropertyResult { shown, ..result });
    }
    if faults.is_empty() {
        return;
    }
    for result in found.properties.iter_mut().filter(|result| result.kind == PropertyKind::NoFault) {
        match &mut result.known {
            Known::Violated(witnesses) => witnesses.extend(faults.iter().cloned()),
            known => *known = Known::Violated(faults.clone()),
        }
    }
}

/// One population after the other.
fn one_by_one(
    task: &Task<'_>,
    model: &Model,
    question: &Question,
    events: &mut dyn Events,
) -> Result<Findings, Failure> {
    let mut config = explicit::config(task, &task.packing()?);
    config.limits = question.limits.clone();
    let mut slots = SLOTS.0;
    loop {
        let counting = Counted::new(model, task.options.semantics, &question.domains, slots);
        let mut make = || System::new(&counting);
        let unpack = |words: &[u64]| counting.unpack(words);
        let found = check_words(model, counting.words(), &unpack, &mut make, &config, events)
            .map_err(|error| Failure::Internal(error.to_string()))?;
        let stop =
            |reason: &str| Err(refused(task.source, &Obstacle { reason: reason.to_owned(), span: None }));
        if counting.uneven() {
            return stop("elements in the same local state are treated differently");
        }
        if !counting.crowded() {
            let per_rule = counting.fired();
            return Ok(Findings { rules_fired: Some(per_rule.iter().sum()), per_rule, ..found });
        }
        if slots == SLOTS.1 {
            return stop("there are too many local states");
        }
        slots = (2 * slots + 1).min(SLOTS.1);
    }
}

/// The program that counts, with decision diagrams.
fn by_program(task: &Task<'_>, model: &Model, question: &Question) -> Result<Findings, Failure> {
    // A step that leads to the same population may be one to another state; those that are none are not in the program.
    let deadlock = match question.deadlock {
        DeadlockMode::Off => DeadlockMode::Off,
        DeadlockMode::Stuck | DeadlockMode::Stuttering => DeadlockMode::Stuck,
    };
    let explored = with_program(model, question, |counting, program| {
        let mut found = diagrams::explore_program(task.options, &program.model, deadlock, &question.limits)?;
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
        Ok(found)
    });
    explored.map_err(|obstacle| refused(task.source, &obstacle))?
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
    let program = printed(model, &question(options, &domains), form);
    program.map(|program| printer::print(&program)).map_err(|obstacle| refused(source, &obstacle))
}
