//! α: the representatives of all states of a set at once, by exchanging neighbours (paper 000, Listings 3 and 4).
//!
//! The states that an exchange would improve are taken out of the set, exchanged, and put back. The paper sweeps over all
//! neighbours until nothing changes; that is kept as [`Sorting::Bubble`]. A step of one index leaves all others in order, so
//! [`Sorting::Insertion`], the default, first lets that one index move up and down, and then inserts whatever else is out of
//! place, one index after the other: no sweep is ever repeated for an index that has arrived. Only the states that are
//! not in order yet are touched, where the set of all that are is small enough to be known.
//!
//! Rings try every rotation. Representatives are unique unless cells relate indices to each other: two indices on the
//! way, or one on the way and one inside. There neighbours are exchanged while that makes the state smaller, which is
//! sound, but keeps more than one state of some orbits.

use std::rc::Rc;

use burnside_model::code::DomainKind;

use crate::bdd::{Bdd, Manager, Renaming, Result};

use super::jumps::Jumps;
use super::order::{Comparison, LocalOrder, Role, compared, role};
use super::space::{Domain, Index, Permutation, Space, Which, rotation, transposition};

/// How neighbours are exchanged until the indices are in order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Sorting {
    /// The index that made the step moves to its place, then whatever else is out of place.
    #[default]
    Insertion,
    /// Sweeps over all neighbours until nothing changes, as in the paper.
    Bubble,
}

/// A permutation that improves some states.
pub(super) struct Move {
    pub apply: Renaming,
    /// Which states it improves.
    pub compared: Comparison,
}

impl Move {
    /// Applies it where it improves; whether there were such states.
    fn step(&self, set: &mut Bdd) -> Result<bool> {
        let bad = self.compared.smaller(set)?;
        if bad.is_false() {
            return Ok(false);
        }
        *set = set.minus(&bad)?.or(&bad.rename(&self.apply)?)?;
        Ok(true)
    }
}

/// The moves of one domain.
struct Sorter<'a> {
    kind: DomainKind,
    /// Of neighbours p and p+1, or of the rotation by p+1.
    moves: Vec<Move>,
    /// The states that no move improves, unless that set is too large.
    sorted: Option<Bdd>,
    /// Moves over many indices at once, where there are many and their local states are small: large ones that are far
    /// apart are costly to compare.
    jumps: Option<Jumps<'a>>,
}

/// The map from states to representatives.
pub struct Alpha<'a> {
    sorters: Vec<Sorter<'a>>,
    sorting: Sorting,
    unique: bool,
}

/// A larger set of states in order is not worth building.
const MOST_SORTED_NODES: usize = 1 << 17;

/// A comparison of neighbours with more nodes than this is one of large local states.
const LARGE_COMPARISON: usize = 1 << 8;

/// Past fewer indices than this, one moves by exchanges.
const FEW_TO_JUMP: usize = 3;

impl<'a> Alpha<'a> {
    /// The map for one copy of the variables.
    pub fn new(
        manager: &'a Manager,
        space: &Space,
        order: &LocalOrder,
        which: Which,
        sorting: Sorting,
    ) -> Result<Self> {
        let unique = unique(space);
        let shared = (Rc::new(space.clone()), Rc::new(order.clone()));
        let mut sorters = Vec::new();
        for (domain, shape) in space.domains.iter().enumerate() {
            let mut sorter = Sorter::new(manager, space, order, which, domain)?;
            let many = shape.kind == DomainKind::Full && shape.size > FEW_TO_JUMP;
            if many && unique && !sorter.is_costly() {
                sorter.jumps = Some(Jumps::new(manager, &shared.0, &shared.1, which, domain));
            }
            sorters.push(sorter);
        }
        Ok(Alpha { sorters, sorting, unique })
    }

    /// Whether there is one representative for each orbit.
    pub fn is_unique(&self) -> bool {
        self.unique
    }

