//! Why models are not counted: the reason, and the line.

use burnside::{
    Counters, DeadlockMode, Engine, Failure, Form, Limits, Options, Source, check, counter_program,
};

/// What is counted how, the declarations, the rest, and the reason.
type Case = (Counters, &'static str, &'static str, &'static str);

const CASES: &[Case] = &[
    (
        Counters::Auto,
        "var next : array [P] of P;",
        "startstate undefine next; end;",
        "`next[P_0]`, local to a `P`, holds a `P` (line 2)",
    ),
    (
        Counters::Auto,
        "var node : array [P] of record on : boolean; heir : P; end;",
        "startstate undefine node; end;",
        "`node[P_0].heir`, local to a `P`, holds a `P` (line 2)",
    ),
    (
        Counters::Auto,
        "var seen : array [P] of array [P] of boolean;",
        "startstate clear seen; end;",
        "`seen[P_0][P_0]` is indexed by `P` twice (line 2)",
    ),
    (
        Counters::Auto,
        "var r : record seen : array [P] of array [P] of boolean; end;",
        "startstate clear r; end;",
        "`r.seen[P_0][P_0]` is indexed by `P` twice (line 2)",
    ),
    (
        Counters::Auto,
        "var box : multiset [2] of P;",
        "startstate end;",
        "a multiset in `box` holds, or is indexed by, `P` (line 2)",
    ),
    (
        Counters::Auto,
        "var net : multiset [2] of record dest : P; urgent : boolean; end;",
        "startstate end;",
        "a multiset in `net` holds, or is indexed by, `P` (line 2)",
    ),
    (
        Counters::Auto,
        "var sets : multiset [2] of array [P] of boolean;",
        "startstate end;",
        "a multiset in `sets` holds, or is indexed by, `P` (line 2)",
    ),
    (
        Counters::Auto,
        "type R : ring(3); var x : array [R] of boolean;",
        "startstate clear x; end;",
        "the elements of the ring `R` have neighbours (line 2)",
    ),
    (
        Counters::Diagram,
        "var on : array [P] of boolean;",
        "function many() : 0 .. 3; var n : 0 .. 3; begin n := 0;\n  for p : P do if on[p] then n := n + 1; end; end; \
         return n; end;\nstartstate clear on; end;\ninvariant \"few\" many() < 4;",
        "this loop adds something up over all elements (line 4)",
    ),
    (
        Counters::Diagram,
        "var on : array [P] of boolean;",
        "startstate clear on; end;\nassume \"one\" exists p : P do !on[p] end;",
        "assumptions about all elements are not counted (line 4)",
    ),
    (
        Counters::Auto,
        "var on : array [P] of boolean;",
        "startstate clear on; end;\nltl \"again\" G F (forall p : P do !on[p] end);",
        "formulas of LTL are not decided on counts (line 4)",
    ),
    (
        Counters::Auto,
        "var on : array [P] of boolean;",
        "startstate clear on; end;\nruleset p : P do rule \"go\" on[p] := true; end; end; fairness weak P; ctl \"again\" AG AF (forall p : P do !on[p] end);",
        "fairness to each element is not decided on counts (line 4)",
    ),
    (
        Counters::Auto,
        "var on : array [P] of boolean;",
        "startstate clear on; end;\nruleset p : P do fair rule \"go\" on[p] := true; end; end; ctl \"again\" AF (forall p : P do on[p] end);",
        "fairness to each instance of a rule is not decided on counts (line 4)",
    ),
    (
        Counters::Auto,
        "var on : array [P] of boolean;",
        "startstate clear on; end;\nruleset p : P do fairness \"f\" on[p]; end; ctl \"again\" AG AF (exists p : P do on[p] end);",
        "fairness for each value of a parameter is not decided on counts (line 4)",
    ),
    (
        Counters::Bdd,
        "var on : array [P] of boolean;",
        "startstate clear on; end;\nfair rule \"go\" clear on; end; ctl \"again\" AG AF (forall p : P do !on[p] end);",
        "fairness to a rule is not decided on the program that counts (line 4)",
    ),
    (
        Counters::Diagram,
        "var on : array [P] of boolean;",
        "startstate clear on; end;\nruleset p : P do rule \"go\" on[p] := true; cover \"two\" on[p]; end; end;",
        "`cover` statements are not counted on sets (line 4)",
    ),
    (
        Counters::Diagram,
        "type Q : scalarset(2); U : union { P, Q }; var t : U; on : array [P] of boolean;",
        "startstate clear on; end;\nruleset p : P do rule \"t\" isundefined(t) ==> t := p; end; end;",
        "the elements are values of a range, an enum or a union: a scalarset can be counted",
    ),
    (
        Counters::Diagram,
        "type Q : 0 .. 2; symmetry Q; var next : array [P] of P; on : array [Q] of boolean;",
        "startstate undefine next; clear on; end;\nruleset q : Q do rule \"on\" on[q] := true; end; end;",
        "the elements are values of a range, an enum or a union: a scalarset can be counted",
    ),
    (
        Counters::Auto,
        "type Q : 0 .. 2; var on : array [Q] of boolean;",
        "startstate clear on; end;",
        "there is no verified symmetry",
    ),
];

fn refusal(case: &Case) -> (String, String) {
    let (counters, declared, rest, _) = case;
    // Where something else is declared to be symmetric, the usual scalarset is not.
    let first = if declared.starts_with("type R") || declared.contains("0 .. 2; var") {
        ""
    } else {
        "type P : scalarset(3);"
    };
    let text = format!("{first}\n{declared}\n{rest}\nrule \"stay\" true ==> begin end;\n");
    let options = Options {
        engine: Engine::Count,
        counters: *counters,
        deadlock: DeadlockMode::Off,
        detect: burnside::Detect::Off,
        limits: Limits { max_errors: u64::MAX, ..Limits::default() },
        ..Options::default()
    };
    let source = Source::new("test.m", &text);
    match check(&source, &options) {
        Err(Failure::Refused(message)) => (message, text),
        other => panic!("{other:?}\n{text}"),
    }
}

#[test]
fn refusals_say_why() {
    for case in CASES {
        let (message, text) = refusal(case);
        assert_eq!(message, format!("--engine count is not possible: {}", case.3), "{text}");
    }
}

/// What cannot be counted has no program that counts, for the same reason.
#[test]
fn there_is_no_program_either() {
    let text = "type P : scalarset(3);\nvar next : array [P] of P;\nstartstate undefine next; end;\nrule true ==> end;";
    let refused = |text: &str, form| {
        let program = counter_program(&Source::new("test.m", text), &Options::default(), form);
        let Err(Failure::Refused(message)) = program else { panic!("{program:?}") };
        message
    };
    let message = refused(text, Form::Extended);
    assert!(message.contains("`next[P_0]`, local to a `P`, holds a `P` (line 2)"), "{message}");
    let text = |more: &str| {
        format!(
            "type P : scalarset(3);\nvar s : P; on : array [P] of boolean;\n     t : P;\nstartstate clear on; end;\n\
             ruleset p : P do rule \"s\" isundefined(s) ==> s := p; end; {more} end;"
        )
    };
    let message = refused(&text("rule \"t\" isundefined(t) ==> t := p; end;"), Form::Paper);
    assert!(message.contains("wrong for two variables that hold ids (line 3)"), "{message}");
    let message = refused(&text("").replace("t : P;", ""), Form::Paper);
    assert!(message.contains("a variable always holds an id (line 2)"), "{message}");
}
