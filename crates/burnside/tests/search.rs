//! The search, through the library: what each property and limit means, reduced and not.

use std::time::Duration;

use burnside::report::{PropertyReport, Report};
use burnside::{DeadlockMode, Limit, Limits, Options, Reduce, Semantics, Source, Undefined, Verdict, check};

fn run(text: &str, options: &Options) -> Report {
    let source = Source::new("test.m", text);
    match check(&source, options) {
        Ok(report) => report,
        Err(burnside::Failure::Input(diagnostics)) => {
            panic!("{}", diagnostics.iter().map(|d| d.render(&source, false)).collect::<String>())
        }
        Err(other) => panic!("{other:?}"),
    }
}

fn limits(limits: Limits) -> Options {
    Options { limits, ..Options::default() }
}

fn unreduced(limits: Limits) -> Options {
    Options { limits, reduce: Reduce::None, ..Options::default() }
}

fn property<'r>(report: &'r Report, name: &str) -> &'r PropertyReport {
    report.properties.iter().find(|p| p.name == name || p.kind.name() == name).expect(name)
}

/// Counts from 0 to 9 and stays there.
const COUNTER: &str = r#"
    var x : 0..9;
    startstate "zero" x := 0; end;
    rule "up" x < 9 ==> x := x + 1; end;
    invariant "below 5" x < 5;
    invariant "below 10" x < 10;
"#;

#[test]
fn a_counterexample_is_shortest() {
    let report = run(COUNTER, &Options::default());
    assert_eq!(report.verdict, Verdict::Violated);
    let violated = property(&report, "below 5");
    assert_eq!(violated.violations.len(), 1);
    let trace = &violated.violations[0].trace;
    assert_eq!(trace.steps.len(), 6);
    assert_eq!(trace.steps[5].changed[0].name, "x");
    assert_eq!(report.limit, Some(Limit::MaxErrors));
    assert_eq!(property(&report, "below 10").verdict, Verdict::Unknown);
}

#[test]
fn a_search_that_goes_on_decides_everything() {
    let report = run(COUNTER, &limits(Limits { max_errors: 9, ..Limits::default() }));
    assert_eq!((report.states, report.limit), (10, None));
    assert_eq!(property(&report, "below 5").violations.len(), 5);
    assert_eq!(property(&report, "below 10").verdict, Verdict::Holds);
}

#[test]
fn errors_are_collected_up_to_the_number_wanted() {
    let model = r#"
        var x : 0..9;
        startstate x := 0; end;
        ruleset i : 1..9 do rule "go" x = 0 ==> x := i; assert i < 4 "small"; end; end;
        rule "back" true ==> x := 0; end;
    "#;
    for (wanted, found) in [(1, 1), (3, 3), (100, 6)] {
        let report = run(model, &unreduced(Limits { max_errors: wanted, ..Limits::default() }));
        assert_eq!(property(&report, "error").violations.len(), found);
    }
    let report = run(model, &unreduced(Limits { max_errors: 100, ..Limits::default() }));
    assert_eq!((report.states, report.rules_fired, report.limit), (4, Some(13), None));
    assert_eq!(property(&report, "deadlock").verdict, Verdict::Holds);
}

#[test]
fn a_bound_is_exact() {
    let model =
        "var x : 0..9; startstate x := 0; end; rule x < 4 ==> x := x + 1; end; rule x = 4 ==> x := 0; end;";
    for (bound, states, limit) in
        [(0, 1, Some(Limit::Bound)), (3, 4, Some(Limit::Bound)), (4, 5, None), (5, 5, None)]
    {
        let report = run(model, &limits(Limits { bound: Some(bound), ..Limits::default() }));
        assert_eq!((report.states, report.limit), (states, limit), "bound {bound}");
        let verdict = if limit.is_some() { Verdict::Unknown } else { Verdict::Holds };
        assert_eq!(report.verdict, verdict, "bound {bound}");
        assert_eq!(report.depth, Some(bound.min(4)));
    }
}

