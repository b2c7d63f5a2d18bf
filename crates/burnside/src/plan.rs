//! The choice of engine and reduction.
//!
//! There is one engine so far: it explores state by state, over compiled code or the reference interpreter. The
//! reduction is by all scalarsets whose elements were verified to be interchangeable; the others are reported with the
//! statement that tells their elements apart. A liveness property or fairness about the slots of a multiset forbids reduction:
//! the slots are sorted by content, so permuting elements mixes them.

use std::time::Instant;

use burnside_explicit::store::hash;
use burnside_explicit::{Config, Events, Exploration};
use burnside_lang::diag::{Diagnostic, codes};
use burnside_lang::source::Source;
use burnside_model::code::DomainId;
use burnside_model::system::{Binder, PropertyKind};
use burnside_model::{Model, Packing, Span};
use burnside_symbolic::on_the_fly::OnTheFly;
use burnside_symbolic::reduce::quotient::Reduction;
use burnside_symmetry::partial::Invariance;
use burnside_symmetry::{Action, Canon, Claimed, Fate, PackedCanonicaliser, Permutation, verify};

use crate::certificate::Writer;
use crate::run::{AllConfirmed, Run, compile};
use crate::witness::Lift;
use crate::{Engine, Failure, Options, Reduce, counting, on_the_fly, partial, symbolic};

/// How a model is checked.
pub(crate) struct Plan {
    /// The symmetry domains used; none means no reduction.
    pub domains: Vec<DomainId>,
    /// Those of them that could not be verified: `--trust-symmetry`.
    pub trusted: Vec<DomainId>,
    /// If not all permutations of the domains are used: what generates those that are.
    pub generators: Option<Vec<Permutation>>,
    /// The names of claimed generators that could not be verified: `--trust-symmetry`.
    pub trusted_generators: Vec<String>,
    /// Why others are not.
    pub warnings: Vec<Diagnostic>,
    /// If only some rules break the symmetry: what each leaves of it. The search adapts to that.
    pub partial: Option<Invariance>,
    /// How the representatives of orbits are chosen.
    pub canon: Canon,
    /// If they are chosen on the fly: by which permutations.
    pub on_the_fly: Option<OnTheFly>,
}

/// The most permutations that are tried for each state.
const MOST_PERMUTATIONS: u128 = 3_628_800;

/// What was found; nothing if the plan was not worthwhile.
pub(crate) type Done = Option<(Exploration, AllConfirmed)>;

impl Plan {
    /// The plan for a model; `adapts` if symmetry that only some rules break may be used.
    pub fn new(model: &Model, options: &Options, adapts: bool) -> Plan {
        Plan::leaving(model, options, &[], adapts)
    }

    /// The plan for a model that does not speak of some domains.
    fn leaving(model: &Model, options: &Options, aside: &[DomainId], adapts: bool) -> Plan {
        let mut plan = Plan {
            domains: Vec::new(),
            trusted: Vec::new(),
            generators: None,
            trusted_generators: Vec::new(),
            warnings: Vec::new(),
            partial: None,
            canon: options.canon,
            on_the_fly: None,
        };
        if options.unreduced() {
            return plan;
        }
        if let Some(slots) = follows_slots(model)
            && !model.types.domains.is_empty()
        {
            let message =
                "no symmetry is used, as a liveness property or fair rule follows a slot of a multiset";
            plan.warnings.push(Diagnostic::warning(codes::SYMMETRY_REFUSED, slots, message));
            return plan;
        }
        let mut refusals = verify::verify(model);
        refusals.retain(|refusal| !aside.contains(&refusal.domain));
        let domains = (0..).map(DomainId).zip(&model.types.domains);
        plan.domains = domains.filter(|(_, domain)| domain.size > 1).map(|(id, _)| id).collect();
        plan.domains.retain(|domain| !aside.contains(domain));
        plan.trusted = plan.domains.clone();
        plan.trusted.retain(|domain| refusals.iter().any(|refusal| refusal.domain == *domain));
        if !options.trust_symmetry {
            plan.domains.retain(|domain| !plan.trusted.contains(domain));
            plan.trusted.clear();
        }
        // Asked for, it is done even where nothing is broken.
        let asked = options.reduce == Reduce::Adaptive;
        let broken = |domain| refusals.iter().any(|refusal| refusal.domain == domain);
        if adapts && partial::obstacle(model, options).is_none() {
            plan.partial = partial::left(model, asked, &broken);
        }
        let adapts = |domain| plan.partial.as_ref().is_some_and(|left| left.domains.contains(&domain));
        let warnings = refusals.into_iter().map(|refusal| {
            let name = &model.types.domain(refusal.domain).name;
            let message = match options.trust_symmetry {
                true => format!("`{name}` is used as a symmetry, but could not be verified"),
                false if adapts(refusal.domain) => format!("`{name}` is a symmetry only in part"),
                false => format!("`{name}` is not used as a symmetry"),
            };
            let warning = Diagnostic::warning(codes::SYMMETRY_REFUSED, refusal.span, message);
            match refusal.loop_span {
                Some(around) => warning.label(refusal.reason).also(around, "in this loop"),
                None => warning.label(refusal.reason),
            }
        });
        plan.warnings = warnings.collect();
        if options.engine == Engine::Count {
            let (counted, warnings) = counting::counted(model, &plan.domains);
            plan.domains = counted;
            plan.warnings.extend(warnings);
        }
        plan
    }

