//! Conditions: which quantifiers keep their truth when elements are forgotten.
//!
//! The guard of a rule must stay true where it is true, an invariant false where it is false, the condition of an `if`
//! whatever it is. After negations are moved inwards, a quantifier that says "some element" needs a witness in D, and one
//! that says "every element" needs none. A "some" inside an "every" has no fixed number of witnesses and is refused.

use burnside_model::code::{
    Expr, ExprKind, LogicOp, Loop, LoopRange, Part, Place, Quantifier, StmtKind, TypeId, TypeKind,
};

use super::{Activation, Kind, Meaning, Walk};

/// When a condition must keep its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Sense {
    WhenTrue,
    WhenFalse,
    Always,
}

impl Sense {
    fn negated(self) -> Sense {
        match self {
            Sense::WhenTrue => Sense::WhenFalse,
            Sense::WhenFalse => Sense::WhenTrue,
            Sense::Always => Sense::Always,
        }
    }
}

/// The quantifiers around a condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Block {
    None,
    /// One that says "some".
    Some,
    /// One that says "every".
    Every,
    /// Of a condition that must always keep its value: only this kind may follow, seen from this sense.
    Only(Quantifier),
}

impl<'m> Walk<'m> {
    pub fn condition(&mut self, at: &mut Activation<'m>, e: &'m Expr, sense: Sense, block: Block) {
        match &e.kind {
            ExprKind::Not(a) => self.condition(at, a, sense.negated(), flipped(block)),
            ExprKind::Logic(op, a, b) => {
                let (sense_a, block_a) =
                    if *op == LogicOp::Implies { (sense.negated(), flipped(block)) } else { (sense, block) };
                // Whether the right side is evaluated, and so whether it goes wrong, depends on the left one.
                let decides = matches!(
                    (op, sense),
                    (LogicOp::And, Sense::WhenTrue) | (LogicOp::Or | LogicOp::Implies, Sense::WhenFalse)
                );
                let sense_a = if decides || !self.quantifies(a) { sense_a } else { Sense::Always };
                self.condition(at, a, sense_a, block_a);
                self.condition(at, b, sense, block);
            }
            ExprKind::Quantified(quantifier, each, body) => {
                self.quantified(at, *quantifier, (each, body), sense, block);
            }
            ExprKind::Eq(a, b) | ExprKind::Ne(a, b) => {
                let inner = mixed(block);
                let (a_kind, b_kind) = (self.side(at, a, inner), self.side(at, b, inner));
                if a_kind == Kind::Cell && b_kind == Kind::Cell {
                    self.refuse(e.span, "this compares two ids that arrays hold");
                }
            }
            ExprKind::Same(a, b, _) => self.same(at, e, a, b),
            ExprKind::Cond(c, a, b) => {
                self.condition(at, c, Sense::Always, mixed(block));
                self.condition(at, a, sense, block);
                self.condition(at, b, sense, block);
            }
            ExprKind::Call(call) => {
                let body = &self.model.functions[call.function as usize].body;
                let plain = !matches!(body.as_slice(), [stmt] if matches!(stmt.kind, StmtKind::Return(_)));
                // A routine that only returns a condition is that condition; any other must keep all its conditions.
                self.call(at, call, (!plain).then_some((sense, block)));
            }
            _ => drop(self.value(at, e)),
        }
    }

    /// Whether there is a quantifier over elements in it, or a call that may have one.
    fn quantifies(&self, e: &'m Expr) -> bool {
        Part::Expr(e).any(|part| match part {
            Part::Expr(Expr { kind: ExprKind::Quantified(_, each, _), .. }) => {
                matches!(&each.range, LoopRange::Type(ty) if !self.held(*ty).is_empty())
            }
            Part::Expr(Expr { kind: ExprKind::Call(_) | ExprKind::Same(..), .. }) => true,
            _ => false,
        })
    }

    /// One side of a comparison.
    fn side(&mut self, at: &mut Activation<'m>, e: &'m Expr, block: Block) -> Kind {
        match &e.kind {
            ExprKind::Not(_)
            | ExprKind::Logic(..)
            | ExprKind::Eq(..)
            | ExprKind::Ne(..)
            | ExprKind::Same(..)
            | ExprKind::Quantified(..) => {
                self.condition(at, e, Sense::Always, block);
                Kind::Plain
            }
            _ => self.expr(at, e),
        }
    }

