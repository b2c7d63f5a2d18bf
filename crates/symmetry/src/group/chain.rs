//! The stabiliser chain of a permutation group.
//!
//! Level k has a base point, its orbit under the permutations that fix the base points before it, and for every point of
//! the orbit one permutation that leads there from the base point. So every element of the group is in exactly one way a
//! product of one of these per level, and sifting a permutation through the levels tells whether it is one.
//!
//! Source: C. Sims, "Computational methods in the study of permutation groups" (1970), in the incremental form of
//! D. Knuth, "Efficient representation of perm groups" (1991): a generator that is new at a level extends the orbit, and
//! by Schreier's lemma the products that lead back to the base point generate what fixes it.

use super::{Points, compose, inverse, is_identity};

/// One level of the chain.
#[derive(Clone, Debug)]
pub(crate) struct Level {
    /// The point that the levels below fix.
    base: u32,
    generators: Vec<Points>,
    orbit: Vec<u32>,
    /// By point, what leads there from the base point, if it is in the orbit.
    representatives: Vec<Option<Points>>,
}

impl Level {
    fn new(base: u32, points: usize) -> Self {
        let mut representatives = vec![None; points];
        representatives[base as usize] = Some((0..points as u32).collect());
        Level { base, generators: Vec::new(), orbit: vec![base], representatives }
    }

    /// Where the base point can go.
    pub fn orbit(&self) -> &[u32] {
        &self.orbit
    }

    /// What generates the permutations of this level.
    pub fn generators(&self) -> &[Points] {
        &self.generators
    }

    /// What leads from the base point to this one, if it is in the orbit.
    pub fn representative(&self, point: u32) -> Option<&Points> {
        self.representatives[point as usize].as_ref()
    }

    /// Which generators to add the images by, one after the other, to a set that what fixes the base point maps to itself,
    /// so that this level does as well: they lead from the base point to every point of the orbit.
    fn closing(&self) -> Vec<&Points> {
        let mut reached = vec![self.base];
        let mut closing = Vec::new();
        while reached.len() < self.orbit.len() {
            let before = reached.len();
            for generator in &self.generators {
                let images = reached.iter().map(|point| generator[*point as usize]);
                let new: Vec<u32> = images.filter(|image| !reached.contains(image)).collect();
                if !new.is_empty() {
                    reached.extend(new);
                    closing.push(generator);
                }
            }
            if reached.len() == before {
                break;
            }
        }
        closing
    }
}

/// A stabiliser chain; without levels it is that of the group that moves nothing.
#[derive(Clone, Debug, Default)]
pub(crate) struct Chain {
    levels: Vec<Level>,
}

impl Chain {
    pub fn levels(&self) -> &[Level] {
        &self.levels
    }

    /// Elements of the group, such that adding a set's images by one after the other, each time of all that there is, makes
    /// a set that the group maps to itself. For all permutations of n points they are n(n - 1)/2.
    pub fn closing(&self) -> Vec<&Points> {
        self.levels.iter().rev().flat_map(Level::closing).collect()
    }

    /// Whether a permutation is in the group.
    pub fn contains(&self, permutation: &[u32]) -> bool {
        self.contains_from(0, permutation)
    }

    fn contains_from(&self, from: usize, permutation: &[u32]) -> bool {
        let mut rest = permutation.to_vec();
        for level in &self.levels[from..] {
            match level.representative(rest[level.base as usize]) {
                Some(representative) => rest = compose(&inverse(representative), &rest),
                None => return false,
            }
        }
        is_identity(&rest)
    }

    pub fn add(&mut self, generator: &[u32]) {
        self.insert(0, generator.to_vec());
    }

    /// Adds a permutation that fixes the base points before this level.
    fn insert(&mut self, at: usize, permutation: Points) {
        if self.contains_from(at, &permutation) {
            return;
        }
        if at == self.levels.len() {
            let moved = (0..).zip(&permutation).find(|(point, image)| point != *image);
            let base = moved.map_or(0, |(point, _)| point);
            self.levels.push(Level::new(base, permutation.len()));
        }
        let level = &mut self.levels[at];
        level.generators.push(permutation);
        let (newest, known) = (level.generators.len() - 1, level.orbit.len());
        let mut next = 0;
        while next < self.levels[at].orbit.len() {
            let point = self.levels[at].orbit[next];
            // With the old generators, the old points have had their turn.
            let first = if next < known { newest } else { 0 };
            for generator in first..=newest {
                self.step(at, point, generator);
            }
            next += 1;
        }
    }

    /// Follows a generator from a point of the orbit: to a new point, or back to known ones.
    fn step(&mut self, at: usize, point: u32, generator: usize) {
        let level = &mut self.levels[at];
        let Some(way) = level.representative(point) else { return };
        let there = compose(&level.generators[generator], way);
        let image = there[level.base as usize];
        match level.representative(image) {
            Some(representative) => {
                let fixing = compose(&inverse(representative), &there);
                self.insert(at + 1, fixing);
            }
            None => {
                level.orbit.push(image);
                level.representatives[image as usize] = Some(there);
            }
        }
    }
}
