//! What a permutation needs to know of each cell of the state, read off the types once.
//!
//! The walk follows the order of cells that [`burnside_model::Model::state_cells`] has, but keeps strides instead of names.

use burnside_model::Model;
use burnside_model::code::{Cell, DomainId, DomainKind, GlobalId, TypeId, TypeKind, Types};

/// An active domain element among a cell's indices, and how far apart its array's entries are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Term {
    /// The element, counted through all active domains.
    pub element: u32,
    /// The element 0 of its domain, counted likewise.
    pub zero: u32,
    /// Cells per entry.
    pub stride: u32,
}

/// Consecutive values of a type that are consecutive elements of an active domain: all of them, unless the domain has
/// gaps.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Ids {
    /// The value of the first of them.
    pub at: i64,
    pub size: u32,
    /// The domain, by its position among the active ones.
    pub domain: u32,
    /// The first of them, counted through all active domains.
    pub first: u32,
    /// The value of the domain's element 0.
    pub origin: i64,
    /// The domain's element 0, counted through all active domains.
    pub zero: u32,
}

/// What the action knows of a cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CellShape {
    /// Its terms: a range of [`Layout::terms`], from the outside in.
    pub terms: (u32, u32),
    /// How many of them lie outside the multiset that the cell is in (all of them, if in none).
    pub outer: u32,
    /// Where it would be if all its indices were element 0.
    pub base: u32,
    /// Its base in the first slot: what it is, whatever its indices and (in a mixed multiset) slot.
    pub kind: u32,
    /// Its type's ids: a range of [`Layout::ids`].
    pub ids: (u32, u32),
    /// In a mixed multiset: the first cell of its slot.
    pub slot: Option<u32>,
}

/// A multiset whose elements a permutation may change, and so their order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mixed {
    /// First cell.
    pub first: u32,
    /// Slots.
    pub capacity: u32,
    /// Cells per slot.
    pub stride: u32,
}

/// The cells of a model's states under some active domains.
#[derive(Clone, Debug)]
pub(crate) struct Layout {
    /// The active domains.
    pub domains: Vec<DomainId>,
    /// How each may be permuted, and its size.
    pub shapes: Vec<(DomainKind, u32)>,
    /// How many elements each has.
    pub sizes: Vec<u32>,
    /// Each one's element 0, counted through all of them.
    pub firsts: Vec<u32>,
    /// Per type, its range of `ids`.
    pub type_ids: Vec<(u32, u32)>,
    /// Per cell, what is known of it.
    pub cells: Vec<CellShape>,
    /// The terms of all cells.
    pub terms: Vec<Term>,
    /// The ids of all types.
    pub ids: Vec<Ids>,
    /// The multisets to sort again.
    pub mixed: Vec<Mixed>,
    /// If some domain has gaps: how far each element's value is from that of its domain's element 0. Else empty.
    offsets: Vec<u32>,
}

impl Layout {
    /// The layout of a model's states; unknown and repeated domains are left out.
    pub fn new(model: &Model, active: &[DomainId]) -> Self {
        let mut domains: Vec<DomainId> = Vec::new();
        for domain in active {
            if (domain.0 as usize) < model.types.domains.len() && !domains.contains(domain) {
                domains.push(*domain);
            }
        }
        let shape = |d: &DomainId| (model.types.domain(*d).kind, model.types.domain(*d).size);
        let shapes: Vec<_> = domains.iter().map(shape).collect();
        let sizes: Vec<u32> = shapes.iter().map(|(_, size)| *size).collect();
        let mut elements = 0;
        let firsts = sizes
            .iter()
            .map(|size| {
                elements += size;
                elements - size
            })
            .collect();
        let mut layout = Layout {
            domains,
            shapes,
            sizes,
            firsts,
            type_ids: Vec::new(),
            cells: Vec::with_capacity(model.cells as usize),
            terms: Vec::new(),
            ids: Vec::new(),
            mixed: Vec::new(),
            offsets: Vec::new(),
        };
        if layout.domains.iter().any(|domain| model.types.has_gaps(*domain)) {
            let offsets = |(domain, size): (&DomainId, &u32)| {
                let domain = *domain;
                (0..*size).map(move |element| model.types.offset(domain, element))
            };
            layout.offsets = layout.domains.iter().zip(&layout.sizes).flat_map(offsets).collect();
        }
        for ty in model.types.ids() {
            let from = layout.ids.len() as u32;
            let ids = layout.active_ids(&model.types, ty);
            layout.ids.extend(ids);
            layout.type_ids.push((from, layout.ids.len() as u32));
        }
        for (number, global) in (0..).map(GlobalId).zip(&model.globals) {
            let mut path = Path::default();
            if let Some((term, shift)) = layout.mirrored(model, number) {
                path.terms.push(term);
                path.shift = shift;
            }
            layout.describe(&model.types, global.ty, &mut path);
        }
        layout
    }

