//! Decision diagrams as the Boolean algebra that models are encoded in.

use burnside_model::Deadline;

use burnside_encode::{Algebra, EncodeError, Refusal};

use crate::bdd::{Bdd, Manager, OutOfNodes};
use crate::search::Stop;
use crate::sizes::Sizes;
use crate::variables::Variables;

/// Functions of the values now of the bits of a state.
#[derive(Clone)]
pub struct Diagrams<'d> {
    pub manager: &'d Manager,
    /// Which variable is which bit.
    pub variables: &'d Variables,
    pub deadline: Deadline,
    /// How large things may be.
    pub sizes: Sizes,
    /// The states that matter, if not all do: what functions are elsewhere means nothing.
    pub care: Option<Bdd>,
    /// More nodes than this are too many.
    pub most: usize,
    /// How many of them were free at first.
    room: usize,
    /// How often garbage may be collected when there are too many, to see whether it was that.
    collections: u32,
    operations: u32,
    /// After so many, nodes are counted.
    every: u32,
    /// Nodes there were after the last one, if they are watched.
    nodes: usize,
}

/// Nodes are counted at least after so many operations.
const SELDOM: u32 = 1 << 7;

/// More often than this, garbage is not collected to go on.
const MOST_COLLECTIONS: u32 = 1 << 6;

/// An operation that makes more nodes than this makes a large function.
const LARGE_FUNCTION: usize = 1000;

/// Why a model has no diagrams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    Stopped(Stop),
    Refused(Refusal),
}

impl<'d> Diagrams<'d> {
    pub fn new(manager: &'d Manager, variables: &'d Variables, deadline: Deadline, sizes: Sizes) -> Self {
        Self {
            manager,
            variables,
            deadline,
            sizes,
            care: None,
            most: usize::MAX,
            room: usize::MAX,
            collections: 0,
            operations: 0,
            every: SELDOM,
            nodes: 0,
        }
    }

    /// The same, but what takes more than so many further nodes has no encoding.
    pub fn with_room(&self, nodes: usize) -> Self {
        // Every operation makes a few nodes: with room for many, there is no need to look often.
        let every = u32::try_from(nodes >> 9).unwrap_or(SELDOM).clamp(1, SELDOM);
        let most = self.manager.nodes().saturating_add(nodes);
        Self { most, room: nodes, collections: 0, every, ..self.clone() }
    }

    /// The same, but nodes that are made on the way and not kept do not count.
    pub fn with_room_to_keep(&self, nodes: usize) -> Self {
        Self { collections: if nodes > 0 { MOST_COLLECTIONS } else { 0 }, ..self.with_room(nodes) }
    }

    /// What was made, or nothing if it took more nodes than it might; an error if it was something else that ended it.
    pub fn unless_large<T>(&self, made: Result<T, Failed>) -> Result<Option<T>, Failed> {
        match made {
            Err(Failed::Stopped(Stop::Memory(_))) if self.most < self.manager.capacity() => Ok(None),
            made => made.map(Some),
        }
    }

    /// The part of a set that matters.
    pub fn within(&self, set: &Bdd) -> Result<Bdd, OutOfNodes> {
        self.care.as_ref().map_or_else(|| Ok(set.clone()), |care| set.and(care))
    }

    /// Collects garbage where that pays, and looks at the clock.
    pub fn pause(&self) -> Result<(), Stop> {
        self.manager.tidy();
        if self.deadline.has_passed() { Err(Stop::Time) } else { Ok(()) }
    }

    /// Collects garbage, if it may; an error unless that gives back half of the room.
    fn without_garbage(&mut self) -> Result<(), Stop> {
        if self.collections > 0 {
            self.collections -= 1;
            self.nodes = self.manager.collect();
            if self.nodes <= self.most - self.room / 2 {
                return Ok(());
            }
        }
        Err(OutOfNodes { nodes: self.nodes }.into())
    }

