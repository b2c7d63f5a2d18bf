//! Runs of any number of threads: how many are in which local state.

use burnside_model::threads::{Population, ThreadRun, ThreadState, ThreadStep, ThreadSystem};

use crate::value::Named;
use crate::{Change, Firing, TraceReport, TraceStepReport, Value};

impl TraceReport {
    /// A run of threads.
    pub fn of_threads(system: &ThreadSystem, run: &ThreadRun) -> TraceReport {
        let mut now = values(system.start.shared, &run.start);
        let start = Firing { start: true, rule: "start".to_owned(), named: false, parameters: Vec::new() };
        let mut steps =
            vec![TraceStepReport { firing: start, state: now.clone(), changed: Vec::new(), moment: None }];
        for (number, shared, threads) in &run.steps {
            let rule = rule(&system.steps[*number]);
            let next = values(*shared, threads);
            steps.push(TraceStepReport {
                firing: Firing { start: false, rule, named: true, parameters: Vec::new() },
                state: next.clone(),
                changed: changes(&now, &next),
                moment: None,
            });
            now = next;
        }
        TraceReport { steps, ..TraceReport::default() }
    }
}

/// A step as it is written in the text.
fn rule(step: &ThreadStep) -> String {
    let (arrow, to) = step.spawned.map_or(("->", step.local.1), |spawned| ("+>", spawned));
    format!("{} {} {arrow} {} {to}", step.shared.0, step.local.0, step.shared.1)
}

/// A configuration: the shared state, and how many threads are in each local state.
pub fn values(shared: ThreadState, threads: &Population) -> Vec<Named> {
    let number = |value: u32| Value::Int(value.into());
    let counts = threads.iter().map(|(local, count)| (format!("threads in {local}"), number(*count)));
    std::iter::once(("shared".to_owned(), number(shared))).chain(counts).collect()
}

/// What a step changes; a local state without threads is left out of a state.
fn changes(before: &[Named], after: &[Named]) -> Vec<Change> {
    let value = |state: &[Named], name: &str| {
        let found = state.iter().find(|(known, _)| known == name);
        found.map_or(Value::Int(0), |(_, value)| value.clone())
    };
    let gone = before.iter().filter(|(name, _)| after.iter().all(|(known, _)| known != name));
    let names = after.iter().chain(gone).map(|(name, _)| name);
    let changes = names.map(|name| (name, value(before, name), value(after, name)));
    changes
        .filter(|(_, from, to)| from != to)
        .map(|(name, from, to)| Change { name: name.clone(), from: Some(from), to: Some(to) })
        .collect()
}
