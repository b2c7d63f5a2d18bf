//! Adaptive and unreduced search of partly symmetric models: every verdict must agree, the nodes must stand for as many
//! states as there are, and every run must be one of the model.

use burnside_explicit::{Config, Ending, Findings as Exploration, Known, adaptive};
use burnside_model::code::{Cell, DomainId, Semantics};
use burnside_model::system::{Machine, Packed, System};
use burnside_model::{Model, Packing};
use burnside_symmetry::partial::{Blocks, Invariance, Young, invariance};
use burnside_symmetry::{Ending as Last, replay};

use super::compare::{Findings, disagreement, no_limits, unreduced};

/// A mistake about what a model leaves of its symmetry.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// Every rule is taken for symmetric.
    AllSymmetric,
    /// One block of one rule's is taken for part of another.
    Joined,
    /// Properties are taken for symmetric.
    SymmetricProperties,
}

pub const MISTAKES: [Mistake; 3] = [Mistake::AllSymmetric, Mistake::Joined, Mistake::SymmetricProperties];

/// What the model leaves of the symmetry of all its domains.
pub fn left(model: &Model) -> Invariance {
    let domains: Vec<DomainId> = (0..model.types.domains.len() as u32).map(DomainId).collect();
    invariance(model, &domains)
}

/// Makes the mistake; whether there was room for it.
pub fn mistaken(invariance: &mut Invariance, mistake: Mistake) -> bool {
    let whole = Blocks::whole(&invariance.sizes);
    let before = invariance.clone();
    match mistake {
        Mistake::AllSymmetric => invariance.rules.fill(whole),
        Mistake::SymmetricProperties => invariance.properties.fill(whole),
        Mistake::Joined => {
            if let Some(rule) = invariance.rules.iter_mut().find(|blocks| **blocks != whole)
                && let Some((a, b)) = whole.pairs_apart_in(rule).first()
            {
                rule.join(*a, *b);
            }
        }
    }
    before.rules != invariance.rules || before.properties != invariance.properties
}

/// Searches adaptively, to the end.
pub fn search(model: &Model, invariance: &Invariance) -> Exploration {
    let packing = Packing::new(model).expect("small cells");
    let config = Config { limits: no_limits(), ..Config::default() };
    let task = adaptive::Task { model, packing: &packing, invariance, config: &config, trial: false };
    let young = Young::new(model, &invariance.domains).expect("a small state");
    let mut batcher = Packed::new(Machine::new(model, Semantics::default()), &packing);
    let mut found = adaptive::check(&task, young, &mut batcher, &mut ()).expect("no trial");
    // As for every engine.
    found.leave_faulty_open();
    found
}

/// Compares; gives the unreduced and the adaptive search.
pub fn compare(model: &Model, invariance: &Invariance) -> Result<(Exploration, Exploration), String> {
    let (full, reduced) = (unreduced(model), search(model, invariance));
    if let Some(difference) = disagreement(&Findings::from(&full), &Findings::from(&reduced)) {
        return Err(difference);
    }
    if reduced.full_states.is_none() {
        return Err("the states were not counted".to_owned());
    }
    // A node may be new although several others stand for its states.
    if reduced.depth < full.depth {
        return Err(format!("diameter {:?} unreduced, but {:?} adaptively", full.depth, reduced.depth));
    }
    let mut machine = Machine::new(model, Semantics::default());
    for property in &reduced.properties {
        let Known::Violated(witnesses) = &property.known else { continue };
        for witness in witnesses {
            run(&mut machine, property.index, &witness.path, &witness.ending)?;
        }
        shortest(&full, property, witnesses.first().map(|w| w.path.len()))?;
    }
    Ok((full, reduced))
}

/// Executes a run; its end must be what is said of it.
fn run(
    machine: &mut Machine<'_>,
    property: Option<usize>,
    path: &[Vec<Cell>],
    ending: &Ending,
) -> Result<(), String> {
    let last = match ending {
        Ending::Fault { in_guard: true, .. } => Last::GuardFault,
        Ending::Fault { .. } => Last::Fault,
        _ => Last::State,
    };
    replay(machine, &mut <[Cell]>::to_vec, path, last).map_err(|error| format!("no run: {error}"))?;
    match (ending, property, path.last()) {
        (Ending::Invariant, Some(property), Some(state)) => match machine.holds(property, state) {
            Ok(Ok(0)) => Ok(()),
            _ => Err("the invariant holds at the end".to_owned()),
        },
        _ => Ok(()),
    }
}

/// The first witness of both searches is a shortest one.
fn shortest(
    full: &Exploration,
    property: &burnside_explicit::PropertyResult,
    steps: Option<usize>,
) -> Result<(), String> {
    let other =
        full.properties.iter().find(|other| other.name == property.name && other.index == property.index);
    let least = other.and_then(|other| match &other.known {
        Known::Violated(witnesses) => witnesses.first().map(|w| w.path.len()),
        _ => None,
    });
    if least == steps { Ok(()) } else { Err(format!("a run of {steps:?} states, but {least:?} unreduced")) }
}
