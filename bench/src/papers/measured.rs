//! The cells of a table: what a run of `burnside check` found, and what it took.

use std::path::PathBuf;

use serde_json::Value;

use super::{Algorithm, Row, Table};
use crate::measure::{self, Run};

/// How cells are measured.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The program `burnside`.
    pub program: PathBuf,
    /// The folder with the models and their queries.
    pub root: PathBuf,
    /// How many seconds of processor time a cell may take.
    pub seconds: u64,
    /// How much memory it may use, as `check --memory` takes it.
    pub memory: String,
    /// The best of so many runs counts.
    pub runs: u32,
    /// So many rows of each system, all if absent.
    pub rows: Option<usize>,
}

impl Settings {
    /// Whether a row is wanted that has so many of its kind before it.
    pub fn wants(&self, before: usize) -> bool {
        self.rows.is_none_or(|rows| before < rows)
    }
}

/// What became of a cell.
#[derive(Clone, Debug, PartialEq)]
pub enum Cell {
    /// It ended.
    Done(Figures),
    /// A limit ended it: which.
    Stopped(String),
    /// It is not possible, and why.
    Refused(String),
    /// It was not tried, as a smaller one was stopped already.
    NotTried,
}

/// What a cell found, and what it took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// Seconds of processor time.
    pub seconds: f64,
    /// The most nodes in use at a time, for decision diagrams; or those of the one relation of all steps, if there is one.
    pub nodes: Option<u64>,
    /// The peak of the resident memory, in bytes.
    pub memory: u64,
    /// Whether everything holds.
    pub holds: bool,
    /// Whether something is violated.
    pub violated: bool,
    /// The orbits, if there is one representative for each.
    pub orbits: Option<String>,
    /// All states, where known.
    pub states: Option<String>,
}

impl Figures {
    /// What was stored: representatives, or all states if nothing was reduced. Of a timed model, states with zones.
    pub fn stored(&self) -> Option<&str> {
        self.orbits.as_deref().or(self.states.as_deref())
    }
}

/// Measures a table. `say` is told of each cell as it is known.
pub fn table(table: &Table, rows: &[&Row], settings: &Settings, mut say: impl FnMut(&str)) -> Vec<Vec<Cell>> {
    let mut measured: Vec<Vec<Cell>> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let mut cells = Vec::new();
        for (column, algorithm) in table.algorithms.iter().enumerate() {
            let stopped = |other: usize| {
                rows[other].system == row.system
                    && matches!(measured[other][column], Cell::Stopped(_) | Cell::NotTried)
            };
            let cell = if (0..at).any(stopped) { Cell::NotTried } else { cell(row, algorithm, settings) };
            say(&format!("{}, {}: {}", row.title(), algorithm.name, summary(&cell)));
            cells.push(cell);
        }
        measured.push(cells);
    }
    measured
}

fn summary(cell: &Cell) -> String {
    match cell {
        Cell::Done(figures) => {
            let nodes = figures.nodes.map_or(String::new(), |nodes| format!(", {nodes} nodes"));
            let orbits = figures.orbits.as_ref().map_or(String::new(), |orbits| format!(", {orbits} orbits"));
            format!("{:.2} s{nodes}{orbits}", figures.seconds)
        }
        Cell::Stopped(limit) => format!("stopped by {limit}"),
        Cell::Refused(why) => format!("not possible: {why}"),
        Cell::NotTried => "not tried".to_owned(),
    }
}

/// Measures one cell. Deadlocks are not looked for, as the papers do not.
pub fn cell(row: &Row, algorithm: &Algorithm, settings: &Settings) -> Cell {
    let mut command = vec![settings.program.to_string_lossy().into_owned()];
    command.extend(row.arguments(&settings.root, algorithm));
    if !row.is_timed() {
        command.extend(["--deadlock", "off"].map(str::to_owned));
    }
    command.extend(["--trace", "off", "--json", "-"].map(str::to_owned));
    command.extend(["--memory".to_owned(), settings.memory.clone()]);
    match measure::best(settings.runs, || measure::run_cpu(&command, settings.seconds)) {
        Ok(run) => read(&run),
        Err(_) => Cell::Stopped("time".to_owned()),
    }
}

