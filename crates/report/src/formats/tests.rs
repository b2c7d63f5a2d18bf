#[path = "schema/mod.rs"]
mod schema;

use std::time::Duration;

use burnside_model::Verdict;
use burnside_model::system::PropertyKind;
use serde_json::{Value as Json, json};

use super::*;
use crate::value::Value;
use crate::{
    Change, Course, Firing, Place, Report, RuleCount, SymmetryReport, TraceReport, TraceStepReport,
    Violation, Warning,
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
    let xml = junit::render(&[Checked::Report(&report())]);
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
    let text = github::render(&[Checked::Report(&report())]);
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
    let sarif: Json = serde_json::from_str(&sarif::render(&[Checked::Report(&report())])).expect("JSON");
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
    let itf: Json =
        serde_json::from_str(&itf::render(&[Checked::Report(&report())]).expect("a run")).expect("JSON");
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
    assert_eq!(itf::render(&[Checked::Report(&fine)]), None);
}

/// A model with a mistake.
fn rejected() -> Rejected {
    let found = |code: &str, line| Warning {
        code: code.to_owned(),
        message: format!("wrong in line {line}"),
        place: place(line),
        snippet: "1 | wrong".to_owned(),
    };
    Rejected {
        model: "c.m".to_owned(),
        diagnostics: vec![found("W0101", 1), found("E0201", 2)],
        reason: None,
    }
}

#[test]
fn a_model_that_cannot_be_checked_is_in_every_format() {
    let (report, rejected) = (report(), rejected());
    let models = [Checked::Report(&report), Checked::Rejected(&rejected)];
    let xml = junit::render(&models);
    assert!(xml.contains("tests=\"4\"") && xml.contains("E0201: wrong in line 2"), "{xml}");
    let text = github::render(&models);
    assert!(text.contains("::error file=a b.m,line=2,col=3,title=E0201::wrong in line 2"), "{text}");
    let sarif: Json = serde_json::from_str(&sarif::render(&models)).expect("JSON");
    assert_eq!(sarif["runs"][0]["results"].as_array().map(Vec::len), Some(5));
    assert_eq!(sarif["runs"][0]["results"][4]["level"], "error");
    assert!(itf::render(&models).is_some() && itf::render(&models[1..]).is_none());
    let json: Json = serde_json::from_str(&rejected.json()).expect("JSON");
    assert_eq!(json["diagnostics"][1]["severity"], "error");
    assert_eq!(json["diagnostics"][1]["place"]["line"], 2);
}

/// What is wrong with a value by a schema of a standard.
fn by_schema(schema: &str, value: &Json) -> Vec<String> {
    let schema = serde_json::from_str(schema).expect("a schema is JSON");
    schema::violations(&schema, value, false)
}

#[test]
fn sarif_is_what_the_standard_says() {
    let (report, rejected) = (report(), rejected());
    let models = [Checked::Report(&report), Checked::Rejected(&rejected)];
    let sarif: Json = serde_json::from_str(&sarif::render(&models)).expect("JSON");
    let found = by_schema(include_str!("schema/sarif.json"), &sarif);
    assert!(found.is_empty(), "{found:?}");
    // The schema is not one that everything passes.
    for (pointer, wrong) in [
        ("/version", json!("2.0.0")),
        ("/runs/0/tool/driver/name", Json::Null),
        ("/runs/0/results/0/level", json!("fatal")),
        ("/runs/0/results/0/locations/0/physicalLocation/region/startLine", json!(0)),
        ("/runs/0/results/0/codeFlows/0/threadFlows", json!([])),
    ] {
        let mut sarif = sarif.clone();
        *sarif.pointer_mut(pointer).expect(pointer) = wrong;
        assert_eq!(by_schema(include_str!("schema/sarif.json"), &sarif).len(), 1, "{pointer}");
    }
    let mut sarif = sarif.clone();
    sarif["runs"][0]["results"][0]["severity"] = json!("error");
    assert_eq!(by_schema(include_str!("schema/sarif.json"), &sarif).len(), 1);
}

#[test]
fn itf_is_what_apalache_reads() {
    let report = report();
    let text = itf::render(&[Checked::Report(&report)]).expect("a run");
    let value: Json = serde_json::from_str(&text).expect("JSON");
    let schema = include_str!("schema/itf.json");
    let found = by_schema(schema, &value);
    assert!(found.is_empty(), "{found:?}");
    for (pointer, wrong) in [
        ("/states/1/x", json!(1.5)),
        ("/states/1/big", json!({ "#bigint": 7 })),
        ("/states/1/a/#map/0", json!(["P_0"])),
        ("/loop", json!(-1)),
    ] {
        let mut value = value.clone();
        *value.pointer_mut(pointer).expect(pointer) = wrong;
        assert!(!by_schema(schema, &value).is_empty(), "{pointer}");
    }
    // The crate by the authors of the format.
    let trace: ::itf::Trace<::itf::Value> = serde_json::from_str(&text).expect("the crate reads it");
    assert_eq!(trace.vars, ["x", "a", "net", "big"]);
    assert_eq!((trace.states.len(), trace.loop_index), (2, Some(0)));
    assert_eq!(trace.meta.source.as_deref(), Some("a b.m"));
    #[derive(serde::Deserialize)]
    struct State {
        x: i64,
    }
    let trace: ::itf::Trace<State> = ::itf::trace_from_str(&text).expect("its states are ours");
    assert_eq!(trace.states.iter().map(|state| state.value.x).collect::<Vec<_>>(), [0, 1]);
}

/// JUnit has no standard; these are the elements and attributes that its readers agree on.
#[test]
fn junit_has_the_elements_that_its_readers_know() {
    let (report, rejected) = (report(), rejected());
    let xml = junit::render(&[Checked::Report(&report), Checked::Rejected(&rejected)]);
    let document = roxmltree::Document::parse(&xml).expect("XML");
    let root = document.root_element();
    assert_eq!(root.tag_name().name(), "testsuites");
    let known: &[(&str, &[&str], &[&str])] = &[
        (
            "testsuites",
            &["testsuite"],
            &["name", "tests", "failures", "errors", "skipped", "time", "uuid", "timestamp"],
        ),
        (
            "testsuite",
            &["testcase", "properties", "system-out", "system-err"],
            &["name", "tests", "disabled", "failures", "errors", "skipped", "time", "timestamp"],
        ),
        ("testcase", &["failure", "error", "skipped", "system-out"], &["name", "classname", "time"]),
        ("failure", &[], &["message", "type"]),
        ("error", &[], &["message", "type"]),
    ];
    for element in root.descendants().filter(roxmltree::Node::is_element) {
        let name = element.tag_name().name();
        let (_, children, attributes) =
            known.iter().find(|(known, ..)| *known == name).unwrap_or_else(|| panic!("{name}"));
        for child in element.children().filter(roxmltree::Node::is_element) {
            assert!(children.contains(&child.tag_name().name()), "{name} has {}", child.tag_name().name());
        }
        for attribute in element.attributes() {
            assert!(attributes.contains(&attribute.name()), "{name} has {}", attribute.name());
        }
        // The numbers are those of the elements.
        let count = |what: &str| element.descendants().filter(|node| node.has_tag_name(what)).count();
        for (attribute, what) in [("tests", "testcase"), ("failures", "failure"), ("errors", "error")] {
            if let Some(number) = element.attribute(attribute) {
                assert_eq!(number, count(what).to_string(), "{name} {attribute}");
            }
        }
    }
    assert_eq!(root.attribute("tests"), Some("4"));
}
