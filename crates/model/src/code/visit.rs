//! The one walk over code: the parts that a statement, expression, place or call consists of, to read or to change.
//!
//! Every analysis asks for [`Part::parts`] and looks at the kinds that matter to it. Here the matches are exhaustive, so a
//! new kind of expression or statement does not compile before it says what its parts are.

use super::expr::{Expr, ExprKind, LocalId, LogicOp, LoopRange, Place, PlaceKind};
use super::stmt::{Arg, Block, Call, Function, Operand, Stmt, StmtKind};
use super::types::Cell;
use crate::Model;
use crate::system::{Binder, Formula, FormulaKind, Property, Rule};

/// Defines a kind of part, by reference to what it is a part of; the second one may be changed.
macro_rules! walk {
    ($(#[$doc:meta])* $Part:ident $(, $mutable:tt)?) => {
        $(#[$doc])*
        pub enum $Part<'m> {
            Stmt(&'m $($mutable)? Stmt),
            Expr(&'m $($mutable)? Expr),
            Place(&'m $($mutable)? Place),
            Call(&'m $($mutable)? Call),
        }

        impl<'m> $Part<'m> {
            /// Its direct parts, in the order of evaluation.
            pub fn parts(self) -> Vec<$Part<'m>> {
                let mut parts = Vec::new();
                match self {
                    $Part::Stmt(stmt) => Self::of_stmt(stmt, &mut parts),
                    $Part::Expr(expr) => Self::of_expr(expr, &mut parts),
                    $Part::Place(place) => Self::of_place(place, &mut parts),
                    $Part::Call(call) => {
                        for arg in &$($mutable)? call.args {
                            match arg {
                                Arg::Value(e) => parts.push($Part::Expr(e)),
                                Arg::Reference(place) => parts.push($Part::Place(place)),
                                Arg::Undefined => {}
                            }
                        }
                    }
                }
                parts
            }

            /// The parts of a rule or start state: its binders, its guard, its body.
            pub fn of_rule(rule: &'m $($mutable)? Rule) -> Vec<$Part<'m>> {
                let mut parts = Vec::new();
                for binder in &$($mutable)? rule.binders {
                    parts.extend(Self::of_binder(binder));
                }
                if let Some(guard) = &$($mutable)? rule.guard {
                    parts.push($Part::Expr(guard));
                }
                Self::of_block(&$($mutable)? rule.body, &mut parts);
                parts
            }

            /// The parts of a property: its binders, its condition, the loops and atoms of its formula.
            pub fn of_property(property: &'m $($mutable)? Property) -> Vec<$Part<'m>> {
                let mut parts = Vec::new();
                for binder in &$($mutable)? property.binders {
                    parts.extend(Self::of_binder(binder));
                }
                if let Some(condition) = &$($mutable)? property.condition {
                    parts.push($Part::Expr(condition));
                }
                if let Some(formula) = &$($mutable)? property.formula {
                    Self::of_formula(formula, &mut parts);
                }
                parts
            }

            /// The statements of a function.
            pub fn of_function(function: &'m $($mutable)? Function) -> Vec<$Part<'m>> {
                let mut parts = Vec::new();
                Self::of_block(&$($mutable)? function.body, &mut parts);
                parts
            }

            /// An operand as a part.
            pub fn of_operand(operand: &'m $($mutable)? Operand) -> $Part<'m> {
                match operand {
                    Operand::Value(e) => $Part::Expr(e),
                    Operand::Place(place) => $Part::Place(place),
                }
            }

            /// The expressions of a loop's range.
            pub fn of_range(range: &'m $($mutable)? LoopRange) -> Vec<$Part<'m>> {
                match range {
                    LoopRange::Type(_) => Vec::new(),
                    LoopRange::Span(from, to, None) => vec![$Part::Expr(from), $Part::Expr(to)],
                    LoopRange::Span(from, to, Some(by)) => {
                        vec![$Part::Expr(from), $Part::Expr(to), $Part::Expr(by)]
                    }
                }
            }

            /// The expressions and places of a binder.
            pub fn of_binder(binder: &'m $($mutable)? Binder) -> Vec<$Part<'m>> {
                match binder {
                    Binder::Each(each) => Self::of_range(&$($mutable)? each.range),
                    Binder::Alias(_, target) => vec![Self::of_operand(target)],
                    Binder::Choose(_, set) => vec![$Part::Place(set)],
                }
            }

            fn of_formula(formula: &'m $($mutable)? Formula, parts: &mut Vec<$Part<'m>>) {
                match &$($mutable)? formula.kind {
                    FormulaKind::Atom(atom) => parts.push($Part::Expr(atom)),
                    FormulaKind::Quantified(_, each, inner) => {
                        parts.extend(Self::of_range(&$($mutable)? each.range));
                        Self::of_formula(inner, parts);
                    }
                    FormulaKind::Not(a) | FormulaKind::Unary(_, _, a) => Self::of_formula(a, parts),
                    FormulaKind::Logic(_, a, b) | FormulaKind::Iff(a, b) | FormulaKind::Binary(_, _, a, b) => {
                        Self::of_formula(a, parts);
                        Self::of_formula(b, parts);
                    }
                }
            }

            fn of_block(block: &'m $($mutable)? Block, parts: &mut Vec<$Part<'m>>) {
                for stmt in block {
                    parts.push($Part::Stmt(stmt));
                }
            }

            fn of_stmt(stmt: &'m $($mutable)? Stmt, parts: &mut Vec<$Part<'m>>) {
                match &$($mutable)? stmt.kind {
                    StmtKind::Assign(target, value) => {
                        parts.extend([$Part::Expr(value), $Part::Place(target)]);
                    }
                    StmtKind::Copy(target, source) => {
                        parts.extend([$Part::Place(source), $Part::Place(target)]);
                    }
                    StmtKind::Undefine(target) | StmtKind::Clear(target) => parts.push($Part::Place(target)),
                    StmtKind::If(arms, otherwise) => {
                        for (condition, body) in arms {
                            parts.push($Part::Expr(condition));
                            Self::of_block(body, parts);
                        }
                        Self::of_block(otherwise, parts);
                    }
                    StmtKind::Switch(subject, cases, otherwise) => {
                        parts.push($Part::Expr(subject));
                        for (values, body) in cases {
                            for value in values {
                                parts.push($Part::Expr(value));
                            }
                            Self::of_block(body, parts);
                        }
                        Self::of_block(otherwise, parts);
                    }
                    StmtKind::For(each, body) => {
                        parts.extend(Self::of_range(&$($mutable)? each.range));
                        Self::of_block(body, parts);
                    }
                    StmtKind::While(condition, body) => {
                        parts.push($Part::Expr(condition));
                        Self::of_block(body, parts);
                    }
                    StmtKind::Call(call) => parts.push($Part::Call(call)),
                    StmtKind::Alias(_, target, body) => {
                        parts.push(Self::of_operand(target));
                        Self::of_block(body, parts);
                    }
                    StmtKind::Return(None) | StmtKind::PutText(_) | StmtKind::Error(_) => {}
                    StmtKind::Return(Some(value)) | StmtKind::Put(value, _) => {
                        parts.push(Self::of_operand(value));
                    }
                    StmtKind::Assert(condition, _)
                    | StmtKind::Assume(condition)
                    | StmtKind::Cover(condition, _) => parts.push($Part::Expr(condition)),
                    StmtKind::MultisetAdd(element, set) => {
                        parts.extend([$Part::Place(set), Self::of_operand(element)]);
                    }
                    StmtKind::MultisetRemove(e, set) | StmtKind::MultisetRemovePred(_, set, e) => {
                        parts.extend([$Part::Place(set), $Part::Expr(e)]);
                    }
                }
            }

            fn of_expr(expr: &'m $($mutable)? Expr, parts: &mut Vec<$Part<'m>>) {
                match &$($mutable)? expr.kind {
                    ExprKind::Const(_) => {}
                    ExprKind::Read(place) | ExprKind::IsUndefined(place) => parts.push($Part::Place(place)),
                    ExprKind::Not(e)
                    | ExprKind::Neg(e)
                    | ExprKind::BitNot(e)
                    | ExprKind::IsMember(e, _)
                    | ExprKind::Rotate(e, _)
                    | ExprKind::Convert(e) => parts.push($Part::Expr(e)),
                    ExprKind::Arith(_, a, b)
                    | ExprKind::Order(_, a, b)
                    | ExprKind::Logic(_, a, b)
                    | ExprKind::Eq(a, b)
                    | ExprKind::Ne(a, b) => parts.extend([$Part::Expr(a), $Part::Expr(b)]),
                    ExprKind::Same(a, b, _) => parts.extend([$Part::Place(a), $Part::Place(b)]),
                    ExprKind::Cond(c, a, b) => {
                        parts.extend([$Part::Expr(c), $Part::Expr(a), $Part::Expr(b)]);
                    }
                    ExprKind::Quantified(_, each, body) => {
                        parts.extend(Self::of_range(&$($mutable)? each.range));
                        parts.push($Part::Expr(body));
                    }
                    ExprKind::Call(call) => parts.push($Part::Call(call)),
                    ExprKind::Count(_, set, condition) => {
                        parts.extend([$Part::Place(set), $Part::Expr(condition)]);
                    }
                }
            }

            fn of_place(place: &'m $($mutable)? Place, parts: &mut Vec<$Part<'m>>) {
                match &$($mutable)? place.kind {
                    PlaceKind::Global(_) | PlaceKind::Local(_) => {}
                    PlaceKind::Index(base, e) | PlaceKind::Slot(base, e) => {
                        parts.extend([$Part::Place(base), $Part::Expr(e)]);
                    }
                    PlaceKind::Field(base, _) => parts.push($Part::Place(base)),
                    PlaceKind::Call(call) => parts.push($Part::Call(call)),
                    PlaceKind::Cond(c, a, b) => {
                        parts.extend([$Part::Expr(c), $Part::Place(a), $Part::Place(b)]);
                    }
                }
            }
        }
    };
}

walk! {
    #[derive(Clone, Copy)]
    Part
}

walk! {
    /// A piece of code that may be changed.
    PartMut, mut
}

impl PartMut<'_> {
    /// Visits it and then everything inside, as the visitor has left it.
    pub fn each(mut self, visit: &mut dyn FnMut(&mut PartMut<'_>)) {
        visit(&mut self);
        for part in self.parts() {
            part.each(visit);
        }
    }
}

impl<'m> Part<'m> {
    /// Whether both are the very same piece of the model.
    pub fn is(self, other: Part<'m>) -> bool {
        match (self, other) {
            (Part::Stmt(a), Part::Stmt(b)) => std::ptr::eq(a, b),
            (Part::Expr(a), Part::Expr(b)) => std::ptr::eq(a, b),
            (Part::Place(a), Part::Place(b)) => std::ptr::eq(a, b),
            (Part::Call(a), Part::Call(b)) => std::ptr::eq(a, b),
            _ => false,
        }
    }

    /// Visits it and then everything inside.
    pub fn each(self, visit: &mut dyn FnMut(Part<'m>)) {
        visit(self);
        for part in self.parts() {
            part.each(visit);
        }
    }

    /// Whether it or something inside is such a part.
    pub fn any(self, mut is: impl FnMut(Part<'m>) -> bool) -> bool {
        let mut found = false;
        self.each(&mut |part| found = found || is(part));
        found
    }

    /// Whether `other` is it or inside it.
    pub fn contains(self, other: Part<'m>) -> bool {
        self.any(|part| part.is(other))
    }

    /// Whether the local is named in it.
    pub fn mentions(self, local: LocalId) -> bool {
        self.any(|part| matches!(part, Part::Place(place) if place.kind == PlaceKind::Local(local)))
    }

    /// Whether a function is called in it.
    pub fn calls(self) -> bool {
        self.any(|part| matches!(part, Part::Call(_)))
    }

    /// Visits every place in it that may be written: targets, and whatever a reference is taken of.
    pub fn targets(self, visit: &mut dyn FnMut(&'m Place)) {
        self.each(&mut |part| match part {
            Part::Stmt(stmt) => match &stmt.kind {
                StmtKind::Assign(target, _)
                | StmtKind::Copy(target, _)
                | StmtKind::Undefine(target)
                | StmtKind::Clear(target)
                | StmtKind::Alias(_, Operand::Place(target), _)
                | StmtKind::MultisetAdd(_, target)
                | StmtKind::MultisetRemove(_, target)
                | StmtKind::MultisetRemovePred(_, target, _) => visit(target),
                _ => {}
            },
            Part::Call(call) => {
                for arg in &call.args {
                    if let Arg::Reference(place) = arg {
                        visit(place);
                    }
                }
            }
            _ => {}
        });
    }
}

impl Expr {
    /// The value of an expression without variables.
    pub fn constant(&self) -> Option<Cell> {
        match &self.kind {
            ExprKind::Const(value) => Some(*value),
            ExprKind::Neg(a) => a.constant()?.checked_neg(),
            ExprKind::Arith(op, a, b) => op.apply(a.constant()?, b.constant()?),
            _ => None,
        }
    }

    /// The expressions that it is put together from by a binary operator, in order; `split` gives the sides of one.
    pub fn split<'e>(
        &'e self,
        split: impl Fn(&'e ExprKind) -> Option<(&'e Expr, &'e Expr)>,
    ) -> Vec<&'e Expr> {
        let (mut open, mut found) = (vec![self], Vec::new());
        while let Some(e) = open.pop() {
            match split(&e.kind) {
                Some((a, b)) => open.extend([b, a]),
                None => found.push(e),
            }
        }
        found
    }

    /// The expressions whose value this one has: those that it chooses between, or itself.
    pub fn leaves(&self) -> Vec<&Expr> {
        self.split(|kind| match kind {
            ExprKind::Cond(_, a, b) => Some((a, b)),
            _ => None,
        })
    }

    /// The operands of a connective that is used several times.
    pub fn operands(&self, op: LogicOp) -> Vec<&Expr> {
        self.split(|kind| match kind {
            ExprKind::Logic(other, a, b) if *other == op => Some((a, b)),
            _ => None,
        })
    }
}

impl Place {
    /// The place that it is a part of and that is no part itself: a variable, a call or a choice.
    pub fn root(&self) -> &Place {
        match &self.kind {
            PlaceKind::Index(base, _) | PlaceKind::Slot(base, _) | PlaceKind::Field(base, _) => base.root(),
            PlaceKind::Global(_) | PlaceKind::Local(_) | PlaceKind::Call(_) | PlaceKind::Cond(..) => self,
        }
    }

    /// The locals that it is a part of, through all choices.
    pub fn root_locals(&self) -> Vec<LocalId> {
        match &self.root().kind {
            PlaceKind::Local(local) => vec![*local],
            PlaceKind::Cond(_, a, b) => [a.root_locals(), b.root_locals()].concat(),
            _ => Vec::new(),
        }
    }
}

impl Model {
    /// All code: of start states, rules, properties and functions.
    pub fn code(&self) -> Vec<Part<'_>> {
        let rules = self.starts.iter().chain(&self.rules).flat_map(Part::of_rule);
        let properties = self.properties.iter().flat_map(Part::of_property);
        rules.chain(properties).chain(self.functions.iter().flat_map(Part::of_function)).collect()
    }
}
