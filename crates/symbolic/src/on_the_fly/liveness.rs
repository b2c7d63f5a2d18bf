//! Formulas of CTL, and liveness (paper 001, §6), on the representatives that were found.
//!
//! *Live_Rep*: the model restricted to the representatives. All its runs are runs of the model, so that what it violates of a
//! formula about all runs is violated, whatever the permutations are. A state without successors among the representatives,
//! but with others, has no run there: it does not stay where it is, which would refute `AF` falsely.
//!
//! *With ξ*: if everything was explored by verified permutations, the representatives with the steps between their orbits are
//! bisimilar to the model, and every formula whose conditions the permutations keep is decided. ξ is not needed where whole
//! orbits were found. Where it would be large, formulas are decided on whole orbits: sets of those have smaller diagrams than
//! the relation.

use burnside_logic::{Checker, Constraint, StateSets};
use burnside_model::code::LogicOp;
use burnside_model::findings::{Checks, Ending, Temporal, Witness};
use burnside_model::system::{BinaryOp, Formula, FormulaKind, Paths, Property, PropertyKind};

use crate::algebra::Failed;
use crate::bdd::Bdd;
use crate::decide::run;
use crate::relation::{Frames, Relation};
use crate::search::Reach;
use crate::system::{Live, System};
use crate::temporal::judge::{Judge, Key};
use crate::temporal::world::{Relations, World};
use crate::temporal::{constraints, facts, relations};
use crate::transitions::Transitions;

use super::classes::is_fair;
use super::search::Explorer;
use super::xi::Xi;

/// What is to be decided, on what.
pub struct Question<'q> {
    pub system: &'q System<'q>,
    pub checks: &'q Checks,
    pub these: &'q [usize],
    pub reach: &'q Reach<'q>,
    pub explorer: &'q Explorer<'q>,
    /// Whether each reachable orbit is represented, for certain.
    pub sure: bool,
    /// Whether there is one relation of all steps.
    pub monolithic: bool,
}

/// What was decided.
#[derive(Default)]
pub struct Answer {
    /// The checks that hold.
    pub holding: Vec<usize>,
    /// Those that do not, and why.
    pub violated: Vec<(usize, Option<Witness>)>,
    /// Runs that show why some hold.
    pub shown: Vec<(usize, Witness)>,
    /// Why nothing is known of others.
    pub reasons: Vec<(usize, String)>,
    /// How formulas were decided.
    pub temporal: Temporal,
    /// How many nodes the one relation of all steps has between representatives.
    pub relation: Option<u64>,
}

/// What representatives stand for.
enum Standing {
    /// For nothing but themselves.
    Alone(Bdd),
    /// For these states, which are whole orbits.
    Whole(Bdd),
    /// For what the relation says.
    Xi(Xi),
}

/// So many nodes of ξ are too many.
const LARGE: usize = 1 << 14;

impl<'q> Question<'q> {
    /// Decides liveness and formulas.
    pub fn answer(&self) -> Result<Answer, Failed> {
        let mut answer = Answer::default();
        let of_kind = |kind: PropertyKind| {
            let listed = self.these.iter().filter(move |check| self.checks.list[**check].kind == kind);
            listed.filter_map(|check| Some((*check, self.checks.list[*check].index?))).collect::<Vec<_>>()
        };
        let (formulas, lives) = (of_kind(PropertyKind::Ctl), of_kind(PropertyKind::Liveness));
        if formulas.is_empty() && lives.is_empty() {
            return Ok(answer);
        }
        let relations = relations(self.system)?;
        let restricted = self.restricted(&relations)?;
        answer.relation = restricted.as_ref().map(|(_, size)| *size);
        let restricted = restricted.map(|(relations, _)| relations);
        let mut left = Vec::new();
        for (check, index) in formulas {
            let model = self.system.encoding.model;
            let property = &model.properties[index];
            let faulty = self.system.facts.faulty(model, index)?;
            if !facts::is_formula(property) || !faulty.and(&self.reach.reached)?.is_false() {
                continue;
            }
            match self.refuted(restricted.as_ref().unwrap_or(&relations), property)? {
                Some(witness) => answer.violated.push((check, Some(witness))),
                None => left.push((check, property)),
            }
        }
        if !self.sure {
            let reason = "everything must be explored by verified symmetry to decide it";
            let undecided = left.iter().map(|(check, _)| *check).chain(lives.iter().map(|(check, _)| *check));
            answer.reasons.extend(undecided.map(|check| (check, reason.to_owned())));
            return Ok(answer);
        }
        if left.is_empty() && lives.is_empty() {
            return Ok(answer);
        }
        let standing = self.standing()?;
        let fair = if is_fair(self.system) { constraints(self.system) } else { Vec::new() };
        let mut world = self.world(&relations, &standing)?;
        for (check, index) in lives {
            match self.never(&mut world, index)? {
                Some(witness) => answer.violated.push((check, Some(witness))),
                None if self.is_faulty(index)? => {}
                None => answer.holding.push(check),
            }
        }
        let mut judge = Judge::new(self.system, None, self.system.initial.clone(), false);
        let mut checker = Checker::new(&mut world, self.system.encoding.model, fair)?;
        answer.temporal.unfair = !checker.starts_fairly()?;
        judge.add(Key::All, checker);
        for (check, property) in left {
            match judge.check(property)? {
                (true, witness) => {
                    answer.holding.push(check);
                    answer.shown.extend(witness.map(|witness| (check, witness)));
                }
                (false, witness) => answer.violated.push((check, witness)),
            }
        }
        Ok(answer)
    }

