//! Which cells of the state belong to an element of a domain, and which domains can therefore be counted.
//!
//! A state is determined up to symmetry by how many elements are in each *extended local state* (the cells of the element,
//! and which pointers hold it) if every cell is either a plain global, a pointer (a global that may hold an element), or
//! local to one element without holding one. A domain with cells of another kind is not counted.

use burnside_model::code::{Cell, DomainId, DomainKind, TypeId, TypeKind, UNDEFINED};
use burnside_model::{Model, Span};

/// Why a domain cannot be counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub domain: DomainId,
    pub span: Span,
    /// The reason, in one line.
    pub reason: String,
}

/// A global that may hold an element of a counted domain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Pointer {
    /// Its position among the globals.
    pub global: usize,
    pub ty: TypeId,
}

/// The cells of a state by what they belong to.
#[derive(Clone, Debug)]
pub struct Parts {
    /// The counted domains.
    pub domains: Vec<DomainId>,
    /// For each of them, the cells of each element, in the same order for all.
    pub(crate) locals: Vec<Vec<Vec<u32>>>,
    /// The cells of no element.
    pub(crate) globals: Vec<u32>,
    /// Those of them that may hold an element.
    pub(crate) pointers: Vec<Pointer>,
    /// How many cells a state has.
    pub(crate) cells: usize,
}

/// Which of these domains can be counted, and why the others cannot.
pub fn countable(model: &Model, domains: &[DomainId]) -> (Vec<DomainId>, Vec<Refusal>) {
    let (mut counted, mut refusals) = (domains.to_vec(), Vec::new());
    // What is refused is a plain index or value for those that are left: that may hinder less, never more.
    while let Some(refusal) = obstacle(model, &counted) {
        counted.retain(|domain| *domain != refusal.domain);
        refusals.push(refusal);
    }
    (counted, refusals)
}

/// The first reason why one of these domains cannot be counted.
fn obstacle(model: &Model, counted: &[DomainId]) -> Option<Refusal> {
    let types = &model.types;
    let name = |domain: DomainId| &types.domain(domain).name;
    let refuse = |domain, span, reason| Some(Refusal { domain, span, reason });
    for domain in counted {
        let declared = types.domain(*domain);
        if declared.kind == DomainKind::Ring {
            let reason = format!("the elements of the ring `{}` have neighbours", declared.name);
            return refuse(*domain, declared.span, reason);
        }
    }
    let described = model.state_cells();
    for global in &model.globals {
        if let Some(domain) = in_multiset(model, global.ty, counted) {
            let reason =
                format!("a multiset in `{}` holds, or is indexed by, `{}`", global.name, name(domain));
            return refuse(domain, global.span, reason);
        }
        let cells = types[global.ty].cells as usize;
        for cell in &described[global.offset as usize..global.offset as usize + cells] {
            let indices: Vec<_> = cell.indices.iter().filter(|(d, _)| counted.contains(d)).collect();
            if let [(outer, _), (inner, _), ..] = indices[..] {
                let reason = match outer == inner {
                    true => format!("`{}` is indexed by `{}` twice", cell.name, name(*inner)),
                    false => {
                        format!("`{}` is indexed by `{}` and `{}`", cell.name, name(*outer), name(*inner))
                    }
                };
                return refuse(*inner, global.span, reason);
            }
            let held = types.domains_of(cell.ty).into_iter().find(|(d, _)| counted.contains(d));
            if let (Some((owner, _)), Some((held, _))) = (indices.first(), held) {
                let reason =
                    format!("`{}`, local to a `{}`, holds a `{}`", cell.name, name(*owner), name(held));
                return refuse(held, global.span, reason);
            }
        }
    }
    None
}

/// A counted domain whose elements are in a multiset, if there is one: permuting them would sort it anew.
fn in_multiset(model: &Model, ty: TypeId, counted: &[DomainId]) -> Option<DomainId> {
    let types = &model.types;
    match &types[ty].kind {
        TypeKind::Array { element, .. } => in_multiset(model, *element, counted),
        TypeKind::Record(fields) => fields.iter().find_map(|f| in_multiset(model, f.ty, counted)),
        TypeKind::Multiset { element, .. } => mentioned(model, *element, counted),
        _ => None,
    }
}

/// A counted domain that a value of this type is indexed by or holds.
fn mentioned(model: &Model, ty: TypeId, counted: &[DomainId]) -> Option<DomainId> {
    let types = &model.types;
    match &types[ty].kind {
        TypeKind::Array { index, element } => {
            mentioned(model, *index, counted).or_else(|| mentioned(model, *element, counted))
        }
        TypeKind::Record(fields) => fields.iter().find_map(|f| mentioned(model, f.ty, counted)),
        TypeKind::Multiset { element, .. } => mentioned(model, *element, counted),
        _ => types.domains_of(ty).into_iter().map(|(domain, _)| domain).find(|d| counted.contains(d)),
    }
}

