//! A finished check in the formats that other tools read, one file each.
//!
//! [`junit`] is for continuous integration, [`github`] annotates the lines of a pull request, [`sarif`] is what code scanners
//! exchange, [`itf`] is Apalache's format of runs, which other viewers read.

pub mod github;
pub mod itf;
pub mod junit;
mod rejected;
pub mod sarif;

use burnside_model::Verdict;

use crate::{PropertyReport, Violation};

pub use rejected::{Checked, Rejected};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// JUnit's XML.
    Junit,
    /// Annotations of GitHub's workflows.
    Github,
    /// SARIF 2.1.0.
    Sarif,
    /// The first run that violates something, as Apalache writes runs.
    Itf,
}

impl Format {
    /// All of them.
    pub const ALL: [Format; 4] = [Format::Junit, Format::Github, Format::Sarif, Format::Itf];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Format::Junit => "junit",
            Format::Github => "github",
            Format::Sarif => "sarif",
            Format::Itf => "itf",
        }
    }

    /// What became of some models in this format; nothing where there is nothing to say, such as a run where nothing is
    /// violated.
    pub fn render(self, models: &[Checked<'_>]) -> Option<String> {
        match self {
            Format::Junit => Some(junit::render(models)),
            Format::Github => Some(github::render(models)),
            Format::Sarif => Some(sarif::render(models)),
            Format::Itf => itf::render(models),
        }
    }
}

/// What went wrong with a property in one line, and where; nothing if it holds.
fn complaint(property: &PropertyReport) -> Option<(String, Option<&Violation>)> {
    let stated = format!("{} \"{}\"", property.kind.name(), property.name);
    match property.verdict {
        Verdict::Holds => None,
        Verdict::Violated => match property.violations.first() {
            Some(violation) => Some((format!("{stated}: {}", violation.message), Some(violation))),
            None => Some((format!("{stated} is violated"), None)),
        },
        Verdict::Unknown => {
            let reason = property.reason.as_deref().unwrap_or("the check ended before it was decided");
            Some((format!("{stated} is unknown: {reason}"), None))
        }
    }
}

#[cfg(test)]
mod tests;
