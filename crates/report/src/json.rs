//! The report as one JSON object. Scripts rely on its keys: they are added to, never changed.
//!
//! A figure that an engine does not have is null; counts above 2⁵³ and group orders are decimal strings. Values of
//! variables are booleans, numbers (strings above 2⁵³), names, or null where undefined.

use serde::Serialize;

use crate::generators;
use crate::measured;
use crate::moment::{ClockReport, EdgeReport, Fraction};
use crate::trace::{Change, Failing, Firing, TraceReport};
use crate::value::{Count, MAX_EXACT, Named, Object, Value};
use crate::{Asymmetric, Edges, Nodes, Place, PropertyReport, Report, RuleCount, Sat, Stored, Violation};

/// The report as JSON text that ends with a line break.
pub fn render(report: &Report) -> Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(&Json::new(report))?;
    text.push('\n');
    Ok(text)
}

/// A run by itself as JSON text that ends with a line break: its steps are as in the report.
pub fn run(
    model: &str,
    language: &str,
    constants: &[Named],
    trace: &TraceReport,
) -> Result<String, serde_json::Error> {
    #[derive(Serialize)]
    struct Run<'a> {
        model: &'a str,
        language: &'a str,
        constants: Object<'a, &'a Value>,
        trace: Vec<Step<'a>>,
    }
    let run = Run { model, language, constants: object(constants), trace: steps(trace) };
    let mut text = serde_json::to_string_pretty(&run)?;
    text.push('\n');
    Ok(text)
}

#[derive(Serialize)]
struct Json<'a> {
    model: &'a str,
    language: &'a str,
    constants: Object<'a, &'a Value>,
    verdict: &'static str,
    properties: Vec<Property<'a>>,
    engine: &'a str,
    reduction: &'a str,
    exact: bool,
    symmetry: Symmetry<'a>,
    states: Option<States<'a>>,
    orbits: Option<Count>,
    full_states: Option<Count>,
    rules_fired: Option<Count>,
    depth: Option<Count>,
    time_s: f64,
    peak_memory_bytes: Count,
    limit: Option<&'static str>,
    assumptions: &'a [String],
    runs: Vec<Run<'a>>,
    warnings: Vec<Warning<'a>>,
    /// With decision diagrams: the most nodes, garbage included, and in use.
    nodes: Option<Nodes>,
    /// With SAT: what the questions to the solver were about.
    sat: Option<Sat>,
    /// The graph that temporal formulas were decided on.
    edges: Option<Edges>,
    /// Beside the documented keys: how often each rule fired.
    rules: &'a [RuleCount],
}

/// A number of states, which may be too large for any number.
#[derive(Serialize)]
#[serde(untagged)]
enum States<'a> {
    Number(Count),
    Text(&'a str),
}

#[derive(Serialize)]
struct Property<'a> {
    name: &'a str,
    kind: &'static str,
    verdict: &'static str,
    /// The first violation's run, or one that shows why a formula holds.
    trace: Option<Vec<Step<'a>>>,
    /// If it goes on for ever: the position in it of the state that the last one equals.
    #[serde(rename = "loop")]
    back: Option<usize>,
    /// What goes wrong at its end.
    message: Option<&'a str>,
    place: Option<&'a Place>,
    /// For a cover: how often it held.
    covered: Option<u64>,
    /// Why nothing is known, where it is not a limit of the whole check.
    reason: Option<&'a str>,
    /// With `--max-errors`: the violations after the first.
    more: Vec<More<'a>>,
    /// Of a probabilistic model: what was computed.
    #[serde(flatten)]
    measured: Option<measured::Json<'a>>,
}

#[derive(Serialize)]
struct More<'a> {
    trace: Vec<Step<'a>>,
    message: &'a str,
    place: Option<&'a Place>,
}

#[derive(Serialize)]
struct Step<'a> {
    /// `start` or `rule`.
    kind: &'static str,
    rule: &'a str,
    parameters: Object<'a, &'a Value>,
    /// The state after it; null for a step that went wrong.
    state: Option<Object<'a, &'a Value>>,
    /// What it changed, with the new values; null for a step that went wrong.
    changed: Option<Object<'a, Option<&'a Value>>>,
    /// In a timed run: when it was taken, and the clocks after it.
    #[serde(flatten)]
    moment: Option<Moment<'a>>,
    /// Why it matters to the temporal formula that the run violates.
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    reasons: &'a [String],
    /// The invariants that do not hold in the state.
    #[serde(skip_serializing_if = "<[Failing]>::is_empty")]
    fails: &'a [Failing],
}

/// When a step of a timed run is taken.
#[derive(Serialize)]
struct Moment<'a> {
    /// Since the step before.
    delay: Fraction,
    /// Since the start.
    time: Fraction,
    edges: &'a [EdgeReport],
    channel: Option<&'a str>,
    /// All clocks when it is taken, and after it.
    clocks_before: Object<'a, Fraction>,
    clocks: Object<'a, Fraction>,
}

#[derive(Serialize)]
struct Symmetry<'a> {
    generators: &'a [String],
    structure: &'a str,
    order: &'a str,
    verified: bool,
    asymmetric: &'a [Asymmetric],
    /// With `--reduce on-the-fly`: what became of each permutation.
    judged: Vec<generators::Json<'a>>,
    derived: &'a str,
}