fn read(run: &Run) -> Cell {
    let Ok(json) = serde_json::from_str::<Value>(&run.output) else {
        let said = run.errors.lines().rfind(|line| line.contains("error")).unwrap_or_default();
        return match run.code {
            Some(129..) => Cell::Stopped("time".to_owned()),
            Some(2) => Cell::Refused(said.trim_start_matches("error: ").to_owned()),
            code => Cell::Refused(format!("failed with exit code {code:?}: {said}")),
        };
    };
    if let Some(limit) = json["limit"].as_str().filter(|limit| *limit != "max-errors") {
        return Cell::Stopped(limit.to_owned());
    }
    let reduction = json["reduction"].as_str().unwrap_or_default();
    let states = count(&json["states"]);
    let is_orbits = !["none", "adaptive"].contains(&reduction) && json["exact"] == true;
    Cell::Done(Figures {
        seconds: run.cpu,
        nodes: ["relation", "live", "peak"]
            .iter()
            .find_map(|of| json["nodes"][of].as_u64().filter(|nodes| *nodes > 0)),
        memory: run.peak.max(json["peak_memory_bytes"].as_u64().unwrap_or(0)),
        holds: json["verdict"] == "holds",
        violated: json["verdict"] == "violated",
        orbits: states.clone().filter(|_| is_orbits),
        states: count(&json["full_states"]).or(states.filter(|_| reduction == "none")),
    })
}

/// A count is a number, or a decimal text where numbers are too small.
fn count(value: &Value) -> Option<String> {
    value.as_u64().map(|number| number.to_string()).or_else(|| value.as_str().map(str::to_owned))
}

/// What is wrong with the counts and verdicts of a row: they must agree with each other and with the formula.
pub fn contradictions(row: &Row, algorithms: &[Algorithm], cells: &[Cell]) -> Vec<String> {
    let mut found = Vec::new();
    let formula = row.orbits.map(|orbits| orbits(row.constants)).filter(|orbits| *orbits < u128::MAX);
    let mut orbits = formula.map(|orbits| orbits.to_string());
    let mut states: Option<String> = None;
    for (algorithm, cell) in algorithms.iter().zip(cells) {
        let Cell::Done(figures) = cell else { continue };
        let place = format!("{}, {}", row.title(), algorithm.name);
        if row.violated && !figures.violated {
            found.push(format!("{place}: nothing is violated"));
        }
        // How far a search comes that a violation ends is its own affair.
        if row.violated {
            continue;
        }
        if !figures.holds {
            found.push(format!("{place}: not everything holds"));
        }
        let counts = [(&figures.orbits, &mut orbits, "orbits"), (&figures.states, &mut states, "states")];
        for (count, expected, what) in counts {
            let Some(count) = count else { continue };
            if expected.get_or_insert_with(|| count.clone()) != count {
                found.push(format!(
                    "{place}: {count} {what} in place of {}",
                    expected.as_ref().unwrap_or(count)
                ));
            }
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::papers::tables::TABLES;

    fn done(orbits: Option<&str>, states: &str) -> Cell {
        Cell::Done(Figures {
            holds: true,
            orbits: orbits.map(str::to_owned),
            states: Some(states.to_owned()),
            ..Figures::default()
        })
    }

    #[test]
    fn counts_must_agree() {
        let table = &TABLES[0];
        let row = &table.rows[0];
        let found = |cells: &[Cell]| contradictions(row, table.algorithms, cells);
        assert!(found(&[done(Some("600"), "7"), done(None, "7"), Cell::NotTried]).is_empty());
        assert_eq!(
            found(&[done(Some("601"), "7")]),
            ["Mutex 200, old: dynamic, bubble sort: 601 orbits in place of 600"]
        );
        assert_eq!(found(&[done(None, "7"), done(None, "8")]).len(), 1);
        assert_eq!(found(&[Cell::Done(Figures::default())]).len(), 1);
    }

    #[test]
    fn results_are_read() {
        let output = r#"{"limit": null, "reduction": "dynamic", "exact": true, "states": 9, "full_states": "36",
            "verdict": "holds", "nodes": {"peak": 12, "live": 7}}"#;
        let run = |output: &str, code| Run { output: output.to_owned(), code: Some(code), ..Run::default() };
        let Cell::Done(figures) = read(&run(output, 0)) else { panic!("it ended") };
        assert_eq!((figures.orbits.as_deref(), figures.states.as_deref()), (Some("9"), Some("36")));
        assert_eq!((figures.nodes, figures.holds), (Some(7), true));
        let stopped = output.replace("null", "\"time\"");
        assert_eq!(read(&run(&stopped, 3)), Cell::Stopped("time".to_owned()));
        let refused = Run { errors: "error: no ids in locals\n".to_owned(), ..run("", 2) };
        assert_eq!(read(&refused), Cell::Refused("no ids in locals".to_owned()));
    }
}
