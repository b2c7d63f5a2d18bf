//! One representative of the states that differ only in which scalar is which.
//!
//! The elements of a scalarset are sorted by what is theirs: their variables and locations first, then their clocks,
//! from the one that was set last on. What is equal in all of that is mostly interchangeable, which is checked. What is
//! not is told apart by colour refinement on variables and bounds together; the order by clocks is kept, as inclusion
//! of zones finds more when the clocks of two states are in the same order.

use burnside_model::Network;
use burnside_model::code::{Cell, DomainId, DomainKind, TypeId, TypeKind, Types};
use burnside_model::{Model, Span};
use burnside_symmetry::{Action, Canonicaliser, Permutation};

use crate::conditions::Clocks;
use crate::zone::{Bound, Zone};

/// Chooses representatives.
pub struct Representatives<'m> {
    network: &'m Network,
    /// How permutations act on discrete states.
    pub action: Action,
    /// What each element has: by domain, then by element.
    own: Vec<Vec<Own>>,
    /// The cells that no element has, but that may hold one, and which of its values is which.
    pointers: Vec<(usize, Elements)>,
    /// Where a permutation sends a clock: through the cells of an imaginary state.
    clock_cells: Vec<u32>,
    sizes: Vec<u32>,
    /// The domains of which values of each type are elements, with the value of the first element.
    elements: Vec<Vec<(DomainId, i64, usize)>>,
    rings: bool,
    /// Whether every cell is one element's own, holds an element, or neither: then elements with the same own cells,
    /// held by the same cells, can be exchanged as far as variables go.
    plain: bool,
    /// Made when it is first needed: it is large.
    extended: Option<Box<Extended>>,
}

/// Which values are which elements: of which domain, and which number there.
type Elements = Vec<(Cell, (usize, u32))>;

/// What an element has for itself.
#[derive(Clone, Debug, Default)]
struct Own {
    /// Cells that hold no elements, in an order that is the same for all.
    cells: Vec<usize>,
    /// Clocks, likewise.
    clocks: Vec<usize>,
}

/// What elements are sorted by, one after the other.
struct Keys {
    /// How many cells a key takes.
    each: usize,
    all: Vec<Cell>,
}

impl Keys {
    fn of(&self, element: u32) -> &[Cell] {
        &self.all[element as usize * self.each..][..self.each]
    }

    fn of_mut(&mut self, element: u32) -> &mut [Cell] {
        &mut self.all[element as usize * self.each..][..self.each]
    }
}

/// State and zone as one state of an imaginary model, whose canonical form tells everything apart.
struct Extended {
    canonicaliser: Canonicaliser,
    /// How many cells the imaginary state has.
    cells: usize,
    /// For each domain, the cells that hold the rank of each element.
    ranks: Vec<Vec<usize>>,
    /// The cell of each bound, row by row.
    bounds: Vec<usize>,
}

impl<'m> Representatives<'m> {
    /// Representatives under all permutations of these domains.
    pub fn new(network: &'m Network, clocks: &Clocks, domains: &[DomainId]) -> Self {
        let model = &network.model;
        let action = Action::new(model, domains);
        let sizes = action.sizes().to_vec();
        let mut own: Vec<Vec<Own>> = sizes.iter().map(|size| vec![Own::default(); *size as usize]).collect();
        let mut pointers = Vec::new();
        let mut plain = true;
        for cell in 0..model.cells {
            let Some(place) = action.place(cell) else {
                plain = false;
                continue;
            };
            let clock = clocks.at(cell as usize);
            match place.indices[..] {
                [] if place.ids.is_empty() => {}
                [] if !place.ids.is_empty() => pointers.push((cell as usize, place.ids)),
                [(domain, element)] => {
                    let owner = &mut own[domain][element as usize];
                    if clock != 0 {
                        owner.clocks.push(clock);
                    } else if network.channels.binary_search_by_key(&cell, |channel| channel.cell).is_ok() {
                        // It never has a value.
                    } else if place.ids.is_empty() {
                        owner.cells.push(cell as usize);
                    } else {
                        plain = false;
                    }
                }
                _ => plain = false,
            }
        }
        let rings = domains.iter().any(|domain| model.types.domain(*domain).kind == DomainKind::Ring);
        plain &= pointers.len() <= 64;
        let clock_cells = network.clocks.clone();
        let used = |(domain, first)| {
            let position = action.domains().iter().position(|known| *known == domain)?;
            Some((domain, first, position))
        };
        let elements =
            model.types.ids().map(|ty| model.types.domains_of(ty).into_iter().filter_map(used).collect());
        let elements = elements.collect();
        Representatives {
            network,
            plain,
            action,
            own,
            pointers,
            clock_cells,
            sizes,
            elements,
            rings,
            extended: None,
        }
    }

