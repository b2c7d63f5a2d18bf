//! Which of the stored states is looked at next.
//!
//! A state that a larger one supersedes need not be looked at any more. Breadth first alone does not find the fewest
//! steps then: while the states after n steps are looked at, one that is reached after n + 1 may supersede one of them
//! that still waits, and what that one leads to is found a step later. (None that is reached later still can: the states
//! after n + 1 steps are looked at only when those after n steps were.) So, level by level, what waits at the level that
//! is looked at is kept, and only what waits at the next one is given up. Then by induction every run of n steps ends in a
//! point that one at level n or before simulates, and the first goal that is stored takes the fewest steps.

use std::cmp::Reverse;
use std::collections::{BinaryHeap, VecDeque};

use crate::zone::{Bound, Zone};

/// The order of a search.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// What was found first.
    #[default]
    Breadth,
    /// What was found last.
    Depth,
    /// What takes the fewest steps.
    Levels,
    /// Where a clock is least: if it is never set, what takes the least time.
    Least(usize),
}

/// The states that wait.
#[derive(Debug, Default)]
pub struct Waiting {
    /// In which order they are taken.
    order: Order,
    /// Those that wait, if they are taken as they came.
    line: VecDeque<u32>,
    /// Those that wait, if a clock decides: the one with the weakest bound from below first, then the oldest.
    heap: BinaryHeap<(Bound, Reverse<u32>)>,
    /// The first state of the next level.
    level: u32,
}

impl Waiting {
    pub fn new(order: Order) -> Self {
        Waiting { order, ..Waiting::default() }
    }

    pub fn add(&mut self, node: u32, zone: &Zone) {
        match self.order {
            Order::Least(clock) => self.heap.push((zone.at(0, clock), Reverse(node))),
            _ => self.line.push_back(node),
        }
    }

    /// The next state, of so many that are stored.
    pub fn next(&mut self, stored: usize) -> Option<u32> {
        let node = match self.order {
            Order::Least(_) => self.heap.pop().map(|(_, Reverse(node))| node),
            Order::Depth => self.line.pop_back(),
            Order::Breadth | Order::Levels => self.line.pop_front(),
        }?;
        if node >= self.level {
            self.level = stored as u32;
        }
        Some(node)
    }

    /// Whether states are taken in the order in which they came.
    pub fn in_line(&self) -> bool {
        matches!(self.order, Order::Breadth | Order::Levels)
    }

    /// The state that comes after so many others, if states are taken in line.
    pub fn after(&self, others: usize) -> Option<u32> {
        self.line.get(others).copied()
    }

    /// Whether a state is looked at even if one that was found later supersedes it.
    pub fn keeps(&self, node: u32) -> bool {
        self.order == Order::Levels && node < self.level
    }

    /// How the clock that decides is bounded from below in the next state, if there is one.
    pub fn least(&self) -> Option<Bound> {
        self.heap.peek().map(|(bound, _)| *bound)
    }
}
