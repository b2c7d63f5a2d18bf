//! One exploration of a model, and the execution of what it found.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use burnside_explicit::adaptive::Task;
use burnside_explicit::store::{Reserve, Shape, Store};
use burnside_explicit::{Config, Ending, Events, Exploration, Indexed, Known, PropertyResult, Witness};
use burnside_model::system::{Batcher, Machine, Outcome, Packed, PropertyKind};
use burnside_model::{Model, Packing, System};
use burnside_native::Native;
use burnside_symmetry::partial::Invariance;
use burnside_symmetry::{PackedCanonicaliser, PackedQuotient, Quotient};

use crate::witness::{Confirmed, End, Lift, confirm};
use crate::{Failure, Options, lasso, partial};

/// The confirmed runs of every property's witnesses.
pub(crate) type AllConfirmed = Vec<Vec<Confirmed>>;

/// Runs that show why properties hold, by check.
pub(crate) type Shown = Vec<(usize, Witness)>;

/// What an approximate search found to hold, or never to happen, may be otherwise; what is violated is.
fn doubt(exploration: &mut Exploration) {
    for property in &mut exploration.properties {
        let certain = match (&property.known, property.kind) {
            (Known::Holds, kind) => kind == PropertyKind::Cover,
            (Known::Violated(_), kind) => !matches!(kind, PropertyKind::Cover | PropertyKind::Liveness),
            (Known::Unknown, _) => true,
        };
        if !certain {
            property.known = Known::Unknown;
        }
    }
}

/// The model as machine code; says what has to be interpreted after all.
pub(crate) fn compile(
    model: &Model,
    packing: &Packing,
    options: &Options,
    events: &mut dyn Events,
) -> Option<Native> {
    let make = AssertUnwindSafe(|| Native::new(model, packing, options.semantics));
    let compiled = catch_unwind(make).unwrap_or_else(|_| Err("the compiler failed".to_owned()));
    match compiled {
        Ok(native) => {
            for (rule, reason) in native.fallbacks() {
                events.warning(&format!("rule \"{rule}\" is interpreted, not compiled: {reason}"));
            }
            Some(native)
        }
        Err(reason) => {
            events.warning(&format!("the model is interpreted, not compiled: {reason}"));
            None
        }
    }
}

/// What is left of a result if the symmetry may be none: a run that was executed, and nothing else.
fn weaken(property: &mut PropertyResult, confirmed: &mut Vec<Confirmed>) {
    confirmed.retain(|run| match &run.end {
        End::NeverAgain(_) => false,
        End::Temporal(shown) => shown.complete,
        End::Invariant | End::Fault(_) | End::Deadlock => true,
    });
    if confirmed.is_empty() {
        property.known = Known::Unknown;
    }
}

/// One exploration of a model.
pub(crate) struct Run<'r> {
    pub model: &'r Model,
    /// The model on which violations are confirmed.
    pub original: &'r Model,
    /// Whether the symmetry may be none, and so a violation.
    pub trusting: bool,
    pub options: &'r Options,
    pub packing: &'r Packing,
    pub config: Config,
    /// The model as machine code, unless the interpreter is asked for.
    pub native: Option<Native>,
}

