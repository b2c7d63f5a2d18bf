//! What was computed of a probabilistic model, as text and as JSON.

use std::fmt::Write;

use burnside_model::findings::{Figure, Measured, Quantity};
use serde::Serialize;

use crate::text::{grouped, order, times};

/// So many reasons why less symmetry was used are shown.
const MOST_REASONS: usize = 3;

/// The property as it was asked, with the values of constants.
pub(crate) fn title(name: &str, measured: &Measured) -> String {
    let text = measured.text.split_whitespace().collect::<Vec<_>>().join(" ");
    let named = if name == measured.text { text } else { format!("\"{name}\": {text}") };
    if measured.constants.is_empty() {
        return named;
    }
    let constants: Vec<String> = measured.constants.iter().map(|(n, v)| format!("{n}={v}")).collect();
    format!("{named} [{}]", constants.join(", "))
}

/// The lines below the property.
pub(crate) fn text(text: &mut String, measured: &Measured) {
    const INDENT: &str = "          ";
    let Some(value) = &measured.value else { return };
    match value {
        Quantity::Truth(_) => {}
        Quantity::Number(number) => {
            let _ = writeln!(text, "{INDENT}{}{}", number.text, certainty(number));
        }
        Quantity::Range(least, greatest) => {
            let (least, greatest) = (&least.text, &greatest.text);
            let _ = writeln!(text, "{INDENT}from {least} to {greatest} over the initial states");
        }
    }
    let (states, transitions) = (grouped(measured.states.into()), grouped(measured.transitions.into()));
    let _ = match &measured.symmetry {
        Some(symmetry) => {
            let of = measured.full_states.map_or(String::new(), |full| {
                let factor = times(full as f64 / measured.states.max(1) as f64);
                format!(" of {} states ({factor} fewer)", grouped(full))
            });
            let (structure, order) = (&symmetry.structure, order(&symmetry.order));
            writeln!(
                text,
                "{INDENT}{states} orbits{of}, {transitions} transitions; symmetry {structure}, order {order}"
            )
        }
        None => writeln!(text, "{INDENT}{states} states, {transitions} transitions"),
    };
    for why in measured.not_used.iter().take(MOST_REASONS) {
        let _ = writeln!(text, "{INDENT}note: {why}");
    }
    if let Some(more) = measured.not_used.len().checked_sub(MOST_REASONS).filter(|more| *more > 0) {
        let _ = writeln!(text, "{INDENT}note: and {more} more");
    }
    if measured.deadlocks > 0 {
        let deadlocks = grouped(measured.deadlocks.into());
        let _ = writeln!(text, "{INDENT}note: {deadlocks} deadlocks have a step to themselves");
    }
    if measured.became_exact {
        let _ = writeln!(text, "{INDENT}note: the value is so near to the bound that exact numbers decided");
    }
    let (built, checked) = (measured.built.as_secs_f64(), measured.checked.as_secs_f64());
    let sweeps = grouped(measured.sweeps.into());
    let _ = writeln!(text, "{INDENT}{built:.3} s to build, {checked:.3} s to check, {sweeps} sweeps");
}

/// How near the number is known, or about how much a fraction is.
fn certainty(number: &Figure) -> String {
    match () {
        () if number.exact && number.text.contains('/') => format!(", about {}", number.low),
        () if number.low != number.high => format!(", between {} and {}", number.low, number.high),
        () => String::new(),
    }
}

/// The keys of a property.
#[derive(Serialize)]
pub(crate) struct Json<'a> {
    text: &'a str,
    constants: serde_json::Map<String, serde_json::Value>,
    value: Option<String>,
    exact: Option<bool>,
    interval: Option<[End; 2]>,
    range: Option<[&'a str; 2]>,
    states: Option<String>,
    orbits: u64,
    factor: Option<f64>,
    choices: u64,
    transitions: u64,
    symmetry: Option<Symmetry<'a>>,
    not_used: &'a [String],
    deadlocks: u64,
    iterations: u64,
    build_seconds: f64,
    check_seconds: f64,
}

/// An end of an interval: a number, or the name of infinity.
#[derive(Serialize)]
#[serde(untagged)]
enum End {
    Number(f64),
    Infinite(&'static str),
}

impl From<f64> for End {
    fn from(value: f64) -> End {
        match value.is_finite() {
            true => End::Number(value),
            false if value > 0.0 => End::Infinite("Infinity"),
            false => End::Infinite("-Infinity"),
        }
    }
}

#[derive(Serialize)]
struct Symmetry<'a> {
    structure: &'a str,
    order: &'a str,
    generators: &'a [String],
    verified: bool,
}

impl<'a> Json<'a> {
    pub(crate) fn new(measured: &'a Measured) -> Json<'a> {
        let full = match &measured.symmetry {
            Some(_) => measured.full_states,
            None => Some(measured.states.into()),
        };
        let value = measured.value.as_ref();
        Json {
            text: &measured.text,
            constants: measured.constants.iter().map(|(n, v)| (n.clone(), v.as_str().into())).collect(),
            value: match value {
                Some(Quantity::Truth(holds)) => Some(holds.to_string()),
                Some(Quantity::Number(number)) => Some(number.text.clone()),
                _ => None,
            },
            exact: match value {
                Some(Quantity::Number(number)) => Some(number.exact),
                _ => None,
            },
            interval: match value {
                Some(Quantity::Number(number)) => Some([number.low.into(), number.high.into()]),
                Some(Quantity::Range(least, greatest)) => Some([least.low.into(), greatest.high.into()]),
                _ => None,
            },
            range: match value {
                Some(Quantity::Range(least, greatest)) => Some([&least.text, &greatest.text]),
                _ => None,
            },
            states: full.map(|full| full.to_string()),
            orbits: measured.states,
            factor: full.filter(|_| measured.states > 0).map(|full| full as f64 / measured.states as f64),
            choices: measured.choices,
            transitions: measured.transitions,
            symmetry: measured.symmetry.as_ref().map(|symmetry| Symmetry {
                structure: &symmetry.structure,
                order: &symmetry.order,
                generators: &symmetry.generators,
                verified: true,
            }),
            not_used: &measured.not_used,
            deadlocks: measured.deadlocks,
            iterations: measured.sweeps,
            build_seconds: measured.built.as_secs_f64(),
            check_seconds: measured.checked.as_secs_f64(),
        }
    }
}
