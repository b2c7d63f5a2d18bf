//! Names, fields and indices: what has an address.

use burnside_model::code::{Expr, ExprKind, LocalId, Place, PlaceKind, Storage, TypeId, TypeKind, Types};

use super::scope::{Access, Root, Space, Symbol};
use super::{Lowerer, Value};
use crate::diag::{Diagnostic, codes};
use crate::murphi::ast;

impl Lowerer<'_> {
    /// The value of a designator: a constant, or what is at a place.
    pub(super) fn designator_value(&mut self, e: &ast::Expr) -> Option<Value> {
        if let ast::ExprKind::Name(name) | ast::ExprKind::Undefined(name) = &e.kind
            && let Symbol::Constant { value, ty } = self.symbol(name)?
        {
            return Some(Value::Simple(Expr { kind: ExprKind::Const(value), ty, span: e.span }));
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
            None => self.unknown(Space::Value, name),
        }
    }

    /// A place, and whether it may be assigned to.
    pub(super) fn place(&mut self, e: &ast::Expr) -> Option<(Place, Access)> {
        let span = e.span;
        match &e.kind {
            ast::ExprKind::Name(name) | ast::ExprKind::Undefined(name) => match self.symbol(name)? {
                Symbol::Global(global) => {
                    let ty = self.model.globals[global.0 as usize].ty;
                    Some((Place { kind: PlaceKind::Global(global), ty, span }, Access::Free))
                }
                Symbol::Local { local, access } => {
                    let ty = self.frame[local].ty;
                    Some((Place { kind: PlaceKind::Local(local), ty, span }, access))
                }
                Symbol::Slot { .. } => {
                    let name = &name.name;
                    let message = format!("`{name}` is the index of an element of a multiset, not a value");
                    let error = Diagnostic::error(codes::MULTISET_INDEX, span, message);
                    self.report(error.help(format!(
                        "it can only be used as `set[{name}]` and in `multisetremove({name}, set)`"
                    )));
                    None
                }
                _ => self.not_a_place(e),
            },
            ast::ExprKind::Field(base, field) => {
                let (place, access) = self.place(base)?;
                let (index, ty) = self.field(base, place.ty, field)?;
                Some((Place { kind: PlaceKind::Field(Box::new(place), index), ty, span }, access))
            }
            ast::ExprKind::Index(base, index) => {
                let (place, access) = self.place(base)?;
                let (kind, ty) = match self.types()[place.ty].kind {
                    TypeKind::Array { index: index_type, element } => {
                        let index = self.index(base, index_type, index)?;
                        (PlaceKind::Index(Box::new(place), Box::new(index)), element)
                    }
                    TypeKind::Multiset { element, .. } => {
                        let slot = self.slot(index, place.ty)?;
                        (PlaceKind::Slot(Box::new(place), Box::new(slot)), element)
                    }
                    _ => {
                        let message =
                            format!("`{}` is not an array: it has no elements", self.text(base.span));
                        let error = Diagnostic::error(codes::NOT_AN_ARRAY, base.span, message);
                        self.report(self.with_declaration(error, base));
                        return None;
                    }
                };
                Some((Place { kind, ty, span }, access))
            }
            _ => self.not_a_place(e),
        }
    }

    /// Position and type of a field of `base`, which is of type `ty`.
    fn field(&mut self, base: &ast::Expr, ty: TypeId, field: &ast::Ident) -> Option<(u32, TypeId)> {
        let TypeKind::Record(fields) = &self.types()[ty].kind else {
            let message = format!("`{}` is not a record: it has no fields", self.text(base.span));
            let error = Diagnostic::error(codes::NOT_A_RECORD, base.span, message);
            self.report(self.with_declaration(error, base));
            return None;
        };
        if let Some(index) = fields.iter().position(|f| f.name == field.name) {
            return Some((index as u32, fields[index].ty));
        }
        let names: Vec<_> = fields.iter().map(|f| f.name.as_str()).collect();
        let help = format!("its fields are: {}", names.join(", "));
        let message = match &self.types()[ty].name {
            Some(name) => format!("the record `{name}` has no field `{}`", field.name),
            None => format!("this record has no field `{}`", field.name),
        };
        self.report(Diagnostic::error(codes::UNKNOWN_FIELD, field.span, message).help(help));
        None
    }

    /// The index of an element of the array `base`.
    fn index(&mut self, base: &ast::Expr, wanted: TypeId, index: &ast::Expr) -> Option<Expr> {
        let given = self.simple(index)?;
        match self.coerce(given, wanted) {
            Ok(given) => Some(given),
            Err(given) => {
                let (index_type, found) = (self.describe(wanted), self.describe(given.ty));
                let message = format!("this array is indexed by `{index_type}`, not by `{found}`");
                let error = Diagnostic::error(codes::INDEX_TYPE, given.span, message);
                let error = error.label(format!("this is of type `{found}`"));
                let error = self.with_element_hint(error, wanted, given.ty);
                self.report(self.with_declaration(error, base));
                None
            }
        }
    }

    fn not_a_place<T>(&mut self, e: &ast::Expr) -> Option<T> {
        let text = self.text(e.span);
        let message = match e.kind {
            ast::ExprKind::Name(_) => format!("`{text}` is a constant, not a variable"),
            _ => format!("`{text}` is not a variable"),
        };
        let error = Diagnostic::error(codes::NOT_A_PLACE, e.span, message);
        self.report(self.with_declaration(error, e));
        None
    }

    /// A place that may be assigned to; remembers what is written.
    pub(super) fn target(&mut self, e: &ast::Expr) -> Option<Place> {
        let (place, access) = self.place(e)?;
        if access != Access::Free {
            let (why, help) = read_only(access);
            let message = format!("`{}` cannot be changed: {why}", self.text(e.span));
            let error = Diagnostic::error(codes::READ_ONLY, e.span, message);
            self.report(self.with_declaration(error, e).help(help));
            return None;
        }
        self.note_write(&place);
        Some(place)
    }

    pub(super) fn note_write(&mut self, place: &Place) {
        match self.root(place) {
            Root::State => self.current.state = self.current.state.or(Some(place.span)),
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

    pub(super) fn multiset(&mut self, e: &ast::Expr) -> Option<Place> {
        let place = self.place(e)?.0;
        if !matches!(self.types()[place.ty].kind, TypeKind::Multiset { .. }) {
            let message = format!("`{}` is not a multiset", self.text(e.span));
            let error = Diagnostic::error(codes::NOT_A_MULTISET, e.span, message);
            self.report(self.with_declaration(error, e));
            return None;
        }
        Some(place)
    }

    /// The index of an element of a multiset of this type.
    pub(super) fn slot(&mut self, e: &ast::Expr, set: TypeId) -> Option<Expr> {
        let mut message = "this is not the index of an element of the multiset";
        if let ast::ExprKind::Name(name) = &e.kind {
            match self.symbol(name)? {
                Symbol::Slot { local, set: bound } if self.types().same(bound, set) => {
                    let ty = self.frame[local].ty;
                    let place = Place { kind: PlaceKind::Local(local), ty, span: e.span };
                    return Some(Expr { kind: ExprKind::Read(place), ty, span: e.span });
                }
                Symbol::Slot { .. } => message = "this is the index of an element of another multiset",
                _ => {}
            }
        }
        let error = Diagnostic::error(codes::MULTISET_INDEX, e.span, message);
        self.report(
            error.help("an element is named by `choose i : set`, `multisetcount` or `multisetremovepred`"),
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

/// Why something cannot be changed, and what to do about it.
pub(super) fn read_only(access: Access) -> (&'static str, &'static str) {
    match access {
        Access::Loop => {
            ("it is set by a loop, quantifier or ruleset", "copy its value to a variable and change that")
        }
        Access::Parameter => (
            "it is a parameter without `var`",
            "declare it with `var` to change the argument, or copy its value to a variable of the routine",
        ),
        Access::Free | Access::Value => ("it is an alias of a value", "make it an alias of a variable"),
    }
}
