//! `burnside translate --counters MODEL`.

use std::path::PathBuf;

use burnside::{Options, counter_program, exit};
use clap::Args;

use super::terminal::print;
use super::{fail, source, units};

pub const EXAMPLES: &str = "\
Examples:
  burnside translate --counters model.m          the program that counts, for any Murphi checker
  burnside translate --counters model.m -D N=40  with constant N = 40";

#[derive(Args)]
pub struct TranslateArgs {
    /// The model, a Murphi file; `-` is standard input
    model: PathBuf,
    /// The program that counts how many elements are in each local state: plain Murphi, with as many states as the model
    /// has orbits, and the same properties
    #[arg(long, required = true)]
    counters: bool,
    /// Give a constant of the model another value
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = units::constant)]
    constants: Vec<(String, String)>,
}

/// Runs the command; the exit code.
pub fn run(args: &TranslateArgs) -> Result<u8, String> {
    let Some(source) = source(&args.model)? else { return Ok(exit::WRONG_INPUT) };
    let options = Options { constants: args.constants.clone(), ..Options::default() };
    match counter_program(&source, &options) {
        Ok(program) => {
            print(&program);
            Ok(exit::HOLDS)
        }
        Err(failure) => {
            fail(&failure, &source);
            Ok(exit::code(&Err(failure)))
        }
    }
}
