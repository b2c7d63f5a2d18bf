//! Expressions and places.

use burnside_model::code::{
    Arg, ArithOp, Call, Cell, Expr, ExprKind, LocalId, LogicOp, Loop, LoopRange, Operand, OrderOp, Part,
    Place, PlaceKind, Storage, TypeId, TypeKind, Types, UNDEFINED,
};

use super::super::node::Node;
use super::{Weaver, Word};

/// Sums of this many small numbers do not overflow, in whichever order.
const SMALL: i64 = 1 << 31;

impl<'m> Weaver<'m> {
    /// A value that is used as one of this type; of none, if as a truth value or a number.
    pub(super) fn value(&mut self, ty: Option<TypeId>, e: &'m Expr) -> Node {
        for leaf in e.leaves() {
            match ty {
                _ if leaf.constant().is_some() => {}
                Some(ty) => self.meet(ty, leaf.ty),
                None => self.pin(leaf.ty),
            }
        }
        self.expr(ty, e)
    }

    pub(super) fn condition(&mut self, e: &'m Expr) -> Node {
        self.value(None, e)
    }

    /// Two or more values that are compared: constants among them are of the type of the others.
    pub(super) fn compared(&mut self, values: &[&'m Expr]) -> Vec<Node> {
        let others = || values.iter().flat_map(|e| e.leaves()).filter(|leaf| leaf.constant().is_none());
        let ty = others().next().map(|leaf| leaf.ty);
        values.iter().map(|e| self.value(ty, e)).collect()
    }

    fn constant(&self, ty: Option<TypeId>, value: Cell) -> Node {
        let class = ty.and_then(|ty| self.class(ty));
        let point = class.and_then(|class| self.points.values.get(&(class, value)));
        match point {
            Some(point) => Word::Constant.of([Node::Point(*point)]),
            None => Word::Constant.of([Node::Leaf(value)]),
        }
    }

    fn expr(&mut self, ty: Option<TypeId>, e: &'m Expr) -> Node {
        if let Some(value) = e.constant() {
            return self.constant(ty, value);
        }
        let operator = |what: i64, parts: Vec<Node>| Word::Operator.more(what, parts);
        match &e.kind {
            ExprKind::Const(value) => self.constant(ty, *value),
            ExprKind::Read(place) => {
                self.meet(e.ty, place.ty);
                Word::Read.of([self.place(place)])
            }
            ExprKind::Not(a) => operator(0, vec![self.condition(a)]),
            ExprKind::Neg(a) => operator(1, vec![self.condition(a)]),
            ExprKind::BitNot(a) => operator(2, vec![self.condition(a)]),
            ExprKind::Arith(op, a, b) => self.arithmetic(*op, a, b, e),
            ExprKind::Order(op, a, b) => {
                let turns = !Part::Expr(a).calls() && !Part::Expr(b).calls();
                let (a, b) = (self.condition(a), self.condition(b));
                match op {
                    OrderOp::Lt => operator(3, vec![a, b]),
                    OrderOp::Le => operator(4, vec![a, b]),
                    OrderOp::Gt if turns => operator(3, vec![b, a]),
                    OrderOp::Ge if turns => operator(4, vec![b, a]),
                    OrderOp::Gt => operator(18, vec![a, b]),
                    OrderOp::Ge => operator(19, vec![a, b]),
                }
            }
            ExprKind::Logic(LogicOp::Implies, a, b) => {
                let parts = vec![self.condition(a), self.condition(b)];
                operator(5, parts)
            }
            ExprKind::Logic(op, a, b) => {
                let operands = e.operands(*op);
                let what = if *op == LogicOp::And { 6 } else { 7 };
                // Whether the right side is evaluated shows only if something can go wrong there.
                if operands.iter().all(|operand| self.is_total(operand)) {
                    let parts = operands.iter().map(|operand| self.condition(operand)).collect();
                    return operator(what, vec![Node::Bag(parts)]);
                }
                let parts = vec![self.condition(a), self.condition(b)];
                operator(what, parts)
            }
            ExprKind::Eq(a, b) => {
                operator(8, vec![either_way(Part::Expr(e).calls(), self.compared(&[a, b]))])
            }
            ExprKind::Ne(a, b) => {
                operator(9, vec![either_way(Part::Expr(e).calls(), self.compared(&[a, b]))])
            }
            ExprKind::Same(a, b, differ) => {
                self.meet(a.ty, b.ty);
                let both = vec![self.place(a), self.place(b)];
                operator(10 + i64::from(*differ), vec![either_way(Part::Expr(e).calls(), both)])
            }
            ExprKind::Cond(c, a, b) => {
                let condition = self.condition(c);
                let parts = vec![condition, self.expr(ty, a), self.expr(ty, b)];
                operator(12, parts)
            }
            ExprKind::Quantified(quantifier, each, body) => {
                let range = self.range(each);
                let body = self.inside(each.local, true, |weaver| weaver.condition(body));
                Word::Quantifier.more(*quantifier as i64, [range, body])
            }
            ExprKind::Call(call) => {
                if let Some(result) = self.function(call).and_then(|function| function.result) {
                    self.meet(e.ty, result);
                }
                self.call(call)
            }
            ExprKind::IsUndefined(place) => operator(13, vec![self.place(place)]),
            ExprKind::IsMember(a, of) => {
                self.pin(*of);
                let parts = vec![self.condition(a), Node::Leaf(i64::from(of.0))];
                operator(14, parts)
            }
            ExprKind::Convert(a) => {
                self.pin(e.ty);
                let parts = vec![self.condition(a), self.ty(a.ty), self.ty(e.ty)];
                operator(15, parts)
            }
            ExprKind::Rotate(a, by) => {
                self.pin(e.ty);
                let parts = vec![self.condition(a), self.ty(e.ty), Node::Leaf(i64::from(*by))];
                operator(16, parts)
            }
            ExprKind::Count(local, set, condition) => {
                let set = self.place(set);
                let condition = self.inside(*local, false, |weaver| weaver.condition(condition));
                operator(17, vec![set, condition])
            }
        }
    }

    fn arithmetic(&mut self, op: ArithOp, a: &'m Expr, b: &'m Expr, whole: &'m Expr) -> Node {
        let word = |parts: Vec<Node>| Word::Operator.more(32 + op as i64, parts);
        let terms = whole.split(|kind| match kind {
            ExprKind::Arith(ArithOp::Add, a, b) => Some((a, b)),
            _ => None,
        });
        if op == ArithOp::Add && terms.len() > 2 && terms.iter().all(|term| self.is_small(term)) {
            return word(vec![Node::Bag(terms.iter().map(|term| self.condition(term)).collect())]);
        }
        let both = vec![self.condition(a), self.condition(b)];
        match op {
            ArithOp::Add | ArithOp::Mul | ArithOp::And | ArithOp::Or | ArithOp::Xor => {
                word(vec![either_way(Part::Expr(whole).calls(), both)])
            }
            ArithOp::Sub | ArithOp::Div | ArithOp::Mod | ArithOp::Shl | ArithOp::Shr => word(both),
        }
    }

    fn is_small(&self, e: &Expr) -> bool {
        let small = |(lo, hi): (i64, i64)| -SMALL < lo && hi < SMALL;
        match &e.kind {
            ExprKind::Const(value) => small((*value, *value)),
            ExprKind::Read(_) => small(self.model.types.bounds(e.ty)) && self.is_total(e),
            _ => false,
        }
    }

    pub(super) fn operand(&mut self, ty: Option<TypeId>, operand: &'m Operand) -> Node {
        match operand {
            Operand::Value(e) => self.value(ty.or(Some(e.ty)), e),
            Operand::Place(place) => {
                self.meet(ty.unwrap_or(place.ty), place.ty);
                self.place(place)
            }
        }
    }

    fn function(&self, call: &Call) -> Option<&'m burnside_model::code::Function> {
        self.model.functions.get(call.function as usize)
    }

