//! The report as one HTML file that needs nothing else: no network, no other file.
//!
//! The page holds the object that [`json`](crate::json) writes and the source of the model. A script of ours draws it: verdicts, what
//! was done and why, rules that never fired, and for each run the steps, the state as a tree with its changes, one lane per process
//! and the source line of each rule. The rows of a run are drawn as they scroll into view, so that long runs stay quick. Values come
//! into the page as text nodes only; nothing in a model can become markup or script.

use serde_json::{Value, json};

use crate::symmetry::Analysis;
use crate::{PropertyReport, Report, json};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
/// What draws a report; the explorer shares the first ones.
const REPORT: &[&str] = &[
    include_str!("elements.js"),
    include_str!("values.js"),
    include_str!("lanes.js"),
    include_str!("plots.js"),
    include_str!("report.js"),
];
/// What draws the symmetry of a model.
const SYMMETRY: &[&str] = &[include_str!("elements.js"), include_str!("symmetry.js")];

/// The report as an HTML page, with the source of the model where it is text.
pub fn render(report: &Report, source: Option<&str>) -> Result<String, serde_json::Error> {
    let report_json: Value = serde_json::from_str(&json::render(report)?)?;
    let judged = |property: &PropertyReport| {
        let run = property.violations.first().or(property.witness.as_ref());
        run.map(|run| run.trace.judged.clone())
    };
    let data = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "report": report_json,
        "source": source,
        "course": report.course,
        "judged": report.properties.iter().map(judged).collect::<Vec<_>>(),
    });
    let title = format!("{}: {}", report.model, report.verdict.name());
    page(&title, REPORT, &data)
}

/// The symmetry of a model as an HTML page, with the source where it is text.
pub fn symmetry(analysis: &Analysis, source: Option<&str>) -> Result<String, serde_json::Error> {
    let analysis_json: Value = serde_json::from_str(&crate::symmetry::json(analysis)?)?;
    let data = json!({ "version": env!("CARGO_PKG_VERSION"), "analysis": analysis_json, "source": source });
    page(&format!("{}: symmetry", analysis.model), SYMMETRY, &data)
}

fn page(title: &str, scripts: &[&str], data: &Value) -> Result<String, serde_json::Error> {
    Ok(fill(&escape(title), scripts, &inert(&serde_json::to_string(data)?)))
}

/// The page with its parts in place. The data comes last, so that no text in it is taken for a place.
fn fill(title: &str, scripts: &[&str], data: &str) -> String {
    let page = PAGE
        .replace("{{title}}", title)
        .replace("{{style}}", STYLE)
        .replace("{{script}}", &scripts.join("\n"));
    match page.split_once("{{data}}") {
        Some((before, after)) => format!("{before}{data}{after}"),
        None => page,
    }
}

/// JSON that cannot end the element that it stands in.
fn inert(json: &str) -> String {
    json.replace('<', "\\u003c").replace('\u{2028}', "\\u2028").replace('\u{2029}', "\\u2029")
}

/// Text for the title.
fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_in_a_model_ends_its_element() {
        let json = inert(r#"{"name":"</script><script>alert(1)</script>"}"#);
        assert!(!json.contains('<'), "{json}");
        let back: Value = serde_json::from_str(&json).expect("still JSON");
        assert_eq!(back["name"], "</script><script>alert(1)</script>");
        assert_eq!(escape("<a & b>"), "&lt;a &amp; b&gt;");
    }

    #[test]
    fn the_page_is_whole_and_asks_for_nothing() {
        for scripts in [REPORT, SYMMETRY] {
            let page = fill("{{data}}", scripts, "{\"{{script}}\":1}");
            assert!(page.contains("{\"{{script}}\":1}") || page.contains("{{data}}"));
            asks_for_nothing(&page);
        }
    }

    fn asks_for_nothing(page: &str) {
        for outside in ["http://", "https://", "@import", "url("] {
            let found = page.replace("http://www.w3.org/2000/svg", "");
            assert!(!found.contains(outside), "the page mentions {outside}");
        }
        assert!(page.len() < 100_000);
    }
}
