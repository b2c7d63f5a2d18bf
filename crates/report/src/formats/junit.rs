//! JUnit's XML: a suite for each model, a test case for each property. A violated property is a failure with its run; an unknown one
//! is an error, so that a limit does not look like success.

use burnside_model::Verdict;
use quick_junit::{NonSuccessKind, Report as Suites, TestCase, TestCaseStatus, TestSuite};

use super::{Checked, Rejected, complaint};
use crate::{Report, TraceMode};

pub fn render(models: &[Checked<'_>]) -> String {
    let mut suites = Suites::new("burnside");
    for model in models {
        suites.add_test_suite(match model {
            Checked::Report(report) => suite(report),
            Checked::Rejected(rejected) => unread(rejected),
        });
    }
    // Writing to a string fails only where the writer does.
    suites.to_string().unwrap_or_default()
}

/// The one case of a model that could not be checked.
fn unread(rejected: &Rejected) -> TestSuite {
    let mut status = TestCaseStatus::non_success(NonSuccessKind::Error);
    status.set_message(rejected.first()).set_type("input");
    let snippets: Vec<&str> = rejected.diagnostics.iter().map(|found| found.snippet.as_str()).collect();
    status.set_description(snippets.join("\n"));
    let mut case = TestCase::new("the model can be checked", status);
    case.set_classname(rejected.model.as_str());
    let mut suite = TestSuite::new(rejected.model.as_str());
    suite.add_test_case(case);
    suite
}

/// A case for each property.
fn suite(report: &Report) -> TestSuite {
    let mut suite = TestSuite::new(report.model.as_str());
    for property in &report.properties {
        let status = match complaint(property) {
            None => TestCaseStatus::success(),
            Some((message, violation)) => {
                let kind = match property.verdict {
                    Verdict::Unknown => NonSuccessKind::Error,
                    _ => NonSuccessKind::Failure,
                };
                let mut status = TestCaseStatus::non_success(kind);
                status.set_message(message).set_type(property.kind.name());
                if let Some(violation) = violation {
                    status.set_description(violation.trace.text(TraceMode::Diff));
                }
                status
            }
        };
        let mut case = TestCase::new(format!("{} {}", property.kind.name(), property.name), status);
        case.set_classname(report.model.as_str());
        suite.add_test_case(case);
    }
    suite.set_time(report.time);
    suite
}
