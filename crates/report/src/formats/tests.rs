use std::time::Duration;

use burnside_model::Verdict;
use burnside_model::system::PropertyKind;
use serde_json::{Value as Json, json};

use super::*;
use crate::value::Value;
use crate::{
    Change, Course, Firing, Place, RuleCount, SymmetryReport, TraceReport, TraceStepReport, Violation,
    Warning,
};

fn place(line: u32) -> Option<Place> {
    Some(Place { file: "a b.m".to_owned(), line, column: 3 })
}

/// One property that holds, one violated by a run that goes on for ever, one unknown, and a warning.
fn report() -> Report {
    let firing = |start, rule: &str| Firing {
        start,
        rule: rule.to_owned(),
        named: true,
        parameters: vec![("p".to_owned(), Value::Name("P_0".to_owned()))],
    };
    let state = |x: i64, owner: Value| {
        vec![
            ("x".to_owned(), Value::Int(x)),
            ("a[P_0].owner".to_owned(), owner),
            ("a[P_1].owner".to_owned(), Value::Undefined),
            ("net[0]".to_owned(), Value::Bool(true)),
            ("big".to_owned(), Value::Int(1 << 60)),
        ]
    };
    let change = Change { name: "x".to_owned(), from: Some(Value::Int(0)), to: Some(Value::Int(1)) };
    let trace = TraceReport {
        steps: vec![
            TraceStepReport {
                firing: firing(true, "begin"),
                state: state(0, Value::Undefined),
                changed: vec![],
                moment: None,
            },
            TraceStepReport {
                firing: firing(false, "go"),
                state: state(1, Value::Name("P_1".to_owned())),
                changed: vec![change],
                moment: None,
            },
        ],
        failing: None,
        back: Some(0),
        ..TraceReport::default()
    };
    let violation = Violation {
        message: "it is <wrong>, 100%".to_owned(),
        place: place(7),
        snippet: String::new(),
        trace,
    };
    let property = |name: &str, verdict, violations| PropertyReport {
        place: place(2),
        violations,
        ..PropertyReport::new(name, PropertyKind::Invariant, verdict)
    };
    Report {
        model: "a b.m".to_owned(),
        language: "murphi".to_owned(),
        constants: vec![],
        verdict: Verdict::Violated,
        properties: vec![
            property("good", Verdict::Holds, vec![]),
            property("bad", Verdict::Violated, vec![violation]),
            property("open", Verdict::Unknown, vec![]),
        ],
        engine: "explicit".to_owned(),
        reduction: "none".to_owned(),
        exact: true,
        symmetry: SymmetryReport::default(),
        stored: crate::Stored::default(),
        states: 2,
        states_text: None,
        orbits: None,
        full_states: None,
        rules_fired: Some(1),
        depth: Some(1),
        time: Duration::from_millis(5),
        peak_memory: 1,
        nodes: None,
        sat: None,
        edges: None,
        limit: None,
        assumptions: vec![],
        runs: vec![],
        warnings: vec![Warning {
            code: "W0203".to_owned(),
            message: "two\nlines".to_owned(),
            place: place(4),
            snippet: String::new(),
        }],
        rules: vec![RuleCount { rule: "go".to_owned(), place: place(5), fired: 1 }],
        course: Course::default(),
    }
}

#[test]
fn junit_has_a_case_for_each_property() {
    let xml = junit::render(&[report()]);
    assert!(
        xml.contains(r#"tests="3""#) && xml.contains(r#"failures="1""#) && xml.contains(r#"errors="1""#),
        "{xml}"
    );
    assert!(
        xml.contains("it is &lt;wrong&gt;") && xml.contains("rule &quot;go&quot;")
            || xml.contains("rule \"go\""),
        "{xml}"
    );
}

#[test]
fn github_escapes_what_has_a_meaning() {
    let text = github::render(&[report()]);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(
        lines[0],
        "::error file=a b.m,line=7,col=3,title=invariant::invariant \"bad\": it is <wrong>, 100%25"
    );
    assert!(lines[1].starts_with("::warning ") && lines[2].ends_with("two%0Alines"), "{text}");
}

#[test]
fn sarif_has_results_with_places_and_runs() {
    let sarif: Json = serde_json::from_str(&sarif::render(&[report()])).expect("JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let levels: Vec<_> = results.iter().map(|result| result["level"].as_str().unwrap_or("")).collect();
    assert_eq!(levels, ["error", "note", "warning"]);
    let physical = &results[0]["locations"][0]["physicalLocation"];
    assert_eq!(physical["artifactLocation"]["uri"], "a%20b.m");
    assert_eq!(physical["region"], json!({ "startLine": 7, "startColumn": 3 }));
    let steps = &results[0]["codeFlows"][0]["threadFlows"][0]["locations"];
    assert_eq!(steps.as_array().map(Vec::len), Some(2));
    assert_eq!(steps[1]["location"]["physicalLocation"]["region"]["startLine"], 5);
    assert_eq!(sarif["runs"][0]["tool"]["driver"]["rules"].as_array().map(Vec::len), Some(2));
}

#[test]
fn itf_nests_what_the_names_flatten() {
    let itf: Json = serde_json::from_str(&itf::render(&[report()]).expect("a run")).expect("JSON");
    assert_eq!(itf["vars"], json!(["x", "a", "net", "big"]));
    assert_eq!(itf["loop"], 0);
    let state = &itf["states"][1];
    assert_eq!(state["x"], 1);
    assert_eq!(state["a"]["#map"][0], json!(["P_0", { "owner": "P_1" }]));
    assert_eq!(state["a"]["#map"][1], json!(["P_1", { "owner": { "#unserializable": "undefined" } }]));
    assert_eq!(state["net"]["#map"][0], json!([0, true]));
    assert_eq!(state["big"], json!({ "#bigint": (1u64 << 60).to_string() }));
    assert_eq!(state["#meta"]["rule"], "go");
    let mut fine = report();
    fine.properties.truncate(1);
    assert_eq!(itf::render(&[fine]), None);
}
