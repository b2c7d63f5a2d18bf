//! Lists of assignments, and the functions that hold in just those: where there are few, going through them one by one takes
//! less than what diagrams do for all of them at once.

use std::cmp::Ordering;
use std::collections::HashMap;
use std::ops::Range;

use oxidd::bcdd::BCDDFunction;
use oxidd::util::AllocResult;
use oxidd::{BooleanFunction as _, Function as _, HasLevel as _, Manager as _, Node};
use oxidd_core::DiagramRules as _;
use oxidd_core::util::Own;

use super::{Bdd, Manager, Result, Var};

/// Variables, the highest in the order first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Columns {
    vars: Vec<Var>,
    /// By level, the place of its variable here.
    places: Vec<u32>,
}

/// No place.
const NONE: u32 = u32::MAX;

impl Columns {
    /// These variables, in the order that there is now.
    pub fn new(manager: &Manager, vars: impl IntoIterator<Item = Var>) -> Self {
        let mut vars: Vec<Var> = vars.into_iter().collect();
        vars.sort_unstable_by_key(|var| manager.level(*var));
        let mut places = vec![NONE; manager.variable_count()];
        for (place, var) in (0..).zip(&vars) {
            places[manager.level(*var) as usize] = place;
        }
        Self { vars, places }
    }

    pub fn vars(&self) -> &[Var] {
        &self.vars
    }
    pub fn place(&self, manager: &Manager, var: Var) -> u32 {
        self.places[manager.level(var) as usize]
    }

    /// How many words a row has.
    pub fn words(&self) -> usize {
        self.vars.len().div_ceil(64)
    }
}

/// Where the bit of a column is: first columns are highest, so that rows compare as diagrams branch.
fn bit(column: usize) -> (usize, u64) {
    (column / 64, 1 << (63 - column % 64))
}

/// Whether a row has a column set.
pub fn is_set(row: &[u64], column: usize) -> bool {
    let (word, bit) = bit(column);
    row[word] & bit != 0
}

/// Sets a column of a row, or clears it.
pub fn set(row: &mut [u64], column: usize, value: bool) {
    let (word, bit) = bit(column);
    row[word] = if value { row[word] | bit } else { row[word] & !bit };
}

/// Assignments of the same variables, one behind the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    words: usize,
    /// How many, as rows may have no words.
    length: usize,
    bits: Vec<u64>,
}

impl Rows {
    pub fn new(columns: &Columns) -> Self {
        Self { words: columns.words(), length: 0, bits: Vec::new() }
    }

    pub fn len(&self) -> usize {
        self.length
    }

    pub fn is_empty(&self) -> bool {
        self.length == 0
    }
    pub fn row(&self, at: usize) -> &[u64] {
        &self.bits[at * self.words..][..self.words]
    }

    pub fn iter(&self) -> impl Iterator<Item = &[u64]> {
        (0..self.length).map(|at| self.row(at))
    }

    pub fn push(&mut self, row: &[u64]) {
        self.bits.extend_from_slice(row);
        self.length += 1;
    }

    /// The bytes that they take.
    pub fn bytes(&self) -> usize {
        8 * self.bits.len()
    }

    /// In order, each once.
    pub fn sorted(&self) -> Self {
        let mut order: Vec<usize> = (0..self.length).collect();
        order.sort_unstable_by(|a, b| self.row(*a).cmp(self.row(*b)));
        order.dedup_by(|a, b| self.row(*a) == self.row(*b));
        let bits = order.iter().flat_map(|at| self.row(*at)).copied().collect();
        Self { words: self.words, length: order.len(), bits }
    }

    /// Where a row is, if they are in order.
    pub fn position(&self, row: &[u64]) -> Option<usize> {
        let (mut low, mut high) = (0, self.length);
        while low < high {
            let middle = low.midpoint(high);
            match self.row(middle).cmp(row) {
                Ordering::Less => low = middle + 1,
                Ordering::Greater => high = middle,
                Ordering::Equal => return Some(middle),
            }
        }
        None
    }

    /// The first column in which not all of these rows, which are in order, are the same.
    fn differing(&self, rows: &Range<usize>) -> usize {
        let (first, last) = (self.row(rows.start), self.row(rows.end - 1));
        let word = first.iter().zip(last).position(|(one, other)| one != other).unwrap_or(self.words);
        if word == self.words {
            64 * word
        } else {
            64 * word + (first[word] ^ last[word]).leading_zeros() as usize
        }
    }
}

