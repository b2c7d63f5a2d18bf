//! A violation that the search met.

use burnside_model::code::Cell;

use burnside_model::findings::Ending;

/// A violation.
pub(super) struct Found {
    /// The check that is violated.
    pub check: usize,
    /// Whether it was found at a state of the level that is being found, not of the one that is expanded.
    pub late: bool,
    /// The last state of its run, and a node that stands for it; none if a start state goes wrong.
    pub at: Option<(u32, Vec<Cell>)>,
    pub ending: Ending,
}
