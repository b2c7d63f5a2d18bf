//! One way to walk over all code: what a statement, expression, place or call consists of.

use burnside_model::code::{
    Arg, Block, Call, Expr, ExprKind, LocalId, Loop, LoopRange, Operand, Place, PlaceKind, Stmt, StmtKind,
};

/// A piece of code.
#[derive(Clone, Copy)]
pub enum Part<'m> {
    /// A statement.
    Stmt(&'m Stmt),
    /// An expression.
    Expr(&'m Expr),
    /// A place.
    Place(&'m Place),
    /// A call.
    Call(&'m Call),
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

    /// Its direct parts, in the order of evaluation.
    pub fn parts(self) -> Vec<Part<'m>> {
        let mut parts = Vec::new();
        match self {
            Part::Stmt(stmt) => stmt_parts(stmt, &mut parts),
            Part::Expr(expr) => expr_parts(expr, &mut parts),
            Part::Place(place) => place_parts(place, &mut parts),
            Part::Call(call) => parts.extend(call.args.iter().filter_map(|arg| match arg {
                Arg::Value(e) => Some(Part::Expr(e)),
                Arg::Reference(place) => Some(Part::Place(place)),
                Arg::Undefined => None,
            })),
        }
        parts
    }

    /// Visits it and everything inside.
    pub fn each(self, visit: &mut dyn FnMut(Part<'m>)) {
        visit(self);
        for part in self.parts() {
            part.each(visit);
        }
    }

    /// Whether `other` is it or inside it.
    pub fn contains(self, other: Part<'m>) -> bool {
        let mut found = false;
        self.each(&mut |part| found |= part.is(other));
        found
    }

    /// Whether the local is named in it.
    pub fn mentions(self, local: LocalId) -> bool {
        let mut found = false;
        self.each(&mut |part| {
            found |= matches!(part, Part::Place(place) if place.kind == PlaceKind::Local(local));
        });
        found
    }
}

/// An operand as a part.
pub fn operand(operand: &Operand) -> Part<'_> {
    match operand {
        Operand::Value(e) => Part::Expr(e),
        Operand::Place(place) => Part::Place(place),
    }
}

/// The expressions of a loop's range.
pub fn range_parts(each: &Loop) -> Vec<Part<'_>> {
    match &each.range {
        LoopRange::Type(_) => Vec::new(),
        LoopRange::Span(from, to, by) => {
            [Some(from), Some(to), by.as_ref()].into_iter().flatten().map(|e| Part::Expr(e)).collect()
        }
    }
}

fn block<'m>(block: &'m Block, parts: &mut Vec<Part<'m>>) {
    parts.extend(block.iter().map(Part::Stmt));
}

fn stmt_parts<'m>(stmt: &'m Stmt, parts: &mut Vec<Part<'m>>) {
    match &stmt.kind {
        StmtKind::Assign(target, value) => parts.extend([Part::Expr(value), Part::Place(target)]),
        StmtKind::Copy(target, source) => parts.extend([Part::Place(source), Part::Place(target)]),
        StmtKind::Undefine(target) | StmtKind::Clear(target) => parts.push(Part::Place(target)),
        StmtKind::If(arms, otherwise) => {
            for (condition, body) in arms {
                parts.push(Part::Expr(condition));
                block(body, parts);
            }
            block(otherwise, parts);
        }
        StmtKind::Switch(subject, cases, otherwise) => {
            parts.push(Part::Expr(subject));
            for (values, body) in cases {
                parts.extend(values.iter().map(Part::Expr));
                block(body, parts);
            }
            block(otherwise, parts);
        }
        StmtKind::For(each, body) => {
            parts.extend(range_parts(each));
            block(body, parts);
        }
        StmtKind::While(condition, body) => {
            parts.push(Part::Expr(condition));
            block(body, parts);
        }
        StmtKind::Call(call) => parts.push(Part::Call(call)),
        StmtKind::Alias(_, target, body) => {
            parts.push(operand(target));
            block(body, parts);
        }
        StmtKind::Return(None) | StmtKind::PutText(_) | StmtKind::Error(_) => {}
        StmtKind::Return(Some(value)) | StmtKind::Put(value, _) => parts.push(operand(value)),
        StmtKind::Assert(condition, _) | StmtKind::Assume(condition) | StmtKind::Cover(condition, _) => {
            parts.push(Part::Expr(condition));
        }
        StmtKind::MultisetAdd(element, set) => parts.extend([Part::Place(set), operand(element)]),
        StmtKind::MultisetRemove(slot, set) => parts.extend([Part::Place(set), Part::Expr(slot)]),
        StmtKind::MultisetRemovePred(_, set, condition) => {
            parts.extend([Part::Place(set), Part::Expr(condition)]);
        }
    }
}

fn expr_parts<'m>(expr: &'m Expr, parts: &mut Vec<Part<'m>>) {
    match &expr.kind {
        ExprKind::Const(_) => {}
        ExprKind::Read(place) | ExprKind::IsUndefined(place) => parts.push(Part::Place(place)),
        ExprKind::Not(e)
        | ExprKind::Neg(e)
        | ExprKind::BitNot(e)
        | ExprKind::IsMember(e, _)
        | ExprKind::Rotate(e, _)
        | ExprKind::Convert(e) => parts.push(Part::Expr(e)),
        ExprKind::Arith(_, a, b)
        | ExprKind::Order(_, a, b)
        | ExprKind::Logic(_, a, b)
        | ExprKind::Eq(a, b)
        | ExprKind::Ne(a, b) => parts.extend([Part::Expr(a), Part::Expr(b)]),
        ExprKind::Same(a, b, _) => parts.extend([Part::Place(a), Part::Place(b)]),
        ExprKind::Cond(c, a, b) => parts.extend([Part::Expr(c), Part::Expr(a), Part::Expr(b)]),
        ExprKind::Quantified(_, each, body) => {
            parts.extend(range_parts(each));
            parts.push(Part::Expr(body));
        }
        ExprKind::Call(call) => parts.push(Part::Call(call)),
        ExprKind::Count(_, set, condition) => parts.extend([Part::Place(set), Part::Expr(condition)]),
    }
}

fn place_parts<'m>(place: &'m Place, parts: &mut Vec<Part<'m>>) {
    match &place.kind {
        PlaceKind::Global(_) | PlaceKind::Local(_) => {}
        PlaceKind::Index(base, e) | PlaceKind::Slot(base, e) => {
            parts.extend([Part::Place(base), Part::Expr(e)]);
        }
        PlaceKind::Field(base, _) => parts.push(Part::Place(base)),
        PlaceKind::Call(call) => parts.push(Part::Call(call)),
        PlaceKind::Cond(c, a, b) => parts.extend([Part::Expr(c), Part::Place(a), Part::Place(b)]),
    }
}

/// Visits the locals at the bottom of a place.
pub(crate) fn root_locals(place: &Place, visit: &mut dyn FnMut(LocalId)) {
    match &place.kind {
        PlaceKind::Local(local) => visit(*local),
        PlaceKind::Index(base, _) | PlaceKind::Slot(base, _) | PlaceKind::Field(base, _) => {
            root_locals(base, visit);
        }
        PlaceKind::Cond(_, a, b) => {
            root_locals(a, visit);
            root_locals(b, visit);
        }
        PlaceKind::Global(_) | PlaceKind::Call(_) => {}
    }
}

/// Visits every place in it that may be written: targets, and whatever a reference is taken of.
pub(crate) fn targets<'m>(part: Part<'m>, visit: &mut dyn FnMut(&'m Place)) {
    part.each(&mut |part| match part {
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
