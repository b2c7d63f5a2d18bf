//! A concrete run of a network: which edges are taken, and at what times.

use crate::code::Cell;

/// An edge that an instance takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Taken {
    /// The instance that takes it, by position among the instances.
    pub instance: u32,
    /// The edge, by position in the network.
    pub edge: u32,
    /// The values that its selection chooses.
    pub selected: Vec<Cell>,
}

/// A step of a concrete run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedStep {
    /// When it is taken, in parts of a time unit since the start.
    pub time: i64,
    /// The edges, the sender's first; none for a mere moment, at which something begins to count.
    pub taken: Vec<Taken>,
    /// The cell of its channel.
    pub channel: Option<u32>,
    /// The discrete state after it.
    pub state: Vec<Cell>,
}

/// How a timed run goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnding {
    /// It is not said.
    Open,
    /// Nothing happens any more, and time passes forever.
    Stays,
    /// No step can ever be taken again, and time cannot pass forever.
    Stuck,
    /// From here it repeats what it did since the state after this many steps.
    Loop {
        /// How many steps come before the loop.
        back: usize,
        /// Whether the executed loop ended with the clocks as it began, up to what conditions can tell apart, so that
        /// it can be repeated with the same delays. Otherwise the loop was found among zones, and was executed some
        /// times without closing exactly.
        exact: bool,
    },
}

/// A concrete run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TimedRun {
    /// How many parts a time unit has.
    pub denominator: i64,
    /// The discrete state at the start.
    pub start: Vec<Cell>,
    pub steps: Vec<TimedStep>,
    /// When it ends, in parts of a time unit since the start.
    pub end: i64,
    pub ending: RunEnding,
}
