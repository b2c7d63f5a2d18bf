//! A measured table as Markdown for the book, and as tab-separated values.

use std::fmt::Write;
use std::path::Path;

use super::Table;
use super::measured::{Cell, Figures, Settings};
use super::orbit_relation::{Entry, NAME};
use super::{Algorithm, Row, xi};

/// A row and its cells.
pub type Measured<'a> = (&'a Row, &'a [Cell]);

/// A table as a page of the book.
pub fn markdown(table: &Table, rows: &[Measured], settings: &Settings) -> String {
    let mut text = heading(table.name, table.title, table.source, settings);
    let _ = writeln!(text, "{}\n", table.notes);
    let _ = writeln!(
        text,
        "Each cell is a run of its own, with `--deadlock off --memory {}` and at most {} seconds of processor time. *×* is the \
         paper's time over ours, on machines many years apart. Nodes are the most in use at a time.\n",
        settings.memory, settings.seconds
    );
    text.push_str("| system | algorithm | paper: nodes | paper: time | nodes | time | × | orbits |\n");
    text.push_str("|---|---|---:|---:|---:|---:|---:|---:|\n");
    for (row, cells) in rows {
        for (algorithm, cell) in table.algorithms.iter().zip(*cells) {
            let _ = writeln!(text, "| {} |", columns(row, algorithm, cell).join(" | "));
        }
    }
    let _ = writeln!(text, "\n{}", stand(table, rows));
    text.push_str("\nThe algorithms:\n\n");
    for algorithm in table.algorithms {
        let options = if algorithm.options.is_empty() { "no option".to_owned() } else { options(algorithm) };
        let _ = writeln!(text, "- *{}*: {options}", algorithm.name);
    }
    text
}

fn options(algorithm: &Algorithm) -> String {
    format!("`{}`", algorithm.options.join(" "))
}

pub(super) fn heading(name: &str, title: &str, source: &str, settings: &Settings) -> String {
    let rows = settings.rows.map_or(String::new(), |rows| format!(" --rows {rows}"));
    let command =
        format!("bench/papers --time {} --memory {}{rows} {name}", settings.seconds, settings.memory);
    format!("<!-- Written by bench/papers. -->\n\n# {title}\n\n{source}.\n\n```sh\n{command}\n```\n\n")
}

fn columns(row: &Row, algorithm: &Algorithm, cell: &Cell) -> [String; 8] {
    let printed = row.figure(algorithm);
    let (nodes, time) = printed.map_or(("", ""), |figure| (figure.nodes, figure.time));
    let [our_nodes, our_time, ratio, orbits] = match cell {
        Cell::Done(figures) => {
            let ratio =
                printed.and_then(|figure| figure.seconds()).map(|paper| paper / figures.seconds.max(0.01));
            [
                figures.nodes.map_or(String::new(), |nodes| grouped(&nodes.to_string())),
                seconds(figures.seconds),
                ratio.map_or(String::new(), |ratio| format!("{}", Ratio(ratio))),
                figures.orbits.as_deref().map_or(String::new(), grouped),
            ]
        }
        Cell::Stopped(limit) => [String::new(), format!("> limit ({limit})"), String::new(), String::new()],
        Cell::Refused(_) => [String::new(), "not possible".to_owned(), String::new(), String::new()],
        Cell::NotTried => [String::new(), "not tried".to_owned(), String::new(), String::new()],
    };
    [
        row.title(),
        algorithm.name.to_owned(),
        nodes.to_owned(),
        time.to_owned(),
        our_nodes,
        our_time,
        ratio,
        orbits,
    ]
}

/// A ratio with as many digits as it deserves.
struct Ratio(f64);

impl std::fmt::Display for Ratio {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self.0 {
            small if small < 10.0 => write!(f, "{small:.1}"),
            large => f.write_str(&grouped(&format!("{large:.0}"))),
        }
    }
}

