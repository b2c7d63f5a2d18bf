//! A measured table of timed models as Markdown for the book: one line for each model, without and with symmetry; and
//! the picture of the first.

use std::fmt::Write;

use super::measured::{Cell, Figures, Settings};
use super::plot::{self, Panel};
use super::render::{Measured, grouped, heading, seconds};
use super::{Row, Table};

/// A table as a page of the book.
pub fn markdown(table: &Table, rows: &[Measured], settings: &Settings) -> String {
    let mut text = heading(table.name, table.title, table.source, settings);
    let _ = writeln!(text, "{}\n", table.notes);
    let _ = writeln!(
        text,
        "Each cell is a run of its own, with `--memory {}` and at most {} seconds of processor time; larger models are not tried \
         where that was not enough. The paper's figures are without / with symmetry. Stored are discrete states with zones; × says how \
         many times fewer they are with symmetry.\n",
        settings.memory, settings.seconds
    );
    text.push_str(
        "| model | paper: time | paper: memory | time without | time with | memory without | memory with \
         | stored without | stored with | × |\n",
    );
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n");
    for (row, cells) in rows {
        let _ = writeln!(text, "| {} |", columns(row, cells).join(" | "));
    }
    let _ = writeln!(text, "\n{}", stand(rows));
    text
}

fn columns(row: &Row, cells: &[Cell]) -> Vec<String> {
    let printed = |of: fn(&super::figure::Figure) -> &'static str| {
        let words: Vec<&str> = row.figures.iter().map(of).collect();
        if words.iter().all(|word| word.is_empty()) {
            return String::new();
        }
        words.iter().map(|word| if word.is_empty() { "—" } else { word }).collect::<Vec<_>>().join(" / ")
    };
    let mut columns = vec![row.title(), printed(|figure| figure.time), printed(|figure| figure.nodes)];
    columns.extend(cells.iter().map(time));
    columns.extend(cells.iter().map(|cell| done(cell).map_or(String::new(), |f| megabytes(f.memory))));
    columns.extend(cells.iter().map(|cell| stored(cell).map_or(String::new(), |s| grouped(&s.to_string()))));
    columns.push(match cells.iter().map(stored).collect::<Vec<_>>()[..] {
        [Some(without), Some(with)] if with > 0 => format!("{:.1}", without as f64 / with as f64),
        _ => String::new(),
    });
    columns
}

fn done(cell: &Cell) -> Option<&Figures> {
    match cell {
        Cell::Done(figures) => Some(figures),
        _ => None,
    }
}

fn stored(cell: &Cell) -> Option<u64> {
    done(cell)?.stored()?.parse().ok()
}

fn time(cell: &Cell) -> String {
    match cell {
        Cell::Done(figures) => seconds(figures.seconds),
        Cell::Stopped(limit) => format!("> limit ({limit})"),
        Cell::Refused(_) => "not possible".to_owned(),
        Cell::NotTried => "not tried".to_owned(),
    }
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", grouped(&bytes.div_ceil(1 << 20).to_string()))
}

/// Where we stand, in words, from the cells alone.
fn stand(rows: &[Measured]) -> String {
    let mut systems: Vec<&str> = rows.iter().map(|(row, _)| row.system).collect();
    systems.dedup();
    let largest = |system: &str, column: usize| {
        let ended = |(row, cells): &&Measured| row.system == system && done(&cells[column]).is_some();
        rows.iter().rev().find(ended).map_or("none".to_owned(), |(row, _)| row.constants[0].1.to_string())
    };
    let of = |system: &&str| format!("{system} {} / {}", largest(system, 0), largest(system, 1));
    let list: Vec<String> = systems.iter().map(of).collect();
    format!(
        "**Where we stand.** The largest that ended within the limits, without / with symmetry: {}.",
        list.join(", ")
    )
}

/// Time and stored states over the first constant.
pub fn picture(rows: &[Measured]) -> String {
    let points = |column: usize, value: fn(&Cell) -> Option<f64>| {
        rows.iter()
            .filter_map(|(row, cells)| Some((f64::from(row.constants[0].1), value(&cells[column])?)))
            .collect::<Vec<_>>()
    };
    let panel = |title, value| Panel { title, without: points(0, value), with: points(1, value) };
    plot::svg(&[
        panel("processor time in seconds", |cell| Some(done(cell)?.seconds)),
        panel("stored states", |cell| stored(cell).map(|stored| stored as f64)),
    ])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::timed::FISCHER;

    #[test]
    fn a_page_and_a_picture() {
        let settings = Settings {
            program: "burnside".into(),
            root: "".into(),
            seconds: 10,
            memory: "2G".to_owned(),
            runs: 1,
            rows: None,
        };
        let without =
            Cell::Done(Figures { seconds: 1.5, states: Some("1300".to_owned()), ..Figures::default() });
        let with =
            Cell::Done(Figures { memory: 7 << 20, orbits: Some("650".to_owned()), ..Figures::default() });
        let cells = [without, with.clone()];
        let stopped = [Cell::Stopped("time".to_owned()), with];
        let row = FISCHER.rows.iter().find(|row| row.constants[0].1 == 20).expect("a row");
        let rows: [Measured; 2] = [(&FISCHER.rows[0], &cells), (row, &stopped)];
        let page = markdown(&FISCHER, &rows, &settings);
        for expected in [
            "| Fischer 2 |  |  | 1.50 s | 0.00 s | 0 MB | 7 MB | 1,300 | 650 | 2.0 |\n",
            "| Fischer 20 | 115 days / 1s | 1000 GB / <10 MB | > limit (time) | 0.00 s |  | 7 MB |  | 650 |  |\n",
            "without / with symmetry: Fischer 2 / 20.",
        ] {
            assert!(page.contains(expected), "{expected}\n{page}");
        }
        assert_eq!(picture(&rows).matches("<circle").count(), 6);
    }
}
