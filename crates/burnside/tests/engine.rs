//! The explicit engine: threads change nothing, limits are kept and used, hashes alone never settle anything, and a search
//! that was killed goes on from its checkpoint.

use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use burnside::{
    DeadlockMode, Detect, Engine, Limit, Limits, Options, Reduce, Report, Source, Verdict, check, report,
};
use serde_json::Value;

/// Counters that go up one by one and back at once.
fn counters(count: u64, most: u64) -> String {
    format!(
        r#"
        var a : array [1..{count}] of 0..{most};
        startstate for i : 1..{count} do a[i] := 0; end; end;
        ruleset i : 1..{count} do rule "up" a[i] < {most} ==> a[i] := a[i] + 1; end; end;
        ruleset i : 1..{count} do rule "back" a[i] = {most} ==> a[i] := 0; end; end;
        cover "all" forall i : 1..{count} do a[i] = {most} end;
        "#
    )
}

/// Without the symmetry of the counters.
fn run(text: &str, options: &Options) -> Report {
    match check(&Source::new("test.m", text), &Options { detect: Detect::Off, ..options.clone() }) {
        Ok(report) => report,
        Err(failure) => panic!("{failure:?}"),
    }
}

/// A report without what differs from run to run.
fn essence(report: &Report) -> Value {
    let json = report::json::render(report).expect("a report is JSON");
    let mut json: Value = serde_json::from_str(&json).expect("a report is JSON");
    for key in ["time_s", "peak_memory_bytes"] {
        json[key] = Value::Null;
    }
    json
}

fn with_threads(threads: usize, options: &Options) -> Options {
    Options { threads: NonZero::new(threads).expect("some"), ..options.clone() }
}

#[test]
fn threads_change_nothing() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi");
    for entry in std::fs::read_dir(folder).expect("the folder of models") {
        let path = entry.expect("an entry").path();
        let text = std::fs::read_to_string(&path).expect("a model");
        for reduce in [Reduce::Auto, Reduce::None] {
            for max_errors in [1, 5] {
                let limits = Limits { max_errors, ..Limits::default() };
                let options = Options { reduce, limits, ..Options::default() };
                let one = essence(&run(&text, &with_threads(1, &options)));
                for threads in [2, 3] {
                    let several = essence(&run(&text, &with_threads(threads, &options)));
                    assert_eq!(one, several, "{} with {threads} threads", path.display());
                }
            }
        }
    }
}

/// Many violations in one level, reached in many ways: the same ones are reported, with the same runs.
#[test]
fn the_same_violations_are_reported() {
    let model = counters(4, 9)
        + r#"
        invariant "not all equal" exists i : 1..4 do a[i] != a[1] end | a[1] < 4;
        invariant "sum" a[1] + a[2] + a[3] + a[4] != 17;
        rule "fault" a[1] = 5 & a[2] = 6 ==> assert a[3] != 4 "not four"; end;
        ruleset i : 1..4 do rule "guard" a[i] = 8 & 3 / (a[1] - 2) = 1 ==> a[i] := 8; end; end;
        liveness "back" a[1] = 0;
    "#;
    for max_errors in [1, 10, 1000, u64::MAX] {
        let options = Options {
            limits: Limits { max_errors, ..Limits::default() },
            deadlock: DeadlockMode::Stuck,
            ..Options::default()
        };
        let one = essence(&run(&model, &with_threads(1, &options)));
        assert_eq!(one, essence(&run(&model, &with_threads(4, &options))), "{max_errors} errors");
    }
    for bound in [0, 5, 20, 36, 40] {
        let options = Options {
            limits: Limits { bound: Some(bound), max_errors: 9, ..Limits::default() },
            ..Options::default()
        };
        let one = essence(&run(&counters(4, 9), &with_threads(1, &options)));
        assert_eq!(one, essence(&run(&counters(4, 9), &with_threads(3, &options))), "bound {bound}");
    }
}

