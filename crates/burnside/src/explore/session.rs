//! What the page asks, and what it is answered: JSON to JSON.
//!
//! A walk is the list of its choices, first that of a start. Everything else follows from it, so that the page keeps the
//! walk in its address and survives being loaded again.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use burnside_lang::source::Source;
use burnside_model::{Cancel, Deadline, Limits};
use burnside_report::{TraceReport, TraceStepReport, json as report_json, trace};
use serde_json::{Map, Value as Json, json};

use super::search::{Found, Graph, Patience, is_bad, random, shortest};
use super::world::{StateId, TermId, Told, View, Walked, World, object};
use crate::Options;

/// How long a request may take.
const TIME: Duration = Duration::from_secs(20);
/// The most states of a search.
const MOST_STATES: usize = 200_000;
/// The most orbits of a graph.
const MOST_ORBITS: u64 = 5_000;
/// The longest walk.
const MOST_STEPS: usize = 20_000;

/// A model that is explored.
pub(crate) struct Session<'w> {
    source: &'w Source,
    options: &'w Options,
    world: &'w mut dyn World,
    /// Ends everything.
    cancel: Cancel,
    /// Ends the request at hand.
    stop: Arc<AtomicBool>,
    /// The conditions that were read, with their texts.
    terms: Vec<(String, TermId)>,
    graph: Graph,
}

impl<'w> Session<'w> {
    /// A session.
    pub fn new(
        source: &'w Source,
        options: &'w Options,
        world: &'w mut dyn World,
        cancel: Cancel,
        stop: Arc<AtomicBool>,
    ) -> Self {
        Session { source, options, world, cancel, stop, terms: Vec::new(), graph: Graph::default() }
    }

    /// Answers a request.
    pub fn answer(&mut self, name: &str, asked: &Json) -> Told<Json> {
        self.stop.store(false, Ordering::Relaxed);
        let deadline = Deadline::new(Some(TIME), Some(self.cancel));
        self.world.set_deadline(deadline);
        match name {
            "model" => self.model(),
            "walk" => self.walk(asked),
            "state" => self.state(asked),
            "condition" => self.condition(asked),
            "find" => self.find(asked, deadline),
            "graph" => self.graph(asked, deadline),
            "classes" => self.classes(asked),
            "node" => self.node(asked),
            "check" => self.check(),
            "export" => self.export(asked),
            _ => Err(format!("there is no request `{name}`")),
        }
    }

    fn model(&mut self) -> Told<Json> {
        let starts = self.effects(None)?;
        let facts = self.world.facts();
        Ok(json!({
            "model": self.source.name(),
            "version": env!("CARGO_PKG_VERSION"),
            "language": facts.language,
            "constants": object(&facts.constants),
            "symmetry": facts.symmetry.map(|(structure, order)| json!({ "structure": structure, "order": order })),
            "example": facts.example,
            "source": self.source.text(),
            "starts": starts,
        }))
    }

    /// The steps from a state, each with what it changes.
    fn effects(&mut self, from: Option<StateId>) -> Told<Json> {
        let moves = match from {
            Some(state) => self.world.moves(state)?,
            None => self.world.starts()?,
        };
        let before = from.map(|state| self.world.view(state)).unwrap_or_default();
        let all = moves.iter().map(|step| {
            let mut json = step.json();
            if let Ok(to) = step.to {
                let after = self.world.view(to);
                json["changed"] = match from {
                    Some(_) => changes(&before, &after),
                    None => json!({}),
                };
                json["stays"] = json!(from == Some(to));
            }
            json
        });
        Ok(Json::Array(all.collect()))
    }

    /// The choices that are asked about.
    fn choices(asked: &Json) -> Told<Vec<usize>> {
        let list = asked["choices"].as_array().ok_or("a list of choices is expected")?;
        if list.len() > MOST_STEPS {
            return Err(format!("a walk has at most {MOST_STEPS} steps"));
        }
        let number = |choice: &Json| choice.as_u64().and_then(|choice| usize::try_from(choice).ok());
        list.iter().map(number).collect::<Option<_>>().ok_or_else(|| "a choice is a number".to_owned())
    }

    /// The steps of a walk.
    fn follow(&mut self, choices: &[usize]) -> Told<Vec<Walked>> {
        let mut walk: Vec<Walked> = Vec::new();
        for choice in choices {
            let moves = match walk.last() {
                Some(last) => self.world.moves(last.state)?,
                None => self.world.starts()?,
            };
            let taken = moves.into_iter().nth(*choice);
            let taken = taken.ok_or_else(|| format!("there is no choice {choice} at step {}", walk.len()))?;
            let state = taken.to.clone()?;
            walk.push(Walked { choice: *choice, taken, state });
        }
        Ok(walk)
    }