    /// The representatives of the states of a set, where each was one before a step of this index, if one is given.
    pub fn apply(&self, set: &Bdd, stepped: Option<Index>) -> Result<Bdd> {
        let mut set = set.clone();
        loop {
            let mut changed = false;
            for (domain, sorter) in self.sorters.iter().enumerate() {
                let index = stepped.filter(|index| index.0 == domain).map(|index| index.1);
                changed |= match self.sorting {
                    Sorting::Insertion => sorter.insertion(&mut set, index)?,
                    Sorting::Bubble => sorter.bubble(&mut set)?,
                };
            }
            // Where domains are independent and representatives unique, sorting each once is enough.
            if !changed || self.unique {
                return Ok(set);
            }
        }
    }

    /// Whether exchanging indices is more work than their steps are: their local states are large.
    pub fn is_costly(&self) -> bool {
        self.sorters.iter().any(Sorter::is_costly)
    }

    /// The states of a set that change when the index is exchanged with the next one; none if there is none or it cannot be.
    pub fn changed_by_exchange(&self, set: &Bdd, (domain, element): Index) -> Result<Option<Bdd>> {
        let sorter = &self.sorters[domain];
        let exchange = sorter.moves.get(element).filter(|_| sorter.kind == DomainKind::Full);
        exchange.map(|exchange| exchange.compared.changed(set)).transpose()
    }
}

/// Whether exchanging neighbours leads to one state of each orbit.
pub fn unique(space: &Space) -> bool {
    let related = |cell: usize| role(space, cell) == Role::Relation;
    // In a single ring, all of its few permutations are tried, whatever the cells are.
    let one_ring = space.domains.len() == 1 && space.domains[0].kind == DomainKind::Ring;
    one_ring || !(0..space.cells.len()).any(related)
}

/// The states that no exchange of neighbours (in a ring, no rotation) improves: one of each orbit, if that is unique.
pub fn in_order(manager: &Manager, space: &Space, which: Which) -> Result<Bdd> {
    let mut sorted = manager.constant(true);
    for (domain, shape) in space.domains.iter().enumerate() {
        for at in (1..shape.size).rev() {
            let (_, inverse) = neighbours(*shape, at);
            let inverse = Permutation { domain, images: &inverse };
            let compared = compared(manager, space, &LocalOrder::default(), which, inverse)?;
            sorted = sorted.minus(&compared.smaller(&sorted)?)?;
        }
    }
    Ok(sorted)
}

/// A move of a domain and its inverse: the exchange of an index and the one before, or the rotation this far.
fn neighbours(domain: Domain, at: usize) -> (Vec<usize>, Vec<usize>) {
    match domain.kind {
        DomainKind::Full => {
            let exchange = transposition(domain.size, at - 1, at);
            (exchange.clone(), exchange)
        }
        DomainKind::Ring => (rotation(domain.size, at), rotation(domain.size, domain.size - at)),
    }
}

