//! What liveness and temporal formulas need of a system beyond the waist: the instances of a property one by one, and how
//! a step renames the elements of the symmetry domains.

use std::ops::ControlFlow;

use burnside_logic::Atom;
use burnside_model::System;
use burnside_model::code::{Cell, DomainId, Fault};
use burnside_model::system::{Machine, Outcome, Step, TimeUp};
use burnside_symmetry::{Action, Canonical, Permutation, Quotient};

/// Receives the arguments of an instance, and whether the condition holds for it.
pub type InstanceSink<'s> = dyn FnMut(&[Cell], bool) + 's;

/// Gives the new name of a domain's element.
pub type Renaming<'r> = dyn Fn(DomainId, u32) -> u32 + 'r;

/// Receives a successor and the renaming that made it of the concrete one.
pub type LabelledSink<'s> = dyn FnMut(&[Cell], &Renaming<'_>) -> ControlFlow<()> + 's;

/// A step, and what became of the state that it leads to.
#[derive(Clone, Copy, Debug)]
pub struct Move<'a> {
    /// The rule, or the start state.
    pub rule: u32,
    /// The values of its parameters.
    pub args: &'a [Cell],
    /// The state t that it leads to.
    pub concrete: &'a [Cell],
    /// The stored state r of its orbit.
    pub form: &'a [Cell],
    /// π with r = π·t.
    pub by: &'a Permutation,
}

/// Receives steps.
pub type MoveSink<'s> = dyn FnMut(Move<'_>) -> ControlFlow<()> + 's;

/// A system whose properties can be followed instance by instance, by several threads with one each.
pub trait Indexed: System + Clone + Send {
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

    /// The symmetry that is divided out; none if none is.
    fn action(&self) -> Option<&Action>;

    /// Gives every step from a state, or into the start states, with the permutation to the stored state: none is left out,
    /// whatever it has in common with others.
    fn moves(&mut self, from: Option<&[Cell]>, sink: &mut MoveSink<'_>) -> Result<(), TimeUp>;

    /// Whether a condition of a temporal property holds in a state; a fault in it is returned inside.
    fn atom(&mut self, atom: &Atom<'_>, state: &[Cell]) -> Result<Result<bool, Fault>, TimeUp>;
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

    fn action(&self) -> Option<&Action> {
        None
    }

    fn moves(&mut self, from: Option<&[Cell]>, sink: &mut MoveSink<'_>) -> Result<(), TimeUp> {
        let by = Permutation::identity(&[]);
        let mut pass = |step: Step<'_>| match step.outcome {
            Outcome::State(state) => {
                sink(Move { rule: step.rule, args: step.args, concrete: state, form: state, by: &by })
            }
            _ => ControlFlow::Continue(()),
        };
        match from {
            Some(state) => self.successors(state, &mut pass),
            None => self.initial(&mut pass),
        }
    }

    fn atom(&mut self, atom: &Atom<'_>, state: &[Cell]) -> Result<Result<bool, Fault>, TimeUp> {
        self.atom_holds(atom.frame, atom.bindings, atom.condition, state)
    }
}

impl<C: Canonical + Clone + Send> Indexed for Quotient<Machine<'_>, C> {
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

    fn action(&self) -> Option<&Action> {
        Some(Quotient::action(self))
    }

    fn moves(&mut self, from: Option<&[Cell]>, sink: &mut MoveSink<'_>) -> Result<(), TimeUp> {
        let mut steps: Vec<(Vec<Cell>, u32, Vec<Cell>)> = Vec::new();
        let mut keep = |step: Step<'_>| {
            if let Outcome::State(next) = step.outcome {
                steps.push((next.to_vec(), step.rule, step.args.to_vec()));
            }
            ControlFlow::Continue(())
        };
        match from {
            Some(state) => self.inner().successors(state, &mut keep)?,
            None => self.inner().initial(&mut keep)?,
        }
        steps.sort_unstable();
        for alike in steps.chunk_by(|a, b| a.0 == b.0) {
            let (form, by) = self.canonical(&alike[0].0);
            for (concrete, rule, args) in alike {
                if sink(Move { rule: *rule, args, concrete, form: &form, by: &by }).is_break() {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn atom(&mut self, atom: &Atom<'_>, state: &[Cell]) -> Result<Result<bool, Fault>, TimeUp> {
        self.inner().atom_holds(atom.frame, atom.bindings, atom.condition, state)
    }
}
