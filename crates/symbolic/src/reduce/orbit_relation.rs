//! Reduction with the orbit relation (survey §5.1): the baseline that all other reductions avoid.
//!
//! `≡` relates the states of each orbit. All permutations of k indices are those of k−1 of them followed by an exchange
//! of the last with one of them. So `≡` grows from the identity, index by index, by uniting its images under a few
//! exchanges; and R∘`≡`, all that is equivalent to a successor, grows from R in the same way. Mostly there is a shorter way to
//! `≡`: [`multisets`].
//!
//! Where sorting finds one state of each orbit, it is the representative. Elsewhere that is the least state, whatever the
//! group: no other reduction has unique representatives in all cases. The quotient relation leads from representatives to those of their successors; built
//! as R∘`≡`, or as α(R), survey (13).

use burnside_model::code::DomainKind;

use crate::bdd::{Bdd, Manager, Renaming, Result};

use super::alpha::{self, Alpha, in_order};
use super::multisets;
use super::order::smaller_than_next;
use super::space::{Space, Which, rotation, transposition};
use super::spread::Spread;

/// The representatives that follow from the orbit relation of a space.
pub struct OrbitRelation {
    /// The representatives, as current and as next states.
    representatives: [Bdd; 2],
    /// From each state to its representative.
    represent: Bdd,
    current: Bdd,
    to_current: Renaming,
}

/// The orbit relation between the current and the next state.
pub fn orbit_relation(manager: &Manager, space: &Space) -> Result<Bdd> {
    if multisets::applies(space) && multisets::pays(manager, space) {
        return multisets::orbit_relation(manager, space);
    }
    by_exchanges(manager, space)
}

/// The same from the images of the identity, for every group.
pub fn by_exchanges(manager: &Manager, space: &Space) -> Result<Bdd> {
    permuted(manager, space, Which::Next, space.identity(manager)?)
}

/// One state of each orbit, given the orbit relation; as current and as next states.
pub fn representatives(manager: &Manager, space: &Space, equivalent: &Bdd) -> Result<[Bdd; 2]> {
    if alpha::unique(space) {
        let [now, next] = [Which::Current, Which::Next].map(|which| in_order(manager, space, which));
        return Ok([now?, next?]);
    }
    // The next states that are equivalent to a smaller one.
    let current = manager.variables(space.variables(Which::Current))?;
    let beaten = equivalent.and_exists(&smaller_than_next(manager, space)?, &current)?;
    Ok([beaten.not().rename(&to_current(manager, space)?)?, beaten.not()])
}

fn to_current(manager: &Manager, space: &Space) -> Result<Renaming> {
    let pairs: Vec<_> = space.pairs().into_iter().map(|(now, next)| (next, now)).collect();
    manager.renaming(&pairs)
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
    pub fn new(manager: &Manager, space: &Space) -> Result<Self> {
        let equivalent = orbit_relation(manager, space)?;
        let representatives = representatives(manager, space, &equivalent)?;
        let represent = equivalent.and(&representatives[1])?;
        let current = manager.variables(space.variables(Which::Current))?;
        Ok(OrbitRelation { representatives, represent, current, to_current: to_current(manager, space)? })
    }

    pub fn representatives(&self) -> &Bdd {
        &self.representatives[0]
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
        let [from, to] = &self.representatives;
        permuted(manager, space, Which::Next, relation.and(from)?)?.and(to)
    }
}

/// The quotient as α(R): both sides of every step mapped to their representatives, without `≡`.
pub fn quotient_by_alpha(relation: &Bdd, current: &Alpha<'_>, next: &Alpha<'_>) -> Result<Bdd> {
    next.apply(&current.apply(relation, None)?, None)
}
