//! Annotations of GitHub's workflows: a line for each violated or unknown property and each warning, which a workflow shows at its
//! place in the source.

use std::fmt::Write;

use burnside_model::Verdict;

use super::rejected::is_error;
use super::{Checked, Rejected, complaint};
use crate::Place;

/// The reports, one annotation a line.
pub fn render(models: &[Checked<'_>]) -> String {
    let mut text = String::new();
    for model in models {
        let report = match model {
            Checked::Report(report) => report,
            Checked::Rejected(rejected) => {
                unread(&mut text, rejected);
                continue;
            }
        };
        for property in &report.properties {
            let Some((message, violation)) = complaint(property) else { continue };
            let level = if property.verdict == Verdict::Violated { "error" } else { "warning" };
            let place = violation.and_then(|violation| violation.place.as_ref()).or(property.place.as_ref());
            annotate(&mut text, level, &report.model, place, property.kind.name(), &message);
        }
        for warning in &report.warnings {
            annotate(
                &mut text,
                "warning",
                &report.model,
                warning.place.as_ref(),
                &warning.code,
                &warning.message,
            );
        }
    }
    text
}

/// What is wrong with a model that could not be checked.
fn unread(text: &mut String, rejected: &Rejected) {
    for found in &rejected.diagnostics {
        let level = if is_error(found) { "error" } else { "warning" };
        annotate(text, level, &rejected.model, found.place.as_ref(), &found.code, &found.message);
    }
    if let Some(reason) = &rejected.reason {
        annotate(text, "error", &rejected.model, None, "input", reason);
    }
}

fn annotate(text: &mut String, level: &str, model: &str, place: Option<&Place>, title: &str, message: &str) {
    let _ = write!(text, "::{level} file={}", property(place.map_or(model, |place| &place.file)));
    if let Some(place) = place {
        let _ = write!(text, ",line={},col={}", place.line, place.column);
    }
    let _ = writeln!(text, ",title={}::{}", property(title), escape(message));
}

/// Text in a message.
fn escape(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

/// Text in a property of an annotation, where `:` and `,` mean something.
fn property(text: &str) -> String {
    escape(text).replace(':', "%3A").replace(',', "%2C")
}
