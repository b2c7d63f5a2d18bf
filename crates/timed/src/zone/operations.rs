//! What time and assignments do to a zone, and zones over other clocks.
//!
//! Each keeps the matrix canonical without closing it again. The empty zone stays empty.

use super::bound::Bound;
use super::dbm::Zone;

impl Zone {
    /// Adds all points that are reached by letting time pass.
    pub fn up(&mut self) {
        if self.is_empty() {
            return;
        }
        for clock in 1..self.dimension() {
            self.set(clock, 0, Bound::INFINITY);
        }
    }

    /// Adds all points that are reached by letting time pass while some clocks, ascending, stand still; and where that is
    /// no zone, more: the smallest bounds on two clocks that all these points satisfy.
    pub fn up_but(&mut self, stopped: &[usize]) {
        if stopped.is_empty() || self.is_empty() {
            return self.up();
        }
        for clock in (1..self.dimension()).filter(|clock| stopped.binary_search(clock).is_err()) {
            // It grows against the reference and against those that stand still.
            self.set(clock, 0, Bound::INFINITY);
            stopped.iter().for_each(|other| self.set(clock, *other, Bound::INFINITY));
        }
    }

    /// Adds all points from which one is reached by letting time pass.
    pub fn down(&mut self) {
        if self.is_empty() {
            return;
        }
        for clock in 1..self.dimension() {
            // How far back one can go is limited by the first other clock that becomes 0.
            let nearest = (1..self.dimension()).map(|other| self.at(other, clock)).min();
            self.set(0, clock, nearest.unwrap_or(Bound::LE_ZERO).min(Bound::LE_ZERO));
        }
    }

    /// Sets a clock to a constant from 0 on.
    pub fn reset(&mut self, clock: usize, value: i32) {
        debug_assert!(value >= 0, "clocks are not negative");
        if self.is_empty() {
            return;
        }
        for other in (0..self.dimension()).filter(|other| *other != clock) {
            self.set(clock, other, Bound::le(value) + self.at(0, other));
            self.set(other, clock, self.at(other, 0) + Bound::le(-value));
        }
    }

    /// Sets a clock to the value of another.
    pub fn copy(&mut self, clock: usize, source: usize) {
        if self.is_empty() || clock == source {
            return;
        }
        for other in (0..self.dimension()).filter(|other| *other != clock) {
            self.set(clock, other, self.at(source, other));
            self.set(other, clock, self.at(other, source));
        }
    }

    /// Lets a clock have any value from 0 on: for a clock that is not read before it is set again.
    pub fn free(&mut self, clock: usize) {
        if self.is_empty() {
            return;
        }
        for other in (0..self.dimension()).filter(|other| *other != clock) {
            self.set(clock, other, Bound::INFINITY);
            self.set(other, clock, self.at(other, 0));
        }
    }

    /// Lets each of these clocks have any value from 0 on: those that are marked, by number.
    pub fn free_all(&mut self, freed: &[bool]) {
        assert!(freed.len() == self.dimension() && !freed[0], "a mark for each clock");
        if self.is_empty() || !freed.contains(&true) {
            return;
        }
        for (left, own) in freed.iter().enumerate() {
            let row = self.row_mut(left);
            if *own {
                row.fill(Bound::INFINITY);
                row[left] = Bound::LE_ZERO;
            } else {
                let bound = row[0];
                row.iter_mut()
                    .zip(freed)
                    .for_each(|(cell, freed)| *cell = if *freed { bound } else { *cell });
            }
        }
    }

    /// Makes of this zone another with renamed clocks: clock `i` there is clock `to[i]` here. All clocks are named, `to[0]`
    /// is 0.
    pub fn permute(&mut self, zone: &Zone, to: &[usize]) {
        let dimension = zone.dimension();
        assert!(
            to.len() == dimension && self.dimension() == dimension && to[0] == 0,
            "a permutation of the clocks"
        );
        let mut from = vec![0; to.len()];
        to.iter().enumerate().for_each(|(old, new)| from[*new] = old);
        // Mostly a few clocks move, and those between them are shifted: ranges of neighbours that stay neighbours.
        let mut ranges: Vec<(usize, usize, usize)> = Vec::new();
        for (new, old) in from.iter().enumerate() {
            match ranges.last_mut() {
                Some((_, first, length)) if *first + *length == *old => *length += 1,
                _ => ranges.push((new, *old, 1)),
            }
        }
        let gathered = ranges.len() * 4 > dimension;
        for (left, old_left) in from.iter().enumerate() {
            let (old, row) = (zone.row(*old_left), self.row_mut(left));
            if gathered {
                row.iter_mut().zip(&from).for_each(|(cell, right)| *cell = old[*right]);
            } else {
                for (new, old_first, length) in &ranges {
                    row[*new..][..*length].copy_from_slice(&old[*old_first..][..*length]);
                }
            }
        }
    }

    /// The zone with renamed clocks, as [`permute`](Self::permute).
    pub fn permuted(&self, to: &[usize]) -> Zone {
        let mut zone = self.clone();
        zone.permute(self, to);
        zone
    }

    /// The zone over some of the clocks: the new clock `k + 1` is clock `from[k]`, whatever the others are.
    pub fn selected(&self, from: &[usize]) -> Zone {
        let old = |clock: usize| if clock == 0 { 0 } else { from[clock - 1] };
        let mut zone = Zone::filled(from.len() + 1, Bound::LT_ZERO);
        for left in 0..zone.dimension() {
            for right in 0..zone.dimension() {
                zone.set(left, right, self.at(old(left), old(right)));
            }
        }
        zone
    }

    /// The zone over more clocks, the reverse of [`selected`](Zone::selected): clock `k + 1` becomes clock `to[k]` of
    /// `clocks`; those that are not named have any value.
    pub fn spread(&self, to: &[usize], clocks: usize) -> Zone {
        assert_eq!(to.len(), self.clocks(), "every clock has a new name");
        let mut zone = Zone::universal(clocks);
        if self.is_empty() {
            zone.clear();
            return zone;
        }
        let new = |clock: usize| if clock == 0 { 0 } else { to[clock - 1] };
        for left in 0..self.dimension() {
            // Against a clock that has any value from 0 on, as against the reference.
            zone.row_mut(new(left)).fill(self.at(left, 0));
        }
        for left in 0..self.dimension() {
            for right in 0..self.dimension() {
                zone.set(new(left), new(right), self.at(left, right));
            }
        }
        zone
    }
}
