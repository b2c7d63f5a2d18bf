//! `verify-certificate` for proofs: everything is derived again from the model and the invariant as text.
//!
//! Nothing of the search, of the clauses or of the solver's induction check is used. The invariant of the certificate is
//! pasted into the model and read by the front end. The fragment conditions and the bound are derived again. Then, at
//! every size up to the bound, all states in which the invariant holds are enumerated by the reference interpreter, cell
//! by cell, and every step from them is executed: the invariant and the properties must hold afterwards. That is possible
//! only at small sizes; where there are too many states, the invariant and the properties are made circuits by the
//! encoding, as conditions of their own, and the solver is asked about the whole step at once.

use std::ops::ControlFlow;

use burnside_encode::Encoding;
use burnside_lang::murphi::shape::{Shape, parameters};
use burnside_lang::murphi::{load, load_shaped};
use burnside_lang::source::Source;
use burnside_model::Model;
use burnside_model::code::{Cell, DomainId, Semantics, UNDEFINED};
use burnside_model::system::{Machine, Outcome, PropertyKind, System as _};
use burnside_sat::fragment::analyse;
use burnside_sat::pasted;

/// States at one size beyond which they are not enumerated.
const MOST_STATES: f64 = 200_000.0;

/// A proof as it is written in a certificate.
struct Written {
    constants: Vec<(String, String)>,
    names: Vec<String>,
    bounds: Vec<(String, u32)>,
    invariant: Vec<String>,
}

/// Whether a text is the certificate of a proof.
pub fn is_proof_certificate(text: &str) -> bool {
    text.starts_with("burnside-proof ")
}

/// Checks the certificate of a proof: what was checked, or why it is rejected.
pub fn verify_proof(source: &Source, text: &str) -> Result<String, String> {
    let written = read(source, text)?;
    let pasted: String = (1..)
        .zip(&written.invariant)
        .map(|(number, clause)| format!("invariant \"proof {number}\" {clause};\n"))
        .collect();
    let source = Source::new(source.name(), format!("{}\n{pasted}", source.text()));
    let (model, _) = load(&source, &written.constants);
    let model = model.ok_or("the invariant is no Murphi for this model")?;
    let mut spans = Vec::new();
    for parameter in parameters(&source).iter().filter(|parameter| written.names.contains(&parameter.name)) {
        if let Some(foreign) = parameter.foreign.first() {
            return Err(format!(
                "`{}` is used for more than a size, at byte {}",
                parameter.name, foreign.start
            ));
        }
        spans.extend(&parameter.scalarsets);
    }
    let domain = |span: &burnside_model::Span| {
        let at = model.types.domains.iter().position(|domain| domain.span.start == span.start);
        at.map(|at| DomainId(at as u32))
    };
    let domains: Vec<DomainId> = spans.iter().filter_map(domain).collect();
    if domains.is_empty() {
        return Err("it names no parameter of this model".to_owned());
    }
    let summary = analyse(&model, &domains).map_err(|outside| {
        format!("the model is outside the fragment: {}", outside.first().map_or("", |o| o.reason.as_str()))
    })?;
    // The pasted invariants are among the bodies now. Each is a hypothesis and a conclusion.
    let needed = pasted::bound(&summary, written.invariant.len())
        .ok_or("an invariant says \"some element\" for every element")?;
    for (domain, bound) in domains.iter().zip(&needed) {
        let name = &model.types.domain(*domain).name;
        let claimed = written.bounds.iter().find(|(of, _)| of == name).map(|(_, bound)| *bound);
        match claimed {
            Some(claimed) if claimed >= *bound => {}
            _ => return Err(format!("the bound of `{name}` must be at least {bound}, and is {claimed:?}")),
        }
    }
    let mut said = Vec::new();
    for sizes in all(&needed) {
        let shape = Shape {
            sizes: spans.iter().copied().zip(sizes.iter().copied()).collect(),
            widened: summary.holds_ids,
        };
        let (at, _) = load_shaped(&source, &written.constants, &shape);
        let at = at.ok_or("the model cannot be read at another size")?;
        let count = written.invariant.len();
        let enumerated = if summary.holds_ids { None } else { enumerate(&at, count)? };
        if enumerated.is_none() && !pasted::is_inductive(&at, &summary, count, Semantics::default())? {
            return Err(format!("the invariant is not inductive at sizes {sizes:?}"));
        }
        said.push(match enumerated {
            Some(states) => format!("sizes {sizes:?}: {states} states enumerated"),
            None => format!("sizes {sizes:?}: by its own encoding"),
        });
    }
    Ok(said.join("\n") + "\n")
}

