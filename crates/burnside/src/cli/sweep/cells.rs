//! What a check in another process came to, as a cell: from its JSON, whatever the language.

use burnside::exit;
use burnside::report::sweep::Cell;
use serde_json::Value;

use crate::cli::compare::process::Ended;

/// The cell of a check.
pub fn cell(ended: &Ended) -> Cell {
    let failed = |why: String| Cell { verdict: "failed".to_owned(), failure: Some(why), ..Cell::default() };
    if ended.too_long {
        return failed("it did not keep its limit of time".to_owned());
    }
    match ended.code.map(|code| u8::try_from(code).unwrap_or(exit::INTERNAL)) {
        Some(code @ (exit::HOLDS | exit::VIOLATED | exit::UNKNOWN)) => {
            let json = serde_json::from_slice(&ended.output).ok();
            let read = json.as_ref().and_then(|json| found(json).or_else(|| quantitative(json, code)));
            read.unwrap_or_else(|| failed("its result cannot be read".to_owned()))
        }
        Some(_) => failed(ended.errors.trim().to_owned()),
        None => failed("a signal ended it".to_owned()),
    }
}

fn text(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// A count is a number, or a decimal text where numbers are too small.
fn count(value: &Value) -> Option<String> {
    value.as_u64().map(|number| number.to_string()).or_else(|| text(value))
}

/// The result of a check of states.
fn found(json: &Value) -> Option<Cell> {
    let counted = match (json["engine"].as_str(), json["reduction"].as_str()) {
        (Some("zones"), _) => "zones",
        (_, Some("none")) => "states",
        _ if json["exact"] == true => "orbits",
        _ => "representatives",
    };
    Some(Cell {
        verdict: text(&json["verdict"])?,
        limit: text(&json["limit"]),
        failure: None,
        times: vec![json["time_s"].as_f64()?],
        states: count(&json["states"]),
        counted: counted.to_owned(),
        full_states: count(&json["full_states"]),
        peak_nodes: json["nodes"]["peak"].as_u64(),
        peak_memory: json["peak_memory_bytes"].as_u64(),
        values: Vec::new(),
    })
}

/// The result of a check of probabilities and rewards: a value for each property.
fn quantitative(json: &Value, code: u8) -> Option<Cell> {
    let properties = json["properties"].as_array()?;
    let value = |property: &Value| {
        let range = || {
            let range = property["range"].as_array()?;
            Some(range.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(" – "))
        };
        let value = text(&property["value"]).or_else(range);
        Some((text(&property["name"])?, value.unwrap_or_else(|| "error".to_owned())))
    };
    // All properties that have a size are about the same model; the largest quotient says what was stored.
    let largest = properties.iter().max_by_key(|property| property["orbits"].as_u64());
    let reduced = largest.is_some_and(|property| !property["symmetry"].is_null());
    let asserted = properties.iter().any(|property| property["verdict"].is_string());
    Some(Cell {
        verdict: match code {
            exit::VIOLATED => "violated",
            exit::UNKNOWN => "unknown",
            _ if asserted => "holds",
            _ => "computed",
        }
        .to_owned(),
        // The time is the only limit at which such a check gives a partial result.
        limit: (code == exit::UNKNOWN).then(|| "limit".to_owned()),
        failure: None,
        times: vec![json["seconds"].as_f64()?],
        states: largest.and_then(|property| count(&property["orbits"])),
        counted: if reduced { "orbits" } else { "states" }.to_owned(),
        full_states: largest.and_then(|property| count(&property["states"])),
        peak_nodes: None,
        peak_memory: None,
        values: properties.iter().filter_map(value).collect(),
    })
}