    /// If a variable is itself an element: as a term, and how far it is from the first of them.
    fn mirrored(&self, model: &Model, global: GlobalId) -> Option<(Term, u32)> {
        let (domain, globals) = model.mirrored.as_ref()?;
        let zero = self.firsts[self.domains.iter().position(|active| active == domain)?];
        let element = globals.iter().position(|other| *other == global)? as u32;
        Some((Term { element: zero + element, zero, stride: 1 }, self.offset(zero, element)))
    }

    /// How many elements there are in all active domains.
    pub fn elements(&self) -> usize {
        self.sizes.iter().sum::<u32>() as usize
    }

    /// Whether the domain at this position is a ring.
    pub fn is_ring(&self, domain: usize) -> bool {
        self.shapes[domain].0 == DomainKind::Ring
    }

    pub fn terms_of(&self, cell: u32) -> &[Term] {
        let (from, to) = self.cells[cell as usize].terms;
        &self.terms[from as usize..to as usize]
    }

    /// The ids that a cell may hold.
    pub fn ids_of(&self, cell: u32) -> &[Ids] {
        let (from, to) = self.cells[cell as usize].ids;
        &self.ids[from as usize..to as usize]
    }

    /// The element that a cell holds, if any.
    pub fn element_in(&self, cell: u32, value: Cell) -> Option<u32> {
        self.ids_of(cell).iter().find_map(|ids| ids.element(value))
    }

    /// The position of an element's domain among the active ones.
    pub fn domain_of(&self, element: u32) -> usize {
        self.firsts.iter().zip(&self.sizes).take_while(|(first, size)| **first + **size <= element).count()
    }

    /// What the permutation with these images makes of the content of a cell.
    #[inline]
    pub fn map_value(&self, cell: u32, value: Cell, images: &[u32]) -> Cell {
        for ids in self.ids_of(cell) {
            if let Some(element) = ids.element(value) {
                return ids.origin + i64::from(self.offset(ids.zero, images[element as usize]));
            }
        }
        value
    }

    /// How far an element's value is from that of element 0, which is `zero` among all elements.
    #[inline]
    pub fn offset(&self, zero: u32, element: u32) -> u32 {
        if self.offsets.is_empty() { element } else { self.offsets[(zero + element) as usize] }
    }

    /// Whether the elements of an active domain are not consecutive values.
    pub fn has_gaps(&self, domain: usize) -> bool {
        let zero = self.firsts[domain];
        (0..self.sizes[domain]).any(|element| self.offset(zero, element) != element)
    }

    /// Where the content of a cell with this base and these terms goes.
    #[inline]
    pub fn target(&self, base: u32, terms: (u32, u32), images: &[u32]) -> usize {
        let terms = &self.terms[terms.0 as usize..terms.1 as usize];
        let distance =
            |t: &Term| t.stride as usize * self.offset(t.zero, images[t.element as usize]) as usize;
        base as usize + terms.iter().map(distance).sum::<usize>()
    }

