//! Networks of timed automata: from a UPPAAL model to the report.

use std::time::Instant;

use burnside_lang::diag::{Code, Diagnostic, codes};
use burnside_lang::source::Source;
use burnside_lang::uppaal;
use burnside_model::code::{Cell, DomainId, Fault};
use burnside_model::network::{Query, QueryKind};
use burnside_model::system::PropertyKind;
use burnside_model::{Network, Span, Verdict};
use burnside_report::{
    Change, Firing, Place, PropertyReport, Report, SymmetryReport, TraceReport, TraceStepReport, Value,
    Violation, Warning,
};
use burnside_symmetry::verify::Refusal;
use burnside_timed::check::{Answer, Best, Bounds, Checked, How, Wanted, check};
use burnside_timed::run::{Ending, TimedRun};
use burnside_timed::steps::{Instance, Stepper, Taken};
use burnside_timed::verify::{detect_parameters, verify};
use burnside_timed::waiting::Order;

use crate::{Detect, Engine, Failure, Options, Reduce, group, memory};

/// Whether a model is written in UPPAAL's language: by its name, or because it is XML.
pub fn is_uppaal(source: &Source) -> bool {
    [".xta", ".ta"].iter().any(|end| source.name().ends_with(end))
        || source.text().trim_start_matches('\u{feff}').trim_start().starts_with('<')
}

/// Checks a network.
pub(crate) fn run(source: &Source, options: &Options) -> Result<Report, Failure> {
    let begun = Instant::now();
    if let Some(option) = refused(options) {
        return Err(Failure::Refused(format!("`{option}` is not for timed models")));
    }
    let (mut network, diagnostics, queries) = load(source, options)?;
    if let Some(diagnostic) = forbidden_start(&network) {
        return Err(Failure::Input(vec![diagnostic]));
    }
    let reached = |query: &Query| matches!(query.kind, QueryKind::Possibly(_) | QueryKind::Invariantly(_));
    if options.run != Wanted::First && !network.queries.iter().any(reached) {
        return Err(Failure::Refused("`--run` is for `E<>` and `A[]`, of which there are none".to_owned()));
    }
    let how = How {
        bounds: Bounds { deadline: options.limits.deadline(), memory: options.limits.memory },
        order: if options.depth_first { Order::Depth } else { Order::Breadth },
        run: options.run,
    };
    let declared = network.clone();
    let detects = !options.unreduced() && options.detect == Detect::Auto;
    let mut detected = detects && detect_parameters(&mut network);
    let (mut domains, mut refusals) = verify(&network);
    if options.unreduced() {
        domains.clear();
    }
    let mut checked = check(&network, &domains, how).map_err(Failure::Internal)?;
    if detected && checked.fault.is_some() {
        // A quantifier over elements looks at all of them; over a range it might have stopped before the error.
        (network, detected) = (declared, false);
        (domains, refusals) = verify(&network);
        checked = check(&network, &domains, how).map_err(Failure::Internal)?;
    }
    let mut warnings = diagnostics;
    warnings.extend(refusals.iter().map(|refusal| not_used(&network, refusal, refusal.span)));
    let words = Words { source, queries: queries.unwrap_or(source), network: &network, options, detected };
    Ok(words.report(&checked, &domains, &warnings, begun))
}

/// Why a declared domain is not used.
pub(crate) fn not_used(network: &Network, refusal: &Refusal, span: Span) -> Diagnostic {
    let name = &network.model.types.domain(refusal.domain).name;
    let message = format!("the scalars of `{name}` are not used for reduction: {}", refusal.reason);
    Diagnostic::warning(codes::SYMMETRY_REFUSED, span, message)
}

/// The group of some domains.
pub(crate) fn group_of(network: &Network, domains: &[DomainId], detected: bool) -> SymmetryReport {
    let model = &network.model;
    SymmetryReport {
        generators: domains.iter().flat_map(|domain| group::generators(model, *domain)).collect(),
        structure: group::structure(model, domains),
        order: burnside_symmetry::Action::new(model, domains).order_string(),
        verified: true,
        derived: match (domains.is_empty(), detected) {
            (true, _) => "none",
            (_, true) => "detected",
            _ => "declared",
        }
        .to_owned(),
        asymmetric: Vec::new(),
        judged: Vec::new(),
    }
}

