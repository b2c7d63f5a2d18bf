//! What is read: any language by any command, up to a limit, and something to check.

use std::io::Write;
use std::process::{Command, Stdio};

use burnside::{Cancel, Failure, Limit, Limits, Options, Source, Verdict, check};

use super::program::{ENDLESS, MURPHI, PRISM, PROMELA, QUERIES, TTS, UPPAAL, burnside, file, said};

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
    assert!(code == 0 && text.contains("zones") && text.contains("agree"), "{text}");
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
    assert!(code == 2 && text.contains("counting elements is not possible for timed models"), "{text}");
}

/// The other languages, by every command: used, or refused by name.
#[test]
fn every_command_takes_every_language_or_refuses_it() {
    let prism = file("commands", "coin.prism", PRISM);
    let properties = file("commands", "coin.props", "P>=1 [ F \"done\" ]\n");
    let tts = file("commands", "gate.tts", TTS);
    let promela = file("commands", "mutex.pml", PROMELA);
    let (code, text) = piped(&["check", "-", &properties], PRISM.as_bytes());
    assert!(code == 0 && text.contains("holds     P>=1"), "{text}");
    let (code, text) = piped(&["check", "-"], PROMELA.as_bytes());
    assert!(code == 0 && text.contains("no deadlock"), "{text}");
    let (code, text) = piped(&["check", "-", "--language", "tts"], TTS.as_bytes());
    assert!(code == 0 && text.contains("safe for any number of threads"), "{text}");
    for (model, engine) in [(&[prism.as_str(), properties.as_str()][..], "chains"), (&[&tts], "coverability")]
    {
        let (code, text) = said(&[&["compare"], model].concat());
        assert!(code == 0 && text.contains(engine) && text.contains("agree"), "{text}");
    }
    for (model, words) in
        [(&prism, "symmetry trivial"), (&tts, "any number of threads"), (&promela, "symmetry")]
    {
        let (code, text) = said(&["symmetry", model]);
        assert!(code == 0 && text.contains(words), "{text}");
        let (code, text) = said(&["symmetry", model, "--json", "-"]);
        assert!(code == 0 && text.contains("\"structure\""), "{text}");
    }
    for (model, of) in [(&prism, "PRISM models"), (&tts, "systems of threads")] {
        for command in [&["translate", "--counters"][..], &["translate", "--aiger"], &["simulate"]] {
            let (code, text) = said(&[command, &[model]].concat());
            assert!(code == 2 && text.contains(&format!("not possible for {of}")), "{command:?}: {text}");
        }
    }
    for model in [&prism, &tts, &promela] {
        let (code, text) = said(&["prove", model]);
        assert!(code == 2 && text.contains("`prove` is for Murphi models only"), "{text}");
    }
    assert_eq!(said(&["simulate", &promela]).0, 0);
}

/// What is in the file beside a thread system is what must not be reached.
#[test]
fn a_file_beside_the_model_says_what_is_asked() {
    let model = file("beside", "gate.tts", TTS);
    file("beside", "gate.prop", "0|1\n");
    let (code, text) = said(&["check", &model]);
    assert!(code == 1 && text.contains("never 0|1"), "{text}");
    let (code, text) = said(&["check", &model, "--target", "0|2"]);
    assert!(code == 0 && text.contains("never 0|2"), "{text}");
}

#[test]
fn nothing_to_check_is_no_success() {
    let uppaal = file("empty", "light.xta", UPPAAL);
    let (code, text) = said(&["check", &uppaal]);
    assert!(code == 2 && text.contains("no queries") && text.contains("--allow-empty"), "{text}");
    assert_eq!(said(&["check", &uppaal, "--allow-empty"]).0, 0);
    let (code, text) = said(&["check", &file("empty", "empty.m", "")]);
    assert_eq!(code, 2, "{text}");
    let (code, text) = said(&["check", &file("empty", "coin.prism", PRISM)]);
    assert!(code == 2 && text.contains("there is no property"), "{text}");
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
        Box::new(check(&Source::new("m.m", "var x : ;"), &Options::default()).expect_err("no model"));
    assert!(failure.to_string().starts_with("the model has errors: "), "{failure}");
    assert!(!burnside(&["check", "/no/such/file"]).status.success());
}
