//! The checkers that are measured: ours, rumur, and CMurphi where there is one; how each is made ready and run.

use std::path::{Path, PathBuf};

use crate::measure::{self, Run};

/// How a model is to be checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mode {
    /// Threads.
    pub threads: u32,
    /// Whether symmetry is used.
    pub symmetry: bool,
}

/// What a checker found in a model, and what it took.
#[derive(Clone, Debug)]
pub struct Measured {
    /// States that it stored.
    pub states: u64,
    /// Rules that it fired.
    pub fired: u64,
    /// Whether it says that all holds.
    pub holds: bool,
    /// Processor seconds before the first state: ours up to the start states, theirs to generate and compile code.
    pub setup: f64,
    /// The run: ours from the start, theirs without the above.
    pub run: Run,
    /// Processor seconds of the run without the above.
    pub exploration: f64,
}

impl Measured {
    /// Processor seconds from text to verdict.
    pub fn total(&self) -> f64 {
        self.setup + self.exploration
    }

    /// Bytes of resident memory per state.
    pub fn bytes_per_state(&self) -> f64 {
        self.run.peak as f64 / self.states.max(1) as f64
    }
}

/// What CMurphi gets for each state at first: it stores them bit by bit, in a table that must not become full.
const CMURPHI_BYTES_PER_STATE: u64 = 100;

/// The most that it gets.
const MOST_MEGABYTES: u64 = 16 << 10;

/// A checker.
#[derive(Clone, Debug)]
pub enum Checker {
    /// The program `burnside` at this path.
    Burnside(PathBuf),
    /// rumur from the path, with this kind of symmetry reduction.
    Rumur(String),
    /// CMurphi in this folder, with this many megabytes for its table. It clears them all before it starts, so there
    /// should not be many more than the model needs.
    CMurphi(PathBuf, u64),
}

fn strings(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}

/// What follows a key in an output, up to something that is no digit.
fn number_after(text: &str, key: &str) -> Option<u64> {
    let rest = &text[text.rfind(key)? + key.len()..];
    let rest = rest.trim_start_matches([':', '"', ' ', '=']);
    rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse().ok()
}

/// Whether CMurphi ended because its table or its queue was full.
fn is_full(output: &str) -> bool {
    output.contains("Too many active states") || output.contains("hash table full")
}

/// The number before a key.
fn number_before(text: &str, key: &str) -> Option<u64> {
    text[..text.rfind(key)?].split_whitespace().last()?.parse().ok()
}

