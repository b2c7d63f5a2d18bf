//! How permutations act on states.
//!
//! The state is described once per cell: which active domain elements are among the array indices on the way to it and
//! with what stride, so that the cell where its content goes is `base + Σ stride · π(element)`; and whether its content
//! may itself be an element. Cells beside each other with the same indices move as one run; id values are mapped where
//! they arrived, since a permutation sends id cells to id cells; multisets whose elements changed are sorted anew.
//!
//! This is the extended action of the survey, §4.3, in the direction `(π·s)[π(i)] = s[i]` (the survey's (12) is inverse).

use burnside_model::Model;
use burnside_model::code::{Cell, DomainId, TypeId};

use crate::layout::{Layout, Mixed, Term};
use crate::order;
use crate::permutation::Permutation;

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
}

impl Action {
    /// The action of all permutations of the given domains; other domains stay as they are.
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
        Action { layout, runs, id_cells }
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
        order::factorials(&self.layout.sizes)
    }

    /// How many permutations there are, in decimal.
    pub fn order_string(&self) -> String {
        order::factorials_string(&self.layout.sizes)
    }

    /// The permutation that moves nothing.
    pub fn identity(&self) -> Permutation {
        Permutation::identity(&self.layout.sizes)
    }

    /// Transpositions of neighbours, which generate all permutations.
    pub fn generators(&self) -> Vec<Permutation> {
        let swaps = |(domain, size): (usize, &u32)| {
            (1..*size).map(move |i| Permutation::transposition(&self.layout.sizes, domain, i - 1, i))
        };
        self.layout.sizes.iter().enumerate().flat_map(swaps).collect()
    }

    /// Whether the group has all permutations of every domain, and the cells and names of a domain's elements lie at
    /// equal distances: what sorting and exchanging blocks needs.
    pub fn permutes_blocks(&self) -> bool {
        let layout = &self.layout;
        let exchanges: u32 = layout.sizes.iter().map(|size| size.saturating_sub(1)).sum();
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
        self.generators().len() == exchanges as usize && names && cells.into_iter().all(regular)
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
                return ids.at + i64::from(permutation.image(ids.domain as usize, element - ids.first));
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
