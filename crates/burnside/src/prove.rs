//! `burnside prove`: an inductive invariant that holds for every number of processes.
//!
//! Here the model is read at the sizes that [`burnside_sat::prove`] asks for, and what it says is put into words. The
//! parameters are found in the text: constants that are nothing but sizes of scalarsets.

mod verify;
mod words;

use std::time::Duration;

use burnside_lang::Language;
use burnside_lang::diag::Diagnostic;
use burnside_lang::murphi::shape::{Parameter, Shape, parameters};
use burnside_lang::murphi::{load, load_shaped};
use burnside_lang::source::Source;
use burnside_model::code::{DomainId, Semantics};
use burnside_model::system::PropertyKind;
use burnside_model::{Deadline, DeadlockMode, Events, Limit, Limits, Model, Progress, Span, Verdict};
use burnside_sat::fragment::Outside;
use burnside_sat::prove::{self, Reason, Task};

use crate::{Failure, Options, Report, Running, on_large_stack};
pub use verify::{is_proof_certificate, verify_proof};
use words::Words;

/// What is asked.
#[derive(Clone, Debug)]
pub struct ProveOptions {
    /// Constants of the model that are given another value.
    pub constants: Vec<(String, String)>,
    /// The parameters; all that there are, if absent.
    pub for_all: Option<Vec<String>>,
    /// The user's own invariants, to be proved along: source text with a name.
    pub lemmas: Option<(String, String)>,
    /// When to stop early: of them time and memory, and a token.
    pub limits: Limits,
    /// The largest size at which invariants are looked for.
    pub most: u32,
    /// What counts as a deadlock, at the sizes that are checked.
    pub deadlock: DeadlockMode,
    /// The choices the language leaves open.
    pub semantics: Semantics,
}

impl Default for ProveOptions {
    fn default() -> Self {
        ProveOptions {
            constants: Vec::new(),
            for_all: None,
            lemmas: None,
            limits: Limits { time: Some(Duration::from_secs(60)), ..Limits::default() },
            most: 5,
            deadlock: DeadlockMode::Off,
            semantics: Semantics::default(),
        }
    }
}

/// What `prove` says.
#[derive(Clone, Debug)]
pub struct Proved {
    /// *Holds* only if for every size.
    pub verdict: Verdict,
    /// What is said, line by line.
    pub text: String,
    /// The invariant, one Murphi condition per clause; empty unless there is a proof.
    pub invariant: Vec<String>,
    /// The bound, by parameterised scalarset; empty unless there is a proof.
    pub bound: Vec<(String, u32)>,
    /// The certificate; none unless there is a proof.
    pub certificate: Option<String>,
    /// If it is violated: the check of the least size, with its run.
    pub violated: Option<Box<Report>>,
}

/// The parameters at hand, and the scalarsets whose sizes they are.
struct Chosen {
    names: Vec<String>,
    /// By scalarset.
    spans: Vec<Span>,
    domains: Vec<DomainId>,
    /// If another use of a constant puts the model outside the fragment: where. Sizes are then given as constants.
    outside: Vec<Outside>,
}

/// Proves a model for every size.
pub fn prove(source: &Source, options: &ProveOptions) -> Result<Proved, Failure> {
    on_large_stack("prove", || run(source, options, &mut ()))
        .unwrap_or_else(|said| Err(Failure::Internal(said)))
}

impl Running<Proved> {
    /// Starts a proof.
    pub fn prove(
        source: &Source,
        options: &ProveOptions,
        events: Box<dyn Events + Send>,
    ) -> Result<Running<Proved>, Failure> {
        let (source, options) = (source.clone(), options.clone());
        Running::start(events, move |events, _| run(&source, &options, events))
    }
}

impl Proved {
    /// Nothing is known, as a limit came first.
    #[must_use]
    pub fn unfinished(limit: Limit) -> Proved {
        let text = format!("unknown: {}\n", words::stopped(limit));
        let (invariant, bound) = (Vec::new(), Vec::new());
        Proved { verdict: Verdict::Unknown, text, invariant, bound, certificate: None, violated: None }
    }
}