    fn extended(&mut self) -> &mut Extended {
        self.extended.get_or_insert_with(|| Box::new(Extended::new(self.network, &self.action)))
    }

    /// The permutation that sends a state to its representative. Some clocks are known to have any value, by number.
    pub fn choose(&mut self, state: &[Cell], zone: &Zone, free: &[bool]) -> Permutation {
        if self.rings {
            return self.extended().permutation(state, zone, &[]);
        }
        let keys = self.keys(state, zone);
        let mut ranks = Vec::with_capacity(self.sizes.len());
        let mut images = Vec::with_capacity(self.sizes.len());
        let mut open = false;
        for (domain, keys) in keys.iter().enumerate() {
            let mut order: Vec<u32> = (0..self.sizes[domain]).collect();
            order.sort_by(|a, b| keys.of(*a).cmp(keys.of(*b)));
            let mut rank = vec![0; order.len()];
            let mut image = vec![0; order.len()];
            for (at, element) in order.iter().enumerate() {
                image[*element as usize] = at as u32;
                let tied = at > 0 && keys.of(order[at - 1]) == keys.of(*element);
                rank[*element as usize] = if tied { rank[order[at - 1] as usize] } else { at as u32 };
                if tied && !open {
                    open = !self.interchangeable(domain, order[at - 1], *element, state, zone, free);
                }
            }
            ranks.push(rank);
            images.push(image);
        }
        if !open {
            return Permutation::from_images(images).unwrap_or_else(|| self.action.identity());
        }
        let told = self.extended().permutation(state, zone, &ranks);
        // What refinement told apart, in the order of the ranks.
        let sorted = ranks.iter().enumerate().map(|(domain, rank)| {
            let mut order: Vec<u32> = (0..self.sizes[domain]).collect();
            order.sort_by_key(|element| (rank[*element as usize], told.image(domain, *element)));
            let mut image = vec![0; order.len()];
            (0..).zip(order).for_each(|(at, element)| image[element as usize] = at);
            image
        });
        Permutation::from_images(sorted.collect()).unwrap_or_else(|| self.action.identity())
    }

    /// How many states the orbit of a state has; too many saturate.
    pub fn orbit(&mut self, state: &[Cell], zone: &Zone) -> u128 {
        let extended = self.extended();
        extended.permutation(state, zone, &[]);
        extended.canonicaliser.orbit().unwrap_or(u128::MAX)
    }

    /// For each element of a representative, the first of those that it can be exchanged with, by neighbours.
    pub fn twins(&self, state: &[Cell], zone: &Zone) -> Vec<Vec<u32>> {
        let keys = self.keys(state, zone);
        let free = zone.free_clocks();
        self.twins_if(|domain, a, b| {
            keys[domain].of(a) == keys[domain].of(b) && self.interchangeable(domain, a, b, state, zone, &free)
        })
    }

    /// As [`twins`](Self::twins), as far as variables go; not all are found.
    pub fn plain_twins(&self, state: &[Cell]) -> Vec<Vec<u32>> {
        let keys: Vec<Keys> = (0..self.sizes.len()).map(|domain| self.plain_keys(domain, state, 0)).collect();
        self.twins_if(|domain, a, b| self.plain && keys[domain].of(a) == keys[domain].of(b))
    }

    fn twins_if(&self, exchangeable: impl Fn(usize, u32, u32) -> bool) -> Vec<Vec<u32>> {
        let twins_of = |domain: usize| {
            let mut first: Vec<u32> = (0..self.sizes[domain]).collect();
            for element in 1..self.sizes[domain] {
                if !self.rings && exchangeable(domain, element - 1, element) {
                    first[element as usize] = first[element as usize - 1];
                }
            }
            first
        };
        (0..self.sizes.len()).map(twins_of).collect()
    }