#[derive(Serialize)]
struct Run<'a> {
    properties: &'a [String],
    engine: &'a str,
    reduction: &'a str,
    symmetry: &'a str,
    states: States<'a>,
    /// Of an engine that was only tried: how it ended, and how long it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    tried: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    time_s: Option<f64>,
}

#[derive(Serialize)]
struct Warning<'a> {
    code: &'a str,
    message: &'a str,
    place: Option<&'a Place>,
}

impl<'a> Json<'a> {
    fn new(report: &'a Report) -> Self {
        Json {
            model: &report.model,
            language: &report.language,
            constants: object(&report.constants),
            verdict: report.verdict.name(),
            properties: report.properties.iter().map(property).collect(),
            engine: &report.engine,
            reduction: &report.reduction,
            exact: report.exact,
            symmetry: Symmetry {
                generators: &report.symmetry.generators,
                structure: &report.symmetry.structure,
                order: &report.symmetry.order,
                verified: report.symmetry.verified,
                asymmetric: &report.symmetry.asymmetric,
                judged: report.symmetry.judged.iter().map(generators::Json::new).collect(),
                derived: &report.symmetry.derived,
            },
            states: match &report.states_text {
                _ if report.stored == Stored::Nothing => None,
                Some(text) => Some(states(text)),
                None => Some(States::Number(Count(report.states.into()))),
            },
            sat: report.sat,
            nodes: report.nodes,
            edges: report.edges,
            orbits: report.orbits.map(|orbits| Count(orbits.into())),
            full_states: report.full_states.map(Count),
            rules_fired: report.rules_fired.map(|count| Count(count.into())),
            depth: report.depth.map(|depth| Count(depth.into())),
            time_s: report.time.as_secs_f64(),
            peak_memory_bytes: Count(report.peak_memory.into()),
            limit: report.limit.map(|limit| limit.name()),
            assumptions: &report.assumptions,
            runs: report
                .runs
                .iter()
                .map(|run| Run {
                    properties: &run.properties,
                    engine: &run.engine,
                    reduction: &run.reduction,
                    symmetry: &run.symmetry,
                    states: states(&run.states),
                    tried: run.tried.as_ref().map(|(ended, _)| ended.as_str()),
                    time_s: run.tried.as_ref().map(|(_, time)| time.as_secs_f64()),
                })
                .collect(),
            warnings: report
                .warnings
                .iter()
                .map(|w| Warning { code: &w.code, message: &w.message, place: w.place.as_ref() })
                .collect(),
            rules: &report.rules,
        }
    }
}

/// A number of states, which is text where it is too large for a number.
fn states(text: &str) -> States<'_> {
    match text.parse() {
        Ok(number) if number <= MAX_EXACT => States::Number(Count(number)),
        _ => States::Text(text),
    }
}

fn object(values: &[Named]) -> Object<'_, &Value> {
    Object(values.iter().map(|(name, value)| (name.as_str(), value)).collect())
}

fn property(property: &PropertyReport) -> Property<'_> {
    let first = property.violations.first();
    let run = first.or(property.witness.as_ref());
    let more = property.violations.iter().skip(1).map(|violation| More {
        trace: steps(&violation.trace),
        message: &violation.message,
        place: violation.place.as_ref(),
    });
    Property {
        name: &property.name,
        kind: property.kind.name(),
        verdict: property.verdict_name(),
        // A cover that is never reached has no run.
        trace: run.map(|violation| steps(&violation.trace)).filter(|steps| !steps.is_empty()),
        back: run.and_then(|violation| violation.trace.back),
        message: first.map(|Violation { message, .. }| message.as_str()),
        place: first.and_then(|violation| violation.place.as_ref()).or(property.place.as_ref()),
        covered: property.covered,
        reason: property.reason.as_deref(),
        more: more.collect(),
        measured: property.measured.as_deref().map(measured::Json::new),
    }
}

fn steps(trace: &TraceReport) -> Vec<Step<'_>> {
    let step = |firing: &'_ Firing| if firing.start { "start" } else { "rule" };
    let mut steps: Vec<_> = trace
        .steps
        .iter()
        .enumerate()
        .map(|(at, s)| Step {
            kind: step(&s.firing),
            rule: &s.firing.rule,
            parameters: object(&s.firing.parameters),
            state: Some(object(&s.state)),
            changed: Some(Object(
                s.changed.iter().map(|Change { name, to, .. }| (name.as_str(), to.as_ref())).collect(),
            )),
            moment: s.moment.as_ref().map(moment),
            reasons: trace.reasons.get(at).map_or(&[], Vec::as_slice),
            fails: trace.fails.get(at).map_or(&[], Vec::as_slice),
        })
        .collect();
    steps.extend(trace.failing.iter().map(|firing| Step {
        kind: step(firing),
        rule: &firing.rule,
        parameters: object(&firing.parameters),
        state: None,
        changed: None,
        moment: None,
        reasons: &[],
        fails: &[],
    }));
    steps
}

fn moment(moment: &crate::Moment) -> Moment<'_> {
    let clocks = |value: fn(&ClockReport) -> Fraction| {
        Object(moment.clocks.iter().map(|clock| (clock.name.as_str(), value(clock))).collect())
    };
    Moment {
        delay: moment.delay,
        time: moment.time,
        edges: &moment.edges,
        channel: moment.channel.as_deref(),
        clocks_before: clocks(|clock| clock.before),
        clocks: clocks(|clock| clock.after),
    }
}