    /// The same with claimed generators, in the model that they were judged in.
    pub fn with_generators(claimed: &Claimed, options: &Options) -> Plan {
        let trust = options.trust_symmetry;
        let theirs = claimed.domains(trust);
        // That not all permutations of their elements are symmetries goes without saying.
        let mut plan = Plan::leaving(&claimed.model, options, &claimed.all_domains(), false);
        let refused = claimed.model.generators.iter().zip(&claimed.fates);
        plan.trusted_generators = refused
            .filter(|(_, fate)| trust && matches!(fate, Fate::Refused(_)))
            .map(|(generator, _)| generator.name.clone())
            .collect();
        plan.domains.extend(theirs);
        plan.domains.sort_unstable();
        plan.domains.dedup();
        plan.generators = Some(claimed.generators(&plan.domains, trust));
        plan
    }

    /// The plan for what generates the symmetry between named things; it has been checked.
    pub fn between_named(domains: &[DomainId], generators: Vec<Permutation>, options: &Options) -> Plan {
        let domains = if generators.is_empty() { Vec::new() } else { domains.to_vec() };
        Plan {
            domains,
            trusted: Vec::new(),
            generators: Some(generators),
            trusted_generators: Vec::new(),
            warnings: Vec::new(),
            partial: None,
            canon: options.canon,
            on_the_fly: None,
        }
    }

    /// The plan to choose representatives on the fly.
    pub fn on_the_fly(model: &Model, options: &Options) -> Plan {
        let (how, warnings) = on_the_fly::candidates(model, options);
        Plan { on_the_fly: Some(how), warnings, ..Plan::between_named(&[], Vec::new(), options) }
    }

    /// Whether it rests on symmetry that was not verified.
    pub fn trusting(&self) -> bool {
        !self.trusted.is_empty() || !self.trusted_generators.is_empty()
    }

    /// The symmetry used.
    pub fn action(&self, model: &Model) -> Action {
        match &self.generators {
            Some(generators) => Action::generated(model, &self.domains, generators),
            None => Action::new(model, self.symmetry()),
        }
    }

    /// The domains whose symmetry is used, wholly or in part.
    pub fn symmetry(&self) -> &[DomainId] {
        self.partial.as_ref().map_or(&self.domains, |left| &left.domains)
    }

