//! Small random models in which a step may belong to processes of several types, with several lines of fairness.
//!
//! Many rules lead to the same state, so that a run is fair or not by who takes its steps.

use super::random::rng::Rng;

/// The model of a seed, with its two types of processes declared like this.
pub fn model(seed: u64, declared: fn(&str) -> String) -> String {
    let mut rng = Rng::new(seed ^ 0xfa1);
    let mut text = format!("type\n  P : {};\n  D : {};\nvar\n", declared("P"), declared("D"));
    text += "  x : boolean;\n  y : boolean;\n  z : array [P] of boolean;\n";
    text += "startstate\n  x := false;\n  y := false;\n  for p : P do z[p] := false; end;\nend;\n";
    for number in 0..2 + rng.below(4) {
        let (around, ends, own) = *rng
            .pick(&[
                ("ruleset p : P do", "end;", true),
                ("ruleset d : D do", "end;", false),
                ("ruleset p : P; d : D do", "end;", true),
                ("ruleset d : D; p : P do", "end;", true),
                ("", "", false),
            ])
            .expect("some");
        let guards = ["true", "x", "y", "!y", "!x", "z[p]", "!z[p]"];
        let bodies = ["y := !y;", "x := !x;", "y := true;", "y := false; x := false;", "z[p] := !z[p];"];
        let (guards, bodies) = if own { (&guards[..], &bodies[..]) } else { (&guards[..5], &bodies[..4]) };
        let fair = *rng.pick(&["", "", "", "fair ", "strong fair "]).expect("some");
        let (guard, body) = (rng.pick(guards).expect("some"), rng.pick(bodies).expect("some"));
        text += &format!("{around} {fair}rule \"r{number}\" {guard} ==> {body} end; {ends}\n");
    }
    for (ty, name) in [("P", "p"), ("D", "d")] {
        let moves = [format!("ruleset {name} : {ty}"), format!("; {name} : {ty} do")];
        if moves.iter().any(|moves| text.contains(moves)) && rng.chance(80) {
            text += &format!("fairness {} {ty};\n", rng.pick(&["weak", "weak", "strong"]).expect("some"));
        }
    }
    let formulas =
        ["F x", "G F x", "G F y", "F G y", "G (y -> F !y)", "F (x & y)", "forall p : P do G F z[p] end"];
    for number in 0..1 + rng.below(3) {
        text += &format!("ltl \"l{number}\" {};\n", rng.pick(&formulas).expect("some"));
    }
    text + "invariant \"i\" x -> (x | y);\n"
}
