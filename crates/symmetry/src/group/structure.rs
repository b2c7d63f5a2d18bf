//! What group it is, in words.
//!
//! An orbit on which the group acts independently of the rest is a factor of a direct product. A factor that acts on one
//! orbit of m points is the symmetric group `Sm` if it has m! elements, the alternating group `Am` if it has half as
//! many, the cyclic group `Cm` or the dihedral group `Dm` if one of its elements goes round all points and accounts for
//! all or half of it, and a wreath product `B wr T` if it has a system of blocks with as many elements as there are ways
//! to choose one of B in each block and one of T on the blocks. What is none of these is given by its order.

use super::blocks::system;
use super::{Group, Points, compose, inverse, orbits, repetitions};

/// Groups on more points, and elements of larger groups, are not looked through.
const MOST_POINTS: usize = 64;
const MOST_ELEMENTS: u128 = 20_000;

/// The description of a group.
pub(super) fn describe(group: &Group) -> String {
    if group.generators.is_empty() {
        return "trivial".to_owned();
    }
    let mut factors = Vec::new();
    let mut rest: Vec<Vec<u32>> = Vec::new();
    for orbit in group.orbits() {
        let restricted: Vec<Points> = group.generators.iter().map(|g| restrict(g, &orbit)).collect();
        if restricted.iter().all(|r| group.contains(r)) {
            let factor = Group::new(group.points, restricted);
            factors.push(name(&factor, &orbit).unwrap_or_else(|| by_order(&factor)));
        } else {
            rest.push(orbit);
        }
    }
    if !rest.is_empty() {
        let points = rest.concat();
        let factor = Group::new(group.points, group.generators.iter().map(|g| restrict(g, &points)));
        factors.push(joint(&factor, &rest).unwrap_or_else(|| by_order(&factor)));
    }
    factors.join(" x ")
}

fn by_order(group: &Group) -> String {
    let count = group.generators.len();
    format!("order {}, {count} generator{}", group.order_string(), if count == 1 { "" } else { "s" })
}

/// A permutation on some points that it maps to each other; the others stay.
fn restrict(permutation: &[u32], points: &[u32]) -> Points {
    let mut restricted: Points = (0..permutation.len() as u32).collect();
    for point in points {
        restricted[*point as usize] = permutation[*point as usize];
    }
    restricted
}

/// A group that moves several orbits together: what it does on one of them, if that says it all.
fn joint(group: &Group, orbits: &[Vec<u32>]) -> Option<String> {
    orbits.iter().find_map(|orbit| {
        let one = Group::new(group.points, group.generators.iter().map(|g| restrict(g, orbit)));
        if group.order()? == one.order()? { name(&one, orbit) } else { None }
    })
}

/// The name of a group that acts on one orbit.
fn name(group: &Group, orbit: &[u32]) -> Option<String> {
    let (order, size) = (group.order()?, orbit.len());
    let all = (2..=size as u128).try_fold(1u128, u128::checked_mul);
    if all == Some(order) {
        return Some(format!("S{size}"));
    }
    if size > MOST_POINTS {
        return None;
    }
    let round = || round(group, orbit);
    if order == size as u128 && round().is_some() {
        return Some(format!("C{size}"));
    }
    if size > 3 && all.is_some_and(|all| all == 2 * order) {
        return Some(format!("A{size}"));
    }
    if order == 2 * size as u128
        && let Some(turn) = round()
    {
        let back = inverse(&turn);
        let turned = |g: &Points| compose(&compose(g, &turn), &inverse(g));
        if group.generators.iter().all(|g| turned(g) == turn || turned(g) == back) {
            return Some(format!("D{size}"));
        }
    }
    wreath(group, orbit)
}

/// An element that goes round all points of the orbit, if there is one to be found.
fn round(group: &Group, orbit: &[u32]) -> Option<Points> {
    let goes_round = |g: &&Points| {
        orbits(group.points, std::slice::from_ref(*g)).iter().any(|cycle| cycle.len() == orbit.len())
            && repetitions(g) == Some(orbit.len() as u64)
    };
    if let Some(found) = group.generators.iter().find(goes_round) {
        return Some(found.clone());
    }
    if group.order()? > MOST_ELEMENTS {
        return None;
    }
    group.elements().iter().find(goes_round).cloned()
}

/// `B wr T`, if it is one.
fn wreath(group: &Group, orbit: &[u32]) -> Option<String> {
    let order = group.order()?;
    orbit[1..].iter().find_map(|other| {
        let blocks = system(group.points, orbit, &group.generators, (orbit[0], *other));
        if blocks.len() < 2 {
            return None;
        }
        let bottom = bottom(group, &blocks)?;
        let top = top(group, &blocks);
        let copies = u32::try_from(blocks.len()).ok()?;
        let whole = bottom.order()?.checked_pow(copies)?.checked_mul(top.order()?)?;
        if whole != order {
            return None;
        }
        let blocks_of_top: Vec<u32> = (0..copies).collect();
        let (below, above) = (name(&bottom, &blocks[0])?, name(&top, &blocks_of_top)?);
        let bracket = |name: String| if name.contains(' ') { format!("({name})") } else { name };
        Some(format!("{} wr {}", bracket(below), bracket(above)))
    })
}

/// What the group does to the blocks.
fn top(group: &Group, blocks: &[Vec<u32>]) -> Group {
    let block_of = |point: u32| blocks.iter().position(|b| b.contains(&point)).unwrap_or(0) as u32;
    let on_blocks =
        |g: &Points| blocks.iter().map(|block| block_of(g[block[0] as usize])).collect::<Points>();
    Group::new(blocks.len(), group.generators.iter().map(on_blocks))
}

/// What the elements that keep the first block in place do inside it.
fn bottom(group: &Group, blocks: &[Vec<u32>]) -> Option<Group> {
    let first = &blocks[0];
    let block_of = |point: u32| blocks.iter().position(|b| b.contains(&point)).unwrap_or(0);
    // One element that leads to each block from the first, and by Schreier's lemma what leads back.
    let mut ways: Vec<Option<Points>> = vec![None; blocks.len()];
    ways[0] = Some((0..group.points as u32).collect());
    let mut queue = vec![0];
    let mut fixing = Vec::new();
    let mut next = 0;
    while next < queue.len() {
        let way = ways[queue[next]].clone()?;
        next += 1;
        for generator in &group.generators {
            let there = compose(generator, &way);
            let block = block_of(there[first[0] as usize]);
            match &ways[block] {
                Some(known) => fixing.push(restrict(&compose(&inverse(known), &there), first)),
                None => {
                    ways[block] = Some(there);
                    queue.push(block);
                }
            }
        }
    }
    Some(Group::new(group.points, fixing))
}