#[test]
fn what_is_beyond_the_bound_is_not_claimed_to_hold() {
    // The only step from depth 1 goes wrong: no deeper state, but not the whole truth either.
    let model = r#"
        var x : 0..1;
        startstate x := 0; end;
        rule x = 0 ==> x := 1; end;
        rule x = 1 ==> error "here"; end;
    "#;
    let bounded = |bound| run(model, &limits(Limits { bound: Some(bound), ..Limits::default() }));
    assert_eq!((bounded(1).verdict, bounded(1).limit), (Verdict::Unknown, Some(Limit::Bound)));
    assert_eq!(bounded(2).verdict, Verdict::Violated);
}

#[test]
fn deadlock_modes() {
    let stops = "var x : 0..2; startstate x := 0; end; rule x < 2 ==> x := x + 1; end;";
    let stutters = format!("{stops} rule true ==> x := x; end;");
    for (mode, stopping, stuttering) in [
        (DeadlockMode::Off, Verdict::Holds, Verdict::Holds),
        (DeadlockMode::Stuck, Verdict::Violated, Verdict::Holds),
        (DeadlockMode::Stuttering, Verdict::Violated, Verdict::Violated),
    ] {
        let options = Options { deadlock: mode, ..Options::default() };
        assert_eq!(run(stops, &options).verdict, stopping, "{mode:?}");
        assert_eq!(run(&stutters, &options).verdict, stuttering, "{mode:?}");
    }
    let report = run(stops, &Options::default());
    assert_eq!(property(&report, "deadlock").violations[0].trace.steps.len(), 3);
}

#[test]
fn memory_and_time_stop_a_search() {
    let model = r#"
        var a : array [1..12] of 0..9;
        startstate for i : 1..12 do a[i] := 0; end; end;
        ruleset i : 1..12 do rule a[i] < 9 ==> a[i] := a[i] + 1; end; end;
    "#;
    let report = run(model, &limits(Limits { memory: Some(2 << 20), ..Limits::default() }));
    assert_eq!((report.verdict, report.limit), (Verdict::Unknown, Some(Limit::Memory)));
    assert!(report.states > 10_000);
    let time = Some(Duration::from_millis(100));
    let report = run(model, &limits(Limits { time, ..Limits::default() }));
    assert_eq!((report.verdict, report.limit), (Verdict::Unknown, Some(Limit::Time)));
    assert!(report.time < Duration::from_secs(5));
}

#[test]
fn covers() {
    let model = r#"
        var x : 0..3;
        startstate x := 0; end;
        rule x < 3 ==> x := x + 1; cover x = 2; end;
        rule x = 3 ==> x := 0; end;
        cover "two" x = 2;
        cover "odd and even" x = 2 & x = 3;
    "#;
    let report = run(model, &Options::default());
    assert_eq!(report.verdict, Verdict::Violated);
    assert_eq!(property(&report, "two").covered, Some(1));
    let never = property(&report, "odd and even");
    assert_eq!((never.verdict, never.covered), (Verdict::Violated, Some(0)));
    let report = run(model, &limits(Limits { bound: Some(1), ..Limits::default() }));
    assert_eq!(property(&report, "odd and even").verdict, Verdict::Unknown);
}

/// Once a process has the token for good, the others never finish.
const TAKE_ONCE: &str = r#"
    const N : 3;
    type Proc : scalarset(N);
    var done : array [Proc] of boolean; last : Proc;
    startstate for i : Proc do done[i] := false; end; undefine last; end;
    ruleset p : Proc do
      rule "take" isundefined(last) ==> last := p; end;
      rule "finish" !isundefined(last) & last = p ==> done[p] := !done[p]; end;
      liveness "each" done[p];
    end;
    liveness "one" exists p : Proc do done[p] end;
"#;

