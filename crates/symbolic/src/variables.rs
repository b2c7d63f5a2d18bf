//! Which variable of the diagrams is which bit of a state, and in which order.
//!
//! Every state bit has two variables, next to each other: its value now at an even level 2p, and its value in the next
//! state just below. What is chosen is the position p of each bit.

use std::collections::{BTreeMap, HashMap};

use burnside_model::Model;
use burnside_model::code::DomainId;

use crate::bdd::{Manager, Renaming, Result, Var};

/// A domain element whose cells belong together.
pub type Component = (DomainId, u32);

/// What the order of variables needs to know of a cell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CellBits {
    /// How many bits its content takes, the most significant first.
    pub width: usize,
    /// The component it is local to: the outermost domain element among its indices.
    pub component: Option<Component>,
    /// In a multiset: the multiset's first cell, and where in its slot the cell is.
    pub slot: Option<(usize, usize)>,
    /// Of no component, but in an array: which index comes first on the way to it. Cells of all arrays with the same
    /// index probably belong together.
    pub row: Option<u32>,
    /// Whether elements of a domain are among its values.
    pub names: bool,
    /// The same number for cells that permutations may exchange, and for all cells of multisets that they may.
    pub family: usize,
}

/// What the order needs to know of the cells of a model's states, which have these widths.
pub fn cells(model: &Model, widths: impl IntoIterator<Item = usize>) -> Vec<CellBits> {
    let described = model.state_cells();
    let mut multisets: HashMap<&str, usize> = HashMap::new();
    let mut rows: HashMap<&str, u32> = HashMap::new();
    let mut cells = Vec::with_capacity(described.len());
    for (number, (cell, width)) in described.iter().zip(widths).enumerate() {
        // The indices inside a slot are no components.
        let around = cell.slot.map_or(cell, |flag| &described[flag as usize]);
        let slot = cell.slot.map(|flag| {
            let name = around.name.rsplit_once('[').map_or("", |(multiset, _)| multiset);
            (*multisets.entry(name).or_insert(number), number - flag as usize)
        });
        let component = around.indices.first().copied();
        let index =
            cell.name.split_once('[').and_then(|(_, rest)| rest.split_once(']')).map(|(index, _)| index);
        let row = index.filter(|_| component.is_none() && slot.is_none()).map(|index| {
            let rows_so_far = rows.len() as u32;
            *rows.entry(index).or_insert(rows_so_far)
        });
        let names = !model.types.domains_of(cell.ty).is_empty();
        let family = described[slot.map_or(number, |(first, _)| first)].family as usize;
        cells.push(CellBits { width, component, slot, row, names, family });
    }
    cells
}

/// How the bits of components are arranged. Index-free cells come first. The slots of a multiset are always interleaved:
/// their sorting compares them bit by bit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// From the structure of the model: one component after the other; without components, one index after the other of
    /// arrays that have the same indices.
    #[default]
    Auto,
    /// One component after the other: level 2(i·b + j) + w for bit j of b of component i.
    Concatenated,
    /// First bits of all components, then the second bits: level 2(j·n + i) + w for component i of n. Likewise for cells
    /// with several indices. The bits of a cell that names elements stay together: permutations change all of them at once.
    Interleaved,
}

impl Order {
    /// The order for relations between states of which one is a permutation of the other.
    ///
    /// One component after the other, such a relation counts in which local states they were: about as many nodes as there
    /// are multisets of local states. Bit by bit, it remembers which component can be which, as many as there are
    /// pairs of permutations. So the former is for many small components, the latter for few large ones. Where there is no
    /// such relation, but states are sorted, only for very few.
    pub fn for_permutations(self, cells: &[CellBits], sorted: bool) -> Self {
        if self != Order::Auto {
            return self;
        }
        let mut widths: BTreeMap<Component, usize> = BTreeMap::new();
        for cell in cells {
            cell.component
                .into_iter()
                .for_each(|component| *widths.entry(component).or_default() += cell.width);
        }
        let mut domains: BTreeMap<DomainId, (u32, usize)> = BTreeMap::new();
        for ((domain, _), width) in widths {
            let (size, bits) = domains.entry(domain).or_default();
            (*size, *bits) = (*size + 1, width.max(*bits));
        }
        // Logarithms of the number of multisets, of permutations, and of pairs of them at each bit.
        let (mut multisets, mut permutations, mut pairs) = (0f64, 0f64, 0f64);
        for (size, bits) in domains.into_values() {
            let states = 2f64.powi(bits.min(1000) as i32);
            let each = (1..=size).map(f64::from);
            multisets += each.clone().map(|i| ((states + i) / i).ln()).sum::<f64>();
            let orders = each.map(f64::ln).sum::<f64>();
            permutations += orders;
            pairs += 2.0 * orders + (bits.max(1) as f64).ln();
        }
        let few = pairs < multisets + 10f64.ln() && (!sorted || permutations < MOST_TO_INTERLEAVE.ln());
        if few { Order::Interleaved } else { Order::Auto }
    }
}

