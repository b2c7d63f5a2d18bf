//! Expressions of simple types. What an expression does besides having a value is done by statements before it.

use burnside_model::Span;
use burnside_model::code::{
    ArithOp, Expr, ExprKind, LocalId, LogicOp, Loop, LoopRange, OrderOp, Place, PlaceKind, Quantifier, Stmt,
    StmtKind, Storage, TypeId, Types,
};

use super::Lowerer;
use super::scope::Symbol;
use crate::diag::{Diagnostic, codes};
use crate::uppaal::ast::{self, Binary, Unary};

/// A number of 32 bits is shifted by less than 32.
pub(super) const MAX_SHIFT: i64 = 31;

impl Lowerer {
    pub(super) fn value(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let span = expr.span;
        match &expr.kind {
            ast::ExprKind::Number(value) => Some(constant(*value, Types::INT, span)),
            ast::ExprKind::Real => {
                self.error(codes::REAL_NUMBER, span, "numbers with a fraction are not supported here")
            }
            ast::ExprKind::Bool(value) => Some(constant(i64::from(*value), Types::BOOL, span)),
            ast::ExprKind::Name(name) => match self.scopes.find(name) {
                Some(Symbol::Constant(value, ty)) => Some(constant(*value, *ty, span)),
                Some(Symbol::Value(value)) => Some(Expr { span, ..value.clone() }),
                _ => {
                    let place = self.place(expr)?;
                    self.note_read(&place);
                    self.read(place)
                }
            },
            ast::ExprKind::Field(base, field) => {
                if let Some(located) = self.at_location(base, field, span) {
                    return located;
                }
                if let Some(known) = self.constant_of_process(base, field, span) {
                    return known;
                }
                let place = self.place(expr)?;
                self.note_read(&place);
                self.read(place)
            }
            ast::ExprKind::Index(..) => {
                let place = self.place(expr)?;
                self.note_read(&place);
                self.read(place)
            }
            ast::ExprKind::Call(callee, args) if self.is_absolute(callee) => self.absolute(args, span),
            ast::ExprKind::Call(callee, args) => {
                let (call, result) = self.call(callee, args, span)?;
                match result {
                    Some(ty) if self.types().is_simple(ty) => {
                        Some(Expr { kind: ExprKind::Call(Box::new(call)), ty, span })
                    }
                    Some(_) => self.error(codes::NOT_SIMPLE, span, "a single value is expected here"),
                    None => self.error(codes::NO_RESULT, span, "this function has no result"),
                }
            }
            ast::ExprKind::Unary(op, of) => self.unary(*op, of, span),
            ast::ExprKind::Binary(op, a, b) => self.binary(*op, a, b, span),
            ast::ExprKind::Cond(condition, yes, no) => self.conditional(condition, yes, no, span),
            ast::ExprKind::Assign(..) | ast::ExprKind::Step { .. } => self.effectful(expr),
            ast::ExprKind::Comma(first, second) => {
                let mut done = Vec::new();
                self.effect(first, &mut done)?;
                self.before.append(&mut done);
                self.value(second)
            }
            ast::ExprKind::Quantified(ast::Quantifier::Sum, _, ty, _) if self.is_empty_range(ty) => {
                Some(constant(0, Types::INT, span))
            }
            ast::ExprKind::Quantified(ast::Quantifier::Sum, name, ty, body) => self.sum(name, ty, body, span),
            ast::ExprKind::Quantified(quantifier, _, ty, _) if self.is_empty_range(ty) => {
                let holds = *quantifier == ast::Quantifier::Forall;
                Some(constant(i64::from(holds), Types::BOOL, span))
            }
            ast::ExprKind::Quantified(quantifier, name, ty, body) => {
                let each = self.ty(ty)?;
                let each = self.finite(each, ty.span, "a quantifier ranges over")?;
                let quantifier = match quantifier {
                    ast::Quantifier::Forall => Quantifier::Forall,
                    _ => Quantifier::Exists,
                };
                let local = self.frame.add(&name.name, each, 1, Storage::Value);
                self.scopes.open();
                self.scopes.add(&name.name, Symbol::Local { local, fixed: true });
                let pure = self.pure.replace(self.pure.unwrap_or("a quantified expression"));
                let body = self.boolean(body);
                self.pure = pure;
                self.scopes.close();
                let each = Loop { local, range: LoopRange::Type(each), span: name.span };
                let kind = ExprKind::Quantified(quantifier, Box::new(each), Box::new(body?));
                Some(Expr { kind, ty: Types::BOOL, span })
            }
            ast::ExprKind::Rate(_) => {
                let message = "the rate of a clock is given in an invariant: `x' == 0`";
                self.error(codes::CLOCK_CONDITION, span, message)
            }
            ast::ExprKind::Deadlock => self.deadlock(span),
        }
    }

