//! Boolean programs (`.bp`) and thread transition systems (`.tts`): both become a
//! [`ThreadSystem`](burnside_model::threads::ThreadSystem).

mod lower;
mod parse;
pub mod tts;

use burnside_model::threads::ThreadSystem;

use crate::diag::Diagnostic;
use crate::source::Source;

/// What must not be reached by any number of threads.
#[derive(Clone, Debug)]
pub struct Threads {
    /// The system.
    pub system: ThreadSystem,
    /// What is claimed, in words.
    pub claim: String,
}

/// The label that must not be reached, where none is given.
pub const ERROR_LABEL: &str = "SLIC_ERROR";

/// Reads a Boolean program. Its target is a violated assertion, or this label.
pub fn load(source: &Source, label: Option<&str>) -> Result<Threads, Box<Diagnostic>> {
    let program = parse::parse(source.text())?;
    let system = lower::lower(&program, Some(label.unwrap_or(ERROR_LABEL)))?;
    let claim = match label {
        None => "no assertion is violated".to_owned(),
        Some(label) => format!("no assertion is violated, never {label}"),
    };
    Ok(Threads { system, claim })
}

/// Reads a thread transition system, with what the options or a file beside it say.
pub fn load_tts(
    source: &Source,
    init: Option<&str>,
    target: Option<&str>,
) -> Result<Threads, Box<Diagnostic>> {
    let system = tts::load(source, init, target.map(str::trim))?;
    let claim = match target {
        Some(target) => format!("never {}", target.trim()),
        None if system.target.is_some() => "never the target".to_owned(),
        None => "no target".to_owned(),
    };
    Ok(Threads { system, claim })
}
