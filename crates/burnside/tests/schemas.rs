//! What the program writes as JSON is what the schemas in `docs/schemas` say, with no key that they do not name; wrong
//! models are JSON, too.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

#[path = "../../report/src/formats/schema/mod.rs"]
mod schema;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

fn burnside(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.args(arguments).current_dir(root()).output().expect("the program runs")
}

/// The standard output as JSON that fits a schema.
fn valid(name: &str, output: &Output) -> Value {
    let json: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|e| panic!("{e}: {output:?}"));
    fits(name, &json);
    json
}

fn fits(name: &str, json: &Value) {
    let text = std::fs::read_to_string(root().join(format!("docs/schemas/{name}.json"))).expect("a schema");
    let schema: Value = serde_json::from_str(&text).expect("a schema is JSON");
    assert_eq!(schema["$id"], format!("burnside/{name}"));
    let found = schema::violations(&schema, json, true);
    assert!(found.is_empty(), "{name}: {found:#?}");
}

#[test]
fn results_of_checks() {
    for arguments in [
        &["models/murphi/peterson.m"][..],
        &["models/murphi/dining.m", "-D", "N=2"],
        &["models/murphi/token_mutex_ctl.m", "-D", "N=3", "--max-errors", "2"],
        &["models/murphi/peterson_live.m", "-D", "N=2"],
        &["models/murphi/readers_writer_priority.m", "--reduce", "adaptive"],
        &["models/murphi/mcs_lock_abstract.m", "-D", "N=3", "--engine", "bdd", "--reduce", "dynamic"],
        &["models/murphi/arbiter.m", "--engine", "bdd", "--reduce", "on-the-fly"],
        &["models/murphi/token_mutex.m", "-D", "N=4", "--engine", "count"],
        &["models/murphi/needham_schroeder.m", "--bound", "3"],
        &["models/uppaal/fischer.xta", "--run", "fastest"],
        &["models/uppaal/train_gate.xta"],
        &["models/promela/mutex.pml"],
    ] {
        let output = burnside(&[&["check", "--json", "-", "--time", "60s"], arguments].concat());
        assert!(matches!(output.status.code(), Some(0 | 1 | 3)), "{arguments:?}: {output:?}");
        valid("check-1", &output);
    }
}

#[test]
fn symmetry() {
    for model in ["murphi/peterson.m", "murphi/readers_writer_priority.m", "uppaal/fischer.xta"] {
        valid("symmetry-1", &burnside(&["symmetry", &format!("models/{model}"), "--json", "-"]));
    }
}

#[test]
fn comparisons() {
    let model = "models/murphi/token_mutex.m";
    valid("compare-1", &burnside(&["compare", model, "--engine", "explicit,bdd", "--json", "-"]));
    valid(
        "compare-1",
        &burnside(&["compare", "models/murphi/dining.m", "--engine", "explicit", "--json", "-"]),
    );
}

/// A folder with a model that has a mistake.
fn wrong(test: &str) -> String {
    let folder = std::env::temp_dir().join(format!("burnside-schemas-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("wrong.m");
    std::fs::write(&path, "var x : 0..N;\nstartstate x := 0; end;\ninvariant x = 0;\n").expect("a file");
    path.to_string_lossy().into_owned()
}

#[test]
fn wrong_input_is_json_too() {
    let wrong = wrong("input");
    let output = burnside(&["check", &wrong, "--json", "-"]);
    assert_eq!(output.status.code(), Some(2));
    let json = valid("error-1", &output);
    assert_eq!(json["diagnostics"][0]["place"]["line"], 1, "{json}");
    // Also what is no mistake of the text.
    let output = burnside(&["check", "models/murphi/peterson.m", "-D", "M=2", "--json", "-"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(
        valid("error-1", &output)["diagnostics"][0]["message"].as_str().is_some_and(|m| m.contains("`M`"))
    );
}
