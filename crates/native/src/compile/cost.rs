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
        block.iter().map(|stmt| self.cost(Part::Stmt(stmt))).fold(0, u64::saturating_add)
    }

    pub fn cost_expr(&self, expr: &Expr) -> u64 {
        self.cost(Part::Expr(expr))
    }

    /// The size of what is repeated: unrolled, if that is small.
    fn repeated(&self, each: &Loop, body: u64) -> u64 {
        let unrolled = self.iterations(each).saturating_mul(body);
        if unrolled <= self.unroll.get() { unrolled } else { body + 6 }
    }

    fn cost(&self, part: Part<'_>) -> u64 {
        let cells = |place: &Place| u64::from(self.model.types[place.ty].cells).min(64);
        // What is small is mostly moved as one.
        let few = |place: &Place| if cells(place) <= 8 { cells(place).min(4) } else { cells(place) };
        let slots = |set: &Place| self.multiset(set.ty).0.min(16) as u64;
        let own = match part {
            Part::Stmt(stmt) => match &stmt.kind {
                StmtKind::Assign(..) => 4,
                StmtKind::Copy(target, _) => 1 + 2 * few(target),
                StmtKind::Undefine(place) => 1 + few(place),
                StmtKind::Clear(place) => 1 + cells(place),
                StmtKind::Switch(_, cases, _) => {
                    1 + cases.iter().map(|(values, _)| 2 * values.len() as u64).sum::<u64>()
                }
                StmtKind::For(each, body) => return 1 + self.repeated(each, self.cost_block(body)),
                StmtKind::PutText(_) | StmtKind::Put(..) | StmtKind::Error(_) => return 2,
                StmtKind::MultisetAdd(_, set) => 1 + 6 * slots(set) + cells(set),
                StmtKind::MultisetRemove(_, set) => 5 + cells(set),
                StmtKind::MultisetRemovePred(_, set, e) => return 1 + (self.cost_expr(e) + 6) * slots(set),
                StmtKind::If(..)
                | StmtKind::While(..)
                | StmtKind::Call(_)
                | StmtKind::Alias(..)
                | StmtKind::Return(_)
                | StmtKind::Assert(..)
                | StmtKind::Assume(_)
                | StmtKind::Cover(..) => 1,
            },
            Part::Expr(e) => match &e.kind {
                ExprKind::Const(_) | ExprKind::Call(_) => 0,
                ExprKind::Read(_) | ExprKind::IsUndefined(_) => 2,
                ExprKind::Convert(_) | ExprKind::Rotate(..) => 2,
                ExprKind::Same(a, ..) => 3 * cells(a),
                ExprKind::Quantified(_, each, body) => return self.repeated(each, self.cost_expr(body)),
                ExprKind::Count(_, set, e) => return (self.cost_expr(e) + 4) * slots(set),
                ExprKind::Not(_)
                | ExprKind::Neg(_)
                | ExprKind::BitNot(_)
                | ExprKind::IsMember(..)
                | ExprKind::Arith(..)
                | ExprKind::Order(..)
                | ExprKind::Logic(..)
                | ExprKind::Eq(..)
                | ExprKind::Ne(..)
                | ExprKind::Cond(..) => 1,
            },
            Part::Place(place) => match &place.kind {
                PlaceKind::Index(_, e) | PlaceKind::Slot(_, e) if !matches!(e.kind, ExprKind::Const(_)) => 3,
                _ => 0,
            },
            Part::Call(call) => self.function_costs.get(call.function as usize).copied().unwrap_or(ENDLESS),
        };
        part.parts().into_iter().map(|part| self.cost(part)).fold(own, u64::saturating_add)
    }

    /// The size of an expression that compiles without branches; `None` for others.
    pub fn straight(&self, expr: &Expr) -> Option<u64> {
        let own = match &expr.kind {
            ExprKind::Const(_) => 0,
            ExprKind::Read(place) | ExprKind::IsUndefined(place) => {
                return Some(2 + self.straight_place(place)?);
            }
            ExprKind::Convert(_) | ExprKind::Rotate(..) => 2,
            ExprKind::Arith(ArithOp::Div | ArithOp::Mod, _, b) => {
                matches!(b.kind, ExprKind::Const(_)).then_some(2)?
            }
            ExprKind::Quantified(_, each, body) => return self.straight_loop(each, body),
            ExprKind::Same(..) | ExprKind::Call(_) | ExprKind::Count(..) => return None,
            ExprKind::Not(_)
            | ExprKind::Neg(_)
            | ExprKind::BitNot(_)
            | ExprKind::IsMember(..)
            | ExprKind::Arith(..)
            | ExprKind::Order(..)
            | ExprKind::Logic(..)
            | ExprKind::Eq(..)
            | ExprKind::Ne(..)
            | ExprKind::Cond(..) => 1,
        };
        Part::Expr(expr).parts().into_iter().try_fold(own, |sum, part| match part {
            Part::Expr(part) => Some(sum + self.straight(part)?),
            _ => None,
        })
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
