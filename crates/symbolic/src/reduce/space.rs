//! What a reduction knows of a state: its cells, the indices on the way to each, and which of its codes are indices.
//!
//! Nothing here depends on where the states come from. A permutation π of a domain acts as everywhere:
//! `(π·s)[π(c)] = π(s[c])`. As Boolean functions, the bits of `(π·s)[c]` are those of the cell `π⁻¹(c)` of `s`, with
//! its codes renamed by π; from these both the image of a set under π and comparisons of `π·s` with `s` are made.

use std::collections::HashMap;

use burnside_model::code::DomainKind;

use crate::bdd::{Bdd, Manager, Renaming, Result, Var};

/// Indices that may be permuted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Domain {
    /// How: in all ways, or by rotations.
    pub kind: DomainKind,
    pub size: usize,
}

/// An index: an element of a domain, both by their positions.
pub type Index = (usize, usize);

/// Which of a bit's two variables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// Its value in the state.
    Current,
    /// Its value in the next state.
    Next,
}

/// A part of the state that moves as one.
#[derive(Clone, Debug, Default)]
pub struct Cell {
    /// What it is, whatever its indices: permutations exchange only cells of one family.
    pub family: usize,
    /// The indices on the way to it, from the outside in.
    pub indices: Vec<Index>,
    /// Its bits, most significant first, in the current and in the next state.
    pub bits: [Vec<Var>; 2],
    /// Which of its codes are indices.
    pub ids: Vec<(u64, Index)>,
}

/// The domains and cells of a system.
#[derive(Clone, Debug)]
pub struct Space {
    /// The domains that are permuted.
    pub domains: Vec<Domain>,
    pub cells: Vec<Cell>,
    places: HashMap<(usize, Vec<Index>), usize>,
    /// Whether sets may have so few states that it takes less to list them.
    pub are_listed: bool,
}

/// Why a reduction does not apply.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Inapplicable(pub String);

impl std::fmt::Display for Inapplicable {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str(&self.0)
    }
}

impl std::error::Error for Inapplicable {}

impl Space {
    /// The space of these cells, if permutations take cells to cells of the same shape.
    pub fn new(domains: Vec<Domain>, cells: Vec<Cell>) -> std::result::Result<Self, Inapplicable> {
        let places = (0..).zip(&cells).map(|(at, cell)| ((cell.family, cell.indices.clone()), at)).collect();
        let space = Space { domains, cells, places, are_listed: false };
        if space.places.len() < space.cells.len() {
            return Err(Inapplicable("two cells have the same place".into()));
        }
        for (domain, shape) in space.domains.iter().enumerate() {
            let step: Vec<usize> = (0..shape.size).map(|element| (element + 1) % shape.size).collect();
            let moved = Permutation { domain, images: &step };
            for cell in &space.cells {
                let regular = space.place(cell, moved).is_some_and(|to| space.alike(cell, &space.cells[to]));
                let whole = cell.ids.iter().all(|&(_, id)| cell.code_of(moved.image(id)).is_some());
                if !regular || !whole {
                    return Err(Inapplicable(
                        "a part of the state has only some of a domain's indices".into(),
                    ));
                }
            }
        }
        Ok(space)
    }

    fn alike(&self, one: &Cell, other: &Cell) -> bool {
        let widths = |cell: &Cell| cell.bits.each_ref().map(Vec::len);
        one.ids == other.ids && widths(one) == widths(other)
    }

    /// Where a permutation takes a cell.
    fn place(&self, cell: &Cell, permutation: Permutation<'_>) -> Option<usize> {
        let indices = cell.indices.iter().map(|&index| permutation.image(index)).collect();
        self.places.get(&(cell.family, indices)).copied()
    }

    /// The cell that a permutation takes a cell to.
    pub fn image(&self, cell: usize, permutation: Permutation<'_>) -> usize {
        // `Space::new` checked that there is one.
        self.place(&self.cells[cell], permutation).unwrap_or(cell)
    }

    /// All bits, in the current or the next state.
    pub fn variables(&self, which: Which) -> impl Iterator<Item = Var> {
        self.cells.iter().flat_map(move |cell| cell.bits[which as usize].iter().copied())
    }

