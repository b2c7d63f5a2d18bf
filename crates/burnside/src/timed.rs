//! Networks of timed automata: from a UPPAAL model to the report.

use std::time::Instant;

use burnside_lang::diag::{Code, Diagnostic, codes};
use burnside_lang::source::Source;
use burnside_lang::uppaal;
use burnside_model::code::{DomainId, Fault};
use burnside_model::network::{Query, QueryKind, RefusedQuery};
use burnside_model::system::PropertyKind;
use burnside_model::{Network, Span, Verdict};
use burnside_report::{
    Fraction, Place, PropertyReport, Report, Run, SymmetryReport, TraceReport, Value, Violation, Warning,
};
use burnside_symmetry::verify::Refusal;
use burnside_timed::check::{Answer, Best, Bounds, Checked, How, Wanted, check};
use burnside_timed::classes::{Classes, QueryClass};
use burnside_timed::run::{Ending, TimedRun};
use burnside_timed::steps::Stepper;
use burnside_timed::waiting::Order;

use crate::timed_trace::Teller;
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
    select(&mut network, &options.only)?;
    if let Some(diagnostic) = forbidden_start(&network) {
        return Err(Failure::Input(vec![diagnostic]));
    }
    let reached = |query: &Query| matches!(query.kind, QueryKind::Possibly(_) | QueryKind::Invariantly(_));
    if options.run != Wanted::First && !network.queries.iter().any(reached) {
        return Err(Failure::Refused("`--run` is for `E<>` and `A[]`, of which there are none".to_owned()));
    }
    let how = How {
        bounds: Bounds {
            deadline: options.limits.time.map(|time| begun + time),
            memory: options.limits.memory,
        },
        order: if options.depth_first { Order::Depth } else { Order::Breadth },
        run: options.run,
    };
    let classes = query_classes(&network, options);
    let mut searched = Vec::new();
    for class in &classes.classes {
        let search = Searched::new(&network, class, how).map_err(Failure::Internal)?;
        let ended = search.checked.fault.is_some();
        searched.push(search);
        if ended {
            // The other searches would find the same.
            break;
        }
    }
    let answers = answers(&network, &classes, &searched, how)?;
    let mut warnings = diagnostics;
    for refusal in searched.iter().flat_map(|search| &search.refusals) {
        let warning = not_used(&network, refusal, refusal.span);
        if !warnings.contains(&warning) {
            warnings.push(warning);
        }
    }
    let words = Words { source, queries: queries.unwrap_or(source), network: &network, options };
    Ok(words.report(&answers, &searched, &warnings, begun))
}

/// The classes of a network's queries, each with its group; without reduction all are in one, without any.
pub(crate) fn query_classes(network: &Network, options: &Options) -> Classes {
    Classes::new(network, !options.unreduced(), options.detect == Detect::Auto)
}

/// What a search for the queries of a class has found.
struct Searched {
    checked: Checked,
    /// Which queries of the network they are.
    queries: Vec<usize>,
    refusals: Vec<Refusal>,
    symmetry: SymmetryReport,
    /// The order of the group, as a number of digits and the digits: to be compared.
    order: (usize, String),
}

impl Searched {
    fn new(network: &Network, class: &QueryClass, how: How) -> Result<Searched, String> {
        let checked = check(&class.network, &class.domains, how)?;
        if class.detected && checked.fault.is_some() {
            // A quantifier over elements looks at all of them; over a range it might have stopped before the error.
            let declared = QueryClass::new(network, class.queries.clone(), false);
            let checked = check(&declared.network, &declared.domains, how)?;
            return Ok(Searched::of(&declared, checked));
        }
        Ok(Searched::of(class, checked))
    }

    fn of(class: &QueryClass, checked: Checked) -> Searched {
        let order = class.order();
        Searched {
            checked,
            queries: class.queries.clone(),
            refusals: class.refusals.clone(),
            symmetry: group_of(&class.network, &class.domains, class.detected),
            order: (order.len(), order),
        }
    }
}