    pub(super) fn call(&mut self, call: &'m Call) -> Node {
        let function = Node::Point(self.model.globals.len() as u32 + call.function);
        let mut parts = vec![function];
        for (number, arg) in call.args.iter().enumerate() {
            let ty = self.function(call).and_then(|f| f.frame.locals.get(number)).map(|local| local.ty);
            parts.push(match (arg, ty) {
                (Arg::Value(e), ty) => self.value(ty, e),
                (Arg::Reference(place), ty) => {
                    self.meet(ty.unwrap_or(place.ty), place.ty);
                    // What is given by reference may be checked against the parameter's type.
                    Word::Call.of([self.place(place), self.ty(place.ty)])
                }
                (Arg::Undefined, _) => Word::Nothing.of([]),
            });
        }
        Word::Call.of(parts)
    }

    /// What a loop, quantifier or rule set runs through.
    pub(super) fn range(&mut self, each: &'m Loop) -> Node {
        let local = self.frame[each.local].ty;
        match &each.range {
            LoopRange::Type(ty) => {
                self.meet(*ty, local);
                Word::Loop.of([self.ty(*ty)])
            }
            LoopRange::Span(from, to, by) => {
                self.pin(local);
                let mut parts = vec![self.ty(local), self.condition(from), self.condition(to)];
                parts.extend(by.iter().map(|by| self.condition(by)));
                Word::Loop.of(parts)
            }
        }
    }

