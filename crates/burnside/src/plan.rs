//! The choice of engine and reduction, and its execution.
//!
//! There is one engine so far: it explores state by state, over compiled code or the reference interpreter. The
//! reduction is by all scalarsets whose elements were verified to be interchangeable; the others are reported with the
//! statement that tells their elements apart. A liveness property about the slots of a multiset forbids reduction: the
//! slots are sorted by content, so permuting elements mixes them.

use std::ops::ControlFlow;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::time::Instant;

use burnside_explicit::store::{Reserve, Shape, Store, hash};
use burnside_explicit::{Config, Events, Exploration, Indexed, Known};
use burnside_lang::diag::{Diagnostic, codes};
use burnside_lang::source::Source;
use burnside_model::code::DomainId;
use burnside_model::system::{Batcher, Binder, Machine, Outcome, Packed, PropertyKind};
use burnside_model::{Model, Packing, System};
use burnside_native::Native;
use burnside_symmetry::{Action, Canon, PackedCanonicaliser, PackedQuotient, Quotient, verify};

use crate::witness::{Confirmed, Lift, confirm};
use crate::{Engine, Failure, Options, Reduce};

/// How a model is checked.
pub(crate) struct Plan {
    /// The symmetry domains used; none means no reduction.
    pub domains: Vec<DomainId>,
    /// Why others are not.
    pub warnings: Vec<Diagnostic>,
    /// How the representatives of orbits are chosen.
    pub canon: Canon,
}

/// The most permutations that are tried for each state.
const MOST_PERMUTATIONS: u128 = 3_628_800;

/// The confirmed runs of every property's witnesses.
pub(crate) type AllConfirmed = Vec<Vec<Confirmed>>;

impl Plan {
    /// The plan for a model.
    pub fn new(model: &Model, options: &Options) -> Plan {
        let mut plan = Plan { domains: Vec::new(), warnings: Vec::new(), canon: options.canon };
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
        match self.canon {
            _ if self.domains.is_empty() => "none",
            Canon::Refine => "canonical",
            other => other.name(),
        }
    }

    /// Whether every orbit has one representative.
    pub fn is_exact(&self) -> bool {
        self.domains.is_empty() || self.canon.is_exact()
    }

