//! Types.

use burnside_model::Span;
use burnside_model::code::{Domain, DomainKind, Field, TypeId, TypeKind, Types};

use super::Lowerer;
use super::scope::Symbol;
use crate::diag::{Code, codes};
use crate::uppaal::ast::{self, Dimension};

/// The range of `int`.
const INT: (i64, i64) = (-32768, 32767);
/// The range of `const int`.
const CONSTANT: (i64, i64) = (i32::MIN as i64, i32::MAX as i64);

impl Lowerer {
    /// The type of integers in this range.
    pub(super) fn range(&mut self, lo: i64, hi: i64) -> TypeId {
        if let Some(ty) = self.ranges.get(&(lo, hi)) {
            return *ty;
        }
        let ty = self.network.model.types.add(None, TypeKind::Range(lo, hi)).expect("a type of one cell");
        self.ranges.insert((lo, hi), ty);
        ty
    }

    /// The type `int`.
    pub(super) fn int(&mut self) -> TypeId {
        self.range(INT.0, INT.1)
    }

    /// The type `const int`, which holds more.
    pub(super) fn constant_int(&mut self) -> TypeId {
        self.range(CONSTANT.0, CONSTANT.1)
    }

    /// A type as written, without dimensions.
    pub(super) fn ty(&mut self, ty: &ast::Type) -> Option<TypeId> {
        let prefix = ty.prefix;
        let plain = self.plain_type(ty)?;
        if !prefix.urgent && !prefix.broadcast {
            return Some(plain);
        }
        let Some(kind) = self.channels.iter().position(|channel| *channel == plain) else {
            return self.error(codes::BAD_PREFIX, ty.span, "only channels are `urgent` or `broadcast`");
        };
        Some(self.channels[kind | usize::from(prefix.urgent) | (2 * usize::from(prefix.broadcast))])
    }

    /// Whether a type is a range without values, as `int[1,0]`, written out or by its name: nothing ranges over it.
    pub(super) fn is_empty_range(&mut self, ty: &ast::Type) -> bool {
        match &ty.kind {
            ast::TypeKind::Int(Some(bounds)) => {
                let bound = |lowerer: &mut Self, bound: &ast::Expr| {
                    lowerer.silently(|lowerer| lowerer.constant(bound))
                };
                let (lo, hi) = (bound(self, &bounds.0), bound(self, &bounds.1));
                lo.zip(hi).is_some_and(|(lo, hi)| lo > hi)
            }
            ast::TypeKind::Named(name) => matches!(self.scopes.find(&name.name), Some(Symbol::EmptyRange)),
            _ => false,
        }
    }

    /// A type without the words before it, except for `const`.
    fn plain_type(&mut self, ty: &ast::Type) -> Option<TypeId> {
        match &ty.kind {
            ast::TypeKind::Int(None) if ty.prefix.constant => Some(self.constant_int()),
            ast::TypeKind::Int(None) => Some(self.int()),
            ast::TypeKind::Int(Some(bounds)) => {
                let (lo, hi) = (self.constant(&bounds.0)?, self.constant(&bounds.1)?);
                if lo > hi {
                    let message = format!("the range {lo} to {hi} is empty");
                    return self.error(codes::EMPTY_RANGE, ty.span, message);
                }
                Some(self.range(lo, hi))
            }
            ast::TypeKind::Bool => Some(Types::BOOL),
            ast::TypeKind::Clock => Some(self.clock),
            ast::TypeKind::Real => {
                self.error(codes::NOT_SUPPORTED, ty.span, "a `double` or hybrid clock is not supported here")
            }
            ast::TypeKind::Chan => Some(self.channels[0]),
            ast::TypeKind::Void => {
                self.error(codes::NO_RESULT, ty.span, "`void` is only for functions without a result")
            }
            ast::TypeKind::Scalar(size) => {
                let value = self.constant(size)?;
                let Some(size) = u32::try_from(value).ok().filter(|size| *size > 0) else {
                    let message = format!("a set of {value} scalars cannot be");
                    return self.error(codes::BAD_SIZE, size.span, message);
                };
                let types = &mut self.network.model.types;
                let domain = Domain { name: String::new(), kind: DomainKind::Full, size, span: ty.span };
                types.domains.push(domain);
                let id = burnside_model::code::DomainId(types.domains.len() as u32 - 1);
                types.add(None, TypeKind::Scalarset(id))
            }
            ast::TypeKind::Struct(fields) => {
                let mut members: Vec<Field> = Vec::new();
                for (ty, names) in fields {
                    let base = self.ty(ty)?;
                    for variable in names {
                        let name = &variable.name;
                        if members.iter().any(|field| field.name == name.name) {
                            let message = format!("the field `{}` is there twice", name.name);
                            return self.error(codes::DUPLICATE_FIELD, name.span, message);
                        }
                        let ty = self.dimensioned(base, &variable.dimensions, name.span)?;
                        members.push(Field { name: name.name.clone(), ty, offset: 0 });
                    }
                }
                self.sized(TypeKind::Record(members), ty.span)
            }
            ast::TypeKind::Named(name) => match self.scopes.find(&name.name) {
                Some(Symbol::Type(ty)) => Some(*ty),
                Some(Symbol::EmptyRange) => {
                    let message = format!("the range `{}` is empty: nothing can be of this type", name.name);
                    self.error(codes::EMPTY_RANGE, name.span, message)
                }
                Some(_) => {
                    let message = format!("`{}` is not a type", name.name);
                    self.error(codes::WRONG_CLASS, name.span, message)
                }
                None => self.unknown(codes::UNKNOWN_TYPE, "type", &name.name, name.span),
            },
        }
    }

