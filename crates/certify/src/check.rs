//! Going through a certificate.

use std::collections::{BTreeSet, HashSet};
use std::fmt;
use std::ops::ControlFlow;

use burnside_model::code::{Cell, Domain, DomainId, DomainKind, Semantics, TypeId, TypeKind, UNDEFINED};
use burnside_model::system::{Machine, Outcome, PropertyKind, Step};
use burnside_model::{DeadlockMode, Model, Span, System};

use crate::action::Action;
use crate::format::{Certificate, Claim, Images, Move, Values};
use crate::group::Group;

/// Where the generators are checked to be symmetries.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scope {
    /// At the listed states.
    #[default]
    Listed,
    /// At all states of their orbits.
    Orbits,
}

/// What an accepted certificate shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Accepted {
    pub states: usize,
    /// Those whose successors were checked: if fewer, the certificate is a sample and proves nothing.
    pub expanded: usize,
    /// States at which the generators were checked.
    pub symmetric_at: usize,
    pub generators: usize,
    pub claims: Vec<Claim>,
    /// Where the generators were checked.
    pub scope: Scope,
}

impl Accepted {
    /// Why the certificate does not prove what it claims, if it does not.
    pub fn gap(&self) -> Option<&'static str> {
        match self.scope {
            _ if !self.is_full() => Some("it is a sample, and lists the successors of some states only"),
            Scope::Listed if self.generators > 0 => {
                Some("the generators were checked to be symmetries at the listed states only")
            }
            _ => None,
        }
    }

    /// Whether all successors were checked.
    pub fn is_full(&self) -> bool {
        self.states == self.expanded
    }
}

/// Why a certificate is rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Rejected(pub String);

impl fmt::Display for Rejected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for Rejected {}

fn reject<T>(message: impl Into<String>) -> Result<T, Rejected> {
    Err(Rejected(message.into()))
}

/// Checks a certificate against the model, whose text and constants are those that it names.
pub fn check(model: &Model, certificate: &Certificate, scope: Scope) -> Result<Accepted, Rejected> {
    // What is executed is the model as it was read: attached domains change what a quantifier evaluates.
    let original = model;
    let mut model = original.clone();
    let domains = attach(&mut model, certificate)?;
    let semantics = Semantics {
        undefined: certificate.undefined,
        loop_limit: certificate.loop_limit,
        ..Semantics::default()
    };
    let action = Action::new(&model, &domains);
    let sizes: Vec<u32> = domains.iter().map(|domain| model.types.domain(*domain).size).collect();
    let generators: Vec<Images> = certificate.generators.iter().map(|g| g.images.clone()).collect();
    if let Some(wrong) = generators.iter().position(|images| !action.is_permutation(images)) {
        return reject(format!("generator {wrong} is no permutation of its domains"));
    }
    let Some(group) = Group::new(&sizes, &generators) else {
        return reject("the group that the generators generate is too large to be known");
    };
    let mut checker = Checker {
        machine: Machine::new(original, semantics),
        model: &model,
        certificate,
        action,
        group,
        generators,
        covered: vec![false; model.properties.len()],
    };
    checker.run(scope)
}

/// Makes the certificate's domains those of the model.
fn attach(model: &mut Model, certificate: &Certificate) -> Result<Vec<DomainId>, Rejected> {
    let declared = model.types.domains.len() as u32;
    let mut domains = Vec::new();
    for domain in &certificate.domains {
        let name = &domain.name;
        let id = match &domain.values {
            Values::Declared(position) if *position < declared => DomainId(*position),
            Values::Declared(_) => return reject(format!("the model has no symmetry domain `{name}`")),
            Values::Attached(offsets, types) => {
                let ids: Vec<TypeId> = model.types.ids().collect();
                let last = i64::from(offsets.last().copied().unwrap_or(0));
                let ascending = offsets.first() == Some(&0) && offsets.windows(2).all(|o| o[0] < o[1]);
                let fits = types.iter().all(|(ty, first)| {
                    ids.get(*ty as usize).is_some_and(|ty| {
                        let (lo, hi) = model.types.bounds(*ty);
                        let kind = &model.types[*ty].kind;
                        matches!(kind, TypeKind::Range(..) | TypeKind::Enum(_))
                            && lo <= *first
                            && first.checked_add(last).is_some_and(|last| last <= hi)
                    })
                });
                if !ascending || !fits {
                    return reject(format!(
                        "the values of `{name}` are not those of the types that it names"
                    ));
                }
                let types: Vec<_> = types.iter().map(|(ty, first)| (TypeId(*ty), *first)).collect();
                let size = offsets.len() as u32;
                let attached =
                    Domain { name: name.clone(), size, kind: DomainKind::Full, span: Span::default() };
                model.types.attach(attached, offsets.clone(), &types)
            }
        };
        if domains.contains(&id) {
            return reject(format!("`{name}` is listed twice"));
        }
        domains.push(id);
    }
    Ok(domains)
}

