//! One given permutation of a domain's elements, in place of all.
//!
//! The walk over the model is the same, and so is what it asks for, but less is refused. Where elements are told apart,
//! it is enough that the permutation keeps those that are. Where they are used as numbers, the expression is tried out
//! on all values of the variables that it reads, undefined ones included: after the permutation of its variables, a
//! condition must have the same value, and a number must be what the permutation makes of it; and it must go wrong in
//! the same cases. So `(i + 1) % N` is found to commute with a rotation, and `i != 0` with whatever leaves 0 in place.
//! Loops still have to commute in any order.

use std::collections::HashSet;

use burnside_model::Model;
use burnside_model::code::{
    Cell, DomainId, Expr, ExprKind, LogicOp, Place, Semantics, TypeId, UNDEFINED, Undefined,
};

use super::execute::same_place;
use super::{Refusal, Verifier};

/// The most combinations of values that are tried.
const MOST_COMBINATIONS: u64 = 1 << 14;

/// A permutation of the elements of a domain.
pub(super) struct Given {
    pub domain: DomainId,
    pub images: Vec<u32>,
    /// Expressions that were tried out as parts of others.
    settled: HashSet<*const Expr>,
}

/// Why one permutation of a domain's elements is not known to be a symmetry of rules and properties; nothing if it is.
pub fn verify_permutation(model: &Model, domain: DomainId, images: &[u32]) -> Vec<Refusal> {
    let mut verifier = Verifier::new(model);
    verifier.given = Some(Given { domain, images: images.to_vec(), settled: HashSet::new() });
    (0..model.rules.len()).for_each(|rule| verifier.rule(rule));
    (0..model.properties.len()).for_each(|property| verifier.property(property));
    let mut refusals = verifier.finish().refusals;
    refusals.retain(|refusal| refusal.domain == domain);
    refusals
}

/// What goes wrong when an expression is evaluated.
struct Wrong;

/// The variables of an expression, and their values.
struct Trial<'e> {
    places: Vec<&'e Place>,
    values: Vec<Cell>,
    semantics: Semantics,
}

impl Given {
    /// Whether it maps these elements of its domain to each other.
    pub fn keeps(&self, domain: DomainId, elements: &[u32]) -> bool {
        domain == self.domain && elements.iter().all(|e| elements.contains(&self.images[*e as usize]))
    }

    /// What it makes of a value of a simple type.
    fn map(&self, model: &Model, ty: TypeId, value: Cell) -> Cell {
        match model.types.element(ty, value) {
            Some((domain, element)) if domain == self.domain => {
                let offset = |element| i64::from(model.types.offset(domain, element));
                value - offset(element) + offset(self.images[element as usize])
            }
            _ => value,
        }
    }

    fn settle(&mut self, e: &Expr) {
        self.settled.insert(e);
        for part in operands(e).unwrap_or_default() {
            self.settle(part);
        }
    }
}

impl<'m> Verifier<'m> {
    /// Whether an expression has been dealt with.
    pub(super) fn is_settled(&self, e: &Expr) -> bool {
        self.given.as_ref().is_some_and(|given| given.settled.contains(&std::ptr::from_ref(e)))
    }

    /// Whether a condition is the same after the given permutation. If so, its parts need not be looked at.
    pub(super) fn is_invariant(&mut self, e: &Expr) -> bool {
        self.try_out(e, &mut |_, before, after| before == after)
    }

    /// Whether what is used as a value of this type is permuted like one. If so, its parts need not be looked at.
    pub(super) fn is_equivariant(&mut self, ty: TypeId, e: &Expr) -> bool {
        if matches!(e.kind, ExprKind::Const(_) | ExprKind::Read(_) | ExprKind::Call(_)) {
            return false;
        }
        let (model, (lo, hi)) = (self.model, self.model.types.bounds(ty));
        let outside = |value: Cell| value != UNDEFINED && !(lo..=hi).contains(&value);
        self.try_out(e, &mut |given, before, after| {
            given.map(model, ty, before) == after || (outside(before) && outside(after))
        })
    }

    /// Whether going round a ring commutes with the given permutation.
    pub(super) fn turns_along(&self, ty: TypeId, by: u32) -> bool {
        let Some(given) = &self.given else { return true };
        let size = given.images.len() as u32;
        let moved = |element: u32, by: u32| (element + by) % size.max(1);
        let domains = self.model.types.domains_of(ty);
        domains.iter().all(|(domain, _)| *domain != given.domain)
            || (0..size).all(|e| given.images[moved(e, by) as usize] == moved(given.images[e as usize], by))
    }

    /// Tries an expression on all values before and after the given permutation.
    fn try_out(&mut self, e: &Expr, fits: &mut dyn FnMut(&Given, Cell, Cell) -> bool) -> bool {
        let (model, Some(given)) = (self.model, &mut self.given) else { return false };
        let mut places = Vec::new();
        if !variables(e, &mut places) {
            return false;
        }
        let bounds: Vec<_> = places.iter().map(|place| model.types.bounds(place.ty)).collect();
        let sizes = places.iter().map(|place| model.types.size(place.ty).saturating_add(1));
        if sizes.fold(1u64, u64::saturating_mul) > MOST_COMBINATIONS {
            return false;
        }
        // What may be done with an undefined value is not known here: it has to work out in either case.
        for undefined in [Undefined::Cmurphi, Undefined::Copy] {
            let semantics = Semantics { undefined, ..Semantics::default() };
            let before = Trial { values: vec![UNDEFINED; places.len()], places: places.clone(), semantics };
            if !before.agrees(model, given, e, &bounds, fits) {
                return false;
            }
        }
        given.settle(e);
        true
    }
}

