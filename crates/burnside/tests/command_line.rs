//! The command: exit codes, streams, JSON.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

const HOLDS: &str = r#"
    type Proc : scalarset(3);
    var a : array [Proc] of boolean;
    startstate "off" for i : Proc do a[i] := false; end; end;
    ruleset p : Proc do rule "flip" true ==> a[p] := !a[p]; put "flip\n"; end; end;
    rule "never" false ==> clear a; end;
    invariant "fine" true;
"#;

fn violated() -> String {
    HOLDS.replace("\"fine\" true", "\"not all\" exists p : Proc do !a[p] end")
}

/// Runs the command on a model given on standard input.
fn burnside(model: &str, args: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_burnside"))
        .args(["check", "-"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("burnside starts");
    // With wrong options it ends without reading.
    let _ = child.stdin.take().expect("a pipe").write_all(model.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[test]
fn exit_codes() {
    let code = |model: &str, args: &[&str]| burnside(model, args).status.code();
    assert_eq!(code(HOLDS, &[]), Some(0));
    assert_eq!(code(&violated(), &[]), Some(1));
    assert_eq!(code(&violated(), &["--bound", "1"]), Some(3));
    assert_eq!(code("var x : ;", &[]), Some(2));
    assert_eq!(code(HOLDS, &["--memory", "lots"]), Some(2));
    assert_eq!(code(HOLDS, &["--max-errors", "0"]), Some(2));
    assert_eq!(code(HOLDS, &["--no-such-option"]), Some(2));
    assert_eq!(code(HOLDS, &["-D", "N=1"]), Some(2));
    assert_eq!(code(HOLDS, &["--bound", "0"]), Some(3));
    assert_eq!(code(HOLDS, &["--memory", "1K"]), Some(3));
}

#[test]
fn a_file_that_is_not_there() {
    let output = Command::new(env!("CARGO_BIN_EXE_burnside")).args(["check", "no/such/model.m"]).output();
    let output = output.expect("burnside starts");
    assert_eq!(output.status.code(), Some(2));
    assert!(stderr(&output).starts_with("error: cannot read no/such/model.m"), "{}", stderr(&output));
}

#[test]
fn results_go_to_standard_output() {
    let output = burnside(&violated(), &[]);
    let text = stdout(&output);
    assert!(text.starts_with("flip\n"), "{text}");
    for expected in [
        "error[invariant]: invariant \"not all\" does not hold",
        "  start state \"off\"\n",
        "  rule \"flip\" p: Proc_",
        ": false -> true\n",
        "violated  invariant \"not all\"\n",
        "4 orbits stand for 8 states (2.0x fewer), ",
        "symmetry S3(Proc) of order 6, verified\n",
        "<stdin>: violated, the search ended there (--max-errors)\n",
    ] {
        assert!(text.contains(expected), "{expected}\n{text}");
    }
    assert!(stderr(&output).is_empty(), "{}", stderr(&output));
    assert!(!text.contains('\x1b'));
}

#[test]
fn traces_can_be_full_or_off() {
    let full = stdout(&burnside(&violated(), &["--trace", "full"]));
    assert_eq!(full.matches("      a[Proc_0]: ").count(), 4, "{full}");
    let off = stdout(&burnside(&violated(), &["--trace", "off"]));
    assert!(!off.contains("start state") && off.contains("error[invariant]"), "{off}");
}

#[test]
fn rule_stats_and_quiet() {
    let stats = stdout(&burnside(HOLDS, &["--rule-stats", "--reduce", "none"]));
    assert!(stats.contains("24  flip\n") && stats.contains("never fired: never (line 6)\n"), "{stats}");
    let quiet = stdout(&burnside(&HOLDS.replace("put \"flip\\n\";", ""), &["--quiet"]));
    assert_eq!(quiet, "<stdin>: holds\n");
}

/// The keys on which scripts rely.
const KEYS: &[&str] = &[
    "model",
    "language",
    "constants",
    "verdict",
    "properties",
    "engine",
    "reduction",
    "exact",
    "symmetry",
    "states",
    "full_states",
    "rules_fired",
    "depth",
    "time_s",
    "peak_memory_bytes",
    "limit",
    "assumptions",
    "runs",
    "warnings",
];

#[test]
fn json_has_the_documented_keys() {
    let model = violated();
    let output = burnside(&model, &["--json", "-"]);
    assert_eq!(output.status.code(), Some(1));
    let json: serde_json::Value =
        serde_json::from_slice(&output.stdout).expect("standard output is JSON alone");
    assert_eq!(stderr(&output).matches("flip").count(), stderr(&output).len() / 5);
    for key in KEYS {
        assert!(json.get(key).is_some(), "{key}");
    }
    assert_eq!(json["symmetry"]["order"], "6");
    assert_eq!(json["symmetry"]["structure"], "S3(Proc)");
    assert_eq!(json["symmetry"]["generators"][0], "(Proc_0 Proc_1)");
    assert_eq!((&json["states"], &json["full_states"]), (&4.into(), &8.into()));
    assert_eq!(json["limit"], "max-errors");
    let property = &json["properties"][0];
    assert_eq!((&property["name"], &property["kind"]), (&"not all".into(), &"invariant".into()));
    assert_eq!(property["verdict"], "violated");
    let trace = property["trace"].as_array().expect("a list of steps");
    assert_eq!(trace.len(), 4);
    assert_eq!(trace[0]["kind"], "start");
    let moved = trace[1]["parameters"]["p"].as_str().expect("an element");
    assert_eq!(trace[1]["changed"], serde_json::json!({ format!("a[{moved}]"): true }));
    assert_eq!(
        trace[3]["state"],
        serde_json::json!({ "a[Proc_0]": true, "a[Proc_1]": true, "a[Proc_2]": true })
    );
    assert_eq!(json["properties"][1]["trace"], serde_json::Value::Null);
}

#[test]
fn json_goes_to_a_file_beside_the_text() {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("result.json");
    let output = burnside(HOLDS, &["--json", path.to_str().expect("UTF-8")]);
    assert!(stdout(&output).ends_with("<stdin>: holds\n"));
    let written = std::fs::read(&path).expect("the file was written");
    let json: serde_json::Value = serde_json::from_slice(&written).expect("JSON");
    assert_eq!(json["verdict"], "holds");
    assert_eq!(json["limit"], serde_json::Value::Null);
    let nowhere = burnside(HOLDS, &["--json", "no/such/folder/result.json"]);
    assert_eq!(nowhere.status.code(), Some(2));
}

/// Every way to choose representatives gives the same verdict and says what it is, but markers never say that it holds.
#[test]
fn representatives_as_other_systems_choose_them() {
    let exact = ["refine", "exhaustive", "segmented", "first-seen", "flood"];
    for canon in ["sorted", "local-search", "markers"].into_iter().chain(exact) {
        let output = burnside(HOLDS, &["--canon", canon, "--json", "-"]);
        let (code, text) = (output.status.code(), stdout(&output));
        assert_eq!(code, Some(if canon == "markers" { 3 } else { 0 }), "{canon}: {text}");
        let is_exact = exact.contains(&canon);
        assert!(text.contains(&format!("\"exact\": {is_exact}")), "{canon}: {text}");
        assert_eq!(text.contains("\"full_states\": 8"), is_exact, "{canon}: {text}");
        assert_eq!(text.contains("symmetry marker"), canon == "markers", "{canon}: {text}");
        let reduction = if canon == "refine" { "canonical" } else { canon };
        assert!(text.contains(&format!("\"reduction\": \"{reduction}\"")), "{canon}: {text}");
        let output = burnside(&violated(), &["--canon", canon]);
        assert_eq!(output.status.code(), Some(1), "{canon}: {}", stdout(&output));
    }
}

#[test]
fn representatives_that_cannot_be_chosen() {
    let refused = |model: &str, args: &[&str]| {
        let output = burnside(model, args);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {}", stdout(&output));
        stderr(&output)
    };
    assert!(refused(HOLDS, &["--canon", "sorted", "--reduce", "none"]).contains("--reduce none"));
    assert!(refused(HOLDS, &["--canon", "flood", "--threads", "2"]).contains("one thread"));
    assert!(refused(HOLDS, &["--canon", "first-seen", "--compact"]).contains("--compact"));
    let many = HOLDS.replace("scalarset(3)", "scalarset(12)");
    assert!(refused(&many, &["--canon", "exhaustive"]).contains("479001600 permutations"));
}

#[test]
fn options_of_decision_diagrams() {
    let refused: [(&[&str], &str); 9] = [
        (&["--order", "interleaved"], "`--order` needs `--engine bdd`"),
        (&["--search", "bfs"], "`--search` needs `--engine bdd`"),
        (&["--search", "dfs"], "`--search dfs` is for UPPAAL models only"),
        (&["--run", "fastest"], "`--run` is for UPPAAL models only"),
        (&["--engine", "bdd", "--threads", "2"], "`--threads` is not possible"),
        (&["--engine", "bdd", "--reduce", "adaptive"], "`--reduce adaptive` is not possible"),
        (&["--engine", "bdd", "--bound", "3", "--search", "chaining"], "`--bound` counts levels"),
        (
            &["--engine", "bdd", "--reduce", "component", "--search", "bfs"],
            "`--reduce component` has its own way",
        ),
        (
            &["--engine", "bdd", "--reduce", "dynamic", "--search", "saturation"],
            "`--reduce dynamic` has its own way",
        ),
    ];
    for (options, message) in refused {
        let output = burnside(HOLDS, options);
        let said = stderr(&output);
        assert!(output.status.code() == Some(2) && said.contains(message), "{options:?}: {said}");
    }
}

#[test]
fn a_reader_that_goes_away_is_no_error() {
    let mut child = Command::new(env!("CARGO_BIN_EXE_burnside"))
        .args(["check", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("burnside starts");
    drop(child.stdout.take());
    child.stdin.take().expect("a pipe").write_all(HOLDS.as_bytes()).expect("it reads");
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(0));
    assert!(stderr(&output).is_empty(), "{}", stderr(&output));
}

#[test]
fn help_has_examples_and_exit_codes() {
    let output = Command::new(env!("CARGO_BIN_EXE_burnside")).args(["check", "--help"]).output();
    let text = stdout(&output.expect("burnside starts"));
    assert!(text.contains("Examples:") && text.contains("Exit codes:"), "{text}");
}