impl Manager {
    /// The function that holds in these assignments, which are in order, each once.
    pub fn listed(&self, columns: &Columns, rows: &Rows) -> Result<Bdd> {
        if rows.is_empty() {
            return Ok(self.constant(false));
        }
        let functions = vec![self.constant(true)];
        Listing { manager: self, columns, rows, ends: HashMap::new(), functions }.below(0..rows.len(), 0)
    }
}

/// From a list to a function.
struct Listing<'l> {
    manager: &'l Manager,
    columns: &'l Columns,
    rows: &'l Rows,
    /// Ends of rows, which many have in common: from which word on, that word, and which end follows it.
    ends: HashMap<(usize, u64, usize), usize>,
    /// The function that holds where a row ends so; the first is that of no words.
    functions: Vec<Bdd>,
}

impl Listing<'_> {
    /// What is left below a column of the function that holds in some of the rows, at least one, which are the same above it.
    fn below(&mut self, range: Range<usize>, column: usize) -> Result<Bdd> {
        let (row, length) = (self.rows.row(range.start), self.columns.vars.len());
        let differing = self.rows.differing(&range);
        if differing >= length {
            let word = column.div_ceil(64);
            let end = self.end(row, word)?;
            return self.chain(row, column..(64 * word).min(length), &self.functions[end]);
        }
        let above = |at| !is_set(self.rows.row(range.start + at), differing);
        let middle = range.start + partition_point(range.len(), above);
        let not = self.below(range.start..middle, differing + 1)?;
        let so = self.below(middle..range.end, differing + 1)?;
        let function = so.retry(|| {
            so.0.with_manager_shared(|inner, so| {
                let both = [so, not.0.as_edge(inner)].map(|edge| inner.clone_edge(edge));
                let level = inner.var_to_level(self.columns.vars[differing]);
                Ok(BCDDFunction::from_edge(inner, node(inner, level, both)?))
            })
        })?;
        self.chain(row, column..differing, &function)
    }

    /// The function that holds where a row ends so, from a word on.
    fn end(&mut self, row: &[u64], from: usize) -> Result<usize> {
        let mut end = 0;
        for word in (from..row.len()).rev() {
            end = match self.ends.get(&(word, row[word], end)) {
                Some(known) => *known,
                None => {
                    let columns = 64 * word..(64 * word + 64).min(self.columns.vars.len());
                    let function = self.chain(row, columns, &self.functions[end])?;
                    self.functions.push(function);
                    self.ends.insert((word, row[word], end), self.functions.len() - 1);
                    self.functions.len() - 1
                }
            };
        }
        Ok(end)
    }

    /// Some columns of a row, on top of a function.
    fn chain(&self, row: &[u64], columns: Range<usize>, function: &Bdd) -> Result<Bdd> {
        let no = self.manager.constant(false);
        function.retry(|| {
            function.0.with_manager_shared(|inner, below| {
                let mut below = inner.clone_edge(below);
                for column in columns.clone().rev() {
                    let no = inner.clone_edge(no.0.as_edge(inner));
                    let both = if is_set(row, column) { [below, no] } else { [no, below] };
                    below = node(inner, inner.var_to_level(self.columns.vars[column]), both)?;
                }
                Ok(BCDDFunction::from_edge(inner, below))
            })
        })
    }
}

/// What is one function where the variable of a level is true, else the other, which both are below it.
fn node<M: oxidd::Manager>(inner: &M, level: u32, both: [Own<M::Edge>; 2]) -> AllocResult<Own<M::Edge>> {
    M::Rules::reduce(inner, level, both).then_insert(inner, level)
}

/// The first number below this one for which it is not so, if it is so for all before it and for none after it.
fn partition_point(length: usize, so: impl Fn(usize) -> bool) -> usize {
    let (mut low, mut high) = (0, length);
    while low < high {
        let middle = low.midpoint(high);
        if so(middle) { low = middle + 1 } else { high = middle }
    }
    low
}

/// The assignments in which a function holds, in order.
pub struct Assignments<'a> {
    columns: &'a Columns,
    /// Where to go on: with a function that is left when a column is set.
    left: Vec<(Bdd, usize)>,
    row: Vec<u64>,
    /// The function itself, before the first one.
    first: Option<Bdd>,
    no: Bdd,
}

