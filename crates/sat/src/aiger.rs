//! A system as AIGER text, for other checkers.
//!
//! AIGER 1.9 in its ASCII form: one latch per bit of the state, one input per rule instance, and one more bit that says that
//! the system has started. A step takes the first instance whose input is on and that is possible; if none is, the state
//! stays as it is. Before the first step all latches are 0; the first step goes to a start state, chosen by inputs. What is
//! wrong is one bad-state property.

use std::fmt::Write;

use crate::circuit::{Circuit, FALSE, Ref, TRUE};
use crate::system::System;

/// The text of a system.
pub fn text(system: &mut System<'_>) -> String {
    let bits = system.encoding.bits().len();
    let started = system.circuit.input();
    let inputs: Vec<Ref> = system.steps.iter().map(|_| system.circuit.input()).collect();
    let starts: Vec<Vec<bool>> = system.starts.iter().map(|start| system.encoding.pack(start)).collect();
    let choices: Vec<Ref> = starts.iter().skip(1).map(|_| system.circuit.input()).collect();
    let circuit = &mut system.circuit;
    let mut next: Vec<Ref> = (0..bits).map(|bit| circuit.bit(bit)).collect();
    // The last one first, so that the first one decides.
    for (step, input) in system.steps.iter().zip(&inputs).rev() {
        let taken = circuit.both(*input, step.next);
        for (bit, kept) in next.iter_mut().enumerate() {
            let becomes =
                step.updates.iter().find(|(of, _)| *of == bit).map_or(circuit.bit(bit), |(_, f)| *f);
            *kept = circuit.choice(taken, becomes, *kept);
        }
    }
    for (bit, f) in next.iter_mut().enumerate() {
        let mut first = starts.first().map_or(FALSE, |start| Ref::from(start[bit]));
        for (start, choice) in starts.iter().skip(1).zip(&choices) {
            first = circuit.choice(*choice, Ref::from(start[bit]), first);
        }
        *f = circuit.choice(started, *f, first);
    }
    let wrong = circuit.both(started, system.bad);
    let mut all_inputs = inputs;
    all_inputs.extend(choices);
    write(circuit, &all_inputs, (bits, started), &next, wrong)
}

/// Writes the circuit: inputs, latches with their next values, the bad state, conjunctions.
fn write(
    circuit: &Circuit,
    inputs: &[Ref],
    (bits, started): (usize, Ref),
    next: &[Ref],
    wrong: Ref,
) -> String {
    let gates: Vec<(u32, (Ref, Ref))> =
        (1..circuit.len() as u32).filter_map(|node| Some((node, circuit.operands(node)?))).collect();
    let most = circuit.len() - 1;
    let mut text = format!("aag {most} {} {} 0 {} 1\n", inputs.len(), bits + 1, gates.len());
    for input in inputs {
        let _ = writeln!(text, "{input}");
    }
    for (bit, f) in next.iter().enumerate() {
        let _ = writeln!(text, "{} {f}", circuit.bit(bit));
    }
    let _ = writeln!(text, "{started} {TRUE}\n{wrong}");
    for (node, (f, g)) in gates {
        let _ = writeln!(text, "{} {f} {g}", node << 1);
    }
    text
}
