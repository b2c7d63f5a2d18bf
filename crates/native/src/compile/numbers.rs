//! Sets of small numbers, as bits: the words and cells that code may write.
//!
//! They are united at every call of a routine and compared with every multiset. Trees of numbers took a third of the
//! time and most of the memory that a model of 11,674 lines needed to its first state.

use std::ops::Range;

/// A set of numbers.
#[derive(Clone, Default)]
pub(crate) struct Numbers(Vec<u64>);

impl Numbers {
    pub fn insert(&mut self, number: u32) {
        let word = number as usize / 64;
        if word >= self.0.len() {
            self.0.resize(word + 1, 0);
        }
        self.0[word] |= 1 << (number % 64);
    }

    pub fn extend(&mut self, numbers: impl IntoIterator<Item = u32>) {
        numbers.into_iter().for_each(|number| self.insert(number));
    }

    /// Adds the numbers of another set.
    pub fn unite(&mut self, other: &Numbers) {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine |= theirs;
        }
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|word| *word == 0)
    }

    /// Whether a number of the range is in it.
    pub fn touches(&self, range: Range<u32>) -> bool {
        let (from, to) = (range.start as usize / 64, (range.end as usize).div_ceil(64));
        let words = (from..to.min(self.0.len())).filter(|word| self.0[*word] != 0);
        words.into_iter().any(|word| {
            let first = word as u32 * 64;
            (first.max(range.start)..(first + 64).min(range.end)).any(|number| self.has(number))
        })
    }

    fn has(&self, number: u32) -> bool {
        self.0.get(number as usize / 64).is_some_and(|word| word >> (number % 64) & 1 == 1)
    }

    /// The numbers, from the least on.
    pub fn iter(&self) -> impl Iterator<Item = u32> {
        (0..self.0.len() as u32 * 64).filter(|number| self.has(*number))
    }
}

#[cfg(test)]
mod tests {
    use super::Numbers;

    #[test]
    fn numbers() {
        let (mut some, mut more) = (Numbers::default(), Numbers::default());
        assert!(some.is_empty() && !some.touches(0..1000));
        some.extend([3, 64, 200]);
        more.extend([5, 700]);
        more.unite(&some);
        assert_eq!(more.iter().collect::<Vec<_>>(), [3, 5, 64, 200, 700]);
        assert!(some.touches(64..65) && some.touches(10..70) && some.touches(200..1000));
        assert!(!some.touches(0..3) && !some.touches(65..200) && !some.touches(201..1000));
        more.clear();
        assert!(more.is_empty() && more.iter().next().is_none());
    }
}
