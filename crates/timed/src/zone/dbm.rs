//! A zone as a matrix: the cell in row i and column j bounds clock i minus clock j.
//!
//! The matrix is always canonical: each cell is the tightest bound that follows from all of them, so that equal sets are
//! equal matrices, and inclusion is a comparison cell by cell. The empty zone has one matrix too, `< 0` everywhere.

use std::fmt;

use super::bound::{Bound, tighten};

/// A bound on a difference: clock `left` minus clock `right` is within `bound`.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Constraint {
    /// The clock from which the other is subtracted; 0 for none.
    pub left: usize,
    /// The clock that is subtracted; 0 for none.
    pub right: usize,
    /// How great the difference may be.
    pub bound: Bound,
}

impl Constraint {
    /// `left - right` is within `bound`.
    pub const fn new(left: usize, right: usize, bound: Bound) -> Constraint {
        Constraint { left, right, bound }
    }

    /// `clock ≤ value`.
    pub const fn at_most(clock: usize, value: i32) -> Constraint {
        Constraint::new(clock, 0, Bound::le(value))
    }

    /// `clock < value`.
    pub const fn below(clock: usize, value: i32) -> Constraint {
        Constraint::new(clock, 0, Bound::lt(value))
    }

    /// `clock ≥ value`.
    pub const fn at_least(clock: usize, value: i32) -> Constraint {
        Constraint::new(0, clock, Bound::le(value.saturating_neg()))
    }

    /// `clock > value`.
    pub const fn above(clock: usize, value: i32) -> Constraint {
        Constraint::new(0, clock, Bound::lt(value.saturating_neg()))
    }

    /// The constraint that holds where this one does not. The bound must not be infinite.
    pub fn negated(self) -> Constraint {
        Constraint::new(self.right, self.left, !self.bound)
    }
}

impl fmt::Debug for Constraint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "x{} - x{} {:?}", self.left, self.right, self.bound)
    }
}

/// A set of clock values, none negative, given by bounds on clocks and on their differences.
#[derive(PartialEq, Eq, Hash)]
pub struct Zone {
    /// How many clocks there are, with the reference.
    dimension: usize,
    /// The matrix, row by row.
    cells: Box<[Bound]>,
}

impl Zone {
    /// The one point where every clock is 0.
    pub fn zero(clocks: usize) -> Zone {
        Zone::filled(clocks + 1, Bound::LE_ZERO)
    }

    /// All points: every clock has any value from 0 on.
    pub fn universal(clocks: usize) -> Zone {
        let mut zone = Zone::zero(clocks);
        zone.make_universal();
        zone
    }

    /// Adds all points.
    pub(super) fn make_universal(&mut self) {
        self.cells.fill(Bound::INFINITY);
        self.row_mut(0).fill(Bound::LE_ZERO);
        for clock in 1..self.dimension {
            self.set(clock, clock, Bound::LE_ZERO);
        }
    }

    /// A matrix with the same bound everywhere.
    pub(super) fn filled(dimension: usize, bound: Bound) -> Zone {
        Zone { dimension, cells: vec![bound; dimension * dimension].into() }
    }

    /// How many clocks there are, without the reference: they are numbered from 1 up to this.
    pub fn clocks(&self) -> usize {
        self.dimension - 1
    }

    /// How many rows the matrix has: the clocks and the reference.
    pub fn dimension(&self) -> usize {
        self.dimension
    }

    /// The tightest bound on clock `left` minus clock `right`.
    pub fn at(&self, left: usize, right: usize) -> Bound {
        self.cells[left * self.dimension + right]
    }

    /// The tightest bounds on `left` minus each clock.
    pub fn row(&self, left: usize) -> &[Bound] {
        &self.cells[left * self.dimension..][..self.dimension]
    }

    /// The matrix, row by row.
    pub fn cells(&self) -> &[Bound] {
        &self.cells
    }

