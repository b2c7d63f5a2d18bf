//! The report as one HTML file that needs nothing else: no network, no other file.
//!
//! The page holds the object that [`json`](crate::json) writes and the source of the model. A script of ours draws it: verdicts, what
//! was done and why, rules that never fired, and for each run the steps, the state as a tree with its changes, one lane per process
//! and the source line of each rule. The rows of a run are drawn as they scroll into view, so that long runs stay quick. Values come
//! into the page as text nodes only; nothing in a model can become markup or script.

use serde_json::{Value, json};

use crate::{Report, json};

const PAGE: &str = include_str!("page.html");
const STYLE: &str = include_str!("style.css");
const SCRIPT: &str = include_str!("report.js");

/// The report as an HTML page, with the source of the model where it is text.
pub fn render(report: &Report, source: Option<&str>) -> Result<String, serde_json::Error> {
    let report_json: Value = serde_json::from_str(&json::render(report)?)?;
    let data = json!({ "version": env!("CARGO_PKG_VERSION"), "report": report_json, "source": source });
    let title = format!("{}: {}", report.model, report.verdict.name());
    Ok(fill(&escape(&title), &inert(&serde_json::to_string(&data)?)))
}

/// The page with its parts in place. The data comes last, so that no text in it is taken for a place.
fn fill(title: &str, data: &str) -> String {
    let page = PAGE.replace("{{title}}", title).replace("{{style}}", STYLE).replace("{{script}}", SCRIPT);
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
        let page = fill("{{data}}", "{\"{{script}}\":1}");
        assert!(page.contains("{\"{{script}}\":1}") || page.contains("{{data}}"));
        for outside in ["http://", "https://", "@import", "url("] {
            let found = page.replace("http://www.w3.org/2000/svg", "");
            assert!(!found.contains(outside), "the page mentions {outside}");
        }
        assert!(page.len() < 100_000);
    }
}