/// What came of the steps from a state.
#[derive(Default)]
struct Steps {
    /// The states, in the order of the interpreter, with the rules.
    states: Vec<(u32, Vec<Cell>)>,
    /// Rules that an assumption stopped, and rules that went wrong (with whether in their guard).
    others: BTreeSet<(u32, u8)>,
    deadlock: bool,
}

struct Checker<'c> {
    machine: Machine<'c>,
    model: &'c Model,
    certificate: &'c Certificate,
    action: Action<'c>,
    group: Group,
    generators: Vec<Images>,
    /// Which covers were seen to hold.
    covered: Vec<bool>,
}

impl Checker<'_> {
    fn run(&mut self, scope: Scope) -> Result<Accepted, Rejected> {
        self.check_claims()?;
        self.check_starts()?;
        let (mut expanded, mut symmetric_at) = (0, 0);
        for (i, entry) in self.certificate.states.iter().enumerate() {
            self.check_cells(i, &entry.cells)?;
            let steps = self.steps(Some(&entry.cells))?;
            if let Some(moves) = &entry.moves {
                expanded += 1;
                self.check_moves(&format!("successors of state {i}"), &steps, moves)?;
            }
            self.check_state(i, &entry.cells, &steps)?;
            symmetric_at += self.check_generators(i, &entry.cells, scope)?;
        }
        if expanded == self.certificate.states.len() {
            self.check_reached()?;
        }
        self.covered.iter_mut().zip(self.machine.side_effects().covered).for_each(|(held, n)| *held |= n > 0);
        for claim in &self.certificate.claims {
            if let Claim::Property(property) = claim
                && self.model.properties[*property].kind == PropertyKind::Cover
                && !self.covered[*property]
            {
                return reject(format!("`{}` is not covered", self.model.properties[*property].name));
            }
        }
        Ok(Accepted {
            states: self.certificate.states.len(),
            expanded,
            symmetric_at,
            generators: self.generators.len(),
            claims: self.certificate.claims.clone(),
            scope,
        })
    }

    fn check_claims(&self) -> Result<(), Rejected> {
        for claim in &self.certificate.claims {
            match claim {
                Claim::Property(property) => match self.model.properties.get(*property).map(|p| p.kind) {
                    Some(PropertyKind::Invariant | PropertyKind::Cover) => {}
                    Some(_) => return reject(format!("property {property} is neither invariant nor cover")),
                    None => return reject(format!("the model has no property {property}")),
                },
                Claim::NoDeadlock if self.certificate.deadlock == DeadlockMode::Off => {
                    return reject("deadlocks were not looked for, but none are claimed");
                }
                Claim::NoError | Claim::NoDeadlock => {}
            }
        }
        Ok(())
    }

    fn check_starts(&mut self) -> Result<(), Rejected> {
        let steps = self.steps(None)?;
        if self.claims(Claim::NoError) && steps.others.iter().any(|(_, what)| *what > 0) {
            return reject("a start state goes wrong");
        }
        self.check_moves("start states", &steps, &self.certificate.starts)
    }

    fn claims(&self, claim: Claim) -> bool {
        self.certificate.claims.contains(&claim)
    }

    /// A listed state must be one of the model's: as many cells, each with a value of its type.
    fn check_cells(&self, number: usize, cells: &[Cell]) -> Result<(), Rejected> {
        let described = self.model.state_cells();
        let fits = |(cell, value): (&burnside_model::system::StateCell, &Cell)| {
            let (lo, hi) = self.model.types.bounds(cell.ty);
            *value == UNDEFINED || (lo..=hi).contains(value)
        };
        if cells.len() != described.len() || !described.iter().zip(cells).all(fits) {
            return reject(format!("state {number} is no state of the model"));
        }
        Ok(())
    }

    /// The steps from a state, or into the start states.
    fn steps(&mut self, state: Option<&[Cell]>) -> Result<Steps, Rejected> {
        let mut steps = Steps { deadlock: true, ..Steps::default() };
        let stuck = self.certificate.deadlock == DeadlockMode::Stuck;
        let mut sink = |step: Step<'_>| {
            steps.deadlock &= step.stutters && !stuck;
            match step.outcome {
                Outcome::State(next) => steps.states.push((step.rule, next.to_vec())),
                Outcome::Dropped => drop(steps.others.insert((step.rule, 0))),
                Outcome::Fault(_) => drop(steps.others.insert((step.rule, 1))),
                Outcome::GuardFault(_) => drop(steps.others.insert((step.rule, 2))),
            }
            ControlFlow::Continue(())
        };
        let ran = match state {
            Some(state) => self.machine.successors(state, &mut sink),
            None => self.machine.initial(&mut sink),
        };
        if ran.is_err() {
            return reject("the interpreter stopped");
        }
        Ok(steps)
    }

    /// Every state must be moved onto a listed one by a permutation of the group.
    fn check_moves(&self, what: &str, steps: &Steps, moves: &[Move]) -> Result<(), Rejected> {
        if steps.states.len() != moves.len() {
            return reject(format!(
                "there are {} {what}, but {} are listed",
                steps.states.len(),
                moves.len()
            ));
        }
        for (i, ((_, state), step)) in steps.states.iter().zip(moves).enumerate() {
            let moved = match &step.images {
                None => state.clone(),
                Some(images) if !self.action.is_permutation(images) || !self.group.contains(images) => {
                    return reject(format!("{what}, number {i}: the permutation is not in the group"));
                }
                Some(images) => self.action.apply(images, state),
            };
            if self.certificate.states.get(step.to).map(|entry| &entry.cells) != Some(&moved) {
                return reject(format!("{what}, number {i}: it is not moved onto state {}", step.to));
            }
        }
        Ok(())
    }

    /// Every listed state must be led to: what is covered at one that is not would prove nothing.
    fn check_reached(&self) -> Result<(), Rejected> {
        let mut reached = vec![false; self.certificate.states.len()];
        let mut open: Vec<usize> = self.certificate.starts.iter().map(|start| start.to).collect();
        while let Some(state) = open.pop() {
            if !std::mem::replace(&mut reached[state], true) {
                open.extend(self.certificate.states[state].moves.iter().flatten().map(|step| step.to));
            }
        }
        match reached.iter().position(|reached| !reached) {
            Some(state) => reject(format!("nothing leads to state {state}")),
            None => Ok(()),
        }
    }

    /// What is claimed must hold in a listed state.
    fn check_state(&mut self, number: usize, state: &[Cell], steps: &Steps) -> Result<(), Rejected> {
        if self.claims(Claim::NoError) && steps.others.iter().any(|(_, what)| *what > 0) {
            return reject(format!("state {number}: a rule goes wrong"));
        }
        if self.claims(Claim::NoDeadlock) && steps.deadlock {
            return reject(format!("state {number} is a deadlock"));
        }
        for i in self.evaluated() {
            let property = &self.model.properties[i];
            let (claimed, cover) = (self.claims(Claim::Property(i)), property.kind == PropertyKind::Cover);
            match self.machine.holds(i, state) {
                Ok(Ok(held)) if cover => self.covered[i] |= held > 0,
                Ok(Ok(0)) if claimed => {
                    return reject(format!("state {number} violates `{}`", property.name));
                }
                Ok(Ok(_)) => {}
                // That is an error at run time; of a cover it does not matter what it says elsewhere.
                Ok(Err(_)) if !self.claims(Claim::NoError) && (!claimed || cover) => {}
                _ => return reject(format!("state {number}: `{}` cannot be evaluated", property.name)),
            }
        }
        Ok(())
    }

    /// Every generator must commute with the steps and leave the properties as they are, here and (if asked for) at all
    /// states of the orbit; gives the number of these states.
    fn check_generators(&mut self, number: usize, state: &[Cell], scope: Scope) -> Result<usize, Rejected> {
        let mut seen = HashSet::from([state.to_vec()]);
        let mut open = vec![state.to_vec()];
        while let Some(state) = open.pop() {
            let (steps, held) = (self.steps(Some(&state))?, self.held(&state));
            for generator in 0..self.generators.len() {
                let moved = self.action.apply(&self.generators[generator], &state);
                let there = self.steps(Some(&moved))?;
                let images = &self.generators[generator];
                let mut expected: Vec<_> = steps
                    .states
                    .iter()
                    .map(|(rule, next)| (*rule, self.action.apply(images, next)))
                    .collect();
                let mut found = there.states;
                expected.sort_unstable();
                expected.dedup();
                found.sort_unstable();
                found.dedup();
                if expected != found || steps.others != there.others || held != self.held(&moved) {
                    return reject(format!("generator {generator} is no symmetry: see state {number}"));
                }
                if scope == Scope::Orbits && seen.insert(moved.clone()) {
                    open.push(moved);
                }
            }
        }
        Ok(seen.len())
    }

    /// Which properties hold in a state, and which cannot be evaluated; of liveness only the latter.
    fn held(&mut self, state: &[Cell]) -> Vec<Option<u64>> {
        let mut all = Vec::new();
        for i in self.evaluated() {
            let held = self.machine.holds(i, state).ok().and_then(Result::ok);
            let lives = self.model.properties[i].kind == PropertyKind::Liveness;
            all.push(if lives { held.map(|_| 0) } else { held });
        }
        all
    }

    /// The properties whose conditions are evaluated: what can be claimed, and what can go wrong if nothing is claimed to.
    fn evaluated(&self) -> Vec<usize> {
        let properties = self.model.properties.iter().enumerate();
        let matters = |kind| match kind {
            PropertyKind::Invariant | PropertyKind::Cover => true,
            PropertyKind::Liveness => self.claims(Claim::NoError),
            _ => false,
        };
        properties.filter(|(_, p)| matters(p.kind) && p.condition.is_some()).map(|(i, _)| i).collect()
    }
}
