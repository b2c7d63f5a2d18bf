//! How permutations act on states.
//!
//! The state is described once per cell: which active domain elements are among the array indices on the way to it and
//! with what stride, so that the cell where its content goes is `base + Σ stride · π(element)`; and whether its content
//! may itself be an element. Cells beside each other with the same indices move as one run; id values are mapped where
//! they arrived, since a permutation sends id cells to id cells; multisets whose elements changed are sorted anew.
//!
//! This is the extended action of the survey, §4.3, in the direction `(π·s)[π(i)] = s[i]` (the survey's (12) is inverse).

use std::sync::Arc;

use burnside_model::Model;
use burnside_model::code::{Cell, DomainId, DomainKind, TypeId};

use crate::group::{Group, Points};
use crate::layout::{Ids, Layout, Mixed, Term};
use crate::order;
use crate::permutation::Permutation;

/// A cell as permutations see it. Elements are counted in their domain, domains among the active ones.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// What it is, whatever its indices.
    pub family: u32,
    /// The elements among its indices, from the outside in.
    pub indices: Vec<(usize, u32)>,
    /// Which of its values are elements.
    pub ids: Vec<(Cell, (usize, u32))>,
}

/// Cells beside each other with the same terms.
#[derive(Clone, Copy, Debug)]
struct Run {
    from: u32,
    base: u32,
    len: u32,
    terms: (u32, u32),
}

/// The action of the permutations of some of a model's symmetry domains on its states.
#[derive(Clone, Debug)]
pub struct Action {
    pub(crate) layout: Layout,
    runs: Vec<Run>,
    id_cells: Vec<u32>,
    /// If not all permutations of the domains act: those that do, on the elements of all active domains.
    pub(crate) group: Option<Arc<Group>>,
}

impl Action {
    /// The action of all permutations of the given scalarsets and all rotations of the given rings; other domains stay as they are.
    pub fn new(model: &Model, active: &[DomainId]) -> Self {
        let layout = Layout::new(model, active);
        let (mut runs, mut id_cells): (Vec<Run>, _) = (Vec::new(), Vec::new());
        for (cell, shape) in (0..).zip(&layout.cells) {
            if shape.ids.0 < shape.ids.1 {
                id_cells.push(cell);
            }
            if layout.terms_of(cell).is_empty() {
                continue;
            }
            match runs.last_mut() {
                Some(run)
                    if run.from + run.len == cell && layout.terms_of(run.from) == layout.terms_of(cell) =>
                {
                    run.len += 1;
                }
                _ => runs.push(Run { from: cell, base: shape.base, len: 1, terms: shape.terms }),
            }
        }
        Action { layout, runs, id_cells, group: None }
    }

    /// The action of the group that some permutations generate; their images are in the order of the given domains.
    pub fn generated(model: &Model, active: &[DomainId], generators: &[Permutation]) -> Self {
        let mut action = Action::new(model, active);
        let points = generators.iter().map(|generator| action.to_points(generator));
        action.group = Some(Arc::new(Group::new(action.layout.elements(), points)));
        action
    }

    /// A permutation as one of all elements.
    fn to_points(&self, permutation: &Permutation) -> Points {
        let images = permutation.images().iter().zip(&self.layout.firsts);
        images.flat_map(|(images, first)| images.iter().map(move |image| first + image)).collect()
    }

    /// A permutation of all elements that keeps domains, as one of each.
    pub(crate) fn permutation_of(&self, points: &[u32]) -> Permutation {
        let images = self.layout.sizes.iter().zip(&self.layout.firsts).map(|(size, first)| {
            points[*first as usize..(*first + *size) as usize].iter().map(|point| point - first).collect()
        });
        // Invariant: every domain is mapped to itself.
        Permutation::from_images(images.collect()).unwrap_or_else(|| self.identity())
    }

