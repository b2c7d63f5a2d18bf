//! Thread transition systems and Boolean programs with any number of threads: from the text to the report.

use std::collections::BTreeMap;
use std::path::Path;
use std::time::Instant;

use burnside_counting::coverability::{Coverability, Run, decide};
use burnside_lang::boolean::{self, tts};
use burnside_lang::diag::Diagnostic;
use burnside_lang::source::Source;
use burnside_model::code::Types;
use burnside_model::system::PropertyKind;
use burnside_model::threads::{Population, ThreadState, ThreadSystem};
use burnside_model::{Limit, Verdict};
use burnside_report::{
    Firing, PropertyReport, Report, Stored, SymmetryReport, TraceReport, TraceStepReport, Value, Violation,
};

use crate::{Failure, Options, memory};

/// Whether a model is a thread transition system or a Boolean program.
pub fn is_threads(source: &Source) -> bool {
    tts::is_tts(source.name()) || boolean::is_boolean(source.name())
}

/// The system, and what must not be reached in words.
fn load(source: &Source, options: &Options) -> Result<(ThreadSystem, String), Failure> {
    let wrong = |mistake: Box<Diagnostic>| Failure::Input(vec![*mistake]);
    if boolean::is_boolean(source.name()) {
        if options.init.is_some() {
            return Err(Failure::Refused("`--init` is for thread transition systems only".to_owned()));
        }
        let system = boolean::load(source, options.target.as_deref()).map_err(wrong)?;
        return Ok((system, "no assertion is violated".to_owned()));
    }
    let beside = std::fs::read_to_string(Path::new(source.name()).with_extension("prop")).ok();
    let target = options.target.clone().or_else(|| beside.map(|text| text.trim().to_owned()));
    let system = tts::load(source, options.init.as_deref(), target.as_deref()).map_err(wrong)?;
    let name = target.map_or_else(|| "no target".to_owned(), |target| format!("never {target}"));
    Ok((system, name))
}

/// Decides whether the target can be reached by any number of threads. For a thread transition system it is the one asked
/// for, or that of the file beside it whose name ends in `.prop`, or that of the model itself; for a Boolean program it is
/// a violated assertion or the label asked for.
pub(crate) fn run(source: &Source, options: &Options) -> Result<Report, Failure> {
    let begun = Instant::now();
    let (system, name) = load(source, options)?;
    let deadline = options.limits.time.map(|time| begun + time);
    let (decided, figures) = decide(&system, deadline);
    let (verdict, reason, violations, limit) = match &decided {
        Coverability::Safe(certificate) => {
            if let Err(flaw) = certificate.check(&system) {
                return Err(Failure::Internal(format!("the certificate is no proof: {flaw:?}")));
            }
            let text = format!(
                "safe for any number of threads: {} minimal elements, certificate checked",
                certificate.elements.len()
            );
            (Verdict::Holds, Some(text), Vec::new(), None)
        }
        Coverability::Unsafe { run, least } => {
            if !run.is_violation(&system) {
                return Err(Failure::Internal("a run that was found cannot be executed".to_owned()));
            }
            let threads: u32 = run.start.values().sum();
            let fewest = if *least { "no fewer do" } else { "fewer were not ruled out" };
            let message = format!("reached with {threads} threads at the start ({fewest})");
            let snippet = format!("error: {message}");
            let violation = Violation { message, place: None, snippet, trace: trace(&system, run) };
            (Verdict::Violated, None, vec![violation], None)
        }
        Coverability::Unknown => (Verdict::Unknown, None, Vec::new(), Some(Limit::Time)),
    };
    let property = PropertyReport {
        name,
        named: true,
        kind: PropertyKind::Invariant,
        verdict,
        place: None,
        covered: None,
        reason,
        violations,
        witness: None,
        error: None,
    };
    Ok(Report {
        model: source.name().to_owned(),
        language: if boolean::is_boolean(source.name()) { "boolean" } else { "tts" }.to_owned(),
        constants: Vec::new(),
        verdict,
        properties: vec![property],
        engine: "coverability".to_owned(),
        reduction: "counting".to_owned(),
        exact: true,
        symmetry: SymmetryReport {
            generators: Vec::new(),
            structure: "all permutations of any number of threads".to_owned(),
            order: "unbounded".to_owned(),
            verified: true,
            derived: "declared".to_owned(),
            asymmetric: Vec::new(),
            judged: Vec::new(),
        },
        stored: Stored::Counts,
        states: (figures.elements + figures.configurations) as u64,
        states_text: None,
        orbits: None,
        full_states: None,
        rules_fired: None,
        depth: None,
        time: begun.elapsed(),
        peak_memory: memory::peak_memory().unwrap_or(0),
        nodes: None,
        sat: None,
        edges: None,
        limit,
        assumptions: Vec::new(),
        runs: Vec::new(),
        warnings: Vec::new(),
        rules: Vec::new(),
    })
}

/// A run in words: how many threads are in which local state.
fn trace(system: &ThreadSystem, run: &Run) -> TraceReport {
    let types = Types::default();
    let number = |value: u32| Value::new(&types, Types::INT, i64::from(value));
    let state = |shared: ThreadState, threads: &Population| {
        let counts: BTreeMap<_, _> = threads.iter().collect();
        let counts = counts.into_iter().map(|(local, count)| (format!("threads in {local}"), number(*count)));
        std::iter::once(("shared".to_owned(), number(shared))).chain(counts).collect()
    };
    let firing = |start: bool, rule: String| Firing { start, rule, named: !start, parameters: Vec::new() };
    let mut steps = vec![TraceStepReport {
        firing: firing(true, "start".to_owned()),
        state: state(system.start.shared, &run.start),
        changed: Vec::new(),
        moment: None,
    }];
    for (number, shared, threads) in &run.steps {
        let step = &system.steps[*number];
        let arrow = if step.spawned.is_some() { "+>" } else { "->" };
        let to = step.spawned.unwrap_or(step.local.1);
        let rule = format!("{} {} {arrow} {} {to}", step.shared.0, step.local.0, step.shared.1);
        steps.push(TraceStepReport {
            firing: firing(false, rule),
            state: state(*shared, threads),
            changed: Vec::new(),
            moment: None,
        });
    }
    TraceReport { steps, ..TraceReport::default() }
}
