//! Tables for people: text, Markdown, LaTeX. One series has all its figures in one table; several have their times and
//! sizes side by side.

use std::fmt::Write;

use super::{Cell, Sweep, count, seconds};
use crate::text::bytes;

/// A table: headings, and rows of cells; columns of words are to the left.
struct Table {
    /// What stands above groups of columns: the text and how many columns.
    groups: Vec<(String, usize)>,
    headings: Vec<String>,
    rows: Vec<Vec<String>>,
    words: Vec<bool>,
}

/// The dash of a check that was not made.
const NOTHING: &str = "–";

fn table(sweep: &Sweep) -> Table {
    if sweep.series.len() == 1 { alone(sweep) } else { beside(sweep) }
}

/// One series: everything that is known of each cell.
fn alone(sweep: &Sweep) -> Table {
    let cells = || sweep.of(0).map(|(_, cell)| cell);
    let spread = cells().any(|cell| cell.spread().is_some());
    let nodes = cells().any(|cell| cell.peak_nodes.is_some());
    let full = cells().any(|cell| cell.full_states.is_some() && cell.counted != "states");
    let memory = cells().any(|cell| cell.peak_memory.is_some());
    let states = cells().any(|cell| cell.states.is_some());
    let names = sweep.value_names();
    let mut headings: Vec<String> = sweep.parameters.clone();
    headings.push("verdict".to_owned());
    headings.extend(names.iter().map(|name| (*name).to_owned()));
    headings.push(if spread { "time (median)" } else { "time" }.to_owned());
    let more = [
        (spread, "least – most"),
        (states, sweep.counted(0)),
        (full, "states"),
        (nodes, "peak nodes"),
        (memory, "memory"),
    ];
    headings.extend(more.iter().filter(|(shown, _)| *shown).map(|(_, name)| (*name).to_owned()));
    let row = |(point, cell): (&Vec<String>, &Option<Cell>)| {
        let mut row = point.clone();
        let Some(cell) = cell else {
            row.resize(headings.len(), NOTHING.to_owned());
            return row;
        };
        row.push(cell.said());
        for name in &names {
            let value = cell.values.iter().find(|(known, _)| known == name);
            row.push(value.map_or_else(|| NOTHING.to_owned(), |(_, value)| value.clone()));
        }
        row.push(time(cell));
        let range = cell.spread().map(|(least, most)| format!("{} – {}", seconds(least), seconds(most)));
        let figures = [
            (spread, range.unwrap_or_else(|| NOTHING.to_owned())),
            (states, count(cell.states.as_deref())),
            (full, count(cell.full_states.as_deref())),
            (nodes, count(cell.peak_nodes.map(|nodes| nodes.to_string()).as_deref())),
            (memory, cell.peak_memory.map_or_else(|| NOTHING.to_owned(), bytes)),
        ];
        row.extend(figures.into_iter().filter(|(shown, _)| *shown).map(|(_, figure)| figure));
        row
    };
    let rows = sweep.points.iter().zip(&sweep.cells[0]).map(row).collect();
    let words = headings.iter().map(|name| name == "verdict").collect();
    Table { groups: Vec::new(), headings, rows, words }
}

/// Several series: the time of each, and what it stores.
fn beside(sweep: &Sweep) -> Table {
    let mut headings = sweep.parameters.clone();
    let mut groups = vec![(String::new(), headings.len())];
    let stores = |series: usize| {
        let nodes = sweep.of(series).any(|(_, cell)| cell.peak_nodes.is_some());
        if nodes { "peak nodes".to_owned() } else { sweep.counted(series).to_owned() }
    };
    for (series, name) in sweep.series.iter().enumerate() {
        headings.extend(["time".to_owned(), stores(series)]);
        groups.push((name.clone(), 2));
    }
    let row = |(at, point): (usize, &Vec<String>)| {
        let mut row = point.clone();
        for series in &sweep.cells {
            match &series[at] {
                None => row.extend([NOTHING.to_owned(), NOTHING.to_owned()]),
                Some(cell) => {
                    let nodes = cell.peak_nodes.map(|nodes| nodes.to_string());
                    row.extend([time(cell), count(nodes.or_else(|| cell.states.clone()).as_deref())]);
                }
            }
        }
        row
    };
    let rows = sweep.points.iter().enumerate().map(row).collect();
    let words = vec![false; headings.len()];
    Table { groups, headings, rows, words }
}

/// A time; of a check that was stopped, the time until then.
fn time(cell: &Cell) -> String {
    match (cell.time(), &cell.failure) {
        (_, Some(_)) => "failed".to_owned(),
        (None, _) => NOTHING.to_owned(),
        (Some(time), _) if cell.is_stopped() => format!("> {}", seconds(time)),
        (Some(time), _) => seconds(time),
    }
}

