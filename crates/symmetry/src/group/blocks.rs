//! Systems of blocks: partitions of an orbit that every permutation of the group respects.

use super::Points;

/// The finest system of blocks of an orbit in which two of its points are together; each block is sorted.
///
/// Source: M. Atkinson, "An algorithm for finding the blocks of a permutation group" (1975).
pub(super) fn system(points: usize, orbit: &[u32], generators: &[Points], pair: (u32, u32)) -> Vec<Vec<u32>> {
    let mut parent: Vec<u32> = (0..points as u32).collect();
    let mut pending = vec![pair];
    while let Some((a, b)) = pending.pop() {
        let (x, y) = (find(&mut parent, a), find(&mut parent, b));
        if x == y {
            continue;
        }
        parent[y as usize] = x;
        pending.extend(generators.iter().map(|g| (g[a as usize], g[b as usize])));
    }
    let mut blocks: Vec<Vec<u32>> = Vec::new();
    for point in orbit {
        let root = find(&mut parent, *point);
        match blocks.iter_mut().find(|block| find(&mut parent, block[0]) == root) {
            Some(block) => block.push(*point),
            None => blocks.push(vec![*point]),
        }
    }
    blocks
}

fn find(parent: &mut [u32], mut point: u32) -> u32 {
    while parent[point as usize] != point {
        parent[point as usize] = parent[parent[point as usize] as usize];
        point = parent[point as usize];
    }
    point
}