    /// The reduction's name.
    pub fn reduction(&self, options: &Options) -> &'static str {
        match (&self.partial, self.canon) {
            (Some(_), _) => "adaptive",
            _ if self.on_the_fly.is_some() => "on-the-fly",
            _ if self.domains.is_empty() => "none",
            _ if let Reduce::Diagrams(kind) = options.reduce => kind.name(),
            _ if options.engine == Engine::Count => "counting",
            (None, Canon::Refine) => "canonical",
            (None, other) => other.name(),
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
            Engine::Bdd => "bdd",
            Engine::Count => "count",
        }
    }

    /// Explores the model and confirms what was found on the `original`: the same model without detected symmetry.
    /// Nothing if adapting to partial symmetry does not pay.
    pub fn execute(
        &self,
        model: &Model,
        original: &Model,
        source: &Source,
        options: &Options,
        begun: Instant,
        events: &mut dyn Events,
    ) -> Result<Done, Failure> {
        let Some(packing) = Packing::new(model) else {
            let message = "a variable has more than 2^63 values: give it a smaller range";
            return Err(Failure::Refused(message.to_owned()));
        };
        let native = match options.engine {
            Engine::Auto | Engine::Explicit => compile(model, &packing, options, events),
            Engine::Interpreter | Engine::Bdd | Engine::Count => None,
        };
        let config = self.config(model, source, options, &packing);
        let trusting = self.trusting();
        let mut run = Run { model, original, trusting, options, packing: &packing, config, native };
        if options.reduce == Reduce::Adaptive
            && let Some(obstacle) = partial::obstacle(model, options)
        {
            return Err(Failure::Refused(format!("--reduce adaptive is not possible: {obstacle}")));
        }
        if options.reduce == Reduce::Adaptive && self.partial.is_none() {
            let message = "--reduce adaptive is not possible: no rule leaves any symmetry";
            return Err(Failure::Refused(message.to_owned()));
        }
        run.config.limits.time = options.limits.time.map(|time| time.saturating_sub(begun.elapsed()));
        if options.engine == Engine::Bdd {
            let reduction = self.reduction_of_diagrams(model, options)?;
            let lift = reduction.as_ref().map(|by| PackedCanonicaliser::new(&packing, by.action.clone()));
            let (mut found, shown) = symbolic::explore(&run, reduction, self.on_the_fly.clone(), events)?;
            if let Some(lift) = &lift {
                let summed = found.full_states.filter(|_| !trusting);
                found.full_states = summed.filter(|_| run.closed_start(lift.clone()));
            }
            return run.show(run.confirm(found, Lift(lift))?, shown).map(Some);
        }
        if options.engine == Engine::Count {
            // Counts know no smaller group than all permutations.
            if self.generators.is_some() {
                let message = "--engine count is not possible: not all permutations are symmetries";
                return Err(Failure::Refused(message.to_owned()));
            }
            let lift = PackedCanonicaliser::new(&packing, self.action(model));
            let (mut found, shown) = counting::explore(&run, source, &self.domains, events)?;
            let summed = found.full_states;
            found.full_states = summed.filter(|_| run.closed_start(lift.clone()));
            return run.show(run.confirm(found, Lift(Some(lift)))?, shown).map(Some);
        }
        if let Some(left) = &self.partial {
            return match run.adapt(left, events) {
                Some(exploration) => run.confirm(exploration, Lift(None)).map(Some),
                None => Ok(None),
            };
        }
        if self.domains.is_empty() {
            let mut batcher = || run.batcher();
            let found = run.explore(&mut batcher, &mut run.machine(), Lift(None), events)?;
            self.certify(&run, source, &found.0, None, events)?;
            return Ok(Some(found));
        }
        let action = self.action(model);
        self.refuse(&action, options)?;
        if options.certificate.is_some() && (trusting || !self.is_exact()) {
            let message = "a certificate is only possible of verified symmetry and exact representatives";
            return Err(Failure::Refused(message.to_owned()));
        }
        let exact = PackedCanonicaliser::new(&packing, action.clone());
        let chooser = PackedCanonicaliser::with(&packing, action, self.canon);
        if self.canon.is_approximate() || self.canon.remembers() {
            let canon = self.canon.name();
            run.config.without_formulas =
                Some(format!("temporal formulas are not decided with `--canon {canon}`"));
        }
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
        exploration.full_states = exploration.full_states.filter(|_| closed && self.is_exact() && !trusting);
        exploration.states = chooser.reached().unwrap_or(exploration.states);
        self.certify(&run, source, &exploration, Some(chooser), events)?;
        Ok(Some((exploration, confirmed)))
    }

    /// How decision diagrams are reduced, if they are.
    fn reduction_of_diagrams(&self, model: &Model, options: &Options) -> Result<Option<Reduction>, Failure> {
        let Reduce::Diagrams(kind) = options.reduce else { return Ok(None) };
        if self.domains.is_empty() {
            let message = format!("--reduce {} is not possible: there is no verified symmetry", kind.name());
            return Err(Failure::Refused(message));
        }
        Ok(Some(Reduction {
            kind,
            sorting: options.diagrams.sorting,
            related: options.diagrams.quotient,
            local_order: options.diagrams.local_order.clone(),
            action: self.action(model),
        }))
    }

    /// Writes the certificate, if one is wanted.
    fn certify(
        &self,
        run: &Run<'_>,
        source: &Source,
        exploration: &Exploration,
        canonicaliser: Option<PackedCanonicaliser>,
        events: &mut dyn Events,
    ) -> Result<(), Failure> {
        let Some(file) = &run.options.certificate else { return Ok(()) };
        let (model, original) = (run.model, run.original);
        let writer = Writer { source, model, original, options: run.options, domains: &self.domains };
        match writer.certificate(exploration, canonicaliser)? {
            Some(certificate) => std::fs::write(file, certificate.to_string())
                .map_err(|error| Failure::Refused(format!("cannot write {}: {error}", file.display()))),
            None => {
                events.warning("no certificate is written: not everything was explored");
                Ok(())
            }
        }
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
    fn config(&self, model: &Model, source: &Source, options: &Options, packing: &Packing) -> Config {
        let domains: Vec<_> = self.domains.iter().map(|domain| model.types.domain(*domain)).collect();
        // Everything on which the states, their order and the result depend. Limits of time and memory may change.
        let identity = format!(
            "{:?}",
            (
                (env!("CARGO_PKG_VERSION"), source.text(), &options.constants, options.semantics),
                (
                    options.deadlock,
                    (domains, &self.generators, self.canon),
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
            keep: options.certificate.is_some(),
            identity: hash(&words),
            ..Config::default()
        }
    }
}

/// Where a slot of a multiset is followed: by a liveness property, or by a scheduler that is fair to instances of a rule.
pub(crate) fn follows_slots(model: &Model) -> Option<Span> {
    let chooses = |binders: &[Binder]| binders.iter().any(|binder| matches!(binder, Binder::Choose(..)));
    let mut liveness = model.properties.iter().filter(|p| p.kind == PropertyKind::Liveness);
    let temporal = model.properties.iter().any(|property| property.kind.logic().is_some());
    let mut fair = model.rules.iter().filter(|rule| temporal && rule.fairness.is_some());
    let property = liveness.find(|property| chooses(&property.binders)).map(|property| property.span);
    property.or_else(|| fair.find(|rule| chooses(&rule.binders)).map(|rule| rule.span))
}
