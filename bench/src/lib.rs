//! Shared by the programs for conformance, fuzzing and speed.

pub mod checkers;
pub mod expectations;
pub mod instance;
pub mod measure;
pub mod mutate;
pub mod outcome;
pub mod papers;
pub mod plain;
pub mod transcript;
pub mod walk;