/// The answer to each query: from the search of its class, or from a query that is like it up to names.
fn answers(
    network: &Network,
    classes: &Classes,
    searched: &[Searched],
    how: How,
) -> Result<Vec<Answer>, Failure> {
    let unknown = Answer { verdict: Verdict::Unknown, run: None, best: None, reason: None };
    let mut answers = vec![unknown; network.queries.len()];
    for search in searched {
        for (query, answer) in search.queries.iter().zip(&search.checked.answers) {
            answers[*query] = answer.clone();
        }
    }
    for alike in &classes.alike {
        let mut answer = answers[alike.of].clone();
        if let Some(run) = &answer.run {
            let wrong = |_| Failure::Internal("a run under other names cannot be executed".to_owned());
            answer.run = classes.renamed(alike, run).map_err(wrong)?;
            if answer.run.is_none() {
                let alone = QueryClass::new(network, vec![alike.query], false);
                let mut checked = check(&alone.network, &alone.domains, how).map_err(Failure::Internal)?;
                answers[alike.query] = checked.answers.remove(0);
                continue;
            }
        }
        if answer.verdict != Verdict::Unknown && answer.reason.is_none() && answer.best.is_none() {
            answer.reason = Some(format!("by symmetry, as query {}", network.queries[alike.of].position + 1));
        }
        answers[alike.query] = answer;
    }
    Ok(answers)
}

/// Keeps the queries that were asked for.
pub(crate) fn select(network: &mut Network, only: &[String]) -> Result<(), Failure> {
    if only.is_empty() {
        return Ok(());
    }
    let in_one_line = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    let wanted: Vec<(Option<usize>, String)> =
        only.iter().map(|text| (text.trim().parse().ok(), in_one_line(text))).collect();
    let fits = |(index, text): &(Option<usize>, String), position: usize, query: &str| match index {
        Some(index) => position + 1 == *index,
        None => query.contains(text.as_str()),
    };
    let mut all: Vec<(usize, &str)> = network.queries.iter().map(|q| (q.position, q.text.as_str())).collect();
    all.extend(network.refused.iter().map(|q| (q.position, q.text.as_str())));
    all.sort_unstable();
    for (given, wanted) in only.iter().zip(&wanted) {
        if !all.iter().any(|(position, text)| fits(wanted, *position, text)) {
            let list: Vec<String> = all.iter().map(|(at, text)| format!("  {}  {text}", at + 1)).collect();
            let message = format!("`--only {given}` fits no query; there are\n{}", list.join("\n"));
            return Err(Failure::Refused(message));
        }
    }
    let is_wanted = |position: usize, text: &str| wanted.iter().any(|wanted| fits(wanted, position, text));
    network.queries.retain(|query| is_wanted(query.position, &query.text));
    network.refused.retain(|query| is_wanted(query.position, &query.text));
    if network.queries.is_empty() {
        let refused = &network.refused[0];
        return Err(Failure::Refused(format!("{}: {}", refused.text, refused.reason)));
    }
    Ok(())
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
}

