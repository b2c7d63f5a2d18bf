//! The typed model: what a front end produces and every engine consumes.

mod span;

pub use span::Span;
