//! Every way to decide checks with SAT, against a search of all states: the verdict of each check, and in bounded search the
//! length of its shortest run. The models have several checks that fail, covers, assertions and deadlocks.

use std::collections::HashSet;
use std::ops::ControlFlow;

use burnside_lang::murphi::load;
use burnside_lang::source::Source;
use burnside_model::code::{Cell, Semantics, Undefined};
use burnside_model::findings::{Checks, Known};
use burnside_model::system::{Machine, Outcome, PropertyKind, System as _};
use burnside_model::{DeadlockMode, Limit, Limits, Model};
use burnside_sat::fixed::verified;
use burnside_sat::search::{Method, Task, search};
use burnside_sat::system::Question;
use burnside_sat::trace::reached;

use crate::random::{Rng, condition, models, seeded, statement};

/// A model with two kinds of processes, or a ring, and checks of every kind that single states decide.
fn model(rng: &mut Rng) -> String {
    let of = rng.one(&["scalarset(3)", "scalarset(2)", "ring(3)"]);
    let starts = [
        "startstate for i: P do s[i] := A; f[i] := false; undefine d[i]; end; undefine g; x := false; end;",
        "ruleset p: P do startstate for i: P do s[i] := A; f[i] := i = p; d[i] := i; end; g := p; x := true; end; end;",
        "startstate x := false; for i: P do s[i] := B; end; end;",
    ];
    let start = rng.one(&starts);
    let mut text = format!(
        "type P: {of}; S: enum {{ A, B, C }};
var s: array [P] of S; f: array [P] of boolean; d: array [P] of P; g: P; x: boolean;\n{start}\n"
    );
    for rule in 0..2 + rng.below(4) {
        let guard = condition(rng, "i", 2);
        let mut body: String = (0..1 + rng.below(3)).map(|_| statement(rng, "i")).collect();
        match rng.below(8) {
            0 => body += &format!("assert !({}) \"a{rule}\";", condition(rng, "i", 0)),
            1 => body += &format!("cover {} \"c{rule}\";", condition(rng, "i", 0)),
            2 => body += &format!("assume {};", condition(rng, "i", 0)),
            _ => {}
        }
        text += &format!("ruleset i: P do rule {guard} ==> {body} end; end;\n");
    }
    for property in 0..1 + rng.below(3) {
        let (one, other) = (condition(rng, "i", 0), condition(rng, "k", 0));
        text += &format!(
            "invariant \"I{property}\" forall i: P do forall k: P do i != k -> !({one} & {other}) end end;\n"
        );
    }
    if rng.below(2) == 0 {
        text += &format!("cover \"K\" exists i: P do {} end;\n", condition(rng, "i", 1));
    }
    if rng.below(6) == 0 {
        text += &format!("assume forall i: P do {} end;\n", condition(rng, "i", 0));
    }
    text
}

/// For each check how many steps its shortest run has, if there is one; nothing if there are too many states.
fn depths(model: &Model, checks: &Checks, question: Question) -> Option<Vec<Option<u64>>> {
    let mut depths = vec![None; checks.list.len()];
    let mut machine = Machine::new(model, question.semantics);
    let (mut level, mut seen, mut fails) = (Vec::new(), HashSet::new(), false);
    let _ = machine.initial(&mut |step| {
        match step.outcome {
            Outcome::State(state) if seen.insert(state.to_vec()) => level.push(state.to_vec()),
            Outcome::Fault(_) | Outcome::GuardFault(_) => fails = true,
            _ => {}
        }
        ControlFlow::Continue(())
    });
    if fails {
        depths[checks.faults] = Some(0);
    }
    for depth in 0.. {
        let mut next: Vec<Vec<Cell>> = Vec::new();
        for state in level {
            for (check, _) in reached(model, checks, &state, question.semantics, question.deadlock) {
                depths[check].get_or_insert(depth);
            }
            let _ = machine.successors(&state, &mut |step| {
                if let Outcome::State(state) = step.outcome
                    && seen.insert(state.to_vec())
                {
                    next.push(state.to_vec());
                }
                ControlFlow::Continue(())
            });
        }
        if next.is_empty() || seen.len() > 3_000 {
            return next.is_empty().then_some(depths);
        }
        level = next;
    }
    None
}

