//! Symmetry between named things: what is found, what is not, and that the quotient has the orbits of the states.

mod common;

use std::collections::{HashMap, HashSet};
use std::fmt::Write;
use std::ops::ControlFlow;

use burnside_lang::murphi;
use burnside_lang::source::Source;
use burnside_model::code::{Cell, Semantics};
use burnside_model::system::{Machine, Outcome};
use burnside_model::{Model, System};
use burnside_symmetry::detect::{Named, detect};
use burnside_symmetry::{Action, Canonicaliser};
use common::Random;

fn load(text: &str) -> Model {
    let (model, diagnostics) = murphi::load(&Source::new("test.m", text), &[]);
    model.unwrap_or_else(|| panic!("{diagnostics:?}\n{text}"))
}

fn find(model: &Model) -> Option<Named> {
    Named::find(&detect(model))
}

/// The action of the group of the rules and of all properties.
fn action(named: &Named) -> Action {
    let all: Vec<usize> = (0..named.model.properties.len()).collect();
    Action::generated(&named.model, &named.domains, &named.generators(&all))
}

fn order(text: &str) -> u128 {
    find(&load(text)).map_or(1, |named| action(&named).order().expect("small"))
}

/// All states that are reached from some, or from the start.
fn reached(
    model: &Model,
    mut queue: Vec<Vec<Cell>>,
    mut form: impl FnMut(&[Cell]) -> Vec<Cell>,
) -> HashSet<Vec<Cell>> {
    let mut machine = Machine::new(model, Semantics::default());
    if queue.is_empty() {
        let ran = machine.initial(&mut |step| {
            if let Outcome::State(state) = step.outcome {
                queue.push(state.to_vec());
            }
            ControlFlow::Continue(())
        });
        ran.expect("no deadline");
    }
    queue.iter_mut().for_each(|state| *state = form(state));
    let mut seen: HashSet<Vec<Cell>> = queue.iter().cloned().collect();
    while let Some(state) = queue.pop() {
        let ran = machine.successors(&state, &mut |step| {
            if let Outcome::State(next) = step.outcome {
                let next = form(next);
                if seen.insert(next.clone()) {
                    queue.push(next);
                }
            }
            ControlFlow::Continue(())
        });
        ran.expect("no deadline");
    }
    seen
}

/// How the properties are in a state; faults are all alike.
fn verdicts(machine: &mut Machine<'_>, model: &Model, state: &[Cell]) -> Vec<Option<bool>> {
    let verdict = |p| machine.holds(p, state).expect("no deadline").ok().map(|held| held != 0);
    (0..model.properties.len()).map(verdict).collect()
}

/// What the steps of a state do: the orbits that they lead to, and how many go wrong.
fn steps(
    machine: &mut Machine<'_>,
    canonical: &mut Canonicaliser,
    state: &[Cell],
) -> (Vec<Vec<Cell>>, usize) {
    let (mut forms, mut faults) = (Vec::new(), 0);
    let ran = machine.successors(state, &mut |step| {
        match step.outcome {
            Outcome::State(next) => forms.push(canonical.canonicalise(next).to_vec()),
            Outcome::Fault(_) | Outcome::GuardFault(_) => faults += 1,
            _ => {}
        }
        ControlFlow::Continue(())
    });
    ran.expect("no deadline");
    forms.sort_unstable();
    (forms, faults)
}

/// Compares the quotient with the states it stands for, and the steps of each state with those of its images.
fn compare(text: &str) -> Option<u128> {
    let model = load(text);
    let named = find(&model)?;
    let action = action(&named);
    let mut canonical = Canonicaliser::new(action.clone());
    let full = reached(&model, Vec::new(), <[Cell]>::to_vec);
    let quotient = reached(&model, Vec::new(), |state| canonical.canonicalise(state).to_vec());
    // The unreduced states, closed under the group: the start need not be symmetric.
    let mut orbits: HashMap<Vec<Cell>, u128> = HashMap::new();
    let mut machine = Machine::new(&model, Semantics::default());
    let (mut moved, generators) = (Vec::new(), action.generators());
    for state in &full {
        let form = canonical.canonicalise(state).to_vec();
        orbits.insert(form, canonical.orbit().expect("small"));
        let here = (steps(&mut machine, &mut canonical, state), verdicts(&mut machine, &model, state));
        for generator in &generators {
            action.apply(generator, state, &mut moved);
            let there = (steps(&mut machine, &mut canonical, &moved), verdicts(&mut machine, &model, &moved));
            assert_eq!(here, there, "{text}\n{state:?} and {moved:?}");
        }
    }
    assert_eq!(orbits.keys().collect::<HashSet<_>>(), quotient.iter().collect(), "{text}");
    let closed =
        reached(&model, full.iter().cloned().flat_map(|s| closure(&action, s)).collect(), <[Cell]>::to_vec);
    assert_eq!(closed.len() as u128, orbits.values().sum::<u128>(), "{text}");
    action.order()
}