    /// The engine's name.
    pub fn engine(&self, options: &Options) -> &'static str {
        match options.engine {
            Engine::Auto | Engine::Explicit => "explicit",
            Engine::Interpreter => "interpreter",
        }
    }

    /// Explores the model and confirms what was found.
    pub fn execute(
        &self,
        model: &Model,
        source: &Source,
        options: &Options,
        begun: Instant,
        events: &mut dyn Events,
    ) -> Result<(Exploration, AllConfirmed), Failure> {
        let Some(packing) = Packing::new(model) else {
            let message = "a variable has more than 2^63 values: give it a smaller range";
            return Err(Failure::Refused(message.to_owned()));
        };
        let native = match options.engine {
            Engine::Auto | Engine::Explicit => compile(model, &packing, options, events),
            Engine::Interpreter => None,
        };
        let mut run =
            Run { model, options, packing: &packing, config: self.config(source, options, &packing), native };
        run.config.limits.time = options.limits.time.map(|time| time.saturating_sub(begun.elapsed()));
        if self.domains.is_empty() {
            let mut batcher = || run.batcher();
            return run.explore(&mut batcher, &mut run.machine(), Lift(None), events);
        }
        let action = Action::new(model, &self.domains);
        self.refuse(&action, options)?;
        let exact = PackedCanonicaliser::new(&packing, action.clone());
        let chooser = PackedCanonicaliser::with(&packing, action, self.canon);
        let closed = run.closed_start(exact.clone());
        run.config.limits.time = options.limits.time.map(|time| time.saturating_sub(begun.elapsed()));
        if self.canon.remembers() {
            run.config.threads = 1;
        }
        let lift = Lift(Some(exact.clone()));
        let (mut exploration, confirmed) = match self.canon.is_approximate() {
            true => run.explore_approximately(chooser.clone(), exact, lift, events)?,
            false => run.explore_orbits(&chooser, lift, events)?,
        };
        exploration.full_states = exploration.full_states.filter(|_| closed && self.is_exact());
        exploration.states = chooser.reached().unwrap_or(exploration.states);
        Ok((exploration, confirmed))
    }

    /// Whether representatives can be chosen in the wanted way.
    fn refuse(&self, action: &Action, options: &Options) -> Result<(), Failure> {
        let canon = self.canon.name();
        if self.canon.remembers()
            && (options.compact || options.checkpoint.is_some() || options.resume.is_some())
        {
            let message =
                format!("`--canon {canon}` remembers states, which `--compact` and checkpoints do not");
            return Err(Failure::Refused(message));
        }
        if self.canon.sorts() && !action.permutes_blocks() {
            let message = format!("`--canon {canon}` sorts, but not all permutations are symmetries");
            return Err(Failure::Refused(message));
        }
        if self.canon.enumerates() && action.order().is_none_or(|order| order > MOST_PERMUTATIONS) {
            let order = action.order_string();
            let message = format!("there are {order} permutations, too many to try with `--canon {canon}`");
            return Err(Failure::Refused(message));
        }
        Ok(())
    }

    /// What the engine is told.
    fn config(&self, source: &Source, options: &Options, packing: &Packing) -> Config {
        // Everything on which the states, their order and the result depend. Limits of time and memory may change.
        let identity = format!(
            "{:?}",
            (
                (env!("CARGO_PKG_VERSION"), source.text(), &options.constants, options.semantics),
                (
                    options.deadlock,
                    &self.domains,
                    self.canon,
                    options.limits.bound,
                    options.limits.max_errors
                ),
                packing,
            )
        );
        let words: Vec<_> = identity
            .as_bytes()
            .chunks(8)
            .map(|bytes| bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)))
            .collect();
        Config {
            limits: options.limits.clone(),
            deadlock: options.deadlock,
            threads: options.threads.get(),
            compact: options.compact,
            checkpoint: options.checkpoint.clone().map(|file| (file, options.checkpoint_every)),
            resume: options.resume.clone(),
            identity: hash(&words),
        }
    }
}

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
fn compile(model: &Model, packing: &Packing, options: &Options, events: &mut dyn Events) -> Option<Native> {
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

/// One exploration of a model.
struct Run<'r> {
    model: &'r Model,
    options: &'r Options,
    packing: &'r Packing,
    config: Config,
    /// The model as machine code, unless the interpreter is asked for.
    native: Option<Native>,
}

impl Run<'_> {
    /// The model, executed by the reference interpreter.
    fn machine(&self) -> Machine<'_> {
        Machine::new(self.model, self.options.semantics)
    }

    /// What carries out the model on packed states, one per thread.
    fn batcher(&self) -> Box<dyn Batcher + '_> {
        match &self.native {
            Some(native) => Box::new(native.runner()),
            None => Box::new(Packed::new(self.machine(), self.packing)),
        }
    }

    /// Explores the orbits of the model by their chosen representatives.
    fn explore_orbits(
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
    fn explore_approximately(
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
    fn explore<B: Batcher, L: Indexed>(
        &self,
        batcher: &mut dyn FnMut() -> B,
        indexed: &mut L,
        mut lift: Lift,
        events: &mut dyn Events,
    ) -> Result<(Exploration, AllConfirmed), Failure> {
        let exploration = self.search(batcher, indexed, events)?;
        let (model, options) = (self.model, self.options);
        let mut machine = self.machine();
        let mut all = Vec::new();
        for property in &exploration.properties {
            let mut confirmed = Vec::new();
            if let Known::Violated(witnesses) = &property.known {
                for witness in witnesses {
                    let index = property.index;
                    confirmed.push(confirm(
                        model,
                        &mut machine,
                        &mut lift,
                        options.deadlock,
                        index,
                        witness,
                    )?);
                }
            }
            all.push(confirmed);
        }
        Ok((exploration, all))
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
    fn closed_start(&self, canonicaliser: PackedCanonicaliser) -> bool {
        let limits = &self.config.limits;
        let shape = Shape::new(self.packing.words(), limits.memory.map(|memory| memory / 4));
        let (mut states, mut orbits) = (Store::new(shape.clone()), Store::new(shape));
        let (mut reserves, mut words) =
            ((Reserve::default(), Reserve::default()), vec![0; self.packing.words()]);
        let mut quotient = Quotient::new(self.machine(), canonicaliser);
        let mut machine = self.machine();
        machine.set_deadline(limits.time.and_then(|time| Instant::now().checked_add(time)));
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