    /// What the elements of each domain are sorted by: variables first, then which globals hold the element, then for
    /// each of its clocks, how many are never greater, which is less for one that was set later, and its bounds.
    fn keys(&self, state: &[Cell], zone: &Zone) -> Vec<Keys> {
        let before = zone.never_greater();
        let keys = |domain: usize| {
            let clocks = self.own[domain].first().map_or(0, |own| own.clocks.len());
            let mut keys = self.plain_keys(domain, state, 3 * clocks);
            for (element, own) in (0..).zip(&self.own[domain]) {
                let key = keys.of_mut(element);
                let start = key.len() - 3 * clocks;
                for (part, clock) in key[start..].chunks_exact_mut(3).zip(&own.clocks) {
                    let number = |bound: Bound| {
                        bound.value().map_or(Cell::MAX, |v| 2 * Cell::from(v))
                            + Cell::from(!bound.is_strict())
                    };
                    part.copy_from_slice(&[
                        Cell::from(before[*clock]),
                        number(zone.at(*clock, 0)),
                        number(zone.at(0, *clock)),
                    ]);
                }
            }
            keys
        };
        (0..self.sizes.len()).map(keys).collect()
    }

    /// As [`keys`](Self::keys), without the clocks, for which there is room.
    fn plain_keys(&self, domain: usize, state: &[Cell], room: usize) -> Keys {
        let cells = self.own[domain].first().map_or(0, |own| own.cells.len());
        let mut keys = Keys { each: cells + 1 + room, all: Vec::new() };
        keys.all.resize(keys.each * self.sizes[domain] as usize, 0);
        for (element, own) in (0..).zip(&self.own[domain]) {
            keys.of_mut(element).iter_mut().zip(&own.cells).for_each(|(key, cell)| *key = state[*cell]);
        }
        for (bit, (cell, ids)) in self.pointers.iter().enumerate().take(64) {
            if let Some((_, (held, element))) = ids.iter().find(|(value, _)| *value == state[*cell])
                && *held == domain
            {
                keys.of_mut(*element)[cells] |= 1 << bit;
            }
        }
        keys
    }

    /// Whether exchanging two elements, which are equal in what is theirs, changes nothing.
    fn interchangeable(
        &self,
        domain: usize,
        a: u32,
        b: u32,
        state: &[Cell],
        zone: &Zone,
        free: &[bool],
    ) -> bool {
        if self.plain {
            let (mine, theirs) = (&self.own[domain][a as usize].clocks, &self.own[domain][b as usize].clocks);
            let same =
                |x: usize, y: usize| zone.at(x, y) == Bound::LE_ZERO && zone.at(y, x) == Bound::LE_ZERO;
            let pairs = mine.iter().zip(theirs);
            // Clocks that are always equal, or have any value whatever the others are.
            if pairs.clone().all(|(x, y)| same(*x, *y) || free[*x] && free[*y]) {
                return true;
            }
            let mut to: Vec<usize> = (0..zone.dimension()).collect();
            pairs.clone().for_each(|(x, y)| to.swap(*x, *y));
            return mine.iter().chain(theirs).all(|x| unmoved(zone, *x, &to));
        }
        let swap = Permutation::transposition(&self.sizes, domain, a, b);
        let mut swapped = Vec::new();
        self.action.apply(&swap, state, &mut swapped);
        if swapped != state {
            return false;
        }
        let to = self.clocks_to(&swap);
        (0..to.len()).filter(|clock| to[*clock] != *clock).all(|clock| unmoved(zone, clock, &to))
    }

    /// Where a permutation sends each clock; the reference stays.
    pub fn clocks_to(&self, permutation: &Permutation) -> Vec<usize> {
        if self.plain {
            let mut to: Vec<usize> = (0..=self.clock_cells.len()).collect();
            self.moved_own(permutation, |from, into| {
                from.clocks.iter().zip(&into.clocks).for_each(|(old, new)| to[*old] = *new);
            });
            return to;
        }
        // Each clock's cell is marked with its number, and looked up where it arrived.
        let mut marked = vec![0; self.network.model.cells as usize];
        for (number, cell) in (1..).zip(&self.clock_cells) {
            marked[*cell as usize] = number;
        }
        let mut moved = Vec::new();
        self.action.apply(permutation, &marked, &mut moved);
        let mut to = vec![0; self.clock_cells.len() + 1];
        for (number, cell) in (1..).zip(&self.clock_cells) {
            to[moved[*cell as usize] as usize] = number;
        }
        to
    }

