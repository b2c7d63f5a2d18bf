//! What is read: any language by any command, up to a limit, and something to check.

use std::io::Write;
use std::process::{Command, Stdio};

use burnside::{Cancel, Failure, Limit, Limits, Options, Source, Verdict, check};

use super::program::{ENDLESS, MURPHI, QUERIES, UPPAAL, burnside, file, said};

/// The exit code and the output of a command that reads a text.
fn piped(arguments: &[&str], input: &[u8]) -> (i32, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program starts");
    let mut pipe = child.stdin.take().expect("a pipe");
    // It may end before it has read all.
    let _ = pipe.write_all(input);
    drop(pipe);
    let output = child.wait_with_output().expect("an end");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text)
}

#[test]
fn every_command_reads_every_language() {
    let uppaal = file("languages", "light.xta", UPPAAL);
    let queries = file("languages", "light.q", QUERIES);
    let (code, text) = said(&["compare", &uppaal]);
    assert!(code == 0 && text.contains("zones") && text.contains("2 checks agree"), "{text}");
    let (code, text) = said(&["compare", &uppaal, "--json", "-"]);
    assert!(code == 0 && text.contains("\"engine\": \"zones\""), "{text}");
    let (code, text) = piped(&["check", "-", "--queries", &queries], UPPAAL.as_bytes());
    assert!(code == 0 && text.contains("E<> L.On"), "{text}");
    let (code, text) = piped(&["symmetry", "-"], UPPAAL.as_bytes());
    assert_eq!(code, 0, "{text}");
    // A name says more than a text.
    let (code, text) = said(&["check", &file("languages", "odd.m", "<nta></nta>")]);
    assert!(code == 2 && text.contains("odd.m:1:1"), "{text}");
    let (code, text) = said(&["check", &file("languages", "model.txt", MURPHI), "--language", "murphi"]);
    assert_eq!(code, 0, "{text}");
    let (code, text) = said(&["translate", "--counters", &uppaal]);
    assert!(code == 2 && text.contains("timed models are not counted"), "{text}");
}

#[test]
fn nothing_to_check_is_no_success() {
    let uppaal = file("empty", "light.xta", UPPAAL);
    let (code, text) = said(&["check", &uppaal]);
    assert!(code == 2 && text.contains("no queries") && text.contains("--allow-empty"), "{text}");
    assert_eq!(said(&["check", &uppaal, "--allow-empty"]).0, 0);
    let (code, text) = said(&["check", &file("empty", "empty.m", "")]);
    assert_eq!(code, 2, "{text}");
    let text = MURPHI.replace("invariant \"few\" n <= N;", "");
    let (code, text) = said(&["check", &file("empty", "plain.m", text)]);
    assert!(code == 0 && text.contains("no deadlock") && text.contains("states no property"), "{text}");
}

#[test]
fn too_much_input_is_refused() {
    let large = vec![b' '; burnside::MAX_BYTES + 1];
    let (code, text) = piped(&["check", "-"], &large);
    assert!(code == 2 && text.contains("too large"), "{text}");
    let text = format!("{MURPHI}\n--{}", "x".repeat(burnside::MAX_BYTES));
    let refused = check(&Source::new("large.m", text), &Options::default());
    assert!(matches!(refused, Err(Failure::Input(errors)) if errors[0].message.contains("too large")));
}

#[test]
fn other_encodings_may_stand_in_comments() {
    let text = [b"-- caf\xe9\n".as_slice(), MURPHI.as_bytes()].concat();
    assert_eq!(said(&["check", &file("encodings", "model.m", &text)]).0, 0);
    let (code, text) = said(&["check", &file("encodings", "wrong.m", b"var caf\xe9 : 0..1;")]);
    assert!(code == 2 && text.contains("byte 0xe9 is not valid UTF-8"), "{text}");
}

/// A caller of the library has the same token.
#[test]
fn the_library_can_be_cancelled() {
    let cancel = Cancel::new();
    let limits = Limits { cancel: Some(cancel), memory: Some(2 << 30), ..Limits::default() };
    let options = Options { limits, ..Options::default() };
    let stopper = std::thread::spawn(move || {
        std::thread::sleep(std::time::Duration::from_millis(500));
        cancel.cancel(Limit::Cancelled);
    });
    let report = check(&Source::new("endless.m", ENDLESS), &options).expect("a report");
    stopper.join().expect("it ended");
    assert_eq!((report.verdict, report.limit), (Verdict::Unknown, Some(Limit::Cancelled)));
    assert!(report.states > 0);
}

#[test]
fn failures_are_errors() {
    let failure: Box<dyn std::error::Error> =
        Box::new(check(&Source::new("m.m", "var"), &Options::default()).expect_err("no model"));
    assert!(failure.to_string().starts_with("the model has errors: "), "{failure}");
    assert!(!burnside(&["check", "/no/such/file"]).status.success());
}
