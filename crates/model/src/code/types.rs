//! Types of the model. Every type is finite; a value occupies a fixed number of cells, one per simple value.
//!
//! Values of simple types are integers: a boolean is 0 or 1, an enum member its position, an integer itself, a
//! scalarset element its position, a union value its position in the concatenation of the members. *Undefined* is
//! [`UNDEFINED`], for every simple type.

use std::collections::BTreeMap;

use crate::Span;

/// The content of one cell: a simple value, or [`UNDEFINED`].
pub type Cell = i64;

/// The cell content that stands for "no value"; outside the range of every type.
pub const UNDEFINED: Cell = i64::MIN;

/// A type, by its position in [`Types`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TypeId(pub u32);

/// A symmetry domain, by its position in [`Types::domains`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct DomainId(pub u32);

/// Which permutations of a domain's elements its declaration promises to be symmetries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DomainKind {
    /// All of them: a scalarset.
    Full,
    /// The rotations: a ring.
    Ring,
}

/// A set of elements that may be permuted: what a scalarset or ring declares.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The type's name, also the prefix of its elements' names.
    pub name: String,
    /// How they may be permuted.
    pub kind: DomainKind,
    pub size: u32,
    pub span: Span,
}

impl DomainKind {
    /// The word that declares it.
    pub fn keyword(self) -> &'static str {
        match self {
            DomainKind::Full => "scalarset",
            DomainKind::Ring => "ring",
        }
    }
}

/// A field of a record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    pub name: String,
    pub ty: TypeId,
    /// The field's first cell, counted from the record's first.
    pub offset: u32,
}

/// The shape of a type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeKind {
    /// `boolean`.
    Bool,
    /// `enum { … }`: the members' names.
    Enum(Vec<String>),
    /// `lo .. hi`.
    Range(i64, i64),
    /// `scalarset(N)` or `ring(N)`: the elements of a symmetry domain.
    Scalarset(DomainId),
    /// `union { … }`: simple, non-union member types, in order.
    Union(Vec<TypeId>),
    /// `array [index] of element`.
    Array {
        /// A simple type.
        index: TypeId,
        element: TypeId,
    },
    /// `record … end`.
    Record(Vec<Field>),
    /// `multiset [capacity] of element`: per slot one boolean cell "in use", then the element.
    Multiset {
        /// The number of slots.
        capacity: u32,
        /// Any type without a multiset inside.
        element: TypeId,
    },
}

/// A type with its name and size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TypeDef {
    /// The declared name, if the type has one.
    pub name: Option<String>,
    pub kind: TypeKind,
    /// How many cells a value takes.
    pub cells: u32,
    /// Whether there is a multiset inside (or it is one).
    pub has_multiset: bool,
    /// The least and greatest value of a simple type; `lo > hi` for others, and for a type without values.
    pub bounds: (i64, i64),
    /// For a range or enum: the symmetry domains that some of its values were found or claimed to be, each with the
    /// value of its element 0.
    attached: Vec<(DomainId, i64)>,
}

/// The most cells a type, and so a state, may have.
pub const MAX_CELLS: u64 = 1 << 20;

/// All types of a model, and its symmetry domains.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Types {
    defs: Vec<TypeDef>,
    /// The symmetry domains, in order of declaration.
    pub domains: Vec<Domain>,
    /// The attached domains whose elements are not consecutive values: how far each element is from element 0.
    gaps: BTreeMap<DomainId, Vec<u32>>,
}

impl Default for Types {
    fn default() -> Self {
        let mut types = Types { defs: Vec::new(), domains: Vec::new(), gaps: BTreeMap::new() };
        types.add(Some("boolean".to_owned()), TypeKind::Bool);
        types.add(None, TypeKind::Range(i64::MIN + 1, i64::MAX));
        types
    }
}

impl Types {
    /// The type `boolean`.
    pub const BOOL: TypeId = TypeId(0);
    /// The type of integer expressions: all of 64 bits (but the one value that means undefined).
    pub const INT: TypeId = TypeId(1);