    /// Where a permutation sends a cell.
    pub fn moved_cell(&self, permutation: &Permutation, cell: u32) -> u32 {
        // The cell is marked, and looked up where it arrived.
        let mut marked = vec![0; self.network.model.cells as usize];
        let mark = Cell::MAX;
        marked[cell as usize] = mark;
        let mut moved = Vec::new();
        self.action.apply(permutation, &marked, &mut moved);
        moved.iter().position(|value| *value == mark).map_or(cell, |at| at as u32)
    }

    /// Whether a permutation leads from one state to another.
    fn acts_so(&self, permutation: &Permutation, state: &[Cell], moved: &[Cell]) -> bool {
        let mut applied = Vec::new();
        self.action.apply(permutation, state, &mut applied);
        applied == moved
    }

    /// What each element has, and what the element has to which a permutation sends it; for those that move.
    fn moved_own(&self, permutation: &Permutation, mut moved: impl FnMut(&Own, &Own)) {
        for (own, images) in self.own.iter().zip(permutation.images()) {
            for (from, image) in own.iter().zip(images) {
                let into = &own[*image as usize];
                if !std::ptr::eq(from, into) {
                    moved(from, into);
                }
            }
        }
    }

    /// The element that a value is, if it is one: its domain and its number there.
    pub fn element(&self, ty: TypeId, value: Cell) -> Option<(usize, u32)> {
        self.elements.get(ty.0 as usize)?.iter().find_map(|(domain, first, position)| {
            let element = self.network.model.types.element_at(*domain, *first, value)?;
            Some((*position, element))
        })
    }

    /// What a permutation makes of a value.
    pub fn map_value(&self, permutation: &Permutation, ty: TypeId, value: Cell) -> Cell {
        self.action.map_value(permutation, ty, value)
    }

    /// Writes a state as a permutation leaves it.
    pub fn apply(
        &self,
        permutation: &Permutation,
        (state, zone): (&[Cell], &Zone),
        (moved, renamed): (&mut Vec<Cell>, &mut Zone),
    ) {
        if self.plain {
            moved.clear();
            moved.extend_from_slice(state);
            self.moved_own(permutation, |from, into| {
                from.cells.iter().zip(&into.cells).for_each(|(old, new)| moved[*new] = state[*old]);
            });
            for (cell, ids) in &self.pointers {
                if let Some((_, (domain, element))) = ids.iter().find(|(value, _)| *value == state[*cell]) {
                    let image = (*domain, permutation.image(*domain, *element));
                    let held = ids.iter().find(|(_, id)| *id == image);
                    moved[*cell] = held.map_or(state[*cell], |(value, _)| *value);
                }
            }
            debug_assert!(self.acts_so(permutation, state, moved), "the same by a shorter way");
        } else {
            self.action.apply(permutation, state, moved);
        }
        renamed.permute(zone, &self.clocks_to(permutation));
    }
}

/// Whether the bounds of a clock are the same after clocks are renamed.
fn unmoved(zone: &Zone, clock: usize, to: &[usize]) -> bool {
    (0..to.len()).all(|other| {
        zone.at(clock, other) == zone.at(to[clock], to[other])
            && zone.at(other, clock) == zone.at(to[other], to[clock])
    })
}

