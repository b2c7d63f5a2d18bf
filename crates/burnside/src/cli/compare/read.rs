//! What a check in another process came to: its JSON and its exit code, or why there is none.

use burnside::exit;
use burnside::report::comparison::{Figures, Outcome, Property};
use serde_json::Value;

use super::process::Ended;
use super::variants::Variant;

/// What became of a check.
pub fn outcome(variant: &Variant, ended: &Ended) -> Outcome {
    let said = || {
        let line = ended.errors.lines().rfind(|line| line.contains("error: ")).unwrap_or(ended.errors.trim());
        line.trim_start_matches("error: ").to_owned()
    };
    match ended.code.map(|code| u8::try_from(code).unwrap_or(exit::INTERNAL)) {
        _ if ended.too_long => Outcome::Ended("it did not keep its limit of time".to_owned()),
        Some(exit::HOLDS | exit::VIOLATED | exit::UNKNOWN) => match figures(&ended.output) {
            Some(found) if is_unreduced(variant, &found) => {
                Outcome::NotApplicable("no symmetry of the model could be verified".to_owned())
            }
            Some(found) => Outcome::Done(Box::new(found)),
            None => Outcome::Failed("its result cannot be read".to_owned()),
        },
        Some(exit::WRONG_INPUT) => Outcome::NotApplicable(said()),
        Some(_) => Outcome::Failed(said()),
        None => Outcome::Failed("a signal ended it".to_owned()),
    }
}

/// Whether a reduction had nothing to reduce.
fn is_unreduced(variant: &Variant, found: &Figures) -> bool {
    variant.reduction != "none" && found.reduction == "none"
}

fn figures(json: &[u8]) -> Option<Figures> {
    let json: Value = serde_json::from_slice(json).ok()?;
    let text = |value: &Value| value.as_str().map(str::to_owned);
    let property = |value: &Value| {
        Some(Property {
            name: text(&value["name"])?,
            kind: text(&value["kind"])?,
            verdict: text(&value["verdict"])?,
        })
    };
    Some(Figures {
        verdict: text(&json["verdict"])?,
        properties: json["properties"].as_array()?.iter().map(property).collect::<Option<_>>()?,
        reduction: text(&json["reduction"])?,
        exact: json["exact"].as_bool()?,
        structure: text(&json["symmetry"]["structure"])?,
        one_run: of_one_run(&json),
        states: count(&json["states"]),
        orbits: count(&json["orbits"]),
        full_states: count(&json["full_states"]),
        peak_nodes: json["nodes"]["peak"].as_u64(),
        time: json["time_s"].as_f64()?,
        peak_memory: json["peak_memory_bytes"].as_u64()?,
        limit: text(&json["limit"]),
        certain: json["assumptions"].as_array()?.is_empty(),
    })
}

/// Whether the figures are those of one exploration; others may have decided formulas beside it.
fn of_one_run(json: &Value) -> bool {
    json["runs"].as_array().is_some_and(|runs| runs.first().is_none_or(|run| run["states"] == json["states"]))
}

/// A count is a number, or a decimal text where numbers are too small.
fn count(value: &Value) -> Option<String> {
    value.as_u64().map(|number| number.to_string()).or_else(|| value.as_str().map(str::to_owned))
}
