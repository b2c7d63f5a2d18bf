//! Statements: each iteration of a loop over elements may write cells of its own element only.

use burnside_model::Span;
use burnside_model::code::{Operand, Place, Stmt, StmtKind};

use super::conditions::{Block, Sense};
use super::exprs::join;
use super::{Activation, Kind, Spot, Walk};

impl<'m> Walk<'m> {
    pub fn block(&mut self, at: &mut Activation<'m>, block: &'m [Stmt]) {
        block.iter().for_each(|stmt| self.stmt(at, stmt));
    }

    fn stmt(&mut self, at: &mut Activation<'m>, stmt: &'m Stmt) {
        match &stmt.kind {
            StmtKind::Assign(target, value) => {
                let spot = self.place(at, target);
                let kind = self.expr(at, value);
                // From array to array, an id outside D is copied as such.
                if spot.indices.is_empty() || spot.holds.is_some() {
                    self.followed(kind, value);
                }
                self.write(&spot, stmt.span);
            }
            StmtKind::Copy(target, source) => self.copy(at, target, source, stmt.span),
            StmtKind::Undefine(target) => {
                let spot = self.place(at, target);
                self.write(&spot, stmt.span);
            }
            StmtKind::Clear(target) => {
                let spot = self.place(at, target);
                if self.inside(target.ty).2 {
                    self.refuse(stmt.span, "`clear` makes an id the first element");
                }
                self.write(&spot, stmt.span);
            }
            StmtKind::If(arms, otherwise) => {
                for (condition, body) in arms {
                    self.condition(at, condition, Sense::Always, Block::None);
                    self.block(at, body);
                }
                self.block(at, otherwise);
            }
            StmtKind::Switch(subject, cases, otherwise) => {
                let subject = self.expr(at, subject);
                for (values, body) in cases {
                    for value in values {
                        if self.expr(at, value) == Kind::Cell && subject == Kind::Cell {
                            self.refuse(value.span, "this compares two ids that arrays hold");
                        }
                    }
                    self.block(at, body);
                }
                self.block(at, otherwise);
            }
            StmtKind::For(each, body) => {
                let domains = self.enter(at, each);
                if domains.is_empty() {
                    let times = self.repeated(at, each);
                    self.block(at, body);
                    self.times = times;
                } else {
                    self.bind(at, each, domains);
                    self.block(at, body);
                    self.loops.pop();
                }
            }
            StmtKind::While(condition, body) => {
                let times = self.times.take();
                self.condition(at, condition, Sense::Always, Block::None);
                self.block(at, body);
                self.times = times;
            }
            StmtKind::Call(call) => drop(self.call(at, call, None)),
            StmtKind::Alias(local, operand, body) => {
                let meaning = self.operand(at, operand);
                at.locals.insert(*local, meaning);
                self.block(at, body);
            }
            StmtKind::Return(value) => self.returns(at, value.as_ref(), stmt.span),
            StmtKind::PutText(_) | StmtKind::Error(_) => {}
            StmtKind::Put(operand, _) => drop(self.operand(at, operand)),
            StmtKind::Assert(condition, _) | StmtKind::Assume(condition) | StmtKind::Cover(condition, _) => {
                self.condition(at, condition, Sense::Always, Block::None);
            }
            StmtKind::MultisetAdd(..) | StmtKind::MultisetRemove(..) | StmtKind::MultisetRemovePred(..) => {
                self.refuse(stmt.span, "this changes a multiset");
            }
        }
    }

    /// Refuses what one iteration writes that is not its own.
    fn write(&mut self, spot: &Spot, span: Span) {
        let own = spot.local.unwrap_or(0);
        let foreign = (own..self.loops.len()).any(|i| !spot.indices.contains(&Kind::Bound(i)));
        if foreign {
            self.refuse(span, "an iteration of a loop over all elements writes what is not its own");
        }
    }

    fn copy(&mut self, at: &mut Activation<'m>, target: &'m Place, source: &'m Place, span: Span) {
        let (to, from) = (self.place(at, target), self.place(at, source));
        let (ids, _, has_ids) = self.inside(target.ty);
        if has_ids && to.indices.is_empty() && !from.indices.is_empty() && !ids.is_empty() {
            if self.loops.is_empty() {
                self.count(&ids, span);
            } else {
                self.refuse(span, "ids that an array holds are copied out of it under a loop");
            }
        }
        self.write(&to, span);
    }

    fn returns(&mut self, at: &mut Activation<'m>, value: Option<&'m Operand>, span: Span) {
        if self.loops.len() > at.within {
            self.refuse(span, "`return` out of a loop over all elements");
        }
        let kind = match value {
            None => return,
            Some(Operand::Value(e)) => match at.returned.take() {
                Some((sense, block)) => {
                    self.condition(at, e, sense, block);
                    Kind::Plain
                }
                None => self.value(at, e),
            },
            Some(Operand::Place(place)) => match self.place(at, place) {
                spot if spot.indices.is_empty() => Kind::Plain,
                _ if self.inside(place.ty).2 => {
                    self.refuse(span, "a record with ids that an array holds is returned");
                    Kind::Plain
                }
                _ => Kind::Plain,
            },
        };
        at.returns = Some(match at.returns.take() {
            None => kind,
            Some(other) => join(other, kind),
        });
    }
}