/// What is wrong if there is no first state: everything would hold of what can be reached. Errors at run time are met later.
fn forbidden_start(network: &Network) -> Option<Diagnostic> {
    let found = Stepper::new(network).and_then(|mut stepper| stepper.forbidden_start()).ok()?;
    let (process, location) = found?;
    let span = location.invariant.as_ref().map_or(location.span, |invariant| invariant.span);
    let message = format!(
        "the invariant of location {} in process {} does not hold at the start",
        location.name, process.name
    );
    Some(Diagnostic::error(codes::FORBIDDEN_START, span, message))
}

/// An option that means nothing here.
fn refused(options: &Options) -> Option<&'static str> {
    let asked = [
        (options.engine != Engine::Auto, "--engine"),
        (!matches!(options.reduce, Reduce::Auto | Reduce::None), "--reduce"),
        (options.limits.bound.is_some(), "--bound"),
        (options.compact, "--compact"),
        (options.checkpoint.is_some() || options.resume.is_some(), "--checkpoint"),
        (options.certificate.is_some(), "--certificate"),
        (options.trust_symmetry, "--trust-symmetry"),
    ];
    asked.into_iter().find(|(given, _)| *given).map(|(_, option)| option)
}

/// A network, its warnings, and the source of its queries if that is another file.
type Loaded<'s> = (Network, Vec<Diagnostic>, Option<&'s Source>);

pub(crate) fn load<'s>(source: &Source, options: &'s Options) -> Result<Loaded<'s>, Failure> {
    let Some(queries) = &options.queries else {
        return match uppaal::load(source, &options.constants) {
            (Some(network), diagnostics) => Ok((network, diagnostics, None)),
            (None, diagnostics) => Err(Failure::Input(diagnostics)),
        };
    };
    match uppaal::load_with_queries(source, queries, &options.constants) {
        (Some(network), diagnostics, _) => Ok((network, diagnostics, Some(queries))),
        (None, diagnostics, asked) if asked.is_empty() => Err(Failure::Input(diagnostics)),
        (None, _, asked) => {
            // They point into another file than the model.
            let texts: Vec<String> = asked.iter().map(|d| d.render(queries, options.color)).collect();
            Err(Failure::Refused(format!("the queries have errors\n{}", texts.join("\n"))))
        }
    }
}

/// What a report is made from.
struct Words<'w> {
    source: &'w Source,
    queries: &'w Source,
    network: &'w Network,
    options: &'w Options,
    /// Whether some of the symmetry was found, not declared.
    detected: bool,
}

