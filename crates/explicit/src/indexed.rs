//! What liveness needs of a system beyond the waist: the instances of a property one by one, and how a step renames
//! the elements of the symmetry domains.

use std::ops::ControlFlow;

use burnside_model::System;
use burnside_model::code::{Cell, DomainId, Fault};
use burnside_model::system::{Machine, Outcome, TimeUp};
use burnside_symmetry::{Canonical, Quotient};

/// Receives the arguments of an instance, and whether the condition holds for it.
pub type InstanceSink<'s> = dyn FnMut(&[Cell], bool) + 's;

/// Gives the new name of a domain's element.
pub type Renaming<'r> = dyn Fn(DomainId, u32) -> u32 + 'r;

/// Receives a successor and the renaming that made it of the concrete one.
pub type LabelledSink<'s> = dyn FnMut(&[Cell], &Renaming<'_>) -> ControlFlow<()> + 's;

/// A system whose properties can be followed instance by instance.
pub trait Indexed: System {
    /// Gives every instance of a property in a state.
    fn instances(
        &mut self,
        property: usize,
        state: &[Cell],
        sink: &mut InstanceSink<'_>,
    ) -> Result<Result<(), Fault>, TimeUp>;

    /// Gives the successors, each with the renaming under which the concrete successor became it: an instance of a
    /// property for `y` before the step is one for the renamed `y` after it.
    fn labelled(&mut self, state: &[Cell], sink: &mut LabelledSink<'_>) -> Result<(), TimeUp>;
}

impl Indexed for Machine<'_> {
    fn instances(
        &mut self,
        property: usize,
        state: &[Cell],
        sink: &mut InstanceSink<'_>,
    ) -> Result<Result<(), Fault>, TimeUp> {
        self.property_instances(property, state, sink)
    }

    fn labelled(&mut self, state: &[Cell], sink: &mut LabelledSink<'_>) -> Result<(), TimeUp> {
        self.successors(state, &mut |step| match step.outcome {
            Outcome::State(next) => sink(next, &|_, element| element),
            _ => ControlFlow::Continue(()),
        })
    }
}

impl<C: Canonical> Indexed for Quotient<Machine<'_>, C> {
    fn instances(
        &mut self,
        property: usize,
        state: &[Cell],
        sink: &mut InstanceSink<'_>,
    ) -> Result<Result<(), Fault>, TimeUp> {
        self.inner().property_instances(property, state, sink)
    }

    fn labelled(&mut self, state: &[Cell], sink: &mut LabelledSink<'_>) -> Result<(), TimeUp> {
        let mut concrete: Vec<Vec<Cell>> = Vec::new();
        self.inner().successors(state, &mut |step| {
            if let Outcome::State(next) = step.outcome {
                concrete.push(next.to_vec());
            }
            ControlFlow::Continue(())
        })?;
        concrete.sort_unstable();
        concrete.dedup();
        for next in &concrete {
            let (form, permutation) = self.canonical(next);
            let domains = self.action().domains();
            let renaming = |domain: DomainId, element: u32| match domains.iter().position(|d| *d == domain) {
                Some(position) => permutation.image(position, element),
                None => element,
            };
            if sink(&form, &renaming).is_break() {
                break;
            }
        }
        Ok(())
    }
}
