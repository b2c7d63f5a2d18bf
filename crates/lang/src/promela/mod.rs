//! The Promela front end: models written for Spin.
//!
//! `preprocess` executes `#define` and its like, `parser` reads, `flow` finds the locations and steps of every proctype,
//! `symbols` what values stand for, and `lower` makes a typed model of it in which a state is a state of Spin's (with
//! statement merging, data-flow and hiding switched off).

mod ast;
mod flow;
mod lexer;
mod lower;
mod parser;
mod preprocess;
mod symbols;

use burnside_model::Model;

use crate::diag::Diagnostic;
use crate::source::Source;

/// The name of the rule that a valid end state has: a step to itself, which is none of Spin's.
pub const VALID_END: &str = "valid end state";

/// How the message begins that more processes would run than there is room for; the number of places follows.
pub const TOO_MANY: &str = "more processes run at a time than --processes-max allows: ";

/// What can be chosen.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// The most processes at a time; without it as many as are found to be needed, where a bound is found.
    pub processes_max: Option<u32>,
    /// The text, for the names of steps.
    text: String,
}

impl Settings {
    /// At most so many processes at a time.
    pub fn with_processes(most: Option<u32>) -> Self {
        Settings { processes_max: most, text: String::new() }
    }
}

/// Reads a model, with macros overridden as `-D` says.
pub fn load(
    source: &Source,
    overrides: &[(String, String)],
    settings: &Settings,
) -> (Option<Model>, Vec<Diagnostic>) {
    let read = || {
        let tokens = preprocess::preprocess(source.name(), source.text(), overrides)?;
        let mut parser = parser::Parser::new(tokens);
        parser.program()?;
        let settings = Settings { text: source.text().to_owned(), ..settings.clone() };
        lower::lower(&parser.program, &settings)
    };
    match read() {
        Ok((model, warnings)) => (Some(model), warnings),
        Err(diagnostic) => (None, vec![*diagnostic]),
    }
}
