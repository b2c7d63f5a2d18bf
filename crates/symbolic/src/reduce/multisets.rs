//! The orbit relation where the states of an orbit are those with the same multiset of local states.
//!
//! That is so where a domain is permuted in all ways and no cell relates indices to each other. All there is to know of
//! an index then is its local state, and which of the cells that hold an index hold this one: its *picture*. Two states
//! are equivalent iff each picture is that of as many indices in one as in the other: a conjunction of small functions,
//! one for each picture. Uniting images under exchanges ([`super::orbit_relation`]) takes far more, unless indices are
//! few or their pictures are many.

use burnside_model::code::DomainKind;

use crate::bdd::{Bdd, Manager, Result, Var};

use super::alpha::unique;
use super::order::{Role, role};
use super::space::{Index, Space, Which, bit, equals_code};

/// More pictures than this are too many to count.
const MOST_PICTURES: usize = 1 << 8;

/// Whether states are equivalent iff they have the same multisets.
pub fn applies(space: &Space) -> bool {
    unique(space) && space.domains.iter().all(|domain| domain.kind == DomainKind::Full)
}

/// Whether it takes less than uniting images: there are not many pictures, and the variables of each index lie together. If not,
/// it has to be remembered which indices may have a picture, and that for each.
pub fn pays(manager: &Manager, space: &Space) -> bool {
    (0..space.domains.len()).all(|domain| {
        let size = space.domains[domain].size;
        let pictures = 1usize.checked_shl(picture_bits(space, domain));
        pictures.is_some_and(|pictures| pictures <= MOST_PICTURES.min(4 * size * size))
            && lie_together(manager, space, domain)
    })
}

/// Whether no variable of an index of the domain is among those of another.
fn lie_together(manager: &Manager, space: &Space, domain: usize) -> bool {
    let levels = |element| {
        let variables = local_variables(space, (domain, element), Which::Current);
        let levels = || variables.iter().map(|&var| manager.level(var));
        Some((levels().min()?, levels().max()?))
    };
    let mut spans: Vec<_> = (0..space.domains[domain].size).filter_map(levels).collect();
    spans.sort_unstable();
    spans.windows(2).all(|two| two[0].1 < two[1].0)
}

/// The orbit relation between the current and the next state.
pub fn orbit_relation(manager: &Manager, space: &Space) -> Result<Bdd> {
    let mut equivalent = same_elsewhere(manager, space)?;
    for domain in 0..space.domains.len() {
        // What holds for all pictures but one holds for that one, too.
        for picture in 1..1u64 << picture_bits(space, domain) {
            equivalent = equivalent.and(&as_many(manager, space, domain, picture)?)?;
            manager.tidy();
        }
    }
    Ok(equivalent)
}

/// Whether what no permutation changes is the same: cells without indices, and which cells hold no index but something else.
fn same_elsewhere(manager: &Manager, space: &Space) -> Result<Bdd> {
    let mut same = manager.constant(true);
    for (at, cell) in space.cells.iter().enumerate().rev() {
        let pairs = || cell.bits[0].iter().zip(&cell.bits[1]);
        let mut equal = pairs().try_fold(manager.constant(true), |equal, (&now, &next)| {
            equal.and(&manager.var(now)?.equals(&manager.var(next)?)?)
        })?;
        match role(space, at) {
            Role::Plain => (),
            // Which index a cell holds is in the pictures, and so is that it does.
            Role::Pointer => {
                for &(code, _) in &cell.ids {
                    equal = equal.or(&equals_code(manager, &cell.bits[0], code)?)?;
                }
            }
            Role::Local | Role::Relation => continue,
        }
        same = same.and(&equal)?;
    }
    Ok(same)
}

/// Whether as many indices have this picture in the current as in the next state.
fn as_many(manager: &Manager, space: &Space, domain: usize, picture: u64) -> Result<Bdd> {
    let size = space.domains[domain].size;
    let none = manager.constant(false);
    // By how many more current than next ones there are before the index, plus `size`: whether that is made up for.
    let mut made_up = vec![none.clone(); 2 * size + 1];
    made_up[size] = manager.constant(true);
    for element in (0..size).rev() {
        let [now, next] =
            [Which::Current, Which::Next].map(|w| has(manager, space, (domain, element), picture, w));
        let (now, next) = (now?, next?);
        let mut before = vec![none.clone(); 2 * size + 1];
        for more in size - element..=size + element {
            let is_now = next.ite(&made_up[more], &made_up[more + 1])?;
            let is_not = next.ite(&made_up[more - 1], &made_up[more])?;
            before[more] = now.ite(&is_now, &is_not)?;
        }
        made_up = before;
    }
    Ok(made_up.swap_remove(size))
}

/// Whether the index has this picture: the bits of its local state, then one for each cell that may hold it.
fn has(manager: &Manager, space: &Space, index: Index, picture: u64, which: Which) -> Result<Bdd> {
    let local = local_variables(space, index, which);
    let holders = holders(space, index);
    let width = local.len() + holders.len();
    let is_set = |at| bit(picture, width, at);
    let mut has = manager.cube(local.iter().enumerate().map(|(at, &var)| (var, is_set(at))))?;
    for (at, &(cell, code)) in holders.iter().enumerate() {
        let holds = equals_code(manager, &space.cells[cell].bits[which as usize], code)?;
        has = has.and(&if is_set(local.len() + at) { holds } else { holds.not() })?;
    }
    Ok(has)
}

/// The bits of the picture of an index of the domain.
fn picture_bits(space: &Space, domain: usize) -> u32 {
    let first = (domain, 0);
    (local_variables(space, first, Which::Current).len() + holders(space, first).len()) as u32
}

/// The bits of the local state of an index, in the same order for all of its domain.
fn local_variables(space: &Space, index: Index, which: Which) -> Vec<Var> {
    let is_local = |cell: &usize| role(space, *cell) == Role::Local && space.cells[*cell].indices[0] == index;
    let mut cells: Vec<usize> = (0..space.cells.len()).filter(is_local).collect();
    cells.sort_by_key(|&cell| space.cells[cell].family);
    cells.into_iter().flat_map(|cell| space.cells[cell].bits[which as usize].iter().copied()).collect()
}

/// The cells without an index that may hold this one, and its code there.
fn holders(space: &Space, index: Index) -> Vec<(usize, u64)> {
    let holder = |cell: usize| {
        let id = space.cells[cell].ids.iter().find(|(_, id)| *id == index)?;
        (role(space, cell) == Role::Pointer).then_some((cell, id.0))
    };
    (0..space.cells.len()).filter_map(holder).collect()
}