impl Words<'_> {
    fn report(
        &self,
        answers: &[Answer],
        searched: &[Searched],
        warnings: &[Diagnostic],
        begun: Instant,
    ) -> Report {
        let model = &self.network.model;
        let mut properties: Vec<(usize, PropertyReport)> = self
            .network
            .queries
            .iter()
            .zip(answers)
            .map(|(query, answer)| (query.position, self.property(query, answer)))
            .collect();
        properties.extend(self.network.refused.iter().map(|query| (query.position, self.refused(query))));
        properties.sort_by_key(|(position, _)| *position);
        let mut properties: Vec<PropertyReport> =
            properties.into_iter().map(|(_, property)| property).collect();
        let fault = searched.iter().find_map(|search| search.checked.fault.as_ref());
        properties.extend(fault.map(|(fault, run)| self.fault(fault, run.as_ref())));
        let some = |verdict| properties.iter().any(|p| p.verdict == verdict);
        let limit = searched.iter().find_map(|search| search.checked.limit);
        let verdict = if some(Verdict::Violated) {
            Verdict::Violated
        } else if some(Verdict::Unknown) || limit.is_some() {
            Verdict::Unknown
        } else {
            Verdict::Holds
        };
        let largest = searched.iter().max_by(|a, b| a.order.cmp(&b.order));
        let reduced = searched.iter().any(|search| search.order.1 != "1");
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
            reduction: if reduced { "scalarsets" } else { "none" }.to_owned(),
            exact: true,
            symmetry: largest.map(|search| search.symmetry.clone()).unwrap_or_default(),
            states: searched.iter().map(|search| search.checked.stored).sum(),
            states_text: None,
            orbits: None,
            full_states: None,
            rules_fired: None,
            depth: None,
            time: begun.elapsed(),
            peak_memory: memory::peak_memory().unwrap_or(0),
            nodes: None,
            edges: None,
            limit,
            assumptions: Vec::new(),
            runs: if searched.len() > 1 {
                searched.iter().map(|s| self.run(s)).collect()
            } else {
                Vec::new()
            },
            warnings: warnings.iter().map(|warning| self.warning(warning)).collect(),
            rules: Vec::new(),
        }
    }

    /// One of several searches.
    fn run(&self, searched: &Searched) -> Run {
        let queries = &self.network.queries;
        Run {
            properties: searched.queries.iter().map(|query| queries[*query].text.clone()).collect(),
            engine: "zones".to_owned(),
            reduction: if searched.order.1 == "1" { "none" } else { "scalarsets" }.to_owned(),
            symmetry: searched.symmetry.structure.clone(),
            states: searched.checked.stored.to_string(),
        }
    }

    /// A query that cannot be answered.
    fn refused(&self, query: &RefusedQuery) -> PropertyReport {
        let mut mistake = Diagnostic::error(Code(query.code), query.span, &query.reason);
        mistake.help.clone_from(&query.help);
        PropertyReport {
            name: query.text.clone(),
            named: true,
            kind: match query.text.get(..3) {
                Some("E<>") => PropertyKind::Cover,
                Some("A[]") => PropertyKind::Invariant,
                _ => PropertyKind::Ctl,
            },
            verdict: Verdict::Unknown,
            place: Some(place(self.queries, query.span)),
            covered: None,
            reason: Some(query.reason.clone()),
            violations: Vec::new(),
            witness: None,
            error: Some(mistake.render(self.queries, self.options.color)),
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
            let trace = answer.run.as_ref().map(|run| self.trace(run, Some(query))).unwrap_or_default();
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
            error: None,
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
                Fraction::new(run.end, run.denominator)
            )),
            (None, Wanted::Shortest) if asked => Some("a shorter run was not ruled out".to_owned()),
            (None, Wanted::Fastest) if asked => Some("a faster run was not ruled out".to_owned()),
            _ => None,
        }
    }

    /// A run in words; nothing if the network cannot even start.
    fn trace(&self, run: &TimedRun, query: Option<&Query>) -> TraceReport {
        Teller::new(self.network, query).map(|mut teller| teller.trace(run)).unwrap_or_default()
    }

    fn fault(&self, fault: &Fault, run: Option<&TimedRun>) -> PropertyReport {
        let error = Diagnostic::error(Code(fault.kind.name()), fault.span, &fault.message);
        let trace = run.map(|run| self.trace(run, None)).unwrap_or_default();
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
            error: None,
        }
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
        Some(Ending::Stays) => "a run stays where it is without it",
        Some(Ending::Stuck) => "a run gets stuck before it happens",
        Some(Ending::Loop { exact: true, .. }) => "a run repeats the same steps and delays without it",
        // Only among zones was it seen to close.
        Some(_) => "a run repeats the same steps without it, with other delays each time",
    };
    match query.kind {
        QueryKind::LeadsTo(..) => {
            format!("the first condition holds, and then the second may never hold: {how}")
        }
        _ => format!("this may never happen: {how}"),
    }
}

/// So many of something.
fn counted(number: i64, what: &str) -> String {
    format!("{number} {what}{}", if number == 1 { "" } else { "s" })
}
