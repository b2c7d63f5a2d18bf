//! Annotations of GitHub's workflows: a line for each violated or unknown property and each warning, which a workflow shows at its
//! place in the source.

use std::fmt::Write;

use burnside_model::Verdict;

use super::complaint;
use crate::{Place, Report};

/// The reports, one annotation a line.
pub fn render(reports: &[Report]) -> String {
    let mut text = String::new();
    for report in reports {
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
