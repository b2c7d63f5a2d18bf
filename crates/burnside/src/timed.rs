//! What was asked and found of timed automata, in words.

use burnside_lang::diag::{Code, Diagnostic};
use burnside_lang::source::Source;
use burnside_model::findings::PropertyResult;
use burnside_model::network::{Query, QueryKind, RefusedQuery, RunEnding as Ending, TimedRun};
use burnside_model::system::PropertyKind;
use burnside_model::{Network, Span, Verdict};
use burnside_report::{Place, PropertyReport, TraceReport, Violation};

use crate::timed_trace::Teller;
use crate::witness::{Confirmed, End};
use crate::{Failure, Options};

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

/// What is told, and in which texts it stands.
pub(crate) struct Words<'w> {
    pub source: &'w Source,
    /// Where the queries are.
    pub queries: &'w Source,
    pub network: &'w Network,
    pub options: &'w Options,
}

impl Words<'_> {
    /// Everything that was asked, in that order, and then what was not: an error at run time.
    pub fn properties<'r>(
        &self,
        found: impl Iterator<Item = (&'r PropertyResult, &'r Vec<Confirmed>)>,
    ) -> Vec<PropertyReport> {
        let position = |result: &PropertyResult| {
            result.index.map_or(usize::MAX, |index| self.network.queries[index].position)
        };
        let mut all: Vec<(usize, PropertyReport)> =
            found.map(|(result, confirmed)| (position(result), self.property(result, confirmed))).collect();
        all.extend(self.network.refused.iter().map(|query| (query.position, self.refused(query))));
        all.sort_by_key(|(position, _)| *position);
        all.into_iter().map(|(_, property)| property).collect()
    }

    /// A query, or an error at run time, and what was found.
    fn property(&self, result: &PropertyResult, confirmed: &[Confirmed]) -> PropertyReport {
        let (run, fault) = match confirmed.first().map(|confirmed| &confirmed.end) {
            Some(End::Timed(run, fault)) => (run.as_deref(), fault.as_ref()),
            _ => (None, None),
        };
        let query = result.index.and_then(|index| self.network.queries.get(index));
        let trace = || run.map(|run| self.trace(run, query)).unwrap_or_default();
        let Some(query) = query else {
            let error =
                fault.map(|fault| Diagnostic::error(Code(fault.kind.name()), fault.span, &fault.message));
            let violations = error.map(|error| violation(self.source, &error, trace(), self.options.color));
            return PropertyReport {
                named: false,
                reason: result.reason.clone(),
                violations: violations.into_iter().collect(),
                ..PropertyReport::new(&result.name, result.kind, result.verdict())
            };
        };
        let shown = |message: &str| {
            let said = Diagnostic::error(Code("query"), query.span, message);
            violation(self.queries, &said, trace(), self.options.color)
        };
        let verdict = result.verdict();
        let violations = match (verdict, result.kind) {
            (Verdict::Violated, PropertyKind::Cover) => vec![shown("this is never reached")],
            (Verdict::Violated, PropertyKind::Invariant) => vec![shown("this does not always hold")],
            (Verdict::Violated, _) => vec![shown(&forever(query, run))],
            _ => Vec::new(),
        };
        let witness = (verdict == Verdict::Holds && run.is_some()).then(|| {
            let message = format!("{} holds, as this run shows", query.text);
            Violation { snippet: format!("note: {message}"), message, ..shown("") }
        });
        PropertyReport {
            place: Some(place(self.queries, query.span)),
            reason: result.reason.clone(),
            violations,
            witness,
            ..PropertyReport::new(&query.text, result.kind, verdict)
        }
    }

    /// A query that cannot be answered.
    fn refused(&self, query: &RefusedQuery) -> PropertyReport {
        let mut mistake = Diagnostic::error(Code(query.code), query.span, &query.reason);
        mistake.help.clone_from(&query.help);
        let kind = match query.text.get(..3) {
            Some("E<>") => PropertyKind::Cover,
            Some("A[]") => PropertyKind::Invariant,
            _ => PropertyKind::Ctl,
        };
        PropertyReport {
            place: Some(place(self.queries, query.span)),
            reason: Some(query.reason.clone()),
            error: Some(mistake.render(self.queries, self.options.color)),
            ..PropertyReport::new(&query.text, kind, Verdict::Unknown)
        }
    }

    /// A run in words; nothing if the network cannot even start.
    fn trace(&self, run: &TimedRun, query: Option<&Query>) -> TraceReport {
        let teller = Teller::new(self.network, query).map(|teller| teller.judging(self.queries));
        teller.map(|mut teller| teller.trace(run)).unwrap_or_default()
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
fn forever(query: &Query, run: Option<&TimedRun>) -> String {
    let how = match run.map(|run| run.ending) {
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
