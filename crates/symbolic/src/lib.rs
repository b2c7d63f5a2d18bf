//! The symbolic engine: sets of states as decision diagrams.
//!
//! From the bottom: [`bdd`] is the package of diagrams; [`variables`] says which variable is which bit of a state;
//! [`relation`] has transition relations and [`search`] what is reachable along them; [`system`] makes them from a model,
//! by the encoding over the [`algebra`] of diagrams, piece by piece (`pieces`) and only where states are found (`late`) beyond
//! some `sizes`; [`mod@decide`] concludes what is known of properties, [`temporal`] of
//! formulas of CTL; [`on_the_fly`] chooses representatives as they are found; [`check()`] is all of it.

pub mod algebra;
pub mod bdd;
mod check;
pub mod count;
pub mod decide;
mod late;
pub mod on_the_fly;
mod pieces;
pub mod reduce;
pub mod relation;
pub mod search;
mod sizes;
pub mod system;
mod tally;
pub mod temporal;
pub mod variables;

pub use burnside_encode::Refusal;
pub use check::{Found, Progress, Task, check};
pub use sizes::Sizes;
