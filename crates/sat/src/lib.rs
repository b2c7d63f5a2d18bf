//! SAT.
pub mod circuit;
pub mod clause;
pub mod cube;
pub mod fixed;
pub mod fragment;
pub mod ic3;
pub mod induction;
pub mod prove;
pub mod relation;
pub mod solver;
pub mod system;
pub mod trace;
