//! The tables of the papers on symbolic symmetry reduction and on timed models, measured again and printed beside their figures.
//!
//! `papers [OPTIONS] [TABLE...]`: measures these tables, all if none is named, and writes each as a page of the book and
//! as tab-separated values into `docs/src/papers`. Exit code 1 if counts or verdicts contradict each other, a formula or
//! the survey's sizes.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use burnside_bench::measure;
use burnside_bench::papers::measured::{Settings, contradictions, table as measure_table};
use burnside_bench::papers::orbit_relation::{ENTRIES, Entry, NAME, build};
use burnside_bench::papers::render::{self, Built, Measured};
use burnside_bench::papers::tables::TABLES;
use burnside_bench::papers::{Row, Table, timed, timed_page, xi};

const USAGE: &str = "usage: papers [--burnside PROGRAM] [--time SECONDS] [--memory SIZE] [--runs K] [--rows N] \
    [--into FOLDER] [TABLE...]\n\n--time: processor seconds of each cell\n--rows N: only the first N rows of each system, or of each order";

struct Arguments {
    settings: Settings,
    folder: PathBuf,
    tables: Vec<String>,
}

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let done = match words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        // A process of its own for each relation, started below.
        ["--orbit-relation", order, n, l, megabytes] => orbit_relation(order, n, l, megabytes),
        ["--xi", way, moving, fixed, megabytes] => representative_relation(way, moving, fixed, megabytes),
        _ => arguments(words).and_then(|arguments| all(&arguments)),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("papers: {message}");
            ExitCode::from(2)
        }
    }
}

fn arguments(words: Vec<String>) -> Result<Arguments, String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let program = std::env::current_exe().map_err(|error| error.to_string())?.with_file_name("burnside");
    let settings =
        Settings { program, root: root.clone(), seconds: 60, memory: "2G".to_owned(), runs: 1, rows: None };
    let mut arguments = Arguments { settings, folder: root.join("docs/src/papers"), tables: Vec::new() };
    let mut words = words.into_iter();
    while let Some(word) = words.next() {
        let mut value = || words.next().ok_or(USAGE.to_owned());
        let number = |text: String| text.parse::<u64>().map_err(|_| USAGE.to_owned());
        match word.as_str() {
            "--burnside" => arguments.settings.program = PathBuf::from(value()?),
            "--time" => arguments.settings.seconds = number(value()?)?,
            "--memory" => arguments.settings.memory = value()?,
            "--runs" => arguments.settings.runs = number(value()?)? as u32,
            "--rows" => arguments.settings.rows = Some(number(value()?)? as usize),
            "--into" => arguments.folder = PathBuf::from(value()?),
            name if name == NAME || name == xi::NAME || tables().any(|table| table.name == name) => {
                arguments.tables.push(word)
            }
            _ => {
                let names: Vec<&str> = tables().map(|table| table.name).collect();
                return Err(format!("{USAGE}\n\ntables: {NAME} {} {}", names.join(" "), xi::NAME));
            }
        }
    }
    Ok(arguments)
}

/// The tables that are about models.
fn tables() -> impl Iterator<Item = &'static Table> {
    TABLES.iter().chain(timed::TABLES)
}

/// Measures what is asked for; whether all counts are right.
fn all(arguments: &Arguments) -> Result<bool, String> {
    let wanted =
        |name: &str| arguments.tables.is_empty() || arguments.tables.iter().any(|table| table == name);
    std::fs::create_dir_all(&arguments.folder).map_err(|error| error.to_string())?;
    let mut right = true;
    if wanted(NAME) {
        right &= survey(arguments)?;
    }
    for table in tables().filter(|table| wanted(table.name)) {
        right &= one(table, arguments)?;
    }
    if wanted(xi::NAME) {
        right &= figure_of_xi(arguments)?;
    }
    Ok(right)
}

fn one(table: &Table, arguments: &Arguments) -> Result<bool, String> {
    let before =
        |at: usize| table.rows[..at].iter().filter(|row| row.system == table.rows[at].system).count();
    let rows: Vec<&Row> = (0..table.rows.len())
        .filter(|at| arguments.settings.wants(before(*at)))
        .map(|at| &table.rows[at])
        .collect();
    let cells = measure_table(table, &rows, &arguments.settings, |line| eprintln!("{}: {line}", table.name));
    let measured: Vec<Measured> = rows.iter().copied().zip(cells.iter().map(Vec::as_slice)).collect();
    let page = match table.is_timed() {
        true => timed_page::markdown(table, &measured, &arguments.settings),
        false => render::markdown(table, &measured, &arguments.settings),
    };
    write(arguments, table.name, &page, &render::tsv(table, &measured))?;
    if table.name == timed::FISCHER.name {
        write_file(arguments, table.name, "svg", &timed_page::picture(&measured))?;
    }
    let wrong: Vec<String> =
        measured.iter().flat_map(|(row, cells)| contradictions(row, table.algorithms, cells)).collect();
    wrong.iter().for_each(|line| eprintln!("wrong: {line}"));
    Ok(wrong.is_empty())
}

