//! Which of two states of an orbit is preferred, and which permutations improve a state.
//!
//! One total order on states serves all domains: first the *local states* (cells with one index and no index inside),
//! index by index; then the cells without an index that hold one, where the greater index is preferred; then all
//! cells that relate indices to each other. Every move of [`super::alpha`] makes a state smaller in it, so moving ends.
//!
//! For the exchange of neighbours p and p+1 of a fully symmetric domain this is the rule of paper 000 (Listing 4) as
//! corrected for several id variables: p ≤ p+1 iff (l_p, [x₁=p], …) ≤ (l_{p+1}, [x₁=p+1], …). The paper's own rule has
//! no fixpoint with two of them.

use crate::bdd::{Bdd, Manager, Result, Var};

use super::space::{Inapplicable, Index, Permutation, Space, Which, equals_code};

/// The order of the codes of each family of cells: the rank of each code, or none for that of the codes themselves.
#[derive(Clone, Debug, Default)]
pub struct LocalOrder {
    ranks: Vec<(usize, Vec<u64>)>,
}

impl LocalOrder {
    /// As this, but codes of the family in the order of this list, others after them.
    pub fn with(mut self, family: usize, codes: &[u64]) -> std::result::Result<Self, Inapplicable> {
        let most = codes.iter().copied().max().unwrap_or(0).max(codes.len() as u64);
        if most >= 1 << 16 {
            return Err(Inapplicable("more than 65,535 local states cannot be ordered by a list".into()));
        }
        let mut order = codes.to_vec();
        order.extend((0..(most + 1).next_power_of_two()).filter(|code| !codes.contains(code)));
        let mut ranks = vec![0; order.len()];
        for (rank, &code) in (0..).zip(&order) {
            ranks[code as usize] = rank;
        }
        if order.len() != ranks.len() || (0..).zip(&order).any(|(rank, &code)| ranks[code as usize] != rank) {
            return Err(Inapplicable("a local state is listed twice".into()));
        }
        self.ranks.push((family, ranks));
        Ok(self)
    }

    /// Functions of a cell's bits that are greater as binary numbers for greater codes.
    fn keys(&self, manager: &Manager, family: usize, bits: &[Bdd]) -> Result<Vec<Bdd>> {
        let Some((_, ranks)) = self.ranks.iter().find(|(of, _)| *of == family) else {
            return Ok(bits.to_vec());
        };
        let width = bits.len().max(ranks.len().ilog2() as usize);
        let mut keys = vec![manager.constant(false); width];
        for code in 0..1u64 << bits.len() {
            let rank = ranks.get(code as usize).copied().unwrap_or(code);
            let mut is_code = manager.constant(true);
            for (at, function) in bits.iter().enumerate() {
                let positive = super::space::bit(code, bits.len(), at);
                is_code = is_code.and(&if positive { function.clone() } else { function.not() })?;
            }
            for (at, key) in keys.iter_mut().enumerate() {
                if super::space::bit(rank, width, at) {
                    *key = key.or(&is_code)?;
                }
            }
        }
        Ok(keys)
    }
}

/// What part of the order a cell is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A local state: one index, none inside.
    Local,
    /// No index on the way, but some inside.
    Pointer,
    /// Relates indices: several on the way, or one on the way and some inside.
    Relation,
    /// Has nothing to do with indices.
    Plain,
}

/// A cell's role.
pub fn role(space: &Space, cell: usize) -> Role {
    let cell = &space.cells[cell];
    match (cell.indices.len(), cell.ids.is_empty()) {
        (0, true) => Role::Plain,
        (0, false) => Role::Pointer,
        (1, true) => Role::Local,
        _ => Role::Relation,
    }
}

/// How a permutation (the inverse of which is given) compares each state with its image.
pub fn compared(
    manager: &Manager,
    space: &Space,
    order: &LocalOrder,
    which: Which,
    inverse: Permutation<'_>,
) -> Result<Comparison> {
    let moved = |role_wanted: Role| {
        let cells =
            (0..space.cells.len()).filter(|&c| role(space, c) == role_wanted && space.moves(c, inverse));
        cells.collect::<Vec<_>>()
    };
    let mut locals = moved(Role::Local);
    locals.sort_by_key(|&cell| (space.cells[cell].indices[0], cell));
    let mut comparison = Comparison::new(manager);
    for cell in locals {
        let family = space.cells[cell].family;
        let (after, before) = both(manager, space, which, inverse, cell)?;
        let (after, before) = (order.keys(manager, family, &after)?, order.keys(manager, family, &before)?);
        comparison.then(&after, &before)?;
    }
    for cell in moved(Role::Pointer) {
        pointer(manager, space, which, inverse, cell, &mut comparison)?;
    }
    for cell in moved(Role::Relation) {
        let (after, before) = both(manager, space, which, inverse, cell)?;
        comparison.then(&after, &before)?;
    }
    Ok(comparison)
}

/// The bits of a cell after and before.
fn both(
    manager: &Manager,
    space: &Space,
    which: Which,
    inverse: Permutation<'_>,
    cell: usize,
) -> Result<(Vec<Bdd>, Vec<Bdd>)> {
    let bits = space.cells[cell].bits[which as usize].iter();
    Ok((
        space.moved_bits(manager, which, inverse, cell)?,
        bits.map(|&bit| manager.var(bit)).collect::<Result<_>>()?,
    ))
}