    /// Adds a type. `None` if it would exceed [`MAX_CELLS`].
    pub fn add(&mut self, name: Option<String>, mut kind: TypeKind) -> Option<TypeId> {
        let cells: u64 = match &mut kind {
            TypeKind::Array { index, element } => {
                self.size(*index).checked_mul(u64::from(self[*element].cells))?
            }
            TypeKind::Record(fields) => {
                let mut at = 0u64;
                for field in fields {
                    field.offset = u32::try_from(at).ok()?;
                    at += u64::from(self[field.ty].cells);
                }
                at
            }
            TypeKind::Multiset { capacity, element } => {
                u64::from(*capacity) * u64::from(self[*element].cells + 1)
            }
            _ => 1,
        };
        if cells > MAX_CELLS {
            return None;
        }
        let has_multiset = match &kind {
            TypeKind::Array { element, .. } => self[*element].has_multiset,
            TypeKind::Record(fields) => fields.iter().any(|f| self[f.ty].has_multiset),
            TypeKind::Multiset { .. } => true,
            _ => false,
        };
        let bounds = self.compute_bounds(&kind);
        let attached = Vec::new();
        self.defs.push(TypeDef { name, kind, cells: cells as u32, has_multiset, bounds, attached });
        Some(TypeId(self.defs.len() as u32 - 1))
    }

    /// The same domains, and no types yet.
    pub(crate) fn without_definitions(&self) -> Types {
        Types { defs: Vec::new(), domains: self.domains.clone(), gaps: self.gaps.clone() }
    }

    /// Adds a type like one of other types with the same ids, measured anew.
    pub(crate) fn add_like(&mut self, def: &TypeDef) -> Option<TypeId> {
        let id = self.add(def.name.clone(), def.kind.clone())?;
        self.defs[id.0 as usize].attached = def.attached.clone();
        Some(id)
    }

    /// Gives an anonymous type a name; a second name is ignored.
    pub fn name(&mut self, ty: TypeId, name: &str) {
        let def = &mut self.defs[ty.0 as usize];
        if def.name.is_none() {
            def.name = Some(name.to_owned());
        }
        if let TypeKind::Scalarset(domain) = def.kind {
            let domain = &mut self.domains[domain.0 as usize];
            if domain.name.is_empty() {
                domain.name = name.to_owned();
            }
        }
    }

    /// All type ids, in order of declaration.
    pub fn ids(&self) -> impl Iterator<Item = TypeId> + use<> {
        (0..self.defs.len() as u32).map(TypeId)
    }

    pub fn domain(&self, domain: DomainId) -> &Domain {
        &self.domains[domain.0 as usize]
    }

    /// The size of a ring; `None` for other types.
    pub fn ring(&self, ty: TypeId) -> Option<u32> {
        let TypeKind::Scalarset(domain) = self[ty].kind else { return None };
        let domain = self.domain(domain);
        (domain.kind == DomainKind::Ring).then_some(domain.size)
    }

    /// Whether values of this type are single cells.
    pub fn is_simple(&self, ty: TypeId) -> bool {
        !matches!(self[ty].kind, TypeKind::Array { .. } | TypeKind::Record(_) | TypeKind::Multiset { .. })
    }

