//! Exit codes: decided here and nowhere else.

use burnside_model::Verdict;
use burnside_report::Report;

use crate::{Failure, Verification};

/// Everything holds.
pub const HOLDS: u8 = 0;
/// Something is violated.
pub const VIOLATED: u8 = 1;
/// The input or the options are wrong.
pub const WRONG_INPUT: u8 = 2;
/// Stopped at a limit with nothing violated.
pub const UNKNOWN: u8 = 3;
/// An internal self-check failed.
pub const INTERNAL: u8 = 70;

/// The exit code of a check.
pub fn code(result: &Result<Report, Failure>) -> u8 {
    match result {
        Ok(report) => match report.verdict {
            Verdict::Holds => HOLDS,
            Verdict::Violated => VIOLATED,
            Verdict::Unknown => UNKNOWN,
        },
        Err(Failure::Input(_) | Failure::Refused(_)) => WRONG_INPUT,
        Err(Failure::Internal(_)) => INTERNAL,
    }
}

/// The exit code of checking a certificate: accepted or rejected, or wrong input.
pub fn verification(result: &Verification) -> u8 {
    match result {
        Verification::Accepted(_) => HOLDS,
        Verification::Rejected(_) => VIOLATED,
        Verification::Input(_) | Verification::NoCertificate(_) => WRONG_INPUT,
    }
}