/// A state's orbit.
fn closure(action: &Action, state: Vec<Cell>) -> Vec<Vec<Cell>> {
    let mut all = vec![state];
    let (mut next, mut moved) = (0, Vec::new());
    while next < all.len() {
        for generator in action.generators() {
            action.apply(&generator, &all[next], &mut moved);
            if !all.contains(&moved) {
                all.push(moved.clone());
            }
        }
        next += 1;
    }
    all
}

/// Peterson's algorithm for two named processes; `turn` is declared so, and its values are these.
fn peterson(turn: &str, values: [&str; 2], guard: [&str; 2], start: &str) -> String {
    let mut text = format!(
        "type Place : enum {{ Idle, Raise, Wait, Critical }};
         var pc1 : Place; flag1 : boolean; turn : {turn}; flag2 : boolean; pc2 : Place;
         startstate {start} end;\n"
    );
    for (i, (me, other)) in [(1, 2), (2, 1)].into_iter().enumerate() {
        let (mine, theirs, wait) = (values[i], values[1 - i], guard[i]);
        let _ = writeln!(
            text,
            "rule \"{me} raises\" pc{me} = Idle ==> flag{me} := true; pc{me} := Raise; end;
             rule \"{me} gives way\" pc{me} = Raise ==> turn := {theirs}; pc{me} := Wait; end;
             rule \"{me} enters\" pc{me} = Wait & (!flag{other} {wait} turn = {mine}) ==> pc{me} := Critical; end;
             rule \"{me} leaves\" pc{me} = Critical ==> flag{me} := false; pc{me} := Idle; end;"
        );
    }
    text + "invariant \"exclusive\" !(pc1 = Critical & pc2 = Critical);"
}

const START: &str = "pc1 := Idle; pc2 := Idle; flag1 := false; flag2 := false; turn := ";

fn start(turn: &str) -> String {
    format!("{START}{turn};")
}

#[test]
fn peterson_with_an_enum_for_turn() {
    let text = peterson("enum { A, B }", ["A", "B"], ["|", "|"], &start("A"));
    assert_eq!(compare(&text), Some(2));
    let named = find(&load(&text)).unwrap();
    // Raises with raises, and so on.
    assert_eq!(named.rule_orbits(), [[0, 4], [1, 5], [2, 6], [3, 7]]);
}

#[test]
fn peterson_with_numbers_for_turn() {
    assert_eq!(compare(&peterson("1..2", ["1", "2"], ["|", "|"], &start("1"))), Some(2));
    // 0 and 3 are never used.
    assert_eq!(compare(&peterson("0..3", ["1", "2"], ["|", "|"], &start("1"))), Some(2));
}

#[test]
fn near_misses_of_peterson() {
    // One guard differs.
    assert_eq!(order(&peterson("1..2", ["1", "2"], ["|", "&"], &start("1"))), 1);
    // Both give way to the same process.
    assert_eq!(order(&peterson("1..2", ["1", "1"], ["|", "|"], &start("1"))), 2);
    let text = peterson("1..2", ["1", "2"], ["|", "|"], &start("1"));
    assert_eq!(order(&text.replacen("turn = 2", "turn >= 2", 1)), 1);
    assert_eq!(order(&text.replacen("turn := 2", "turn := 1 + 1", 1)), 2);
    assert_eq!(order(&text.replacen("turn := 2", "clear turn", 1)), 1);
    assert_eq!(order(&text.replacen("flag1 := false; pc1 := Idle; end;", "pc1 := Idle; end;", 1)), 1);
    assert_eq!(
        order(
            &text
                .replacen("flag2 : boolean", "flag2 : 0..1", 1)
                .replace("flag2 := true", "flag2 := 1")
                .replace("flag2 := false", "flag2 := 0")
                .replace("!flag2", "flag2 = 0")
        ),
        1
    );
    // A property about one of them leaves the rules' symmetry, but not its own.
    let about = format!("{text} invariant \"about one\" pc1 != Raise;");
    assert_eq!(order(&about), 1);
    let named = find(&load(&about)).unwrap();
    assert_eq!((named.generators(&[0]).len(), named.generators(&[1]).len()), (1, 0));
    // The start need not be symmetric.
    assert_eq!(compare(&text.replacen("flag1 := false;", "flag1 := true;", 1)), Some(2));
}

