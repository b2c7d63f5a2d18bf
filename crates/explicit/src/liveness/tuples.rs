//! Tuples of arguments of a property, and what renamings make of them.

use std::collections::HashMap;

use burnside_model::Limit;
use burnside_model::code::{Cell, DomainId, LoopRange, Types};
use burnside_model::system::{Binder, TimeUp};

use super::graph::{Graph, Label};
use super::{States, parameters};
use crate::Indexed;

/// The tuples of arguments of a property: closed under the renamings that occur.
pub(super) struct Tuples {
    /// The tuples, by number.
    pub list: Vec<Vec<Cell>>,
    /// The number of each.
    pub numbers: HashMap<Vec<Cell>, u32>,
    /// Per renaming and tuple, the tuple that it renames to that one.
    pub before: Vec<Vec<u32>>,
}

impl Tuples {
    /// All tuples that are an instance in some state, or become one by renaming.
    pub fn collect<S: Indexed>(
        system: &mut S,
        store: &mut States<'_>,
        graph: &Graph,
        property: usize,
    ) -> Result<Tuples, Limit> {
        let stated = &system.model().properties[property];
        let fixed = stated
            .binders
            .iter()
            .all(|b| matches!(b, Binder::Each(each) if matches!(each.range, LoopRange::Type(_))));
        let parameters = parameters(system.model(), stated);
        let types = system.model().types.clone();
        let mut tuples = Tuples { list: Vec::new(), numbers: HashMap::new(), before: Vec::new() };
        let mut state = Vec::new();
        for id in 0..if fixed { store.len().min(1) } else { store.len() } {
            store.read(id, &mut state);
            let instances = system.instances(property, &state, &mut |args, _| {
                tuples.number(args.to_vec());
            });
            // A fault was found by the search already.
            let _ = instances.map_err(|TimeUp| Limit::Time)?;
        }
        let rename = |tuple: &[Cell], label: &Label| -> Vec<Cell> {
            tuple
                .iter()
                .zip(&parameters)
                .map(|(cell, domains)| rename(&types, graph, *cell, domains, label))
                .collect()
        };
        let mut done = 0;
        while done < tuples.list.len() {
            for label in &graph.labels {
                let renamed = rename(&tuples.list[done], label);
                tuples.number(renamed);
            }
            done += 1;
        }
        for label in &graph.labels {
            let mut before = vec![0; done];
            for (i, tuple) in tuples.list.iter().enumerate() {
                if let Some(to) = tuples.numbers.get(&rename(tuple, label)) {
                    before[*to as usize] = i as u32;
                }
            }
            tuples.before.push(before);
        }
        Ok(tuples)
    }

    fn number(&mut self, tuple: Vec<Cell>) -> u32 {
        *self.numbers.entry(tuple).or_insert_with_key(|tuple| {
            self.list.push(tuple.clone());
            self.list.len() as u32 - 1
        })
    }
}

/// A value under a renaming; `domains` says which values of its type are elements.
fn rename(types: &Types, graph: &Graph, value: Cell, domains: &[(DomainId, i64)], label: &Label) -> Cell {
    for (domain, first) in domains {
        if let Some(element) = types.element_at(*domain, *first, value) {
            let image = label[graph.domains[domain.0 as usize] + element as usize];
            return first + i64::from(types.offset(*domain, image));
        }
    }
    value
}