fn survey(arguments: &Arguments) -> Result<bool, String> {
    let before = |at: usize| ENTRIES[..at].iter().filter(|entry| entry.order == ENTRIES[at].order).count();
    let chosen = (0..ENTRIES.len()).filter(|at| arguments.settings.wants(before(*at))).map(|at| &ENTRIES[at]);
    let mut entries: Vec<(&Entry, Built)> = Vec::new();
    for entry in chosen {
        let words =
            ["--orbit-relation".to_owned(), entry.order.to_owned(), entry.n.to_string(), entry.l.to_string()];
        let built = in_a_process(words.to_vec(), &arguments.settings)?;
        eprintln!("{NAME}: {}, n = {}, l = {}: {built:?}", entry.order, entry.n, entry.l);
        entries.push((entry, built));
    }
    let page = render::orbit_relation_markdown(&entries, &arguments.settings);
    write(arguments, NAME, &page, &render::orbit_relation_tsv(&entries))?;
    let wrong = |(entry, built): &(&Entry, Built)| matches!(built, Ok((size, ..)) if entry.size.is_some_and(|expected| expected != *size));
    Ok(!entries.iter().any(wrong))
}

/// Measures both ways to ξ; whether they lead to relations of the same size.
fn figure_of_xi(arguments: &Arguments) -> Result<bool, String> {
    let mut entries: Vec<render::BuiltXi> = Vec::new();
    for entry in
        xi::ENTRIES.iter().enumerate().filter(|(at, _)| arguments.settings.wants(*at)).map(|(_, e)| e)
    {
        let (moving, fixed) = entry.components();
        let build = |way: &str| {
            let words = ["--xi".to_owned(), way.to_owned(), moving.to_string(), fixed.to_string()];
            let built = in_a_process(words.to_vec(), &arguments.settings)?;
            eprintln!("{}: {} generators, {} bits, {way}: {built:?}", xi::NAME, entry.generators, entry.bits);
            Ok::<_, String>(built)
        };
        entries.push((entry, [build("orbit")?, build("create")?]));
    }
    write(
        arguments,
        xi::NAME,
        &render::xi_markdown(&entries, &arguments.settings),
        &render::xi_tsv(&entries),
    )?;
    let wrong = |(_, built): &render::BuiltXi| matches!(built, [Ok((a, ..)), Ok((b, ..))] if a != b);
    Ok(!entries.iter().any(wrong))
}

/// Runs this program with some words and the limit of memory.
fn in_a_process(words: Vec<String>, settings: &Settings) -> Result<Built, String> {
    let this = std::env::current_exe().map_err(|error| error.to_string())?;
    let memory = settings.memory.trim_end_matches(['M', 'G']).parse::<u64>().map_err(|_| USAGE.to_owned())?;
    let megabytes = if settings.memory.ends_with('G') { memory << 10 } else { memory };
    let mut command = vec![this.to_string_lossy().into_owned()];
    command.extend(words);
    command.push(megabytes.to_string());
    Ok(match measure::best(settings.runs, || measure::run_cpu(&command, settings.seconds)) {
        Err(_) => Err("time".to_owned()),
        Ok(run) => {
            let numbers: Vec<usize> = run.output.split_whitespace().flat_map(str::parse).collect();
            match numbers[..] {
                [size, peak] => Ok((size, peak, run.cpu)),
                // A signal: the processor time is up.
                _ if run.code.is_some_and(|code| code > 128) => Err("time".to_owned()),
                _ => Err(run.output.trim().to_owned()),
            }
        }
    })
}

fn orbit_relation(order: &str, n: &str, l: &str, megabytes: &str) -> Result<bool, String> {
    let number = |text: &str| text.parse::<u32>().map_err(|_| USAGE.to_owned());
    match build(order, number(n)?, number(l)?, (number(megabytes)? as usize) << 20) {
        Ok((size, peak)) => println!("{size} {peak}"),
        Err(limit) => println!("{limit}"),
    }
    Ok(true)
}

fn representative_relation(way: &str, moving: &str, fixed: &str, megabytes: &str) -> Result<bool, String> {
    let number = |text: &str| text.parse::<u32>().map_err(|_| USAGE.to_owned());
    let memory = (number(megabytes)? as usize) << 20;
    match xi::build(way, "concatenated", number(moving)?, number(fixed)?, xi::WIDTH, memory) {
        Ok((size, peak)) => println!("{size} {peak}"),
        Err(limit) => println!("{limit}"),
    }
    Ok(true)
}

fn write(arguments: &Arguments, name: &str, page: &str, values: &str) -> Result<(), String> {
    print!("{page}");
    write_file(arguments, name, "md", page)?;
    write_file(arguments, name, "tsv", values)
}

fn write_file(arguments: &Arguments, name: &str, extension: &str, text: &str) -> Result<(), String> {
    let path = arguments.folder.join(format!("{name}.{extension}"));
    std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
}