    /// The one relation of all steps, restricted to the representatives, and its size; partitioned, it would only become
    /// larger.
    fn restricted<'r>(&self, relations: &Relations<'r>) -> Result<Option<(Relations<'r>, u64)>, Failed> {
        let diagrams = &self.system.diagrams;
        let mut frames = Frames::default();
        let mut all: Option<Relation> = None;
        for steps in relations.all.iter().filter_map(Transitions::relation).filter(|_| self.monolithic) {
            let steps = steps.within(&self.reach.reached)?;
            all = Some(match all {
                None => steps,
                Some(all) => all.union(&steps, diagrams.manager, diagrams.variables, &mut frames)?,
            });
            diagrams.pause()?;
        }
        Ok(all.map(|all| {
            let size = all.size() as u64;
            (Relations { all: vec![Transitions::Related(all)], agents: Vec::new() }, size)
        }))
    }

    /// What the representatives stand for, and how that is known.
    fn standing(&self) -> Result<Standing, Failed> {
        let (diagrams, group, reached) = (&self.system.diagrams, &self.explorer.group, &self.reach.reached);
        if group.keep(reached)? {
            return Ok(Standing::Whole(reached.clone()));
        }
        let pause = || diagrams.pause();
        let xi = Xi::create(diagrams.manager, diagrams.variables, group, reached, LARGE, &pause)?;
        Ok(match xi {
            Some(xi) => Standing::Xi(xi),
            None => Standing::Whole(group.of(reached, None, &pause)?),
        })
    }

    fn world<'w>(&self, relations: &'w Relations<'w>, standing: &'w Standing) -> Result<World<'w>, Failed>
    where
        'q: 'w,
    {
        let universe = match standing {
            Standing::Whole(states) | Standing::Alone(states) => states,
            Standing::Xi(_) => &self.reach.reached,
        };
        let world = World::new(self.system, relations, None, self.system.initial.clone(), universe.clone())?;
        Ok(match standing {
            Standing::Xi(xi) => world.represented(xi),
            _ => world,
        })
    }

    /// Live_Rep: a run that refutes a formula about all runs, among the representatives.
    fn refuted(&self, relations: &Relations<'_>, property: &Property) -> Result<Option<Witness>, Failed> {
        let universal = property.formula.as_ref().is_some_and(|formula| is_universal(formula, true));
        if !universal || is_fair(self.system) {
            return Ok(None);
        }
        let alone = Standing::Alone(self.reach.reached.clone());
        let mut world = self.world(relations, &alone)?;
        let mut judge = Judge::new(self.system, None, self.system.initial.clone(), false);
        let none: Vec<Constraint<Bdd>> = Vec::new();
        judge.add(Key::All, Checker::new(&mut world, self.system.encoding.model, none)?);
        match judge.check(property)? {
            (false, witness) => Ok(witness),
            (true, _) => Ok(None),
        }
    }

    fn is_faulty(&self, index: usize) -> Result<bool, Failed> {
        let live = self.system.live.get(&index);
        Ok(match live {
            Some(live) => !live.faulty.and(&self.reach.reached)?.is_false(),
            None => true,
        })
    }

    /// A run to a state from which a liveness property can never hold again.
    fn never(&self, world: &mut World<'_>, index: usize) -> Result<Option<Witness>, Failed> {
        let Some(Live { faulty, instances }) = self.system.live.get(&index) else { return Ok(None) };
        if !faulty.and(&self.reach.reached)?.is_false() {
            return Ok(None);
        }
        for instance in instances {
            let mut reaches = instance.holds.and(&instance.claimed)?.and(&world.universe()?)?;
            loop {
                let more = reaches.or(&world.pre(&reaches)?)?;
                if more == reaches {
                    break;
                }
                reaches = more;
            }
            let never = instance.claimed.and(&self.reach.reached)?.minus(&reaches)?;
            if !never.is_false() {
                let path = run(self.system, self.reach, &never)?;
                let ending = Ending::NeverAgain { args: instance.args.clone() };
                return Ok(Some(Witness { path, ending }));
            }
        }
        Ok(None)
    }
}

/// Whether a formula, or if not `positive` its negation, speaks of all runs only, and of the future.
fn is_universal(formula: &Formula, positive: bool) -> bool {
    let wanted = if positive { Paths::All } else { Paths::Some };
    match &formula.kind {
        FormulaKind::Atom(_) => true,
        FormulaKind::Not(f) => is_universal(f, !positive),
        FormulaKind::Logic(LogicOp::Implies, f, g) => is_universal(f, !positive) && is_universal(g, positive),
        FormulaKind::Logic(_, f, g) => is_universal(f, positive) && is_universal(g, positive),
        FormulaKind::Iff(f, g) => {
            [f, g].into_iter().all(|part| is_universal(part, true) && is_universal(part, false))
        }
        FormulaKind::Quantified(_, _, f) => is_universal(f, positive),
        FormulaKind::Unary(paths, op, f) => {
            *paths == Some(wanted) && !op.is_past() && is_universal(f, positive)
        }
        FormulaKind::Binary(paths, BinaryOp::Until | BinaryOp::Release | BinaryOp::Weak, f, g) => {
            *paths == Some(wanted) && is_universal(f, positive) && is_universal(g, positive)
        }
    }
}
