//! Symmetry of probabilistic models.
use burnside_model::chance::{Expr, Model};

/// Chooses representatives.
#[derive(Clone, Debug)]
pub struct Canon {}
/// Scratch space.
pub type Scratch = ();
impl Canon {
    /// Scratch.
    pub fn scratch(&self) -> Scratch {}
    /// Apply.
    pub fn apply(&self, _state: &mut [i64], _scratch: &mut Scratch) {}
    /// Size.
    pub fn orbit_size(&self, _state: &[i64]) -> Option<u128> {
        None
    }
}
/// Found.
#[derive(Clone, Debug)]
pub struct Found {
    /// Generators
    pub generators: Vec<Vec<u32>>,
    /// Canon
    pub canon: Canon,
}
/// Subject.
pub struct Subject<'m> {
    _model: &'m Model,
}
impl<'m> Subject<'m> {
    /// New.
    pub fn new(model: &'m Model) -> Self {
        Subject { _model: model }
    }
    /// Find.
    pub fn find(&mut self, _atoms: &[&Expr], _rewards: &[u32]) -> (Option<Found>, Vec<String>) {
        (None, Vec::new())
    }
}
