//! Names, fields and indices: what has an address.

use burnside_model::code::{Expr, ExprKind, LocalId, Place, PlaceKind, Storage, TypeId, TypeKind, Types};

use super::scope::{Root, Space, Symbol};
use super::{Lowerer, Value};
use crate::diag::{Diagnostic, codes};
use crate::murphi::ast;

/// Whether a place may be assigned to.
pub(super) type Writable = bool;

impl Lowerer<'_> {
    /// The value of a designator: a constant, or what is at a place.
    pub(super) fn designator_value(&mut self, e: &ast::Expr) -> Option<Value> {
        if let ast::ExprKind::Name(name) | ast::ExprKind::Undefined(name) = &e.kind {
            if let Symbol::Constant { value, ty } = self.symbol(name)? {
                return Some(Value::Simple(Expr { kind: ExprKind::Const(value), ty, span: e.span }));
            }
        }
        let place = self.place(e)?.0;
        Some(if self.types().is_simple(place.ty) {
            let (ty, span) = (place.ty, place.span);
            Value::Simple(Expr { kind: ExprKind::Read(place), ty, span })
        } else {
            Value::Aggregate(place)
        })
    }

    /// What a name stands for as a value; unknown names are reported.
    fn symbol(&mut self, name: &ast::Ident) -> Option<Symbol> {
        match self.scopes.find(Space::Value, &name.name) {
            Some((Symbol::Broken, _)) => None,
            Some((symbol, _)) => Some(symbol),
            None => {
                let message = format!("there is no `{}` here", name.name);
                let mut error = Diagnostic::error(codes::UNKNOWN_NAME, name.span, message);
                if self.scopes.find(Space::Type, &name.name).is_some() {
                    let message = format!("`{}` is a type, not a value", name.name);
                    error = Diagnostic::error(codes::WRONG_CLASS, name.span, message);
                } else if self.scopes.find(Space::Routine, &name.name).is_some() {
                    let message = format!("`{}` is a function, not a value", name.name);
                    error = Diagnostic::error(codes::WRONG_CLASS, name.span, message)
                        .help(format!("call it with parentheses: {}(…)", name.name));
                } else if let Some(similar) = self.scopes.similar(Space::Value, &name.name) {
                    error = error.help(format!("did you mean `{similar}`?"));
                } else {
                    error = error.help("a name must be declared before it is used");
                }
                self.report(error);
                None
            }
        }
    }

    /// A place, and whether it may be assigned to.
    pub(super) fn place(&mut self, e: &ast::Expr) -> Option<(Place, Writable)> {
        let span = e.span;
        match &e.kind {
            ast::ExprKind::Name(name) | ast::ExprKind::Undefined(name) => match self.symbol(name)? {
                Symbol::Global(global) => {
                    let ty = self.model.globals[global.0 as usize].ty;
                    Some((Place { kind: PlaceKind::Global(global), ty, span }, true))
                }
                Symbol::Local { local, writable } => {
                    let ty = self.frame[local].ty;
                    Some((Place { kind: PlaceKind::Local(local), ty, span }, writable))
                }
                Symbol::Slot { .. } => {
                    let message = format!("`{}` is the index of an element of a multiset", name.name);
                    let error = Diagnostic::error(codes::MULTISET_INDEX, span, message);
                    self.report(error.help("it can only be used as set[i] and in multisetremove(i, set)"));
                    None
                }
                _ => self.not_a_place(e),
            },
            ast::ExprKind::Field(base, field) => {
                let (base, writable) = self.place(base)?;
                let TypeKind::Record(fields) = &self.types()[base.ty].kind else {
                    let message = format!("`{}` is not a record: it has no fields", self.describe(base.ty));
                    return self.error(codes::NOT_A_RECORD, base.span, message);
                };
                let Some(index) = fields.iter().position(|f| f.name == field.name) else {
                    let names: Vec<_> = fields.iter().map(|f| f.name.as_str()).collect();
                    let help = format!("its fields are: {}", names.join(", "));
                    let message =
                        format!("the record `{}` has no field `{}`", self.describe(base.ty), field.name);
                    self.report(Diagnostic::error(codes::UNKNOWN_FIELD, field.span, message).help(help));
                    return None;
                };
                let ty = fields[index].ty;
                Some((Place { kind: PlaceKind::Field(Box::new(base), index as u32), ty, span }, writable))
            }
            ast::ExprKind::Index(base, index) => {
                let (base, writable) = self.place(base)?;
                match self.types()[base.ty].kind {
                    TypeKind::Array { index: index_type, element } => {
                        let given = self.simple(index)?;
                        let given = match self.coerce(given, index_type) {
                            Ok(given) => given,
                            Err(given) => {
                                let (wanted, found) = (self.describe(index_type), self.describe(given.ty));
                                let message =
                                    format!("this array is indexed by `{wanted}`, not by `{found}`");
                                return self.error(codes::INDEX_TYPE, given.span, message);
                            }
                        };
                        let kind = PlaceKind::Index(Box::new(base), Box::new(given));
                        Some((Place { kind, ty: element, span }, writable))
                    }
                    TypeKind::Multiset { element, .. } => {
                        let slot = self.slot(index, base.ty)?;
                        let kind = PlaceKind::Slot(Box::new(base), Box::new(slot));
                        Some((Place { kind, ty: element, span }, writable))
                    }
                    _ => {
                        let message =
                            format!("`{}` is not an array: it cannot be indexed", self.describe(base.ty));
                        self.error(codes::NOT_AN_ARRAY, base.span, message)
                    }
                }
            }
            _ => self.not_a_place(e),
        }
    }

    fn not_a_place<T>(&mut self, e: &ast::Expr) -> Option<T> {
        let message = format!("`{}` is not a variable", self.text(e.span));
        self.error(codes::NOT_A_PLACE, e.span, message)
    }

    /// A place that may be assigned to; remembers what is written.
    pub(super) fn target(&mut self, e: &ast::Expr) -> Option<Place> {
        let (place, writable) = self.place(e)?;
        if !writable {
            let message = format!("`{}` must not be assigned to", self.text(e.span));
            let error = Diagnostic::error(codes::READ_ONLY, e.span, message);
            self.report(
                error.help(
                    "loop and rule parameters never change, and parameters only if declared with `var`",
                ),
            );
            return None;
        }
        self.note_write(&place);
        Some(place)
    }

    pub(super) fn note_write(&mut self, place: &Place) {
        match self.root(place) {
            Root::State => self.current.state = true,
            Root::Param(index) => self.current.params[index] = true,
            Root::Own => {}
        }
    }

    /// What a place is part of.
    pub(super) fn root(&self, place: &Place) -> Root {
        match &place.kind {
            PlaceKind::Global(_) => Root::State,
            PlaceKind::Local(local) => self.roots[local.0 as usize],
            PlaceKind::Index(base, _) | PlaceKind::Field(base, _) | PlaceKind::Slot(base, _) => {
                self.root(base)
            }
            PlaceKind::Call(_) => Root::Own,
            PlaceKind::Cond(..) => Root::State,
        }
    }

    /// A place that is a multiset.
    pub(super) fn multiset(&mut self, e: &ast::Expr) -> Option<Place> {
        let place = self.place(e)?.0;
        if !matches!(self.types()[place.ty].kind, TypeKind::Multiset { .. }) {
            let message = format!("a multiset is needed here, not a `{}`", self.describe(place.ty));
            return self.error(codes::NOT_A_MULTISET, e.span, message);
        }
        Some(place)
    }

    /// The index of an element of a multiset of this type.
    pub(super) fn slot(&mut self, e: &ast::Expr, set: TypeId) -> Option<Expr> {
        if let ast::ExprKind::Name(name) = &e.kind {
            match self.symbol(name)? {
                Symbol::Slot { local, set: bound } if self.types().same(bound, set) => {
                    let ty = self.frame[local].ty;
                    let place = Place { kind: PlaceKind::Local(local), ty, span: e.span };
                    return Some(Expr { kind: ExprKind::Read(place), ty, span: e.span });
                }
                _ => {}
            }
        }
        let error = Diagnostic::error(
            codes::MULTISET_INDEX,
            e.span,
            "this is not the index of an element of the multiset",
        );
        self.report(
            error.help("elements are chosen by `choose i : set`, multisetcount and multisetremovepred"),
        );
        None
    }

    /// Runs `f` with a name bound to the elements of a multiset.
    pub(super) fn with_slot<T>(
        &mut self,
        name: &ast::Ident,
        set: TypeId,
        f: impl FnOnce(&mut Self) -> T,
    ) -> (LocalId, T) {
        self.scopes.push();
        let local = self.add_local(&name.name, Types::INT, Storage::Value, Root::Own);
        self.declare_name(Space::Value, name, Symbol::Slot { local, set });
        let result = f(self);
        self.scopes.pop();
        (local, result)
    }
}
