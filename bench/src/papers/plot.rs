//! Plots as pictures of the book: what grows with n, without and with symmetry, all scales logarithmic.

use std::fmt::Write;

/// One plot: its points by n.
#[derive(Clone, Debug)]
pub struct Panel {
    /// What is plotted.
    pub title: &'static str,
    /// Without symmetry.
    pub without: Vec<(f64, f64)>,
    /// With symmetry.
    pub with: Vec<(f64, f64)>,
}

const WIDTH: f64 = 380.0;
const HEIGHT: f64 = 320.0;
/// The area of the points in a panel: left, right, top, bottom.
const AREA: [f64; 4] = [70.0, 360.0, 50.0, 270.0];
/// What takes less than this is drawn as if it took this.
const LEAST: f64 = 0.001;
/// Where n is written.
const TICKS: [f64; 6] = [2.0, 5.0, 10.0, 20.0, 50.0, 100.0];
/// The colour and the name of each line.
const LINES: [(&str, &str); 2] = [("#b03a2e", "without symmetry"), ("#3a6ea5", "with symmetry")];

/// Panels side by side.
pub fn svg(panels: &[Panel]) -> String {
    let width = WIDTH * panels.len() as f64;
    let titles: Vec<&str> = panels.iter().map(|panel| panel.title).collect();
    let mut text = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {HEIGHT}\" role=\"img\" aria-label=\"{} over n, \
         without and with symmetry\" font-family=\"system-ui, sans-serif\" font-size=\"12\">\n  \
         <rect width=\"{width}\" height=\"{HEIGHT}\" fill=\"#ffffff\"/>\n",
        titles.join(" and ")
    );
    for (at, panel) in panels.iter().enumerate() {
        let _ = writeln!(text, "  <g transform=\"translate({} 0)\">", at as f64 * WIDTH);
        draw(&mut text, panel);
        text.push_str("  </g>\n");
    }
    text.push_str("</svg>\n");
    text
}

fn draw(text: &mut String, panel: &Panel) {
    let [left, right, top, bottom] = AREA;
    let points = || panel.without.iter().chain(&panel.with);
    let greatest = points().map(|point| point.1).fold(LEAST, f64::max);
    let least = points().map(|point| point.1.max(LEAST)).fold(greatest, f64::min);
    let (low, mut high) = (least.log10().floor() as i32, greatest.log10().ceil() as i32);
    high = high.max(low + 1);
    let most = points().map(|point| point.0).fold(TICKS[1], f64::max);
    let x = |n: f64| left + (right - left) * (n / TICKS[0]).ln() / (most / TICKS[0]).ln();
    let y = |value: f64| {
        bottom - (bottom - top) * (value.max(LEAST).log10() - f64::from(low)) / f64::from(high - low)
    };
    let _ = writeln!(
        text,
        "    <text x=\"{left}\" y=\"20\" font-size=\"14\" fill=\"#111\">{}</text>",
        panel.title
    );
    for power in low..=high {
        let (height, value) = (y(10f64.powi(power)), 10f64.powi(power));
        let _ = writeln!(
            text,
            "    <path d=\"M{left} {height:.1} H{right}\" stroke=\"#ddddd5\"/><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\" \
             fill=\"#333\">{value}</text>",
            left - 6.0,
            height + 4.0
        );
    }
    for n in TICKS.into_iter().filter(|n| *n <= most) {
        let _ = writeln!(
            text,
            "    <text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\" fill=\"#333\">{n}</text>",
            x(n),
            bottom + 18.0
        );
    }
    for (at, ((color, name), line)) in LINES.into_iter().zip([&panel.without, &panel.with]).enumerate() {
        let places: Vec<(f64, f64)> = line.iter().map(|(n, value)| (x(*n), y(*value))).collect();
        let list: Vec<String> = places.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let _ = writeln!(
            text,
            "    <polyline points=\"{}\" fill=\"none\" stroke=\"{color}\" stroke-width=\"2\"/>",
            list.join(" ")
        );
        for (x, y) in places {
            let _ = writeln!(text, "    <circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"3\" fill=\"{color}\"/>");
        }
        let _ = writeln!(
            text,
            "    <text x=\"{}\" y=\"36\" fill=\"{color}\">{name}</text>",
            left + 130.0 * at as f64
        );
    }
    let _ = writeln!(
        text,
        "    <path d=\"M{left} {top} V{bottom} H{right}\" fill=\"none\" stroke=\"#444\"/><text x=\"{right}\" y=\"{}\" \
         text-anchor=\"end\" fill=\"#333\">processes</text>",
        bottom + 36.0
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_where_they_belong() {
        let panel = Panel {
            title: "states",
            without: vec![(2.0, 1.0), (100.0, 1000.0)],
            with: vec![(2.0, 0.0), (100.0, 1.0)],
        };
        let text = svg(&[panel.clone(), panel]);
        // From 0.001 to 1000: six steps over the height of the area.
        for (x, y) in [(70.0, 160.0), (360.0, 50.0), (70.0, 270.0), (360.0, 160.0)] {
            assert_eq!(text.matches(&format!("cx=\"{x:.1}\" cy=\"{y:.1}\"")).count(), 2);
        }
        assert_eq!(text.matches("<g ").count(), text.matches("</g>").count());
    }
}
