//! Boolean programs (`.bp`) and thread transition systems (`.tts`): both become a
//! [`ThreadSystem`](burnside_model::threads::ThreadSystem).

mod lower;
mod parse;
pub mod tts;

use burnside_model::threads::ThreadSystem;

use crate::diag::Diagnostic;
use crate::source::Source;

/// Whether a file of this name holds a Boolean program.
pub fn is_boolean(name: &str) -> bool {
    name.to_ascii_lowercase().ends_with(".bp")
}

/// The label that must not be reached, where none is given.
pub const ERROR_LABEL: &str = "SLIC_ERROR";

/// Reads a Boolean program. Its target is a violated assertion, or this label.
pub fn load(source: &Source, label: Option<&str>) -> Result<ThreadSystem, Box<Diagnostic>> {
    let program = parse::parse(source.text())?;
    lower::lower(&program, Some(label.unwrap_or(ERROR_LABEL)))
}
