//! Decision diagrams as the Boolean algebra that models are encoded in.

use std::time::Instant;

use burnside_encode::{Algebra, EncodeError, Refusal};

use crate::bdd::{Bdd, Manager, OutOfNodes};
use crate::search::Stop;
use crate::variables::Variables;

/// Functions of the values now of the bits of a state.
#[derive(Clone)]
pub struct Diagrams<'d> {
    /// Where they are.
    pub manager: &'d Manager,
    /// Which variable is which bit.
    pub variables: &'d Variables,
    /// When to give up.
    pub deadline: Option<Instant>,
    /// Operations so far.
    operations: u32,
}

/// Why a model has no diagrams.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failed {
    /// A limit was hit.
    Stopped(Stop),
    /// It cannot be encoded.
    Refused(Refusal),
}

impl<'d> Diagrams<'d> {
    /// An algebra on these variables.
    #[must_use]
    pub fn new(manager: &'d Manager, variables: &'d Variables, deadline: Option<Instant>) -> Self {
        Self { manager, variables, deadline, operations: 0 }
    }

    /// Collects garbage where that pays, and looks at the clock.
    pub fn pause(&self) -> Result<(), Stop> {
        self.manager.tidy();
        if self.deadline.is_some_and(|deadline| Instant::now() > deadline) { Err(Stop::Time) } else { Ok(()) }
    }

    /// Now and then pauses.
    fn result(&mut self, made: Result<Bdd, OutOfNodes>) -> Result<Bdd, Stop> {
        self.operations = self.operations.wrapping_add(1);
        if self.operations.is_multiple_of(1 << 10) {
            self.pause()?;
        }
        Ok(made?)
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
        f.is_false()
    }

    fn is_true(&self, f: &Bdd) -> bool {
        f.is_true()
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