/// Lets a cell that holds an index decide next: the greater is preferred.
fn pointer(
    manager: &Manager,
    space: &Space,
    which: Which,
    inverse: Permutation<'_>,
    cell: usize,
    comparison: &mut Comparison,
) -> Result<()> {
    let shape = &space.cells[cell];
    let bits = &shape.bits[which as usize];
    for &(code, id) in &shape.ids {
        let from = inverse.image(id);
        if from == id {
            continue;
        }
        // The content `from` becomes `id`.
        let Some(&(held, _)) = shape.ids.iter().find(|&&(_, other)| other == from) else { continue };
        let holds = equals_code(manager, bits, held)?;
        debug_assert_ne!(held, code);
        let smaller = if from < id { holds.clone() } else { manager.constant(false) };
        comparison.next(Part { differs: holds, smaller })?;
    }
    Ok(())
}

/// A lexicographic comparison of states with their images.
///
/// As one function it can be exponential in the bits of a local state, as these lie far apart in the order of variables. So it is
/// kept in parts of a few bits each, which decide one after the other: of a given set, only the states on which all
/// parts so far were equal are looked at again.
pub struct Comparison {
    /// The most important first.
    parts: Vec<Part>,
    none: Bdd,
}

/// Some bits of a comparison.
struct Part {
    /// Where they decide.
    differs: Bdd,
    /// Where they decide for the image.
    smaller: Bdd,
}

/// Parts of a comparison are united as long as they have fewer nodes than this.
const SMALL_PART: usize = 1 << 12;

impl Comparison {
    fn new(manager: &Manager) -> Self {
        Comparison { parts: Vec::new(), none: manager.constant(false) }
    }

    /// Compares these, most significant bit first, where all before is equal.
    fn then(&mut self, after: &[Bdd], before: &[Bdd]) -> Result<()> {
        for (after, before) in after.iter().zip(before) {
            let differs = after.xor(before)?;
            let smaller = before.minus(after)?;
            self.next(Part { differs, smaller })?;
        }
        Ok(())
    }

    fn next(&mut self, part: Part) -> Result<()> {
        if let Some(last) = self.parts.last_mut() {
            let both = Part {
                differs: last.differs.or(&part.differs)?,
                smaller: last.smaller.or(&part.smaller.minus(&last.differs)?)?,
            };
            if both.differs.size() + both.smaller.size() < SMALL_PART {
                *last = both;
                return Ok(());
            }
        }
        self.parts.push(part);
        Ok(())
    }

    /// All states that the permutation makes smaller, if that is one small function.
    pub fn whole(&self) -> Option<&Bdd> {
        match &self.parts[..] {
            [] => Some(&self.none),
            [part] => Some(&part.smaller),
            _ => None,
        }
    }

    /// The states of a set that the permutation makes smaller.
    pub fn smaller(&self, set: &Bdd) -> Result<Bdd> {
        self.those(set, |part| &part.smaller)
    }

    /// The states of a set that the permutation changes.
    pub fn changed(&self, set: &Bdd) -> Result<Bdd> {
        self.those(set, |part| &part.differs)
    }

    fn those(&self, set: &Bdd, which: impl Fn(&Part) -> &Bdd) -> Result<Bdd> {
        let (mut found, mut equal) = (self.none.clone(), set.clone());
        for (at, part) in self.parts.iter().enumerate() {
            found = found.or(&equal.and(which(part))?)?;
            if at + 1 < self.parts.len() {
                equal = equal.minus(&part.differs)?;
            }
        }
        Ok(found)
    }
}

/// Whether the first number is smaller than the second, both most significant bit first; where they are equal, `less`.
fn smaller_number(one: &[Bdd], other: &[Bdd], less: Bdd) -> Result<Bdd> {
    one.iter().zip(other).rev().try_fold(less, |less, (one, other)| one.equals(other)?.ite(&less, other))
}

/// Whether the current state is smaller than the next one in a total order on all states: that of their codes.
pub fn smaller_than_next(manager: &Manager, space: &Space) -> Result<Bdd> {
    let functions = |bits: &[Var]| bits.iter().map(|&bit| manager.var(bit)).collect::<Result<Vec<_>>>();
    space.cells.iter().rev().try_fold(manager.constant(false), |less, cell| {
        let [current, next] = cell.bits.each_ref();
        smaller_number(&functions(current)?, &functions(next)?, less)
    })
}

/// Whether no index of the domain has a smaller local state than this one.
pub fn has_least_local_state(
    manager: &Manager,
    space: &Space,
    order: &LocalOrder,
    which: Which,
    index: Index,
) -> Result<Bdd> {
    let local_state = |of: Index| {
        let is_local =
            |cell: &usize| role(space, *cell) == Role::Local && space.cells[*cell].indices[0] == of;
        let mut cells: Vec<usize> = (0..space.cells.len()).filter(is_local).collect();
        cells.sort_by_key(|&cell| space.cells[cell].family);
        let mut keys = Vec::new();
        for cell in cells {
            let bits = space.cells[cell].bits[which as usize].iter().map(|&bit| manager.var(bit));
            keys.extend(order.keys(manager, space.cells[cell].family, &bits.collect::<Result<Vec<_>>>()?)?);
        }
        Ok(keys)
    };
    let own = local_state(index)?;
    let mut least = manager.constant(true);
    for other in (0..space.domains[index.0].size).filter(|&other| other != index.1) {
        let smaller = smaller_number(&local_state((index.0, other))?, &own, manager.constant(false))?;
        least = least.minus(&smaller)?;
    }
    Ok(least)
}
