//! Representatives on the fly, with symmetry that may be wrong: falsification, and verification where it is right.
//!
//! After S. Barner and O. Grumberg, "Combining Symmetry Reduction and Under-Approximation for Symbolic Model Checking"
//! (2002), paper 001. Permutations come from wherever there are any: declared, detected or claimed. [`judge`] decides
//! which of them are symmetries of the steps, where that was not proved before; the others are used only if they are
//! trusted. Each property keeps the permutations that leave it as it is ([`invariance`]); properties with the same group share
//! an exploration ([`search`]) by orbits ([`orbits`]), which may take its frontier in parts ([`under`]). Safety formulas of LTL are explored beside an
//! automaton (`safety`); formulas of CTL are decided on the representatives alone, or with the relation [`xi`] between them and
//! their orbits (`liveness`).
//!
//! What is violated is violated, whatever the permutations are. Something holds only if everything was explored by
//! permutations that are verified.

pub mod invariance;
pub mod judge;
pub mod orbits;
pub mod permute;
pub mod search;
pub mod under;
pub mod xi;

mod atoms;
mod classes;
mod liveness;
mod safety;

use burnside_model::findings::{self, Checks, Witness};
use burnside_model::system::PropertyKind;
use burnside_model::{Deadline, Limit, Limits, Model};
use burnside_symmetry::{Action, Permutation};

use crate::algebra::Failed;
use crate::bdd::Bdd;
use crate::decide::{Decided, Lookout, trace};
use crate::search::{Ended, Reach, Stop};
use crate::system::System;

use classes::{Class, Classes};
use orbits::Orbits;
use permute::Movers;
use search::{Closed, Explorer};
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
    /// Whether there is one relation of all steps.
    pub monolithic: bool,
}

/// A permutation that may be a symmetry.
#[derive(Clone, Debug)]
pub struct Candidate {
    pub name: String,
    pub permutation: Permutation,
    /// Whether it was proved to be a symmetry of the steps.
    pub proved: bool,
}

impl OnTheFly {
    /// Whether states are found in the order of their distance from a start state.
    pub fn has_levels(&self, model: &Model, limits: &Limits) -> bool {
        self.under.is_none() && model.hints.is_empty() && limits.bound.is_some()
    }
}

/// What is asked beside the properties.
pub struct Question<'q> {
    /// The properties.
    pub checks: &'q Checks,
    pub limits: &'q Limits,
    /// When that is.
    pub deadline: Deadline,
    /// How representatives are chosen.
    pub how: &'q OnTheFly,
}

pub fn decide(
    system: &System<'_>,
    question: &Question<'_>,
    progress: &mut dyn FnMut(&Bdd, u64),
) -> Result<(Decided, findings::OnTheFly), Failed> {
    let Question { checks, how, .. } = question;
    let (manager, variables) = (system.diagrams.manager, system.diagrams.variables);
    let mut diagrams = system.diagrams.clone();
    let valid = system.encoding.valid(&mut diagrams)?;
    let mut movers = Movers::new(manager, variables, system.encoding, &how.action);
    let mut generators = judged(system, how, &valid, &mut movers)?;
    atoms::note_breaks(system, checks, how, &valid, &mut movers, &mut generators)?;
    let hints = hints(system)?;

    let mut witnesses: Vec<Vec<Witness>> = checks.list.iter().map(|_| Vec::new()).collect();
    for ending in &system.failed_starts {
        witnesses[checks.faults].push(Witness { path: Vec::new(), ending: ending.clone() });
    }
    let mut decider = Decider {
        system,
        question,
        hints: &hints,
        valid: &valid,
        witnesses,
        holds: vec![false; checks.list.len()],
        sure: vec![false; checks.list.len()],
        covered: vec![0; checks.list.len()],
        runs: Vec::new(),
        reasons: Vec::new(),
        relation: None,
        decided: Decided {
            properties: Vec::new(),
            states: None,
            per_rule: None,
            depth: 0,
            limit: None,
            temporal: findings::Temporal::default(),
        },
        shown: Vec::new(),
    };
    let classes = Classes::new(how, &generators, &mut movers).all(system, checks, &valid)?;
    for class in &classes {
        if decider.may_go_on() {
            let group = class.orbits(how, &mut movers)?;
            decider.explore(class, group, progress)?;
        }
    }
    let formulas = (0..checks.list.len()).filter(|check| checks.list[*check].kind == PropertyKind::Ltl);
    for check in formulas {
        if let (true, Some(index)) = (decider.may_go_on(), checks.list[check].index) {
            decider.safety(check, index, &generators, &mut movers)?;
        }
    }
    let Decider { mut decided, mut witnesses, holds, sure, covered, runs, reasons, relation, shown, .. } =
        decider;
    decided.properties = (checks.list.iter().enumerate())
        .map(|(i, check)| check.conclude(std::mem::take(&mut witnesses[i]), covered[i], holds[i], sure[i]))
        .collect();
    for (check, reason) in reasons {
        decided.properties[check].reason = Some(reason);
    }
    for (check, run) in shown {
        decided.properties[check].shown = Some(run);
    }
    Ok((decided, findings::OnTheFly { generators, runs, relation }))
}

