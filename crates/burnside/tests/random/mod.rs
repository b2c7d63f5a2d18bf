//! Random small models: their generator, what is compared on them, and mistakes that the comparison must find.
//!
//! In the order of use: [`generate`] writes a typed model from a seed ([`shape`], [`exprs`], [`stmts`] are its parts),
//! [`explore`] keeps those of a useful size, [`compare`] searches one in two ways, [`brute`] is a quotient too simple to
//! be wrong, [`planted`] makes it wrong, [`shrink`] makes a failure readable, [`temporal`] adds formulas, [`features`] counts what there was.

pub mod adaptive;
pub mod asymmetric;
pub mod brute;
pub mod build;
pub mod compare;
pub mod explore;
pub mod exprs;
pub mod features;
pub mod generate;
pub mod planted;
pub mod rng;
pub mod rumur;
pub mod scope;
pub mod shape;
pub mod shrink;
pub mod stmts;
#[allow(dead_code)]
pub mod temporal;

use burnside_model::code::Semantics;
use burnside_model::system::Machine;
use burnside_model::{Model, Verdict};

/// The most states of a model.
pub const MAX_STATES: usize = 3000;

/// The fewest states of a model, by seed.
const LEAST_STATES: [usize; 4] = [4, 4, 12, 40];

/// The first model of this seed that has enough states to be of interest and few enough to be quick. Two of five seeds
/// give models that hold.
pub fn model(seed: u64, options: shape::Options) -> Model {
    let semantics = options.semantics();
    let interesting = |model: &Model| {
        explore::states(model, semantics, MAX_STATES)
            .is_some_and(|states| states.len() >= LEAST_STATES[seed as usize % 4])
    };
    (0..)
        .map(|attempt| generate::generate(seed.wrapping_mul(1_000_003).wrapping_add(attempt), options))
        .filter(interesting)
        .find_map(|model| if seed % 5 < 2 { calm(model, semantics) } else { Some(model) })
        .expect("there are endless attempts")
}

/// The model without what does not hold in it; `None` if something goes wrong by itself.
fn calm(mut model: Model, semantics: Semantics) -> Option<Model> {
    let found = compare::search(&model, &|| Machine::new(&model, semantics));
    let broken: Vec<_> =
        found.properties.iter().filter(|p| p.verdict() != Verdict::Holds).map(|p| p.index).collect();
    let is_broken = |index: usize| broken.contains(&Some(index));
    // Statements refer to the properties of covers by position: those stay.
    let statement = |index: usize| model.properties[index].condition.is_none();
    if broken.contains(&None) || (0..model.properties.len()).any(|i| statement(i) && is_broken(i)) {
        return None;
    }
    for index in (0..model.properties.len()).rev().filter(|i| is_broken(*i)) {
        if (index..model.properties.len()).any(|i| model.properties[i].condition.is_none()) {
            return None;
        }
        model.properties.remove(index);
    }
    let found = compare::search(&model, &|| Machine::new(&model, semantics));
    (!compare::violated(&found)).then_some(model)
}
