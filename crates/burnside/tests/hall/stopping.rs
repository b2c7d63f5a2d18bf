//! Signals and limits: a check that is stopped keeps what it knows, and writes what was asked for.

use std::process::Command;
use std::time::{Duration, Instant};

use super::program::{ENDLESS, endless_uppaal, file, folder, said, start};

/// The ways to check a model that has no end, and how each is chosen.
const ENGINES: &[&[&str]] = &[
    &["--engine", "explicit"],
    &["--engine", "explicit", "--reduce", "none", "--threads", "2"],
    &["--engine", "interpreter"],
    &["--engine", "bdd"],
    &["--engine", "bdd", "--search", "bfs", "--relation", "monolithic"],
    &["--engine", "explicit", "--compact"],
];

fn signal(name: &str, process: u32) {
    let sent = Command::new("kill").args([name, &process.to_string()]).status();
    assert!(sent.is_ok_and(|status| status.success()), "{name} to {process}");
}

/// Starts a check, sends a signal after a while, and gives its exit code, output and how long it took to end.
fn interrupted(arguments: &[&str], name: &str) -> (i32, String, Duration) {
    let child = start(arguments);
    let process = child.id();
    std::thread::sleep(Duration::from_millis(900));
    signal(name, process);
    let begun = Instant::now();
    let output = child.wait_with_output().expect("an end");
    let text =
        String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
    (output.status.code().unwrap_or(-1), text, begun.elapsed())
}

#[test]
fn a_signal_ends_a_check_as_a_limit_does() {
    let model = file("signals", "endless.m", ENDLESS);
    let json = folder("signals").join("result.json").to_string_lossy().into_owned();
    for (at, engine) in ENGINES.iter().enumerate() {
        let name = if at % 2 == 0 { "-INT" } else { "-TERM" };
        let _ = std::fs::remove_file(&json);
        let arguments = [&["check", &model, "--json", &json][..], engine].concat();
        let (code, text, time) = interrupted(&arguments, name);
        assert_eq!(code, 3, "{engine:?}: {text}");
        assert!(text.contains("unknown, stopped by a signal"), "{engine:?}: {text}");
        assert!(time < Duration::from_secs(4), "{engine:?} took {time:?} to end");
        let written = std::fs::read_to_string(&json).expect("the result is written");
        assert!(written.contains("\"limit\": \"cancelled\""), "{engine:?}: {written}");
        assert!(written.contains("\"name\": \"any\""), "{engine:?}: {written}");
    }
}

#[test]
fn timed_models_end_on_signals_and_limits() {
    let (text, queries) = endless_uppaal();
    let model = file("timed", "endless.xta", text);
    file("timed", "endless.q", queries);
    let (code, text, time) = interrupted(&["check", &model], "-TERM");
    assert!(code == 3 && text.contains("stopped by a signal"), "{text}");
    assert!(time < Duration::from_secs(4), "{time:?}");
    let begun = Instant::now();
    let (code, text) = said(&["check", &model, "--time", "1s"]);
    assert!(code == 3 && text.contains("stopped at the time limit"), "{text}");
    assert!(begun.elapsed() < Duration::from_secs(5), "{:?}", begun.elapsed());
}

#[test]
fn a_checkpoint_is_written_on_a_signal_and_goes_on() {
    let model = file("checkpoint", "endless.m", ENDLESS);
    let saved = folder("checkpoint").join("saved").to_string_lossy().into_owned();
    let arguments = ["check", &model, "--engine", "explicit", "--checkpoint", &saved, "--memory", "1G"];
    let (code, text, _) = interrupted(&arguments, "-INT");
    assert_eq!(code, 3, "{text}");
    let resumed =
        ["check", &model, "--engine", "explicit", "--resume", &saved, "--memory", "1G", "--time", "1s"];
    let (code, text) = said(&resumed);
    assert!(code == 3 && text.contains("time limit"), "{text}");
}

#[test]
fn a_second_signal_ends_the_process_at_once() {
    let model = file("twice", "endless.m", ENDLESS);
    let child = start(&["check", &model, "--engine", "bdd"]);
    let process = child.id();
    std::thread::sleep(Duration::from_millis(700));
    signal("-INT", process);
    std::thread::sleep(Duration::from_millis(30));
    // The first one may already have ended it.
    let _ = Command::new("kill").args(["-INT", &process.to_string()]).output();
    let output = child.wait_with_output().expect("an end");
    assert!(matches!(output.status.code(), Some(3 | 130)), "{output:?}");
}

#[test]
fn time_is_kept_by_every_engine() {
    let model = file("time", "endless.m", ENDLESS);
    for engine in ENGINES {
        let begun = Instant::now();
        let (code, text) = said(&[&["check", &model, "--time", "1s"][..], engine].concat());
        let took = begun.elapsed();
        assert!(code == 3 && text.contains("stopped at the time limit"), "{engine:?}: {text}");
        // A second over, and as much for a machine that has other things to do.
        assert!(took < Duration::from_millis(3500), "{engine:?}: {took:?}");
    }
}

/// Reading and lowering take their time, too: a model of tens of thousands of rules.
#[test]
fn time_is_kept_while_a_model_is_read() {
    let rules: String = (0..60_000)
        .map(|i| format!("rule \"r{i}\" a[{}] < 9 ==> a[{}] := a[{}] + 1; end;\n", i % 50, i % 50, i % 50))
        .collect();
    let text =
        format!("var a : array [0..49] of 0..9;\nstartstate for i : 0..49 do a[i] := 0; end; end;\n{rules}");
    let model = file("reading", "large.m", text);
    for engine in ["explicit", "bdd"] {
        let begun = Instant::now();
        let (code, text) = said(&["check", &model, "--engine", engine, "--time", "1s"]);
        assert!(code == 3 && text.contains("stopped at the time limit"), "{text}");
        assert!(begun.elapsed() < Duration::from_millis(3500), "{engine}: {:?}", begun.elapsed());
    }
}

#[test]
fn memory_is_kept_also_by_violations_that_are_stored() {
    let text = ENDLESS.replace("invariant \"any\" a >= 0;", "invariant \"none\" a > 20;");
    let model = file("memory", "violated.m", text);
    let json = folder("memory").join("result.json").to_string_lossy().into_owned();
    let arguments = [
        "check",
        &model,
        "--engine",
        "explicit",
        "--max-errors",
        "100000000",
        "--memory",
        "300M",
        "--time",
        "60s",
    ];
    let (code, text) = said(&[&arguments[..], &["--quiet", "--json", &json]].concat());
    assert_eq!(code, 1, "{text}");
    let written = std::fs::read_to_string(&json).expect("the result is written");
    let peak = written.split("\"peak_memory_bytes\": ").nth(1).and_then(|rest| rest.split(',').next());
    let peak: u64 = peak.and_then(|digits| digits.parse().ok()).expect("a figure");
    assert!(peak < 300 * (1 << 20) * 11 / 10 + (64 << 20), "{peak} bytes");
}

#[test]
fn progress_is_told_in_lines() {
    let model = file("progress", "endless.m", ENDLESS);
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.env("BURNSIDE_PROGRESS_SECONDS", "0.3");
    let output =
        command.args(["check", &model, "--progress", "plain", "--time", "2s"]).output().expect("an end");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.lines().filter(|line| line.starts_with("progress: ")).count() >= 2, "{text}");
}
