//! Names and what they stand for.

use std::collections::HashMap;
use std::rc::Rc;

use burnside_model::code::{Expr, LocalId, Place, TypeId};

use crate::uppaal::ast::{Instantiation, Template};

/// What a name stands for.
#[derive(Clone, Debug)]
pub(super) enum Symbol {
    /// A constant of a simple type.
    Constant(i64, TypeId),
    /// What a parameter of a template was given by value.
    Value(Expr),
    /// A variable, clock or channel.
    Variable {
        place: Place,
        /// Whether it cannot be assigned to.
        fixed: bool,
    },
    /// A local of the body at hand.
    Local {
        local: LocalId,
        /// Whether it cannot be assigned to.
        fixed: bool,
    },
    Type(TypeId),
    /// A range without values.
    EmptyRange,
    /// A variable, constant, parameter or function with values that no zone can follow.
    Real,
    /// A function, and how many parameters of the process it takes first.
    Function(u32, u32),
    Template(Rc<Template>),
    /// A template some of whose parameters are given.
    Instance(Rc<Instantiation>),
    /// A process, by its position in the network.
    Process(u32),
    /// A name whose declaration is wrong, which was said there.
    Wrong,
}

/// Nested scopes.
#[derive(Clone, Debug)]
pub(super) struct Scopes(Vec<HashMap<String, Symbol>>);

impl Scopes {
    pub fn new() -> Self {
        Scopes(vec![HashMap::new()])
    }

    pub fn open(&mut self) {
        self.0.push(HashMap::new());
    }

    pub fn close(&mut self) -> HashMap<String, Symbol> {
        self.0.pop().unwrap_or_default()
    }

    /// Adds a name to the innermost scope; whether it is new there.
    pub fn add(&mut self, name: &str, symbol: Symbol) -> bool {
        self.0.last_mut().expect("a scope is open").insert(name.to_owned(), symbol).is_none()
    }

    pub fn find(&self, name: &str) -> Option<&Symbol> {
        self.0.iter().rev().find_map(|scope| scope.get(name))
    }

    /// Leaves only the outermost scope.
    pub fn close_all(&mut self) {
        self.0.truncate(1);
    }

    /// Whether it is the outermost scope that names are added to.
    pub fn is_global(&self) -> bool {
        self.0.len() == 1
    }

    /// The names that are near a wrong one: for hints.
    pub fn similar(&self, name: &str) -> Option<String> {
        let lower = name.to_lowercase();
        let names = self.0.iter().rev().flat_map(HashMap::keys);
        let most = name.chars().count() / 3;
        let is_near = |known: &&String| {
            let known = known.to_lowercase();
            distance(&known, &lower) <= most || name.len() > 2 && letters(&known) == letters(&lower)
        };
        let mut near: Vec<_> = names.filter(is_near).collect();
        near.sort();
        near.first().map(|known| (*known).clone())
    }
}

/// The letters of a name, in order: names that differ in nothing else are near.
fn letters(name: &str) -> Vec<char> {
    let mut letters: Vec<char> = name.chars().collect();
    letters.sort_unstable();
    letters
}

/// How many letters have to be put in, left out or changed.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, c) in a.chars().enumerate() {
        let mut diagonal = std::mem::replace(&mut row[0], i + 1);
        for j in 0..b.len() {
            let change = diagonal + usize::from(c != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = change.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}
