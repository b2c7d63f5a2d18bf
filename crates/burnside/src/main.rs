//! The command `burnside`.

mod cli;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    ExitCode::from(cli::run(&cli::Cli::parse()))
}
