//! The typed model: what a front end produces and every engine consumes.
//!
//! [`code`] has types, expressions, statements and functions with their reference interpreter; [`system`] has rules,
//! properties and the waist [`System`], which a search explores and a reduction wraps; the rest is the vocabulary of
//! checking: limits, verdicts, traces, and what engines find ([`findings`]). [`network`] has timed automata over the
//! same code. [`chance`] has Markov chains and decision processes.

pub mod chance;
pub mod code;
mod count;
mod deadline;
mod events;
pub mod findings;
pub mod network;
mod packed_multiset;
mod packing;
mod span;
pub mod stack;
pub mod system;
pub mod threads;
mod trace;
mod verdict;

pub use count::Count;
pub use deadline::{Cancel, Deadline};
pub use events::{Events, Progress};
pub use network::Network;
pub use packed_multiset::PackedMultiset;
pub use packing::{Block, PackedCell, Packing};
pub use span::Span;
pub use system::{Model, System};
pub use trace::{Reason, ReasonKind, Trace, TraceStep};
pub use verdict::{DeadlockMode, Limit, Limits, Verdict};
