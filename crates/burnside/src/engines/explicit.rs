//! The explicit engine: state by state, over machine code or the reference interpreter.

use std::path::Path;

use burnside_explicit::store::hash;
use burnside_explicit::{Config, Indexed};
use burnside_model::findings::{Findings, Known};
use burnside_model::system::{Batcher, Machine, Packed, PropertyKind};
use burnside_model::{Count, Events, Packing};
use burnside_native::Native;
use burnside_symmetry::{Action, PackedCanonicaliser, PackedQuotient, Quotient};

use super::closed::closed_start;
use super::{Engine, Task};
use crate::certificate::Writer;
use crate::{Failure, Options};

/// The most permutations that are tried for each state.
const MOST_PERMUTATIONS: u128 = 3_628_800;

/// Explores the states one by one.
pub(crate) struct Explicit {
    /// Whether rules are compiled to machine code, not interpreted.
    pub compiled: bool,
}

impl Engine for Explicit {
    fn name(&self) -> &'static str {
        if self.compiled { "explicit" } else { "interpreter" }
    }

    fn refuses(&self, task: &Task<'_>) -> Option<String> {
        let (plan, options) = (task.plan, task.options);
        if plan.domains.is_empty() {
            return None;
        }
        let exact = !plan.trusting() && plan.is_exact();
        if options.certificate.is_some() && !exact {
            let why = "a certificate is only possible of verified symmetry and exact representatives";
            return Some(why.to_owned());
        }
        let remembers = plan.canon.remembers();
        if remembers && (options.compact || options.checkpoint.is_some() || options.resume.is_some()) {
            let canon = plan.canon.name();
            return Some(format!(
                "`--canon {canon}` remembers states, which `--compact` and checkpoints do not"
            ));
        }
        unsuited(plan.canon, &plan.action(task.model))
    }

    fn run(&self, task: &Task<'_>, events: &mut dyn Events) -> Result<Option<Findings>, Failure> {
        let packing = task.packing()?;
        let mut searcher = Searcher::new(task, &packing, self.compiled, events);
        let plan = task.plan;
        if plan.domains.is_empty() {
            let mut batcher = || searcher.batcher();
            let mut found = searcher.search(&mut batcher, &mut searcher.machine(), events)?;
            certify(task, &mut found, None, events)?;
            return Ok(Some(found));
        }
        let exact = PackedCanonicaliser::new(&packing, plan.action(task.model));
        let chooser = PackedCanonicaliser::with(&packing, plan.action(task.model), plan.canon);
        if plan.canon.is_approximate() || plan.canon.remembers() {
            let canon = plan.canon.name();
            searcher.config.without_formulas =
                Some(format!("temporal formulas are not decided with `--canon {canon}`"));
        }
        let deadline = task.limits.deadline();
        let closed = closed_start(task, &packing, exact.clone());
        searcher.config.limits.time = deadline.left();
        if plan.canon.remembers() {
            searcher.config.threads = 1;
        }
        let mut found = match plan.canon.is_approximate() {
            true => searcher.search_approximately(&chooser, &exact, events)?,
            false => searcher.search_orbits(&chooser, events)?,
        };
        found.full_states = found.full_states.filter(|_| closed && plan.is_exact() && !plan.trusting());
        found.exact = plan.is_exact();
        found.states = chooser.reached().map_or(found.states, Count::from);
        certify(task, &mut found, Some(chooser), events)?;
        Ok(Some(found))
    }

    fn lift(&self, task: &Task<'_>) -> Option<PackedCanonicaliser> {
        lift(task)
    }
}

/// Representatives are compared with other states by the exact canonical form.
pub(super) fn lift(task: &Task<'_>) -> Option<PackedCanonicaliser> {
    let packing = task.packing().ok().filter(|_| !task.plan.domains.is_empty())?;
    Some(PackedCanonicaliser::new(&packing, task.plan.action(task.model)))
}

/// Why representatives cannot be chosen in some way.
fn unsuited(canon: crate::Canon, action: &Action) -> Option<String> {
    let name = canon.name();
    if canon.sorts() && !action.permutes_blocks() {
        return Some(format!("`--canon {name}` sorts, but not all permutations are symmetries"));
    }
    if canon.enumerates() && action.order().is_none_or(|order| order > MOST_PERMUTATIONS) {
        let order = action.order_string();
        return Some(format!("there are {order} permutations, too many to try with `--canon {name}`"));
    }
    None
}

/// Writes the certificate, if one is wanted.
fn certify(
    task: &Task<'_>,
    found: &mut Findings,
    canonicaliser: Option<PackedCanonicaliser>,
    events: &mut dyn Events,
) -> Result<(), Failure> {
    let Some(file) = &task.options.certificate else { return Ok(()) };
    found.leave_faulty_open();
    let Task { source, model, original, options, plan, .. } = *task;
    let writer = Writer { source, model, original, options, domains: &plan.domains };
    match writer.certificate(found, canonicaliser)? {
        Some(certificate) => crate::files::replace(file, certificate.to_string().as_bytes())
            .map_err(|error| Failure::Refused(format!("cannot write {}: {error}", file.display()))),
        None => {
            events.warning("no certificate is written: not everything was explored");
            Ok(())
        }
    }
}