pub(super) fn seconds(seconds: f64) -> String {
    if seconds < 10.0 { format!("{seconds:.2} s") } else { format!("{seconds:.0} s") }
}

/// Digits in groups of three; many of them rounded: `1.23e40`.
pub(super) fn grouped(digits: &str) -> String {
    if digits.len() > 15 {
        return format!("{}.{}e{}", &digits[..1], &digits[1..3], digits.len() - 1);
    }
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// Where we stand, in words, from the cells alone.
fn stand(table: &Table, rows: &[Measured]) -> String {
    let cells = || {
        rows.iter().flat_map(|(row, cells)| {
            table.algorithms.iter().zip(*cells).map(move |(algorithm, cell)| (*row, algorithm, cell))
        })
    };
    let done = |cell: &Cell| matches!(cell, Cell::Done(_));
    let ended = cells().filter(|(_, _, cell)| done(cell)).count();
    let mut text =
        format!("**Where we stand.** {ended} of {} cells ended within the limits.", cells().count());
    let compared: Vec<(f64, f64)> = cells()
        .filter_map(|(row, algorithm, cell)| Some((row.figure(algorithm)?.seconds()?, time(cell)?)))
        .collect();
    let faster = compared.iter().filter(|(paper, ours)| ours < paper).count();
    let _ = write!(text, " Of {} with a time in the paper, {faster} took less than there.", compared.len());
    let missed: Vec<String> = cells()
        .filter(|(row, algorithm, cell)| {
            !done(cell) && row.figure(algorithm).is_some_and(|figure| figure.seconds().is_some())
        })
        .map(|(row, algorithm, _)| format!("{} ({})", row.title(), algorithm.name))
        .collect();
    if !missed.is_empty() {
        let _ = write!(text, " The paper has figures for these, and we do not: {}.", missed.join("; "));
    }
    let beaten = rows.iter().filter(|(_, cells)| unreduced_is_best(table, cells)).count();
    let _ = write!(
        text,
        " In {beaten} of {} rows, decision diagrams without any reduction were faster than with every one.",
        rows.len()
    );
    text
}

fn time(cell: &Cell) -> Option<f64> {
    match cell {
        Cell::Done(Figures { seconds, .. }) => Some(*seconds),
        _ => None,
    }
}

/// Whether unreduced decision diagrams ended, and before every reduction of them.
fn unreduced_is_best(table: &Table, cells: &[Cell]) -> bool {
    let is_unreduced = |algorithm: &Algorithm| algorithm.options.contains(&"none");
    let of = |wanted: bool| {
        let by_diagrams = |algorithm: &Algorithm| algorithm.options.starts_with(&["--engine", "bdd"]);
        let chosen = table
            .algorithms
            .iter()
            .zip(cells)
            .filter(move |(algorithm, _)| by_diagrams(algorithm) && is_unreduced(algorithm) == wanted);
        chosen.filter_map(|(_, cell)| time(cell)).fold(f64::INFINITY, f64::min)
    };
    of(true) < of(false)
}

/// A table as tab-separated values.
pub fn tsv(table: &Table, rows: &[Measured]) -> String {
    let mut text = "system\talgorithm\tcommand\tpaper_nodes\tpaper_time\toutcome\tcpu_s\tnodes\tmemory_bytes\torbits\tstates\n"
        .to_owned();
    for (row, cells) in rows {
        for (algorithm, cell) in table.algorithms.iter().zip(*cells) {
            let (nodes, time) = row.figure(algorithm).map_or(("", ""), |figure| (figure.nodes, figure.time));
            let command = format!("burnside {}", row.arguments(Path::new(""), algorithm).join(" "));
            let _ = write!(text, "{}\t{}\t{command}\t{nodes}\t{time}\t", row.title(), algorithm.name);
            let _ = match cell {
                Cell::Done(figures) => {
                    let count = |count: &Option<String>| count.clone().unwrap_or_default();
                    let nodes = figures.nodes.map_or(String::new(), |nodes| nodes.to_string());
                    let (orbits, states) = (count(&figures.orbits), count(&figures.states));
                    writeln!(
                        text,
                        "done\t{:.3}\t{nodes}\t{}\t{orbits}\t{states}",
                        figures.seconds, figures.memory
                    )
                }
                Cell::Stopped(limit) => writeln!(text, "stopped: {limit}\t\t\t\t\t"),
                Cell::Refused(why) => writeln!(text, "not possible: {why}\t\t\t\t\t"),
                Cell::NotTried => writeln!(text, "not tried\t\t\t\t\t"),
            };
        }
    }
    text
}

/// The size of an orbit relation, the most nodes on the way, and the seconds that took; or the limit that came first.
pub type Built = Result<(usize, usize, f64), String>;

/// The survey's table as a page of the book.
pub fn orbit_relation_markdown(entries: &[(&Entry, Built)], settings: &Settings) -> String {
    let mut text = heading(
        NAME,
        "How large the orbit relation is",
        "T. Wahl and A. Donaldson, *Replication and Abstraction: Symmetry in Automated Formal Verification* (Symmetry \
         2010), Table 1",
        settings,
    );
    let _ = writeln!(
        text,
        "Full symmetry of n components with l local states each, without shared variables. Sizes are those of diagrams \
         with complement edges, the terminal included, and must be equal: they depend on the order of variables alone. \
         Peaks depend on the package (CUDD there, OxiDD here, garbage included here). At most {} s and {} for each.\n",
        settings.seconds, settings.memory
    );
    text.push_str("| order | n | l | survey: size | size | survey: peak | peak | time |\n");
    text.push_str("|---|---:|---:|---:|---:|---:|---:|---:|\n");
    for (entry, built) in entries {
        let printed = |number: Option<usize>| number.map_or("—".to_owned(), |n| grouped(&n.to_string()));
        let (size, peak, time) = match built {
            Ok((size, peak, time)) => {
                (grouped(&size.to_string()), grouped(&peak.to_string()), seconds(*time))
            }
            Err(limit) => (String::new(), String::new(), format!("> limit ({limit})")),
        };
        let _ = writeln!(
            text,
            "| {} | {} | {} | {} | {size} | {} | {peak} | {time} |",
            entry.order,
            entry.n,
            entry.l,
            printed(entry.size),
            printed(entry.peak),
        );
    }
    let same =
        entries.iter().filter(|(entry, built)| matches!(built, Ok((size, ..)) if Some(*size) == entry.size));
    let known = entries.iter().filter(|(entry, _)| entry.size.is_some());
    let _ = writeln!(
        text,
        "\n**Where we stand.** {} of the survey's {} sizes are reproduced exactly.",
        same.count(),
        known.count()
    );
    text
}

/// A row of the figure on ξ: by the orbit relation, and created.
pub type BuiltXi<'a> = (&'a xi::Entry, [Built; 2]);