impl Words<'_> {
    fn report(
        &self,
        checked: &Checked,
        domains: &[DomainId],
        warnings: &[Diagnostic],
        begun: Instant,
    ) -> Report {
        let model = &self.network.model;
        let mut properties: Vec<PropertyReport> = self
            .network
            .queries
            .iter()
            .zip(&checked.answers)
            .map(|(query, answer)| self.property(query, answer))
            .collect();
        properties.extend(checked.fault.as_ref().map(|(fault, run)| self.fault(fault, run.as_ref())));
        let some = |verdict| properties.iter().any(|p| p.verdict == verdict);
        let verdict = if some(Verdict::Violated) {
            Verdict::Violated
        } else if some(Verdict::Unknown) || checked.limit.is_some() {
            Verdict::Unknown
        } else {
            Verdict::Holds
        };
        Report {
            model: self.source.name().to_owned(),
            language: "uppaal".to_owned(),
            constants: model
                .constants
                .iter()
                .map(|c| (c.name.clone(), Value::new(&model.types, c.ty, c.value)))
                .collect(),
            verdict,
            properties,
            engine: "zones".to_owned(),
            reduction: if domains.is_empty() { "none" } else { "scalarsets" }.to_owned(),
            exact: true,
            symmetry: group_of(self.network, domains, self.detected),
            states: checked.stored,
            states_text: None,
            orbits: None,
            full_states: None,
            rules_fired: None,
            depth: None,
            time: begun.elapsed(),
            peak_memory: memory::peak_memory().unwrap_or(0),
            nodes: None,
            edges: None,
            limit: checked.limit,
            assumptions: Vec::new(),
            runs: Vec::new(),
            warnings: warnings.iter().map(|warning| self.warning(warning)).collect(),
            rules: Vec::new(),
        }
    }

    fn warning(&self, warning: &Diagnostic) -> Warning {
        Warning {
            code: warning.code.0.to_owned(),
            message: warning.message.clone(),
            place: Some(place(self.source, warning.primary.0)),
            snippet: warning.render(self.source, self.options.color),
        }
    }

    fn property(&self, query: &Query, answer: &Answer) -> PropertyReport {
        let kind = match query.kind {
            QueryKind::Possibly(_) => PropertyKind::Cover,
            QueryKind::Invariantly(_) => PropertyKind::Invariant,
            _ => PropertyKind::Ctl,
        };
        let shown = |message: &str| {
            let said = Diagnostic::error(Code("query"), query.span, message);
            let trace = answer.run.as_ref().map(|run| self.trace(run)).unwrap_or_default();
            violation(self.queries, &said, trace, self.options.color)
        };
        let violations = match (answer.verdict, kind) {
            (Verdict::Violated, PropertyKind::Cover) => vec![shown("this is never reached")],
            (Verdict::Violated, PropertyKind::Invariant) => vec![shown("this does not always hold")],
            (Verdict::Violated, _) => vec![shown(&forever(query, answer))],
            _ => Vec::new(),
        };
        let witness = (answer.verdict == Verdict::Holds && answer.run.is_some()).then(|| {
            let message = format!("{} holds, as this run shows", query.text);
            Violation { snippet: format!("note: {message}"), message, ..shown("") }
        });
        PropertyReport {
            name: query.text.clone(),
            named: true,
            kind,
            verdict: answer.verdict,
            place: Some(place(self.queries, query.span)),
            covered: None,
            reason: answer.reason.clone().or_else(|| self.compared(query, answer)),
            violations,
            witness,
        }
    }

    /// How the run compares with all others, if that was asked for.
    fn compared(&self, query: &Query, answer: &Answer) -> Option<String> {
        let run = answer.run.as_ref()?;
        let asked = matches!(query.kind, QueryKind::Possibly(_) | QueryKind::Invariantly(_));
        match (answer.best, self.options.run) {
            (Some(Best::Steps(steps)), _) => {
                Some(format!("no run is shorter: {}", counted(steps as i64, "step")))
            }
            (Some(Best::Time { least, taken: true }), _) => {
                Some(format!("no run is faster: {}", counted(least.into(), "time unit")))
            }
            (Some(Best::Time { least, taken: false }), _) => Some(format!(
                "every run takes more than {}, this one {}",
                counted(least.into(), "time unit"),
                fraction(run.end, run.denominator)
            )),
            (None, Wanted::Shortest) if asked => Some("a shorter run was not ruled out".to_owned()),
            (None, Wanted::Fastest) if asked => Some("a faster run was not ruled out".to_owned()),
            _ => None,
        }
    }

    fn fault(&self, fault: &Fault, run: Option<&TimedRun>) -> PropertyReport {
        let error = Diagnostic::error(Code(fault.kind.name()), fault.span, &fault.message);
        let trace = run.map(|run| self.trace(run)).unwrap_or_default();
        PropertyReport {
            name: "no error at run time".to_owned(),
            named: false,
            kind: PropertyKind::NoFault,
            verdict: Verdict::Violated,
            place: None,
            covered: None,
            reason: None,
            violations: vec![violation(self.source, &error, trace, self.options.color)],
            witness: None,
        }
    }

    /// A run in words: at what time which edges are taken, and what changes.
    fn trace(&self, run: &TimedRun) -> TraceReport {
        let Ok(stepper) = Stepper::new(self.network) else { return TraceReport::default() };
        let start = Firing { start: true, rule: "time 0".to_owned(), named: false, parameters: Vec::new() };
        let mut steps =
            vec![TraceStepReport { firing: start, state: self.values(&run.start), changed: Vec::new() }];
        let mut before = &run.start;
        for step in &run.steps {
            let edges: Vec<String> =
                step.taken.iter().map(|taken| self.edge(&stepper.instances, taken)).collect();
            let time = fraction(step.time, run.denominator);
            let channel = step.channel.map(|cell| format!(" on {}", self.channel(cell))).unwrap_or_default();
            let happens = match (edges.is_empty(), steps.len() == run.steps.len(), run.ending) {
                (true, true, Ending::Stays) => "nothing any more, while time passes forever".to_owned(),
                (true, true, Ending::Stuck) => "no step can be taken any more".to_owned(),
                (true, ..) => "this is where it begins".to_owned(),
                _ => edges.join(", "),
            };
            let rule = format!("at time {time}{channel}: {happens}");
            let firing = Firing { start: false, rule, named: false, parameters: Vec::new() };
            let (state, changed) = (self.values(&step.state), self.changes(before, &step.state));
            steps.push(TraceStepReport { firing, state, changed });
            before = &step.state;
        }
        let back = match run.ending {
            Ending::Loop { back, .. } => Some(back),
            _ => None,
        };
        TraceReport { steps, back, ..TraceReport::default() }
    }

    fn edge(&self, instances: &[Instance], taken: &Taken) -> String {
        let types = &self.network.model.types;
        let instance = &instances[taken.instance as usize];
        let process = &self.network.processes[instance.process as usize];
        let edge = &self.network.edges[taken.edge as usize];
        let values = process.params.iter().zip(&instance.params).map(|(ty, value)| types.show(*ty, *value));
        let values: Vec<String> = values.collect();
        let params = if values.is_empty() { String::new() } else { format!("({})", values.join(", ")) };
        let (from, to) = (&process.locations[edge.source as usize], &process.locations[edge.target as usize]);
        format!("{}{params}: {} -> {}", process.name, from.name, to.name)
    }

    fn channel(&self, cell: u32) -> String {
        self.network.model.state_cells().get(cell as usize).map(|cell| cell.name.clone()).unwrap_or_default()
    }

    /// The variables and locations, without what has no value or never changes.
    fn shown(&self) -> impl Iterator<Item = (usize, burnside_model::system::StateCell)> {
        let network = self.network;
        let hidden = |cell: u32| {
            network.clocks.contains(&cell)
                || network.channels.iter().any(|channel| channel.cell == cell)
                || network.constant.contains(&cell)
                || network.deadlock.is_some_and(|id| network.model.globals[id.0 as usize].offset == cell)
        };
        let cells: Vec<_> =
            (0..).zip(network.model.state_cells()).filter(|(cell, _)| !hidden(*cell)).collect();
        cells.into_iter().map(|(number, cell)| (number as usize, cell))
    }

    fn values(&self, state: &[Cell]) -> Vec<(String, Value)> {
        let types = &self.network.model.types;
        self.shown()
            .map(|(number, cell)| (cell.name.clone(), Value::new(types, cell.ty, state[number])))
            .collect()
    }

    fn changes(&self, before: &[Cell], after: &[Cell]) -> Vec<Change> {
        let types = &self.network.model.types;
        let changed = self.shown().filter(|(number, _)| before[*number] != after[*number]);
        changed
            .map(|(number, cell)| Change {
                from: Some(Value::new(types, cell.ty, before[number])),
                to: Some(Value::new(types, cell.ty, after[number])),
                name: cell.name,
            })
            .collect()
    }
}

