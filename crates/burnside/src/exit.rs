//! Exit codes: decided here and nowhere else.

use burnside_model::Verdict;
use burnside_report::Report;
use burnside_report::comparison::Comparison;

use crate::{Failure, Verification};

/// Everything holds.
pub const HOLDS: u8 = 0;
/// Something is violated.
pub const VIOLATED: u8 = 1;
/// The input or the options are wrong.
pub const WRONG_INPUT: u8 = 2;
/// Stopped at a limit with nothing violated.
pub const UNKNOWN: u8 = 3;
/// A second signal ended the process at once.
pub const INTERRUPTED: u8 = 130;
/// An internal self-check failed.
pub const INTERNAL: u8 = 70;

/// The exit code of a check.
pub fn code(result: &Result<Report, Failure>) -> u8 {
    match result {
        Ok(report) => verdict(report.verdict),
        Err(Failure::Input(_) | Failure::Refused(_)) => WRONG_INPUT,
        Err(Failure::Internal(_)) => INTERNAL,
    }
}

/// The exit code of comparing checks: that of their common verdict, if they agree.
pub fn comparison(comparison: &Comparison) -> u8 {
    if comparison.disagreements.is_empty() { verdict(comparison.verdict) } else { INTERNAL }
}

fn verdict(verdict: Verdict) -> u8 {
    match verdict {
        Verdict::Holds => HOLDS,
        Verdict::Violated => VIOLATED,
        Verdict::Unknown => UNKNOWN,
    }
}

/// The exit code of checking a certificate: a proof, nothing wrong but no proof, rejected, or wrong input.
pub fn verification(result: &Verification) -> u8 {
    match result {
        Verification::Accepted(accepted) if accepted.gap().is_some() => UNKNOWN,
        Verification::Accepted(_) => HOLDS,
        Verification::Rejected(_) => VIOLATED,
        Verification::Input(_) | Verification::NoCertificate(_) => WRONG_INPUT,
    }
}
