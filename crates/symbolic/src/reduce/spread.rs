//! A set together with its images under some permutations of a domain.
//!
//! As diagrams, bits that change places far apart make each image as costly as a set can be. Where sets are executed state by
//! state they have more nodes than states; there the states are listed, and permuted one by one.

use std::collections::HashSet;

use crate::bdd::rows::{Columns, Rows, is_set, set};
use crate::bdd::{Bdd, Manager, Renaming, Result, Var};

use super::space::{Permutation, Space, Which};

/// Some permutations of a domain.
pub struct Spread<'s> {
    manager: &'s Manager,
    actions: Vec<Renaming>,
    /// What each moves, where states may be listed.
    moves: Option<Vec<Vec<Moved>>>,
    vars: Vec<Var>,
}

/// What becomes of a cell.
struct Moved {
    /// Where it comes from, and where it goes: as variables, or as columns of rows.
    from: Vec<u32>,
    to: Vec<u32>,
    /// Which of its codes become which.
    codes: Vec<(u64, u64)>,
}

impl<'s> Spread<'s> {
    pub fn new(
        manager: &'s Manager,
        space: &Space,
        which: Which,
        domain: usize,
        permutations: &[Vec<usize>],
    ) -> Result<Self> {
        let permutations = || permutations.iter().map(|images| Permutation { domain, images });
        let actions = permutations().map(|one| space.action(manager, which, one));
        let moves = || permutations().map(|one| moved(space, which, one)).collect();
        Ok(Self {
            manager,
            actions: actions.collect::<Result<_>>()?,
            moves: (space.are_listed && which == Which::Current).then(moves),
            vars: space.variables(which).collect(),
        })
    }

    /// What a set and its images have.
    pub fn apply(&self, set: &Bdd) -> Result<Bdd> {
        through(&[Stage { spread: self, within: None }], set)
    }

    /// Adds the images of these states, but takes only what is within another set, if one is given.
    fn rows(&self, columns: &Columns, before: HashSet<Row>, within: Option<&Bdd>) -> HashSet<Row> {
        let places = |vars: &[Var]| vars.iter().map(|var| columns.place(self.manager, *var)).collect();
        let placed = |moved: &Moved| Moved {
            from: places(&moved.from),
            to: places(&moved.to),
            codes: moved.codes.clone(),
        };
        let moves = self.moves.iter().flatten().map(|cells| cells.iter().map(placed).collect());
        let moves: Vec<Vec<Moved>> = moves.collect();
        let mut found: HashSet<Row> = HashSet::new();
        let mut take = |row: &[u64]| {
            if !found.contains(row) && within.is_none_or(|within| within.holds_in(columns, row)) {
                found.insert(row.into());
            }
        };
        let mut image = Vec::new();
        for row in &before {
            take(row);
            for cells in &moves {
                image.clear();
                image.extend_from_slice(row);
                cells.iter().for_each(|moved| moved.write(row, &mut image));
                take(&image);
            }
        }
        found
    }
}

type Row = Box<[u64]>;

/// Permutations, and what is kept after them.
#[derive(Clone, Copy)]
pub struct Stage<'s> {
    /// The permutations.
    pub spread: &'s Spread<'s>,
    /// What is kept, if not everything.
    pub within: Option<&'s Bdd>,
}

/// What a set and its images have, stage by stage, each with the images of what the one before has left.
pub fn through(stages: &[Stage<'_>], set: &Bdd) -> Result<Bdd> {
    let Some(Stage { spread, .. }) = stages.first() else { return Ok(set.clone()) };
    if spread.moves.is_some()
        && set.count(spread.vars.len()).to_u64().is_some_and(|states| states <= set.size() as u64)
    {
        let columns = Columns::new(spread.manager, spread.vars.iter().copied());
        let states = set.assignments(spread.manager, &columns).take(usize::MAX);
        let states = states.iter().map(Row::from).collect();
        let step = |rows, stage: &Stage<'_>| stage.spread.rows(&columns, rows, stage.within);
        let mut rows = Rows::new(&columns);
        stages.iter().fold(states, step).drain().for_each(|row| rows.push(&row));
        return spread.manager.listed(&columns, &rows.sorted());
    }
    stages.iter().try_fold(set.clone(), |set, Stage { spread, within }| {
        let mut all = set.clone();
        for action in &spread.actions {
            all = all.or(&set.rename(action)?)?;
        }
        within.map_or(Ok(all.clone()), |within| all.and(within))
    })
}

impl Moved {
    /// Writes what becomes of the cell into another row.
    fn write(&self, row: &[u64], image: &mut [u64]) {
        let is_set = |column: &u32| is_set(row, *column as usize);
        if self.codes.is_empty() {
            self.from.iter().zip(&self.to).for_each(|(from, to)| set(image, *to as usize, is_set(from)));
            return;
        }
        let code = self.from.iter().fold(0, |code, column| code << 1 | u64::from(is_set(column)));
        let code = self.codes.iter().find(|(before, _)| *before == code).map_or(code, |(_, after)| *after);
        for (at, column) in self.to.iter().rev().enumerate() {
            set(image, *column as usize, code >> at & 1 == 1);
        }
    }
}

/// What a permutation does with the cells that it moves.
fn moved(space: &Space, which: Which, permutation: Permutation<'_>) -> Vec<Moved> {
    let cells = (0..space.cells.len()).filter(|&cell| space.moves(cell, permutation));
    let moved = |cell: usize| {
        let (from, to) = (&space.cells[cell], &space.cells[space.image(cell, permutation)]);
        let image = |id| from.ids.iter().find(|(_, other)| *other == permutation.image(id));
        let codes = from.ids.iter().filter_map(|&(code, id)| Some((code, image(id)?.0)));
        let bits = |cell: &super::space::Cell| cell.bits[which as usize].clone();
        Moved { from: bits(from), to: bits(to), codes: codes.filter(|(one, other)| one != other).collect() }
    };
    cells.map(moved).collect()
}
