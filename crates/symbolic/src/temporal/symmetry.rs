//! Which permutations keep what a formula names.
//!
//! For π of the group and values b of its variables, a formula holds in s for b if and only if it does in π·s for π·b. So one
//! tuple of values of each orbit is enough, if all images of start states are start states too; and for that tuple, states
//! may be replaced by others of their orbit under the permutations that fix it.

use burnside_logic::ctl::Bindings;
use burnside_model::Model;
use burnside_model::code::{Cell, DomainKind, Frame, TypeId};
use burnside_model::system::{Agent, PropertyKind};
use burnside_symmetry::{Action, Permutation};

use crate::bdd::{Bdd, Manager, Result};
use crate::reduce::model::Fixed;
use crate::reduce::orbit_relation::permuted;
use crate::reduce::space::{self, Index, Space, Which};

use super::facts::Facts;

/// A group, as it acts on states, sets of states and values.
pub struct Symmetry<'s> {
    model: &'s Model,
    manager: &'s Manager,
    action: &'s Action,
    space: &'s Space,
    /// What the permutations must fix that keep every fairness constraint.
    fair: Fixed,
}

/// Values as the first of their orbit.
pub struct Canonical {
    pub bindings: Bindings,
    /// What takes the original ones there.
    pub by: Permutation,
    /// What stays fixed.
    pub fixed: Fixed,
}

impl<'s> Symmetry<'s> {
    /// The symmetry of a model; nothing if there is none that can be restricted.
    pub fn new(
        model: &'s Model,
        manager: &'s Manager,
        action: &'s Action,
        space: &'s Space,
        facts: &Facts,
    ) -> Option<Self> {
        let fair = Fixed::none(action)?;
        let mut symmetry = Symmetry { model, manager, action, space, fair };
        let mut named: Vec<(TypeId, Cell)> =
            facts.agents.iter().flat_map(|known| known.agent.values(model)).collect();
        for property in model.properties.iter().filter(|property| property.kind == PropertyKind::Fairness) {
            let each = burnside_logic::ctl::instances(model, property).into_iter().flatten();
            named.extend(each.map(|(local, value)| (property.frame[local].ty, value)));
        }
        for index in named.into_iter().filter_map(|(ty, value)| symmetry.index(ty, value)).collect::<Vec<_>>()
        {
            symmetry.fair.fix(action, index);
        }
        Some(symmetry)
    }

    /// The element that a value is.
    fn index(&self, ty: TypeId, value: Cell) -> Option<Index> {
        let (domain, element) = self.model.types.element(ty, value)?;
        let position = self.action.domains().iter().position(|active| *active == domain)?;
        Some((position, element as usize))
    }

    /// The first values of the orbit of these: elements are numbered in the order in which they come.
    pub fn canonical(&self, frame: &Frame, bindings: &Bindings) -> Canonical {
        let named = |bindings: &Bindings| -> Vec<Index> {
            bindings.iter().filter_map(|(local, value)| self.index(frame[*local].ty, *value)).collect()
        };
        let first = named(bindings);
        let shapes = self.action.shapes().unwrap_or_default();
        let images = shapes.iter().enumerate().map(|(domain, &(kind, size))| {
            let elements: Vec<u32> =
                (first.iter().filter(|index| index.0 == domain)).map(|index| index.1 as u32).collect();
            images(kind, size, &elements)
        });
        let identity = self.action.identity();
        let by = Permutation::from_images(images.collect()).unwrap_or(identity);
        let value = |local, value| self.action.map_value(&by, frame[local].ty, value);
        let bindings: Bindings = bindings.iter().map(|&(local, v)| (local, value(local, v))).collect();
        let mut fixed = self.fair.clone();
        named(&bindings).into_iter().for_each(|index| fixed.fix(self.action, index));
        Canonical { bindings, by, fixed }
    }

    /// The images of the states of a set.
    pub fn apply(&self, permutation: &Permutation, set: &Bdd) -> Result<Bdd> {
        let mut set = set.clone();
        for (domain, images) in permutation.images().iter().enumerate() {
            let images: Vec<usize> = images.iter().map(|image| *image as usize).collect();
            if images.iter().enumerate().any(|(element, image)| element != *image) {
                let permutation = space::Permutation { domain, images: &images };
                set = set.rename(&self.space.action(self.manager, Which::Current, permutation)?)?;
            }
        }
        Ok(set)
    }

    pub fn state(&self, permutation: &Permutation, state: &[Cell]) -> Vec<Cell> {
        let mut image = Vec::new();
        self.action.apply(permutation, state, &mut image);
        image
    }

    /// The image of an agent.
    pub fn agent(&self, permutation: &Permutation, agent: &Agent) -> Agent {
        let values = agent.values(self.model).into_iter();
        agent.with(values.map(|(ty, value)| self.action.map_value(permutation, ty, value)).collect())
    }

    /// All images of the states of a set.
    pub fn close(&self, set: &Bdd) -> Result<Bdd> {
        permuted(self.manager, self.space, Which::Current, set.clone())
    }
}

/// The permutation of a domain that takes these elements, in order, to the first ones, as far as it can.
fn images(kind: DomainKind, size: u32, elements: &[u32]) -> Vec<u32> {
    if kind == DomainKind::Ring {
        let back = elements.first().map_or(0, |first| size - first);
        return (0..size).map(|element| (element + back) % size).collect();
    }
    let mut order: Vec<u32> = Vec::new();
    for element in elements.iter().copied().chain(0..size) {
        if !order.contains(&element) {
            order.push(element);
        }
    }
    let mut images = vec![0; size as usize];
    for (image, element) in (0..).zip(order) {
        images[element as usize] = image;
    }
    images
}
