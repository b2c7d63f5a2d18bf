//! SAT: IC3 with orbit clauses, and proofs for every number of processes.
//!
//! From the bottom: [`circuit`] is the algebra in which `encode` makes functions, [`solver`] the SAT solver behind a thin
//! wall; [`system`] is a model as circuits, [`cube`] sets of states and their images under permutations, [`relation`] the
//! steps as clauses. [`ic3`] searches an inductive invariant at one size, [`induction`] checks it again, [`trace`] executes
//! what it found to be wrong, and [`fixed`] is all of that. For every size: [`clause`] has clauses that quantify over
//! elements, [`fragment`] says which models the small-model argument covers and what the bound is, and [`mod@prove`] finds and
//! checks. [`pasted`] checks invariants as they are written in the model, for certificates. [`aiger`] writes circuits for
//! other checkers.

pub mod aiger;
pub mod circuit;
pub mod clause;
pub mod cube;
pub mod fixed;
pub mod fragment;
pub mod ic3;
pub mod induction;
pub mod pasted;
pub mod prove;
pub mod relation;
pub mod search;
pub mod solver;
pub mod system;
pub mod trace;
pub mod unrolling;
