//! Dense subsets: few nodes, many states.
//!
//! From the top of a diagram down, one branch is left out at each node, until what is left has few enough nodes. Which
//! one is kept: the one with more states ([`Choice::Heavy`], the heavy branch of K. Ravi and F. Somenzi, "High-density
//! reachability analysis", 1995), or either by chance ([`Choice::Random`]).

use crate::bdd::{Bdd, Manager, Result};

/// Which branch is kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Choice {
    /// That with more states.
    Heavy,
    /// Either, by chance; the same each time the search is repeated.
    Random,
}

/// How much of a frontier is stepped from at a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Under {
    /// At first, as much as has so many nodes.
    pub nodes: usize,
    /// How that is chosen.
    pub choice: Choice,
}

/// Takes subsets, with a budget that grows so that in the end nothing is left out.
pub struct Subsetter {
    budget: usize,
    choice: Choice,
    seed: u64,
}

impl Subsetter {
    pub fn new(under: Under) -> Self {
        Subsetter { budget: under.nodes.max(1), choice: under.choice, seed: 0x9e37_79b9_7f4a_7c15 }
    }

    /// A part of a set, not empty unless the set is; all of it if it has few nodes.
    pub fn take(&mut self, manager: &Manager, set: &Bdd) -> Result<Bdd> {
        let variables = manager.variable_count();
        let (mut part, mut literals) = (set.clone(), Vec::new());
        while part.size() > self.budget {
            let (Some(var), Some((so, not))) = (part.top(), part.cofactors()) else { break };
            let keep = match self.choice {
                _ if so.is_false() => false,
                _ if not.is_false() => true,
                Choice::Heavy => so.count(variables) >= not.count(variables),
                Choice::Random => self.toss(),
            };
            literals.push((var, keep));
            part = if keep { so } else { not };
        }
        if literals.is_empty() {
            return Ok(part);
        }
        self.budget += self.budget / 8 + 1;
        part.and(&manager.cube(literals)?)
    }

    fn toss(&mut self) -> bool {
        self.seed ^= self.seed << 13;
        self.seed ^= self.seed >> 7;
        self.seed ^= self.seed << 17;
        self.seed >> 32 & 1 == 1
    }
}

#[cfg(test)]
mod tests {
    use super::{Choice, Subsetter, Under};
    use crate::bdd::Manager;

    /// Parts are parts, are small, and what is left ends up empty.
    #[test]
    fn a_set_is_taken_part_by_part() {
        for choice in [Choice::Heavy, Choice::Random] {
            let manager = Manager::new(24, 1 << 24);
            let mut set = manager.constant(false);
            for pair in 0..12 {
                let both = manager.var(pair).unwrap().and(&manager.var(pair + 12).unwrap()).unwrap();
                set = set.xor(&both).unwrap();
            }
            let mut subsetter = Subsetter::new(Under { nodes: 20, choice });
            let (mut left, mut parts, mut before) = (set.clone(), 0, 20);
            while !left.is_false() {
                let part = subsetter.take(&manager, &left).unwrap();
                assert!(!part.is_false() && part.implies(&left).unwrap());
                // The path to what was kept comes on top of it.
                assert!(part.size() <= before + 24, "{} of {}", part.size(), left.size());
                left = left.minus(&part).unwrap();
                before = subsetter.budget;
                parts += 1;
            }
            assert!(parts > 3 && before > 20, "{choice:?}: {parts}");
        }
    }
}
