//! Names and what they stand for. Values, types and routines have names of their own, so that one word may be all three.

use std::collections::HashMap;

use burnside_model::Span;
use burnside_model::code::{GlobalId, LocalId, TypeId};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Symbol {
    /// A constant, an enum member, an alias of a constant.
    Constant { value: i64, ty: TypeId },
    /// A state variable.
    Global(GlobalId),
    /// A local; whether it may be assigned to.
    Local { local: LocalId, writable: bool },
    /// The index of a multiset of this type, bound by `choose` and its kind.
    Slot { local: LocalId, set: TypeId },
    /// A type.
    Type(TypeId),
    /// A function or procedure.
    Routine(u32),
    /// Something whose declaration has an error, already reported.
    Broken,
}

/// The three name spaces.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Space {
    Value,
    Type,
    Routine,
}

/// What a local refers to in the end: decides what a write through it writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Root {
    /// The state.
    State,
    /// A parameter of the routine at hand, by position.
    Param(usize),
    /// A variable of the body at hand.
    Own,
}

/// The scopes around the place at hand.
pub(super) struct Scopes {
    scopes: Vec<HashMap<(Space, String), (Symbol, Span)>>,
}

impl Default for Scopes {
    fn default() -> Self {
        Scopes { scopes: vec![HashMap::new()] }
    }
}

impl Scopes {
    pub(super) fn push(&mut self) {
        self.scopes.push(HashMap::new());
    }

    pub(super) fn pop(&mut self) {
        self.scopes.pop();
    }

    /// Runs `f` as if the innermost scope were not there.
    pub(super) fn outside<T>(&mut self, f: impl FnOnce(&mut Self) -> T) -> T {
        let inner = self.scopes.pop();
        let result = f(self);
        self.scopes.extend(inner);
        result
    }

    /// What a name stands for, and where it was declared.
    pub(super) fn find(&self, space: Space, name: &str) -> Option<(Symbol, Span)> {
        let key = (space, name.to_owned());
        self.scopes.iter().rev().find_map(|scope| scope.get(&key).copied())
    }

    /// Declares a name in the innermost scope; gives the earlier declaration there, if any.
    pub(super) fn declare(&mut self, space: Space, name: &str, symbol: Symbol, span: Span) -> Option<Span> {
        let scope = self.scopes.last_mut()?;
        scope.insert((space, name.to_owned()), (symbol, span)).map(|(_, earlier)| earlier)
    }

    /// A known name that looks like this one.
    pub(super) fn similar(&self, space: Space, name: &str) -> Option<String> {
        let mut best: Option<(usize, &str)> = None;
        for ((other_space, other), _) in self.scopes.iter().flatten() {
            let distance = distance(name, other);
            let close = distance <= 1 + name.len() / 4;
            let better = best.is_none_or(|(d, n)| (distance, other.as_str()) < (d, n));
            if *other_space == space && close && better {
                best = Some((distance, other));
            }
        }
        best.map(|(_, name)| name.to_owned())
    }
}

/// The edit distance of two names, ignoring case.
fn distance(a: &str, b: &str) -> usize {
    let (a, b): (Vec<char>, Vec<char>) =
        (a.to_lowercase().chars().collect(), b.to_lowercase().chars().collect());
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, y) in b.iter().enumerate() {
            let substitute = diagonal + usize::from(x != y);
            diagonal = row[j + 1];
            row[j + 1] = substitute.min(diagonal + 1).min(row[j] + 1);
        }
    }
    row[b.len()]
}
