//! The model as trees of points: variables, functions, and the values of ranges and enums that may move.
//!
//! On the way every place where a value goes from one type to another is looked at. Values may only move in types whose
//! values are compared, assigned, passed on, and used as indices, and together with all types that they go to; all others
//! are *pinned*, and spelled out as numbers. So a permutation of points that maps the trees onto each other maps what
//! the code does: by induction over the code, what an expression is worth in a permuted state is the permuted value of
//! its image, and so for statements.

mod exprs;
mod stmts;

use std::collections::{BTreeMap, BTreeSet};

use burnside_model::Model;
use burnside_model::code::{Cell, Frame, LocalId, Operand, TypeId, TypeKind};
use burnside_model::system::{Binder, Property, Rule};

use super::super::effects;
use super::node::Node;
use crate::verify::Defined;

/// What the points are, and which types have values that may move.
#[derive(Clone, Debug, Default)]
pub(super) struct Points {
    /// Variables come first, then functions; then values.
    pub values: BTreeMap<(usize, Cell), u32>,
    /// The class of a type's values.
    pub class_of: BTreeMap<TypeId, usize>,
    /// What is equal for types whose values may be exchanged, beside the class; classes that move together have one.
    pub keys: Vec<usize>,
    pub count: usize,
}

/// What a tree is of.
#[derive(Clone, Copy)]
#[repr(i64)]
pub(super) enum Word {
    Variable,
    Function,
    Value,
    Rule,
    Property,
    Binder,
    Type,
    Constant,
    Read,
    Local,
    Bound,
    Operator,
    Quantifier,
    Call,
    Statement,
    Loop,
    Nothing,
}

impl Word {
    /// A tree of this kind.
    pub fn of(self, parts: impl IntoIterator<Item = Node>) -> Node {
        Node::of(self as i64, parts)
    }

    /// The same with a number that says more.
    pub fn more(self, number: i64, parts: impl IntoIterator<Item = Node>) -> Node {
        self.of(std::iter::once(Node::Leaf(number)).chain(parts))
    }
}

/// Makes trees of code.
pub(super) struct Weaver<'m> {
    pub model: &'m Model,
    pub points: &'m Points,
    pub defined: &'m Defined,
    /// The classes that must not move.
    pub pinned: BTreeSet<usize>,
    frame: &'m Frame,
    /// The variables of loops, quantifiers, binders and aliases around, from the outside in.
    bound: Vec<LocalId>,
    /// Those of them that have a value, whatever the state.
    valued: Vec<LocalId>,
    /// What the function at hand returns.
    result: Option<TypeId>,
}

impl<'m> Weaver<'m> {
    pub fn new(model: &'m Model, points: &'m Points, defined: &'m Defined, nothing: &'m Frame) -> Self {
        Weaver {
            model,
            points,
            defined,
            pinned: BTreeSet::new(),
            frame: nothing,
            bound: Vec::new(),
            valued: Vec::new(),
            result: None,
        }
    }

    /// Variables, values and functions as what they are.
    pub fn declarations(&mut self) -> Vec<Node> {
        let mut trees = Vec::new();
        for (number, global) in (0..).zip(&self.model.globals) {
            let defined = self.defined.parts_of(number);
            let defined =
                defined.map(|part| Node::Seq(part.iter().map(|f| Node::Leaf(i64::from(*f))).collect()));
            let defined = Node::Seq(defined.collect());
            trees.push(Word::Variable.of([Node::Point(number), self.ty(global.ty), defined]));
        }
        for ((class, value), point) in &self.points.values {
            // Values that the same types have.
            let bounds = self.points.class_of.iter().filter(|(_, of)| *of == class);
            let bounds = bounds.map(|(ty, _)| self.model.types.bounds(*ty));
            let bounds: BTreeSet<_> = bounds.filter(|(lo, hi)| (lo..=hi).contains(&value)).collect();
            let bounds = bounds.into_iter().flat_map(|(lo, hi)| [Node::Leaf(lo), Node::Leaf(hi)]);
            let class = Node::Leaf(self.points.keys[*class] as i64);
            trees.push(Word::Value.of([Node::Point(*point), class].into_iter().chain(bounds)));
        }
        let first = self.model.globals.len() as u32;
        for (number, function) in (first..).zip(&self.model.functions) {
            self.enter(&function.frame);
            self.result = function.result;
            let params = function.frame.locals.iter().take(function.params as usize);
            let params: Vec<Node> =
                params.map(|local| Word::Type.more(local.storage as i64, [self.ty(local.ty)])).collect();
            let result = function.result.map_or(Node::Leaf(-1), |ty| self.ty(ty));
            let body = self.block(&function.body);
            trees.push(Word::Function.of([Node::Point(number), Node::Seq(params), result, body]));
            self.result = None;
        }
        trees
    }

