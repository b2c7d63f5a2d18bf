//! Discrete states: stored in few bytes, each once; what is the same for all zones of one is computed when it is asked
//! for, and kept while there is room.

use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::BuildHasher;
use std::rc::Rc;

use burnside_model::Network;
use burnside_model::code::{Cell, UNDEFINED};
use foldhash::fast::RandomState;

use crate::conditions::Run;
use crate::steps::{Outcome, Standing, Step, Stepper, Within};
use crate::symmetry::Representatives;

/// How many bytes the computed parts may take at least.
const ROOM: usize = 1 << 17;

/// What a step leads to, and what holds there.
pub type Reached = Rc<(Outcome, Standing)>;

/// A discrete state with what is the same for all its zones.
pub struct Place {
    pub state: Vec<Cell>,
    /// The steps that can be taken.
    pub steps: Vec<Step>,
    /// The elements of symmetry domains that each step names, in order.
    pub named: Vec<Vec<(usize, u32)>>,
    /// Whether time stands still.
    pub still: bool,
    /// What the steps lead to, once that was asked.
    outcomes: RefCell<Vec<Option<Reached>>>,
}

impl Place {
    pub fn outcome(&self, stepper: &mut Stepper, step: usize) -> Run<Reached> {
        if let Some(known) = &self.outcomes.borrow()[step] {
            return Ok(known.clone());
        }
        let outcome = stepper.take(&self.state, &self.steps[step])?;
        let standing = stepper.standing(&outcome.state)?;
        let both = Rc::new((outcome, standing));
        self.outcomes.borrow_mut()[step] = Some(both.clone());
        Ok(both)
    }
}

/// All discrete states of a search.
pub struct Places {
    /// The cells that are stored: which, what their least value is, and in how many bytes.
    kept: Vec<(usize, Cell, usize)>,
    /// The other cells.
    base: Vec<Cell>,
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
    cache: HashMap<u32, Rc<Place>, RandomState>,
    /// How many bytes the cache takes, about.
    cached: usize,
    /// How many it may take.
    pub room: usize,
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
            kept: kept.collect(),
            base: start.to_vec(),
            packed: Vec::new(),
            each: 0,
            count: 0,
            known: vec![None; 64],
            hasher: RandomState::default(),
            key: Vec::new(),
            cache: HashMap::default(),
            cached: 0,
            room: ROOM,
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
        for (cell, lo, width) in &self.kept {
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

    fn bytes_of(&self, number: u32) -> &[u8] {
        &self.packed[number as usize * self.each..][..self.each]
    }

    /// How many bytes one takes, about.
    pub fn bytes_each(&self) -> usize {
        self.kept.iter().map(|(_, _, width)| width).sum::<usize>() + 16
    }

    /// The cells of a discrete state.
    pub fn state(&self, number: u32) -> Vec<Cell> {
        let mut state = self.base.clone();
        let mut bytes = self.bytes_of(number);
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

    /// A discrete state with all that belongs to it.
    pub fn place(
        &mut self,
        number: u32,
        stepper: &mut Stepper,
        representatives: Option<&Representatives>,
    ) -> Run<Rc<Place>> {
        if let Some(known) = self.cache.get(&number) {
            return Ok(known.clone());
        }
        let place = self.place_within(number, stepper, representatives, Within::Anything)?;
        let bytes = 200 + place.steps.len() * (200 + place.state.len() * size_of::<Cell>());
        if self.cached + bytes > self.room {
            self.cache.clear();
            self.cached = 0;
        }
        self.cached += bytes;
        let place = Rc::new(place);
        self.cache.insert(number, place.clone());
        Ok(place)
    }

    /// A discrete state with the steps that are asked for.
    pub fn place_within(
        &self,
        number: u32,
        stepper: &mut Stepper,
        representatives: Option<&Representatives>,
        within: Within,
    ) -> Run<Place> {
        let state = self.state(number);
        let standing = stepper.standing(&state)?;
        let steps = stepper.steps_within(&state, within)?;
        let still = standing.still || stepper.is_urgent(&steps);
        let named = match representatives {
            Some(representatives) => steps.iter().map(|step| stepper.named(step, representatives)).collect(),
            None => Vec::new(),
        };
        let outcomes = RefCell::new(vec![None; steps.len()]);
        Ok(Place { state, steps, named, still, outcomes })
    }
}
