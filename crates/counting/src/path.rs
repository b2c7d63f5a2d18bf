//! Runs to what was found.
//!
//! Breadth-first, one step at a time, every level kept; then backwards, halving what may come before until one population
//! is left. So a run is a shortest one.

use std::collections::BTreeMap;

use crate::diagram::{NONE, Set, UNIT};
use crate::population::Population;
use crate::reach::{Found, Reach, population};

/// The states of one level, by globals.
type Level = BTreeMap<u32, Set>;

/// Where a run is to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// Where a property does not hold; for a cover, where it holds.
    Property(usize),
    /// Where a property cannot be evaluated.
    PropertyFault(usize),
    /// Where a condition without parameters cannot be evaluated.
    Unvalued(usize),
    /// Where no rule leads elsewhere; with `true`, where no rule is enabled.
    Stuck(bool),
    /// Where this rule goes wrong.
    Fault(u32),
}

impl Reach<'_> {
    /// A shortest run to where the goal is, as populations; nothing if there is none.
    pub fn path(&mut self, goal: Goal) -> Found<Option<Vec<Population>>> {
        self.forget()?;
        let mut levels: Vec<Level> = vec![std::mem::take(&mut self.todo)];
        loop {
            let Some(level) = levels.last().cloned() else { return Ok(None) };
            if level.is_empty() {
                return Ok(None);
            }
            for (globals, set) in &level {
                let reached = self.reached.get(globals).copied().unwrap_or(NONE);
                let all = self.diagrams.union(reached, *set)?;
                self.reached.insert(*globals, all);
            }
            let states: Vec<_> = level.iter().map(|(globals, set)| (*globals, *set)).collect();
            if let Some(end) = self.at(goal, &states)? {
                return self.back(&levels, end).map(Some);
            }
            let next = self.next(&level)?;
            levels.push(next);
        }
    }

    /// A population of these where the goal is.
    fn at(&mut self, goal: Goal, states: &[(u32, Set)]) -> Found<Option<Population>> {
        match goal {
            Goal::Property(property) => Ok(self.property(property, states)?.met),
            Goal::PropertyFault(property) => {
                Ok(self.property(property, states)?.faulty.map(|(population, _)| population))
            }
            Goal::Unvalued(property) => {
                Ok(self.condition(property, states)?.unvalued.map(|met| met.population))
            }
            Goal::Stuck(disabled) => self.stuck(states, disabled),
            Goal::Fault(rule) => {
                self.wrong.clear();
                for (globals, set) in states {
                    self.fire(*globals, *set, rule as usize)?;
                }
                Ok(self.wrong.pop().map(|wrong| wrong.population))
            }
        }
    }

    /// What is one step further and new.
    fn next(&mut self, level: &Level) -> Found<Level> {
        let mut next = Level::new();
        for (globals, set) in level {
            for rule in 0..self.rules.len() {
                self.in_time()?;
                for fired in self.fire(*globals, *set, rule)? {
                    let Some((globals, set)) = fired.to else { continue };
                    let known = self.reached.get(&globals).copied().unwrap_or(NONE);
                    let new = self.diagrams.minus(set, known)?;
                    if new != NONE {
                        let old = next.get(&globals).copied().unwrap_or(NONE);
                        let all = self.diagrams.union(old, new)?;
                        next.insert(globals, all);
                    }
                }
            }
        }
        Ok(next)
    }

    /// The run to this population of the last level.
    fn back(&mut self, levels: &[Level], end: Population) -> Found<Vec<Population>> {
        let mut run = vec![end];
        for level in levels.iter().rev().skip(1) {
            let after = &run[run.len() - 1];
            let target = (after.globals, self.diagrams.single(&after.values())?);
            let mut found = None;
            for (globals, set) in level {
                for rule in 0..self.rules.len() {
                    if found.is_none() && self.leads(*globals, *set, rule, target)? {
                        found = Some((*globals, self.narrow(*globals, *set, rule, target)?));
                    }
                }
            }
            let Some((globals, values)) = found else { break };
            run.push(population(globals, &values, &[]));
        }
        run.reverse();
        Ok(run)
    }

    /// Whether a rule leads from one of these states to the target.
    fn leads(&mut self, globals: u32, set: Set, rule: usize, target: (u32, Set)) -> Found<bool> {
        for fired in self.fire(globals, set, rule)? {
            if let Some((after, to)) = fired.to
                && after == target.0
                && self.diagrams.minus(target.1, to)? == NONE
            {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// One of the states from which a rule leads to the target; there is one.
    fn narrow(&mut self, globals: u32, set: Set, rule: usize, target: (u32, Set)) -> Found<Vec<u32>> {
        let (mut values, mut rest) = (Vec::new(), set);
        while rest != UNIT {
            let Some((value, down, right)) = self.diagrams.open(rest) else { break };
            values.push(value);
            let mut first = down;
            for value in values.iter().rev() {
                first = self.diagrams.node(*value, first, NONE)?;
            }
            if right == NONE || self.leads(globals, first, rule, target)? {
                rest = down;
            } else {
                values.pop();
                rest = right;
            }
        }
        Ok(values)
    }
}
