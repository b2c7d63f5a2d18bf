//! Representatives on the fly, with symmetry that may be wrong: falsification, and verification where it is right.
//!
//! After S. Barner and O. Grumberg, "Combining Symmetry Reduction and Under-Approximation for Symbolic Model Checking"
//! (2002), paper 001. Permutations come from wherever there are any: declared, detected or claimed. [`judge`] decides
//! which of them are symmetries of the steps, where that was not proved before; the others are used only if they are
//! trusted. Each property keeps the permutations that leave it as it is ([`invariance`]); properties with the same group share
//! an exploration ([`search`]), which may take its frontier in parts ([`under`]).
//!
//! What is violated is violated, whatever the permutations are. Something holds only if everything was explored by
//! permutations that are verified.

pub mod invariance;
pub mod judge;
pub mod permute;
pub mod search;
pub mod under;

mod atoms;
mod classes;

use std::time::Instant;

use burnside_model::findings::{self, Checks, Witness};
use burnside_model::{Limit, Limits, Model};
use burnside_symmetry::{Action, Permutation};

use crate::algebra::Failed;
use crate::bdd::Bdd;
use crate::decide::{Decided, Lookout, trace};
use crate::search::{Ended, Reach, Stop};
use crate::system::System;

use classes::Class;
use permute::Movers;
use search::Explorer;
use under::Under;

/// How representatives are chosen on the fly.
#[derive(Clone, Debug)]
pub struct OnTheFly {
    /// The model with the elements that are permuted; its states are those of the model that is checked.
    pub attached: Model,
    /// How permutations act on them.
    pub action: Action,
    /// The permutations.
    pub candidates: Vec<Candidate>,
    /// Whether those are used, too, of which it is not known that they are symmetries.
    pub trust: bool,
    /// How often the generators are applied at most to find the orbits of a set; until nothing is new, if absent.
    pub sigma_steps: Option<u64>,
    /// How much of a frontier is stepped from at a time; everything, if absent.
    pub under: Option<Under>,
}

/// A permutation that may be a symmetry.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// Its name.
    pub name: String,
    /// The permutation.
    pub permutation: Permutation,
    /// Whether it was proved to be a symmetry of the steps.
    pub proved: bool,
}

impl OnTheFly {
    /// Whether states are found in the order of their distance from a start state.
    #[must_use]
    pub fn has_levels(&self, model: &Model) -> bool {
        self.under.is_none() && model.hints.is_empty()
    }
}

/// What one exploration found.
struct Explored {
    exhaustive: bool,
    limit: Option<Limit>,
    reached: Bdd,
    depth: u64,
    /// All states of the orbits, where they are known to be all that is reachable.
    full: Option<Bdd>,
}

/// What is asked beside the properties.
pub struct Question<'q> {
    /// The properties.
    pub checks: &'q Checks,
    /// When to stop.
    pub limits: &'q Limits,
    /// When that is.
    pub deadline: Option<Instant>,
    /// How representatives are chosen.
    pub how: &'q OnTheFly,
}

/// Decides every check.
pub fn decide(
    system: &System<'_>,
    question: &Question<'_>,
    progress: &mut dyn FnMut(&Bdd, u64),
) -> Result<(Decided, findings::OnTheFly), Failed> {
    let Question { checks, limits, how, .. } = question;
    let (manager, variables) = (system.diagrams.manager, system.diagrams.variables);
    let mut diagrams = system.diagrams.clone();
    let valid = system.encoding.valid(&mut diagrams)?;
    let mut movers = Movers::new(manager, variables, system.encoding, &how.action);
    let mut generators = judged(system, how, &valid, &mut movers)?;
    let used: Vec<Permutation> = (how.candidates.iter().zip(&generators))
        .filter(|(_, judged)| judged.used)
        .map(|(candidate, _)| candidate.permutation.clone())
        .collect();
    let hints = hints(system)?;
    let classes = classes::classes(system, checks, how, &generators, &valid, &used, &mut movers)?;
    atoms::note_breaks(system, checks, how, &valid, &mut movers, &mut generators)?;

    let mut witnesses: Vec<Vec<Witness>> = checks.list.iter().map(|_| Vec::new()).collect();
    for ending in &system.failed_starts {
        witnesses[checks.faults].push(Witness { path: Vec::new(), ending: ending.clone() });
    }
    let mut sure = vec![false; checks.list.len()];
    let mut covered = vec![0; checks.list.len()];
    let mut decided = Decided {
        properties: Vec::new(),
        states: None,
        per_rule: None,
        depth: 0,
        limit: None,
        temporal: findings::Temporal::default(),
        shown: Vec::new(),
    };
    let mut runs = Vec::new();
    for class in &classes {
        let errors: u64 = witnesses.iter().map(|found| found.len() as u64).sum();
        let left = limits.max_errors.saturating_sub(errors);
        if left == 0 {
            decided.limit = decided.limit.or(Some(Limit::MaxErrors));
        }
        if decided.limit.is_some_and(|limit| limit != Limit::Bound) {
            break;
        }
        let explored = explore(system, question, class, &hints, &mut movers, left, &mut witnesses, progress)?;
        decided.limit = decided.limit.or(explored.limit);
        decided.depth = decided.depth.max(explored.depth);
        let counts = system.covered(&explored.reached);
        for check in &class.checks {
            sure[*check] = explored.exhaustive && class.verified && counts.is_ok();
            if let (Ok(counts), Some(index)) = (&counts, checks.list[*check].index) {
                covered[*check] = counts[index];
            }
        }
        if let Err(stop) = counts {
            decided.limit = decided.limit.or(Some(stop.limit()));
        }
        let can_count = decided.limit != Some(Limit::Memory) && manager.can_count();
        let count = |set: &Bdd| set.count(system.bits());
        if decided.states.is_none() && can_count {
            decided.states = Some(count(&explored.reached));
            decided.per_rule = system.fired(&explored.reached).unwrap_or(None);
        }
        let group = class.group(how);
        runs.push(findings::OnTheFlyRun {
            checks: class.checks.clone(),
            structure: group.structure(),
            order: group.order_string(),
            generators: group.generators().iter().map(|g| g.images().to_vec()).collect(),
            states: if can_count { count(&explored.reached).to_string() } else { "0".to_owned() },
            full_states: explored.full.as_ref().filter(|_| can_count).map(|full| count(full).to_string()),
            exhaustive: explored.exhaustive,
            verified: class.verified,
        });
    }
    decided.properties = (checks.list.iter().enumerate())
        .map(|(i, check)| check.conclude(std::mem::take(&mut witnesses[i]), covered[i], false, sure[i]))
        .collect();
    Ok((decided, findings::OnTheFly { generators, runs }))
}