    /// Takes the matrix of another zone over as many clocks.
    pub fn copy_cells(&mut self, cells: &[Bound]) {
        self.cells.copy_from_slice(cells);
    }

    /// Whether there is no point at all.
    pub fn is_empty(&self) -> bool {
        self.cells[0] < Bound::LE_ZERO
    }

    /// For each clock, whether it has any value from 0 on, whatever the others are. Quadratic.
    pub fn free_clocks(&self) -> Vec<bool> {
        let unbounded = |clock: usize| {
            let infinite = self.row(clock).iter().filter(|bound| bound.is_infinite()).count();
            clock != 0 && infinite + 1 == self.dimension && self.at(0, clock) == Bound::LE_ZERO
        };
        let mut free: Vec<bool> = (0..self.dimension).map(unbounded).collect();
        for left in 0..self.dimension {
            let (own, row) = (free[left], self.row(left));
            free.iter_mut().zip(row).for_each(|(free, bound)| *free &= *bound == row[0]);
            free[left] = own;
        }
        free
    }

    /// For each clock, how many clocks are never greater. Quadratic.
    pub fn never_greater(&self) -> Vec<u32> {
        let mut count = vec![0; self.dimension];
        for left in 1..self.dimension {
            let row = self.row(left).iter();
            count
                .iter_mut()
                .zip(row)
                .for_each(|(count, bound)| *count += u32::from(*bound <= Bound::LE_ZERO));
        }
        count
    }

    /// Whether some point satisfies the constraint.
    pub fn admits(&self, constraint: Constraint) -> bool {
        constraint.bound + self.at(constraint.right, constraint.left) >= Bound::LE_ZERO
    }

    /// Whether every point satisfies the constraint.
    pub fn implies(&self, constraint: Constraint) -> bool {
        self.at(constraint.left, constraint.right) <= constraint.bound
    }

    /// Keeps the points that satisfy the constraint; whether there are any. Quadratic.
    pub fn constrain(&mut self, constraint: Constraint) -> bool {
        let Constraint { left, right, bound } = constraint;
        if self.implies(constraint) {
            return !self.is_empty();
        }
        if !self.admits(constraint) {
            return self.clear();
        }
        // The row of `right` and the column of `left` stay: a path through the constraint and back is no shortcut.
        for clock in 0..self.dimension {
            let through = self.at(clock, left) + bound;
            // Where `clock` comes no nearer to `right`, it comes no nearer to what lies beyond.
            if through < self.at(clock, right) {
                let (row, via) = self.row_and(clock, right);
                tighten(row, through, via);
            }
        }
        true
    }

    /// Keeps the points that satisfy all constraints; whether there are any. Quadratic for all bounds on single clocks
    /// together, and for each on a difference.
    pub fn constrain_all(&mut self, constraints: &[Constraint]) -> bool {
        if !constraints.iter().all(|constraint| self.admits(*constraint)) {
            return self.clear();
        }
        self.constrain_single(constraints)
            && constraints.iter().filter(|c| c.left != 0 && c.right != 0).all(|c| self.constrain(*c))
    }

    /// Keeps the points that satisfy the bounds on single clocks. A new shortest path passes the reference once: first
    /// the bounds from and to it are updated, then all others through it.
    fn constrain_single(&mut self, constraints: &[Constraint]) -> bool {
        let mut tighter = false;
        for &Constraint { left, right, bound } in constraints {
            if (left == 0) == (right == 0) || self.at(left, right) <= bound {
                continue;
            }
            tighter = true;
            if left == 0 {
                let (row, via) = self.row_and(0, right);
                tighten(&mut row[1..], bound, &via[1..]);
            } else {
                for clock in 1..self.dimension {
                    let sum = self.at(clock, left) + bound;
                    self.set(clock, 0, sum.min(self.at(clock, 0)));
                }
            }
        }
        if !tighter {
            return !self.is_empty();
        }
        if (1..self.dimension).any(|clock| self.at(clock, 0) + self.at(0, clock) < Bound::LE_ZERO) {
            return self.clear();
        }
        for clock in 1..self.dimension {
            let through = self.at(clock, 0);
            let (row, via) = self.row_and(clock, 0);
            tighten(row, through, via);
        }
        true
    }

