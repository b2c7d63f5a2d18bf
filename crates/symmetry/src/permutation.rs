//! Permutations of the elements of several symmetry domains: an element of the direct product of the full symmetric
//! groups of a model's scalarsets and the cyclic groups of its rings.
//!
//! Convention, everywhere: a permutation sends element `i` to `image(i)`, acts on states by `(π·s)[π(i)] = s[i]`, and turns
//! an id value `v` into π(v). In a product the right one acts first: (π∘ρ)·s = π·(ρ·s).

use burnside_model::code::DomainKind;

/// One bijection per active domain, in the order of the [`Action`](crate::Action)'s domains.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Permutation {
    images: Vec<Vec<u32>>,
}

impl Permutation {
    /// The identity on domains of these sizes.
    pub fn identity(sizes: &[u32]) -> Self {
        Permutation { images: sizes.iter().map(|size| (0..*size).collect()).collect() }
    }

    /// The permutation with these images; `None` unless each list is a bijection.
    pub fn from_images(images: Vec<Vec<u32>>) -> Option<Self> {
        for image in &images {
            let mut hit = vec![false; image.len()];
            for i in image {
                if std::mem::replace(hit.get_mut(*i as usize)?, true) {
                    return None;
                }
            }
        }
        Some(Permutation { images })
    }

    /// Exchanges elements `a` and `b` of one domain.
    pub fn transposition(sizes: &[u32], domain: usize, a: u32, b: u32) -> Self {
        let mut swap = Self::identity(sizes);
        swap.images[domain].swap(a as usize, b as usize);
        swap
    }

    /// Moves every element of one domain by so many places.
    pub fn rotation(sizes: &[u32], domain: usize, by: u32) -> Self {
        let mut rotation = Self::identity(sizes);
        rotation.images[domain] = rotated(sizes[domain], by);
        rotation
    }

    /// Where an element of the domain at this position goes.
    pub fn image(&self, domain: usize, element: u32) -> u32 {
        self.images[domain][element as usize]
    }

    /// The images of all elements, by domain.
    pub fn images(&self) -> &[Vec<u32>] {
        &self.images
    }

    /// First `first`, then this one.
    pub fn compose(&self, first: &Permutation) -> Permutation {
        let compose = |(then, first): (&Vec<u32>, &Vec<u32>)| -> Vec<u32> {
            first.iter().map(|i| then[*i as usize]).collect()
        };
        Permutation { images: self.images.iter().zip(&first.images).map(compose).collect() }
    }

    pub fn inverse(&self) -> Permutation {
        let invert = |image: &Vec<u32>| {
            let mut inverse = vec![0; image.len()];
            for (i, to) in image.iter().enumerate() {
                inverse[*to as usize] = i as u32;
            }
            inverse
        };
        Permutation { images: self.images.iter().map(invert).collect() }
    }

    pub fn is_identity(&self) -> bool {
        self.images.iter().all(|image| image.iter().enumerate().all(|(i, to)| i as u32 == *to))
    }

    /// All permutations of domains of these kinds and sizes; there are very many of them.
    pub(crate) fn all(domains: &[(DomainKind, u32)]) -> Vec<Permutation> {
        let mut all = vec![Permutation { images: Vec::new() }];
        for (kind, size) in domains {
            let one = match kind {
                DomainKind::Full => orders(*size),
                DomainKind::Ring => (0..*size).map(|by| rotated(*size, by)).collect(),
            };
            all = all
                .iter()
                .flat_map(|p| {
                    one.iter().map(|image| {
                        let mut images = p.images.clone();
                        images.push(image.clone());
                        Permutation { images }
                    })
                })
                .collect();
        }
        all
    }
}

/// The images under a rotation.
pub(crate) fn rotated(size: u32, by: u32) -> Vec<u32> {
    (0..size).map(|i| (i + by) % size).collect()
}

/// All orders of so many elements.
fn orders(size: u32) -> Vec<Vec<u32>> {
    let mut all = vec![Vec::new()];
    for i in 0..size {
        // Insert the next element at every place.
        all = all
            .iter()
            .flat_map(|image: &Vec<u32>| {
                (0..=image.len()).map(|at| {
                    let mut longer = image.clone();
                    longer.insert(at, i);
                    longer
                })
            })
            .collect();
    }
    all
}