/// The figure on ξ as a page of the book.
pub fn xi_markdown(entries: &[BuiltXi], settings: &Settings) -> String {
    let mut text = heading(
        xi::NAME,
        "Two ways to the representative relation",
        "S. Barner and O. Grumberg, *Combining Symmetry Reduction and Under-Approximation for Symbolic Model Checking* (CAV \
         2002), Figure 7",
        settings,
    );
    let _ = writeln!(
        text,
        "The relation between the least states and all states of their orbits, for full symmetry of components with four bits, \
         in the concatenated order. *Orbit to ξ* builds the orbit relation first, *Create ξ* does not. Nodes are the most at a time, \
         garbage included. At most {} s and {} for each.\n",
        settings.seconds, settings.memory
    );
    text.push_str("| generators | bits | way | paper: time | paper: memory | size | nodes | time |\n");
    text.push_str("|---:|---:|---|---:|---:|---:|---:|---:|\n");
    for (entry, built) in entries {
        let ways = [("orbit to ξ", entry.orbit), ("Create ξ", entry.create)];
        for ((way, (time, memory)), built) in ways.into_iter().zip(built) {
            let (size, nodes, took) = match built {
                Ok((size, peak, took)) => {
                    (grouped(&size.to_string()), grouped(&peak.to_string()), seconds(*took))
                }
                Err(limit) => (String::new(), String::new(), format!("> limit ({limit})")),
            };
            let _ = writeln!(
                text,
                "| {} | {} | {way} | {time} | {memory} | {size} | {nodes} | {took} |",
                entry.generators, entry.bits
            );
        }
    }
    text
}

