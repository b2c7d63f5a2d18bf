//! The space of a model's states under its symmetry.

use std::collections::HashMap;

use burnside_encode::Encoding;
use burnside_model::code::{DomainKind, UNDEFINED};
use burnside_symmetry::Action;

use crate::variables::Variables;

use super::order::LocalOrder;
use super::space::{Cell, Domain, Inapplicable, Index, Space};

/// The elements that permutations leave where they are, by domain and element: a subgroup of an action's.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Fixed(Vec<Vec<bool>>);

impl Fixed {
    /// Nothing is fixed; nothing if the group is not one of all permutations or rotations of domains.
    pub fn none(action: &Action) -> Option<Self> {
        Some(Fixed(action.shapes()?.iter().map(|&(_, size)| vec![false; size as usize]).collect()))
    }

    /// With another element that stays. The rotations of a ring then leave all of it, as does what would only be left
    /// to be exchanged with itself.
    pub fn fix(&mut self, action: &Action, (domain, element): Index) {
        let Some(&(kind, _)) = action.shapes().and_then(|shapes| shapes.get(domain)) else { return };
        let fixed = &mut self.0[domain];
        fixed[element] = true;
        if kind == DomainKind::Ring || fixed.iter().filter(|fixed| !**fixed).count() < 2 {
            fixed.fill(true);
        }
    }

    /// How many elements of each domain may move.
    pub fn moving(&self) -> Vec<u32> {
        self.0.iter().map(|fixed| fixed.iter().filter(|fixed| !**fixed).count() as u32).collect()
    }

    /// Whether nothing may move.
    pub fn is_all(&self) -> bool {
        self.0.iter().flatten().all(|fixed| *fixed)
    }

    /// The position of an element among those of its domain that may move.
    pub fn rank(&self, (domain, element): Index) -> Option<Index> {
        let fixed = &self.0[domain];
        (!fixed[element]).then(|| (domain, fixed[..element].iter().filter(|fixed| !**fixed).count()))
    }
}

/// The cells of an encoded model as an action moves them, but for the elements that are fixed: to permutations, what has
/// those as indices or content is like any other cell or value.
pub fn space(
    encoding: &Encoding<'_>,
    variables: &Variables,
    action: &Action,
    fixed: Option<&Fixed>,
) -> Result<Space, Inapplicable> {
    let none = Fixed::none(action);
    let (Some(shapes), Some(none)) = (action.shapes(), &none) else {
        return Err(Inapplicable("the symmetry is a group that generators were claimed for".to_owned()));
    };
    let fixed = fixed.unwrap_or(none);
    let domains = shapes.iter().zip(fixed.moving());
    let domains = domains.map(|(&(kind, _), size)| Domain { kind, size: size as usize }).collect();
    let described = encoding.model.state_cells();
    let mut cells = Vec::new();
    // Cells of one family with different fixed indices are no family any more.
    let mut families: HashMap<(u32, Vec<Option<Index>>), usize> = HashMap::new();
    for ((number, encoded), described) in (0..).zip(encoding.cells()).zip(&described) {
        let Some(place) = action.place(number) else {
            let name = &described.name;
            return Err(Inapplicable(format!(
                "permutations would change the order in the multiset of `{name}`"
            )));
        };
        let bits = encoded.first..encoded.first + encoded.width;
        let index = |(domain, element): (usize, u32)| (domain, element as usize);
        let indices: Vec<Index> = place.indices.into_iter().map(index).collect();
        let stays = |at: &Index| fixed.rank(*at).is_none();
        let pattern: Vec<Option<Index>> = indices.iter().map(|at| stays(at).then_some(*at)).collect();
        let family = if pattern.iter().all(Option::is_none) {
            place.family as usize
        } else {
            let next = encoding.cells().len() + families.len();
            *families.entry((place.family, pattern)).or_insert(next)
        };
        let ids = place.ids.into_iter().map(|(value, id)| (encoded.number(value), index(id)));
        cells.push(Cell {
            family,
            indices: indices.into_iter().filter_map(|at| fixed.rank(at)).collect(),
            bits: [
                bits.clone().map(|bit| variables.now(bit)).collect(),
                bits.map(|bit| variables.next(bit)).collect(),
            ],
            ids: ids.filter_map(|(code, id)| Some((code, fixed.rank(id)?))).collect(),
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
