//! What was found of timed automata, in words.

use burnside_lang::diag::{Code, Diagnostic};
use burnside_lang::source::Source;
use burnside_model::code::Cell;
use burnside_model::findings::PropertyResult;
use burnside_model::network::{Query, QueryKind, RunEnding as Ending, Taken, TimedRun};
use burnside_model::system::PropertyKind;
use burnside_model::{Network, Span, Verdict};
use burnside_report::{
    Change, Firing, Place, PropertyReport, TraceReport, TraceStepReport, Value, Violation,
};
use burnside_timed::findings::fraction;
use burnside_timed::steps::{Instance, Stepper};

use crate::Options;
use crate::witness::{Confirmed, End};

/// What is told, and in which texts it stands.
pub(crate) struct Words<'w> {
    pub source: &'w Source,
    /// Where the queries are.
    pub queries: &'w Source,
    pub network: &'w Network,
    pub options: &'w Options,
}

impl Words<'_> {
    /// A query, or an error at run time, and what was found.
    pub fn property(&self, result: &PropertyResult, confirmed: &[Confirmed]) -> PropertyReport {
        let (run, fault) = match confirmed.first().map(|confirmed| &confirmed.end) {
            Some(End::Timed(run, fault)) => (run.as_deref(), fault.as_ref()),
            _ => (None, None),
        };
        let trace = || run.map(|run| self.trace(run)).unwrap_or_default();
        let Some(query) = result.index.and_then(|index| self.network.queries.get(index)) else {
            let error =
                fault.map(|fault| Diagnostic::error(Code(fault.kind.name()), fault.span, &fault.message));
            let violations = error.map(|error| violation(self.source, &error, trace(), self.options.color));
            return PropertyReport {
                name: result.name.clone(),
                named: false,
                kind: result.kind,
                verdict: result.verdict(),
                place: None,
                covered: None,
                reason: result.reason.clone(),
                violations: violations.into_iter().collect(),
                witness: None,
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
            name: query.text.clone(),
            named: true,
            kind: result.kind,
            verdict,
            place: Some(place(self.queries, query.span)),
            covered: None,
            reason: result.reason.clone(),
            violations,
            witness,
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
fn forever(query: &Query, run: Option<&TimedRun>) -> String {
    let how = match run.map(|run| run.ending) {
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