    pub(super) fn boolean(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let value = self.value(expr)?;
        self.truth(value)
    }

    fn truth(&mut self, value: Expr) -> Option<Expr> {
        if !self.is_number(value.ty) {
            let message = format!("a condition is expected here, this is {}", self.describe(value.ty));
            return self.error(codes::NOT_BOOLEAN, value.span, message);
        }
        let span = value.span;
        self.fitting(value, Types::BOOL, span)
    }

    pub(super) fn integer(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let value = self.value(expr)?;
        self.number(value)
    }

    fn number(&mut self, value: Expr) -> Option<Expr> {
        if self.is_number(value.ty) {
            return Some(value);
        }
        let message = format!("an integer is expected here, this is {}", self.describe(value.ty));
        let code = if self.is_scalar(value.ty) { codes::SCALARSET_ARITHMETIC } else { codes::NOT_INTEGER };
        let mut diagnostic = Diagnostic::error(code, value.span, message);
        if self.is_clock(value.ty) {
            diagnostic = diagnostic.help("the value of a clock can only be compared with an integer");
        } else if self.is_scalar(value.ty) {
            diagnostic = diagnostic
                .help("scalars can only be assigned, compared by `==` and `!=`, and used as indices");
        }
        self.report(diagnostic)
    }

    fn unary(&mut self, op: Unary, of: &ast::Expr, span: Span) -> Option<Expr> {
        if op == Unary::Not {
            let of = self.boolean(of)?;
            return Some(Expr { kind: ExprKind::Not(Box::new(of)), ty: Types::BOOL, span });
        }
        let of = self.integer(of)?;
        Some(match (op, &of.kind) {
            (Unary::Plus, _) => of,
            (_, ExprKind::Const(value)) => constant(-value, Types::INT, span),
            _ => Expr { kind: ExprKind::Neg(Box::new(of)), ty: Types::INT, span },
        })
    }