#[test]
fn everything_printed_is_passed_on() {
    struct Collect(String);
    impl burnside::Events for Collect {
        fn output(&mut self, text: &str) {
            self.0.push_str(text);
        }
    }
    let model = counters(3, 9).replace("a[i] := a[i] + 1;", "a[i] := a[i] + 1; put \"up\\n\";");
    for threads in [1, 4] {
        let mut events = Collect(String::new());
        let options = with_threads(threads, &Options { detect: Detect::Off, ..Options::default() });
        let report = burnside::check_with(&Source::new("test.m", model.as_str()), &options, &mut events);
        assert_eq!(report.expect("a report").rules_fired, Some(3000));
        assert_eq!(events.0.matches("up\n").count(), 2700);
    }
}

#[test]
fn hashes_alone_never_settle_anything() {
    let options = Options { compact: true, deadlock: DeadlockMode::Off, ..Options::default() };
    let exact = run(&counters(4, 7), &Options { compact: false, ..options.clone() });
    assert_eq!(exact.verdict, Verdict::Holds);
    for threads in [1, 2] {
        let report = run(&counters(4, 7), &with_threads(threads, &options));
        assert_eq!((report.verdict, report.limit), (Verdict::Unknown, None));
        assert_eq!((report.states, report.rules_fired), (exact.states, exact.rules_fired));
        assert_eq!(report.assumptions.len(), 1);
        assert!(report.assumptions[0].contains("4.5e-13"), "{}", report.assumptions[0]);
        let cover = report.properties.iter().find(|p| p.name == "all").expect("the cover");
        assert_eq!((cover.verdict, cover.covered), (Verdict::Holds, Some(1)));
    }
    // A violation is real, and its run is told.
    let wrong = counters(4, 7) + "invariant \"sum\" a[1] + a[2] + a[3] + a[4] < 9;";
    let exact = essence(&run(&wrong, &Options { compact: false, ..options.clone() }));
    let compact = essence(&run(&wrong, &options));
    assert_eq!(exact["properties"], compact["properties"]);
    assert_eq!(compact["verdict"], "violated");
    assert_eq!(compact["assumptions"], serde_json::json!([]));
}

#[test]
fn compact_takes_less_memory() {
    let options = |compact| Options {
        engine: Engine::Explicit,
        compact,
        limits: Limits { memory: Some(3 << 20), ..Limits::default() },
        deadlock: DeadlockMode::Off,
        ..Options::default()
    };
    let (exact, compact) = (run(&counters(6, 9), &options(false)), run(&counters(6, 9), &options(true)));
    assert_eq!((exact.limit, compact.limit), (Some(Limit::Memory), Some(Limit::Memory)));
    assert!(compact.states > exact.states, "{} and {}", compact.states, exact.states);
}

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).expect("a folder for temporary files");
    folder
}

fn burnside(model: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command
        .arg("check")
        .arg(model)
        .args(args)
        .args(["--engine", "explicit", "--json", "-", "--detect", "off"])
        .stdout(Stdio::piped());
    command.stderr(Stdio::piped());
    command
}

/// Its JSON, without what differs from run to run.
fn result(output: &Output) -> Value {
    let mut json: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("no JSON: {}", String::from_utf8_lossy(&output.stderr)));
    for key in ["time_s", "peak_memory_bytes"] {
        json[key] = Value::Null;
    }
    json
}

#[test]
fn the_memory_limit_is_used_and_kept() {
    let folder = folder("memory");
    let model = folder.join("model.m");
    std::fs::write(&model, counters(14, 14)).expect("a file");
    let limit = 24u64 << 20;
    for args in [&["--threads", "1"], &["--threads", "2"]] {
        let output = burnside(&model, &[&["--memory", "24M"], &args[..]].concat()).output();
        let output = output.expect("burnside starts");
        assert_eq!(output.status.code(), Some(3));
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        assert_eq!((&json["verdict"], &json["limit"]), (&"unknown".into(), &"memory".into()));
        let used = json["peak_memory_bytes"].as_u64().expect("a number");
        // The program itself takes a few megabytes as well.
        assert!(used > limit / 10 * 7 && used < limit + (24 << 20), "{used} bytes of {limit}");
        assert!(json["states"].as_u64().expect("a number") > 500_000, "{}", json["states"]);
    }
}