#[test]
fn liveness_follows_each_process() {
    for reduce in [Reduce::Auto, Reduce::None] {
        let report = run(TAKE_ONCE, &Options { reduce, ..Options::default() });
        assert_eq!(property(&report, "one").verdict, Verdict::Holds, "{reduce:?}");
        let each = property(&report, "each");
        assert_eq!(each.verdict, Verdict::Violated, "{reduce:?}");
        // Someone took the token; someone else is stuck.
        let violation = &each.violations[0];
        assert_eq!(violation.trace.steps.len(), 2);
        let taker = violation.trace.steps[1].firing.parameters[0].1.to_string();
        assert!(!violation.message.contains(&taker), "{}", violation.message);
        assert_eq!(report.full_states, Some(7));
        assert_eq!(report.states, if reduce == Reduce::Auto { 3 } else { 7 });
    }
}

#[test]
fn liveness_holds_where_the_token_goes_round() {
    let model = TAKE_ONCE.replace("done[p] := !done[p];", "done[p] := !done[p]; undefine last;");
    for reduce in [Reduce::Auto, Reduce::None] {
        let report = run(&model, &Options { reduce, ..Options::default() });
        assert_eq!(report.verdict, Verdict::Holds, "{reduce:?}");
        assert_eq!(report.full_states, Some(32));
    }
    let bounded = run(&model, &limits(Limits { bound: Some(1), ..Limits::default() }));
    assert_eq!(property(&bounded, "each").verdict, Verdict::Unknown);
}

#[test]
fn faults_are_found_wherever_they_are() {
    let model = |rule: &str| {
        format!(
            "var x : 0..3; y : 0..3; startstate x := 0; undefine y; end; rule x < 3 ==> x := x + 1; end; {rule}"
        )
    };
    for (rule, kind, steps) in [
        ("rule x = 3 ==> x := x + 1; end;", "outside", 4),
        ("rule x = 2 & y = 1 ==> x := 0; end;", "undefined", 3),
        ("invariant x < 1 | y = 2;", "undefined", 2),
        ("rule x = 1 ==> y := 3 / (x - 1); end;", "zero", 2),
        ("rule x = 1 ==> while true do y := 1; end; end;", "1000", 2),
    ] {
        let report = run(&model(rule), &Options::default());
        let found = &property(&report, "error").violations;
        assert_eq!(found.len(), 1, "{rule}");
        assert_eq!(found[0].trace.steps.len(), steps, "{rule}");
        assert!(found[0].snippet.contains("test.m:1:"), "{}", found[0].snippet);
        assert!(found[0].message.contains(kind), "{}", found[0].message);
    }
}

#[test]
fn a_start_state_may_go_wrong() {
    let report = run(
        "var x : 0..3; startstate x := 1; assert x = 2 \"two\"; end; rule true ==> end;",
        &Options::default(),
    );
    let trace = &property(&report, "error").violations[0].trace;
    assert!(trace.steps.is_empty() && trace.failing.as_ref().is_some_and(|firing| firing.start));
    assert_eq!(report.states, 0);
}

#[test]
fn undefined_copies_are_warnings_or_errors() {
    let model = "var x : 0..3; y : 0..3; startstate undefine x; end; rule true ==> y := x; end;";
    let options = Options { deadlock: DeadlockMode::Off, ..Options::default() };
    let report = run(model, &options);
    assert_eq!(report.verdict, Verdict::Holds);
    assert_eq!(report.warnings.iter().filter(|w| w.code == "W0203").count(), 1);
    let semantics = Semantics { undefined: Undefined::Error, ..Semantics::default() };
    assert_eq!(run(model, &Options { semantics, ..options }).verdict, Verdict::Violated);
}

#[test]
fn a_start_state_that_is_not_symmetric_hides_the_full_count() {
    // The processes are told apart at the start only.
    let model = r#"
        type Proc : scalarset(3);
        var a : array [Proc] of 0..5; n : 0..3;
        startstate n := 0; for i : Proc do a[i] := n; n := n + 1; end; end;
        ruleset p : Proc do rule a[p] < 5 ==> a[p] := a[p] + 1; end; end;
    "#;
    let options = Options { deadlock: DeadlockMode::Off, ..Options::default() };
    let (reduced, full) = (run(model, &options), run(model, &Options { reduce: Reduce::None, ..options }));
    assert_eq!(reduced.verdict, Verdict::Holds);
    assert_eq!(reduced.full_states, None);
    assert!(reduced.states < full.states);
}
