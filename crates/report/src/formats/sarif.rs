//! SARIF 2.1.0: a result for each violated property and each warning, with its place; runs are code flows, one location for each step
//! whose rule has a place. Unknown properties are notes.

use burnside_model::Verdict;
use serde_json::{Value, json};

use super::rejected::is_error;
use super::{Checked, Rejected, complaint};
use crate::{Place, Report, Violation};

pub fn render(models: &[Checked<'_>]) -> String {
    let mut results = Vec::new();
    let mut rules: Vec<String> = Vec::new();
    for model in models {
        let report = match model {
            Checked::Report(report) => report,
            Checked::Rejected(rejected) => {
                results.extend(unread(&mut rules, rejected));
                continue;
            }
        };
        for property in &report.properties {
            let Some((message, violation)) = complaint(property) else { continue };
            let level = if property.verdict == Verdict::Violated { "error" } else { "note" };
            let place = violation.and_then(|violation| violation.place.as_ref()).or(property.place.as_ref());
            let mut result = result(&mut rules, property.kind.name(), level, &message, &report.model, place);
            if let Some(flow) = violation.and_then(|violation| flow(report, violation)) {
                result["codeFlows"] = json!([flow]);
            }
            results.push(result);
        }
        for warning in &report.warnings {
            let place = warning.place.as_ref();
            results.push(result(
                &mut rules,
                &warning.code,
                "warning",
                &warning.message,
                &report.model,
                place,
            ));
        }
    }
    let rules: Vec<_> = rules.iter().map(|id| json!({ "id": id })).collect();
    let driver = json!({ "name": "Burnside", "version": env!("CARGO_PKG_VERSION"), "rules": rules });
    let sarif = json!({
        "$schema": "https://json.schemastore.org/sarif-2.1.0.json",
        "version": "2.1.0",
        "runs": [{ "tool": { "driver": driver }, "columnKind": "unicodeCodePoints", "results": results }],
    });
    format!("{sarif:#}\n")
}

/// What is wrong with a model that could not be checked.
fn unread(rules: &mut Vec<String>, rejected: &Rejected) -> Vec<Value> {
    let mut results = Vec::new();
    for found in &rejected.diagnostics {
        let level = if is_error(found) { "error" } else { "warning" };
        let place = found.place.as_ref();
        results.push(result(rules, &found.code, level, &found.message, &rejected.model, place));
    }
    if let Some(reason) = &rejected.reason {
        results.push(result(rules, "input", "error", reason, &rejected.model, None));
    }
    results
}

fn result(
    rules: &mut Vec<String>,
    id: &str,
    level: &str,
    message: &str,
    model: &str,
    place: Option<&Place>,
) -> Value {
    if !rules.iter().any(|known| known == id) {
        rules.push(id.to_owned());
    }
    let message = json!({ "text": message });
    let location = location(model, place);
    json!({ "ruleId": id, "level": level, "message": message, "locations": [location] })
}

fn location(model: &str, place: Option<&Place>) -> Value {
    let file = uri(place.map_or(model, |place| &place.file));
    let mut physical = json!({ "artifactLocation": { "uri": file } });
    if let Some(place) = place {
        physical["region"] = json!({ "startLine": place.line, "startColumn": place.column });
    }
    json!({ "physicalLocation": physical })
}

/// A file name as a relative URI: what has a meaning there is escaped.
fn uri(file: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    file.bytes()
        .map(|byte| if plain(byte) { (byte as char).to_string() } else { format!("%{byte:02X}") })
        .collect()
}

/// The run, step by step, where its rules have places.
fn flow(report: &Report, violation: &Violation) -> Option<Value> {
    let mut locations = Vec::new();
    for step in &violation.trace.steps {
        let rule = report.rules.iter().find(|rule| rule.rule == step.firing.rule);
        let mut location = location(&report.model, rule.and_then(|rule| rule.place.as_ref()));
        let changed: Vec<_> = step
            .changed
            .iter()
            .map(|change| {
                let to = change.to.as_ref().map_or_else(|| "(unused)".to_owned(), ToString::to_string);
                format!("{} := {to}", change.name)
            })
            .collect();
        let text =
            format!("{}{}{}", step.firing, if changed.is_empty() { "" } else { ": " }, changed.join(", "));
        location["message"] = json!({ "text": text });
        locations.push(json!({ "location": location }));
    }
    (!locations.is_empty()).then(|| json!({ "threadFlows": [{ "locations": locations }] }))
}
