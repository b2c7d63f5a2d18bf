//! What the group does to the parts of a model: which cells of the state it moves onto each other, and which instances
//! of a rule. For people to look at.

use std::collections::HashMap;

use burnside_model::Model;
use burnside_model::code::{Cell, LoopRange, TypeId};
use burnside_model::system::{Binder, Rule};

use crate::action::Action;

/// The most instances of a rule that are listed.
const MOST_INSTANCES: u64 = 4096;

impl Action {
    /// The orbits of the cells of the state, each in order; slots of multisets stay where they are.
    pub fn cell_orbits(&self) -> Vec<Vec<u32>> {
        let mut classes = Classes::new(self.layout.cells.len());
        for generator in self.generators() {
            let images: Vec<u32> = generator.images().iter().flatten().copied().collect();
            for (cell, shape) in self.layout.cells.iter().enumerate() {
                if shape.slot.is_none() {
                    classes.join(cell, self.layout.target(shape.base, shape.terms, &images));
                }
            }
        }
        classes.list().into_iter().map(|class| class.into_iter().map(|cell| cell as u32).collect()).collect()
    }

    /// The orbits of the parameters of a rule; `None` if they depend on the state or are too many.
    pub fn rule_orbits(&self, model: &Model, rule: &Rule) -> Option<Vec<Vec<Vec<Cell>>>> {
        let mut types: Vec<TypeId> = Vec::new();
        for binder in &rule.binders {
            match binder {
                Binder::Alias(..) => {}
                Binder::Each(each) => match each.range {
                    LoopRange::Type(ty) => types.push(ty),
                    LoopRange::Span(..) => return None,
                },
                Binder::Choose(..) => return None,
            }
        }
        let count = types.iter().try_fold(1u64, |count, ty| count.checked_mul(model.types.size(*ty)))?;
        if count > MOST_INSTANCES {
            return None;
        }
        let mut tuples: Vec<Vec<Cell>> = vec![Vec::new()];
        for ty in &types {
            let (lo, hi) = model.types.bounds(*ty);
            let with = |tuple: Vec<Cell>| {
                (lo..=hi).map(move |value| tuple.iter().copied().chain([value]).collect::<Vec<Cell>>())
            };
            tuples = tuples.into_iter().flat_map(with).collect();
        }
        let numbers: HashMap<&[Cell], usize> =
            tuples.iter().enumerate().map(|(number, tuple)| (tuple.as_slice(), number)).collect();
        let mut classes = Classes::new(tuples.len());
        for generator in self.generators() {
            for (number, tuple) in tuples.iter().enumerate() {
                let values = types.iter().zip(tuple);
                let image: Vec<Cell> =
                    values.map(|(ty, value)| self.map_value(&generator, *ty, *value)).collect();
                classes.join(number, numbers.get(image.as_slice()).copied().unwrap_or(number));
            }
        }
        let named = |class: Vec<usize>| class.into_iter().map(|number| tuples[number].clone()).collect();
        Some(classes.list().into_iter().map(named).collect())
    }
}

/// Numbers that are joined step by step.
struct Classes(Vec<usize>);

impl Classes {
    fn new(count: usize) -> Self {
        Classes((0..count).collect())
    }

    fn find(&mut self, mut number: usize) -> usize {
        while self.0[number] != number {
            self.0[number] = self.0[self.0[number]];
            number = self.0[number];
        }
        number
    }

    fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.find(a), self.find(b));
        self.0[a.max(b)] = a.min(b);
    }

    /// The classes, by their least member.
    fn list(mut self) -> Vec<Vec<usize>> {
        let mut lists: Vec<Vec<usize>> = vec![Vec::new(); self.0.len()];
        for number in 0..self.0.len() {
            let root = self.find(number);
            lists[root].push(number);
        }
        lists.retain(|list| !list.is_empty());
        lists
    }
}
