//! Groups against brute force: the closure of the generators under composition.

use std::collections::{BTreeSet, HashSet};

use super::*;

/// A deterministic source of random numbers (xorshift).
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) % n
    }

    fn order(&mut self, n: u32) -> Points {
        let mut order: Points = (0..n).collect();
        for i in (1..n as usize).rev() {
            order.swap(i, self.below(i as u64 + 1) as usize);
        }
        order
    }

    /// A permutation that moves only some points, so that small groups occur.
    fn sparse(&mut self, n: u32) -> Points {
        let mut permutation: Points = (0..n).collect();
        for _ in 0..1 + self.below(2) {
            permutation.swap(self.below(u64::from(n)) as usize, self.below(u64::from(n)) as usize);
        }
        permutation
    }
}

fn closure(points: u32, generators: &[Points]) -> HashSet<Points> {
    let identity: Points = (0..points).collect();
    let mut all = HashSet::from([identity.clone()]);
    let mut queue = vec![identity];
    while let Some(element) = queue.pop() {
        for generator in generators {
            let product = compose(generator, &element);
            if all.insert(product.clone()) {
                queue.push(product);
            }
        }
    }
    all
}

fn all_permutations(points: u32) -> HashSet<Points> {
    let swaps = (1..points as usize).map(|i| {
        let mut swap: Points = (0..points).collect();
        swap.swap(i - 1, i);
        swap
    });
    closure(points, &swaps.collect::<Vec<_>>())
}

#[test]
fn chains_agree_with_the_closure() {
    let mut random = Random(0x5eed);
    let every: Vec<HashSet<Points>> = (0..=6).map(all_permutations).collect();
    for i in 0..4000 {
        let points = 1 + random.below(6) as u32;
        let generators: Vec<Points> = (0..random.below(4))
            .map(|_| if i % 2 == 0 { random.sparse(points) } else { random.order(points) })
            .collect();
        let group = Group::new(points as usize, generators.clone());
        let closure = closure(points, &generators);
        assert_eq!(group.order(), Some(closure.len() as u128), "{generators:?}");
        assert_eq!(group.order_string(), closure.len().to_string(), "{generators:?}");
        let elements = group.elements();
        assert_eq!(elements.len(), closure.len(), "{generators:?}");
        assert_eq!(elements.into_iter().collect::<HashSet<_>>(), closure, "{generators:?}");
        for permutation in &every[points as usize] {
            assert_eq!(group.contains(permutation), closure.contains(permutation), "{generators:?}");
        }
        let orbit = |point: u32| closure.iter().map(|g| g[point as usize]).collect::<BTreeSet<_>>();
        let expected: BTreeSet<_> = (0..points).map(orbit).filter(|orbit| orbit.len() > 1).collect();
        let found: BTreeSet<BTreeSet<u32>> =
            group.orbits().into_iter().map(|orbit| orbit.into_iter().collect()).collect();
        assert_eq!(found, expected, "{generators:?}");
    }
}

#[test]
fn large_groups() {
    let points = 40;
    let mut swap: Points = (0..points).collect();
    swap.swap(0, 1);
    let turn: Points = (0..points).map(|i| (i + 1) % points).collect();
    let group = Group::new(points as usize, [swap, turn]);
    assert_eq!(group.order(), None);
    assert_eq!(group.order_string(), "815915283247897734345611269596115894272000000000");
}

/// Cycles on so many points.
fn cycles(points: u32, cycles: &[&[u32]]) -> Points {
    let mut permutation: Points = (0..points).collect();
    for cycle in cycles {
        for (from, to) in cycle.iter().zip(cycle.iter().cycle().skip(1)) {
            permutation[*from as usize] = *to;
        }
    }
    permutation
}

