//! The informal trace format of Apalache: variables, and the state after each step as an object. Arrays are maps, records are
//! objects, an undefined value is `{"#unserializable": "undefined"}`. The rule that led to a state and its parameters are in the state's
//! `#meta`.

use serde_json::{Map, Value as Json, json};

use super::Checked;
use crate::value::{MAX_EXACT, Named, Value};
use crate::{Report, TraceReport};

/// The first run that violates something; nothing if there is none.
pub fn render(models: &[Checked<'_>]) -> Option<String> {
    let reports = models.iter().filter_map(|model| match model {
        Checked::Report(report) => Some(*report),
        Checked::Rejected(_) => None,
    });
    let mut runs = reports.flat_map(|report: &Report| {
        let violations = report.properties.iter().flat_map(move |property| {
            property.violations.iter().map(move |violation| (report, property, violation))
        });
        violations.filter(|(_, _, violation)| !violation.trace.steps.is_empty())
    });
    let (report, property, violation) = runs.next()?;
    let meta = json!({
        "format": "ITF",
        "source": report.model,
        "description": format!("{} \"{}\": {}", property.kind.name(), property.name, violation.message),
    });
    Some(format!("{:#}\n", trace(&violation.trace, meta)))
}

fn trace(trace: &TraceReport, meta: Json) -> Json {
    let mut vars: Vec<String> = Vec::new();
    let mut states = Vec::new();
    for (index, step) in trace.steps.iter().enumerate() {
        // Readers take texts in what is said of a state, nothing nested.
        let parameters: Vec<String> =
            step.firing.parameters.iter().map(|(name, value)| format!("{name}: {value}")).collect();
        let mut state = Map::new();
        let rule = &step.firing.rule;
        state.insert(
            "#meta".to_owned(),
            json!({ "index": index, "rule": rule, "parameters": parameters.join(", ") }),
        );
        for (name, value) in nested(&step.state) {
            if !vars.contains(&name) {
                vars.push(name.clone());
            }
            state.insert(name, value.json());
        }
        states.push(Json::Object(state));
    }
    let mut itf = json!({ "#meta": meta, "params": [], "vars": vars, "states": states });
    if let Some(back) = trace.back {
        itf["loop"] = json!(back);
    }
    itf
}

/// A value with its parts.
enum Nested {
    Simple(Json),
    Map(Vec<(String, Nested)>),
    /// By field.
    Record(Vec<(String, Nested)>),
}

impl Nested {
    fn json(self) -> Json {
        match self {
            Nested::Simple(value) => value,
            Nested::Record(fields) => {
                Json::Object(fields.into_iter().map(|(name, value)| (name, value.json())).collect())
            }
            Nested::Map(entries) => {
                let key =
                    |key: String| key.parse::<i64>().map_or_else(|_| json!(key), |number| json!(number));
                let pairs = entries.into_iter().map(|(name, value)| json!([key(name), value.json()]));
                json!({ "#map": pairs.collect::<Vec<_>>() })
            }
        }
    }
}

/// The variables of a state, whose parts are named `a[i].b`.
fn nested(state: &[Named]) -> Vec<(String, Nested)> {
    let mut variables = Vec::new();
    for (name, value) in state {
        let end = name.find(['[', '.']).unwrap_or(name.len());
        insert(&mut variables, &name[..end], &name[end..], simple(value));
    }
    variables
}

fn insert(level: &mut Vec<(String, Nested)>, part: &str, rest: &str, value: Json) {
    let at = level.iter().position(|(name, _)| name == part).unwrap_or_else(|| {
        let inner = match rest.as_bytes().first() {
            None => Nested::Simple(Json::Null),
            Some(b'[') => Nested::Map(Vec::new()),
            Some(_) => Nested::Record(Vec::new()),
        };
        level.push((part.to_owned(), inner));
        level.len() - 1
    });
    match &mut level[at].1 {
        Nested::Simple(held) => *held = value,
        Nested::Map(inner) => {
            let end = rest.find(']').unwrap_or(rest.len() - 1);
            insert(inner, &rest[1..end], &rest[end + 1..], value);
        }
        Nested::Record(inner) => {
            let rest = &rest[1..];
            let end = rest.find(['[', '.']).unwrap_or(rest.len());
            insert(inner, &rest[..end], &rest[end..], value);
        }
    }
}

fn simple(value: &Value) -> Json {
    match value {
        Value::Undefined => json!({ "#unserializable": "undefined" }),
        Value::Bool(value) => json!(value),
        Value::Int(value) if u128::from(value.unsigned_abs()) > MAX_EXACT => {
            json!({ "#bigint": value.to_string() })
        }
        Value::Int(value) => json!(value),
        Value::Name(name) => json!(name),
    }
}
