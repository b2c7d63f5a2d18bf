//! Partial symmetry: what is left of a symmetry when only some rules tell the elements of a domain apart.
//!
//! A permutation that moves no element out of its block maps a rule to itself if the rule tells blocks apart but not the
//! elements in one. [`Blocks`] are such partitions; [`Young`] knows the orbits of the permutations that respect one (a
//! Young subgroup); [`invariance()`] finds the coarsest blocks of every rule and property that can be proved.

mod blocks;
mod invariance;
mod young;

pub use blocks::Blocks;
pub use invariance::{Invariance, Telling, invariance};
pub use young::Young;