/// The figure on ξ as tab-separated values.
pub fn xi_tsv(entries: &[BuiltXi]) -> String {
    let mut text = "generators\tbits\tway\tpaper_time\tpaper_memory\tsize\tpeak\tcpu_s\n".to_owned();
    for (entry, built) in entries {
        for ((way, (time, memory)), built) in
            [("orbit", entry.orbit), ("create", entry.create)].into_iter().zip(built)
        {
            let ours = match built {
                Ok((size, peak, seconds)) => format!("{size}\t{peak}\t{seconds:.3}"),
                Err(limit) => format!("stopped: {limit}\t\t"),
            };
            let _ = writeln!(text, "{}\t{}\t{way}\t{time}\t{memory}\t{ours}", entry.generators, entry.bits);
        }
    }
    text
}

/// The survey's table as tab-separated values.
pub fn orbit_relation_tsv(entries: &[(&Entry, Built)]) -> String {
    let mut text = "order\tn\tl\tsurvey_size\tsurvey_peak\tsize\tpeak\tcpu_s\n".to_owned();
    for (entry, built) in entries {
        let printed = |number: Option<usize>| number.map_or(String::new(), |number| number.to_string());
        let ours = match built {
            Ok((size, peak, seconds)) => format!("{size}\t{peak}\t{seconds:.3}"),
            Err(limit) => format!("stopped: {limit}\t\t"),
        };
        let (size, peak) = (printed(entry.size), printed(entry.peak));
        let _ = writeln!(text, "{}\t{}\t{}\t{size}\t{peak}\t{ours}", entry.order, entry.n, entry.l);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::tables::TABLES;

    fn settings() -> Settings {
        Settings {
            program: "burnside".into(),
            root: "".into(),
            seconds: 60,
            memory: "2G".to_owned(),
            runs: 1,
            rows: None,
        }
    }

    #[test]
    fn a_page() {
        let table = &TABLES[0];
        let done =
            |seconds| Cell::Done(Figures { seconds, orbits: Some("600".to_owned()), ..Figures::default() });
        let stopped = Cell::Stopped("time".to_owned());
        let cells = [stopped, done(32.0), done(11.0), done(5.0), done(6.0), done(0.5), done(0.25)];
        let page = markdown(table, &[(&table.rows[0], &cells)], &settings());
        for expected in [
            "| Mutex 200 | old: dynamic, bubble sort | 337,709 | 4:25m |  | > limit (time) |  |  |\n",
            "| Mutex 200 | new: component | 54,684 | 22s |  | 11 s | 2.0 | 600 |\n",
            "6 of 7 cells ended within the limits. Of 2 with a time in the paper, 2 took less than there.",
            "and we do not: Mutex 200 (old: dynamic, bubble sort).",
            "In 1 of 1 rows,",
        ] {
            assert!(page.contains(expected), "{expected}\n{page}");
        }
        let values = tsv(table, &[(&table.rows[0], &cells)]);
        let lines: Vec<&str> = values.lines().collect();
        assert_eq!(lines.len(), 8);
        assert!(lines.iter().all(|line| line.split('\t').count() == 11), "{values}");
    }
}