#[test]
fn operands_are_exchanged_only_where_nothing_can_go_wrong() {
    // `pc2` has no value at first: then `&` is evaluated from the left.
    let text =
        peterson("1..2", ["1", "2"], ["|", "|"], &start("1")).replacen("pc2 := Idle;", "undefine pc2;", 1);
    assert_eq!(order(&text), 1);
    // The steps are no more alike: guards do not tell the order of operands here.
    assert_eq!(find(&load(&text)).map(|named| named.generators(&[]).len()), None);
}

/// Each of these would be symmetric if something that matters were overlooked.
#[test]
fn what_must_not_be_overlooked() {
    let two = |rules: &str| {
        format!(
            "type Who : enum {{ a, b }}; var x : 0..2; y : 0..2; who : Who;
             startstate undefine x; undefine y; who := a; end;
             rule \"x\" who = a ==> x := 1; who := b; end;
             rule \"y\" who = b ==> y := 1; who := a; end;
             {rules}"
        )
    };
    assert_eq!(compare(&two("")), Some(2));
    assert_eq!(compare(&two("rule \"=\" x = y ==> x := 0; y := 0; end;")), Some(2));
    for asymmetric in [
        // The right side is evaluated only if the left one holds; it may have no value.
        "rule \"&\" x = 1 & y = 1 ==> x := 0; y := 0; end;",
        "invariant \"|\" x = 0 | y = 0;",
        // One assignment reads what the other has written.
        "rule \"exchange\" !isundefined(x) & !isundefined(y) ==> x := y; y := x; end;",
        // Whether the second is executed depends on the first.
        "rule \"fails\" true ==> x := 2 + 1; y := 2 + 1; end;",
        // The least value, and the last one.
        "rule \"clear\" true ==> clear who; end;",
        "rule \"last\" true ==> for w : Who do who := w; end; end;",
        // Numbers.
        "rule \"less\" x + 1 < y ==> x := 0; y := 0; end;",
        "invariant \"order\" x <= y;",
    ] {
        // Where only the order of two failures differs, nobody can tell.
        if !asymmetric.contains("fails") {
            assert_eq!(order(&two(asymmetric)), 1, "{asymmetric}");
        }
        compare(&two(asymmetric));
    }
}

/// Named processes that take a lock which remembers who holds it.
fn lock(names: &[&str], twist: &str) -> String {
    let mut text = format!("type Owner : enum {{ none, {} }};\nvar owner : Owner;\n", names.join(", "));
    for name in names {
        let _ = writeln!(text, "{name}_waits : boolean; {name}_count : 0..2;");
    }
    text.push_str("startstate owner := none;\n");
    for name in names {
        let _ = writeln!(text, "{name}_waits := false; {name}_count := 0;");
    }
    text.push_str("end;\n");
    for (i, name) in names.iter().enumerate() {
        let twist = if i == 1 { twist } else { "true" };
        let _ = writeln!(
            text,
            "rule \"{name} asks\" !{name}_waits & owner != {name} ==> {name}_waits := true; end;
             rule \"{name} gets\" {name}_waits & owner = none & {twist} ==>
               owner := {name}; {name}_waits := false;
               if {name}_count < 2 then {name}_count := {name}_count + 1; end;
             end;
             rule \"{name} leaves\" owner = {name} ==> owner := none; end;"
        );
    }
    text
}

#[test]
fn three_and_four_named_processes() {
    assert_eq!(compare(&lock(&["ann", "bob", "cat"], "true")), Some(6));
    assert_eq!(compare(&lock(&["ann", "bob", "cat", "dan"], "true")), Some(24));
    assert_eq!(compare(&lock(&["ann", "bob", "cat"], "bob_count < 2")), Some(2));
    let sum = lock(&["ann", "bob", "cat"], "true") + "invariant ann_count + bob_count + cat_count <= 6;";
    assert_eq!(compare(&sum), Some(6));
    let ordered = lock(&["ann", "bob", "cat"], "true") + "invariant ann_count - bob_count <= 2;";
    assert_eq!(order(&ordered), 1);
}