impl Sorter<'_> {
    fn new(
        manager: &Manager,
        space: &Space,
        order: &LocalOrder,
        which: Which,
        domain: usize,
    ) -> Result<Self> {
        let shape = space.domains[domain];
        let mut moves = Vec::new();
        for at in 1..shape.size {
            let (images, inverse) = neighbours(shape, at);
            moves.push(Move {
                apply: space.action(manager, which, Permutation { domain, images: &images })?,
                compared: compared(manager, space, order, which, Permutation { domain, images: &inverse })?,
            });
        }
        let mut sorted = Some(manager.constant(true));
        for one in moves.iter().rev() {
            let (Some(so_far), Some(improved)) = (&sorted, one.compared.whole()) else {
                sorted = None;
                break;
            };
            sorted = Some(so_far.minus(improved)?).filter(|set| set.size() <= MOST_SORTED_NODES);
        }
        Ok(Sorter { kind: shape.kind, moves, sorted, jumps: None })
    }

    fn is_costly(&self) -> bool {
        let is_large = |one: &Move| one.compared.whole().is_none_or(|whole| whole.size() > LARGE_COMPARISON);
        self.moves.iter().any(is_large)
    }

    /// Sorts by insertion; whether anything changed.
    fn insertion(&self, set: &mut Bdd, stepped: Option<usize>) -> Result<bool> {
        let Some(sorted) = &self.sorted else { return self.insert(set, stepped) };
        let mut rest = set.minus(sorted)?;
        if rest.is_false() {
            return Ok(false);
        }
        let mut good = set.and(sorted)?;
        if let Some(at) = stepped.filter(|_| self.kind == DomainKind::Full) {
            // Mostly, nothing but this one index is out of place.
            self.settle(&mut rest, at)?;
            good = good.or(&rest.and(sorted)?)?;
            rest = rest.minus(sorted)?;
        }
        if !rest.is_false() {
            self.insert(&mut rest, None)?;
        }
        *set = good.or(&rest)?;
        Ok(true)
    }

    fn insert(&self, set: &mut Bdd, stepped: Option<usize>) -> Result<bool> {
        let mut changed = false;
        if self.kind == DomainKind::Ring {
            while self.sweep(set)? {
                changed = true;
            }
            return Ok(changed);
        }
        if let Some(at) = stepped {
            changed |= self.settle(set, at)?;
        }
        // Before each turn, all states are in order up to `at`.
        for at in 0..self.moves.len() {
            if let (stay, Some(moved)) = self.pass(set, self.moves[..=at].iter().rev())? {
                *set = stay.or(&moved)?;
                changed = true;
            }
        }
        Ok(changed)
    }

    /// Lets the index at this place move up or down as far as it must.
    fn settle(&self, set: &mut Bdd, at: usize) -> Result<bool> {
        let (stay, up) = self.one_way(set, at, true)?;
        let (stay, down) = self.one_way(&stay, at, false)?;
        let changed = up.is_some() || down.is_some();
        *set = up.iter().chain(&down).try_fold(stay, |set, moved| set.or(moved))?;
        Ok(changed)
    }

    /// The states in which the index at this place does not move up (or down), and what becomes of the others.
    fn one_way(&self, set: &Bdd, at: usize, up: bool) -> Result<(Bdd, Option<Bdd>)> {
        let room = if up { self.moves.len() - at } else { at };
        let Some(jumps) = self.jumps.as_ref().filter(|_| room >= FEW_TO_JUMP) else {
            return if up {
                self.pass(set, self.moves[at..].iter())
            } else {
                self.pass(set, self.moves[..at].iter().rev())
            };
        };
        let moving = self.moves[if up { at } else { at - 1 }].compared.smaller(set)?;
        if moving.is_false() {
            return Ok((set.clone(), None));
        }
        Ok((set.minus(&moving)?, Some(jumps.travel(&moving, at, up)?)))
    }

    /// Applies moves one after the other, each to what the one before has moved and only where it improves that. Gives
    /// the states that did not move, and what became of the others.
    fn pass<'s>(&self, set: &Bdd, moves: impl Iterator<Item = &'s Move>) -> Result<(Bdd, Option<Bdd>)> {
        let (mut moving, mut stay, mut arrived) = (set.clone(), None, None::<Bdd>);
        for one in moves {
            let bad = one.compared.smaller(&moving)?;
            let good = moving.minus(&bad)?;
            if stay.is_none() {
                stay = Some(good);
            } else {
                arrived = Some(arrived.map_or(Ok(good.clone()), |arrived| arrived.or(&good))?);
            }
            moving = bad;
            if moving.is_false() {
                break;
            }
            moving = moving.rename(&one.apply)?;
        }
        match (stay, arrived) {
            (None, _) => Ok((moving, None)),
            (Some(stay), None) if moving.is_false() => Ok((stay, None)),
            (Some(stay), arrived) => {
                let arrived = arrived.map_or(Ok(moving.clone()), |arrived| arrived.or(&moving))?;
                Ok((stay, Some(arrived)))
            }
        }
    }

    /// Listing 3: sweeps until nothing changes.
    fn bubble(&self, set: &mut Bdd) -> Result<bool> {
        let mut changed = false;
        while self.sweep(set)? {
            changed = true;
        }
        Ok(changed)
    }

    /// Listing 4: every move once, in order.
    fn sweep(&self, set: &mut Bdd) -> Result<bool> {
        let mut changed = false;
        for one in &self.moves {
            changed |= one.step(set)?;
        }
        Ok(changed)
    }
}