    /// The steps of a walk, each with what it changed.
    fn walk(&mut self, asked: &Json) -> Told<Json> {
        let choices = Self::choices(asked)?;
        let walk = self.follow(&choices)?;
        let mut steps = Vec::new();
        let mut before: Option<View> = None;
        for step in &walk {
            let after = self.world.view(step.state);
            let mut json = step.taken.json();
            json["kind"] = json!(if before.is_none() { "start" } else { "rule" });
            json["taken"] = json!(step.choice);
            json["changed"] = before.map_or_else(|| json!({}), |before| changes(&before, &after));
            steps.push(json);
            before = Some(after);
        }
        Ok(json!({ "steps": steps }))
    }

    /// All that is known of a state.
    fn state(&mut self, asked: &Json) -> Told<Json> {
        let state = asked["state"].as_u64().and_then(|state| StateId::try_from(state).ok());
        let state = state.ok_or("a state is a number")?;
        let view = self.world.view(state);
        let statuses = self.world.statuses(state)?;
        let orbit = self.world.orbit(state)?;
        let statuses = statuses.iter().map(|status| {
            let mut json = status.json();
            json["bad"] = json!(status.holds == Some(false) && is_bad(status));
            json
        });
        let statuses: Vec<Json> = statuses.collect();
        let orbit = orbit.map(|orbit| {
            let representative = self.world.view(orbit.representative);
            json!({
                "state": orbit.representative,
                "permutation": orbit.permutation,
                "size": orbit.size,
                "values": object(&representative.values),
                "clocks": clocks(&representative),
            })
        });
        Ok(json!({
            "state": state,
            "values": object(&view.values),
            "clocks": clocks(&view),
            "properties": statuses,
            "orbit": orbit,
            "moves": self.effects(Some(state))?,
        }))
    }

    /// Reads a condition, once.
    fn term(&mut self, text: &str) -> Told<TermId> {
        if let Some((_, term)) = self.terms.iter().find(|(known, _)| known == text) {
            return Ok(*term);
        }
        if text.trim().is_empty() {
            return Err("a condition is expected".to_owned());
        }
        let term = self.world.term(text)?;
        self.terms.push((text.to_owned(), term));
        Ok(term)
    }

    /// The value of a condition or term in a state.
    fn condition(&mut self, asked: &Json) -> Told<Json> {
        let term = self.term(asked["text"].as_str().unwrap_or_default())?;
        let state = asked["state"].as_u64().and_then(|state| StateId::try_from(state).ok());
        let value = state.map(|state| self.world.value(term, state)).transpose()?;
        Ok(json!({ "value": value }))
    }

    /// A walk that goes on from a state: at random, or the shortest one to a condition.
    fn find(&mut self, asked: &Json, deadline: Deadline) -> Told<Json> {
        let from = asked["from"].as_u64().and_then(|state| StateId::try_from(state).ok());
        let goal = asked["until"].as_str().map(|text| self.term(text)).transpose()?;
        let stop = self.stop.clone();
        let patience = Patience { deadline, stop: &stop };
        let found = match (asked["how"].as_str(), goal) {
            (Some("shortest"), Some(goal)) => shortest(self.world, from, goal, MOST_STATES, &patience)?,
            (Some("random"), goal) => {
                let steps = asked["steps"].as_u64().map_or(100, |steps| steps as usize).min(MOST_STEPS);
                let seed = asked["seed"].as_u64().unwrap_or(1);
                random(self.world, from, steps, seed, goal, &patience)?
            }
            _ => return Err("`shortest` needs a condition".to_owned()),
        };
        let Found { choices, reached, seen, all } = found;
        Ok(json!({ "choices": choices, "reached": reached, "seen": seen, "all": all }))
    }

    fn graph(&mut self, asked: &Json, deadline: Deadline) -> Told<Json> {
        let most = asked["most"].as_u64().unwrap_or(2_000).min(MOST_ORBITS) as usize;
        let stop = self.stop.clone();
        let patience = Patience { deadline, stop: &stop };
        self.graph = Graph::new(self.world, most, &patience)?;
        self.graph.json(self.world)
    }

