//! Small random models whose rules do nothing wrong and never stop, with several properties about the future. Some are false,
//! and some read a pointer that has no value in some or all states.
//!
//! Nothing ends the search early, so that what is found of one property must not hide what is found of another.

use super::random::rng::Rng;

/// The model of a seed.
pub fn model(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0xca1);
    let mut text = format!(
        "type\n  P : scalarset({});\nvar\n  x : boolean;\n  g : P;\n  a : array [P] of boolean;\n",
        2 + rng.below(2)
    );
    let first = *rng.pick(&["false", "false", "true"]).expect("some");
    text += &match rng.chance(25) {
        true => format!(
            "ruleset q : P do startstate x := {first}; g := q; for p : P do a[p] := false; end; end; end;\n"
        ),
        false => format!("startstate x := {first}; for p : P do a[p] := false; end; end;\n"),
    };
    // One that is always enabled, so that there is no deadlock.
    text += "ruleset p : P do rule \"flip\" true ==> a[p] := !a[p]; end; end;\n";
    for number in 0..rng.below(4) {
        let guard =
            *rng.pick(&["x", "!x", "a[p]", "!a[p]", "isundefined(g)", "!isundefined(g)"]).expect("some");
        let change = *rng.pick(&["x := true;", "x := !x;", "g := p;", "undefine g;"]).expect("some");
        text += &format!("ruleset p : P do rule \"r{number}\" {guard} ==> {change} end; end;\n");
    }
    for number in 0..2 + rng.below(3) {
        let (a, b) = (condition(&mut rng), condition(&mut rng));
        text += &match rng.below(8) {
            0 => format!("ctl \"p{number}\" AG ({a} -> AF {b});\n"),
            1 => format!("ctl \"p{number}\" EF {a};\n"),
            2 => format!("invariant \"p{number}\" x -> (x | {a});\n"),
            3 => format!("cover \"p{number}\" {a};\n"),
            _ => format!("liveness \"p{number}\" {a};\n"),
        };
    }
    text
}

fn condition(rng: &mut Rng) -> &'static str {
    let conditions = [
        "x",
        "!x",
        "a[g]",
        "!a[g]",
        "isundefined(g)",
        "!isundefined(g)",
        "(exists p : P do a[p] end)",
        "(forall p : P do a[p] & x end)",
        "(x | a[g])",
        "(isundefined(g) | a[g])",
    ];
    rng.pick(&conditions).expect("some")
}
