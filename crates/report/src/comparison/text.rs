//! The comparison as a table for a terminal.

use std::fmt::Write;

use super::{Comparison, Outcome, Row, shown};
use crate::text::{bytes, order, times};

const HEADINGS: [&str; 9] =
    ["engine", "reduction", "verdict", "time", "states", "peak nodes", "memory", "fewer", "faster"];

/// The comparison as text that ends with a line break.
pub fn text(comparison: &Comparison) -> String {
    let mut text = String::new();
    if comparison.structure != "trivial" {
        let _ = writeln!(text, "symmetry {} of order {}\n", comparison.structure, order(&comparison.order));
    }
    let (done, other): (Vec<&Row>, Vec<&Row>) =
        comparison.rows.iter().partition(|row| row.figures().is_some());
    let mut table = vec![HEADINGS.map(str::to_owned)];
    table.extend(done.iter().filter_map(|row| cells(comparison, row)));
    // The names of engines and reductions are in one column in all lines, the figures in those that have any.
    let names = |column: usize| {
        let name = |row: &&Row| if column == 0 { row.engine.len() } else { row.reduction.len() };
        other.iter().map(name).max().filter(|_| column < 2).unwrap_or(0)
    };
    let width = |column: usize| table.iter().map(|row| row[column].chars().count()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..HEADINGS.len()).map(|column| width(column).max(names(column))).collect();
    for row in &table {
        let mut line = String::new();
        for (column, (cell, width)) in row.iter().zip(&widths).enumerate() {
            // Words to the left, figures to the right.
            let _ =
                if column < 3 { write!(line, "{cell:<width$}  ") } else { write!(line, "{cell:>width$}  ") };
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for row in &other {
        let (what, why) = match &row.outcome {
            Outcome::NotApplicable(why) => ("not applicable", why),
            Outcome::Ended(why) => ("ended", why),
            Outcome::Failed(why) => ("failed", why),
            Outcome::Done(_) => continue,
        };
        let _ = writeln!(text, "{}  {}: {why}", pad(&row.engine, &row.reduction, &widths), what);
    }
    text.push('\n');
    for disagreement in &comparison.disagreements {
        let _ = writeln!(text, "disagreement: {disagreement}");
    }
    let _ = writeln!(text, "{}: {}", comparison.model, conclusion(comparison));
    text
}

fn pad(engine: &str, reduction: &str, widths: &[usize]) -> String {
    format!("{engine:<first$}  {reduction:<second$}", first = widths[0], second = widths[1])
}

fn cells(comparison: &Comparison, row: &Row) -> Option<[String; 9]> {
    let figures = row.figures()?;
    let times = |ratio: Option<f64>| ratio.map(times).unwrap_or_default();
    let gains = comparison.gains(row);
    let verdict = match &figures.limit {
        Some(limit) if figures.verdict == "unknown" => format!("unknown ({limit})"),
        _ => figures.verdict.clone(),
    };
    // What `auto` chose is worth knowing.
    let reduction = match row.reduction.as_str() {
        "auto" => format!("auto: {}", figures.reduction),
        asked => asked.to_owned(),
    };
    Some([
        row.engine.clone(),
        reduction,
        verdict,
        format!("{:.2} s", figures.time),
        shown(&figures.states),
        figures.peak_nodes.map_or(String::new(), |nodes| shown(&nodes.to_string())),
        bytes(figures.peak_memory),
        times(gains.map(|gains| gains.0)),
        times(gains.map(|gains| gains.1)),
    ])
}

fn conclusion(comparison: &Comparison) -> String {
    if !comparison.disagreements.is_empty() {
        return "the checks disagree, which is an error of Burnside: please report it with the model"
            .to_owned();
    }
    let complete = || comparison.rows.iter().filter_map(Row::figures).filter(|figures| figures.is_complete());
    let states = complete().find_map(|figures| figures.full_states.as_deref());
    let orbits = complete().find_map(|figures| figures.orbits());
    let done: Vec<_> = comparison.rows.iter().filter_map(Row::figures).collect();
    let stopped =
        done.iter().filter(|figures| figures.verdict == "unknown" && figures.limit.is_some()).count();
    let mut text = format!("{}, {} checks agree", comparison.verdict.name(), done.len());
    if stopped > 0 {
        let _ = write!(text, " ({stopped} stopped at a limit)");
    }
    let counts = [(states, "states"), (orbits, "orbits")];
    for (count, what) in counts.into_iter().filter_map(|(count, what)| Some((count?, what))) {
        let _ = write!(text, ", {} {what}", shown(count));
    }
    text
}
