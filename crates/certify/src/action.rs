//! How a permutation acts on a state: by recursion over the types, as plainly as it can be said.
//!
//! (π·s)[π(i)] = s[i] for arrays, an element v becomes π(v), multisets are sorted again.

use burnside_model::Model;
use burnside_model::code::{Cell, DomainId, TypeId, TypeKind, Types, UNDEFINED, normalise};

use crate::format::Images;

/// The permutations of some domains of a model.
pub(crate) struct Action<'m> {
    model: &'m Model,
    domains: &'m [DomainId],
}

impl<'m> Action<'m> {
    pub fn new(model: &'m Model, domains: &'m [DomainId]) -> Self {
        Action { model, domains }
    }

    /// Whether these images are a permutation within each domain.
    pub fn is_permutation(&self, images: &Images) -> bool {
        images.len() == self.domains.len()
            && images.iter().zip(self.domains).all(|(images, domain)| {
                let size = self.model.types.domain(*domain).size;
                images.len() == size as usize && (0..size).all(|element| images.contains(&element))
            })
    }

    /// The permuted state.
    pub fn apply(&self, images: &Images, state: &[Cell]) -> Vec<Cell> {
        let mut out = vec![UNDEFINED; state.len()];
        for global in &self.model.globals {
            let cells = global.offset as usize..(global.offset + self.types()[global.ty].cells) as usize;
            self.value(images, global.ty, &state[cells.clone()], &mut out[cells.clone()]);
            normalise(self.types(), global.ty, &mut out[cells]);
        }
        out
    }

    fn types(&self) -> &Types {
        &self.model.types
    }

    fn value(&self, images: &Images, ty: TypeId, from: &[Cell], to: &mut [Cell]) {
        match &self.types()[ty].kind {
            TypeKind::Array { index, element } => {
                let (lo, hi) = self.types().bounds(*index);
                let cells = self.types()[*element].cells as usize;
                for i in lo..=hi {
                    let (i, j) =
                        ((i - lo) as usize * cells, (self.simple(images, *index, i) - lo) as usize * cells);
                    self.value(images, *element, &from[i..i + cells], &mut to[j..j + cells]);
                }
            }
            TypeKind::Record(fields) => {
                for field in fields {
                    let cells = field.offset as usize..(field.offset + self.types()[field.ty].cells) as usize;
                    self.value(images, field.ty, &from[cells.clone()], &mut to[cells]);
                }
            }
            TypeKind::Multiset { element, .. } => {
                let cells = self.types()[*element].cells as usize + 1;
                for (from, to) in from.chunks(cells).zip(to.chunks_mut(cells)) {
                    to[0] = from[0];
                    self.value(images, *element, &from[1..], &mut to[1..]);
                }
            }
            _ => to[0] = self.simple(images, ty, from[0]),
        }
    }

    fn simple(&self, images: &Images, ty: TypeId, value: Cell) -> Cell {
        let types = self.types();
        for (domain, first) in types.domains_of(ty) {
            if let Some(position) = self.domains.iter().position(|other| *other == domain)
                && let Some(element) = types.element_at(domain, first, value)
            {
                return first + i64::from(types.offset(domain, images[position][element as usize]));
            }
        }
        value
    }
}