    /// What group acts, in words, such as `S4 x C6`.
    pub fn structure(&self) -> String {
        if let Some(group) = &self.group {
            return group.structure();
        }
        let letter = |kind: &DomainKind| match kind {
            DomainKind::Full => 'S',
            DomainKind::Ring => 'C',
        };
        let moving = self.layout.shapes.iter().filter(|(_, size)| *size > 1);
        let factors: Vec<_> = moving.map(|(kind, size)| format!("{}{size}", letter(kind))).collect();
        if factors.is_empty() { "trivial".to_owned() } else { factors.join(" x ") }
    }

    /// The active domains, in the order of a permutation's images.
    pub fn domains(&self) -> &[DomainId] {
        &self.layout.domains
    }

    /// How many elements each active domain has.
    pub fn sizes(&self) -> &[u32] {
        &self.layout.sizes
    }

    /// How many permutations there are; `None` if that does not fit.
    pub fn order(&self) -> Option<u128> {
        if let Some(group) = &self.group {
            return group.order();
        }
        order::product(&self.layout.shapes)
    }

    /// How many permutations there are, in decimal.
    pub fn order_string(&self) -> String {
        if let Some(group) = &self.group {
            return group.order_string();
        }
        order::product_string(&self.layout.shapes)
    }

    /// The size of an orbit whose states have a stabiliser of order Π `ties`! · `others`; `None` if it does not fit.
    pub(crate) fn orbit_size(&self, ties: &[u32], others: u128) -> Option<u128> {
        if let Some(group) = &self.group {
            return group.order()?.checked_div(order::factorials(ties)?.checked_mul(others)?);
        }
        order::quotient(&self.layout.shapes, ties, others)
    }

    /// How each active domain may be permuted, and its size; `None` if some other group acts.
    pub fn shapes(&self) -> Option<&[(DomainKind, u32)]> {
        if self.group.is_none() { Some(&self.layout.shapes) } else { None }
    }

    /// What permutations do to a cell; `None` if it is in a multiset that they mix.
    pub fn place(&self, cell: u32) -> Option<Place> {
        let shape = self.layout.cells[cell as usize];
        let element = |element: u32| {
            let domain = self.layout.domain_of(element);
            (domain, element - self.layout.firsts[domain])
        };
        let values = |ids: &Ids| {
            let ids = *ids;
            (0..ids.size).map(move |i| (ids.at + i64::from(i), element(ids.first + i)))
        };
        let place = Place {
            family: shape.base,
            indices: self.layout.terms_of(cell).iter().map(|term| element(term.element)).collect(),
            ids: self.layout.ids_of(cell).iter().flat_map(values).collect(),
        };
        shape.slot.is_none().then_some(place)
    }

    pub fn identity(&self) -> Permutation {
        Permutation::identity(&self.layout.sizes)
    }

    /// Permutations that generate all: those that were given, or else exchanges of neighbours in scalarsets, and a step round each ring.
    pub fn generators(&self) -> Vec<Permutation> {
        if let Some(group) = &self.group {
            return group.generators.iter().map(|points| self.permutation_of(points)).collect();
        }
        let sizes = &self.layout.sizes;
        let generators = |(domain, (kind, size)): (usize, &(DomainKind, u32))| match kind {
            DomainKind::Full => {
                (1..*size).map(|i| Permutation::transposition(sizes, domain, i - 1, i)).collect::<Vec<_>>()
            }
            DomainKind::Ring if *size < 2 => Vec::new(),
            DomainKind::Ring => vec![Permutation::rotation(sizes, domain, 1)],
        };
        self.layout.shapes.iter().enumerate().flat_map(generators).collect()
    }

    /// Elements of a group that was given by generators: to add the images of a set by one after the other, each time of all
    /// that there is, makes a set that the group maps to itself.
    pub fn closing(&self) -> Vec<Permutation> {
        let closing = self.group.iter().flat_map(|group| group.chain.closing());
        closing.map(|points| self.permutation_of(points)).collect()
    }

