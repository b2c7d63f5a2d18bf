//! `burnside simulate MODEL`: random runs.

use std::fmt::Write;
use std::path::PathBuf;
use std::time::Duration;

use burnside::report::TraceMode;
use burnside::simulate::{Choose, End, Simulation, Walks, simulate};
use burnside::{Cancel, Limits, Options, exit};
use clap::{Args, ValueEnum};

use super::inputs::{fail, source};
use super::terminal::print;
use super::units;

pub const EXAMPLES: &str = "\
Examples:
  burnside simulate model.m                         one run of 100 steps
  burnside simulate model.m --runs 1000 --seed 7    a thousand runs, always the same
  burnside simulate model.m --until 'x = 3'         until a condition holds

Exit codes:
  0   nothing went wrong on these runs (which proves nothing), or the condition was reached
  1   something is violated: the run is shown
  2   the model or the options are wrong
  3   the condition of `--until` was not reached, or the time was over";

/// The arguments of `simulate`.
#[derive(Args)]
pub struct SimulateArgs {
    /// The model; `-` is standard input
    model: PathBuf,
    /// Give a constant of the model another value
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = units::constant)]
    constants: Vec<(String, String)>,
    /// Where the random numbers begin: the same seed gives the same runs [default: by the clock, and printed]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
    /// How many runs
    #[arg(long, value_name = "N", default_value_t = 1)]
    runs: u64,
    /// The most steps of a run
    #[arg(long, value_name = "STEPS", default_value_t = 100)]
    depth: u64,
    /// What is chosen at random: a rule instance, or first a process and then one of its rule instances
    #[arg(long, value_enum, default_value = "instance")]
    choose: ChooseArg,
    /// End where this condition holds, written as in the model
    #[arg(long, value_name = "CONDITION")]
    until: Option<String>,
    /// Stop after this time: 2s, 10m, 1h30m
    #[arg(long, value_name = "DURATION", value_parser = units::duration)]
    time: Option<Duration>,
    /// What the last run shows of each state: what changed, everything, or no run at all
    #[arg(long, value_enum, default_value = "diff")]
    trace: super::args::TraceArg,
    /// List how often each rule was taken
    #[arg(long)]
    rule_stats: bool,
    /// Write only how it ended
    #[arg(long, short, conflicts_with = "rule_stats")]
    quiet: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum ChooseArg {
    Instance,
    Process,
}

/// Runs the command; the exit code.
pub fn run(args: &SimulateArgs) -> Result<u8, String> {
    let Some(source) = source(&args.model)? else { return Ok(exit::WRONG_INPUT) };
    let cancel = Cancel::new();
    super::terminal::end_on_signals(cancel)?;
    let limits = Limits { time: args.time, cancel: Some(cancel), ..Limits::default() };
    let options = Options { constants: args.constants.clone(), limits, ..Options::default() };
    let clock = || std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    let seed = args.seed.unwrap_or_else(|| clock().map_or(1, |now| now.subsec_nanos().into()));
    let walks = Walks {
        seed,
        runs: args.runs,
        depth: args.depth,
        choose: match args.choose {
            ChooseArg::Instance => Choose::Instance,
            ChooseArg::Process => Choose::Process,
        },
        until: args.until.clone(),
    };
    match simulate(&source, &options, &walks) {
        Ok(simulation) => {
            print(&text(&simulation, args, seed));
            Ok(match simulation.end {
                End::Violated(_) => exit::VIOLATED,
                End::Reached => exit::HOLDS,
                End::Fine if args.until.is_none() => exit::HOLDS,
                End::Fine | End::Stopped => exit::UNKNOWN,
            })
        }
        Err(failure) => {
            fail(&failure, &source);
            Ok(exit::code(&Err(failure)))
        }
    }
}

fn text(simulation: &Simulation, args: &SimulateArgs, seed: u64) -> String {
    let mut text = String::new();
    if !args.quiet {
        text = simulation.trace.text(TraceMode::from(args.trace));
    }
    if !text.is_empty() {
        text.push('\n');
    }
    if args.rule_stats {
        for (rule, taken) in &simulation.taken {
            let _ = writeln!(text, "{taken:>10}  {rule}");
        }
        text.push('\n');
    }
    let ended = match &simulation.end {
        End::Fine if args.until.is_some() => "the condition was not reached".to_owned(),
        End::Fine => "nothing went wrong on these runs, which proves nothing".to_owned(),
        End::Reached => "the condition holds at the end of this run".to_owned(),
        End::Violated(what) => format!("violated  {what}"),
        End::Stopped => "stopped before the end".to_owned(),
    };
    let never = simulation.taken.iter().filter(|(_, taken)| *taken == 0).count();
    let _ = writeln!(text, "{ended}");
    if args.quiet {
        return text;
    }
    let _ = writeln!(
        text,
        "runs: {}, steps: {}, rules never taken: {never} of {}, seed: {seed}",
        simulation.runs,
        simulation.steps,
        simulation.taken.len()
    );
    text
}
