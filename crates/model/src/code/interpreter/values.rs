//! The values that loops and rule parameters take.

use crate::code::Cell;

/// The values of a loop's variable, in order; there may be very many.
#[derive(Clone, Copy)]
pub struct Values {
    pub(super) next: i64,
    pub(super) by: i64,
    pub(super) left: u128,
}

impl Values {
    /// All from `from` to `to`.
    pub(super) fn between(from: i64, to: i64) -> Self {
        let left = (i128::from(to) - i128::from(from) + 1).max(0) as u128;
        Values { next: from, by: 1, left }
    }
}

impl Iterator for Values {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        self.left = self.left.checked_sub(1)?;
        let value = self.next;
        self.next = value.wrapping_add(self.by);
        Some(value)
    }
}

/// The values of a rule's parameter.
pub enum Instances {
    /// An alias has none: it is bound.
    Bound,
    /// A range.
    Each(Values),
    These(std::vec::IntoIter<Cell>),
}

impl Iterator for Instances {
    type Item = Cell;

    fn next(&mut self) -> Option<Cell> {
        match self {
            Instances::Bound => None,
            Instances::Each(values) => values.next(),
            Instances::These(values) => values.next(),
        }
    }
}
