//! Promela models against Spin: the number of states and steps, and what is found.

mod conformance;
mod mutated;
mod semantics;
