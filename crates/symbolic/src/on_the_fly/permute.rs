//! What one permutation of elements does to sets of states and to functions of them.
//!
//! A cell goes where its indices go, and its content becomes what the elements in it become. Nothing is asked of the
//! permutation but that this is defined: whether it is a symmetry of anything is for others to say.

use std::collections::HashMap;
use std::rc::Rc;

use burnside_encode::Encoding;
use burnside_symmetry::{Action, Permutation};

use crate::bdd::{Bdd, Manager, Renaming, Result, Var};
use crate::reduce::space::{bit, equals_code};
use crate::variables::Variables;

/// A permutation of elements as one of states.
pub struct Mover {
    /// Per cell, where it goes.
    to: Vec<usize>,
    /// Per cell, the codes that become others, with those.
    codes: Vec<Vec<(u64, u64)>>,
    /// From the characteristic function of a set to that of its image; and the same of next states.
    images: [Renaming; 2],
}

/// The permutations of some elements, as they act on the states of an encoded model.
pub struct Movers<'m> {
    manager: &'m Manager,
    variables: &'m Variables,
    encoding: &'m Encoding<'m>,
    action: &'m Action,
    known: HashMap<Permutation, Rc<Mover>>,
}

/// Why a permutation of elements is none of states, or what ended the attempt.
pub enum Immovable {
    /// The reason.
    Because(String),
    /// There is no room.
    OutOfNodes(crate::bdd::OutOfNodes),
}

impl From<crate::bdd::OutOfNodes> for Immovable {
    fn from(error: crate::bdd::OutOfNodes) -> Self {
        Immovable::OutOfNodes(error)
    }
}

impl<'m> Movers<'m> {
    /// Permutations as the action has them.
    pub fn new(
        manager: &'m Manager,
        variables: &'m Variables,
        encoding: &'m Encoding<'m>,
        action: &'m Action,
    ) -> Self {
        Movers { manager, variables, encoding, action, known: HashMap::new() }
    }