#[test]
fn random_models_are_decided_as_by_a_search_of_all_states() {
    let mut counts = [[0u64; 3]; 3];
    for seed in 0..models() {
        let mut rng = seeded(seed);
        let text = model(&mut rng);
        let (loaded, diagnostics) = load(&Source::new("random.m", text.clone()), &[]);
        let loaded = loaded.unwrap_or_else(|| panic!("seed {seed}: {diagnostics:?}\n{text}"));
        let deadlock =
            [DeadlockMode::Off, DeadlockMode::Stuck, DeadlockMode::Stuttering][rng.below(3) as usize];
        let undefined = [Undefined::Cmurphi, Undefined::Copy, Undefined::Error][rng.below(3) as usize];
        let question = Question { semantics: Semantics { undefined, ..Semantics::default() }, deadlock };
        let checks = Checks::new(&loaded, deadlock);
        let Some(expected) = depths(&loaded, &checks, question) else { continue };
        let action = verified(&loaded);
        let bound = rng.below(7);
        for (way, method) in [Method::Ic3, Method::Bounded, Method::Induction].into_iter().enumerate() {
            for (action, representatives) in
                [(None, false), (action.as_ref(), false), (action.as_ref(), true)]
            {
                // Without a group there are no representatives; induction may take as many steps as there are states.
                let bound = match method {
                    Method::Ic3 => None,
                    Method::Induction => Some(4),
                    _ => Some(bound),
                };
                let max_errors = if seed % 3 == 0 { 1 } else { 100 };
                let limits = Limits { bound, max_errors, ..Limits::default() };
                let task = Task { action, question, method, representatives, limits: &limits };
                let found = search(&loaded, &task, &mut |_| {});
                let found =
                    found.unwrap_or_else(|why| panic!("seed {seed}, {method:?}: {}\n{text}", why.reason));
                let errors =
                    found.properties.iter().filter(|p| matches!(p.known, Known::Violated(_))).count();
                for (result, expected) in found.properties.iter().zip(&expected) {
                    let said = format!(
                        "seed {seed}, {method:?}, {representatives}, \"{}\" {:?}, expected {expected:?}\n{text}",
                        result.name, result.known
                    );
                    let cover = result.kind == PropertyKind::Cover;
                    let within = expected.filter(|depth| bound.is_none_or(|bound| *depth <= bound));
                    match (&result.known, cover) {
                        (Known::Holds, false) | (Known::Violated(_), true) => {
                            assert!(expected.is_none(), "{said}")
                        }
                        (Known::Holds, true) => assert!(expected.is_some(), "{said}"),
                        (Known::Violated(witnesses), false) => {
                            assert!(expected.is_some(), "{said}");
                            let steps = witnesses[0].path.len().saturating_sub(1) as u64;
                            assert!(method == Method::Ic3 || Some(steps) == *expected, "{said}");
                        }
                        (Known::Unknown, _) => {
                            let stopped = match found.limit {
                                Some(Limit::MaxErrors) => errors > 0 && max_errors == 1,
                                Some(Limit::Bound) => within.is_none(),
                                _ => false,
                            };
                            assert!(
                                stopped && method != Method::Ic3 || errors > 0 && max_errors == 1,
                                "{said}"
                            );
                        }
                    }
                    let verdict = match result.known {
                        Known::Holds => 0,
                        Known::Violated(_) => 1,
                        Known::Unknown => 2,
                    };
                    counts[way][verdict] += 1;
                }
            }
        }
    }
    println!("holds, violated, unknown: {counts:?}");
    assert!(counts.iter().all(|of| of[1] > 30) && counts[0][0] > 30 && counts[2][0] > 30, "{counts:?}");
}
