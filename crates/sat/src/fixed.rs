//! One model of fixed size, decided by IC3: an invariant that was checked again, or a run that was executed.

use burnside_encode::Refusal;
use burnside_model::code::{Cell, DomainId, DomainKind, Semantics};
use burnside_model::{Deadline, Limit, Model};
use burnside_symmetry::{Action, verify};

use crate::cube::{Cube, Images};
use crate::ic3::{Ic3, Outcome, Progress};
use crate::induction::is_proof;
use crate::system::{Question, System};
use crate::trace::{self, Violation};

/// What is known of a model of fixed size.
#[derive(Clone, Debug)]
pub enum Decided {
    /// Nothing wrong is reachable, by these cubes: no reachable state is in any.
    Holds(Vec<Cube>),
    /// Something wrong is: the check, and a run.
    Violated(Box<Violation>),
    Unknown(Limit),
}

/// The result, with the figures of the search.
#[derive(Clone, Debug)]
pub struct Found {
    /// What is known.
    pub decided: Decided,
    pub progress: Progress,
    /// One cube of each orbit of those that hold.
    pub orbits: Vec<Cube>,
}

/// The action of all declared domains that are verified to be symmetries.
pub fn verified(model: &Model) -> Option<Action> {
    let refusals = verify::verify(model);
    let domains = (0..).map(DomainId).zip(&model.types.domains);
    let domains = domains.filter(|(_, domain)| domain.size > 1).map(|(id, _)| id);
    let domains: Vec<DomainId> = domains.filter(|id| refusals.iter().all(|r| r.domain != *id)).collect();
    (!domains.is_empty()).then(|| Action::new(model, &domains))
}

/// The action of all declared domains, verified or not. A result that rests on it is believed only because it is checked
/// again without it.
pub fn declared(model: &Model) -> Option<Action> {
    let domains = (0..).map(DomainId).zip(&model.types.domains);
    let domains: Vec<DomainId> = domains.filter(|(_, domain)| domain.size > 1).map(|(id, _)| id).collect();
    (!domains.is_empty()).then(|| Action::new(model, &domains))
}

/// The scalarsets among the domains of an action.
pub fn scalarsets(model: &Model, action: Option<&Action>) -> Vec<DomainId> {
    let full = |domain: &&DomainId| model.types.domain(**domain).kind == DomainKind::Full;
    action.map_or(Vec::new(), |action| action.domains().iter().filter(full).copied().collect())
}

/// Decides a model with IC3 under a verified group.
pub fn decide(
    system: &mut System<'_>,
    action: Option<&Action>,
    question: Question,
    deadline: Deadline,
    told: &mut dyn FnMut(Progress),
) -> Result<Found, Refusal> {
    let model = system.encoding.model;
    let found = |decided, progress, orbits| Ok(Found { decided, progress, orbits });
    if system.failed_start {
        let violation = trace::failed_start(model, question.semantics, question.deadlock)
            .ok_or_else(|| wrong("nothing goes wrong in a start state"))?;
        return found(Decided::Violated(Box::new(violation)), Progress::default(), Vec::new());
    }
    let (reached, progress) = reach(system, action, question.semantics, deadline, told)?;
    match reached {
        Reached::Unknown => found(Decided::Unknown(Limit::Time), progress, Vec::new()),
        Reached::Never { cubes, orbits } => found(Decided::Holds(cubes), progress, orbits),
        Reached::Run(path) => match trace::violation(model, path, question.semantics, question.deadlock) {
            Some(violation) => found(Decided::Violated(Box::new(violation)), progress, Vec::new()),
            None => Err(wrong("nothing is wrong at the end of a run that IC3 found")),
        },
    }
}

/// Whether something wrong is reachable.
pub enum Reached {
    Never {
        /// No reachable state is in any of these.
        cubes: Vec<Cube>,
        /// One of each orbit of them.
        orbits: Vec<Cube>,
    },
    /// It is, by this run of the model.
    Run(Vec<Vec<Cell>>),
    Unknown,
}

/// Whether a state is reachable in which something is wrong, by IC3 under a verified group. What it finds is checked again
/// without the group.
pub fn reach(
    system: &mut System<'_>,
    action: Option<&Action>,
    semantics: Semantics,
    deadline: Deadline,
    told: &mut dyn FnMut(Progress),
) -> Result<(Reached, Progress), Refusal> {
    let images = Images::new(system, action);
    let mut progress = Progress::default();
    let mut ic3 = Ic3::new(system, action, &images, deadline);
    let outcome = ic3.run(&mut |now| {
        progress = now;
        told(now);
    });
    progress.queries = ic3.queries();
    drop(ic3);
    match outcome {
        Err(_) => Ok((Reached::Unknown, progress)),
        Ok(Outcome::Invariant(cubes)) => {
            progress.clauses = cubes.len();
            match is_proof(system, &cubes, deadline) {
                Ok(true) => {}
                Ok(false) => return Err(wrong("an invariant that IC3 found is not inductive")),
                Err(_) => return Ok((Reached::Unknown, progress)),
            }
            let mut seen = std::collections::BTreeSet::new();
            let mut orbits = Vec::new();
            for cube in &cubes {
                if !seen.contains(cube) {
                    seen.extend(images.of(cube));
                    orbits.push(cube.clone());
                }
            }
            Ok((Reached::Never { cubes, orbits }, progress))
        }
        Ok(Outcome::Violated(start, permutation, cubes)) => {
            let Some(mut path) = trace::along(system, start, &cubes, semantics) else {
                return Err(wrong("a run that IC3 found cannot be executed"));
            };
            if let Some(action) = action.filter(|_| !images.is_trivial()) {
                path = trace::led_back(path, action, &permutation);
            }
            if !trace::is_run(system, &path, semantics) {
                return Err(wrong("a run that IC3 found is none"));
            }
            Ok((Reached::Run(path), progress))
        }
    }
}

/// A mistake of ours; the text begins so that callers can tell.
pub(crate) fn wrong(what: &str) -> Refusal {
    Refusal { reason: format!("internal error: {what}"), span: None }
}
