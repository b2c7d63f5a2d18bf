//! How many of some functions hold at the states of a set, summed up over the states.
//!
//! One function at a time takes a conjunction with the whole set for each. Guards of many instances of a rule mostly speak of
//! a few bits each, so the set is gone through once with all of them: below a node, what counts is which functions are
//! left there, and that is mostly the same for all nodes of a level. Where it is not, fewer functions are taken at a time.

use std::collections::HashMap;
use std::rc::Rc;

use crate::bdd::{Bdd, Counter, Manager, Result};
use burnside_model::Count;

/// What is left of some functions below a node, each with how often it is among them.
type Rest = Vec<(Bdd, u64)>;

/// What is left of functions, and how many hold already.
fn rest(functions: impl IntoIterator<Item = (Bdd, u64)>) -> (Rest, u64) {
    let (mut rest, mut holding) = (Rest::new(), 0u64);
    for (function, times) in functions {
        if function.is_true() {
            holding = holding.saturating_add(times);
        } else if !function.is_false() {
            rest.push((function, times));
        }
    }
    rest.sort_unstable();
    rest.dedup_by(|(one, more), (other, times)| {
        let same = one == other;
        if same {
            *times = times.saturating_add(*more);
        }
        same
    });
    (rest, holding)
}

/// Functions that are left, by their number, and how many hold already.
type Left = (usize, u64);

/// What was left somewhere, its first level, and what is left of it when the first variable is true and when it is false.
type Seen = (Rc<Rest>, u32, Option<(Left, Left)>);

/// Goes through a set with some functions.
struct Walk<'w> {
    manager: &'w Manager,
    counter: &'w mut Counter,
    /// What was left of them somewhere.
    rests: Vec<Seen>,
    known: HashMap<Rc<Rest>, usize>,
    /// The sums for nodes with what is left there.
    sums: HashMap<(Bdd, usize), Count>,
    /// How many of them are too many.
    most: usize,
}

impl Walk<'_> {
    fn left(&mut self, functions: impl IntoIterator<Item = (Bdd, u64)>) -> Left {
        let (rest, holding) = rest(functions);
        if let Some(number) = self.known.get(&rest) {
            return (*number, holding);
        }
        let first = rest.iter().map(|(function, _)| self.level(function)).min().unwrap_or(u32::MAX);
        let rest = Rc::new(rest);
        self.rests.push((rest.clone(), first, None));
        self.known.insert(rest, self.rests.len() - 1);
        (self.rests.len() - 1, holding)
    }

    fn level(&self, function: &Bdd) -> u32 {
        function.top().map_or(u32::MAX, |var| self.manager.level(var))
    }

    /// What is left where the first variable is true, and where it is false.
    fn split(&mut self, number: usize) -> (Left, Left) {
        let (rest, first, known) = self.rests[number].clone();
        if let Some(known) = known {
            return known;
        }
        let (mut so, mut not) = (Vec::new(), Vec::new());
        for (function, times) in rest.iter() {
            let cofactors = function.cofactors().filter(|_| self.level(function) == first);
            let (one, other) = cofactors.unwrap_or_else(|| (function.clone(), function.clone()));
            so.push((one, *times));
            not.push((other, *times));
        }
        let both = (self.left(so), self.left(not));
        self.rests[number].2 = Some(both);
        both
    }

    /// The sum over the assignments of a set, unless that is too much to go through.
    fn sum(&mut self, set: &Bdd, (number, holding): Left) -> Option<Count> {
        if set.is_false() {
            return Some(Count::default());
        }
        let all = if holding == 0 { Count::default() } else { self.counter.count(set).times(holding) };
        let first = self.rests[number].1;
        if first == u32::MAX {
            return Some(all);
        }
        let key = (set.clone(), number);
        if let Some(sum) = self.sums.get(&key) {
            return Some(all + sum.clone());
        }
        if self.sums.len() >= self.most {
            return None;
        }
        let top = self.level(set);
        let (left_so, left_not) = if first <= top { self.split(number) } else { ((number, 0), (number, 0)) };
        let sets = if top <= first { set.cofactors() } else { None };
        let (so, not) = sets.unwrap_or_else(|| (set.clone(), set.clone()));
        // Both are counted over all variables, this one included, on which they do not depend: both are even.
        let sum = (self.sum(&so, left_so)? + self.sum(&not, left_not)?) >> 1;
        self.sums.insert(key, sum.clone());
        Some(all + sum)
    }
}

/// Sums up over a set's assignments how many of the functions hold, each counted as often as is said.
pub fn tally(manager: &Manager, counter: &mut Counter, set: &Bdd, functions: &[(Bdd, u64)]) -> Result<Count> {
    let (one, other) = match functions {
        [] => return Ok(Count::default()),
        [(function, times)] => return Ok(counter.count(&set.and(function)?).times(*times)),
        _ => functions.split_at(functions.len() / 2),
    };
    let most = MOST_PER_NODE * set.size().max(FEW_NODES);
    let mut walk = Walk {
        manager,
        counter: &mut *counter,
        rests: Vec::new(),
        known: HashMap::new(),
        sums: HashMap::new(),
        most,
    };
    let all = walk.left(functions.iter().cloned());
    match walk.sum(set, all) {
        Some(sum) => Ok(sum),
        None => Ok(tally(manager, counter, set, one)? + tally(manager, counter, set, other)?),
    }
}

/// More sums than this per node of the set are too many.
const MOST_PER_NODE: usize = 4;
/// A set with fewer nodes counts as one with so many.
const FEW_NODES: usize = 1 << 8;

#[cfg(test)]
mod tests {
    use super::tally;
    use crate::bdd::{Bdd, Counter, Manager};
    use burnside_model::Count;

    /// Against one conjunction each, on functions that have little, and functions that have much to do with each other.
    #[test]
    fn as_many_as_one_by_one() {
        let bits = 12;
        let manager = Manager::new(bits, 1 << 24);
        let mut seed = 1u64;
        let mut random = |below: u64| {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            (seed >> 33) % below
        };
        for round in 0..40 {
            let mut function = |cubes: u64, literals: u64| {
                (0..cubes).fold(manager.constant(false), |all: Bdd, _| {
                    let mut of: Vec<(u32, bool)> = Vec::new();
                    for _ in 0..literals {
                        let var = random(bits as u64) as u32;
                        if of.iter().all(|(other, _)| *other != var) {
                            of.push((var, random(2) == 1));
                        }
                    }
                    all.or(&manager.cube(of).unwrap()).unwrap()
                })
            };
            let set = function(20, 8);
            let (cubes, literals) = if round % 2 == 0 { (1, 2) } else { (8, 6) };
            let functions: Vec<(Bdd, u64)> =
                (0..40).map(|times| (function(cubes, literals), times % 3 + 1)).collect();
            let mut counter = Counter::new(bits);
            let found = tally(&manager, &mut counter, &set, &functions).unwrap();
            let each = functions.iter().map(|(f, times)| set.and(f).unwrap().count(bits).times(*times));
            assert_eq!(found, each.fold(Count::default(), |sum, more| sum + more));
        }
    }
}