    /// Keeps the points of both zones; whether there are any. Cubic at worst.
    pub fn intersect(&mut self, other: &Zone) -> bool {
        assert_eq!(self.dimension, other.dimension, "zones over the same clocks");
        let mut touched = vec![false; self.dimension];
        for left in 0..self.dimension {
            for right in 0..self.dimension {
                let bound = other.at(left, right);
                if bound < self.at(left, right) {
                    self.set(left, right, bound);
                    touched[left] = true;
                    touched[right] = true;
                }
            }
        }
        // What is between two new bounds was canonical before: only their ends can join paths.
        for via in (0..self.dimension).filter(|clock| touched[*clock]) {
            self.close_through(via, 0..self.dimension);
        }
        self.check()
    }

    /// Makes a matrix canonical of which some rows may not be; whether there are points. Cubic at worst.
    pub(super) fn close_rows(&mut self, rows: &[usize]) -> bool {
        for via in 0..self.dimension {
            // Clocks without any upper bound lead nowhere.
            if self.row(via).iter().filter(|bound| !bound.is_infinite()).count() > 1 {
                self.close_through(via, rows.iter().copied());
            }
        }
        self.check()
    }

    /// Tightens rows by paths through a clock: a step of Floyd and Warshall.
    fn close_through(&mut self, via: usize, rows: impl Iterator<Item = usize>) {
        for clock in rows {
            let through = self.at(clock, via);
            if clock != via && !through.is_infinite() {
                let (row, via) = self.row_and(clock, via);
                tighten(row, through, via);
            }
        }
    }

    /// Tightens a row by paths that begin with the constraint, of two clocks; whether there were any.
    pub(super) fn shorten(&mut self, step: &Constraint) -> bool {
        let (row, via) = self.row_and(step.left, step.right);
        tighten(row, step.bound, via)
    }

    /// Removes all points if the bounds contradict each other, which shows at the clocks on a cycle; it may not include
    /// the reference.
    fn check(&mut self) -> bool {
        if (0..self.dimension).any(|clock| self.at(clock, clock) < Bound::LE_ZERO) {
            return self.clear();
        }
        true
    }

    /// Removes all points.
    pub(super) fn clear(&mut self) -> bool {
        self.cells.fill(Bound::LT_ZERO);
        false
    }

    /// Writes a cell; the caller keeps the matrix canonical.
    pub(super) fn set(&mut self, left: usize, right: usize, bound: Bound) {
        self.cells[left * self.dimension + right] = bound;
    }

    /// A row to write; the caller keeps the matrix canonical.
    pub(super) fn row_mut(&mut self, left: usize) -> &mut [Bound] {
        &mut self.cells[left * self.dimension..][..self.dimension]
    }

    /// A row to write and another to read.
    #[inline]
    pub(super) fn row_and(&mut self, write: usize, read: usize) -> (&mut [Bound], &[Bound]) {
        let n = self.dimension;
        assert_ne!(write, read, "two rows");
        let (low, high) = self.cells.split_at_mut(write.max(read) * n);
        let (first, second) = (&mut low[write.min(read) * n..][..n], &mut high[..n]);
        if write < read { (first, second) } else { (second, first) }
    }
}

/// Copying into a zone over as many clocks allocates nothing.
impl Clone for Zone {
    fn clone(&self) -> Zone {
        Zone { dimension: self.dimension, cells: self.cells.clone() }
    }

    fn clone_from(&mut self, source: &Zone) {
        self.dimension = source.dimension;
        self.cells.clone_from(&source.cells);
    }
}

/// As the constraints that give it.
impl fmt::Debug for Zone {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.minimal_constraints()).finish()
    }
}
