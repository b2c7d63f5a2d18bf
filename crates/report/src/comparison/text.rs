//! The comparison as a table for a terminal.

use std::fmt::Write;

use super::{Comparison, Outcome, Row, shown};
use crate::sweep::seconds;
use crate::text::{bytes, order, times};

/// A figure is followed by what it is beside that of the same engine without reduction.
const HEADINGS: [&str; 10] = [
    "engine",
    "reduction",
    "verdict",
    "time",
    "vs none",
    "states",
    "vs none",
    "peak nodes",
    "vs none",
    "memory",
];

/// The least widths of the columns; the first two have names, whose widths depend on what is compared.
const WIDTHS: [usize; 10] = [6, 9, 8, 7, 12, 11, 12, 10, 12, 8];

/// A table that is written line by line, as the checks end.
#[derive(Clone, Debug)]
pub struct Lines {
    widths: [usize; 10],
}

impl Lines {
    /// For checks with these engines and reductions.
    #[must_use]
    pub fn new<'n>(compared: impl Iterator<Item = (&'n str, &'n str)>) -> Lines {
        let mut widths = WIDTHS;
        for (engine, reduction) in compared {
            // What `auto` chooses is added to its name.
            let reduction = if reduction == "auto" { "auto: canonical" } else { reduction };
            widths[0] = widths[0].max(engine.len());
            widths[1] = widths[1].max(reduction.len());
        }
        Lines { widths }
    }

    /// What stands above the table.
    #[must_use]
    pub fn head(&self, structure: &str, group_order: &str) -> String {
        let mut text = String::new();
        if structure != "trivial" {
            let _ = writeln!(text, "symmetry {structure} of order {}\n", order(group_order));
        }
        text + &self.line(&HEADINGS.map(str::to_owned))
    }

    /// The line of a check that was made; nothing for others. The comparison has all checks so far.
    #[must_use]
    pub fn row(&self, comparison: &Comparison, row: &Row) -> Option<String> {
        cells(comparison, row).map(|cells| self.line(&cells))
    }

    /// What stands below the table: the checks that were not made, and the conclusion.
    #[must_use]
    pub fn tail(&self, comparison: &Comparison) -> String {
        let mut text = String::new();
        for row in &comparison.rows {
            let (what, why) = match &row.outcome {
                Outcome::NotApplicable(why) => ("not applicable", why),
                Outcome::Ended(why) => ("ended", why),
                Outcome::Failed(why) => ("failed", why),
                Outcome::Done(_) => continue,
            };
            let (engine, reduction, [first, second, ..]) = (&row.engine, &row.reduction, self.widths);
            let _ = writeln!(text, "{engine:<first$}  {reduction:<second$}  {what}: {why}");
        }
        text.push('\n');
        text + &conclusion(comparison)
    }

    /// Words to the left, figures to the right.
    fn line(&self, cells: &[String; 10]) -> String {
        let mut line = String::new();
        for (column, (cell, width)) in cells.iter().zip(&self.widths).enumerate() {
            let _ =
                if column < 3 { write!(line, "{cell:<width$}  ") } else { write!(line, "{cell:>width$}  ") };
        }
        format!("{}\n", line.trim_end())
    }
}

/// The comparison as text that ends with a line break.
#[must_use]
pub fn text(comparison: &Comparison) -> String {
    let names = comparison.rows.iter().map(|row| (row.engine.as_str(), row.reduction.as_str()));
    let lines = Lines::new(names);
    let rows: String = comparison.rows.iter().filter_map(|row| lines.row(comparison, row)).collect();
    lines.head(&comparison.structure, &comparison.order) + &rows + &lines.tail(comparison)
}

fn cells(comparison: &Comparison, row: &Row) -> Option<[String; 10]> {
    let figures = row.figures()?;
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
        seconds(figures.time),
        beside(gains.as_ref().map(|gains| gains.time), "faster", "slower"),
        figures.states.as_deref().map_or(String::new(), shown),
        beside(gains.as_ref().and_then(|gains| gains.states), "fewer", "more"),
        figures.peak_nodes.map_or(String::new(), |nodes| shown(&nodes.to_string())),
        beside(gains.as_ref().and_then(|gains| gains.nodes), "fewer", "more"),
        bytes(figures.peak_memory),
    ])
}

/// How many times better, or worse.
fn beside(ratio: Option<f64>, better: &str, worse: &str) -> String {
    match ratio {
        None => String::new(),
        Some(ratio) if ratio >= 1.0 => format!("{} {better}", times(ratio)),
        Some(ratio) => format!("{} {worse}", times(1.0 / ratio.max(f64::MIN_POSITIVE))),
    }
}

/// What the checks contradict each other in, and what they say together.
#[must_use]
pub fn conclusion(comparison: &Comparison) -> String {
    let mut text = String::new();
    for disagreement in &comparison.disagreements {
        let _ = writeln!(text, "disagreement: {disagreement}");
    }
    let _ = writeln!(text, "{}: {}", comparison.model, agreed(comparison));
    text
}

fn agreed(comparison: &Comparison) -> String {
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