    /// Now and then pauses.
    fn result(&mut self, made: Result<Bdd, OutOfNodes>) -> Result<Bdd, Stop> {
        self.operations = self.operations.wrapping_add(1);
        if self.operations.is_multiple_of(1 << 10) {
            self.pause()?;
        }
        let made = made?;
        if self.care.is_none() && !self.operations.is_multiple_of(self.every) {
            return Ok(made);
        }
        let before = std::mem::replace(&mut self.nodes, self.manager.nodes());
        if self.nodes > self.most {
            self.without_garbage()?;
        }
        // What is large is often so because of states that do not matter.
        Ok(if self.nodes > before + LARGE_FUNCTION { self.within(&made)? } else { made })
    }
}

impl Algebra for Diagrams<'_> {
    type F = Bdd;
    type Error = Stop;

    fn constant(&mut self, value: bool) -> Bdd {
        self.manager.constant(value)
    }

    fn var(&mut self, bit: usize) -> Result<Bdd, Stop> {
        let made = self.manager.var(self.variables.now(bit));
        self.result(made)
    }

    fn not(&mut self, f: &Bdd) -> Result<Bdd, Stop> {
        Ok(f.not())
    }

    fn and(&mut self, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.result(f.and(g))
    }

    fn or(&mut self, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.result(f.or(g))
    }

    fn xor(&mut self, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.result(f.xor(g))
    }

    fn ite(&mut self, c: &Bdd, f: &Bdd, g: &Bdd) -> Result<Bdd, Stop> {
        self.result(c.ite(f, g))
    }

    fn is_false(&self, f: &Bdd) -> bool {
        f.is_false() || self.care.is_some() && self.within(f).is_ok_and(|f| f.is_false())
    }

    fn is_true(&self, f: &Bdd) -> bool {
        f.is_true() || self.care.is_some() && self.is_false(&f.not())
    }
}

impl From<Stop> for Failed {
    fn from(stop: Stop) -> Self {
        Failed::Stopped(stop)
    }
}

impl From<OutOfNodes> for Failed {
    fn from(error: OutOfNodes) -> Self {
        Failed::Stopped(error.into())
    }
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Failed::Refused(refusal)
    }
}

impl From<EncodeError<Stop>> for Failed {
    fn from(error: EncodeError<Stop>) -> Self {
        match error {
            EncodeError::Algebra(stop) => Failed::Stopped(stop),
            EncodeError::Refused(refusal) => Failed::Refused(refusal),
        }
    }
}

#[cfg(test)]
mod tests {
    use burnside_encode::Algebra;
    use burnside_model::Deadline;

    use super::Diagrams;
    use crate::bdd::{Bdd, Manager};
    use crate::search::Stop;
    use crate::sizes::Sizes;
    use crate::variables::{CellBits, Order, Variables};

    /// With 300 processes, an invariant about pairs was evaluated anew in every set of states: what was made on the way and
    /// not kept had counted.
    #[test]
    fn garbage_takes_no_room_to_keep() {
        let bits = 24;
        let cells = [CellBits { width: bits, ..CellBits::default() }];
        let variables = Variables::new(&cells, Order::Auto);
        let manager = Manager::new(2 * bits, 1 << 26);
        let diagrams = Diagrams::new(&manager, &variables, Deadline::NEVER, Sizes::default());
        let number = |diagrams: &mut Diagrams<'_>, number: u32| -> Result<Bdd, Stop> {
            let mut cube = diagrams.constant(true);
            for bit in (0..bits).rev() {
                let var = diagrams.var(bit)?;
                cube = diagrams.and(&cube, &if number >> bit & 1 == 1 { var } else { var.not() })?;
            }
            Ok(cube)
        };
        let dropped =
            |mut diagrams: Diagrams<'_>| (0..5_000).try_for_each(|n| number(&mut diagrams, n).map(drop));
        assert!(dropped(diagrams.with_room(1 << 12)).is_err());
        assert!(dropped(diagrams.with_room_to_keep(1 << 12)).is_ok());
        let mut kept = Vec::new();
        let mut keeping = diagrams.with_room_to_keep(1 << 12);
        let ended = (0..5_000).try_for_each(|n| number(&mut keeping, n * 3001).map(|cube| kept.push(cube)));
        assert!(ended.is_err());
    }
}
