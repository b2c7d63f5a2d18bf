//! Tiny random models with few levels, in which several things go wrong at once, most of them near the end.
//!
//! A control variable only grows, so that the search ends soon and the last level matters. One scalarset with a flag and two
//! pointers makes the models countable; conditions read the pointers whether they have values or not, and loops move all
//! elements at once.

use super::random::rng::Rng;

const LAST: usize = 4;

/// The model of a seed.
pub fn model(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0x717);
    let mut text = format!(
        "type\n  P : scalarset({});\nvar\n  s : 0 .. {LAST};\n  g, h : P;\n  a : array [P] of boolean;\n",
        2 + rng.below(2)
    );
    let flags = if rng.chance(85) { "for p : P do a[p] := false; end; " } else { "" };
    for number in 0..1 + rng.below(2) {
        let first = rng.below(2);
        text += &match rng.chance(40) {
            true => {
                format!(
                    "ruleset q : P do startstate \"b{number}\" s := {first}; g := q; h := q; {flags}end; end;\n"
                )
            }
            false => format!("startstate \"b{number}\" s := {first}; {flags}end;\n"),
        };
    }
    for number in 0..2 + rng.below(3) {
        text += &rule(&mut rng, number);
    }
    for number in 0..2 + rng.below(4) {
        let kind = *rng.pick(&["invariant", "invariant", "liveness", "liveness", "cover"]).expect("some");
        let condition = condition(&mut rng);
        text += &format!("{kind} \"c{number}\" {condition};\n");
    }
    text
}

fn rule(rng: &mut Rng, number: usize) -> String {
    let from = rng.below(LAST);
    let to = from + 1 + rng.below(LAST - from);
    let guard = *rng.pick(&["true", "!a[p]", "a[p]", "isundefined(g)", "!isundefined(g)"]).expect("some");
    let change = *rng
        .pick(&[
            "",
            "a[p] := true;",
            "g := p;",
            "undefine g;",
            "a[g] := true;",
            "h := p;",
            "h := g;",
            "for q : P do a[q] := false; end;",
            "for q : P do a[q] := true; end;",
            "assert a[p];",
            "assert s = 0;",
        ])
        .expect("some");
    // Some stay where they are, so that there are loops to be live in.
    let to = if rng.chance(20) { from } else { to };
    let reset = if rng.chance(10) {
        format!("rule \"back{number}\" s = {to} ==> s := 0; end;\n")
    } else {
        String::new()
    };
    format!(
        "ruleset p : P do rule \"r{number}\" s = {from} & {guard} ==> {change} s := {to}; end; end;\n{reset}"
    )
}

fn condition(rng: &mut Rng) -> String {
    let number = rng.below(LAST + 1);
    match rng.below(10) {
        0 => format!("s != {number}"),
        1 => format!("s = {number}"),
        2 => "a[g]".to_owned(),
        3 => "!a[g]".to_owned(),
        4 => "isundefined(g)".to_owned(),
        5 => "!isundefined(g)".to_owned(),
        6 => format!("s < {number} | a[g]"),
        7 => format!("s < {number} | g = h"),
        8 => format!("s < {number} | a[h]"),
        _ => format!("forall p : P do !a[p] | s != {number} end"),
    }
}
