//! The Murphi front end: text → tokens → syntax tree.
//!
//! It reads the union of the two dialects in use, rumur's and CMurphi's. Where they disagree on what is a
//! reserved word, the word is contextual: a model of either dialect that uses it as a name still reads.

pub mod ast;
pub mod lexer;
mod lower;
pub mod parser;
pub mod printer;
pub mod shape;
pub mod token;

pub use lower::{load, load_shaped};
pub use parser::parse;
