//! The symmetry that one exploration uses.
//!
//! All scalarsets whose elements were verified to be interchangeable; the others are reported with the statement that
//! tells their elements apart. A liveness property or fairness about the slots of a multiset forbids reduction: the slots
//! are sorted by content, so permuting elements mixes them.

use burnside_lang::diag::{Diagnostic, codes};
use burnside_model::code::DomainId;
use burnside_model::system::{Binder, PropertyKind};
use burnside_model::{Model, Span};
use burnside_symbolic::on_the_fly::OnTheFly;
use burnside_symmetry::partial::Invariance;
use burnside_symmetry::{Action, Canon, Claimed, Fate, Permutation, verify};

use crate::analysis::explained;
use crate::engines::{counting, remaining};
use crate::table::{Way, refusal_by};
use crate::{Engine, Options, Reduce, on_the_fly};

/// The symmetry that an exploration uses.
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
        let by_state = matches!(options.engine, Engine::Auto | Engine::Explicit | Engine::Interpreter);
        if adapts && by_state && refusal_by(options, Way::Adaptive).is_none() {
            plan.partial = remaining(model, asked, &broken);
        }
        let adapts = |domain| plan.partial.as_ref().is_some_and(|left| left.domains.contains(&domain));
        let warnings = refusals.into_iter().map(|refusal| {
            let name = &model.types.domain(refusal.domain).name;
            let message = match options.trust_symmetry {
                true => format!("`{name}` is used as a symmetry, but could not be verified"),
                false if adapts(refusal.domain) => format!("`{name}` is a symmetry only in part"),
                false => format!("`{name}` is not used as a symmetry"),
            };
            explained(Diagnostic::warning(codes::SYMMETRY_REFUSED, refusal.span, message), &refusal)
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

    /// The plan to use these domains of a timed model, which were verified.
    pub fn verified(domains: Vec<DomainId>, warnings: Vec<Diagnostic>, options: &Options) -> Plan {
        Plan { domains, generators: None, warnings, ..Plan::between_named(&[], Vec::new(), options) }
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
    pub fn reduction(&self, options: &Options, timed: bool) -> &'static str {
        match (&self.partial, self.canon) {
            _ if timed && !self.domains.is_empty() => "scalarsets",
            (Some(_), _) => "adaptive",
            _ if self.on_the_fly.is_some() => "on-the-fly",
            _ if self.domains.is_empty() => "none",
            _ if let Reduce::Diagrams(kind) = options.reduce => kind.name(),
            _ if options.engine == Engine::Count => "counting",
            _ if options.reduce == Reduce::Representatives => "representatives",
            _ if options.engine == Engine::Sat => "orbit-clauses",
            (None, Canon::Refine) => "canonical",
            (None, other) => other.name(),
        }
    }

    /// Whether every orbit has one representative.
    pub fn is_exact(&self) -> bool {
        self.domains.is_empty() || self.canon.is_exact()
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
