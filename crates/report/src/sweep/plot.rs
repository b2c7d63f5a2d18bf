//! Scaling plots: time and size over the first parameter, both on logarithmic scales that say so. A line for each series
//! and each combination of the other parameters; what was stopped is drawn hollow.

use std::fmt::Write;

use super::{Cell, Sweep, seconds};
use crate::symmetry::escape;

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 90.0;
const RIGHT: f64 = 220.0;
const TOP: f64 = 40.0;
const BOTTOM: f64 = 60.0;
/// Colours that can be told apart by everybody.
const COLORS: [&str; 8] =
    ["#4477aa", "#ee6677", "#228833", "#aa3377", "#ccbb44", "#66ccee", "#000000", "#999999"];

/// A line of a plot.
struct Line {
    name: String,
    points: Vec<Point>,
}

/// A check in a plot.
struct Point {
    /// Its horizontal position.
    at: f64,
    value: f64,
    spread: Spread,
    /// Whether it was stopped.
    stopped: bool,
}

/// The least and the greatest of several.
type Spread = Option<(f64, f64)>;

/// What is drawn of a check.
type Value = (f64, Spread);

/// What is drawn, over which values.
struct Plot<'s> {
    title: String,
    unit: String,
    sweep: &'s Sweep,
    lines: Vec<Line>,
    show: fn(f64) -> String,
}

/// The picture: times, and below them sizes.
#[must_use]
pub fn svg(sweep: &Sweep) -> String {
    let plots = plots(sweep);
    let height = HEIGHT * plots.len() as f64;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {height}\" width=\"{WIDTH}\" \
         height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n\
         <rect width=\"{WIDTH}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (number, plot) in plots.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate(0 {})\">", HEIGHT * number as f64);
        plot.draw(&mut svg);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

/// A page with the picture and the table.
#[must_use]
pub fn html(sweep: &Sweep) -> String {
    let (title, picture, table) = (escape(&sweep.model), svg(sweep), escape(&super::text(sweep)));
    format!(
        "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{title}</title>\n\
         <style>body {{ font-family: sans-serif; margin: 1.5em; color: #111; background: #fff }} \
         svg {{ max-width: 100%; height: auto }} pre {{ overflow-x: auto }}</style></head>\n\
         <body><h1>{title}</h1>\n{picture}<pre>{table}</pre>\n</body></html>\n"
    )
}

fn plots(sweep: &Sweep) -> Vec<Plot<'_>> {
    let time = |cell: &Cell| Some((cell.time()?, cell.spread()));
    let stored = |cell: &Cell| {
        let nodes = cell.peak_nodes.map(|nodes| nodes as f64);
        let states = || cell.states.as_ref().and_then(|states| states.parse::<f64>().ok());
        Some((nodes.or_else(states).filter(|count| *count > 0.0)?, None))
    };
    let mut counted: Vec<&str> = Vec::new();
    for series in 0..sweep.series.len() {
        let nodes = sweep.of(series).any(|(_, cell)| cell.peak_nodes.is_some());
        let what = if nodes { "nodes" } else { sweep.counted(series) };
        if !counted.contains(&what) {
            counted.push(what);
        }
    }
    let times = Plot {
        title: format!("{}: time", sweep.model),
        unit: "time [s], logarithmic scale".to_owned(),
        sweep,
        lines: lines(sweep, &time),
        show: |value| seconds_exact(value),
    };
    let sizes = Plot {
        title: format!("{}: {}", sweep.model, counted.join(", ")),
        unit: format!("{}, logarithmic scale", counted.join(", ")),
        sweep,
        lines: lines(sweep, &stored),
        show: |value| power(value),
    };
    [times, sizes].into_iter().filter(|plot| plot.lines.iter().any(|line| !line.points.is_empty())).collect()
}

/// A line for each series and each combination of the other parameters.
fn lines(sweep: &Sweep, value: &dyn Fn(&Cell) -> Option<Value>) -> Vec<Line> {
    let mut lines: Vec<Line> = Vec::new();
    for (series, name) in sweep.series.iter().enumerate() {
        for (point, cell) in sweep.of(series).filter(|(_, cell)| cell.failure.is_none()) {
            let Some((value, spread)) = value(cell) else { continue };
            let others: Vec<String> = sweep.parameters[1..]
                .iter()
                .zip(&point[1..])
                .map(|(name, value)| format!("{name}={value}"))
                .collect();
            let alone = sweep.series.len() == 1;
            let name = match (others.is_empty(), alone) {
                (true, _) => name.clone(),
                (false, true) => others.join(", "),
                (false, false) => format!("{name}, {}", others.join(", ")),
            };
            let at = Point { at: place(sweep, &point[0]), value, spread, stopped: cell.is_stopped() };
            match lines.iter_mut().find(|line| line.name == name) {
                Some(line) => line.points.push(at),
                None => lines.push(Line { name, points: vec![at] }),
            }
        }
    }
    lines
}

/// The values of the first parameter, each once.
fn values(sweep: &Sweep) -> Vec<&str> {
    let mut values: Vec<&str> = Vec::new();
    for point in &sweep.points {
        if !values.contains(&point[0].as_str()) {
            values.push(&point[0]);
        }
    }
    values
}

/// Where a value of the first parameter is: numbers by size, words by position.
fn place(sweep: &Sweep, value: &str) -> f64 {
    let values = values(sweep);
    match value.parse::<f64>() {
        Ok(number) if values.iter().all(|value| value.parse::<f64>().is_ok()) => number,
        _ => values.iter().position(|known| *known == value).unwrap_or(0) as f64,
    }
}

