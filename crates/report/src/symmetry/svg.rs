//! A picture of the orbits: one row for each, the variables on the left, the rules on the right. What is on one row can
//! be moved onto each other.

use std::fmt::Write;

use super::{Analysis, Orbit};
use crate::text::order;

const ROW: usize = 26;
const BOX: usize = 18;
const LABEL: usize = 220;
const MOST_ROWS: usize = 60;
const MOST_BOXES: usize = 24;
const COLORS: [&str; 8] =
    ["#4477aa", "#ee6677", "#228833", "#ccbb44", "#66ccee", "#aa3377", "#997700", "#557799"];

pub fn svg(analysis: &Analysis) -> String {
    let column = LABEL + MOST_BOXES * BOX + 80;
    let rows = shown(&analysis.variables).max(shown(&analysis.rules));
    let (width, height) = (2 * column, 70 + (rows + 1) * ROW);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" font-family=\"sans-serif\" font-size=\"12\">\n"
    );
    let _ = writeln!(svg, "<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>");
    let order = order(&analysis.symmetry.order);
    let title = format!("{}: {} of order {order}", analysis.model, analysis.symmetry.structure);
    let _ = writeln!(svg, "<text x=\"10\" y=\"22\" font-size=\"15\">{}</text>", escape(&title));
    orbits(&mut svg, "orbits of variables", &analysis.variables, 10);
    orbits(&mut svg, "orbits of rules", &analysis.rules, column + 10);
    svg.push_str("</svg>\n");
    svg
}

fn shown(orbits: &[Orbit]) -> usize {
    orbits.len().min(MOST_ROWS) + usize::from(orbits.len() > MOST_ROWS)
}

fn orbits(svg: &mut String, heading: &str, orbits: &[Orbit], x: usize) {
    let _ = writeln!(svg, "<text x=\"{x}\" y=\"50\" font-weight=\"bold\">{}</text>", escape(heading));
    for (row, orbit) in orbits.iter().take(MOST_ROWS).enumerate() {
        let y = 62 + row * ROW;
        let label: String = orbit.name.chars().take(34).collect();
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\">{}</text>", y + 14, escape(&label));
        let color = if orbit.members.len() > 1 { COLORS[row % COLORS.len()] } else { "#bbbbbb" };
        for (i, member) in orbit.members.iter().take(MOST_BOXES).enumerate() {
            let _ = writeln!(
                svg,
                "<rect x=\"{}\" y=\"{y}\" width=\"{}\" height=\"{}\" rx=\"3\" fill=\"{color}\"><title>{}</title></rect>",
                x + LABEL + i * BOX,
                BOX - 3,
                BOX - 1,
                escape(member)
            );
        }
        if orbit.members.len() > MOST_BOXES {
            let at = x + LABEL + MOST_BOXES * BOX + 4;
            let more = orbit.members.len() - MOST_BOXES;
            let _ = writeln!(svg, "<text x=\"{at}\" y=\"{}\">+{more}</text>", y + 14);
        }
    }
    if orbits.len() > MOST_ROWS {
        let y = 62 + MOST_ROWS * ROW + 14;
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">and {} more</text>", orbits.len() - MOST_ROWS);
    }
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
