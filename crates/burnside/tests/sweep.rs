//! `--sweep`, with the real program: tables, data and plots; the ones in the book are as the commands there make them.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;

#[path = "../../report/src/formats/schema/mod.rs"]
mod schema;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

fn command(arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.args(arguments).current_dir(root()).stdin(Stdio::null());
    command
}

fn burnside(arguments: &[&str]) -> Output {
    command(arguments).output().expect("the program runs")
}

/// A folder of a test.
fn folder(test: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("burnside-sweep-{}-{test}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    folder
}

fn stdout(output: &Output) -> String {
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn every_language_and_format() {
    let folder = folder("all");
    let to = |kind: &str| format!("{kind}={}", folder.join(kind).display());
    for (model, grid, columns) in [
        ("models/murphi/peterson.m", "N=2..3", "N  verdict"),
        ("models/uppaal/fischer.xta", "N=2,3", "N  verdict"),
    ] {
        let mut arguments = vec!["check", model, "--sweep", grid, "--repeat", "2"];
        let kinds = ["text", "csv", "tsv", "markdown", "latex", "json", "svg", "html"].map(to);
        kinds.iter().for_each(|kind| arguments.extend(["--write", kind]));
        let output = burnside(&arguments);
        assert_eq!(output.status.code(), Some(0), "{output:?}");
        let text = stdout(&output);
        assert!(text.starts_with(columns) && text.contains("least – most"), "{text}");
        let read = |kind: &str| std::fs::read_to_string(folder.join(kind)).expect("it was written");
        assert_eq!(read("text"), text);
        assert_eq!(read("csv").lines().count(), 3);
        assert!(read("latex").contains("\\toprule") && read("svg").contains("logarithmic scale"));
        assert!(read("markdown").starts_with("| N |") && read("html").contains("<svg"));
        let json: serde_json::Value = serde_json::from_str(&read("json")).expect("JSON");
        let schema = std::fs::read_to_string(root().join("docs/schemas/sweep-1.json")).expect("a schema");
        let found = schema::violations(&serde_json::from_str(&schema).expect("JSON"), &json, true);
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(json["cells"][1]["times_s"].as_array().map(Vec::len), Some(2));
    }
}

#[test]
fn probabilities_are_values_of_their_columns() {
    let output = burnside(&[
        "check",
        "models/prism/consensus.prism",
        "models/prism/consensus.props",
        "--sweep",
        "K=1..2",
    ]);
    let text = stdout(&output);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    assert!(text.starts_with("K  verdict") && text.lines().count() == 3, "{text}");
}

#[test]
fn a_column_ends_with_its_first_limit() {
    let output = burnside(&[
        "compare",
        "models/murphi/peterson.m",
        "--engine",
        "explicit",
        "--reduce",
        "none,auto",
        "--sweep",
        "N=3,8,9,4",
        "--time",
        "1s",
        "--write",
        "csv=-",
    ]);
    let text = stdout(&output);
    let rows = |series: &str| -> Vec<String> {
        let rows = text.lines().filter(|line| line.starts_with(series));
        rows.map(|row| row.split(',').skip(1).take(3).collect::<Vec<_>>().join(" ")).collect()
    };
    assert_eq!(rows("explicit none"), ["3 holds ", "8 unknown time"], "{text}");
    assert_eq!(output.status.code(), Some(3));
}

#[test]
fn what_makes_no_sense_is_refused() {
    for (arguments, message) in [
        (&["--sweep", "N"][..], "names no constant"),
        (&["--sweep", "N=5..2"], "is no range"),
        (&["--repeat", "3"], "--sweep"),
        (&["--sweep", "N=2..3", "--html", "page.html"], "`--html` is for one check"),
        (&["--sweep", "N=2..3", "--write", "pdf=a.pdf"], "KIND=FILE"),
        (&["--sweep", "Missing=2..3"], "no constant `Missing`"),
    ] {
        let output = burnside(&[&["check", "models/murphi/peterson.m"], arguments].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {said}");
        assert!(said.contains(message), "{arguments:?}: {said}");
    }
}

#[cfg(unix)]
#[test]
fn an_interrupt_leaves_what_was_measured() {
    let folder = folder("interrupt");
    let csv = folder.join("table.csv");
    let write = format!("csv={}", csv.display());
    // The first sizes take no time, the last one does not end.
    let arguments =
        ["check", "models/murphi/peterson.m", "--reduce", "none", "--sweep", "N=2,3,20", "--write", &write];
    let child = command(&arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts");
    std::thread::sleep(Duration::from_secs(8));
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().expect("kill").success());
    let output = child.wait_with_output().expect("it ends");
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let text = std::fs::read_to_string(csv).expect("it was written");
    assert_eq!(text.lines().count(), 3, "{text}");
    assert!(stdout(&output).contains("Interrupted"), "{output:?}");
}

/// A table without what depends on the machine: times and memory.
fn masked(text: &str) -> String {
    let mut words: Vec<&str> = text.split_whitespace().collect();
    for at in 1..words.len() {
        let unit = words[at].trim_end_matches("\\\\");
        if matches!(unit, "ms" | "s" | "KB" | "MB" | "GB") {
            words[at - 1] = "#";
            words[at] = words[at].strip_prefix(unit).unwrap_or_default();
        }
    }
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

/// The part of a picture that does not depend on the machine: the plot of sizes.
fn sizes(svg: &str) -> &str {
    svg.split("<g ").nth(2).unwrap_or_default()
}

#[test]
fn the_tables_and_pictures_in_the_book_are_made_by_its_commands() {
    let page = std::fs::read_to_string(root().join("docs/src/scaling.md")).expect("the page");
    let folder = folder("book");
    let mut made = 0;
    for line in
        page.lines().filter(|line| line.starts_with("burnside ") && line.contains("docs/src/scaling/"))
    {
        let here = format!("{}/", folder.display());
        let line = line.replace("docs/src/scaling/", &here).replace('\'', "");
        let output = burnside(&line.split_whitespace().skip(1).collect::<Vec<_>>());
        assert_eq!(output.status.code(), Some(0), "{line}: {output:?}");
        for word in line.split_whitespace() {
            let Some((kind, file)) = word.split_once(&format!("={here}")) else { continue };
            let new = std::fs::read_to_string(folder.join(file)).expect("it was written");
            let old =
                std::fs::read_to_string(root().join("docs/src/scaling").join(file)).expect("in the book");
            made += 1;
            match kind {
                "svg" => assert_eq!(sizes(&old), sizes(&new), "{file}"),
                "latex" => {
                    assert_eq!(masked(&old), masked(&new), "{file}");
                    assert!(page.contains(&old), "the page shows another {file}");
                }
                other => panic!("{other}"),
            }
        }
    }
    assert_eq!(made, 6, "a table and a picture of three models");
}
