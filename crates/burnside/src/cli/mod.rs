//! The command line: raw flags, resolved into [`burnside::Options`], run, written.

mod args;
mod certificate;
mod check;
mod compare;
mod diagrams;
mod explore;
mod inputs;
mod lsp;
mod outputs;
mod prove;
mod shell;
mod simulate;
mod sweep;
mod symmetry;
pub mod terminal;
mod translate;
mod units;
mod watch;

use burnside::exit;
use clap::{ArgMatches, Parser, Subcommand};
use terminal::error;

const EXAMPLES: &str = "\
Examples:
  burnside check model.m                    all properties, all verified symmetry
  burnside check model.m -D N=4             with constant N = 4
  burnside check model.m --reduce none      every state, no symmetry
  burnside check model.xta --run fastest    the fastest run to a goal of a UPPAAL model
  burnside prove model.m                    for every number of processes
  burnside check model.prism model.props    the properties of a PRISM model
  burnside check model.m --sweep N=2..8      at several sizes, as a table or a picture
  burnside symmetry model.m                 what is symmetric, what breaks it and where
  burnside compare model.m                  every engine and reduction in one table
  burnside simulate model.m --runs 100      random runs
  burnside explore model.m                  walk through it in the browser
  burnside translate --counters model.m     a plain model whose states are the orbits
  burnside check model.m --json result.json the result for scripts as well
  burnside check model.m --html result.html the result as a page to look at
  cat model.m | burnside check -            from standard input

Exit codes:
  0   everything holds
  1   something is violated
  2   the model or the options are wrong
  3   stopped at a limit or by a signal, nothing violated
  70  internal error: please report it
  130 a second signal ended it at once";

/// Burnside, the symmetry-reducing model checker: check orbits, not states.
#[derive(Parser)]
#[command(name = "burnside", version, after_help = EXAMPLES)]
pub struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Check the properties of a model
    #[command(after_help = EXAMPLES)]
    Check(Box<args::CheckArgs>),
    /// Check a certificate that `check --certificate` wrote, independently of the search
    VerifyCertificate(certificate::VerifyArgs),
    /// Prove a model for every number of processes: an inductive invariant, and why few sizes suffice
    #[command(after_help = prove::EXAMPLES)]
    Prove(prove::ProveArgs),
    /// Show what is symmetric in a model, what breaks it and where
    #[command(after_help = symmetry::EXAMPLES)]
    Symmetry(symmetry::SymmetryArgs),
    /// Print another model that says the same
    #[command(after_help = translate::EXAMPLES)]
    Translate(translate::TranslateArgs),
    /// Check a model with every engine and reduction, and compare results, time and memory
    #[command(after_help = compare::EXAMPLES)]
    Compare(compare::CompareArgs),
    /// Make random runs of a model
    #[command(after_help = simulate::EXAMPLES)]
    Simulate(simulate::SimulateArgs),
    /// Walk through a model in the browser
    #[command(after_help = explore::EXAMPLES)]
    Explore(explore::ExploreArgs),
    /// Serve an editor: the Language Server Protocol for Murphi and UPPAAL, over standard input and output
    Lsp(lsp::LspArgs),
    /// Print what a shell needs to complete commands and options
    Completions(shell::CompletionsArgs),
    /// Print the manual as a man page, or write one page per command into a folder
    Manual(shell::ManualArgs),
}

/// Runs the command; the exit code. The matches tell which options were given.
pub fn run(cli: &Cli, matches: &ArgMatches) -> u8 {
    let given = matches.subcommand().map_or_else(Vec::new, |(_, matches)| check::given(matches));
    let done = match &cli.command {
        Command::Check(args) => check::run(args, &given),
        Command::VerifyCertificate(args) => certificate::verify(args),
        Command::Prove(args) => prove::run(args),
        Command::Symmetry(args) => symmetry::run(args),
        Command::Translate(args) => translate::run(args),
        Command::Compare(args) => compare::run(args),
        Command::Simulate(args) => simulate::run(args),
        Command::Explore(args) => explore::run(args),
        Command::Lsp(args) => lsp::run(args),
        Command::Completions(args) => shell::completions(args),
        Command::Manual(args) => shell::manual(args),
    };
    match done {
        Ok(code) => code,
        Err(message) => {
            error(&format!("error: {message}\n"));
            exit::WRONG_INPUT
        }
    }
}
