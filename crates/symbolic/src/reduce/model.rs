//! The space of a model's states under its symmetry.

use burnside_encode::Encoding;
use burnside_model::code::UNDEFINED;
use burnside_symmetry::Action;

use crate::variables::Variables;

use super::order::LocalOrder;
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

/// The order of local states that is asked for: by variable, its values, the least first.
pub fn local_order(
    encoding: &Encoding<'_>,
    action: &Action,
    wanted: &[(String, Vec<String>)],
) -> Result<LocalOrder, Inapplicable> {
    let described = encoding.model.state_cells();
    let mut order = LocalOrder::default();
    for (name, values) in wanted {
        let local = (0..).zip(&described).find_map(|(number, cell)| {
            let place = action.place(number).filter(|place| place.indices.len() == 1 && place.ids.is_empty());
            place
                .filter(|_| without_indices(&cell.name) == *name)
                .map(|place| (number as usize, place.family))
        });
        let Some((cell, family)) = local else {
            return Err(Inapplicable(format!(
                "`{name}` is no variable of one element without elements inside"
            )));
        };
        let encoded = &encoding.cells()[cell];
        let contents =
            (encoded.lo..).take(encoded.values as usize).chain(encoded.undefined.then_some(UNDEFINED));
        let named = |value: &String| {
            let mut contents = contents.clone();
            let found = contents.find(|content| encoding.model.types.show(encoded.ty, *content) == *value);
            found
                .map(|content| encoded.number(content))
                .ok_or_else(|| Inapplicable(format!("`{name}` has no value `{value}` to be ordered")))
        };
        let codes = values.iter().map(named).collect::<Result<Vec<_>, _>>()?;
        order = order.with(family as usize, &codes)?;
    }
    Ok(order)
}

/// The name of a cell's variable and fields.
fn without_indices(name: &str) -> String {
    let mut depth = 0usize;
    let keep = |c: &char| {
        depth += usize::from(*c == '[');
        let outside = depth == 0;
        depth -= usize::from(*c == ']' && depth > 0);
        outside
    };
    name.chars().filter(keep).collect()
}
