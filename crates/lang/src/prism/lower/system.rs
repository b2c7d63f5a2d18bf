//! The composition of modules as a flat list of synchronisations.
//!
//! A composition is a set of synchronisations by action, and an alphabet. Two compositions that share an action make every
//! pair of their synchronisations one with the slots of both; hiding takes the name away; renaming changes it.

use std::collections::{BTreeMap, BTreeSet};

use burnside_model::chance::Synchronisation;

use super::super::ast::{self, System};
use super::{Instance, Lower, error};
use crate::diag::codes;
use crate::tokens::Read;

/// Slots by action; steps without a name are under none.
struct Composed {
    alphabet: BTreeSet<String>,
    steps: BTreeMap<Option<String>, Vec<Vec<Vec<u32>>>>,
}

impl<'a> Lower<'a> {
    /// Composes the modules, as the model says or all in parallel.
    pub(super) fn synchronise(&mut self, tree: &'a ast::Model, modules: &[Instance]) -> Read<()> {
        let mut parts = Vec::new();
        for module in modules {
            let mut steps: BTreeMap<Option<String>, Vec<Vec<Vec<u32>>>> = BTreeMap::new();
            for (action, command) in &module.commands {
                let id = self.model.commands.len() as u32;
                self.model.commands.push(command.clone());
                let of_action = steps.entry(action.clone()).or_insert_with(|| vec![vec![Vec::new()]]);
                of_action[0][0].push(id);
            }
            parts.push(Some(Composed { alphabet: module.alphabet.clone(), steps }));
        }
        let composed = match &tree.system {
            None => parts.into_iter().flatten().reduce(full),
            Some(system) => {
                let composed = self.compose(system, tree, &mut parts)?;
                if let Some(left) = parts.iter().position(Option::is_some) {
                    let name = &tree.modules[left].name;
                    let message = format!("module `{}` is not in `system … endsystem`", name.text);
                    return Err(error(codes::BAD_COMPOSITION, name.span, message));
                }
                Some(composed)
            }
        };
        let Some(composed) = composed else { return Ok(()) };
        self.model.actions = composed.steps.keys().flatten().cloned().collect();
        for (action, groups) in composed.steps {
            let action = action.and_then(|name| self.model.actions.iter().position(|known| *known == name));
            for slots in groups {
                self.model.synchronisations.push(Synchronisation { action: action.map(|a| a as u32), slots });
            }
        }
        Ok(())
    }

    fn compose(&self, system: &System, tree: &ast::Model, parts: &mut [Option<Composed>]) -> Read<Composed> {
        match system {
            System::Module(name) => {
                let Some(index) = tree.modules.iter().position(|module| module.name.text == name.text) else {
                    let message = format!("there is no module `{}`", name.text);
                    return Err(error(codes::UNKNOWN_NAME, name.span, message));
                };
                parts[index].take().ok_or_else(|| {
                    let message = format!("module `{}` is in `system … endsystem` twice", name.text);
                    error(codes::BAD_COMPOSITION, name.span, message)
                })
            }
            System::Full(all) => self.join(all, tree, parts, full),
            System::Interleaved(all) => self.join(all, tree, parts, |a, b| parallel(a, b, &BTreeSet::new())),
            System::Parallel(actions, both) => {
                let left = self.compose(&both[0], tree, parts)?;
                let right = self.compose(&both[1], tree, parts)?;
                let shared = actions.iter().map(|name| name.text.clone()).collect();
                Ok(parallel(left, right, &shared))
            }
            System::Hide(inner, actions) => {
                let mut found = self.compose(inner, tree, parts)?;
                for action in actions {
                    found.alphabet.remove(&action.text);
                    if let Some(steps) = found.steps.remove(&Some(action.text.clone())) {
                        found.steps.entry(None).or_default().extend(steps);
                    }
                }
                Ok(found)
            }
            System::Rename(inner, pairs) => {
                let found = self.compose(inner, tree, parts)?;
                let renamed = |name: &String| {
                    let pair = pairs.iter().find(|(from, _)| from.text == *name);
                    pair.map_or_else(|| name.clone(), |(_, to)| to.text.clone())
                };
                let alphabet = found.alphabet.iter().map(renamed).collect();
                let mut steps: BTreeMap<_, Vec<_>> = BTreeMap::new();
                for (action, groups) in found.steps {
                    steps.entry(action.as_ref().map(renamed)).or_default().extend(groups);
                }
                Ok(Composed { alphabet, steps })
            }
        }
    }

    fn join(
        &self,
        all: &[System],
        tree: &ast::Model,
        parts: &mut [Option<Composed>],
        with: impl Fn(Composed, Composed) -> Composed,
    ) -> Read<Composed> {
        let mut found = self.compose(&all[0], tree, parts)?;
        for system in &all[1..] {
            found = with(found, self.compose(system, tree, parts)?);
        }
        Ok(found)
    }
}

fn full(a: Composed, b: Composed) -> Composed {
    let shared = a.alphabet.intersection(&b.alphabet).cloned().collect();
    parallel(a, b, &shared)
}

fn parallel(a: Composed, mut b: Composed, shared: &BTreeSet<String>) -> Composed {
    let mut steps: BTreeMap<Option<String>, Vec<Vec<Vec<u32>>>> = BTreeMap::new();
    for (action, groups) in a.steps {
        if action.as_ref().is_some_and(|name| shared.contains(name)) {
            let others = b.steps.remove(&action).unwrap_or_default();
            let pairs = groups
                .iter()
                .flat_map(|left| others.iter().map(move |right| [&left[..], &right[..]].concat()));
            steps.entry(action.clone()).or_default().extend(pairs);
        } else {
            steps.entry(action).or_default().extend(groups);
        }
    }
    for (action, groups) in b.steps {
        // A shared action that only one side can take is blocked.
        if !action.as_ref().is_some_and(|name| shared.contains(name)) {
            steps.entry(action).or_default().extend(groups);
        }
    }
    let alphabet = a.alphabet.union(&b.alphabet).cloned().collect();
    Composed { alphabet, steps }
}
