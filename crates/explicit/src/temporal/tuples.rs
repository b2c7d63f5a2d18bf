//! Values that are followed along a run, and what permutations make of them.

use std::collections::HashMap;

use burnside_model::code::{Cell, TypeId};
use burnside_symmetry::{Action, Permutation};

/// How values are renamed.
#[derive(Clone, Copy)]
pub struct Renaming<'r> {
    /// The symmetry; none if nothing is renamed.
    pub action: Option<&'r Action>,
    /// The permutations of the edges.
    pub labels: &'r [Permutation],
}

impl Renaming<'_> {
    /// What a permutation makes of values of these types.
    pub fn rename(&self, by: &Permutation, types: &[TypeId], values: &[Cell]) -> Vec<Cell> {
        match self.action {
            Some(action) => {
                types.iter().zip(values).map(|(ty, value)| action.map_value(by, *ty, *value)).collect()
            }
            None => values.to_vec(),
        }
    }

    /// What every permutation of the edges makes of each of some things, which must be closed under them.
    pub fn table<T>(
        &self,
        list: &[T],
        numbers: &HashMap<T, u32>,
        rename: &dyn Fn(&Permutation, &T) -> T,
    ) -> Option<Vec<Vec<u32>>>
    where
        T: Eq + std::hash::Hash,
    {
        let of = |label: &Permutation| -> Option<Vec<u32>> {
            list.iter().map(|thing| numbers.get(&rename(label, thing)).copied()).collect()
        };
        self.labels.iter().map(of).collect()
    }

    /// Some things and all that permutations make of them.
    pub fn close<T>(
        &self,
        mut list: Vec<T>,
        rename: &dyn Fn(&Permutation, &T) -> T,
    ) -> (Vec<T>, HashMap<T, u32>)
    where
        T: Clone + Eq + std::hash::Hash,
    {
        let mut numbers: HashMap<T, u32> = HashMap::new();
        list.retain(|thing| {
            let next = numbers.len() as u32;
            *numbers.entry(thing.clone()).or_insert(next) == next
        });
        let generators = self.action.map_or_else(Vec::new, Action::generators);
        let mut done = 0;
        while done < list.len() {
            for generator in &generators {
                let renamed = rename(generator, &list[done]);
                if !numbers.contains_key(&renamed) {
                    numbers.insert(renamed.clone(), list.len() as u32);
                    list.push(renamed);
                }
            }
            done += 1;
        }
        (list, numbers)
    }
}

/// Tuples of values, closed under all permutations.
pub struct Tuples {
    pub types: Vec<TypeId>,
    pub list: Vec<Vec<Cell>>,
    /// Per permutation and tuple, what it becomes, in one row.
    to: Vec<u32>,
    /// Per permutation and tuple, what becomes it.
    from: Vec<u32>,
}

impl Tuples {
    /// These tuples and all that permutations make of them, those first; nothing if the permutations of the edges make others.
    pub fn new(renaming: Renaming<'_>, types: Vec<TypeId>, list: Vec<Vec<Cell>>) -> Option<Tuples> {
        let rename = |by: &Permutation, tuple: &Vec<Cell>| renaming.rename(by, &types, tuple);
        let (list, numbers) = renaming.close(list, &rename);
        let to = renaming.table(&list, &numbers, &rename)?;
        let inverted = |to: &Vec<u32>| {
            let mut from = vec![0; to.len()];
            (0..).zip(to).for_each(|(i, image)| from[*image as usize] = i);
            from
        };
        let from = to.iter().flat_map(inverted).collect();
        Some(Tuples { types, list, to: to.concat(), from })
    }

    /// What a permutation makes of a tuple.
    pub fn to(&self, label: usize, tuple: usize) -> usize {
        self.to[label * self.list.len() + tuple] as usize
    }

    /// What a permutation makes into a tuple.
    pub fn from(&self, label: usize, tuple: usize) -> usize {
        self.from[label * self.list.len() + tuple] as usize
    }
}
