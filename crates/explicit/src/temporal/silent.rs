//! The symmetries of the stored states themselves, as moves in which nothing happens.
//!
//! For a σ with σ·r = r, the nodes (r, y) and (r, σ·y) stand for the same. Looking ahead this need not be known, as all
//! steps of both are there. Looking back it must: a step to r is an edge to (r, π·y) for one π of several.

use burnside_model::code::Cell;
use burnside_model::{Deadline, Limit};
use burnside_symmetry::{Action, Exhaustive, Permutation};

use super::Stop;
use crate::liveness::{StateId, States};

/// Of larger groups, the symmetries of states are not looked for one by one.
const MOST_PERMUTATIONS: u128 = 5040;

/// Which permutations keep each stored state as it is.
pub struct Silent {
    pub permutations: Vec<Permutation>,
    /// Per state, those that keep it, by number.
    pub of: Vec<Vec<u16>>,
}

impl Silent {
    /// Tries all permutations on all states.
    pub fn new(action: &Action, states: &mut States<'_>, deadline: Deadline) -> Result<Silent, Stop> {
        if action.order().is_none_or(|order| order > MOST_PERMUTATIONS) {
            let why = format!(
                "it looks back and has variables, and there are more than {MOST_PERMUTATIONS} permutations"
            );
            return Err(Stop::Refused(why));
        }
        let permutations = Exhaustive::new(action.clone()).permutations().to_vec();
        let (mut state, mut image): (Vec<Cell>, Vec<Cell>) = (Vec::new(), Vec::new());
        let mut of = Vec::new();
        for id in 0..states.len() as StateId {
            if deadline.has_passed() {
                return Err(Stop::Limit(Limit::Time));
            }
            states.read(id, &mut state);
            let keeps = |permutation: &Permutation| {
                action.apply(permutation, &state, &mut image);
                image == state
            };
            let kept: Vec<bool> = permutations.iter().map(keeps).collect();
            of.push((0..).zip(kept).filter(|(_, kept)| *kept).map(|(number, _)| number).collect());
        }
        Ok(Silent { permutations, of })
    }
}
