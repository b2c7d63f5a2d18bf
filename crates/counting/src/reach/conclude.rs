//! What holds of everything that was reached.

use burnside_model::Count;
use burnside_model::system::PropertyKind;

use super::{Found, Judged, Met, Reach, Reached, Seen, Told, population};
use crate::counters::Counting;
use crate::diagram::{Map, NONE, Set};
use crate::population::Population;
use crate::relevance::{Relevance, of_condition, of_property};

impl<'c> Reach<'c> {
    /// What holds of everything that was reached.
    pub(super) fn conclude(&mut self) -> Found<Reached> {
        let reached: Vec<(u32, Set)> = self.reached.iter().map(|(globals, set)| (*globals, *set)).collect();
        let mut counts = Map::default();
        let orbits = reached.iter().map(|(_, set)| self.diagrams.count(*set, &mut counts));
        let orbits = orbits.fold(Count::default(), |sum, count| sum + count);
        let mut findings = Reached { orbits, ..Reached::default() };
        for property in 0..self.counting.model.properties.len() {
            let judged = self.property(property, &reached)?;
            findings.judged.push(judged);
        }
        findings.stuck = self.stuck(&reached, false)?;
        if findings.stuck.is_some() {
            findings.disabled = self.stuck(&reached, true)?;
        }
        findings.wrong = std::mem::take(&mut self.wrong);
        findings.failed_starts = self.failed_starts.clone();
        findings.peak_nodes = self.diagrams.peak;
        Ok(findings)
    }

    /// A population in which a property does not hold (for a cover, in which it holds), and one in which it cannot be
    /// evaluated: the same property may do both, in different states.
    pub(crate) fn property(&mut self, property: usize, reached: &[(u32, Set)]) -> Found<Judged> {
        let Counting { model, parts, .. } = self.counting;
        let mut judged = Judged::default();
        if model.properties[property].condition.is_none() {
            return Ok(judged);
        }
        let cover = model.properties[property].kind == PropertyKind::Cover;
        let view = self.look_like(of_property(model, &parts.domains, property));
        for (globals, set) in reached {
            for (looks, set) in self.sort(view, *globals, *set)?.iter() {
                let population = Population { globals: *globals, counts: looks.clone() };
                let held = self.executor.holds(property, &population)?;
                let values = self.diagrams.pick(*set).unwrap_or_default();
                let population = self::population(*globals, &values, &[]);
                match held {
                    Err(fault) => judged.faulty = Some((population, fault)),
                    Ok(held) if (held == 0) != cover => judged.met = Some(population),
                    Ok(_) => {}
                }
            }
            if judged.met.is_some() && judged.faulty.is_some() {
                break;
            }
        }
        self.look_away();
        Ok(judged)
    }

    /// Where a condition without parameters holds, and one population where it cannot be evaluated, if there is one.
    pub(crate) fn condition(&mut self, property: usize, states: &[(u32, Set)]) -> Found<Told> {
        let Counting { model, parts, .. } = self.counting;
        let view = self.look_like(of_condition(model, &parts.domains, property));
        let mut told = Told::default();
        for (globals, set) in states {
            let values = self.diagrams.values(*set);
            for (_, targets) in self.choices(*globals, view, &values) {
                let Some(looks) = self.apart(*globals, *set, view, &targets)? else { continue };
                for (looks, rest) in looks.iter() {
                    match self.executor.holds(property, &population(*globals, &targets, looks))? {
                        Ok(0) => {}
                        Ok(_) => {
                            let with = self.put(&targets, *rest)?;
                            let old = told.holds.get(globals).copied().unwrap_or(NONE);
                            let all = self.diagrams.union(old, with)?;
                            told.holds.insert(*globals, all);
                        }
                        Err(fault) => {
                            let values = self.diagrams.pick(*rest).unwrap_or_default();
                            let population = population(*globals, &[&targets[..], &values].concat(), &[]);
                            told.unvalued = Some(Met { population, fault: Some(fault) });
                        }
                    }
                }
            }
        }
        self.look_away();
        Ok(told)
    }

    /// Looks at elements as a property does, which is numbered after the rules.
    pub(crate) fn look_like(&mut self, relevance: Relevance<'c>) -> usize {
        self.rules.push(Seen::new(self.counting, relevance));
        self.rules.len() - 1
    }

    /// Does so no longer.
    pub(crate) fn look_away(&mut self) {
        self.rules.pop();
        let rules = self.rules.len();
        self.sorted.retain(|(rule, ..), _| *rule < rules);
    }

    /// The local states in which a rule that sees nothing else lets an element do something; if not `any`, something that
    /// leads elsewhere.
    pub(super) fn movers(&mut self, globals: u32, set: Set, rule: usize, any: bool) -> Found<Vec<u32>> {
        let mut movers = Vec::new();
        for value in self.diagrams.values(set) {
            let effects = self.execute(rule, population(globals, &[value], &[]))?;
            if !effects.faults.is_empty() || effects.steps.iter().any(|effect| any || !effect.stutters) {
                movers.push(value);
            }
        }
        Ok(movers)
    }

    /// A population from which no step leads elsewhere; if `disabled`, where there is no step.
    pub(crate) fn stuck(&mut self, reached: &[(u32, Set)], disabled: bool) -> Found<Option<Population>> {
        for (globals, set) in reached {
            let mut left = *set;
            for rule in 0..self.rules.len() {
                if left == NONE {
                    break;
                }
                let unnamed = self.execute(rule, population(*globals, &[], &[]))?;
                if self.rules[rule].is_local() && unnamed.steps.is_empty() && unnamed.faults.is_empty() {
                    let moves = self.movers(*globals, left, rule, disabled)?;
                    left = self.diagrams.without(&moves, left, &mut Map::default())?;
                    continue;
                }
                for fired in self.fire(*globals, left, rule)? {
                    if disabled || !fired.stutters {
                        left = self.diagrams.minus(left, fired.from)?;
                    }
                }
            }
            if let Some(values) = self.diagrams.pick(left) {
                return Ok(Some(population(*globals, &values, &[])));
            }
        }
        Ok(None)
    }
}