#[test]
fn a_ring_of_named_processes() {
    let mut text = "type Who : enum { a, b, c, d }; var at : Who; xa : 0..2; xb : 0..2; xc : 0..2; xd : 0..2;
        startstate at := a; xa := 0; xb := 0; xc := 0; xd := 0; end;\n"
        .to_owned();
    for (me, next) in [("a", "b"), ("b", "c"), ("c", "d"), ("d", "a")] {
        let _ = writeln!(
            text,
            "rule \"pass {me}\" at = {me} ==> at := {next}; if x{next} = 0 then x{me} := 1; else x{me} := 2; end; end;"
        );
    }
    assert_eq!(compare(&text), Some(4));
}

#[test]
fn two_channels_with_records_and_arrays() {
    let text = "type Kind : enum { empty, req, ack };
        Message : record kind : Kind; from : 0..1; end;
        var up : array [0..1] of Message; sent : 0..3; down : array [0..1] of Message; got : 0..3;
        startstate for i : 0..1 do up[i].kind := empty; up[i].from := 0; down[i].kind := empty; down[i].from := 0; end;
          sent := 0; got := 0; end;
        function other(i : 0..1) : 0..1; begin return 1 - i; end;
        ruleset i : 0..1 do
          rule \"send up\" up[i].kind = empty & sent < 3 ==> up[i].kind := req; up[i].from := other(i); sent := sent + 1; end;
          rule \"send down\" down[i].kind = empty & got < 3 ==> down[i].kind := req; down[i].from := other(i); got := got + 1; end;
          rule \"answer up\" up[i].kind = req & down[i].kind = req ==> up[i].kind := ack; end;
          rule \"answer down\" up[i].kind = req & down[i].kind = req ==> down[i].kind := ack; end;
        endruleset;
        rule \"both\" true ==> switch up[0].kind case ack: up[0] := down[0]; case req: down[1] := up[1]; else sent := got; end; end;
        invariant \"sum\" sent + got <= 6;";
    // The last rule is not symmetric.
    assert_eq!(order(text), 1);
    let without = text.lines().filter(|line| !line.contains("\"both\"")).collect::<Vec<_>>().join("\n");
    assert_eq!(compare(&without), Some(2));
}

#[test]
fn functions_are_mapped_to_functions() {
    let text = "var x : 0..3; y : 0..3;
        function more_x() : boolean; begin return x < 3; end;
        function more_y() : boolean; begin return y < 3; end;
        procedure up_x(); begin x := x + 1; end;
        procedure up_y(); begin y := y + 1; end;
        startstate x := 0; y := 0; end;
        rule \"x\" more_x() ==> up_x(); end;
        rule \"y\" more_y() ==> up_y(); end;
        rule \"reset\" x = 3 & y = 3 ==> x := 0; y := 0; end;";
    assert_eq!(compare(text), Some(2));
    assert_eq!(order(&text.replacen("return y < 3", "return y < 2", 1)), 1);
    assert_eq!(
        order(&text.replacen("x := 0; y := 0; end;\n        rule", "x := 0; y := 1; end;\n        rule", 1)),
        2
    );
    // In order where one needs the other.
    assert_eq!(order(&text.replacen("==> x := 0; y := 0;", "==> x := 0; y := x;", 1)), 1);
    let order_matters = text.replacen("==> x := 0; y := 0;", "==> x := y; y := x;", 1);
    assert_eq!(order(&order_matters.replacen("x = 3 & y = 3", "x != y", 1)), 1);
    // What is called first may matter.
    let called = "var x : 0..3; y : 0..3;
        function take_x() : 0..3; begin x := y; return x; end;
        function take_y() : 0..3; begin y := x; return y; end;
        startstate x := 0; y := 1; end;
        rule \"both\" if take_x() = take_y() then x := 0; y := 0; end; end;";
    assert_eq!(order(called), 1);
}

#[test]
fn values_of_indices_move_with_rules_that_name_them() {
    let text = "type Id : 1..2; var flag : array [Id] of boolean; turn : Id; count : 0..2;
        startstate for i : 1..2 do flag[i] := false; end; turn := 1; count := 0; end;
        rule \"1 in\" !flag[1] & turn = 1 & count < 2 ==> flag[1] := true; turn := 2; count := count + 1; end;
        rule \"2 in\" !flag[2] & turn = 2 & count < 2 ==> flag[2] := true; turn := 1; count := count + 1; end;
        rule \"out\" count = 2 ==> flag[1] := false; flag[2] := false; count := 0; end;";
    assert_eq!(compare(text), Some(2));
    assert_eq!(order(&text.replacen("!flag[2] &", "", 1)), 1);
}

