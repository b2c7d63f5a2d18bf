//! Shared by the conformance and fuzzing programs.

pub mod expectations;
pub mod mutate;
pub mod outcome;
pub mod transcript;