impl Extended {
    fn new(network: &Network, action: &Action) -> Self {
        let mut model = Model { types: network.model.types.clone(), ..Model::default() };
        let span = Span::default();
        for global in &network.model.globals {
            model.add_global(&global.name, global.ty, span);
        }
        let mut ranks = Vec::new();
        let domains = action.domains().to_vec();
        for domain in &domains {
            let index =
                model.types.ids().find(|ty| model.types.domains_of(*ty).iter().any(|(of, _)| of == domain));
            let first = model.cells as usize;
            let array =
                index.and_then(|index| model.types.add(None, TypeKind::Array { index, element: Types::INT }));
            if let Some((index, array)) = index.zip(array) {
                model.add_global("rank", array, span);
                // A range may have other values besides the elements.
                let (lo, hi) = model.types.bounds(index);
                let mut cells: Vec<(u32, usize)> = (lo..=hi)
                    .filter_map(|value| {
                        Some((model.types.element(index, value)?, first + (value - lo) as usize))
                    })
                    .filter(|((of, _), _)| of == domain)
                    .map(|((_, element), cell)| (element, cell))
                    .collect();
                cells.sort_unstable();
                ranks.push(cells.into_iter().map(|(_, cell)| cell).collect());
            }
        }
        let dimension = network.clocks.len() + 1;
        let mut bounds = vec![usize::MAX; dimension * dimension];
        // A matrix for each pair of variables with clocks: the type of the first, with the second in place of its clocks.
        let with_clocks: Vec<(TypeId, Vec<(u32, usize)>)> = network
            .model
            .globals
            .iter()
            .map(|global| {
                let cells = global.offset..global.offset + network.model.types[global.ty].cells;
                let clocks = (1..).zip(&network.clocks).filter(|(_, cell)| cells.contains(cell));
                (global.ty, clocks.map(|(number, cell)| (cell - global.offset, number)).collect::<Vec<_>>())
            })
            .filter(|(_, clocks)| !clocks.is_empty())
            .collect();
        let clock = network.clock.unwrap_or(Types::INT);
        for (first_type, first_clocks) in &with_clocks {
            for column in [true, false] {
                let Some(ty) = replaced(&mut model.types, *first_type, clock, Types::INT) else { continue };
                let first = model.cells as usize;
                model.add_global("bounds", ty, span);
                for (offset, number) in first_clocks {
                    let at = if column { *number * dimension } else { *number };
                    bounds[at] = first + *offset as usize;
                }
            }
            for (second_type, second_clocks) in &with_clocks {
                let Some(inner) = replaced(&mut model.types, *second_type, clock, Types::INT) else {
                    continue;
                };
                let Some(ty) = replaced(&mut model.types, *first_type, clock, inner) else { continue };
                let first = model.cells as usize;
                model.add_global("bounds", ty, span);
                let width = model.types[inner].cells as usize;
                // Other cells before a clock take one cell each, clocks before it the width of the second variable.
                for (rank, (offset, left)) in first_clocks.iter().enumerate() {
                    let start = first + (*offset as usize - rank) + rank * width;
                    for (within, right) in second_clocks {
                        bounds[*left * dimension + *right] = start + *within as usize;
                    }
                }
            }
        }
        let cells = model.cells as usize;
        let canonicaliser = Canonicaliser::new(Action::new(&model, &domains));
        Extended { canonicaliser, cells, ranks, bounds }
    }

    fn permutation(&mut self, state: &[Cell], zone: &Zone, ranks: &[Vec<u32>]) -> Permutation {
        let mut extended = vec![0; self.cells];
        extended[..state.len()].copy_from_slice(state);
        for (cells, rank) in self.ranks.iter().zip(ranks) {
            for (cell, rank) in cells.iter().zip(rank) {
                extended[*cell] = Cell::from(*rank);
            }
        }
        let dimension = zone.dimension();
        for left in 0..dimension {
            for right in 0..dimension {
                let cell = self.bounds[left * dimension + right];
                if cell != usize::MAX {
                    let bound = zone.at(left, right);
                    // Distinct bounds, distinct values.
                    extended[cell] = bound
                        .value()
                        .map_or(Cell::MAX, |v| 2 * Cell::from(v) + Cell::from(!bound.is_strict()));
                }
            }
        }
        self.canonicaliser.canonicalise(&extended);
        self.canonicaliser.permutation()
    }
}

/// A type with another one in place of its clocks; every other simple type becomes a cell of no interest.
fn replaced(types: &mut Types, ty: TypeId, clock: TypeId, by: TypeId) -> Option<TypeId> {
    match types[ty].kind.clone() {
        TypeKind::Array { index, element } => {
            let element = replaced(types, element, clock, by)?;
            types.add(None, TypeKind::Array { index, element })
        }
        TypeKind::Record(fields) => {
            let mut new = Vec::new();
            for mut field in fields {
                field.ty = replaced(types, field.ty, clock, by)?;
                new.push(field);
            }
            types.add(None, TypeKind::Record(new))
        }
        _ if ty == clock => Some(by),
        _ => Some(Types::INT),
    }
}
