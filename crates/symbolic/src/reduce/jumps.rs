//! One index moves past many others at once.
//!
//! Where all but one index are in order, that one has to move up until the next one is not less, or down likewise. By
//! exchanges of neighbours that takes as many operations on the set as there are indices on the way. But it can be compared with an
//! index far away first: if it has to move past that one, it has to move past all in between, and does so by one
//! permutation. Distances are halved from one round to the next, as in a binary search.
//!
//! States that stop at different places are kept apart until the end. Whatever the order of the others, the result is made
//! of permuted states; only whether they are in order depends on it.

use std::cell::{OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use crate::bdd::{Bdd, Manager, Renaming, Result};

use super::order::{Comparison, LocalOrder, compared};
use super::space::{Permutation, Space, Which, transposition};

/// The permutations of one domain that move an index past others.
pub struct Jumps<'j> {
    manager: &'j Manager,
    space: Rc<Space>,
    order: Rc<LocalOrder>,
    which: Which,
    domain: usize,
    /// From where to where, made when they are needed.
    known: RefCell<HashMap<(usize, usize), Rc<Jump>>>,
}

/// The index at one place moves to another, those in between one place in the other direction.
struct Jump {
    /// Which states are improved by exchanging the two: those that are to jump.
    compared: Comparison,
    /// Made when there are such states.
    apply: OnceCell<Renaming>,
}

/// More variables in all permutations together are not worth the memory.
const MOST_VARIABLES: usize = 1 << 20;

impl<'j> Jumps<'j> {
    pub fn new(
        manager: &'j Manager,
        space: &Rc<Space>,
        order: &Rc<LocalOrder>,
        which: Which,
        domain: usize,
    ) -> Self {
        let (space, order) = (space.clone(), order.clone());
        Jumps { manager, space, order, which, domain, known: RefCell::default() }
    }

    fn jump(&self, from: usize, to: usize) -> Result<Rc<Jump>> {
        if let Some(jump) = self.known.borrow().get(&(from, to)) {
            return Ok(jump.clone());
        }
        let ends = transposition(self.space.domains[self.domain].size, from, to);
        let ends = Permutation { domain: self.domain, images: &ends };
        let compared = compared(self.manager, &self.space, &self.order, self.which, ends)?;
        let jump = Rc::new(Jump { compared, apply: OnceCell::new() });
        let mut known = self.known.borrow_mut();
        if known.len() * self.manager.variable_count() > MOST_VARIABLES {
            known.clear();
        }
        known.insert((from, to), jump.clone());
        Ok(jump)
    }

    fn action(&self, from: usize, to: usize) -> Result<Renaming> {
        let image = |index| match index {
            _ if index == from => to,
            _ if from < index && index <= to => index - 1,
            _ if to <= index && index < from => index + 1,
            _ => index,
        };
        let images: Vec<usize> = (0..self.space.domains[self.domain].size).map(image).collect();
        self.space.action(self.manager, self.which, Permutation { domain: self.domain, images: &images })
    }

    /// Lets the index at this place move up or down as far as it must, if all others are in order.
    pub fn travel(&self, set: &Bdd, at: usize, up: bool) -> Result<Bdd> {
        let last = self.space.domains[self.domain].size - 1;
        let room = if up { last - at } else { at };
        let mut places = BTreeMap::from([(at, set.clone())]);
        for distance in (0..=room.checked_ilog2().unwrap_or(0)).rev().map(|power| 1 << power) {
            let mut next: BTreeMap<usize, Bdd> = BTreeMap::new();
            let mut arrive = |place, states: Bdd| -> Result<()> {
                let all = match next.get(&place) {
                    Some(others) => others.or(&states)?,
                    None => states,
                };
                next.insert(place, all);
                Ok(())
            };
            for (place, states) in places {
                let to = if up { Some(place + distance) } else { place.checked_sub(distance) };
                let Some(to) = to.filter(|to| *to <= last) else {
                    arrive(place, states)?;
                    continue;
                };
                let jump = self.jump(place, to)?;
                let moving = jump.compared.smaller(&states)?;
                let staying = states.minus(&moving)?;
                if !moving.is_false() {
                    let apply = match jump.apply.get() {
                        Some(apply) => apply,
                        None => {
                            let action = self.action(place, to)?;
                            jump.apply.get_or_init(|| action)
                        }
                    };
                    arrive(to, moving.rename(apply)?)?;
                }
                if !staying.is_false() {
                    arrive(place, staying)?;
                }
            }
            places = next;
        }
        places.values().try_fold(self.manager.constant(false), |all, states| all.or(states))
    }
}