/// What a reader has to know besides.
fn notes(sweep: &Sweep) -> Vec<String> {
    let mut notes = Vec::new();
    let cells = || sweep.cells.iter().flatten();
    if cells().flatten().any(Cell::is_stopped) {
        notes.push(format!(
            "A check that was stopped ({}) ends its column; {NOTHING} was not tried.",
            sweep.limits
        ));
    }
    if sweep.interrupted {
        notes.push(format!("Interrupted: {NOTHING} was not tried."));
    }
    let mut said: Vec<&str> = cells().flatten().filter_map(|cell| cell.failure.as_deref()).collect();
    said.dedup();
    notes.extend(said.into_iter().map(|why| format!("failed: {why}")));
    notes
}

/// The table as text that ends with a line break.
#[must_use]
pub fn text(sweep: &Sweep) -> String {
    let table = table(sweep);
    let length = |text: &String| text.chars().count();
    let widths: Vec<usize> = (0..table.headings.len())
        .map(|column| {
            let rows = table.rows.iter().map(|row| length(&row[column])).max().unwrap_or(0);
            rows.max(length(&table.headings[column]))
        })
        .collect();
    let mut text = String::new();
    if !table.groups.is_empty() {
        let (mut line, mut column) = (String::new(), 0);
        for (name, columns) in &table.groups {
            let width: usize = widths[column..column + columns].iter().map(|width| width + 2).sum();
            let _ = write!(line, "{name:<width$}");
            column += columns;
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for row in std::iter::once(&table.headings).chain(&table.rows) {
        let mut line = String::new();
        for ((cell, width), words) in row.iter().zip(&widths).zip(&table.words) {
            let _ = if *words { write!(line, "{cell:<width$}  ") } else { write!(line, "{cell:>width$}  ") };
        }
        let _ = writeln!(text, "{}", line.trim_end());
    }
    for note in notes(sweep) {
        let _ = writeln!(text, "\n{note}");
    }
    text
}

/// The table as Markdown.
#[must_use]
pub fn markdown(sweep: &Sweep) -> String {
    let table = table(sweep);
    let mut headings = table.headings.clone();
    // Markdown has no groups: the name of the series goes to its first column.
    let mut column = 0;
    for (name, columns) in &table.groups {
        for heading in headings.iter_mut().skip(column).take(*columns).filter(|_| !name.is_empty()) {
            *heading = format!("{name}: {heading}");
        }
        column += columns;
    }
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| cell.replace('|', "\\|")).collect();
        format!("| {} |\n", cells.join(" | "))
    };
    let mut text = line(&headings);
    let rules: Vec<String> =
        table.words.iter().map(|words| if *words { ":--" } else { "--:" }.to_owned()).collect();
    text.push_str(&line(&rules));
    table.rows.iter().for_each(|row| text.push_str(&line(row)));
    for note in notes(sweep) {
        let _ = writeln!(text, "\n{note}");
    }
    text
}

/// The table for LaTeX, with the rules of the package `booktabs`.
#[must_use]
pub fn latex(sweep: &Sweep) -> String {
    let table = table(sweep);
    let columns: String = table.words.iter().map(|words| if *words { 'l' } else { 'r' }).collect();
    let mut text = format!(
        "% {}: made by burnside; needs \\usepackage{{booktabs}}\n\\begin{{tabular}}{{{columns}}}\n\\toprule\n",
        sweep.model.replace('\n', " ")
    );
    let line = |cells: &[String]| {
        let cells: Vec<String> = cells.iter().map(|cell| escaped(cell)).collect();
        format!("{} \\\\\n", cells.join(" & "))
    };
    if !table.groups.is_empty() {
        let cells: Vec<String> = table
            .groups
            .iter()
            .map(|(name, columns)| format!("\\multicolumn{{{columns}}}{{c}}{{{}}}", escaped(name)))
            .collect();
        let _ = writeln!(text, "{} \\\\", cells.join(" & "));
        let mut column = 1;
        for (name, columns) in &table.groups {
            if !name.is_empty() {
                let _ = writeln!(text, "\\cmidrule(lr){{{column}-{}}}", column + columns - 1);
            }
            column += columns;
        }
    }
    text.push_str(&line(&table.headings));
    text.push_str("\\midrule\n");
    table.rows.iter().for_each(|row| text.push_str(&line(row)));
    text.push_str("\\bottomrule\n\\end{tabular}\n");
    for note in notes(sweep) {
        let _ = writeln!(text, "% {note}");
    }
    text
}

/// A text in which nothing is a command of LaTeX.
fn escaped(text: &str) -> String {
    let mut result = String::new();
    for c in text.chars() {
        match c {
            '\\' => result.push_str("\\textbackslash{}"),
            '~' => result.push_str("\\textasciitilde{}"),
            '^' => result.push_str("\\textasciicircum{}"),
            '&' | '%' | '$' | '#' | '_' | '{' | '}' => {
                result.push('\\');
                result.push(c);
            }
            '–' => result.push_str("--"),
            '>' => result.push_str("$>$"),
            '<' => result.push_str("$<$"),
            _ => result.push(c),
        }
    }
    result
}
