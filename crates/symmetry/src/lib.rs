//! Symmetry: how permutations of a model's scalarsets act on its states, canonical forms, and the quotient of a system.
//!
//! In the order of use: [`Permutation`] and its [`Action`] on states; [`Canonicaliser`], which picks one state of each
//! orbit; [`Quotient`], which wraps a system into the system of the picked states; [`replay()`], which turns a path of
//! picked states back into a run of the model.

mod action;
mod canonical;
mod claimed;
pub mod detect;
mod group;
mod layout;
mod methods;
mod orbits;
mod order;
mod packed;
pub mod partial;
mod permutation;
mod quotient;
mod replay;
pub mod verify;

pub use action::{Action, Place};
pub use canonical::{Canonicaliser, Exhaustive};
pub use claimed::{Claimed, Fate};
pub use methods::Canon;
pub use packed::{Method, PackedCanonicaliser, PackedQuotient};
pub use permutation::Permutation;
pub use quotient::{Canonical, Quotient, closed};
pub use replay::{Ending, ReplayError, replay};