    fn sized(&mut self, kind: TypeKind, span: Span) -> Option<TypeId> {
        match self.network.model.types.add(None, kind) {
            Some(ty) => Some(ty),
            None => self.error(codes::STATE_TOO_LARGE, span, "this is too large for a state"),
        }
    }

    /// An array of a type with these dimensions.
    pub(super) fn dimensioned(
        &mut self,
        base: TypeId,
        dimensions: &[Dimension],
        span: Span,
    ) -> Option<TypeId> {
        let mut indices = Vec::new();
        for dimension in dimensions {
            indices.push(self.index_type(dimension)?);
        }
        let mut ty = base;
        for index in indices.into_iter().rev() {
            ty = self.array(index, ty, span)?;
        }
        Some(ty)
    }

    pub(super) fn array(&mut self, index: TypeId, element: TypeId, span: Span) -> Option<TypeId> {
        self.sized(TypeKind::Array { index, element }, span)
    }

    fn index_type(&mut self, dimension: &Dimension) -> Option<TypeId> {
        let (ty, span) = match dimension {
            Dimension::Type(ty) => (self.ty(ty)?, ty.span),
            Dimension::Expr(expr) => {
                if let ast::ExprKind::Name(name) = &expr.kind
                    && let Some(Symbol::Type(ty)) = self.scopes.find(name)
                {
                    (*ty, expr.span)
                } else {
                    let size = self.constant(expr)?;
                    if size < 1 {
                        let message = format!("an array of {size} elements cannot be");
                        return self.error(codes::BAD_SIZE, expr.span, message);
                    }
                    (self.range(0, size - 1), expr.span)
                }
            }
        };
        self.finite(ty, span, "an array is indexed by")
    }

    /// A type whose values can be listed: bounded integers, booleans, scalars.
    pub(super) fn finite(&mut self, ty: TypeId, span: Span, purpose: &str) -> Option<TypeId> {
        let listed = match self.types()[ty].kind {
            TypeKind::Range(lo, hi) => self.is_number(ty) && ![INT, CONSTANT].contains(&(lo, hi)),
            TypeKind::Bool | TypeKind::Scalarset(_) => true,
            _ => false,
        };
        if listed {
            return Some(ty);
        }
        let message = format!("{purpose} bounded integers or scalars, not {}", self.describe(ty));
        self.error(codes::INDEX_OF_ARRAY, span, message)
    }

    pub(super) fn is_channel(&self, ty: TypeId) -> bool {
        self.channels.contains(&ty)
    }

    /// Whether values of a type are numbers: integers and booleans.
    pub(super) fn is_number(&self, ty: TypeId) -> bool {
        match self.types()[ty].kind {
            TypeKind::Range(..) => ty != self.clock && ty != self.difference && !self.is_channel(ty),
            TypeKind::Bool => true,
            _ => false,
        }
    }

    /// Whether what is of one type can be read as of another: the same, up to the ranges of integers.
    pub(super) fn reads_as(&self, from: TypeId, to: TypeId) -> bool {
        let types = self.types();
        match (&types[from].kind, &types[to].kind) {
            (
                TypeKind::Array { index: from_index, element: from },
                TypeKind::Array { index: to_index, element: to },
            ) => types.same(*from_index, *to_index) && self.reads_as(*from, *to),
            (TypeKind::Range(..), TypeKind::Range(..)) => {
                from == to || self.is_number(from) && self.is_number(to)
            }
            _ => types.same(from, to),
        }
    }

    pub(super) fn is_clock(&self, ty: TypeId) -> bool {
        ty == self.clock || ty == self.difference
    }

    pub(super) fn is_scalar(&self, ty: TypeId) -> bool {
        matches!(self.types()[ty].kind, TypeKind::Scalarset(_))
    }

    /// Whether a type has clocks or channels inside.
    pub(super) fn holds(&self, ty: TypeId, what: &dyn Fn(TypeId) -> bool) -> bool {
        match &self.types()[ty].kind {
            TypeKind::Array { element, .. } => self.holds(*element, what),
            TypeKind::Record(fields) => fields.iter().any(|field| self.holds(field.ty, what)),
            _ => what(ty),
        }
    }

    /// Says that something is of another type than it should be.
    pub(super) fn mismatch<T>(&mut self, code: Code, span: Span, wanted: TypeId, found: TypeId) -> Option<T> {
        let (wanted, found) = (self.describe(wanted), self.describe(found));
        let message = if wanted == found {
            format!("{wanted} of another type is expected here")
        } else {
            format!("{wanted} is expected here, this is {found}")
        };
        self.error(code, span, message)
    }

    /// A type in the words of the language.
    pub(super) fn describe(&self, ty: TypeId) -> String {
        match &self.types()[ty].kind {
            TypeKind::Bool => "bool".to_owned(),
            TypeKind::Range(..) if self.types()[ty].name.is_some() => {
                format!("a {}", self.types().describe(ty))
            }
            TypeKind::Range(lo, hi) if [INT, CONSTANT].contains(&(*lo, *hi)) || ty == Types::INT => {
                "int".to_owned()
            }
            TypeKind::Range(lo, hi) => format!("int[{lo},{hi}]"),
            TypeKind::Scalarset(domain) => {
                let domain = self.types().domain(*domain);
                match domain.name.as_str() {
                    "" => format!("scalar[{}]", domain.size),
                    name => format!("a scalar of {name}"),
                }
            }
            TypeKind::Array { .. } => "an array".to_owned(),
            TypeKind::Record(_) => "a struct".to_owned(),
            _ => self.types().describe(ty),
        }
    }
}
