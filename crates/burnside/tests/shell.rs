//! What every command owes a shell: completions, manual pages, no colours where none are wanted, narrow terminals, and
//! `--quiet`.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().expect("the workspace")
}

fn burnside(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
    command.args(arguments).current_dir(root()).stdin(Stdio::null()).output().expect("the program runs")
}

fn stdout(arguments: &[&str]) -> String {
    let output = burnside(arguments);
    assert!(matches!(output.status.code(), Some(0 | 1)), "{arguments:?}: {output:?}");
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// The commands, as the help lists them.
fn commands() -> Vec<String> {
    let help = stdout(&["--help"]);
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
    let names = names.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(str::to_owned).collect()
}

#[test]
fn completions_and_pages_know_every_command() {
    let commands = commands();
    assert!(commands.len() >= 10, "{commands:?}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let text = stdout(&["completions", shell]);
        for name in &commands {
            assert!(text.contains(name.as_str()), "{shell}: {name}");
        }
        assert!(text.contains("sweep"), "{shell} has the options of `check`");
    }
    let folder = std::env::temp_dir().join(format!("burnside-manual-{}", std::process::id()));
    stdout(&["manual", "--folder", &folder.to_string_lossy()]);
    for name in &commands {
        let page = std::fs::read_to_string(folder.join(format!("burnside-{name}.1"))).expect("a page");
        assert!(page.contains(".SH SYNOPSIS") && page.contains(".SH OPTIONS"), "{name}");
    }
    assert!(stdout(&["manual"]).contains(".SH NAME"));
}

#[test]
fn bash_takes_its_completions() {
    if Command::new("bash").arg("--version").output().is_err() {
        println!("skipped: there is no bash");
        return;
    }
    let script = format!(
        "{}\nCOMP_WORDS=(burnside sym); COMP_CWORD=1; _burnside burnside sym burnside; echo \"${{COMPREPLY[*]}}\"",
        stdout(&["completions", "bash"])
    );
    let output = Command::new("bash").args(["-c", &script]).output().expect("bash");
    assert_eq!(String::from_utf8_lossy(&output.stdout).trim(), "symmetry", "{output:?}");
}

#[test]
fn help_fits_a_narrow_terminal() {
    for name in commands() {
        let mut command = Command::new(env!("CARGO_BIN_EXE_burnside"));
        let output = command.args([&name, "--help"]).env("COLUMNS", "60").output().expect("the program runs");
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        // What follows the options are examples, which are not broken.
        let options = text.split("\nExamples:").next().unwrap_or_default();
        let long: Vec<&str> = options.lines().filter(|line| line.chars().count() > 60).collect();
        // A word may be longer.
        let breakable = long.iter().filter(|line| !line.trim_start().starts_with(['-', 'U', '[', '<']));
        assert_eq!(breakable.count(), 0, "{name}: {long:#?}");
    }
}

/// On a terminal: what a command writes there.
fn on_terminal(line: &str, no_color: &str) -> Option<String> {
    let program = env!("CARGO_BIN_EXE_burnside");
    let mut command = Command::new("script");
    command.args(["-qec", &format!("{program} {line}"), "/dev/null"]).current_dir(root());
    command.env("TERM", "xterm").env("NO_COLOR", no_color).stdin(Stdio::null());
    Some(String::from_utf8_lossy(&command.output().ok()?.stdout).into_owned())
}

#[test]
fn no_color_means_none() {
    let wrong = std::env::temp_dir().join(format!("burnside-wrong-{}.m", std::process::id()));
    std::fs::write(&wrong, "var x : 0..N;").expect("a file");
    let wrong = wrong.to_string_lossy().into_owned();
    // Other controls than those that end so only move the cursor.
    let colored = |text: &str| {
        text.split("\x1b[")
            .skip(1)
            .any(|rest| rest.trim_start_matches(|c: char| c.is_ascii_digit() || c == ';').starts_with('m'))
    };
    let Some(with) = on_terminal("check models/murphi/dining.m", "") else {
        println!("skipped: there is no `script`");
        return;
    };
    assert!(colored(&with), "a terminal has colours: {with:?}");
    for line in [
        "check models/murphi/dining.m".to_owned(),
        format!("check {wrong}"),
        format!("compare {wrong}"),
        format!("simulate {wrong}"),
        format!("prove {wrong}"),
        format!("symmetry {wrong}"),
        "symmetry models/murphi/readers_writer_priority.m".to_owned(),
        "compare models/murphi/dining.m --engine explicit -D N=2".to_owned(),
        "simulate models/murphi/dining.m --seed 1".to_owned(),
        "check --help".to_owned(),
        "check --no-such-option".to_owned(),
    ] {
        let text = on_terminal(&line, "1").expect("`script` is there");
        assert!(!text.is_empty() && !colored(&text), "{line}: {text:?}");
    }
}

#[test]
fn quiet_commands_write_a_line() {
    for arguments in [
        &["check", "models/murphi/dining.m"][..],
        &["symmetry", "models/murphi/readers_writer_priority.m"],
        &["symmetry", "models/uppaal/fischer.xta"],
        &["compare", "models/murphi/dining.m", "--engine", "explicit"],
        &["simulate", "models/murphi/needham_schroeder.m", "--seed", "1", "--runs", "5000"],
    ] {
        let output = burnside(&[arguments, &["--quiet"]].concat());
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        assert_eq!(text.lines().count(), 1, "{arguments:?}: {text}");
        assert!(output.stderr.is_empty(), "{output:?}");
        assert!(matches!(output.status.code(), Some(0 | 1)), "{output:?}");
    }
}