    /// The values of a condition or term in the nodes of the graph.
    fn classes(&mut self, asked: &Json) -> Told<Json> {
        let term = self.term(asked["text"].as_str().unwrap_or_default())?;
        let value =
            |state: &StateId| self.world.value(term, *state).unwrap_or_else(|fault| format!("({fault})"));
        Ok(json!({ "classes": self.graph.nodes.iter().map(value).collect::<Vec<_>>() }))
    }

    /// A walk to a node of the graph.
    fn node(&mut self, asked: &Json) -> Told<Json> {
        let node = asked["node"].as_u64().ok_or("a node is a number")?;
        let choices = self.graph.walk_to(self.world, node as usize)?;
        Ok(json!({ "choices": choices }))
    }

    /// Checks the model, and follows its counterexamples.
    fn check(&mut self) -> Told<Json> {
        let limits = Limits { time: Some(TIME), cancel: Some(self.cancel), ..self.options.limits };
        let options = Options { limits, color: false, ..self.options.clone() };
        let report = crate::check(self.source, &options).map_err(|failure| failure.to_string())?;
        let mut all = Vec::new();
        for property in &report.properties {
            let run = property.violations.first().or(property.witness.as_ref());
            let run = run.filter(|run| !run.trace.steps.is_empty());
            let followed = run.map(|run| self.retrace(&run.trace));
            all.push(json!({
                "name": property.name,
                "kind": property.kind.name(),
                "verdict": property.verdict_name(),
                "message": run.map(|run| &run.message),
                "reason": property.reason,
                "choices": followed.as_ref().and_then(|followed| followed.as_ref().ok()),
                "problem": followed.as_ref().and_then(|followed| followed.as_ref().err()),
                "loop": run.and_then(|run| run.trace.back),
            }));
        }
        Ok(
            json!({ "verdict": report.verdict.name(), "properties": all, "limit": report.limit.map(|limit| limit.name()) }),
        )
    }

    /// The choices that make a run of the checker.
    fn retrace(&mut self, trace: &TraceReport) -> Told<Vec<usize>> {
        // At the end of a timed run, time may pass without a step.
        let is_step = |step: &&TraceStepReport| {
            step.firing.start || step.moment.as_ref().is_none_or(|moment| !moment.edges.is_empty())
        };
        let (mut choices, mut at) = (Vec::new(), None);
        for step in trace.steps.iter().filter(is_step) {
            let moves = match at {
                Some(state) => self.world.moves(state)?,
                None => self.world.starts()?,
            };
            let mut same = moves.iter().enumerate().filter_map(|(choice, taken)| {
                let to = *taken.to.as_ref().ok()?;
                let fits = step.firing.start
                    || taken.rule == step.firing.rule && taken.parameters == step.firing.parameters;
                (fits && self.world.view(to).values == step.state).then_some((choice, to))
            });
            let (choice, to) = same.next().ok_or_else(|| match choices.len() {
                0 => "the run begins in a state where walks do not begin (see `--start-threads`)".to_owned(),
                at => format!("step {at} of the run cannot be followed here"),
            })?;
            choices.push(choice);
            at = Some(to);
        }
        Ok(choices)
    }

    /// A walk as a file.
    fn export(&mut self, asked: &Json) -> Told<Json> {
        let choices = Self::choices(asked)?;
        let walk = self.follow(&choices)?;
        let trace = self.world.trace(&walk)?;
        let facts = self.world.facts();
        let text = match asked["format"].as_str() {
            Some("text") => trace.text(trace::TraceMode::Diff),
            Some("json") => report_json::run(self.source.name(), &facts.language, &facts.constants, &trace)
                .map_err(|error| error.to_string())?,
            _ => return Err("a walk is exported as `text` or `json`".to_owned()),
        };
        Ok(json!({ "text": text }))
    }
}

/// What became of the values, and of what is known of the clocks.
fn changes(before: &View, after: &View) -> Json {
    let changes = trace::differences(&before.values, &after.values);
    let mut object: Map<String, Json> =
        changes.into_iter().map(|change| (change.name, json!([change.from, change.to]))).collect();
    let clocks = after.clocks.iter().filter(|clock| !before.clocks.contains(clock));
    object.extend(clocks.map(|(name, now)| {
        let was = before.clocks.iter().find(|(known, _)| known == name).map(|(_, was)| was);
        (name.clone(), json!([was, now]))
    }));
    Json::Object(object)
}

/// The clocks of a state, and what is known of their differences.
fn clocks(view: &View) -> Json {
    let clocks: Map<String, Json> =
        view.clocks.iter().map(|(name, values)| (name.clone(), json!(values))).collect();
    json!({ "values": clocks, "differences": view.differences })
}
