//! The comparison of two searches of one model.

use burnside_explicit::{Config, Ending, Findings as Exploration, Indexed, Known};
use burnside_model::code::{Semantics, Types};
use burnside_model::system::{Machine, Packed, PropertyKind};
use burnside_model::{Limits, Model, Packing, Verdict};

use super::build::constant;

/// What a search says.
#[derive(Clone, Debug, Default)]
pub struct Findings {
    /// The properties' names and verdicts.
    pub verdicts: Vec<(String, Verdict)>,
    /// States, or orbits.
    pub states: u64,
    /// The states that those stand for; unknown if the start states are not whole orbits.
    pub full_states: Option<u128>,
}

impl From<&Exploration> for Findings {
    fn from(found: &Exploration) -> Findings {
        let verdicts = found.properties.iter().map(|p| (p.name.clone(), p.verdict())).collect();
        let full_states = found.full_states.as_ref().and_then(burnside_model::Count::to_u128);
        Findings { verdicts, states: found.states.to_u64().expect("few states"), full_states }
    }
}

/// No limit on violations: the search goes to the end. With none on memory, preparing for it would take most of the time.
pub fn no_limits() -> Limits {
    Limits { max_errors: u64::MAX, memory: Some(256 << 20), ..Limits::default() }
}

/// Searches a system.
pub fn search_with<S: Indexed>(model: &Model, make: &dyn Fn() -> S, config: &Config) -> Exploration {
    let packing = Packing::new(model).expect("small cells");
    let mut batcher = || Packed::new(make(), &packing);
    let found = burnside_explicit::check(model, &packing, &mut batcher, &mut make(), config, &mut ());
    let mut found = found.expect("no checkpoint is read");
    // As for every engine.
    found.leave_faulty_open();
    found
}

/// Searches a system under limits.
pub fn search_within<S: Indexed>(model: &Model, make: &dyn Fn() -> S, limits: Limits) -> Exploration {
    search_with(model, make, &Config { limits, ..Config::default() })
}

/// Searches a system to the end.
pub fn search<S: Indexed>(model: &Model, make: &dyn Fn() -> S) -> Exploration {
    search_within(model, make, no_limits())
}

/// Searches the model itself.
pub fn unreduced(model: &Model) -> Exploration {
    search(model, &|| Machine::new(model, Semantics::default()))
}

/// What two searches disagree on, if anything: a verdict, or the number of states that the reduced one stands for.
pub fn disagreement(full: &Findings, reduced: &Findings) -> Option<String> {
    for ((name, a), (other, b)) in full.verdicts.iter().zip(&reduced.verdicts) {
        if (name, a) != (other, b) {
            return Some(format!("`{name}` {} unreduced, but `{other}` {} reduced", a.name(), b.name()));
        }
    }
    if full.verdicts.len() != reduced.verdicts.len() {
        return Some("the searches have different properties".to_owned());
    }
    let (states, orbits) = (u128::from(full.states), reduced.full_states?);
    (orbits != states)
        .then(|| format!("{states} states unreduced, but {orbits} in {} orbits", reduced.states))
}

/// Compares two ways to search a model until nothing is unknown: a state that violates something is not expanded, so
/// what is known to be violated is left out and the rest is searched again. Gives what the first round found.
pub fn compare(
    model: &Model,
    reduced: &mut dyn FnMut(&Model) -> Result<Findings, String>,
) -> Result<(Exploration, Findings), String> {
    let mut model = model.clone();
    let mut first = None;
    loop {
        let (full, reduced) = (unreduced(&model), reduced(&model)?);
        if let Some(difference) = disagreement(&Findings::from(&full), &reduced) {
            return Err(difference);
        }
        let unknown = full.properties.iter().any(|p| p.verdict() == Verdict::Unknown);
        let guilty = blocking(&full);
        let decided = first.get_or_insert((full, reduced));
        if !unknown {
            return Ok(decided.clone());
        }
        if guilty.is_empty() {
            return Err("a verdict is unknown, and no violation is to blame".to_owned());
        }
        // They stay as trivial ones: statements refer to properties by position.
        for property in guilty {
            model.properties[property].condition = Some(constant(Types::BOOL, 1));
        }
    }
}

/// The properties that kept the search from expanding a state.
fn blocking(found: &Exploration) -> Vec<usize> {
    let mut guilty = Vec::new();
    for property in &found.properties {
        let Known::Violated(witnesses) = &property.known else { continue };
        if property.kind == PropertyKind::Invariant {
            guilty.extend(property.index);
        }
        guilty.extend(witnesses.iter().filter_map(|w| match w.ending {
            Ending::PropertyFault { property, .. } => Some(property),
            _ => None,
        }));
    }
    guilty
}

/// Whether some property is violated.
pub fn violated(found: &Exploration) -> bool {
    found.properties.iter().any(|p| p.verdict() == Verdict::Violated)
}