    /// Whether this is an integer type.
    pub fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self[ty].kind, TypeKind::Range(..))
    }

    /// The least and greatest value of a simple type (of no meaning for others). An empty type has `lo > hi`.
    #[inline]
    pub fn bounds(&self, ty: TypeId) -> (i64, i64) {
        self[ty].bounds
    }

    fn compute_bounds(&self, kind: &TypeKind) -> (i64, i64) {
        match kind {
            TypeKind::Bool => (0, 1),
            TypeKind::Enum(members) => (0, members.len() as i64 - 1),
            TypeKind::Range(lo, hi) => (*lo, *hi),
            TypeKind::Scalarset(domain) => (0, i64::from(self.domain(*domain).size) - 1),
            TypeKind::Union(members) => {
                let sizes = members.iter().map(|m| i64::try_from(self.size(*m)).unwrap_or(i64::MAX));
                (0, sizes.fold(0, i64::saturating_add) - 1)
            }
            _ => (0, -1),
        }
    }

    /// The number of (defined) values of a simple type, saturating.
    pub fn size(&self, ty: TypeId) -> u64 {
        let (lo, hi) = self.bounds(ty);
        if lo > hi { 0 } else { (i128::from(hi) - i128::from(lo) + 1).try_into().unwrap_or(u64::MAX) }
    }

    /// Where the values of `member` start inside the union `union`, if it is a member.
    pub fn union_offset(&self, union: TypeId, member: TypeId) -> Option<i64> {
        let TypeKind::Union(members) = &self[union].kind else { return None };
        let mut at = 0;
        for m in members {
            if self.same(*m, member) {
                return Some(at);
            }
            at += self.size(*m) as i64;
        }
        None
    }

    /// The member of a union that holds `value`, and the value in that member.
    pub fn union_member(&self, union: TypeId, value: i64) -> Option<(TypeId, i64)> {
        let TypeKind::Union(members) = &self[union].kind else { return None };
        let mut rest = value;
        for m in members {
            let size = self.size(*m) as i64;
            if rest < size {
                return Some((*m, rest + self.bounds(*m).0));
            }
            rest -= size;
        }
        None
    }

    /// The symmetry domains whose elements a simple type's values may be, with the value of each one's element 0.
    pub fn domains_of(&self, ty: TypeId) -> Vec<(DomainId, i64)> {
        match &self[ty].kind {
            TypeKind::Scalarset(domain) => vec![(*domain, 0)],
            TypeKind::Union(members) => {
                let mut at = 0;
                let mut found = Vec::new();
                for m in members {
                    for (domain, first) in self.domains_of(*m) {
                        found.push((domain, at + first - self.bounds(*m).0));
                    }
                    at += self.size(*m) as i64;
                }
                found
            }
            _ => self[ty].attached.clone(),
        }
    }

    /// Makes some values of ranges or enums the elements of a new symmetry domain: each type comes with the value of
    /// element 0 there, and `offsets` (ascending, from 0) says how far from it the other elements are.
    pub fn attach(&mut self, domain: Domain, offsets: Vec<u32>, types: &[(TypeId, i64)]) -> DomainId {
        let id = DomainId(self.domains.len() as u32);
        if (0..).zip(&offsets).any(|(i, offset): (u32, _)| i != *offset) {
            self.gaps.insert(id, offsets);
        }
        self.domains.push(domain);
        for (ty, first) in types {
            debug_assert!(matches!(self[*ty].kind, TypeKind::Range(..) | TypeKind::Enum(_)));
            self.defs[ty.0 as usize].attached.push((id, *first));
        }
        id
    }

    /// How far an element's value is from that of element 0, in every type.
    #[inline]
    pub fn offset(&self, domain: DomainId, element: u32) -> u32 {
        match self.gaps.get(&domain) {
            Some(offsets) => offsets.get(element as usize).copied().unwrap_or(element),
            None => element,
        }
    }

    /// Whether the elements of a domain are not consecutive values.
    pub fn has_gaps(&self, domain: DomainId) -> bool {
        self.gaps.contains_key(&domain)
    }

    /// The element of a symmetry domain that a value of a simple type is, if it is one.
    pub fn element(&self, ty: TypeId, value: Cell) -> Option<(DomainId, u32)> {
        self.domains_of(ty)
            .into_iter()
            .find_map(|(domain, first)| Some((domain, self.element_at(domain, first, value)?)))
    }

    /// The element of a domain that a value is, where element 0 is `first`.
    pub fn element_at(&self, domain: DomainId, first: i64, value: Cell) -> Option<u32> {
        // Undefined is far from everything.
        let distance = u32::try_from(value.checked_sub(first)?).ok()?;
        match self.gaps.get(&domain) {
            Some(offsets) => offsets.binary_search(&distance).ok().map(|element| element as u32),
            None => (distance < self.domain(domain).size).then_some(distance),
        }
    }

    /// The name of an element, as a trace shows it.
    pub fn element_name(&self, domain: DomainId, element: u32) -> String {
        let holds = |ty: &TypeId| !matches!(self[*ty].kind, TypeKind::Union(_));
        let at = |ty: TypeId| {
            let (_, first) = self.domains_of(ty).into_iter().find(|(d, _)| *d == domain)?;
            Some(self.show(ty, first + i64::from(self.offset(domain, element))))
        };
        self.ids().filter(holds).find_map(at).unwrap_or_else(|| element.to_string())
    }

    /// The text of a value of a simple type, as a trace shows it.
    pub fn show(&self, ty: TypeId, value: Cell) -> String {
        if value == UNDEFINED {
            return "Undefined".to_owned();
        }
        match &self[ty].kind {
            TypeKind::Bool => (if value == 0 { "false" } else { "true" }).to_owned(),
            TypeKind::Enum(members) => {
                members.get(value as usize).cloned().unwrap_or_else(|| value.to_string())
            }
            TypeKind::Scalarset(domain) => format!("{}_{value}", self.domain(*domain).name),
            TypeKind::Union(_) => match self.union_member(ty, value) {
                Some((member, value)) => self.show(member, value),
                None => value.to_string(),
            },
            _ => value.to_string(),
        }
    }

    /// A short description of a type for messages: its name, or its shape.
    pub fn describe(&self, ty: TypeId) -> String {
        let def = &self[ty];
        if let Some(name) = &def.name {
            return name.clone();
        }
        match &def.kind {
            TypeKind::Bool => "boolean".to_owned(),
            TypeKind::Enum(members) => format!("enum {{ {} }}", members.join(", ")),
            TypeKind::Range(..) if ty == Types::INT => "integer".to_owned(),
            TypeKind::Range(lo, hi) => format!("{lo} .. {hi}"),
            TypeKind::Scalarset(domain) => {
                let domain = self.domain(*domain);
                format!("{}({})", domain.kind.keyword(), domain.size)
            }
            TypeKind::Union(members) => {
                let names: Vec<_> = members.iter().map(|m| self.describe(*m)).collect();
                format!("union {{ {} }}", names.join(", "))
            }
            TypeKind::Array { index, element } => {
                format!("array [{}] of {}", self.describe(*index), self.describe(*element))
            }
            TypeKind::Record(_) => "record".to_owned(),
            TypeKind::Multiset { capacity, element } => {
                format!("multiset [{capacity}] of {}", self.describe(*element))
            }
        }
    }

    /// Whether two types have the same values and shape, whatever their names.
    pub fn same(&self, a: TypeId, b: TypeId) -> bool {
        if a == b {
            return true;
        }
        match (&self[a].kind, &self[b].kind) {
            (TypeKind::Array { index: i, element: e }, TypeKind::Array { index: j, element: f }) => {
                self.same(*i, *j) && self.same(*e, *f)
            }
            (TypeKind::Record(f), TypeKind::Record(g)) => {
                f.len() == g.len() && f.iter().zip(g).all(|(f, g)| f.name == g.name && self.same(f.ty, g.ty))
            }
            (
                TypeKind::Multiset { capacity: c, element: e },
                TypeKind::Multiset { capacity: d, element: f },
            ) => c == d && self.same(*e, *f),
            (TypeKind::Union(m), TypeKind::Union(n)) => {
                m.len() == n.len() && m.iter().zip(n).all(|(m, n)| self.same(*m, *n))
            }
            (x, y) => x == y,
        }
    }
}

impl std::ops::Index<TypeId> for Types {
    type Output = TypeDef;

    #[inline]
    fn index(&self, ty: TypeId) -> &TypeDef {
        &self.defs[ty.0 as usize]
    }
}
