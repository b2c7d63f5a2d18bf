//! Statements.

use burnside_model::code::{Block, Cell, Expr, Part, Place, PlaceKind, Stmt, StmtKind, TypeKind};

use super::super::node::Node;
use super::{Weaver, Word};

/// A variable, and the constant indices and fields on the way to a simple value in it.
type Target = (u32, Vec<Cell>);

fn target(place: &Place) -> Option<Target> {
    let (base, step) = match &place.kind {
        PlaceKind::Global(global) => return Some((global.0, Vec::new())),
        PlaceKind::Index(base, e) => (base, e.constant()?),
        PlaceKind::Field(base, field) => (base, Cell::from(*field)),
        _ => return None,
    };
    let (global, mut way) = target(base)?;
    way.push(step);
    Some((global, way))
}

impl<'m> Weaver<'m> {
    /// Statements in order; assignments beside each other that do not touch each other are in any order.
    pub(super) fn block(&mut self, block: &'m Block) -> Node {
        let (mut parts, mut rest) = (Vec::new(), &block[..]);
        while let Some(first) = rest.first() {
            let run = self.independent(rest);
            if run > 1 {
                let (together, after) = rest.split_at(run);
                parts.push(Node::Bag(together.iter().map(|stmt| self.stmt(stmt)).collect()));
                rest = after;
            } else {
                parts.push(self.stmt(first));
                rest = &rest[1..];
            }
        }
        Node::Seq(parts)
    }

    /// How many of the first statements write different places and nothing that the others read, and cannot go wrong.
    fn independent(&self, stmts: &[Stmt]) -> usize {
        let mut written: Vec<Target> = Vec::new();
        let mut read: Vec<u32> = Vec::new();
        for (number, stmt) in stmts.iter().enumerate() {
            let Some((target, value)) = self.plain_assignment(stmt) else { return number };
            let mut reads = Vec::new();
            Part::Expr(value).each(&mut |part| {
                if let Part::Place(Place { kind: PlaceKind::Global(global), .. }) = part {
                    reads.push(global.0);
                }
            });
            let touches = written.contains(&target)
                || read.contains(&target.0)
                || written.iter().any(|(global, _)| reads.contains(global));
            if touches {
                return number;
            }
            written.push(target);
            read.extend(reads);
        }
        stmts.len()
    }

    /// An assignment to a simple part of a variable that cannot go wrong: the part and the value.
    fn plain_assignment<'s>(&self, stmt: &'s Stmt) -> Option<(Target, &'s Expr)> {
        let StmtKind::Assign(place, value) = &stmt.kind else { return None };
        let (lo, hi) = self.model.types.bounds(place.ty);
        let (least, greatest) = self.span(value)?;
        let fits = lo <= least && greatest <= hi && self.is_total(value) && self.is_there(place);
        Some((target(place)?, value)).filter(|_| fits)
    }

    fn stmt(&mut self, stmt: &'m Stmt) -> Node {
        let word = |what: i64, parts: Vec<Node>| Word::Statement.more(what, parts);
        match &stmt.kind {
            StmtKind::Assign(target, value) => {
                let value = self.value(Some(target.ty), value);
                let target = self.place(target);
                word(0, vec![target, value])
            }
            StmtKind::Copy(target, source) => {
                self.meet(target.ty, source.ty);
                let parts = vec![self.place(target), self.place(source)];
                word(1, parts)
            }
            StmtKind::Undefine(target) => word(2, vec![self.place(target)]),
            StmtKind::Clear(target) => {
                // The least value of each cell.
                self.pin(target.ty);
                word(3, vec![self.place(target)])
            }
            StmtKind::If(arms, otherwise) => {
                let mut parts = Vec::new();
                for (condition, body) in arms {
                    parts.push(self.condition(condition));
                    parts.push(self.block(body));
                }
                parts.push(self.block(otherwise));
                word(4, parts)
            }
            StmtKind::Switch(subject, cases, otherwise) => self.switch(subject, cases, otherwise),
            StmtKind::For(each, body) => {
                // The iterations have an order, which a permutation of the values changes.
                self.pin(self.frame[each.local].ty);
                let range = self.range(each);
                let body = self.inside(each.local, true, |weaver| weaver.block(body));
                word(5, vec![range, body])
            }
            StmtKind::While(condition, body) => {
                let parts = vec![self.condition(condition), self.block(body)];
                word(6, parts)
            }
            StmtKind::Call(call) => word(7, vec![self.call(call)]),
            StmtKind::Alias(local, target, body) => {
                let target = self.operand(Some(self.frame[*local].ty), target);
                let body = self.inside(*local, false, |weaver| weaver.block(body));
                word(8, vec![target, body])
            }
            StmtKind::Return(None) => word(9, Vec::new()),
            StmtKind::Return(Some(value)) => word(10, vec![self.operand(self.result, value)]),
            // What is printed or said is nobody's state.
            StmtKind::PutText(_) => word(11, Vec::new()),
            StmtKind::Put(value, _) => word(12, vec![self.operand(None, value)]),
            StmtKind::Error(_) => word(13, Vec::new()),
            StmtKind::Assert(condition, _) => word(14, vec![self.condition(condition)]),
            StmtKind::Assume(condition) => word(15, vec![self.condition(condition)]),
            StmtKind::Cover(condition, property) => {
                let parts = vec![self.condition(condition), Node::Leaf(i64::from(*property))];
                word(16, parts)
            }
            StmtKind::MultisetAdd(element, set) => {
                let ty = match &self.model.types[set.ty].kind {
                    TypeKind::Multiset { element, .. } => Some(*element),
                    _ => None,
                };
                let parts = vec![self.place(set), self.operand(ty, element)];
                word(17, parts)
            }
            StmtKind::MultisetRemove(slot, set) => {
                let parts = vec![self.place(set), self.condition(slot)];
                word(18, parts)
            }
            StmtKind::MultisetRemovePred(local, set, condition) => {
                let set = self.place(set);
                let condition = self.inside(*local, false, |weaver| weaver.condition(condition));
                word(19, vec![set, condition])
            }
        }
    }

    /// Cases that name different constants are in any order.
    fn switch(&mut self, subject: &'m Expr, cases: &'m [(Vec<Expr>, Block)], otherwise: &'m Block) -> Node {
        let all = cases.iter().flat_map(|(values, _)| values);
        let compared: Vec<&Expr> = std::iter::once(subject).chain(all.clone()).collect();
        let mut woven = self.compared(&compared).into_iter();
        let subject = woven.next().unwrap_or(Node::Leaf(0));
        let named: Option<Vec<_>> = all.map(Expr::constant).collect();
        let apart = named.is_some_and(|mut named| {
            let count = named.len();
            named.sort_unstable();
            named.dedup();
            named.len() == count
        });
        let mut arms = Vec::new();
        for (values, body) in cases {
            let values: Vec<Node> = woven.by_ref().take(values.len()).collect();
            let values = if apart { Node::Bag(values) } else { Node::Seq(values) };
            let body = self.block(body);
            arms.push(Node::Seq(vec![values, body]));
        }
        let arms = if apart { Node::Bag(arms) } else { Node::Seq(arms) };
        let otherwise = self.block(otherwise);
        Word::Statement.more(32, [subject, arms, otherwise])
    }
}
