//! The tables of four papers on symbolic symmetry reduction and of one on timed models, measured again.
//!
//! A [`Table`] lists its rows (a model with its constants), its algorithms (the options of `check` that choose them) and
//! what the paper prints for them. Every cell is a run of `burnside check` in a process of its own, within a limit of
//! time and memory; survey Table 1 and the last figure of Barner and Grumberg are about
//! relations and not about models, and have runs of their own.

pub mod figure;
pub mod measured;
pub mod orbit_relation;
pub mod plot;
pub mod render;
pub mod tables;
pub mod timed;
pub mod timed_page;
pub mod xi;

use std::path::Path;

use figure::Figure;

/// A constant of a model, by its name.
pub type Constant = (&'static str, u32);

/// A number of orbits by the constants of a model.
pub type Formula = fn(&[Constant]) -> u128;

/// A table of a paper.
#[derive(Clone, Copy, Debug)]
pub struct Table {
    /// Its name on the command line and in the book.
    pub name: &'static str,
    /// What it is.
    pub title: &'static str,
    /// Where it is from, and on what its figures were measured.
    pub source: &'static str,
    /// What is different here, in Markdown.
    pub notes: &'static str,
    /// How its cells are computed.
    pub algorithms: &'static [Algorithm],
    /// Its rows.
    pub rows: &'static [Row],
}

impl Table {
    /// Whether it is about timed models.
    pub fn is_timed(&self) -> bool {
        self.rows.iter().all(Row::is_timed)
    }
}

/// An algorithm: a column of the paper's table, or one of ours beside them.
#[derive(Clone, Copy, Debug)]
pub struct Algorithm {
    /// What it is called here.
    pub name: &'static str,
    /// The column of the paper that it is, counted from 0.
    pub column: Option<usize>,
    /// The options of `check` that choose it.
    pub options: &'static [&'static str],
}

/// A row: a model, its constants, and the paper's figures.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// What the paper calls the system.
    pub system: &'static str,
    /// The model in `models/murphi`, or in `models/uppaal` if it ends in `.xta`.
    pub model: &'static str,
    /// Its constants.
    pub constants: &'static [Constant],
    /// The number of orbits, where there is a formula.
    pub orbits: Option<Formula>,
    /// What the paper prints, column by column.
    pub figures: &'static [Figure],
    /// Whether something is violated.
    pub violated: bool,
}

impl Row {
    /// As the table shows it: `Mutex 200`, `MUTEX 8, 4`.
    pub fn title(&self) -> String {
        let numbers: Vec<String> = self.constants.iter().map(|(_, value)| value.to_string()).collect();
        format!("{} {}", self.system, numbers.join(", "))
    }

    /// Whether it is a timed model.
    pub fn is_timed(&self) -> bool {
        self.model.ends_with(".xta")
    }

    /// The arguments of `check`, with all files below a folder. Of a timed model, only what must never be reached is
    /// asked, by queries beside these programs.
    pub fn arguments(&self, root: &Path, algorithm: &Algorithm) -> Vec<String> {
        let file = |path: &str| root.join(path).to_string_lossy().into_owned();
        let kind = if self.is_timed() { "uppaal" } else { "murphi" };
        let mut arguments = vec!["check".to_owned(), file(&format!("models/{kind}/{}", self.model))];
        for (name, value) in self.constants {
            arguments.extend(["-D".to_owned(), format!("{name}={value}")]);
        }
        if let Some(name) = self.model.strip_suffix(".xta") {
            arguments.extend(["--queries".to_owned(), file(&format!("bench/safety/{name}.q"))]);
        }
        // Claims are in files, too.
        arguments.extend(algorithm.options.iter().map(|option| match option.ends_with(".claims") {
            true => file(option),
            false => (*option).to_owned(),
        }));
        arguments
    }

    /// What the paper prints for an algorithm.
    pub fn figure(&self, algorithm: &Algorithm) -> Option<&Figure> {
        self.figures.get(algorithm.column?)
    }
}
