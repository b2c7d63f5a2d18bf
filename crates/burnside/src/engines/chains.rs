//! The engine for probabilistic models: Markov chains and decision processes, one state per orbit.

use burnside_chance::run::{Options as How, Outcome, Runner};
use burnside_chance::step::{Problem, ProblemKind};
use burnside_lang::diag::{Code, Diagnostic, codes};
use burnside_lang::prism::{Combination, Loaded};
use burnside_lang::{Asked, Kind};
use burnside_model::chance::Model;
use burnside_model::findings::{Findings, Flaw, Known, Measured, OwnSymmetry, PropertyResult, Quantity};
use burnside_model::system::PropertyKind;
use burnside_model::{Events, Limit, Limits, Progress};

use super::{Engine, Task};
use crate::{Detect, Failure, Options, Reduce};

/// Bytes that one state takes, with its transitions: a guess.
const STATE_BYTES: u64 = 200;
/// The most states that have numbers.
const MOST_STATES: u64 = 1 << 31;
/// So many variables of a state are shown in a message.
const MOST_SHOWN: usize = 24;

/// Computes probabilities and expected values.
pub(crate) struct Chains;

impl Engine for Chains {
    fn name(&self) -> &'static str {
        "chains"
    }

    fn explores(&self) -> Kind {
        Kind::Chance
    }

    fn run(&self, task: &Task<'_>, events: &mut dyn Events) -> Result<Option<Findings>, Failure> {
        let Some(chains) = task.chains else { return Ok(None) };
        let how = how(task.options, &task.limits);
        let deadline = how.deadline;
        let mut found = Findings { complete: true, ..Findings::default() };
        let asked = chains.asked();
        for (number, combination) in chains.sweep.combinations().iter().enumerate() {
            let read = (number > 0).then(|| chains.sweep.load(combination));
            let loaded = read.as_ref().unwrap_or(&chains.first);
            all_properties(&mut found, loaded, (&asked, combination), &how, events);
        }
        // The first property says how large the model is.
        let first = found.properties.iter().find_map(|property| {
            let measured = property.measured.as_deref().filter(|measured| measured.value.is_some())?;
            Some(measured.clone())
        });
        if let Some(measured) = first {
            figures(&mut found, measured);
        }
        found.limit = found.limit.map(|limit| if deadline.has_passed() { Limit::Time } else { limit });
        found.complete = found.limit.is_none();
        Ok(Some(found))
    }
}

/// How models are checked.
fn how(options: &Options, limits: &Limits) -> How {
    let most = limits.memory.map_or(MOST_STATES, |bytes| (bytes / STATE_BYTES).min(MOST_STATES));
    How {
        exact: options.exact,
        precision: options.precision.unwrap_or_else(|| How::default().precision),
        reduce: options.reduce == Reduce::Auto && options.detect == Detect::Auto,
        threads: options.threads.get(),
        max_states: most as usize,
        deadline: limits.deadline(),
    }
}

/// Adds what is found of what is asked of a model with one combination of constants.
fn all_properties(
    found: &mut Findings,
    loaded: &Loaded,
    (asked, combination): (&[Asked], &Combination),
    how: &How,
    events: &mut dyn Events,
) {
    // With another value of a constant, the model itself may be wrong.
    let mut runner = loaded.model.as_ref().map(|model| (model, Runner::new(model, how.clone())));
    for (at, Asked { name, text, .. }) in asked.iter().enumerate() {
        let (index, kind) = (found.properties.len(), PropertyKind::Quantitative);
        let mut result = PropertyResult::new(Some(index), name, kind, Known::Unknown);
        let (text, constants) = (text.clone(), combination.swept.clone());
        result.measured = Some(Box::new(Measured { text, constants, ..Measured::default() }));
        match (loaded.properties.get(at), &mut runner) {
            (Some(Err(missing)), _) => result.flaw = Some(flaw(&missing.diagnostic)),
            (_, Err(mistakes)) => result.flaw = mistakes.first().map(flaw),
            (Some(Ok(property)), Ok((model, runner))) => {
                let mut stored = 0;
                let mut told = |phase, states| {
                    stored = states as u64;
                    let (phase, states) = (Some(phase), stored);
                    events.progress(&Progress { phase, states, ..Progress::default() });
                };
                let outcome = runner.check_with(property, &mut told);
                result.measured = Some(Box::new(outcome.measured(property, &combination.swept)));
                conclude(&mut result, found, &outcome, model);
                if found.limit.is_some() {
                    found.states = stored.into();
                }
            }
            (None, Ok(_)) => {}
        }
        found.properties.push(result);
    }
}

/// What an outcome says of a property.
fn conclude(result: &mut PropertyResult, found: &mut Findings, outcome: &Outcome, model: &Model) {
    let value = result.measured.as_ref().and_then(|measured| measured.value.as_ref());
    match (&outcome.answer, value) {
        (Err(problem), _) if problem.kind == ProblemKind::Limit => found.limit = Some(Limit::Memory),
        (Err(problem), _) => result.flaw = Some(flaw(&diagnostic(problem, model))),
        (Ok(_), Some(Quantity::Truth(false))) => result.known = Known::Violated(Vec::new()),
        (Ok(_), _) => result.known = Known::Holds,
    }
}

/// The figures of the search.
fn figures(found: &mut Findings, measured: Measured) {
    found.states = measured.states.into();
    found.full_states = match &measured.symmetry {
        Some(_) => measured.full_states.map(Into::into),
        None => Some(measured.states.into()),
    };
    found.own = measured.symmetry.map(|symmetry| OwnSymmetry {
        reduction: "quotient",
        derived: "detected",
        structure: symmetry.structure,
        order: symmetry.order,
        generators: symmetry.generators,
        counts: false,
    });
}

fn flaw(mistake: &Diagnostic) -> Flaw {
    let Code(code) = mistake.code;
    Flaw { code, span: mistake.primary.0, message: mistake.message.clone(), help: mistake.help.clone() }
}

/// A mistake that showed when the model ran, with its place and state.
fn diagnostic(problem: &Problem, model: &Model) -> Diagnostic {
    let code = match problem.kind {
        ProblemKind::Weight => codes::WRONG_WEIGHT,
        ProblemKind::Range => codes::OUT_OF_RANGE,
        ProblemKind::Reward => codes::WRONG_REWARD,
        ProblemKind::Arithmetic => codes::STATE_ARITHMETIC,
        ProblemKind::Property | ProblemKind::Limit => codes::WRONG_PROPERTY,
    };
    let found = Diagnostic::error(code, problem.span, problem.message.clone());
    if problem.state.is_empty() {
        return found;
    }
    let values = model.variables.iter().zip(&problem.state).map(|(variable, value)| {
        let name = &variable.name;
        if variable.boolean { format!("{name}={}", *value != 0) } else { format!("{name}={value}") }
    });
    let mut shown: Vec<String> = values.take(MOST_SHOWN + 1).collect();
    if shown.len() > MOST_SHOWN {
        shown[MOST_SHOWN] = "…".to_owned();
    }
    found.help(format!("in the state {}", shown.join(", ")))
}