#[test]
fn nothing_is_found_where_nothing_is() {
    assert_eq!(order("var x : 0..3; startstate x := 0; end; rule x < 3 ==> x := x + 1; end;"), 1);
    // Variables that nothing speaks of stay where they are.
    assert_eq!(
        order(
            "var x : 0..3; y : 0..3; z : 0..3; startstate clear x; clear y; clear z; end; rule x < 3 ==> x := x + 1; end;"
        ),
        1
    );
    // A cover statement counts for its own property.
    let text = "var x : boolean; y : boolean; startstate x := false; y := false; end;
        rule \"x\" cover x; x := !x; end; rule \"y\" cover y; y := !y; end;";
    assert_eq!(order(text), 1);
}

/// A random model of two or three named parts, perhaps with a flaw in one of them.
fn mirrored(random: &mut Random) -> String {
    let parts = 2 + random.below(2) as usize;
    let names: Vec<String> = (0..parts).map(|i| ((b'a' + i as u8) as char).to_string()).collect();
    let mut text = format!(
        "type Who : enum {{ {} }};\nvar who : Who; shared : 0..2;\n",
        names.iter().map(|n| format!("w{n}")).collect::<Vec<_>>().join(", ")
    );
    for name in &names {
        let _ = writeln!(text, "x{name} : 0..2; y{name} : boolean;");
    }
    text.push_str("startstate\n");
    let _ = writeln!(
        text,
        "who := w{}; shared := {};",
        names[random.below(parts as u64) as usize],
        random.below(3)
    );
    for name in &names {
        let defined = random.below(8) > 0;
        let x = random.below(3);
        let _ = writeln!(
            text,
            "{} y{name} := false;",
            if defined { format!("x{name} := {x};") } else { String::new() }
        );
    }
    text.push_str("end;\n");
    let rules = 1 + random.below(3);
    for _ in 0..rules {
        let atoms = [
            "x@ < 2",
            "y@",
            "!y#",
            "x# = 1",
            "who = w@",
            "who != w#",
            "shared > 0",
            "x@ != x#",
            "x@ <= x#",
            "(y@ -> y#)",
        ];
        let acts = [
            "x@ := x@ + 1;",
            "y@ := !y@;",
            "who := w#;",
            "who := w@;",
            "x# := x@;",
            "shared := 2 - shared;",
            "if y# then x@ := 0; else x# := 0; end;",
            "x@ := 0; x# := 0;",
            "undefine x@;",
            "switch who case w@: y# := true; else y@ := false; end;",
            "assert x@ + x# < 4 \"sum\";",
        ];
        let pick =
            |random: &mut Random, from: &[&str]| from[random.below(from.len() as u64) as usize].to_owned();
        let guard = (0..1 + random.below(2)).map(|_| pick(random, &atoms)).collect::<Vec<_>>().join(" & ");
        let body = (0..1 + random.below(2)).map(|_| pick(random, &acts)).collect::<Vec<_>>().join(" ");
        for (i, me) in names.iter().enumerate() {
            let other = &names[(i + 1) % parts];
            let flawed = random.below(24) == 0;
            let guard = if flawed { format!("({guard}) & x{me} != 2") } else { guard.clone() };
            let rule = format!("rule {guard} ==> {body} end;\n");
            text.push_str(&rule.replace('@', me).replace('#', other));
        }
    }
    let pairs: Vec<String> =
        (0..parts).map(|i| format!("!(y{} & y{})", names[i], names[(i + 1) % parts])).collect();
    let _ = writeln!(text, "invariant \"pairs\" {};", pairs.join(" & "));
    text
}

#[test]
fn random_mirrored_models() {
    let mut found = 0;
    let models = std::env::var("BURNSIDE_MODELS").ok().and_then(|count| count.parse().ok()).unwrap_or(400);
    for seed in 0..models {
        let text = mirrored(&mut Random(seed * 7919 + 13));
        found += u64::from(compare(&text).is_some_and(|order| order > 1));
    }
    assert!(found * 3 > models, "only {found} of {models} were symmetric");
}