/// With more permutations, states that are sorted have fewer nodes one component after the other, however large these are.
const MOST_TO_INTERLEAVE: f64 = 30.0;

/// Stands for the domain of the indices of arrays.
const ROWS: DomainId = DomainId(u32::MAX);

/// A bit in the concatenated order: its component (none first), its place inside, in a multiset its place in the slot,
/// and itself.
type Placed = (Option<Component>, usize, (usize, usize), usize);

/// The variables of the bits of a state. Bits are numbered through the cells, in the order of cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Variables {
    /// Per bit, its position in the order.
    positions: Vec<u32>,
    /// Per cell, its first bit.
    firsts: Vec<usize>,
}

impl Variables {
    /// Arranges the bits of these cells.
    pub fn new(cells: &[CellBits], order: Order) -> Self {
        let mut bits: Vec<Placed> = Vec::new();
        let mut firsts = Vec::with_capacity(cells.len());
        let mut inside: HashMap<Option<Component>, usize> = HashMap::new();
        let mut multisets: HashMap<usize, usize> = HashMap::new();
        let mut families: HashMap<usize, usize> = HashMap::new();
        for cell in cells {
            firsts.push(bits.len());
            let row = cell.row.filter(|_| order == Order::Auto).map(|row| (ROWS, row));
            let component = cell.component.or(row);
            let number = inside.entry(component).or_default();
            let first = *number;
            let family = *families.entry(cell.family).or_insert(bits.len());
            for bit in 0..cell.width {
                let (place, within) = match cell.slot {
                    Some((_, field)) if order == Order::Interleaved => (family, (field, bit)),
                    Some((multiset, field)) => (*multisets.entry(multiset).or_insert(first), (field, bit)),
                    None if order == Order::Interleaved => {
                        (family + if cell.names { 0 } else { bit }, (0, 0))
                    }
                    None => (*number, (0, 0)),
                };
                bits.push((component, place, within, bits.len()));
                *number += 1;
            }
        }
        match order {
            Order::Auto | Order::Concatenated => bits.sort_unstable(),
            Order::Interleaved => bits.sort_unstable_by_key(|&(component, place, within, bit)| {
                (component.map(|(domain, _)| domain), place, within, component, bit)
            }),
        }
        let mut positions = vec![0; bits.len()];
        for (position, (.., bit)) in bits.into_iter().enumerate() {
            positions[bit] = position as u32;
        }
        Self { positions, firsts }
    }

    /// How many bits a state has.
    pub fn bits(&self) -> usize {
        self.positions.len()
    }

    /// How many variables there are: two per bit.
    pub fn variables(&self) -> usize {
        2 * self.bits()
    }

    /// The bit's value now.
    pub fn now(&self, bit: usize) -> Var {
        2 * self.positions[bit]
    }

    /// The bit's value in the next state.
    pub fn next(&self, bit: usize) -> Var {
        2 * self.positions[bit] + 1
    }

    /// The variables in their order, those of a cell that lie beside each other in one block.
    pub fn blocks(&self) -> Vec<Vec<Var>> {
        let mut cells = vec![0; self.bits()];
        for (bit, position) in self.positions.iter().enumerate() {
            cells[*position as usize] = self.firsts.partition_point(|first| *first <= bit);
        }
        let vars = |position: usize| [2 * position as Var, 2 * position as Var + 1];
        let mut blocks: Vec<Vec<Var>> = Vec::new();
        for position in 0..cells.len() {
            match blocks.last_mut() {
                Some(block) if cells[position] == cells[position - 1] => block.extend(vars(position)),
                _ => blocks.push(vars(position).to_vec()),
            }
        }
        blocks
    }

    /// From the next values of these bits to their values now.
    pub fn to_now(&self, manager: &Manager, bits: impl IntoIterator<Item = usize>) -> Result<Renaming> {
        let pairs: Vec<_> = bits.into_iter().map(|bit| (self.next(bit), self.now(bit))).collect();
        manager.renaming(&pairs)
    }

    /// From the values now of these bits to their next values.
    pub fn to_next(&self, manager: &Manager, bits: impl IntoIterator<Item = usize>) -> Result<Renaming> {
        let pairs: Vec<_> = bits.into_iter().map(|bit| (self.now(bit), self.next(bit))).collect();
        manager.renaming(&pairs)
    }

