//! Initial values of variables: lists, and what a variable has without one.

use burnside_model::Span;
use burnside_model::code::{
    Expr, ExprKind, Field, Loop, LoopRange, Place, PlaceKind, Stmt, StmtKind, Storage, TypeId, TypeKind,
};

use super::Lowerer;
use crate::diag::codes;
use crate::uppaal::ast::{self, Initial};

impl Lowerer {
    pub(super) fn initialise(&mut self, place: &Place, initial: &Initial, out: &mut Vec<Stmt>) -> Option<()> {
        match initial {
            Initial::Expr(expr) => {
                if self.holds(place.ty, &|ty| self.is_channel(ty)) {
                    return self.error(codes::ASSIGNMENT_TYPE, expr.span, "a channel has no value");
                }
                let before = std::mem::take(&mut self.before);
                let done = self.assign(place.clone(), expr, expr.span, out);
                self.before = before;
                done
            }
            Initial::List(list, span) => {
                let parts = self.listed(place, *span)?;
                if parts.len() != list.len() {
                    let message = format!("{} values are expected here, not {}", parts.len(), list.len());
                    return self.error(codes::ARGUMENT_COUNT, *span, message);
                }
                let mut given = vec![false; parts.len()];
                for (number, (field, initial)) in list.iter().enumerate() {
                    let at = match field {
                        Some(field) => self.field_at(place, field)?,
                        None => number,
                    };
                    if std::mem::replace(&mut given[at], true) {
                        return self.error(codes::DUPLICATE_FIELD, *span, "a field has two values here");
                    }
                    self.initialise(&parts[at], initial, out)?;
                }
                Some(())
            }
        }
    }

    /// Which field of a struct has a name.
    fn field_at(&mut self, place: &Place, field: &ast::Ident) -> Option<usize> {
        let at = match &self.types()[place.ty].kind {
            TypeKind::Record(fields) => fields.iter().position(|known| known.name == field.name),
            _ => None,
        };
        match at {
            Some(at) => Some(at),
            None => {
                let message = format!("there is no field `{}`", field.name);
                self.error(codes::UNKNOWN_FIELD, field.span, message)
            }
        }
    }

    /// The parts of an array or struct, in the order in which a list gives them values.
    fn listed(&mut self, place: &Place, span: Span) -> Option<Vec<Place>> {
        let part = |kind: PlaceKind, ty: TypeId| Place { kind, ty, span };
        match &self.types()[place.ty].kind {
            TypeKind::Array { index, element } if !self.is_scalar(*index) => {
                let (lo, hi) = self.types().bounds(*index);
                let at = |at: i64| {
                    let at = Expr { kind: ExprKind::Const(at), ty: *index, span };
                    part(PlaceKind::Index(Box::new(place.clone()), Box::new(at)), *element)
                };
                Some((lo..=hi).map(at).collect())
            }
            TypeKind::Record(fields) => {
                let field = |(number, field): (u32, &Field)| {
                    part(PlaceKind::Field(Box::new(place.clone()), number), field.ty)
                };
                Some((0..).zip(fields).map(field).collect())
            }
            TypeKind::Array { .. } => {
                let message = "a list has an order, which scalars do not have";
                self.error(codes::SCALARSET_ORDER, span, message)
            }
            _ => self.error(codes::ASSIGNMENT_TYPE, span, "a single value is expected here"),
        }
    }

    /// Assigns what a variable without an initial value has: 0, or the least value if 0 is none. There is no such value
    /// among scalars: where `scalars` is not wanted, they stay without one.
    pub(super) fn default_value(&mut self, place: &Place, scalars: bool, out: &mut Vec<Stmt>) {
        let (ty, span) = (place.ty, place.span);
        let unset = |ty: TypeId| ty == self.clock || self.is_channel(ty) || !scalars && self.is_scalar(ty);
        if !self.holds(ty, &|ty| !unset(ty)) {
            return;
        }
        match self.types()[ty].kind.clone() {
            TypeKind::Array { index, element } => {
                let local = self.frame.add("each", index, 1, Storage::Value);
                let at = self.read_local(local, index, span);
                let part = Place {
                    kind: PlaceKind::Index(Box::new(place.clone()), Box::new(at)),
                    ty: element,
                    span,
                };
                let mut body = Vec::new();
                self.default_value(&part, scalars, &mut body);
                let each = Loop { local, range: LoopRange::Type(index), span };
                out.push(Stmt { kind: StmtKind::For(Box::new(each), body), span });
            }
            TypeKind::Record(fields) => {
                for (number, field) in (0..).zip(fields) {
                    let kind = PlaceKind::Field(Box::new(place.clone()), number);
                    self.default_value(&Place { kind, ty: field.ty, span }, scalars, out);
                }
            }
            _ => {
                let (lo, hi) = self.types().bounds(ty);
                let value = if lo <= 0 && 0 <= hi { 0 } else { lo };
                let value = Expr { kind: ExprKind::Const(value), ty, span };
                out.push(Stmt { kind: StmtKind::Assign(place.clone(), value), span });
            }
        }
    }
}