    /// Something inside of what binds a variable, which may be sure to have a value.
    pub(super) fn inside<T>(
        &mut self,
        local: LocalId,
        has_value: bool,
        weave: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.bound.push(local);
        if has_value {
            self.valued.push(local);
        }
        let woven = weave(self);
        self.bound.pop();
        if has_value {
            self.valued.pop();
        }
        woven
    }

    pub(super) fn place(&mut self, place: &'m Place) -> Node {
        match &place.kind {
            PlaceKind::Global(global) => {
                self.meet(place.ty, self.model.globals[global.0 as usize].ty);
                Node::Point(global.0)
            }
            PlaceKind::Local(local) => {
                let known = &self.frame[*local];
                self.meet(place.ty, known.ty);
                let by_reference = i64::from(known.storage == Storage::Reference);
                match self.bound.iter().rposition(|bound| bound == local) {
                    Some(level) => Word::Bound.more(level as i64, [Node::Leaf(by_reference)]),
                    None => {
                        let parts = [self.ty(known.ty), Node::Leaf(by_reference)];
                        Word::Local.more(i64::from(local.0), parts)
                    }
                }
            }
            PlaceKind::Index(base, e) => {
                let index = match &self.model.types[base.ty].kind {
                    TypeKind::Array { index, .. } => Some(*index),
                    _ => None,
                };
                let base = self.place(base);
                Word::Operator.more(64, [base, self.value(index, e)])
            }
            PlaceKind::Field(base, field) => {
                Word::Operator.more(65, [self.place(base), Node::Leaf(i64::from(*field))])
            }
            PlaceKind::Slot(base, e) => Word::Operator.more(66, [self.place(base), self.condition(e)]),
            PlaceKind::Call(call) => {
                if let Some(result) = self.function(call).and_then(|function| function.result) {
                    self.meet(place.ty, result);
                }
                self.call(call)
            }
            PlaceKind::Cond(c, a, b) => {
                self.meet(a.ty, b.ty);
                Word::Operator.more(67, [self.condition(c), self.place(a), self.place(b)])
            }
        }
    }

    /// Whether evaluating an expression cannot go wrong.
    pub(super) fn is_total(&self, e: &Expr) -> bool {
        match &e.kind {
            _ if e.constant().is_some_and(|value| value != UNDEFINED) => true,
            ExprKind::Read(place) => self.is_there(place) && self.has_value(place),
            ExprKind::IsUndefined(place) => self.is_there(place),
            ExprKind::Not(a) => self.is_total(a),
            ExprKind::Order(_, a, b) | ExprKind::Logic(_, a, b) | ExprKind::Eq(a, b) | ExprKind::Ne(a, b) => {
                self.is_total(a) && self.is_total(b)
            }
            ExprKind::Cond(c, a, b) => [c, a, b].into_iter().all(|part| self.is_total(part)),
            ExprKind::Arith(ArithOp::Add | ArithOp::Sub, a, b) => {
                let fine = |e: &Expr| self.is_small(e);
                fine(a) && fine(b)
            }
            _ => false,
        }
    }

    /// Whether there surely is such a place.
    pub(super) fn is_there(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Global(_) => true,
            PlaceKind::Local(local) => self.valued.contains(local),
            PlaceKind::Field(base, _) => self.is_there(base),
            PlaceKind::Index(base, e) => {
                let TypeKind::Array { index, .. } = &self.model.types[base.ty].kind else { return false };
                let (lo, hi) = self.model.types.bounds(*index);
                let within = |(least, greatest)| lo <= least && greatest <= hi;
                self.span(e).is_some_and(within) && self.is_total(e) && self.is_there(base)
            }
            PlaceKind::Slot(..) | PlaceKind::Call(_) | PlaceKind::Cond(..) => false,
        }
    }

    /// The least and greatest value that an expression can have, where that is plain to see.
    pub(super) fn span(&self, e: &Expr) -> Option<(Cell, Cell)> {
        match (&e.kind, e.constant()) {
            (_, Some(value)) => Some((value, value)),
            (ExprKind::Read(place), None) => Some(self.model.types.bounds(place.ty)),
            (ExprKind::Cond(..) | ExprKind::Call(_), None) => None,
            (_, None) => (e.ty == Types::BOOL).then_some((0, 1)),
        }
    }

    fn has_value(&self, place: &Place) -> bool {
        match &place.kind {
            PlaceKind::Local(local) => self.valued.contains(local),
            _ => self.defined.has_place(place),
        }
    }
}

/// Two operands that are both evaluated: in order only if that can be told.
fn either_way(ordered: bool, both: Vec<Node>) -> Node {
    if ordered { Node::Seq(both) } else { Node::Bag(both) }
}
