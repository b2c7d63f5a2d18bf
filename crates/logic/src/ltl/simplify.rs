//! Smaller automata for the same runs.
//!
//! Three steps, again and again until nothing changes: a transition goes that another does better (asks for less, belongs
//! to more acceptance sets, leads to the same state); states with the same transitions become one; states from which
//! nothing is accepted, and those that are not reached, go.

use std::collections::{BTreeMap, BTreeSet};

use super::automaton::{Buchi, Transition};

impl Buchi {
    /// The automaton, made smaller.
    pub(super) fn simplified(mut self) -> Buchi {
        loop {
            let before = self.clone();
            self.drop_worse();
            self.merge();
            self.trim();
            self.renumber();
            if self == before {
                return self;
            }
        }
    }

    fn drop_worse(&mut self) {
        let subset = |a: &[usize], b: &[usize]| a.iter().all(|x| b.contains(x));
        let better = |a: &Transition, b: &Transition| {
            subset(&a.missed, &b.missed) && a.guard.iter().all(|x| b.guard.contains(x))
        };
        for transitions in &mut self.states {
            transitions.sort_unstable_by(|a, b| (a.to, a).cmp(&(b.to, b)));
            transitions.dedup();
            let mut kept = Vec::new();
            for alike in transitions.chunk_by(|a, b| a.to == b.to) {
                let worse = |one: &Transition| alike.iter().any(|other| other != one && better(other, one));
                kept.extend(alike.iter().filter(|one| !worse(one)).cloned());
            }
            *transitions = kept;
        }
    }

    /// States with the same transitions accept the same runs.
    fn merge(&mut self) {
        let mut first: BTreeMap<&[Transition], usize> = BTreeMap::new();
        let targets: Vec<usize> = (self.states.iter().enumerate())
            .map(|(i, transitions)| *first.entry(transitions).or_insert(i))
            .collect();
        for transition in self.states.iter_mut().flatten() {
            transition.to = targets[transition.to];
        }
    }

    /// Keeps what is reached from the first state and leads to acceptance.
    fn trim(&mut self) {
        let useful = self.useful();
        for transitions in &mut self.states {
            transitions.retain(|transition| useful.contains(&transition.to));
        }
        let mut order = vec![0];
        let mut at = 0;
        while let Some(state) = order.get(at).copied() {
            at += 1;
            for transition in &self.states[state] {
                if !order.contains(&transition.to) {
                    order.push(transition.to);
                }
            }
        }
        let place = |state: usize| order.iter().position(|other| *other == state).unwrap_or(0);
        let renamed = |transition: &Transition| Transition { to: place(transition.to), ..transition.clone() };
        self.states = order.iter().map(|state| self.states[*state].iter().map(renamed).collect()).collect();
    }

    /// Forgets acceptance sets that every transition belongs to.
    fn renumber(&mut self) {
        let missed: BTreeSet<usize> = self.states.iter().flatten().flat_map(|t| t.missed.clone()).collect();
        let kept: Vec<usize> = missed.into_iter().collect();
        for transition in self.states.iter_mut().flatten() {
            let place = |set: &usize| kept.binary_search(set).unwrap_or(0);
            transition.missed = transition.missed.iter().map(place).collect();
        }
        self.acceptance = kept.len();
    }

    /// The states from which some run is accepted, whatever the atoms do.
    fn useful(&self) -> BTreeSet<usize> {
        let reach: Vec<BTreeSet<usize>> = (0..self.states.len()).map(|state| self.reached(state)).collect();
        let accepting = |state: usize| {
            let mutual = |other: usize| reach[state].contains(&other) && reach[other].contains(&state);
            let inside = self.states.iter().enumerate().filter(|(from, _)| mutual(*from));
            let inside: Vec<_> = inside.flat_map(|(_, all)| all).filter(|t| mutual(t.to)).collect();
            let visited = |set: usize| inside.iter().any(|t| !t.missed.contains(&set));
            !inside.is_empty() && (0..self.acceptance).all(visited)
        };
        let core: Vec<usize> = (0..self.states.len()).filter(|state| accepting(*state)).collect();
        (0..self.states.len())
            .filter(|state| core.iter().any(|goal| state == goal || reach[*state].contains(goal)))
            .collect()
    }

    /// The states reached in one step or more.
    fn reached(&self, from: usize) -> BTreeSet<usize> {
        let mut found = BTreeSet::new();
        let mut open = vec![from];
        while let Some(state) = open.pop() {
            for transition in &self.states[state] {
                if found.insert(transition.to) {
                    open.push(transition.to);
                }
            }
        }
        found
    }
}
