//! Declarations and types.

use burnside_model::Span;
use burnside_model::code::{Domain, DomainId, DomainKind, Field, Storage, TypeId, TypeKind, Types};
use burnside_model::system::Claim;

use super::Lowerer;
use super::scope::{Access, Root, Space, Symbol};
use crate::diag::{Diagnostic, codes};
use crate::murphi::ast;

impl Lowerer<'_> {
    /// A declaration: of the state if `global`, of the body at hand otherwise.
    pub(super) fn declare(&mut self, decl: &ast::Decl, global: bool) {
        match &decl.kind {
            ast::DeclKind::Const(value) => {
                for name in &decl.names {
                    self.constant_decl(name, value, global);
                }
            }
            ast::DeclKind::Type(ty) => {
                let ty = self.ty(ty);
                for name in &decl.names {
                    if let Some(ty) = ty {
                        self.name_type(ty, &name.name);
                    }
                    self.declare_name(Space::Type, name, ty.map_or(Symbol::Broken, Symbol::Type));
                }
            }
            ast::DeclKind::Var(ty) => {
                let ty = self.ty(ty);
                for name in &decl.names {
                    let symbol = match ty {
                        None => Symbol::Broken,
                        Some(ty) if global => match self.model.add_global(&name.name, ty, name.span) {
                            Some(global) => Symbol::Global(global),
                            None => self.too_large(name.span),
                        },
                        Some(ty) => {
                            let local = self.add_local(&name.name, ty, Storage::Value, Root::Own);
                            Symbol::Local { local, access: Access::Free }
                        }
                    };
                    self.declare_name(Space::Value, name, symbol);
                }
            }
        }
    }

    fn too_large(&mut self, span: Span) -> Symbol {
        let message =
            format!("with this variable a state has more than {} values", burnside_model::code::MAX_CELLS);
        self.report(Diagnostic::error(codes::STATE_TOO_LARGE, span, message).help("make an array smaller"));
        Symbol::Broken
    }

    /// Declares a name; a second time in one scope is an error.
    pub(super) fn declare_name(&mut self, space: Space, name: &ast::Ident, symbol: Symbol) {
        if let Some(earlier) = self.scopes.declare(space, &name.name, symbol, name.span) {
            self.declared_twice(name, earlier);
        }
    }

    pub(super) fn declared_twice(&mut self, name: &ast::Ident, earlier: Span) {
        let message = format!("`{}` is declared twice", name.name);
        let error = Diagnostic::error(codes::DUPLICATE_NAME, name.span, message);
        let error = error.label("the second declaration").also(earlier, "the first one is here");
        self.report(error.help("choose another name for one of them"));
    }

    /// A claim that the values of a type are interchangeable.
    pub(super) fn claim(&mut self, name: &ast::Ident) {
        let Some(ty) = self.named_type(name) else { return };
        match self.types()[ty].kind {
            TypeKind::Range(..) | TypeKind::Enum(_) => self.model.claims.push(Claim { ty, span: name.span }),
            TypeKind::Scalarset(domain) => {
                let kind = self.types().domain(domain).kind.keyword();
                let message = format!("`{}` is a {kind}: it is symmetric without saying so", name.name);
                self.report(Diagnostic::error(codes::BAD_CLAIM, name.span, message).help("leave this out"));
            }
            _ => {
                let message = format!("`{}` is neither a range nor an enum", name.name);
                let error = Diagnostic::error(codes::BAD_CLAIM, name.span, message);
                self.report(error.help("claim the symmetry of the type that is the index or the value"));
            }
        }
    }

    /// Names a type, with a number where another type has that name already.
    fn name_type(&mut self, ty: TypeId, name: &str) {
        if self.types()[ty].name.is_some() {
            return;
        }
        let mut unique = name.to_owned();
        let mut number = 2;
        while !self.type_names.insert(unique.clone()) {
            unique = format!("{name}_{number}");
            number += 1;
        }
        self.model.types.name(ty, &unique);
    }

    /// Gives the scalarsets and rings that were declared without a name one.
    pub(super) fn name_scalarsets(&mut self) {
        for ty in self.types().ids() {
            if let TypeKind::Scalarset(domain) = self.types()[ty].kind {
                self.name_type(ty, self.types().domain(domain).kind.keyword());
            }
        }
    }

    fn add_type(&mut self, kind: TypeKind, span: Span) -> Option<TypeId> {
        let added = self.model.types.add(None, kind);
        if added.is_none() {
            let message =
                format!("something of this type has more than {} values", burnside_model::code::MAX_CELLS);
            self.report(
                Diagnostic::error(codes::STATE_TOO_LARGE, span, message).help("make the array smaller"),
            );
        }
        added
    }

    pub(super) fn ty(&mut self, ty: &ast::TypeExpr) -> Option<TypeId> {
        match &ty.kind {
            ast::TypeKind::Boolean => Some(Types::BOOL),
            ast::TypeKind::Named(name) => self.named_type(name),
            ast::TypeKind::Range(lo, hi) => {
                let (lo, hi) = (self.constant_integer(lo), self.constant_integer(hi));
                let (lo, hi) = (lo?, hi?);
                if lo > hi {
                    let message = format!("the range {lo} .. {hi} is empty");
                    let error = Diagnostic::error(codes::EMPTY_RANGE, ty.span, message);
                    self.report(error.help("the first bound must not be greater than the second"));
                    return None;
                }
                self.add_type(TypeKind::Range(lo, hi), ty.span)
            }
            ast::TypeKind::Enum(members) => self.enumeration(members, ty.span),
            ast::TypeKind::Record(fields) => self.record(fields, ty.span),
            ast::TypeKind::Array(index, element) => {
                let (index_type, element) = (self.ty(index), self.ty(element));
                let (index_type, element) = (index_type?, element?);
                let element = self.in_aggregate(element)?;
                if !self.types().is_simple(index_type) {
                    let message = format!("an array cannot be indexed by `{}`", self.describe(index_type));
                    let error = Diagnostic::error(codes::INDEX_OF_ARRAY, index.span, message);
                    self.report(
                        error.help("use a range, an enum, a scalarset, a ring, a union of those, or boolean"),
                    );
                    return None;
                }
                self.add_type(TypeKind::Array { index: index_type, element }, ty.span)
            }
            ast::TypeKind::Scalarset(size) => self.domain(DomainKind::Full, size, ty.span),
            ast::TypeKind::Ring(size) => self.domain(DomainKind::Ring, size, ty.span),
            ast::TypeKind::Union(members) => self.union(members, ty.span),
            ast::TypeKind::Multiset(size, element) => {
                let (capacity, element_type) = (self.size(size, "a multiset"), self.ty(element));
                let (capacity, element_type) = (capacity?, element_type?);
                if self.types()[element_type].has_multiset {
                    let message = "a multiset inside a multiset is not supported";
                    let error = Diagnostic::error(codes::NOT_A_MULTISET, element.span, message);
                    self.report(error.help("use one multiset of records, or an array of multisets"));
                    return None;
                }
                self.add_type(TypeKind::Multiset { capacity, element: element_type }, ty.span)
            }
        }
    }

    /// A symmetry domain of its own.
    fn domain(&mut self, kind: DomainKind, size: &ast::Expr, span: Span) -> Option<TypeId> {
        let written = self.size(size, &format!("a {}", kind.keyword()))?;
        let size = self.shape.size(span).unwrap_or(written);
        let domains = &mut self.model.types.domains;
        domains.push(Domain { name: String::new(), kind, size, span });
        let domain = DomainId(domains.len() as u32 - 1);
        self.add_type(TypeKind::Scalarset(domain), span)
    }

    pub(super) fn named_type(&mut self, name: &ast::Ident) -> Option<TypeId> {
        match self.scopes.find(Space::Type, &name.name) {
            Some((Symbol::Type(ty), _)) => Some(ty),
            Some(_) => None,
            None => self.unknown(Space::Type, name),
        }
    }

    fn size(&mut self, size: &ast::Expr, of: &str) -> Option<u32> {
        let number = self.constant_integer(size)?;
        match u32::try_from(number) {
            Ok(number @ 1..=1_000_000) => Some(number),
            _ => {
                let message = format!("the size of {of} cannot be {number}");
                let error = Diagnostic::error(codes::BAD_SIZE, size.span, message);
                self.report(error.help("it must be at least 1 and at most 1000000"));
                None
            }
        }
    }

    fn enumeration(&mut self, members: &[ast::Ident], span: Span) -> Option<TypeId> {
        let names = members.iter().map(|m| m.name.clone()).collect();
        let ty = self.add_type(TypeKind::Enum(names), span)?;
        for (value, member) in members.iter().enumerate() {
            self.declare_name(Space::Value, member, Symbol::Constant { value: value as i64, ty });
        }
        Some(ty)
    }

    fn record(&mut self, groups: &[ast::Field], span: Span) -> Option<TypeId> {
        let mut fields: Vec<Field> = Vec::new();
        let mut spans: Vec<Span> = Vec::new();
        let mut whole = true;
        for group in groups {
            let Some(ty) = self.ty(&group.ty) else {
                whole = false;
                continue;
            };
            let ty = self.in_aggregate(ty)?;
            for name in &group.names {
                if let Some(earlier) = fields.iter().position(|f| f.name == name.name) {
                    let message = format!("the field `{}` is declared twice", name.name);
                    let error = Diagnostic::error(codes::DUPLICATE_FIELD, name.span, message);
                    self.report(error.label("the second one").also(spans[earlier], "the first one is here"));
                }
                fields.push(Field { name: name.name.clone(), ty, offset: 0 });
                spans.push(name.span);
            }
        }
        if whole { self.add_type(TypeKind::Record(fields), span) } else { None }
    }

    fn union(&mut self, members: &[ast::TypeExpr], span: Span) -> Option<TypeId> {
        let mut flat: Vec<TypeId> = Vec::new();
        let mut whole = true;
        for member in members {
            let Some(ty) = self.ty(member) else {
                whole = false;
                continue;
            };
            let inner = match &self.types()[ty].kind {
                TypeKind::Union(inner) => inner.clone(),
                _ => vec![ty],
            };
            for ty in inner {
                let twice = flat.iter().any(|f| self.types().same(*f, ty) || self.both_integers(*f, ty));
                if twice {
                    let message = match self.types().is_integer(ty) {
                        true => "a second range of integers in this union".to_owned(),
                        false => format!("`{}` is in this union twice", self.describe(ty)),
                    };
                    let error = Diagnostic::error(codes::BAD_UNION, member.span, message);
                    self.report(error.help("it must be clear from a value which member it belongs to"));
                    return None;
                }
                if !self.types().is_simple(ty) {
                    let message = format!("a union cannot have the member `{}`", self.describe(ty));
                    let error = Diagnostic::error(codes::BAD_UNION, member.span, message);
                    self.report(error.help("its members are scalarsets, rings, enums, ranges and boolean"));
                    return None;
                }
                flat.push(ty);
            }
        }
        if whole { self.add_type(TypeKind::Union(flat), span) } else { None }
    }

    pub(super) fn both_integers(&self, a: TypeId, b: TypeId) -> bool {
        self.types().is_integer(a) && self.types().is_integer(b)
    }
}