/// What is known of each permutation.
fn judged(
    system: &System<'_>,
    how: &OnTheFly,
    valid: &Bdd,
    movers: &mut Movers<'_>,
) -> Result<Vec<findings::JudgedGenerator>, Failed> {
    let mut steps = None;
    let mut all = Vec::new();
    for candidate in &how.candidates {
        let fate = match movers.mover(&candidate.permutation) {
            Err(permute::Immovable::OutOfNodes(error)) => return Err(error.into()),
            Err(permute::Immovable::Because(why)) => findings::GeneratorFate::Unusable(why),
            Ok(_) if candidate.proved => findings::GeneratorFate::Verified,
            Ok(mover) => {
                let steps = match &mut steps {
                    Some(steps) => steps,
                    none => none.insert(judge::Steps::new(
                        system.encoding,
                        &how.attached,
                        system.diagrams.clone(),
                        valid,
                    )?),
                };
                match steps.judge(movers, &candidate.permutation, &mover)? {
                    judge::Judgement::Symmetry => findings::GeneratorFate::Verified,
                    judge::Judgement::None(why) => findings::GeneratorFate::Refuted(why),
                    judge::Judgement::Open => findings::GeneratorFate::Open,
                }
            }
        };
        let used = match &fate {
            findings::GeneratorFate::Verified => true,
            findings::GeneratorFate::Refuted(_) | findings::GeneratorFate::Open => how.trust,
            findings::GeneratorFate::Unusable(_) => false,
        };
        let name = candidate.name.clone();
        all.push(findings::JudgedGenerator { name, fate, used, breaks: Vec::new() });
    }
    Ok(all)
}

/// Where each hint holds.
fn hints(system: &System<'_>) -> Result<Vec<Bdd>, Failed> {
    let encoding = system.encoding;
    let mut diagrams = system.diagrams.clone();
    let mut hints = Vec::new();
    for hint in &encoding.model.hints {
        let condition = encoding.expr(&mut diagrams, &hint.frame, &[], &hint.condition)?;
        let mut holds = condition.holds;
        // Where it cannot be evaluated, it says nothing.
        for case in &condition.faults {
            holds = holds.minus(&case.condition)?;
        }
        hints.push(holds);
    }
    Ok(hints)
}

/// Explores for the properties of one class.
#[allow(clippy::too_many_arguments, reason = "what an exploration is of, and where it tells what it finds")]
fn explore(
    system: &System<'_>,
    question: &Question<'_>,
    class: &Class,
    hints: &[Bdd],
    movers: &mut Movers<'_>,
    left: u64,
    witnesses: &mut [Vec<Witness>],
    progress: &mut dyn FnMut(&Bdd, u64),
) -> Result<Explored, Failed> {
    let Question { limits, deadline, how, .. } = question;
    let explorer =
        Explorer { generators: class.movers(movers)?, sigma_steps: how.sigma_steps, under: how.under, hints };
    let mut reach = Reach::new(system.diagrams.manager, &system.relations, &system.initial, *deadline);
    let mut lookout = Lookout {
        targets: &system.targets,
        only: Some(&class.checks),
        met: Vec::new(),
        enough: left,
        bound: limits.bound,
        beyond: false,
        progress,
    };
    let ended = explorer.forward(&mut reach, limits.bound, &mut lookout);
    let mut limit = match ended {
        Ok(Ended::Complete) => lookout.beyond.then_some(Limit::Bound),
        Ok(Ended::Enough) => Some(Limit::MaxErrors),
        Ok(Ended::Bound) => Some(Limit::Bound),
        Err(stop) => Some(stop.limit()),
    };
    let exhaustive = limit.is_none();
    let met = std::mem::take(&mut lookout.met);
    if let Err(stop) = trace(system, &reach, &met, left, witnesses) {
        limit = limit.or(Some(stop.limit()));
    }
    let full = match exhaustive && class.verified && how.sigma_steps.is_none() {
        true => all_states(system, &explorer, &reach).ok().flatten(),
        false => None,
    };
    Ok(Explored { exhaustive, limit, depth: reach.depth, reached: reach.reached, full })
}

/// All states of the orbits of what was reached, if those of the start states are start states.
fn all_states(system: &System<'_>, explorer: &Explorer<'_>, reach: &Reach<'_>) -> Result<Option<Bdd>, Stop> {
    match explorer.sigma_step(reach, &system.initial)? == system.initial {
        true => explorer.sigma_step(reach, &reach.reached).map(Some),
        false => Ok(None),
    }
}
