//! Where a value goes: a value that is used as one of another type must be the same element there.
//!
//! The types of scalarsets see to that by themselves. A range or enum whose values were found or claimed to be elements
//! is only as good as its uses: integers of all ranges mix freely, and a constant may name one of them.

use burnside_model::Span;
use burnside_model::code::{
    Cell, DomainId, Expr, ExprKind, Operand, OrderOp, Place, TypeId, TypeKind, UNDEFINED,
};

use super::Verifier;

/// What an element is used for that it has no right to.
#[derive(Clone, Copy)]
pub(super) enum Number {
    Arithmetic,
    Bound,
}

impl<'m> Verifier<'m> {
    /// A value used as one of type `ty` must have the same elements at the same numbers.
    pub(super) fn check_mixed(&mut self, ty: TypeId, e: &'m Expr) {
        if self.is_settled(e) || self.is_equivariant(ty, e) {
            return;
        }
        for leaf in valued(e) {
            match leaf.constant() {
                Some(value) => self.check_named(ty, value, leaf.span),
                None => self.check_agree(ty, leaf.ty, leaf.span),
            }
        }
    }

    /// Two values that are compared.
    pub(super) fn check_equal(&mut self, a: &'m Expr, b: &'m Expr) {
        for a in valued(a) {
            for b in valued(b) {
                match (a.constant(), b.constant()) {
                    (Some(_), Some(_)) => {}
                    (Some(value), None) => self.check_named(b.ty, value, a.span),
                    (None, Some(value)) => self.check_named(a.ty, value, b.span),
                    (None, None) => self.check_agree(a.ty, b.ty, b.span),
                }
            }
        }
    }

    /// Two values that are compared by order. With a constant, elements on one side of it stay interchangeable.
    pub(super) fn check_order(&mut self, op: OrderOp, a: &'m Expr, b: &'m Expr, span: Span) {
        for a in valued(a) {
            for b in valued(b) {
                match (a.constant(), b.constant()) {
                    (None, Some(bound)) => self.check_split(a, &|value| op.apply(value, bound), span),
                    (Some(bound), None) => self.check_split(b, &|value| op.apply(bound, value), span),
                    _ => {
                        let mut domains = self.simple_domains(a.ty);
                        domains.extend(self.simple_domains(b.ty));
                        domains.sort_unstable();
                        domains.dedup();
                        let reason = "elements are compared by order here: the result depends on";
                        self.refuse(&domains, span, reason);
                    }
                }
            }
        }
    }

    fn check_split(&mut self, e: &'m Expr, holds: &dyn Fn(Cell) -> bool, span: Span) {
        for (domain, first) in self.model.types.domains_of(e.ty) {
            let types = &self.model.types;
            let size = types.domain(domain).size;
            let value = |element: u32| first + i64::from(types.offset(domain, element));
            let apart: Vec<u32> = (0..size).filter(|element| holds(value(*element))).collect();
            if !apart.is_empty() && apart.len() < size as usize {
                self.tell_apart(
                    domain,
                    apart,
                    span,
                    "elements are compared by order with a fixed number here",
                );
            }
        }
    }

    /// An element used as a number.
    pub(super) fn check_number(&mut self, e: &'m Expr, used: Number) {
        let reason = match used {
            Number::Arithmetic => "an element is used as a number here: which one it is depends on",
            Number::Bound => "an element is used as a bound of this loop: which one it is depends on",
        };
        for leaf in valued(e) {
            let domains = self.simple_domains(leaf.ty);
            self.refuse(&domains, leaf.span, reason);
        }
    }

    /// A constant used as a value of this type.
    pub(super) fn check_named(&mut self, ty: TypeId, value: Cell, span: Span) {
        if let Some((domain, element)) = self.model.types.element(ty, value) {
            self.tell_apart(domain, vec![element], span, "this names one fixed element");
        }
    }

