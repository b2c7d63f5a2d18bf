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
    let refused: [(&[&str], &str); 2] = [
        (&["--engine", "count", "--bound", "3"], "`--bound` is not possible with `--engine count`"),
        (&["--engine", "count", "--compact"], "`--compact` is not possible with `--engine count`"),
    ];
    for (options, message) in refused {
        let output = burnside(&[&["check", "token_mutex.m"], options].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains(message), "{options:?}: {said}");
    }
}