    pub fn action(&self) -> &'m Action {
        self.action
    }

    /// The permutation as one of states, made once.
    pub fn mover(&mut self, permutation: &Permutation) -> std::result::Result<Rc<Mover>, Immovable> {
        if let Some(known) = self.known.get(permutation) {
            return Ok(known.clone());
        }
        let mover = Rc::new(self.make(permutation)?);
        self.known.insert(permutation.clone(), mover.clone());
        Ok(mover)
    }

    fn make(&self, permutation: &Permutation) -> std::result::Result<Mover, Immovable> {
        let described = self.encoding.model.state_cells();
        let cells = self.encoding.cells();
        let image = |&(domain, element): &(usize, u32)| (domain, permutation.image(domain, element));
        let mut places = Vec::new();
        for (number, cell) in (0..).zip(&described) {
            let mixed = || format!("it would change the order in the multiset of `{}`", cell.name);
            places.push(self.action.place(number).ok_or_else(|| Immovable::Because(mixed()))?);
        }
        let at: HashMap<_, usize> = places
            .iter()
            .enumerate()
            .map(|(at, place)| ((place.family, place.indices.clone()), at))
            .collect();
        let (mut to, mut codes) = (Vec::new(), Vec::new());
        for (number, place) in places.iter().enumerate() {
            let name = &described[number].name;
            let indices: Vec<_> = place.indices.iter().map(image).collect();
            let there = at.get(&(place.family, indices)).copied();
            let there = there
                .ok_or_else(|| Immovable::Because(format!("there is nothing where `{name}` would go")))?;
            let (from, into) = (&cells[number], &cells[there]);
            let alike = |a: &burnside_encode::EncodedCell| (a.width, a.lo, a.values, a.undefined);
            if alike(from) != alike(into) || place.ids != places[there].ids {
                let other = &described[there].name;
                return Err(Immovable::Because(format!(
                    "`{name}` and `{other}` cannot have the same values"
                )));
            }
            let mut changes = Vec::new();
            for (value, id) in &place.ids {
                let moved = image(id);
                let becomes = place.ids.iter().find(|(_, other)| *other == moved);
                let (becomes, _) = becomes.ok_or_else(|| {
                    Immovable::Because(format!("`{name}` cannot have every value that it would need"))
                })?;
                if becomes != value {
                    changes.push((from.number(*value), from.number(*becomes)));
                }
            }
            to.push(there);
            codes.push(changes);
        }
        let images = [self.renaming(&to, &codes, false)?, self.renaming(&to, &codes, true)?];
        Ok(Mover { to, codes, images })
    }

    /// s is in σ·Z iff σ⁻¹·s is in Z: each bit of Z becomes that of the cell where it went, with the code that it was.
    fn renaming(&self, to: &[usize], codes: &[Vec<(u64, u64)>], next: bool) -> Result<Renaming> {
        let mut changes: Vec<(Var, Bdd)> = Vec::new();
        for (cell, there) in to.iter().enumerate() {
            if cell == *there && codes[cell].is_empty() {
                continue;
            }
            let (here, there) = (self.vars(cell, next), self.vars(*there, next));
            let mut bits = there.iter().map(|var| self.manager.var(*var)).collect::<Result<Vec<_>>>()?;
            for &(before, after) in &codes[cell] {
                let held = equals_code(self.manager, &there, after)?;
                flip(&mut bits, before ^ after, &held)?;
            }
            changes.extend(here.into_iter().zip(bits));
        }
        self.manager.substitution(changes)
    }

    /// The variables of a cell, the most significant first.
    fn vars(&self, cell: usize, next: bool) -> Vec<Var> {
        let encoded = &self.encoding.cells()[cell];
        let bits = encoded.first..encoded.first + encoded.width;
        bits.map(|bit| if next { self.variables.next(bit) } else { self.variables.now(bit) }).collect()
    }

    /// What a step that writes these bits becomes when the states before and after it are permuted: the bits that the
    /// image of the step writes.
    pub fn conjugate(&self, mover: &Mover, updates: &[(usize, Bdd)]) -> Result<Vec<(usize, Bdd)>> {
        let cells = self.encoding.cells();
        let mut written: Vec<usize> =
            updates.iter().map(|(bit, _)| self.encoding.bits()[*bit].cell).collect();
        written.dedup();
        let mut found = Vec::new();
        for cell in written {
            let encoded = &cells[cell];
            let mut bits = Vec::new();
            for bit in encoded.first..encoded.first + encoded.width {
                let update = updates.iter().find(|(written, _)| *written == bit);
                let becomes = match update {
                    Some((_, becomes)) => becomes.clone(),
                    None => self.manager.var(self.variables.now(bit))?,
                };
                bits.push(mover.image(&becomes)?);
            }
            let before = bits.clone();
            for &(from, into) in &mover.codes[cell] {
                let mut held = self.manager.constant(true);
                for (at, function) in before.iter().enumerate() {
                    let so = bit(from, before.len(), at);
                    held = held.and(&if so { function.clone() } else { function.not() })?;
                }
                flip(&mut bits, from ^ into, &held)?;
            }
            let first = cells[mover.to[cell]].first;
            found.extend((first..).zip(bits));
        }
        Ok(found)
    }
}

/// Flips the bits that a code has, where a condition holds.
fn flip(bits: &mut [Bdd], code: u64, condition: &Bdd) -> Result<()> {
    let width = bits.len();
    for (at, function) in bits.iter_mut().enumerate() {
        if bit(code, width, at) {
            *function = function.xor(condition)?;
        }
    }
    Ok(())
}

impl Mover {
    /// The image of a set of states.
    pub fn image(&self, set: &Bdd) -> Result<Bdd> {
        set.rename(self.image_now())
    }

    /// What takes a set of states to its image.
    pub fn image_now(&self) -> &Renaming {
        &self.images[0]
    }

    /// What takes a set of next states to its image.
    pub fn next_image(&self) -> &Renaming {
        &self.images[1]
    }
}