    fn binary(&mut self, op: Binary, a: &ast::Expr, b: &ast::Expr, span: Span) -> Option<Expr> {
        if let Binary::Logic(logic) = op {
            return self.logic(logic, a, b, span);
        }
        if op == Binary::Xor {
            let (a, b) = self.both(a, b)?;
            let (a, b) = (self.truth(a)?, self.truth(b)?);
            return Some(compare(Binary::Ne, a, b, span));
        }
        if matches!(op, Binary::Eq | Binary::Ne) && self.names_aggregate(a) {
            let (a, b) = (self.place(a)?, self.place(b)?);
            if !self.types().same(a.ty, b.ty) {
                return self.error(codes::NOT_COMPARABLE, span, "these are of different types");
            }
            let kind = ExprKind::Same(Box::new(a), Box::new(b), op == Binary::Ne);
            return Some(Expr { kind, ty: Types::BOOL, span });
        }
        if op == Binary::Arith(ArithOp::Mod)
            && let Some(turned) = self.turned(a, b, span)
        {
            return Some(turned);
        }
        let (a, b) = self.both(a, b)?;
        let clocks = (self.is_clock(a.ty), self.is_clock(b.ty));
        if clocks != (false, false) && !self.timed {
            let message = "clocks can be compared only in guards, invariants and queries";
            return self.error(codes::CLOCK_CONDITION, span, message);
        }
        if op == Binary::Arith(ArithOp::Sub) && a.ty == self.clock && b.ty == self.clock {
            let kind = ExprKind::Arith(ArithOp::Sub, Box::new(a), Box::new(b));
            return Some(Expr { kind, ty: self.difference, span });
        }
        if let Binary::Arith(op @ (ArithOp::Add | ArithOp::Sub)) = op
            && let Some(sum) = self.clock_sum(op, &a, &b, span)
        {
            return Some(sum);
        }
        if clocks != (false, false) && (matches!(op, Binary::Order(_)) || op == Binary::Eq) {
            let fits = match clocks {
                (true, true) => {
                    let ((added, taken), (more, less)) =
                        (clocks_in(&a, self.clock), clocks_in(&b, self.clock));
                    // Moved to one side: one clock less one clock.
                    added + less <= 1 && taken + more <= 1
                }
                (true, false) => self.is_number(b.ty),
                _ => self.is_number(a.ty),
            };
            if fits {
                return Some(compare(op, a, b, span));
            }
        }
        if op == Binary::Ne && clocks != (false, false) {
            let message =
                "a clock cannot be compared by `!=`: the times at which it holds are not one interval";
            return self.error(codes::CLOCK_CONDITION, span, message);
        }
        if matches!(op, Binary::Eq | Binary::Ne) {
            let same = self.is_number(a.ty) && self.is_number(b.ty) || self.is_scalar(a.ty) && a.ty == b.ty;
            if !same {
                let message =
                    format!("these cannot be compared: {} and {}", self.describe(a.ty), self.describe(b.ty));
                return self.error(codes::NOT_COMPARABLE, span, message);
            }
            return Some(compare(op, a, b, span));
        }
        if matches!(op, Binary::Order(_)) && self.is_scalar(a.ty) {
            let message = "scalars have no order";
            return self.error(codes::SCALARSET_ORDER, span, message);
        }
        let (a, b) = (self.number(a)?, self.number(b)?);
        let Binary::Arith(arith) = op else {
            if matches!(op, Binary::Order(_)) {
                return Some(compare(op, a, b, span));
            }
            let (a, b) = (self.kept(a), self.kept(b));
            let order = if op == Binary::Min { OrderOp::Le } else { OrderOp::Ge };
            let kind = ExprKind::Order(order, Box::new(a.clone()), Box::new(b.clone()));
            let first = Expr { kind, ty: Types::BOOL, span };
            return Some(Expr {
                kind: ExprKind::Cond(Box::new(first), Box::new(a), Box::new(b)),
                ty: Types::INT,
                span,
            });
        };
        let (b, op) = (self.counted(arith, b), arith);
        if let (ExprKind::Const(x), ExprKind::Const(y)) = (&a.kind, &b.kind) {
            let shifts = matches!(op, ArithOp::Shl | ArithOp::Shr);
            return match op.apply(*x, *y).filter(|_| !shifts || (0..=MAX_SHIFT).contains(y)) {
                Some(value) => Some(constant(value, Types::INT, span)),
                None => self.error(codes::CONSTANT_ARITHMETIC, span, "this cannot be computed"),
            };
        }
        Some(Expr { kind: ExprKind::Arith(op, Box::new(a), Box::new(b)), ty: Types::INT, span })
    }

    /// A clock, or a difference of two, more or less an integer.
    fn clock_sum(&mut self, op: ArithOp, a: &Expr, b: &Expr, span: Span) -> Option<Expr> {
        let added = op == ArithOp::Add && self.is_number(a.ty) && self.is_clock(b.ty);
        let moved = self.is_clock(a.ty) && self.is_number(b.ty);
        (added || moved).then(|| {
            let kind = ExprKind::Arith(op, Box::new(a.clone()), Box::new(b.clone()));
            Expr { kind, ty: self.difference, span }
        })
    }

    /// Whether `abs` is meant, which is there without a declaration.
    fn is_absolute(&self, callee: &ast::Expr) -> bool {
        matches!(&callee.kind, ast::ExprKind::Name(name) if name == "abs" && self.scopes.find(name).is_none())
    }

    fn absolute(&mut self, args: &[ast::Expr], span: Span) -> Option<Expr> {
        let [arg] = args else {
            let message = format!("`abs` takes 1 argument, not {}", args.len());
            return self.error(codes::ARGUMENT_COUNT, span, message);
        };
        let value = self.integer(arg)?;
        let value = Box::new(self.kept(value));
        let zero = Box::new(constant(0, Types::INT, span));
        let below = ExprKind::Order(OrderOp::Lt, value.clone(), zero);
        let below = Box::new(Expr { kind: below, ty: Types::BOOL, span });
        let turned = Box::new(Expr { kind: ExprKind::Neg(value.clone()), ty: Types::INT, span });
        Some(Expr { kind: ExprKind::Cond(below, turned, value), ty: Types::INT, span })
    }

