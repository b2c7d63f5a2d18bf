//! A printed model through rumur: generate C, compile it, run it, read what it says.

use std::path::Path;
use std::process::{Command, Output};

/// What rumur found.
#[derive(Debug, PartialEq, Eq)]
pub struct Found {
    pub pass: bool,
    pub states: u64,
}

/// Whether there is a rumur to ask.
pub fn installed() -> bool {
    Command::new("rumur").arg("--version").output().is_ok()
}

/// Checks the model without symmetry reduction; `folder` is for the files in between.
pub fn check(text: &str, folder: &Path) -> Result<Found, String> {
    let path = |name: &str| folder.join(name).to_string_lossy().into_owned();
    let (model, source, verifier) = (path("model.m"), path("model.c"), path("model"));
    std::fs::write(&model, text).map_err(|e| e.to_string())?;
    let options = "--deadlock-detection stuttering --symmetry-reduction off --threads 1";
    let mut rumur = Command::new("rumur");
    run(rumur.args(options.split(' ')).args(["--output", &source, &model]))?;
    let mut compiler = Command::new("cc");
    compiler.args(["-O0", "-std=c11", "-w", "-mcx16", &source, "-o", &verifier, "-lpthread", "-latomic"]);
    run(&mut compiler)?;
    let output = Command::new(&verifier).output().map_err(|e| e.to_string())?;
    let said = String::from_utf8_lossy(&output.stdout);
    let count = said.split(" states,").next().and_then(|before| before.split_whitespace().last());
    let states = count.and_then(|word| word.parse().ok()).ok_or_else(|| format!("no count in: {said}"))?;
    Ok(Found { pass: output.status.success(), states })
}

fn run(command: &mut Command) -> Result<Output, String> {
    let output = command.output().map_err(|e| e.to_string())?;
    match output.status.success() {
        true => Ok(output),
        false => Err(String::from_utf8_lossy(&output.stderr).into_owned()),
    }
}
