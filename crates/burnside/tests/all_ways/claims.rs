//! Random models over ranges with claims and generators, most of which are wrong, side by side.
//!
//! A few symmetric rules over one or two ranges, and rules that name one value. The claims are `symmetry T;` and generators of
//! the same types, in any number and order, and now and then there is a scalarset beside them.

use super::random::rng::Rng;

struct Writer {
    rng: Rng,
    /// Names and sizes of the ranges.
    ranges: Vec<(&'static str, usize)>,
}

/// The model of a seed.
pub fn model(seed: u64) -> String {
    let mut rng = Rng::new(seed ^ 0xc1a1);
    let mut ranges = vec![("P", 2 + rng.below(2))];
    if rng.chance(40) {
        ranges.push(("Q", 2 + rng.below(2)));
    }
    let set = rng.chance(30);
    let mut writer = Writer { rng, ranges };
    let mut text = String::from("type\n");
    for (name, size) in &writer.ranges {
        text += &format!("  {name} : 0 .. {};\n", size - 1);
    }
    if set {
        text += "  S : scalarset(2);\n";
    }
    text += "var\n  s : 0 .. 2;\n";
    for (name, _) in &writer.ranges {
        text += &format!("  t{name} : {name};\n  a{name} : array [{name}] of boolean;\n");
    }
    if set {
        text += "  w : S;\n";
    }
    text += &writer.claims();
    text += "startstate\n  s := 0;\n";
    for (name, size) in writer.ranges.clone() {
        let value = if writer.rng.chance(60) { 0 } else { writer.rng.below(size) };
        text += &format!("  t{name} := {value};\n  for i : {name} do a{name}[i] := false; end;\n");
    }
    text += "end;\n";
    if set {
        text += "ruleset x : S do rule \"w\" isundefined(w) ==> w := x; end; end;\n";
    }
    for number in 0..2 + writer.rng.below(4) {
        text += &writer.rule(number);
    }
    for number in 0..1 + writer.rng.below(3) {
        text += &writer.property(number);
    }
    text
}

impl Writer {
    fn range(&mut self) -> (&'static str, usize) {
        *self.rng.pick(&self.ranges).expect("at least one")
    }

    /// In any order.
    fn claims(&mut self) -> String {
        let mut text = String::new();
        for (name, _) in self.ranges.clone() {
            if self.rng.chance(60) {
                text += &format!("symmetry {name};\n");
            }
        }
        for number in 0..1 + self.rng.below(2) {
            let (name, size) = self.range();
            let cycle = if size == 3 && self.rng.chance(50) { "(0 1 2)" } else { "(0 1)" };
            let line = format!("generator \"g{number}\" of {name} = {cycle};\n");
            text = if self.rng.chance(50) { text + &line } else { line + &text };
        }
        text
    }

    /// A value, or one that is named.
    fn value(&mut self, size: usize, percent: usize) -> String {
        if self.rng.chance(percent) { self.rng.below(size).to_string() } else { "p".to_owned() }
    }

    fn condition(&mut self, (name, size): (&str, usize)) -> String {
        let value = self.value(size, 20);
        match self.rng.below(6) {
            0 => format!("s = {}", self.rng.below(3)),
            1 => format!("t{name} = {value}"),
            2 => format!("t{name} != {value}"),
            3 => format!("a{name}[{value}]"),
            4 => format!("!a{name}[{value}]"),
            _ => format!("a{name}[t{name}]"),
        }
    }

    fn rule(&mut self, number: usize) -> String {
        let range = self.range();
        let (name, size) = range;
        let guard = format!("{} & {}", self.condition(range), self.condition(range));
        let mut body = String::new();
        for _ in 0..1 + self.rng.below(2) {
            let value = self.value(size, 20);
            body += &match self.rng.below(4) {
                0 => format!(" s := {};", self.rng.below(3)),
                1 => format!(" t{name} := {value};"),
                2 => format!(" a{name}[{value}] := true;"),
                _ => format!(" a{name}[{value}] := !a{name}[{value}];"),
            };
        }
        format!("ruleset p : {name} do rule \"r{number}\" {guard} ==>{body} end; end;\n")
    }

    fn property(&mut self, number: usize) -> String {
        let range = self.range();
        let kind =
            *self.rng.pick(&["invariant", "invariant", "invariant", "liveness", "cover"]).expect("some");
        let (a, b) = (self.condition(range), self.condition(range));
        let or = if kind == "invariant" { "|" } else { "&" };
        match self.rng.chance(70) {
            true => format!("{kind} \"i{number}\" forall p : {} do {a} {or} {b} end;\n", range.0),
            false => format!("{kind} \"i{number}\" s != {};\n", self.rng.below(3)),
        }
    }
}
