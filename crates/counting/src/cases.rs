//! What rules do to reached populations, and what properties say of them, case by case: the content of a program that
//! counts. A case is told by the elements that a rule names or follows, the globals, and how many others look how.

use std::collections::{BTreeMap, BTreeSet};

use burnside_model::Model;
use burnside_model::code::{Cell, Part, PlaceKind};
use burnside_model::system::Binder;

use crate::diagram::Set;
use crate::population::DOMAIN_SHIFT;
use crate::reach::{Found, Looks, Reach, Stopped, names, population, same};
use crate::relevance::{of_condition, of_property};
use crate::rows::{Class, Interval, Outcome, Row};

/// One way in which a rule instance ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    Step {
        /// The globals that change, by position, and their values afterwards.
        changes: Vec<(usize, Cell)>,
        /// Where the named and followed elements go, in ascending order.
        moves: Vec<(u32, u32)>,
        /// Where the others go, as far as there are any.
        others: BTreeMap<u32, u32>,
        /// Whether it leads back to the very same state.
        stutters: bool,
    },
    /// An assumption excludes where it leads.
    Dropped,
    Fault(String),
}

impl Outcome for Vec<Action> {
    fn with(&self, other: &Self) -> Option<Self> {
        if self.len() != other.len() {
            return None;
        }
        self.iter().zip(other).map(|(a, b)| a.with(b)).collect()
    }
}

impl Outcome for Action {
    fn with(&self, other: &Self) -> Option<Self> {
        let (mut both, mut theirs) = (self.clone(), other.clone());
        if let (Action::Step { others, .. }, Action::Step { others: more, .. }) = (&mut both, &mut theirs) {
            if more.iter().any(|(from, to)| others.get(from).is_some_and(|known| known != to)) {
                return None;
            }
            others.append(&mut more.clone());
            *more = others.clone();
        }
        (both == theirs).then_some(both)
    }
}

/// What a property says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Said {
    Holds(bool),
    /// It cannot be evaluated.
    Fault,
}

impl Outcome for Said {
    fn with(&self, other: &Self) -> Option<Self> {
        (self == other).then(|| self.clone())
    }
}

/// The most ways in which elements that are not named may look that are listed.
const MOST_WAYS: usize = 700;

/// The named elements, those together with the followed ones, and the globals.
pub(crate) type Key = (Vec<u32>, Vec<u32>, u32);

