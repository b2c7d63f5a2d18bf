//! Whether a permutation is in the group that generators generate.

use std::collections::HashSet;

use crate::format::Images;

/// The most elements that are listed.
const LISTED: usize = 100_000;

pub(crate) enum Group {
    /// All permutations within each domain.
    Full,
    /// Its elements.
    Listed(HashSet<Images>),
}

impl Group {
    /// The group that these permutations generate; `None` if it is too large to be known.
    pub fn new(sizes: &[u32], generators: &[Images]) -> Option<Group> {
        if exchanges_connect(sizes, generators) {
            return Some(Group::Full);
        }
        let identity: Images = sizes.iter().map(|size| (0..*size).collect()).collect();
        let mut elements = HashSet::from([identity.clone()]);
        let mut open = vec![identity];
        while let Some(element) = open.pop() {
            for generator in generators {
                let next = compose(generator, &element);
                if elements.insert(next.clone()) {
                    open.push(next);
                }
            }
            if elements.len() > LISTED {
                return None;
            }
        }
        Some(Group::Listed(elements))
    }

    /// Whether a permutation within each domain is in it.
    pub fn contains(&self, images: &Images) -> bool {
        match self {
            Group::Full => true,
            Group::Listed(elements) => elements.contains(images),
        }
    }
}

/// First `first`, then `then`.
pub(crate) fn compose(then: &Images, first: &Images) -> Images {
    let one = |(then, first): (&Vec<u32>, &Vec<u32>)| first.iter().map(|i| then[*i as usize]).collect();
    then.iter().zip(first).map(one).collect()
}

/// Exchanges of two elements that connect all elements of a domain generate all its permutations.
fn exchanges_connect(sizes: &[u32], generators: &[Images]) -> bool {
    let mut least: Vec<Vec<u32>> = sizes.iter().map(|size| (0..*size).collect()).collect();
    for generator in generators {
        let moved: Vec<(usize, u32)> = generator
            .iter()
            .enumerate()
            .flat_map(|(domain, images)| {
                (0..).zip(images).filter(|(i, image)| i != *image).map(move |(i, _)| (domain, i))
            })
            .collect();
        if let [(domain, a), (_, b)] = moved[..] {
            let (a, b) = (least[domain][a as usize], least[domain][b as usize]);
            least[domain].iter_mut().filter(|of| **of == a.max(b)).for_each(|of| *of = a.min(b));
        }
    }
    least.iter().all(|domain| domain.iter().all(|least| *least == 0))
}