    /// Each bit in the current and in the next state.
    pub fn pairs(&self) -> Vec<(Var, Var)> {
        self.variables(Which::Current).zip(self.variables(Which::Next)).collect()
    }

    /// Whether the next state is the current one.
    pub fn identity(&self, manager: &Manager) -> Result<Bdd> {
        let mut pairs = self.pairs();
        pairs.sort_by_key(|&(var, _)| std::cmp::Reverse(manager.level(var)));
        pairs.into_iter().try_fold(manager.constant(true), |equal, (a, b)| {
            equal.and(&manager.var(a)?.equals(&manager.var(b)?)?)
        })
    }

    /// Whether a permutation may change the cell: its place or its content.
    pub fn moves(&self, cell: usize, permutation: Permutation<'_>) -> bool {
        let cell = &self.cells[cell];
        cell.indices.iter().any(|&index| permutation.image(index) != index)
            || cell.ids.iter().any(|&(_, id)| permutation.image(id) != id)
    }

    /// The bits of the cell in π·s as functions of the bits of s, for the inverse of the permutation that is given.
    pub fn moved_bits(
        &self,
        manager: &Manager,
        which: Which,
        inverse: Permutation<'_>,
        cell: usize,
    ) -> Result<Vec<Bdd>> {
        let (from, cell) = (&self.cells[self.image(cell, inverse)], &self.cells[cell]);
        let bits = &from.bits[which as usize];
        let mut functions = bits.iter().map(|&bit| manager.var(bit)).collect::<Result<Vec<_>>>()?;
        for &(code, id) in &cell.ids {
            // Content that is `before` becomes `code`.
            let before = cell.code_of(inverse.image(id)).unwrap_or(code);
            if before == code {
                continue;
            }
            let held = equals_code(manager, bits, before)?;
            for (at, function) in functions.iter_mut().enumerate() {
                if bit(code ^ before, bits.len(), at) {
                    *function = function.xor(&held)?;
                }
            }
        }
        Ok(functions)
    }

    /// What maps the characteristic function of a set to that of its image under the permutation.
    pub fn action(&self, manager: &Manager, which: Which, permutation: Permutation<'_>) -> Result<Renaming> {
        // s is in π·Z iff π⁻¹·s is in Z.
        let mut changes = Vec::new();
        for cell in (0..self.cells.len()).filter(|&cell| self.moves(cell, permutation)) {
            let functions = self.moved_bits(manager, which, permutation, cell)?;
            changes.extend(self.cells[cell].bits[which as usize].iter().copied().zip(functions));
        }
        manager.substitution(changes)
    }
}

impl Cell {
    fn code_of(&self, index: Index) -> Option<u64> {
        self.ids.iter().find(|&&(_, id)| id == index).map(|&(code, _)| code)
    }
}

/// A permutation of one domain, the others stay.
#[derive(Clone, Copy, Debug)]
pub struct Permutation<'a> {
    pub domain: usize,
    /// Where each element goes.
    pub images: &'a [usize],
}

impl Permutation<'_> {
    /// Where an index goes.
    pub fn image(&self, (domain, element): Index) -> Index {
        (domain, if domain == self.domain { self.images[element] } else { element })
    }
}

pub fn transposition(size: usize, one: usize, other: usize) -> Vec<usize> {
    let mut images: Vec<usize> = (0..size).collect();
    images.swap(one, other);
    images
}

/// Every element moved this far round.
pub fn rotation(size: usize, distance: usize) -> Vec<usize> {
    (0..size).map(|element| (element + distance) % size).collect()
}

/// The bit of a code, counted from the most significant of so many.
pub fn bit(code: u64, width: usize, at: usize) -> bool {
    code >> (width - 1 - at) & 1 == 1
}

/// Whether some variables, most significant first, are a code.
pub fn equals_code(manager: &Manager, bits: &[Var], code: u64) -> Result<Bdd> {
    manager.cube(bits.iter().enumerate().map(|(at, &var)| (var, bit(code, bits.len(), at))))
}
