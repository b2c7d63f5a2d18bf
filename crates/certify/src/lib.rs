//! Certificates: what a reduced search found, in a form that can be checked without it.
//!
//! A certificate lists the stored states and, for each start state and each successor of a stored state, the permutation
//! that leads to the stored state standing for it; further the generators of the group, and what is claimed to hold.
//! [`check`] goes through all of it with the reference interpreter and its own few lines on how a permutation acts
//! ([`action`]). It shares nothing with the search: no symmetry analysis, no canonical forms, no compiled code, no store.
//!
//! A full certificate that is accepted proves what it claims, provided that the generators are symmetries of the model.
//! That is checked semantically, on the model's own steps: at every listed state, or ([`Scope::Orbits`]) at every state
//! of every orbit, which leaves nothing to trust.

mod action;
mod check;
mod format;
mod group;
mod hash;
mod read;

pub use check::{Accepted, Rejected, Scope, check};
pub use format::{Certificate, Claim, Domain, Entry, Generator, Images, Move, Values};
pub use hash::hash;
pub use read::{ReadError, read};
