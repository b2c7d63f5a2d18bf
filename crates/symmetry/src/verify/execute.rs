//! The statements of an iteration.

use burnside_model::Span;
use burnside_model::code::{
    ArithOp, Block, Expr, ExprKind, LocalId, LogicOp, Operand, Part, Place, PlaceKind, Stmt, StmtKind,
    Storage, Types, UNDEFINED,
};

use super::abstraction::{Held, Step, Val, join};
use super::collect::{Collector, Use};

/// Numbers up to this can be added 2³¹ times.
const SMALL: i64 = 1 << 32;

impl<'m> Collector<'m> {
    fn write(&mut self, place: &'m Place, value: Val, span: Span) {
        let target = self.place(place);
        self.record(&target, Use::Write(value.clone()), span, place);
        self.store(&target, value);
        self.may_fault(span);
    }

    pub fn block(&mut self, block: &'m Block) {
        for stmt in block {
            if self.state.is_none() || !self.burn(stmt.span) {
                return;
            }
            self.statement(stmt);
        }
    }

    fn statement(&mut self, stmt: &'m Stmt) {
        match &stmt.kind {
            StmtKind::Assign(target, value) => self.assign(target, value, stmt.span),
            StmtKind::Copy(target, place) => {
                let source = self.place(place);
                self.record(&source, Use::Read, stmt.span, place);
                self.write(target, source.content(), stmt.span);
            }
            StmtKind::Undefine(target) => self.write(target, Val::Const(UNDEFINED), stmt.span),
            StmtKind::Clear(target) => self.write(target, Val::Same("clear".to_owned()), stmt.span),
            StmtKind::If(arms, otherwise) => {
                let arms = arms.iter().map(|(condition, body)| (std::slice::from_ref(condition), body));
                self.branches(arms, otherwise);
            }
            StmtKind::Switch(subject, cases, otherwise) => {
                self.value(subject);
                self.branches(cases.iter().map(|(values, body)| (values.as_slice(), body)), otherwise);
            }
            StmtKind::For(each, body) => {
                self.range(each);
                self.repeat(stmt.span, |this| {
                    this.bind_variable(each.local, Val::Vary);
                    this.block(body);
                });
            }
            StmtKind::While(condition, body) => {
                self.may_fault(stmt.span);
                self.value(condition);
                self.repeat(stmt.span, |this| {
                    this.block(body);
                    this.value(condition);
                });
            }
            StmtKind::Call(call) => drop(self.call(call)),
            StmtKind::Alias(local, target, body) => {
                self.alias(*local, target);
                self.block(body);
            }
            StmtKind::Return(value) => self.leave(value.as_ref(), stmt.span),
            StmtKind::PutText(_) => {}
            // What is printed is of no account; what its indices and calls do is.
            StmtKind::Put(
                Operand::Value(Expr { kind: ExprKind::Read(place), .. }) | Operand::Place(place),
                _,
            ) => {
                self.place(place);
            }
            StmtKind::Put(Operand::Value(e), _) => drop(self.value(e)),
            StmtKind::Error(_) => {
                self.may_fault(stmt.span);
                self.state = None;
            }
            StmtKind::Assert(condition, _) => {
                self.may_fault(stmt.span);
                self.value(condition);
            }
            StmtKind::Assume(condition) => {
                self.value(condition);
                self.found.assume.get_or_insert(stmt.span);
            }
            StmtKind::Cover(condition, _) => {
                self.value(condition);
                self.found.cover.get_or_insert(stmt.span);
            }
            StmtKind::MultisetAdd(element, set) => {
                let target = self.place(set);
                let key = self.operand(element, stmt.span);
                let at = match (key, element) {
                    (Val::Loop, Operand::Value(_)) => target.clone().step(Step::Entries(Vec::new())),
                    _ => target.clone(),
                };
                self.record(&at, Use::Insert, stmt.span, set);
                // Whether it is full is a matter of all that is added and removed.
                self.record(&target.step(Step::Size), Use::Up, stmt.span, set);
                self.may_fault(stmt.span);
            }
            StmtKind::MultisetRemove(slot, set) => {
                self.value(slot);
                let target = self.place(set);
                self.record(&target, Use::Read, stmt.span, set);
                self.record(&target, Use::Write(Val::Vary), stmt.span, set);
                self.may_fault(stmt.span);
            }
            StmtKind::MultisetRemovePred(local, set, condition) => {
                let Some(key) = self.count(*local, set, condition, stmt.span) else {
                    return self.write(set, Val::Vary, stmt.span);
                };
                let target = self.place(set);
                let own = target.clone().step(Step::Entries(key));
                self.record(&own, Use::Write(Val::Vary), stmt.span, set);
                self.record(&target.step(Step::Size), Use::Down, stmt.span, set);
                self.store(&own, Val::Vary);
            }
        }
    }

