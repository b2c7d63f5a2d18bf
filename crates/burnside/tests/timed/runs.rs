//! Runs as they are printed: each number can be checked by hand, as clocks and times are those of an execution.
//!
//! Planted mistakes that each fail a test here: the last delay left out; clocks shown before instead of after the delay;
//! the time of a step in place of the delay before it; a stopped clock that runs on.

use burnside::report::{TraceMode, json, text};
use burnside::{Options, Report, Source, Verdict, Wanted, check};

use super::{options, report};

/// The runs of a report as text.
fn shown(report: &Report, mode: TraceMode) -> String {
    let runs = report.properties.iter().flat_map(|p| p.violations.iter().chain(&p.witness));
    runs.map(|run| format!("{}\n{}", run.message, run.trace.text(mode))).collect::<Vec<_>>().join("\n")
}

fn snapshot(name: &str, text: String) {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("runs");
    settings.set_prepend_module_to_snapshot(false);
    settings.set_omit_expression(true);
    settings.bind(|| insta::assert_snapshot!(name, text));
}

/// A process that waits, and a clock that only the query reads.
const WAITING: &str = "
    clock y;
    process P() {
        clock x;
        state A { x <= 4 }, C;
        init A;
        trans A -> C { guard x >= 2; assign x = 0, y = 0; };
    }
    system P;";

#[test]
fn a_violation_by_delay() {
    let found = report(WAITING, "A[] P.C imply y < 3");
    assert_eq!(found.verdict, Verdict::Violated);
    snapshot("violated_by_delay", shown(&found, TraceMode::Diff));
    snapshot("violated_by_delay_full", shown(&found, TraceMode::Full));
}

#[test]
fn a_goal_by_delay() {
    let asked = Options { run: Wanted::Fastest, ..options("E<> P.C && y > 3") };
    let found = check(&Source::new("model.xta", WAITING), &asked).unwrap();
    snapshot("goal_by_delay", shown(&found, TraceMode::Diff));
    // The run ends when the best run is said to end.
    let property = &found.properties[0];
    let last = property.witness.as_ref().unwrap().trace.steps.last().unwrap().moment.clone().unwrap();
    assert!(property.reason.as_ref().unwrap().ends_with(&last.time.to_string()), "{:?}", property.reason);
}

#[test]
fn a_lasso_with_time() {
    let text = "
        process P() {
            clock x;
            state A { x <= 5 }, B { x <= 3 }, C;
            init A;
            trans
                A -> B { guard x >= 2; assign x = 0; },
                B -> A { guard x >= 1; assign x = 0; },
                A -> C { };
        }
        system P;";
    let found = report(text, "A<> P.C\nP.B --> P.C");
    snapshot("lasso", shown(&found, TraceMode::Diff));
}

#[test]
fn a_deadlock_and_a_timelock() {
    let text = "
        process P() {
            clock x;
            state A { x <= 5 }, B, C { x <= 3 };
            init A;
            trans
                A -> B { guard x >= 2; },
                A -> C { guard x <= 1; assign x = 0; };
        }
        system P;";
    let found = report(text, "A[] not (P.B and deadlock)\nE<> P.C and deadlock\nP.A --> P.B");
    snapshot("deadlock_and_timelock", shown(&found, TraceMode::Diff));
}

/// Times are numbers in JSON, and not a part of a rule's name.
#[test]
fn times_in_json() {
    let found = report(WAITING, "A[] P.C imply y < 3");
    let json: serde_json::Value = serde_json::from_str(&json::render(&found).unwrap()).unwrap();
    let trace = json["properties"][0]["trace"].as_array().unwrap();
    assert_eq!(trace[1]["rule"], "P: A -> C");
    assert_eq!(trace[1]["edges"][0], serde_json::json!({ "process": "P", "from": "A", "to": "C" }));
    assert_eq!(trace[1]["delay"], serde_json::json!({ "exact": "2", "decimal": 2.0 }));
    let last = trace.last().unwrap();
    assert_eq!((&last["delay"]["exact"], &last["time"]["exact"]), (&"3".into(), &"5".into()));
    assert_eq!(last["clocks"]["y"], serde_json::json!({ "exact": "3", "decimal": 3.0 }));
    assert_eq!(last["clocks"]["P.x"]["exact"], "3");
}

/// One query that cannot be answered does not keep the others from being answered.
#[test]
fn wrong_queries_are_reported_alone() {
    let queries = "
        E<> P.C
        E<> Q.C
        Pr[<=10](<> P.C)
        A[] P.C imply (
        simulate [<=10] { x * 0.5 }
        control: A<> P.C
        A[] not P.C or y >= 0";
    let found = report(WAITING, queries);
    let verdicts: Vec<_> = found.properties.iter().map(|p| p.verdict_name()).collect();
    assert_eq!(verdicts, ["holds", "error", "error", "error", "error", "error", "holds"]);
    assert_eq!(found.verdict, Verdict::Unknown);
    assert_eq!(burnside::exit::code(&Ok(found.clone())), burnside::exit::UNKNOWN);
    let options = text::TextOptions { trace: TraceMode::Off, ..Default::default() };
    let shown = text::render(&found, &options);
    let lines: Vec<&str> = shown.lines().filter(|line| !line.contains(" s, ")).collect();
    snapshot("wrong_queries", lines.join("\n"));
    // If none can be answered, the input is wrong.
    let none = check(&Source::new("model.xta", WAITING), &super::options("E<> Q.C\nPr[<=1](<> P.C)"));
    assert_eq!(burnside::exit::code(&none), burnside::exit::WRONG_INPUT);
}

#[test]
fn some_queries_only() {
    let queries = "E<> P.C\nE<> Q.C\nA[] P.C imply y < 3\nE<> P.A";
    let asked = |only: &[&str]| {
        let only = only.iter().map(|text| (*text).to_owned()).collect();
        check(&Source::new("model.xta", WAITING), &Options { only, ..options(queries) })
    };
    let names = |only: &[&str]| -> Vec<String> {
        asked(only).unwrap().properties.iter().map(|p| format!("{} {}", p.verdict_name(), p.name)).collect()
    };
    assert_eq!(names(&["1"]), ["holds E<> P.C"]);
    assert_eq!(names(&["3", "E<>  P.A"]), ["violated A[] P.C imply y < 3", "holds E<> P.A"]);
    assert_eq!(names(&["P.C"]), ["holds E<> P.C", "violated A[] P.C imply y < 3"]);
    for none in ["5", "P.D"] {
        assert!(matches!(asked(&[none]), Err(burnside::Failure::Refused(why)) if why.contains("E<> P.A")));
    }
    assert!(matches!(asked(&["2"]), Err(burnside::Failure::Refused(_))));
}

/// A stopped clock shows the same before and after a delay.
#[test]
fn stopwatches() {
    let model = "
        process P() {
            clock work, now;
            state Busy { now <= 4 }, Idle { work' == 0 && now <= 3 }, Done;
            init Busy;
            trans
                Busy -> Idle { guard now >= 4; assign now = 0; },
                Idle -> Busy { guard now >= 3; assign now = 0; },
                Busy -> Done { guard work >= 6 && work <= 7; };
        }
        system P;";
    // Seven units of idling are not work.
    let found = report(model, "E<> P.Done\nA[] P.Idle imply P.work >= 4\nA[] P.Idle imply P.work <= 4");
    let verdicts: Vec<_> = found.properties.iter().map(|p| p.verdict_name()).collect();
    assert_eq!(verdicts[..2], ["holds", "holds"]);
    assert_ne!(verdicts[2], "holds");
    snapshot("stopwatch", shown(&found, TraceMode::Full));
}
