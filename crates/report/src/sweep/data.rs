//! Data for programs: one row per check in CSV and TSV, everything in JSON.

use serde::Serialize;

use super::{Cell, Sweep};

/// The columns behind the series and the parameters.
const COLUMNS: [&str; 13] = [
    "verdict",
    "limit",
    "repetitions",
    "time_median_s",
    "time_least_s",
    "time_most_s",
    "counted",
    "states",
    "full_states",
    "peak_nodes",
    "peak_memory_bytes",
    "values",
    "failure",
];

/// One row per check, separated by commas.
#[must_use]
pub fn csv(sweep: &Sweep) -> String {
    rows(sweep, ',')
}

/// One row per check, separated by tabs.
#[must_use]
pub fn tsv(sweep: &Sweep) -> String {
    rows(sweep, '\t')
}

fn rows(sweep: &Sweep, separator: char) -> String {
    let line = |cells: Vec<String>| {
        let cells: Vec<String> = cells.iter().map(|cell| quoted(cell, separator)).collect();
        cells.join(&separator.to_string()) + "\n"
    };
    let mut headings = vec!["series".to_owned()];
    headings.extend(sweep.parameters.iter().cloned());
    headings.extend(COLUMNS.map(str::to_owned));
    let mut text = line(headings);
    for (series, name) in sweep.series.iter().enumerate() {
        for (point, cell) in sweep.of(series) {
            let mut row = vec![name.clone()];
            row.extend(point.iter().cloned());
            row.extend(figures(cell));
            text.push_str(&line(row));
        }
    }
    text
}

fn figures(cell: &Cell) -> [String; 13] {
    let number = |number: Option<f64>| number.map_or(String::new(), |number| format!("{number}"));
    let values: Vec<String> = cell.values.iter().map(|(name, value)| format!("{name}={value}")).collect();
    [
        cell.verdict.clone(),
        cell.limit.clone().unwrap_or_default(),
        cell.times.len().to_string(),
        number(cell.time()),
        number(cell.spread().map(|(least, _)| least).or(cell.time())),
        number(cell.spread().map(|(_, most)| most).or(cell.time())),
        cell.counted.clone(),
        cell.states.clone().unwrap_or_default(),
        cell.full_states.clone().unwrap_or_default(),
        cell.peak_nodes.map(|nodes| nodes.to_string()).unwrap_or_default(),
        cell.peak_memory.map(|memory| memory.to_string()).unwrap_or_default(),
        values.join("; "),
        cell.failure.clone().unwrap_or_default(),
    ]
}

/// A cell, in quotes where it must be; a table with tabs has no quotes, so blanks stand for what cannot be there.
fn quoted(cell: &str, separator: char) -> String {
    if separator == '\t' {
        return cell.replace(['\t', '\n', '\r'], " ");
    }
    if cell.contains([separator, '"', '\n', '\r']) {
        return format!("\"{}\"", cell.replace('"', "\"\""));
    }
    cell.to_owned()
}

/// The sweep as JSON text that ends with a line break; `docs/schemas/sweep-1.json` says what is in it.
pub fn json(sweep: &Sweep) -> Result<String, serde_json::Error> {
    #[derive(Serialize)]
    struct Json<'s> {
        schema: &'static str,
        model: &'s str,
        parameters: &'s [String],
        series: &'s [String],
        limits: &'s str,
        interrupted: bool,
        cells: Vec<CellJson<'s>>,
    }
    #[derive(Serialize)]
    struct CellJson<'s> {
        series: &'s str,
        point: serde_json::Map<String, serde_json::Value>,
        verdict: &'s str,
        limit: Option<&'s str>,
        failure: Option<&'s str>,
        times_s: &'s [f64],
        time_median_s: Option<f64>,
        counted: &'s str,
        states: Option<&'s str>,
        full_states: Option<&'s str>,
        peak_nodes: Option<u64>,
        peak_memory_bytes: Option<u64>,
        values: serde_json::Map<String, serde_json::Value>,
    }
    let text = |(name, value): (&String, &String)| (name.clone(), value.clone().into());
    let mut cells = Vec::new();
    for (series, name) in sweep.series.iter().enumerate() {
        for (point, cell) in sweep.of(series) {
            cells.push(CellJson {
                series: name,
                point: sweep.parameters.iter().zip(point).map(text).collect(),
                verdict: &cell.verdict,
                limit: cell.limit.as_deref(),
                failure: cell.failure.as_deref(),
                times_s: &cell.times,
                time_median_s: cell.time(),
                counted: &cell.counted,
                states: cell.states.as_deref(),
                full_states: cell.full_states.as_deref(),
                peak_nodes: cell.peak_nodes,
                peak_memory_bytes: cell.peak_memory,
                values: cell.values.iter().map(|(name, value)| text((name, value))).collect(),
            });
        }
    }
    let mut text = serde_json::to_string_pretty(&Json {
        schema: "burnside/sweep-1",
        model: &sweep.model,
        parameters: &sweep.parameters,
        series: &sweep.series,
        limits: &sweep.limits,
        interrupted: sweep.interrupted,
        cells,
    })?;
    text.push('\n');
    Ok(text)
}
