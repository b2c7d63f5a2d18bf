//! How large the code of something would be, about, in instructions; and what compiles without branches.

use burnside_model::code::*;
use burnside_model::system::Rule;

use super::unit::{ENDLESS, Unit};

impl Unit<'_> {
    /// How many iterations, for costs.
    fn iterations(&self, each: &Loop) -> u64 {
        self.values(each).map_or(1 << 20, |values| values.len() as u64)
    }

    /// The size of what is inside of a rule's first binders, so many of them.
    pub fn cost_rule(&self, rule: &Rule, binders: usize) -> u64 {
        let guard = rule.guard.as_ref().map_or(0, |guard| self.cost_expr(guard));
        let mut cost = (16 + self.packing.words().min(32) as u64)
            .saturating_add(guard)
            .saturating_add(self.cost_block(&rule.body));
        for binder in rule.binders[binders..].iter().rev() {
            let many = self.instances(binder).unwrap_or(u64::MAX);
            // What is rolled counts once.
            let unrolled = cost.saturating_mul(many);
            cost = if unrolled <= self.unroll_rules { unrolled } else { cost.saturating_add(8) };
        }
        cost
    }

    pub fn cost_block(&self, block: &Block) -> u64 {
        block.iter().map(|stmt| self.cost_stmt(stmt)).fold(0, u64::saturating_add)
    }

    fn cost_stmt(&self, stmt: &Stmt) -> u64 {
        let cells = |place: &Place| u64::from(self.model.types[place.ty].cells).min(64);
        // What is small is mostly moved as one.
        let few = |place: &Place| if cells(place) <= 8 { cells(place).min(4) } else { cells(place) };
        1 + match &stmt.kind {
            StmtKind::Assign(place, e) => 3 + self.cost_place(place) + self.cost_expr(e),
            StmtKind::Copy(a, b) => self.cost_place(a) + self.cost_place(b) + 2 * few(a),
            StmtKind::Undefine(place) => self.cost_place(place) + few(place),
            StmtKind::Clear(place) => self.cost_place(place) + cells(place),
            StmtKind::If(arms, otherwise) => arms
                .iter()
                .map(|(c, block)| self.cost_expr(c).saturating_add(self.cost_block(block)))
                .fold(self.cost_block(otherwise), u64::saturating_add),
            StmtKind::Switch(e, cases, otherwise) => cases
                .iter()
                .map(|(values, block)| 2 * values.len() as u64 + self.cost_block(block))
                .fold(self.cost_block(otherwise) + self.cost_expr(e), u64::saturating_add),
            StmtKind::For(each, body) => {
                let (n, body) = (self.iterations(each), self.cost_block(body));
                let unrolled = n.saturating_mul(body);
                if unrolled <= self.unroll.get() { unrolled } else { body + 6 }
            }
            StmtKind::While(c, body) => self.cost_expr(c) + self.cost_block(body),
            StmtKind::Call(call) => self.cost_call(call),
            StmtKind::Alias(_, operand, body) => self.cost_operand(operand) + self.cost_block(body),
            StmtKind::Return(operand) => operand.as_ref().map_or(0, |operand| self.cost_operand(operand)),
            StmtKind::PutText(_) | StmtKind::Put(..) | StmtKind::Error(_) => 1,
            StmtKind::Assert(e, _) | StmtKind::Assume(e) | StmtKind::Cover(e, _) => self.cost_expr(e),
            StmtKind::MultisetAdd(operand, set) => {
                self.cost_operand(operand) + 6 * self.multiset(set.ty).0.min(16) as u64 + cells(set)
            }
            StmtKind::MultisetRemove(e, set) => self.cost_expr(e) + cells(set) + 4,
            StmtKind::MultisetRemovePred(_, set, e) => {
                (self.cost_expr(e) + 6) * self.multiset(set.ty).0.min(16) as u64
            }
        }
    }

    fn cost_operand(&self, operand: &Operand) -> u64 {
        match operand {
            Operand::Value(e) => self.cost_expr(e),
            Operand::Place(place) => self.cost_place(place),
        }
    }

    pub fn cost_expr(&self, expr: &Expr) -> u64 {
        let both = |a: &Expr, b: &Expr| self.cost_expr(a).saturating_add(self.cost_expr(b));
        match &expr.kind {
            ExprKind::Const(_) => 0,
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => 2 + self.cost_place(place),
            ExprKind::Not(e) | ExprKind::Neg(e) | ExprKind::BitNot(e) | ExprKind::IsMember(e, _) => {
                1 + self.cost_expr(e)
            }
            ExprKind::Convert(e) | ExprKind::Rotate(e, _) => 2 + self.cost_expr(e),
            ExprKind::Arith(_, a, b)
            | ExprKind::Order(_, a, b)
            | ExprKind::Logic(_, a, b)
            | ExprKind::Eq(a, b)
            | ExprKind::Ne(a, b) => both(a, b).saturating_add(1),
            ExprKind::Same(a, b, _) => {
                self.cost_place(a) + self.cost_place(b) + 3 * u64::from(self.model.types[a.ty].cells).min(64)
            }
            ExprKind::Cond(c, a, b) => both(a, b).saturating_add(self.cost_expr(c)).saturating_add(1),
            ExprKind::Quantified(_, each, body) => {
                let (n, body) = (self.iterations(each), self.cost_expr(body));
                let unrolled = n.saturating_mul(body);
                if unrolled <= self.unroll.get() { unrolled } else { body + 6 }
            }
            ExprKind::Call(call) => self.cost_call(call),
            ExprKind::Count(_, set, e) => (self.cost_expr(e) + 4) * self.multiset(set.ty).0.min(16) as u64,
        }
    }

    fn cost_place(&self, place: &Place) -> u64 {
        match &place.kind {
            PlaceKind::Global(_) | PlaceKind::Local(_) => 0,
            PlaceKind::Index(base, e) | PlaceKind::Slot(base, e) => {
                self.cost_place(base)
                    + self.cost_expr(e)
                    + if matches!(e.kind, ExprKind::Const(_)) { 0 } else { 3 }
            }
            PlaceKind::Field(base, _) => self.cost_place(base),
            PlaceKind::Call(call) => self.cost_call(call),
            PlaceKind::Cond(c, a, b) => self.cost_expr(c) + self.cost_place(a) + self.cost_place(b),
        }
    }

    fn cost_call(&self, call: &Call) -> u64 {
        let args = call.args.iter().map(|arg| match arg {
            Arg::Value(e) => self.cost_expr(e),
            Arg::Reference(place) => self.cost_place(place),
            Arg::Undefined => 0,
        });
        let body = self.function_costs.get(call.function as usize).copied().unwrap_or(ENDLESS);
        args.fold(body, u64::saturating_add)
    }

    /// The size of an expression that compiles without branches; `None` for others.
    pub fn straight(&self, expr: &Expr) -> Option<u64> {
        let both = |a: &Expr, b: &Expr| Some(self.straight(a)? + self.straight(b)? + 1);
        match &expr.kind {
            ExprKind::Const(_) => Some(0),
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => Some(2 + self.straight_place(place)?),
            ExprKind::Not(e) | ExprKind::Neg(e) | ExprKind::BitNot(e) | ExprKind::IsMember(e, _) => {
                Some(1 + self.straight(e)?)
            }
            ExprKind::Convert(e) | ExprKind::Rotate(e, _) => Some(2 + self.straight(e)?),
            ExprKind::Arith(ArithOp::Div | ArithOp::Mod, a, b) => {
                matches!(b.kind, ExprKind::Const(_)).then_some(())?;
                Some(self.straight(a)? + 2)
            }
            ExprKind::Arith(_, a, b)
            | ExprKind::Order(_, a, b)
            | ExprKind::Logic(_, a, b)
            | ExprKind::Eq(a, b)
            | ExprKind::Ne(a, b) => both(a, b),
            ExprKind::Cond(c, a, b) => Some(self.straight(c)? + both(a, b)?),
            ExprKind::Quantified(_, each, body) => self.straight_loop(each, body),
            ExprKind::Same(..) | ExprKind::Call(_) | ExprKind::Count(..) => None,
        }
    }

    pub fn straight_loop(&self, each: &Loop, body: &Expr) -> Option<u64> {
        let n = self.values(each)?.len() as u64;
        n.checked_mul(self.straight(body)? + 1)
    }

    pub fn straight_place(&self, place: &Place) -> Option<u64> {
        match &place.kind {
            PlaceKind::Global(_) | PlaceKind::Local(_) => Some(0),
            PlaceKind::Index(base, e) => Some(self.straight_place(base)? + self.straight(e)? + 3),
            PlaceKind::Slot(base, e) => Some(self.straight_place(base)? + self.straight(e)? + 5),
            PlaceKind::Field(base, _) => self.straight_place(base),
            PlaceKind::Call(_) | PlaceKind::Cond(..) => None,
        }
    }
}
