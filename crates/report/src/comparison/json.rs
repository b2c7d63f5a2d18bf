//! The comparison as one JSON object; counts above 2⁵³ are decimal texts, as everywhere.

use serde::Serialize;

use super::{Comparison, Gains, Outcome, Property, Row};
use crate::value::Count;

#[derive(Serialize)]
struct Json<'a> {
    model: &'a str,
    symmetry: Group<'a>,
    verdict: &'static str,
    agree: bool,
    disagreements: &'a [String],
    rows: Vec<RowJson<'a>>,
}

#[derive(Serialize)]
struct Group<'a> {
    structure: &'a str,
    order: &'a str,
}

#[derive(Serialize)]
struct RowJson<'a> {
    engine: &'a str,
    reduction: &'a str,
    /// `done`, `not-applicable`, `ended` or `failed`.
    outcome: &'static str,
    /// Why it is not `done`.
    reason: Option<&'a str>,
    /// What it found, if it is.
    result: Option<Result<'a>>,
}

#[derive(Serialize)]
struct Result<'a> {
    verdict: &'a str,
    properties: &'a [Property],
    reduction: &'a str,
    exact: bool,
    symmetry: &'a str,
    states: Option<Number<'a>>,
    full_states: Option<Number<'a>>,
    orbits: Option<Number<'a>>,
    peak_nodes: Option<u64>,
    time_s: f64,
    peak_memory_bytes: u64,
    limit: Option<&'a str>,
    times_fewer: Option<f64>,
    /// What there is fewer of: `nodes` or `states`.
    fewer_of: Option<&'static str>,
    times_faster: Option<f64>,
}

/// A decimal text that becomes a number where every reader can hold it.
struct Number<'a>(&'a str);

impl Serialize for Number<'_> {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self.0.parse() {
            Ok(number) => Count(number).serialize(serializer),
            Err(_) => serializer.serialize_str(self.0),
        }
    }
}

/// The comparison as JSON text that ends with a line break.
pub fn json(comparison: &Comparison) -> std::result::Result<String, serde_json::Error> {
    let mut text = serde_json::to_string_pretty(&Json {
        model: &comparison.model,
        symmetry: Group { structure: &comparison.structure, order: &comparison.order },
        verdict: comparison.verdict.name(),
        agree: comparison.disagreements.is_empty(),
        disagreements: &comparison.disagreements,
        rows: comparison.rows.iter().map(|row| row_json(comparison, row)).collect(),
    })?;
    text.push('\n');
    Ok(text)
}

fn row_json<'a>(comparison: &Comparison, row: &'a Row) -> RowJson<'a> {
    let (outcome, reason) = match &row.outcome {
        Outcome::Done(_) => ("done", None),
        Outcome::NotApplicable(why) => ("not-applicable", Some(why.as_str())),
        Outcome::Ended(why) => ("ended", Some(why.as_str())),
        Outcome::Failed(why) => ("failed", Some(why.as_str())),
    };
    let gains = comparison.gains(row);
    let result = row.figures().map(|figures| Result {
        verdict: &figures.verdict,
        properties: &figures.properties,
        reduction: &figures.reduction,
        exact: figures.exact,
        symmetry: &figures.structure,
        states: figures.states.as_deref().map(Number),
        full_states: figures.full_states.as_deref().map(Number),
        orbits: figures.orbits().map(Number),
        peak_nodes: figures.peak_nodes,
        time_s: figures.time,
        peak_memory_bytes: figures.peak_memory,
        limit: figures.limit.as_deref(),
        times_fewer: gains.as_ref().and_then(Gains::stored),
        fewer_of: gains.as_ref().map(|gains| if gains.nodes.is_some() { "nodes" } else { "states" }),
        times_faster: gains.as_ref().map(|gains| gains.time),
    });
    RowJson { engine: &row.engine, reduction: &row.reduction, outcome, reason, result }
}