impl Checker {
    /// Its name in tables.
    pub fn name(&self) -> &'static str {
        match self {
            Checker::Burnside(_) => "burnside",
            Checker::Rumur(_) => "rumur",
            Checker::CMurphi(..) => "cmurphi",
        }
    }

    /// The same with enough memory for so many states, where that has to be said beforehand.
    pub fn sized(&self, states: u64) -> Checker {
        match self {
            Checker::CMurphi(folder, 0) => {
                let megabytes = (states * CMURPHI_BYTES_PER_STATE).div_ceil(1 << 20) + 10;
                Checker::CMurphi(folder.clone(), megabytes)
            }
            other => other.clone(),
        }
    }

    /// Whether it can do that at all.
    pub fn can(&self, mode: Mode) -> bool {
        !matches!(self, Checker::CMurphi(..)) || mode.threads == 1
    }

    /// Checks a model several times; the best. What it needs in between goes into the folder of the model.
    pub fn measure(&self, model: &Path, mode: Mode, times: u32, seconds: u64) -> Result<Measured, String> {
        let file = |extension: &str| model.with_extension(extension).to_string_lossy().into_owned();
        let text = model.to_string_lossy().into_owned();
        match self {
            Checker::Burnside(program) => {
                let command = burnside(program, &text, mode);
                // The same up to the start states, and no further.
                let bounded = [&command[..], &strings(&["--bound", "0"])].concat();
                let setup = measure::best(times, || measure::run(&bounded, seconds))?.cpu;
                let run = measure::best(times, || measure::run(&command, seconds))?;
                let exploration = (run.cpu - setup).max(0.0);
                let (states, fired) = (number_after(&run.output, "\n  \"states\""), "\n  \"rules_fired\"");
                self.measured(run.clone(), states, number_after(&run.output, fired), setup, exploration)
            }
            Checker::Rumur(kind) => {
                let (code, verifier) = (file("c"), file("rumur"));
                let threads = mode.threads.to_string();
                let reduction = if mode.symmetry { kind } else { "off" };
                let generate = strings(&[
                    "rumur",
                    "--output-format",
                    "machine-readable",
                    "--threads",
                    &threads,
                    "--symmetry-reduction",
                    reduction,
                    "--output",
                    &code,
                    &text,
                ]);
                let compile = "cc -std=c11 -O3 -march=native -mcx16 -w";
                let compile: Vec<&str> = compile.split(' ').chain([code.as_str(), "-o", &verifier]).collect();
                let compile = [strings(&compile), strings(&["-lpthread", "-latomic"])].concat();
                let setup = prepare(&[generate, compile], seconds)?;
                let run = measure::best(times, || measure::run(std::slice::from_ref(&verifier), seconds))?;
                let summary = run.output.rfind("<summary").map_or("", |at| &run.output[at..]).to_owned();
                let (states, fired) =
                    (number_after(&summary, "states"), number_after(&summary, "rules_fired"));
                self.measured(run.clone(), states, fired, setup, run.cpu)
            }
            Checker::CMurphi(folder, megabytes) => {
                let (code, verifier) = (file("cpp"), file("cmurphi"));
                let tool = |path: &str| folder.join(path).to_string_lossy().into_owned();
                let generate = vec![tool("src/mu"), text];
                let include = format!("-I{}", tool("include"));
                let compile =
                    strings(&["g++", "-O3", "-march=native", "-w", &include, &code, "-o", &verifier]);
                let setup = prepare(&[generate, compile], seconds)?;
                let reduction: &[&str] = if mode.symmetry { &["-sym3", "-permlimit0"] } else { &["-nosym"] };
                let command = |megabytes: u64| {
                    strings(&[&[verifier.as_str(), &format!("-m{megabytes}"), "-pn"], reduction].concat())
                };
                // How wide its states are is not known beforehand, nor how many are active at once.
                let too_small = |megabytes| {
                    measure::run(&command(megabytes), seconds).is_ok_and(|run| is_full(&run.output))
                };
                let mut megabytes = *megabytes;
                while megabytes < MOST_MEGABYTES && too_small(megabytes) {
                    megabytes *= 2;
                }
                let command = command(megabytes);
                let run = measure::best(times, || measure::run(&command, seconds))?;
                let states = number_before(&run.output, " states, ");
                let fired = number_before(&run.output, " rules fired in ");
                self.measured(run.clone(), states, fired, setup, run.cpu)
            }
        }
    }

    fn measured(
        &self,
        run: Run,
        states: Option<u64>,
        fired: Option<u64>,
        setup: f64,
        exploration: f64,
    ) -> Result<Measured, String> {
        let (Some(states), Some(fired)) = (states, fired) else {
            return Err(format!("{} gives no counts, exit code {:?}: {}", self.name(), run.code, run.output));
        };
        let holds = match self {
            Checker::CMurphi(..) => run.output.contains("No error found"),
            _ => run.code == Some(0),
        };
        Ok(Measured { states, fired, holds, setup, run, exploration })
    }
}

/// Our command line.
pub fn burnside(program: &Path, model: &str, mode: Mode) -> Vec<String> {
    let mut command = vec![program.to_string_lossy().into_owned()];
    command.extend(strings(&["check", model, "--json", "-", "--trace", "off", "--detect", "off"]));
    command.extend(strings(&["--reduce", if mode.symmetry { "auto" } else { "none" }]));
    command.extend(strings(&["--threads", &mode.threads.to_string()]));
    command
}

/// Runs commands that must succeed; their processor seconds.
fn prepare(commands: &[Vec<String>], seconds: u64) -> Result<f64, String> {
    let mut cpu = 0.0;
    for command in commands {
        let run = measure::run(command, seconds)?;
        if run.code != Some(0) {
            return Err(format!("{} fails: {}", command[0], run.output.trim()));
        }
        cpu += run.cpu;
    }
    Ok(cpu)
}
