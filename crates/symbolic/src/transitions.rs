//! Steps in either form: as a relation, or executed state by state.

use std::rc::Rc;

use crate::bdd::{Bdd, Manager};
use crate::executed::Executed;
use crate::relation::Relation;
use crate::search::Stop;

/// Some steps.
#[derive(Clone)]
pub enum Transitions<'m> {
    /// Between the states of a relation.
    Related(Relation),
    /// As rules are executed.
    Executed(Rc<Executed<'m>>),
}

impl Transitions<'_> {
    /// The states that steps from these states lead to.
    pub fn image(&self, states: &Bdd) -> Result<Bdd, Stop> {
        match self {
            Transitions::Related(relation) => Ok(relation.image(states)?),
            Transitions::Executed(executed) => executed.image(states),
        }
    }

    /// Those of some states from which a step leads to these states.
    pub fn preimage(&self, states: &Bdd, within: &Bdd) -> Result<Bdd, Stop> {
        match self {
            Transitions::Related(relation) => Ok(relation.preimage(states)?.and(within)?),
            Transitions::Executed(executed) => executed.preimage(states, within),
        }
    }

    /// The highest level in the order of variables that they speak of.
    pub fn top(&self, manager: &Manager) -> u32 {
        match self {
            Transitions::Related(relation) => {
                relation.top(manager).map_or(u32::MAX, |var| manager.level(var))
            }
            Transitions::Executed(_) => 0,
        }
    }

    /// The relation, unless they are executed.
    pub fn relation(&self) -> Option<&Relation> {
        match self {
            Transitions::Related(relation) => Some(relation),
            Transitions::Executed(_) => None,
        }
    }
}
