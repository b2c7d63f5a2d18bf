//! A zone that is compared with many stored ones, on the bytes in which they are stored.
//!
//! Whether one zone simulates another is decided cell by cell (`inclusion.rs`). Of each test, all that depends on the new
//! zone is computed once, so that a comparison per cell is left, of numbers as narrow as the stored ones are:
//!
//! - the new zone is covered by a stored one if no cell of that is below its threshold;
//! - it covers a stored one unless a cell of that is at least so high, and the lower bound of the same column too.
//!
//! Stored matrices leave out the clocks that have any value. That such a clock separates zones shows at the reference
//! too, if the stored zone is the larger one; otherwise it must be a clock that no guard reads. Where this does not
//! tell, or a zone is stored as its minimal constraints, there is no answer, and the caller unpacks it.

use super::bound::Bound;
use super::dbm::Zone;
use super::extrapolate::Limits;
use super::packed::Matrix;

/// A new zone, prepared for comparisons.
#[derive(Debug, Default)]
pub struct Probe {
    narrow: Prepared<i8>,
    wide: Prepared<i16>,
}

impl Probe {
    /// Takes another zone.
    pub fn renew(&mut self) {
        self.narrow.columns.clear();
        self.wide.columns.clear();
    }

    /// Whether a stored zone simulates the new one: `zone`, with these limits.
    #[inline]
    pub fn is_covered(&mut self, stored: &Matrix, zone: &Zone, limits: &Limits) -> bool {
        match stored.width {
            1 => self.narrow.fit(stored, zone, limits).is_covered(stored.cells),
            _ => self.wide.fit(stored, zone, limits).is_covered(stored.cells),
        }
    }

    /// Whether the new zone simulates a stored one, if this tells.
    #[inline]
    pub fn covers(&mut self, stored: &Matrix, zone: &Zone, limits: &Limits) -> Option<bool> {
        match stored.width {
            1 => self.narrow.fit(stored, zone, limits).covers(stored.cells),
            _ => self.wide.fit(stored, zone, limits).covers(stored.cells),
        }
    }
}

/// A number as wide as the stored ones.
trait Cell: Copy + Ord {
    const WIDTH: usize;
    /// The nearest number of this width.
    fn nearest(raw: i32) -> Self;
    /// The number that some bytes are.
    fn read(bytes: &[u8]) -> Self;
}

impl Cell for i8 {
    const WIDTH: usize = 1;

    fn nearest(raw: i32) -> i8 {
        raw.clamp(i8::MIN.into(), i8::MAX.into()) as i8
    }

    #[inline]
    fn read(bytes: &[u8]) -> i8 {
        bytes[0] as i8
    }
}

impl Cell for i16 {
    const WIDTH: usize = 2;

    fn nearest(raw: i32) -> i16 {
        raw.clamp(i16::MIN.into(), i16::MAX.into()) as i16
    }

    #[inline]
    fn read(bytes: &[u8]) -> i16 {
        i16::from_le_bytes([bytes[0], bytes[1]])
    }
}

/// The new zone over the clocks of the stored ones, which have cells of one width. Where a stored zone has other clocks, it is
/// prepared again.
#[derive(Debug, Default)]
struct Prepared<C> {
    /// The clocks of rows and columns after the reference, as the stored zones name them, and a zero; empty if nothing is
    /// prepared.
    columns: Vec<u8>,
    /// A stored zone with a lesser cell does not cover the new one.
    thresholds: Vec<C>,
    /// The new one does not cover a stored one if its cell is no less than this,
    above: Vec<C>,
    /// and the cell of the reference in the same column is no less than this.
    lowest: Vec<C>,
    /// Whether no guard reads any of the other clocks.
    complete: bool,
}

impl<C: Cell> Prepared<C> {
    #[inline]
    fn fit(&mut self, stored: &Matrix, zone: &Zone, limits: &Limits) -> &Self {
        let known = self.columns.split_last();
        if known.is_none_or(|(_, clocks)| clocks != stored.clocks) {
            self.prepare(stored.clocks, zone, limits);
        }
        self
    }

    fn prepare(&mut self, clocks: &[u8], zone: &Zone, limits: &Limits) {
        self.columns.clear();
        self.columns.extend_from_slice(clocks);
        self.columns.push(0);
        for cells in [&mut self.thresholds, &mut self.above, &mut self.lowest] {
            cells.clear();
        }
        let names = || [0].iter().chain(clocks).map(|clock| usize::from(*clock));
        for left in names() {
            let minus_lower = limits.minus_lower[left];
            let row = zone.row(left);
            for right in names() {
                let (lowest, minus_upper) = (zone.at(0, right), limits.minus_upper[right]);
                // The stored zone separates if its cell is less than both of these: an odd number stands for its even part.
                let sum = lowest.raw() - minus_lower.raw();
                let seen = !minus_lower.is_infinite() && lowest >= minus_upper;
                let threshold = if seen { number(row[right]).min(sum + (sum & 1)) } else { i32::MIN };
                self.thresholds.push(C::nearest(threshold));
                // With the roles exchanged.
                let seen =
                    !minus_lower.is_infinite() && !minus_upper.is_infinite() && !row[right].is_infinite();
                let sum = (row[right].raw() & !1).wrapping_add(minus_lower.raw()) + 1;
                let (above, lowest) = match seen {
                    true => (row[right].raw() + 1, sum.max(minus_upper.raw())),
                    false => (i32::MAX, i32::MAX),
                };
                self.above.push(C::nearest(above));
                self.lowest.push(C::nearest(lowest));
            }
        }
        let read = |clock: usize| {
            !limits.minus_lower[clock].is_infinite() || !limits.minus_upper[clock].is_infinite()
        };
        self.complete = (1..zone.dimension()).filter(|clock| read(*clock)).all(|clock| {
            // Ascending.
            u8::try_from(clock).is_ok_and(|clock| clocks.binary_search(&clock).is_ok())
        });
    }

    #[inline]
    fn is_covered(&self, stored: &[u8]) -> bool {
        let cells = stored.chunks_exact(C::WIDTH).map(C::read).zip(&self.thresholds);
        !cells.fold(false, |separated, (cell, threshold)| separated | (cell < *threshold))
    }

    #[inline]
    fn covers(&self, stored: &[u8]) -> Option<bool> {
        let size = self.columns.len();
        let cells = || stored.chunks_exact(C::WIDTH).map(C::read);
        let rows = self.above.chunks_exact(size).zip(self.lowest.chunks_exact(size));
        let separated = rows.zip(stored.chunks_exact(size * C::WIDTH)).any(|((above, lowest), row)| {
            let row = row.chunks_exact(C::WIDTH).map(C::read).zip(above);
            let tests = row.zip(cells().zip(lowest));
            tests.fold(false, |found, ((cell, above), (bound, lowest))| {
                found | ((cell >= *above) & (bound >= *lowest))
            })
        });
        if separated {
            return Some(false);
        }
        self.complete.then_some(true)
    }
}

/// A bound as a number that is stored: no bound is above all others.
fn number(bound: Bound) -> i32 {
    if bound.is_infinite() { i32::MAX } else { bound.raw() }
}
