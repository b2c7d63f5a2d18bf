//! In which stored states the conditions of formulas hold, for all values of the variables around them.
//!
//! A condition must have a value in every reachable state: where it has none, that is an error of its own.

use std::collections::HashMap;

use burnside_logic::Atom;
use burnside_logic::ctl::{Bindings, atoms};
use burnside_logic::graph::Bits;
use burnside_model::code::{Expr, Fault};
use burnside_model::system::TimeUp;
use burnside_model::{Limit, Model};

use super::Stop;
use crate::liveness::{StateId, States};
use crate::{Indexed, shares};

/// What goes wrong in a property: the state, and how.
pub type Faults = HashMap<usize, (StateId, Fault)>;

/// Where conditions hold.
pub struct Facts {
    /// The number of each condition with values. A condition is known by its place in memory: no two are at the same.
    numbers: HashMap<(*const Expr, Bindings), usize>,
    sets: Vec<Bits>,
}

impl Facts {
    /// Evaluates all conditions of some properties in all states; gives what goes wrong in them first.
    pub fn evaluate<S: Indexed>(
        system: &mut S,
        model: &Model,
        states: &mut States<'_>,
        properties: &[usize],
        threads: usize,
    ) -> Result<(Facts, Faults), Stop> {
        let mut facts = Facts { numbers: HashMap::new(), sets: Vec::new() };
        let mut faults = Faults::new();
        let mut wanted: Vec<(usize, &Expr, Bindings)> = Vec::new();
        for property in properties {
            for (condition, bindings) in atoms(model, &model.properties[*property]) {
                let next = wanted.len();
                let number = facts.numbers.entry((std::ptr::from_ref(condition), bindings.clone()));
                if *number.or_insert(next) == next {
                    wanted.push((*property, condition, bindings));
                }
            }
        }
        let count = states.len() as usize;
        if (wanted.len() * count / 8) as u64 > states.room() {
            return Err(Stop::Limit(Limit::Memory));
        }
        facts.sets = vec![Bits::none(count); wanted.len()];
        let shares = shares::each(system, states, threads, &|system, states, share| {
            let mut state = Vec::new();
            let mut sets = vec![Bits::none(share.len()); wanted.len()];
            let mut faults: Vec<(usize, (StateId, Fault))> = Vec::new();
            for id in share.clone() {
                states.read(id, &mut state);
                for (number, (property, condition, bindings)) in wanted.iter().enumerate() {
                    let frame = &model.properties[*property].frame;
                    let atom = Atom { frame, condition, bindings };
                    match system.atom(&atom, &state).map_err(|TimeUp| Stop::Limit(Limit::Time))? {
                        Ok(true) => sets[number].insert((id - share.start) as usize),
                        Ok(false) => {}
                        Err(fault) if faults.iter().all(|(known, _)| known != property) => {
                            faults.push((*property, (id, fault)));
                        }
                        Err(_) => {}
                    }
                }
            }
            Ok((share.start, sets, faults))
        })?;
        for (first, sets, found) in shares {
            for (all, set) in facts.sets.iter_mut().zip(&sets) {
                set.states().for_each(|state| all.insert(first as usize + state));
            }
            for (property, fault) in found {
                faults.entry(property).or_insert(fault);
            }
        }
        Ok((facts, faults))
    }

    /// The number of a condition with values.
    pub fn number(&self, condition: &Expr, bindings: &Bindings) -> Option<usize> {
        self.numbers.get(&(std::ptr::from_ref(condition), bindings.clone())).copied()
    }

    /// Whether it holds in a stored state.
    pub fn holds(&self, number: usize, state: StateId) -> bool {
        self.sets[number].contains(state as usize)
    }
}
