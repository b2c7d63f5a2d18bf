//! An engine of a caller of the library: it registers, is planned, runs and reports. This is all that an engine needs.

use std::collections::HashMap;
use std::ops::ControlFlow;

use burnside::engines::{Engine, Task};
use burnside::findings::{Checks, Ending, Findings, Witness};
use burnside::{Custom, Events, Failure, Options, Source, Verdict, check};
use burnside_model::System;
use burnside_model::system::{Machine, Outcome, PropertyKind};

/// Explores depth first with the reference interpreter; decides invariants only.
struct DepthFirst;

impl Engine for DepthFirst {
    fn name(&self) -> &'static str {
        "depth-first"
    }

    fn run(&self, task: &Task<'_>, _: &mut dyn Events) -> Result<Option<Findings>, Failure> {
        let checks = Checks::new(task.model, task.options.deadlock);
        let mut machine = Machine::new(task.model, task.options.semantics);
        machine.set_deadline(task.limits.deadline());
        let mut parents: HashMap<Vec<i64>, Option<Vec<i64>>> = HashMap::new();
        let (mut stack, mut witnesses) = (Vec::new(), vec![Vec::new(); checks.list.len()]);
        let mut reached = Vec::new();
        let late = |_| Failure::Refused("there was not enough time".to_owned());
        let mut state: Option<Vec<i64>> = None;
        loop {
            let mut collect = |step: burnside_model::system::Step<'_>| {
                if let Outcome::State(next) = step.outcome {
                    reached.push(next.to_vec());
                }
                ControlFlow::Continue(())
            };
            match &state {
                None => machine.initial(&mut collect).map_err(late)?,
                Some(state) => machine.successors(state, &mut collect).map_err(late)?,
            }
            for next in std::mem::take(&mut reached) {
                if !parents.contains_key(&next) {
                    parents.insert(next.clone(), state.clone());
                    stack.push(next);
                }
            }
            let Some(next) = stack.pop() else { break };
            for (check, property, kind) in &checks.evaluated {
                let holds = machine.holds(*property, &next).map_err(late)?;
                if *kind == PropertyKind::Invariant && holds == Ok(0) && witnesses[*check].is_empty() {
                    let back = |at: &Vec<i64>| parents.get(at).cloned().flatten();
                    let mut path: Vec<_> = std::iter::successors(Some(next.clone()), back).collect();
                    path.reverse();
                    witnesses[*check].push(Witness { path, ending: Ending::Invariant });
                }
            }
            state = Some(next);
        }
        let decided = |kind| kind == PropertyKind::Invariant;
        let results = checks.list.iter().zip(witnesses);
        let properties = results.map(|(check, w)| check.conclude(w, 0, false, decided(check.kind))).collect();
        let states = (parents.len() as u64).into();
        Ok(Some(Findings { properties, states, complete: true, ..Findings::default() }))
    }
}

#[test]
fn an_engine_is_one_implementation_and_one_option() {
    let text = "var x : 0..9; startstate x := 0; end; rule x < 9 ==> x := x + 1; end;
        invariant \"small\" x < 7; invariant \"any\" x >= 0;";
    let options = Options { engine: burnside::Engine::Custom(Custom(&DepthFirst)), ..Options::default() };
    let report = check(&Source::new("m.m", text), &options).expect("a report");
    assert_eq!(
        (report.engine.as_str(), report.states, report.verdict),
        ("depth-first", 10, Verdict::Violated)
    );
    assert_eq!(report.properties[0].violations[0].trace.steps.len(), 8, "the run was executed once more");
    assert_eq!(report.properties[1].verdict, Verdict::Holds);
    let lines = include_str!("engine.rs").lines().take_while(|line| !line.starts_with("#[test]")).count();
    assert!(lines < 80, "{lines} lines");
    let timed = check(&Source::new("m.xta", "process P() { state A; init A; } system P;"), &options);
    assert!(
        timed.is_err_and(|failure| failure.to_string() == "the engine `depth-first` is not for timed models")
    );
}
