//! What is known of values and places during one iteration of a loop, whichever iteration it is.

use std::collections::{BTreeMap, BTreeSet};

use burnside_model::code::{GlobalId, LocalId};

/// What is known of a simple value.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Val {
    /// It is the loop's variable (perhaps converted to or from a union), so it differs between iterations.
    Loop,
    /// It is the element of a ring that is so many places (not 0) further than the loop's variable.
    Further(u32),
    Const(i64),
    /// The same in all iterations, provided that what it reads is not written by them; equal texts are equal values.
    Same(String),
    /// It is a position in a multiset whose entry has the loop's variable as its key: see [`Step::Entries`].
    Own,
    Vary,
}

impl Val {
    /// Its text, if it is the same in all iterations.
    pub fn text(&self) -> Option<String> {
        match self {
            Val::Const(value) => Some(value.to_string()),
            Val::Same(text) => Some(text.clone()),
            Val::Loop | Val::Further(_) | Val::Own | Val::Vary => None,
        }
    }

    /// The value of an operation on these.
    pub fn of(operation: &str, parts: &[Val]) -> Val {
        let texts: Option<Vec<String>> = parts.iter().map(Val::text).collect();
        texts.map_or(Val::Vary, |texts| Val::Same(format!("{operation}({})", texts.join(","))))
    }

    fn join(self, other: Val) -> Val {
        if self == other { self } else { Val::Vary }
    }
}

/// Where a variable lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Root {
    Global(GlobalId),
    /// In the frame of this body; bodies are numbered.
    Local(u32, LocalId),
    /// In the temporary storage of a function's result.
    Temporary,
}

/// A step from an aggregate to a part of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Step {
    Field(u32),
    /// An element of an array, or a slot of a multiset.
    Index(Val),
    /// The entries of a multiset whose key, the part with these fields on the way, is the loop's variable.
    Entries(Vec<u32>),
    /// How many entries a multiset has.
    Size,
}

/// A location: a variable or a part of one.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Loc {
    /// The variable.
    pub root: Root,
    /// The way to the part.
    pub path: Vec<Step>,
}

impl Loc {
    pub fn new(root: Root) -> Self {
        Loc { root, path: Vec::new() }
    }

    /// Whether this location in one iteration may overlap the other in another iteration.
    ///
    /// Row and column of a matrix, `m[p][i]` and `m[i][p]`, do not: they would be one cell only if both iterations had
    /// `i = p`. That `p` is the same in both is up to the accesses that read it.
    pub fn meets(&self, other: &Loc) -> bool {
        let fixed_to = |mine: &Loc, theirs: &Loc| -> Vec<String> {
            let steps = mine.path.iter().zip(&theirs.path);
            let fixed = steps.filter_map(|steps| match steps {
                (Step::Index(Val::Loop), Step::Index(value)) => value.text(),
                _ => None,
            });
            fixed.collect()
        };
        let theirs = fixed_to(other, self);
        let one_iteration = fixed_to(self, other).iter().any(|text| theirs.contains(text));
        self.root == other.root
            && !one_iteration
            && self.path.iter().zip(&other.path).all(|steps| match steps {
                (Step::Field(a), Step::Field(b)) => a == b,
                (Step::Entries(a), Step::Entries(b)) => a != b,
                (Step::Entries(_), Step::Size) | (Step::Size, Step::Entries(_)) => false,
                (Step::Index(Val::Loop), Step::Index(Val::Loop)) => false,
                (Step::Index(Val::Further(a)), Step::Index(Val::Further(b))) => a != b,
                (Step::Index(Val::Const(a)), Step::Index(Val::Const(b))) => a == b,
                _ => true,
            })
    }

    /// The fields on the way, if there are only fields.
    pub fn fields(&self) -> Option<Vec<u32>> {
        let field = |step: &Step| match step {
            Step::Field(field) => Some(*field),
            _ => None,
        };
        self.path.iter().map(field).collect()
    }
}

/// The locations that a place may denote, and its text if it denotes the same one in all iterations.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Target {
    /// One of these.
    pub locs: Vec<Loc>,
    /// Equal texts are equal places.
    pub text: Option<String>,
}

impl Target {
    /// A part of it.
    pub fn step(mut self, step: Step) -> Self {
        let suffix = match &step {
            Step::Field(field) => Some(format!(".{field}")),
            Step::Index(value) => value.text().map(|text| format!("[{text}]")),
            Step::Entries(_) | Step::Size => None,
        };
        self.text = self.text.zip(suffix).map(|(text, suffix)| text + &suffix);
        for loc in &mut self.locs {
            loc.path.push(step.clone());
        }
        self
    }

    /// What is read there.
    pub fn content(&self) -> Val {
        self.text.clone().map_or(Val::Vary, Val::Same)
    }
}

/// What a local holds.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Held {
    Value(Val),
    Reference(Target),
}

/// What is known at a point of the iteration.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct State {
    /// Locals of all active frames; nothing is known of one that is absent.
    pub locals: BTreeMap<(u32, u32), Held>,
    /// Parts of the home frame's locals that were surely assigned in this iteration.
    pub assigned: BTreeSet<(u32, Vec<u32>)>,
}

impl State {
    /// What holds whichever of the two is the case.
    pub fn join(mut self, other: &State) -> State {
        self.assigned.retain(|part| other.assigned.contains(part));
        let locals = std::mem::take(&mut self.locals);
        for (key, held) in locals {
            let joined = match (held, other.locals.get(&key)) {
                (Held::Value(a), Some(Held::Value(b))) => Held::Value(a.join(b.clone())),
                (Held::Reference(mut a), Some(Held::Reference(b))) => {
                    a.text = a.text.filter(|text| Some(text) == b.text.as_ref());
                    let more: Vec<_> = b.locs.iter().filter(|loc| !a.locs.contains(loc)).cloned().collect();
                    a.locs.extend(more);
                    Held::Reference(a)
                }
                // A reference bound on one side only is out of scope.
                _ => continue,
            };
            self.locals.insert(key, joined);
        }
        self
    }
}

/// Joins where either may be unreachable.
pub(super) fn join(a: Option<State>, b: Option<State>) -> Option<State> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.join(&b)),
        (a, b) => a.or(b),
    }
}
