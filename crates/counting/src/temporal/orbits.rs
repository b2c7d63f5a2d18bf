//! Sets of orbits, as CTL needs them: by globals, diagrams of the multisets of local states.
//!
//! All steps between what was reached are found once. A step takes some elements out of a multiset and puts them back
//! elsewhere, and moves the others, each by itself. So its predecessors of a set are found the same way backwards: the
//! elements that it put are taken out, the others are moved back to wherever they may have come from, those that the step
//! does not do it to are left out, and the elements that it took are put back.

use std::collections::{BTreeMap, HashMap};

use burnside_logic::{Atom, StateSets};

use super::decide::Located;
use super::worlds::{World, number_of};
use crate::diagram::{Map, NONE, Set};
use crate::population::Population;
use crate::reach::{Deed, Found, Landing, Reach, Stopped, population};

/// Orbits by globals; none is the empty set.
pub(super) type Orbits = BTreeMap<u32, Set>;

/// The orbits of a world, and the steps between them.
pub(super) struct OrbitSets<'w, 'c> {
    reach: &'w mut Reach<'c>,
    world: &'w World,
    universe: Orbits,
    initial: Orbits,
    stuck: Orbits,
    steps: Vec<Taken>,
    conditions: HashMap<usize, Orbits>,
}

/// Something that a rule does in states with these globals.
struct Taken {
    rule: u32,
    globals: u32,
    deed: Deed,
}

impl<'w, 'c> OrbitSets<'w, 'c> {
    /// The sets of what was reached, from these start states.
    pub fn new(
        reach: &'w mut Reach<'c>,
        world: &'w World,
        starts: &[Population],
        conditions: HashMap<usize, Orbits>,
    ) -> Found<Self> {
        let universe = reach.reached.clone();
        let mut initial = Orbits::new();
        for start in starts {
            let one = reach.diagrams.single(&start.values())?;
            add(reach, &mut initial, start.globals, one)?;
        }
        let (mut steps, mut moving) = (Vec::new(), Orbits::new());
        for rule in 0..reach.rules.len() {
            for (globals, set) in &universe {
                reach.in_time()?;
                for deed in reach.deeds(*globals, *set, rule)? {
                    if deed.to.is_some() {
                        let from = reach.put(&deed.taken, deed.rest)?;
                        add(reach, &mut moving, *globals, from)?;
                        steps.push(Taken { rule: rule as u32, globals: *globals, deed });
                    }
                }
            }
        }
        let mut sets = OrbitSets { reach, world, stuck: Orbits::new(), universe, initial, steps, conditions };
        sets.stuck = sets.without(&sets.universe.clone(), &moving)?;
        Ok(sets)
    }

    fn without(&mut self, a: &Orbits, b: &Orbits) -> Found<Orbits> {
        let mut left = Orbits::new();
        for (globals, set) in a {
            let others = b.get(globals).copied().unwrap_or(NONE);
            let rest = self.reach.diagrams.minus(*set, others)?;
            if rest != NONE {
                left.insert(*globals, rest);
            }
        }
        Ok(left)
    }

    /// What may come before these states by a step.
    fn before(&mut self, step: usize, landing: &Landing, mut goal: Set) -> Found<Set> {
        let diagrams = &mut self.reach.diagrams;
        for local in &landing.moved {
            goal = diagrams.remove(*local, goal)?;
        }
        if !landing.goes.is_empty() {
            goal = diagrams.unmap(&landing.goes, goal, &mut Map::default())?;
        }
        let deed = &self.steps[step].deed;
        let rest = diagrams.both(goal, deed.rest)?;
        self.reach.put(&deed.taken, rest)
    }

    /// What comes after these states by a step.
    fn after(&mut self, step: usize, landing: &Landing, mut from: Set) -> Found<Set> {
        let deed = &self.steps[step].deed;
        for local in &deed.taken {
            from = self.reach.diagrams.remove(*local, from)?;
        }
        let rest = self.reach.diagrams.both(from, deed.rest)?;
        self.reach.land(landing, rest)
    }

    /// What is before or after some states by the steps of a rule, or of all; with those that stay as they are.
    fn image(&mut self, rule: Option<u32>, a: &Orbits, back: bool) -> Found<Orbits> {
        self.reach.in_time()?;
        self.reach.diagrams.forget();
        let stuck = self.stuck.clone();
        let mut found = if rule.is_none() { self.and(a, &stuck)? } else { Orbits::new() };
        for step in 0..self.steps.len() {
            let Taken { rule: by, globals, ref mut deed } = self.steps[step];
            if rule.is_some_and(|rule| rule != by) {
                continue;
            }
            // It is given back below.
            let Some(landing) = deed.to.take() else { continue };
            let (at, to) = if back { (landing.globals, globals) } else { (globals, landing.globals) };
            let set = match a.get(&at) {
                Some(set) if back => self.before(step, &landing, *set),
                Some(set) => self.after(step, &landing, *set),
                None => Ok(NONE),
            };
            self.steps[step].deed.to = Some(landing);
            add(self.reach, &mut found, to, set?)?;
        }
        Ok(found)
    }
}