    fn branches(&mut self, arms: impl Iterator<Item = (&'m [Expr], &'m Block)>, otherwise: &'m Block) {
        let mut after = None;
        for (conditions, body) in arms {
            let mut matched = None;
            for condition in conditions {
                self.value(condition);
                matched = join(matched, self.state.clone());
            }
            let unmatched = std::mem::replace(&mut self.state, matched);
            self.block(body);
            after = join(after, self.state.take());
            self.state = unmatched;
        }
        self.block(otherwise);
        self.state = join(after, self.state.take());
    }

    /// Binds an alias of the current frame.
    pub fn alias(&mut self, local: LocalId, target: &'m Operand) {
        let held = match target {
            Operand::Place(place) => Held::Reference(self.place(place)),
            Operand::Value(e) => {
                let (_, owner) = self.here();
                self.unchecked.insert((owner, local));
                Held::Value(self.value(e))
            }
        };
        self.bind(local, held);
    }

    fn operand(&mut self, operand: &'m Operand, span: Span) -> Val {
        match operand {
            Operand::Value(e) => self.value(e),
            Operand::Place(place) => {
                let source = self.place(place);
                self.record(&source, Use::Read, span, place);
                source.content()
            }
        }
    }

    fn leave(&mut self, operand: Option<&'m Operand>, span: Span) {
        let value = operand.map_or(Val::Const(0), |operand| self.operand(operand, span));
        let state = self.state.take();
        match self.scopes.as_mut_slice() {
            [_, .., scope] => {
                scope.returned = join(scope.returned.take(), state);
                let same = scope.result.as_ref().is_none_or(|result| *result == value);
                scope.result = Some(if same { value } else { Val::Vary });
            }
            _ => self.found.returns.push((value, span)),
        }
    }

    fn assign(&mut self, target: &'m Place, value: &'m Expr, span: Span) {
        // A call in `e` might change which place the target is, unless it is a local.
        let settled = |e: &Expr| matches!(target.kind, PlaceKind::Local(_)) || !Part::Expr(e).calls();
        if let Some((how, e)) = self.accumulation(target, value).filter(|(_, e)| settled(e)) {
            let quiet = self.found.fault.take();
            self.maybe(|this| this.value(e));
            let faults = self.found.fault.take();
            self.found.fault = quiet.or(faults);
            // A connective that is already decided does not evaluate `e`, nor see it fail.
            if matches!(how, Use::Up | Use::Down) || faults.is_none() {
                let at = self.place(target);
                self.record(&at, how, span, target);
                self.store(&at, Val::Vary);
                self.may_fault(span);
                return;
            }
        }
        let value = self.value(value);
        self.write(target, value, span);
    }