/// What searches a model: its machine code, if it has any, and the settings.
pub(super) struct Searcher<'s> {
    task: &'s Task<'s>,
    packing: &'s Packing,
    native: Option<Native>,
    pub config: Config,
}

impl<'s> Searcher<'s> {
    pub fn new(task: &'s Task<'s>, packing: &'s Packing, compiled: bool, events: &mut dyn Events) -> Self {
        let deadline = task.limits.deadline();
        let native = compiled.then(|| compile(task, packing, events)).flatten();
        let mut config = config(task, packing);
        config.limits.time = deadline.left();
        Searcher { task, packing, native, config }
    }

    /// The model, executed by the reference interpreter.
    pub fn machine(&self) -> Machine<'s> {
        Machine::new(self.task.model, self.task.options.semantics)
    }

    /// What carries out the model on packed states, one per thread.
    pub fn batcher(&self) -> Box<dyn Batcher + '_> {
        match &self.native {
            Some(native) => Box::new(native.runner()),
            None => Box::new(Packed::new(self.machine(), self.packing)),
        }
    }

    /// Explores a system.
    fn search<B: Batcher, L: Indexed>(
        &self,
        batcher: &mut dyn FnMut() -> B,
        indexed: &mut L,
        events: &mut dyn Events,
    ) -> Result<Findings, Failure> {
        let model = self.task.model;
        let found = burnside_explicit::check(model, self.packing, batcher, indexed, &self.config, events);
        found.map_err(|error| {
            let file = self.task.options.resume.as_deref().unwrap_or(Path::new("the checkpoint")).display();
            Failure::Refused(format!("cannot resume from {file}: {error}"))
        })
    }

    /// Explores the orbits of the model by their chosen representatives.
    fn search_orbits(
        &self,
        chooser: &PackedCanonicaliser,
        events: &mut dyn Events,
    ) -> Result<Findings, Failure> {
        let mut batcher = || PackedQuotient::new(self.batcher(), chooser.clone());
        let mut indexed = Quotient::new(self.machine(), chooser.clone());
        self.search(&mut batcher, &mut indexed, events)
    }

    /// The same where different orbits may be taken for one. Every state that is met can be reached, so that a violation
    /// is one, but not always along the stored steps: an exact search down to where it was met tells its run.
    fn search_approximately(
        &mut self,
        chooser: &PackedCanonicaliser,
        exact: &PackedCanonicaliser,
        events: &mut dyn Events,
    ) -> Result<Findings, Failure> {
        let deadline = self.config.limits.deadline();
        let mut found = self.search_orbits(chooser, events)?;
        doubt(&mut found);
        if found.properties.iter().all(|property| !matches!(property.known, Known::Violated(_))) {
            return Ok(found);
        }
        let bound = self.config.limits.bound.unwrap_or(u64::MAX);
        self.config.limits.bound = Some(bound.min(found.depth.unwrap_or(u64::MAX)));
        self.config.limits.time = deadline.left();
        // What the model printed was printed before.
        let mut found = self.search_orbits(exact, &mut ())?;
        doubt(&mut found);
        Ok(found)
    }
}

/// What an approximate search found to hold, or never to happen, may be otherwise; what is violated is.
fn doubt(found: &mut Findings) {
    for property in &mut found.properties {
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
fn compile(task: &Task<'_>, packing: &Packing, events: &mut dyn Events) -> Option<Native> {
    match Native::new(task.model, packing, task.options.semantics) {
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

/// What the search is told.
pub(super) fn config(task: &Task<'_>, packing: &Packing) -> Config {
    let Options { checkpoint, checkpoint_every, resume, certificate, .. } = task.options;
    Config {
        limits: task.limits.clone(),
        deadlock: task.options.deadlock,
        threads: task.options.threads.get(),
        compact: task.options.compact,
        checkpoint: checkpoint.clone().map(|file| (file, *checkpoint_every)),
        resume: resume.clone(),
        keep: certificate.is_some(),
        identity: identity(task, packing),
        ..Config::default()
    }
}

/// A hash of everything on which the states, their order and the result depend. Limits of time and memory may change.
fn identity(task: &Task<'_>, packing: &Packing) -> u64 {
    let Task { source, model, options, plan, .. } = task;
    let domains: Vec<_> = plan.domains.iter().map(|domain| model.types.domain(*domain)).collect();
    let text = format!(
        "{:?}",
        (
            (env!("CARGO_PKG_VERSION"), source.text(), &options.constants, options.semantics),
            (
                options.deadlock,
                (domains, &plan.generators, plan.canon),
                options.limits.bound,
                options.limits.max_errors
            ),
            packing,
        )
    );
    let words: Vec<_> = text
        .as_bytes()
        .chunks(8)
        .map(|bytes| bytes.iter().fold(0, |word, byte| word << 8 | u64::from(*byte)))
        .collect();
    hash(&words)
}