fn read(source: &Source, text: &str) -> Result<Written, String> {
    let mut written =
        Written { constants: Vec::new(), names: Vec::new(), bounds: Vec::new(), invariant: Vec::new() };
    let mut lines = text.lines();
    if lines.next() != Some("burnside-proof 1") {
        return Err("it is no certificate of a proof".to_owned());
    }
    let mut ended = false;
    for line in lines {
        let (word, rest) = line.split_once(' ').unwrap_or((line, ""));
        match word {
            "model" if rest == burnside_certify::hash(source.text()).to_string() => {}
            "model" => return Err("it is for another model, or an earlier version of it".to_owned()),
            "constant" => {
                let (name, value) = rest.split_once(' ').ok_or("a damaged line")?;
                written.constants.push((name.to_owned(), value.to_owned()));
            }
            "for-all" => written.names = rest.split(' ').map(str::to_owned).collect(),
            "bound" => {
                let (name, bound) = rest.rsplit_once(' ').ok_or("a damaged line")?;
                written.bounds.push((name.to_owned(), bound.parse().map_err(|_| "a damaged bound")?));
            }
            "summand" => {}
            "invariant" => written.invariant.push(rest.to_owned()),
            "end" => ended = true,
            _ => return Err(format!("a damaged line: {line}")),
        }
    }
    if ended { Ok(written) } else { Err("it is cut off".to_owned()) }
}

/// All sizes up to a bound.
fn all(bound: &[u32]) -> Vec<Vec<u32>> {
    let mut all: Vec<Vec<u32>> = vec![Vec::new()];
    for most in bound {
        all = all
            .into_iter()
            .flat_map(|sizes| (1..=*most).map(move |size| sizes.iter().copied().chain([size]).collect()))
            .collect();
    }
    all
}

/// Enumerates all states and executes all steps from those in which the last `pasted` invariants hold, where the others must
/// hold, too; how many states, or nothing if there are too many.
fn enumerate(model: &Model, pasted: usize) -> Result<Option<u64>, String> {
    let encoding = Encoding::of_all_states(model, Semantics::default()).map_err(|refusal| refusal.reason)?;
    let ranges: Vec<(Cell, u64)> = encoding.cells().iter().map(|cell| (cell.lo, cell.values)).collect();
    if ranges.iter().map(|(_, values)| *values as f64 + 1.0).product::<f64>() > MOST_STATES {
        return Ok(None);
    }
    let invariants: Vec<usize> = (0..model.properties.len())
        .filter(|i| model.properties[*i].kind == PropertyKind::Invariant)
        .collect();
    let mut machine = Machine::new(model, Semantics::default());
    let mut judge = machine.clone();
    let (others, proof) = invariants.split_at(invariants.len().saturating_sub(pasted));
    let mut all_hold =
        |list: &[usize], state: &[Cell]| list.iter().all(|i| judge.holds(*i, state) == Ok(Ok(1)));
    let mut fine = |state: &[Cell]| all_hold(proof, state);
    let mut other_judge = machine.clone();
    let mut others_hold = |state: &[Cell]| others.iter().all(|i| other_judge.holds(*i, state) == Ok(Ok(1)));
    let mut wrong = false;
    let mut check = |outcome: Outcome<'_>, fine: &mut dyn FnMut(&[Cell]) -> bool| {
        wrong |= match outcome {
            Outcome::State(next) => !fine(next),
            Outcome::Dropped => false,
            Outcome::Fault(_) | Outcome::GuardFault(_) => true,
        };
        ControlFlow::Continue(())
    };
    // The machine has no deadline.
    let _ = machine.initial(&mut |step| check(step.outcome, &mut fine));
    let (mut state, mut visited): (Vec<Cell>, u64) = (vec![UNDEFINED; ranges.len()], 0);
    loop {
        if fine(&state) {
            visited += 1;
            if !others_hold(&state) {
                return Err("the invariant does not imply the properties".to_owned());
            }
            let _ = machine.successors(&state, &mut |step| check(step.outcome, &mut fine));
        }
        // The next one, as a number is counted up: undefined comes first.
        let mut at = 0;
        loop {
            let Some((lo, values)) = ranges.get(at) else {
                return if wrong {
                    Err("the invariant is not inductive".to_owned())
                } else {
                    Ok(Some(visited))
                };
            };
            state[at] = match state[at] {
                UNDEFINED if *values > 0 => *lo,
                value if value != UNDEFINED && value - lo + 1 < *values as i64 => value + 1,
                _ => UNDEFINED,
            };
            if state[at] != UNDEFINED {
                break;
            }
            at += 1;
        }
    }
}