    /// Two values, the first computed before what the second does.
    fn both(&mut self, a: &ast::Expr, b: &ast::Expr) -> Option<(Expr, Expr)> {
        let a = self.value(a);
        let done = self.before.len();
        let b = self.value(b);
        let (mut a, b) = (a?, b?);
        if self.before.len() > done && !matches!(a.kind, ExprKind::Const(_)) {
            let later = self.before.split_off(done);
            a = self.kept(a);
            self.before.extend(later);
        }
        Some((a, b))
    }

    /// A value that can be used twice: computed once, if computing it may do something.
    fn kept(&mut self, value: Expr) -> Expr {
        if self.pure.is_some() || matches!(value.kind, ExprKind::Const(_)) {
            return value;
        }
        let (ty, span) = (value.ty, value.span);
        let temporary = self.temporary(ty, span);
        self.before.push(Stmt { kind: StmtKind::Assign(temporary.clone(), value), span });
        Expr { kind: ExprKind::Read(temporary), ty, span }
    }

    pub(super) fn temporary(&mut self, ty: TypeId, span: Span) -> Place {
        let local: LocalId = self.frame.add("temporary", ty, 1, Storage::Value);
        Place { kind: PlaceKind::Local(local), ty, span }
    }

    /// The right side is evaluated only if it decides.
    fn logic(&mut self, op: LogicOp, a: &ast::Expr, b: &ast::Expr, span: Span) -> Option<Expr> {
        let a = self.boolean(a)?;
        let outer = std::mem::take(&mut self.before);
        let b = self.boolean(b);
        let inner = std::mem::replace(&mut self.before, outer);
        let b = b?;
        if inner.is_empty() {
            return Some(Expr { kind: ExprKind::Logic(op, Box::new(a), Box::new(b)), ty: Types::BOOL, span });
        }
        // What the right side does is done only if it is evaluated.
        let result = self.temporary(Types::BOOL, span);
        let (start, goes_on) = match op {
            LogicOp::And => (a, true),
            LogicOp::Or => (a, false),
            LogicOp::Implies => (Expr { kind: ExprKind::Not(Box::new(a)), ty: Types::BOOL, span }, false),
        };
        self.before.push(Stmt { kind: StmtKind::Assign(result.clone(), start), span });
        let read = Expr { kind: ExprKind::Read(result.clone()), ty: Types::BOOL, span };
        let condition = if goes_on {
            read.clone()
        } else {
            Expr { kind: ExprKind::Not(Box::new(read.clone())), ty: Types::BOOL, span }
        };
        let mut body = inner;
        body.push(Stmt { kind: StmtKind::Assign(result, b), span });
        self.before.push(Stmt { kind: StmtKind::If(vec![(condition, body)], Vec::new()), span });
        Some(read)
    }

    fn conditional(
        &mut self,
        condition: &ast::Expr,
        yes: &ast::Expr,
        no: &ast::Expr,
        span: Span,
    ) -> Option<Expr> {
        let condition = self.boolean(condition)?;
        let outer = std::mem::take(&mut self.before);
        let yes = self.value(yes);
        let mut when_yes = std::mem::take(&mut self.before);
        let no = self.value(no);
        let mut when_no = std::mem::replace(&mut self.before, outer);
        let (yes, no) = (yes?, no?);
        let ty = if self.is_number(yes.ty) && self.is_number(no.ty) {
            if yes.ty == no.ty { yes.ty } else { Types::INT }
        } else if yes.ty == no.ty && self.is_scalar(yes.ty) {
            yes.ty
        } else {
            return self.error(codes::BRANCH_TYPES, span, "the two sides are of different types");
        };
        if when_yes.is_empty() && when_no.is_empty() {
            let kind = ExprKind::Cond(Box::new(condition), Box::new(yes), Box::new(no));
            return Some(Expr { kind, ty, span });
        }
        let result = self.temporary(ty, span);
        when_yes.push(Stmt { kind: StmtKind::Assign(result.clone(), yes), span });
        when_no.push(Stmt { kind: StmtKind::Assign(result.clone(), no), span });
        self.before.push(Stmt { kind: StmtKind::If(vec![(condition, when_yes)], when_no), span });
        Some(Expr { kind: ExprKind::Read(result), ty, span })
    }

