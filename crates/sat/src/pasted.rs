//! Invariants that are written in the model, checked for induction as they stand.
//!
//! This does not know clauses: each invariant of the model is a condition of its own, as the encoding makes it. It is used
//! to check certificates again, and shares neither the search nor the induction check with what found the proof.

use burnside_encode::{Encoding, Instance};
use burnside_model::Model;
use burnside_model::code::{FaultKind, Semantics};
use burnside_model::system::PropertyKind;

use crate::circuit::{Circuit, Ref, TRUE};
use crate::fragment::{Counts, Summary};
use crate::solver::Solver;
use crate::system::refusal;

/// The bound for a model whose last `pasted` invariants are both assumed and shown: each step needs its own elements, and
/// those of the invariant that fails; an invariant that says "some element" needs its witness where it is assumed.
/// Nothing if one says "some element" for every element: then the number of witnesses has no bound.
pub fn bound(summary: &Summary, pasted: usize) -> Option<Vec<u32>> {
    let first = summary.bodies.len().saturating_sub(pasted);
    let (others, proof) = summary.bodies.split_at(first);
    let assumed: Vec<&Vec<u32>> = proof.iter().map(|body| body.assumed.as_ref()).collect::<Option<_>>()?;
    let most = |domain: usize| {
        let failing = proof.iter().map(|body| body.witnesses[domain]).max().unwrap_or(0);
        let assumed: u32 = assumed.iter().map(|witnesses| witnesses[domain]).sum();
        let of = |body: &Counts| {
            let last = body.loops[domain].max(if body.steps { failing } else { 0 });
            body.parameters[domain] + body.witnesses[domain] + last
        };
        (summary.globals[domain] + others.iter().map(of).max().unwrap_or(0) + assumed).max(1)
    };
    Some((0..summary.domains.len()).map(most).collect())
}

/// Whether the last `pasted` invariants of a model are inductive together, and where they hold, so do the others and nothing
/// goes wrong.
pub fn is_inductive(
    model: &Model,
    summary: &Summary,
    pasted: usize,
    semantics: Semantics,
) -> Result<bool, String> {
    let encoding = Encoding::of_all_states(model, semantics).map_err(|refusal| refusal.reason)?;
    let instances: Vec<Instance> = encoding
        .instances()
        .map_err(|refusal| refusal.reason)?
        .into_iter()
        .flat_map(|component| component.instances)
        .collect();
    let bits = encoding.bits().len();
    let mut circuit = Circuit::new(bits);
    let steps = encoding.rules(&mut circuit, &instances).map_err(|error| refusal(error).reason)?;
    let Ok(valid) = encoding.valid(&mut circuit);
    let invariants: Vec<usize> = (0..model.properties.len())
        .filter(|i| model.properties[*i].kind == PropertyKind::Invariant)
        .collect();
    let (others, proof) = invariants.split_at(invariants.len().saturating_sub(pasted));
    let all = |circuit: &mut Circuit, list: &[usize]| -> Result<Vec<Ref>, String> {
        let mut holds = Vec::new();
        for i in list {
            let condition = encoding.property(circuit, *i).map_err(|error| refusal(error).reason)?;
            holds.push(condition.holds);
            holds.extend(condition.faults.iter().map(|fault| fault.condition ^ 1));
        }
        Ok(holds)
    };
    let mut assumed = all(&mut circuit, proof)?;
    let shown = all(&mut circuit, others)?;
    let shown = circuit.all(shown);
    assumed.push(valid);
    assumed.extend(present(model, summary, &encoding, &mut circuit));
    let fine = circuit.all(assumed);
    let Ok(starts) = encoding.initial(&mut circuit);
    let mut solver = Solver::new(burnside_model::Deadline::NEVER);
    let mut never = |circuit: &Circuit, f: Ref| {
        let lit = solver.function(circuit, f);
        solver.solve(&[lit]).map(|found| !found).map_err(|_| "out of time".to_owned())
    };
    let wrong_start = circuit.both(starts, fine ^ 1);
    let wrong = circuit.both(fine, shown ^ 1);
    if !never(&circuit, wrong_start)? || !never(&circuit, wrong)? {
        return Ok(false);
    }
    for step in &steps {
        for fault in step.faults.iter().filter(|fault| fault.kind != FaultKind::UnionMember) {
            let wrong = circuit.both(fine, fault.condition);
            if !never(&circuit, wrong)? {
                return Ok(false);
            }
        }
        let mut after: Vec<Ref> = (0..bits).map(|bit| circuit.bit(bit)).collect();
        for (bit, f) in &step.updates {
            after[*bit] = *f;
        }
        let mut known = std::collections::HashMap::new();
        let kept = substituted(&mut circuit, fine, &after, &mut known);
        let before = circuit.both(fine, step.next);
        // Where an id outside the state would be held outside an array, the step is not looked at.
        let stays = present(model, summary, &encoding, &mut circuit);
        let stays: Vec<Ref> =
            stays.into_iter().map(|f| substituted(&mut circuit, f, &after, &mut known)).collect();
        let stays = circuit.all(stays);
        let before = circuit.both(before, stays);
        let wrong = circuit.both(before, kept ^ 1);
        if !never(&circuit, wrong)? {
            return Ok(false);
        }
    }
    Ok(true)
}

/// That variables outside arrays hold no element outside the state.
fn present(model: &Model, summary: &Summary, encoding: &Encoding<'_>, circuit: &mut Circuit) -> Vec<Ref> {
    let mut all = Vec::new();
    for (cell, encoded) in model.state_cells().iter().zip(encoding.cells()) {
        if cell.indices.iter().any(|(domain, _)| summary.domains.contains(domain)) {
            continue;
        }
        for number in 0..encoded.values + u64::from(encoded.undefined) {
            if encoded.values <= 64
                && model.types.show(cell.ty, encoded.content(number)) == crate::prove::check::OTHER
            {
                let bits: Vec<Ref> =
                    (encoded.first..encoded.first + encoded.width).map(|bit| circuit.bit(bit)).collect();
                all.push(circuit.equals(&bits, number) ^ 1);
            }
        }
    }
    all
}

/// A function with other functions in place of the state's bits.
fn substituted(
    circuit: &mut Circuit,
    f: Ref,
    bits: &[Ref],
    known: &mut std::collections::HashMap<u32, Ref>,
) -> Ref {
    let mut stack = vec![f >> 1];
    while let Some(node) = stack.pop() {
        if known.contains_key(&node) {
            continue;
        }
        let Some((a, b)) = circuit.operands(node) else {
            let image = if node == 0 { TRUE ^ 1 } else { bits[node as usize - 1] };
            known.insert(node, image);
            continue;
        };
        let (Some(x), Some(y)) = (known.get(&(a >> 1)).copied(), known.get(&(b >> 1)).copied()) else {
            stack.extend([node, a >> 1, b >> 1]);
            continue;
        };
        let image = circuit.both(x ^ (a & 1), y ^ (b & 1));
        known.insert(node, image);
    }
    known.get(&(f >> 1)).map_or(f, |image| image ^ (f & 1))
}
