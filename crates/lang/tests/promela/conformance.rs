//! The corpus of models by others, with the figures that Spin measured; explored by the reference interpreter.
//!
//! `BURNSIDE_STATES=1000000` explores larger models than the usual tests do.

use std::collections::{HashMap, VecDeque};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use burnside_lang::promela::{self, Settings, VALID_END};
use burnside_lang::source::Source;
use burnside_model::code::{Cell, Semantics};
use burnside_model::system::{Machine, Outcome};
use burnside_model::{Model, System};

/// What a search without any cleverness found.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Found {
    pub states: usize,
    pub steps: usize,
    pub deadlocks: usize,
    pub faults: usize,
}

/// All states of a model; none if there are more than `most`.
pub fn explore(model: &Model, most: usize) -> Option<Found> {
    let mut machine = Machine::new(model, Semantics::default());
    let valid_end = model.rules.iter().position(|rule| rule.name == VALID_END).map(|rule| rule as u32);
    let (mut numbers, mut open): (HashMap<Vec<Cell>, ()>, VecDeque<Vec<Cell>>) = Default::default();
    let mut found = Found::default();
    let mut start = Vec::new();
    machine
        .initial(&mut |step| {
            if let Outcome::State(state) = step.outcome {
                start.push(state.to_vec());
            }
            ControlFlow::Continue(())
        })
        .expect("no deadline");
    for state in start {
        numbers.insert(state.clone(), ());
        open.push_back(state);
    }
    while let Some(state) = open.pop_front() {
        let mut next = Vec::new();
        let mut enabled = false;
        machine
            .successors(&state, &mut |step| {
                enabled = true;
                if Some(step.rule) == valid_end {
                    return ControlFlow::Continue(());
                }
                match step.outcome {
                    Outcome::State(state) => {
                        found.steps += 1;
                        next.push(state.to_vec());
                    }
                    Outcome::Dropped => {}
                    Outcome::Fault(_) | Outcome::GuardFault(_) => found.faults += 1,
                }
                ControlFlow::Continue(())
            })
            .expect("no deadline");
        found.deadlocks += usize::from(!enabled);
        for state in next {
            if !numbers.contains_key(&state) {
                numbers.insert(state.clone(), ());
                open.push_back(state);
            }
        }
        if numbers.len() > most {
            return None;
        }
    }
    found.states = numbers.len();
    Some(found)
}

/// Models that are refused with an error: one has `c_code`, the other too many ways through its atomic sequences.
const REFUSED: &[&str] = &["micro/m34_ccode_off.pml", "topspin_fireWireStar3.p"];

pub fn shared() -> Option<PathBuf> {
    let shared = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../../shared");
    let near = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    [near, shared].into_iter().find(|folder| folder.join("golden/promela.tsv").exists())
}

#[test]
fn counts_are_spins() {
    let compare = std::thread::Builder::new().stack_size(256 << 20).spawn(compare).expect("a thread");
    compare.join().expect("the counts agree");
}

fn compare() {
    let Some(shared) = shared() else { return eprintln!("skipped: no corpus beside the checkout") };
    let most: usize =
        std::env::var("BURNSIDE_STATES").ok().and_then(|text| text.parse().ok()).unwrap_or(1_500);
    let golden = std::fs::read_to_string(shared.join("golden/promela.tsv")).expect("readable");
    let only = std::env::var("BURNSIDE_ONLY").unwrap_or_default();
    let mut wrong = Vec::new();
    for row in golden.lines().skip(2) {
        let fields: Vec<&str> = row.split('\t').collect();
        let (file, verdict) = (fields[0], fields[1]);
        let (Ok(states), Ok(steps)) = (fields[2].parse::<usize>(), fields[3].parse::<usize>()) else {
            continue;
        };
        if states > most || !file.contains(&only) {
            continue;
        }
        let path = shared.join("corpus/promela").join(file);
        let text = std::fs::read_to_string(&path).expect("readable");
        let source = Source::new(path.to_string_lossy(), text);
        let (model, diagnostics) = promela::load(&source, &[], &Settings::default());
        let Some(model) = model else {
            if REFUSED.contains(&file) {
                continue;
            }
            let texts: Vec<String> = diagnostics.iter().map(|d| d.render(&source, false)).collect();
            wrong.push(format!("{file}: {}", texts.join("\n")));
            continue;
        };
        if !only.is_empty() {
            eprintln!("{file}: {} rules, {} cells", model.rules.len(), model.cells);
        }
        let found = explore(&model, states * 2 + 1000);
        let Some(found) = found else {
            wrong.push(format!("{file}: more than {} states, not {states}", states * 2 + 1000));
            continue;
        };
        let said = match (found.faults > 0, found.deadlocks > 0) {
            (true, _) => "FAIL(assert)",
            (_, true) => "FAIL(deadlock)",
            _ => "ok",
        };
        if (found.states, found.steps + 1) != (states, steps) || said != verdict {
            wrong.push(format!(
                "{file}: {found:?} {said}, expected {states}/{} {verdict} ({} rules)",
                steps - 1,
                model.rules.len()
            ));
        }
    }
    assert!(wrong.is_empty(), "{} rows:\n{}", wrong.len(), wrong.join("\n"));
}