/// A power of ten as a time.
fn seconds_exact(value: f64) -> String {
    match value {
        ..1e-6 => format!("{:.0} ns", value * 1e9),
        ..1e-3 => format!("{:.0} µs", value * 1e6),
        ..1.0 => format!("{:.0} ms", value * 1e3),
        _ => format!("{value:.0} s"),
    }
}

/// A power of ten as a count.
fn power(value: f64) -> String {
    if value < 1e6 { format!("{value:.0}") } else { format!("1e{:.0}", value.log10()) }
}

impl Plot<'_> {
    fn draw(&self, svg: &mut String) {
        let (lo, hi) = self.decades();
        let places: Vec<(f64, &str)> =
            values(self.sweep).into_iter().map(|value| (place(self.sweep, value), value)).collect();
        let least = places.iter().map(|(at, _)| *at).fold(f64::INFINITY, f64::min);
        let most = places.iter().map(|(at, _)| *at).fold(f64::NEG_INFINITY, f64::max);
        let x = |at: f64| {
            let share = if most > least { (at - least) / (most - least) } else { 0.5 };
            LEFT + 12.0 + share * (WIDTH - LEFT - RIGHT - 24.0)
        };
        let y = |value: f64| {
            let share = (value.max(f64::MIN_POSITIVE).log10() - f64::from(lo)) / f64::from(hi - lo);
            HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
        };
        let (right, bottom) = (WIDTH - RIGHT, HEIGHT - BOTTOM);
        let _ = writeln!(svg, "<text x=\"{LEFT}\" y=\"22\" font-size=\"14\">{}</text>", escape(&self.title));
        for decade in lo..=hi {
            let value = 10f64.powi(decade);
            let at = y(value);
            let label = (self.show)(value);
            let _ = writeln!(
                svg,
                "<path d=\"M{LEFT} {at:.1}H{right}\" stroke=\"#ddd\"/><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>",
                LEFT - 8.0,
                at + 4.0
            );
        }
        for (at, value) in &places {
            let at = x(*at);
            let _ = writeln!(
                svg,
                "<path d=\"M{at:.1} {bottom}v5\" stroke=\"black\"/><text x=\"{at:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>",
                bottom + 18.0,
                escape(value)
            );
        }
        let _ = writeln!(
            svg,
            "<path d=\"M{LEFT} {TOP}V{bottom}H{right}\" fill=\"none\" stroke=\"black\"/>\n\
             <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"middle\">{}</text>\n\
             <text transform=\"translate(18 {:.1}) rotate(-90)\" text-anchor=\"middle\">{}</text>",
            (LEFT + right) / 2.0,
            bottom + 40.0,
            escape(&self.sweep.parameters[0]),
            (TOP + bottom) / 2.0,
            escape(&self.unit)
        );
        for (number, line) in self.lines.iter().enumerate() {
            line.draw(svg, number, &x, &y);
        }
    }

    /// The powers of ten around all values.
    fn decades(&self) -> (i32, i32) {
        let all = || {
            let points = self.lines.iter().flat_map(|line| &line.points);
            points.flat_map(|point| {
                let (least, most) = point.spread.unwrap_or((point.value, point.value));
                [least, most]
            })
        };
        let least = all().fold(f64::INFINITY, f64::min).max(1e-9).log10().floor() as i32;
        let most = all().fold(f64::NEG_INFINITY, f64::max).max(1e-9).log10().ceil() as i32;
        (least, most.max(least + 1))
    }
}

impl Line {
    fn draw(&self, svg: &mut String, number: usize, x: &dyn Fn(f64) -> f64, y: &dyn Fn(f64) -> f64) {
        let color = COLORS[number % COLORS.len()];
        // More lines than colours differ by their dashes.
        let dash = match number / COLORS.len() {
            0 => String::new(),
            round => format!(" stroke-dasharray=\"{} 3\"", 3 * round),
        };
        let path: Vec<String> =
            self.points.iter().map(|point| format!("{:.1} {:.1}", x(point.at), y(point.value))).collect();
        let _ = writeln!(
            svg,
            "<path d=\"M{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"{dash}/>",
            path.join("L")
        );
        for Point { at, value, spread, stopped } in &self.points {
            let (x, height) = (x(*at), y(*value));
            if let Some((least, most)) = spread {
                let _ = writeln!(
                    svg,
                    "<path d=\"M{x:.1} {:.1}V{:.1}\" stroke=\"{color}\"/>",
                    y(*least),
                    y(*most)
                );
            }
            let fill = if *stopped { "white" } else { color };
            let said = if *stopped { " (stopped)" } else { "" };
            let _ = writeln!(
                svg,
                "<circle cx=\"{x:.1}\" cy=\"{height:.1}\" r=\"4\" fill=\"{fill}\" stroke=\"{color}\"><title>{}: {}{said}</title></circle>",
                escape(&self.name),
                shown(*value)
            );
        }
        let (left, top) = (WIDTH - RIGHT + 16.0, TOP + 18.0 * number as f64);
        let _ = writeln!(
            svg,
            "<path d=\"M{left} {top}h18\" stroke=\"{color}\" stroke-width=\"2\"{dash}/><text x=\"{}\" y=\"{}\">{}</text>",
            left + 24.0,
            top + 4.0,
            escape(&self.name)
        );
    }
}

/// A value when it is pointed at: what is below a thousand may be a time, and is shown with its digits.
fn shown(value: f64) -> String {
    if value.fract() == 0.0 { format!("{value}") } else { seconds(value) }
}
