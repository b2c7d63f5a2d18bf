//! Shared by the conformance and fuzzing programs.

pub mod expectations;
pub mod outcome;
pub mod transcript;
