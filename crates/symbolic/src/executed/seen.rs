//! What became of states that were executed.

use burnside_model::Model;
use burnside_model::findings::Ending;

use crate::bdd::rows::{Columns, Rows};
use crate::bdd::{Bdd, Manager, Result};
use crate::decide::Target;

/// As soon as the states that few states lead to take so many bytes, they become a set.
const MOST_BYTES: usize = 1 << 25;

/// What became of some states.
#[derive(Clone)]
pub struct Seen {
    pub states: Bdd,
    /// Those among them without a step.
    pub halted: Bdd,
    pub wrong: Vec<Target>,
    /// How many instances of each rule were enabled.
    pub fired: Vec<u64>,
    /// How often each cover held, by property.
    pub covered: Vec<u64>,
}

/// What became of a few states, as lists.
pub struct Few {
    pub successors: Rows,
    /// Those without a step.
    pub halted: Rows,
    /// What is wrong, by check, and where.
    wrong: Vec<(usize, Ending, Rows)>,
    /// One row, to be filled.
    pub row: Vec<u64>,
    none: Rows,
}

impl Seen {
    pub fn new(manager: &Manager, model: &Model) -> Self {
        let no = manager.constant(false);
        Self {
            states: no.clone(),
            halted: no,
            wrong: Vec::new(),
            fired: vec![0; model.rules.len()],
            covered: vec![0; model.properties.len()],
        }
    }

    /// Together with other states.
    pub fn add(&mut self, other: Seen) -> Result<()> {
        self.states = self.states.or(&other.states)?;
        self.halted = self.halted.or(&other.halted)?;
        other.wrong.into_iter().try_for_each(|target| self.add_wrong(target))?;
        let counts = self.fired.iter_mut().zip(other.fired).chain(self.covered.iter_mut().zip(other.covered));
        counts.for_each(|(all, more)| *all = all.saturating_add(more));
        Ok(())
    }

    /// Takes what became of a few of the states, and leaves none; gives where their steps lead.
    pub fn take(&mut self, manager: &Manager, columns: &Columns, few: &mut Few) -> Result<Bdd> {
        let none = || few.none.clone();
        let set = |rows: &Rows| manager.listed(columns, &rows.sorted());
        self.halted = self.halted.or(&set(&std::mem::replace(&mut few.halted, none()))?)?;
        for (check, ending, rows) in few.wrong.drain(..) {
            self.add_wrong(Target { check, states: set(&rows)?, ending })?;
        }
        set(&std::mem::replace(&mut few.successors, none()))
    }

    fn add_wrong(&mut self, target: Target) -> Result<()> {
        let same = |known: &&mut Target| (known.check, &known.ending) == (target.check, &target.ending);
        match self.wrong.iter_mut().find(same) {
            Some(known) => known.states = known.states.or(&target.states)?,
            None => self.wrong.push(target),
        }
        Ok(())
    }
}

impl Few {
    pub fn new(columns: &Columns) -> Self {
        let none = Rows::new(columns);
        let (successors, halted) = (none.clone(), none.clone());
        Self { successors, halted, wrong: Vec::new(), row: Vec::new(), none }
    }

    /// Takes note of something that is wrong in a state.
    pub fn wrong(&mut self, check: usize, ending: Ending, row: &[u64]) {
        let at = self.wrong.iter().position(|(known, other, _)| (*known, other) == (check, &ending));
        let at = at.unwrap_or_else(|| {
            self.wrong.push((check, ending, self.none.clone()));
            self.wrong.len() - 1
        });
        self.wrong[at].2.push(row);
    }

    /// Whether the lists are long.
    pub fn is_large(&self) -> bool {
        self.successors.bytes() > MOST_BYTES
    }
}
