//! Random small models: their generator, what is compared on them, and mistakes that the comparison must find.
//!
//! In the order of use: [`generate`] writes a typed model from a seed ([`shape`], [`exprs`], [`stmts`] are its parts),
//! [`explore`] keeps those of a useful size, [`compare`] searches one in two ways, [`brute`] is a quotient too simple to
//! be wrong, [`planted`] makes it wrong, [`shrink`] makes a failure readable, [`features`] counts what there was.

pub mod brute;
pub mod build;
pub mod compare;
pub mod explore;
pub mod exprs;
pub mod features;
pub mod generate;
pub mod planted;
pub mod rng;
pub mod scope;
pub mod shape;
pub mod shrink;
pub mod stmts;

use burnside_model::Model;
use burnside_model::code::Semantics;

/// The first model of this seed that has enough states to be of interest and few enough to be quick.
pub fn model(seed: u64, options: shape::Options) -> Model {
    let semantics = Semantics { undefined_is_error: !options.extensions, ..Semantics::default() };
    (0..)
        .map(|attempt| generate::generate(seed.wrapping_mul(1_000_003).wrapping_add(attempt), options))
        .find(|model| explore::states(model, semantics, 3000).is_some_and(|states| states.len() > 3))
        .expect("there are endless attempts")
}
