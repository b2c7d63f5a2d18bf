//! The choice of engine and reduction, and its execution.
//!
//! There is one engine so far. The reduction is by all scalarsets whose elements were verified to be interchangeable;
//! the others are reported with the statement that tells their elements apart. A liveness property about the slots of a
//! multiset forbids reduction: the slots are sorted by content, so permuting elements mixes them.

use std::ops::ControlFlow;
use std::time::Instant;

use burnside_explicit::store::Store;
use burnside_explicit::{Config, Events, Exploration, Indexed, Known};
use burnside_lang::diag::{Diagnostic, codes};
use burnside_model::code::DomainId;
use burnside_model::system::{Binder, Machine, Outcome, PropertyKind};
use burnside_model::{Model, System};
use burnside_symmetry::{Action, Canonicaliser, Quotient, verify};

use crate::witness::{Confirmed, Lift, confirm};
use crate::{Failure, Options, Reduce};

/// How a model is checked.
pub(crate) struct Plan {
    /// The symmetry domains used; none means no reduction.
    pub domains: Vec<DomainId>,
    /// Why others are not.
    pub warnings: Vec<Diagnostic>,
}

/// The confirmed runs of every property's witnesses.
pub(crate) type AllConfirmed = Vec<Vec<Confirmed>>;

impl Plan {
    /// The plan for a model.
    pub fn new(model: &Model, options: &Options) -> Plan {
        let mut plan = Plan { domains: Vec::new(), warnings: Vec::new() };
        if options.reduce == Reduce::None {
            return plan;
        }
        let slots = model.properties.iter().find(|p| {
            p.kind == PropertyKind::Liveness && p.binders.iter().any(|b| matches!(b, Binder::Choose(..)))
        });
        if let Some(property) = slots
            && !model.types.domains.is_empty()
        {
            let message = "no symmetry is used, as a liveness property follows a slot of a multiset";
            plan.warnings.push(Diagnostic::warning(codes::SYMMETRY_REFUSED, property.span, message));
            return plan;
        }
        let refusals = verify::verify(model);
        let domains = (0..).map(DomainId).zip(&model.types.domains);
        plan.domains = domains
            .filter(|(id, domain)| domain.size > 1 && refusals.iter().all(|refusal| refusal.domain != *id))
            .map(|(id, _)| id)
            .collect();
        plan.warnings.extend(refusals.into_iter().map(|refusal| {
            let name = &model.types.domain(refusal.domain).name;
            let message = format!("`{name}` is not used as a symmetry");
            let warning = Diagnostic::warning(codes::SYMMETRY_REFUSED, refusal.span, message);
            match refusal.loop_span {
                Some(around) => warning.label(refusal.reason).also(around, "in this loop"),
                None => warning.label(refusal.reason),
            }
        }));
        plan
    }

    /// The reduction's name.
    pub fn reduction(&self) -> &'static str {
        if self.domains.is_empty() { "none" } else { "canonical" }
    }

    /// Explores the model and confirms what was found.
    pub fn execute(
        &self,
        model: &Model,
        options: &Options,
        begun: Instant,
        events: &mut dyn Events,
    ) -> Result<(Exploration, AllConfirmed), Failure> {
        let mut config = Config { limits: options.limits.clone(), deadlock: options.deadlock };
        config.limits.time = config.limits.time.map(|time| time.saturating_sub(begun.elapsed()));
        let machine = Machine::new(model, options.semantics);
        if self.domains.is_empty() {
            return explore(model, options, &config, machine, Lift(None), events);
        }
        let canonicaliser = Canonicaliser::new(Action::new(model, &self.domains));
        let closed = closed_start(model, options, &config, canonicaliser.clone());
        config.limits.time = options.limits.time.map(|time| time.saturating_sub(begun.elapsed()));
        let system = Quotient::new(machine, canonicaliser.clone());
        let (mut exploration, confirmed) =
            explore(model, options, &config, system, Lift(Some(canonicaliser)), events)?;
        exploration.full_states = exploration.full_states.filter(|_| closed);
        Ok((exploration, confirmed))
    }
}

/// Whether the start states are whole orbits, so that what is reachable is, too: whether there are as many of them as
/// their orbits have. Unknown, and so `false`, if a limit is hit.
fn closed_start(model: &Model, options: &Options, config: &Config, canonicaliser: Canonicaliser) -> bool {
    let part = config.limits.memory.map(|memory| memory / 4);
    let (mut states, mut orbits) = (Store::new(model, part), Store::new(model, part));
    let mut quotient = Quotient::new(Machine::new(model, options.semantics), canonicaliser);
    let mut machine = Machine::new(model, options.semantics);
    machine.set_deadline(config.limits.time.and_then(|time| Instant::now().checked_add(time)));
    let (mut total, mut known) = (0u128, true);
    let ran = machine.initial(&mut |step| {
        if let Outcome::State(state) = step.outcome {
            let (form, _) = quotient.canonical(state);
            known = match (states.insert(state, None), orbits.insert(&form, None)) {
                (Ok(_), Ok((_, false))) => true,
                (Ok(_), Ok((_, true))) => {
                    let sum = quotient.weight(&form).and_then(|weight| total.checked_add(weight));
                    total = sum.unwrap_or(total);
                    sum.is_some()
                }
                _ => false,
            };
        }
        if known { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    });
    ran.is_ok() && known && total == u128::from(states.len())
}

fn explore<S: Indexed>(
    model: &Model,
    options: &Options,
    config: &Config,
    mut system: S,
    mut lift: Lift,
    events: &mut dyn Events,
) -> Result<(Exploration, AllConfirmed), Failure> {
    let exploration = burnside_explicit::check(&mut system, config, events);
    let mut machine = Machine::new(model, options.semantics);
    let mut all = Vec::new();
    for property in &exploration.properties {
        let mut confirmed = Vec::new();
        if let Known::Violated(witnesses) = &property.known {
            for witness in witnesses {
                let index = property.index;
                confirmed.push(confirm(model, &mut machine, &mut lift, options.deadlock, index, witness)?);
            }
        }
        all.push(confirmed);
    }
    Ok((exploration, all))
}