/// What is known so far.
struct Decider<'d> {
    system: &'d System<'d>,
    question: &'d Question<'d>,
    hints: &'d [Bdd],
    valid: &'d Bdd,
    /// Per check, runs that violate it.
    witnesses: Vec<Vec<Witness>>,
    /// Per check, whether liveness or a formula was found to hold.
    holds: Vec<bool>,
    /// Per check, whether all that matters to it was explored by verified permutations.
    sure: Vec<bool>,
    /// Per check, how often a cover held.
    covered: Vec<u64>,
    runs: Vec<findings::OnTheFlyRun>,
    reasons: Vec<(usize, String)>,
    relation: Option<u64>,
    decided: Decided,
    /// Runs that show why formulas hold, by check.
    shown: Vec<(usize, Witness)>,
}

impl<'d> Decider<'d> {
    /// How many violations are still of interest.
    fn left(&self) -> u64 {
        let errors: u64 = self.witnesses.iter().map(|found| found.len() as u64).sum();
        self.question.limits.max_errors.saturating_sub(errors)
    }

    /// Whether there is a reason to explore for more properties.
    fn may_go_on(&mut self) -> bool {
        if self.left() == 0 {
            self.stop(Limit::MaxErrors);
        }
        self.decided.limit.is_none_or(|limit| limit == Limit::Bound)
    }

    fn stop(&mut self, limit: Limit) {
        self.decided.limit = self.decided.limit.or(Some(limit));
    }

