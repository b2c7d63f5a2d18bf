//! Checks of a model at several sizes, in one or several ways: as tables, data and plots.
//!
//! A [`Sweep`] has a point for each combination of values and a series for each way to check; a cell is a check, made once
//! or several times. Cells that were not made, because a smaller one met a limit, are empty: no renderer invents a figure.

mod data;
mod plot;
mod tables;

pub use data::{csv, json, tsv};
pub use plot::{html, svg};
pub use tables::{latex, markdown, text};

use crate::comparison::shown;

/// Checks of a model at several sizes.
#[derive(Clone, Debug, Default)]
pub struct Sweep {
    /// The model's file name.
    pub model: String,
    /// The names of the constants that vary.
    pub parameters: Vec<String>,
    /// Their values, in the order in which they are checked: the first one varies fastest.
    pub points: Vec<Vec<String>>,
    /// The ways to check, by name.
    pub series: Vec<String>,
    /// The checks that were made: by series, then by point.
    pub cells: Vec<Vec<Option<Cell>>>,
    /// The limits of each check, in words.
    pub limits: String,
    /// Whether it was interrupted.
    pub interrupted: bool,
}

/// A check at a point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Cell {
    /// `holds`, `violated` or `unknown`; or what became of it if it gave no result.
    pub verdict: String,
    /// The limit that ended it.
    pub limit: Option<String>,
    /// Why it gave no result.
    pub failure: Option<String>,
    /// Seconds, of every repetition.
    pub times: Vec<f64>,
    /// Stored states, or representatives.
    pub states: Option<String>,
    /// What is counted as such: `states`, `orbits`, `zones`.
    pub counted: String,
    /// The number of states without reduction, where known.
    pub full_states: Option<String>,
    /// The most nodes of decision diagrams at a time.
    pub peak_nodes: Option<u64>,
    /// The most memory the process had, in bytes.
    pub peak_memory: Option<u64>,
    /// What quantitative properties came to, by name.
    pub values: Vec<(String, String)>,
}

impl Cell {
    /// The median of the times.
    #[must_use]
    pub fn time(&self) -> Option<f64> {
        let mut times = self.times.clone();
        times.sort_by(f64::total_cmp);
        let middle = times.len() / 2;
        match times.len() {
            0 => None,
            odd if odd % 2 == 1 => Some(times[middle]),
            _ => Some((times[middle - 1] + times[middle]) / 2.0),
        }
    }

    /// The least and the greatest time, if there are several.
    #[must_use]
    pub fn spread(&self) -> Option<(f64, f64)> {
        let several = self.times.len() > 1;
        let least = self.times.iter().copied().fold(f64::INFINITY, f64::min);
        let most = self.times.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        several.then_some((least, most))
    }

    /// Whether it was ended before it had an answer: larger ones are not tried.
    #[must_use]
    pub fn is_stopped(&self) -> bool {
        self.failure.is_some() || self.verdict == "unknown" && self.limit.is_some()
    }

    /// The verdict, with what stopped it.
    #[must_use]
    pub fn said(&self) -> String {
        match &self.limit {
            Some(limit) if self.verdict == "unknown" => format!("stopped ({limit})"),
            _ => self.verdict.clone(),
        }
    }
}

impl Sweep {
    /// The cells of a series with their points.
    fn of(&self, series: usize) -> impl Iterator<Item = (&Vec<String>, &Cell)> {
        let cells = self.cells.get(series).into_iter().flatten();
        self.points.iter().zip(cells).filter_map(|(point, cell)| Some((point, cell.as_ref()?)))
    }

    /// What a series counts, with how it is measured: the same for all of its cells, or the first.
    fn counted(&self, series: usize) -> &str {
        self.of(series)
            .map(|(_, cell)| cell.counted.as_str())
            .find(|what| !what.is_empty())
            .unwrap_or("states")
    }

    /// The names of quantitative properties, in the order in which they are met.
    fn value_names(&self) -> Vec<&str> {
        let mut names: Vec<&str> = Vec::new();
        for cell in self.cells.iter().flatten().flatten() {
            for (name, _) in &cell.values {
                if !names.contains(&name.as_str()) {
                    names.push(name);
                }
            }
        }
        names
    }
}

/// A time with three digits that count, whatever its size.
#[must_use]
pub fn seconds(time: f64) -> String {
    let (number, unit) = if time < 0.9995 { (time * 1000.0, "ms") } else { (time, "s") };
    let digits = match number {
        ..9.995 => 2,
        ..99.95 => 1,
        _ => 0,
    };
    format!("{number:.digits$} {unit}")
}

/// A count, or a dash.
fn count(count: Option<&str>) -> String {
    count.map_or_else(|| "–".to_owned(), shown)
}

#[cfg(test)]
mod tests;
