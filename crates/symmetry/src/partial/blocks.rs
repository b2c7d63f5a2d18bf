//! Partitions of the elements of several symmetry domains into blocks.

/// Which elements are still interchangeable: those in the same block. Elements are counted through all domains; a block
/// never has elements of two.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Blocks {
    /// Per element, the least one of its block.
    least: Vec<u32>,
}

impl Blocks {
    /// One block per domain.
    pub fn whole(sizes: &[u32]) -> Self {
        let mut least = Vec::new();
        for size in sizes {
            let first = least.len() as u32;
            least.extend((0..*size).map(|_| first));
        }
        Blocks { least }
    }

    /// Every element for itself.
    pub fn discrete(sizes: &[u32]) -> Self {
        Blocks { least: (0..sizes.iter().sum()).collect() }
    }

    pub fn len(&self) -> usize {
        self.least.len()
    }

    pub fn is_empty(&self) -> bool {
        self.least.is_empty()
    }

    /// The least element of an element's block.
    pub fn of(&self, element: u32) -> u32 {
        self.least[element as usize]
    }

    /// Whether two elements are in the same block.
    pub fn together(&self, a: u32, b: u32) -> bool {
        self.of(a) == self.of(b)
    }

    /// Whether every block is inside one of `other`'s.
    pub fn refines(&self, other: &Blocks) -> bool {
        (0..).zip(&self.least).all(|(element, least)| other.together(element, *least))
    }

    /// Whether no two elements are in the same block.
    pub fn is_discrete(&self) -> bool {
        (0..).zip(&self.least).all(|(element, least)| element == *least)
    }

    /// The elements that are together in both.
    #[must_use]
    pub fn meet(&self, other: &Blocks) -> Blocks {
        self.split(&|element| other.of(element))
    }

    /// Splits every block by what a function says of its elements.
    #[must_use]
    pub fn split(&self, class: &dyn Fn(u32) -> u32) -> Blocks {
        let of = |element: u32| (self.of(element), class(element));
        let first =
            |element: u32| (0..element).find(|earlier| of(*earlier) == of(element)).unwrap_or(element);
        Blocks { least: (0..self.len() as u32).map(first).collect() }
    }

    /// Makes one block of the blocks of two elements, which must be of the same domain.
    pub fn join(&mut self, a: u32, b: u32) {
        let (a, b) = (self.of(a), self.of(b));
        for least in &mut self.least {
            if *least == a.max(b) {
                *least = a.min(b);
            }
        }
    }

    /// The blocks in the order of their least elements.
    pub fn blocks(&self) -> Vec<Vec<u32>> {
        let elements = || 0..self.len() as u32;
        let is_least = |element: &u32| self.of(*element) == *element;
        elements()
            .filter(is_least)
            .map(|least| elements().filter(|e| self.of(*e) == least).collect())
            .collect()
    }

    /// Pairs of elements that are together here but not in `finer`.
    pub fn pairs_apart_in(&self, finer: &Blocks) -> Vec<(u32, u32)> {
        let elements = self.len() as u32;
        let pairs = (0..elements).flat_map(|a| (a + 1..elements).map(move |b| (a, b)));
        pairs.filter(|(a, b)| self.together(*a, *b) && !finer.together(*a, *b)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn meets_and_joins() {
        let whole = Blocks::whole(&[3, 2]);
        assert_eq!(whole.blocks(), [vec![0, 1, 2], vec![3, 4]]);
        let two = whole.split(&|element| u32::from(element == 1));
        assert_eq!(two.blocks(), [vec![0, 2], vec![1], vec![3, 4]]);
        let other = whole.split(&|element| u32::from(element == 2 || element == 4));
        assert_eq!(two.meet(&other), Blocks::discrete(&[3, 2]));
        assert!(two.refines(&whole) && !whole.refines(&two) && !two.refines(&other));
        assert_eq!(whole.pairs_apart_in(&two), [(0, 1), (1, 2)]);
        let mut joined = two.clone();
        joined.join(1, 2);
        assert_eq!(joined, whole);
        assert!(Blocks::discrete(&[3]).is_discrete() && !two.is_discrete());
    }
}