    fn explorer(&self, group: Orbits) -> Explorer<'d> {
        let OnTheFly { sigma_steps, under, .. } = *self.question.how;
        Explorer { group, sigma_steps, under, hints: self.hints }
    }

    fn reach(&self) -> Reach<'d> {
        let System { diagrams, relations, initial, .. } = self.system;
        Reach::new(diagrams.manager, relations, initial, self.question.deadline)
    }

    /// Explores for the properties of one class.
    fn explore(
        &mut self,
        class: &Class,
        group: Orbits,
        progress: &mut dyn FnMut(&Bdd, u64),
    ) -> Result<(), Failed> {
        let (system, limits) = (self.system, self.question.limits);
        let (explorer, mut reach) = (self.explorer(group), self.reach());
        let mut lookout = Lookout {
            system,
            only: Some(&class.checks),
            known: Vec::new(),
            met: Vec::new(),
            enough: self.left(),
            bound: limits.bound,
            beyond: false,
            progress,
        };
        let mut closed = Closed::default();
        let ended = explorer.forward(&mut reach, limits.bound, &mut closed, &mut lookout);
        let limit = match ended {
            Ok(Ended::Complete) => lookout.beyond.then_some(Limit::Bound),
            Ok(Ended::Enough) => Some(Limit::MaxErrors),
            Ok(Ended::Bound) => Some(Limit::Bound),
            Err(stop) => Some(stop.limit()),
        };
        let (exhaustive, met) = (limit.is_none(), std::mem::take(&mut lookout.met));
        limit.into_iter().for_each(|limit| self.stop(limit));
        if let Err(stop) = trace(system, &reach, &met, self.left(), &mut self.witnesses) {
            self.stop(stop.limit());
        }
        let sure = exhaustive && class.verified;
        let counted = system.covered(&reach.reached);
        for check in &class.checks {
            self.sure[*check] = sure && counted.is_ok();
            if let (Ok(counted), Some(index)) = (&counted, self.question.checks.list[*check].index) {
                self.covered[*check] = counted[index];
            }
        }
        if let Err(stop) = counted {
            self.stop(stop.limit());
        }
        if self.decided.limit.is_none_or(|limit| limit == Limit::Bound) {
            self.temporal(class, &explorer, &reach, sure)?;
        }
        let full = match sure && explorer.sigma_steps.is_none() {
            true => all_states(system, &explorer, &reach, closed).ok().flatten(),
            false => None,
        };
        self.decided.depth = self.decided.depth.max(reach.depth);
        self.note(class, &reach.reached, full.as_ref(), exhaustive);
        Ok(())
    }

    /// Decides liveness and formulas of CTL on what was reached.
    fn temporal(
        &mut self,
        class: &Class,
        explorer: &Explorer<'_>,
        reach: &Reach<'_>,
        sure: bool,
    ) -> Result<(), Failed> {
        let (system, checks) = (self.system, self.question.checks);
        let (these, monolithic) = (&class.checks, self.question.how.monolithic);
        let question = liveness::Question { system, checks, these, reach, explorer, sure, monolithic };
        let answer = match question.answer() {
            Ok(answer) => answer,
            Err(Failed::Stopped(stop)) => {
                self.stop(stop.limit());
                return Ok(());
            }
            Err(failed) => return Err(failed),
        };
        answer.holding.into_iter().for_each(|check| self.holds[check] = true);
        for (check, witness) in answer.violated {
            self.witnesses[check].extend(witness);
        }
        self.shown.extend(answer.shown);
        self.decided.temporal.unfair |= answer.temporal.unfair;
        self.reasons.extend(answer.reasons);
        self.relation = self.relation.or(answer.relation);
        Ok(())
    }

    /// Decides a formula of LTL that is one of safety, case by case.
    fn safety(
        &mut self,
        check: usize,
        index: usize,
        judged: &[findings::JudgedGenerator],
        movers: &mut Movers<'_>,
    ) -> Result<(), Failed> {
        let (system, how) = (self.system, self.question.how);
        let model = system.encoding.model;
        let property = &model.properties[index];
        if classes::is_fair(system) {
            let reason = "it is decided on the fly only without fairness".to_owned();
            self.reasons.push((check, reason));
            return Ok(());
        }
        let mut holds = true;
        for case in safety::cases(system, property) {
            let (prefixes, atoms) = match safety::automaton(system, property, &case) {
                Ok(made) => made,
                Err(reason) => {
                    self.reasons.push((check, reason));
                    return Ok(());
                }
            };
            let sets = safety::sets(system, &atoms, self.valid)?;
            let class = Classes::new(how, judged, movers).class(vec![check], &Some(sets))?;
            let (explorer, reach) = (self.explorer(class.orbits(how, movers)?), self.reach());
            let mut product = safety::Product::new(system, &explorer, &prefixes, &atoms)?;
            let found = product.search(&reach);
            let states = product.states()?;
            // Where a condition cannot be evaluated is an error of its own.
            let faulty = !system.facts.faulty(model, index)?.and(&states)?.is_false();
            let exhaustive = matches!(found, Ok(safety::Found::Nothing));
            self.note(&class, &states, None, exhaustive);
            match found {
                _ if faulty => return Ok(()),
                Ok(safety::Found::Violated(path)) => {
                    self.witnesses[check].push(safety::witness(path, &case));
                    return Ok(());
                }
                Ok(safety::Found::Nothing) => holds &= class.verified,
                Err(stop) => {
                    self.stop(stop.limit());
                    return Ok(());
                }
            }
        }
        self.holds[check] = holds;
        Ok(())
    }

    /// Notes an exploration; the first is that of the figures.
    fn note(&mut self, class: &Class, reached: &Bdd, full: Option<&Bdd>, exhaustive: bool) {
        let (system, how) = (self.system, self.question.how);
        let can_count = self.decided.limit != Some(Limit::Memory) && system.diagrams.manager.can_count();
        let count = |set: &Bdd| set.count(system.bits());
        if self.decided.states.is_none() && can_count {
            self.decided.states = Some(count(reached));
            self.decided.per_rule = system.fired(reached).unwrap_or(None);
        }
        let group = class.group(how);
        let run = findings::OnTheFlyRun {
            checks: class.checks.clone(),
            structure: group.structure(),
            order: group.order_string(),
            generators: group.generators().iter().map(|g| g.images().to_vec()).collect(),
            states: if can_count { count(reached).to_string() } else { "0".to_owned() },
            full_states: full.filter(|_| can_count).map(|full| count(full).to_string()),
            exhaustive,
            verified: class.verified,
        };
        // The cases of a formula are mostly alike.
        let alike = |other: &findings::OnTheFlyRun| {
            (&other.checks, &other.structure, other.verified) == (&run.checks, &run.structure, run.verified)
        };
        if !self.runs.iter().any(alike) {
            self.runs.push(run);
        }
    }
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

/// All states of the orbits of what was reached, if those of the start states are start states.
fn all_states(
    system: &System<'_>,
    explorer: &Explorer<'_>,
    reach: &Reach<'_>,
    closed: Closed,
) -> Result<Option<Bdd>, Stop> {
    match explorer.group.keep(&system.initial)? {
        true => explorer.orbits(reach, closed).map(Some),
        false => Ok(None),
    }
}