    /// `x := x + e` and the like: how it is used, and `e`.
    fn accumulation(&self, target: &Place, value: &'m Expr) -> Option<(Use, &'m Expr)> {
        let is_target = |e: &Expr| matches!(&e.kind, ExprKind::Read(place) if same_place(place, target));
        match &value.kind {
            ExprKind::Arith(ArithOp::Add, a, b) if is_target(a) || is_target(b) => {
                let e = if is_target(a) { b } else { a };
                if target.ty == Types::INT && self.is_small(e) {
                    return Some((Use::Up, e));
                }
                Some((if self.not_negative(e)? { Use::Up } else { Use::Down }, e))
            }
            ExprKind::Arith(ArithOp::Sub, a, e) if is_target(a) => {
                Some((if self.not_negative(e)? { Use::Down } else { Use::Up }, e))
            }
            ExprKind::Logic(LogicOp::Or, a, e) if is_target(a) => Some((Use::Or, e)),
            ExprKind::Logic(LogicOp::And, a, e) if is_target(a) => Some((Use::And, e)),
            _ => None,
        }
    }

    /// Whether so little is added that no order of additions leaves the numbers of 64 bits.
    fn is_small(&self, e: &Expr) -> bool {
        match &e.kind {
            ExprKind::Const(value) => value.unsigned_abs() <= SMALL.unsigned_abs(),
            ExprKind::Neg(e) => self.is_small(e),
            ExprKind::Cond(_, a, b) => self.is_small(a) && self.is_small(b),
            _ => {
                let (lo, hi) = self.model.types.bounds(e.ty);
                matches!(e.kind, ExprKind::Read(_) | ExprKind::Call(_)) && lo >= -SMALL && hi <= SMALL
            }
        }
    }

    /// Whether a number is never negative (`true`) or never positive (`false`), if that can be told.
    fn not_negative(&self, e: &Expr) -> Option<bool> {
        match &e.kind {
            ExprKind::Const(value) => Some(*value >= 0),
            ExprKind::Neg(e) => self.not_negative(e).map(|sign| !sign),
            ExprKind::Cond(_, a, b) | ExprKind::Arith(ArithOp::Add, a, b) => {
                self.not_negative(a).filter(|sign| self.not_negative(b) == Some(*sign))
            }
            ExprKind::Read(place) => {
                if let PlaceKind::Local(local) = place.kind {
                    let (frame, owner) = self.here();
                    if frame[local].storage == Storage::Reference || self.unchecked.contains(&(owner, local))
                    {
                        return None;
                    }
                }
                let (lo, hi) = self.model.types.bounds(place.ty);
                if lo >= 0 { Some(true) } else { (hi <= 0).then_some(false) }
            }
            ExprKind::Eq(..)
            | ExprKind::Ne(..)
            | ExprKind::Order(..)
            | ExprKind::Logic(..)
            | ExprKind::Not(_)
            | ExprKind::Quantified(..) => Some(true),
            _ => None,
        }
    }
}

/// Whether two places are written alike, without calls, so that they are one.
pub(super) fn same_place(a: &Place, b: &Place) -> bool {
    match (&a.kind, &b.kind) {
        (PlaceKind::Index(a, i), PlaceKind::Index(b, j)) | (PlaceKind::Slot(a, i), PlaceKind::Slot(b, j)) => {
            same_place(a, b) && same_expr(i, j)
        }
        (PlaceKind::Field(a, f), PlaceKind::Field(b, g)) => f == g && same_place(a, b),
        (PlaceKind::Global(a), PlaceKind::Global(b)) => a == b,
        (PlaceKind::Local(a), PlaceKind::Local(b)) => a == b,
        _ => false,
    }
}

fn same_expr(a: &Expr, b: &Expr) -> bool {
    match (&a.kind, &b.kind) {
        (ExprKind::Const(a), ExprKind::Const(b)) => a == b,
        (ExprKind::Read(a), ExprKind::Read(b)) => same_place(a, b),
        (ExprKind::Convert(x), ExprKind::Convert(y)) => a.ty == b.ty && same_expr(x, y),
        _ => false,
    }
}