    fn quantified(
        &mut self,
        at: &mut Activation<'m>,
        quantifier: Quantifier,
        (each, body): (&'m Loop, &'m Expr),
        sense: Sense,
        block: Block,
    ) {
        let domains = self.enter(at, each);
        if domains.is_empty() {
            // Finitely many instances of the same kind.
            let times = self.repeated(at, each);
            self.condition(at, body, sense, block);
            self.times = times;
            return;
        }
        let some = match sense {
            Sense::WhenTrue => quantifier == Quantifier::Exists,
            Sense::WhenFalse => quantifier == Quantifier::Forall,
            Sense::Always => false,
        };
        let inner = match (sense, block) {
            (_, Block::Only(kind)) if kind == quantifier => {
                self.count(&domains, each.span);
                block
            }
            (_, Block::Only(_)) => {
                self.refuse(each.span, "here \"some element\" and \"every element\" alternate");
                block
            }
            (Sense::Always, Block::None) if self.loops.is_empty() => {
                self.count(&domains, each.span);
                Block::Only(quantifier)
            }
            (Sense::Always, _) => {
                self.refuse(
                    each.span,
                    "a quantifier whose truth must be known for each element of a loop around it",
                );
                Block::Only(quantifier)
            }
            (_, Block::Every) if some => {
                self.refuse(each.span, "this says \"some element\" for every element");
                Block::Some
            }
            _ if some => {
                self.count(&domains, each.span);
                Block::Some
            }
            _ => Block::Every,
        };
        self.bind(at, each, domains);
        self.condition(at, body, sense, inner);
        self.loops.pop();
    }

    /// The parameterised domains that a loop goes over.
    pub fn enter(&mut self, at: &mut Activation<'m>, each: &'m Loop) -> Vec<usize> {
        match &each.range {
            LoopRange::Type(ty) => self.held(*ty),
            LoopRange::Span(from, to, by) => {
                for e in [Some(from), Some(to), by.as_ref()].into_iter().flatten() {
                    self.value(at, e);
                }
                Vec::new()
            }
        }
    }

    /// Binds the variable of a loop over elements.
    pub fn bind(&mut self, at: &mut Activation<'m>, each: &'m Loop, domains: Vec<usize>) {
        at.locals.insert(each.local, Meaning::Value(Kind::Bound(self.loops.len())));
        self.loops.push(domains);
        for domain in 0..self.domains.len() {
            let depth = self.loops.iter().filter(|of| of.contains(&domain)).count() as u32;
            self.counts.loops[domain] = self.counts.loops[domain].max(depth);
        }
    }

    /// Takes note that something is done once per value of a finite range; gives what to restore.
    pub fn repeated(&mut self, at: &mut Activation<'m>, each: &'m Loop) -> Option<u32> {
        at.locals.insert(each.local, Meaning::Value(Kind::Plain));
        let before = self.times;
        let values = match &each.range {
            LoopRange::Type(ty) => u32::try_from(self.model.types.size(*ty)).ok(),
            LoopRange::Span(..) => None,
        };
        self.times = before.zip(values).and_then(|(before, values)| before.checked_mul(values));
        before
    }

    /// A comparison of aggregates: of all their cells.
    fn same(&mut self, at: &mut Activation<'m>, e: &'m Expr, a: &'m Place, b: &'m Place) {
        let (one, other) = (self.place(at, a), self.place(at, b));
        let (_, has_array, has_ids) = self.inside(a.ty);
        if has_ids && (has_array || !one.indices.is_empty() || !other.indices.is_empty()) {
            self.refuse(e.span, "this compares ids that arrays hold");
        }
        if has_array && !self.loops.is_empty() {
            self.refuse(e.span, "this compares whole arrays under a loop or quantifier");
        }
        // One element at which they differ, for each array on the way.
        let domains = self.dimensions(a.ty);
        self.count(&domains, e.span);
    }

    /// The domains of all arrays over elements in a type.
    fn dimensions(&self, ty: TypeId) -> Vec<usize> {
        match &self.model.types[ty].kind {
            TypeKind::Array { index, element } => {
                let mut domains = self.held(*index);
                domains.extend(self.dimensions(*element));
                domains
            }
            TypeKind::Record(fields) => fields.iter().flat_map(|field| self.dimensions(field.ty)).collect(),
            _ => Vec::new(),
        }
    }
}

/// Under a negation.
fn flipped(block: Block) -> Block {
    match block {
        Block::Only(Quantifier::Forall) => Block::Only(Quantifier::Exists),
        Block::Only(Quantifier::Exists) => Block::Only(Quantifier::Forall),
        other => other,
    }
}

/// Inside a comparison, whose sides must keep their values always.
fn mixed(block: Block) -> Block {
    match block {
        Block::None => Block::None,
        _ => Block::Every,
    }
}
