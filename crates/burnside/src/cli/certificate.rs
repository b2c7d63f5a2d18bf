//! `verify-certificate`: checks what `check --certificate` wrote.

use std::path::PathBuf;

use burnside::{Accepted, Claim, Scope, Source, Verification, exit, verify_certificate};
use clap::Args;

use super::inputs::read;
use super::terminal::{colored, error, print};

const CODES: &str = "\
Exit codes:
  0   the certificate is accepted
  1   it is rejected
  2   the model or the file cannot be read
  3   nothing is wrong with it, but it is no proof: it is a sample, or `--listed` was given";

/// The arguments of `verify-certificate`.
#[derive(Args)]
#[command(after_help = CODES)]
pub struct VerifyArgs {
    /// The model, a Murphi file; `-` is standard input
    model: PathBuf,
    /// The certificate
    certificate: PathBuf,
    /// Check that the generators are symmetries at every state of every orbit (the default): nothing is trusted but the
    /// interpreter
    #[arg(long)]
    orbits: bool,
    /// Check them at the listed states only: faster, but no proof
    #[arg(long, conflicts_with = "orbits")]
    listed: bool,
    /// Write nothing but errors and that something is no proof; the exit code tells
    #[arg(long, short)]
    quiet: bool,
}

/// How a text value says how many states: `all`, or a number.
pub fn states(text: &str) -> Result<Sample, String> {
    match text {
        "all" => Ok(Sample(None)),
        _ => text.parse().map(|n| Sample(Some(n))).map_err(|_| "not `all` or a number".to_owned()),
    }
}

/// For how many states a certificate lists the successors.
#[derive(Clone, Copy)]
pub struct Sample(pub Option<usize>);

/// Runs the command; the exit code.
pub fn verify(args: &VerifyArgs) -> Result<u8, String> {
    let (name, bytes) = read(&args.model)?;
    let source = Source::from_bytes(name, &bytes).map_err(|diagnostic| diagnostic.message)?;
    let (file, bytes) = read(&args.certificate)?;
    let text = String::from_utf8(bytes).map_err(|_| format!("{file} is not a text"))?;
    let scope = if args.listed { Scope::Listed } else { Scope::Orbits };
    let result = verify_certificate(&source, &text, scope);
    let say = |text: &str| {
        if !args.quiet {
            print(text)
        }
    };
    match &result {
        Verification::Accepted(accepted) => {
            say(&summary(&file, accepted, scope));
            if let (true, Some(why)) = (args.quiet, accepted.gap()) {
                error(&format!("{file}: no proof: {why}\n"));
            }
        }
        Verification::Rejected(reason) => say(&format!("{file}: rejected: {reason}\n")),
        Verification::NoCertificate(reason) => error(&format!("error: {file}: {reason}\n")),
        Verification::Input(diagnostics) => {
            for diagnostic in diagnostics {
                error(&diagnostic.render(&source, colored(&std::io::stderr())));
            }
        }
    }
    Ok(exit::verification(&result))
}

fn summary(file: &str, accepted: &Accepted, scope: Scope) -> String {
    let Accepted { states, expanded, symmetric_at, generators, claims, .. } = accepted;
    let properties = claims.iter().filter(|claim| matches!(claim, Claim::Property(_))).count();
    let mut claimed = vec![format!("{properties} properties of the model")];
    claimed.extend(claims.contains(&Claim::NoError).then(|| "no error at run time".to_owned()));
    claimed.extend(claims.contains(&Claim::NoDeadlock).then(|| "no deadlock".to_owned()));
    let mut text = format!("claims: {}\n", claimed.join(", "));
    text += &format!("{states} states listed, the successors of {expanded} checked\n");
    if *generators > 0 {
        let place = if scope == Scope::Orbits { "all states of the orbits" } else { "listed states" };
        text +=
            &format!("{generators} generators checked to be symmetries at {symmetric_at} states ({place})\n");
    }
    text + &match accepted.gap() {
        None => format!("{file}: accepted\n"),
        Some(why) => format!("{file}: nothing is wrong with it, but it is no proof: {why}\n"),
    }
}