fn run(original: &Source, options: &ProveOptions, events: &mut dyn Events) -> Result<Proved, Failure> {
    if Language::of(original) != Language::Murphi {
        let of = Language::of(original).of_models();
        return Err(Failure::Refused(format!("`prove` is for Murphi models only, not for {of}")));
    }
    let source = &match &options.lemmas {
        None => original.clone(),
        Some((_, text)) => Source::new(original.name(), format!("{}\n{text}\n", original.text())),
    };
    let (model, diagnostics) = load(source, &options.constants);
    let Some(model) = model else { return Err(Failure::Input(diagnostics)) };
    let deadline = options.limits.deadline();
    let chosen = choose(source, &model, options)?;
    let verdict = attempt(source, options, &chosen, deadline, events)?;
    // Without a proof for all parameters together, there may be one for each alone.
    if options.for_all.is_none() && chosen.names.len() > 1 && matches!(verdict, prove::Verdict::Open(..)) {
        for name in &chosen.names {
            let alone = ProveOptions { for_all: Some(vec![name.clone()]), ..options.clone() };
            let chosen = choose(source, &model, &alone)?;
            let verdict = attempt(source, options, &chosen, deadline, events)?;
            if matches!(verdict, prove::Verdict::ForAll(_)) {
                return Words { source, original, model: &model, chosen: &chosen, options }.said(&verdict);
            }
        }
    }
    Words { source, original, model: &model, chosen: &chosen, options }.said(&verdict)
}

/// Tries to prove the model for some parameters.
fn attempt(
    source: &Source,
    options: &ProveOptions,
    chosen: &Chosen,
    deadline: Deadline,
    events: &mut dyn Events,
) -> Result<prove::Verdict, Failure> {
    let by_constant = !chosen.outside.is_empty();
    let mut load_at = |sizes: &Vec<u32>, widened: bool| {
        let (loaded, diagnostics) = if by_constant {
            let size = sizes.first().copied().unwrap_or(1);
            load(source, &chosen.constants(options, size))
        } else {
            let sizes = chosen.spans.iter().copied().zip(sizes.iter().copied()).collect();
            load_shaped(source, &options.constants, &Shape { sizes, widened })
        };
        loaded.ok_or_else(|| {
            let errors = diagnostics.iter().filter(|diagnostic| diagnostic.is_error());
            errors.map(|diagnostic| diagnostic.message.clone()).collect::<Vec<_>>().join("; ")
        })
    };
    let mut task = Task {
        load: &mut load_at,
        domains: chosen.domains.clone(),
        outside: chosen.outside.clone(),
        semantics: options.semantics,
        deadline,
        most: options.most,
        told: &mut |size, candidates| {
            let (phase, unit) = (Some("looking for an invariant"), Some("candidates"));
            let (states, depth) = (candidates as u64, size.into());
            events.progress(&Progress { phase, unit, states, depth, ..Progress::default() });
        },
    };
    prove::prove(&mut task).map_err(|refusal| {
        if refusal.reason.starts_with("internal error") {
            Failure::Internal(refusal.reason)
        } else {
            Failure::Refused(refusal.reason)
        }
    })
}

impl Chosen {
    /// The constants of the model at some size.
    fn constants(&self, options: &ProveOptions, size: u32) -> Vec<(String, String)> {
        let mut constants = options.constants.clone();
        constants.extend(self.names.iter().map(|name| (name.clone(), size.to_string())));
        constants
    }
}