    /// An assignment, or a step up or down, as a value.
    fn effectful(&mut self, expr: &ast::Expr) -> Option<Expr> {
        let span = expr.span;
        if let ast::ExprKind::Step { up, postfix: true, of } = &expr.kind {
            let place = self.target(of)?;
            let value = self.read(place.clone())?;
            let old = self.kept(value);
            let new = self.stepped(old.clone(), *up, span)?;
            self.before.push(Stmt { kind: StmtKind::Assign(place, new), span });
            return Some(old);
        }
        let mut out = Vec::new();
        let place = self.assignment(expr, &mut out)?;
        self.before.append(&mut out);
        let value = self.read(place)?;
        if self.is_clock(value.ty) {
            return self.number(value);
        }
        Some(value)
    }

    /// One more or one less.
    pub(super) fn stepped(&mut self, value: Expr, up: bool, span: Span) -> Option<Expr> {
        let value = self.number(value)?;
        let one = constant(1, Types::INT, span);
        let op = if up { ArithOp::Add } else { ArithOp::Sub };
        Some(Expr { kind: ExprKind::Arith(op, Box::new(value), Box::new(one)), ty: Types::INT, span })
    }

    /// Whether an expression names an array or struct, without saying what is wrong with it.
    pub(super) fn names_aggregate(&mut self, expr: &ast::Expr) -> bool {
        match self.silently(|lowerer| lowerer.place(expr)) {
            Some(place) => !self.types().is_simple(place.ty),
            None => false,
        }
    }

    /// Tries something out: nothing is reported and nothing is done.
    pub(super) fn silently<T>(&mut self, what: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
        let (errors, done) = (self.diagnostics.len(), self.before.len());
        let (frame, current) = (self.frame.clone(), self.current.clone());
        let result = what(self);
        self.diagnostics.truncate(errors);
        self.before.truncate(done);
        (self.frame, self.current) = (frame, current);
        result
    }

    /// Notes that the function at hand reads a state variable.
    fn note_read(&mut self, place: &Place) {
        match &place.kind {
            PlaceKind::Global(_) if !self.is_fixed(place) => self.current.reads = true,
            PlaceKind::Index(base, _) | PlaceKind::Field(base, _) => self.note_read(base),
            _ => {}
        }
    }

    /// The word `deadlock`, in queries.
    fn deadlock(&mut self, span: Span) -> Option<Expr> {
        let Some(global) = self.network.deadlock else {
            return self.error(codes::WRONG_CLASS, span, "`deadlock` is only for queries");
        };
        let place = Place { kind: PlaceKind::Global(global), ty: Types::BOOL, span };
        Some(Expr { kind: ExprKind::Read(place), ty: Types::BOOL, span })
    }
}

/// How many clocks an expression adds, and how many it subtracts.
fn clocks_in(expr: &Expr, clock: TypeId) -> (usize, usize) {
    match &expr.kind {
        ExprKind::Arith(op, a, b) => {
            let ((added, taken), (more, less)) = (clocks_in(a, clock), clocks_in(b, clock));
            if *op == ArithOp::Sub { (added + less, taken + more) } else { (added + more, taken + less) }
        }
        ExprKind::Read(_) => (usize::from(expr.ty == clock), 0),
        _ => (0, 0),
    }
}

pub(super) fn constant(value: i64, ty: TypeId, span: Span) -> Expr {
    Expr { kind: ExprKind::Const(value), ty, span }
}

fn compare(op: Binary, a: Expr, b: Expr, span: Span) -> Expr {
    let (a, b) = (Box::new(a), Box::new(b));
    let kind = match op {
        Binary::Order(order) => ExprKind::Order(order, a, b),
        Binary::Eq => ExprKind::Eq(a, b),
        _ => ExprKind::Ne(a, b),
    };
    Expr { kind, ty: Types::BOOL, span }
}
