//! What the engine that counts refuses on the command line.

use std::path::Path;
use std::process::{Command, Output};

fn burnside(arguments: &[&str]) -> Output {
    let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models/murphi");
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.args(arguments).current_dir(models).output().expect("burnside runs")
}

#[test]
fn options_that_do_not_go_together() {
    let refused: [(&[&str], &str); 4] = [
        (&["--engine", "count", "--bound", "3"], "`--bound` is not possible with `--engine count`"),
        (&["--counters", "explicit"], "`--counters` needs `--engine count`"),
        (
            &["--engine", "count", "--counters", "bdd", "--threads", "2"],
            "`--threads` is not possible with `--engine count`",
        ),
        (&["--engine", "count", "--compact"], "`--compact` is not possible with `--engine count`"),
    ];
    for (options, message) in refused {
        let output = burnside(&[&["check", "token_mutex.m"], options].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(message), "{options:?}: {said}");
    }
}

#[test]
fn counted_one_by_one_there_are_levels_and_threads() {
    let options = ["--engine", "count", "--counters", "explicit", "--bound", "1", "--threads", "2"];
    let output = burnside(&[&["check", "token_mutex.m"], &options[..]].concat());
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.code() == Some(3) && said.contains("3 orbits"), "{said}");
}

#[test]
fn the_program_that_counts_is_printed() {
    let output = burnside(&["translate", "--counters", "token_mutex.m", "-D", "N=5"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(said.contains("Pid_Trying_tok") && said.contains("invariant \"mutual exclusion\""), "{said}");
    let output = burnside(&["translate", "--counters=paper", "token_mutex.m", "-D", "N=5"]);
    let said = String::from_utf8_lossy(&output.stdout);
    assert_eq!(output.status.code(), Some(0));
    assert!(said.contains("tok : Pid_state") && said.contains("tok := Pid_Critical"), "{said}");
    let output = burnside(&["translate", "token_mutex.m"]);
    assert_eq!(output.status.code(), Some(2));
}