#[test]
fn a_killed_search_goes_on_from_its_checkpoint() {
    let folder = folder("checkpoint");
    let (model, file) = (folder.join("model.m"), folder.join("search.checkpoint"));
    let text = counters(6, 6)
        + r#"
        invariant "one" a[1] != 6 | a[2] != 6 | exists i : 3..6 do a[i] != 0 end;
        rule a[3] = 5 & forall i : 1..6 do i = 3 | a[i] = 0 end ==> error "five"; end;
        "#;
    std::fs::write(&model, &text).expect("a file");
    let path = file.to_str().expect("UTF-8");
    let common = ["--max-errors", "7", "--rule-stats"];
    let whole = burnside(&model, &common).output().expect("burnside starts");
    let writing = ["--checkpoint", path, "--checkpoint-every", "0s", "--threads", "2"];
    let mut child = burnside(&model, &[&common[..], &writing].concat()).spawn().expect("burnside starts");
    let begun = Instant::now();
    while !file.exists() && begun.elapsed() < Duration::from_secs(60) {
        std::thread::sleep(Duration::from_millis(1));
    }
    std::thread::sleep(Duration::from_millis(30));
    assert!(child.try_wait().expect("it can be asked").is_none(), "it ended too soon");
    child.kill().expect("it can be killed");
    child.wait().expect("it ends");
    for threads in ["1", "2"] {
        let resuming = ["--resume", path, "--threads", threads];
        let resumed = burnside(&model, &[&common[..], &resuming].concat()).output().expect("burnside starts");
        assert_eq!(resumed.status.code(), whole.status.code());
        assert_eq!(result(&resumed), result(&whole), "{threads} threads");
    }
    refuses(&model, &file, &text, &common);
}

/// With anything changed, or a damaged file, there is no result.
fn refuses(model: &Path, file: &Path, text: &str, common: &[&str]) {
    let refused = |args: &[&str], why: &str| {
        let output = burnside(model, args).output().expect("burnside starts");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("cannot resume from") && said.contains(why), "{said}");
    };
    let path = file.to_str().expect("UTF-8");
    refused(&["--resume", path], "other constants or options");
    refused(&[common, &["--resume", path, "--deadlock", "off"]].concat(), "other constants or options");
    refused(&[common, &["--resume", path, "--reduce", "none", "--loop-limit", "7"]].concat(), "options");
    refused(&[common, &["--resume", "no/such/file"]].concat(), "No such file");
    std::fs::write(model, text.replace("!= 6", "!= 5")).expect("a file");
    refused(&[common, &["--resume", path]].concat(), "another model");
    std::fs::write(model, text).expect("a file");
    let whole = std::fs::read(file).expect("a checkpoint");
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle] ^= 1;
    for bytes in [&damaged[..], &whole[..middle], b"something else"] {
        std::fs::write(file, bytes).expect("a file");
        refused(&[common, &["--resume", path]].concat(), "not a whole one");
    }
}

#[test]
fn a_search_that_hit_a_limit_goes_on_with_a_higher_one() {
    let folder = folder("limits");
    let (model, file) = (folder.join("model.m"), folder.join("search.checkpoint"));
    std::fs::write(&model, counters(7, 7)).expect("a file");
    let path = file.to_str().expect("UTF-8");
    let whole = burnside(&model, &[]).output().expect("burnside starts");
    for limit in [&["--memory", "8M"], &["--time", "100ms"]] {
        let _ = std::fs::remove_file(&file);
        let limited = burnside(&model, &[&limit[..], &["--checkpoint", path]].concat()).output();
        assert_eq!(limited.expect("burnside starts").status.code(), Some(3));
        let resumed = burnside(&model, &["--resume", path]).output().expect("burnside starts");
        assert_eq!(result(&resumed), result(&whole));
    }
    // Not even the start states: there is nothing to go on from.
    let _ = std::fs::remove_file(&file);
    let limited = burnside(&model, &["--time", "0s", "--checkpoint", path]).output();
    assert_eq!(limited.expect("burnside starts").status.code(), Some(3));
    let resumed = burnside(&model, &["--resume", path]).output().expect("burnside starts");
    assert_eq!(resumed.status.code(), Some(2));
    let nowhere = burnside(&model, &["--checkpoint", "no/such/folder/file"]).output();
    assert_eq!(nowhere.expect("burnside starts").status.code(), Some(2));
    let both = burnside(&model, &["--compact", "--checkpoint", path]).output();
    assert_eq!(both.expect("burnside starts").status.code(), Some(2));
}