    /// A rule; its name means nothing.
    pub fn rule(&mut self, rule: &'m Rule) -> Node {
        self.enter(&rule.frame);
        let binders = self.binders(&rule.binders);
        let guard = match &rule.guard {
            Some(guard) => self.condition(guard),
            None => Word::Nothing.of([]),
        };
        let body = self.block(&rule.body);
        Word::Rule.of([binders, guard, body])
    }

    /// A property, which is like no other.
    pub fn property(&mut self, number: usize, property: &'m Property) -> Node {
        self.enter(&property.frame);
        let binders = self.binders(&property.binders);
        let condition = match &property.condition {
            Some(condition) => self.condition(condition),
            None => Word::Nothing.of([]),
        };
        Word::Property.more(number as i64, [binders, condition])
    }

    /// Pins what stays where it is whatever the code says: values in unions and multisets, which are numbered and
    /// sorted, and those that a quantifier with effects runs through.
    pub fn pin_special(&mut self) {
        for ty in self.model.types.ids() {
            if matches!(self.model.types[ty].kind, TypeKind::Union(_) | TypeKind::Multiset { .. }) {
                self.pin(ty);
            }
            if self.class(ty).is_some() && effects::with_effects(self.model, ty).is_some() {
                self.pin(ty);
            }
        }
    }

    fn enter(&mut self, frame: &'m Frame) {
        self.frame = frame;
        self.bound.clear();
        self.valued.clear();
    }

    fn binders(&mut self, binders: &'m [Binder]) -> Node {
        let mut trees = Vec::new();
        for binder in binders {
            let tree = match binder {
                Binder::Each(each) => {
                    let tree = self.range(each);
                    self.valued.push(each.local);
                    self.bound.push(each.local);
                    tree
                }
                Binder::Alias(local, target) => {
                    let tree = self.operand(Some(self.frame[*local].ty), target);
                    self.bound.push(*local);
                    Word::Binder.more(matches!(target, Operand::Place(_)).into(), [tree])
                }
                Binder::Choose(local, set) => {
                    let tree = self.place(set);
                    self.bound.push(*local);
                    Word::Binder.more(2, [tree])
                }
            };
            trees.push(tree);
        }
        Node::Seq(trees)
    }

    /// The class of a simple type's values, if they may move.
    fn class(&self, ty: TypeId) -> Option<usize> {
        self.points.class_of.get(&ty).copied()
    }

    /// The values of a type stay what they are.
    pub fn pin(&mut self, ty: TypeId) {
        let model = self.model;
        match &model.types[ty].kind {
            TypeKind::Array { index, element } => {
                self.pin(*index);
                self.pin(*element);
            }
            TypeKind::Record(fields) => fields.iter().for_each(|field| self.pin(field.ty)),
            TypeKind::Multiset { element, .. } => self.pin(*element),
            TypeKind::Union(members) => members.iter().for_each(|member| self.pin(*member)),
            _ => self.pinned.extend(self.class(ty)),
        }
    }

    /// Values go from one type to the other, part by part: they must move in the same way.
    fn meet(&mut self, a: TypeId, b: TypeId) {
        if a == b {
            return;
        }
        let model = self.model;
        match (&model.types[a].kind, &model.types[b].kind) {
            (TypeKind::Array { index: i, element: e }, TypeKind::Array { index: j, element: f }) => {
                self.meet(*i, *j);
                self.meet(*e, *f);
            }
            (TypeKind::Record(a), TypeKind::Record(b)) => {
                a.iter().zip(b).for_each(|(a, b)| self.meet(a.ty, b.ty));
            }
            (TypeKind::Multiset { element: e, .. }, TypeKind::Multiset { element: f, .. }) => {
                self.meet(*e, *f);
            }
            _ if model.types.is_simple(a) && model.types.is_simple(b) && self.class(a) == self.class(b) => {}
            _ => {
                self.pin(a);
                self.pin(b);
            }
        }
    }

    /// A type as what it means: which values it has and how they may move.
    fn ty(&self, ty: TypeId) -> Node {
        let number = |number: u32| Node::Leaf(i64::from(number));
        let shape = |shape: i64, parts: Vec<Node>| Word::Type.more(shape, parts);
        match &self.model.types[ty].kind {
            TypeKind::Bool => shape(0, Vec::new()),
            TypeKind::Enum(_) | TypeKind::Range(..) => {
                let (lo, hi) = self.model.types.bounds(ty);
                let key = self.class(ty).map_or(-1, |class| self.points.keys[class] as i64);
                shape(1, vec![Node::Leaf(lo), Node::Leaf(hi), Node::Leaf(key)])
            }
            TypeKind::Scalarset(domain) => shape(2, vec![number(domain.0)]),
            TypeKind::Union(_) => shape(3, vec![number(ty.0)]),
            TypeKind::Array { index, element } => shape(4, vec![self.ty(*index), self.ty(*element)]),
            TypeKind::Record(fields) => shape(5, fields.iter().map(|field| self.ty(field.ty)).collect()),
            TypeKind::Multiset { capacity, element } => shape(6, vec![number(*capacity), self.ty(*element)]),
        }
    }
}
