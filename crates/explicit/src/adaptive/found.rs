//! A violation that the search met.

use burnside_model::code::Cell;

use crate::search::result::Ending;

/// A violation.
pub(super) struct Found {
    /// The check that is violated.
    pub check: usize,
    /// The last state of its run, and a node that stands for it; none if a start state goes wrong.
    pub at: Option<(u32, Vec<Cell>)>,
    /// How the run ends.
    pub ending: Ending,
}
