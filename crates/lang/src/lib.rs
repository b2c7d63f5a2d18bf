//! Front ends: source text to typed model.
//!
//! Every language lives in a folder of its own and shares two things: [`source`], the text with its line
//! table, and [`diag`], errors as values that are rendered once, by whoever shows them. [`load()`] reads any of them.

pub mod boolean;
pub mod diag;
mod load;
pub mod murphi;
pub mod names;
pub mod prism;
pub mod promela;
pub mod source;
mod tokens;
pub mod uppaal;

pub use load::{Asked, Chains, Kind, Language, Loaded, Rejected, Request, load};
