//! States as rows of bits, in the order of variables.

use burnside_encode::Encoding;
use burnside_model::code::Cell;

use crate::algebra::Diagrams;
use crate::bdd::rows::{Columns, is_set, set};

/// Which column is which bit of a state.
pub struct Layout<'l> {
    encoding: &'l Encoding<'l>,
    columns: Columns,
    /// Per bit, its column.
    places: Vec<usize>,
}

impl<'l> Layout<'l> {
    /// With the order of variables that there is now.
    pub fn new(encoding: &'l Encoding<'l>, diagrams: &Diagrams<'_>) -> Self {
        let now = |bit| diagrams.variables.now(bit);
        let columns = Columns::new(diagrams.manager, (0..diagrams.variables.bits()).map(now));
        let mut places: Vec<usize> = (0..diagrams.variables.bits()).collect();
        places.sort_unstable_by_key(|bit| diagrams.manager.level(now(*bit)));
        let mut inverse = vec![0; places.len()];
        places.iter().enumerate().for_each(|(place, bit)| inverse[*bit] = place);
        Self { encoding, columns, places: inverse }
    }

    /// The variables of the bits.
    pub fn columns(&self) -> &Columns {
        &self.columns
    }

    pub fn pack(&self, state: &[Cell], row: &mut Vec<u64>) {
        row.clear();
        row.resize(self.columns.words(), 0);
        for (cell, value) in self.encoding.cells().iter().zip(state) {
            let number = cell.number(*value);
            for (bit, shift) in (cell.first..).zip((0..cell.width).rev()) {
                if number >> shift & 1 == 1 {
                    set(row, self.places[bit], true);
                }
            }
        }
    }

    pub fn unpack(&self, row: &[u64], state: &mut Vec<Cell>) {
        state.clear();
        state.extend(self.encoding.cells().iter().map(|cell| {
            let bits = cell.first..cell.first + cell.width;
            cell.content(bits.fold(0, |number, bit| number << 1 | u64::from(is_set(row, self.places[bit]))))
        }));
    }
}
