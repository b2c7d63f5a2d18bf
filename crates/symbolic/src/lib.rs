//! The symbolic engine: sets of states as decision diagrams.
//!
//! From the bottom: [`bdd`] is the package of diagrams; [`variables`] says which variable is which bit of a state;
//! [`relation`] has transition relations, [`executed`] rules that are executed instead, [`transitions`] are either, and
//! [`search`] finds what is reachable along them; [`system`] makes them from a model and its [`rules`], by the encoding over
//! the [`algebra`] of diagrams; beyond some `sizes` only where states are found (`late`); [`reduce`] has the symmetry
//! reductions; [`mod@decide`] concludes what is known of properties, [`temporal`] of formulas of CTL; [`on_the_fly`] chooses
//! representatives as they are found; [`check()`] is all of it.

pub mod algebra;
pub mod bdd;
mod check;
pub mod decide;
pub mod executed;
mod late;
mod layout;
pub mod on_the_fly;
mod orbits;
pub mod reduce;
pub mod relation;
pub mod rules;
pub mod search;
mod sizes;
pub mod system;
mod tally;
pub mod temporal;
pub mod transitions;
pub mod variables;

pub use burnside_encode::Refusal;
pub use check::{Progress, Task, check};
pub use orbits::Orbits;
pub use sizes::Sizes;
