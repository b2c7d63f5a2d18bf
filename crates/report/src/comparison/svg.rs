//! A picture of the comparison: for each check a bar for its time and one for its memory. The scales are logarithmic, as
//! checks of one model differ by orders of magnitude.

use std::fmt::Write;

use super::{Comparison, Row};
use crate::symmetry::escape;
use crate::text::{bytes, order};

const ROW: usize = 24;
const LABEL: usize = 250;
const BAR: f64 = 260.0;
const COLUMN: usize = 380;
const TIME: &str = "#4477aa";
const MEMORY: &str = "#ccbb44";
const STOPPED: &str = "#bbbbbb";

pub fn svg(comparison: &Comparison) -> String {
    let rows: Vec<&Row> = comparison.rows.iter().filter(|row| row.figures().is_some()).collect();
    let (width, height) = (LABEL + 2 * COLUMN, 70 + (rows.len() + 1) * ROW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n"
    );
    let _ = writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>");
    let order = order(&comparison.order);
    let title = format!("{}: {} of order {order}", comparison.model, comparison.structure);
    label(&mut svg, 10, 22, &title);
    label(&mut svg, LABEL, 50, "time");
    label(&mut svg, LABEL + COLUMN, 50, "memory");
    let times: Vec<f64> = rows.iter().filter_map(|row| row.figures()).map(|figures| figures.time).collect();
    let memory: Vec<f64> =
        rows.iter().filter_map(|row| row.figures()).map(|figures| figures.peak_memory as f64).collect();
    let (times, memory) = (Scale::over(&times), Scale::over(&memory));
    for (at, row) in rows.iter().enumerate() {
        let Some(figures) = row.figures() else { continue };
        let y = 62 + at * ROW;
        label(&mut svg, 10, y + 14, &row.title());
        let stopped = figures.limit.is_some();
        let color = |usual| if stopped { STOPPED } else { usual };
        let time = format!("{:.2} s{}", figures.time, if stopped { ", stopped" } else { "" });
        bar(&mut svg, LABEL, y, times.length(figures.time), color(TIME), &time);
        let length = memory.length(figures.peak_memory as f64);
        bar(&mut svg, LABEL + COLUMN, y, length, color(MEMORY), &bytes(figures.peak_memory));
    }
    svg.push_str("</svg>\n");
    svg
}

/// Logarithmic between the least and the greatest value, which differ at least tenfold.
struct Scale {
    least: f64,
    span: f64,
}

impl Scale {
    fn over(values: &[f64]) -> Scale {
        let logs = || values.iter().map(|value| value.max(1e-3).log10());
        let least = logs().fold(f64::INFINITY, f64::min) - 0.2;
        let most = logs().fold(f64::NEG_INFINITY, f64::max);
        Scale { least, span: (most - least).max(1.0) }
    }

    fn length(&self, value: f64) -> f64 {
        BAR * (value.max(1e-3).log10() - self.least) / self.span
    }
}

fn label(svg: &mut String, x: usize, y: usize, text: &str) {
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{}</text>", escape(text));
}

fn bar(svg: &mut String, x: usize, y: usize, length: f64, color: &str, text: &str) {
    let _ = writeln!(
        svg,
        "<rect x=\"{x}\" y=\"{y}\" width=\"{length:.1}\" height=\"18\" rx=\"3\" fill=\"{color}\"/>"
    );
    label(svg, x + length as usize + 6, y + 14, text);
}
