//! `burnside translate --counters[=paper] MODEL`.

use std::path::PathBuf;

use burnside::{Form, Options, counter_program, exit};
use clap::{Args, ValueEnum};

use super::inputs::{fail, source};
use super::terminal::print;
use super::units;

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
    #[arg(
        long,
        required = true,
        value_name = "FORM",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "extended"
    )]
    counters: FormArg,
    /// Give a constant of the model another value
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = units::constant)]
    constants: Vec<(String, String)>,
}

#[derive(Clone, Copy, ValueEnum)]
enum FormArg {
    /// Counters of local states, extended by which variables hold the element: right for all models that are counted
    Extended,
    /// Counters of locations, and the location of whoever a variable holds, as in the paper: for one such variable
    Paper,
}

/// Runs the command; the exit code.
pub fn run(args: &TranslateArgs) -> Result<u8, String> {
    let Some(source) = source(&args.model)? else { return Ok(exit::WRONG_INPUT) };
    let options = Options { constants: args.constants.clone(), ..Options::default() };
    let form = match args.counters {
        FormArg::Extended => Form::Extended,
        FormArg::Paper => Form::Paper,
    };
    match counter_program(&source, &options, form) {
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
