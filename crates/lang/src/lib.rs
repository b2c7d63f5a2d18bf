//! Front ends: source text to typed model.
//!
//! Every language lives in a folder of its own and shares two things: [`source`], the text with its line
//! table, and [`diag`], errors as values that are rendered once, by whoever shows them.

pub mod boolean;
pub mod diag;
pub mod murphi;
pub mod promela;
pub mod source;
pub mod uppaal;