impl Reach<'_> {
    /// The cases of a rule in states with these globals.
    pub(crate) fn cases(
        &mut self,
        globals: u32,
        set: Set,
        rule: usize,
        locals: &[u32],
        cases: &mut Vec<(Key, Row<Vec<Action>>)>,
    ) -> Found<()> {
        let values = self.diagrams.values(set);
        for (named, targets) in self.choices(globals, rule, &values) {
            let mut taken = named.clone();
            taken.extend(targets.iter().filter(|target| !named.contains(target)));
            let Some(sorted) = self.apart(globals, set, rule, &taken)? else { continue };
            let blind = self.rules[rule].is_blind();
            let classes = if blind { Vec::new() } else { self.classes(rule, globals, locals) };
            taken.sort_unstable();
            let mut add = |reach: &mut Self, looks: &Looks, values: &[u32]| -> Found<()> {
                let outcome = reach.actions(globals, rule, (&named, &targets), looks, values)?;
                let numbers = reach.numbers(&classes, looks);
                cases.push(((named.clone(), taken.clone(), globals), Row { numbers, outcome }));
                Ok(())
            };
            for (looks, rest) in sorted.iter() {
                let values = self.diagrams.values(*rest);
                add(self, looks, &values)?;
            }
            if blind {
                continue;
            }
            for looks in self.unreached(rule, globals, &taken, &classes, &sorted) {
                let values: Vec<u32> = (classes.iter())
                    .filter(|(look, _)| looks.iter().any(|(other, _)| other == look))
                    .flat_map(|(_, class)| class.iter().copied())
                    .collect();
                // What is not reached need not make sense.
                match add(self, &looks, &values) {
                    Err(Stopped::Uneven) => {}
                    other => other?,
                }
            }
        }
        Ok(())
    }

    /// What a rule does where it names these elements and follows pointers to those.
    fn actions(
        &mut self,
        globals: u32,
        rule: usize,
        (named, targets): (&[u32], &[u32]),
        looks: &Looks,
        values: &[u32],
    ) -> Found<Vec<Action>> {
        let mut taken = named.to_vec();
        taken.extend(targets.iter().filter(|target| !named.contains(target)));
        let effects = self.execute(rule, population(globals, &taken, looks))?;
        let mut actions = Vec::new();
        for (_, fault) in effects.faults.iter().filter(|(before, _)| same(before, named)) {
            actions.push(Action::Fault(fault.fault.message.clone()));
        }
        for effect in effects.steps.iter().filter(|effect| names(effect, named)) {
            let Some(after) = effect.globals else {
                actions.push(Action::Dropped);
                continue;
            };
            let mut moves = effect.named.clone();
            moves.extend(targets.iter().filter(|t| !named.contains(t)).map(|t| (*t, effect.goes(*t))));
            moves.sort_unstable();
            let others = match self.rules[rule].loops() {
                true => self.others(globals, rule, &taken, looks, effect, values)?.into_iter().collect(),
                false => BTreeMap::new(),
            };
            let register = &self.counting.register;
            let (before, after) = (register.globals(globals), register.globals(after));
            let changes =
                before.iter().zip(after).enumerate().filter(|(_, (before, after))| *before != after);
            let changes = changes.map(|(at, (_, after))| (at, after)).collect();
            actions.push(Action::Step { changes, moves, others, stutters: effect.stutters });
        }
        Ok(actions)
    }

    /// What a property says of states with these globals.
    pub(crate) fn verdicts(
        &mut self,
        globals: u32,
        set: Set,
        property: usize,
        locals: &[u32],
        cases: &mut Vec<(Key, Row<Said>)>,
    ) -> Found<()> {
        let (model, domains) = (self.counting.model, &self.counting.parts.domains);
        let binders = &model.properties[property].binders;
        let relevance = match binders.iter().all(|binder| matches!(binder, Binder::Alias(..))) {
            true => of_condition(model, domains, property),
            false => of_property(model, domains, property),
        };
        let view = self.look_like(relevance);
        let classes = match self.rules[view].is_blind() {
            true => Vec::new(),
            false => self.classes(view, globals, locals),
        };
        let values = self.diagrams.values(set);
        for (_, mut taken) in self.choices(globals, view, &values) {
            let Some(sorted) = self.apart(globals, set, view, &taken)? else { continue };
            taken.sort_unstable();
            let more = match self.rules[view].is_blind() {
                true => Vec::new(),
                false => self.unreached(view, globals, &taken, &classes, &sorted),
            };
            for looks in sorted.iter().map(|(looks, _)| looks).chain(&more) {
                let outcome = match self.executor.holds(property, &population(globals, &taken, looks))? {
                    Ok(held) => Said::Holds(held > 0),
                    Err(_) => Said::Fault,
                };
                let numbers = self.numbers(&classes, looks);
                cases.push(((Vec::new(), taken.clone(), globals), Row { numbers, outcome }));
            }
        }
        self.look_away();
        Ok(())
    }

    /// How else elements could look that are not taken: so that conditions say what the model says, and not only what is
    /// reached. Nothing if there are too many ways.
    fn unreached(
        &self,
        view: usize,
        globals: u32,
        taken: &[u32],
        classes: &[(u32, Class)],
        sorted: &[(Looks, Set)],
    ) -> Vec<Looks> {
        let (counting, most) = (self.counting, self.many as usize + 1);
        let ways =
            classes.iter().try_fold(1usize, |ways, _| ways.checked_mul(most).filter(|n| *n <= MOST_WAYS));
        if ways.is_none() {
            return Vec::new();
        }
        let mut all: Vec<Looks> = vec![Looks::new()];
        for (look, _) in classes {
            let with = |looks: &Looks| {
                let (looks, look) = (looks.clone(), *look);
                (1..=self.many).map(move |count| [&looks[..], &[(look, count)]].concat())
            };
            let more: Vec<Looks> = all.iter().flat_map(with).collect();
            all.extend(more);
        }
        let sizes = counting.parts.domains.iter().map(|domain| counting.model.types.domain(*domain).size);
        let sizes: Vec<u32> = sizes.collect();
        all.retain(|looks| {
            let full = sizes.iter().enumerate().all(|(domain, size)| {
                let of = |local: u32| domain_of(local) == domain;
                let taken = taken.iter().filter(|local| of(**local)).count() as u32;
                let counts = looks.iter().filter(|(look, _)| of(*look)).map(|(_, count)| *count);
                let (sum, open) = counts.fold((taken, false), |(n, o), c| (n + c, o || c >= self.many));
                sum == *size || open && sum < *size
            });
            full && self.rules[view].is_consistent(counting, globals, taken, looks)
        });
        all.retain(|looks| sorted.iter().all(|(known, _)| known != looks));
        all
    }

    /// The local states by how they look.
    fn classes(&mut self, view: usize, globals: u32, locals: &[u32]) -> Vec<(u32, Class)> {
        let mut classes: BTreeMap<u32, Class> = BTreeMap::new();
        for local in locals {
            let look = self.rules[view].look(self.counting, globals, *local);
            classes.entry(look).or_default().push(*local);
        }
        classes.into_iter().collect()
    }

    fn numbers(&self, classes: &[(u32, Class)], looks: &[(u32, u32)]) -> BTreeMap<Class, Interval> {
        let interval = |look: &u32| match looks.iter().find(|(other, _)| other == look) {
            Some((_, count)) if *count >= self.many => (*count, u32::MAX),
            Some((_, count)) => (*count, *count),
            None => (0, 0),
        };
        classes.iter().map(|(look, class)| (class.clone(), interval(look))).collect()
    }
}

/// The variables that these parts mention, also in functions that they call.
pub(crate) fn mentioned<'m>(model: &'m Model, mut todo: Vec<Part<'m>>) -> BTreeSet<u32> {
    let (mut globals, mut functions) = (BTreeSet::new(), BTreeSet::new());
    while let Some(part) = todo.pop() {
        match part {
            Part::Place(place) => {
                if let PlaceKind::Global(global) = place.kind {
                    globals.insert(global.0);
                }
            }
            Part::Call(call) if functions.insert(call.function) => {
                todo.extend(Part::of_function(&model.functions[call.function as usize]));
            }
            _ => {}
        }
        todo.extend(part.parts());
    }
    globals
}

/// The domain of a local state.
pub(crate) fn domain_of(local: u32) -> usize {
    (local >> DOMAIN_SHIFT) as usize
}