    /// Values that go from one variable to another, whatever their type.
    pub(super) fn check_operand(&mut self, ty: TypeId, operand: &'m Operand) {
        match operand {
            Operand::Value(e) => self.check_mixed(ty, e),
            Operand::Place(place) => self.check_same(ty, place),
        }
    }

    /// An aggregate used as one of another type, part by part.
    pub(super) fn check_same(&mut self, ty: TypeId, place: &'m Place) {
        self.check_parts(ty, place.ty, place.span);
    }

    fn check_parts(&mut self, a: TypeId, b: TypeId, span: Span) {
        if a == b {
            return;
        }
        let types = &self.model.types;
        match (&types[a].kind, &types[b].kind) {
            (TypeKind::Array { index: i, element: e }, TypeKind::Array { index: j, element: f }) => {
                self.check_agree(*i, *j, span);
                self.check_parts(*e, *f, span);
            }
            (TypeKind::Record(a), TypeKind::Record(b)) => {
                for (a, b) in a.iter().zip(b) {
                    self.check_parts(a.ty, b.ty, span);
                }
            }
            (TypeKind::Multiset { element: e, .. }, TypeKind::Multiset { element: f, .. }) => {
                self.check_parts(*e, *f, span);
            }
            _ => self.check_agree(a, b, span),
        }
    }

    /// A conversion to or from a union: members that are one must have the same elements.
    pub(super) fn check_convert(&mut self, to: TypeId, from: &'m Expr) {
        let types = &self.model.types;
        let members = |ty: TypeId| match &types[ty].kind {
            TypeKind::Union(members) => members.clone(),
            _ => vec![ty],
        };
        let (to, from_members) = (members(to), members(from.ty));
        for a in &to {
            for b in &from_members {
                let integers = types.is_integer(*a) && types.is_integer(*b);
                match from.constant() {
                    Some(value) if integers => self.check_named(*a, value, from.span),
                    _ if integers || types.same(*a, *b) => self.check_agree(*a, *b, from.span),
                    _ => {}
                }
            }
        }
    }

    /// Refuses the elements of both types unless each value of both is the same element, or none, in both.
    fn check_agree(&mut self, a: TypeId, b: TypeId, span: Span) {
        self.flows.entry((a.min(b), a.max(b))).or_insert(span);
        if self.agree(a, b) {
            return;
        }
        let mut domains = self.simple_domains(a);
        domains.extend(self.simple_domains(b));
        domains.sort_unstable();
        domains.dedup();
        self.refuse(&domains, span, "elements are mixed with other values here: the result depends on");
    }

    fn agree(&self, a: TypeId, b: TypeId) -> bool {
        let types = &self.model.types;
        let (of_a, of_b) = (types.domains_of(a), types.domains_of(b));
        if of_a == of_b {
            return true;
        }
        let union = |ty: TypeId| matches!(types[ty].kind, TypeKind::Union(_));
        if union(a) || union(b) {
            return false;
        }
        // What only one of them has must be out of the other's reach as a whole.
        let apart = |domain: &(DomainId, i64), other: TypeId| {
            let (lo, hi) = types.bounds(other);
            let mut values = (0..types.domain(domain.0).size)
                .map(|element| domain.1 + i64::from(types.offset(domain.0, element)));
            !values.any(|value| (lo..=hi).contains(&value))
        };
        of_a.iter().all(|domain| of_b.contains(domain) || apart(domain, b))
            && of_b.iter().all(|domain| of_a.contains(domain) || apart(domain, a))
    }

    /// The domains of a simple type with something to permute.
    pub(super) fn simple_domains(&self, ty: TypeId) -> Vec<DomainId> {
        self.permuted(self.model.types.domains_of(ty).into_iter().map(|(domain, _)| domain))
    }
}

/// The expressions whose value this one has, without those that have none.
fn valued(e: &Expr) -> impl Iterator<Item = &Expr> {
    e.leaves().into_iter().filter(|leaf| leaf.kind != ExprKind::Const(UNDEFINED))
}
