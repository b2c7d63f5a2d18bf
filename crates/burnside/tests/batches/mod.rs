//! The comparison of two systems on packed states, step by step, and slips that it must notice.
//!
//! In the order of use: [`compare`] explores with one system and asks the other the same questions; [`slips`] makes
//! wrong answers of right ones.

pub mod compare;
pub mod slips;
