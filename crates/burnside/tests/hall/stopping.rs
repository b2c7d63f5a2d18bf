//! Signals and limits: a check that is stopped keeps what it knows, and writes what was asked for.

use std::process::Command;
use std::time::{Duration, Instant};

use super::program::{ENDLESS, PRISM, endless, endless_prism, file, folder, said, start};

/// The ways to check a model that has no end, and how each is chosen.
pub const ENGINES: &[&[&str]] = &[
    &["--engine", "explicit"],
    &["--engine", "explicit", "--reduce", "none", "--threads", "2"],
    &["--engine", "interpreter"],
    &["--engine", "bdd"],
    &["--engine", "bdd", "--search", "bfs", "--relation", "monolithic"],
    &["--engine", "explicit", "--compact"],
];

/// More than a second over its limit is only allowed to a machine that has other things to do: the tests run side by side.
const BUSY: Duration = Duration::from_secs(6);

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
    let json = folder("signals").join("result.json").to_string_lossy().into_owned();
    for (at, way) in endless("signals").iter().enumerate() {
        let name = if at % 2 == 0 { "-INT" } else { "-TERM" };
        let _ = std::fs::remove_file(&json);
        let way: Vec<&str> = way.iter().map(String::as_str).collect();
        let arguments = [&["check"], &way[..], &["--json", &json]].concat();
        let (code, text, time) = interrupted(&arguments, name);
        assert_eq!(code, 3, "{way:?}: {text}");
        assert!(text.contains("unknown, stopped by a signal"), "{way:?}: {text}");
        assert!(time < Duration::from_secs(1) + BUSY, "{way:?} took {time:?} to end");
        let written = std::fs::read_to_string(&json).expect("the result is written");
        assert!(written.contains("\"limit\": \"cancelled\""), "{way:?}: {written}");
        assert!(written.contains("\"name\": "), "{way:?}: {written}");
    }
}

/// A property that cannot be looked at does not hinder the others; if all are so, the input is wrong.
#[test]
fn properties_that_are_wrong_and_limits_of_chains() {
    let (wrong, right) = ("P=? [ X y=1 ]", "P=? [ F x=N ]");
    let small = file("partly", "small.prism", PRISM);
    let (code, text) = said(&["check", &small, "--property", wrong, "--property", right]);
    assert_eq!(code, 3, "{text}");
    assert!(text.contains("error     P=? [ X y=1 ]") && text.contains("value     P=? [ F x=N ]"), "{text}");
    let (code, text) = said(&["check", &small, "--property", wrong]);
    assert!(code == 2 && text.contains("no property can be checked"), "{text}");
    let model = file("partly", "endless.prism", endless_prism());
    let arguments = ["check", &model, "--property", "P=? [ F x1=13 ]", "--memory", "100M", "--time", "120s"];
    let (code, text) = said(&arguments);
    assert!(code == 3 && text.contains("stopped at the memory limit"), "{text}");
}

#[test]
fn a_signal_ends_a_proof() {
    let text = ENDLESS.replace("invariant \"any\" a >= 0;", "invariant \"hard\" m != 40000;");
    let model = file("proofs", "hard.m", text);
    let (code, text, time) = interrupted(&["prove", &model], "-INT");
    assert!(code == 3 && text.contains("stopped by a signal"), "{text}");
    assert!(time < Duration::from_secs(1) + BUSY, "{time:?}");
    let begun = Instant::now();
    let (code, text) = said(&["prove", &model, "--time", "1s"]);
    assert_eq!(code, 3, "{text}");
    assert!(begun.elapsed() < Duration::from_secs(2) + BUSY, "{:?}", begun.elapsed());
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
    for way in endless("time") {
        let begun = Instant::now();
        let arguments: Vec<&str> = way.iter().map(String::as_str).collect();
        let (code, text) = said(&[&["check", "--time", "1s"], &arguments[..]].concat());
        let took = begun.elapsed();
        assert!(code == 3 && text.contains("stopped at the time limit"), "{arguments:?}: {text}");
        assert!(took < Duration::from_secs(2) + BUSY, "{arguments:?}: {took:?}");
    }
}

/// Reading and lowering take their time, too: models of tens of thousands of rules, and of thousands of clocks.
#[test]
fn time_is_kept_while_a_model_is_read() {
    let rules: String = (0..60_000)
        .map(|i| format!("rule \"r{i}\" a[{}] < 9 ==> a[{}] := a[{}] + 1; end;\n", i % 50, i % 50, i % 50))
        .collect();
    let text =
        format!("var a : array [0..49] of 0..9;\nstartstate for i : 0..49 do a[i] := 0; end; end;\n{rules}");
    let murphi = file("reading", "large.m", text);
    let steps: String =
        (0..30_000).map(|i| format!(":: a[{0}] < 9 -> a[{0}] = a[{0}] + 1\n", i % 50)).collect();
    let promela =
        file("reading", "large.pml", format!("byte a[50];\nactive proctype P() {{ do\n{steps} od }}\n"));
    let commands: String =
        (0..40_000).map(|i| format!("[] x<{} -> 0.5:(x'=x+1) + 0.5:(x'=0);\n", i % 9)).collect();
    let text = format!("dtmc\nmodule m\n x : [0..10] init 0;\n{commands}endmodule\n");
    let prism = file("reading", "large.prism", text);
    // One operation on zones of so many clocks takes seconds.
    let clocks: Vec<String> = (0..3_000).map(|i| format!("x{i}")).collect();
    let guard: Vec<String> = clocks.iter().map(|clock| format!("{clock} > 3")).collect();
    let uppaal = file(
        "reading",
        "large.xta",
        format!(
            "clock {};\nprocess P() {{ state A, B; init A; trans A -> B {{ guard {}; assign x0 := 0; }}; }}\nsystem P;\n",
            clocks.join(", "),
            guard.join(" && ")
        ),
    );
    file("reading", "large.q", "A[] not deadlock\n");
    for arguments in [
        &[murphi.as_str(), "--engine", "explicit"][..],
        &[&murphi, "--engine", "bdd"],
        &[&promela],
        &[&prism, "--property", "P=? [ F x=10 ]"],
        &[&uppaal],
    ] {
        let begun = Instant::now();
        let (code, text) = said(&[&["check", "--time", "1s", "--memory", "1G"], arguments].concat());
        assert!(code == 3 && text.contains("stopped at the time limit"), "{arguments:?}: {text}");
        assert!(begun.elapsed() < Duration::from_secs(2) + BUSY, "{arguments:?}: {:?}", begun.elapsed());
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
fn progress_is_told_in_lines_by_every_engine() {
    for way in endless("progress") {
        let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
        command.env("BURNSIDE_PROGRESS_SECONDS", "0.3").args([
            "check",
            "--progress",
            "plain",
            "--time",
            "2s",
        ]);
        let output = command.args(&way).output().expect("an end");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let lines = text.lines().filter(|line| line.starts_with("progress: "));
        assert!(lines.count() >= 2, "{way:?}: {text}");
    }
}