    fn active_ids(&self, types: &Types, ty: TypeId) -> Vec<Ids> {
        let mut found: Vec<Ids> = Vec::new();
        for (domain, origin) in types.domains_of(ty) {
            let Some(position) = self.domains.iter().position(|d| *d == domain) else { continue };
            let (size, zero) = (self.sizes[position], self.firsts[position]);
            let mut element = 0;
            while element < size {
                let offset = self.offset(zero, element);
                let run = (element..size).take_while(|e| self.offset(zero, *e) - offset == e - element);
                let ids = Ids {
                    at: origin + i64::from(offset),
                    size: run.count() as u32,
                    domain: position as u32,
                    first: zero + element,
                    origin,
                    zero,
                };
                element += ids.size;
                found.push(ids);
            }
        }
        found
    }

    /// Whether a permutation may change a value of this type.
    fn moves(&self, types: &Types, ty: TypeId) -> bool {
        match &types[ty].kind {
            TypeKind::Array { index, element } => self.moves(types, *index) || self.moves(types, *element),
            TypeKind::Record(fields) => fields.iter().any(|f| self.moves(types, f.ty)),
            TypeKind::Multiset { element, .. } => self.moves(types, *element),
            _ => self.type_ids[ty.0 as usize].0 < self.type_ids[ty.0 as usize].1,
        }
    }

    /// Appends the cells of a value of this type.
    fn describe(&mut self, types: &Types, ty: TypeId, path: &mut Path) {
        match &types[ty].kind {
            TypeKind::Array { index, element } => {
                let stride = types[*element].cells;
                let (from, to) = self.type_ids[index.0 as usize];
                let (lo, hi) = types.bounds(*index);
                // An empty element takes no cells, however many of it there are.
                for i in (lo..=hi).take_while(|_| stride > 0) {
                    let found = (from..to).find_map(|ids| {
                        let ids = self.ids[ids as usize];
                        Some((ids.element(i)?, ids.zero))
                    });
                    let Some((id, zero)) = found else {
                        self.describe(types, *element, path);
                        continue;
                    };
                    let distance = self.offset(zero, id - zero) * stride;
                    path.terms.push(Term { element: id, zero, stride });
                    path.shift += distance;
                    self.describe(types, *element, path);
                    path.shift -= distance;
                    path.terms.pop();
                }
            }
            TypeKind::Record(fields) => fields.iter().for_each(|f| self.describe(types, f.ty, path)),
            TypeKind::Multiset { capacity, element } => {
                let stride = types[*element].cells + 1;
                let mixed = self.moves(types, *element);
                if mixed {
                    let first = self.cells.len() as u32;
                    self.mixed.push(Mixed { first, capacity: *capacity, stride });
                }
                for slot in 0..*capacity {
                    if mixed {
                        let outer = path.terms.len() as u32;
                        path.slot = Some((self.cells.len() as u32, slot * stride, outer));
                    }
                    self.push_cell((0, 0), path);
                    self.describe(types, *element, path);
                    path.slot = None;
                }
            }
            _ => self.push_cell(self.type_ids[ty.0 as usize], path),
        }
    }

    fn push_cell(&mut self, ids: (u32, u32), path: &Path) {
        let from = self.terms.len() as u32;
        self.terms.extend_from_slice(&path.terms);
        let terms = (from, self.terms.len() as u32);
        let base = self.cells.len() as u32 - path.shift;
        let (slot, kind, outer) = match path.slot {
            Some((first, shift, outer)) => (Some(first), base - shift, outer),
            None => (None, base, path.terms.len() as u32),
        };
        self.cells.push(CellShape { terms, outer, base, kind, ids, slot });
    }
}

impl Ids {
    /// The element that a value is, if it is one of these.
    #[inline]
    pub fn element(&self, value: Cell) -> Option<u32> {
        // Undefined wraps to something huge.
        let at = value.wrapping_sub(self.at) as u64;
        (at < u64::from(self.size)).then(|| self.first + at as u32)
    }
}

/// The way to a cell, while the cells are described.
#[derive(Default)]
struct Path {
    terms: Vec<Term>,
    /// How far the cell is from its base.
    shift: u32,
    /// Inside a mixed multiset: the slot's first cell, its distance from the first slot, the number of terms outside.
    slot: Option<(u32, u32, u32)>,
}