#[test]
fn structures() {
    let structure = |points: u32, generators: &[&[&[u32]]]| {
        Group::new(points as usize, generators.iter().map(|g| cycles(points, g))).structure()
    };
    assert_eq!(structure(4, &[]), "trivial");
    assert_eq!(structure(4, &[&[&[0, 1]], &[&[1, 2]], &[&[2, 3]]]), "S4");
    assert_eq!(structure(5, &[&[&[0, 1, 2, 3, 4]]]), "C5");
    assert_eq!(structure(5, &[&[&[0, 1, 2, 3, 4]], &[&[1, 4], &[2, 3]]]), "D5");
    assert_eq!(structure(4, &[&[&[0, 1, 2]], &[&[1, 2, 3]]]), "A4");
    assert_eq!(structure(4, &[&[&[0, 1], &[2, 3]], &[&[0, 2], &[1, 3]]]), "order 4, 2 generators");
    assert_eq!(structure(5, &[&[&[0, 1, 2]], &[&[3, 4]]]), "C3 x S2");
    // One element of order six is a product all the same.
    assert_eq!(structure(5, &[&[&[0, 1, 2], &[3, 4]]]), "C3 x S2");
    assert_eq!(structure(10, &[&[&[0, 1]], &[&[0, 1, 2, 3]], &[&[4, 5, 6, 7, 8, 9]]]), "S4 x C6");
    // Two orbits that move together.
    assert_eq!(structure(6, &[&[&[0, 1, 2], &[3, 4, 5]], &[&[0, 1], &[3, 4]]]), "S3");
    assert_eq!(structure(6, &[&[&[0, 1]], &[&[1, 2]], &[&[0, 3], &[1, 4], &[2, 5]]]), "S3 wr S2");
    assert_eq!(structure(6, &[&[&[0, 3]], &[&[0, 1, 2], &[3, 4, 5]]]), "S2 wr C3");
    assert_eq!(structure(6, &[&[&[0, 3]], &[&[0, 1, 2], &[3, 4, 5]], &[&[0, 1], &[3, 4]]]), "S2 wr S3");
    let squared: &[&[&[u32]]] = &[&[&[0, 1]], &[&[0, 2], &[1, 3]], &[&[0, 4], &[1, 5], &[2, 6], &[3, 7]]];
    assert_eq!(structure(8, squared), "S2 wr D4");
    let fano: &[&[&[u32]]] = &[&[&[0, 1, 2, 3, 4, 5, 6]], &[&[1, 2], &[3, 6]]];
    assert_eq!(structure(7, fano), "order 168, 2 generators");
}

/// What the identity becomes, as a set of permutations, is the whole group.
#[test]
fn images_one_after_the_other_close_a_set() {
    let mut random = Random(7);
    for i in 0..300 {
        let points = 2 + random.below(5) as u32;
        let generators: Vec<Points> = (0..1 + random.below(3))
            .map(|_| if i % 2 > 0 { random.sparse(points) } else { random.order(points) })
            .collect();
        let group = Group::new(points as usize, generators);
        let mut all: BTreeSet<Points> = BTreeSet::from([(0..points).collect()]);
        for step in group.chain.closing() {
            let images: Vec<Points> = all.iter().map(|element| compose(step, element)).collect();
            all.extend(images);
        }
        assert_eq!(all, group.elements().into_iter().collect(), "{:?}", group.generators);
    }
    let neighbours = (1..6).map(|i| {
        (0..6)
            .map(|p| {
                if p == i {
                    i - 1
                } else if p + 1 == i {
                    i
                } else {
                    p
                }
            })
            .collect()
    });
    assert_eq!(Group::new(6, neighbours).chain.closing().len(), 15);
}

/// Names say the order, wherever they are given.
#[test]
fn structures_have_the_order_they_name() {
    let mut random = Random(99);
    let mut named = BTreeSet::new();
    for i in 0..2000 {
        let points = 2 + random.below(7) as u32;
        let generators: Vec<Points> = (0..1 + random.below(3))
            .map(|_| if i % 3 > 0 { random.sparse(points) } else { random.order(points) })
            .collect();
        let group = Group::new(points as usize, generators);
        let structure = group.structure();
        if let Some(order) = order_of(&structure) {
            assert_eq!(Some(order), group.order(), "{structure}: {:?}", group.generators);
        }
        named.insert(structure);
    }
    assert!(named.len() > 20, "{named:?}");
}

/// The order of a group by its name; `None` if the name is not simple.
fn order_of(name: &str) -> Option<u128> {
    if name == "trivial" {
        return Some(1);
    }
    name.split(" x ").try_fold(1, |product, factor| {
        let size: u128 = factor.get(1..)?.parse().ok()?;
        let all = (1..=size).product::<u128>();
        Some(
            product
                * match factor.as_bytes()[0] {
                    b'S' => all,
                    b'A' => all / 2,
                    b'C' => size,
                    b'D' => 2 * size,
                    _ => return None,
                },
        )
    })
}