impl Trial<'_> {
    /// Whether an expression fares alike before and after the permutation, for all values from here on.
    fn agrees(
        mut self,
        model: &Model,
        given: &Given,
        e: &Expr,
        bounds: &[(i64, i64)],
        fits: &mut dyn FnMut(&Given, Cell, Cell) -> bool,
    ) -> bool {
        let before = &mut self;
        loop {
            let values = before.places.iter().zip(&before.values);
            let values = values.map(|(place, value)| given.map(model, place.ty, *value)).collect();
            let after = Trial { places: before.places.clone(), values, semantics: before.semantics };
            let agree = match (before.copied(model, e), after.copied(model, e)) {
                (Ok(before), Ok(after)) => fits(given, before, after),
                (Err(Wrong), Err(Wrong)) => true,
                _ => false,
            };
            if !agree {
                return false;
            }
            if !advance(&mut before.values, bounds) {
                return true;
            }
        }
    }
}

/// The next combination of values, each from undefined to the greatest; `false` after the last.
fn advance(values: &mut [Cell], bounds: &[(i64, i64)]) -> bool {
    for (value, (lo, hi)) in values.iter_mut().zip(bounds) {
        if *value == UNDEFINED && lo <= hi {
            *value = *lo;
            return true;
        }
        if *value != UNDEFINED && *value < *hi {
            *value += 1;
            return true;
        }
        *value = UNDEFINED;
    }
    false
}

/// The parts of an expression that can be tried out; `None` if it cannot.
fn operands(e: &Expr) -> Option<Vec<&Expr>> {
    Some(match &e.kind {
        ExprKind::Const(_) | ExprKind::Read(_) => Vec::new(),
        ExprKind::Not(a) | ExprKind::Neg(a) | ExprKind::BitNot(a) | ExprKind::Rotate(a, _) => vec![a],
        ExprKind::Arith(_, a, b)
        | ExprKind::Order(_, a, b)
        | ExprKind::Logic(_, a, b)
        | ExprKind::Eq(a, b)
        | ExprKind::Ne(a, b) => vec![a, b],
        ExprKind::Cond(c, a, b) => vec![c, a, b],
        _ => return None,
    })
}

/// Collects the variables that an expression reads; `false` if it cannot be tried out.
fn variables<'e>(e: &'e Expr, places: &mut Vec<&'e Place>) -> bool {
    if let ExprKind::Read(place) = &e.kind
        && !places.iter().any(|other| is_same(other, place))
    {
        places.push(place);
    }
    operands(e).is_some_and(|parts| parts.into_iter().all(|part| variables(part, places)))
}

/// Whether two places are surely one variable.
fn is_same(a: &Place, b: &Place) -> bool {
    std::ptr::eq(a, b) || same_place(a, b)
}

impl Trial<'_> {
    /// The value of an expression; undefined is wrong.
    fn value(&self, model: &Model, e: &Expr) -> Result<Cell, Wrong> {
        self.copied(model, e).and_then(|value| if value == UNDEFINED { Err(Wrong) } else { Ok(value) })
    }

    /// The value of an expression, perhaps undefined: as the reference interpreter has it.
    fn copied(&self, model: &Model, e: &Expr) -> Result<Cell, Wrong> {
        let value = |e: &Expr| self.value(model, e);
        let compared = |e: &Expr| match self.semantics.compares_undefined(&model.types, e) {
            true => self.copied(model, e),
            false => self.value(model, e),
        };
        Ok(match &e.kind {
            ExprKind::Const(value) => *value,
            ExprKind::Read(place) => {
                let at = self.places.iter().position(|other| is_same(other, place)).ok_or(Wrong)?;
                self.values[at]
            }
            ExprKind::Not(a) => Cell::from(value(a)? == 0),
            ExprKind::Neg(a) => value(a)?.checked_neg().ok_or(Wrong)?,
            ExprKind::BitNot(a) => match !value(a)? {
                UNDEFINED => return Err(Wrong),
                value => value,
            },
            ExprKind::Rotate(a, by) => {
                let size = model.types.bounds(e.ty).1 + 1;
                (value(a)? + Cell::from(*by)).rem_euclid(size.max(1))
            }
            ExprKind::Arith(op, a, b) => {
                let (a, b) = (value(a)?, value(b)?);
                op.apply(a, b).ok_or(Wrong)?
            }
            ExprKind::Order(op, a, b) => {
                let (a, b) = (value(a)?, value(b)?);
                Cell::from(op.apply(a, b))
            }
            ExprKind::Logic(op, a, b) => {
                let a = value(a)? != 0;
                Cell::from(match op {
                    LogicOp::And => a && value(b)? != 0,
                    LogicOp::Or => a || value(b)? != 0,
                    LogicOp::Implies => !a || value(b)? != 0,
                })
            }
            ExprKind::Eq(a, b) => Cell::from(compared(a)? == compared(b)?),
            ExprKind::Ne(a, b) => Cell::from(compared(a)? != compared(b)?),
            ExprKind::Cond(c, a, b) => self.copied(model, if value(c)? != 0 { a } else { b })?,
            _ => return Err(Wrong),
        })
    }
}
