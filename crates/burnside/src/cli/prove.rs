//! `burnside prove MODEL [--for-all N[,M]]`.

use std::path::PathBuf;
use std::time::Duration;

use burnside::report::{TraceMode, text};
use burnside::{Cancel, Limits, ProveOptions, Proved, Running, Semantics, exit};
use clap::Args;

use super::args::{DeadlockArg, ProgressArg, TraceArg, UndefinedArg};
use super::inputs::{fail, read, source};
use super::outputs::Outputs;
use super::terminal::{Terminal, colored, error, print};
use super::units;
use super::watch::watch;

pub const EXAMPLES: &str = "\
Examples:
  burnside prove model.m                    for every value of the constants that are sizes of scalarsets
  burnside prove model.m --for-all N        for every N
  burnside prove model.m --lemmas more.m    with invariants of your own

Exit codes:
  0   it holds for every size
  1   it is violated at some size
  2   the model or the options are wrong
  3   it holds at the sizes that were checked; there is no proof for every size";

/// The arguments of `prove`.
#[derive(Args)]
pub struct ProveArgs {
    /// The model, a Murphi file; `-` is standard input
    model: PathBuf,
    /// For which constants it is to be proved [default: all that are nothing but sizes of scalarsets]
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    for_all: Vec<String>,
    /// Give a constant of the model another value
    #[arg(short = 'D', value_name = "NAME=VALUE", value_parser = units::constant)]
    constants: Vec<(String, String)>,
    /// A file with invariants of your own that may help; they are proved along, not trusted
    #[arg(long, value_name = "FILE")]
    lemmas: Option<PathBuf>,
    /// Stop after this time: 2s, 10m, 1h30m
    #[arg(long, value_name = "DURATION", default_value = "60s", value_parser = units::duration)]
    time: Duration,
    /// Stop before using more memory: 256M, 8G [default: 80% of this computer's]
    #[arg(long, value_name = "SIZE", value_parser = units::size)]
    memory: Option<u64>,
    /// How progress is told: a line on the terminal, if there is one; a line every 30 seconds; or not at all
    #[arg(long, value_enum, default_value = "auto", conflicts_with = "quiet")]
    progress: ProgressArg,
    /// The largest size at which invariants are looked for
    #[arg(long, value_name = "SIZE", default_value_t = 5, value_parser = clap::value_parser!(u32).range(1..=16))]
    sizes: u32,
    /// What counts as a deadlock, at the sizes that are checked: it has no proof for every size
    #[arg(long, value_enum, default_value = "off")]
    deadlock: DeadlockArg,
    /// What may be done with an undefined value: copied and compared, copied, or nothing
    #[arg(long, value_enum, default_value = "cmurphi")]
    undefined: UndefinedArg,
    /// Write the proof to a file, for `verify-certificate`
    #[arg(long, value_name = "FILE")]
    certificate: Option<PathBuf>,
    /// What a trace shows of each state: what changed, everything, or no trace at all
    #[arg(long, value_enum, default_value = "diff")]
    trace: TraceArg,
    /// Write the verdict only
    #[arg(long, short)]
    quiet: bool,
}

/// Runs the command; the exit code.
pub fn run(args: &ProveArgs) -> Result<u8, String> {
    let mut outputs = Outputs::default();
    outputs.writes("--certificate", args.certificate.as_deref());
    outputs.reads("the model", Some(&args.model));
    outputs.reads("the file of `--lemmas`", args.lemmas.as_deref());
    outputs.check()?;
    let cancel = Cancel::new();
    super::terminal::end_on_signals(cancel)?;
    let Some(source) = source(&args.model)? else { return Ok(exit::WRONG_INPUT) };
    let lemmas = match &args.lemmas {
        None => None,
        Some(path) => {
            let (name, bytes) = read(path)?;
            Some((name.clone(), String::from_utf8(bytes).map_err(|_| format!("{name} is not a text"))?))
        }
    };
    let options = ProveOptions {
        constants: args.constants.clone(),
        for_all: (!args.for_all.is_empty()).then(|| args.for_all.clone()),
        lemmas,
        limits: Limits {
            time: Some(args.time),
            memory: args.memory.or_else(burnside::default_memory_limit),
            cancel: Some(cancel),
            ..Limits::default()
        },
        most: args.sizes,
        deadlock: args.deadlock.into(),
        semantics: Semantics { undefined: args.undefined.into(), ..Semantics::default() },
    };
    let terminal = Terminal::new(args.progress.shown(args.quiet), false, options.limits.memory);
    let companion = terminal.companion();
    let running = Running::prove(&source, &options, Box::new(terminal));
    let result = running.and_then(|running| {
        watch(&running, &options.limits, companion, false, |_, why| Proved::unfinished(why))
    });
    match &result {
        Err(failure) => fail(failure, &source),
        Ok(proved) => {
            if let Some(report) = proved.violated.as_ref().filter(|_| !args.quiet) {
                let trace = TraceMode::from(args.trace);
                let color = colored(&std::io::stdout());
                print(&text::render(report, &text::TextOptions { trace, color, ..Default::default() }));
                print("\n");
            }
            let first = proved.text.lines().next().unwrap_or_default();
            print(&if args.quiet { format!("{first}\n") } else { proved.text.clone() });
            match (&args.certificate, &proved.certificate) {
                (Some(path), Some(certificate)) => super::outputs::write(path, certificate)?,
                (Some(_), None) => error("warning: there is no certificate of this result\n"),
                (None, _) => {}
            }
        }
    }
    Ok(exit::proof(&result))
}