    /// The values now of all bits, from a value per variable (see [`crate::bdd::Bdd::pick`]).
    pub fn values_now(&self, values: &[bool]) -> Vec<bool> {
        self.positions.iter().map(|position| values[2 * *position as usize]).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::{CellBits, Order, Variables};
    use burnside_model::code::DomainId;

    /// Two components of three bits and a global bit, declared among them.
    #[test]
    fn orders_of_the_literature() {
        let component = |i| Some((DomainId(0), i));
        let cell = |width, component, family| CellBits { width, component, family, ..CellBits::default() };
        let cells = [
            cell(2, component(0), 0),
            cell(2, component(1), 0),
            cell(1, None, 2),
            cell(1, component(0), 3),
            cell(1, component(1), 3),
        ];
        let order = |order| {
            let variables = Variables::new(&cells, order);
            (0..variables.bits()).map(|bit| variables.now(bit) / 2).collect::<Vec<_>>()
        };
        assert_eq!(order(Order::Concatenated), [1, 2, 4, 5, 0, 3, 6]);
        assert_eq!(order(Order::Interleaved), [1, 3, 2, 4, 0, 5, 6]);
    }

    /// Two components with a cell of two bits that names one, and then one of one bit.
    #[test]
    fn names_stay_together() {
        let cell = |width, component, names, family| {
            let component = Some((DomainId(0), component));
            CellBits { width, component, names, family, ..CellBits::default() }
        };
        let cells = [cell(2, 0, true, 0), cell(2, 1, true, 0), cell(1, 0, false, 2), cell(1, 1, false, 2)];
        let variables = Variables::new(&cells, Order::Interleaved);
        let order: Vec<_> = (0..variables.bits()).map(|bit| variables.now(bit) / 2).collect();
        assert_eq!(order, [0, 1, 2, 3, 4, 5]);
    }

    /// Each of two components has a cell of two bits for each of the two: whatever can be exchanged lies together.
    #[test]
    fn cells_with_two_indices_are_interleaved() {
        let cell =
            |i: u32| CellBits { width: 2, component: Some((DomainId(0), i / 2)), ..CellBits::default() };
        let variables = Variables::new(&[0, 1, 2, 3].map(cell), Order::Interleaved);
        let order: Vec<_> = (0..variables.bits()).map(|bit| variables.now(bit) / 2).collect();
        assert_eq!(order, [0, 4, 1, 5, 2, 6, 3, 7]);
    }

    /// For few large components and for many small ones; what is asked for stays.
    #[test]
    fn the_order_for_permutations() {
        let cells = |size, width| -> Vec<CellBits> {
            let component = |i| Some((DomainId(0), i));
            (0..size).map(|i| CellBits { width, component: component(i), ..CellBits::default() }).collect()
        };
        let order = |size, width| Order::Auto.for_permutations(&cells(size, width), false);
        assert_eq!([order(2, 30), order(4, 5), order(10, 13)], [Order::Interleaved; 3]);
        assert_eq!([order(6, 2), order(10, 3), order(64, 4)], [Order::Auto; 3]);
        assert_eq!(Order::Concatenated.for_permutations(&cells(2, 30), false), Order::Concatenated);
        // German's protocol with ten clients did not end when they were interleaved.
        let order = |size, width| Order::Auto.for_permutations(&cells(size, width), true);
        assert_eq!([order(2, 30), order(10, 13)], [Order::Interleaved, Order::Auto]);
    }

    /// Two arrays with the same two indices, and a global bit: by index, not by array.
    #[test]
    fn rows_of_arrays_belong_together() {
        let cell = |row| CellBits { width: 1, row, ..CellBits::default() };
        let cells = [cell(Some(0)), cell(Some(1)), cell(None), cell(Some(0)), cell(Some(1))];
        let order = |order| {
            let variables = Variables::new(&cells, order);
            (0..variables.bits()).map(|bit| variables.now(bit) / 2).collect::<Vec<_>>()
        };
        assert_eq!(order(Order::Auto), [1, 3, 0, 2, 4]);
        assert_eq!(order(Order::Concatenated), [0, 1, 2, 3, 4]);
        let wide = CellBits { width: 2, ..cells[2] };
        let blocks = Variables::new(&[wide, cells[0]], Order::Auto).blocks();
        assert_eq!(blocks, [vec![0, 1, 2, 3], vec![4, 5]]);
    }

    /// A multiset of two slots with a flag and two bits, after a global bit.
    #[test]
    fn slots_are_interleaved() {
        let cell = |width, slot| CellBits { width, slot, ..CellBits::default() };
        let slots = [(1, 0), (2, 1), (1, 0), (2, 1)];
        let mut cells = vec![cell(1, None)];
        cells.extend(slots.iter().map(|&(width, field)| cell(width, Some((1, field)))));
        let variables = Variables::new(&cells, Order::Concatenated);
        let order: Vec<_> = (0..variables.bits()).map(|bit| variables.now(bit) / 2).collect();
        assert_eq!(order, [0, 1, 3, 5, 2, 4, 6]);
    }
}
