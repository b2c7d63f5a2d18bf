//! What was found out about a property, with numbers as they are written: only digits that are certain.

use burnside_model::chance::{Property, Real};
use burnside_model::findings::{Figure, Measured, MeasuredSymmetry, Quantity};

use crate::check::Answer;
use crate::check::column::Number;
use crate::run::Outcome;

impl Outcome {
    /// The outcome in the form that all engines share.
    #[must_use]
    pub fn measured(&self, property: &Property, constants: &[(String, String)]) -> Measured {
        Measured {
            text: property.text.clone(),
            constants: constants.to_vec(),
            value: self.answer.as_ref().ok().map(|answer| match answer {
                Answer::Bool(holds) => Quantity::Truth(*holds),
                Answer::Number(number) => Quantity::Number(figure(number)),
                Answer::Range(least, greatest) => Quantity::Range(figure(least), figure(greatest)),
            }),
            became_exact: self.became_exact,
            symmetry: self.symmetry.as_ref().map(|found| MeasuredSymmetry {
                structure: found.structure.clone(),
                order: found.order.clone(),
                generators: found.words.clone(),
            }),
            not_used: self.broken.clone(),
            states: self.states as u64,
            full_states: self.represented,
            choices: self.choices as u64,
            transitions: self.transitions as u64,
            deadlocks: self.deadlocks as u64,
            sweeps: self.sweeps,
            built: self.built,
            checked: self.checked,
        }
    }
}

fn figure(number: &Number) -> Figure {
    let exact = matches!(number, Number::Exact(_));
    Figure { text: digits(number), exact, low: number.low(), high: number.high() }
}

/// The digits on which both bounds agree, or an exact fraction.
fn digits(number: &Number) -> String {
    match number {
        Number::Exact(Real::Exact(value)) => value.to_string(),
        Number::Exact(Real::Float(value)) => plain(*value),
        Number::Bounds(low, high) if low == high && (low.is_infinite() || *low == 0.0) => plain(*low),
        Number::Bounds(low, high) => {
            for count in (0..16).rev() {
                let (a, b) = (format!("{low:.count$e}"), format!("{high:.count$e}"));
                if a == b {
                    return a.parse::<f64>().map_or(a, plain);
                }
            }
            plain(((low + high) / 2.0 * 1e3).round() / 1e3)
        }
    }
}

fn plain(value: f64) -> String {
    if value.is_infinite() {
        return if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned();
    }
    if value != 0.0 && (value.abs() < 1e-5 || value.abs() >= 1e15) {
        format!("{value:e}")
    } else {
        value.to_string()
    }
}