/// What a pointer to an element contributes to the globals: that it is one.
pub(crate) const POINTS: Cell = UNDEFINED + 1;
/// Marks per cell of an extended local state.
pub(crate) const MARKS: usize = 62;

impl Parts {
    /// The parts of a model's states; the domains must be countable.
    pub fn new(model: &Model, domains: &[DomainId]) -> Parts {
        let size = |domain: &DomainId| model.types.domain(*domain).size as usize;
        let mut parts = Parts {
            domains: domains.to_vec(),
            locals: domains.iter().map(|domain| vec![Vec::new(); size(domain)]).collect(),
            globals: Vec::new(),
            pointers: Vec::new(),
            cells: model.cells as usize,
        };
        for (i, cell) in (0..).zip(model.state_cells()) {
            let owner = cell.indices.iter().find_map(|(domain, element)| {
                Some((domains.iter().position(|d| d == domain)?, *element as usize))
            });
            if let Some((domain, element)) = owner {
                parts.locals[domain][element].push(i);
                continue;
            }
            if model.types.domains_of(cell.ty).iter().any(|(domain, _)| domains.contains(domain)) {
                parts.pointers.push(Pointer { global: parts.globals.len(), ty: cell.ty });
            }
            parts.globals.push(i);
        }
        parts
    }

    /// The counted domain, by position, and the element that a value is.
    pub(crate) fn element(&self, model: &Model, ty: TypeId, value: Cell) -> Option<(usize, usize)> {
        let (domain, element) = model.types.element(ty, value)?;
        Some((self.domains.iter().position(|d| *d == domain)?, element as usize))
    }

    /// The globals of a state, and which pointer holds which element of which domain.
    pub(crate) fn globals_of(
        &self,
        model: &Model,
        state: &[Cell],
    ) -> (Vec<Cell>, Vec<(usize, usize, usize)>) {
        let mut globals: Vec<Cell> = self.globals.iter().map(|cell| state[*cell as usize]).collect();
        let mut held = Vec::new();
        for (i, pointer) in self.pointers.iter().enumerate() {
            if let Some((domain, element)) = self.element(model, pointer.ty, globals[pointer.global]) {
                globals[pointer.global] = POINTS;
                held.push((domain, element, i));
            }
        }
        (globals, held)
    }

    /// The extended local state of an element.
    pub(crate) fn local(
        &self,
        domain: usize,
        element: usize,
        state: &[Cell],
        held: &[(usize, usize, usize)],
        local: &mut Vec<Cell>,
    ) {
        local.clear();
        local.extend(self.locals[domain][element].iter().map(|cell| state[*cell as usize]));
        let first = local.len();
        local.resize(first + self.pointers.len().div_ceil(MARKS), 0);
        for (_, _, i) in held.iter().filter(|(d, e, _)| (*d, *e) == (domain, element)) {
            local[first + i / MARKS] |= 1 << (i % MARKS);
        }
    }

    /// The globals of a state, and the extended local state of every element of every counted domain.
    pub(crate) fn split(&self, model: &Model, state: &[Cell]) -> (Vec<Cell>, Vec<Vec<Vec<Cell>>>) {
        let (globals, held) = self.globals_of(model, state);
        let local = |domain, element| {
            let mut local = Vec::new();
            self.local(domain, element, state, &held, &mut local);
            local
        };
        let domains = self.locals.iter().enumerate();
        let locals =
            domains.map(|(domain, all)| (0..all.len()).map(|element| local(domain, element)).collect());
        (globals, locals.collect())
    }

    /// The state with these globals and extended local states.
    pub(crate) fn join(&self, model: &Model, globals: &[Cell], locals: &[Vec<&[Cell]>]) -> Vec<Cell> {
        let mut state = vec![UNDEFINED; self.cells];
        for (cell, value) in self.globals.iter().zip(globals) {
            state[*cell as usize] = *value;
        }
        for (domain, elements) in locals.iter().enumerate() {
            for (element, local) in elements.iter().enumerate() {
                let cells = &self.locals[domain][element];
                for (cell, value) in cells.iter().zip(*local) {
                    state[*cell as usize] = *value;
                }
                let masks = &local[cells.len()..];
                for (i, pointer) in self.pointers.iter().enumerate() {
                    if masks[i / MARKS] >> (i % MARKS) & 1 == 1 {
                        let value = self.value(model, pointer.ty, domain, element as u32);
                        state[self.globals[pointer.global] as usize] = value;
                    }
                }
            }
        }
        state
    }

    /// An element as a value of this type.
    fn value(&self, model: &Model, ty: TypeId, domain: usize, element: u32) -> Cell {
        let domain = self.domains[domain];
        let first = model.types.domains_of(ty).into_iter().find(|(d, _)| *d == domain);
        first.map_or(UNDEFINED, |(_, first)| first + Cell::from(model.types.offset(domain, element)))
    }
}
