//! The space of a model's states under its symmetry.

use burnside_encode::Encoding;
use burnside_symmetry::Action;

use crate::variables::Variables;

use super::space::{Cell, Domain, Inapplicable, Space};

/// The cells of an encoded model as an action moves them.
pub fn space(encoding: &Encoding<'_>, variables: &Variables, action: &Action) -> Result<Space, Inapplicable> {
    let Some(shapes) = action.shapes() else {
        return Err(Inapplicable("the symmetry is a group that generators were claimed for".to_owned()));
    };
    let domains = shapes.iter().map(|&(kind, size)| Domain { kind, size: size as usize }).collect();
    let described = encoding.model.state_cells();
    let mut cells = Vec::new();
    for ((number, encoded), described) in (0..).zip(encoding.cells()).zip(&described) {
        let Some(place) = action.place(number) else {
            let name = &described.name;
            return Err(Inapplicable(format!(
                "permutations would change the order in the multiset of `{name}`"
            )));
        };
        let bits = encoded.first..encoded.first + encoded.width;
        let index = |(domain, element): (usize, u32)| (domain, element as usize);
        cells.push(Cell {
            family: place.family as usize,
            indices: place.indices.into_iter().map(index).collect(),
            bits: [
                bits.clone().map(|bit| variables.now(bit)).collect(),
                bits.map(|bit| variables.next(bit)).collect(),
            ],
            ids: place.ids.into_iter().map(|(value, id)| (encoded.number(value), index(id))).collect(),
        });
    }
    Space::new(domains, cells)
}
