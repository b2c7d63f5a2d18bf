//! `burnside compare`, and what the engine with decision diagrams refuses on the command line.

use std::path::Path;
use std::process::{Command, Output};

fn burnside(arguments: &[&str]) -> Output {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi");
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.args(arguments).current_dir(models).output().expect("burnside runs")
}

#[test]
fn one_row_per_way() {
    let output = burnside(&["compare", "token_mutex.m", "--memory", "256M", "--time", "5m"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{text}{}", String::from_utf8_lossy(&output.stderr));
    let rows: Vec<Vec<_>> = text.lines().skip(1).map(|line| line.split_whitespace().collect()).collect();
    let states: Vec<_> = rows.iter().map(|row| (row[0], row[1], row[2], row[3])).collect();
    assert_eq!(states[0], ("explicit", "none", "holds", "36"));
    assert_eq!(states[1], ("explicit", "auto", "holds", "9"));
    assert_eq!(states[2], ("bdd", "none", "holds", "36"));
    assert!(states.contains(&("bdd", "dynamic", "holds", "9")), "{text}");
    assert_eq!(rows.len(), 8, "{text}");
}

#[test]
fn a_violated_model_has_exit_code_1() {
    let output = burnside(&["compare", "dining.m", "--memory", "256M", "--time", "5m"]);
    assert_eq!(output.status.code(), Some(1), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(burnside(&["compare", "no such model.m"]).status.code(), Some(2));
}

#[test]
fn options_that_do_not_go_together() {
    let refused: [(&[&str], &str); 5] = [
        (&["--order", "interleaved"], "`--order` needs `--engine bdd`"),
        (&["--search", "bfs"], "`--search` needs `--engine bdd`"),
        (&["--engine", "bdd", "--threads", "2"], "`--threads` is not possible"),
        (&["--engine", "bdd", "--reduce", "adaptive"], "`--reduce adaptive` is not possible"),
        (&["--engine", "bdd", "--bound", "3", "--search", "chaining"], "`--bound` counts levels"),
    ];
    for (options, message) in refused {
        let output = burnside(&[&["check", "token_mutex.m"], options].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(message), "{options:?}: {said}");
    }
}