impl Bdd {
    /// The assignments of these variables, among them all that it depends on, in which it holds.
    pub fn assignments<'a>(&self, manager: &Manager, columns: &'a Columns) -> Assignments<'a> {
        let (row, no) = (vec![0; columns.words()], manager.constant(false));
        let first = Some(self.clone()).filter(|function| !function.is_false());
        Assignments { columns, left: Vec::new(), row, first, no }
    }
}

impl Bdd {
    /// Whether it holds in an assignment of these variables, among them all that it depends on.
    pub fn holds_in(&self, columns: &Columns, row: &[u64]) -> bool {
        self.0.with_manager_shared(|inner, root| {
            let mut edge = root;
            while let (Node::Inner(node), Some((so, not))) =
                (inner.get_node(edge), BCDDFunction::cofactors_edge(inner, edge))
            {
                let column = columns.places[node.level() as usize];
                edge = if column != NONE && is_set(row, column as usize) { so } else { not };
            }
            BCDDFunction::from_edge_ref(inner, edge).valid()
        })
    }
}

impl Assignments<'_> {
    pub fn next_row(&mut self) -> Option<&[u64]> {
        let (function, column) = match self.first.take() {
            Some(function) => (function, 0),
            None => {
                let (function, column) = self.left.pop()?;
                set(&mut self.row, column, true);
                (function, column + 1)
            }
        };
        self.descend(&function, column);
        Some(&self.row)
    }

    /// At most so many of the next ones.
    pub fn take(&mut self, most: usize) -> Rows {
        let mut rows = Rows::new(self.columns);
        while rows.len() < most
            && let Some(row) = self.next_row()
        {
            rows.push(row);
        }
        rows
    }

    /// The first assignment of a function that is not always false, from a column on.
    fn descend(&mut self, function: &Bdd, from: usize) {
        let Self { columns, left, row, no, .. } = self;
        function.0.with_manager_shared(|inner, root| {
            let no = no.0.as_edge(inner);
            let mut edge = root;
            for column in from..columns.vars.len() {
                let here = match inner.get_node(edge) {
                    Node::Inner(node) => columns.places[node.level() as usize] == column as u32,
                    Node::Terminal(_) => false,
                };
                // What it does not depend on may be either.
                let (so, not) = match BCDDFunction::cofactors_edge(inner, edge) {
                    Some(both) if here => both,
                    _ => (edge, edge),
                };
                set(row, column, not == no);
                if not == no {
                    edge = so;
                } else {
                    if so != no {
                        left.push((Bdd(BCDDFunction::from_edge_ref(inner, so)), column));
                    }
                    edge = not;
                }
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::super::Manager;
    use super::{Columns, Rows, set};

    /// Lists to functions and back, with variables in between that do not matter, and in another order.
    #[test]
    fn lists_and_functions() {
        let variables = 150;
        let manager = Manager::new(variables, 1 << 24);
        let columns = Columns::new(&manager, (0..variables as u32).rev().step_by(2));
        let mut seed = 7u64;
        let mut random = || {
            seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            seed >> 33
        };
        for length in [0, 1, 2, 3, 50, 400] {
            let mut rows = Rows::new(&columns);
            for _ in 0..length {
                let mut row = vec![0; columns.words()];
                // Mostly the same, so that some are there twice.
                (0..8).for_each(|_| set(&mut row, (random() % 3 * 36) as usize, random() % 2 == 1));
                rows.push(&row);
            }
            let sorted = rows.sorted();
            assert!((1..sorted.len()).all(|at| sorted.row(at - 1) < sorted.row(at)));
            assert!(rows.iter().all(|row| sorted.position(row).is_some()));
            let function = manager.listed(&columns, &sorted).unwrap();
            assert_eq!(function.assignments(&manager, &columns).take(usize::MAX), sorted);
            assert!(rows.iter().all(|row| function.holds_in(&columns, row)));
            let other = vec![u64::MAX; columns.words()];
            assert!(!function.holds_in(&columns, &other));
            assert_eq!(function.count(columns.vars().len()).to_u64(), Some(sorted.len() as u64));
        }
        // What it does not depend on is either.
        let few = Columns::new(&manager, [3, 4, 5]);
        let function = manager.var(4).unwrap();
        let all = function.assignments(&manager, &few).take(usize::MAX);
        assert_eq!(all.iter().map(|row| row[0] >> 61).collect::<Vec<_>>(), [2, 3, 6, 7]);
        let none = Columns::new(&manager, []);
        assert_eq!(manager.constant(true).assignments(&manager, &none).take(9).len(), 1);
    }
}
