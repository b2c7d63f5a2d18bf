//! The names in a step: which elements of symmetry domains it names, and what it is under other names.

use burnside_model::code::Cell;
use burnside_model::network::Taken;
use burnside_symmetry::Permutation;

use crate::enabled::Step;
use crate::steps::{Instance, Stepper};
use crate::symmetry::Representatives;

impl Stepper<'_> {
    /// The elements of symmetry domains that a step names, each once, in order.
    pub fn named(&self, step: &Step, representatives: &Representatives) -> Vec<(usize, u32)> {
        let mut named = Vec::new();
        for taken in self.taken(step) {
            let rule = &self.network.model.rules[taken.edge as usize];
            let values = self.instances[taken.instance as usize].params.iter().chain(&taken.selected);
            for (local, value) in rule.frame.locals.iter().zip(values) {
                if let Some(element) = representatives.element(local.ty, *value)
                    && !named.contains(&element)
                {
                    named.push(element);
                }
            }
        }
        named
    }

    /// A step as a permutation leaves it.
    pub fn permuted(
        &self,
        taken: &[Taken],
        permutation: &Permutation,
        representatives: &Representatives,
    ) -> Vec<Taken> {
        let taken = taken.iter().map(|taken| {
            let rule = &self.network.model.rules[taken.edge as usize];
            let instance = &self.instances[taken.instance as usize];
            let values = instance.params.iter().chain(&taken.selected);
            let moved: Vec<Cell> = rule
                .frame
                .locals
                .iter()
                .zip(values)
                .map(|(local, value)| representatives.map_value(permutation, local.ty, *value))
                .collect();
            let (params, selected) = moved.split_at(instance.params.len());
            let same = |other: &Instance| other.process == instance.process && other.params == params;
            let to = self.instances.iter().position(same).unwrap_or(taken.instance as usize);
            Taken { instance: to as u32, edge: taken.edge, selected: selected.to_vec() }
        });
        let mut taken: Vec<Taken> = taken.collect();
        // Receivers come in the order of the system line.
        if let Some(receivers) = taken.get_mut(1..) {
            receivers.sort_by_key(|receiver| receiver.instance);
        }
        taken
    }
}