fn add(reach: &mut Reach<'_>, to: &mut Orbits, globals: u32, set: Set) -> Found<()> {
    if set != NONE {
        let old = to.get(&globals).copied().unwrap_or(NONE);
        to.insert(globals, reach.diagrams.union(old, set)?);
    }
    Ok(())
}

impl StateSets for OrbitSets<'_, '_> {
    type Set = Orbits;
    type Error = Stopped;

    fn universe(&mut self) -> Found<Orbits> {
        Ok(self.universe.clone())
    }

    fn empty(&mut self) -> Found<Orbits> {
        Ok(Orbits::new())
    }

    fn initial(&mut self) -> Found<Orbits> {
        Ok(self.initial.clone())
    }

    fn and(&mut self, a: &Orbits, b: &Orbits) -> Found<Orbits> {
        let mut found = Orbits::new();
        for (globals, set) in a {
            let other = b.get(globals).copied().unwrap_or(NONE);
            let both = self.reach.diagrams.both(*set, other)?;
            if both != NONE {
                found.insert(*globals, both);
            }
        }
        Ok(found)
    }

    fn or(&mut self, a: &Orbits, b: &Orbits) -> Found<Orbits> {
        let mut found = a.clone();
        for (globals, set) in b {
            add(self.reach, &mut found, *globals, *set)?;
        }
        Ok(found)
    }

    fn not(&mut self, a: &Orbits) -> Found<Orbits> {
        let universe = self.universe.clone();
        self.without(&universe, a)
    }

    fn pre(&mut self, a: &Orbits) -> Found<Orbits> {
        self.image(None, a, true)
    }

    fn post(&mut self, a: &Orbits) -> Found<Orbits> {
        self.image(None, a, false)
    }

    fn pre_by(&mut self, agent: usize, a: &Orbits) -> Found<Orbits> {
        let rule = self.world.agents[agent].0;
        self.image(Some(rule), a, true)
    }

    fn atom(&mut self, atom: &Atom<'_>) -> Found<Orbits> {
        let known = number_of(atom.condition).and_then(|number| self.conditions.get(&number));
        Ok(known.cloned().unwrap_or_default())
    }

    fn is_empty(&mut self, a: &Orbits) -> Found<bool> {
        Ok(a.is_empty())
    }

    fn same(&mut self, a: &Orbits, b: &Orbits) -> Found<bool> {
        Ok(a == b)
    }

    fn pick(&mut self, a: &Orbits) -> Found<Option<Orbits>> {
        let Some(one) = self.population(a) else { return Ok(None) };
        let single = self.reach.diagrams.single(&one.values())?;
        Ok(Some(Orbits::from([(one.globals, single)])))
    }

    fn minus(&mut self, a: &Orbits, b: &Orbits) -> Found<Orbits> {
        self.without(a, b)
    }
}

impl Located for OrbitSets<'_, '_> {
    fn single(&mut self, start: &Population) -> Found<Orbits> {
        let one = self.reach.diagrams.single(&start.values())?;
        Ok(Orbits::from([(start.globals, one)]))
    }

    fn population(&self, one: &Orbits) -> Option<Population> {
        let (globals, set) = one.first_key_value()?;
        Some(population(*globals, &self.reach.diagrams.pick(*set)?, &[]))
    }
}

/// Mistakes, to test tests with.
#[cfg(test)]
impl OrbitSets<'_, '_> {
    pub fn others_stay(&mut self) {
        self.steps.iter_mut().filter_map(|step| step.deed.to.as_mut()).for_each(|to| to.goes.clear());
    }

    pub fn forget_guards(&mut self) {
        for step in &mut self.steps {
            let mut all = self.universe.get(&step.globals).copied().unwrap_or(NONE);
            for local in &step.deed.taken {
                all = self.reach.diagrams.remove(*local, all).unwrap_or(NONE);
            }
            step.deed.rest = all;
        }
    }

    pub fn forget_stuck(&mut self) {
        self.stuck.clear();
    }

    pub fn forget_step(&mut self) {
        self.steps.pop();
    }

    pub fn conditions_at_start(&mut self) {
        let initial = self.initial.clone();
        self.conditions.values_mut().for_each(|set| set.retain(|globals, _| initial.contains_key(globals)));
    }
}
