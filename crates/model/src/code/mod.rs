//! Types, expressions, statements, functions, and their reference interpreter.

mod expr;
mod fault;
mod interpreter;
mod stmt;
mod tautology;
mod types;
mod visit;

pub use expr::*;
pub use fault::{Fault, FaultKind};
pub use interpreter::{Instances, Interpreter, Semantics, Stop, Undefined, Values, normalise};
pub use stmt::*;
pub use tautology::{Scratch, constant_condition, simplify_conditions};
pub use types::*;
pub use visit::{Part, PartMut};
