//! Discrete states: stored in few bytes, each once.

use std::hash::BuildHasher;

use burnside_model::Network;
use burnside_model::code::{Cell, UNDEFINED};
use foldhash::fast::RandomState;

/// How the cells of a discrete state are packed.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The cells that are stored: which, what their least value is, and in how many bytes.
    kept: Vec<(usize, Cell, usize)>,
    /// The other cells.
    base: Vec<Cell>,
}

/// All discrete states of a search.
pub struct Places {
    layout: Layout,
    /// The stored cells of all states, one after the other, each followed by its sector.
    packed: Vec<u8>,
    /// How many bytes one takes.
    each: usize,
    count: u32,
    /// The number of each, in the place that its hash has or the next free one, with a part of the hash.
    known: Vec<Option<(u32, u32)>>,
    hasher: RandomState,
    /// The bytes of the state at hand.
    key: Vec<u8>,
}

impl Places {
    /// None yet; `start` tells the values of constants, and of clocks and channels, which have none.
    pub fn new(network: &Network, start: &[Cell]) -> Places {
        let fixed = |cell: u32| {
            network.clocks.binary_search(&cell).is_ok()
                || network.constant.contains(&cell)
                || network.channels.binary_search_by_key(&cell, |channel| channel.cell).is_ok()
        };
        let cells = network.model.state_cells();
        let kept = (0u32..).zip(&cells).filter(|(cell, _)| !fixed(*cell));
        let kept = kept.map(|(cell, shape)| {
            let (lo, hi) = network.model.types.bounds(shape.ty);
            // One value more: none.
            let most = (i128::from(hi) - i128::from(lo) + 1).max(1) as u128;
            let width = [1, 2, 4].into_iter().find(|width| most >> (8 * width) == 0).unwrap_or(8);
            (cell as usize, lo, width)
        });
        Places {
            layout: Layout { kept: kept.collect(), base: start.to_vec() },
            packed: Vec::new(),
            each: 0,
            count: 0,
            known: vec![None; 64],
            hasher: RandomState::default(),
            key: Vec::new(),
        }
    }

    pub fn len(&self) -> usize {
        self.count as usize
    }

    pub fn is_empty(&self) -> bool {
        self.count == 0
    }

    /// The number of a discrete state, and whether it is new. Zones of different sectors are told apart by it; all
    /// sectors have the same length.
    pub fn intern(&mut self, state: &[Cell], sector: &[u8]) -> (u32, bool) {
        self.key.clear();
        for (cell, lo, width) in &self.layout.kept {
            let value = state[*cell];
            let code = if value == UNDEFINED { 0 } else { value.wrapping_sub(*lo).wrapping_add(1) as u64 };
            self.key.extend_from_slice(&code.to_le_bytes()[..*width]);
        }
        self.key.extend_from_slice(sector);
        self.each = self.key.len();
        let hash = self.hasher.hash_one(&self.key[..]);
        let (mut at, tag) = (hash as usize & (self.known.len() - 1), (hash >> 32) as u32);
        while let Some((number, known)) = self.known[at] {
            if known == tag && self.bytes_of(number) == self.key {
                return (number, false);
            }
            at = (at + 1) & (self.known.len() - 1);
        }
        let number = self.count;
        self.known[at] = Some((number, tag));
        self.packed.extend_from_slice(&self.key);
        self.count += 1;
        if self.len() > self.known.len() / 4 * 3 {
            self.spread();
        }
        (number, true)
    }

    /// Doubles the room for numbers.
    fn spread(&mut self) {
        let mask = 2 * self.known.len() - 1;
        let mut known = vec![None; mask + 1];
        for number in 0..self.count {
            let hash = self.hasher.hash_one(self.bytes_of(number));
            let mut at = hash as usize & mask;
            while known[at].is_some() {
                at = (at + 1) & mask;
            }
            known[at] = Some((number, (hash >> 32) as u32));
        }
        self.known = known;
    }

    /// The packed cells of a discrete state, and its sector.
    pub fn bytes_of(&self, number: u32) -> &[u8] {
        &self.packed[number as usize * self.each..][..self.each]
    }

    /// How cells are packed.
    pub fn layout(&self) -> &Layout {
        &self.layout
    }

    /// How many bytes one takes, about.
    pub fn bytes_each(&self) -> usize {
        self.layout.kept.iter().map(|(_, _, width)| width).sum::<usize>() + 16
    }

    /// The cells of a discrete state.
    pub fn state(&self, number: u32) -> Vec<Cell> {
        self.layout.unpack(self.bytes_of(number))
    }
}

impl Layout {
    /// The cells of a packed discrete state.
    pub fn unpack(&self, mut bytes: &[u8]) -> Vec<Cell> {
        let mut state = self.base.clone();
        for (cell, lo, width) in &self.kept {
            let (mine, rest) = bytes.split_at(*width);
            let mut code = [0; 8];
            code[..*width].copy_from_slice(mine);
            let code = u64::from_le_bytes(code);
            state[*cell] =
                if code == 0 { UNDEFINED } else { (code as i64).wrapping_sub(1).wrapping_add(*lo) };
            bytes = rest;
        }
        state
    }
}
