//! The command `burnside`.

mod cli;

use std::panic::AssertUnwindSafe;
use std::process::ExitCode;

use clap::{CommandFactory, FromArgMatches};

fn main() -> ExitCode {
    let matches = cli::Cli::command().get_matches();
    let cli = match cli::Cli::from_arg_matches(&matches) {
        Ok(cli) => cli,
        Err(error) => error.exit(),
    };
    // A panic says what it was by itself; whatever its thread, the process ends with the code for it.
    let code = std::panic::catch_unwind(AssertUnwindSafe(|| cli::run(&cli, &matches)));
    ExitCode::from(code.unwrap_or(burnside::exit::INTERNAL))
}
