//! `burnside symmetry`, and the options of `check` about symmetry.

use std::io::Write;
use std::process::{Command, Output, Stdio};

const MODEL: &str = r#"
    type Proc : 0..3;
    var on : array [Proc] of boolean; last : Proc;
    startstate for p := 0 to 3 do on[p] := false; end; undefine last; end;
    ruleset p : Proc do rule "flip" true ==> on[p] := !on[p]; last := p; end; end;
    rule "zero" on[0] ==> on[0] := false; end;
    invariant "fine" true;
    invariant "one" on[1] -> !isundefined(last);
"#;

fn burnside(args: &[&str], model: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_burnside"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("burnside starts");
    let _ = child.stdin.take().expect("a pipe").write_all(model.as_bytes());
    child.wait_with_output().expect("it ends")
}

fn json(args: &[&str], model: &str) -> serde_json::Value {
    let output = burnside(args, model);
    serde_json::from_slice(&output.stdout).expect("JSON")
}

#[test]
fn text_shows_the_group_and_what_breaks_it() {
    let output = burnside(&["symmetry", "-"], MODEL);
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(0));
    assert!(text.contains("<stdin>: symmetry S3(Proc{1..3}) of order 6"), "{text}");
    assert!(text.contains("{1, 2, 3} are interchangeable, but not 0"), "{text}");
    assert!(text.contains("for \"one\": S2(Proc{2,3}) of order 2"), "{text}");
    assert!(text.contains("<stdin>:6:20"), "{text}");
}

#[test]
fn json_has_the_same() {
    let found = json(&["symmetry", "-", "--json", "-"], MODEL);
    assert_eq!(found["symmetry"]["structure"], "S3(Proc{1..3})");
    assert_eq!(found["symmetry"]["order"], "6");
    assert_eq!(found["symmetry"]["derived"], "detected");
    assert_eq!(found["symmetry"]["generators"], serde_json::json!(["(1 2)", "(2 3)"]));
    assert_eq!(found["factors"][0]["elements"], serde_json::json!(["1", "2", "3"]));
    assert_eq!(found["factors"][0]["fixed"], serde_json::json!(["0"]));
    assert_eq!(found["properties"][0]["property"], "one");
    assert_eq!(found["variables"][1]["members"], serde_json::json!(["on[1]", "on[2]", "on[3]"]));
    assert_eq!(found["rules"][1]["members"], serde_json::json!(["flip(1)", "flip(2)", "flip(3)"]));
    assert_eq!(found["breaks"][0]["place"]["line"], 6);
}

/// Claims about a model that one may not edit: what became of them, and why.
#[test]
fn claims_of_another_file_are_judged() {
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let path = |name: &str| root.join(name).to_string_lossy().into_owned();
    let (model, claims) = (path("models/murphi/arbiter.m"), path("models/claims/arbiter_wrong.claims"));
    let args = ["symmetry", &model, "--symmetry-file", &claims];
    let text = String::from_utf8_lossy(&burnside(&args, "").stdout).into_owned();
    assert!(text.contains("generator \"reads for writes\" is refuted, and not used: rule "), "{text}");
    assert!(text.contains("`check --trust-symmetry`, and then nothing `holds`"), "{text}");
    let found = json(&[&args[..], &["--json", "-"]].concat(), "");
    let judged = found["judged"].as_array().expect("a list");
    let claimed = judged.iter().find(|judged| judged["claimed"] == true).expect("it is listed");
    assert_eq!((&claimed["verdict"], &claimed["used"]), (&"refuted".into(), &false.into()));
    assert!(claimed["witness"]["state"].is_object());

    let more = "generator \"turn\" of Proc = (1 2 3); generator \"zero\" of Proc = (0 1);";
    let text = burnside(&["symmetry", "-"], &format!("{MODEL}{more}")).stdout;
    let text = String::from_utf8_lossy(&text).into_owned();
    assert!(text.contains("generator \"turn\" is verified"), "{text}");
    assert!(text.contains("\"one\" is checked without it, as it changes `on[1]"), "{text}");
    assert!(
        text.contains("generator \"zero\" is refuted, and not used: rule \"zero\" takes a step"),
        "{text}"
    );
}

#[test]
fn the_picture_is_written() {
    let file = std::env::temp_dir().join(format!("burnside-orbits-{}.svg", std::process::id()));
    let output = burnside(&["symmetry", "-", "--svg", &file.to_string_lossy()], MODEL);
    assert_eq!(output.status.code(), Some(0));
    let svg = std::fs::read_to_string(&file).expect("a picture");
    let _ = std::fs::remove_file(&file);
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert!(svg.contains("<title>on[3]</title>") && svg.contains("<title>flip(2)</title>"), "{svg}");
}

#[test]
fn wrong_models_are_refused() {
    assert_eq!(burnside(&["symmetry", "-"], "var x : ;").status.code(), Some(2));
    assert_eq!(burnside(&["symmetry", "no/such/model.m"], "").status.code(), Some(2));
}

#[test]
fn detection_is_reported_and_can_be_switched_off() {
    let zero = MODEL.lines().find(|line| line.contains("\"zero\"")).expect("an asymmetric rule");
    let adapted = json(&["check", "-", "--json", "-"], MODEL);
    assert_eq!((&adapted["verdict"], &adapted["reduction"]), (&"holds".into(), &"adaptive".into()));
    let model = MODEL.replace(zero, "");
    let found = json(&["check", "-", "--json", "-"], &model);
    assert_eq!((&found["verdict"], &found["reduction"]), (&"holds".into(), &"canonical".into()));
    assert_eq!(found["symmetry"]["derived"], "detected");
    // The smaller group of one property decides the others, too.
    assert_eq!(found["symmetry"]["structure"], "S3(Proc{0,2,3})");
    assert_eq!(found["runs"], serde_json::json!([]));
    let full = json(&["check", "-", "--json", "-", "--detect", "off"], &model);
    assert_eq!((&full["verdict"], &full["reduction"]), (&"holds".into(), &"none".into()));
    assert_eq!((&full["symmetry"]["derived"], &full["runs"]), (&"none".into(), &serde_json::json!([])));
    assert_eq!(full["states"], found["full_states"]);
}

#[test]
fn trust_is_an_assumption_and_exit_code_3() {
    let model = MODEL.replace("var on", "symmetry Proc; var on");
    let output = burnside(&["check", "-", "--json", "-", "--trust-symmetry"], &model);
    assert_eq!(output.status.code(), Some(3));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    assert_eq!(found["verdict"], "unknown");
    assert_eq!(found["symmetry"]["verified"], false);
    assert!(found["assumptions"][0].as_str().is_some_and(|text| text.contains("`Proc`")), "{found}");
    assert_eq!(burnside(&["check", "-"], &model).status.code(), Some(0));
}
