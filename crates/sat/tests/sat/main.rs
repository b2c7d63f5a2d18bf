//! IC3, the induction check and proofs for every size, against searches in which nothing is clever.
//!
//! Mistakes that were planted and caught: an image of a clause left out, a cube that holds a start state, an invariant that
//! does not exclude what is wrong (`induction`); a guard "some for every", a size in a range, a counting loop, an id that is
//! followed under a loop, two ids of arrays compared, a multiset, `return` out of a loop (`fragment`); a protocol that is
//! wrong from five processes on, and random ones (`protocols`, `random`).

mod fragment;
mod induction;
mod protocols;
mod random;
mod search;

use std::collections::HashSet;
use std::ops::ControlFlow;
use std::time::Duration;

use burnside_lang::murphi::shape::{Shape, parameters};
use burnside_lang::murphi::{load, load_shaped};
use burnside_lang::source::Source;
use burnside_model::code::{Cell, DomainId, Semantics};
use burnside_model::system::{Machine, Outcome, PropertyKind, System};
use burnside_model::{Deadline, Model};
use burnside_sat::prove::{Task, Verdict, prove};

/// The model at some size of all its scalarsets with a parameter.
fn at(source: &Source, size: u32) -> Model {
    let spans = parameters(source).into_iter().flat_map(|parameter| parameter.scalarsets);
    let sizes = spans.map(|span| (span, size)).collect();
    let (model, diagnostics) = load_shaped(source, &[], &Shape { sizes, widened: false });
    model.unwrap_or_else(|| panic!("{diagnostics:?}"))
}

/// Proves a text for every size.
fn proof(source: &Source, seconds: u64) -> Verdict {
    let spans: Vec<_> = parameters(source)
        .into_iter()
        .filter(|parameter| parameter.foreign.is_empty())
        .flat_map(|parameter| parameter.scalarsets)
        .collect();
    let (model, diagnostics) = load(source, &[]);
    let model = model.unwrap_or_else(|| panic!("{diagnostics:?}"));
    let domain = |span: &burnside_model::Span| {
        let at = model.types.domains.iter().position(|domain| domain.span.start == span.start);
        DomainId(at.expect("it is declared") as u32)
    };
    let domains = spans.iter().map(domain).collect();
    let mut read = |sizes: &Vec<u32>, widened: bool| {
        let sizes = spans.iter().copied().zip(sizes.iter().copied()).collect();
        let (model, diagnostics) = load_shaped(source, &[], &Shape { sizes, widened });
        model.ok_or_else(|| format!("{diagnostics:?}"))
    };
    let mut task = Task {
        load: &mut read,
        domains,
        outside: Vec::new(),
        semantics: Semantics::default(),
        deadline: Deadline::new(Some(Duration::from_secs(seconds)), None),
        most: 5,
        told: &mut |_, _| {},
    };
    prove(&mut task).unwrap_or_else(|refusal| panic!("{}", refusal.reason))
}

/// Whether nothing wrong is reachable, by looking at every state; nothing if there are too many.
fn holds(model: &Model, most: usize) -> Option<bool> {
    let mut machine = Machine::new(model, Semantics::default());
    let mut seen: HashSet<Vec<Cell>> = HashSet::new();
    let (mut todo, mut wrong) = (Vec::new(), false);
    let mut visit = |outcome: Outcome<'_>, todo: &mut Vec<Vec<Cell>>| match outcome {
        Outcome::State(state) => {
            if seen.insert(state.to_vec()) {
                todo.push(state.to_vec());
            }
            seen.len()
        }
        Outcome::Dropped => seen.len(),
        _ => {
            wrong = true;
            seen.len()
        }
    };
    let _ = machine.initial(&mut |step| {
        visit(step.outcome, &mut todo);
        ControlFlow::Continue(())
    });
    let mut size = todo.len();
    while let Some(state) = todo.pop() {
        if size > most {
            return None;
        }
        for (i, property) in model.properties.iter().enumerate() {
            if property.kind == PropertyKind::Invariant && machine.holds(i, &state) != Ok(Ok(1)) {
                return Some(false);
            }
        }
        let _ = machine.successors(&state, &mut |step| {
            size = visit(step.outcome, &mut todo);
            ControlFlow::Continue(())
        });
    }
    Some(!wrong)
}