/// Finds the parameters.
fn choose(source: &Source, model: &Model, options: &ProveOptions) -> Result<Chosen, Failure> {
    let all = parameters(source);
    let constants: Vec<&Parameter> = all.iter().filter(|parameter| parameter.constant).collect();
    let wanted: Vec<&Parameter> = match &options.for_all {
        Some(names) => {
            let mut wanted = Vec::new();
            for name in names {
                let Some(found) = all.iter().find(|parameter| parameter.name == *name) else {
                    return unknown(source, model, name, &all);
                };
                wanted.push(found);
            }
            wanted
        }
        None => {
            let free = |parameter: &&Parameter| parameter.foreign.is_empty();
            let clean: Vec<&Parameter> = constants.iter().copied().filter(free).collect();
            match (clean.is_empty(), constants.first()) {
                (false, _) => clean,
                (true, Some(first)) => vec![first],
                (true, None) => all.iter().collect(),
            }
        }
    };
    if wanted.is_empty() {
        return Ok(no_parameter(model));
    }
    let mut chosen =
        Chosen { names: Vec::new(), spans: Vec::new(), domains: Vec::new(), outside: Vec::new() };
    for parameter in wanted {
        chosen.names.push(parameter.name.clone());
        for span in &parameter.scalarsets {
            let of = |domain: &burnside_model::code::Domain| domain.span.start == span.start;
            if let Some(domain) = model.types.domains.iter().position(of) {
                chosen.spans.push(*span);
                chosen.domains.push(DomainId(domain as u32));
            }
        }
        chosen.outside.extend(parameter.foreign.iter().map(|span| Outside {
            span: *span,
            reason: format!("`{}` is used for more than the size of a scalarset", parameter.name),
        }));
    }
    Ok(chosen)
}

/// A model without a parameter: a ring or a range depends on a constant, or nothing does.
fn no_parameter(model: &Model) -> Chosen {
    let reason = "no constant of the model is the size of a scalarset".to_owned();
    let ring = model.types.domains.first().map_or(Span::default(), |domain| domain.span);
    let outside = vec![Outside { span: ring, reason }];
    Chosen { names: Vec::new(), spans: Vec::new(), domains: Vec::new(), outside }
}

fn unknown(source: &Source, model: &Model, name: &str, all: &[Parameter]) -> Result<Chosen, Failure> {
    let known = model.constants.iter().any(|constant| constant.name == name);
    if known {
        let at = source.text().find(name).unwrap_or(0) as u32;
        let span = Span { start: at, end: at + name.len() as u32 };
        let reason = format!("`{name}` is not the size of a scalarset");
        let outside = vec![Outside { span, reason }];
        let names = vec![name.to_owned()];
        return Ok(Chosen { names, spans: Vec::new(), domains: Vec::new(), outside });
    }
    let names: Vec<&str> = all.iter().map(|parameter| parameter.name.as_str()).collect();
    let hint =
        if names.is_empty() { "it has no parameter".to_owned() } else { format!("try {}", names.join(", ")) };
    Err(Failure::Refused(format!("the model has no constant `{name}` to prove it for: {hint}")))
}

/// A diagnostic that shows where a model is outside the fragment.
fn diagnostic(outside: &Outside) -> Diagnostic {
    use burnside_lang::diag::codes;
    let message = "this is outside what can be proved for every size";
    Diagnostic::warning(codes::SYMMETRY_REFUSED, outside.span, message).label(outside.reason.clone())
}

/// The properties that `prove` does not decide.
fn undecided(model: &Model) -> Vec<String> {
    let kinds = [PropertyKind::Liveness, PropertyKind::Cover, PropertyKind::Ctl, PropertyKind::Ltl];
    let open = model.properties.iter().filter(|property| kinds.contains(&property.kind));
    open.map(|property| format!("{} \"{}\"", property.kind.name(), property.name)).collect()
}

/// The check of one size, with everything that `prove` decides.
fn check_options(options: &ProveOptions, constants: Vec<(String, String)>) -> Options {
    Options {
        constants,
        semantics: options.semantics,
        deadlock: options.deadlock,
        limits: options.limits.clone(),
        ..Options::default()
    }
}

/// Whether the reason is a limit.
fn is_limit(reason: &Reason) -> bool {
    matches!(reason, Reason::Limit(_))
}
