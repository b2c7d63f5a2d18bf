//! How much memory the store takes, and how it grows.
//!
//! All memory but the table grows in small chunks. The table grows at a load of three quarters, at last to twice its size: as the
//! arena holds every state, the old table is given back before the new one is taken, so both never exist at once (but
//! in a compact store, which has nothing else to fill the new one from). Where twice the size would not fit under the
//! memory limit once full, the table gets the size with which states and a table at a load of nine tenths fill the limit
//! exactly.
//!
//! To grow, no thread may use the store: [`Store::grow`] makes the empty table, [`Store::refill`] is done by all threads
//! together, in parts, and [`Store::grown`] ends it.

use std::ops::Range;

use super::Store;
use super::hash::hash;
use super::table::Table;

/// The first table.
pub(super) const FIRST_SLOTS: u64 = 1 << 10;

/// Below these sizes, the table grows eightfold and fourfold: it takes little memory, and is filled again less often.
const SMALL_SLOTS: u64 = 1 << 13;
const MEDIUM_SLOTS: u64 = 1 << 22;

/// States that are entered at once.
const PASS: u64 = 64;

/// There is no room for another state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Full;

/// The states for which a table of this size is large enough, usually and at most.
fn usual(slots: u64) -> u64 {
    slots / 4 * 3
}

fn at_most(slots: u64) -> u64 {
    slots / 10 * 9
}

impl Store {
    /// Bytes of everything but the table for this many states.
    fn bytes_for(&self, states: u64) -> u64 {
        let from = self.levels.last().copied().unwrap_or(0);
        if self.shape.compact {
            let level = self.frontier();
            return self.arena.bytes(states - self.arena_base)
                + self.expanding.bytes(level.end - level.start);
        }
        self.arena.bytes(states) + self.parents.bytes(states, states.saturating_sub(from))
    }

    /// Bytes in use.
    pub fn memory(&self) -> u64 {
        let old = self.old_table.as_ref().map_or(0, Table::bytes);
        self.bytes_for(self.roughly().max(self.arena_base)) + self.table.bytes() + old
    }

    /// Bytes that may still be used.
    pub fn available(&self) -> u64 {
        self.shape.limit.unwrap_or(u64::MAX).saturating_sub(self.memory())
    }

    /// Grants as many states as the table and the memory limit allow.
    pub(super) fn grant(&mut self) {
        self.granted = self.grantable(usual(self.table.len()), self.table.bytes(), self.table.index_bits());
    }

    /// How many states there may be with a table of so many bytes, up to `most`.
    fn grantable(&self, most: u64, table: u64, index_bits: u32) -> u64 {
        let from = self.levels.last().copied().unwrap_or(0);
        let numbers = if index_bits == 0 { u64::MAX } else { (1 << index_bits) - 1 };
        let most = most
            .min(numbers)
            .min(self.arena.capacity().saturating_add(self.arena_base))
            .min(self.parents.level_capacity().saturating_add(from));
        let Some(limit) = self.shape.limit else { return most };
        let room = limit.saturating_sub(table);
        // The bytes grow with the states: the most for which there is room.
        let (mut least, mut beyond) = (self.roughly(), most.saturating_add(1));
        if least >= beyond || self.bytes_for(least) > room {
            return least.min(most);
        }
        while beyond - least > 1 {
            let middle = least + (beyond - least) / 2;
            if self.bytes_for(middle) <= room { least = middle } else { beyond = middle }
        }
        least
    }

    /// The largest table that can be filled to the highest load under the memory limit.
    fn last_table(&self) -> u64 {
        let Some(limit) = self.shape.limit else { return u64::MAX };
        if self.shape.compact {
            // The levels come and go: some room beside what they take now. Both tables exist for a while.
            let levels = self.bytes_for(self.roughly()) + limit / 16;
            return limit.saturating_sub(levels + self.table.bytes()) / 8;
        }
        let (mut least, mut beyond) = (0, limit / 8 + 1);
        while beyond - least > 1 {
            let middle = least + (beyond - least) / 2;
            let states = at_most(middle).max(self.roughly());
            let fits = self.bytes_for(states).saturating_add(8 * middle) <= limit;
            if fits { least = middle } else { beyond = middle }
        }
        least
    }

    /// Makes room for more states: after that, the table is to be filled again.
    pub fn grow(&mut self) -> Result<(), Full> {
        let (now, bits) = (self.table.len(), self.table.index_bits());
        let wide =
            !self.shape.compact && bits < self.shape.index_bits.1 && self.granted >= (1u64 << bits) - 1;
        let bits = if wide { self.shape.index_bits.1 } else { bits };
        let crowded = self.granted >= usual(now);
        let factor = match now {
            ..SMALL_SLOTS => 8,
            SMALL_SLOTS..MEDIUM_SLOTS => 4,
            _ => 2,
        };
        let last = self.last_table();
        let wanted = if crowded { now.saturating_mul(factor) } else { now };
        let (slots, most) = if wanted <= last {
            (wanted, usual(wanted))
        } else {
            // A last table; not worth it if it is hardly larger.
            let slots = if last > now + now / 16 { Table::whole(last) } else { now };
            (slots, at_most(slots))
        };
        let granted = self.grantable(most, 8 * slots, bits);
        if granted <= self.roughly() {
            return Err(Full);
        }
        if slots == now && !wide {
            self.granted = granted;
            return Ok(());
        }
        if self.shape.compact {
            let table = Table::new(slots, bits).ok_or(Full)?;
            self.old_table = Some(std::mem::replace(&mut self.table, table));
        } else {
            self.table = Table::new(1, bits).ok_or(Full)?;
            self.table = Table::new(slots, bits).ok_or(Full)?;
        }
        self.granted = granted;
        self.refilling = true;
        Ok(())
    }

    /// How much there is to do to fill the table again.
    pub fn refill_work(&self) -> u64 {
        match &self.old_table {
            _ if !self.refilling => 0,
            Some(old) => old.len(),
            None => self.roughly(),
        }
    }

    /// Touches a part of the pages of a new table, the part being given in fractions of `parts`.
    pub fn touch(&self, part: u64, parts: u64) {
        if self.refilling {
            let share = self.table.len().div_ceil(parts);
            self.table
                .touch((part * share).min(self.table.len()), ((part + 1) * share).min(self.table.len()));
        }
    }

    /// Does a part of filling the table again.
    pub fn refill(&self, part: Range<u64>) {
        if let Some(old) = &self.old_table {
            return self.table.enter_all(old, part.start, part.end, self.alone);
        }
        let mut words = vec![0; self.shape.words];
        let holes: Vec<_> = self.lock_holes().clone();
        let mut hashes = Vec::with_capacity(PASS as usize);
        for from in part.clone().step_by(PASS as usize) {
            let pass = from..part.end.min(from + PASS);
            hashes.clear();
            hashes.extend(pass.clone().map(|state| {
                self.read(state, &mut words);
                hash(&words)
            }));
            // All before the first is needed, as they do not wait for each other.
            hashes.iter().for_each(|hash| self.ask(*hash));
            for (state, hash) in pass.zip(&hashes) {
                if !holes.iter().any(|hole| hole.contains(&state)) {
                    self.table.enter(*hash, state, self.alone);
                }
            }
        }
    }

    /// The table is filled again.
    pub fn grown(&mut self) {
        self.old_table = None;
        self.refilling = false;
    }
}
