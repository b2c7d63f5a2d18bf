//! The PRISM front end: models of kind `dtmc`, `mdp` and `ctmc`, and properties, to commands over one vector of variables.
//!
//! The text is parsed into trees ([`ast`]); lowering resolves constants, formulas, renamings and the composition of
//! modules. Formulas are expanded before modules are renamed, as PRISM does it. A constant needs a value only if the model
//! or a property uses it.

pub mod ast;
mod lexer;
mod lower;
mod parser;
mod sweep;

pub use lower::{Loaded, Missing, load};
pub use sweep::{Combination, Sweep};
