//! What can go wrong while a model runs.

use crate::Span;

/// The kinds of errors at run time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// An `assert` does not hold.
    Assertion,
    /// An `error` statement was reached.
    ErrorStatement,
    /// An undefined value was used.
    Undefined,
    /// A value is outside the range of its variable.
    Range,
    /// An index is outside the array, or names an unused multiset slot.
    Index,
    /// Division by zero, or a result of more than 64 bits.
    Arithmetic,
    /// A loop ran too long, or its step is 0 or leads away from its end.
    Loop,
    /// Calls are nested too deeply.
    CallDepth,
    /// An element was added to a full multiset.
    MultisetFull,
    /// A function ended without returning a value.
    NoReturn,
    /// A union's value was used as a member that it is not.
    UnionMember,
}

impl FaultKind {
    /// A stable name, for JSON.
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::Assertion => "assertion",
            FaultKind::ErrorStatement => "error-statement",
            FaultKind::Undefined => "undefined",
            FaultKind::Range => "range",
            FaultKind::Index => "index",
            FaultKind::Arithmetic => "arithmetic",
            FaultKind::Loop => "loop",
            FaultKind::CallDepth => "call-depth",
            FaultKind::MultisetFull => "multiset-full",
            FaultKind::NoReturn => "no-return",
            FaultKind::UnionMember => "union-member",
        }
    }
}

/// An error at run time: a violation of the property that there be none.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    pub kind: FaultKind,
    /// What happened, in one line.
    pub message: String,
    /// The statement or expression that did it.
    pub span: Span,
}
