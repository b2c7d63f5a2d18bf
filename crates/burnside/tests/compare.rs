//! `burnside compare`: the table, JSON, the picture, limits, and what it refuses.

use std::path::Path;
use std::process::{Command, Output};

use serde_json::Value;

/// Compares a model of the repository.
fn compare(model: &str, args: &[&str]) -> Output {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi").join(model);
    let output = Command::new(env!("CARGO_BIN_EXE_burnside")).arg("compare").arg(path).args(args).output();
    output.expect("burnside starts")
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

fn json(model: &str, args: &[&str]) -> Value {
    let output = compare(model, &[&["--json", "-"], args].concat());
    serde_json::from_slice(&output.stdout).expect("standard output is JSON alone")
}

fn row<'a>(json: &'a Value, engine: &str, reduction: &str) -> &'a Value {
    let mut rows = json["rows"].as_array().expect("rows").iter();
    rows.find(|row| row["engine"] == engine && row["reduction"] == reduction).expect("the row")
}

#[test]
fn a_table() {
    let output = compare("token_mutex.m", &["-D", "N=4", "--engine", "explicit,interpreter"]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{text}");
    let line = |start: &[&str]| {
        let begins = |line: &&str| line.split_whitespace().take(start.len()).eq(start.iter().copied());
        text.lines().find(begins).unwrap_or_else(|| panic!("{start:?} in {text}"))
    };
    line(&["symmetry", "S4(Pid)", "of", "order", "24"]);
    line(&["engine", "reduction", "verdict", "time", "vs", "none", "states", "vs", "none", "peak", "nodes"]);
    assert!(line(&["explicit", "none", "holds"]).contains(" 96 "));
    assert!(line(&["explicit", "auto:", "canonical", "holds"]).contains(" 8.0x fewer "));
    line(&["interpreter", "auto:", "canonical", "holds"]);
    assert!(text.ends_with("token_mutex.m: holds, 5 checks agree, 96 states, 12 orbits\n"), "{text}");
}

#[test]
fn json_has_every_row() {
    let json = json("token_mutex.m", &["--engine", "explicit", "--reduce", "none,auto,sorted,flood"]);
    assert_eq!((&json["verdict"], &json["agree"]), (&"holds".into(), &true.into()));
    assert_eq!(json["symmetry"]["structure"], "S3(Pid)");
    assert_eq!(json["rows"].as_array().expect("rows").len(), 4);
    let auto = &row(&json, "explicit", "auto")["result"];
    assert_eq!((&auto["states"], &auto["full_states"], &auto["orbits"]), (&9.into(), &36.into(), &9.into()));
    assert_eq!((&auto["reduction"], &auto["times_fewer"]), (&"canonical".into(), &4.0.into()));
    assert_eq!(auto["properties"][0]["name"], "mutual exclusion");
    // It stores all states, though it looks at one of each orbit only.
    let flood = &row(&json, "explicit", "flood")["result"];
    assert_eq!((&flood["states"], &flood["orbits"]), (&36.into(), &Value::Null));
}

#[test]
fn what_does_not_apply_says_why() {
    let json = json("dining.m", &["--engine", "explicit"]);
    let adaptive = row(&json, "explicit", "adaptive");
    assert_eq!(adaptive["outcome"], "not-applicable");
    assert!(adaptive["reason"].as_str().expect("a reason").contains("no rule leaves any symmetry"));
    assert!(adaptive["result"].is_null());
    assert_eq!(row(&json, "explicit", "auto")["outcome"], "not-applicable");
    assert_eq!(json["verdict"], "violated");
}

#[test]
fn options_of_check_reach_every_check() {
    let output = compare("dining.m", &["--engine", "explicit", "--", "--deadlock", "off"]);
    assert_eq!(output.status.code(), Some(0), "{}", stdout(&output));
    let wrong = compare("dining.m", &["--", "--no-such-option"]);
    assert_eq!(wrong.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&wrong.stderr).contains("'--no-such-option'"), "{wrong:?}");
}

#[test]
fn a_limit_is_that_of_each_check() {
    let args =
        ["-D", "N=9", "--engine", "explicit", "--reduce", "none,auto", "--memory", "24M", "--time", "9s"];
    let json = json("mcs_lock_abstract.m", &args);
    assert_eq!(json["agree"], true);
    let none = &row(&json, "explicit", "none")["result"];
    assert_eq!((&none["verdict"], none["limit"].is_string()), (&"unknown".into(), true));
    let all = compare("mcs_lock_abstract.m", &["-D", "N=9", "--reduce", "none", "--time", "1ms"]);
    assert_eq!(all.status.code(), Some(3), "{}", stdout(&all));
}

#[test]
fn wrong_input_is_said_once() {
    let output = compare("token_mutex.m", &["-D", "M=4"]);
    assert_eq!(output.status.code(), Some(2));
    assert_eq!(String::from_utf8_lossy(&output.stderr).matches("no constant `M`").count(), 1);
    for args in [["--engine", "quantum"], ["--reduce", "best"]] {
        assert_eq!(compare("token_mutex.m", &args).status.code(), Some(2));
    }
    assert_eq!(compare("no_such_model.m", &[]).status.code(), Some(2));
}

#[test]
fn a_picture() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("comparison.svg");
    compare("token_mutex.m", &["--engine", "explicit", "--svg", path.to_str().expect("UTF-8")]);
    let svg = std::fs::read_to_string(path).expect("the file was written");
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"), "{svg}");
    assert!(svg.contains(">explicit auto</text>"), "{svg}");
}
