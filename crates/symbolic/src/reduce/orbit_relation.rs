//! Reduction with the orbit relation (survey §5.1): the baseline that all other reductions avoid.
//!
//! `≡` relates the states of each orbit. All permutations of k indices are those of k−1 of them followed by an exchange
//! of the last with one of them. So `≡` grows from the identity, index by index, by uniting its images under a few
//! exchanges; and R∘`≡`, all that is equivalent to a successor, grows from R in the same way.
//!
//! The representative of an orbit is its least state, whatever the group: no other reduction has unique
//! representatives in all cases. The quotient relation leads from representatives to those of their successors; built
//! as R∘`≡`, or as α(R), survey (13).

use burnside_model::code::DomainKind;

use crate::bdd::{Bdd, Manager, Renaming, Result};

use super::alpha::Alpha;
use super::order::smaller_than_next;
use super::space::{Space, Which, rotation, transposition};
use super::spread::Spread;

/// The orbit relation of a space, and the representatives that follow from it.
pub struct OrbitRelation {
    equivalent: Bdd,
    /// The least states, as current and as next states.
    least: [Bdd; 2],
    /// From each state to its representative.
    represent: Bdd,
    current: Bdd,
    to_current: Renaming,
}

/// The orbit relation between the current and the next state.
pub fn orbit_relation(manager: &Manager, space: &Space) -> Result<Bdd> {
    permuted(manager, space, Which::Next, space.identity(manager)?)
}

/// All that results from permuting the current or the next states of a set or relation in every way.
pub fn permuted(manager: &Manager, space: &Space, which: Which, mut relation: Bdd) -> Result<Bdd> {
    for (domain, shape) in space.domains.iter().enumerate() {
        let stages: Vec<Vec<Vec<usize>>> = match shape.kind {
            DomainKind::Full => {
                let exchanges =
                    |last| (0..last).map(move |other| transposition(shape.size, other, last)).collect();
                (1..shape.size).map(exchanges).collect()
            }
            DomainKind::Ring => {
                vec![(1..shape.size).map(|distance| rotation(shape.size, distance)).collect()]
            }
        };
        for stage in stages {
            relation = Spread::new(manager, space, which, domain, &stage)?.apply(&relation)?;
            manager.tidy();
        }
    }
    Ok(relation)
}

impl OrbitRelation {
    /// Builds it.
    pub fn new(manager: &Manager, space: &Space) -> Result<Self> {
        let current = manager.variables(space.variables(Which::Current))?;
        let to_current: Vec<_> = space.pairs().into_iter().map(|(now, next)| (next, now)).collect();
        let to_current = manager.renaming(&to_current)?;
        let equivalent = orbit_relation(manager, space)?;
        // The next states that are equivalent to a smaller one.
        let beaten = equivalent.and_exists(&smaller_than_next(manager, space)?, &current)?;
        let represent = equivalent.minus(&beaten)?;
        let least = [beaten.not().rename(&to_current)?, beaten.not()];
        Ok(OrbitRelation { equivalent, least, represent, current, to_current })
    }

    /// `≡`, between the current and the next state.
    pub fn equivalent(&self) -> &Bdd {
        &self.equivalent
    }

    /// The least state of each orbit.
    pub fn representatives(&self) -> &Bdd {
        &self.least[0]
    }

    /// The representatives of the states of a set.
    pub fn represent(&self, set: &Bdd) -> Result<Bdd> {
        self.image(set, &self.represent)
    }

    /// Where a relation between all bits of the current and the next state leads from a set.
    pub fn image(&self, set: &Bdd, relation: &Bdd) -> Result<Bdd> {
        set.and_exists(relation, &self.current)?.rename(&self.to_current)
    }

    /// The quotient of a symmetric relation between all bits of the current and the next state.
    pub fn quotient(&self, manager: &Manager, space: &Space, relation: &Bdd) -> Result<Bdd> {
        let [from, to] = &self.least;
        permuted(manager, space, Which::Next, relation.and(from)?)?.and(to)
    }
}

/// The quotient as α(R): both sides of every step mapped to their representatives, without `≡`.
pub fn quotient_by_alpha(relation: &Bdd, current: &Alpha<'_>, next: &Alpha<'_>) -> Result<Bdd> {
    next.apply(&current.apply(relation, None)?, None)
}
