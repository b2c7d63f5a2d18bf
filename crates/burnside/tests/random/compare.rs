//! The comparison of two searches of one model, and the whole examination of a model.

use burnside_explicit::{Config, Ending, Exploration, Indexed, Known};
use burnside_model::code::Semantics;
use burnside_model::system::{Machine, PropertyKind};
use burnside_model::{Limits, Model, Verdict};

/// Searches a system to the end.
pub fn search<S: Indexed>(system: &mut S) -> Exploration {
    let limits = Limits { max_errors: u64::MAX, ..Limits::default() };
    burnside_explicit::check(system, &Config { limits, ..Config::default() }, &mut ())
}

/// Searches the model itself.
pub fn unreduced(model: &Model) -> Exploration {
    search(&mut Machine::new(model, Semantics::default()))
}

/// What two searches disagree on, if anything: a verdict, or the number of states that the reduced one stands for.
pub fn disagreement(full: &Exploration, reduced: &Exploration) -> Option<String> {
    for (a, b) in full.properties.iter().zip(&reduced.properties) {
        if a.verdict() != b.verdict() {
            let (a_is, b_is) = (a.verdict().name(), b.verdict().name());
            return Some(format!("`{}` {a_is} unreduced, but {b_is} reduced", a.name));
        }
    }
    if full.properties.len() != reduced.properties.len() {
        return Some("the searches have different properties".to_owned());
    }
    let (states, orbits) = (u128::from(full.states), reduced.full_states);
    (orbits != Some(states))
        .then(|| format!("{states} states unreduced, but {orbits:?} in {} orbits", reduced.states))
}

/// Compares two ways to search a model until nothing is unknown: a state that violates something is not expanded, so
/// what is known to be violated is left out and the rest is searched again.
pub fn compare(
    model: &Model,
    full: &mut dyn FnMut(&Model) -> Exploration,
    reduced: &mut dyn FnMut(&Model) -> Exploration,
) -> Result<(Exploration, Exploration), String> {
    let mut model = model.clone();
    let mut first = None;
    loop {
        let (a, b) = (full(&model), reduced(&model));
        if let Some(difference) = disagreement(&a, &b) {
            return Err(difference);
        }
        let unknown = a.properties.iter().any(|p| p.verdict() == Verdict::Unknown);
        let decided = first.get_or_insert_with(|| (a.clone(), b));
        if !unknown {
            return Ok(decided.clone());
        }
        if !without_violated(&mut model, &a) {
            return Err("a verdict is unknown, and no violation is to blame".to_owned());
        }
    }
}

/// Takes the conditions out that stopped the search; says whether there were any. (They stay as trivial ones: statements
/// refer to properties by position.)
fn without_violated(model: &mut Model, found: &Exploration) -> bool {
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
    for property in &guilty {
        model.properties[*property].condition = Some(super::build::constant(burnside_model::code::Types::BOOL, 1));
    }
    !guilty.is_empty()
}

/// Whether some property is violated.
pub fn violated(found: &Exploration) -> bool {
    found.properties.iter().any(|p| p.verdict() == Verdict::Violated)
}
