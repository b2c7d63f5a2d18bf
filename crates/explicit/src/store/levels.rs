//! What one thread does alone between levels: completing one, telling runs, and putting back what a checkpoint holds.
//!
//! The holes that are left when a level is complete are filled with its last states, so that its numbers have no gaps.

use std::collections::HashMap;
use std::sync::atomic::Ordering;

use super::{Full, Store, hash};

impl Store {
    /// The level that was being found is complete, all reserves given back: fills the holes, and gives the states that
    /// were renumbered for that.
    pub fn end_level(&mut self) -> HashMap<u64, u64> {
        let mut holes: Vec<u64> = std::mem::take(&mut *self.lock_holes()).into_iter().flatten().collect();
        holes.sort_unstable();
        let (from, mut end) = (self.found_from(), self.next.load(Ordering::Relaxed));
        let mut moved = HashMap::new();
        let mut words = vec![0; self.shape.words];
        let mut first = 0;
        while first < holes.len() {
            end -= 1;
            if holes.last() == Some(&end) {
                holes.pop();
                continue;
            }
            let hole = holes[first];
            first += 1;
            self.arena.read(end - self.arena_base, &mut words);
            self.arena.write(hole - self.arena_base, &words);
            if !self.shape.compact {
                self.table.renumber(hash(&words), end, hole);
                self.parents.renumber(end - from, hole - from);
            }
            moved.insert(end, hole);
        }
        self.next.store(end, Ordering::Relaxed);
        self.levels.push(end);
        if self.shape.compact {
            std::mem::swap(&mut self.arena, &mut self.expanding);
            self.arena.clear();
            self.arena_base = end;
        } else {
            self.parents.keep(end - from);
        }
        self.grant();
        moved
    }

    /// The states on the way from a start state to this one; in a compact store none.
    pub fn path(&self, state: u64) -> Vec<Vec<u64>> {
        let states = std::iter::successors(Some(state), |state| self.parents.get(*state));
        let mut path: Vec<_> = states
            .map(|state| {
                let mut words = vec![0; self.shape.words];
                self.read(state, &mut words);
                words
            })
            .collect();
        path.reverse();
        path
    }

    /// The parent of a state of a complete level; none of a start state.
    pub fn parent(&self, state: u64) -> Option<u64> {
        self.parents.get(state)
    }

    /// Begins to put back what a checkpoint holds: the levels first, then each state.
    pub fn restore_levels(&mut self, levels: Vec<u64>) {
        self.levels = levels;
        self.grant();
    }

    pub fn restore(&mut self, words: &[u64], parent: Option<u64>) -> Result<(), Full> {
        let index = *self.next.get_mut();
        if index >= self.granted {
            self.grow()?;
            self.grown();
        }
        self.arena.prepare(index, index + 1);
        self.arena.write(index, words);
        self.parents.restore(parent);
        *self.next.get_mut() = index + 1;
        Ok(())
    }

    /// All states are back: the table is to be filled.
    pub fn restored(&mut self) {
        self.grant();
        self.refilling = true;
    }
}
