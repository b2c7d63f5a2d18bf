//! Names and what they stand for. Values, types and routines have names of their own, so that one word may be all three.

use std::collections::HashMap;

use burnside_model::Span;
use burnside_model::code::{GlobalId, LocalId, TypeId};

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Symbol {
    /// A constant, an enum member, an alias of a constant.
    Constant {
        value: i64,
        ty: TypeId,
    },
    Global(GlobalId),
    /// A local; whether it may be assigned to.
    Local {
        local: LocalId,
        access: Access,
    },
    /// The index of a multiset of this type, bound by `choose` and its kind.
    Slot {
        local: LocalId,
        set: TypeId,
    },
    Type(TypeId),
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

/// Whether something may be assigned to, and why not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Access {
    /// It may.
    Free,
    /// It is bound by a loop, quantifier or ruleset.
    Loop,
    /// It is a parameter without `var`.
    Parameter,
    /// It is an alias of a value.
    Value,
}

/// What a local refers to in the end: decides what a write through it writes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Root {
    State,
    /// A parameter of the routine at hand, by position.
    Param(usize),
    /// A variable of the body at hand.
    Own,
}

/// The scopes around the place at hand.
pub(super) struct Scopes {
    scopes: Vec<Scope>,
}

/// What is declared in one scope: the names of each space, with the place of their declaration.
type Scope = [HashMap<String, (Symbol, Span)>; 3];

impl Default for Scopes {
    fn default() -> Self {
        Scopes { scopes: vec![Scope::default()] }
    }
}

impl Scopes {
    pub(super) fn push(&mut self) {
        self.scopes.push(Scope::default());
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
        self.scopes.iter().rev().find_map(|scope| scope[space as usize].get(name).copied())
    }

    /// Declares a name in the innermost scope; gives the earlier declaration there, if any. A name that is declared
    /// twice stands for nothing, as it is not known which declaration its uses mean.
    pub(super) fn declare(&mut self, space: Space, name: &str, symbol: Symbol, span: Span) -> Option<Span> {
        let scope = &mut self.scopes.last_mut()?[space as usize];
        let Some((known, earlier)) = scope.get_mut(name) else {
            scope.insert(name.to_owned(), (symbol, span));
            return None;
        };
        *known = Symbol::Broken;
        Some(*earlier)
    }

    /// A known name that looks like this one.
    pub(super) fn similar(&self, space: Space, name: &str) -> Option<String> {
        // Of short names, only upper and lower case are mixed up.
        let close = if name.len() < 3 { 0 } else { 1 + name.len() / 4 };
        let names = self.scopes.iter().flat_map(|scope| scope[space as usize].keys());
        let candidates = names.map(|other| (distance(name, other), other));
        candidates.filter(|(distance, _)| *distance <= close).min().map(|(_, other)| other.clone())
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