impl Run<'_> {
    /// The model, executed by the reference interpreter.
    pub fn machine(&self) -> Machine<'_> {
        Machine::new(self.model, self.options.semantics)
    }

    /// What carries out the model on packed states, one per thread.
    pub fn batcher(&self) -> Box<dyn Batcher + '_> {
        match &self.native {
            Some(native) => Box::new(native.runner()),
            None => Box::new(Packed::new(self.machine(), self.packing)),
        }
    }

    /// Explores the orbits of the model by their chosen representatives.
    pub fn explore_orbits(
        &self,
        chooser: &PackedCanonicaliser,
        lift: Lift,
        events: &mut dyn Events,
    ) -> Result<(Exploration, AllConfirmed), Failure> {
        let mut batcher = || PackedQuotient::new(self.batcher(), chooser.clone());
        let mut indexed = Quotient::new(self.machine(), chooser.clone());
        self.explore(&mut batcher, &mut indexed, lift, events)
    }

    /// The same where different orbits may be taken for one. Every state that is met can be reached, so that a violation
    /// is one, but not always along the stored steps: an exact search down to where it was met tells its run.
    pub fn explore_approximately(
        &mut self,
        chooser: PackedCanonicaliser,
        exact: PackedCanonicaliser,
        lift: Lift,
        events: &mut dyn Events,
    ) -> Result<(Exploration, AllConfirmed), Failure> {
        let mut batcher = || PackedQuotient::new(self.batcher(), chooser.clone());
        let mut indexed = Quotient::new(self.machine(), chooser.clone());
        let mut exploration = self.search(&mut batcher, &mut indexed, events)?;
        doubt(&mut exploration);
        if exploration.properties.iter().all(|property| !matches!(property.known, Known::Violated(_))) {
            let none = exploration.properties.iter().map(|_| Vec::new()).collect();
            return Ok((exploration, none));
        }
        let bound = self.config.limits.bound.unwrap_or(u64::MAX);
        self.config.limits.bound = Some(bound.min(exploration.depth));
        // What the model printed was printed before.
        let (mut exploration, mut confirmed) = self.explore_orbits(&exact, lift, &mut ())?;
        doubt(&mut exploration);
        for (property, confirmed) in exploration.properties.iter().zip(&mut confirmed) {
            if property.known == Known::Unknown {
                confirmed.clear();
            }
        }
        Ok((exploration, confirmed))
    }

    /// Explores a system and confirms what was found.
    pub fn explore<B: Batcher, L: Indexed>(
        &self,
        batcher: &mut dyn FnMut() -> B,
        indexed: &mut L,
        lift: Lift,
        events: &mut dyn Events,
    ) -> Result<(Exploration, AllConfirmed), Failure> {
        let mut exploration = self.search(batcher, indexed, events)?;
        let shown = exploration.temporal.as_mut().map(|temporal| std::mem::take(&mut temporal.shown));
        self.show(self.confirm(exploration, lift)?, shown.unwrap_or_default())
    }

    /// Explores adaptively; nothing if that does not pay.
    pub fn adapt(&self, left: &Invariance, events: &mut dyn Events) -> Option<Exploration> {
        let trial = partial::on_trial(self.options);
        let (model, packing, config) = (self.model, self.packing, &self.config);
        let task = Task { model, packing, invariance: left, config, trial };
        partial::explore(&task, &mut self.batcher(), events).ok()
    }

    /// Executes every witness.
    pub fn confirm(
        &self,
        mut exploration: Exploration,
        mut lift: Lift,
    ) -> Result<(Exploration, AllConfirmed), Failure> {
        let options = self.options;
        let mut machine = Machine::new(self.original, self.options.semantics);
        let mut all = Vec::new();
        for property in &mut exploration.properties {
            let mut confirmed = Vec::new();
            if let Known::Violated(witnesses) = &property.known {
                for witness in witnesses {
                    let (machine, lift) = (&mut machine, &mut lift);
                    match confirm(self.original, machine, lift, options.deadlock, property.index, witness) {
                        Ok(run) => confirmed.push(run),
                        Err(_) if self.trusting => {}
                        Err(wrong) => return Err(wrong),
                    }
                }
            }
            if self.trusting {
                weaken(property, &mut confirmed);
            }
            all.push(confirmed);
        }
        Ok((exploration, all))
    }

    /// Executes the runs that show why formulas hold.
    pub fn show(
        &self,
        (exploration, mut confirmed): (Exploration, AllConfirmed),
        shown: Shown,
    ) -> Result<(Exploration, AllConfirmed), Failure> {
        let mut machine = Machine::new(self.original, self.options.semantics);
        for (check, witness) in shown {
            let PropertyResult { known, index: Some(index), .. } = &exploration.properties[check] else {
                continue;
            };
            if let (Known::Holds, Ending::Temporal(lasso)) = (known, &witness.ending) {
                let executed =
                    lasso::execute(self.original, &mut machine, *index, &witness.path, lasso, true);
                let trace = match executed {
                    Ok(trace) => trace,
                    Err(_) if self.trusting => continue,
                    Err(why) => {
                        let message = format!("a run of a formula could not be confirmed: {why}");
                        return Err(Failure::Internal(message));
                    }
                };
                confirmed[check].push(Confirmed { trace, end: End::Temporal(lasso.clone()) });
            }
        }
        Ok((exploration, confirmed))
    }

    /// Explores a system.
    fn search<B: Batcher, L: Indexed>(
        &self,
        batcher: &mut dyn FnMut() -> B,
        indexed: &mut L,
        events: &mut dyn Events,
    ) -> Result<Exploration, Failure> {
        let explored =
            burnside_explicit::check(self.model, self.packing, batcher, indexed, &self.config, events);
        explored.map_err(|error| {
            let file = self.options.resume.as_deref().unwrap_or(Path::new("the checkpoint")).display();
            Failure::Refused(format!("cannot resume from {file}: {error}"))
        })
    }

    /// Whether the start states are whole orbits, so that what is reachable is, too: whether there are as many of them
    /// as their orbits have. Unknown, and so `false`, if a limit is hit.
    pub fn closed_start(&self, canonicaliser: PackedCanonicaliser) -> bool {
        let limits = &self.config.limits;
        let shape = Shape::new(self.packing.words(), limits.memory.map(|memory| memory / 4));
        let (mut states, mut orbits) = (Store::new(shape.clone()), Store::new(shape));
        let (mut reserves, mut words) =
            ((Reserve::default(), Reserve::default()), vec![0; self.packing.words()]);
        let mut quotient = Quotient::new(self.machine(), canonicaliser);
        let mut machine = self.machine();
        machine.set_deadline(limits.deadline());
        let (mut total, mut known) = (0u128, true);
        let ran = machine.initial(&mut |step| {
            if let Outcome::State(state) = step.outcome {
                let (form, _) = quotient.canonical(state);
                self.packing.pack(state, &mut words);
                let state = states.add(&words, &mut reserves.0);
                self.packing.pack(&form, &mut words);
                known = match (state, orbits.add(&words, &mut reserves.1)) {
                    (Ok(_), Ok(None)) => true,
                    (Ok(_), Ok(Some(_))) => {
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
}
