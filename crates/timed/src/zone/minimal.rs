//! The fewest constraints that give a zone.
//!
//! Source: K. G. Larsen, F. Larsson, P. Pettersson, W. Yi, *Efficient verification of real-time systems: compact data
//! structure and state-space reduction* (RTSS 1997). Clocks at a fixed distance of each other form classes. Within a class
//! a cycle of constraints is enough; between the first clocks of classes, a constraint that follows from two others is
//! left out. That clocks are not negative needs no constraint.

use super::bound::Bound;
use super::dbm::{Constraint, Zone};

impl Zone {
    /// A smallest set of constraints that gives this zone out of all points. It depends on the zone only. For the empty
    /// zone it is one contradiction.
    pub fn minimal_constraints(&self) -> Vec<Constraint> {
        if self.is_empty() {
            return vec![Constraint::new(0, 0, Bound::LT_ZERO)];
        }
        let mut constraints = Vec::new();
        let firsts = self.cycles(&mut constraints);
        // What makes one constraint superfluous often does so for the next in its row or column.
        let mut last_of_column = vec![0; self.dimension()];
        for &left in &firsts {
            let row = self.row(left);
            let mut last = 0;
            for &right in firsts.iter().filter(|right| **right != left && !row[**right].is_infinite()) {
                let bound = row[right];
                let follows =
                    |via: usize| via != left && via != right && row[via] + self.at(via, right) <= bound;
                if follows(last)
                    || follows(last_of_column[right])
                    || (left == 0 && self.follows_from_sign(right))
                {
                    continue;
                }
                match firsts.iter().find(|via| follows(**via)) {
                    Some(via) => (last, last_of_column[right]) = (*via, *via),
                    None => constraints.push(Constraint::new(left, right, bound)),
                }
            }
        }
        constraints
    }

    /// Whether the lower bound of a clock is that a clock of its class is not negative.
    fn follows_from_sign(&self, clock: usize) -> bool {
        self.row(0)
            .iter()
            .enumerate()
            .any(|(other, bound)| *bound == Bound::LE_ZERO && self.fixed(clock, other))
    }

    /// Whether two clocks are at a fixed distance.
    fn fixed(&self, a: usize, b: usize) -> bool {
        self.at(a, b) + self.at(b, a) == Bound::LE_ZERO
    }

    /// Adds a cycle of constraints for each class of clocks at fixed distances; the first clock of each class.
    fn cycles(&self, constraints: &mut Vec<Constraint>) -> Vec<usize> {
        let mut firsts: Vec<usize> = Vec::new();
        // The last clock of each class so far.
        let mut lasts: Vec<usize> = Vec::new();
        let mut link = |left: usize, right: usize| {
            let bound = self.at(left, right);
            if left != 0 || bound != Bound::LE_ZERO {
                constraints.push(Constraint::new(left, right, bound));
            }
        };
        for clock in 0..self.dimension() {
            match firsts.iter().position(|first| self.fixed(*first, clock)) {
                Some(class) => link(std::mem::replace(&mut lasts[class], clock), clock),
                None => {
                    firsts.push(clock);
                    lasts.push(clock);
                }
            }
        }
        for (first, last) in firsts.iter().zip(&lasts).filter(|(first, last)| first != last) {
            link(*last, *first);
        }
        firsts
    }
}
