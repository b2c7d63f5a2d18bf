//! Several checks of one model side by side: as a table, JSON and a picture.
//!
//! Counts are kept as decimal texts: a symbolic engine counts states far beyond any machine number.

mod json;
mod svg;
mod text;

use burnside_model::Verdict;

pub use json::json;
pub use svg::svg;
pub use text::{Lines, conclusion, text};

/// Several checks of one model.
#[derive(Clone, Debug)]
pub struct Comparison {
    /// The model's file name.
    pub model: String,
    /// The structure of its symmetry group.
    pub structure: String,
    /// The order of the group, in decimal.
    pub order: String,
    /// What the checks say together; unknown if they disagree.
    pub verdict: Verdict,
    /// The checks.
    pub rows: Vec<Row>,
    /// What the checks contradict each other in, and which of them failed.
    pub disagreements: Vec<String>,
}

/// One way to check the model.
#[derive(Clone, Debug)]
pub struct Row {
    pub engine: String,
    /// The reduction, as it was asked for.
    pub reduction: String,
    pub outcome: Outcome,
}

/// What became of a check.
#[derive(Clone, Debug)]
pub enum Outcome {
    /// It gave a result, maybe up to a limit only.
    Done(Box<Figures>),
    /// It cannot be used on this model, and why.
    NotApplicable(String),
    /// It was ended from outside, and why.
    Ended(String),
    /// It failed, which is an error of ours.
    Failed(String),
}

/// What a check found, and what it took.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Figures {
    /// `holds`, `violated` or `unknown`.
    pub verdict: String,
    /// The properties with their verdicts, in the order of the model.
    pub properties: Vec<Property>,
    /// The reduction that was used.
    pub reduction: String,
    /// Whether every orbit has one representative.
    pub exact: bool,
    /// The structure of the group that was used.
    pub structure: String,
    /// Whether all properties were decided by one exploration.
    pub one_run: bool,
    /// Stored states, or orbits; with SAT nothing is stored.
    pub states: Option<String>,
    /// The number of orbits, where states are several of each and they were counted.
    pub orbits: Option<String>,
    /// The number of states without reduction, where known.
    pub full_states: Option<String>,
    /// The most nodes of decision diagrams at a time.
    pub peak_nodes: Option<u64>,
    /// Seconds.
    pub time: f64,
    /// The most memory the process had, in bytes.
    pub peak_memory: u64,
    /// The limit that ended it early.
    pub limit: Option<String>,
    /// Whether nothing was assumed without having been checked.
    pub certain: bool,
}

/// A property and its verdict.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
pub struct Property {
    pub name: String,
    pub kind: String,
    /// `holds`, `violated` or `unknown`.
    pub verdict: String,
}

impl Row {
    /// Engine and reduction, as sentences name them.
    pub fn title(&self) -> String {
        format!("{} {}", self.engine, self.reduction)
    }

    /// What it found, if it gave a result.
    pub fn figures(&self) -> Option<&Figures> {
        match &self.outcome {
            Outcome::Done(figures) => Some(figures),
            _ => None,
        }
    }
}

impl Figures {
    /// Whether the whole state space was explored, and nothing assumed.
    pub fn is_complete(&self) -> bool {
        self.limit.is_none() && self.certain
    }

    /// The number of orbits, if they were stored or counted.
    pub fn orbits(&self) -> Option<&str> {
        let stores_orbits = !["none", "adaptive", "flood"].contains(&self.reduction.as_str());
        let orbits = if self.exact { self.states.as_deref() } else { self.orbits.as_deref() };
        orbits.filter(|_| stores_orbits && self.one_run && self.is_complete())
    }
}

impl Comparison {
    /// The complete check with the same engine and no reduction.
    fn unreduced(&self, engine: &str) -> Option<&Figures> {
        let same = self.rows.iter().filter(|row| row.engine == engine && row.reduction == "none");
        same.filter_map(Row::figures).find(|figures| figures.is_complete())
    }

    /// What a row is beside its engine without reduction.
    fn gains(&self, row: &Row) -> Option<Gains> {
        let (figures, unreduced) = (row.figures()?, self.unreduced(&row.engine)?);
        if row.reduction == "none" || !figures.is_complete() {
            return None;
        }
        let ratio = |before: f64, after: f64| before / after.max(f64::MIN_POSITIVE);
        let states = |figures: &Figures| figures.states.as_ref()?.parse::<f64>().ok();
        let nodes = |figures: &Figures| figures.peak_nodes.map(|nodes| nodes as f64);
        let both = |count: &dyn Fn(&Figures) -> Option<f64>| Some(ratio(count(unreduced)?, count(figures)?));
        Some(Gains { states: both(&states), nodes: both(&nodes), time: ratio(unreduced.time, figures.time) })
    }
}

/// How many times less there is than without reduction; below one, it is more.
struct Gains {
    states: Option<f64>,
    nodes: Option<f64>,
    time: f64,
}

impl Gains {
    /// What is stored: nodes where there are any, else states.
    fn stored(&self) -> Option<f64> {
        self.nodes.or(self.states)
    }
}

/// A count in groups of three digits; from 10¹⁵ on, rounded: `1.23e18`.
pub fn shown(count: &str) -> String {
    match count.parse::<u128>() {
        Ok(number) if number < 1_000_000_000_000_000 => crate::text::grouped(number),
        _ if count.len() < 3 || !count.bytes().all(|digit| digit.is_ascii_digit()) => count.to_owned(),
        _ => format!("{}.{}e{}", &count[..1], &count[1..3], count.len() - 1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_any_size() {
        assert_eq!(shown("0"), "0");
        assert_eq!(shown("2688"), "2,688");
        assert_eq!(shown("123456789012345678"), "1.23e17");
        assert_eq!(shown(&"9".repeat(200)), "9.99e199");
    }
}
