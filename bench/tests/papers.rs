//! The smallest rows of the papers' tables, and smaller ones where those are large: every algorithm applies, and the
//! counts are right.

use std::path::{Path, PathBuf};
use std::process::Command;

use burnside_bench::papers::measured::{Cell, Settings, cell, contradictions};
use burnside_bench::papers::orbit_relation::{ENTRIES, build};
use burnside_bench::papers::tables::TABLES;
use burnside_bench::papers::{Constant, Row, timed, xi};

/// For every system a small instance and its orbits.
type Instance = (&'static str, &'static [Constant], &'static str);
const SMALL: &[Instance] = &[
    ("Mutex", &[("N", 10)], "30"),
    ("MCSLock", &[("N", 4)], "164"),
    ("CCP", &[("N", 2)], "678"),
    ("Peterson", &[("N", 3)], "72"),
    ("Readers-Writers", &[("N", 10)], "836"),
    ("MUTEX", &[("N", 8), ("L", 4)], "81"),
    ("MCS-LOCK", &[("N", 3)], "388"),
    ("Futurebus", &[("N", 3), ("Eager", 1)], "267"),
    ("Arbiter, passed", &[("N", 3), ("Faulty", 0)], "2266"),
    ("Arbiter, failed", &[("N", 3), ("Faulty", 1)], "2266"),
];

/// For every timed system the first row of its table and the states that are stored, without and with symmetry.
const TIMED: &[(&str, [&str; 2])] = &[
    ("Fischer 2", ["22", "11"]),
    ("CSMA/CD 3", ["96", "23"]),
    ("Timeout task 2", ["95", "50"]),
    ("Agreement 2", ["292", "159"]),
    ("Bus 2", ["19", "10"]),
    ("Train gate 2", ["28", "14"]),
    ("Gossip 2", ["11", "10"]),
    ("Token ring 4", ["224", "56"]),
];

/// The program, built if need be.
fn program() -> PathBuf {
    let output = Command::new(env!("CARGO"))
        .args(["build", "--offline", "-p", "burnside", "--bin", "burnside", "--message-format", "json"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    let text = String::from_utf8_lossy(&output.stdout);
    let messages = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    let mut executables = messages.filter_map(|message| message["executable"].as_str().map(PathBuf::from));
    executables.next_back().expect("the program is built")
}

fn settings() -> Settings {
    Settings {
        program: program(),
        root: Path::new(env!("CARGO_MANIFEST_DIR")).join(".."),
        seconds: 120,
        memory: "1G".to_owned(),
        runs: 1,
        rows: None,
    }
}

#[test]
fn every_algorithm_counts_the_same_orbits() {
    let settings = settings();
    for table in TABLES {
        let systems: std::collections::BTreeSet<&str> = table.rows.iter().map(|row| row.system).collect();
        for system in systems {
            let (_, constants, orbits) = SMALL.iter().find(|small| small.0 == system).expect("an instance");
            let row = table.rows.iter().find(|row| row.system == system).expect("a row");
            let row = Row { constants, figures: &[], ..*row };
            let cells: Vec<Cell> =
                table.algorithms.iter().map(|algorithm| cell(&row, algorithm, &settings)).collect();
            for (algorithm, cell) in table.algorithms.iter().zip(&cells) {
                let Cell::Done(figures) = cell else {
                    panic!("{}, {}: {cell:?}", row.title(), algorithm.name);
                };
                assert!(
                    row.violated || figures.orbits.as_ref().is_none_or(|found| found == orbits),
                    "{}, {}: {figures:?}",
                    row.title(),
                    algorithm.name
                );
            }
            assert_eq!(contradictions(&row, table.algorithms, &cells), [""; 0]);
        }
    }
}

#[test]
fn timed_models_store_the_same_states() {
    let settings = settings();
    let mut found: Vec<(String, Vec<String>)> = Vec::new();
    for table in timed::TABLES {
        for (at, row) in table.rows.iter().enumerate() {
            if table.rows[..at].iter().any(|before| before.system == row.system) {
                continue;
            }
            let cells: Vec<Cell> =
                table.algorithms.iter().map(|algorithm| cell(row, algorithm, &settings)).collect();
            assert_eq!(contradictions(row, table.algorithms, &cells), [""; 0]);
            let stored = |cell: &Cell| match cell {
                Cell::Done(figures) => figures.stored().expect("a count").to_owned(),
                other => panic!("{}: {other:?}", row.title()),
            };
            found.push((row.title(), cells.iter().map(stored).collect()));
        }
    }
    let expected: Vec<(String, Vec<String>)> = TIMED
        .iter()
        .map(|(title, counts)| ((*title).to_owned(), counts.map(str::to_owned).to_vec()))
        .collect();
    assert_eq!(found, expected);
}

#[test]
fn sizes_of_the_orbit_relation() {
    let small = ENTRIES.iter().filter(|entry| entry.size.is_some_and(|size| size < 10_000));
    let mut compared = 0;
    for entry in small {
        let (size, _) = build(entry.order, entry.n, entry.l, 1 << 28).expect("enough memory");
        assert_eq!(Some(size), entry.size, "{entry:?}");
        compared += 1;
    }
    assert_eq!(compared, 8);
}

/// Both ways to the representative relation lead to the same one.
#[test]
fn the_representative_relation() {
    for order in ["concatenated", "interleaved"] {
        let built = |way| xi::build(way, order, 3, 0, 3, 1 << 28).expect("enough memory").0;
        assert_eq!(built("create"), built("orbit"), "{order}");
    }
    let built = |way| xi::build(way, "concatenated", 3, 1, 2, 1 << 28).expect("enough memory").0;
    assert_eq!(built("create"), built("orbit"));
}
