//! Canonical forms by trying every permutation: slow and obviously right, the oracle of the fast ones.

use burnside_model::code::Cell;

use crate::action::Action;
use crate::permutation::Permutation;

/// Tries every permutation.
#[derive(Clone, Debug)]
pub struct Exhaustive {
    action: Action,
    all: Vec<Permutation>,
}

impl Exhaustive {
    /// For an action of few permutations: they are all listed.
    pub fn new(action: Action) -> Self {
        let all = match &action.group {
            Some(group) => group.elements().iter().map(|points| action.permutation_of(points)).collect(),
            None => Permutation::all(&action.layout.shapes),
        };
        Exhaustive { action, all }
    }

    pub fn permutations(&self) -> &[Permutation] {
        &self.all
    }

    /// The least state of the orbit, a permutation that leads to it, and the order of the stabiliser.
    pub fn canonicalise(&self, state: &[Cell]) -> (Vec<Cell>, Permutation, u128) {
        let mut best = (state.to_vec(), self.action.identity());
        let mut stabiliser = 0;
        let mut moved = Vec::new();
        for permutation in &self.all {
            self.action.apply(permutation, state, &mut moved);
            stabiliser += u128::from(moved == state);
            if moved < best.0 {
                best = (moved.clone(), permutation.clone());
            }
        }
        (best.0, best.1, stabiliser)
    }
}