fn place(source: &Source, span: Span) -> Place {
    let location = source.location(span.start);
    Place { file: location.file.to_owned(), line: location.line, column: location.column }
}

fn violation(source: &Source, error: &Diagnostic, trace: TraceReport, color: bool) -> Violation {
    Violation {
        message: error.message.clone(),
        place: Some(place(source, error.primary.0)),
        snippet: error.render(source, color),
        trace,
    }
}

/// Why a query about what happens at last or forever does not hold.
fn forever(query: &Query, answer: &Answer) -> String {
    let how = match answer.run.as_ref().map(|run| run.ending) {
        None => return "in every run this fails at some time".to_owned(),
        Some(Ending::Stays) => "this may never happen: a run stays where it is",
        Some(Ending::Stuck) => "this may never happen: a run is stuck before",
        Some(Ending::Loop { exact: true, .. }) => "this may never happen: a run repeats the same without it",
        // Only among zones was it seen to close.
        Some(_) => "this may never happen: a run goes on without it, with other delays each time",
    };
    match query.kind {
        QueryKind::LeadsTo(..) => format!("{how} after the first condition held"),
        _ => how.to_owned(),
    }
}

/// So many of something.
fn counted(number: i64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}

/// A time in words.
fn fraction(numerator: i64, denominator: i64) -> String {
    let (whole, rest) = (numerator / denominator, numerator % denominator);
    if rest == 0 {
        return whole.to_string();
    }
    let divisor = gcd(rest, denominator);
    let part = format!("{}/{}", rest / divisor, denominator / divisor);
    if whole == 0 { part } else { format!("{whole} {part}") }
}

fn gcd(a: i64, b: i64) -> i64 {
    if b == 0 { a } else { gcd(b, a % b) }
}
