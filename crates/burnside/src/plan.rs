//! The choice of engine and reduction, and its execution.
//!
//! There is one engine so far. The reduction is by all scalarsets whose elements were verified to be interchangeable;
//! the others are reported with the statement that tells their elements apart. A liveness property about the slots of a
//! multiset forbids reduction: the slots are sorted by content, so permuting elements mixes them.

use std::time::Instant;

use burnside_explicit::{Config, Events, Exploration, Indexed, Known};
use burnside_lang::diag::{Diagnostic, codes};
use burnside_model::Model;
use burnside_model::code::DomainId;
use burnside_model::system::{Binder, Machine, PropertyKind};

use crate::witness::{Confirmed, Lift, Unreduced, confirm};
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
        explore(model, options, &config, machine, &mut Unreduced, events)
    }
}

fn explore<S: Indexed>(
    model: &Model,
    options: &Options,
    config: &Config,
    mut system: S,
    lift: &mut dyn Lift,
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
                confirmed.push(confirm(model, &mut machine, lift, options.deadlock, index, witness)?);
            }
        }
        all.push(confirmed);
    }
    Ok((exploration, all))
}