    /// Whether the group has all permutations of every domain, and the cells and names of a domain's elements lie at
    /// equal distances: what sorting and exchanging blocks needs.
    pub fn permutes_blocks(&self) -> bool {
        let layout = &self.layout;
        let names = layout.ids.iter().all(|ids| ids.size == layout.sizes[ids.domain as usize]);
        // The cell that the next element has in place of this one.
        let next_has = |cell: u32, term: &Term| {
            let domain = layout.domain_of(term.element);
            let last = term.element + 1 == layout.firsts[domain] + layout.sizes[domain];
            let next = (cell + term.stride) as usize;
            last || next < layout.cells.len()
                && layout.terms_of(next as u32).iter().any(|t| t.element == term.element + 1)
        };
        let cells = 0..layout.cells.len() as u32;
        let regular = |cell: u32| layout.terms_of(cell).iter().all(|term| next_has(cell, term));
        let full = |(kind, size): &(DomainKind, u32)| *kind == DomainKind::Full || *size <= 2;
        self.group.is_none() && layout.shapes.iter().all(full) && names && cells.into_iter().all(regular)
    }

    /// Puts π·`state` into `out`.
    pub fn apply(&self, permutation: &Permutation, state: &[Cell], out: &mut Vec<Cell>) {
        let images: Vec<u32> = permutation.images().iter().flatten().copied().collect();
        self.apply_images(&images, state, out);
    }

    /// What a permutation makes of a value of a simple type, for instance of a rule's argument.
    pub fn map_value(&self, permutation: &Permutation, ty: TypeId, value: Cell) -> Cell {
        let (from, to) = self.layout.type_ids[ty.0 as usize];
        for ids in &self.layout.ids[from as usize..to as usize] {
            if let Some(element) = ids.element(value) {
                let image = permutation.image(ids.domain as usize, element - ids.zero);
                return ids.origin + i64::from(self.layout.offset(ids.zero, image));
            }
        }
        value
    }

    /// As [`Action::apply`], for the images (each within its domain) of all elements in one list.
    pub(crate) fn apply_images(&self, images: &[u32], state: &[Cell], out: &mut Vec<Cell>) {
        out.clear();
        out.extend_from_slice(state);
        for run in &self.runs {
            let to = self.layout.target(run.base, run.terms, images);
            let (from, len) = (run.from as usize, run.len as usize);
            out[to..to + len].copy_from_slice(&state[from..from + len]);
        }
        for cell in &self.id_cells {
            let content = &mut out[*cell as usize];
            *content = self.layout.map_value(*cell, *content, images);
        }
        for set in &self.layout.mixed {
            sort_slots(out, set);
        }
    }
}

/// Sorts the slots of a multiset as [`burnside_model::code::normalise`] does.
fn sort_slots(state: &mut [Cell], set: &Mixed) {
    let (first, stride) = (set.first as usize, set.stride as usize);
    let cells = &mut state[first..first + set.capacity as usize * stride];
    let before = |a: &[Cell], b: &[Cell]| b[0].cmp(&a[0]).then_with(|| a.cmp(b));
    let used = cells.chunks(stride).take_while(|slot| slot[0] == 1).count();
    if used > 24 {
        let mut slots: Vec<Vec<Cell>> = cells.chunks(stride).map(<[Cell]>::to_vec).collect();
        slots.sort_by(|a, b| before(a, b));
        for (into, slot) in cells.chunks_mut(stride).zip(slots) {
            into.copy_from_slice(&slot);
        }
        return;
    }
    for i in 1..set.capacity as usize {
        let mut at = i * stride;
        while at > 0 {
            let (left, right) = cells.split_at_mut(at);
            let (left, right) = (&mut left[at - stride..], &mut right[..stride]);
            if before(left, right).is_le() {
                break;
            }
            left.swap_with_slice(right);
            at -= stride;
        }
    }
}
